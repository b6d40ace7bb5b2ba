// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Get_dimension_size, set_dimension_size. A bounded tensor has its extent in
// tensor.dim; a smaller one is a slice.

#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

static FailureOr<Value> lowerGetDimensionSize(GetDimensionSizeOp op,
                                              GetDimensionSizeOp::Adaptor in,
                                              Lowering &l) {
  RankedTensorType type = l.type();
  OpFoldResult extent =
      extentOf(l.b, in.getOperand(), int64_t(op.getDimension()));
  if (std::optional<int64_t> known = getConstantIntValue(extent)) {
    APInt size(64, uint64_t(*known));
    return Value(arith::ConstantOp::create(
        l.b, DenseElementsAttr::get(
                 type, size.trunc(type.getElementTypeBitWidth()))));
  }
  return tensorOf(l.b, arith::IndexCastOp::create(l.b, type.getElementType(),
                                                  valueOf(l.b, extent)));
}

/// The program ends with an error if a size is not within [0, extent].
static void assertWithin(ImplicitLocOpBuilder &b, Value size, Value extent) {
  Value holds =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, size, extent);
  SmallVector<NamedAttribute> attributes = {
      b.getNamedAttr("call_target_name", b.getStringAttr("shape_assertion")),
      b.getNamedAttr("has_side_effect", b.getBoolAttr(true)),
      b.getNamedAttr("error_message",
                     b.getStringAttr("expected a size within the operand"))};
  CustomCallOp::create(b, TypeRange(), ValueRange{tensorOf(b, holds)},
                       attributes);
}

static FailureOr<Value> lowerSetDimensionSize(SetDimensionSizeOp op,
                                              SetDimensionSizeOp::Adaptor in,
                                              Lowering &l) {
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  Sizes sizes = extentsOf(l.b, in.getOperand());
  Sizes offsets(sizes.size(), l.b.getIndexAttr(0)),
      strides(sizes.size(), l.b.getIndexAttr(1));
  auto dim = int64_t(op.getDimension());
  OpFoldResult extent = sizes[dim];
  sizes[dim] = getAsOpFoldResult(
      toIndex(l.b, scalarOf(l.b, in.getSize()), /*isUnsigned=*/false));
  std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
  int64_t most =
      cast<RankedTensorType>(in.getOperand().getType()).getDimSize(dim);
  if (size && (*size < 0 || (ShapedType::isStatic(most) && *size > most)))
    return l.refuse("the size is not within the operand");
  if (!size)
    assertWithin(l.b, valueOf(l.b, sizes[dim]), valueOf(l.b, extent));
  return castTo(l.b, sliceTensor(l.b, in.getOperand(), offsets, sizes, strides),
                l.type());
}

void addDimensionSizeRules(LoweringRules &rules) {
  rules.add<GetDimensionSizeOp, lowerGetDimensionSize>();
  rules.add<SetDimensionSizeOp, lowerSetDimensionSize>();
}

} // namespace mercator::stablehlo
