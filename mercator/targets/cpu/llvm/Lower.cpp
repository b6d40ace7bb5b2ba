// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/kernels/BufferArguments.h"
#include "mercator/targets/cpu/kernels/EqualLoops.h"
#include "mercator/targets/cpu/kernels/LoopBodies.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/llvm/Addresses.h"
#include "mercator/targets/cpu/llvm/ExpandShapes.h"
#include "mercator/targets/cpu/llvm/LargeCopies.h"
#include "mercator/targets/cpu/llvm/StreamedStores.h"
#include "mercator/targets/cpu/llvm/Tiles.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mercator;

namespace {
/// Every operation may stand in any function.
class InlineAll : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void cpu::registerDialects(DialectRegistry &registry) {
  registry.insert<amx::AMXDialect, bufferization::BufferizationDialect,
                  memref::MemRefDialect, vector::VectorDialect,
                  LLVM::LLVMDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  // The func dialect promises this one. Nothing here uses it, but MLIR asks for it.
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  registry.addExtension(+[](MLIRContext *, flow::FlowDialect *dialect) {
    dialect->addInterfaces<InlineAll>();
  });
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void cpu::loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

/// Copies between buffers that are not contiguous are loops.
static void expandCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    auto isPlain = [](mlir::Value value) {
      return cast<MemRefType>(value.getType()).getLayout().isIdentity();
    };
    if (!isPlain(op.getSource()) || !isPlain(op.getTarget()))
      copies.push_back(op);
  });
  OpBuilder builder(module.getContext());
  for (memref::CopyOp op : copies) {
    builder.setInsertionPoint(op);
    linalg::CopyOp::create(builder, op.getLoc(), op.getSource(),
                           op.getTarget());
    op.erase();
  }
}

/// Whether a module has operations of a dialect. A pass that converts the dialect takes
/// time for each other operation, too.
template <typename Dialect> static bool has(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_nonnull<Dialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The small buffers of a kernel are on its stack, others on the heap.
static LogicalResult freeKernelBuffers(ModuleOp module) {
  constexpr unsigned kStackBytes = 4096;
  PassManager ofKernels(module.getContext(), "func.func");
  ofKernels.enableVerifier(false);
  ofKernels.addPass(bufferization::createBufferHoistingPass());
  ofKernels.addPass(bufferization::createBufferLoopHoistingPass());
  ofKernels.addPass(
      bufferization::createPromoteBuffersToStackPass([](mlir::Value buffer) {
        auto type = cast<MemRefType>(buffer.getType());
        return type.hasStaticShape() &&
               !buffer.getDefiningOp()
                    ->getParentOfType<LoopLikeOpInterface>() &&
               type.getNumElements() * 16 <= kStackBytes;
      }));
  ofKernels.addPass(
      bufferization::createOwnershipBasedBufferDeallocationPass());
  ofKernels.addPass(createCanonicalizerPass());
  ofKernels.addPass(
      bufferization::createBufferDeallocationSimplificationPass());
  for (auto kernel : module.getOps<func::FuncOp>()) {
    bool allocates = false;
    kernel.walk([&](memref::AllocOp) { allocates = true; });
    if (allocates && kernel.getName() != cpu::kEntry &&
        failed(ofKernels.run(kernel)))
      return failure();
  }
  if (!has<bufferization::BufferizationDialect>(module))
    return success();
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  passes.addPass(bufferization::createLowerDeallocationsPass());
  return passes.run(module);
}

/// An error for an operation that nothing has converted. A cast that is left stands
/// for the operation that it belongs to.
static LogicalResult refuseUnconverted(ModuleOp module) {
  Operation *first = nullptr;
  module.walk([&](Operation *op) {
    bool isCode = isa<LLVM::LLVMDialect>(op->getDialect()) || isa<ModuleOp>(op);
    bool isCast = isa<UnrealizedConversionCastOp>(op);
    if (!isCode &&
        (!first || (!isCast && isa<UnrealizedConversionCastOp>(first))))
      first = op;
  });
  if (!first)
    return success();
  return first->emitOpError() << "has no code for a CPU yet";
}

/// The bits of a byte beyond a narrow integer are not read: a caller may have
/// extended its sign. LLVM would expect zeros there.
static void readLowBits(ModuleOp module) {
  SmallVector<LLVM::LoadOp> loads;
  module.walk([&](LLVM::LoadOp op) {
    auto type = dyn_cast<IntegerType>(op.getType());
    if (type && type.getWidth() > 1 && type.getWidth() < 8)
      loads.push_back(op);
  });
  for (LLVM::LoadOp op : loads) {
    OpBuilder builder(op);
    Type type = op.getType();
    builder.setInsertionPointAfter(op);
    auto narrow =
        LLVM::TruncOp::create(builder, op.getLoc(), type, op.getResult());
    op.getResult().replaceAllUsesExcept(narrow.getResult(), narrow);
    op.getResult().setType(builder.getI8Type());
  }
}

/// Simplifies loops, buffers and indices.
static std::unique_ptr<Pass> createSimplification() {
  GreedyRewriteConfig config; // LLVM joins blocks
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // These compare all values that a loop carries, such as the accumulators of a tile,
  // in each visit. LLVM removes those that are not used.
  static const std::string kDisabled[] = {
      "(anonymous namespace)::MakeRegionBranchOpSuccessorInputsDead",
      "(anonymous namespace)::RemoveDeadRegionBranchOpSuccessorInputs",
      "(anonymous namespace)::RemoveDuplicateSuccessorInputUses"};
  return createCanonicalizerPass(config, kDisabled);
}

LogicalResult cpu::lowerToLlvm(ModuleOp module, const Machine &machine) {
  if (failed(freeKernelBuffers(module)))
    return failure();
  expandCopies(module);
  if (!machine.isChecked) // checks are of accesses in code
    callLargeCopies(module, machine.device);
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(lowerToLoops(function)))
      return failure();
  unrollLoopBodies(module);
  expandComplexMath(module);
  PassManager first(module.getContext());
  first.enableVerifier(false);
  if (has<bufferization::BufferizationDialect>(module))
    first.addPass(createConvertBufferizationToMemRefPass());
  // In several threads, a function each.
  OpPassManager &firstOfKernels = first.nest<func::FuncOp>();
  if (has<complex::ComplexDialect>(module))
    firstOfKernels.addPass(createConvertComplexToStandardPass());
  firstOfKernels.addPass(createSimplification());
  if (failed(first.run(module)) || failed(expandSmallFloats(module)))
    return failure();
  if (!machine.preciseMath)
    expandMath(module, /*scales=*/machine.vectorBytes() == 64,
               /*fuses=*/machine.vectorBytes() != 0);
  callMathLibrary(module);
  streamStores(module, machine.device);
  describeExpandedShapes(module);
  if (failed(outlineParallelLoops(module)))
    return failure();
  passBuffersToKernels(module);
  shareEqualLoops(module);
  lowerTiles(module, machine.emulatesMatrices);
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  OpPassManager &kernels = passes.nest<func::FuncOp>();
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createAccessAddresses());
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  if (has<complex::ComplexDialect>(module))
    kernels.addPass(createConvertComplexToLLVMPass());
  ConvertVectorToLLVMPassOptions vectors;
  kernels.addPass(createConvertVectorToLLVMPass(vectors));
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false;
  if (has<math::MathDialect>(module))
    kernels.addPass(createConvertMathToLLVMPass(math));
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  OpPassManager &rest = passes.nest<func::FuncOp>();
  rest.addPass(createArithToLLVMConversionPass());
  rest.addPass(createUBToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.nest<LLVM::LLVMFuncOp>().addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(module)) || failed(refuseUnconverted(module)))
    return failure();
  readLowBits(module);
  return success();
}
