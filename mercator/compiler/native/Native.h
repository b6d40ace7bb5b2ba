// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program as machine code in this process, called with tensors.
///
///   auto native = NativeProgram::compile(*module, "main"); // at flow
///   auto results = native->call(inputs, emitError);
///
/// Two steps make it: makeNativeCode, whose result can be kept (CompileCache.h),
/// and NativeProgram::link.

#ifndef MERCATOR_COMPILER_NATIVE_NATIVE_H
#define MERCATOR_COMPILER_NATIVE_NATIVE_H

#include "mercator/reference/core/Value.h"
#include "mercator/runtime/Abi.h"
#include "mercator/support/Phases.h"
#include "mercator/targets/cpu/host/Host.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace mercator {

class CacheKey;

struct NativeOptions {
  /// exp and the like are those of the C library; subnormal numbers are kept.
  bool preciseMath = false;
  bool keepsSubnormals = false; ///< without precise math, too
  bool isTraced = false;        ///< dispatches are reported (runtime/Trace.h)
  bool isChecked = false;       ///< every load and store is checked
  uint64_t scheduleSeed = 0;    ///< not 0: schedules are drawn at random
  bool isOptimized = true;      ///< by LLVM; false for tests of loops alone
  /// Any CPU has a matrix unit, which is emulated (targets/cpu/llvm/Tiles.h). For tests.
  bool emulatesMatrices = false;
  /// Parameters that the caller gives away are written (targets/cpu/host/Host.h).
  bool usesDonations = false;
  std::string cpu = "host"; ///< or a name that LLVM knows: `x86-64-v3`
  /// The device, by name or as JSON, whose caches decide; or that of `cpu`.
  std::string device = {};
};

/// What machine code depends on.
void addTo(CacheKey &key, const NativeOptions &options);

/// A program as objects, with what a caller must know.
struct NativeCode {
  struct Constant {
    std::string symbol;
    llvm::StringRef bytes;
  };
  std::vector<std::string> objects;
  std::vector<Constant> constants;
  std::shared_ptr<const void> owner; ///< of the bytes of constants
  /// The type of the function at flow, as text: `(tensor<4xf32>) -> tensor<4xf32>`.
  std::string type;
  int64_t arenaBytes = 0;
  std::vector<cpu::TracedDispatch> dispatches;
  /// As in HostProgram: the parameter in whose memory a result lies, and the
  /// parameters that are written.
  std::vector<int64_t> aliases, overwritten;
};

/// The machine that the options name; fails after an error.
[[nodiscard]] llvm::FailureOr<cpu::Machine>
machineOf(const NativeOptions &options, reference::EmitError emitError);

/// The elements of a constant of the module; fails after an error.
using ElementsOfConstant =
    llvm::function_ref<llvm::FailureOr<reference::Tensor>(
        mlir::ElementsAttr constant)>;

/// Rewrites the module. Without `elements`, they are those of constantOfCode(),
/// and an error is at the module. Fails after an error.
llvm::FailureOr<NativeCode>
makeNativeCode(mlir::ModuleOp module, llvm::StringRef function,
               const NativeOptions &options = {}, Phases *phases = nullptr,
               ElementsOfConstant elements = nullptr);

class NativeProgram {
public:
  /// Fails after an error: there is no memory.
  static llvm::FailureOr<NativeProgram> link(NativeCode code,
                                             mlir::MLIRContext *context,
                                             reference::EmitError emitError);
  /// Both steps.
  static llvm::FailureOr<NativeProgram>
  compile(mlir::ModuleOp module, llvm::StringRef function,
          const NativeOptions &options = {});
  NativeProgram(NativeProgram &&) noexcept;
  ~NativeProgram();

  /// Calls the program. `inputs` are arguments at flow (StageValues.h), and so
  /// are the results. Fails after an error. Results of known extents are written to the
  /// memory of `before`, the results of an earlier call, where nothing else holds it.
  llvm::FailureOr<std::vector<reference::Value>>
  call(llvm::ArrayRef<reference::Value> inputs, reference::EmitError emitError,
       std::vector<reference::Value> before = {});

  /// The same with memory of the caller, as runtime/Abi.h describes it: a tensor for
  /// each parameter and result at flow. Returns a status for `check`.
  int32_t run(const mercator_tensor *inputs, mercator_tensor *results);
  /// Fails after an error if the status of a run is not `mercator_ok`.
  llvm::LogicalResult check(int32_t status, reference::EmitError emitError);

  /// The processes that its runs exchange data with; null for one process.
  void setProcesses(mercator_processes *processes);

  [[nodiscard]] int64_t codeBytes() const;
  /// NativeCode::aliases and NativeCode::overwritten.
  [[nodiscard]] llvm::ArrayRef<int64_t> aliases() const;
  [[nodiscard]] llvm::ArrayRef<int64_t> overwritten() const;
  [[nodiscard]] int64_t arenaBytes() const;
  /// The types of parameters and results at flow.
  [[nodiscard]] mlir::FunctionType type() const;
  [[nodiscard]] const std::vector<cpu::TracedDispatch> &dispatches() const;

  /// Whether the last call failed because the program does not accept its inputs.
  [[nodiscard]] bool hasRejected() const;
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

#endif // MERCATOR_COMPILER_NATIVE_NATIVE_H
