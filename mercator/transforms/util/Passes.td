// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/transforms/util: names, options, defaults.

#ifndef MERCATOR_TRANSFORMS_UTIL_PASSES
#define MERCATOR_TRANSFORMS_UTIL_PASSES

include "mlir/Pass/PassBase.td"

// The dialects that any of these passes may create.
defvar dialects = [
  "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
  "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
  "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
  "::mlir::tensor::TensorDialect", "::mercator::flow::FlowDialect",
  "::mercator::hal::HalDialect", "::mercator::util::UtilDialect"
];

def DemoteF64ToF32 : Pass<"iree-util-demote-f64-to-f32", "mlir::ModuleOp"> {
  let summary = "converts f64 to f32 in the whole program";
  let dependentDialects = dialects;
}
def SimplifyGlobalAccesses : InterfacePass<"iree-util-simplify-global-accesses", "mlir::CallableOpInterface"> {
  let summary = "merges and moves loads and stores of globals within blocks";
  let dependentDialects = dialects;
}
def ApplyPatterns : Pass<"iree-util-apply-patterns"> {
  let summary = "runs every canonicalization and simplifies block arguments";
  let dependentDialects = dialects;
}
def FoldGlobals : Pass<"iree-util-fold-globals", "mlir::ModuleOp"> {
  let summary = "propagates, merges and erases globals";
  let dependentDialects = dialects;
}
def IPO : Pass<"iree-util-ipo", "mlir::ModuleOp"> {
  let summary = "drops and propagates arguments and results across calls";
  let dependentDialects = dialects;
}
def HoistIntoGlobals : Pass<"iree-util-hoist-into-globals", "mlir::ModuleOp"> {
  let summary = "computes constant expressions once, in initializers";
  let dependentDialects = dialects;
}
def StripDebugOps : Pass<"iree-util-strip-debug-ops"> {
  let summary = "erases assertions and other debugging operations";
  let dependentDialects = dialects;
}
def FixedPointIterator : Pass<"iree-util-fixed-point-iterator"> {
  let summary = "runs a pipeline until it changes nothing";
  let dependentDialects = dialects;
  let options = [
    Option<"pipeline", "pipeline", "std::string", /*default=*/"\"\"",
           "the pipeline">,
    Option<"maxIterations", "max-iterations", "int", /*default=*/"10",
           "number of runs after which the pass fails">
  ];
}

#endif // MERCATOR_TRANSFORMS_UTIL_PASSES
