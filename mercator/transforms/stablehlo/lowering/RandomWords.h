// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The random words of a counter, as operations on numbers: two of
/// Threefry-2x32, four of Philox-4x32 (Salmon, Moraes, Dror and Shaw, "Parallel
/// random numbers: as easy as 1, 2, 3", 2011). Internal.
///
///   Values words = threefry(b, key, add(b, state, position));
///   Value bits = join(b, words[0], words[1]);

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_RANDOMWORDS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_RANDOMWORDS_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"

namespace mercator::stablehlo {

/// A constant of 64 bits.
mlir::Value wide(mlir::ImplicitLocOpBuilder &b, uint64_t value);
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);
/// Two words as one number.
mlir::Value join(mlir::ImplicitLocOpBuilder &b, mlir::Value low,
                 mlir::Value high);
/// The low bits of an integer as an element.
mlir::Value asElement(mlir::ImplicitLocOpBuilder &b, mlir::Value bits,
                      mlir::Type element);
/// Whether an addition that gave `sum` wrapped around: 1 or 0.
mlir::Value carry(mlir::ImplicitLocOpBuilder &b, mlir::Value sum,
                  mlir::Value term);

Values threefry(mlir::ImplicitLocOpBuilder &b, mlir::Value key,
                mlir::Value counter);
Values philox(mlir::ImplicitLocOpBuilder &b, mlir::Value key,
              mlir::Value counterLow, mlir::Value counterHigh);

/// Element `i` of a tensor of rank 1, as a tensor of rank 0.
mlir::Value elementOf(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                      int64_t i);
/// The state of a generator after `counters` counters, a number of 64 bits. The
/// words from 1 on are one number.
mlir::Value nextState(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                      mlir::Value counters);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_RANDOMWORDS_H
