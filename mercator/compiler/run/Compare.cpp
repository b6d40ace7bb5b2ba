// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Compare.h"

#include "mercator/compiler/program/NpyTensor.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mercator;
using namespace mercator::reference;

/// What rule 4 accepts, in units of the spread. Vector code has errors of 2 units in
/// the last place where a perturbed evaluation has one, sums have another order, and
/// three evaluations may be close to each other by chance.
static constexpr double kSpread = 16;

double mercator::defaultTolerance(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  auto type = llvm::dyn_cast<mlir::FloatType>(element);
  if (!type)
    return 0;
  if (type.getWidth() < 16)
    return 0.25;
  if (type.isBF16())
    return 2e-2;
  if (type.isF16())
    return 2e-3;
  return type.isF64() ? 1e-10 : 1e-4;
}

static std::string textOf(Scalar value, const Element &element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (element.isReal())
    os << llvm::format("%.9g", value.re);
  else if (element.isComplex())
    os << llvm::format("(%.9g, %.9g)", value.re, value.im);
  else
    os << value.integer;
  return text;
}

/// The distance of two numbers: infinite where only one of them is.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double size = std::fabs(a - b);
  return std::isnan(size) ? INFINITY : size;
}

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

namespace {
/// The other evaluations of one result.
struct OtherTensors {
  const Tensor *reference = nullptr, *flushed = nullptr;
  std::vector<const Tensor *> perturbed;
  double largest = 0; ///< float of the perturbed evaluations
};

class Comparison {
public:
  Comparison(const Tensor &got, const Tensor &expected,
             std::optional<double> tolerance, const OtherTensors *others)
      : got(got), expected(expected), element(expected.element()),
        isFloat(element.isReal() || element.isComplex()), others(others) {
    result.type = expected.type();
    result.tolerance =
        tolerance.value_or(defaultTolerance(expected.type().getElementType()));
  }
  Difference run();

private:
  [[nodiscard]] double apart(Scalar a, Scalar b) const;
  [[nodiscard]] double apart(const Tensor &a, const Tensor &b,
                             int64_t i) const {
    return apart(a.at(i), b.at(i));
  }
  [[nodiscard]] double largestOf(const Tensor &tensor) const;
  /// The largest distance of another evaluation of the element from the reference.
  [[nodiscard]] double spreadOf(int64_t i) const;
  [[nodiscard]] double medianSpread() const;
  bool isAccepted(int64_t i, double difference);

  const Tensor &got, &expected;
  const Element &element;
  bool isFloat;
  const OtherTensors *others;
  double unit = 1; ///< the largest element, or 1
  double median = 0;
  Difference result;
};
} // namespace

/// Infinite for integers that differ.
double Comparison::apart(Scalar a, Scalar b) const {
  if (!isFloat)
    return a.integer == b.integer ? 0 : INFINITY;
  if (element.isReal())
    return distance(a.re, b.re);
  return std::max(distance(a.re, b.re), distance(a.im, b.im));
}

double Comparison::largestOf(const Tensor &tensor) const {
  double largest = 0;
  for (int64_t i = 0; isFloat && i < tensor.size(); ++i) {
    Scalar value = tensor.at(i);
    double size =
        element.isReal() ? std::fabs(value.re) : std::hypot(value.re, value.im);
    if (std::isfinite(size))
      largest = std::max(largest, size);
  }
  return largest;
}

double Comparison::spreadOf(int64_t i) const {
  double spread = 0;
  for (const Tensor *other : others->perturbed)
    spread = std::max(spread, apart(*other, *others->reference, i));
  return spread;
}

double Comparison::medianSpread() const {
  std::vector<double> all;
  for (int64_t i = 0; i < expected.size(); ++i)
    all.push_back(spreadOf(i));
  if (all.empty())
    return 0;
  auto middle = all.begin() + int64_t(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

/// Rules 4 and 5 of the header.
bool Comparison::isAccepted(int64_t i, double difference) {
  // Subnormal numbers are taken for zero, in the code or where the file was made.
  double most = result.tolerance * unit;
  if (const Tensor *flushed = others->flushed)
    if (apart(got, *flushed, i) <= most &&
        std::min(apart(expected, *others->reference, i),
                 apart(expected, *flushed, i)) <= most)
      return result.isFlushed = true;
  if (!isFloat)
    return false;
  double spread = std::max(spreadOf(i), median);
  if (!std::isfinite(spread) || difference > kSpread * spread)
    return false;
  if (difference <= result.tolerance * others->largest) {
    result.roundingErrors =
        std::max(result.roundingErrors.value_or(0), difference / unit);
    return true;
  }
  result.isAmplified |=
      difference >
      others->largest * defaultTolerance(expected.type().getElementType());
  return false;
}

Difference Comparison::run() {
  double largest = largestOf(expected);
  unit = largest == 0 ? 1 : largest;
  if (others && isFloat)
    median = medianSpread();
  for (int64_t i = 0; i < expected.size(); ++i) {
    double difference = apart(got, expected, i), own = difference / unit;
    bool differs = own > result.tolerance;
    if (differs && others && isAccepted(i, difference))
      differs = false;
    bool isWorst = differs ? result.differing == 0 || own > result.relative
                           : result.differing == 0 && own > result.relative;
    result.differing += differs;
    if (isWorst || i == 0) {
      result.relative = own;
      result.place = i;
      result.got = textOf(got.at(i), element);
      result.expected = textOf(expected.at(i), element);
    }
  }
  return result;
}

Difference mercator::compare(const Tensor &got, const Tensor &expected,
                             std::optional<double> tolerance) {
  return Comparison(got, expected, tolerance, nullptr).run();
}

//===----------------------------------------------------------------------===//
// All results
//===----------------------------------------------------------------------===//

static std::vector<const Tensor *> tensorsOf(const RunResults &results) {
  std::vector<const Tensor *> tensors;
  for (const ResultLeaf &leaf : leavesOf(results))
    if (leaf.tensor())
      tensors.push_back(leaf.tensor());
  return tensors;
}

std::vector<ExpectedTensor> mercator::expectedOf(const RunResults &results) {
  std::vector<ExpectedTensor> all;
  for (const Tensor *tensor : tensorsOf(results))
    all.push_back({"", *tensor});
  return all;
}

llvm::Expected<std::vector<ExpectedTensor>>
mercator::expectedOfFiles(const RunResults &got,
                          llvm::ArrayRef<std::string> paths) {
  std::vector<NpzMember> arrays;
  for (llvm::StringRef path : paths) {
    if (path.ends_with(".npz")) {
      llvm::Expected<std::vector<NpzMember>> members = readNpz(path);
      if (!members)
        return members.takeError();
      for (NpzMember &member : *members) {
        member.name = (path + "/" + member.name).str();
        arrays.push_back(std::move(member));
      }
      continue;
    }
    llvm::Expected<NpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    arrays.push_back({path.str(), std::move(*array)});
  }
  std::vector<const Tensor *> results = tensorsOf(got);
  if (results.size() != arrays.size())
    return llvm::createStringError(
        "expected " + llvm::Twine(results.size()) +
        (results.size() == 1 ? " array" : " arrays") +
        " after `--expect`, got " + llvm::Twine(arrays.size()));
  std::vector<ExpectedTensor> all;
  for (auto [tensor, member] : llvm::zip_equal(results, arrays)) {
    ExpectedTensor &own = all.emplace_back();
    own.name = member.name;
    llvm::Expected<Tensor> read = toTensor(member.array, tensor->type());
    if (read)
      own.tensor = *read;
    else
      own.mismatch = llvm::toString(read.takeError());
  }
  return all;
}

static std::string textOf(mlir::RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream(text)
      << mlir::RankedTensorType::get(type.getShape(), type.getElementType());
  return text;
}

/// "expected tensor<4x3xf32>, got tensor<3x4xf32>"; empty if they agree.
static std::string mismatchOf(const Tensor &got, const ExpectedTensor &wanted) {
  if (!wanted.tensor)
    return wanted.mismatch;
  mlir::RankedTensorType a = got.type(), b = wanted.tensor->type();
  if (a.getShape() == b.getShape() && a.getElementType() == b.getElementType())
    return "";
  return "expected " + textOf(b) + ", got " + textOf(a);
}

std::vector<Difference>
mercator::compare(const RunResults &got,
                  llvm::ArrayRef<ExpectedTensor> expected,
                  std::optional<double> tolerance, const Variants *variants) {
  std::vector<Difference> rows;
  std::vector<ResultLeaf> leaves = leavesOf(got);
  llvm::erase_if(leaves, [](const ResultLeaf &leaf) { return !leaf.tensor(); });
  std::vector<const Tensor *> reference, flushed;
  std::vector<std::vector<const Tensor *>> perturbed;
  double largest = 0;
  if (variants) {
    reference = tensorsOf(variants->reference);
    if (variants->flushed)
      flushed = tensorsOf(*variants->flushed);
    for (const RunResults &each : variants->perturbed) {
      perturbed.push_back(tensorsOf(each));
      largest = std::max(largest, each.largest);
    }
  }
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    const Tensor &own = *leaf.tensor();
    Difference &row = rows.emplace_back();
    row.title = leaf.title();
    row.type = own.type();
    row.mismatch = i < expected.size() ? mismatchOf(own, expected[i])
                                       : "expected no such result";
    if (!row.mismatch.empty()) {
      if (i < expected.size() && !expected[i].name.empty())
        row.mismatch = quote(expected[i].name, 400) + ": " + row.mismatch;
      continue;
    }
    OtherTensors others;
    // An evaluation with other shapes says nothing of this one.
    auto at = [&](const std::vector<const Tensor *> &all) -> const Tensor * {
      return i < all.size() && all[i]->shape() == own.shape() &&
                     all[i]->element() == own.element()
                 ? all[i]
                 : nullptr;
    };
    others.reference = at(reference);
    others.flushed = at(flushed);
    others.largest = largest;
    for (const std::vector<const Tensor *> &each : perturbed)
      if (const Tensor *tensor = at(each))
        others.perturbed.push_back(tensor);
    std::string title = row.title;
    row = Comparison(own, *expected[i].tensor, tolerance,
                     others.reference && tolerance != 0.0 ? &others : nullptr)
              .run();
    row.title = title;
  }
  return rows;
}
