// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What is expected of passes, by their names: how near results must be, what
/// they take for granted.
///
///   MeaningOptions options = optionsFor("builtin.module(iree-util-ipo)");

#ifndef MERCATOR_TESTS_TRANSFORMS_MEANING_PASSMEANING_H
#define MERCATOR_TESTS_TRANSFORMS_MEANING_PASSMEANING_H

#include "Meaning.h"

#include "mlir/IR/OwningOpRef.h"

namespace mercator::testing {

MeaningOptions optionsFor(llvm::StringRef pipeline);

/// A context with all dialects; all passes are registered.
std::unique_ptr<mlir::MLIRContext> contextForPasses();

/// What is left of a program after passes, as text as in
/// `--pass-pipeline=builtin.module(..)`; null where one of them fails.
/// `isUnderstood` says whether there are such passes.
mlir::OwningOpRef<mlir::ModuleOp> afterPasses(mlir::ModuleOp before,
                                              llvm::StringRef pipeline,
                                              bool &isUnderstood);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_MEANING_PASSMEANING_H
