// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether a result depends on an element that it reads. A map lists the elements
/// that are read, and a value that is read may cancel:
///
///   (x + y) - y, s16     reads y, and is x for every y
///   (x + y) - y, f32     is x but for the rounding of two operations
///   y[i] - x             depends on y[i]
///
/// The programs are run by the reference evaluator, in their own types, twice: with an
/// element, and with another value in its place. A result of integers depends on it if
/// it changes. A result of floats must change more than rounding can explain
/// (reference/core/Perturbation.h).
///
/// ```cpp (mlir::func::FuncOp function)
/// Dependence dependence(function);
/// std::string why = dependence.whyUnknown(
///     {.result = 0, .at = {0, 0}, .parameter = 1, .element = {0, 0}});
/// if (why.empty())
///   llvm::outs() << "result 0 depends on parameter 1";
/// ```
///
/// Complexity: some runs of the program with at most two million operations on elements
/// each. A larger program is not run; only an element that is copied is found then.

#ifndef MERCATOR_COMPILER_MAPS_DEPENDENCE_H
#define MERCATOR_COMPILER_MAPS_DEPENDENCE_H

#include "mercator/reference/core/Value.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mercator {

class Dependence {
public:
  /// An element of a result, and one of a parameter. Members of tuples are numbered
  /// one after the other.
  struct Pair {
    unsigned result = 0;
    llvm::SmallVector<int64_t, 6> at = {};
    unsigned parameter = 0;
    llvm::SmallVector<int64_t, 6> element = {};
  };

  /// Requires: a function of a module, with a body of one block, which outlives this.
  explicit Dependence(mlir::func::FuncOp function) : function(function) {}

  /// Empty if the element of the result depends on that of the parameter. Otherwise
  /// why that is not known.
  [[nodiscard]] std::string whyUnknown(const Pair &pair);

private:
  using Numbers = std::vector<double>; ///< a part each

  struct Trial {
    uint64_t seed = 0;
    bool isChanged = false;              ///< the element has another value
    std::optional<uint64_t> rounds = {}; ///< at random, with this seed
  };
  std::optional<Numbers> run(const Pair &pair, const Trial &trial);
  /// The tensor of this number.
  std::optional<reference::Value> draw(mlir::Type type, const Pair &pair,
                                       const Trial &trial, unsigned number);
  bool isCopied(const Pair &pair);
  std::optional<bool> changes(const Pair &pair, uint64_t seed);

  mlir::func::FuncOp function;
  int runs = 0;
  std::string refusal = {}; ///< why the program cannot be run
};

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_DEPENDENCE_H
