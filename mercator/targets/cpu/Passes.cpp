// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Passes.h"

#include "mercator/targets/cpu/host/Host.h"
#include "mercator/targets/cpu/kernels/Schedules.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mercator;

namespace {
/// A step for a machine.
template <typename Step>
class CpuPass : public PassWrapper<Step, OperationPass<ModuleOp>> {
public:
  CpuPass() = default;
  CpuPass(const CpuPass &other)
      : PassWrapper<Step, OperationPass<ModuleOp>>(other) {
    cpu = other.cpu;
  }

  [[nodiscard]] StringRef getArgument() const final { return Step::kName; }
  [[nodiscard]] StringRef getDescription() const final { return Step::kAbout; }
  void getDependentDialects(DialectRegistry &registry) const final {
    cpu::registerDialects(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    cf::ControlFlowDialect, complex::ComplexDialect,
                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                    tensor::TensorDialect, ub::UBDialect>();
  }
  void runOnOperation() final {
    ModuleOp module = this->getOperation();
    std::optional<cpu::Machine> machine = cpu::Machine::named(cpu);
    if (!machine)
      module.emitError() << "expected a CPU such as host, x86-64-v3 or znver5, "
                            "got '"
                         << cpu << "'";
    if (!machine ||
        failed(static_cast<Step *>(this)->takeStep(module, *machine)))
      this->signalPassFailure();
  }

private:
  Pass::Option<std::string> cpu{*this, "cpu",
                                llvm::cl::desc("the CPU that runs the code"),
                                llvm::cl::init("host")};
};

class SchedulePass : public CpuPass<SchedulePass> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SchedulePass)
  static constexpr llvm::StringLiteral
      kName = "mercator-cpu-schedule",
      kAbout = "write how a CPU computes each dispatch, where nothing says so";
  SchedulePass() = default;
  SchedulePass(const SchedulePass &other) : CpuPass(other) {
    seed = other.seed;
  }

  LogicalResult takeStep(ModuleOp module, cpu::Machine machine) {
    machine.scheduleSeed = seed;
    return cpu::writeSchedules(module, machine);
  }

private:
  Option<uint64_t> seed{*this, "seed",
                        llvm::cl::desc("not 0: draw them at random"),
                        llvm::cl::init(0)};
};

class KernelsPass : public CpuPass<KernelsPass> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernelsPass)
  static constexpr llvm::StringLiteral kName = "mercator-cpu-kernels",
                                       kAbout = "make loops of each dispatch, "
                                                "and a program that calls them";
  KernelsPass() = default;
  KernelsPass(const KernelsPass &other) : CpuPass(other) {
    function = other.function;
  }

  LogicalResult takeStep(ModuleOp module, const cpu::Machine &machine) {
    return success(succeeded(cpu::lowerHost(module, function, machine)));
  }

private:
  Option<std::string> function{*this, "function",
                               llvm::cl::desc("the function that dispatches"),
                               llvm::cl::init("main")};
};

class LlvmPass : public CpuPass<LlvmPass> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LlvmPass)
  static constexpr llvm::StringLiteral kName = "mercator-cpu-llvm",
                                       kAbout =
                                           "make LLVM's dialect of kernels and "
                                           "of the program that calls them";

  LogicalResult takeStep(ModuleOp module, const cpu::Machine &machine) {
    return cpu::lowerToLlvm(module, machine);
  }
};
} // namespace

void cpu::registerCpuPasses() {
  PassRegistration<SchedulePass>();
  PassRegistration<KernelsPass>();
  PassRegistration<LlvmPass>();
}
