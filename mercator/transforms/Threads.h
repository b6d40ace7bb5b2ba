// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Lets passes run in several threads for a while.
///
/// ```cpp
/// mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
/// {
///   mercator::Threads threads(&context);
///   assert(context.isMultithreadingEnabled()); // functions in all threads
/// }
/// assert(!context.isMultithreadingEnabled());
/// ```
///
/// A context has one thread otherwise: its locks cost more than they gain where there
/// are no passes. The threads are as many as the process may run on, or those of the pool
/// that the context was given.

#ifndef MERCATOR_TRANSFORMS_THREADS_H
#define MERCATOR_TRANSFORMS_THREADS_H

#include "mlir/IR/MLIRContext.h"

namespace mercator {

class Threads {
public:
  explicit Threads(mlir::MLIRContext *context)
      : context(context), hadThem(context->isMultithreadingEnabled()) {
    if (!hadThem)
      context->enableMultithreading();
  }
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;
  ~Threads() {
    if (!hadThem)
      context->disableMultithreading();
  }

private:
  mlir::MLIRContext *context;
  bool hadThem;
};

} // namespace mercator

#endif // MERCATOR_TRANSFORMS_THREADS_H
