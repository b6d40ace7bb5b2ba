// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations and attributes of StableHLO.

#ifndef MERCATOR_DIALECTS_STABLEHLO_ATTRS
#define MERCATOR_DIALECTS_STABLEHLO_ATTRS

include "mercator/dialects/stablehlo/StablehloBase.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

// In the syntax of an operation an enumeration is a bare keyword. As an attribute it is
// `#stablehlo<precision HIGHEST>`.
class Stablehlo_Enum<string className, string summaryText, list<I32EnumCase> cases>
    : I32Enum<className, summaryText, cases> {
  let cppNamespace = "::mercator::stablehlo";
}
class Stablehlo_EnumAttr<EnumInfo info, string mnemonicText>
    : EnumAttr<Stablehlo_Dialect, info, mnemonicText>;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection", "which comparison", [
  I32EnumCase<"EQ", 0>, I32EnumCase<"NE", 1>, I32EnumCase<"GE", 2>,
  I32EnumCase<"GT", 3>, I32EnumCase<"LE", 4>, I32EnumCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection, "comparison_direction">;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType", "the order of elements", [
  I32EnumCase<"NOTYPE", 0>, I32EnumCase<"FLOAT", 1>, I32EnumCase<"TOTALORDER", 2>,
  I32EnumCase<"SIGNED", 3>, I32EnumCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonType, "comparison_type">;

def Stablehlo_Precision : Stablehlo_Enum<"Precision", "the precision of an operand", [
  I32EnumCase<"DEFAULT", 0>, I32EnumCase<"HIGH", 1>, I32EnumCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr : Stablehlo_EnumAttr<Stablehlo_Precision, "precision">;
def Stablehlo_PrecisionConfig
    : TypedArrayAttrBase<Stablehlo_PrecisionAttr, "one precision for each operand">;

def Stablehlo_FftType : Stablehlo_Enum<"FftType", "which Fourier transform", [
  I32EnumCase<"FFT", 0>, I32EnumCase<"IFFT", 1>, I32EnumCase<"RFFT", 2>,
  I32EnumCase<"IRFFT", 3>]>;
def Stablehlo_FftTypeAttr : Stablehlo_EnumAttr<Stablehlo_FftType, "fft_type">;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose", "the transformation of a matrix before its use", [
  I32EnumCase<"TRANSPOSE_INVALID", 0>, I32EnumCase<"NO_TRANSPOSE", 1>,
  I32EnumCase<"TRANSPOSE", 2>, I32EnumCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr : Stablehlo_EnumAttr<Stablehlo_Transpose, "transpose">;

def Stablehlo_RngDistribution : Stablehlo_Enum<"RngDistribution", "a distribution", [
  I32EnumCase<"UNIFORM", 1>, I32EnumCase<"NORMAL", 2>]>;
def Stablehlo_RngDistributionAttr
    : Stablehlo_EnumAttr<Stablehlo_RngDistribution, "rng_distribution">;

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm", "a generator of random bits", [
  I32EnumCase<"DEFAULT", 0>, I32EnumCase<"THREE_FRY", 1>, I32EnumCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm, "rng_algorithm">;

def Stablehlo_ResultAccuracyMode
    : Stablehlo_Enum<"ResultAccuracyMode", "the accuracy of a function", [
  I32EnumCase<"DEFAULT", 0>, I32EnumCase<"HIGHEST", 1>, I32EnumCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr
    : Stablehlo_EnumAttr<Stablehlo_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

// `array<i64: 1, 2>`. Also reads `dense<[1, 2]> : tensor<2xi64>`, the spelling until 2023, and
// converts it: see LenientArray.h.
class Stablehlo_Array<string className, string plain, string element, string elementType>
    : Attr<CPred<"::llvm::isa<::mercator::stablehlo::" # className # ">($_self)">,
           elementType # " dense array attribute"> {
  let storageType = "::mercator::stablehlo::" # className;
  let returnType = "::llvm::ArrayRef<" # element # ">";
  let convertFromStorage = "$_self";
  let constBuilderCall = "$_builder.get" # plain # "($0)";
}
def Stablehlo_I64Array : Stablehlo_Array<"I64ArrayAttr", "DenseI64ArrayAttr", "int64_t", "i64">;
def Stablehlo_BoolArray : Stablehlo_Array<"BoolArrayAttr", "DenseBoolArrayAttr", "bool", "i1">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Stablehlo_Attr<string className, string mnemonicText>
    : AttrDef<Stablehlo_Dialect, className> {
  let mnemonic = mnemonicText;
}
// Written `<key = value, ..>` with keys in any order. Keys with an empty or zero value may be
// omitted, and the printer omits them.
class Stablehlo_KeyedAttr<string className, string mnemonicText>
    : Stablehlo_Attr<className, mnemonicText> {
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_GatherDimensionNumbersAttr
    : Stablehlo_KeyedAttr<"GatherDimensionNumbers", "gather"> {
  let summary = "the roles of the dimensions of a gather";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$offsetDims,
    ArrayRefParameter<"int64_t">:$collapsedSliceDims,
    ArrayRefParameter<"int64_t">:$operandBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndexMap,
    "int64_t":$indexVectorDim);
}

def Stablehlo_ScatterDimensionNumbersAttr
    : Stablehlo_KeyedAttr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "the roles of the dimensions of a scatter";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$updateWindowDims,
    ArrayRefParameter<"int64_t">:$insertedWindowDims,
    ArrayRefParameter<"int64_t">:$inputBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterDimsToOperandDims,
    "int64_t":$indexVectorDim);
}

def Stablehlo_DotDimensionNumbersAttr
    : Stablehlo_KeyedAttr<"DotDimensionNumbers", "dot"> {
  let summary = "the paired dimensions of a dot";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$rhsContractingDimensions);
}

def Stablehlo_DotAlgorithmAttr : Stablehlo_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "the arithmetic of a dot";
  let parameters = (ins "::mlir::Type":$lhsPrecisionType, "::mlir::Type":$rhsPrecisionType,
    "::mlir::Type":$accumulationType, "int64_t":$lhsComponentCount,
    "int64_t":$rhsComponentCount, "int64_t":$numPrimitiveOperations,
    "bool":$allowImpreciseAccumulation);
  let assemblyFormat = [{
    `<` `lhs_precision_type` `=` $lhsPrecisionType `,`
    `rhs_precision_type` `=` $rhsPrecisionType `,`
    `accumulation_type` `=` $accumulationType `,`
    `lhs_component_count` `=` $lhsComponentCount `,`
    `rhs_component_count` `=` $rhsComponentCount `,`
    `num_primitive_operations` `=` $numPrimitiveOperations `,`
    `allow_imprecise_accumulation` `=` $allowImpreciseAccumulation `>`
  }];
}

// `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`, or `<raw key = .., ..>`.
def Stablehlo_ConvDimensionNumbersAttr
    : Stablehlo_KeyedAttr<"ConvDimensionNumbers", "conv"> {
  let summary = "the roles of the dimensions of a convolution";
  let parameters = (ins
    "int64_t":$inputBatchDimension,
    "int64_t":$inputFeatureDimension,
    ArrayRefParameter<"int64_t">:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension,
    "int64_t":$kernelOutputFeatureDimension,
    ArrayRefParameter<"int64_t">:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension,
    "int64_t":$outputFeatureDimension,
    ArrayRefParameter<"int64_t">:$outputSpatialDimensions);
}

def Stablehlo_ChannelHandleAttr : Stablehlo_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "names a channel between devices";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_OutputOperandAliasAttr
    : Stablehlo_KeyedAttr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "a result that shares memory with an operand";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$outputTupleIndices,
    "int64_t":$operandIndex,
    ArrayRefParameter<"int64_t">:$operandTupleIndices);
}

def Stablehlo_ResultAccuracyAttr : Stablehlo_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "the largest error of a result";
  let genVerifyDecl = 1;
  let parameters = (ins
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$atol,
    DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)">:$rtol,
    DefaultValuedParameter<"int64_t", "0">:$ulps,
    "::mercator::stablehlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

// Replica groups by the axes of a mesh: `mesh` is a symbol or a `#stablehlo.mesh`.
def Stablehlo_SubAxisInfoAttr : Stablehlo_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "a part of an axis";
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
}
def Stablehlo_AxisRefAttr : Stablehlo_Attr<"AxisRef", "axis_ref"> {
  let summary = "an axis of a mesh, or a part of one";
  let parameters = (ins StringRefParameter<>:$name,
    OptionalParameter<"::mercator::stablehlo::SubAxisInfoAttr">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Stablehlo_MeshAxisAttr : Stablehlo_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "a name and a size";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Stablehlo_MeshAttr : Stablehlo_Attr<"Mesh", "mesh"> {
  let summary = "devices in a grid";
  let parameters = (ins ArrayRefParameter<"::mercator::stablehlo::MeshAxisAttr">:$axes,
    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
  let assemblyFormat = [{
    `<` `axes` `` `=` `` `[` $axes `]` (`,` `device_ids` `` `=` `` $device_ids^)? `>`
  }];
}
def Stablehlo_ReplicaGroupMeshAxesAttr
    : Stablehlo_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let summary = "devices that differ only along these axes form a group";
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
// One group in each row, short rows padded with -1; or axes of a mesh.
def Stablehlo_ReplicaGroups
    : AnyAttrOf<[I64ElementsAttr, Stablehlo_ReplicaGroupMeshAxesAttr],
                "replica groups">;

// `#stablehlo.bounds<8, ?>`: the encoding of a tensor type with bounded dimensions.
def Stablehlo_TypeExtensionsAttr
    : AttrDef<Stablehlo_Dialect, "TypeExtensions",
              [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "bounds";
  let summary = "the largest extent of each dynamic dimension";
  let description = "One number a dimension; `?` where the dimension is static or unbounded.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

// `#stablehlo.type_extensions<bounds = [8, -1]>`, the spelling of bounds until 2023. The parser
// returns the attribute above; this one is never created.
def Stablehlo_OldTypeExtensionsAttr : AttrDef<Stablehlo_Dialect, "OldTypeExtensions"> {
  let mnemonic = "type_extensions";
  let summary = "the old spelling of bounds";
  let hasCustomAssemblyFormat = 1;
}

// The optional accuracy attribute shared by the transcendental functions.
def Stablehlo_OptionalAccuracy : OptionalAttr<Stablehlo_ResultAccuracyAttr>;

#endif // MERCATOR_DIALECTS_STABLEHLO_ATTRS
