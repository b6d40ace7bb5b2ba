// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Plans a scatter or a dynamic_update_slice: all known ways, and the choice of
/// one.
///
/// ```cpp (mlir::Operation *op)
/// Planning planning = planScatter(op, devices::ascend910b());
/// if (const Candidate *best = planning.best()) {
///   planning.keep(best);                  // erases the nodes of the others
///   mlir::Value result = best->resultFor(op);
///   op->getResult(0).replaceAllUsesWith(result);
/// }
/// ```
///
/// The ways:
///
///   none           no element is updated, or all are
///   scatter-rows   the leading dimensions of the operand, up to the last one
///                  that the updates do not fill, become one dimension. One
///                  row-major number indexes it for each row of the updates:
///
///                    x[4096, 8, 128] with an update of 1x8x128 at (i, 0, 0)
///                      -> ScatterNdUpdate of 4096x1024 at [[i]] with 1x1024
///
///   scatter-elements
///                  the same with the number repeated for each element of a row:
///                  ScatterElements has types and products that ScatterNdUpdate
///                  and ScatterNdAdd have not
///
///   mask           the update of a dynamic_update_slice, spread to the shape of
///                  the operand by gathers; a mask chooses between the two
///
/// StableHLO skips an update outside the operand, and GE defines nothing for it.
/// Unless all indices are proved to lie inside, the operand gets a spare last
/// row for these updates, which is cut off afterwards.
///
/// A plan is the nodes themselves, inserted before the operation. So the cost
/// counts exactly the nodes that the conversion keeps. The cheapest way
/// (operators/NodeCost.h) is chosen; a way that the cores of the device execute
/// comes before one that needs the AI CPU.

#ifndef MERCATOR_TARGETS_ASCEND_SCATTER_PLANNER_H
#define MERCATOR_TARGETS_ASCEND_SCATTER_PLANNER_H

#include "mercator/indexing/expr/Interval.h"
#include "mercator/targets/ascend/operators/NodeCost.h"

namespace mercator::scatter {

enum class Way { None, Rows, Elements, Mask };
/// none, scatter-rows, scatter-elements, mask.
[[nodiscard]] llvm::StringRef identifier(Way way);

/// How an element is combined with an update.
enum class Combination { Update, Add, Multiply, Greatest, Least };
/// update, add, multiply, maximum, minimum.
[[nodiscard]] llvm::StringRef name(Combination by);

/// What is known of two updates of one element.
enum class Collision {
  None,      ///< there are none
  Exact,     ///< the order of the updates does not change the result
  Rounded,   ///< the order changes the rounding of the sums
  Unordered, ///< the last one stays, and the order is not defined
};
[[nodiscard]] llvm::StringRef identifier(Collision collision);

/// A dimension of the operand.
struct Dimension {
  int64_t extent = 0;
  int64_t updated = 0; ///< elements in one window of updates
  /// The component of the indices that moves the windows along it.
  std::optional<int64_t> start = {};
  /// The axis of the batch of indices that it follows.
  std::optional<int64_t> batchAxis = {};
  /// The dimension of the updates that moves along it.
  std::optional<int64_t> updateDim = {};
  /// The interval of the start; everything if there is none.
  indexing::Interval known = indexing::Interval::everything();

  /// The last start at which a window lies inside.
  [[nodiscard]] int64_t lastStart() const { return extent - updated; }
  [[nodiscard]] bool mayBeBelow() const { return start && known.lower < 0; }
  [[nodiscard]] bool mayBeAbove() const {
    return start && known.upper > lastStart();
  }
};

struct Candidate {
  Way way;
  /// Why it does not apply; empty if it does.
  std::string whyNot = {};
  /// The nodes, before the operation and in order.
  std::vector<mlir::Operation *> nodes = {};
  /// The value of the last node; null for a way without nodes.
  mlir::Value last = {};
  /// For a way without nodes: the operand that is the result.
  unsigned operand = 0;
  ascend::NodeCost cost = {};
  /// What the cores leave to the AI CPU.
  std::vector<ascend::BesideCores> beside = {};

  [[nodiscard]] bool applies() const { return whyNot.empty(); }
  /// Requires: it applies, and `op` is the operation that was planned.
  [[nodiscard]] mlir::Value resultFor(mlir::Operation *op) const {
    return last ? last : op->getOperand(operand);
  }
  /// Whether it is better: on the cores, then cheaper.
  [[nodiscard]] bool operator<(const Candidate &other) const;
};

struct Planning {
  /// Why there is no conversion. The other members are then empty.
  std::string refused = {};
  /// One for each way, in the order above.
  std::vector<Candidate> candidates = {};
  Combination by = Combination::Update;
  Collision collision = Collision::None;
  /// Whether the operand gets a last row for updates outside.
  bool hasSpareRow = false;
  std::vector<Dimension> dimensions = {};
  /// Facts about this operation, one sentence each.
  std::vector<std::string> notes = {};

  /// Null if there is no conversion.
  [[nodiscard]] const Candidate *best() const;
  /// Erases the nodes of all candidates but `kept`, which may be null. Their
  /// costs stay.
  void keep(const Candidate *kept);
};

/// Whether the operation is a scatter or a dynamic_update_slice.
[[nodiscard]] bool isScatter(mlir::Operation *op);

/// Inserts the nodes of every way that applies before the operation. Requires:
/// isScatter(op).
[[nodiscard]] Planning planScatter(mlir::Operation *op, const Device &device);

} // namespace mercator::scatter

#endif // MERCATOR_TARGETS_ASCEND_SCATTER_PLANNER_H
