// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose shapes, starts or paddings are operands. What of them says
// where an element comes from is read by every element; what only says the
// result's shape is read by none. Where they are known the operation is the one
// with attributes, and has its maps; elsewhere they are runtime variables, as
// far as that says it all.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;

namespace {

using OptionalSizes = std::optional<SmallVector<int64_t>>;

RankedTensorType tensorOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// The type with these sizes; none where they contradict it.
std::optional<RankedTensorType> withSizes(RankedTensorType type,
                                          ArrayRef<int64_t> sizes) {
  if (type.getRank() != (int64_t)sizes.size())
    return std::nullopt;
  for (auto [declared, size] : llvm::zip_equal(type.getShape(), sizes))
    if (size < 0 || !fits(size) ||
        (!mlir::ShapedType::isDynamic(declared) && declared != size))
      return std::nullopt;
  return RankedTensorType::get(sizes, type.getElementType());
}

/// The sizes that a shape operand holds, else those of the result's type.
std::optional<RankedTensorType> knownType(const Query &q, Value result,
                                          Value shape) {
  RankedTensorType type = tensorOf(result);
  if (OptionalSizes sizes = knownVector(q.arena, shape))
    if (auto known = withSizes(type, *sizes))
      return known;
  return type.hasStaticShape() ? std::optional(type) : std::nullopt;
}

/// The maps of the operation with attributes that this one is. It is made for
/// the question alone and never part of the program.
template <typename Op, typename... Args>
MapSet asStatic(const Query &q, mlir::Operation *op, RankedTensorType result,
                unsigned operand, Args... args) {
  mlir::OpBuilder builder(op->getContext());
  Op fixed = Op::create(builder, op->getLoc(), result, args...);
  MapSet maps = mapsOf(fixed, q.arena, q.direction, operand, q.result);
  fixed->erase();
  return maps;
}

/// The element of a vector as an index value, where a map is being made.
IndexValue entry(const Map &map, Value vector, int64_t i) {
  return indexValue(*map.arena, map.domain, vector, map.arena->constant(i));
}

/// A shape, a limit, padding at the end: they only say how large the result is.
MapSet shapeAlone(const Query &q) { return q.nothing(); }

/// Every element reads the elements of the operand within the box.
Map readsBox(const Query &q, ArrayRef<Interval> box) {
  if (q.direction == Direction::InToOut) {
    Map map = q.everything();
    if (!map.isKnownEmpty())
      for (auto [dim, interval] : llvm::zip_equal(map.domain.dims, box))
        dim.bounds = interval;
    return map;
  }
  if (llvm::is_contained(q.out, 0))
    return q.nothing();
  Map map = Map::toScalar(q.arena, q.out);
  for (Interval interval : box)
    map.results.push_back(map.domain.addRange(q.arena, interval));
  return map;
}

//===--- Broadcasts and reshapes ------------------------------------------===//

/// A dimension of the operand that may have size 1 or that of the result stands
/// for two maps; three of them already for the whole dimensions.
MapSet dynamicBroadcastMaps(stablehlo::DynamicBroadcastInDimOp op,
                            const Query &q) {
  if (q.operand == 1)
    return shapeAlone(q);
  RankedTensorType type = tensorOf(op.getOperand());
  SmallVector<int64_t> in = q.in, out = q.out;
  if (auto known = knownType(q, op.getResult(), op.getOutputDimensions()))
    out.assign(known->getShape().begin(), known->getShape().end());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  auto lists = [](std::optional<ArrayRef<int64_t>> list, int64_t dim) {
    return list && llvm::is_contained(*list, dim);
  };
  SmallVector<int64_t> unsure;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
    if (lists(op.getKnownExpandingDimensions(), i))
      in[i] = 1;
    if (!type.isDynamicDim(i) || in[i] == 1)
      continue;
    if (lists(op.getKnownNonexpandingDimensions(), i) || out[dims[i]] == 1)
      in[i] = out[dims[i]];
    else
      unsure.push_back(i);
  }
  constexpr llvm::StringLiteral kReason =
      "dynamic_broadcast_in_dim: whether a dimension has size 1 is known only "
      "when the program runs";
  if (unsure.size() > 2) {
    SmallVector<int64_t> source(q.to().size(), -1);
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!llvm::is_contained(unsure, (int64_t)i) && in[i] != 1)
        source[q.direction == Direction::OutToIn ? i : dim] =
            q.direction == Direction::OutToIn ? dim : (int64_t)i;
    return q.direction == Direction::OutToIn
               ? q.approximate(selectDims(q.arena, out, in, source), kReason)
               : q.approximate(selectDims(q.arena, in, out, source), kReason);
  }
  MapSet maps;
  for (unsigned choice = 0; choice < 1u << unsure.size(); ++choice) {
    for (auto [bit, i] : llvm::enumerate(unsure))
      in[i] = choice >> bit & 1 ? 1 : out[dims[i]];
    OperandMap m{broadcast(q.arena, q.direction, in, out, dims), unsure.empty(),
                 unsure.empty() ? "" : kReason.str()};
    maps.insert(std::move(m));
  }
  return maps;
}

/// A reshape of which only the outermost sizes are not known: the order of the
/// elements does not depend on them.
Map reshapeBelowOutermost(const Query &q) {
  Arena &arena = q.arena;
  Map map(arena);
  for (int64_t size : q.from())
    map.domain.addDim(arena, Interval::ofSize(size));
  Expr place = arena.constant(0);
  for (auto [i, size] : llvm::enumerate(q.from()))
    place = arena.add(i == 0 ? place : arena.scale(place, size), arena.dim(i));
  map.results.resize(q.to().size());
  for (size_t i = q.to().size(); i-- > 1;) {
    map.results[i] = arena.mod(place, q.to()[i]);
    place = arena.floorDiv(place, q.to()[i]);
  }
  map.results[0] = place;
  // Where the bound of one side is larger, what lies beyond the other's cannot
  // be.
  if (q.to()[0] != Interval::kMax)
    map.domain.addConstraint(place, Interval::ofSize(q.to()[0]));
  return map;
}

MapSet dynamicReshapeMaps(stablehlo::DynamicReshapeOp op, const Query &q) {
  if (q.operand == 1)
    return shapeAlone(q);
  RankedTensorType in = tensorOf(op.getOperand());
  auto out = knownType(q, op.getResult(), op.getOutputShape());
  if (in.hasStaticShape() && out && productFits(in.getShape()) &&
      productFits(out->getShape()) &&
      in.getNumElements() == out->getNumElements())
    return asStatic<stablehlo::ReshapeOp>(q, op, *out, 0, op.getOperand());
  RankedTensorType declared = tensorOf(op.getResult());
  auto onlyOutermost = [](RankedTensorType type) {
    ArrayRef<int64_t> inner = type.getShape().drop_front();
    return type.getRank() > 0 && llvm::all_of(inner, [](int64_t size) {
             return size > 0; // not dynamic, and not empty
           });
  };
  auto innerFits = [](Sizes sizes) { return productFits(sizes.drop_front()); };
  if (in.getRank() > 0 && declared.getRank() > 0 && onlyOutermost(in) &&
      onlyOutermost(declared) && innerFits(q.in) && innerFits(q.out) &&
      (q.in[0] == Interval::kMax || productFits(q.in)) &&
      (q.out[0] == Interval::kMax || productFits(q.out)))
    return reshapeBelowOutermost(q);
  return q.everything("dynamic_reshape: the shape is known only when the "
                      "program runs");
}

//===--- Slices -----------------------------------------------------------===//

/// result[d] = operand[start + d * stride]: starts and strides that are not
/// known are runtime variables. A start outside the operand is an error of the
/// program, so it does not matter what it is clamped to.
MapSet realDynamicSliceMaps(stablehlo::RealDynamicSliceOp op, const Query &q) {
  enum { Operand, Starts, Limits };
  if (q.operand == Limits)
    return shapeAlone(q);
  if (q.operand != Operand)
    return q.everything();
  Arena &arena = q.arena;
  OptionalSizes starts = knownVector(arena, op.getStartIndices()),
                limits = knownVector(arena, op.getLimitIndices()),
                strides = knownVector(arena, op.getStrides());
  if (starts && limits && strides &&
      tensorOf(op.getOperand()).hasStaticShape()) {
    SmallVector<int64_t> sizes;
    bool inside = true;
    for (auto [size, start, limit, stride] :
         llvm::zip_equal(q.in, *starts, *limits, *strides)) {
      inside &= 0 <= start && start <= limit && limit <= size && stride > 0 &&
                productFits({size, stride});
      sizes.push_back(inside ? (limit - start + stride - 1) / stride : 0);
    }
    auto type = withSizes(tensorOf(op.getResult()), sizes);
    if (inside && type)
      return asStatic<stablehlo::SliceOp>(
          q, op, *type, 0, op.getOperand(), ArrayRef<int64_t>(*starts),
          ArrayRef<int64_t>(*limits), ArrayRef<int64_t>(*strides));
  }
  bool back = q.direction == Direction::OutToIn;
  if (llvm::is_contained(q.in, 0) || llvm::is_contained(q.out, 0))
    return q.nothing();
  Map map = Map::toScalar(arena, q.from());
  constexpr int64_t kMost = int64_t(1) << 59;
  for (int64_t i = 0, e = q.in.size(); i < e; ++i) {
    int64_t last = std::min(q.in[i] - 1, kMost);
    Expr start =
             clampedIndex(map, entry(map, op.getStartIndices(), i), {0, last}),
         stride = clampedIndex(map, entry(map, op.getStrides(), i),
                               {1, std::max<int64_t>(last, 1)});
    if (back) {
      Expr at = arena.add(arena.mul(arena.dim(i), stride), start);
      map.domain.addConstraint(at, Interval::ofSize(q.in[i]));
      map.results.push_back(at);
      continue;
    }
    Expr distance = arena.sub(arena.dim(i), start);
    Expr d = arena.floorDiv(distance, stride);
    map.domain.addConstraint(distance, {0, Interval::kMax});
    map.domain.addConstraint(arena.mod(distance, stride), Interval::point(0));
    map.domain.addConstraint(d, Interval::ofSize(q.out[i]));
    map.results.push_back(d);
    // The size of the result follows from the limit where the type does not
    // say it.
    if (tensorOf(op.getResult()).isDynamicDim(i)) {
      Expr limit =
          clampedIndex(map, entry(map, op.getLimitIndices(), i), {0, last + 1});
      map.domain.addConstraint(arena.sub(limit, arena.dim(i)),
                               {1, Interval::kMax});
    }
  }
  return mergeRuntimes(std::move(map));
}

//===--- Padding ----------------------------------------------------------===//

/// The operand, at places that runtime variables say.
MapSet dynamicPadOperandMaps(stablehlo::DynamicPadOp op, const Query &q) {
  Arena &arena = q.arena;
  if (llvm::is_contained(q.in, 0) || llvm::is_contained(q.out, 0))
    return q.nothing();
  bool back = q.direction == Direction::OutToIn;
  Map map = Map::toScalar(arena, q.from());
  for (int64_t i = 0, e = q.in.size(); i < e; ++i) {
    Expr step =
             arena.add(clampedIndex(map, entry(map, op.getInteriorPadding(), i),
                                    {0, Interval::kMax}),
                       1),
         low = clampedIndex(map, entry(map, op.getEdgePaddingLow(), i),
                            Interval::everything());
    if (back) {
      Expr distance = arena.sub(arena.dim(i), low);
      Expr at = arena.floorDiv(distance, step);
      map.domain.addConstraint(at, Interval::ofSize(q.in[i]));
      map.domain.addConstraint(arena.mod(distance, step), Interval::point(0));
      map.results.push_back(at);
    } else {
      Expr d = arena.add(arena.mul(arena.dim(i), step), low);
      map.domain.addConstraint(d, Interval::ofSize(q.out[i]));
      map.results.push_back(d);
    }
  }
  map = mergeRuntimes(std::move(map));
  // Where the result may be smaller than its bound, elements that the high
  // padding cuts off are not told apart.
  if (!back && !tensorOf(op.getResult()).hasStaticShape())
    return q.approximate(std::move(map), "dynamic_pad: the size of the result "
                                         "is known only when the program runs");
  return map;
}

MapSet dynamicPadMaps(stablehlo::DynamicPadOp op, const Query &q) {
  enum { Operand, Value, Low, High };
  if (q.operand == High)
    return shapeAlone(q);
  if (q.operand > Value)
    return q.everything();
  RankedTensorType in = tensorOf(op.getOperand()),
                   out = tensorOf(op.getResult());
  OptionalSizes low = knownVector(q.arena, op.getEdgePaddingLow()),
                high = knownVector(q.arena, op.getEdgePaddingHigh()),
                interior = knownVector(q.arena, op.getInteriorPadding());
  if (low && high && interior && in.hasStaticShape()) {
    SmallVector<int64_t> sizes;
    bool known = true;
    for (auto [size, l, h, between] :
         llvm::zip_equal(in.getShape(), *low, *high, *interior)) {
      known &= fits(l) && fits(h) && between >= 0 && fits(between) &&
               productFits({size, between + 1});
      sizes.push_back(
          known ? int64_t(stablehlo::paddedSize(size, l, h, between)) : 0);
    }
    auto type = withSizes(out, sizes);
    if (known && type)
      return asStatic<stablehlo::PadOp>(
          q, op, *type, q.operand, op.getOperand(), op.getPaddingValue(),
          ArrayRef<int64_t>(*low), ArrayRef<int64_t>(*high),
          ArrayRef<int64_t>(*interior));
  }
  if (q.operand == Operand)
    return dynamicPadOperandMaps(op, q);
  return q.everything("dynamic_pad: which elements are padding is known only "
                      "when the program runs");
}

//===--- Gathers and convolutions -----------------------------------------===//

MapSet dynamicGatherMaps(stablehlo::DynamicGatherOp op, const Query &q) {
  RankedTensorType in = tensorOf(op.getOperand()),
                   indices = tensorOf(op.getStartIndices()),
                   out = tensorOf(op.getResult());
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  // The sizes of the dimensions that have starts say how far a slice is moved.
  if (q.operand == 2) {
    MapSet maps;
    for (int64_t dim : dims.getStartIndexMap())
      maps.insert({readsBox(q, Interval::point(dim))});
    return dims.getStartIndexMap().empty() ? MapSet(q.nothing()) : maps;
  }
  OptionalSizes sizes = knownVector(q.arena, op.getSliceSizes());
  // A slice's sizes are seen in the result, but for those that are 1.
  if (!sizes && out.hasStaticShape()) {
    sizes.emplace(in.getRank(), 1);
    auto offset = dims.getOffsetDims().begin();
    for (int64_t d = 0, e = in.getRank(); d < e; ++d)
      if (!llvm::is_contained(dims.getCollapsedSliceDims(), d) &&
          !llvm::is_contained(dims.getOperandBatchingDims(), d)) {
        if (offset == dims.getOffsetDims().end())
          return q.dynamic();
        (*sizes)[d] = out.getDimSize(*offset++);
      }
  }
  if (sizes && in.hasStaticShape() && indices.hasStaticShape()) {
    bool inside = true;
    for (auto [size, extent] : llvm::zip_equal(*sizes, in.getShape()))
      inside &= 0 <= size && size <= extent;
    llvm::FailureOr<stablehlo::Extents> extents = stablehlo::gathered(
        stablehlo::known(indices.getShape()), stablehlo::known(*sizes),
        {dims.getOffsetDims(), dims.getCollapsedSliceDims(),
         dims.getOperandBatchingDims(), dims.getIndexVectorDim()});
    if (failed(extents))
      return q.dynamic();
    SmallVector<int64_t> shape = stablehlo::sizesOf(*extents);
    auto type = withSizes(out, shape);
    if (inside && type)
      return asStatic<stablehlo::GatherOp>(
          q, op, *type, q.operand, op.getOperand(), op.getStartIndices(), dims,
          ArrayRef<int64_t>(*sizes), op.getIndicesAreSorted());
  }
  return q.everything("dynamic_gather: the sizes of the slices are known only "
                      "when the program runs");
}

/// The convolution with this padding, or with none.
MapSet withPadding(stablehlo::DynamicConvOp op, const Query &q,
                   ArrayRef<int64_t> padding) {
  auto type =
      RankedTensorType::get({(int64_t)padding.size() / 2, 2},
                            mlir::IntegerType::get(op.getContext(), 64));
  return asStatic<stablehlo::ConvolutionOp>(
      q, op, tensorOf(op.getResult()), q.operand, op.getLhs(), op.getRhs(),
      op.getWindowStridesAttr(), mlir::DenseIntElementsAttr::get(type, padding),
      op.getLhsDilationAttr(), op.getRhsDilationAttr(),
      op.getWindowReversalAttr(), op.getDimensionNumbersAttr(),
      op.getFeatureGroupCountAttr(), op.getBatchGroupCountAttr(),
      op.getPrecisionConfigAttr());
}

MapSet dynamicConvMaps(stablehlo::DynamicConvOp op, const Query &q) {
  // The padding at the beginning moves the windows, that at the end does not.
  if (q.operand == 2)
    return q.in.size() == 2 ? MapSet(readsBox(q, {Interval::ofSize(q.in[0]),
                                                  Interval::point(0)}))
                            : q.dynamic();
  for (Value v : {op.getLhs(), op.getRhs(), op.getResult()})
    if (!tensorOf(v).hasStaticShape())
      return q.dynamic();
  size_t spatial = op.getDimensionNumbers().getInputSpatialDimensions().size();
  RankedTensorType type = tensorOf(op.getPadding());
  SmallVector<int64_t> padding;
  Domain nothing;
  if (type.hasStaticShape() && type.getRank() == 2 && type.getDimSize(1) == 2 &&
      type.getDimSize(0) >= (int64_t)spatial)
    for (size_t i = 0; i < 2 * spatial; ++i) {
      KnownElement x = KnownValues(q.arena, nothing)
                           .element(op.getPadding(), {q.arena.constant(i / 2),
                                                      q.arena.constant(i % 2)});
      if (!x.exact || !q.arena.isConstant(x.exact) ||
          !fits(q.arena.constantValue(x.exact)))
        break;
      padding.push_back(q.arena.constantValue(x.exact));
    }
  if (padding.size() == 2 * spatial)
    return withPadding(op, q, padding);
  // The kernel is read whole, also where it meets padding.
  if (q.operand == 1)
    return withPadding(op, q, SmallVector<int64_t>(2 * spatial, 0));
  // Without groups the batches are kept apart whatever the padding.
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  int64_t inBatch = numbers.getInputBatchDimension(),
          outBatch = numbers.getOutputBatchDimension();
  SmallVector<int64_t> source(q.to().size(), -1);
  if (op.getBatchGroupCount() == 1)
    source[q.direction == Direction::OutToIn ? inBatch : outBatch] =
        q.direction == Direction::OutToIn ? outBatch : inBatch;
  return q.approximate(
      selectDims(q.arena, q.from(), q.to(), source),
      "dynamic_conv: the padding is known only when the program runs");
}

//===--- Sizes ------------------------------------------------------------===//

/// The shape alone counts, no element.
MapSet getDimensionSizeMaps(stablehlo::GetDimensionSizeOp, const Query &q) {
  return q.nothing();
}

MapSet shapeMaps(stablehlo::DynamicIotaOp, const Query &q) {
  return shapeAlone(q);
}

} // namespace

void maps::attachDynamicMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<DynamicIotaOp, shapeMaps>(context);
  attach<DynamicBroadcastInDimOp, dynamicBroadcastMaps>(context);
  attach<DynamicReshapeOp, dynamicReshapeMaps>(context);
  attach<RealDynamicSliceOp, realDynamicSliceMaps>(context);
  attach<DynamicPadOp, dynamicPadMaps>(context);
  attach<DynamicGatherOp, dynamicGatherMaps>(context);
  attach<DynamicConvOp, dynamicConvMaps>(context);
  attach<GetDimensionSizeOp, getDimensionSizeMaps>(context);
}
