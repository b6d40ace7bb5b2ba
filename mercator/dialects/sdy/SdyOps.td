// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `sdy` dialect: the distribution of tensors over devices, in JAX's syntax.

#ifndef MERCATOR_DIALECTS_SDY_OPS
#define MERCATOR_DIALECTS_SDY_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mercator::sdy";
  let summary = "Shardings, kept as text";
  let description = [{
    The part of Shardy that is needed to read a program with shardings, to analyze
    its computation, and to write it back. Shardings are kept as text; this
    dialect divides no tensor.
  }];
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// `#sdy.sharding<@mesh, [{"a"}, {}]>`: the text is everything after the mnemonic. The syntax of an
// operation contains the text alone.
class Sdy_Attr<string className, string mnemonicText, string summaryText>
    : AttrDef<Sdy_Dialect, className> {
  let mnemonic = mnemonicText;
  let summary = summaryText;
  let parameters = (ins StringRefParameter<>:$text);
  let hasCustomAssemblyFormat = 1;
}
def Sdy_Mesh : Sdy_Attr<"Mesh", "mesh", "devices along named axes">;
def Sdy_Sharding : Sdy_Attr<"Sharding", "sharding", "the axes that divide each dimension">;
def Sdy_ShardingPerValue
    : Sdy_Attr<"ShardingPerValue", "sharding_per_value", "one sharding for each value">;
def Sdy_OpShardingRule
    : Sdy_Attr<"OpShardingRule", "op_sharding_rule", "the dimensions that are divided alike">;
def Sdy_PropagationEdges
    : Sdy_Attr<"PropagationEdges", "propagation_edges", "the origin of a sharding">;
def Sdy_ManualAxes : Sdy_Attr<"ManualAxes", "manual_axes", "the axes along which a body sees one device">;
def Sdy_AxisRefList : Sdy_Attr<"AxisRefList", "axis_ref_list", "axes or parts of axes">;
def Sdy_ListOfAxisRefLists
    : Sdy_Attr<"ListOfAxisRefLists", "list_of_axis_ref_lists", "axes for each dimension">;
def Sdy_AllToAllParamList
    : Sdy_Attr<"AllToAllParamList", "all_to_all_param_list", "axes and the dimensions they move between">;

def Sdy_PropagationDirection
    : I32EnumAttr<"PropagationDirection", "the direction in which a sharding propagates", [
  I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>,
  I32EnumAttrCase<"BACKWARD", 2>, I32EnumAttrCase<"BOTH", 3>]> {
  let cppNamespace = "::mercator::sdy";
}
def Sdy_ReductionOp : I32EnumAttr<"ReductionOp", "the combination of values", [
  I32EnumAttrCase<"SUM", 0, "sum">, I32EnumAttrCase<"MAX", 1, "max">,
  I32EnumAttrCase<"MIN", 2, "min">]> {
  let cppNamespace = "::mercator::sdy";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a mesh and its name";
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_Mesh:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, Terminator]> {
  let summary = "returns the results of a body";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

//===--- Annotations that return their operand ----------------------------===//

class Sdy_SameValueOp<string mnemonic, list<Trait> traits = [Pure]>
    : Sdy_Op<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let summary = "the value of the operand";
  let results = (outs AnyType:$result);
}

// Not Pure: an unused constraint still describes its operand.
def Sdy_ShardingConstraintOp : Sdy_SameValueOp<"sharding_constraint", []> {
  let arguments = (ins AnyType:$input, Sdy_Sharding:$sharding);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}
def Sdy_ReshardOp : Sdy_SameValueOp<"reshard"> {
  let arguments = (ins AnyType:$input, Sdy_Sharding:$sharding);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}
def Sdy_PropagationBarrierOp : Sdy_SameValueOp<"propagation_barrier"> {
  let arguments = (ins AnyType:$input, Sdy_PropagationDirection:$allowed_direction);
  let assemblyFormat = [{
    $input `allowed_direction````=```$allowed_direction attr-dict `:` type($input)
  }];
}
def Sdy_DataFlowEdgeOp : Sdy_SameValueOp<"data_flow_edge"> {
  let arguments = (ins AnyType:$input, OptionalAttr<Sdy_Sharding>:$sharding);
  let assemblyFormat = [{
    $input (`sharding````=``` $sharding^)? attr-dict `:` type($result)
  }];
}
def Sdy_FuncDataFlowEdgeOp : Sdy_SameValueOp<"func_data_flow_edge"> {
  let arguments = (ins AnyType:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "tensors with the same number are divided alike";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id````=```$group_id attr-dict `:` type($input)";
}

def Sdy_ConstantOp : Sdy_Op<"constant", [Pure]> {
  let summary = "a constant tensor that is never merged with equal ones";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "attr-dict custom<Value>($value, type($output))";
}

//===--- Bodies -----------------------------------------------------------===//

def Sdy_ManualComputationOp : Sdy_Op<"manual_computation", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">, IsolatedFromAbove]> {
  let summary = "a body written for one device";
  let description = [{
    The operands and results are whole tensors. The arguments and results of the
    body are the parts that one device has along `manual_axes`.
  }];
  let arguments = (ins Variadic<AnyType>:$tensors, Sdy_ShardingPerValue:$in_shardings,
                       Sdy_ShardingPerValue:$out_shardings, Sdy_ManualAxes:$manual_axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` operands `)`
    `in_shardings````=```custom<Shardings>($in_shardings)
    `out_shardings````=```custom<Shardings>($out_shardings)
    `manual_axes````=```$manual_axes
    custom<Body>($body) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Sdy_NamedComputationOp : Sdy_Op<"named_computation", [RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">, IsolatedFromAbove]> {
  let summary = "a body with a name";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands,
                       OptionalAttr<Sdy_ShardingPerValue>:$in_shardings,
                       OptionalAttr<Sdy_ShardingPerValue>:$out_shardings);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `<` $name `>` `` `(` $operands `)`
    (`in_shardings````=```custom<Shardings>($in_shardings)^)?
    (`out_shardings````=```custom<Shardings>($out_shardings)^)?
    custom<Body>($body) attr-dict `:` functional-type($operands, results)
  }];
  let hasVerifier = 1;
}

//===--- Movement between devices; whole tensors do not change ------------===//

class Sdy_CollectiveOp<string mnemonic, dag operands, string format>
    : Sdy_SameValueOp<mnemonic> {
  let arguments = !con(operands, (ins Sdy_Sharding:$out_sharding));
  let assemblyFormat =
    format # " $tensor `out_sharding````=```$out_sharding attr-dict `:` type($result)";
}

def Sdy_AllGatherOp : Sdy_CollectiveOp<"all_gather",
  (ins AnyType:$tensor, Sdy_ListOfAxisRefLists:$gathering_axes), "$gathering_axes">;
def Sdy_AllSliceOp : Sdy_CollectiveOp<"all_slice",
  (ins AnyType:$tensor, Sdy_ListOfAxisRefLists:$slicing_axes), "$slicing_axes">;
def Sdy_AllToAllOp : Sdy_CollectiveOp<"all_to_all",
  (ins AnyType:$tensor, Sdy_AllToAllParamList:$params), "$params">;
def Sdy_CollectivePermuteOp
    : Sdy_CollectiveOp<"collective_permute", (ins AnyType:$tensor), "">;
def Sdy_AllReduceOp : Sdy_CollectiveOp<"all_reduce",
  (ins AnyType:$tensor, Sdy_AxisRefList:$reduction_axes,
       DefaultValuedAttr<Sdy_ReductionOp, "::mercator::sdy::ReductionOp::SUM">:$reduction_op),
  "($reduction_op^)? $reduction_axes">;
def Sdy_ReduceScatterOp : Sdy_CollectiveOp<"reduce_scatter",
  (ins AnyType:$tensor, Sdy_ListOfAxisRefLists:$reduce_scatter_axes,
       DefaultValuedAttr<Sdy_ReductionOp, "::mercator::sdy::ReductionOp::SUM">:$reduction_op),
  "($reduction_op^)? $reduce_scatter_axes">;
def Sdy_ShardedToUnreducedOp : Sdy_CollectiveOp<"sharded_to_unreduced",
  (ins AnyType:$tensor, Sdy_ListOfAxisRefLists:$axes), "$axes">;
def Sdy_ReplicatedToUnreducedOp : Sdy_CollectiveOp<"replicated_to_unreduced",
  (ins AnyType:$tensor, Sdy_AxisRefList:$axes), "$axes">;

#endif // MERCATOR_DIALECTS_SDY_OPS
