// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The requirements on passes, by name: the tolerance of results, and the
/// assumptions of the pass.
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

/// The program after passes in the syntax of
/// `--pass-pipeline=builtin.module(..)`; null if a pass fails. `isUnderstood`
/// says whether the passes exist.
mlir::OwningOpRef<mlir::ModuleOp> afterPasses(mlir::ModuleOp before,
                                              llvm::StringRef pipeline,
                                              bool &isUnderstood);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_MEANING_PASSMEANING_H
