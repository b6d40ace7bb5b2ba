// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of a loop without running it: the number of iterations, the carried
// values that never change, and the value of an integer of the body in
// iteration n. Internal.
//
//   while (%i = %c2, %x = %p) cond { %i < %c10 } do { .. %i + %c3 .., %x }
//     iterations     3
//     %x             unchanged
//     %i, %i * 2     3 * n + 2, 6 * n + 4
//
// If a bound is known only when the program runs, the number of iterations is
// an expression of it:
//
//   while (%i = %start) cond { %i < %c10 } do { .. %i + %c3 .. }
//     trips          max(0, ceil((10 - %start) / 3))
//
// Calls in the condition and in the body are followed, and tuples are looked
// through, because loops of HLO have this form.

#ifndef MERCATOR_ANALYSIS_VALUES_LOOPCOUNTER_H
#define MERCATOR_ANALYSIS_VALUES_LOOPCOUNTER_H

#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Sources.h"

#include "mlir/IR/SymbolTable.h"

#include <deque>
#include <map>
#include <optional>

namespace mercator::maps {

using indexing::Arena;

/// The common value of all elements of an integer constant.
[[nodiscard]] std::optional<int64_t> integerConstant(mlir::Value value);

/// scale * n + offset in iteration n.
struct Affine {
  int64_t scale = 0, offset = 0;
  [[nodiscard]] std::optional<int64_t> at(int64_t n) const;
};

/// The number of iterations, as an expression of integers from outside the
///   loop: max(0, ceil((plus - minus + offset) / step))
struct Trips {
  std::optional<Leaf> plus, minus; ///< with one element; nothing means 0
  int64_t offset = 0, step = 1;    ///< step > 0
  bool isNarrow = true;            ///< plus and minus have at most 32 bits

  /// An integer from outside the loop, plus a constant.
  struct Bound {
    std::optional<Leaf> leaf; ///< nothing means 0
    int64_t constant = 0;
  };
  /// The counter in the first and in the last iteration, if the loop runs. It
  /// goes up or down by `step`.
  Bound first, last;
  bool goesUp = true;
};

class LoopCounter {
public:
  LoopCounter(stablehlo::WhileOp loop, Leaves &leaves,
              mlir::SymbolTableCollection &symbols);

  [[nodiscard]] std::optional<int64_t> iterations() const { return count; }
  /// Requires: iterations() is not known.
  [[nodiscard]] std::optional<Trips> trips();
  /// The integer of the body at `place`, as an affine function of the counter
  /// of trips(), whose step is 1.
  [[nodiscard]] std::optional<Affine>
  valueAtCounter(SourcePlace place, int32_t element, const Arena &arena);
  /// True if the body returns the leaf of carried value `number` unchanged.
  [[nodiscard]] bool isUnchanged(unsigned number, unsigned leaf);
  /// The integer of the body, or of a computation that it calls, at `place`, as
  /// an affine function of the iteration.
  [[nodiscard]] std::optional<Affine>
  valueOf(SourcePlace place, int32_t element, const Arena &arena);

private:
  /// A call in the stack of calls that leads to a value.
  struct Frame {
    mlir::Operation *call;
    const Frame *outer;
  };
  struct Place {
    Leaf leaf;
    const Frame *frame = nullptr;
  };

  /// start + constant + step * n in iteration n.
  struct Line {
    std::optional<Leaf> start;
    int64_t constant = 0, step = 0;
    std::pair<unsigned, unsigned> counter = {}; ///< if step is not 0
  };

  const Frame *enter(mlir::Operation *call, const Frame *outer);
  Place origin(Place place);
  std::optional<Affine> evaluate(Place place, unsigned depth = 0);
  std::optional<Affine> evaluateOperation(mlir::Operation *op, Place place,
                                          unsigned depth);
  std::optional<bool> decide(Place place, unsigned depth);
  std::optional<int64_t> findIterations();
  std::optional<int64_t> stepOf(unsigned number, unsigned leaf);
  std::optional<Line> outsideLine(Leaf leaf);
  std::optional<Line> lineOf(Place place);

  stablehlo::WhileOp loop;
  Leaves &leaves;
  mlir::SymbolTableCollection &symbols;
  std::optional<int64_t> count;
  std::map<std::pair<unsigned, unsigned>, Affine> counters;
  std::map<std::pair<mlir::Operation *, const Frame *>, const Frame *> entered;
  std::deque<Frame> frames;
  /// The carried value that is the counter of trips(), and its bounds.
  std::pair<unsigned, unsigned> tripsCounter;
  int64_t least = 0, most = -1;
  unsigned steps = 0; ///< steps of evaluation used
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_VALUES_LOOPCOUNTER_H
