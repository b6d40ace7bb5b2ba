// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/DynamicGather.h"

#include "mercator/analysis/values/AscendValues.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

using Id = EqualExtents::Id;

//===--- Slices -----------------------------------------------------------===//

namespace {
/// The size of a slice in one dimension: a number, or the id of an extent.
struct SliceSize {
  std::optional<int64_t> known;
  std::optional<Id> id;
};
} // namespace

static std::optional<sh::GatherDimensionNumbersAttr> numbersOf(Operation *op) {
  if (auto gather = dyn_cast<sh::GatherOp>(op))
    return gather.getDimensionNumbers();
  if (auto gather = dyn_cast<sh::DynamicGatherOp>(op))
    return gather.getDimensionNumbers();
  return std::nullopt;
}

static SmallVector<SliceSize, 6> sliceSizes(Operation *op,
                                            EqualExtents &extents) {
  SmallVector<SliceSize, 6> sizes;
  auto add = [&](ArrayRef<int64_t> numbers) {
    for (int64_t size : numbers)
      sizes.push_back({size, std::nullopt});
  };
  if (auto gather = dyn_cast<sh::GatherOp>(op))
    add(gather.getSliceSizes());
  else if (auto slice = dyn_cast<sh::DynamicSliceOp>(op))
    add(slice.getSliceSizes());
  else
    for (int64_t i = 0, rank = typeOf(op->getOperand(0)).getRank(); i < rank;
         ++i) {
      Id id = extents.element(cast<sh::DynamicGatherOp>(op).getSliceSizes(), i);
      sizes.push_back({extents.constant(id), id});
    }
  return sizes;
}

/// Whether a slice takes the whole dimension of the operand in every run.
static bool isWhole(Operation *op, int64_t dim, const SliceSize &size,
                    EqualExtents &extents) {
  Id extent = extents.extent(op->getOperand(0), dim);
  if (size.known)
    return extents.constant(extent) == size.known;
  return size.id == extent;
}

/// The shape of the start indices without the dimension of their vectors.
static SmallVector<int64_t, 6> batchShape(Operation *op) {
  auto numbers = numbersOf(op);
  if (!numbers)
    return {};
  SmallVector<int64_t, 6> shape(typeOf(op->getOperand(1)).getShape());
  if (int64_t(numbers->getIndexVectorDim()) < int64_t(shape.size()))
    shape.erase(shape.begin() + numbers->getIndexVectorDim());
  return shape;
}

bool ascend::isSingleSlice(Operation *op) {
  return llvm::all_of(batchShape(op),
                      [](int64_t extent) { return extent == 1; });
}

bool ascend::isDynamicGather(Operation *op, EqualExtents &extents) {
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type)
        return false;
      if (!type.hasStaticShape())
        return true;
    }
  return llvm::any_of(sliceSizes(op, extents),
                      [](const SliceSize &size) { return !size.known; });
}

//===--- Plans ------------------------------------------------------------===//

namespace {
/// One choice of primes for the extents of a gather.
class Assignment {
public:
  Assignment(Operation *op, EqualExtents &extents, bool isSecond)
      : extents(extents), isSecond(isSecond) {
    for (Value value : op->getOperands())
      for (int64_t extent : typeOf(value).getShape())
        if (!ShapedType::isDynamic(extent))
          numbers.push_back(extent);
    for (const SliceSize &size : sliceSizes(op, extents))
      numbers.push_back(size.known.value_or(1));
  }

  int64_t of(Id id) {
    if (std::optional<int64_t> known = extents.constant(id))
      return *known;
    auto [prime, isNew] = primes.try_emplace(id, 0);
    if (isNew)
      prime->second = next();
    return prime->second;
  }
  const std::map<Id, int64_t> &all() const { return primes; }

  /// A number of a plan as a known factor and the extents it is made of.
  std::pair<int64_t, std::map<Id, int>> factors(int64_t number) const {
    std::map<Id, int> ids;
    for (auto [id, prime] : primes)
      for (; number > 0 && number % prime == 0; number /= prime)
        ++ids[id];
    return {number, ids};
  }

private:
  static bool isPrime(int64_t n) {
    for (int64_t i = 2; i * i <= n; ++i)
      if (n % i == 0)
        return false;
    return true;
  }
  /// The second choice has the opposite order and other primes.
  int64_t next() {
    int64_t step = isSecond ? -1 : 1;
    auto isBad = [&](int64_t n) {
      return !isPrime(n) || llvm::any_of(numbers, [&](int64_t number) {
        return number != 0 && number % n == 0;
      });
    };
    do
      last += step;
    while (isBad(last));
    return last;
  }

  EqualExtents &extents;
  bool isSecond;
  int64_t last = isSecond ? 2000 : 1000;
  std::map<Id, int64_t> primes;
  SmallVector<int64_t> numbers;
};
} // namespace

static FailureOr<gather::GatherProblem> problemOf(Operation *op,
                                                  EqualExtents &extents,
                                                  Assignment &assignment,
                                                  std::string &why) {
  auto extent = [&](Value tensor, int64_t dim) {
    return assignment.of(extents.extent(tensor, dim));
  };
  auto element = [&](Value vector, int64_t i) {
    return assignment.of(extents.element(vector, i));
  };
  gather::StandIns standIns{extent, element};
  return gather::gatherProblem(op, why, &standIns);
}

static bool isSamePlan(const gather::Plan &a, const Assignment &inA,
                       const gather::Plan &b, const Assignment &inB) {
  return llvm::all_of_zip(
             a.steps, b.steps,
             [&](const gather::PlanStep &x, const gather::PlanStep &y) {
               return x.kind == y.kind && x.inputs == y.inputs &&
                      x.ints == y.ints && x.values == y.values &&
                      x.indexBits == y.indexBits &&
                      x.indexIsSigned == y.indexIsSigned &&
                      x.shape.size() == y.shape.size() &&
                      llvm::all_of_zip(
                          x.shape, y.shape, [&](int64_t m, int64_t n) {
                            return inA.factors(m) == inB.factors(n);
                          });
             }) &&
         a.steps.size() == b.steps.size();
}

/// Why the sizes of the slices cannot be planned; empty if they can.
static std::string whyNotSizes(Operation *op, EqualExtents &extents) {
  for (auto [dim, size] : llvm::enumerate(sliceSizes(op, extents)))
    if (!size.known && !isWhole(op, dim, size, extents))
      return "the size of its slices in dimension " + std::to_string(dim) +
             " is known only at run time";
  for (int64_t extent : typeOf(op->getOperand(0)).getShape())
    if (extent > INT32_MAX)
      return "a dimension has more elements than an int32 counts";
  return "";
}

std::optional<DynamicPlan> ascend::planDynamicGather(Operation *op,
                                                     const PlanOptions &options,
                                                     EqualExtents &extents,
                                                     std::string &why) {
  why = whyNotSizes(op, extents);
  if (!why.empty())
    return std::nullopt;
  Assignment first(op, extents, /*isSecond=*/false),
      second(op, extents, /*isSecond=*/true);
  // The second choice gives the extents numbers in the opposite order.
  FailureOr<gather::GatherProblem> problem = problemOf(op, extents, first, why);
  FailureOr<gather::GatherProblem> other = problemOf(op, extents, second, why);
  if (failed(problem) || failed(other))
    return std::nullopt;
  Type element = typeOf(op->getOperand(0)).getElementType();
  gather::Planning planning = planFor(*problem, element, options),
                   again = planFor(*other, element, options);
  const gather::Candidate *best = planning.best();
  if (!best) {
    why = "no device executes its plans";
    return std::nullopt;
  }
  const gather::Candidate &match = again.candidates[unsigned(best->strategy)];
  auto isSame = [&](const gather::Plan &plan) {
    return isSamePlan(*best->plan, first, plan, second);
  };
  if (!match.plan ||
      (!isSame(*match.plan) && llvm::none_of(match.others, isSame))) {
    why = "its plan depends on an extent that is known only at run time";
    return std::nullopt;
  }
  DynamicPlan out{*best->plan, best->strategy, {}, {}, {}};
  for (bool isOfOperand : {true, false}) {
    if (!isOfOperand && !numbersOf(op))
      continue;
    Value tensor = op->getOperand(isOfOperand ? 0 : 1);
    for (int64_t dim = 0, rank = typeOf(tensor).getRank(); dim < rank; ++dim) {
      auto prime = first.all().find(extents.extent(tensor, dim));
      if (prime != first.all().end())
        out.standIns.push_back({prime->second, isOfOperand, dim});
    }
  }
  for (const gather::Column &column : problem->columns) {
    out.isClamped.push_back(
        problem->isStandIn(problem->operandShape[column.dim]) &&
        problem->lastStart(column.dim) != 0);
    out.columns.push_back({column.dim, problem->sliceSizes[column.dim]});
  }
  return out;
}

//===--- Emission ---------------------------------------------------------===//

/// A type to compute starts in: signed, with 32 or 64 bits. Null for ui64.
static Type startType(Type element) {
  MLIRContext *context = element.getContext();
  if (!rangeOf(element))
    return nullptr;
  bool isWide =
      element.getIntOrFloatBitWidth() == 64 ||
      (element.isUnsignedInteger() && element.getIntOrFloatBitWidth() == 32);
  return IntegerType::get(context, isWide ? 64 : 32);
}

static RankedTensorType vectorOf(int64_t count, Type element) {
  return RankedTensorType::get({count}, element);
}

/// Clamps the columns of the starts whose dimensions are known only at run
/// time.
static Value clampedColumns(Conversion &c, const DynamicPlan &plan,
                            Value starts, int64_t vectorDim) {
  Type element = elementOf(starts);
  bool isSigned32 = element.isSignlessInteger(32);
  SmallVector<Value> limits;
  SmallVector<int64_t> least;
  for (auto [isClamped, column] :
       llvm::zip_equal(plan.isClamped, plan.columns)) {
    auto [dim, size] = column;
    int64_t highest = isSigned32 ? INT32_MAX : INT64_MAX;
    least.push_back(isClamped ? 0 : -highest - 1);
    if (!isClamped) {
      limits.push_back(constantInts(c.b, vectorOf(1, element), {highest}));
      continue;
    }
    Value extent = reshape(
        c.b, extentScalar(c.b, extentOf(c.op->getOperand(0), dim), element),
        ArrayRef<int64_t>({1}));
    limits.push_back(
        SubOp::create(c.b, extent.getType(), extent,
                      constantInts(c.b, vectorOf(1, element), {size})));
  }
  Value most = limits.size() == 1 ? limits[0] : concat(c.b, limits, 0);
  // Along the dimension of the vectors; new leading dimensions are implicit.
  SmallVector<int64_t> shape;
  int64_t rank = typeOf(starts).getRank();
  if (vectorDim < rank) {
    shape.assign(rank - vectorDim, 1);
    shape[0] = limits.size();
  }
  most = reshape(c.b, most, ArrayRef<int64_t>(shape));
  Value lowest = constantInts(c.b, typeOf(most), least);
  starts = MinimumOp::create(c.b, starts.getType(), starts, most);
  return MaximumOp::create(c.b, starts.getType(), starts, lowest);
}

FailureOr<Value> ascend::emitDynamicPlan(Conversion &c,
                                         const DynamicPlan &plan) {
  Value operand = c.op->getOperand(0), starts = c.op->getOperand(1);
  if (llvm::is_contained(plan.isClamped, true)) {
    Type type = startType(elementOf(starts));
    if (!type)
      return c.no("its start indices are uint64, and a dimension that they "
                  "index is known only at run time");
    // The plan casts the starts itself.
    Value wide = cast(c.b, starts, type);
    wide = clampedColumns(c, plan, wide, numbersOf(c.op)->getIndexVectorDim());
    starts = cast(c.b, wide, elementOf(starts));
  }
  auto extent = [&](int64_t number) {
    DynamicExtent out;
    for (const StandIn &standIn : plan.standIns) {
      for (; number > 0 && number % standIn.prime == 0; number /= standIn.prime)
        out =
            out * extentOf(standIn.isOfOperand ? operand : c.op->getOperand(1),
                           standIn.dim);
    }
    out.known *= number;
    return out;
  };
  return emitPlan(c.b, plan.plan, operand, starts, c.options.gatherV2D, extent);
}

//===--- Single slices ----------------------------------------------------===//

FailureOr<Value> ascend::convertSingleSlice(Conversion &c) {
  Value x = c.op->getOperand(0);
  EqualExtents &extents = *c.extents;
  auto numbers = numbersOf(c.op);
  int64_t rank = typeOf(x).getRank();
  SmallVector<SliceSize, 6> sizes = sliceSizes(c.op, extents);
  Type given = elementOf(c.op->getOperand(1)), type = startType(given);
  if (!type)
    return c.no("its start indices are uint64, and a dimension is known only "
                "at run time");
  // The start of each dimension as a vector of one element.
  Value zero = constantInts(c.b, vectorOf(1, type), {0});
  SmallVector<Value> starts(rank, zero);
  bool isMoved = false;
  auto setStart = [&](int64_t dim, Value start) {
    if (isWhole(c.op, dim, sizes[dim], extents))
      return;
    isMoved = true;
    starts[dim] = cast(c.b, reshape(c.b, start, ArrayRef<int64_t>({1})), type);
  };
  if (!numbers) {
    for (int64_t dim = 0; dim < rank; ++dim)
      setStart(dim, c.op->getOperand(dim + 1));
  } else {
    ArrayRef<int64_t> dims = numbers->getStartIndexMap();
    Value all = reshape(c.b, c.op->getOperand(1),
                        ArrayRef<int64_t>({int64_t(dims.size())}));
    for (auto [k, dim] : llvm::enumerate(dims))
      setStart(dim, dims.size() == 1 ? all : elementOfVector(c.b, all, k));
  }
  // The sizes, as extents where they are extents of x.
  DynamicShape shape;
  bool isKnown = true;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool whole = isWhole(c.op, dim, sizes[dim], extents);
    isKnown &= whole || sizes[dim].known;
    shape.push_back(whole ? extentOf(x, dim)
                          : DynamicExtent::of(sizes[dim].known.value_or(
                                ShapedType::kDynamic)));
  }
  Value size =
      isKnown ? shapeVector(c.b, shape)
              : asExtents(c.b, cast<sh::DynamicGatherOp>(c.op).getSliceSizes());
  SmallVector<int64_t, 6> sliced = sizesOf(shape);
  Value offsets;
  if (isMoved) {
    offsets = starts.size() == 1 ? starts[0] : concat(c.b, starts, 0);
    Value whole = cast(c.b, shapeVector(c.b, dynamicShapeOf(x)), type);
    Value last =
        SubOp::create(c.b, vectorOf(rank, type), whole, cast(c.b, size, type));
    offsets = MinimumOp::create(c.b, offsets.getType(), offsets, last);
    offsets = MaximumOp::create(c.b, offsets.getType(), offsets,
                                constantInts(c.b, vectorOf(1, type), {0}));
  } else {
    offsets = constantVector(c.b, SmallVector<int64_t>(rank, 0));
  }
  bool isBoolean = elementOf(x).isInteger(1);
  Value moved = isBoolean ? cast(c.b, x, c.b.getI8Type()) : x;
  moved =
      SliceOp::create(c.b, typeOf(moved).clone(sliced), moved, offsets, size);
  if (isBoolean)
    moved = cast(c.b, moved, c.b.getI1Type());
  if (!numbers)
    return moved;
  // Without collapsed dimensions, with the batch dimensions of one element.
  DynamicShape result;
  int64_t next = 0;
  auto isDropped = [&](int64_t dim) {
    return llvm::is_contained(numbers->getCollapsedSliceDims(), dim) ||
           llvm::is_contained(numbers->getOperandBatchingDims(), dim);
  };
  for (int64_t i = 0, count = c.type().getRank(); i < count; ++i) {
    if (!llvm::is_contained(numbers->getOffsetDims(), i)) {
      result.push_back(DynamicExtent::of(1));
      continue;
    }
    while (isDropped(next))
      ++next;
    result.push_back(extentOf(moved, next++));
  }
  return reshape(c.b, moved, result);
}
