// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Transpose, reverse.

#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

/// True if dimensions with more than one element keep their order.
static bool keepsMemoryOrder(ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t dim : permutation) {
    if (shape[dim] == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

Value transposeTensor(ImplicitLocOpBuilder &b, Value tensor,
                      ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (isIdentityPermutation(permutation))
    return tensor;
  Sizes sizes = extentsOf(b, tensor);
  applyPermutationToVector(sizes, permutation);
  if (keepsMemoryOrder(type.getShape(), permutation))
    return reshapeTensor(b, tensor, sizes);
  if (hasNoElements(type.getShape()))
    return empty(b, sizes, type.getElementType());
  AffineMap read = AffineMap::getPermutationMap(
      invertPermutationVector(permutation), b.getContext());
  return compute(b, sizes, type.getElementType(), {tensor}, {read},
                 [](ImplicitLocOpBuilder &, ValueRange numbers) -> Values {
                   return {numbers[0]};
                 });
}

static FailureOr<Value> lowerTranspose(TransposeOp op, TransposeOp::Adaptor in,
                                       Lowering &l) {
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  SmallVector<int64_t> shape = applyPermutation(
      l.type().getShape(), invertPermutationVector(op.getPermutation()));
  Value operand = refine(l.b, in.getOperand(), shape);
  return castTo(l.b, transposeTensor(l.b, operand, op.getPermutation()),
                l.type());
}

/// Index i becomes n - 1 - i. Not as an indexing map: tiling and fusion expect
/// projected permutations.
static FailureOr<Value> lowerReverse(ReverseOp op, ReverseOp::Adaptor in,
                                     Lowering &l) {
  RankedTensorType type = l.type();
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  Value operand = refine(l.b, in.getOperand(), type.getShape());
  auto known = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> dims;
  for (int64_t dim : op.getDimensions())
    if (known.getDimSize(dim) != 1)
      dims.push_back(dim);
  if (dims.empty() || hasNoElements(known.getShape()))
    return castTo(l.b, operand, type);
  Sizes sizes = extentsOf(l.b, operand);
  DenseMap<int64_t, Value> last;
  for (int64_t dim : dims)
    last[dim] = valueOf(l.b, subSizes(l.b, sizes[dim], l.b.getIndexAttr(1)));
  Value reversed = compute(
      l.b, sizes, type.getElementType(), {}, {},
      [&](ImplicitLocOpBuilder &b, ValueRange) -> Values {
        Values index;
        for (int64_t dim = 0; dim < type.getRank(); ++dim) {
          Value at = linalg::IndexOp::create(b, dim);
          Value end = last.lookup(dim);
          index.push_back(end ? Value(arith::SubIOp::create(b, end, at)) : at);
        }
        return {tensor::ExtractOp::create(b, operand, index)};
      });
  return castTo(l.b, reversed, type);
}

void addPermuteRules(LoweringRules &rules) {
  rules.add<TransposeOp, lowerTranspose>();
  rules.add<ReverseOp, lowerReverse>();
}

} // namespace mercator::stablehlo
