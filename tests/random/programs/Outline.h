// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations of a program in functions and fusions of their own: calls where
/// the generators write plain operations, as in the bodies of loops,
/// reductions, sorts and maps.
///
///   reduce(%x) { %s = add %a, %b ; return %s }
///   becomes reduce(%x) { %s = call @outlined0(%a, %b) ; return %s }

#ifndef MERCATOR_TESTS_RANDOM_PROGRAMS_OUTLINE_H
#define MERCATOR_TESTS_RANDOM_PROGRAMS_OUTLINE_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::testing {

/// Moves some operations of @f, drawn by the seed, into functions, and of those
/// that are in no body some into fusions. Their number.
unsigned outlineSome(mlir::ModuleOp module, uint64_t seed);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_RANDOM_PROGRAMS_OUTLINE_H
