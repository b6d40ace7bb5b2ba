// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How KnownValues looks at one element. Internal to KnownValues.cpp, which says
// what to ask of an operation, KnownMovement.cpp (where values come from and
// how they move), KnownArithmetic.cpp and KnownDecisions.cpp.

#ifndef MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H
#define MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H

#include "mercator/analysis/Sizes.h"
#include "mercator/analysis/Sources.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::known {

/// Numbers beyond are only known to be large.
inline constexpr int64_t kHuge = int64_t(1) << 62;

[[nodiscard]] mlir::RankedTensorType tensorOf(mlir::Value value);
[[nodiscard]] bool isUnsigned(mlir::Type type);
/// All numbers of the type of the elements.
[[nodiscard]] indexing::Interval typeRange(mlir::Value value);
[[nodiscard]] bool isInteger(mlir::Value value);
/// True if a computation whose result lies in `range` cannot have wrapped
/// around.
[[nodiscard]] bool fitsType(indexing::Interval range, mlir::Value value);
[[nodiscard]] indexing::Interval toInterval(const llvm::APInt &x,
                                            bool isUnsigned);
/// The quotient rounded to zero, by a constant other than 0.
[[nodiscard]] indexing::Interval truncDiv(indexing::Interval x, int64_t by);
/// All ones from the highest bit down: no x | y or x ^ y of numbers up to
/// `bound` is larger.
[[nodiscard]] int64_t allOnes(int64_t bound);

} // namespace mercator::known

namespace mercator {

struct KnownValues::Visitor {
  using Expr = indexing::Expr;
  using Interval = indexing::Interval;
  using Value = mlir::Value;
  using Map = indexing::Map;

  KnownValues &known;
  Value value; ///< a result of the operation that is looked at
  At at;
  indexing::Arena &arena = known.arena;
  Interval intervalOf(Expr e);
  KnownElement unknown(Interval range = Interval::everything());
  /// A result in the mathematical sense: it is one if it fits into the type.
  KnownElement computed(Expr exact, Interval range);
  KnownElement constant(int64_t x);

  /// The element of an operand where this one stands; a scalar stands
  /// everywhere.
  KnownElement same(Value operand);
  /// This element is that one.
  KnownElement copyOf(Value operand, At where);
  /// The value that this one merely is, where an operation hands it on; or null.
  Value forwarded();
  KnownElement anywhere(Value operand) { return unknown(known.range(operand)); }
  KnownElement isElementOf(Value operand, const Map &map);

  //===--- Sources --------------------------------------------------------===//
  KnownElement visitConstant(stablehlo::ConstantOp op);

  /// A constant, seen where `at` may stand.
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

  /// One of the two where their ranges tell which; else what exprs say.
  KnownElement visitMinMax(mlir::Operation *op, bool isMax);
  KnownElement minMax(KnownElement a, KnownElement b, bool isMax);
  KnownElement visitClamp(stablehlo::ClampOp op);
  std::optional<int64_t> positiveConstant(const KnownElement &x);
  KnownElement visitDivide(mlir::Operation *op);
  /// The sign is that of the dividend.
  KnownElement visitRemainder(mlir::Operation *op);
  KnownElement visitAnd(mlir::Operation *op);
  KnownElement visitOr(mlir::Operation *op);
  KnownElement visitNot(mlir::Operation *op);
  /// To the right, of numbers without a sign: a quotient.
  KnownElement visitShiftRight(mlir::Operation *op);
  KnownElement visitShiftLeft(mlir::Operation *op);
  KnownElement visitAbs(mlir::Operation *op);

  //===--- Decisions ------------------------------------------------------===//

  /// What of `x` satisfies `x direction y`.
  static Interval satisfying(stablehlo::ComparisonDirection direction,
                             Interval y);
  static stablehlo::ComparisonDirection
  opposite(stablehlo::ComparisonDirection direction);
  KnownElement visitCompare(stablehlo::CompareOp op);

  /// The direction of `y direction x`, where that of `x direction y` is given.
  static stablehlo::ComparisonDirection
  swapped(stablehlo::ComparisonDirection direction);

  /// Where `x` lies at a place where the predicate has a truth value.
  Interval impliedBy(Value pred, bool truth, Value x, unsigned budget = 4);

  /// A branch of a selection that is only taken where the predicate has a truth
  /// value, which tells of the branch itself or of what it adds something to.
  Interval branchRange(Value branch, Value pred, bool truth);
  KnownElement visitSelect(stablehlo::SelectOp op);

  /// The range of a value in the body of a reduction that is always one of the
  /// body's arguments; none where it may be anything else.
  std::optional<Interval> chosen(Value inside, stablehlo::ReduceOp op,
                                 unsigned budget);
  /// As the index that an argmax carries along: chosen, never computed.
  KnownElement visitReduce(stablehlo::ReduceOp op);

  //===--- Which --------------------------------------------------------===//
  KnownElement visitFusion(hlo::FusionOp op);
  KnownElement visitArgument(mlir::BlockArgument argument);
  KnownElement visitOperation(mlir::Operation *op);
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_VALUES_KNOWNVISITOR_H
