// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pad and dynamic_pad.

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;

namespace {

/// Elements before, after and between those of the operand.
struct Padding {
  ArrayRef<int64_t> low, high, interior;
};

/// The maps of the operand (operand 0) or of the padding value (operand 1).
MapSet staticPadMaps(const Query &q, RankedTensorType type,
                     const Padding &padding) {
  SmallVector<int64_t> operand = sizesOf(type);
  for (auto [dim, low, high, interior] :
       llvm::enumerate(padding.low, padding.high, padding.interior)) {
    // A dimension that is not padded need not be known.
    if (low == 0 && high == 0 && interior == 0 && operand[dim] == q.out[dim])
      continue;
    if (type.isDynamicDim(dim))
      return q.dynamic();
    if (!fits(low) || !fits(high) || !fits(interior) ||
        !productFits({operand[dim], interior + 1}))
      return q.tooLarge();
  }
  if (q.operand == 1)
    return padValue(q.arena, q.direction, operand, q.out, padding.low,
                    padding.interior);
  return pad(q.arena, q.direction, q.in, q.out, padding.low, padding.high,
             padding.interior);
}

MapSet padMaps(stablehlo::PadOp op, const Query &q) {
  return staticPadMaps(q, op.getOperand().getType(),
                       {op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                        op.getInteriorPadding()});
}

/// The operand, at places that runtime variables say.
MapSet paddedAtRuntime(stablehlo::DynamicPadOp op, const Query &q) {
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
  mergeRuntimes(map);
  // Where the result may be smaller than its bound, elements that the high
  // padding cuts off are not told apart.
  if (!back && !tensorOf(op.getResult()).hasStaticShape())
    return q.approximate(std::move(map), "dynamic_pad: the size of the result "
                                         "is known only when the program runs");
  return map;
}

/// The sizes of the result; none where the numbers make no result.
std::optional<SmallVector<int64_t>> paddedSizes(ArrayRef<int64_t> operand,
                                                const Padding &padding) {
  SmallVector<int64_t> sizes;
  for (auto [size, low, high, interior] :
       llvm::zip_equal(operand, padding.low, padding.high, padding.interior)) {
    if (!fits(low) || !fits(high) || interior < 0 || !fits(interior) ||
        !productFits({size, interior + 1}))
      return std::nullopt;
    sizes.push_back((int64_t)stablehlo::paddedSize(size, low, high, interior));
  }
  return sizes;
}

MapSet dynamicPadMaps(stablehlo::DynamicPadOp op, const Query &q) {
  enum { Operand, Value, Low, High };
  if (q.operand == High) // it says how large the result is
    return q.nothing();
  if (q.operand > Value)
    return q.everything();
  RankedTensorType in = tensorOf(op.getOperand());
  auto low = knownIntegers(q.arena, op.getEdgePaddingLow()),
       high = knownIntegers(q.arena, op.getEdgePaddingHigh()),
       interior = knownIntegers(q.arena, op.getInteriorPadding());
  if (low && high && interior && in.hasStaticShape()) {
    Padding padding{*low, *high, *interior};
    auto sizes = paddedSizes(in.getShape(), padding);
    auto type = sizes ? withSizes(tensorOf(op.getResult()), *sizes)
                      : std::optional<RankedTensorType>();
    if (type)
      return staticPadMaps(q.withResult(*type), in, padding);
  }
  if (q.operand == Operand)
    return paddedAtRuntime(op, q);
  return q.everything("dynamic_pad: which elements are padding is known only "
                      "when the program runs");
}

} // namespace

void maps::attachPadMaps(mlir::MLIRContext *context) {
  attach<stablehlo::PadOp, padMaps>(context);
  attach<stablehlo::DynamicPadOp, dynamicPadMaps>(context);
}
