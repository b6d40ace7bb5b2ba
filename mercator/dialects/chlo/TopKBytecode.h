// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// top_k in bytecode of writers that have no attribute `is_stable`.
///
///   chlo->addInterface(std::make_unique<TopKOfOldWriters>(chlo));
///   mlir::readBytecodeFile(..); // reads top_k as they write it

#ifndef MERCATOR_DIALECTS_CHLO_TOPKBYTECODE_H
#define MERCATOR_DIALECTS_CHLO_TOPKBYTECODE_H

#include "mlir/IR/DialectInterface.h"

namespace mercator::chlo {

/// A dialect that has it reads bytecode of such writers.
class TopKOfOldWriters : public mlir::DialectInterface::Base<TopKOfOldWriters> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TopKOfOldWriters)
  explicit TopKOfOldWriters(mlir::Dialect *dialect) : Base(dialect) {}
};

} // namespace mercator::chlo

#endif // MERCATOR_DIALECTS_CHLO_TOPKBYTECODE_H
