// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Origins.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/program/Load.h"

using namespace mercator;

bool mercator::lacksOrigins(const Compilation &compilation) {
  mlir::ModuleOp module = compilation.getModule();
  if (!module->hasAttr("mhlo.num_partitions"))
    return false;
  return !module
              ->walk([](mlir::Operation *op) {
                return originOf(op->getLoc()).empty()
                           ? mlir::WalkResult::advance()
                           : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}
