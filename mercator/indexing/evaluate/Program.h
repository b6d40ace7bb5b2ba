// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions compiled to a flat program, for evaluation at many points.
//
// ```cpp
// Arena arena;
// Domain domain;
// Expr d0 = domain.addDim(arena, {0, 9}), s0 = domain.addRange(arena, {0, 3});
// Program program(arena, domain, {arena.add(arena.floorDiv(d0, 3), s0)});
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
// A program does not depend on its arena after construction, and may be used by
// many threads at once.

#ifndef MERCATOR_INDEXING_EVALUATE_PROGRAM_H
#define MERCATOR_INDEXING_EVALUATE_PROGRAM_H

#include "mercator/indexing/map/Map.h"

#include <vector>

namespace mercator::indexing {

struct ProgramStep;

class Program {
public:
  /// Complexity: linear in the distinct subexpressions.
  Program(const Arena &arena, const Domain &domain, llvm::ArrayRef<Expr> exprs);

  ~Program();
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;

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
    ExprKind kind;
    bool wideIsSum = false;
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
  std::vector<ProgramStep> steps;      ///< passes over columns, if proven
  std::vector<uint32_t> checkedInputs; ///< the proof depends on their bounds
  uint32_t numScratch = 0;             ///< columns beyond inputs and outputs
  bool proven = false;
};

/// A compiled test for membership in a domain. Gives the same answers as
/// contains() in Evaluate.h.
class Membership {
public:
  Membership(const Arena &arena, const Domain &domain);

  [[nodiscard]] bool contains(llvm::ArrayRef<int64_t> point) const;
  /// Sets inside[i] to 0 or 1 for each of `count` points in columns. Returns
  /// the number of points inside.
  size_t contains(size_t count, const int64_t *const *inputs,
                  uint8_t *inside) const;

private:
  std::vector<Interval> box;
  std::vector<Interval> bounds; ///< of the constraints
  Program constraints;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_PROGRAM_H
