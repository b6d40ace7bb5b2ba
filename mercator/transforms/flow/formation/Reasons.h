// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Why a dispatch ends where it does. Each edge between two operations, and the
/// rule that put it inside or outside of a dispatch, is reported as a remark
/// (mlir/IR/Remarks.h) in program order.
///
///   f.mlir:4:8: remark: [Missed] one-use | Category:dispatch-formation:profit
///     | Function=f | Also=in-place, Answer=no, Consumer="%2 = linalg.add",
///     Edge="%1 = linalg.matmul, result 0 -> %2 = linalg.add, operand 0",
///     Producer="%1 = linalg.matmul",
///     Reason="the producer has more than one use", ...
///
/// The name of the remark is the first failed condition. Each other one has an
/// argument `Also`.
///
/// Nothing is recorded or printed if the context has no remark engine.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_REASONS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_REASONS_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::flow {

/// The questions, in the order in which they are asked.
enum class EdgeQuestion { None, Legality, Rule, Profit, Feasibility };

enum class EdgeReason {
#define EDGE_REASON(enumerator, question, name, sentence) enumerator,
#include "mercator/transforms/flow/formation/EdgeReasons.def"
#undef EDGE_REASON
};

/// Whether the rule puts producer and consumer into one dispatch.
constexpr bool isTaken(EdgeReason reason) {
  return reason <= EdgeReason::Pushed;
}
/// The same, or a clone of the producer.
constexpr bool isInside(EdgeReason reason) {
  return reason <= EdgeReason::Cloned;
}
EdgeQuestion questionOf(EdgeReason reason);
llvm::StringRef nameOf(EdgeQuestion question);
llvm::StringRef nameOf(EdgeReason reason);
/// The rule with that name. Requires: it exists.
EdgeReason reasonNamed(llvm::StringRef name);
llvm::StringRef sentenceOf(EdgeReason reason);

/// All failed conditions of an edge, each once; the empty set means yes.
using Refusals = llvm::SmallSetVector<EdgeReason, 4>;

/// The category of all remarks about dispatch formation. Remarks about edges
/// have the question as subcategory. Remarks named `dispatch` are about a
/// dispatch, those named `outside` about an operation in no dispatch.
constexpr llvm::StringLiteral dispatchFormationCategory = "dispatch-formation";

struct DispatchGroups;

/// The decision about an edge that was made from maps.
struct EdgeNote {
  mlir::OpResult producer;
  mlir::OpOperand *use; ///< of the consumer, perhaps of a view of the result
  mlir::Operation *consumer;
  EdgeReason answer;
  /// The maps from the iterations of the two to the elements of the result, in
  /// the notation.
  std::string made = {}, read = {};
  std::string cost = {}; ///< of one dispatch and of two
  /// The same as numbers, in nanoseconds, if times decided.
  struct Times {
    double one, two;
  };
  std::optional<Times> times = {};
  std::string help = {}; ///< what would put the two together
  /// An operation between the two, for which they are apart.
  mlir::Operation *third = nullptr;
};

/// What formation from maps estimates for a function, in bytes and nanoseconds:
/// with each operation alone, and in dispatches.
struct Totals {
  unsigned operations = 0;
  double bytesBefore = 0, timeBefore = 0;
  unsigned dispatches = 0;
  double bytes = 0, time = 0;
};

/// The decisions of one function.
class Reasons {
public:
  explicit Reasons(mlir::FunctionOpInterface function)
      : function(function),
        listening(function.getContext()->getRemarkEngine() != nullptr) {}

  /// Whether the notes will be read.
  bool isListening() const { return listening; }

  /// Notes the answer for an edge: the rule that allows it, or all rules that
  /// refuse it. The first refusals are kept, unless they only say that the edge
  /// was not asked about, or the edge is later allowed.
  void note(mlir::OpOperand &use, llvm::ArrayRef<EdgeReason> answer);

  void note(EdgeNote edge) { notes.push_back(std::move(edge)); }
  void note(const Totals &now) { totals = now; }

  /// Reports everything. Requires: no operation has moved yet.
  void report(const DispatchGroups &grouping) const;

private:
  mlir::FunctionOpInterface function;
  bool listening;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<EdgeReason, 2>> rules;
  std::vector<EdgeNote> notes;
  Totals totals;
};

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_REASONS_H
