// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reductions and matrix products of GE. GE leaves the summation order of
// floats open: here it is row-major, in f32 for floats up to that width. If one
// of the compared numbers is a NaN, so is the result. A sum of integers below
// 32 bits that overflows is an error.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/Rules.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/stablehlo/ProductSum.h"

#include <cmath>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

//===--- Reductions -------------------------------------------------------===//

/// Combines the accumulator with the next element.
using Combine = Scalar (*)(const Element &type, Scalar sum, Scalar next);

/// Rounds a float to f32 if its type is no wider.
static Scalar kept(const Element &type, double re, double im) {
  if (type.bits > 32)
    return Scalar::complex(re, im);
  return Scalar::complex(double(float(re)), double(float(im)));
}

static bool isFloat(const Element &type) {
  return type.isReal() || type.isComplex();
}

static Scalar sumOf(const Element &type, Scalar a, Scalar b) {
  if (isFloat(type))
    return kept(type, a.re + b.re, a.im + b.im);
  return Scalar::whole(int64_t(uint64_t(a.integer) + uint64_t(b.integer)));
}

static Scalar productOf(const Element &type, Scalar a, Scalar b) {
  if (type.isReal())
    return kept(type, a.re * b.re, 0);
  if (type.isComplex())
    return kept(type, a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
  return Scalar::whole(int64_t(uint64_t(a.integer) * uint64_t(b.integer)));
}

static bool isLess(const Element &type, Scalar a, Scalar b) {
  if (type.isReal())
    return a.re < b.re;
  return type.kind == ElementKind::unsignedInt
             ? uint64_t(a.integer) < uint64_t(b.integer)
             : a.integer < b.integer;
}

static Scalar greatestOf(const Element &type, Scalar a, Scalar b) {
  if (type.isReal() && (std::isnan(a.re) || std::isnan(b.re)))
    return std::isnan(a.re) ? a : b;
  return isLess(type, a, b) ? b : a;
}

static Scalar leastOf(const Element &type, Scalar a, Scalar b) {
  if (type.isReal() && (std::isnan(a.re) || std::isnan(b.re)))
    return std::isnan(a.re) ? a : b;
  return isLess(type, b, a) ? b : a;
}

static Scalar allOf(const Element &, Scalar a, Scalar b) {
  return Scalar::whole(a.integer & b.integer);
}
static Scalar anyOf(const Element &, Scalar a, Scalar b) {
  return Scalar::whole(a.integer | b.integer);
}

static Scalar number(const Element &type, int64_t value) {
  return isFloat(type) ? Scalar::real(double(value)) : Scalar::whole(value);
}

/// `empty` is the result for no elements; nothing if that is an error.
static LogicalResult reduce(Step &step, bool keepDims, Combine combine,
                            std::optional<int64_t> empty, bool isMean = false) {
  const Tensor &x = step.tensor(0);
  Extents reduced;
  for (int64_t given : integersOf(step.tensor(1))) {
    FailureOr<int64_t> axis = axisOf(step, given, x.rank());
    if (failed(axis))
      return failure();
    reduced.push_back(*axis);
  }
  Extents left = otherDims(x.rank(), reduced), shape;
  reduced = otherDims(x.rank(), left); // each dimension once, ascending
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (llvm::is_contained(left, dim))
      shape.push_back(x.dim(dim));
    else if (keepDims)
      shape.push_back(1);
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result) || failed(step.charge(x.shape())))
    return failure();

  Extents strides = stridesOf(x.shape()), leftStrides = pick(strides, left),
          reducedStrides = pick(strides, reduced),
          leftShape = pick(x.shape(), left),
          reducedShape = pick(x.shape(), reduced);
  const Element &type = x.element();
  int64_t place = 0;
  for (Index d(leftShape); d; ++d, ++place) {
    int64_t first = offset(*d, leftStrides), count = 0;
    Scalar sum;
    for (Index r(reducedShape); r; ++r, ++count) {
      Scalar next = x.at(first + offset(*r, reducedStrides));
      sum = count == 0 ? next : combine(type, sum, next);
    }
    if (count == 0 && !empty)
      return step.error() << "expected elements to compare, got none";
    if (count == 0)
      sum = number(type, *empty);
    bool isNarrow = type.isInteger() && type.bits < 32;
    if (isNarrow && type.round(sum).integer != sum.integer)
      return step.error() << "expected a result that fits in " << type.bits
                          << " bits, got " << sum.integer;
    if (isMean)
      sum = Scalar::complex(sum.re / double(count), sum.im / double(count));
    result->set(place, sum);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(ReduceSumOp op, Step &step) {
  return reduce(step, op.getKeepDims(), sumOf, 0);
}
static LogicalResult evaluate(ReduceProdOp op, Step &step) {
  return reduce(step, op.getKeepDims(), productOf, 1);
}
static LogicalResult evaluate(ReduceAllOp op, Step &step) {
  return reduce(step, op.getKeepDims(), allOf, 1);
}
static LogicalResult evaluate(ReduceAnyOp op, Step &step) {
  return reduce(step, op.getKeepDims(), anyOf, 0);
}
static LogicalResult evaluate(ReduceMaxOp op, Step &step) {
  if (step.tensor(0).element().isComplex())
    return step.unsupported("complex numbers have no order");
  return reduce(step, op.getKeepDims(), greatestOf, std::nullopt);
}
static LogicalResult evaluate(ReduceMinOp op, Step &step) {
  if (step.tensor(0).element().isComplex())
    return step.unsupported("complex numbers have no order");
  return reduce(step, op.getKeepDims(), leastOf, std::nullopt);
}
static LogicalResult evaluate(ReduceMeanOp op, Step &step) {
  if (!isFloat(step.tensor(0).element()))
    return step.unsupported("a mean of numbers that are no floats");
  return reduce(step, op.getKeepDims(), sumOf, std::nullopt, /*isMean=*/true);
}

//===--- Products ---------------------------------------------------------===//

/// The last two dimensions are a matrix, the others are batches. A batch
/// dimension of extent 1 is broadcast.
static LogicalResult multiply(Step &step, bool transposeLhs,
                              bool transposeRhs) {
  const Tensor &lhs = step.tensor(0), &rhs = step.tensor(1);
  if (lhs.rank() < 2 || lhs.rank() != rhs.rank())
    return step.error() << "expected two matrices of the same rank, got ranks "
                        << lhs.rank() << " and " << rhs.rank();
  size_t batches = lhs.rank() - 2;
  size_t lhsRow = batches + transposeLhs, lhsColumn = batches + !transposeLhs,
         rhsRow = batches + transposeRhs, rhsColumn = batches + !transposeRhs;
  int64_t inner = lhs.dim(lhsColumn);
  if (inner != rhs.dim(rhsRow))
    return step.error() << "expected as many columns as rows, got " << inner
                        << " and " << rhs.dim(rhsRow);
  Extents lhsStrides = stridesOf(lhs.shape()),
          rhsStrides = stridesOf(rhs.shape()), shape;
  for (size_t i = 0; i < batches; ++i) {
    if (lhs.dim(i) != rhs.dim(i) && lhs.dim(i) != 1 && rhs.dim(i) != 1)
      return step.error() << "expected batches of the same size, got "
                          << lhs.dim(i) << " and " << rhs.dim(i);
    shape.push_back(lhs.dim(i) == 1 ? rhs.dim(i) : lhs.dim(i));
    lhsStrides[i] = lhs.dim(i) == 1 ? 0 : lhsStrides[i];
    rhsStrides[i] = rhs.dim(i) == 1 ? 0 : rhsStrides[i];
  }
  shape.append({lhs.dim(lhsRow), rhs.dim(rhsColumn)});
  FailureOr<Tensor> result = makeOf(step, shape);
  Extents all(shape);
  all.push_back(inner);
  if (failed(result) || failed(step.charge(all)))
    return failure();
  FailureOr<ProductSum> sum =
      ProductSum::make(step, lhs.element(), rhs.element(), result->element());
  if (failed(sum))
    return failure();
  int64_t place = 0;
  for (Index d(shape); d; ++d, ++place) {
    ArrayRef<int64_t> batch = (*d).take_front(batches);
    int64_t i = offset(batch, ArrayRef(lhsStrides).take_front(batches)) +
                d[batches] * lhsStrides[lhsRow],
            j = offset(batch, ArrayRef(rhsStrides).take_front(batches)) +
                d[batches + 1] * rhsStrides[rhsColumn];
    sum->start();
    for (int64_t k = 0; k < inner; ++k)
      sum->add(lhs.at(i + k * lhsStrides[lhsColumn]),
               rhs.at(j + k * rhsStrides[rhsRow]));
    result->set(place, sum->value());
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluate(MatMulOp op, Step &step) {
  return multiply(step, op.getTransposeX1(), op.getTransposeX2());
}
static LogicalResult evaluate(BatchMatMulOp op, Step &step) {
  return multiply(step, op.getAdjX1(), op.getAdjX2());
}

template <typename Op> static LogicalResult evaluateOne(Op op, Step &step) {
  return evaluate(op, step);
}
template <typename... Ops> static void addAll(Rules &rules) {
  (rules.add<Ops, evaluateOne<Ops>>(), ...);
}

void addAscendProductRules(Rules &rules) {
  addAll<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp, ReduceMeanOp,
         ReduceAllOp, ReduceAnyOp, MatMulOp, BatchMatMulOp>(rules);
}

} // namespace mercator::reference
