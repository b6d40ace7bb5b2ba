// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mercator;

void flow::rewriteEverywhere(Operation *root, RewritePatternSet patterns) {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(root, std::move(patterns), config);
}

//===--- Extents ----------------------------------------------------------===//

bool flow::canCollapse(ArrayRef<int64_t> shape, Groups groups) {
  for (ArrayRef<int64_t> group : groups) {
    int64_t product = 1, unknown = 0;
    for (int64_t axis : group) {
      if (ShapedType::isDynamic(shape[axis])) {
        ++unknown;
        continue;
      }
      std::optional<int64_t> next = llvm::checkedMul(product, shape[axis]);
      if (!next)
        return false;
      product = *next;
    }
    if (unknown > 1)
      return false;
  }
  return true;
}

bool flow::canCollapse(Value tensor, Groups groups) {
  return canCollapse(cast<RankedTensorType>(tensor.getType()).getShape(),
                     groups);
}

//===--- Shapes -----------------------------------------------------------===//

Value flow::emptyTensor(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                        Type element) {
  return tensor::EmptyOp::create(b, sizes, element);
}

Value flow::collapse(ImplicitLocOpBuilder &b, Value tensor, Groups groups) {
  return tensor::CollapseShapeOp::create(b, tensor, groups);
}

Value flow::expandLike(ImplicitLocOpBuilder &b, Value tensor, Value like,
                       Groups groups) {
  return tensor::ExpandShapeOp::create(
      b, like.getType(), tensor, groups,
      tensor::getMixedSizes(b, b.getLoc(), like));
}

Value flow::transpose(ImplicitLocOpBuilder &b, Value tensor,
                      ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t axis : permutation)
    sizes.push_back(tensor::getMixedSize(b, b.getLoc(), tensor, axis));
  Value init = emptyTensor(b, sizes, type.getElementType());
  AffineMap maps[] = {inversePermutation(AffineMap::getPermutationMap(
                          permutation, b.getContext())),
                      b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), tensor, init, maps, loops,
             [](OpBuilder &body, Location loc, ValueRange args) {
               linalg::YieldOp::create(body, loc, args[0]);
             })
      .getResult(0);
}

Value flow::padHigh(ImplicitLocOpBuilder &b, Value tensor,
                    ArrayRef<OpFoldResult> high) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, pad] : llvm::zip_equal(shape, high)) {
    std::optional<int64_t> known = getConstantIntValue(pad);
    extent = known && !ShapedType::isDynamic(extent) ? extent + *known
                                                     : ShapedType::kDynamic;
  }
  SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0));
  return tensor::PadOp::create(b, type.clone(shape), tensor, low, high,
                               zero(b, type.getElementType()));
}

Value flow::sliceLike(ImplicitLocOpBuilder &b, Value tensor, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, type, tensor, offsets, tensor::getMixedSizes(b, b.getLoc(), like),
      strides);
}

//===--- Numbers ----------------------------------------------------------===//

bool flow::isNumber(Type type) { return type.isSignlessIntOrFloat(); }

Value flow::zero(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

Value flow::zeros(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                  Type element) {
  Value init = emptyTensor(b, sizes, element);
  return linalg::FillOp::create(b, zero(b, element), init).getResult(0);
}

Value flow::add(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::AddFOp::create(b, x, y);
  if (x.getType().isInteger(1))
    return arith::OrIOp::create(b, x, y);
  return arith::AddIOp::create(b, x, y);
}

static Value multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::MulFOp::create(b, x, y);
  if (x.getType().isInteger(1))
    return arith::AndIOp::create(b, x, y);
  return arith::MulIOp::create(b, x, y);
}

Value flow::contract(ImplicitLocOpBuilder &b, Value lhs, StringRef lhsAxes,
                     Value rhs, StringRef rhsAxes, Value init,
                     StringRef initAxes) {
  unsigned count = initAxes.size() + 1;
  SmallVector<AffineMap, 3> maps;
  for (StringRef axes : {lhsAxes, rhsAxes, initAxes}) {
    SmallVector<unsigned> positions;
    for (char axis : axes)
      positions.push_back(std::min<size_t>(initAxes.find(axis), count - 1));
    maps.push_back(
        AffineMap::getMultiDimMapWithTargets(count, positions, b.getContext()));
  }
  SmallVector<utils::IteratorType> loops(count, utils::IteratorType::parallel);
  loops.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange{lhs, rhs}, init, maps, loops,
             [](OpBuilder &nested, Location loc, ValueRange args) {
               ImplicitLocOpBuilder body(loc, nested);
               auto extend = [&](Value x) {
                 return convertScalarToDtype(body, loc, x, args[2].getType(),
                                             /*isUnsignedCast=*/false);
               };
               Value x = extend(args[0]), y = extend(args[1]);
               linalg::YieldOp::create(
                   body, add(body, multiply(body, x, y), args[2]));
             })
      .getResult(0);
}
