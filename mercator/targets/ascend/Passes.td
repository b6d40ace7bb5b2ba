// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/targets/ascend: names, options, defaults.

#ifndef MERCATOR_TARGETS_ASCEND_PASSES
#define MERCATOR_TARGETS_ASCEND_PASSES

include "mlir/Pass/PassBase.td"

class ConvertOptionList {
  list<Option> options = [
    Option<"soc", "soc", "std::string", /*default=*/"\"910b\"",
           "the device: 910b, or any for whatever GE's registry has">,
    Option<"way", "way", "std::string", /*default=*/"\"\"",
           "take this strategy for gathers where it is possible">,
    Option<"gatherV2D", "gather-v2d", "bool", /*default=*/"false",
           "GatherV2D in the place of GatherV2 where it can do the same">];
}
def kConvertOptions : ConvertOptionList;

// In the order of the pipeline (Pipeline.h).

def HideComputations : Pass<"mercator-ascend-hide-computations", "::mlir::ModuleOp"> {
  let summary = "functions that custom calls name become private";
  let description = [{
    JAX exports the comparator of @ApproxTopK as a public function. It is no graph.
  }];
}

def UndoHlo : Pass<"mercator-ascend-undo-hlo", "::mlir::ModuleOp"> {
  let summary = "removes fusions, bitcasts, copies, layouts and tuples of HLO";
}

def MoveBounds : Pass<"mercator-ascend-move-bounds", "::mlir::ModuleOp"> {
  let summary = "bounds of unknown extents become attributes of parameters";
}

def InlineCallsOfGraphs : Pass<"mercator-ascend-inline-calls", "::mlir::ModuleOp"> {
  let summary = "calls become the bodies of their functions";
  let description = [{
    GE has no calls. Private functions without references are erased. A
    recursive function is an error.
  }];
}

def FoldTuples : Pass<"mercator-ascend-fold-tuples", "::mlir::ModuleOp"> {
  let summary = "members of tuples become the values that they are made of";
}

def RemoveControlFlow : Pass<"mercator-ascend-remove-control-flow", "::mlir::ModuleOp"> {
  let summary = "loops become their iterations, and branches a selection";
}

def FuseOperators : Pass<"mercator-ascend-fuse-operators", "::mlir::ModuleOp"> {
  let summary = "computations that are one operator of GE become this operator";
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
}

def SpellTotalOrder : Pass<"mercator-ascend-spell-total-order", "::mlir::ModuleOp"> {
  let summary = "comparisons in the total order of floats become comparisons of numbers";
}

def ConvertStablehloToAscend : Pass<"convert-stablehlo-to-ascend", "::mlir::ModuleOp"> {
  let summary = "converts programs to the operators of Ascend's Graph Engine";
  let description = [{
    Each stablehlo gather, dynamic_gather and dynamic_slice becomes the cheapest
    plan that the device supports (mercator/targets/ascend/gather). The other
    operations become one or a few operators with the same meaning according to
    GE. An operation without such operators stays, and a remark says why.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
  let options = kConvertOptions.options;
}

def ConvertChloToAscend : Pass<"mercator-ascend-convert-chlo", "::mlir::ModuleOp"> {
  let summary = "converts the operations of chlo that are left, spelled in StableHLO";
  let description = [{
    An operation of chlo that GE has an operator for was converted before. A
    program without others does not change.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
  let options = kConvertOptions.options;
}

def FormAscendGraphs : Pass<"form-ascend-graphs", "::mlir::ModuleOp"> {
  let summary = "turns functions of GE's operators into graphs";
  let description = [{
    Each function that consists of GE's operators becomes an `ascend.graph`;
    unused operations are erased and equal constants merged. Any other function
    stays.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
}

#endif // MERCATOR_TARGETS_ASCEND_PASSES
