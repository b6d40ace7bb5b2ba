// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of mercator/targets/ascend/lowering: names, options, defaults.

#ifndef MERCATOR_TRANSFORMS_ASCEND_PASSES
#define MERCATOR_TRANSFORMS_ASCEND_PASSES

include "mlir/Pass/PassBase.td"

def ConvertStablehloToAscend : Pass<"convert-stablehlo-to-ascend", "::mlir::ModuleOp"> {
  let summary = "spells programs in the operators of Ascend's Graph Engine";
  let description = [{
    Each stablehlo gather, dynamic_gather and dynamic_slice becomes the cheapest
    plan that the device can carry out (mercator/targets/ascend/gather); the other
    operations become operators, one or a few, of which GE says that they mean
    the same. Where there are none the operation stays, and a remark says why.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
  let options = [
    Option<"soc", "soc", "std::string", /*default=*/"\"910b\"",
           "the device: 910b, or any for whatever GE's registry has">,
    Option<"gatherV2D", "gather-v2d", "bool", /*default=*/"false",
           "GatherV2D in the place of GatherV2 where it can do the same">];
}

def FormAscendGraphs : Pass<"form-ascend-graphs", "::mlir::ModuleOp"> {
  let summary = "makes graphs of functions of GE's operators";
  let description = [{
    Calls of functions of one block are inlined, and private functions that
    nothing refers to any more are erased. Then each function that holds nothing
    but operators of GE becomes an `ascend.graph`; what nothing uses is erased,
    equal constants become one. A function with anything else stays.
  }];
  let dependentDialects = ["::mercator::ascend::AscendDialect"];
}

#endif // MERCATOR_TRANSFORMS_ASCEND_PASSES
