// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random tensors for tests of the evaluator.

#ifndef MERCATOR_TESTS_REFERENCE_RANDOMTENSORS_H
#define MERCATOR_TESTS_REFERENCE_RANDOMTENSORS_H

#include "Programs.h"
#include "tests/Seed.h"

#include "mlir/IR/Builders.h"

#include <complex>
#include <random>

namespace mercator::reference {

/// Draws sizes and tensors, deterministically for each seed.
class RandomTensors {
public:
  RandomTensors() : engine(testSeed()) {}

  /// A number in [low, high].
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool coin() { return engine() % 2 != 0; }

  /// Small integers, which floats add and multiply exactly.
  Tensor tensor(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                int64_t low = -4, int64_t high = 4) {
    Tensor result = zeros(shape, element);
    bool isWhole = !result.element().isReal() && !result.element().isComplex();
    for (int64_t i = 0; i < result.size(); ++i)
      result.set(i, isWhole ? Scalar::whole(number(low, high))
                            : Scalar::complex(double(number(low, high)),
                                              double(number(low, high))));
    return result;
  }
  /// Numbers of [-1, 1] with full precision.
  Tensor fractions(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    Tensor result = zeros(shape, element);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (int64_t i = 0; i < result.size(); ++i) {
      double re = draw(engine);
      result.set(i, Scalar::complex(re, draw(engine)));
    }
    return result;
  }

  static Tensor zeros(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    auto type = mlir::RankedTensorType::get(shape, element);
    return *Tensor::zeros(type, [&] {
      return mlir::emitError(mlir::UnknownLoc::get(element.getContext()));
    });
  }

  std::mt19937_64 engine;
};

/// The text of an MLIR type, or of a list as `[1, 2]`.
inline std::string text(mlir::Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}
inline std::string text(llvm::ArrayRef<int64_t> list) {
  std::string result = "[";
  for (auto [i, each] : llvm::enumerate(list))
    result += (i ? ", " : "") + std::to_string(each);
  return result + "]";
}
/// As an attribute: `array<i64: 1, 2>`.
inline std::string array(llvm::ArrayRef<int64_t> list) {
  std::string result = "array<i64";
  for (auto [i, each] : llvm::enumerate(list))
    result += (i ? ", " : ": ") + std::to_string(each);
  return result + ">";
}

} // namespace mercator::reference

#endif // MERCATOR_TESTS_REFERENCE_RANDOMTENSORS_H
