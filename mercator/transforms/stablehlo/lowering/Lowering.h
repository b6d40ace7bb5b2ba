// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Lowering StableHLO, chlo and hlo to linalg on tensors.
///
/// Every operation has a *rule*: a function that creates operations of linalg,
/// tensor, arith, math, complex and scf, and returns a value for each result.
/// One file has the rules of one family of operations:
///
/// ```
/// FailureOr<Value> lowerReverse(ReverseOp op, ReverseOp::Adaptor in,
///                               Lowering &l) {
///   ... in.getOperand() is the lowered operand; create at l.b ...
/// }
/// void addReverseRules(LoweringRules &rules) {
///   rules.add<ReverseOp, lowerReverse>();
/// }
/// ```
///
/// A Translation (Translation.h) walks over a program once and calls the rules
/// in order, so lowering is linear in the size of the program.
///
/// A rule may rely on the verifier. It fails after an error at the operation
/// (Lowering::refuse). What cannot be lowered should be found before any work
/// starts: state it in Refusals.cpp.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOWERING_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOWERING_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::stablehlo {

class Translation;

using Values = llvm::SmallVector<mlir::Value, 2>;

/// One operation while it is lowered.
struct Lowering {
  mlir::Operation *op;
  /// Creates operations in place of `op`, at its location.
  mlir::ImplicitLocOpBuilder &b;
  Translation &translation;

  /// The type of result `i` after lowering (Types.h).
  [[nodiscard]] mlir::RankedTensorType type(unsigned i = 0) const;
  /// An error at the operation: why it cannot be lowered.
  llvm::LogicalResult refuse(const llvm::Twine &why) const;
};

using LoweringRule = llvm::FailureOr<Values> (*)(Lowering &l);

/// The lowered operands of an operation whose operands are tensors.
Values operandsOf(Lowering &l);

/// The constant of these elements that stands for the result. In Control.cpp.
llvm::FailureOr<Values> lowerElements(Lowering &l, mlir::ElementsAttr value);

/// The rules of all operations, by the class of the operation.
class LoweringRules {
public:
  template <typename Op, llvm::FailureOr<mlir::Value> (*rule)(
                             Op, typename Op::Adaptor, Lowering &)>
  void add() {
    rules[mlir::TypeID::get<Op>()] =
        [](Lowering &l) -> llvm::FailureOr<Values> {
      auto op = llvm::cast<Op>(l.op);
      Values operands = operandsOf(l);
      llvm::FailureOr<mlir::Value> value =
          rule(op, typename Op::Adaptor(operands, op), l);
      if (failed(value))
        return mlir::failure();
      return Values{*value};
    };
  }
  /// For operations with several results. A token has no values.
  template <typename Op, llvm::FailureOr<Values> (*rule)(
                             Op, typename Op::Adaptor, Lowering &)>
  void add() {
    rules[mlir::TypeID::get<Op>()] =
        [](Lowering &l) -> llvm::FailureOr<Values> {
      auto op = llvm::cast<Op>(l.op);
      Values operands = operandsOf(l);
      return rule(op, typename Op::Adaptor(operands, op), l);
    };
  }
  /// For operations on tuples and tokens, and with regions: the rule looks
  /// operands up in the translation. The values of all results, in order.
  template <typename Op, llvm::FailureOr<Values> (*rule)(Op, Lowering &)>
  void add() {
    rules[mlir::TypeID::get<Op>()] =
        [](Lowering &l) -> llvm::FailureOr<Values> {
      return rule(llvm::cast<Op>(l.op), l);
    };
  }
  /// The rule of all operations for which `is` holds and that have no rule of
  /// their own.
  void addWhere(bool (*is)(mlir::Operation *), LoweringRule rule) {
    families.emplace_back(is, rule);
  }
  /// Null if there is none.
  [[nodiscard]] LoweringRule find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, LoweringRule> rules;
  llvm::SmallVector<std::pair<bool (*)(mlir::Operation *), LoweringRule>>
      families;
};

/// All of them.
[[nodiscard]] const LoweringRules &loweringRules();

//===--- One function per file --------------------------------------------===//

void addBatchNormRules(LoweringRules &rules);
void addBitcastRules(LoweringRules &rules);
void addBroadcastRules(LoweringRules &rules);
void addCallRules(LoweringRules &rules);
void addConcatenateRules(LoweringRules &rules);
void addControlRules(LoweringRules &rules);
void addConvolutionRules(LoweringRules &rules);
void addDimensionSizeRules(LoweringRules &rules);
void addDotRules(LoweringRules &rules);
void addDynamicRandomRules(LoweringRules &rules);
void addDynamicWindowRules(LoweringRules &rules);
void addElementwiseRules(LoweringRules &rules);
void addGatherRules(LoweringRules &rules);
void addHloRules(LoweringRules &rules);
void addIotaRules(LoweringRules &rules);
void addLapackRules(LoweringRules &rules);
void addMatrixRules(LoweringRules &rules);
void addPadRules(LoweringRules &rules);
void addPermuteRules(LoweringRules &rules);
void addQuantizeRules(LoweringRules &rules);
void addRandomRules(LoweringRules &rules);
void addReduceRules(LoweringRules &rules);
void addReduceWindowRules(LoweringRules &rules);
void addReshapeRules(LoweringRules &rules);
void addScatterRules(LoweringRules &rules);
void addSelectAndScatterRules(LoweringRules &rules);
void addSliceRules(LoweringRules &rules);
void addShardingRules(LoweringRules &rules);
void addSortRules(LoweringRules &rules);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOWERING_H
