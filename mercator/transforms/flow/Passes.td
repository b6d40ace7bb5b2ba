// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/transforms/flow: names, options, defaults.

#ifndef MERCATOR_TRANSFORMS_FLOW_PASSES
#define MERCATOR_TRANSFORMS_FLOW_PASSES

include "mlir/Pass/PassBase.td"

// What any of these passes may create.
defvar dialects = [
  "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
  "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
  "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
  "::mlir::tensor::TensorDialect", "::mercator::flow::FlowDialect",
  "::mercator::hal::HalDialect", "::mercator::util::UtilDialect"
];

def VerifyInputLegality : Pass<"iree-verify-input-legality"> {
  let summary = "refuses operations that should have been lowered to linalg";
  let dependentDialects = dialects;
}
def Convert1x1FilterConv2DToMatmul : Pass<"iree-flow-convert-1x1-filter-conv2d-to-matmul"> {
  let summary = "a convolution with a 1x1 filter as a matrix product";
  let dependentDialects = dialects;
}
def ConvertConv2DToImg2Col : Pass<"iree-flow-convert-conv2d-to-img2col"> {
  let summary = "a convolution as a matrix product of its gathered windows";
  let dependentDialects = dialects;
}
def DetachElementwiseFromNamedOps : Pass<"iree-flow-detach-elementwise-from-named-ops"> {
  let summary = "gives contractions and convolutions a zero-filled init, and adds what was there afterwards";
  let dependentDialects = dialects;
}
def ConvertLinalgMatmulToMmt4D : Pass<"iree-flow-convert-linalg-matmul-to-mmt4d"> {
  let summary = "a matrix product as linalg.mmt4d over tiles that suit a target";
  let dependentDialects = dialects;
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"\"",
           "the target architecture, e.g. aarch64">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "features of its CPU, e.g. +dotprod">,
    Option<"enableGenericSlow", "enable_generic_slow", "bool", /*default=*/"false",
           "use generic tiles where none is known for the target">
  ];
}
def PadLinalgOps : Pass<"iree-flow-pad-linalg-ops"> {
  let summary = "pads the sizes of matrix products to a multiple";
  let dependentDialects = dialects;
  let options = [
    Option<"paddingSize", "padding-size", "int64_t", /*default=*/"4",
           "the number that M, N and K become a multiple of">
  ];
}
def LinalgNamedOpConversion : Pass<"linalg-named-op-conversion"> {
  let summary = "a depthwise convolution with multiplier 1 as one without multiplier";
  let dependentDialects = dialects;
}
def ExpandTensorShapes : Pass<"iree-flow-expand-tensor-shapes", "mlir::ModuleOp"> {
  let summary = "carries the dynamic dimensions of tensors beside them through the whole program";
  let dependentDialects = dialects;
}
def TensorPadToTensorInsertSlice : Pass<"iree-flow-tensor-pad-to-tensor-insert-slice"> {
  let summary = "tensor.pad as a fill and a tensor.insert_slice";
  let dependentDialects = dialects;
  let options = [
    Option<"skipOneLinalgUse", "skip-one-linalg-use-case", "bool", /*default=*/"false",
           "leave a pad whose only user is a linalg operation">
  ];
}
def DecomposeTensorOps : Pass<"mercator-flow-decompose-tensor-ops"> {
  let summary = "tensor.concat as insertions, tensor.generate as linalg.generic";
  let dependentDialects = dialects;
}
def ConvertElementwiseToLinalg : Pass<"mercator-flow-convert-elementwise-to-linalg"> {
  let summary = "elementwise operations on tensors as linalg.generic, but for the choice between two tensors";
  let dependentDialects = dialects;
}
def InterchangeGenericOps : Pass<"iree-flow-interchange-generic-ops"> {
  let summary = "moves the reduction loops of linalg.generic innermost";
  let dependentDialects = dialects;
}
def AskOrigins : Pass<"mercator-flow-ask-origins"> {
  let summary = "asks for extents of linalg results where they come from";
}
def FusionOfTensorOps : InterfacePass<"iree-flow-fusion-of-tensor-ops", "mlir::FunctionOpInterface"> {
  let summary = "fuses elementwise linalg operations into their users";
  let dependentDialects = dialects;
  let options = [
    Option<"fuseMultiUse", "fuse-multi-use", "bool", /*default=*/"false",
           "fuse producers with several uses too">,
    Option<"multiUseFusionIteration", "multi-use-fusion-iteration", "unsigned", /*default=*/"2",
           "rounds of fusing producers with several uses">
  ];
}
def SplitReduction : Pass<"iree-flow-split-reduction-ops"> {
  let summary = "splits the reduction of matrix products in two";
  let dependentDialects = dialects;
  let options = [
    Option<"splitMatmulReduction", "split-matmul-reduction", "int64_t", /*default=*/"1",
           "parts that a matrix product is split in; 1 splits none">
  ];
}
def InterchangeTransposeGenericOps : Pass<"iree-flow-interchange-transpose-generic-ops"> {
  let summary = "orders the loops of an elementwise linalg.generic so that its transposed input is read in order";
  let dependentDialects = dialects;
}
def DispatchWithTransformDialect : InterfacePass<"iree-flow-dispatch-with-transform-dialect", "mlir::FunctionOpInterface"> {
  let summary = "forms dispatches as a transform script says";
  let dependentDialects = dialects;
  let options = [
    Option<"transformFileName", "transform-file-name", "std::string", /*default=*/"\"\"",
           "the file with the script">
  ];
}
def FormDispatchRegions : InterfacePass<"iree-flow-form-dispatch-regions", "mlir::FunctionOpInterface"> {
  let summary = "groups operations into flow.dispatch.region";
  let dependentDialects = dialects;
  let options = [
    Option<"fusion", "fusion", "std::string", /*default=*/"\"heuristic\"",
           "what decides which operations share a dispatch: heuristic">,
    Option<"aggressiveFusion", "aggressive-fusion", "bool", /*default=*/"false",
           "fuse inputs and producers with several uses too">,
    Option<"generateWorkloadRegion", "genereate-workload-region", "bool", /*default=*/"true",
           "give regions their workload and a region that counts workgroups">
  ];
}
def FormDispatchWorkgroups : InterfacePass<"iree-flow-form-dispatch-workgroups", "mlir::FunctionOpInterface"> {
  let summary = "turns dispatch regions into isolated flow.dispatch.workgroups";
  let dependentDialects = dialects;
  let options = [
    Option<"generateWorkloadRegion", "genereate-workload-region", "bool", /*default=*/"true",
           "give the dispatches made here a region that counts workgroups">,
    Option<"inlineConstantsMaxByteLength", "inline-constants-max-byte-length", "int64_t", /*default=*/"256",
           "the largest dense constant, in bytes, that is cloned into a dispatch">
  ];
}
def ConvertRegionToWorkgroups : Pass<"iree-flow-convert-region-to-workgroups"> {
  let summary = "turns each flow.dispatch.region into flow.dispatch.workgroups";
  let dependentDialects = dialects;
}
def ConvertToFlow : Pass<"iree-flow-convert-to-flow"> {
  let summary = "spells tensor operations that move data as flow operations";
  let dependentDialects = dialects;
}
def CaptureDispatchDynamicDims : Pass<"iree-flow-capture-dispatch-dynamic-dims"> {
  let summary = "ties the dynamic dimensions of a dispatch's tensors to them inside it";
  let dependentDialects = dialects;
}
def InitializeEmptyTensors : Pass<"iree-flow-initialize-empty-tensors"> {
  let summary = "tensor.empty that is used as a value becomes flow.tensor.empty or a splat of zero";
  let dependentDialects = dialects;
  let options = [
    Option<"zeroFill", "zero-fill", "bool", /*default=*/"false",
           "fill with zeros">
  ];
}
def OutlineDispatchRegions : Pass<"iree-flow-outline-dispatch-regions", "mlir::ModuleOp"> {
  let summary = "outlines each flow.dispatch.workgroups into a flow.executable";
  let dependentDialects = dialects;
}
def DeduplicateExecutables : Pass<"iree-flow-deduplicate-executables", "mlir::ModuleOp"> {
  let summary = "keeps one of executables that are equal";
  let dependentDialects = dialects;
}
def InjectDispatchTracing : InterfacePass<"iree-flow-inject-dispatch-tracing", "mlir::FunctionOpInterface"> {
  let summary = "traces the operands and results of each dispatch";
  let dependentDialects = dialects;
}
def VerifyFlowForm : Pass<"mercator-flow-verify-form", "mlir::ModuleOp"> {
  let summary = "refuses operations on tensors that are neither in a dispatch nor of flow";
}
def CleanupTensorShapes : Pass<"iree-flow-cleanup-tensor-shapes"> {
  let summary = "drops ties of shapes, and refuses shape queries that are left";
  let dependentDialects = dialects;
}

#endif // MERCATOR_TRANSFORMS_FLOW_PASSES
