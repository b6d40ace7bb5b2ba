// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/targets/ascend: names, options, defaults.

#ifndef MERCATOR_TRANSFORMS_ASCEND_PASSES
#define MERCATOR_TRANSFORMS_ASCEND_PASSES

include "mlir/Pass/PassBase.td"

def ConvertStablehloToAscend : Pass<"convert-stablehlo-to-ascend", "::mlir::ModuleOp"> {
  let summary = "converts programs to the operators of Ascend's Graph Engine";
  let description = [{
    Each stablehlo gather, dynamic_gather and dynamic_slice becomes the cheapest
    plan that the device supports (mercator/targets/ascend/gather). The other
    operations become one or a few operators with the same meaning according to
    GE. An operation without such operators stays, and a remark says why.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
  let options = [
    Option<"soc", "soc", "std::string", /*default=*/"\"910b\"",
           "the device: 910b, or any for whatever GE's registry has">,
    Option<"way", "way", "std::string", /*default=*/"\"\"",
           "take this strategy for gathers where it is possible">,
    Option<"gatherV2D", "gather-v2d", "bool", /*default=*/"false",
           "GatherV2D in the place of GatherV2 where it can do the same">];
}

def FormAscendGraphs : Pass<"form-ascend-graphs", "::mlir::ModuleOp"> {
  let summary = "turns functions of GE's operators into graphs";
  let description = [{
    Calls of functions with one block are inlined, and private functions without
    references are erased. Then each function that consists of GE's operators
    becomes an `ascend.graph`; unused operations are erased and equal constants
    merged. Any other function stays.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
}

#endif // MERCATOR_TRANSFORMS_ASCEND_PASSES
