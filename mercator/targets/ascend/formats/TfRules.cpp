// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The expression of each GE operator in TensorFlow, which has most of GE's
// names: nearly always the operator that GE declares compatible.

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/targets/ascend/formats/TfNode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using enum GeType;

using Ints = SmallVector<int64_t, 6>;

//===--- One to one -------------------------------------------------------===//

namespace {
/// An attribute of TensorFlow with the type of an input.
struct TypeOf {
  StringRef name;
  unsigned input;
};
/// An attribute that GE has too; 0 or false if the node does not have it.
struct Copied {
  StringRef from, to;
  bool isBool = false;
};
struct Row {
  StringRef type;
  SmallVector<TypeOf, 3> types;
  SmallVector<Copied, 5> copied = {};
  /// Inputs that must be scalars.
  SmallVector<unsigned, 3> scalars = {};
};
} // namespace

static llvm::StringMap<Row> makeRows() {
  llvm::StringMap<Row> rows;
  rows["Transpose"] = {"Transpose", {{"T", 0}, {"Tperm", 1}}};
  for (StringRef type : {"TensorScatterUpdate", "TensorScatterAdd",
                         "TensorScatterMax", "TensorScatterMin"})
    rows[type] = {type, {{"T", 0}, {"Tindices", 1}}};
  for (StringRef type : {"Update", "Add"})
    rows[("ScatterNd" + type).str()] = {type == "Add" ? "TensorScatterAdd"
                                                      : "TensorScatterUpdate",
                                        {{"T", 0}, {"Tindices", 1}}};
  rows["TensorMove"] = {"Identity", {{"T", 0}}};
  rows["Reshape"] = {"Reshape", {{"T", 0}, {"Tshape", 1}}};
  rows["BroadcastTo"] = {"BroadcastTo", {{"T", 0}, {"Tidx", 1}}};
  rows["Pack"] = {"Pack", {{"T", 0}}, {{"N", "N"}, {"axis", "axis"}}};
  rows["PadV2"] = {"PadV2", {{"T", 0}, {"Tpaddings", 1}}, {}, {2}};
  rows["ReverseV2"] = {"ReverseV2", {{"T", 0}, {"Tidx", 1}}};
  rows["Range"] = {"Range", {{"Tidx", 0}}, {}, {0, 1, 2}};
  rows["Cumsum"] = {
      "Cumsum",
      {{"T", 0}, {"Tidx", 1}},
      {{"exclusive", "exclusive", true}, {"reverse", "reverse", true}},
      {1}};
  rows["Fill"] = {"Fill", {{"T", 1}, {"index_type", 0}}, {}, {1}};
  rows["Select"] = {"Select", {{"T", 1}}};
  rows["SelectV2"] = {"SelectV2", {{"T", 1}}};
  rows["IsFinite"] = {"IsFinite", {{"T", 0}}};
  for (StringRef type : {"Abs",
                         "Neg",
                         "Exp",
                         "Expm1",
                         "Log",
                         "Log1p",
                         "Sqrt",
                         "Rsqrt",
                         "Tanh",
                         "Sigmoid",
                         "Sin",
                         "Cos",
                         "Tan",
                         "Sinh",
                         "Asinh",
                         "NextAfter",
                         "BesselI1e",
                         "Erf",
                         "Floor",
                         "Ceil",
                         "Rint",
                         "Sign",
                         "Reciprocal",
                         "Invert",
                         "Sub",
                         "Mul",
                         "Div",
                         "TruncateDiv",
                         "TruncateMod",
                         "Pow",
                         "Atan2",
                         "Minimum",
                         "Maximum",
                         "BitwiseAnd",
                         "BitwiseOr",
                         "BitwiseXor",
                         "LeftShift",
                         "RightShift",
                         "Greater",
                         "GreaterEqual",
                         "Less",
                         "LessEqual",
                         "PopulationCount"})
    rows[type] = {type, {{"T", 0}}};
  rows["Add"] = {"AddV2", {{"T", 0}}};
  for (StringRef type : {"Equal", "NotEqual"})
    rows[type] = {type, {{"T", 0}}};
  for (StringRef type : {"LogicalNot", "LogicalAnd", "LogicalOr"})
    rows[type] = {type, {}};
  Copied keep{"keep_dims", "keep_dims", true};
  for (StringRef type : {"Sum", "Max", "Min", "Prod", "Mean"})
    rows[("Reduce" + type).str()] = {type, {{"T", 0}, {"Tidx", 1}}, {keep}};
  for (StringRef type : {"All", "Any"})
    rows[("Reduce" + type).str()] = {type, {{"Tidx", 1}}, {keep}};
  rows["MatMul"] = {"MatMul",
                    {{"T", 0}},
                    {{"transpose_x1", "transpose_a", true},
                     {"transpose_x2", "transpose_b", true}}};
  rows["BatchMatMul"] = {
      "BatchMatMulV2",
      {{"T", 0}},
      {{"adj_x1", "adj_x", true}, {"adj_x2", "adj_y", true}}};
  return rows;
}

static const Row *findRow(StringRef type) {
  static const llvm::StringMap<Row> rows = makeRows();
  auto found = rows.find(type);
  return found == rows.end() ? nullptr : &found->second;
}

/// For operators that support fewer types in TensorFlow than in GE.
static TypeSet tfTypes(StringRef type) {
  TypeSet floats = {float16, float32, float64, bfloat16};
  TypeSet complexes = {complex64, complex128};
  TypeSet signedIntegers = {int8, int16, int32, int64};
  TypeSet unsignedIntegers = {uint8, uint16, uint32, uint64};
  TypeSet reals = floats | signedIntegers | unsignedIntegers;
  return llvm::StringSwitch<TypeSet>(type)
      .Case("Tan", floats | complexes)
      .Case("Pow", floats | complexes | signedIntegers)
      .Cases({"Minimum", "Maximum", "Min", "Max"}, reals)
      .Default(reals | complexes | TypeSet{boolean});
}

static LogicalResult checkTypes(TfNode &node, StringRef type, GeType data) {
  TypeSet types = tfTypes(type);
  if (types.has(data))
    return success();
  return node.no("expected elements that TensorFlow's " + type + " takes (" +
                 types.list() + "), got " + name(data) +
                 "; write the graph as air, or compute this in another type");
}

static LogicalResult oneToOne(TfNode &node, const Row &row) {
  SmallVector<TfTensor> inputs = node.inputs();
  for (unsigned i : row.scalars)
    inputs[i] = node.scalar(i);
  if (!row.types.empty() &&
      failed(checkTypes(node, row.type, inputs[row.types[0].input].type)))
    return failure();
  SmallVector<TfAttribute, 6> attributes;
  for (const TypeOf &of : row.types)
    attributes.push_back({of.name, inputs[of.input].type});
  for (const Copied &copied : row.copied) {
    Attribute value = node.op->getAttr(copied.from);
    if (copied.isBool)
      attributes.push_back(
          {copied.to, value && cast<BoolAttr>(value).getValue()});
    else
      attributes.push_back(
          {copied.to, value ? cast<IntegerAttr>(value).getInt() : 0});
  }
  return node.finish(row.type, inputs, attributes);
}

//===--- Gathers ----------------------------------------------------------===//

static constexpr llvm::StringLiteral kUnknownExtent =
    "expected an indexed dimension with a known extent if indices count from "
    "the end, got one that is known only at run time";

/// TensorFlow has no indices that count from the end. The extents are added to
/// negative indices, one extent or one for each component.
static TfTensor fromFront(TfNode &node, const TfTensor &indices,
                          const TfTensor &extents) {
  TfTensor wide = node.step("Cast", {indices},
                            {{"SrcT", indices.type}, {"DstT", int64}}, int64);
  TfTensor zero = node.ints({0}, /*isScalar=*/true);
  TfTensor isNegative =
      node.step("Less", {wide, zero}, {{"T", int64}}, boolean);
  TfTensor raised = node.step("AddV2", {wide, extents}, {{"T", int64}});
  return node.step("SelectV2", {isNegative, raised, wide}, {{"T", int64}},
                   int64);
}

static LogicalResult gather(TfNode &node, const TfTensor &x,
                            const TfTensor &indices, const TfTensor &axis,
                            int64_t batches) {
  return node.finish("GatherV2", {x, indices, axis},
                     {{"Tparams", x.type},
                      {"Tindices", indices.type},
                      {"Taxis", axis.type},
                      {"batch_dims", batches}});
}

static LogicalResult gatherV2(TfNode &node) {
  auto op = cast<GatherV2Op>(node.op);
  TfTensor indices = node.input(1), axis = node.scalar(2);
  if (op.getNegativeIndexSupport()) {
    std::optional<Shape> known = constantInts(op.getAxis());
    if (!known)
      return node.no("expected 'axis' to be a Const if indices count from "
                     "the end, got a value known only at run time");
    ArrayRef<int64_t> shape = node.shape(0);
    int64_t place = known->front();
    int64_t extent = shape[place < 0 ? place + shape.size() : place];
    if (ShapedType::isDynamic(extent))
      return node.no(kUnknownExtent);
    indices = fromFront(node, indices, node.ints({extent}, /*isScalar=*/true));
  }
  return gather(node, node.input(0), indices, axis, op.getBatchDims());
}

static LogicalResult gatherV2D(TfNode &node) {
  int64_t axis = cast<GatherV2DOp>(node.op).getAxis();
  return gather(node, node.input(0), node.input(1),
                node.ints({axis}, /*isScalar=*/true), 0);
}

static LogicalResult gatherNd(TfNode &node) {
  TfTensor x = node.input(0), indices = node.input(1);
  if (cast<GatherNdOp>(node.op).getNegativeIndexSupport()) {
    ArrayRef<int64_t> extents =
        node.shape(0).take_front(std::max<int64_t>(node.shape(1).back(), 0));
    if (ShapedType::isDynamicShape(extents))
      return node.no(kUnknownExtent);
    indices = fromFront(node, indices, node.ints(extents));
  }
  return node.finish("GatherNd", {x, indices},
                     {{"Tparams", x.type}, {"Tindices", indices.type}});
}

// TensorFlow has no GatherElements. Along the last dimension it is a GatherV2
// with all other dimensions as batches. x is sliced to the extents of the
// index, and any other dimension is temporarily made the last.
static LogicalResult gatherElements(TfNode &node) {
  TfTensor x = node.input(0), index = node.input(1);
  ArrayRef<int64_t> from = node.shape(0), to = node.shape(1);
  int64_t rank = from.size(), dim = cast<GatherElementsOp>(node.op).getDim();
  dim = dim < 0 ? dim + rank : dim;
  Ints size(to), perm;
  size[dim] = from[dim];
  if (ArrayRef<int64_t>(size) != from) {
    if (ShapedType::isDynamicShape(size))
      return node.no("expected the shape of 'index' to be that of 'x' in all "
                     "dimensions but 'dim', or to be known, got others");
    x = node.step("Slice", {x, node.ints(Ints(rank, 0)), node.ints(size)},
                  {{"T", x.type}, {"Index", int64}});
  }
  TfTensor last = node.ints({rank - 1}, /*isScalar=*/true);
  if (dim == rank - 1)
    return gather(node, x, index, last, rank - 1);
  for (int64_t i = 0; i < rank; ++i)
    perm.push_back(i);
  std::swap(perm[dim], perm.back());
  TfTensor axes = node.ints(perm);
  for (TfTensor *turned : {&x, &index})
    *turned = node.step("Transpose", {*turned, axes},
                        {{"T", turned->type}, {"Tperm", int64}});
  TfTensor y = node.step("GatherV2", {x, index, last},
                         {{"Tparams", x.type},
                          {"Tindices", index.type},
                          {"Taxis", int64},
                          {"batch_dims", rank - 1}});
  return node.finish("Transpose", {y, axes}, {{"T", y.type}, {"Tperm", int64}});
}

// The indexed dimensions become the first of x, which GatherNd indexes by
// vectors.
static LogicalResult indexByTensor(TfNode &node) {
  auto op = cast<IndexByTensorOp>(node.op);
  ArrayRef<int64_t> mask = op.getIndicesMask(),
                    result = typeOf(op.getResult()).getShape();
  int64_t rank = node.shape(0).size(), count = op.getIndices().size(),
          axes = int64_t(result.size()) - rank + count;
  Ints perm, indexed, back;
  for (bool isFront : {true, false})
    for (int64_t d = 0; d < rank; ++d)
      if ((d < int64_t(mask.size()) && mask[d] == 1) == isFront) {
        perm.push_back(d);
        if (isFront)
          indexed.push_back(d);
      }
  bool areNeighbors = indexed.back() - indexed.front() + 1 == count;
  int64_t before = areNeighbors ? indexed.front() : 0;
  auto transposed = [&](const TfTensor &x, ArrayRef<int64_t> order) {
    return node.step("Transpose", {x, node.ints(order)},
                     {{"T", x.type}, {"Tperm", int64}});
  };
  TfTensor x = node.input(0), extents = node.ints(result.slice(before, axes));
  if (!llvm::is_sorted(perm))
    x = transposed(x, perm);
  SmallVector<TfTensor> columns;
  for (int64_t k = 0; k < count; ++k)
    columns.push_back(node.step("BroadcastTo", {node.input(k + 1), extents},
                                {{"T", int64}, {"Tidx", int64}}));
  TfTensor vectors = node.step(
      "Pack", columns, {{"N", count}, {"T", int64}, {"axis", int64_t(-1)}});
  SmallVector<TfAttribute, 2> attributes = {{"Tparams", x.type},
                                            {"Tindices", int64}};
  if (before == 0)
    return node.finish("GatherNd", {x, vectors}, attributes);
  TfTensor y = node.step("GatherNd", {x, vectors}, attributes);
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    back.push_back(i < before ? axes + i : i < before + axes ? i - before : i);
  return node.finish("Transpose", {y, node.ints(back)},
                     {{"T", y.type}, {"Tperm", int64}});
}

//===--- Others -----------------------------------------------------------===//

/// Operands of the same type: TensorFlow has one attribute for all of them.
static void unify(TfNode &node, MutableArrayRef<TfTensor> inputs) {
  if (llvm::all_equal(llvm::map_range(
          inputs, [](const TfTensor &input) { return input.type; })))
    return;
  for (TfTensor &input : inputs)
    if (input.type != int64)
      input = node.step("Cast", {input},
                        {{"SrcT", input.type}, {"DstT", int64}}, int64);
}

static LogicalResult slice(TfNode &node) {
  SmallVector<TfTensor> inputs = node.inputs();
  unify(node, MutableArrayRef(inputs).drop_front());
  return node.finish("Slice", inputs,
                     {{"T", inputs[0].type}, {"Index", inputs[1].type}});
}

static LogicalResult stridedSlice(TfNode &node) {
  auto op = cast<StridedSliceOp>(node.op);
  SmallVector<TfTensor> inputs = node.inputs();
  unify(node, MutableArrayRef(inputs).drop_front());
  return node.finish("StridedSlice", inputs,
                     {{"T", inputs[0].type},
                      {"Index", inputs[1].type},
                      {"begin_mask", int64_t(op.getBeginMask())},
                      {"end_mask", int64_t(op.getEndMask())},
                      {"ellipsis_mask", int64_t(op.getEllipsisMask())},
                      {"new_axis_mask", int64_t(op.getNewAxisMask())},
                      {"shrink_axis_mask", int64_t(op.getShrinkAxisMask())}});
}

static LogicalResult concat(TfNode &node) {
  SmallVector<TfTensor> inputs = node.inputs();
  inputs.back() = node.scalar(inputs.size() - 1);
  return node.finish("ConcatV2", inputs,
                     {{"N", int64_t(inputs.size()) - 1},
                      {"T", inputs.front().type},
                      {"Tidx", inputs.back().type}});
}

static GeType resultType(TfNode &node) {
  return *geType(
      cast<RankedTensorType>(node.op->getResult(0).getType()).getElementType());
}

static LogicalResult cast(TfNode &node) {
  return node.finish("Cast", {node.input(0)},
                     {{"SrcT", node.input(0).type},
                      {"DstT", resultType(node)},
                      {"Truncate", false}});
}

static LogicalResult clip(TfNode &node) {
  GeType type = node.input(0).type;
  if (failed(checkTypes(node, "Maximum", type)))
    return failure();
  TfTensor raised =
      node.step("Maximum", {node.input(0), node.input(1)}, {{"T", type}});
  return node.finish("Minimum", {raised, node.input(2)}, {{"T", type}});
}

static LogicalResult shapeOf(TfNode &node) {
  return node.finish("Shape", {node.input(0)},
                     {{"T", node.input(0).type}, {"out_type", int32}});
}

static LogicalResult realDiv(TfNode &node) {
  TypeSet reals = {float16, float32, float64, bfloat16, complex64, complex128};
  GeType type = node.input(0).type;
  if (!reals.has(type))
    return node.no(
        "expected floats, because GE does not define how a quotient of " +
        name(type) + " is rounded; use TruncateDiv");
  return node.finish("RealDiv", node.inputs(), {{"T", type}});
}

static LogicalResult round(TfNode &node) {
  if (cast<RoundOp>(node.op).getDecimals() != 0)
    return node.no("expected no decimals, which TensorFlow's Round does not "
                   "have; multiply and divide around it");
  // For integers TensorFlow returns 0.
  GeType type = node.input(0).type;
  bool isInteger = type == int32 || type == int64;
  return node.finish(isInteger ? "Identity" : "Round", node.inputs(),
                     {{"T", type}});
}

static LogicalResult topKV2(TfNode &node) {
  auto op = cast<TopKV2Op>(node.op);
  int64_t rank = node.shape(0).size(), dim = int64_t(op.getDim());
  if (!op.getLargest() || (dim != -1 && dim != rank - 1))
    return node.no("expected the greatest elements of the last dimension, the "
                   "only ones that TensorFlow's TopKV2 finds; write the graph "
                   "as air");
  return node.finish("TopKV2", {node.input(0), node.scalar(1)},
                     {{"sorted", true},
                      {"T", node.input(0).type},
                      {"Tk", node.input(1).type},
                      {"index_type", int32}});
}

/// TensorFlow's convolutions and poolings on CPUs have channels last.
static LogicalResult channelsFirst(TfNode &node) {
  return node.no("expected an operator that TensorFlow has for channels before "
                 "the spatial dimensions; write the graph as air");
}

//===--- Layers -----------------------------------------------------------===//

namespace {
/// The nodes of a layer: all of float32, in which GE computes, or of float64.
struct Layer {
  TfNode &node;
  GeType type = node.input(0).type == float64 ? float64 : float32;

  TfTensor input(unsigned i) {
    TfTensor x = node.input(i);
    if (x.type == type)
      return x;
    return node.step("Cast", {x}, {{"SrcT", x.type}, {"DstT", type}}, type);
  }
  TfTensor step(StringRef name, ArrayRef<TfTensor> inputs) {
    return node.step(name, inputs, {{"T", type}});
  }
  TfTensor times(const TfTensor &x, double factor) {
    return step("Mul", {x, node.real(type, factor)});
  }
  TfTensor reduce(StringRef name, const TfTensor &x, ArrayRef<int64_t> axes) {
    return node.step(name, {x, node.ints(axes)},
                     {{"T", type}, {"Tidx", int64}, {"keep_dims", true}});
  }
  /// The last node, under the operator's name.
  LogicalResult finish(const TfTensor &x) {
    return node.finish("Cast", {x},
                       {{"SrcT", type}, {"DstT", resultType(node)}});
  }
};
} // namespace

static LogicalResult softmax(TfNode &node) {
  ArrayRef<int64_t> axes = llvm::cast<SoftmaxV2Op>(node.op).getAxes();
  int64_t last = int64_t(node.shape(0).size()) - 1;
  if (axes.size() == 1 && (axes[0] == -1 || axes[0] == last))
    return node.finish("Softmax", {node.input(0)}, {{"T", node.input(0).type}});
  Layer layer{node};
  TfTensor x = layer.input(0), most = layer.reduce("Max", x, axes);
  TfTensor e = layer.step("Exp", {layer.step("Sub", {x, most})});
  return layer.finish(layer.step("RealDiv", {e, layer.reduce("Sum", e, axes)}));
}

/// A normalization over the dimensions from `begin` on.
static LogicalResult normalize(TfNode &node, int64_t begin, float epsilon) {
  bool isCentered = isa<LayerNormV3Op>(node.op);
  for (OpResult result : node.op->getResults().drop_front())
    if (!result.use_empty())
      return node.no("expected uses of its first result only, because "
                     "TensorFlow has no operator for all of them; write the "
                     "graph as air");
  Layer layer{node};
  TfTensor x = layer.input(0);
  Ints axes;
  for (int64_t dim = begin; dim < int64_t(node.shape(0).size()); ++dim)
    axes.push_back(dim);
  if (isCentered)
    x = layer.step("Sub", {x, layer.reduce("Mean", x, axes)});
  TfTensor squares = layer.step("Square", {x});
  TfTensor shifted = layer.step("AddV2", {layer.reduce("Mean", squares, axes),
                                          node.real(layer.type, epsilon)});
  TfTensor y = layer.step("Mul", {x, layer.step("Rsqrt", {shifted})});
  y = layer.step("Mul", {y, layer.input(1)});
  if (isCentered)
    y = layer.step("AddV2", {y, layer.input(2)});
  return layer.finish(y);
}

static LogicalResult layerNorm(TfNode &node) {
  auto op = llvm::cast<LayerNormV3Op>(node.op);
  int64_t begin = op.getBeginNormAxis(), rank = node.shape(0).size();
  return normalize(node, begin < 0 ? begin + rank : begin,
                   op.getEpsilon().convertToFloat());
}
static LogicalResult rmsNorm(TfNode &node) {
  auto op = llvm::cast<RmsNormOp>(node.op);
  return normalize(node, node.shape(0).size() - node.shape(1).size(),
                   op.getEpsilon().convertToFloat());
}

static LogicalResult gelu(TfNode &node) {
  Layer layer{node};
  TfTensor x = layer.input(0), inner = x;
  if (llvm::cast<GeluV2Op>(node.op).getApproximate() == "tanh") {
    TfTensor cube = layer.step("Mul", {layer.step("Square", {x}), x});
    inner = layer.step("AddV2", {x, layer.times(cube, 0.044715)});
    inner = layer.step("Tanh",
                       {layer.times(inner, std::sqrt(2 / std::numbers::pi))});
  } else {
    inner = layer.step("Erf", {layer.times(x, std::sqrt(0.5))});
  }
  TfTensor share = layer.step("AddV2", {inner, node.real(layer.type, 1)});
  return layer.finish(layer.step("Mul", {x, layer.times(share, 0.5)}));
}

/// For complex numbers: the result type is an attribute as well.
static LogicalResult ofComplex(TfNode &node) {
  return node.finish(node.op->getName().stripDialect(), node.inputs(),
                     {{"T", node.input(0).type}, {"Tout", resultType(node)}});
}

using TfFunction = LogicalResult (*)(TfNode &);

static TfFunction ruleOf(StringRef type) {
  return llvm::StringSwitch<TfFunction>(type)
      .Case("GatherV2", gatherV2)
      .Case("GatherV2D", gatherV2D)
      .Case("GatherNd", gatherNd)
      .Case("GatherElements", gatherElements)
      .Case("IndexByTensor", indexByTensor)
      .Case("Slice", slice)
      .Case("StridedSlice", stridedSlice)
      .Case("ConcatV2", concat)
      .Case("Cast", cast)
      .Case("ClipByValue", clip)
      .Case("Shape", shapeOf)
      .Case("RealDiv", realDiv)
      .Case("Round", round)
      .Case("TopKV2", topKV2)
      .Cases({"Conv2D", "Conv3D", "MaxPoolV3", "AvgPoolV2"}, channelsFirst)
      .Case("SoftmaxV2", softmax)
      .Case("LayerNormV3", layerNorm)
      .Case("RmsNorm", rmsNorm)
      .Case("GeluV2", gelu)
      .Cases({"Complex", "Real", "Imag", "ComplexAbs"}, ofComplex)
      .Default(nullptr);
}

LogicalResult ascend::addTfOperator(TfNode &node) {
  StringRef type = node.op->getName().stripDialect();
  if (TfFunction rule = ruleOf(type))
    return rule(node);
  if (const Row *row = findRow(type))
    return oneToOne(node, *row);
  return node.no("expected an operator that TensorFlow has; write the graph as "
                 "air");
}
