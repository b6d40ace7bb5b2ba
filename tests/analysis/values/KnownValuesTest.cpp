// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values of integers, against the values that the reference evaluator
// computes.

#include "mercator/analysis/values/KnownValues.h"
#include "mercator/reference/AllRules.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/analysis/maps/Program.h"
#include "tests/indexing/BruteForce.h"

#include <random>

using namespace mercator;
using namespace mercator::testing;
using indexing::Expr;
using indexing::Interval;
using indexing::testing::evaluate;
using indexing::testing::Values;

namespace {

/// The known values of every element of the result of @f.
struct Question {
  Program program;
  mlir::Value value;
  Arena arena;
  indexing::Domain domain;
  KnownElement known;
  Interval all;

  explicit Question(llvm::StringRef text) : program(text) {
    mlir::func::FuncOp f = program.function("f");
    value = f.getBody().front().getTerminator()->getOperand(0);
    llvm::SmallVector<Expr> at;
    for (int64_t size : sizesOf(value.getType()))
      at.push_back(domain.addDim(arena, Interval::ofSize(size)));
    KnownValues values(arena, domain);
    known = values.element(value, at);
    all = values.range(value);
  }

  /// Checks the known values for these arguments. False if the program is
  /// undefined for them.
  bool holds(llvm::ArrayRef<reference::Value> arguments) {
    mlir::ScopedDiagnosticHandler quiet(
        &program.context, [](mlir::Diagnostic &) { return mlir::success(); });
    reference::Evaluator evaluator(*program.module, reference::allRules());
    llvm::FailureOr<std::vector<reference::Value>> results =
        evaluator.call(program.function("f"), arguments);
    if (failed(results))
      return false;
    const reference::Tensor &tensor = *results->front().tensor();
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(known.origin);
    for (mercator::Index index(tensor.shape()); index; ++index) {
      Values at;
      at.dims.assign((*index).begin(), (*index).end());
      int64_t x = tensor.at(*index).integer;
      if (known.exact)
        EXPECT_EQ(evaluate(arena, known.exact, at), x);
      EXPECT_TRUE(known.range.contains(x)) << x;
      EXPECT_TRUE(all.contains(x)) << x;
      if (!argument || !known.index)
        continue;
      llvm::SmallVector<int64_t> place;
      for (Expr e : *known.index)
        place.push_back(evaluate(arena, e, at));
      EXPECT_EQ(arguments[argument.getArgNumber()].tensor()->at(place).integer,
                x);
    }
    return true;
  }

  /// One value for each parameter, whose elements `next` gives.
  std::vector<reference::Value> arguments(llvm::function_ref<int64_t()> next) {
    std::vector<reference::Value> out;
    for (mlir::Type type : program.function("f").getArgumentTypes()) {
      reference::Tensor tensor = *reference::Tensor::zeros(
          llvm::cast<mlir::RankedTensorType>(type), [&] {
            return mlir::emitError(mlir::UnknownLoc::get(&program.context));
          });
      for (int64_t place = 0; place < tensor.size(); ++place)
        tensor.set(place, reference::Scalar::whole(next()));
      out.push_back(tensor);
    }
    return out;
  }
};

struct Case {
  const char *arguments, *body; ///< the body's last value is %r
  const char *type;
  const char *exact; ///< of element (d0, d1, ...); "" if it is not known
  Interval range;
};

void check(const Case &c) {
  SCOPED_TRACE(c.body);
  Question q("func.func @f(" + std::string(c.arguments) + ") -> " + c.type +
             " {\n" + c.body + "\nreturn %r : " + c.type + "\n}");
  if (*c.exact) {
    std::string text = "(";
    for (size_t i = 0; i < q.domain.dims.size(); ++i)
      text += (i ? ", d" : "d") + std::to_string(i);
    text += ") -> (" + std::string(c.exact) + ")";
    for (size_t i = 0; i < q.domain.dims.size(); ++i)
      text += (i ? ", d" : ", domain: d") + std::to_string(i) + " in [0, " +
              std::to_string(q.domain.dims[i].bounds.upper) + "]";
    Map want = parse(q.arena, text);
    Map got(q.arena);
    got.domain = q.domain;
    ASSERT_TRUE(q.known.exact);
    got.results = {q.known.exact};
    EXPECT_EQ(indexing::prove(got, want).kind, indexing::Decision::Kind::Yes)
        << indexing::toString(got);
  } else {
    EXPECT_FALSE(q.known.exact);
  }
  EXPECT_EQ(q.known.range, c.range)
      << q.known.range.lower << " " << q.known.range.upper;
  std::mt19937_64 engine(testSeed());
  bool ran = false;
  for (int n = 0; n < 50; ++n)
    ran |= q.holds(q.arguments([&] {
      return std::uniform_int_distribution<int64_t>(-20, 20)(engine);
    }));
  EXPECT_TRUE(ran);
}

constexpr Interval kAny32 = {-(int64_t(1) << 31), (int64_t(1) << 31) - 1};

TEST(KnownValues, Sources) {
  check({"",
         "%r = stablehlo.constant dense<7> : tensor<4xi32>",
         "tensor<4xi32>",
         "7",
         {7, 7}});
  // An affine function of the index.
  check({"",
         "%r = stablehlo.constant dense<[[1, 4], [3, 6], [5, 8]]> : "
         "tensor<3x2xi32>",
         "tensor<3x2xi32>",
         "d0 * 2 + d1 * 3 + 1",
         {1, 8}});
  check({"",
         "%r = stablehlo.constant dense<[3, 1, 4, 1]> : tensor<4xi32>",
         "tensor<4xi32>",
         "",
         {1, 4}});
  check({"",
         "%r = stablehlo.iota dim = 1 : tensor<2x5xi8>",
         "tensor<2x5xi8>",
         "d1",
         {0, 4}});
  check({"%x: tensor<4xi32>",
         "%r = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4xi32>) -> "
         "tensor<i32>",
         "tensor<i32>",
         "4",
         {4, 4}});
  check({"%r: tensor<2xui8>", "", "tensor<2xui8>", "", {0, 255}});
}

TEST(KnownValues, Movement) {
  check({"",
         "%i = stablehlo.iota dim = 0 : tensor<6xi32>\n"
         "%m = stablehlo.reshape %i : (tensor<6xi32>) -> tensor<2x3xi32>\n"
         "%t = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xi32>) -> "
         "tensor<3x2xi32>\n"
         "%s = stablehlo.slice %t [1:3, 0:2] : (tensor<3x2xi32>) -> "
         "tensor<2x2xi32>\n"
         "%b = stablehlo.broadcast_in_dim %s, dims = [0, 2] : "
         "(tensor<2x2xi32>) -> tensor<2x5x2xi32>\n"
         "%r = stablehlo.reverse %b, dims = [0] : tensor<2x5x2xi32>",
         "tensor<2x5x2xi32>",
         "d2 * 3 + 2 - d0",
         {1, 5}});
  // Columns, as JAX makes index vectors.
  check({"%x: tensor<4x1xi32>",
         "%i = stablehlo.iota dim = 0 : tensor<4x1xi32>\n"
         "%c = stablehlo.concatenate %i, %x, dim = 1 : (tensor<4x1xi32>, "
         "tensor<4x1xi32>) -> tensor<4x2xi32>\n"
         "%r = stablehlo.slice %c [0:4, 0:1] : (tensor<4x2xi32>) -> "
         "tensor<4x1xi32>",
         "tensor<4x1xi32>",
         "d0",
         {0, 3}});
  check({"%x: tensor<4xi8>",
         "%i = stablehlo.iota dim = 0 : tensor<4xi8>\n"
         "%r = stablehlo.concatenate %i, %i, dim = 0 : (tensor<4xi8>, "
         "tensor<4xi8>) -> tensor<8xi8>",
         "tensor<8xi8>",
         "",
         {0, 3}});
  // Beyond the end the slice moves back.
  check({"",
         "%i = stablehlo.iota dim = 0 : tensor<9xi32>\n"
         "%c = stablehlo.constant dense<8> : tensor<i32>\n"
         "%r = stablehlo.dynamic_slice %i, %c, sizes = [4] : (tensor<9xi32>, "
         "tensor<i32>) -> tensor<4xi32>",
         "tensor<4xi32>",
         "d0 + 5",
         {5, 8}});
}

TEST(KnownValues, Arithmetic) {
  auto binary = [](const char *op, const char *type) {
    return "%i = stablehlo.iota dim = 0 : " + std::string(type) +
           "\n%c = stablehlo.constant dense<3> : " + type +
           "\n%r = stablehlo." + op + " %i, %c : " + type;
  };
  const char *type = "tensor<10xi32>";
  struct {
    const char *op, *exact;
    Interval range;
  } cases[] = {{"add", "d0 + 3", {3, 12}},
               {"subtract", "d0 - 3", {-3, 6}},
               {"multiply", "d0 * 3", {0, 27}},
               {"divide", "d0 floordiv 3", {0, 3}},
               {"remainder", "d0 mod 3", {0, 2}},
               {"minimum", "min(d0, 3)", {0, 3}},
               {"maximum", "max(d0, 3)", {3, 9}},
               {"and", "d0 mod 4", {0, 3}},
               {"or", "", {0, 15}},
               {"xor", "", {0, 15}},
               {"shift_left", "d0 * 8", {0, 72}},
               {"shift_right_logical", "d0 floordiv 8", {0, 1}},
               {"shift_right_arithmetic", "d0 floordiv 8", {0, 1}}};
  for (const auto &c : cases)
    check({"", binary(c.op, type).c_str(), type, c.exact, c.range});
  // A result that may wrap around is unknown.
  check({"",
         "%i = stablehlo.iota dim = 0 : tensor<100xi8>\n"
         "%r = stablehlo.add %i, %i : tensor<100xi8>",
         "tensor<100xi8>",
         "",
         {-128, 127}});
  check({"",
         "%i = stablehlo.iota dim = 0 : tensor<100xi32>\n"
         "%c = stablehlo.constant dense<3> : tensor<100xi32>\n"
         "%m = stablehlo.multiply %i, %c : tensor<100xi32>\n"
         "%r = stablehlo.convert %m : (tensor<100xi32>) -> tensor<100xui8>",
         "tensor<100xui8>",
         "",
         {0, 255}});
  check({"%x: tensor<5xi32>",
         "%i = stablehlo.iota dim = 0 : tensor<5xi32>\n"
         "%n = stablehlo.negate %i : tensor<5xi32>\n"
         "%a = stablehlo.abs %n : tensor<5xi32>\n"
         "%r = stablehlo.not %a : tensor<5xi32>",
         "tensor<5xi32>",
         "-1 - d0",
         {-5, -1}});
}

TEST(KnownValues, Ranges) {
  check({"%x: tensor<5xi32>",
         "%l = stablehlo.constant dense<-2> : tensor<i32>\n"
         "%h = stablehlo.constant dense<9> : tensor<i32>\n"
         "%r = stablehlo.clamp %l, %x, %h : (tensor<i32>, tensor<5xi32>, "
         "tensor<i32>) -> tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {-2, 9}});
  check({"%x: tensor<5xi32>",
         "%c = stablehlo.constant dense<6> : tensor<5xi32>\n"
         "%r = stablehlo.remainder %x, %c : tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {-5, 5}});
  // Negative indices count from the end: as JAX writes it.
  check({"%x: tensor<5xi32>",
         "%c = stablehlo.constant dense<6> : tensor<5xi32>\n"
         "%z = stablehlo.constant dense<0> : tensor<5xi32>\n"
         "%m = stablehlo.remainder %x, %c : tensor<5xi32>\n"
         "%n = stablehlo.compare LT, %m, %z : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%w = stablehlo.add %m, %c : tensor<5xi32>\n"
         "%r = stablehlo.select %n, %w, %m : tensor<5xi1>, tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {0, 5}});
  // A remainder that is never negative: as JAX writes it.
  check({"%x: tensor<5xi32>",
         "%c = stablehlo.constant dense<6> : tensor<5xi32>\n"
         "%z = stablehlo.constant dense<0> : tensor<5xi32>\n"
         "%m = stablehlo.remainder %x, %c : tensor<5xi32>\n"
         "%o = stablehlo.compare NE, %m, %z : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%n = stablehlo.compare LT, %m, %z : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%s = stablehlo.compare LT, %c, %z : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%d = stablehlo.compare NE, %n, %s : (tensor<5xi1>, tensor<5xi1>) "
         "-> tensor<5xi1>\n"
         "%p = stablehlo.and %d, %o : tensor<5xi1>\n"
         "%w = stablehlo.add %m, %c : tensor<5xi32>\n"
         "%r = stablehlo.select %p, %w, %m : tensor<5xi1>, tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {0, 5}});
  // The bound may be on either side.
  check({"%x: tensor<5xi32>",
         "%c = stablehlo.constant dense<6> : tensor<5xi32>\n"
         "%z = stablehlo.constant dense<0> : tensor<5xi32>\n"
         "%a = stablehlo.compare LE, %z, %x : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%b = stablehlo.compare GE, %x, %c : (tensor<5xi32>, tensor<5xi32>) "
         "-> tensor<5xi1>\n"
         "%n = stablehlo.not %b : tensor<5xi1>\n"
         "%p = stablehlo.and %a, %n : tensor<5xi1>\n"
         "%r = stablehlo.select %p, %x, %z : tensor<5xi1>, tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {0, 5}});
  // The known values decide the predicate.
  check({"%x: tensor<5xui8>",
         "%c = stablehlo.constant dense<0> : tensor<5xui8>\n"
         "%i = stablehlo.iota dim = 0 : tensor<5xui8>\n"
         "%n = stablehlo.compare LT, %x, %c : (tensor<5xui8>, tensor<5xui8>) "
         "-> tensor<5xi1>\n"
         "%r = stablehlo.select %n, %x, %i : tensor<5xi1>, tensor<5xui8>",
         "tensor<5xui8>",
         "d0",
         {0, 4}});
  check({"%x: tensor<5xi1>",
         "%r = stablehlo.convert %x : (tensor<5xi1>) -> tensor<5xi32>",
         "tensor<5xi32>",
         "",
         {0, 1}});
}

// Half of the numbers of a ui64 are negative in an i64.
TEST(KnownValues, UnsignedNumbersMayTurnNegative) {
  check({"%x: tensor<5xui64>",
         "%r = stablehlo.convert %x : (tensor<5xui64>) -> tensor<5xi64>",
         "tensor<5xi64>", "", Interval::everything()});
  check({"%x: tensor<5xui64>",
         "%c = stablehlo.constant dense<7> : tensor<5xui64>\n"
         "%m = stablehlo.minimum %x, %c : tensor<5xui64>\n"
         "%r = stablehlo.convert %m : (tensor<5xui64>) -> tensor<5xi64>",
         "tensor<5xi64>",
         "",
         {0, 7}});
}

// The index of the largest element of a row, as argmax computes it.
TEST(KnownValues, ChosenNotComputed) {
  check({"%x: tensor<2x7xi32>",
         R"(
    %i = stablehlo.iota dim = 1 : tensor<2x7xi32>
    %v = stablehlo.constant dense<-100> : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %m, %r = "stablehlo.reduce"(%x, %i, %v, %z) ({
    ^bb0(%a: tensor<i32>, %ai: tensor<i32>, %b: tensor<i32>, %bi: tensor<i32>):
      %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>
      %t = stablehlo.select %p, %ai, %bi : tensor<i1>, tensor<i32>
      stablehlo.return %s, %t : tensor<i32>, tensor<i32>
    }) {dimensions = array<i64: 1>} : (tensor<2x7xi32>, tensor<2x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>))",
         "tensor<2xi32>",
         "",
         {0, 6}});
}

TEST(KnownValues, CopiesNameTheirOrigin) {
  Question q(R"(
    func.func @f(%x: tensor<2x3xi16>) -> tensor<3xi32> {
      %w = stablehlo.convert %x : (tensor<2x3xi16>) -> tensor<2x3xi32>
      %s = stablehlo.slice %w [1:2, 0:3] : (tensor<2x3xi32>) -> tensor<1x3xi32>
      %v = stablehlo.reshape %s : (tensor<1x3xi32>) -> tensor<3xi32>
      %r = stablehlo.reverse %v, dims = [0] : tensor<3xi32>
      return %r : tensor<3xi32>
    })");
  EXPECT_EQ(q.known.origin, q.program.function("f").getArgument(0));
  EXPECT_EQ(q.known.range, (Interval{-32768, 32767}));
  int64_t n = 0;
  EXPECT_TRUE(q.holds(q.arguments([&] { return n++; })));
}

TEST(KnownValues, DoublingIsLinear) {
  std::string body;
  for (int i = 0; i < 2000; ++i)
    body += "%v" + std::to_string(i + 1) + " = stablehlo.maximum %v" +
            std::to_string(i) + ", %v" + std::to_string(i) + " : tensor<i32>\n";
  Question q("func.func @f(%v0: tensor<i32>) -> tensor<i32> {\n" + body +
             "return %v2000 : tensor<i32>\n}");
  EXPECT_EQ(q.known.range, kAny32);
}

//===--- Random programs --------------------------------------------------===//

class RandomIntegers {
public:
  explicit RandomIntegers(uint64_t seed) : engine(seed) {
    add("x", "i8", {2, 3});
    add("y", "ui8", {2, 3});
    int64_t count = in(2, 12);
    for (int64_t n = 0; n < count; ++n)
      addOperation();
    const Entry &last = values.back();
    text = "func.func @f(%x: tensor<2x3xi8>, %y: tensor<2x3xui8>) -> " +
           type(last) + " {\n" + body + "  return %" + last.name + " : " +
           type(last) + "\n}";
  }
  std::string text;
  std::mt19937_64 engine;
  int64_t in(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }

private:
  struct Entry {
    std::string name, element;
    std::vector<int64_t> sizes;
  };
  static std::string type(const Entry &e) {
    std::string out = "tensor<";
    for (int64_t size : e.sizes)
      out += std::to_string(size) + "x";
    return out + e.element + ">";
  }
  void add(std::string name, std::string element, std::vector<int64_t> sizes) {
    values.push_back({std::move(name), std::move(element), std::move(sizes)});
  }
  Entry any() {
    return values[in(0, 2) ? values.size() - 1 : in(0, values.size() - 1)];
  }
  /// A value of that type: an existing value, an iota or a constant.
  std::string like(const Entry &e) {
    std::vector<std::string> found;
    for (const Entry &other : values)
      if (other.element == e.element && other.sizes == e.sizes)
        found.push_back(other.name);
    if (in(0, 2) == 0 && !found.empty())
      return found[in(0, found.size() - 1)];
    std::string name = "c" + std::to_string(constants++);
    bool noSign = e.element[0] == 'u' || e.element == "i1";
    if (in(0, 2) == 0 && e.element != "i1") {
      body += "  %" + name + " = stablehlo.iota dim = " +
              std::to_string(in(0, e.sizes.size() - 1)) + " : " + type(e) +
              "\n";
      return name;
    }
    int64_t low = noSign ? 0 : -4, high = e.element == "i1" ? 1 : 9;
    std::string elements = std::to_string(in(low, high));
    if (in(0, 1) && e.sizes.size() == 2) {
      elements = "";
      for (int64_t i = 0; i < e.sizes[0]; ++i) {
        elements += i ? ", [" : "[[";
        for (int64_t j = 0; j < e.sizes[1]; ++j)
          elements += (j ? ", " : "") + std::to_string(in(low, high));
        elements += "]";
      }
      elements += "]";
    }
    if (e.element == "i1" && elements.size() == 1)
      elements = elements == "0" ? "false" : "true";
    body += "  %" + name + " = stablehlo.constant dense<" + elements +
            "> : " + type(e) + "\n";
    return name;
  }
  void emit(const std::string &operation, const std::string &rest,
            std::string element, std::vector<int64_t> sizes) {
    std::string name = "v" + std::to_string(values.size());
    body += "  %" + name + " = stablehlo." + operation + " " + rest;
    add(name, std::move(element), std::move(sizes));
    body += type(values.back()) + "\n";
  }

  void addOperation() {
    Entry v = any();
    std::string x = "%" + v.name, t = type(v);
    bool isBool = v.element == "i1";
    switch (in(0, 9)) {
    case 0:
    case 1:
    case 2: {
      static const char *const all[] = {"and",
                                        "or",
                                        "xor",
                                        "add",
                                        "subtract",
                                        "multiply",
                                        "minimum",
                                        "maximum",
                                        "divide",
                                        "remainder",
                                        "shift_left",
                                        "shift_right_logical",
                                        "shift_right_arithmetic"};
      std::string y = like(v);
      std::string op = all[in(0, isBool ? 2 : 12)];
      body += "";
      if (in(0, 1))
        return emit(op, x + ", %" + y + " : ", v.element, v.sizes);
      return emit(op, "%" + y + ", " + x + " : ", v.element, v.sizes);
    }
    case 3: {
      static const char *const all[] = {
          "not", "negate", "abs", "sign", "popcnt", "count_leading_zeros"};
      bool noSign = v.element[0] == 'u';
      int64_t which = isBool ? 0 : in(0, 5);
      if (noSign && (which == 2 || which == 3))
        which = 1;
      return emit(all[which], x + " : ", v.element, v.sizes);
    }
    case 4: {
      static const char *const all[] = {"i8",   "ui8", "i32",
                                        "ui32", "i64", "i1"};
      std::string to = all[in(0, 5)];
      return emit("convert", x + " : (" + t + ") -> ", to, v.sizes);
    }
    case 5: {
      static const char *const all[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
      std::string y = like(v);
      return emit(std::string("compare ") + all[in(0, 5)] + ",",
                  x + ", %" + y + " : (" + t + ", " + t + ") -> ", "i1",
                  v.sizes);
    }
    case 6: {
      std::string a = like(v), p = like({"", "i1", v.sizes});
      return emit("select",
                  "%" + p + ", " + x + ", %" + a + " : " +
                      type({"", "i1", v.sizes}) + ", ",
                  v.element, v.sizes);
    }
    case 7: {
      if (isBool)
        return;
      std::string a = like(v), b = like(v);
      return emit("clamp", "%" + a + ", " + x + ", %" + b + " : ", v.element,
                  v.sizes);
    }
    case 8: {
      std::string y = like(v);
      std::vector<int64_t> sizes = v.sizes;
      if (sizes[0] > 4)
        return;
      sizes[0] *= 2;
      return emit("concatenate",
                  x + ", %" + y + ", dim = 0 : (" + t + ", " + t + ") -> ",
                  v.element, sizes);
    }
    default: {
      if (in(0, 1))
        return emit("transpose", x + ", dims = [1, 0] : (" + t + ") -> ",
                    v.element, {v.sizes[1], v.sizes[0]});
      int64_t start = in(0, v.sizes[0] - 1);
      return emit(
          "slice",
          x + " [" + std::to_string(start) + ":" + std::to_string(v.sizes[0]) +
              ", 0:" + std::to_string(v.sizes[1]) + "] : (" + t + ") -> ",
          v.element, {v.sizes[0] - start, v.sizes[1]});
    }
    }
  }

  std::vector<Entry> values;
  std::string body;
  int constants = 0;
};

TEST(KnownValues, RandomPrograms) {
  uint64_t first = testSeed();
  int count = givenSeed() ? 1 : cases(3'000), ran = 0, exact = 0, narrow = 0;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    RandomIntegers random(seed);
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed) + "\n" + random.text);
    Question q(random.text);
    ASSERT_TRUE(q.program.module);
    exact += bool(q.known.exact);
    narrow += !q.known.exact && q.known.range.isBounded();
    for (int n = 0; n < 6; ++n)
      ran += q.holds(q.arguments([&] { return random.in(-128, 127); }));
  }
  // The test is weak if few programs run, or if few values are known.
  if (count > 1) {
    EXPECT_GT(ran, 3 * count);
    EXPECT_GT(exact, count / 25);
    EXPECT_GT(narrow, count / 3);
  }
}

} // namespace
