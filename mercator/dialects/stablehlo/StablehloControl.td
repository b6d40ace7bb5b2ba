// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, tuples, calls to other code, other devices, randomness.

#ifndef MERCATOR_DIALECTS_STABLEHLO_CONTROL
#define MERCATOR_DIALECTS_STABLEHLO_CONTROL

include "mercator/dialects/stablehlo/StablehloAttrs.td"

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

def Stablehlo_ReturnOp : Stablehlo_Op<"return", [Pure, Terminator]> {
  let summary = "ends a region";
  let arguments = (ins Variadic<Stablehlo_Value>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Stablehlo_IfOp : Stablehlo_Op<"if", [RecursiveMemoryEffects, InferredTrait]> {
  let summary = "one of two regions";
  let arguments = (ins Stablehlo_ScalarPred:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasVerifier = 1;
}

def Stablehlo_CaseOp : Stablehlo_Op<"case", [RecursiveMemoryEffects, InferredTrait]> {
  let summary = "region number index; the last region if there is no such number";
  let arguments = (ins Stablehlo_ScalarInt:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasVerifier = 1;
}

def Stablehlo_WhileOp : Stablehlo_Op<"while", [RecursiveMemoryEffects, InferredTrait,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "repeats the body while the condition holds";
  let description = [{
        %r = stablehlo.while(%i = %init) : tensor<i32>
         cond { .. stablehlo.return %less : tensor<i1> }
         do { .. stablehlo.return %next : tensor<i32> }
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Stablehlo_OptimizationBarrierOp : Stablehlo_Op<"optimization_barrier", [Pure, InferredTrait]> {
  let summary = "returns its operands; separates them from earlier operations";
  let arguments = (ins Variadic<Stablehlo_Value>:$operand);
  let results = (outs Variadic<Stablehlo_Value>:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseTypes>(type($operand), type($result))) : (`(` `)`)?
  }];
}

//===----------------------------------------------------------------------===//
// Tuples and tokens
//===----------------------------------------------------------------------===//

def Stablehlo_TupleOp : Stablehlo_Op<"tuple", [Pure, InferredTrait]> {
  let summary = "a tuple of the operands";
  let arguments = (ins Variadic<Stablehlo_Value>:$val);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleTypes>(type($val), type($result))";
  let hasVerifier = 1;
}

def Stablehlo_GetTupleElementOp : Stablehlo_Op<"get_tuple_element", [Pure, InferredTrait]> {
  let summary = "member number index";
  let arguments = (ins AnyTuple:$operand, I32Attr:$index);
  let results = (outs Stablehlo_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Stablehlo_CreateTokenOp : Stablehlo_Op<"create_token", [Pure, InferredTrait]> {
  let results = (outs Stablehlo_TokenType:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}
def Stablehlo_AfterAllOp : Stablehlo_Op<"after_all", [Pure, InferredTrait]> {
  let summary = "a token that follows all the given tokens";
  let arguments = (ins Variadic<Stablehlo_TokenType>:$inputs);
  let results = (outs Stablehlo_TokenType:$result);
  let assemblyFormat = "$inputs attr-dict `:` custom<AllOneType>(ref($inputs), type($inputs), type($result))";
}

//===----------------------------------------------------------------------===//
// Calls to other code
//===----------------------------------------------------------------------===//

def Stablehlo_CustomCallOp : Stablehlo_Op<"custom_call"> {
  let summary = "an operation that the target knows by name";
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                       OptionalAttr<AnyAttr>:$backend_config,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$api_version,
                       OptionalAttr<ArrayAttr>:$called_computations,
                       OptionalAttr<ArrayAttr>:$operand_layouts,
                       OptionalAttr<ArrayAttr>:$result_layouts,
                       OptionalAttr<TypedArrayAttrBase<
                         Stablehlo_OutputOperandAliasAttr, "aliases">>:$output_operand_aliases,
                       OptionalAttr<ArrayAttr>:$result_tilings);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)`
    attr-dict `:` functional-type(operands, results)
  }];
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
}

def Stablehlo_CompositeOp
    : Stablehlo_Op<"composite", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an operation defined by a function";
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition, OptionalAttr<I32Attr>:$version);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let assemblyFormat = [{
    $name $inputs (`(` $composite_regions^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Randomness
//===----------------------------------------------------------------------===//

def Stablehlo_RngOp : Stablehlo_Op<"rng", [InferredTrait]> {
  let summary = "random elements";
  let arguments = (ins Stablehlo_ScalarArithmetic:$a, Stablehlo_ScalarArithmetic:$b,
                       Stablehlo_StaticDimTensor:$shape,
                       Stablehlo_RngDistributionAttr:$rng_distribution);
  let results = (outs Stablehlo_ArithmeticTensor:$result);
  let assemblyFormat = SignatureFormat<
    "$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution">.format;
  let hasVerifier = 1;
}
def Stablehlo_RngBitGeneratorOp : Stablehlo_Op<"rng_bit_generator", [Pure]> {
  let summary = "random bits from a state, and the next state";
  let arguments = (ins Stablehlo_IntOrFloatTensor:$initial_state,
                       Stablehlo_RngAlgorithmAttr:$rng_algorithm);
  let results = (outs Stablehlo_IntOrFloatTensor:$output_state, Stablehlo_IntOrFloatTensor:$output);
  let assemblyFormat = SignatureFormat<
    "$initial_state `,` `algorithm` `=` $rng_algorithm">.format;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Other devices
//===----------------------------------------------------------------------===//

class DeviceId<string mnemonic> : Stablehlo_Op<mnemonic, [Pure, InferredTrait]> {
  let results = (outs Stablehlo_UI32Tensor:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
  let hasVerifier = 1;
}
def Stablehlo_PartitionIdOp : DeviceId<"partition_id">;
def Stablehlo_ReplicaIdOp : DeviceId<"replica_id">;

// `replica_groups` is a matrix of device numbers with one group in each row; short rows are padded
// with -1. Or it names axes of a mesh, which is a symbol.
class Collective<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<SymbolUserOpInterface>],
                                         traits)>;

def Stablehlo_AllGatherOp : Collective<"all_gather"> {
  let summary = "the operands of a group, concatenated";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands, I64Attr:$all_gather_dim,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}
def Stablehlo_AllReduceOp : Collective<"all_reduce", [InferredTrait]> {
  let summary = "the operands of a group, combined elementwise";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands, Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}
def Stablehlo_ReduceScatterOp : Collective<"reduce_scatter"> {
  let summary = "all_reduce, with one part of the result for each device";
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$scatter_dimension,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}
def Stablehlo_AllToAllOp : Collective<"all_to_all", [InferredTrait]> {
  let summary = "sends part i of the operand to device i of the group";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands, I64Attr:$split_dimension,
                       I64Attr:$concat_dimension, I64Attr:$split_count,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}
def Stablehlo_CollectivePermuteOp : Stablehlo_Op<"collective_permute", [InferredTrait]> {
  let summary = "sends the operand of each source to its target";
  let arguments = (ins Stablehlo_Tensor:$operand, I64ElementsAttr:$source_target_pairs,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}
def Stablehlo_CollectiveBroadcastOp : Collective<"collective_broadcast", [InferredTrait]> {
  let summary = "the operands of one device of each group";
  let description = [{
    That device is the first one; with `has_dynamic_root`, the device whose number
    is the last operand.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands, Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}
def Stablehlo_CollectiveReduceOp : Collective<"collective_reduce", [InferredTrait]> {
  let summary = "the operands of a group, combined, on one of its devices";
  let description = "That device is as for collective_broadcast.";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids, UnitAttr:$has_dynamic_root);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}
def Stablehlo_CrossReplicaSumOp : Stablehlo_Op<"cross-replica-sum", [InferredTrait]> {
  let arguments = (ins Stablehlo_Tensor:$operand, I64ElementsAttr:$replica_groups);
  let results = (outs Stablehlo_Tensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_AsyncStartOp
    : Stablehlo_Op<"async_start", [IsolatedFromAbove, RecursiveMemoryEffects, InferredTrait]> {
  let summary = "starts the single operation of the body";
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Stablehlo_FutureType:$result);
  let hasVerifier = 1;
}
def Stablehlo_AsyncDoneOp : Stablehlo_Op<"async_done", [InferredTrait]> {
  let summary = "waits for the operation that async_start started";
  let arguments = (ins Stablehlo_FutureType:$operand);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let hasVerifier = 1;
}

def Stablehlo_InfeedOp : Stablehlo_Op<"infeed"> {
  let arguments = (ins Stablehlo_TokenType:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasVerifier = 1;
}
def Stablehlo_OutfeedOp : Stablehlo_Op<"outfeed", [InferredTrait]> {
  let arguments = (ins Variadic<Stablehlo_QTensor>:$inputs, Stablehlo_TokenType:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$outfeed_config);
  let results = (outs Stablehlo_TokenType:$result);
}
def Stablehlo_SendOp : Stablehlo_Op<"send", [InferredTrait]> {
  let arguments = (ins Variadic<Stablehlo_QTensor>:$inputs, Stablehlo_TokenType:$token,
                       Stablehlo_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Stablehlo_TokenType:$result);
  let hasVerifier = 1;
}
def Stablehlo_RecvOp : Stablehlo_Op<"recv"> {
  let arguments = (ins Stablehlo_TokenType:$token, Stablehlo_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let hasVerifier = 1;
}

#endif // MERCATOR_DIALECTS_STABLEHLO_CONTROL
