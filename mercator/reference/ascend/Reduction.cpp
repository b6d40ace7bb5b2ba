// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reductions of GE. It leaves open in which order floats are summed: here,
// row-major, and in f32 where they are no wider. A NaN among numbers to compare
// is taken to be the result. A sum of integers of fewer than 32 bits that is
// more than they have is an error.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"
#include "mercator/reference/core/Strides.h"

#include <cmath>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

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
  return type.kind == ElementKind::UnsignedInt
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
  Ints reduced;
  for (int64_t given : integersOf(step.tensor(1))) {
    FailureOr<int64_t> axis = axisOf(step, given, x.rank());
    if (failed(axis))
      return failure();
    reduced.push_back(*axis);
  }
  Ints left = otherDims(x.rank(), reduced), shape;
  reduced = otherDims(x.rank(), left); // each dimension once, ascending
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (llvm::is_contained(left, dim))
      shape.push_back(x.dim(dim));
    else if (keepDims)
      shape.push_back(1);
  FailureOr<Tensor> result = makeOf(step, shape);
  if (failed(result) || failed(step.charge(x.shape())))
    return failure();

  Ints strides = stridesOf(x.shape()), leftStrides = pick(strides, left),
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

template <typename Op>
static LogicalResult evaluateReductionOp(Op op, Step &step) {
  return evaluate(op, step);
}
template <typename... Ops> static void addReductionOps(EvaluationRules &rules) {
  (rules.add<Ops, evaluateReductionOp<Ops>>(), ...);
}

void addAscendReductionRules(EvaluationRules &rules) {
  addReductionOps<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp,
                  ReduceMeanOp, ReduceAllOp, ReduceAnyOp>(rules);
}

} // namespace mercator::reference
