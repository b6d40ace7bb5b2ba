// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs of elementwise operations and data movement: evaluated by a
// rule for each operator of GE, where everything that GE does not define is an
// error, they give the same bits as before.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/ascend/Graph.h"
#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/Texts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

using namespace mercator;
using llvm::FailureOr;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

namespace {

using Ints = llvm::SmallVector<int64_t, 4>;

/// A tensor of the program: %name.
struct Operand {
  std::string name;
  Ints shape;
  std::string element;

  [[nodiscard]] std::string type() const { return tensorText(shape, element); }
  [[nodiscard]] bool isFloat() const {
    return element[0] == 'f' || element[0] == 'b';
  }
  [[nodiscard]] bool isBoolean() const { return element == "i1"; }
  [[nodiscard]] bool isUnsigned() const { return element[0] == 'u'; }
};

class Draw {
public:
  explicit Draw(uint64_t seed);

  std::string text;
  std::vector<Operand> parameters;
  /// The names of the operations in it.
  std::set<std::string> operations;

  /// An element, often one at the limits of the type.
  Scalar element(const reference::Element &type);

private:
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool coin() { return engine() % 2 != 0; }
  template <typename T> const T &oneOf(llvm::ArrayRef<T> list) {
    return list[engine() % list.size()];
  }
  Operand &any() { return operands[engine() % operands.size()]; }

  Ints shape();
  std::string elementType();
  /// A new result `%n`; `text` is the line after the `=`.
  Operand define(Ints shape, std::string element, std::string op,
                 const std::string &rest);
  std::string number(const Operand &of);
  /// A value of a type; a new constant if the program has none, and sometimes
  /// otherwise.
  Operand like(const Ints &shape, const std::string &element);

  void operation();
  void unary();
  void binary();
  void choice();
  void conversion();
  void move();
  void part();
  void together();

  std::mt19937_64 engine;
  std::vector<Operand> operands;
};

} // namespace

//===--- Values -----------------------------------------------------------===//

Scalar Draw::element(const reference::Element &type) {
  if (type.isReal()) {
    static const double edges[] = {
        0.0,      -0.0,         1.0,    -1.0,   0.5,  -0.5,   1.5,   2.5,
        -2.5,     1e-3,         3.25,   -7.0,   1e30, -1e30,  1e-40, 65504,
        INFINITY, -INFINITY,    NAN,    100.25, 8.0,  127.0,  128.0, 255.0,
        -128.0,   2147483648.0, 1e-320, 6e-8,   -0.1, 0x1p63, 1e300, 16777217,
    };
    double value = coin() ? edges[engine() % std::size(edges)]
                          : double(number(-4096, 4096)) / 64;
    return Scalar::real(value);
  }
  if (type.kind == reference::ElementKind::Boolean)
    return Scalar::whole(coin());
  int64_t edges[] = {0, 1, -1, type.lowest(), type.highest(), 2, 7, 31, 64, -3};
  switch (number(0, 3)) {
  case 0:
    return Scalar::whole(int64_t(engine()));
  case 1:
    return Scalar::whole(number(-9, 9));
  default:
    return Scalar::whole(edges[engine() % std::size(edges)]);
  }
}

Ints Draw::shape() {
  // Seldom as many dimensions as GE supports, which compositions must not
  // exceed.
  bool isDeep = number(0, 9) == 0;
  Ints extents(isDeep ? number(4, 8) : number(0, 3));
  for (int64_t &extent : extents) {
    static constexpr int64_t sizes[] = {1, 2, 3, 4, 2, 3, 1, 5, 2, 3, 0};
    extent = isDeep ? number(1, 2) : sizes[engine() % std::size(sizes)];
  }
  return extents;
}

std::string Draw::elementType() {
  static const char *types[] = {"i1",   "i8",   "i16",  "i32",  "i64",
                                "ui8",  "ui16", "ui32", "ui64", "f16",
                                "bf16", "f32",  "f64",  "f32",  "i32"};
  return types[engine() % std::size(types)];
}

Operand Draw::define(Ints shape, std::string element, std::string op,
                     const std::string &rest) {
  Operand made{"%v" + std::to_string(operands.size()), std::move(shape),
               std::move(element)};
  text += "  " + made.name + " = stablehlo." + op + " " + rest + "\n";
  operations.insert(std::move(op));
  operands.push_back(made);
  return made;
}

Operand Draw::like(const Ints &shape, const std::string &element) {
  llvm::SmallVector<Operand> fitting;
  for (const Operand &operand : operands)
    if (operand.shape == shape && operand.element == element)
      fitting.push_back(operand);
  if (!fitting.empty() && number(0, 2) != 0)
    return fitting[engine() % fitting.size()];
  Operand wanted{"", shape, element};
  if (number(0, 2) == 0 && operands.size() == parameters.size()) {
    // A parameter, while there is no other operation.
    wanted.name = "%v" + std::to_string(operands.size());
    parameters.push_back(wanted);
    operands.push_back(wanted);
    return wanted;
  }
  return define(shape, element, "constant",
                "dense<" + number(wanted) + "> : " + wanted.type());
}

/// A number in the syntax of a constant.
std::string Draw::number(const Operand &of) {
  if (of.isBoolean())
    return coin() ? "true" : "false";
  if (!of.isFloat()) {
    int64_t width = 0;
    StringRef(of.element).ltrim("ui").getAsInteger(10, width);
    if (number(0, 3) != 0)
      return std::to_string(number(of.isUnsigned() ? 0 : -9, 40));
    uint64_t top = uint64_t(1) << (width - 1);
    if (of.isUnsigned())
      return std::to_string(top + (coin() ? top - 1 : 0));
    return coin() ? std::to_string(top - 1) : "-" + std::to_string(top);
  }
  if (number(0, 3) != 0)
    return std::to_string(double(number(-64, 64)) / 8);
  // NaN, infinity, -0, by their bits.
  size_t which = engine() % 3;
  if (of.element == "f16")
    return std::array{"0x7E00", "0x7C00", "0x8000"}[which];
  if (of.element == "bf16")
    return std::array{"0x7FC0", "0x7F80", "0x8000"}[which];
  if (of.element == "f32")
    return std::array{"0x7FC00000", "0x7F800000", "0x80000000"}[which];
  return std::array{"0x7FF8000000000000", "0x7FF0000000000000",
                    "0x8000000000000000"}[which];
}

//===--- Operations -------------------------------------------------------===//

void Draw::unary() {
  Operand x = any();
  static const std::string floats[] = {"abs",
                                       "negate",
                                       "sign",
                                       "floor",
                                       "ceil",
                                       "sqrt",
                                       "rsqrt",
                                       "tanh",
                                       "sine",
                                       "cosine",
                                       "log",
                                       "logistic",
                                       "exponential",
                                       "log_plus_one",
                                       "exponential_minus_one",
                                       "round_nearest_even",
                                       "round_nearest_afz",
                                       "is_finite",
                                       "abs",
                                       "negate",
                                       "sign",
                                       "reduce_precision"};
  static const std::string integers[] = {"negate", "not", "popcnt",
                                         "count_leading_zeros"};
  if (x.isBoolean())
    return (void)define(x.shape, x.element, "not", x.name + " : " + x.type());
  std::string op =
      x.isFloat() ? oneOf<std::string>(floats) : oneOf<std::string>(integers);
  if (!x.isFloat() && !x.isUnsigned() && number(0, 2) == 0)
    op = coin() ? "abs" : "sign";
  if (op == "is_finite") {
    Operand bits{"", x.shape, "i1"};
    return (void)define(x.shape, "i1", op,
                        x.name + " : (" + x.type() + ") -> " + bits.type());
  }
  std::string detail;
  if (op == "reduce_precision")
    detail = coin() ? ", format = e8m7" : ", format = e5m10";
  define(x.shape, x.element, op, x.name + detail + " : " + x.type());
}

void Draw::binary() {
  Operand x = any();
  Operand y = like(x.shape, x.element);
  static const std::string floats[] = {"add",     "subtract",  "multiply",
                                       "divide",  "remainder", "maximum",
                                       "minimum", "power",     "atan2"},
                           integers[] = {"add",
                                         "subtract",
                                         "multiply",
                                         "divide",
                                         "remainder",
                                         "maximum",
                                         "minimum",
                                         "and",
                                         "or",
                                         "xor",
                                         "power",
                                         "shift_left",
                                         "shift_right_logical",
                                         "shift_right_arithmetic"},
                           booleans[] = {"add",     "multiply", "maximum",
                                         "minimum", "and",      "or",
                                         "xor"};
  std::string op = x.isBoolean() ? oneOf<std::string>(booleans)
                   : x.isFloat() ? oneOf<std::string>(floats)
                                 : oneOf<std::string>(integers);
  define(x.shape, x.element, op, x.name + ", " + y.name + " : " + x.type());
}

void Draw::choice() {
  Operand x = any();
  Operand y = like(x.shape, x.element);
  Operand bits{"", x.shape, "i1"};
  if (number(0, 3) == 0) {
    Ints bound = coin() ? x.shape : Ints();
    Operand low = like(bound, x.element), high = like(bound, x.element);
    define(x.shape, x.element, "clamp",
           low.name + ", " + x.name + ", " + high.name + " : (" + low.type() +
               ", " + x.type() + ", " + high.type() + ") -> " + x.type());
    return;
  }
  if (coin()) {
    static const std::string directions[] = {"EQ", "NE", "GE",
                                             "GT", "LE", "LT"};
    std::string kind = x.isFloat()                       ? "FLOAT"
                       : x.isUnsigned() || x.isBoolean() ? "UNSIGNED"
                                                         : "SIGNED";
    define(x.shape, "i1", "compare",
           oneOf<std::string>(directions) + ", " + x.name + ", " + y.name +
               ", " + kind + " : (" + x.type() + ", " + y.type() + ") -> " +
               bits.type());
    return;
  }
  Operand condition = like(coin() ? x.shape : Ints(), "i1");
  define(x.shape, x.element, "select",
         condition.name + ", " + x.name + ", " + y.name + " : " +
             condition.type() + ", " + x.type());
}

void Draw::conversion() {
  Operand x = any();
  Operand to{"", x.shape, elementType()};
  define(x.shape, to.element, "convert",
         x.name + " : (" + x.type() + ") -> " + to.type());
}

void Draw::move() {
  Operand x = any();
  int64_t rank = int64_t(x.shape.size());
  Ints order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), engine);
  switch (number(0, 3)) {
  case 0: {
    Operand out = x;
    for (auto [i, axis] : llvm::enumerate(order))
      out.shape[i] = x.shape[axis];
    define(out.shape, x.element, "transpose",
           x.name + ", dims = " + listText(order) + " : (" + x.type() +
               ") -> " + out.type());
    return;
  }
  case 1: {
    Ints dims(llvm::ArrayRef(order).take_front(number(0, rank)));
    define(x.shape, x.element, "reverse",
           x.name + ", dims = " + listText(dims) + " : " + x.type());
    return;
  }
  case 2: {
    int64_t size = 1;
    for (int64_t extent : x.shape)
      size *= extent;
    Operand out{"", {size}, x.element};
    if (size == 1 && coin())
      out.shape = Ints();
    else if (size % 2 == 0 && coin())
      out.shape = {2, size / 2};
    else if (coin())
      out.shape = {1, size, 1};
    if (number(0, 9) == 0)
      out.shape.append(8 - out.shape.size(), 1);
    define(out.shape, x.element, "reshape",
           x.name + " : (" + x.type() + ") -> " + out.type());
    return;
  }
  default: {
    // Dimensions of x, in any order, among others; those of extent 1 may be
    // broadcast.
    int64_t more = std::min(number(0, 2), 8 - rank);
    Ints places(rank + more);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), engine);
    Operand out{"", Ints(rank + more), x.element};
    for (int64_t &extent : out.shape)
      extent = number(1, 3);
    for (int64_t i = 0; i < rank; ++i)
      if (x.shape[i] != 1 || coin())
        out.shape[places[i]] = x.shape[i];
    define(out.shape, x.element, "broadcast_in_dim",
           x.name +
               ", dims = " + listText(llvm::ArrayRef(places).take_front(rank)) +
               " : (" + x.type() + ") -> " + out.type());
    return;
  }
  }
}

void Draw::part() {
  Operand x = any();
  Operand out = x;
  if (coin()) {
    std::string ranges;
    for (auto [i, extent] : llvm::enumerate(x.shape)) {
      int64_t begin = number(0, extent), end = number(begin, extent),
              stride = number(1, 3);
      ranges += (i ? ", " : "") + std::to_string(begin) + ":" +
                std::to_string(end) + ":" + std::to_string(stride);
      out.shape[i] = (end - begin + stride - 1) / stride;
    }
    define(out.shape, x.element, "slice",
           x.name + " [" + ranges + "] : (" + x.type() + ") -> " + out.type());
    return;
  }
  Operand value = like({}, x.element);
  Ints low, high, interior;
  for (int64_t &extent : out.shape) {
    interior.push_back(number(0, 2));
    int64_t spread =
        extent + std::max<int64_t>(extent - 1, 0) * interior.back();
    low.push_back(number(-std::min<int64_t>(spread, 2), 2));
    high.push_back(number(-std::min(spread + low.back(), int64_t(2)), 2));
    extent = spread + low.back() + high.back();
  }
  define(out.shape, x.element, "pad",
         x.name + ", " + value.name + ", low = " + listText(low) + ", high = " +
             listText(high) + ", interior = " + listText(interior) + " : (" +
             x.type() + ", " + value.type() + ") -> " + out.type());
}

void Draw::together() {
  Operand x = any();
  int64_t rank = int64_t(x.shape.size());
  if (rank == 0 || number(0, 3) == 0) {
    Operand out{"", shape(), elementType()};
    if (!out.shape.empty() && !out.isBoolean())
      define(
          out.shape, out.element, "iota",
          "dim = " + std::to_string(number(0, int64_t(out.shape.size()) - 1)) +
              " : " + out.type());
    return;
  }
  int64_t axis = number(0, rank - 1);
  Ints other = x.shape;
  if (coin()) {
    other[axis] = number(0, 3);
    Operand y = like(other, x.element), out = x;
    out.shape[axis] += other[axis];
    define(out.shape, x.element, "concatenate",
           x.name + ", " + y.name + ", dim = " + std::to_string(axis) + " : (" +
               x.type() + ", " + y.type() + ") -> " + out.type());
    return;
  }
  for (int64_t &extent : other)
    extent = number(0, extent);
  Operand update = like(other, x.element);
  std::string names = x.name + ", " + update.name,
              types = x.type() + ", " + update.type();
  std::string index = coin() ? "i32" : "ui8";
  for (int64_t i = 0; i < rank; ++i) {
    Operand start = like({}, index);
    names += ", " + start.name;
    types += ", " + start.type();
  }
  define(x.shape, x.element, "dynamic_update_slice",
         names + " : (" + types + ") -> " + x.type());
}

void Draw::operation() {
  switch (number(0, 9)) {
  case 0:
  case 1:
    return unary();
  case 2:
  case 3:
  case 4:
    return binary();
  case 5:
    return choice();
  case 6:
    return conversion();
  case 7:
    return move();
  case 8:
    return part();
  default:
    return together();
  }
}

Draw::Draw(uint64_t seed) : engine(seed) {
  for (int64_t i = 0, count = number(1, 3); i < count; ++i) {
    Operand parameter{"%v" + std::to_string(i), shape(), elementType()};
    if (i == 1 && coin()) {
      parameter = parameters[0];
      parameter.name = "%v1";
    }
    parameters.push_back(parameter);
    operands.push_back(parameter);
  }
  for (int64_t i = 0, count = number(1, 6); i < count; ++i)
    operation();
  std::string names, types, arguments;
  for (const Operand &parameter : parameters)
    arguments += (arguments.empty() ? "" : ", ") + parameter.name + ": " +
                 parameter.type();
  for (const Operand &operand : operands) {
    names += (names.empty() ? "" : ", ") + operand.name;
    types += (types.empty() ? "" : ", ") + operand.type();
  }
  text = "func.func @main(" + arguments + ") -> (" + types + ") {\n" + text +
         "  return " + names + " : " + types + "\n}\n";
}

//===--- Comparison -------------------------------------------------------===//

namespace {
class Checker {
public:
  Checker() : context(makeRegistry()) {
    context.disableMultithreading();
    context.loadDialect<ascend::AscendDialect>();
  }
  void check(uint64_t seed);

  int64_t evaluated = 0, kept = 0, graphs = 0, undefined = 0;

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    return registry;
  }
  bool isUndefined(const Draw &draw) const;

  mlir::MLIRContext context;
  std::string messages;
};
} // namespace

/// Whether StableHLO leaves the result open for operands that GE's operator
/// refuses: undefined quotients, and floats out of range of the integer type.
bool Checker::isUndefined(const Draw &draw) const {
  StringRef said = messages;
  bool divides = draw.operations.count("divide") != 0 ||
                 draw.operations.count("remainder") != 0;
  if (divides && (said.contains("'ascend.TruncateDiv'") &&
                  (said.contains("got a division by zero") ||
                   said.contains("a quotient out of range of the type"))))
    return true;
  return draw.operations.count("convert") != 0 &&
         said.contains("'ascend.Cast'") &&
         said.contains("got a float out of range of the integer type");
}

static bool isSame(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// The first element that differs; -1 if there is none.
static int64_t firstDifference(const Tensor &a, const Tensor &b) {
  for (int64_t i = 0; i < a.size(); ++i) {
    Scalar x = a.at(i), y = b.at(i);
    if (a.element().isReal() ? !isSame(x.re, y.re) : x.integer != y.integer)
      return i;
  }
  return -1;
}

static void expectSame(const std::vector<Value> &got,
                       const std::vector<Value> &want,
                       const std::string &text) {
  ASSERT_EQ(got.size(), want.size()) << text;
  for (auto [i, a, b] : llvm::enumerate(got, want)) {
    ASSERT_EQ(a.tensor()->type(), b.tensor()->type()) << text;
    int64_t at = firstDifference(*a.tensor(), *b.tensor());
    ASSERT_EQ(at, -1) << "result " << i << " differs: got "
                      << a.tensor()->at(at).re << " ("
                      << a.tensor()->at(at).integer << "), expected "
                      << b.tensor()->at(at).re << " ("
                      << b.tensor()->at(at).integer << ")\n"
                      << text;
  }
}

void Checker::check(uint64_t seed) {
  Draw draw(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  messages.clear();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &it) {
    if (it.getSeverity() == mlir::DiagnosticSeverity::Error)
      messages += it.str() + "\n";
  });
  auto module = mlir::parseSourceString<ModuleOp>(draw.text, &context);
  ASSERT_TRUE(module) << messages;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<Value> arguments;
  std::string given;
  for (mlir::Type type : main.getArgumentTypes()) {
    Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                   [&] { return module->emitError(); });
    for (int64_t i = 0; i < tensor.size(); ++i) {
      tensor.set(i, draw.element(tensor.element()));
      Scalar x = tensor.at(i);
      given += (tensor.element().isReal() ? std::to_string(x.re)
                                          : std::to_string(x.integer)) +
               " ";
    }
    given += "\n";
    arguments.push_back(tensor);
  }
  Evaluator before(*module, reference::allRules());
  FailureOr<std::vector<Value>> want = before.call(main, arguments);
  ASSERT_TRUE(succeeded(want)) << messages;
  ++evaluated;
  for (const Device *device : {&devices::ascendAny(), &devices::ascend910b()}) {
    OwningOpRef<ModuleOp> after = module->clone();
    kept += int64_t(
        ascend::convertToAscend(*after, {.plan = {.device = device}}).size());
    std::string text;
    llvm::raw_string_ostream os(text);
    after->print(os);
    ASSERT_TRUE(succeeded(mlir::verify(*after))) << messages << text;
    messages.clear();
    Evaluator evaluator(*after, reference::allRules());
    FailureOr<std::vector<Value>> got = evaluator.call(
        after->lookupSymbol<mlir::func::FuncOp>("main"), arguments);
    if (failed(got) && isUndefined(draw)) {
      ++undefined;
      return;
    }
    ASSERT_TRUE(succeeded(got)) << messages << text << given;
    expectSame(*got, *want, text + given);
    (void)ascend::formGraphs(*after);
    auto graph = after->lookupSymbol<ascend::GraphOp>("main");
    if (!graph)
      continue;
    ++graphs;
    Evaluator ofGraph(*after, reference::allRules());
    got = callGraph(ofGraph, graph, arguments);
    ASSERT_TRUE(succeeded(got)) << messages << text << given;
    expectSame(*got, *want, text + given);
  }
}

TEST(AscendPrograms, RandomProgramsWithoutATrap) {
  Checker checker;
  uint64_t seed = testSeed();
  const char *set = std::getenv("MERCATOR_RANDOM_PROGRAMS");
  const int64_t count = set ? std::atoll(set) : cases(5'000);
  for (int64_t i = 0; i < count && !::testing::Test::HasFailure(); ++i)
    checker.check(seed + i);
  std::printf("  %ld programs, %ld operations left in %ld conversions, %ld "
              "graphs, %ld without a meaning, from seed %lu on\n",
              long(checker.evaluated), long(checker.kept),
              long(2 * checker.evaluated), long(checker.graphs),
              long(checker.undefined), (unsigned long)seed);
  EXPECT_GT(checker.graphs, count);
  EXPECT_LT(checker.undefined, count / 5);
}
