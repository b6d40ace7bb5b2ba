// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Numbers of a kernel as linear functions of the iterations of loops.
///
///   %row = arith.muli %i, %c14        0 + 14 * loop 0
///   %at = arith.addi %row, %j         0 + 14 * loop 0 + 1 * loop 1
///
/// A number that is read from memory is random: it moves by kRandomStep with each
/// iteration of a loop that moves the address.
///
/// An operation that is not linear, such as a division or a minimum, is evaluated at
/// the *samples*, the iterations for which the rest stands. Where another iteration
/// might give another function, its loop is a *doubt*:
///
///   %end = minsi(%i + 16, %n)         16 + loop 0 if that never exceeds n; else in
///                                     doubt about loop 0
///
/// A number without terms and doubts of a loop is the same in all its iterations.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_NUMBERS_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_NUMBERS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mercator::cpu {

/// More than any loop moves an address.
inline constexpr double kRandomStep = 1 << 20;

struct LinearNumber {
  double constant = 0;
  llvm::SmallVector<std::pair<unsigned, double>, 4> terms = {}; ///< no zeros
  /// It is read from memory, and different in each iteration of the loops that it
  /// has terms for.
  bool isRandom = false;
  /// Loops in whose other iterations it may be another function: a bit for each, by
  /// the loops around it (Numbers::bitOf).
  uint64_t doubts = 0;

  [[nodiscard]] bool isConstant() const { return terms.empty(); }
};

/// A place in a buffer, in elements.
struct BufferPlace {
  mlir::Value root;
  LinearNumber offset;
};

class Numbers {
public:
  /// A new loop of so many iterations inside `depth` others, and the iteration that
  /// stands for all.
  unsigned addLoop(double sample, double count, unsigned depth);
  /// Of a loop inside so many others. Very deep ones share a bit.
  [[nodiscard]] static uint64_t bitOf(unsigned depth) {
    return uint64_t(1) << std::min(depth, 63u);
  }
  /// The loops whose iterations may change the number, or the difference of two.
  [[nodiscard]] uint64_t loopsOf(const LinearNumber &number) const;
  [[nodiscard]] uint64_t loopsOfDifference(const LinearNumber &a,
                                           const LinearNumber &b) const;
  void bind(mlir::Value value, LinearNumber number) { known[value] = number; }
  void bind(mlir::Value buffer, BufferPlace place) { places[buffer] = place; }
  void forget(mlir::Value value) { known.erase(value); }

  /// The number in the middle of two: what a search between them finds on average.
  [[nodiscard]] LinearNumber middleOf(const LinearNumber &a,
                                      const LinearNumber &b) const;
  /// A number that is loaded from there.
  [[nodiscard]] LinearNumber randomAt(const LinearNumber &address) const;
  /// Computes the results of an operation, if they are numbers or buffers.
  void evaluate(mlir::Operation &op);
  /// None: it depends on data.
  [[nodiscard]] std::optional<LinearNumber> find(mlir::Value value) const;
  [[nodiscard]] std::optional<double> sampled(mlir::Value value) const;
  [[nodiscard]] double sampled(const LinearNumber &number) const;
  [[nodiscard]] BufferPlace placeOf(mlir::Value buffer) const;
  /// Of the element at the indices, in elements of the root; none if it depends on
  /// data.
  [[nodiscard]] std::optional<LinearNumber>
  addressOf(mlir::Value buffer, mlir::ValueRange indices) const;

private:
  [[nodiscard]] std::optional<LinearNumber>
  valueOf(mlir::AffineExpr expr, unsigned dims,
          llvm::ArrayRef<std::optional<LinearNumber>> operands) const;
  [[nodiscard]] std::optional<LinearNumber>
  combine(llvm::StringRef name, const LinearNumber &a,
          const LinearNumber &b) const;
  void evaluateView(mlir::Operation &op);
  [[nodiscard]] std::optional<LinearNumber> extentOf(mlir::Value buffer,
                                                     int64_t dim) const;
  [[nodiscard]] std::optional<bool> decideBit(mlir::Operation &op) const;
  /// Whether all iterations of a loop move a number by less than this.
  [[nodiscard]] bool staysBelow(unsigned loop, double factor, double by) const {
    return std::abs(factor) * (loops[loop].count - 1) < by;
  }
  [[nodiscard]] LinearNumber divided(const LinearNumber &a, double by,
                                     bool up) const;
  [[nodiscard]] LinearNumber rest(const LinearNumber &a, double by) const;
  [[nodiscard]] uint64_t
  loopsThatChange(const LinearNumber &a, const LinearNumber &b,
                  llvm::function_ref<bool(double)> holds) const;

  struct Loop {
    double sample, count;
    unsigned depth;
  };
  llvm::DenseMap<mlir::Value, LinearNumber> known;
  llvm::DenseMap<mlir::Value, BufferPlace> places;
  std::vector<Loop> loops;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_NUMBERS_H
