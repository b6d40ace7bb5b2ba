// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structured operations of linalg, by linalg's own definition. For each point
// of the iteration space, in row-major order, the indexing maps give the
// element of each operand that the body takes and the element that its result
// is written to. Named operations have a body and maps too. Sums of floats come
// in blocks (FloatSum.h).

#include "mercator/reference/core/FloatSum.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/linalg/AffineValue.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/linalg/ScalarBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;

namespace mercator::reference {

namespace {

/// The positions of the elements of an operand for the points of the iteration
/// space.
class Access {
public:
  Access(AffineMap map, ArrayRef<int64_t> shape, ArrayRef<int64_t> loops)
      : map(map), shape(shape) {
    if (!map.isProjectedPermutation())
      return;
    Ints ofShape = stridesOf(shape);
    Ints perLoop(loops.size(), 0);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (loops[dim] > shape[i])
        return; // some point is outside: place() reports which
      perLoop[dim] += ofShape[i];
    }
    strides = std::move(perLoop);
  }

  /// Nothing if the point is outside of the operand.
  [[nodiscard]] std::optional<int64_t> place(ArrayRef<int64_t> point) const {
    if (strides)
      return offset(point, *strides);
    int64_t result = 0;
    for (auto [expr, extent] : llvm::zip(map.getResults(), shape)) {
      std::optional<int64_t> i = affineValue(expr, point, {});
      if (!i || *i < 0 || *i >= extent)
        return std::nullopt;
      result = result * extent + *i;
    }
    return result;
  }

private:
  AffineMap map;
  SmallVector<int64_t> shape;
  std::optional<Ints> strides;
};

} // namespace

/// The extents of the loops, which follow from the operands' shapes.
static FailureOr<Ints> loopsOf(linalg::LinalgOp op, Step &step) {
  Ints extents, loops;
  for (const Value &operand : step.operands)
    llvm::append_range(extents, operand.tensor()->shape());
  AffineMap map = op.getShapesToLoopsMap();
  if (!map)
    return step.unsupported("its maps do not give the extents of its loops");
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> extent = affineValue(expr, extents, {});
    if (!extent || *extent < 0)
      return LogicalResult(step.error()
                           << "expected operands that give the extents of its "
                              "loops");
    loops.push_back(*extent);
  }
  // Operands that are indexed by the loop itself must agree on its extent.
  size_t i = 0;
  for (AffineMap indexing : op.getIndexingMapsArray())
    for (AffineExpr expr : indexing.getResults()) {
      int64_t extent = extents[i++];
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && loops[dim.getPosition()] != extent)
        return LogicalResult(step.error()
                             << "expected operands of extent "
                             << loops[dim.getPosition()] << " along loop "
                             << dim.getPosition() << ", got " << extent);
    }
  return loops;
}

/// Whether the body adds a term to an init of a reduction, and does nothing else
/// with it. Then the body gives the term itself for -0.
static bool isSum(linalg::LinalgOp op, Block &body, unsigned init) {
  unsigned first = body.getNumArguments() - op.getNumDpsInits();
  if (op.getNumReductionLoops() == 0)
    return false;
  BlockArgument own = body.getArgument(first + init);
  Operation *add = body.getTerminator()->getOperand(init).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, complex::AddOp>(add) &&
         add->hasOneUse() && own.hasOneUse() && *own.user_begin() == add;
}

static LogicalResult evaluateStructured(Step &step) {
  auto op = cast<linalg::LinalgOp>(step.op);
  if (!op.hasPureTensorSemantics())
    return step.unsupported("it works on memory");
  FailureOr<Ints> loops = loopsOf(op, step);
  if (failed(loops) || failed(step.charge(*loops)))
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Block &body = *op.getBlock();
  size_t firstInit = step.operands.size() - op.getNumDpsInits();
  bool takesInits = body.getNumArguments() == step.operands.size();

  SmallVector<Tensor> values = step.tensors(0, step.operands.size());
  SmallVector<Access> accesses;
  for (auto [value, map] : llvm::zip(values, maps))
    accesses.emplace_back(map, value.shape(), *loops);
  for (Tensor &init : MutableArrayRef(values).drop_front(firstInit)) {
    FailureOr<Tensor> own = init.clone([&] { return step.error(); });
    if (failed(own))
      return failure();
    init = *own;
  }

  // The sum of each element, for each init that is a sum.
  SmallVector<std::vector<ScalarSum>> sums(op.getNumDpsInits());
  for (unsigned i = 0; takesInits && i < sums.size(); ++i)
    if (isSum(op, body, i)) {
      const Tensor &init = values[firstInit + i];
      sums[i].reserve(size_t(init.size()));
      for (int64_t place = 0; place < init.size(); ++place)
        sums[i].emplace_back(init.element(), init.at(place));
    }
  const Scalar none = Scalar::complex(-0.0, -0.0);

  std::optional<ScalarBlock> quick = ScalarBlock::make(body);
  std::optional<SmallVector<Scalar>> slots;
  if (quick)
    slots = quick->begin(step.evaluator);
  SmallVector<int64_t> places(values.size());
  auto isSummed = [&](size_t i) {
    return i >= firstInit && !sums[i - firstInit].empty();
  };
  auto startOf = [&](size_t i) {
    return isSummed(i) ? none : values[i].at(places[i]);
  };
  for (Index point(*loops); point; ++point) {
    for (auto [i, access] : llvm::enumerate(accesses)) {
      std::optional<int64_t> place = access.place(*point);
      if (!place)
        return step.error() << "expected points within operand #" << i
                            << ", of shape " << values[i].type();
      places[i] = *place;
    }
    size_t taken = takesInits ? values.size() : firstInit;
    if (slots) {
      for (size_t i = 0; i < taken; ++i)
        (*slots)[i] = startOf(i);
      quick->run(*slots, *point);
      for (size_t i = firstInit; i < values.size(); ++i) {
        Scalar result = (*slots)[quick->yielded(unsigned(i - firstInit))];
        if (isSummed(i))
          sums[i - firstInit][size_t(places[i])].add(result);
        else
          values[i].set(places[i], result);
      }
      continue;
    }
    SmallVector<Value> arguments;
    for (size_t i = 0; i < taken; ++i) {
      FailureOr<Value> argument =
          number(step, body.getArgument(unsigned(i)).getType(), startOf(i));
      if (failed(argument))
        return failure();
      arguments.push_back(*argument);
    }
    Evaluator::At here(step.evaluator, *point);
    FailureOr<std::vector<Value>> yielded =
        step.evaluator.region(*body.getParent(), arguments);
    if (failed(yielded))
      return failure();
    for (size_t i = firstInit; i < values.size(); ++i) {
      const Tensor &result = *(*yielded)[i - firstInit].tensor();
      if (isSummed(i))
        sums[i - firstInit][size_t(places[i])].add(result.at(0));
      else
        values[i].copy(places[i], result, 0);
    }
  }
  for (size_t i = firstInit; i < values.size(); ++i)
    for (auto [place, sum] : llvm::enumerate(sums[i - firstInit]))
      values[i].set(int64_t(place), sum.value());
  for (auto [i, result] : llvm::enumerate(step.results)) {
    const Tensor &value = values[firstInit + i];
    if (failed(step.type(i, value.shape())))
      return failure();
    result = value;
  }
  return success();
}

static LogicalResult evaluateIndex(linalg::IndexOp op, Step &step) {
  ArrayRef<int64_t> point = step.evaluator.getPoint();
  if (op.getDim() >= point.size())
    return step.error() << "expected to be within a structured operation";
  return giveIndex(step, point[op.getDim()]);
}

/// softmax(x)[i] = exp(x[i] - max x) / sum exp(x - max x), along one dimension.
static LogicalResult evaluateSoftmax(linalg::SoftmaxOp op, Step &step) {
  if (!op.hasPureTensorSemantics())
    return step.unsupported("it works on memory");
  const Tensor &input = step.tensor(0);
  FailureOr<Tensor> result = step.make(0, input.shape());
  if (failed(result) || failed(step.charge(input.shape())))
    return failure();
  const Element &element = input.element();
  int64_t dim = int64_t(op.getDimension());
  Ints outer(input.shape());
  outer[dim] = 1;
  auto exponential = [&](Scalar value, double most) -> double {
    double shifted = element.round(Scalar::real(value.re - most)).re;
    return element.round(Scalar::real(std::exp(shifted))).re;
  };
  for (Index at(outer); at; ++at) {
    Ints index(*at);
    double most = -INFINITY;
    FloatSum terms(element.bits);
    for (index[dim] = 0; index[dim] < input.dim(dim); ++index[dim])
      most = std::fmax(most, input.at(index).re);
    for (index[dim] = 0; index[dim] < input.dim(dim); ++index[dim])
      terms.add(exponential(input.at(index), most));
    double sum = element.round(Scalar::real(terms.value())).re;
    for (index[dim] = 0; index[dim] < input.dim(dim); ++index[dim])
      result->set(index,
                  Scalar::real(exponential(input.at(index), most) / sum));
  }
  step.results[0] = *result;
  return success();
}

void addStructuredRules(EvaluationRules &rules) {
  rules.addWhere([](Operation *op) { return isa<linalg::LinalgOp>(op); },
                 evaluateStructured);
  rules.add<linalg::IndexOp, evaluateIndex>();
  rules.add<linalg::SoftmaxOp, evaluateSoftmax>();
}

} // namespace mercator::reference
