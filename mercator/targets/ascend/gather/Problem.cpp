// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Problem.h"

#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "mercator/support/Index.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::gather;
using indexing::Arena;
using indexing::Domain;
using indexing::Expr;
using indexing::Interval;

StringRef gather::name(Role role) {
  switch (role) {
  case Role::Batching:
    return "batching";
  case Role::Full:
    return "full";
  case Role::Trimmed:
    return "trimmed";
  case Role::Point:
    return "point";
  case Role::Window:
    return "window";
  }
  return "";
}

//===--- Questions --------------------------------------------------------===//

Extents GatherProblem::batchShape() const {
  Extents shape(indicesShape);
  if (indexVectorDim < (int64_t)shape.size())
    shape.erase(shape.begin() + indexVectorDim);
  return shape;
}

SymbolicExtent GatherProblem::batchSize() const {
  return product(batchShape());
}

std::optional<int64_t> GatherProblem::lastStart(int64_t dim) const {
  const SymbolicExtent &extent = operandShape[dim], &size = sliceSizes[dim];
  if (extent == size)
    return 0;
  if (!extent.isKnown() || !size.isKnown())
    return std::nullopt;
  return extent.number() - size.number();
}

const Column *GatherProblem::column(int64_t dim) const {
  const auto *found = llvm::find_if(
      columns, [&](const Column &column) { return column.dim == dim; });
  return found == columns.end() ? nullptr : found;
}

std::optional<int64_t> GatherProblem::fixedStart(int64_t dim) const {
  const Column *named = column(dim);
  std::optional<int64_t> last = lastStart(dim);
  if (!named || last == 0)
    return 0;
  if (!named->starts.isPoint() || !last)
    return std::nullopt;
  return std::clamp<int64_t>(named->starts.lower, 0, *last);
}

Ints GatherProblem::batchingAxes() const {
  Ints axes(operandShape.size(), -1);
  for (auto [dim, at] :
       llvm::zip_equal(operandBatchingDims, startIndicesBatchingDims))
    axes[dim] = at < indexVectorDim ? at : at - 1;
  Extents batch = batchShape();
  auto isInRange = [&](const Column &column) {
    const SymbolicExtent &count = batch[*column.iotaAxis],
                         &extent = operandShape[column.dim];
    if (!count.isKnown() || !extent.isKnown())
      return count == extent && column.iotaOffset == 0;
    return column.iotaOffset >= 0 &&
           count.number() <= extent.number() - column.iotaOffset;
  };
  for (const Column &column : columns)
    if (column.iotaAxis && sliceSizes[column.dim] == 1 &&
        !isWhole(column.dim) && !llvm::is_contained(axes, *column.iotaAxis) &&
        isInRange(column))
      axes[column.dim] = *column.iotaAxis;
  return axes;
}

int64_t GatherProblem::batchingOffset(int64_t dim) const {
  const Column *named = column(dim);
  return named ? named->iotaOffset : 0;
}

SmallVector<Role, 4> GatherProblem::roles() const {
  SmallVector<Role, 4> roles;
  for (auto [dim, axis] : llvm::enumerate(batchingAxes())) {
    if (axis >= 0)
      roles.push_back(Role::Batching);
    // Also if a column names it: the clamp allows only 0.
    else if (isWhole(dim))
      roles.push_back(Role::Full);
    else if (fixedStart(dim))
      roles.push_back(Role::Trimmed);
    else
      roles.push_back(sliceSizes[dim] == 1 ? Role::Point : Role::Window);
  }
  return roles;
}

bool GatherProblem::isOffset(int64_t dim) const {
  return !llvm::is_contained(collapsedSliceDims, dim) &&
         !llvm::is_contained(operandBatchingDims, dim);
}

//===--- From operations --------------------------------------------------===//

namespace {
struct Reader {
  GatherProblem problem;
  std::string &why;
  EqualExtents *extents = nullptr;
  Extents declared = {}; ///< the declared shape of the result

  /// Requires: the shape is static, or there are `extents`.
  Extents shapeOf(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Extents shape;
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      shape.push_back(ShapedType::isDynamic(extent)
                          ? SymbolicExtent::of(*extents, tensor, dim)
                          : SymbolicExtent(extent));
    return shape;
  }

  LogicalResult refuse(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  /// Whether the size, with 16 bytes for each element, fits in 64 bits.
  static bool fits(ArrayRef<SymbolicExtent> shape) {
    int64_t size = 16;
    return llvm::all_of(shape, [&](const SymbolicExtent &extent) {
      return !llvm::MulOverflow(size, std::max<int64_t>(extent.known(), 1),
                                size);
    });
  }

  /// `starts` is null for the scalars of a dynamic_slice.
  LogicalResult shapes(Value operand, RankedTensorType indices, Value result,
                       Value starts = nullptr) {
    auto in = dyn_cast<RankedTensorType>(operand.getType()),
         out = dyn_cast<RankedTensorType>(result.getType());
    if (!in || !out || !indices)
      return refuse("the shapes are known only at run time");
    bool isStatic =
        in.hasStaticShape() && indices.hasStaticShape() && out.hasStaticShape();
    if (!isStatic && !extents)
      return refuse("the shapes are known only at run time");
    declared = shapeOf(result);
    problem.operandShape = shapeOf(operand);
    if (starts)
      problem.indicesShape = shapeOf(starts);
    else
      problem.indicesShape.assign(indices.getShape().begin(),
                                  indices.getShape().end());
    for (const Extents *shape :
         {&declared, &problem.operandShape, &problem.indicesShape})
      if (!fits(*shape))
        return refuse("a tensor has more bytes than 64 bits can count");
    Type element = in.getElementType();
    unsigned bits = 8;
    if (auto complex = dyn_cast<ComplexType>(element))
      bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
    else if (element.isIntOrFloat())
      bits = element.getIntOrFloatBitWidth();
    problem.elementBytes = (bits + 7) / 8;
    problem.isBoolean = element.isInteger(1);
    auto index = dyn_cast<IntegerType>(indices.getElementType());
    if (!index)
      return refuse("the start indices are not integers");
    problem.indexBits = index.getWidth();
    problem.indexIsSigned = !index.isUnsigned();
    return success();
  }

  void dimensions(stablehlo::GatherDimensionNumbersAttr dims) {
    problem.offsetDims = Ints(dims.getOffsetDims());
    problem.collapsedSliceDims = Ints(dims.getCollapsedSliceDims());
    problem.operandBatchingDims = Ints(dims.getOperandBatchingDims());
    problem.startIndicesBatchingDims = Ints(dims.getStartIndicesBatchingDims());
    problem.startIndexMap = Ints(dims.getStartIndexMap());
    problem.indexVectorDim = dims.getIndexVectorDim();
  }

  /// Whether the slices are in range, as far as that is known.
  LogicalResult sizes() {
    bool isStatic = areKnown(problem.operandShape) &&
                    areKnown(problem.indicesShape) && areKnown(declared);
    for (auto [dim, extent, size] :
         llvm::enumerate(problem.operandShape, problem.sliceSizes)) {
      if (size == extent)
        continue;
      if (!size.isKnown())
        return refuse("the size of its slices in dimension " + Twine(dim) +
                      " is known only at run time");
      if (size.number() < 0 ||
          (extent.isKnown() && size.number() > extent.number()))
        return refuse("a slice is larger than its dimension");
    }
    // GE counts unknown extents in int32, and so do clamps at run time.
    if (!isStatic &&
        llvm::any_of(problem.operandShape, [](const SymbolicExtent &extent) {
          return extent.isKnown() && extent.number() > INT32_MAX;
        }))
      return refuse("a dimension has more elements than an int32 counts");
    return success();
  }

  /// Computes the shape that the dimension numbers give the result.
  LogicalResult result() {
    if (failed(sizes()))
      return failure();
    bool hasNone = false;
    Extents parts, batch = problem.batchShape();
    for (auto [dim, size] : llvm::enumerate(problem.sliceSizes)) {
      if (problem.isOffset(dim))
        parts.push_back(size);
      else
        hasNone |= size == 0;
    }
    const SymbolicExtent *nextBatch = batch.begin(), *nextPart = parts.begin();
    for (int64_t i = 0, rank = batch.size() + parts.size(); i < rank; ++i)
      problem.resultShape.push_back(llvm::is_contained(problem.offsetDims, i)
                                        ? *nextPart++
                                        : *nextBatch++);
    if (hasNone && !llvm::is_contained(problem.resultShape, SymbolicExtent(0)))
      return refuse("a slice of size 0 in a dimension that is not in the "
                    "result has no elements");
    if (problem.resultShape != declared)
      return refuse("the sizes of the slices do not give the shape of the type "
                    "of the result");
    return success();
  }

  /// Finds facts about the columns of a tensor of start indices.
  void starts(Value indices) {
    Arena arena;
    Domain domain;
    SmallVector<Expr> batch;
    for (const SymbolicExtent &extent : problem.batchShape())
      batch.push_back(domain.addDim(
          arena, extent.isKnown() ? Interval::ofSize(extent.number())
                                  : Interval{0, Interval::kMax}));
    KnownValues known(arena, domain);
    for (auto [k, dim] : llvm::enumerate(problem.startIndexMap)) {
      Column column;
      column.dim = dim;
      KnownElement found = known.element(indices, vectorAt(arena, batch, k));
      column.starts = found.range;
      if (found.exact) {
        column.starts = indexing::IntervalAnalysis(arena, domain)
                            .interval(found.exact)
                            .intersect(found.range);
        count(column, arena, found.exact, batch, domain);
      }
      problem.columns.push_back(column);
    }
    constants(indices);
    clampedByCaller();
  }

  /// Starts in dimensions of unknown extent are in range, and nothing more is
  /// known of them.
  void clampedByCaller() {
    for (Column &column : problem.columns) {
      if (problem.operandShape[column.dim].isKnown())
        continue;
      bool isWhole = problem.isWhole(column.dim);
      column.starts = {0, isWhole ? 0 : INT32_MAX};
      if (!isWhole)
        problem.constantStarts.reset();
    }
  }

  /// The index of component `k` of the vector at a batch index.
  SmallVector<Expr> vectorAt(Arena &arena, ArrayRef<Expr> batch, int64_t k) {
    SmallVector<Expr> at(batch);
    if (problem.indexVectorDim < (int64_t)problem.indicesShape.size())
      at.insert(at.begin() + problem.indexVectorDim, arena.constant(k));
    return at;
  }

  /// Recognizes a column that counts along a batch axis.
  static void count(Column &column, Arena &arena, Expr exact,
                    ArrayRef<Expr> batch, const Domain &domain) {
    for (auto [axis, coordinate] : llvm::enumerate(batch)) {
      // An axis of one element is no iota: its coordinate is a constant.
      if (domain.dims[axis].bounds.upper <= 0)
        continue;
      Expr offset = arena.sub(exact, coordinate);
      if (!arena.isConstant(offset))
        continue;
      column.iotaAxis = axis;
      column.iotaOffset = arena.constantValue(offset);
    }
  }

  /// Start indices that are constants, or that are computed from constants and
  /// iotas.
  void constants(Value indices) {
    constexpr int64_t kMaxConstant = 1 << 16, kMaxAsked = 64;
    DenseIntElementsAttr values;
    if (matchPattern(indices, m_Constant(&values))) {
      if (values.getNumElements() > kMaxConstant)
        return;
      problem.constantStarts.emplace();
      for (const APInt &value : values)
        problem.constantStarts->push_back(
            problem.indexIsSigned
                ? value.getSExtValue()
                : (int64_t)value.getLimitedValue(Interval::kMax));
      return;
    }
    // One query for each element; for dynamic values the first query ends the
    // loop.
    SymbolicExtent count = problem.batchSize() * problem.columns.size();
    if (!areKnown(problem.indicesShape) || count.number() > kMaxAsked ||
        count == 0)
      return;
    SmallVector<int64_t> found;
    Arena arena;
    Domain domain;
    SmallVector<Expr> index(problem.indicesShape.size());
    Ints shape = numbersOf(problem.indicesShape);
    for (Index at(shape); at; ++at) {
      for (auto [e, i] : llvm::zip_equal(index, *at))
        e = arena.constant(i);
      KnownElement element = KnownValues(arena, domain).element(indices, index);
      if (!element.exact || !arena.isConstant(element.exact))
        return;
      found.push_back(arena.constantValue(element.exact));
    }
    problem.constantStarts = std::move(found);
  }
};
} // namespace

static Extents extentsOf(ArrayRef<int64_t> numbers) {
  return Extents(numbers.begin(), numbers.end());
}

static FailureOr<GatherProblem>
ofGather(Operation *op, Value operand, Value indices,
         stablehlo::GatherDimensionNumbersAttr dims, const Extents &sizes,
         std::string &why, EqualExtents *extents) {
  Reader reader{.problem = {}, .why = why, .extents = extents};
  if (failed(reader.shapes(operand,
                           dyn_cast<RankedTensorType>(indices.getType()),
                           op->getResult(0), indices)))
    return failure();
  reader.dimensions(dims);
  reader.problem.sliceSizes = sizes;
  if (failed(reader.result()))
    return failure();
  reader.starts(indices);
  return std::move(reader.problem);
}

static FailureOr<GatherProblem> ofSlice(stablehlo::DynamicSliceOp op,
                                        std::string &why) {
  Reader reader{.problem = {}, .why = why};
  GatherProblem &problem = reader.problem;
  int64_t rank = cast<RankedTensorType>(op.getOperand().getType()).getRank();
  Type element = op.getStartIndices().empty()
                     ? IntegerType::get(op.getContext(), 32)
                     : cast<RankedTensorType>(op.getStartIndices()[0].getType())
                           .getElementType();
  if (failed(reader.shapes(op.getOperand(),
                           RankedTensorType::get({rank}, element),
                           op.getResult())))
    return failure();
  problem.sliceSizes = extentsOf(op.getSliceSizes());
  for (int64_t dim = 0; dim < rank; ++dim) {
    problem.offsetDims.push_back(dim);
    problem.startIndexMap.push_back(dim);
  }
  if (failed(reader.result()))
    return failure();
  Arena arena;
  Domain domain;
  KnownValues known(arena, domain);
  problem.constantStarts.emplace();
  for (auto [dim, start] : llvm::enumerate(op.getStartIndices())) {
    Column column;
    column.dim = dim;
    KnownElement found = known.element(start, {});
    column.starts = found.range;
    if (found.exact) {
      Interval exact =
          indexing::IntervalAnalysis(arena, domain).interval(found.exact);
      column.starts = exact;
      if (exact.isPoint() && problem.constantStarts)
        problem.constantStarts->push_back(exact.lower);
      else
        problem.constantStarts.reset();
    } else {
      problem.constantStarts.reset();
    }
    problem.columns.push_back(column);
  }
  return std::move(problem);
}

/// The sizes of the slices; none if nothing is known of them.
static std::optional<Extents> sizesOf(stablehlo::DynamicGatherOp op,
                                      EqualExtents *extents) {
  Arena arena;
  if (auto known = knownIntegers(arena, op.getSliceSizes()))
    return extentsOf(*known);
  if (!extents)
    return std::nullopt;
  Extents sizes;
  auto type = cast<RankedTensorType>(op.getSliceSizes().getType());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    sizes.push_back(
        SymbolicExtent::of(*extents, extents->element(op.getSliceSizes(), i)));
  return sizes;
}

FailureOr<GatherProblem> gather::gatherProblem(Operation *op, std::string &why,
                                               EqualExtents *extents) {
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    return ofGather(op, gather.getOperand(), gather.getStartIndices(),
                    gather.getDimensionNumbers(),
                    extentsOf(gather.getSliceSizes()), why, extents);
  if (auto gather = dyn_cast<stablehlo::DynamicGatherOp>(op)) {
    std::optional<Extents> sizes = sizesOf(gather, extents);
    auto type = cast<RankedTensorType>(gather.getOperand().getType());
    if (sizes && (int64_t)sizes->size() == type.getRank())
      return ofGather(op, gather.getOperand(), gather.getStartIndices(),
                      gather.getDimensionNumbers(), *sizes, why, extents);
    why = "the sizes of the slices are known only at run time";
    return failure();
  }
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    return ofSlice(slice, why);
  why = ("expected a gather, got " + op->getName().getStringRef()).str();
  return failure();
}
