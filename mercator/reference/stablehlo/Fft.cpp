// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Fourier.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static Fourier kindOf(FftType type) {
  switch (type) {
  case FftType::FFT:
    return Fourier::Forward;
  case FftType::IFFT:
    return Fourier::Inverse;
  case FftType::RFFT:
    return Fourier::RealToHalf;
  case FftType::IRFFT:
    return Fourier::HalfToReal;
  }
  llvm_unreachable("all types");
}

static LogicalResult evaluateFft(FftOp op, Step &step) {
  FailureOr<Tensor> result =
      fourier(step, kindOf(op.getFftType()), op.getFftLength(), step.tensor(0),
              [&](ArrayRef<int64_t> shape) { return step.make(0, shape); });
  if (failed(result))
    return failure();
  step.results[0] = *result;
  return success();
}

void addFftRules(EvaluationRules &rules) { rules.add<FftOp, evaluateFft>(); }

} // namespace mercator::reference
