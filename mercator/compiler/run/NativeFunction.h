// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The entry of a program as machine code that is called again and again with the
/// memory of the caller.
///
///   Answer<NativeFunction> f = compilation->makeFunction(options);
///   mercator_tensor x = {inputs, 1, sizes}, y = {results, 1, sizes};
///   if (failed(f->call(&x, &y)))
///     return; // the diagnostics of the compilation say why
///
/// `run` draws inputs, converts and prints; this function does nothing but the call.

#ifndef MERCATOR_COMPILER_RUN_NATIVEFUNCTION_H
#define MERCATOR_COMPILER_RUN_NATIVEFUNCTION_H

#include "mercator/compiler/native/Native.h"

namespace mercator {

/// The element type as MLIR spells it (`f32`, `ui8`, `complex<f32>`), and extents.
struct TensorType {
  std::string element;
  std::vector<int64_t> shape;
};

class NativeFunction {
public:
  NativeFunction(std::shared_ptr<NativeProgram> program,
                 mlir::Location location)
      : program(std::move(program)), location(location) {}

  /// Of the program that was loaded, without tokens.
  [[nodiscard]] const std::vector<TensorType> &parameters() const {
    return parameterTypes;
  }
  [[nodiscard]] const std::vector<TensorType> &results() const {
    return resultTypes;
  }
  /// Whether the program says that nobody reads a parameter after the call
  /// (`tf.aliasing_output`, `jax.buffer_donor`).
  [[nodiscard]] bool isDonated(size_t parameter) const {
    return donated[parameter];
  }
  /// The parameter in whose memory a result lies, -1 if the caller passes memory
  /// for it; and the parameters that a call may write. They are donated, and there
  /// are none without NativeOptions::usesDonations.
  [[nodiscard]] int64_t aliasOf(size_t result) const {
    return program->aliases()[result];
  }
  [[nodiscard]] bool isOverwritten(size_t parameter) const {
    return llvm::is_contained(program->overwritten(), int64_t(parameter));
  }
  /// The bytes of machine code, and of intermediate tensors of known size.
  [[nodiscard]] int64_t codeBytes() const { return program->codeBytes(); }
  [[nodiscard]] int64_t arenaBytes() const { return program->arenaBytes(); }

  /// Requires: tensors of the types above, contiguous, in memory that does not
  /// overlap; one call at a time. The address of a result with an alias is not read. Fails after an error.
  llvm::LogicalResult call(const mercator_tensor *inputs,
                           mercator_tensor *results);

private:
  friend class Compilation;

  std::shared_ptr<NativeProgram> program;
  mlir::Location location;
  std::vector<TensorType> parameterTypes, resultTypes;
  std::vector<bool> donated;
  std::function<std::unique_ptr<mlir::ScopedDiagnosticHandler>()> forward;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_NATIVEFUNCTION_H
