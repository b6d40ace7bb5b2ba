// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cholesky, triangular_solve and fft, which become calls of library functions.

#include "mercator/transforms/stablehlo/lowering/LibraryCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

/// The floats of a tensor in another type.
static Value convertFloats(ImplicitLocOpBuilder &b, Value tensor, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  return computeEach(
      b, type.clone(to), {tensor},
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        if (to.getIntOrFloatBitWidth() > width)
          return {arith::ExtFOp::create(b, to, numbers.front())};
        return {arith::TruncFOp::create(b, to, numbers.front())};
      });
}

/// Calls a function of matrices whose result has the shape of `like`. There are
/// none for narrow floats, so these are computed in f32.
static FailureOr<Value> callOnMatrices(Lowering &l, StringRef name,
                                       Values operands, Value like,
                                       ArrayRef<int64_t> numbers) {
  RankedTensorType type = l.type();
  Type element = type.getElementType(), computed = element;
  auto real = dyn_cast<FloatType>(element);
  if (real && real.getWidth() < 32)
    computed = l.b.getF32Type();
  if (!isLibraryElement(computed))
    return l.refuse("it is not defined for these element types");
  Sizes sizes = sizesOf(l.b, type, like);
  if (computed != element)
    for (Value &operand : operands)
      operand = convertFloats(l.b, operand, computed);
  Value result =
      callLibrary(l, "mercator_" + name, operands, {{sizes, computed}}, numbers)
          .front();
  if (computed != element)
    result = convertFloats(l.b, result, element);
  return castTo(l.b, result, type);
}

static FailureOr<Value> lowerCholesky(CholeskyOp op, CholeskyOp::Adaptor in,
                                      Lowering &l) {
  return callOnMatrices(l, "cholesky", {in.getA()}, in.getA(), {op.getLower()});
}

/// Flags as LAPACK has them: 'L' and 'R', 'L' and 'U', 'N', 'T' and 'C'.
static FailureOr<Value> lowerTriangularSolve(TriangularSolveOp op,
                                             TriangularSolveOp::Adaptor in,
                                             Lowering &l) {
  int64_t transpose = 'N';
  if (op.getTransposeA() == Transpose::TRANSPOSE)
    transpose = 'T';
  else if (op.getTransposeA() == Transpose::ADJOINT)
    transpose = 'C';
  return callOnMatrices(l, "trsm", {in.getA(), in.getB()}, in.getB(),
                        {op.getLeftSide() ? 'L' : 'R',
                         op.getLower() ? 'L' : 'U', transpose,
                         op.getUnitDiagonal() ? 'U' : 'N'});
}

static FailureOr<Value> lowerFft(FftOp op, FftOp::Adaptor in, Lowering &l) {
  RankedTensorType type = l.type();
  ArrayRef<int64_t> lengths = op.getFftLength();
  auto count = int64_t(lengths.size());
  FftType kind = op.getFftType();
  bool toHalf = kind == FftType::RFFT, fromHalf = kind == FftType::IRFFT;
  auto operandType = cast<RankedTensorType>(in.getOperand().getType());
  if (!isLibraryElement(operandType.getElementType()))
    return l.refuse("it is not defined for these element types");
  if (count == 0 || count > type.getRank() ||
      operandType.getRank() != type.getRank())
    return l.refuse("its lengths are not those of dimensions");

  // The lengths are known even where the type does not have them.
  Sizes sizes = extentsOf(l.b, in.getOperand());
  for (auto [i, length] : llvm::enumerate(lengths))
    sizes[size_t(type.getRank() - count) + i] = l.b.getIndexAttr(length);
  if (toHalf)
    sizes.back() =
        l.b.getIndexAttr(lengths.back() == 0 ? 0 : lengths.back() / 2 + 1);
  StringRef name = toHalf                  ? "rfft"
                   : fromHalf              ? "irfft"
                   : kind == FftType::IFFT ? "ifft"
                                           : "fft";
  Value result = callLibrary(l, "mercator_" + name, {in.getOperand()},
                             {{sizes, type.getElementType()}}, {count})
                     .front();
  return castTo(l.b, result, type);
}

void addMatrixRules(LoweringRules &rules) {
  rules.add<CholeskyOp, lowerCholesky>();
  rules.add<TriangularSolveOp, lowerTriangularSolve>();
  rules.add<FftOp, lowerFft>();
}

} // namespace mercator::stablehlo
