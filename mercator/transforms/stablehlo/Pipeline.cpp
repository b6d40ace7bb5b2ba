// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/chlo/Passes.h"
#include "mercator/transforms/stablehlo/Passes.h"
#include "mercator/transforms/stablehlo/lowering/Refusals.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/scalars/Quantize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mercator;

const stablehlo::LoweringRules &stablehlo::loweringRules() {
  static const LoweringRules all = [] {
    LoweringRules rules;
    addBatchNormRules(rules);
    addBitcastRules(rules);
    addBroadcastRules(rules);
    addCallRules(rules);
    addConcatenateRules(rules);
    addControlRules(rules);
    addConvolutionRules(rules);
    addDimensionSizeRules(rules);
    addDotRules(rules);
    addDynamicRandomRules(rules);
    addDynamicWindowRules(rules);
    addElementwiseRules(rules);
    addGatherRules(rules);
    addHloRules(rules);
    addIotaRules(rules);
    addLapackRules(rules);
    addMatrixRules(rules);
    addPadRules(rules);
    addPermuteRules(rules);
    addQuantizeRules(rules);
    addRandomRules(rules);
    addReduceRules(rules);
    addReduceWindowRules(rules);
    addReshapeRules(rules);
    addScatterRules(rules);
    addSelectAndScatterRules(rules);
    addSliceRules(rules);
    addShardingRules(rules);
    addSortRules(rules);
    return rules;
  }();
  return all;
}

namespace {
class LegalizeToLinalg
    : public PassWrapper<LegalizeToLinalg, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LegalizeToLinalg)

  StringRef getArgument() const final { return "stablehlo-legalize-to-linalg"; }
  StringRef getDescription() const final {
    return "lower StableHLO to linalg on tensors";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<
        affine::AffineDialect, arith::ArithDialect, complex::ComplexDialect,
        func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
        quant::QuantDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    stablehlo::inlineCallsInBodies(getOperation());
    stablehlo::quantizedToFloats(getOperation());
    if (failed(stablehlo::refuseUnsupported(getOperation(),
                                            stablehlo::loweringRules())))
      return signalPassFailure();
    SymbolTableCollection symbols;
    for (FunctionOpInterface function : functionsInOrder()) {
      stablehlo::Translation translation(stablehlo::loweringRules(), symbols);
      if (failed(translation.function(function)))
        return signalPassFailure();
    }
  }

private:
  /// All functions. Those that custom calls name come last, because the calls
  /// are lowered with a copy of their bodies.
  SmallVector<FunctionOpInterface> functionsInOrder() {
    llvm::DenseSet<StringAttr> named;
    SmallVector<FunctionOpInterface> functions, last;
    getOperation().walk([&](stablehlo::CustomCallOp call) {
      if (ArrayAttr called = call.getCalledComputationsAttr())
        for (Attribute name : called)
          if (auto symbol = dyn_cast<FlatSymbolRefAttr>(name))
            named.insert(symbol.getAttr());
    });
    getOperation().walk([&](FunctionOpInterface function) {
      if (!isa<FunctionType>(function.getFunctionType()))
        return WalkResult::advance();
      bool isNamed = named.contains(function.getNameAttr());
      (isNamed ? last : functions).push_back(function);
      return WalkResult::skip();
    });
    llvm::append_range(functions, last);
    return functions;
  }
};
} // namespace

std::unique_ptr<Pass> stablehlo::createLegalizeToLinalg() {
  return std::make_unique<LegalizeToLinalg>();
}

void stablehlo::buildPipelineToLinalg(OpPassManager &passes,
                                      const LinalgOptions &options) {
  passes.addPass(createSpellCustomCalls());
  if (options.grid)
    passes.addPass(createExchangeCollectives(*options.grid));
  passes.addPass(chlo::createChloLegalizeToStablehlo(/*keepsErf=*/true));
  passes.addPass(createKeepBounded());
  if (options.simplify) {
    passes.addPass(createInlineCalls());
    passes.addPass(createUnrollLoops());
  }
  passes.addPass(createCheckExtents());
  if (options.simplify) {
    passes.addPass(createCSEPass());
    passes.addPass(createSimplify(options.fold));
    passes.addPass(createCSEPass());
  }
  passes.addPass(createLegalizeToLinalg());
  passes.addPass(createCSEPass());
}

void stablehlo::registerStablehloPasses() {
  registerPass([] { return createCheckExtents(); });
  registerPass([] { return createExchangeCollectives(); });
  registerPass([] { return createInlineCalls(); });
  registerPass([] { return createKeepBounded(); });
  registerPass([] { return createSimplify(); });
  registerPass([] { return createLegalizeToLinalg(); });
  registerPass([] { return createSpellCustomCalls(); });
  registerPass([] { return createUnrollLoops(); });
  static PassPipelineRegistration<> pipeline(
      "mercator-linalg-pipeline", "StableHLO to linalg on tensors",
      [](OpPassManager &passes) { buildPipelineToLinalg(passes); });
}
