// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How much do the results of a program depend on rounding?
///
///   Perturbation own({.seed = 1});        // in this thread, until the block ends
///   auto other = evaluator.call(main, inputs);
///
/// While it lives, what is not exact is rounded up or down at random, a new draw for
/// each element that is written: a result that is the difference of equal sums then
/// differs from run to run by the rounding errors of the sums, and one that is
/// computed exactly does not change. Two such runs show how far two correct
/// implementations may be from each other. With `flushes`, subnormal numbers of f32,
/// f64 and bf16 are taken for zero (on x86-64), as compiled programs do.
///
/// Source: Vignes, "A stochastic arithmetic for reliable scientific computation",
/// 1993 (CESTAC).

#ifndef MERCATOR_REFERENCE_CORE_PERTURBATION_H
#define MERCATOR_REFERENCE_CORE_PERTURBATION_H

#include <cfenv>
#include <cstdint>
#include <optional>

namespace mercator::reference {

class Perturbation {
public:
  struct Options {
    /// The seed of the random directions; none: rounding is to nearest.
    std::optional<uint64_t> seed = {};
    bool flushes = false;
  };
  explicit Perturbation(Options options);
  Perturbation(const Perturbation &) = delete;
  Perturbation &operator=(const Perturbation &) = delete;
  ~Perturbation();

  /// The largest magnitude of a float that was rounded.
  [[nodiscard]] double largest() const { return largestValue; }

  /// The one of this thread; null if there is none.
  [[nodiscard]] static Perturbation *current() { return currentOne; }
  /// Whether subnormal numbers are taken for zero.
  [[nodiscard]] bool flushes() const { return takesForZero; }
  /// For a thread that this one began: it evaluates a part of the program.
  static void adopt(Perturbation *own) { currentOne = own; }
  /// An element with this value has been written.
  void wrote(double value);
  /// Whether numbers are rounded up (1), down (-1) or to nearest (0).
  [[nodiscard]] int direction() const { return towards; }

private:
  void turn();

  static thread_local Perturbation *currentOne;
  Perturbation *outer;
  std::fenv_t before;
  bool isRandom, takesForZero;
  uint64_t state = 0;
  int towards = 0;
  double largestValue = 0;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_PERTURBATION_H
