// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program as machine code in this process, called with tensors.
///
///   auto native = NativeProgram::compile(*module, "main"); // at flow
///   auto results = native->call(inputs, emitError);

#ifndef MERCATOR_COMPILER_NATIVE_H
#define MERCATOR_COMPILER_NATIVE_H

#include "mercator/reference/core/Value.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace mercator {

class NativeProgram {
public:
  /// With `preciseMath`, exp and the like are those of the C library. Rewrites the
  /// module, which outlives the result. Fails after an error.
  static llvm::FailureOr<NativeProgram> compile(mlir::ModuleOp module,
                                                llvm::StringRef function,
                                                bool preciseMath = false);
  NativeProgram(NativeProgram &&) noexcept;
  ~NativeProgram();

  /// Calls the program. `inputs` are arguments at flow (StageValues.h), and so
  /// are the results. Fails after an error.
  llvm::FailureOr<std::vector<reference::Value>>
  call(llvm::ArrayRef<reference::Value> inputs, reference::EmitError emitError);

  /// The seconds that the last call took, without the conversion of tensors.
  [[nodiscard]] double seconds() const;

private:
  struct Parts;
  explicit NativeProgram(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts;
};

/// The elements of a constant as machine code reads them. Fails after an error.
llvm::FailureOr<reference::Tensor>
constantOfCode(mlir::ElementsAttr elements, reference::EmitError emitError);

} // namespace mercator

#endif // MERCATOR_COMPILER_NATIVE_H
