// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions compiled to a flat program, to be evaluated at many points.
//
//   Program program(arena, map.domain, map.results);
//   int64_t results[2];
//   if (program.evaluate({7, 1}, results)) ...        // one point
//   program.evaluate(n, columns, outputs, defined);   // n points
//
// A point lists the values of dims, ranges, runtimes. Many points stand in
// columns: `inputs[v][i]` is coordinate v of point i, `outputs[r][i]` result r
// at point i. Columns are worked on in blocks that stay in the first-level
// cache, by loops that compilers turn into vector instructions; a division by a
// constant becomes a multiplication or a shift.
//
// Values are those of evaluate() in Evaluate.h: there is none where a divisor
// is zero or a subexpression leaves int64. Where the intervals of the domain's
// box prove that neither can happen, nothing is checked at run time but that
// points are in that box; otherwise, and for points outside, each operation is
// checked.
//
// A program is independent of the arena once made, and may be used by many
// threads at once. PointWalk.h tries points with it.

#ifndef MERCATOR_INDEXING_EVALUATE_PROGRAM_H
#define MERCATOR_INDEXING_EVALUATE_PROGRAM_H

#include "mercator/indexing/map/System.h"

#include <vector>

namespace mercator::indexing {

struct ProgramStep;

class Program {
public:
  /// Requires: the expressions use variables of the domain, or of the system,
  /// only. Time: the distinct subexpressions.
  Program(const Arena &arena, const Domain &domain, llvm::ArrayRef<Expr> exprs);
  Program(const Arena &arena, const System &system, llvm::ArrayRef<Expr> exprs);

  ~Program();
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;

  [[nodiscard]] size_t numInputs() const { return inputs.size(); }
  [[nodiscard]] size_t numOutputs() const { return outputs.size(); }
  /// Whether points in the box are evaluated without checks.
  [[nodiscard]] bool isProven() const { return proven; }

  /// Ensures: true exactly if all expressions have a value at the point; then
  /// these are in `results`. Requires: sizes numInputs() and numOutputs().
  [[nodiscard]] bool evaluate(llvm::ArrayRef<int64_t> point,
                              llvm::MutableArrayRef<int64_t> results) const;

  /// The same for `count` points. Ensures: true exactly if every point has all
  /// values; otherwise defined[i] says whether point i has, and outputs of
  /// points that have not hold anything. `defined` is written only then.
  /// Requires: the outputs overlap neither each other nor the inputs.
  bool evaluate(size_t count, const int64_t *const *inputs,
                int64_t *const *outputs, uint8_t *defined) const;

private:
  /// One subexpression; operands are smaller indices. Run one point at a time.
  struct Node {
    ExprKind kind;         ///< not Wide: that is a Sum or a Product here
    uint32_t a = 0, b = 0; ///< operands, or first term and number of terms
    int64_t value = 0;     ///< constant, or constant of a sum
  };
  struct NodeTerm {
    uint32_t node;
    int64_t coefficient;
  };
  class Lowering;

  bool runChecked(const int64_t *const *columns, size_t at,
                  llvm::SmallVectorImpl<int64_t> &values) const;
  bool runBlock(size_t begin, size_t count, const int64_t *const *columns,
                int64_t *const *results,
                llvm::MutableArrayRef<int64_t> scratch) const;

  std::vector<Node> nodes;
  std::vector<NodeTerm> terms;
  std::vector<Interval> inputs;        ///< the box
  std::vector<uint32_t> outputs;       ///< nodes
  std::vector<ProgramStep> steps;      ///< passes over columns, where proven
  std::vector<uint32_t> checkedInputs; ///< whose interval the proof relies on
  uint32_t numScratch = 0;             ///< columns beyond inputs and outputs
  bool proven = false;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_PROGRAM_H
