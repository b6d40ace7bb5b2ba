// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random matrix products and random reductions: the operators of GE give the
// same result. Elements are small integers, so no sum is rounded, in any order.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/random/Texts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mercator;
using llvm::ArrayRef;
using llvm::FailureOr;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

using Ints = SmallVector<int64_t, 8>;

namespace {

/// Draws programs.
class Draw {
public:
  explicit Draw(uint64_t seed) : random(seed) {}

  std::string dot();
  std::string reduce();
  std::string place();

  int64_t upTo(int64_t n) { return int64_t(random() % uint64_t(n + 1)); }
  bool once(int64_t in) { return upTo(in - 1) == 0; }
  /// Whether operands may have NaNs.
  bool hasNaN = false;
  template <typename T> const T &pick(ArrayRef<T> list) {
    return list[upTo(list.size() - 1)];
  }

private:
  int64_t extent() { return once(40) ? 0 : once(4) ? 1 : 1 + upTo(3); }
  Ints permutation(size_t count) {
    Ints out(count);
    std::iota(out.begin(), out.end(), 0);
    std::shuffle(out.begin(), out.end(), random);
    return out;
  }
  /// A parameter of another shape that the program converts to an operand.
  std::string made(StringRef name, Ints &shape, StringRef element);

  std::mt19937_64 random;
  std::string body;
};

} // namespace

/// `%name` is computed from a parameter `%name_in` by a Transpose, or by a
/// Reshape that drops or adds units. The shape becomes the parameter's.
std::string Draw::made(StringRef name, Ints &shape, StringRef element) {
  Ints to = shape, values;
  StringRef operation;
  if (once(2)) {
    operation = "Transpose";
    Ints perm = permutation(shape.size());
    for (size_t i = 0; i < perm.size(); ++i)
      shape[perm[i]] = to[i];
    values = perm;
  } else {
    operation = "Reshape";
    llvm::erase(shape, 1);
    while (shape.size() < 7 && once(2))
      shape.insert(shape.begin() + upTo(shape.size()), 1);
    values = to;
  }
  std::string n = name.str(),
              many = tensorText({int64_t(values.size())}, "i64");
  std::string value =
      values.empty() ? "dense<>" : "dense<" + listText(values) + ">";
  return "  %" + n + "_c = ascend.Const " + value + " : " + many + "\n  %" + n +
         " = ascend." + operation.str() + "(%" + n + "_in, %" + n + "_c) : (" +
         tensorText(shape, element) + ", " + many + ") -> " +
         tensorText(to, element) + "\n";
}

std::string Draw::dot() {
  struct Types {
    const char *operand, *result;
  };
  static const Types types[] = {{"f32", "f32"},
                                {"f32", "f32"},
                                {"f32", "f32"},
                                {"i32", "i32"},
                                {"i8", "i32"},
                                {"bf16", "bf16"},
                                {"f16", "f32"},
                                {"f64", "f64"},
                                {"i1", "i1"},
                                {"ui8", "ui8"},
                                {"i64", "i64"},
                                {"ui64", "ui64"},
                                {"i16", "i16"},
                                {"i8", "f32"},
                                {"ui32", "ui32"},
                                {"bf16", "f64"},
                                {"complex<f32>", "complex<f32>"}};
  const Types &of = pick(ArrayRef(types));
  size_t batches, contracted, lhsFree, rhsFree;
  do {
    batches = upTo(3), contracted = once(8) ? 0 : 1 + upTo(2);
    lhsFree = upTo(3), rhsFree = upTo(3);
  } while (batches + contracted + lhsFree > 6 ||
           batches + contracted + rhsFree > 6);
  // Labels: batches, contracted, then those of one operand.
  SmallVector<int64_t, 16> extents;
  int64_t terms = 1;
  for (size_t i = 0; i < batches + contracted + lhsFree + rhsFree; ++i) {
    extents.push_back(terms > 3000 ? 1 : extent());
    terms *= std::max<int64_t>(extents.back(), 1);
  }
  auto side = [&](size_t free, size_t firstFree) {
    Ints labels(batches + contracted + free);
    std::iota(labels.begin(), labels.end(), 0);
    for (size_t i = 0; i < free; ++i)
      labels[batches + contracted + i] = firstFree + i;
    // Half of them have a common layout.
    if (!once(3))
      std::shuffle(labels.begin(), labels.end(), random);
    return labels;
  };
  Ints lhs = side(lhsFree, batches + contracted),
       rhs = side(rhsFree, batches + contracted + lhsFree);
  auto place = [](const Ints &labels, int64_t label) -> int64_t {
    return llvm::find(labels, label) - labels.begin();
  };
  Ints lhsBatch, rhsBatch, lhsContract, rhsContract, result;
  for (size_t label = 0; label < batches + contracted; ++label) {
    bool isBatch = label < batches;
    (isBatch ? lhsBatch : lhsContract).push_back(place(lhs, label));
    (isBatch ? rhsBatch : rhsContract).push_back(place(rhs, label));
    if (isBatch)
      result.push_back(extents[label]);
  }
  auto shapeOf = [&](const Ints &labels) {
    Ints shape;
    for (int64_t label : labels)
      shape.push_back(extents[label]);
    return shape;
  };
  for (const Ints *labels : {&lhs, &rhs})
    for (int64_t label : *labels)
      if (label >= int64_t(batches + contracted))
        result.push_back(extents[label]);

  std::string steps, parameters, operands;
  for (auto [name, labels] : {std::pair("a", &lhs), std::pair("b", &rhs)}) {
    Ints shape = shapeOf(*labels);
    operands += (operands.empty() ? "" : ", ") + tensorText(shape, of.operand);
    bool isMade = once(3);
    if (isMade)
      steps += made(name, shape, of.operand);
    parameters += (parameters.empty() ? "%" : ", %") + std::string(name) +
                  (isMade ? "_in: " : ": ") + tensorText(shape, of.operand);
  }
  std::string out = tensorText(result, of.result);
  return "func.func @main(" + parameters + ") -> " + out + " {\n" + steps +
         "  %0 = stablehlo.dot_general %a, %b, batching_dims = " +
         listText(lhsBatch) + " x " + listText(rhsBatch) +
         ", contracting_dims = " + listText(lhsContract) + " x " +
         listText(rhsContract) + " : (" + operands + ") -> " + out +
         "\n  return %0 : " + out + "\n}\n";
}

std::string Draw::reduce() {
  static const char *const elements[] = {"f32", "f32",  "i32", "i8",
                                         "i1",  "ui8",  "i64", "f64",
                                         "f16", "ui32", "i16", "complex<f32>"};
  static const char *const operations[] = {"add",     "multiply", "maximum",
                                           "minimum", "and",      "or"};
  Ints shape, kept, dims;
  for (int64_t rank = upTo(6), size = 1; rank > 0; --rank) {
    shape.push_back(size > 1000 ? 1 : extent());
    size *= std::max<int64_t>(shape.back(), 1);
  }
  for (int64_t dim : permutation(shape.size()))
    if (once(2))
      dims.push_back(dim);
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(dim)))
      kept.push_back(extent);

  // The text: one parameter, one initial value and one step for each input.
  size_t count = once(3) ? 2 + upTo(1) : 1;
  std::string parameters, steps, inputs, operandTypes, initTypes, results,
      arguments, body, returned, returnedTypes, names;
  auto comma = [](std::string &text) -> std::string & {
    return text += text.empty() ? "" : ", ";
  };
  for (size_t i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    const char *element = pick(ArrayRef(elements));
    StringRef operation;
    bool isFloat;
    do {
      operation = pick(ArrayRef(operations));
      StringRef e = element;
      isFloat = e.starts_with("f") || e.starts_with("c");
      // A product of halves may be too large to be exact.
    } while ((isFloat && (operation == "and" || operation == "or")) ||
             (StringRef(element).starts_with("c") && operation != "add") ||
             (StringRef(element) == "f16" && operation != "maximum" &&
              operation != "minimum"));
    std::string scalar = tensorText({}, element);
    comma(parameters) += "%x" + n + ": " + tensorText(shape, element);
    comma(operandTypes) += tensorText(shape, element);
    comma(initTypes) += scalar;
    if (once(2)) {
      static const std::pair<const char *, const char *> neutral[] = {
          {"add", "0"}, {"multiply", "1"}, {"and", "-1"}, {"or", "0"}};
      std::string value = "2";
      bool isNeutral = !once(3);
      for (auto [name, number] : neutral)
        if (isNeutral && operation == name)
          value = number;
      if (StringRef(element) == "i1")
        value = value == "0" ? "false" : "true";
      else if (StringRef(element).starts_with("u") && value == "-1")
        value = "1";
      else if (StringRef(element).starts_with("c"))
        value = "(" + value + ".0, 0.0)";
      else if (isFloat)
        value += ".0";
      steps += "  %i" + n + " = stablehlo.constant dense<" + value +
               "> : " + scalar + "\n";
    } else {
      parameters += ", %i" + n + ": " + scalar;
    }
    comma(inputs) += "(%x" + n + " init: %i" + n + ")";
    comma(results) += tensorText(kept, element);
    arguments += " (%p" + n + ": " + scalar + ", %q" + n + ": " + scalar + ")";
    std::string a = "%p" + n, b = "%q" + n, within = scalar;
    bool isConverted =
        once(4) && (StringRef(element) == "i8" || StringRef(element) == "f32");
    if (isConverted) {
      within = tensorText({}, isFloat ? "f64" : "i32");
      for (std::string *value : {&a, &b}) {
        body += "    " + *value + "w = stablehlo.convert " + *value + " : (" +
                scalar + ") -> " + within + "\n";
        *value += "w";
      }
    }
    if (once(2))
      std::swap(a, b);
    body += "    %s" + n + " = stablehlo." + operation.str() + " " + a + ", " +
            b + " : " + within + "\n";
    if (isConverted)
      body += "    %r" + n + " = stablehlo.convert %s" + n + " : (" + within +
              ") -> " + scalar + "\n";
    comma(returned) += (isConverted ? "%r" : "%s") + n;
    comma(returnedTypes) += scalar;
    comma(names) += "%0#" + n;
  }
  std::string several = count == 1 ? "" : ":" + std::to_string(count);
  if (count == 1)
    names = "%0";
  return "func.func @main(" + parameters + ") -> (" + results + ") {\n" +
         steps + "  %0" + several + " = stablehlo.reduce" + inputs +
         " across dimensions = " + listText(dims) + " : (" + operandTypes +
         ", " + initTypes + ") -> " +
         (count == 1 ? results : "(" + results + ")") + "\n   reducer" +
         arguments + " {\n" + body + "    stablehlo.return " + returned +
         " : " + returnedTypes + "\n  }\n  return " + names + " : " + results +
         "\n}\n";
}

/// In the form of jnp.argmax and jnp.argmin.
std::string Draw::place() {
  static const char *const elements[] = {"f32", "f32",  "bf16", "i32", "i8",
                                         "i1",  "ui16", "ui64", "f64"};
  static const char *const counted[] = {"i32", "i64", "ui32", "i8"};
  StringRef element = pick(ArrayRef(elements));
  std::string index = pick(ArrayRef(counted));
  bool isGreatest = once(2);
  Ints shape, kept;
  for (int64_t rank = 1 + upTo(2); rank > 0; --rank)
    shape.push_back(extent());
  int64_t dim = upTo(shape.size() - 1);
  for (auto [i, extent] : llvm::enumerate(shape))
    if (int64_t(i) != dim)
      kept.push_back(extent);
  hasNaN = true;
  bool isFloat = element.contains('f');
  std::string scalar = tensorText({}, element), place = tensorText({}, index),
              all = tensorText(shape, element),
              places = tensorText(shape, index),
              results =
                  tensorText(kept, element) + ", " + tensorText(kept, index);
  static const std::pair<const char *, std::pair<const char *, const char *>>
      neutral[] = {{"f32", {"0xFF800000", "0x7F800000"}},
                   {"bf16", {"0xFF80", "0x7F80"}},
                   {"f64", {"0xFFF0000000000000", "0x7FF0000000000000"}},
                   {"i32", {"-2147483648", "2147483647"}},
                   {"i8", {"-128", "127"}},
                   {"i1", {"false", "true"}},
                   {"ui16", {"0", "65535"}},
                   {"ui64", {"0", "18446744073709551615"}}};
  std::string init;
  for (auto [name, values] : neutral)
    if (element == name)
      init = isGreatest ? values.first : values.second;
  std::string kind = isFloat                                ? "FLOAT"
                     : element[0] == 'u' || element == "i1" ? "UNSIGNED"
                                                            : "SIGNED";
  auto compare = [&](StringRef name, StringRef direction, StringRef x,
                     StringRef y, StringRef of, StringRef kind) {
    return ("    " + name + " = stablehlo.compare " + direction + ", " + x +
            ", " + y + ", " + kind + " : (" + of + ", " + of +
            ") -> tensor<i1>\n")
        .str();
  };
  StringRef indexKind = index[0] == 'u' ? "UNSIGNED" : "SIGNED";
  return "func.func @main(%x: " + all + ") -> (" + results +
         ") {\n  %init = stablehlo.constant dense<" + init + "> : " + scalar +
         "\n  %zero = stablehlo.constant dense<0> : " + place +
         "\n  %places = stablehlo.iota dim = " + std::to_string(dim) + " : " +
         places +
         "\n  %0:2 = stablehlo.reduce(%x init: %init), (%places init: " +
         "%zero) across dimensions = " + listText({dim}) + " : (" + all + ", " +
         places + ", " + scalar + ", " + place + ") -> (" + results +
         ")\n   reducer(%a: " + scalar + ", %b: " + scalar + ") (%i: " + place +
         ", %j: " + place + ") {\n" +
         compare("%1", isGreatest ? "GT" : "LT", "%a", "%b", scalar, kind) +
         compare("%2", "NE", "%a", "%a", scalar, kind) +
         "    %3 = stablehlo.or %1, %2 : tensor<i1>\n" +
         compare("%4", "EQ", "%a", "%b", scalar, kind) +
         compare("%5", "LT", "%i", "%j", place, indexKind) +
         "    %6 = stablehlo.and %4, %5 : tensor<i1>\n"
         "    %7 = stablehlo.or %3, %6 : tensor<i1>\n"
         "    %8 = stablehlo.select %3, %a, %b : tensor<i1>, " +
         scalar + "\n    %9 = stablehlo.select %7, %i, %j : tensor<i1>, " +
         place + "\n    stablehlo.return %8, %9 : " + scalar + ", " + place +
         "\n  }\n  return %0#0, %0#1 : " + results + "\n}\n";
}

//===--- Checking ---------------------------------------------------------===//

namespace {
class Checker {
public:
  Checker() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ascend::AscendDialect>();
  }
  void check(Draw &draw, const std::string &text);

  std::vector<std::string> refused;
  int64_t converted = 0;

private:
  mlir::MLIRContext context;
};
} // namespace

static Tensor fill(mlir::Type type, Draw &draw, ModuleOp module) {
  Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                 [&] { return module.emitError(); });
  const reference::Element &element = tensor.element();
  bool isSigned = element.kind != reference::ElementKind::UnsignedInt;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t number = draw.upTo(4) - (isSigned ? 2 : 0);
    if (element.kind == reference::ElementKind::Boolean)
      tensor.set(i, Scalar::whole(draw.once(3)));
    else if (element.isComplex())
      tensor.set(i, Scalar::complex(double(number), double(draw.upTo(2))));
    else if (draw.hasNaN && element.isReal() && draw.once(9))
      tensor.set(i, Scalar::real(std::nan("")));
    else
      tensor.set(i, element.isReal() ? Scalar::real(double(number))
                                     : Scalar::whole(number));
  }
  return tensor;
}

/// A sum may start from 0, so zero has no sign here, and neither has a NaN.
static bool isSame(const Tensor &of, Scalar a, Scalar b) {
  if (of.element().isReal() || of.element().isComplex())
    return (a.re == b.re || (std::isnan(a.re) && std::isnan(b.re))) &&
           a.im == b.im;
  return a.integer == b.integer;
}

void Checker::check(Draw &draw, const std::string &text) {
  SCOPED_TRACE(text);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << messages;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<Value> arguments;
  for (mlir::Type type : main.getArgumentTypes())
    arguments.push_back(fill(type, draw, *module));
  Evaluator before(*module, reference::allRules());
  FailureOr<std::vector<Value>> expected = before.call(main, arguments);
  ASSERT_TRUE(succeeded(expected)) << messages;

  OwningOpRef<ModuleOp> after = module->clone();
  bool isRefused = false;
  for (const ascend::Unconverted &it : ascend::convertToAscend(
           *after, {.plan = {.device = &devices::ascendAny()}}))
    if (!llvm::isa<stablehlo::ConstantOp>(it.op)) {
      refused.push_back(it.why);
      isRefused = true;
    }
  converted += !isRefused;
  std::string afterText;
  llvm::raw_string_ostream os(afterText);
  after->print(os);
  ASSERT_TRUE(succeeded(mlir::verify(*after))) << messages << afterText;
  Evaluator evaluator(*after, reference::allRules());
  FailureOr<std::vector<Value>> results = evaluator.call(
      after->lookupSymbol<mlir::func::FuncOp>("main"), arguments);
  ASSERT_TRUE(succeeded(results)) << messages << afterText;
  for (auto [got, want] : llvm::zip_equal(*results, *expected)) {
    ASSERT_EQ(got.tensor()->type(), want.tensor()->type()) << afterText;
    for (int64_t i = 0; i < want.tensor()->size(); ++i)
      ASSERT_TRUE(
          isSame(*want.tensor(), got.tensor()->at(i), want.tensor()->at(i)))
          << "element " << i << "\n"
          << afterText;
  }
}

static void checkMany(std::string (Draw::*program)(), int64_t cases,
                      StringRef what, ArrayRef<StringRef> mayRefuse) {
  Checker checker;
  uint64_t seed = testSeed();
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed + i));
    Draw draw(seed + i);
    checker.check(draw, (draw.*program)());
  }
  std::printf("  %ld %s converted, %zu refused, from seed %lu on\n",
              long(checker.converted), what.str().c_str(),
              checker.refused.size(), (unsigned long)seed);
  EXPECT_GT(checker.converted, cases / 2);
  for (const std::string &why : checker.refused)
    EXPECT_TRUE(llvm::any_of(mayRefuse, [&](StringRef part) {
      return StringRef(why).contains(part);
    })) << why;
}

TEST(AscendProduct, RandomProducts) {
  checkMany(&Draw::dot, 4000, "products", {"of rank 8 at most"});
}

TEST(AscendProduct, RandomReductions) {
  checkMany(&Draw::reduce, 4000, "reductions",
            {"its body is a different computation"});
}

TEST(AscendProduct, RandomPlaces) {
  checkMany(&Draw::place, 2000, "places", {});
}
