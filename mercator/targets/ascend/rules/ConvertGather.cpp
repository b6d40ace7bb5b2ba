// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/ConvertGather.h"

#include "mercator/analysis/values/AscendValues.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"

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

static std::optional<sh::GatherDimensionNumbersAttr>
dimensionNumbers(Operation *op) {
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
  auto numbers = dimensionNumbers(op);
  if (!numbers)
    return {};
  SmallVector<int64_t, 6> shape(typeOf(op->getOperand(1)).getShape());
  if (int64_t(numbers->getIndexVectorDim()) < int64_t(shape.size()))
    shape.erase(shape.begin() + numbers->getIndexVectorDim());
  return shape;
}

bool ascend::isGather(Operation *op) {
  return isa<sh::GatherOp, sh::DynamicGatherOp, sh::DynamicSliceOp>(op);
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

static remark::RemarkOpts remarkOf(StringRef name, Operation *op) {
  return remark::RemarkOpts::name(name)
      .category("gather-planning")
      .function(op->getName().getStringRef());
}

static bool hasUnknownExtents(const gather::GatherProblem &problem) {
  return !areKnown(problem.operandShape) || !areKnown(problem.indicesShape);
}

std::optional<GatherPlan> ascend::planGather(Operation *op,
                                             const PlanOptions &options,
                                             EqualExtents &extents,
                                             std::string &why) {
  FailureOr<gather::GatherProblem> problem =
      gather::gatherProblem(op, why, &extents);
  if (failed(problem)) {
    remark::failed(op->getLoc(), remarkOf("not-planned", op)) << why;
    return std::nullopt;
  }
  Type element = typeOf(op->getOperand(0)).getElementType();
  gather::Planning planning = planFor(*problem, element, options);
  for (const gather::Candidate &candidate : planning.candidates)
    if (!candidate.why.empty())
      remark::missed(op->getLoc(),
                     remarkOf(gather::name(candidate.strategy), op))
          << candidate.why;
  const gather::Candidate *best = planning.best();
  // A strategy that applies gives a better reason than one that does not.
  for (const gather::Candidate &candidate : planning.candidates)
    if (why.empty() && candidate.plan)
      why = candidate.why;
  if (!best) {
    // The most general one fails last.
    if (why.empty())
      why = planning.candidates[unsigned(gather::Strategy::FlatGatherV2)].why;
    return std::nullopt;
  }
  if (options.way && best->strategy != *options.way)
    op->emitWarning() << "the way " << gather::identifier(*options.way)
                      << " is not possible for this gather: "
                      << planning.candidates[unsigned(*options.way)].why
                      << "; it is done by "
                      << gather::identifier(best->strategy);
  const gather::Cost &cost = best->cost;
  std::string costs = std::to_string(cost.bytes) + " bytes, " +
                      std::to_string(cost.indexEntries) + " index entries";
  if (hasUnknownExtents(*problem))
    costs +=
        " if unknown extents are " + std::to_string(SymbolicExtent::kTypical);
  // A cheaper strategy that applies, but not to this type, rank or device.
  const gather::Candidate *cheaper = best;
  for (const gather::Candidate &it : planning.candidates)
    if (it.plan && !it.feasible && it.cost < cheaper->cost)
      cheaper = &it;
  if (!best->why.empty())
    costs += "; operators that the cores lack run on the AI CPU";
  else if (cheaper != best)
    costs += ("; in the place of " + gather::name(cheaper->strategy) +
              ", since " + cheaper->why)
                 .str();
  remark::passed(op->getLoc(), remarkOf(gather::name(best->strategy), op))
      << costs;
  return GatherPlan{std::move(*problem), *best->plan};
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

/// Whether the plan relies on starts that are clamped at run time.
static bool isClampedHere(const gather::GatherProblem &problem,
                          const gather::Column &column) {
  return !problem.lastStart(column.dim);
}

/// Clamps the columns of the starts whose dimensions are known only at run
/// time.
static Value clampedColumns(Conversion &c, const gather::GatherProblem &problem,
                            Value starts) {
  Type element = elementOf(starts);
  bool isSigned32 = element.isSignlessInteger(32);
  SmallVector<Value> limits;
  SmallVector<int64_t> least;
  for (const gather::Column &column : problem.columns) {
    bool isClamped = isClampedHere(problem, column);
    int64_t highest = isSigned32 ? INT32_MAX : INT64_MAX;
    least.push_back(isClamped ? 0 : -highest - 1);
    if (!isClamped) {
      limits.push_back(constantInts(c.b, vectorOf(1, element), {highest}));
      continue;
    }
    Value extent = reshape(
        c.b,
        extentScalar(c.b, extentOf(c.op->getOperand(0), column.dim), element),
        ArrayRef<int64_t>({1}));
    limits.push_back(
        SubOp::create(c.b, extent.getType(), extent,
                      constantInts(c.b, vectorOf(1, element),
                                   {problem.sliceSizes[column.dim].number()})));
  }
  Value most = limits.size() == 1 ? limits[0] : concat(c.b, limits, 0);
  // Along the dimension of the vectors; new leading dimensions are implicit.
  SmallVector<int64_t> shape;
  int64_t rank = typeOf(starts).getRank(), vectorDim = problem.indexVectorDim;
  if (vectorDim < rank) {
    shape.assign(rank - vectorDim, 1);
    shape[0] = limits.size();
  }
  most = reshape(c.b, most, ArrayRef<int64_t>(shape));
  Value lowest = constantInts(c.b, typeOf(most), least);
  starts = MinimumOp::create(c.b, starts.getType(), starts, most);
  return MaximumOp::create(c.b, starts.getType(), starts, lowest);
}

/// The start indices: a tensor of index vectors, or scalars.
static ValueRange startsOf(Operation *op) {
  if (auto slice = dyn_cast<sh::DynamicSliceOp>(op))
    return slice.getStartIndices();
  return op->getOperands().slice(1, 1);
}

/// The dimension of the operand or of the start indices whose extent a symbol
/// is. Each symbol of a plan is one: slices of unknown size are whole.
static DynamicExtent symbolIn(Operation *op,
                              const gather::GatherProblem &problem,
                              SymbolicExtent::Symbol symbol) {
  auto isSymbol = [&](const SymbolicExtent &extent) {
    return llvm::equal(extent.symbols(), ArrayRef(symbol));
  };
  const auto *dim = llvm::find_if(problem.operandShape, isSymbol);
  if (dim != problem.operandShape.end())
    return extentOf(op->getOperand(0), dim - problem.operandShape.begin());
  dim = llvm::find_if(problem.indicesShape, isSymbol);
  return extentOf(op->getOperand(1), dim - problem.indicesShape.begin());
}

FailureOr<Value> ascend::convertGather(Conversion &c, const GatherPlan &plan) {
  const auto &[problem, steps] = plan;
  if (hasUnknownExtents(problem))
    c.why = whyNoConversion(c.op);
  if (!c.why.empty())
    return failure();
  SmallVector<Value, 4> starts(startsOf(c.op));
  if (llvm::any_of(problem.columns, [&](const gather::Column &column) {
        return isClampedHere(problem, column);
      })) {
    Type type = startType(elementOf(starts[0]));
    if (!type)
      return c.no("its start indices are uint64, and a dimension that they "
                  "index is known only at run time");
    // The plan casts the starts itself.
    Value wide = clampedColumns(c, problem, cast(c.b, starts[0], type));
    starts[0] = cast(c.b, wide, elementOf(starts[0]));
  }
  auto symbolOf = [&](SymbolicExtent::Symbol symbol) {
    return symbolIn(c.op, problem, symbol);
  };
  return emitPlan(c.b, steps, c.op->getOperand(0), starts, c.options.gatherV2D,
                  symbolOf);
}

//===--- Single slices ----------------------------------------------------===//

FailureOr<Value> ascend::convertSingleSlice(Conversion &c) {
  c.why = whyNoConversion(c.op);
  if (!c.why.empty())
    return failure();
  Value x = c.op->getOperand(0);
  EqualExtents &extents = *c.extents;
  auto numbers = dimensionNumbers(c.op);
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
