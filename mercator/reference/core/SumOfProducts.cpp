// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/SumOfProducts.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

/// More components than any format can be split into.
static constexpr int64_t kMaxComponents = 16;

/// A type to round to. TensorFloat-32 is such a type, although no tensor has
/// it.
static std::optional<Element> roundingType(Type type) {
  if (isa<FloatTF32Type>(type))
    return Element{ElementKind::Real, 19, 4, &llvm::APFloat::FloatTF32()};
  std::optional<Element> element = Element::of(type);
  if (element && !element->isReal())
    return std::nullopt;
  return element;
}

FailureOr<SumOfProducts>
SumOfProducts::make(const Step &step, const Element &lhs, const Element &rhs,
                    const Element &result,
                    const std::optional<DotAlgorithm> &algorithm) {
  SumOfProducts sum;
  sum.lhs = lhs;
  sum.rhs = rhs;
  sum.result = result;
  sum.bits = result.bits;
  auto becomesResult = [&](const Element &element) {
    switch (result.kind) {
    case ElementKind::Boolean:
      return element.kind == ElementKind::Boolean;
    case ElementKind::SignedInt:
    case ElementKind::UnsignedInt:
      return element.kind == ElementKind::Boolean || element.isInteger();
    case ElementKind::Real:
      return !element.isComplex();
    case ElementKind::Complex:
      return element.isReal() || element.isComplex();
    }
    llvm_unreachable("all kinds are handled");
  };
  if (!becomesResult(lhs) || !becomesResult(rhs))
    return step.unsupported(
        "products of these element types have no meaning in that of the "
        "result");
  if (!algorithm)
    return sum;

  std::optional<Element> lhsType = roundingType(algorithm->lhs),
                         rhsType = roundingType(algorithm->rhs),
                         accumulator = roundingType(algorithm->accumulator);
  if (!lhsType || !rhsType || !accumulator || lhs.isComplex() ||
      rhs.isComplex() || result.isComplex())
    return step.unsupported("the algorithm is not one of floats, or the "
                            "operands are complex");
  int64_t lhsCount = algorithm->lhsComponents,
          rhsCount = algorithm->rhsComponents;
  if (lhsCount < 1 || lhsCount > kMaxComponents || rhsCount < 1 ||
      rhsCount > kMaxComponents)
    return step.unsupported("the algorithm has too many components, or none");
  sum.algorithm = Algorithm{*lhsType, *rhsType, *accumulator,
                            lhsCount, rhsCount, algorithm->products};
  sum.bits = accumulator->bits;
  return sum;
}

static double toDouble(const Element &element, Scalar value) {
  if (element.isReal() || element.isComplex())
    return value.re;
  return element.kind == ElementKind::SignedInt
             ? double(value.integer)
             : double(uint64_t(value.integer));
}

void SumOfProducts::add(Scalar a, Scalar b) {
  if (algorithm)
    return addByAlgorithm(toDouble(lhs, a), toDouble(rhs, b));
  switch (result.kind) {
  case ElementKind::Boolean:
    integer |= a.integer & b.integer;
    return;
  case ElementKind::SignedInt:
  case ElementKind::UnsignedInt:
    integer =
        int64_t(uint64_t(integer) + uint64_t(a.integer) * uint64_t(b.integer));
    return;
  case ElementKind::Real:
    re.addProduct(toDouble(lhs, a), toDouble(rhs, b));
    return;
  case ElementKind::Complex:
    re.add(re.round(re.round(a.re * b.re) - re.round(a.im * b.im)));
    im.add(im.round(im.round(a.re * b.im) + im.round(a.im * b.re)));
    return;
  }
}

// With an algorithm the sum is a float for any result type.
Scalar SumOfProducts::value() const {
  if (!algorithm && (result.kind == ElementKind::Boolean || result.isInteger()))
    return Scalar::whole(integer);
  if (!algorithm)
    return Scalar::complex(re.value(), im.value());
  double sum = algorithm->accumulator.round(Scalar::real(re.value())).re;
  if (result.isReal())
    return Scalar::real(sum);
  if (result.kind == ElementKind::Boolean)
    return Scalar::whole(sum != 0);
  if (std::isnan(sum))
    return Scalar::whole(0);
  bool isSigned = result.kind == ElementKind::SignedInt;
  double low = double(result.lowest()),
         high = isSigned ? double(result.highest())
                         : double(uint64_t(result.highest()));
  if (sum <= low)
    return Scalar::whole(result.lowest());
  if (sum >= high)
    return Scalar::whole(result.highest());
  return Scalar::whole(isSigned ? int64_t(sum) : int64_t(uint64_t(sum)));
}

/// Splits a value into `count` parts of a type; each part is the rounded
/// remainder of the parts before. A finite value has finite parts.
static SmallVector<double, 3> split(double value, const Element &type,
                                    int64_t count) {
  SmallVector<double, 3> parts;
  if (count > 1 && std::isfinite(value)) {
    double largest = llvm::APFloat::getLargest(*type.format).convertToDouble();
    parts.push_back(
        type.round(Scalar::real(std::clamp(value, -largest, largest))).re);
    value -= parts.back();
    --count;
  }
  for (int64_t i = 0; i < count; ++i) {
    parts.push_back(type.round(Scalar::real(value)).re);
    value -= parts.back();
  }
  return parts;
}

// The largest products of parts are summed, the smallest first. If the operands
// are not finite, only the first product is, as in XLA: the others would be NaN.
void SumOfProducts::addByAlgorithm(double a, double b) {
  SmallVector<double, 3> as =
                             split(a, algorithm->lhs, algorithm->lhsComponents),
                         bs =
                             split(b, algorithm->rhs, algorithm->rhsComponents);
  SmallVector<double, 9> products;
  for (size_t order = 0; order < as.size() + bs.size() - 1; ++order)
    for (size_t i = 0; i <= order; ++i)
      if (i < as.size() && order - i < bs.size() &&
          int64_t(products.size()) < algorithm->products)
        products.push_back(as[i] * bs[order - i]);
  double total = 0;
  for (double product : llvm::reverse(llvm::drop_begin(products)))
    total += product;
  total = products[0] + (std::isfinite(total) ? total : 0);
  re.add(algorithm->accumulator.round(Scalar::real(total)).re);
}

} // namespace mercator::reference
