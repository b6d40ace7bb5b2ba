// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `flow` dialect itself and its type.

#ifndef MERCATOR_DIALECTS_FLOW_BASE
#define MERCATOR_DIALECTS_FLOW_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "mercator/dialects/util/UtilInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::mercator::flow";
  let summary = "The partition of a program into dispatches";
  let description = [{
    A program on tensors is divided into dispatches. A dispatch starts as a region
    that uses the values around it (`flow.dispatch.region`), becomes an isolated
    region with explicit operands (`flow.dispatch.workgroups`), and ends as a call
    of a function in its own executable (`flow.dispatch`). Other operations move
    and name whole tensors (`flow.tensor.*`). Names and syntax are IREE's, so
    IREE's text loads.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect", "::mercator::util::UtilDialect"];
}

class Flow_Op<string mnemonic, list<Trait> traits = []> : Op<Flow_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Arguments of a dispatch
//===----------------------------------------------------------------------===//

def Flow_TensorAccess : I32EnumAttr<"TensorAccess", "the access of a dispatch to a tensor", [
    I32EnumAttrCase<"ReadOnly", 0, "readonly">,
    I32EnumAttrCase<"ReadWrite", 1, "readwrite">,
    I32EnumAttrCase<"WriteOnly", 2, "writeonly">]> {
  let cppNamespace = "::mercator::flow";
}

def Flow_DispatchTensorType : TypeDef<Flow_Dialect, "DispatchTensor"> {
  let mnemonic = "dispatch.tensor";
  let summary = "a tensor outside of the dispatch that reads or writes it";
  let description = [{
        !flow.dispatch.tensor<readonly:tensor<4x?xf32>>

    An operand or result of a dispatch, inside its body. It is not a value but a
    place from which slices are loaded and to which they are stored.
  }];
  let parameters = (ins EnumParameter<Flow_TensorAccess>:$access, "::mlir::Type":$boundType);
  let assemblyFormat = "`<` custom<TensorAccess>($access) `` `:` `` $boundType `>`";
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "TensorAccess":$access, "::mlir::Type":$boundType), [{
      return Base::get(boundType.getContext(), access, boundType);
    }]>,
    TypeBuilderWithInferredContext<(ins "TensorAccess":$access, "::llvm::ArrayRef<int64_t>":$shape,
        "::mlir::Type":$elementType, CArg<"::mlir::Attribute", "{}">:$encoding), [{
      return Base::get(elementType.getContext(), access,
                       ::mlir::RankedTensorType::get(shape, elementType, encoding));
    }]>,
  ];
  let extraClassDeclaration = [{
    /// The tensor; a number counts as a tensor of rank 0.
    ::mlir::RankedTensorType asRankedTensorType() const;
    ::mlir::Type getBoundElementType() const { return asRankedTensorType().getElementType(); }
    ::llvm::ArrayRef<int64_t> getShape() const { return asRankedTensorType().getShape(); }
    int64_t getRank() const { return asRankedTensorType().getRank(); }
    bool hasStaticShape() const { return asRankedTensorType().hasStaticShape(); }
    int64_t getDimSize(unsigned index) const { return getShape()[index]; }
    bool isDynamicDim(unsigned index) const {
      return ::mlir::ShapedType::isDynamic(getDimSize(index));
    }
    int64_t getNumDynamicDims() const { return asRankedTensorType().getNumDynamicDims(); }
    bool isReadable() const { return getAccess() != TensorAccess::WriteOnly; }
    bool isWritable() const { return getAccess() != TensorAccess::ReadOnly; }
  }];
}

def Flow_ReadableDispatchTensor : Type<
    CPred<"::llvm::isa<::mercator::flow::DispatchTensorType>($_self) && "
          "::llvm::cast<::mercator::flow::DispatchTensorType>($_self).isReadable()">,
    "readonly or readwrite dispatch tensor", "::mercator::flow::DispatchTensorType">;
def Flow_WritableDispatchTensor : Type<
    CPred<"::llvm::isa<::mercator::flow::DispatchTensorType>($_self) && "
          "::llvm::cast<::mercator::flow::DispatchTensorType>($_self).isWritable()">,
    "writeonly or readwrite dispatch tensor", "::mercator::flow::DispatchTensorType">;

def Flow_PrimitiveType : AnyTypeOf<[Index, AnySignlessInteger, AnyFloat, AnyComplex]>;

#endif // MERCATOR_DIALECTS_FLOW_BASE
