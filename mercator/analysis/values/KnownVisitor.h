// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transfer functions of KnownValues, one for each kind of operation.
// Internal to KnownValues.cpp, which selects the function for an operation,
// KnownMovement.cpp (constants and data movement), KnownArithmetic.cpp and
// KnownDecisions.cpp.

#ifndef MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H
#define MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/Sources.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::known {

/// The limit on exact numbers: beyond it a number is only known to be large.
inline constexpr int64_t kHuge = int64_t(1) << 62;

[[nodiscard]] mlir::RankedTensorType tensorOf(mlir::Value value);
[[nodiscard]] bool isUnsigned(mlir::Type type);
/// The interval of all numbers of the element type.
[[nodiscard]] indexing::Interval typeRange(mlir::Value value);
[[nodiscard]] bool isInteger(mlir::Value value);
/// True if a result in `range` fits the type of `value`, so that computing it
/// does not wrap around.
[[nodiscard]] bool fitsType(indexing::Interval range, mlir::Value value);
[[nodiscard]] indexing::Interval toInterval(const llvm::APInt &x,
                                            bool isUnsigned);
/// The interval of quotients by a constant, rounded to zero. Requires: by != 0.
[[nodiscard]] indexing::Interval truncDiv(indexing::Interval x, int64_t by);
/// The smallest 2^k - 1 that is at least `bound`: an upper bound on x | y and
/// x ^ y for numbers in [0, bound].
[[nodiscard]] int64_t allOnes(int64_t bound);

} // namespace mercator::known

namespace mercator {

struct KnownValues::Visitor {
  using Expr = indexing::Expr;
  using Interval = indexing::Interval;
  using Value = mlir::Value;
  using Map = indexing::Map;

  KnownValues &known;
  Value value; ///< a result of the visited operation
  At at;
  indexing::Arena &arena = known.arena;
  Interval intervalOf(Expr e);
  KnownElement unknown(Interval range = Interval::everything());
  /// The element with a result over the integers; unknown if the result may not
  /// fit the type.
  KnownElement computed(Expr exact, Interval range);
  KnownElement constant(int64_t x);

  /// The element of an operand at the same index; a scalar has every index.
  KnownElement same(Value operand);
  /// The element is a copy of the element of `operand` at `where`.
  KnownElement copyOf(Value operand, At where);
  KnownElement anywhere(Value operand) { return unknown(known.range(operand)); }
  KnownElement isElementOf(Value operand, const Map &map);

  //===--- Sources --------------------------------------------------------===//
  KnownElement visitConstant(stablehlo::ConstantOp op);

  /// The elements of a constant at the possible values of `at`.
  KnownElement visitTable(mlir::DenseIntElementsAttr all, bool noSign);
  KnownElement visitIota(stablehlo::IotaOp op);
  KnownElement visitSize(stablehlo::GetDimensionSizeOp op);

  //===--- Movement -------------------------------------------------------===//
  KnownElement visitReshape(Value operand);
  KnownElement visitBitcast(hlo::BitcastOp op);
  KnownElement visitBroadcast(Value operand, llvm::ArrayRef<int64_t> dims);
  KnownElement visitTranspose(stablehlo::TransposeOp op);
  KnownElement visitReverse(stablehlo::ReverseOp op);
  KnownElement visitSlice(stablehlo::SliceOp op);
  KnownElement visitConcatenate(stablehlo::ConcatenateOp op);
  KnownElement visitDynamicSlice(stablehlo::DynamicSliceOp op);

  //===--- Arithmetic -----------------------------------------------------===//
  KnownElement visitConvert(stablehlo::ConvertOp op);

  template <typename F, typename G>
  KnownElement both(mlir::Operation *op, F exact, G range) {
    KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
    return computed(a.exact && b.exact ? exact(a.exact, b.exact) : Expr(),
                    range(a.range, b.range));
  }
  KnownElement visitAdd(mlir::Operation *op);
  KnownElement visitSubtract(mlir::Operation *op);
  KnownElement visitMultiply(mlir::Operation *op);

  /// One operand if the ranges decide; else a min or max expression.
  KnownElement visitMinMax(mlir::Operation *op, bool isMax);
  KnownElement minMax(KnownElement a, KnownElement b, bool isMax);
  KnownElement visitClamp(stablehlo::ClampOp op);
  std::optional<int64_t> positiveConstant(const KnownElement &x);
  KnownElement visitDivide(mlir::Operation *op);
  /// The remainder has the sign of the dividend.
  KnownElement visitRemainder(mlir::Operation *op);
  KnownElement visitAnd(mlir::Operation *op);
  KnownElement visitOr(mlir::Operation *op);
  KnownElement visitNot(mlir::Operation *op);
  /// A shift of a non-negative number to the right is a quotient.
  KnownElement visitShiftRight(mlir::Operation *op);
  KnownElement visitShiftLeft(mlir::Operation *op);
  KnownElement visitAbs(mlir::Operation *op);

  //===--- Decisions ------------------------------------------------------===//

  /// The interval of the x that satisfy `x direction y` for some value of `y`.
  static Interval satisfying(stablehlo::ComparisonDirection direction,
                             Interval y);
  static stablehlo::ComparisonDirection
  opposite(stablehlo::ComparisonDirection direction);
  KnownElement visitCompare(stablehlo::CompareOp op);

  /// The direction of `y direction x`, given that of `x direction y`.
  static stablehlo::ComparisonDirection
  swapped(stablehlo::ComparisonDirection direction);

  /// The interval of `x` at an index where the predicate has the given truth
  /// value.
  Interval impliedBy(Value pred, bool truth, Value x, unsigned budget = 4);

  /// The interval of a branch of a selection that is used only where the
  /// predicate has the given truth value. The predicate may bound the branch
  /// itself, or an operand of the addition that computes it.
  Interval branchRange(Value branch, Value pred, bool truth);
  KnownElement visitSelect(stablehlo::SelectOp op);

  /// The range of a value in the body of a reduction that is always one of the
  /// arguments of the body; nothing if it may be anything else.
  std::optional<Interval> chosen(Value inside, stablehlo::ReduceOp op,
                                 unsigned budget);
  /// The range of a result that is selected and not computed, as the index of
  /// an argmax.
  KnownElement visitReduce(stablehlo::ReduceOp op);

  //===--- Dispatch -----------------------------------------------------===//
  KnownElement visitFusion(hlo::FusionOp op);
  KnownElement visitArgument(mlir::BlockArgument argument);
  KnownElement visitOperation(mlir::Operation *op);
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H
