// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `hal` dialect: the inputs and outputs of a program.

#ifndef MERCATOR_DIALECTS_HAL_OPS
#define MERCATOR_DIALECTS_HAL_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mercator/dialects/util/UtilInterfaces.td"

def Hal_Dialect : Dialect {
  let name = "hal";
  let cppNamespace = "::mercator::hal";
  let summary = "The inputs and outputs of a program";
  let description = "Names and syntax are IREE's, so that its text loads.";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Hal_Type<string cppName, string word> : TypeDef<Hal_Dialect, cppName> {
  let mnemonic = word;
}
def Hal_BufferType : Hal_Type<"Buffer", "buffer"> {
  let summary = "bytes that a device can reach";
}
def Hal_BufferViewType : Hal_Type<"BufferView", "buffer_view"> {
  let summary = "a buffer with a shape and an element type known at run time";
}
def Hal_FenceType : Hal_Type<"Fence", "fence"> {
  let summary = "a point in time that work can wait for";
}
def Hal_DeviceType : Hal_Type<"Device", "device"> {
  let summary = "a device that programs run on";
}
def Hal_AnyBuffer : AnyTypeOf<[Hal_BufferType, Hal_BufferViewType]>;

def Hal_AffinityQueueAttr : AttrDef<Hal_Dialect, "AffinityQueue"> {
  let mnemonic = "affinity.queue";
  let summary = "the queues of a device that may execute work";
  let description = [{
        #hal.affinity.queue<*>
        #hal.affinity.queue<[0, 3]>

    A bit of the mask for each of up to 64 queues.
  }];
  let parameters = (ins "uint64_t":$mask);
  let assemblyFormat = "`<` custom<Queues>($mask) `>`";
}

def Hal_DeviceTextAttr : AttrDef<Hal_Dialect, "DeviceText", [TypedAttrInterface]> {
  let attrName = "hal.device_text";
  let summary = "what IREE says of a device";
  let description = [{
        #hal.device.affinity<@gpu>
        #hal.device.target<"local", [#hal.executable.target<...>]> : !hal.device

    The text is kept and not understood: dispatches do not depend on it.
  }];
  let parameters = (ins StringRefParameter<>:$text, AttributeSelfTypeParameter<"">:$type);
}

class Hal_Op<string mnemonic, list<Trait> traits = []> : Op<Hal_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Tensors and buffers
//===----------------------------------------------------------------------===//

// The result uses the storage of the first operand.
def Hal_TiedOp : DeclareOpInterfaceMethods<Util_TiedOpInterface, ["getTiedResultOperandIndices"]>;

def Hal_TensorImportOp : Hal_Op<"tensor.import", [
    Pure, AttrSizedOperandSegments, Hal_TiedOp,
    DeclareOpInterfaceMethods<Util_ShapeAwareOpInterface>]> {
  let summary = "a buffer as a tensor";
  let description = [{
        %0 = hal.tensor.import %view "input" : !hal.buffer_view -> tensor<?x4xf32>{%d}
        %1 = hal.tensor.import wait(%fence) => %view
               : !hal.buffer_view -> tensor<4xi1> as tensor<4xi8>

    The type before `as` is the type outside of the program, the type after it is
    the tensor's; both take the same number of bytes. With `wait` the buffer holds
    the elements only after the fence.
  }];
  let arguments = (ins Hal_AnyBuffer:$source, TypeAttr:$target_encoding,
                       Variadic<Index>:$target_dims, Optional<Hal_FenceType>:$wait_fence,
                       OptionalAttr<StrAttr>:$name);
  let results = (outs AnyRankedTensor:$target);
  let assemblyFormat = [{
    (`wait` `(` $wait_fence^ `)` `=` `` `>`)? $source ($name^)? `:` type($source) `->`
    custom<TypeAlias>($target_encoding, type($target)) (`{` $target_dims^ `}`)?
    attr-dict-with-keyword
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Hal_TensorExportOp : Hal_Op<"tensor.export", [
    AttrSizedOperandSegments, Hal_TiedOp, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Util_ShapeAwareOpInterface>]> {
  let summary = "a tensor as a buffer";
  let description = [{
        %0 = hal.tensor.export %t "output" : tensor<?x4xf32>{%d} -> !hal.buffer_view
        %1 = hal.tensor.export %t into %buffer
               : tensor<4xi1> as tensor<4xi8> -> !hal.buffer_view

    The types are as for `hal.tensor.import`. With `into` the elements are written
    to that buffer.
  }];
  let arguments = (ins AnyRankedTensor:$source, TypeAttr:$source_encoding,
                       Variadic<Index>:$source_dims, Optional<Hal_BufferType>:$target_storage,
                       OptionalAttr<StrAttr>:$name);
  let results = (outs Hal_AnyBuffer:$target);
  let assemblyFormat = [{
    $source ($name^)? (`into` $target_storage^)? `:`
    custom<TypeAlias>($source_encoding, type($source)) (`{` $source_dims^ `}`)?
    `->` type($target) attr-dict-with-keyword
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Hal_TensorBarrierOp : Hal_Op<"tensor.barrier", [
    RangedTypesMatchWith<"each result is of the type of its source", "sources", "results", "$_self">,
    DeclareOpInterfaceMethods<Util_TiedOpInterface,
                              ["getTiedOperandsIndexAndLength", "getTiedResultOperandIndices"]>]> {
  let summary = "signals a fence when all tensors are available";
  let description = [{
        %0:2 = hal.tensor.barrier join(%a, %b : tensor<3xf32>, tensor<4xf32>) => %fence : !hal.fence

    The results are the tensors.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, Hal_FenceType:$signal_fence);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `join` `` `(` ($sources^ `:` type($sources))? `)` `=` `` `>`
    $signal_fence `:` type($signal_fence) attr-dict-with-keyword
  }];
  let hasCanonicalizeMethod = 1;
}

def Hal_BufferViewDimOp : Hal_Op<"buffer_view.dim", [Pure]> {
  let summary = "an extent of a buffer view";
  let description = [{
        %d = hal.buffer_view.dim<%view : !hal.buffer_view>[0] : index
  }];
  let arguments = (ins Hal_BufferViewType:$buffer_view, IndexAttr:$index);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>` `` `[` $index `]` `:` type($result)
    attr-dict-with-keyword
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Arguments of a dispatch
//===----------------------------------------------------------------------===//

def Hal_InterfaceConstantLoadOp : Hal_Op<"interface.constant.load", [Pure]> {
  let summary = "a number that is passed to a dispatch";
  let description = [{
        %0 = hal.interface.constant.load[1] alignment(16) values([16, 32]) : index

    The number is a multiple of `alignment` and one of `values`, if these are
    given.
  }];
  let arguments = (ins IndexAttr:$index, OptionalAttr<IndexAttr>:$alignment,
                       OptionalAttr<ArrayAttr>:$values);
  let results = (outs AnyTypeOf<[Index, AnySignlessInteger, AnyFloat]>:$result);
  let assemblyFormat = [{
    `` `[` $index `]` (`alignment` `(` $alignment^ `)`)? (`values` `(` $values^ `)`)?
    attr-dict `:` type($result)
  }];
}

def Hal_InterfaceBindingSubspanOp : Hal_Op<"interface.binding.subspan", [
    MemoryEffects<[MemAlloc]>, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Util_ShapeAwareOpInterface>]> {
  let summary = "a buffer that is passed to a dispatch, starting at an offset";
  let description = [{
        %0 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer)
               offset(%o) alignment(64) : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%d}
  }];
  let arguments = (ins IndexAttr:$set, IndexAttr:$binding, StrAttr:$descriptor_type,
                       Optional<Index>:$byte_offset, Variadic<Index>:$dynamic_dims,
                       OptionalAttr<IndexAttr>:$alignment);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `set` `(` $set `)` `binding` `(` $binding `)`
    `type` `(` custom<DescriptorType>($descriptor_type) `)`
    (`offset` `(` $byte_offset^ `)`)? (`alignment` `(` $alignment^ `)`)?
    attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?
  }];
  let hasVerifier = 1;
}

#endif // MERCATOR_DIALECTS_HAL_OPS
