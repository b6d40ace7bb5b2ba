// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans one gather: the shared steps and the strategies. Internal to Planner.h.

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_STRATEGIES_H
#define MERCATOR_TARGETS_ASCEND_GATHER_STRATEGIES_H

#include "mercator/targets/ascend/gather/Planner.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::gather {

/// The meaning of an axis of an intermediate tensor: a batch axis, or the part
/// of a slice in one dimension of the operand.
struct Axis {
  bool isBatch;
  int64_t number;
  bool operator==(const Axis &) const = default;
};
using Axes = llvm::SmallVector<Axis, 6>;

/// Where a plan cuts trimmed dimensions, and whether it moves the operand. Each
/// layout is cheapest for some gathers: `t[i, :64]` with few rows is cut last,
/// and `t[i, :, j]` of a large table is indexed in place.
enum class Layout {
  CutFirst, ///< slices the operand, then gathers
  CutLast,  ///< gathers whole dimensions, then slices the result
  /// Indices pick each dimension up to the last indexed one, also those that
  /// are taken whole. So the operand is not transposed.
  InPlace,
  Windows, ///< the same, up to the last trimmed dimension
};
inline constexpr unsigned kLayouts = 4;

class StrategyBuilder {
public:
  StrategyBuilder(const GatherProblem &problem, Layout layout)
      : problem(problem), layout(layout), roles(problem.roles()),
        paired(problem.batchingAxes()), batch(problem.batchShape()),
        b(problem) {
    for (auto [dim, role] : llvm::enumerate(roles))
      if (role == Role::Point || role == Role::Window)
        indexed.push_back(dim);
      else if (role == Role::Batching)
        batching.push_back(dim);
    // In the order of their axes, as primitives with batches require.
    llvm::sort(batching,
               [&](int64_t x, int64_t y) { return paired[x] < paired[y]; });
  }

  /// Whether the layout gives another plan than the layouts before it.
  [[nodiscard]] bool differs(Strategy strategy) const;

  /// Null if the strategy does not apply; then `why` says so.
  std::optional<Plan> plan(Strategy strategy, std::string &why);

private:
  using Result = std::optional<unsigned>;

  Result constant(std::string &why);
  Result noGather(std::string &why);
  Result slice(std::string &why);
  Result gatherV2(std::string &why);
  Result gatherElements(std::string &why);
  Result gatherNd(std::string &why);
  Result flatGatherV2(std::string &why);
  Result indexByTensor(std::string &why);

  bool isEmpty() const {
    return llvm::is_contained(problem.resultShape, SymbolicExtent(0));
  }
  int64_t rank() const { return roles.size(); }
  unsigned indexBits() const;
  unsigned trimmedOperand();
  unsigned transposedOperand(Ints &order);
  unsigned indexVectors();
  unsigned startsOf(llvm::ArrayRef<int64_t> dims);
  unsigned constantStarts(llvm::ArrayRef<int64_t> dims);
  unsigned clampStarts(unsigned starts, llvm::ArrayRef<int64_t> dims);
  void noteClamps(llvm::ArrayRef<int64_t> dims, bool below, bool above);
  Extents windowSizes() const;
  std::optional<SymbolicExtent> windowSize(int64_t dim) const;
  unsigned cutTrimmed(unsigned in, const Axes &axes);
  std::pair<unsigned, Axes> operandPickedFirst();
  Axes pickedAxes(llvm::ArrayRef<Axis> rest) const;
  unsigned coordinate(int64_t dim, unsigned starts, unsigned bits);
  unsigned finish(unsigned in, Axes axes);

  const GatherProblem &problem;
  Layout layout;
  llvm::SmallVector<Role, 4> roles;
  Ints paired;
  Extents batch;
  Ints indexed;  ///< points and windows, in their order
  Ints batching; ///< in the order of their batch axes
  Ints picked;   ///< what indices of several dimensions pick, in their order
  PlanBuilder b;
};

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_STRATEGIES_H
