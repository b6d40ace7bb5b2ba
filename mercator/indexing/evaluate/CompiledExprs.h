// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions compiled to a flat program, for evaluation at many points.
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 9}), s0 = domain.addRange(arena, {0, 3});
// CompiledExprs program(arena, domain, {arena.add(arena.floorDiv(d0, 3), s0)});
// int64_t result = 0;
// bool hasValue = program.evaluate({7, 1}, result); // one point
// assert(hasValue && result == 3);
// ```
//
// A point lists the values of dims, ranges, runtimes. Many points are stored in
// columns: `inputs[v][i]` is coordinate v of point i, `outputs[r][i]` is result
// r at point i. Columns are processed in blocks that fit the first-level cache,
// by loops that compilers vectorize. A division by a constant becomes a
// multiplication or a shift.
//
// The values are those of evaluate() in Evaluate.h: no value if a divisor is
// zero or a subexpression leaves int64. If interval analysis of the box proves
// that neither can happen, the program only checks that points lie in the box.
// Otherwise, and for points outside the box, it checks each operation.
//
// A program is independent of the arena once made, and may be used by many
// threads at once. PointWalk.h tries points with it.

#ifndef MERCATOR_INDEXING_EVALUATE_COMPILEDEXPRS_H
#define MERCATOR_INDEXING_EVALUATE_COMPILEDEXPRS_H

#include "mercator/indexing/map/System.h"

#include <vector>

namespace mercator::indexing {

struct CompiledStep;

class CompiledExprs {
public:
  /// Requires: the expressions use variables of the domain, or of the system,
  /// only. Time: the distinct subexpressions.
  CompiledExprs(const Arena &arena, const Domain &domain,
                llvm::ArrayRef<Expr> exprs);
  CompiledExprs(const Arena &arena, const System &system,
                llvm::ArrayRef<Expr> exprs);

  ~CompiledExprs();
  CompiledExprs(CompiledExprs &&) noexcept;
  CompiledExprs &operator=(CompiledExprs &&) noexcept;

  [[nodiscard]] size_t numInputs() const { return inputs.size(); }
  [[nodiscard]] size_t numOutputs() const { return outputs.size(); }
  /// True if points in the box are evaluated without checks.
  [[nodiscard]] bool isProven() const { return proven; }

  /// Requires: the sizes are numInputs() and numOutputs(). Ensures: true
  /// exactly if all expressions have a value at the point; then `results` has
  /// them.
  [[nodiscard]] bool evaluate(llvm::ArrayRef<int64_t> point,
                              llvm::MutableArrayRef<int64_t> results) const;

  /// The same for `count` points. Requires: the outputs overlap neither each
  /// other nor the inputs. Ensures: true exactly if every point has all values.
  /// Otherwise defined[i] says whether point i has all values; the outputs of
  /// other points are unspecified. `defined` is written only in this case.
  bool evaluate(size_t count, const int64_t *const *inputs,
                int64_t *const *outputs, uint8_t *defined) const;

private:
  /// One subexpression, for evaluation with checks, one point at a time. Its
  /// operands have smaller indices.
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
  std::vector<CompiledStep> steps;     ///< passes over columns, if proven
  std::vector<uint32_t> checkedInputs; ///< the proof depends on their bounds
  uint32_t numScratch = 0;             ///< columns beyond inputs and outputs
  bool proven = false;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_COMPILEDEXPRS_H
