// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/transforms/flow: names, options, defaults.

#ifndef MERCATOR_TRANSFORMS_FLOW_PASSES
#define MERCATOR_TRANSFORMS_FLOW_PASSES

include "mlir/Pass/PassBase.td"

// The dialects that any of these passes may create.
defvar dialects = [
  "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
  "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
  "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
  "::mlir::tensor::TensorDialect", "::mercator::flow::FlowDialect",
  "::mercator::hal::HalDialect", "::mercator::util::UtilDialect"
];

def VerifyInputLegality : Pass<"iree-verify-input-legality"> {
  let summary = "rejects operations that should have been lowered to linalg";
  let dependentDialects = dialects;
}
def Convert1x1FilterConv2DToMatmul : Pass<"iree-flow-convert-1x1-filter-conv2d-to-matmul"> {
  let summary = "converts convolutions with a 1x1 filter to matrix products";
  let dependentDialects = dialects;
}
def ConvertConv2DToImg2Col : Pass<"iree-flow-convert-conv2d-to-img2col"> {
  let summary = "converts convolutions to matrix products of their gathered windows";
  let dependentDialects = dialects;
}
def DetachElementwiseFromNamedOps : Pass<"iree-flow-detach-elementwise-from-named-ops"> {
  let summary = "gives contractions and convolutions a zero-filled init and adds the old init afterwards";
  let dependentDialects = dialects;
}
def ConvertLinalgMatmulToMmt4D : Pass<"iree-flow-convert-linalg-matmul-to-mmt4d"> {
  let summary = "converts matrix products to linalg.mmt4d over tiles that suit a target";
  let dependentDialects = dialects;
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"\"",
           "the target architecture, e.g. aarch64">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "features of its CPU, e.g. +dotprod">,
    Option<"enableGenericSlow", "enable_generic_slow", "bool", /*default=*/"false",
           "use generic tiles if none are known for the target">
  ];
}
def PadLinalgOps : Pass<"iree-flow-pad-linalg-ops"> {
  let summary = "pads the sizes of matrix products to a multiple";
  let dependentDialects = dialects;
  let options = [
    Option<"paddingSize", "padding-size", "int64_t", /*default=*/"4",
           "M, N and K are padded to multiples of this number">
  ];
}
def LinalgNamedOpConversion : Pass<"linalg-named-op-conversion"> {
  let summary = "converts depthwise convolutions with multiplier 1 to convolutions without multiplier";
  let dependentDialects = dialects;
}
def ExpandTensorShapes : Pass<"iree-flow-expand-tensor-shapes", "mlir::ModuleOp"> {
  let summary = "passes the dynamic dimensions of tensors as values through the whole program";
  let dependentDialects = dialects;
}
def TensorPadToTensorInsertSlice : Pass<"iree-flow-tensor-pad-to-tensor-insert-slice"> {
  let summary = "converts tensor.pad to a fill and a tensor.insert_slice";
  let dependentDialects = dialects;
  let options = [
    Option<"skipOneLinalgUse", "skip-one-linalg-use-case", "bool", /*default=*/"false",
           "leave a pad whose only user is a linalg operation">
  ];
}
def DecomposeTensorOps : Pass<"mercator-flow-decompose-tensor-ops"> {
  let summary = "converts tensor.concat to insertions, tensor.generate and linalg.softmax to linalg.generic";
  let dependentDialects = dialects;
}
def ConvertElementwiseToLinalg : Pass<"mercator-flow-convert-elementwise-to-linalg"> {
  let summary = "converts elementwise operations on tensors to linalg.generic, except the select between two tensors";
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
    Option<"recompute", "recompute", "bool", /*default=*/"true",
           "fuse what users would compute several times: anything into products, functions into all">,
    Option<"multiUseFusionIteration", "multi-use-fusion-iteration", "unsigned", /*default=*/"2",
           "rounds of fusing producers with several uses">
  ];
}
def FoldPermutations : Pass<"mercator-flow-fold-permutations"> {
  let summary = "has linalg operations read and write through transposes and broadcasts";
  let dependentDialects = dialects;
}
def GeneralizeNamedOps : Pass<"mercator-flow-generalize-named-ops"> {
  let summary = "converts elementwise operations, and convolutions with a loop of extent 1, to linalg.generic";
  let dependentDialects = dialects;
}
def RecomputeTensors : Pass<"mercator-flow-recompute-tensors"> {
  let summary = "computes large tensors again where they are read, in place of storing them";
  let dependentDialects = dialects;
  let options = [
    Option<"leastBytes", "least-bytes", "int64_t", /*default=*/"16 * 1024 * 1024",
           "the bytes of the smallest tensor that is worth it">
  ];
}
def FactorSums : Pass<"mercator-flow-factor-sums"> {
  let summary = "adds up products of a result in place of terms that the result has added up";
  let dependentDialects = dialects;
  let options = [
    Option<"leastBytes", "least-bytes", "int64_t", /*default=*/"16 * 1024 * 1024",
           "the bytes of the smallest tensor of terms that is worth it">
  ];
}
def RecomputeSlices : InterfacePass<"mercator-flow-recompute-slices", "mlir::FunctionOpInterface"> {
  let summary = "computes the elements of a step for each slice that the next step reads, in place of storing them";
  let dependentDialects = dialects;
  let options = [
    Option<"device", "device", "std::string", /*default=*/"\"zen5\"",
           "the device, or its JSON text, whose caches and rates decide">
  ];
}
def SplitReduction : Pass<"iree-flow-split-reduction-ops"> {
  let summary = "splits the reduction of matrix products in two";
  let dependentDialects = dialects;
  let options = [
    Option<"splitMatmulReduction", "split-matmul-reduction", "int64_t", /*default=*/"1",
           "the number of parts of a matrix product; 1 splits none">
  ];
}
def InterchangeTransposeGenericOps : Pass<"iree-flow-interchange-transpose-generic-ops"> {
  let summary = "orders the loops of an elementwise linalg.generic so that its transposed input is read in order";
  let dependentDialects = dialects;
}
def DispatchWithTransformDialect : InterfacePass<"iree-flow-dispatch-with-transform-dialect", "mlir::FunctionOpInterface"> {
  let summary = "forms dispatches as a transform script directs";
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
           "the rules by which operations share a dispatch: heuristic or maps">,
    Option<"aggressiveFusion", "aggressive-fusion", "bool", /*default=*/"false",
           "fuse inputs and producers with several uses too">,
    Option<"fuse", "fuse", "std::string", /*default=*/"\"\"",
           "lines PRODUCER,CONSUMER;... of operations that share a dispatch">,
    Option<"device", "device", "std::string", /*default=*/"\"zen5\"",
           "the device, or its JSON text, whose caches and rates decide">,
    Option<"generateWorkloadRegion", "genereate-workload-region", "bool", /*default=*/"true",
           "give regions their workload and a count region">
  ];
}
def FormDispatchWorkgroups : InterfacePass<"iree-flow-form-dispatch-workgroups", "mlir::FunctionOpInterface"> {
  let summary = "turns dispatch regions into isolated flow.dispatch.workgroups";
  let dependentDialects = dialects;
  let options = [
    Option<"generateWorkloadRegion", "genereate-workload-region", "bool", /*default=*/"true",
           "give the new dispatches a count region">,
    Option<"inlineConstantsMaxByteLength", "inline-constants-max-byte-length", "int64_t", /*default=*/"256",
           "the largest dense constant, in bytes, that is cloned into a dispatch">
  ];
}
def ConvertRegionToWorkgroups : Pass<"iree-flow-convert-region-to-workgroups"> {
  let summary = "turns each flow.dispatch.region into flow.dispatch.workgroups";
  let dependentDialects = dialects;
}
def ConvertToFlow : Pass<"iree-flow-convert-to-flow"> {
  let summary = "converts tensor operations that move data to flow operations";
  let dependentDialects = dialects;
}
def CaptureDispatchDynamicDims : Pass<"iree-flow-capture-dispatch-dynamic-dims"> {
  let summary = "ties the dynamic dimensions of a dispatch's tensors inside the dispatch";
  let dependentDialects = dialects;
}
def InitializeEmptyTensors : Pass<"iree-flow-initialize-empty-tensors"> {
  let summary = "converts tensor.empty that is used as a value to flow.tensor.empty or a splat of zero";
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
  let summary = "merges equal executables";
  let dependentDialects = dialects;
}
def InjectDispatchTracing : InterfacePass<"iree-flow-inject-dispatch-tracing", "mlir::FunctionOpInterface"> {
  let summary = "traces the operands and results of each dispatch";
  let dependentDialects = dialects;
}
def VerifyFlowForm : Pass<"mercator-flow-verify-form", "mlir::ModuleOp"> {
  let summary = "rejects operations on tensors that are neither in a dispatch nor of flow";
}
def CleanupTensorShapes : Pass<"iree-flow-cleanup-tensor-shapes"> {
  let summary = "drops ties of shapes and rejects the remaining shape queries";
  let dependentDialects = dialects;
}

#endif // MERCATOR_TRANSFORMS_FLOW_PASSES
