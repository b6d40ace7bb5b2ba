// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random spellings of softmax, the normalizations and GELU: each becomes one
// operator of GE with the results of the program, and near misses do not.

#include "mercator/targets/ascend/prepare/FuseOperators.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace mercator;
using gather::Ints;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Scalar;
using reference::Tensor;

namespace {

struct Named {
  std::string name;
  Ints shape;
  std::string element;
  [[nodiscard]] std::string type() const { return tensorText(shape, element); }
};

/// Writes a program with random spellings.
struct ChainWriter {
  explicit ChainWriter(uint64_t seed) : random(seed) {}

  std::mt19937_64 random;
  std::string body, parameters;
  Ints shape, dims; ///< of x, and the reduced ones
  int count = 0, inputs = 0;

  int64_t upTo(int64_t n) { return int64_t(random() % uint64_t(n + 1)); }
  bool coin() { return upTo(1) == 0; }

  Named emit(const std::string &text, Ints of, std::string element) {
    Named out{"%v" + std::to_string(count++), std::move(of),
              std::move(element)};
    body += "  " + out.name + " = stablehlo." + text + "\n";
    return out;
  }
  Named input(Ints of, const std::string &element) {
    Named out{"%in" + std::to_string(inputs++), std::move(of), element};
    parameters +=
        (parameters.empty() ? "" : ", ") + out.name + ": " + out.type();
    return out;
  }

  static std::string text(double value, const std::string &element) {
    if (std::isinf(value))
      return element == "f32"    ? "0xFF800000"
             : element == "bf16" ? "0xFF80"
                                 : "0xFC00";
    char buffer[40];
    std::snprintf(buffer, sizeof(buffer), "%.9e", value);
    return buffer;
  }
  Named constant(double value, Ints of, const std::string &element) {
    bool isNarrow = coin();
    Named one = emit("constant dense<" + text(value, element) +
                         "> : " + tensorText(isNarrow ? Ints() : of, element),
                     isNarrow ? Ints() : of, element);
    return isNarrow ? broadcast(one, {}, of) : one;
  }
  Named like(double value, const Named &x) {
    return constant(value, x.shape, x.element);
  }
  Named broadcast(const Named &x, const Ints &to, const Ints &of) {
    return emit("broadcast_in_dim " + x.name + ", dims = " + listText(to) +
                    " : (" + x.type() + ") -> " + tensorText(of, x.element),
                of, x.element);
  }
  Named reshape(const Named &x, const Ints &of) {
    return emit("reshape " + x.name + " : (" + x.type() + ") -> " +
                    tensorText(of, x.element),
                of, x.element);
  }
  Named convert(const Named &x, const std::string &element) {
    if (x.element == element)
      return x;
    return emit("convert " + x.name + " : (" + x.type() + ") -> " +
                    tensorText(x.shape, element),
                x.shape, element);
  }
  Named unary(const std::string &op, const Named &x) {
    return emit(op + " " + x.name + " : " + x.type(), x.shape, x.element);
  }
  Named chlo(const std::string &op, const Named &x) {
    Named out{"%v" + std::to_string(count++), x.shape, x.element};
    body += "  " + out.name + " = chlo." + op + " " + x.name + " : " +
            x.type() + " -> " + x.type() + "\n";
    return out;
  }
  Named binary(const std::string &op, Named a, Named b) {
    if ((op == "add" || op == "multiply" || op == "maximum") && coin())
      std::swap(a, b);
    return emit(op + " " + a.name + ", " + b.name + " : " + a.type(), a.shape,
                a.element);
  }
  Named times(const Named &a, const Named &b) {
    return binary("multiply", a, b);
  }
  Named square(const Named &x) {
    if (upTo(3) == 0)
      return binary("power", x, like(2, x));
    return coin()
               ? chlo("square", x)
               : emit("multiply " + x.name + ", " + x.name + " : " + x.type(),
                      x.shape, x.element);
  }
  Named select(const Named &mask, const Named &x, double otherwise) {
    Named other = like(otherwise, x);
    return emit("select " + mask.name + ", " + x.name + ", " + other.name +
                    " : " + mask.type() + ", " + x.type(),
                x.shape, x.element);
  }

  // Rows: values without the reduced dimensions, or with extents of 1.
  Ints without(const Ints &of) const {
    Ints out;
    for (size_t d = 0; d < of.size(); ++d)
      if (!llvm::is_contained(dims, int64_t(d)))
        out.push_back(of[d]);
    return out;
  }
  Ints kept() const {
    Ints out(shape);
    for (int64_t d : dims)
      out[d] = 1;
    return out;
  }
  Ints others() const {
    Ints out;
    for (int64_t d = 0; d < int64_t(shape.size()); ++d)
      if (!llvm::is_contained(dims, d))
        out.push_back(d);
    return out;
  }
  Ints all() const {
    Ints out;
    for (size_t d = 0; d < shape.size(); ++d)
      out.push_back(int64_t(d));
    return out;
  }
  Named reduce(const std::string &op, const Named &x) {
    Named init = emit("constant dense<" +
                          text(op == "add" ? 0.0 : -INFINITY, x.element) +
                          "> : tensor<" + x.element + ">",
                      {}, x.element);
    Ints of = without(shape);
    return emit(
        "reduce(" + x.name + " init: " + init.name + ") applies stablehlo." +
            op + " across dimensions = " + listText(dims) + " : (" + x.type() +
            ", tensor<" + x.element + ">) -> " + tensorText(of, x.element),
        of, x.element);
  }
  /// A row with extents of 1, or as it is.
  Named widen(const Named &row) {
    if (row.shape == kept() || coin())
      return row;
    return coin() ? reshape(row, kept()) : broadcast(row, others(), kept());
  }
  Named everywhere(Named row) {
    row = widen(row);
    if (row.shape == shape)
      return row;
    return broadcast(row, row.shape == kept() ? all() : others(), shape);
  }
  int64_t size() const {
    int64_t n = 1;
    for (int64_t d : dims)
      n *= shape[d];
    return n;
  }
  Named mean(const Named &x, double n) {
    Named sum = widen(reduce("add", x));
    return coin() ? binary("divide", sum, like(n, sum))
                  : times(sum, like(double(float(1 / n)), sum));
  }
  Named mean(const Named &x) { return mean(x, double(size())); }

  void drawShape(bool isTrailing) {
    int64_t rank = 1 + upTo(3);
    for (int64_t d = 0; d < rank; ++d)
      shape.push_back(1 + upTo(5));
    int64_t many = upTo(3) || rank == 1 ? 1 : 2;
    int64_t first = isTrailing ? rank - many : upTo(rank - many);
    for (int64_t d = 0; d < many; ++d)
      dims.push_back(first + d);
    shape[dims.back()] = 3 + upTo(6);
  }
  std::string finish(Named result) {
    return "func.func @main(" + parameters + ") -> " + result.type() + " {\n" +
           body + "  return " + result.name + " : " + result.type() + "\n}\n";
  }
};

struct Case {
  std::string text;
  std::string wanted;        ///< the operator
  bool isMiss = false;       ///< it must not be there
  bool isCancelling = false; ///< the variance is a difference
  float epsilon = 1;
  int64_t row = 1; ///< the number of elements that are normalized together
};

} // namespace

//===--- Spellings --------------------------------------------------------===//

static Case drawSoftmax(uint64_t seed, const std::string &element) {
  ChainWriter w(seed);
  w.drawShape(/*isTrailing=*/false);
  Case out{.text = "", .wanted = "SoftmaxV2"};
  int64_t miss = w.upTo(9);
  out.isMiss = miss < 5;
  Named x = w.input(w.shape, element), other = w.input(w.shape, element);
  bool isWide = element != "f32" && w.coin();
  Named in = isWide ? w.convert(x, "f32") : x;
  if (isWide)
    other = w.convert(other, "f32");
  // jax.nn.softmax(where=mask), which selects twice.
  bool isMasked = w.upTo(3) == 0;
  Named mask = isMasked ? w.input(w.shape, "i1") : x, plain = in;
  if (isMasked)
    in = w.select(mask, plain, -INFINITY);
  Ints dims = w.dims;
  Ints wrong = {dims[0] == 0 ? int64_t(w.shape.size()) - 1 : 0};
  if (wrong == dims && miss < 2)
    miss = 2;
  if (miss == 0)
    w.dims = wrong;
  Named most = w.reduce("maximum", miss == 3 ? other : in);
  if (w.coin())
    most = w.binary("maximum", most, w.like(-INFINITY, most));
  most = w.everywhere(most);
  w.dims = dims;
  if (isMasked && w.coin())
    in = w.select(mask, plain, -INFINITY);
  Named shifted = miss == 2 ? in : w.binary("subtract", in, most);
  Named e = w.unary("exponential", shifted), summed = e;
  if (miss == 4)
    e = w.unary("exponential", w.times(shifted, w.like(2, shifted)));
  if (miss == 1)
    w.dims = wrong;
  if (isMasked && w.coin())
    summed = w.select(mask, summed, 0);
  bool sumsWide = e.element != "f32" && w.coin();
  Named sum = w.reduce("add", sumsWide ? w.convert(summed, "f32") : summed);
  if (sumsWide)
    sum = w.convert(w.widen(sum), e.element);
  Named y =
      w.coin()
          ? w.binary("divide", e, w.everywhere(sum))
          : w.times(e, w.everywhere(w.binary("divide", w.like(1, sum), sum)));
  out.text = w.finish(w.convert(y, element));
  return out;
}

static Case drawNorm(uint64_t seed, const std::string &element) {
  ChainWriter w(seed);
  int64_t miss = w.upTo(9);
  w.drawShape(/*isTrailing=*/miss != 0);
  bool isCentered = w.coin();
  Case out{.text = "", .wanted = isCentered ? "LayerNormV3" : "RmsNorm"};
  static constexpr float epsilons[] = {1e-6F, 1e-5F, 0.25F};
  float epsilon = epsilons[w.upTo(2)];
  out.epsilon = epsilon;
  out.row = w.size();
  bool isTrailing = w.dims.back() == int64_t(w.shape.size()) - 1;
  out.isMiss = miss <= 3 && !(miss == 0 && isTrailing);
  Named x = w.input(w.shape, element);
  bool isWide = element != "f32" && (element == "f16" || w.coin());
  std::string wide = isWide ? "f32" : element;
  Named in = w.convert(x, wide);
  Named centered = in, mean = in;
  if (isCentered) {
    mean = w.mean(in);
    centered = w.binary("subtract", in, w.everywhere(mean));
  }
  double n = double(w.size()) - (miss == 1 ? 1 : 0);
  Named variance = in;
  bool isFast = isCentered && wide == "f32" && w.upTo(3) == 0;
  out.isCancelling = isFast;
  if (isFast) {
    Named squares = w.mean(w.square(in), n);
    Named again = w.widen(mean);
    if (again.shape != squares.shape)
      again = w.reshape(again, squares.shape);
    variance = w.binary("subtract", squares, w.square(again));
    if (w.coin())
      variance = w.binary("maximum", variance, w.like(0, variance));
  } else {
    Named twice = isCentered && w.coin()
                      ? w.binary("subtract", in, w.everywhere(mean))
                      : centered;
    variance = w.mean(w.square(twice), n);
  }
  Named data = miss == 3 ? w.unary("abs", centered) : centered, y = data;
  Named shifted = miss == 2
                      ? variance
                      : w.binary("add", variance, w.like(epsilon, variance));
  bool hasRoot = w.coin();
  Named root = w.unary(hasRoot ? "sqrt" : "rsqrt", shifted);
  if (miss == 2)
    root = w.binary("add", root, w.like(epsilon, root));
  root = w.everywhere(root);
  std::string own = isWide && w.coin() ? element : "";
  auto factor = [&]() {
    Ints of;
    for (int64_t d : w.dims)
      of.push_back(w.shape[d]);
    Named g = w.convert(w.input(of, w.coin() ? element : "f32"),
                        own.empty() ? wide : element);
    if (w.coin())
      return w.broadcast(g, w.dims, w.shape);
    Ints ones(w.shape.size(), 1);
    for (int64_t d : w.dims)
      ones[d] = w.shape[d];
    g = w.coin() ? w.reshape(g, ones) : w.broadcast(g, w.dims, ones);
    return w.broadcast(g, w.all(), w.shape);
  };
  bool hasGamma = w.upTo(3) != 0;
  if (hasRoot) {
    y = w.binary("divide", data, root);
    if (!own.empty())
      y = w.convert(y, element);
    if (hasGamma)
      y = w.times(y, factor());
  } else if (hasGamma && w.coin() && own.empty()) {
    y = w.times(data, w.times(root, factor()));
  } else {
    y = w.times(data, root);
    if (!own.empty())
      y = w.convert(y, element);
    if (hasGamma)
      y = w.times(y, factor());
  }
  if (isCentered && w.coin())
    y = w.binary("add", y, factor());
  out.text = w.finish(w.convert(y, element));
  return out;
}

static Case drawGelu(uint64_t seed, const std::string &element) {
  ChainWriter w(seed);
  w.drawShape(false);
  Case out{.text = "", .wanted = "GeluV2"};
  int64_t miss = w.upTo(9);
  Named x = w.input(w.shape, element), other = w.input(w.shape, element);
  bool isWide = element != "f32" && w.coin();
  Named in = isWide ? w.convert(x, "f32") : x;
  if (isWide)
    other = w.convert(other, "f32");
  if (w.coin()) // x is the result of arithmetic
    in = w.binary("add", in, other);
  else
    other = w.times(other, in);
  bool isTanh = w.coin();
  out.isMiss = miss < 4;
  double most = miss == 0 ? 0.77 : 1, cubes = miss == 1 ? 0.05 : 0.044715;
  if (miss == 1 && !isTanh)
    most = 0.9;
  Named u = in;
  auto number = [&](double value) { return w.like(value, in); };
  if (isTanh) {
    double k = most * std::sqrt(2 / M_PI);
    Named two = w.square(in);
    Named cube = w.times(two, in);
    if (w.coin())
      u = w.times(w.binary("add", in, w.times(cube, number(cubes))), number(k));
    else
      u = w.times(w.times(in, number(k)),
                  w.binary("add", w.times(two, number(cubes)), number(1)));
    if (w.coin()) {
      u = w.unary("tanh", u);
      u = w.binary("add", u, number(1));
      if (miss != 2)
        u = w.times(u, number(0.5));
    } else {
      u = w.unary("logistic", w.times(u, number(2)));
      if (miss == 2)
        u = w.times(u, number(2));
    }
  } else {
    bool isErfc = w.coin();
    Named arg = isErfc ? w.unary("negate", in) : in;
    u = w.coin() ? w.times(arg, number(most * std::sqrt(0.5)))
                 : w.binary("divide", arg, number(std::sqrt(2.0) / most));
    u = isErfc ? w.chlo("erfc", u)
               : w.binary("add", w.chlo("erf", u), number(1));
    if (miss != 2)
      u = w.coin() ? w.times(u, number(0.5)) : w.binary("divide", u, number(2));
  }
  Named y = w.times(miss == 3 ? other : in, u);
  out.text = w.finish(w.convert(y, element));
  return out;
}

//===--- The check --------------------------------------------------------===//

/// The tolerance, relative to the greatest element of the result, or to 1.
static double bound(const std::string &element) {
  return element == "f32" ? 1e-6 : element == "f16" ? 2e-3 : 3e-2;
}

/// How much a normalization magnifies the rounding errors of the mean and of the
/// differences from it: the greatest |x| / sqrt(variance + epsilon) of a row, of
/// the last dimensions.
static double condition(const Case &it, const Tensor &x) {
  double worst = 1;
  for (int64_t row = 0; row + it.row <= x.size(); row += it.row) {
    double sum = 0, squares = 0, most = 0;
    for (int64_t i = row; i < row + it.row; ++i) {
      sum += x.at(i).re / double(it.row);
      most = std::max(most, std::fabs(x.at(i).re));
    }
    for (int64_t i = row; i < row + it.row; ++i)
      squares += (x.at(i).re - sum) * (x.at(i).re - sum) / double(it.row);
    double ratio = most / std::sqrt(squares + it.epsilon);
    worst = std::max(worst, std::isfinite(ratio) ? ratio : 1);
  }
  return it.isCancelling ? worst * worst : worst;
}

namespace {
struct Check {
  Programs programs;
  std::map<std::string, int64_t> emitted;
  std::map<std::string, double> worst;

  static std::vector<std::string> operators(ModuleOp module) {
    std::vector<std::string> names;
    module->walk([&](mlir::Operation *op) {
      if (llvm::isa<ascend::SoftmaxV2Op, ascend::LayerNormV3Op,
                    ascend::RmsNormOp, ascend::GeluV2Op>(op))
        names.push_back(op->getName().stripDialect().str());
    });
    return names;
  }

  OwningOpRef<ModuleOp> fused(ModuleOp module) {
    OwningOpRef<ModuleOp> after = module.clone();
    ascend::fuseOperators(*after);
    EXPECT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
    return after;
  }

  void run(const Case &it, const std::string &element, uint64_t seed) {
    SCOPED_TRACE(it.wanted + " of " + element + ", seed " +
                 std::to_string(seed) + "\n" + it.text);
    auto module = programs.parse(it.text);
    ASSERT_TRUE(module) << programs.messages;
    OwningOpRef<ModuleOp> after = fused(*module);
    std::vector<std::string> names = operators(*after);
    if (it.isMiss)
      EXPECT_EQ(llvm::count(names, it.wanted), 0);
    else
      EXPECT_EQ(names, std::vector{it.wanted});
    for (const std::string &name : names)
      ++emitted[name];
    if (names.empty())
      return;
    for (const ascend::Unconverted &left : ascend::convertToAscend(*after, {}))
      if (left.op->getName().getDialectNamespace() != "chlo")
        ADD_FAILURE() << left.why;
    gather::Draw draw(seed);
    for (int kind = 0; kind < 3; ++kind)
      compare(*module, *after, it, element, kind, draw);
  }

  // Numbers of one digit; rows of equal numbers far from 0; NaN and infinity.
  void compare(ModuleOp before, ModuleOp after, const Case &it,
               const std::string &element, int kind, gather::Draw &draw) {
    // Without cancellation, the operator has a result where the difference of
    // the squares is below 0 by rounding.
    if (it.isCancelling && kind == 1)
      return;
    Programs::Inputs inputs =
        programs.inputs(before, [&](size_t, int64_t) { return int64_t(0); });
    for (auto [k, input] : llvm::enumerate(inputs)) {
      Tensor x = *input.tensor();
      for (int64_t i = 0; i < x.size(); ++i) {
        double value = double(draw.upTo(4000)) / 1000 - 2;
        if (kind == 1 && k == 0)
          value = draw.once(4) ? value : 48;
        if (kind == 2 && k == 0 && draw.once(5))
          value = draw.once(3) ? NAN : draw.once(2) ? INFINITY : -INFINITY;
        x.set(i, x.element().isReal() ? Scalar::real(value)
                                      : Scalar::whole(draw.upTo(2) != 0));
      }
    }
    std::optional<Tensor> want = programs.result(before, inputs),
                          got = programs.result(after, inputs);
    ASSERT_TRUE(want && got) << programs.messages;
    ASSERT_EQ(want->type(), got->type());
    double scale = 1;
    for (int64_t i = 0; i < want->size(); ++i)
      if (std::isfinite(want->at(i).re))
        scale = std::max(scale, std::fabs(want->at(i).re));
    double allowed = bound(element) * scale;
    if (it.wanted == "LayerNormV3")
      allowed *= condition(it, *inputs[0].tensor());
    for (int64_t i = 0; i < want->size(); ++i) {
      double a = got->at(i).re, b = want->at(i).re;
      if (std::isnan(b) || std::isinf(b)) {
        ASSERT_TRUE(std::isnan(b) ? std::isnan(a) : a == b)
            << b << " became " << a << " at " << i;
        continue;
      }
      ASSERT_LE(std::fabs(a - b), allowed) << b << " became " << a;
      double &most = worst[it.wanted + " of " + element];
      most = std::max(most, std::fabs(a - b) / allowed * bound(element));
    }
  }
};
} // namespace

static void checkFamily(Case (*draw)(uint64_t, const std::string &)) {
  Check check;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 20, misses = 0;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i) {
    std::string element = i % 4 == 1 ? "bf16" : i % 4 == 3 ? "f16" : "f32";
    Case it = draw(seed + i, element);
    misses += it.isMiss;
    check.run(it, element, seed + i);
  }
  for (const auto &[name, count] : check.emitted)
    std::printf("  %ld of %s\n", long(count), name.c_str());
  for (const auto &[name, error] : check.worst)
    std::printf("  %s: at most %.2g away\n", name.c_str(), error);
  std::printf("  %ld programs from seed %lu on, %ld of them near misses\n",
              long(cases), (unsigned long)seed, long(misses));
  EXPECT_LE(2 * misses, 2 * cases - cases / 2);
}

TEST(AscendFusion, Softmax) { checkFamily(drawSoftmax); }
TEST(AscendFusion, Norms) { checkFamily(drawNorm); }
TEST(AscendFusion, Gelu) { checkFamily(drawGelu); }
