// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `ascend` dialect: graphs of the operators of Ascend's Graph Engine (GE),
// under GE's own names.

#ifndef MERCATOR_DIALECTS_ASCEND_OPS
#define MERCATOR_DIALECTS_ASCEND_OPS

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ascend_Dialect : Dialect {
  let name = "ascend";
  let cppNamespace = "::mercator::ascend";
  let summary = "Graphs of Ascend's Graph Engine";
  let description = [{
    An operation is a node of GE's graph. Its name is the node's type, its
    operands are the node's inputs in the order of GE's registration, and its
    attributes are the node's attributes. Inputs of GE (the axis of a GatherV2,
    the permutation of a Transpose) are operands here. Where GE needs the value of
    an input to find a shape, the operand is an `ascend.Const`.

        ascend.graph @embed {
          %table = ascend.Data {index = 0} : tensor<151936x896xf32>
          %ids = ascend.Data {index = 1} : tensor<8xi32>
          %axis = ascend.Const dense<0> : tensor<i32>
          %rows = ascend.GatherV2(%table, %ids, %axis)
              : (tensor<151936x896xf32>, tensor<8xi32>, tensor<i32>) -> tensor<8x896xf32>
          ascend.NetOutput %rows : tensor<8x896xf32>
        }

    Before a function becomes a graph, it may mix operators with operations of
    other dialects.

    Source: the operator prototypes that CANN publishes with its headers.
  }];
  let hasConstantMaterializer = 1;
}

// A tensor that GE can hold. Each operator limits the element types further: see Registry.h.
def Ascend_Tensor : Type<And<[IsRankedTensorTypePred, CPred<
      "::llvm::cast<::mlir::RankedTensorType>($_self).getRank() <= 8">]>,
    "tensor of at most 8 dimensions", "::mlir::RankedTensorType">;

// An operator of GE's registry. The verifier checks its entry there and compares its result with
// GE's shape rule.
def Ascend_OperatorTrait : NativeOpTrait<"GeOperator"> {
  let cppNamespace = "::mercator::ascend";
}

class Ascend_Op<string mnemonic, dag inputs, dag attributes = (ins), list<Trait> traits = []>
    : Op<Ascend_Dialect, mnemonic, !listconcat([Pure, Ascend_OperatorTrait], traits)> {
  let arguments = !con(inputs, attributes);
  let results = (outs Ascend_Tensor:$result);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
class Ascend_Unary<string mnemonic, dag attributes = (ins)>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x), attributes>;
class Ascend_Binary<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x1, Ascend_Tensor:$x2)>;
class Ascend_Shift<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x, Ascend_Tensor:$y)>;
class Ascend_Choice<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$condition, Ascend_Tensor:$x1, Ascend_Tensor:$x2)>;
class Ascend_Reduce<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x, Ascend_Tensor:$axes),
                (ins DefaultValuedOptionalAttr<BoolAttr, "false">:$keep_dims)>;
class Ascend_Int<string value> : DefaultValuedOptionalAttr<I64Attr, value>;
class Ascend_Bool<string value> : DefaultValuedOptionalAttr<BoolAttr, value>;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

def Ascend_GraphOp : Op<Ascend_Dialect, "graph",
    [Symbol, IsolatedFromAbove, SingleBlock, NoRegionArguments]> {
  let summary = "a graph: Data nodes, operators, one NetOutput";
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}
// Not Pure: an unused input is still an input of the graph.
def Ascend_DataOp : Op<Ascend_Dialect, "Data", [HasParent<"GraphOp">]> {
  let summary = "input `index` of the graph";
  let description = [{
    `bounds` has the largest extent of each dimension; -1 where nothing limits
    it.
  }];
  let arguments = (ins I64Attr:$index, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<DenseI64ArrayAttr>:$bounds);
  let hasVerifier = 1;
  let results = (outs Ascend_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Ascend_NetOutputOp : Op<Ascend_Dialect, "NetOutput", [Terminator, HasParent<"GraphOp">]> {
  let summary = "the results of the graph";
  let arguments = (ins Variadic<Ascend_Tensor>:$x);
  let assemblyFormat = "($x^ `:` type($x))? attr-dict";
}
def Ascend_ConstOp : Op<Ascend_Dialect, "Const", [Pure, ConstantLike,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ascend_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Gathers. An index out of range is an error, gives zero, or reads unchecked memory, depending on
// the kernel. It is never clamped.
//===----------------------------------------------------------------------===//

def Ascend_GatherV2Op : Ascend_Op<"GatherV2",
    (ins Ascend_Tensor:$x, Ascend_Tensor:$indices, Ascend_Tensor:$axis),
    (ins Ascend_Int<"0">:$batch_dims, Ascend_Bool<"false">:$is_preprocessed,
         Ascend_Bool<"false">:$negative_index_support)> {
  let summary = "slices along an axis: y[b, i, j, k] = x[b, i, indices[b, j], k]";
}
def Ascend_GatherV2DOp : Ascend_Op<"GatherV2D", (ins Ascend_Tensor:$x, Ascend_Tensor:$indices),
                                   (ins I64Attr:$axis)> {
  let summary = "GatherV2 without batches and with the axis as an attribute; deprecated by GE";
}
def Ascend_GatherNdOp : Ascend_Op<"GatherNd", (ins Ascend_Tensor:$x, Ascend_Tensor:$indices),
                                  (ins Ascend_Bool<"false">:$negative_index_support)> {
  let summary = "slices by vectors of the leading indices: y[i, j] = x[indices[i, :], j]";
}
def Ascend_IndexByTensorOp : Ascend_Op<"IndexByTensor",
    (ins Ascend_Tensor:$x, Variadic<Ascend_Tensor>:$indices),
    (ins DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$indices_mask)> {
  let summary = "x[i, :, j]: a tensor of indices for each dimension that the mask has 1 for";
  let description = [{
    The tensors of indices broadcast. Their axes take the place of the indexed
    dimensions if these are neighbors; otherwise they come first, as in NumPy.
  }];
}
def Ascend_GatherElementsOp
    : Ascend_Op<"GatherElements", (ins Ascend_Tensor:$x, Ascend_Tensor:$index),
                (ins Ascend_Int<"0">:$dim)> {
  let summary = "elements, each with its own index along `dim`";
}

//===----------------------------------------------------------------------===//
// Scatters: x with y[indices[i, :], j] combined with updates[i, j]. An index out of range is as
// undefined as that of a gather. The order of two updates of one element is not defined.
//===----------------------------------------------------------------------===//

class Ascend_Scatter<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x, Ascend_Tensor:$indices, Ascend_Tensor:$updates)>;
def Ascend_TensorScatterUpdateOp : Ascend_Scatter<"TensorScatterUpdate">;
def Ascend_TensorScatterAddOp : Ascend_Scatter<"TensorScatterAdd">;
def Ascend_TensorScatterMaxOp : Ascend_Scatter<"TensorScatterMax">;
def Ascend_TensorScatterMinOp : Ascend_Scatter<"TensorScatterMin">;
// These overwrite `var`, which nothing else may read. A TensorMove before them
// copies a value that is still needed.
class Ascend_ScatterNd<string mnemonic>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$var, Ascend_Tensor:$indices, Ascend_Tensor:$updates)>;
def Ascend_ScatterNdUpdateOp : Ascend_ScatterNd<"ScatterNdUpdate">;
def Ascend_ScatterNdAddOp : Ascend_ScatterNd<"ScatterNdAdd">;
def Ascend_TensorMoveOp : Ascend_Unary<"TensorMove"> {
  let summary = "a copy";
}
def Ascend_ScatterElementsOp : Ascend_Op<"ScatterElements",
    (ins Ascend_Tensor:$data, Ascend_Tensor:$indices, Ascend_Tensor:$updates),
    (ins Ascend_Int<"0">:$axis,
         DefaultValuedOptionalAttr<StrAttr, "\"none\"">:$reduction)> {
  let summary = "each update has its own index along `axis`; `reduction` is none, add or mul";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def Ascend_TransposeOp : Ascend_Op<"Transpose", (ins Ascend_Tensor:$x, Ascend_Tensor:$perm)>;
def Ascend_ReshapeOp : Ascend_Op<"Reshape", (ins Ascend_Tensor:$x, Ascend_Tensor:$shape),
                                 (ins Ascend_Int<"0">:$axis, Ascend_Int<"-1">:$num_axes)>;
def Ascend_BroadcastToOp : Ascend_Op<"BroadcastTo", (ins Ascend_Tensor:$x, Ascend_Tensor:$shape)>;
def Ascend_SliceOp : Ascend_Op<"Slice", (ins Ascend_Tensor:$x, Ascend_Tensor:$offsets,
                                             Ascend_Tensor:$size)>;
def Ascend_StridedSliceOp : Ascend_Op<"StridedSlice",
    (ins Ascend_Tensor:$x, Ascend_Tensor:$begin, Ascend_Tensor:$end, Ascend_Tensor:$strides),
    (ins Ascend_Int<"0">:$begin_mask, Ascend_Int<"0">:$end_mask, Ascend_Int<"0">:$ellipsis_mask,
         Ascend_Int<"0">:$new_axis_mask, Ascend_Int<"0">:$shrink_axis_mask)>;
def Ascend_ConcatV2Op : Ascend_Op<"ConcatV2",
    (ins Variadic<Ascend_Tensor>:$x, Ascend_Tensor:$concat_dim), (ins I64Attr:$N)>;
def Ascend_PackOp : Ascend_Op<"Pack", (ins Variadic<Ascend_Tensor>:$x),
                              (ins Ascend_Int<"0">:$axis, I64Attr:$N)>;
def Ascend_PadV2Op : Ascend_Op<"PadV2", (ins Ascend_Tensor:$x, Ascend_Tensor:$paddings,
                                             Ascend_Tensor:$constant_values)>;
def Ascend_ReverseV2Op : Ascend_Op<"ReverseV2", (ins Ascend_Tensor:$x, Ascend_Tensor:$axis)>;
def Ascend_RangeOp : Ascend_Op<"Range", (ins Ascend_Tensor:$start, Ascend_Tensor:$limit,
                                             Ascend_Tensor:$delta)>;
def Ascend_ShapeOp : Ascend_Op<"Shape", (ins Ascend_Tensor:$x)> {
  let summary = "the extents at run time, as int32: GE's default for `dtype`";
}
def Ascend_FillOp : Ascend_Op<"Fill", (ins Ascend_Tensor:$dims, Ascend_Tensor:$value)>;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def Ascend_CastOp : Ascend_Unary<"Cast", (ins I64Attr:$dst_type)> {
  let summary = "conversion to the type with GE's number `dst_type`";
}
def Ascend_ClipByValueOp : Ascend_Op<"ClipByValue",
    (ins Ascend_Tensor:$x, Ascend_Tensor:$clip_value_min, Ascend_Tensor:$clip_value_max)>;
def Ascend_SelectOp : Ascend_Choice<"Select"> {
  let summary = "of tensors of the same shape";
}
def Ascend_SelectV2Op : Ascend_Choice<"SelectV2"> {
  let summary = "of tensors that broadcast, except booleans";
}

def Ascend_AbsOp : Ascend_Unary<"Abs">;
def Ascend_NegOp : Ascend_Unary<"Neg">;
def Ascend_ExpOp : Ascend_Unary<"Exp">;
def Ascend_Expm1Op : Ascend_Unary<"Expm1">;
def Ascend_LogOp : Ascend_Unary<"Log">;
def Ascend_Log1pOp : Ascend_Unary<"Log1p">;
def Ascend_SqrtOp : Ascend_Unary<"Sqrt">;
def Ascend_RsqrtOp : Ascend_Unary<"Rsqrt">;
def Ascend_TanhOp : Ascend_Unary<"Tanh">;
def Ascend_SigmoidOp : Ascend_Unary<"Sigmoid">;
def Ascend_SinOp : Ascend_Unary<"Sin">;
def Ascend_CosOp : Ascend_Unary<"Cos">;
def Ascend_SinhOp : Ascend_Unary<"Sinh">;
def Ascend_AsinhOp : Ascend_Unary<"Asinh">;
def Ascend_ErfOp : Ascend_Unary<"Erf">;
def Ascend_BesselI1eOp : Ascend_Unary<"BesselI1e"> {
  let summary = "exp(-|x|) I1(x), with the modified Bessel function of order 1";
}
def Ascend_FloorOp : Ascend_Unary<"Floor">;
def Ascend_CeilOp : Ascend_Unary<"Ceil">;
def Ascend_RintOp : Ascend_Unary<"Rint">;
def Ascend_SignOp : Ascend_Unary<"Sign">;
def Ascend_TanOp : Ascend_Unary<"Tan">;
def Ascend_RoundOp : Ascend_Unary<"Round", (ins Ascend_Int<"0">:$decimals)> {
  let summary = "rounding to the nearest integer, ties to even";
}
def Ascend_IsFiniteOp : Ascend_Unary<"IsFinite">;
def Ascend_PopulationCountOp : Ascend_Unary<"PopulationCount"> {
  let summary = "the number of set bits, as bytes";
}
def Ascend_ReciprocalOp : Ascend_Unary<"Reciprocal">;
def Ascend_LogicalNotOp : Ascend_Unary<"LogicalNot">;
def Ascend_InvertOp : Ascend_Unary<"Invert">;
def Ascend_AddOp : Ascend_Binary<"Add">;
def Ascend_SubOp : Ascend_Binary<"Sub">;
def Ascend_MulOp : Ascend_Binary<"Mul">;
def Ascend_RealDivOp : Ascend_Binary<"RealDiv">;
def Ascend_DivOp : Ascend_Binary<"Div">;
def Ascend_TruncateDivOp : Ascend_Binary<"TruncateDiv"> {
  let summary = "division of integers, rounded toward zero";
}
def Ascend_TruncateModOp : Ascend_Binary<"TruncateMod"> {
  let summary = "the remainder with the sign of x1; undefined for division by zero";
}
def Ascend_Atan2Op : Ascend_Binary<"Atan2">;
def Ascend_NextAfterOp : Ascend_Binary<"NextAfter"> {
  let summary = "the next float after x1 in the direction of x2";
}
def Ascend_LeftShiftOp : Ascend_Shift<"LeftShift">;
def Ascend_RightShiftOp : Ascend_Shift<"RightShift">;
def Ascend_PowOp : Ascend_Binary<"Pow">;
def Ascend_MinimumOp : Ascend_Binary<"Minimum">;
def Ascend_MaximumOp : Ascend_Binary<"Maximum">;
def Ascend_BitwiseAndOp : Ascend_Binary<"BitwiseAnd">;
def Ascend_BitwiseOrOp : Ascend_Binary<"BitwiseOr">;
def Ascend_BitwiseXorOp : Ascend_Binary<"BitwiseXor">;
def Ascend_LogicalAndOp : Ascend_Binary<"LogicalAnd">;
def Ascend_LogicalOrOp : Ascend_Binary<"LogicalOr">;
def Ascend_EqualOp : Ascend_Binary<"Equal">;
def Ascend_NotEqualOp : Ascend_Binary<"NotEqual">;
def Ascend_GreaterOp : Ascend_Binary<"Greater">;
def Ascend_GreaterEqualOp : Ascend_Binary<"GreaterEqual">;
def Ascend_LessOp : Ascend_Binary<"Less">;
def Ascend_LessEqualOp : Ascend_Binary<"LessEqual">;

// Complex numbers. The attribute for the type of the result keeps GE's default: parts of float32.
def Ascend_ComplexOp : Ascend_Op<"Complex", (ins Ascend_Tensor:$real, Ascend_Tensor:$imag)>;
def Ascend_RealOp : Ascend_Unary<"Real">;
def Ascend_ImagOp : Ascend_Unary<"Imag">;
def Ascend_ComplexAbsOp : Ascend_Unary<"ComplexAbs">;

//===----------------------------------------------------------------------===//
// Sorts: the sorted elements, and their indices along the dimension. NaNs are
// greater than all numbers.
//===----------------------------------------------------------------------===//

class Ascend_MultiOp<string mnemonic, dag inputs, dag outputs, dag attributes = (ins)>
    : Op<Ascend_Dialect, mnemonic, [Pure, Ascend_OperatorTrait]> {
  let arguments = !con(inputs, attributes);
  let results = outputs;
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
def Ascend_SortOp : Ascend_MultiOp<"Sort", (ins Ascend_Tensor:$x),
    (outs Ascend_Tensor:$y1, Ascend_Tensor:$y2),
    (ins Ascend_Int<"-1">:$axis, Ascend_Bool<"false">:$descending,
         Ascend_Bool<"false">:$stable)> {
  let summary = "equal elements keep their order if `stable`; otherwise it is not defined";
}
def Ascend_TopKV2Op : Ascend_MultiOp<"TopKV2", (ins Ascend_Tensor:$x, Ascend_Tensor:$k),
    (outs Ascend_Tensor:$values, Ascend_Tensor:$indices),
    (ins Ascend_Bool<"true">:$sorted, Ascend_Int<"-1">:$dim, Ascend_Bool<"true">:$largest)> {
  let summary = "the k greatest or least; of equal elements that with the lower index first";
}

//===----------------------------------------------------------------------===//
// Sliding windows: of images NCHW and volumes NCDHW. Kernels are OIHW and OIDHW.
// `strides`, `dilations` and `ksize` have an entry for each dimension; `pads` are
// those before and after each spatial dimension.
//===----------------------------------------------------------------------===//

class Ascend_Ints<string value> : DefaultValuedOptionalAttr<DenseI64ArrayAttr, value>;
class Ascend_Conv<string mnemonic, string ones>
    : Ascend_Op<mnemonic, (ins Ascend_Tensor:$x, Ascend_Tensor:$filter),
                (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
                     Ascend_Ints<ones>:$dilations, Ascend_Int<"1">:$groups)>;
def Ascend_Conv2DOp : Ascend_Conv<"Conv2D", "{1, 1, 1, 1}">;
def Ascend_Conv3DOp : Ascend_Conv<"Conv3D", "{1, 1, 1, 1, 1}">;
def Ascend_MaxPoolV3Op : Ascend_Unary<"MaxPoolV3",
    (ins DenseI64ArrayAttr:$ksize, DenseI64ArrayAttr:$strides, Ascend_Ints<"{0, 0, 0, 0}">:$pads)> {
  let summary = "the greatest element of each window; padding does not count";
}
def Ascend_AvgPoolV2Op : Ascend_Unary<"AvgPoolV2",
    (ins DenseI64ArrayAttr:$ksize, DenseI64ArrayAttr:$strides, Ascend_Ints<"{0, 0, 0, 0}">:$pads,
         Ascend_Bool<"true">:$exclusive)> {
  let summary = "the mean of each window; padding counts as zeros unless `exclusive`";
}
def Ascend_CumsumOp : Ascend_Op<"Cumsum", (ins Ascend_Tensor:$x, Ascend_Tensor:$axis),
    (ins Ascend_Bool<"false">:$exclusive, Ascend_Bool<"false">:$reverse)> {
  let summary = "sums of all elements up to each one, without it if `exclusive`";
}

//===----------------------------------------------------------------------===//
// Layers. They compute in float32, and round the results to the type of x.
//===----------------------------------------------------------------------===//

class Ascend_Float<string value> : DefaultValuedOptionalAttr<F32Attr, value>;
def Ascend_SoftmaxV2Op : Ascend_Op<"SoftmaxV2", (ins Ascend_Tensor:$x),
    (ins DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{-1}">:$axes)> {
  let summary = "exp(x - max(x)) / sum(exp(x - max(x))) over the axes";
}
def Ascend_GeluV2Op : Ascend_Unary<"GeluV2",
    (ins DefaultValuedOptionalAttr<StrAttr, "\"none\"">:$approximate)> {
  let summary = "x * (1 + erf(x / sqrt(2))) / 2, or its approximation by \"tanh\"";
}
def Ascend_LayerNormV3Op : Ascend_MultiOp<"LayerNormV3",
    (ins Ascend_Tensor:$x, Ascend_Tensor:$gamma, Ascend_Tensor:$beta),
    (outs Ascend_Tensor:$y, Ascend_Tensor:$mean, Ascend_Tensor:$rstd),
    (ins Ascend_Int<"0">:$begin_norm_axis, Ascend_Int<"0">:$begin_params_axis,
         Ascend_Float<"1e-5f">:$epsilon)> {
  let summary = "gamma * (x - mean(x)) / sqrt(var(x) + epsilon) + beta over the last dimensions";
}
def Ascend_RmsNormOp : Ascend_MultiOp<"RmsNorm", (ins Ascend_Tensor:$x, Ascend_Tensor:$gamma),
    (outs Ascend_Tensor:$y, Ascend_Tensor:$rstd), (ins Ascend_Float<"1e-6f">:$epsilon)> {
  let summary = "gamma * x / sqrt(mean(x * x) + epsilon) over the dimensions of gamma";
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

def Ascend_ReduceSumOp : Ascend_Reduce<"ReduceSum">;
def Ascend_ReduceMaxOp : Ascend_Reduce<"ReduceMax">;
def Ascend_ReduceMinOp : Ascend_Reduce<"ReduceMin">;
def Ascend_ReduceProdOp : Ascend_Reduce<"ReduceProd">;
def Ascend_ReduceMeanOp : Ascend_Reduce<"ReduceMean">;
def Ascend_ReduceAllOp : Ascend_Reduce<"ReduceAll">;
def Ascend_ReduceAnyOp : Ascend_Reduce<"ReduceAny">;
def Ascend_MatMulOp : Ascend_Op<"MatMul", (ins Ascend_Tensor:$x1, Ascend_Tensor:$x2),
                                (ins Ascend_Bool<"false">:$transpose_x1,
                                     Ascend_Bool<"false">:$transpose_x2)>;
def Ascend_BatchMatMulOp : Ascend_Op<"BatchMatMul", (ins Ascend_Tensor:$x1, Ascend_Tensor:$x2),
                                     (ins Ascend_Bool<"false">:$adj_x1,
                                          Ascend_Bool<"false">:$adj_x2)>;

#endif // MERCATOR_DIALECTS_ASCEND_OPS
