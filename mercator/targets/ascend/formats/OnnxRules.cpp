// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The expression of each GE operator in ai.onnx at opset 18: one operator with
// the same meaning, or a few. Shapes are static, so a shape that GE reads from
// a tensor is the shape of the result here.

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/targets/ascend/formats/OnnxNode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using enum GeType;

using Ints = SmallVector<int64_t, 6>;

/// An axis counted from the front.
static int64_t fromFront(int64_t axis, size_t rank) {
  return axis < 0 ? axis + (int64_t)rank : axis;
}

static void appendRange(Ints &out, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i)
    out.push_back(i);
}

/// A vector of extents or positions as int64, the type that ONNX requires.
static OnnxTensor wholeVector(OnnxNode &node, unsigned i) {
  if (std::optional<Shape> values = constantInts(node.op->getOperand(i)))
    return node.ints(*values);
  return node.cast(node.input(i), int64);
}

//===--- Gathers ----------------------------------------------------------===//

// ONNX's Gather has no batches. GatherND has batches if the indexed dimension
// follows them, so x is transposed before and the result after.
static LogicalResult gather(OnnxNode &node, int64_t axis, int64_t batches) {
  OnnxTensor x = node.input(0), indices = node.input(1);
  int64_t rank = node.shape(0).size(), indexRank = node.shape(1).size();
  axis = fromFront(axis, rank);
  batches = fromFront(batches, indexRank);
  if (batches == 0)
    return node.finish("Gather", {x, indices}, {{"axis", axis}});
  Ints perm;
  appendRange(perm, 0, batches);
  perm.push_back(axis);
  appendRange(perm, batches, axis);
  appendRange(perm, axis + 1, rank);
  bool isTurned = axis != batches;
  if (isTurned)
    x = node.step("Transpose", {x}, {{"perm", perm}});
  OnnxTensor vectors =
      node.step("Unsqueeze", {node.cast(indices, int64), node.ints({-1})});
  OnnxAttribute batchDims{"batch_dims", batches};
  if (!isTurned)
    return node.finish("GatherND", {x, vectors}, {batchDims});
  OnnxTensor y = node.step("GatherND", {x, vectors}, {batchDims});
  int64_t between = axis - batches, resultRank = node.resultShape().size();
  Ints back;
  appendRange(back, 0, batches);
  appendRange(back, indexRank, indexRank + between);
  appendRange(back, batches, indexRank);
  appendRange(back, indexRank + between, resultRank);
  return node.finish("Transpose", {y}, {{"perm", back}});
}

static LogicalResult gatherV2(OnnxNode &node) {
  FailureOr<Ints> axis = node.known(2);
  if (failed(axis))
    return failure();
  return gather(node, axis->front(), cast<GatherV2Op>(node.op).getBatchDims());
}
static LogicalResult gatherV2D(OnnxNode &node) {
  return gather(node, cast<GatherV2DOp>(node.op).getAxis(), 0);
}
static LogicalResult gatherNd(OnnxNode &node) {
  return node.finish("GatherND",
                     {node.input(0), node.cast(node.input(1), int64)});
}
// Slices x to the extents of the index: ONNX does not say whether the other
// dimensions may be shorter.
static LogicalResult gatherElements(OnnxNode &node) {
  int64_t rank = node.shape(0).size();
  int64_t dim = fromFront(cast<GatherElementsOp>(node.op).getDim(), rank);
  OnnxTensor x = node.input(0);
  Ints size(node.shape(1));
  size[dim] = node.shape(0)[dim];
  if (ArrayRef<int64_t>(size) != node.shape(0)) {
    if (ShapedType::isDynamicShape(size))
      return node.no("expected the shape of 'index' to be that of 'x' in all "
                     "dimensions but 'dim', or to be known, got others");
    x = node.step("Slice", {x, node.ints(Ints(rank, 0)), node.ints(size)});
  }
  return node.finish("GatherElements", {x, node.input(1)}, {{"axis", dim}});
}

// The indexed dimensions become the first of x, which GatherND indexes by
// vectors.
static LogicalResult indexByTensor(OnnxNode &node) {
  auto op = cast<IndexByTensorOp>(node.op);
  ArrayRef<int64_t> mask = op.getIndicesMask();
  int64_t rank = node.shape(0).size(), count = op.getIndices().size(),
          resultRank = node.resultShape().size(),
          axes = resultRank - rank + count;
  Ints perm, indexed;
  for (bool isFront : {true, false})
    for (int64_t d = 0; d < rank; ++d)
      if ((d < int64_t(mask.size()) && mask[d] == 1) == isFront) {
        perm.push_back(d);
        if (isFront)
          indexed.push_back(d);
      }
  bool areNeighbors = indexed.back() - indexed.front() + 1 == count;
  int64_t before = areNeighbors ? indexed.front() : 0;
  OnnxTensor x = node.input(0);
  if (!llvm::is_sorted(perm))
    x = node.step("Transpose", {x}, {{"perm", perm}});
  OnnxTensor extents = node.ints(node.resultShape().slice(before, axes)),
             last = node.ints({-1});
  SmallVector<OnnxTensor> columns;
  for (int64_t k = 0; k < count; ++k) {
    OnnxTensor all = node.step("Expand", {node.input(k + 1), extents});
    columns.push_back(node.step("Unsqueeze", {all, last}));
  }
  OnnxTensor vectors = node.step("Concat", columns, {{"axis", -1}});
  if (before == 0)
    return node.finish("GatherND", {x, vectors});
  OnnxTensor y = node.step("GatherND", {x, vectors});
  Ints back;
  appendRange(back, axes, axes + before);
  appendRange(back, 0, axes);
  appendRange(back, axes + before, resultRank);
  return node.finish("Transpose", {y}, {{"perm", back}});
}

//===--- Scatters ---------------------------------------------------------===//

static LogicalResult scatter(OnnxNode &node) {
  StringRef reduction =
      llvm::TypeSwitch<Operation *, StringRef>(node.op)
          .Case<TensorScatterAddOp, ScatterNdAddOp>([](auto) { return "add"; })
          .Case([](TensorScatterMaxOp) { return "max"; })
          .Case([](TensorScatterMinOp) { return "min"; })
          .Default(StringRef("none"));
  GeType element = node.input(0).type;
  if (reduction != "none" && (element == complex64 || element == complex128))
    return node.no(
        "expected real numbers, because ONNX combines no others, got " +
        name(element));
  return node.finish(
      "ScatterND",
      {node.input(0), node.cast(node.input(1), int64), node.input(2)},
      {{"reduction", reduction.str()}});
}

static LogicalResult copy(OnnxNode &node) {
  return node.finish("Identity", {node.input(0)});
}

static LogicalResult scatterElements(OnnxNode &node) {
  auto op = cast<ScatterElementsOp>(node.op);
  StringRef reduction = op.getReduction();
  GeType element = node.input(0).type;
  if (reduction != "none" && (element == complex64 || element == complex128))
    return node.no(
        "expected real numbers, because ONNX combines no others, got " +
        name(element));
  return node.finish("ScatterElements", node.inputs(3),
                     {{"axis", fromFront(op.getAxis(), node.shape(0).size())},
                      {"reduction", reduction.str()}});
}

//===--- Shapes -----------------------------------------------------------===//

static LogicalResult transpose(OnnxNode &node) {
  FailureOr<Ints> perm = node.known(1);
  if (failed(perm))
    return failure();
  return node.finish("Transpose", {node.input(0)}, {{"perm", *perm}});
}

static OnnxTensor reshaped(OnnxNode &node, const OnnxTensor &x,
                           ArrayRef<int64_t> shape) {
  return node.step("Reshape", {x, node.ints(shape)});
}

/// The shape of the result: that of its type, or operand `i` if the type does
/// not have all extents.
static OnnxTensor wantedShape(OnnxNode &node, unsigned i) {
  ArrayRef<int64_t> shape = node.resultShape();
  if (!ShapedType::isDynamicShape(shape))
    return node.ints(shape);
  return wholeVector(node, i);
}

static LogicalResult reshape(OnnxNode &node) {
  // Without this attribute, an extent of 0 means that of the input.
  SmallVector<OnnxAttribute, 1> attributes;
  if (llvm::is_contained(node.resultShape(), 0) ||
      !constantInts(node.op->getOperand(1)))
    attributes.push_back({"allowzero", 1});
  return node.finish("Reshape", {node.input(0), wantedShape(node, 1)},
                     attributes);
}

static LogicalResult broadcastTo(OnnxNode &node) {
  return node.finish("Expand", {node.input(0), wantedShape(node, 1)});
}

/// The number in a tensor of one element, as a scalar.
static OnnxTensor scalar(OnnxNode &node, unsigned i) {
  OnnxTensor x = node.input(i);
  return node.shape(i).empty() ? x : reshaped(node, x, {});
}

static LogicalResult fill(OnnxNode &node) {
  return node.finish("Expand", {scalar(node, 1), wantedShape(node, 0)});
}
static LogicalResult range(OnnxNode &node) {
  return node.finish("Range",
                     {scalar(node, 0), scalar(node, 1), scalar(node, 2)});
}

/// The end of a slice: the sum of its begin and its size, or the largest number
/// for a size of -1, which is the rest.
static LogicalResult sliceDynamic(OnnxNode &node) {
  std::optional<Shape> begin = constantInts(node.op->getOperand(1)),
                       size = constantInts(node.op->getOperand(2));
  if (begin && size) {
    Ints end(*begin);
    for (auto [place, extent] : llvm::zip_equal(end, *size))
      place = extent == -1 ? INT64_MAX : place + extent;
    return node.finish("Slice",
                       {node.input(0), node.ints(*begin), node.ints(end)});
  }
  if (size && llvm::is_contained(*size, -1))
    return node.no("expected sizes of at least 0 for offsets that are known "
                   "only at run time, got -1");
  OnnxTensor from = wholeVector(node, 1);
  return node.finish("Slice", {node.input(0), from,
                               node.step("Add", {from, wholeVector(node, 2)})});
}

static LogicalResult slice(OnnxNode &node) {
  OnnxTensor x = node.input(0);
  ArrayRef<int64_t> size = node.resultShape();
  if (size.empty())
    return node.finish("Identity", {x});
  if (ShapedType::isDynamicShape(size))
    return sliceDynamic(node);
  if (std::optional<Shape> begin = constantInts(node.op->getOperand(1))) {
    Ints end(*begin);
    for (auto [place, extent] : llvm::zip_equal(end, size))
      place += extent;
    return node.finish("Slice", {x, node.ints(*begin), node.ints(end)});
  }
  OnnxTensor begin = wholeVector(node, 1);
  return node.finish("Slice",
                     {x, begin, node.step("Add", {begin, node.ints(size)})});
}

static LogicalResult shapeOf(OnnxNode &node) {
  return node.finishCast(node.step("Shape", {node.input(0)}), int32);
}

static LogicalResult stridedSlice(OnnxNode &node) {
  auto op = cast<StridedSliceOp>(node.op);
  if (op.getBeginMask() || op.getEndMask() || op.getEllipsisMask() ||
      op.getNewAxisMask() || op.getShrinkAxisMask())
    return node.no(
        "expected no masks, which ONNX's Slice does not support; give "
        "every begin and end, and reshape afterwards");
  if (node.resultShape().empty())
    return node.finish("Identity", {node.input(0)});
  Ints axes;
  appendRange(axes, 0, (int64_t)node.shape(0).size());
  return node.finish("Slice",
                     {node.input(0), wholeVector(node, 1), wholeVector(node, 2),
                      node.ints(axes), wholeVector(node, 3)});
}

static LogicalResult concat(OnnxNode &node) {
  unsigned count = node.op->getNumOperands() - 1;
  FailureOr<Ints> axis = node.known(count);
  if (failed(axis))
    return failure();
  return node.finish("Concat", node.inputs(count), {{"axis", axis->front()}});
}

static LogicalResult pack(OnnxNode &node) {
  int64_t axis =
      fromFront(cast<PackOp>(node.op).getAxis(), node.resultShape().size());
  OnnxTensor axes = node.ints({axis});
  SmallVector<OnnxTensor> parts;
  for (const OnnxTensor &x : node.inputs(node.op->getNumOperands()))
    parts.push_back(node.step("Unsqueeze", {x, axes}));
  return node.finish("Concat", parts, {{"axis", axis}});
}

static LogicalResult pad(OnnxNode &node) {
  FailureOr<Ints> pairs = node.known(1);
  if (failed(pairs))
    return failure();
  if (pairs->empty())
    return node.finish("Identity", {node.input(0)});
  // All padding before, then all padding after.
  Ints pads;
  for (size_t side : {0, 1})
    for (size_t i = side; i < pairs->size(); i += 2)
      pads.push_back((*pairs)[i]);
  return node.finish("Pad", {node.input(0), node.ints(pads), scalar(node, 2)});
}

static LogicalResult reverse(OnnxNode &node) {
  FailureOr<Ints> axes = node.known(1);
  if (failed(axes))
    return failure();
  if (axes->empty() || llvm::is_contained(node.resultShape(), 0))
    return node.finish("Identity", {node.input(0)});
  // From the last element down to the first.
  Ints last(axes->size(), -1), first(axes->size(), INT64_MIN);
  return node.finish("Slice", {node.input(0), node.ints(last), node.ints(first),
                               node.ints(*axes), node.ints(last)});
}

//===--- Sliding windows --------------------------------------------------===//

/// GE lists the padding before and after each dimension in turn, ONNX all
/// padding before, then all padding after.
static Ints onnxPads(ArrayRef<int64_t> pads) {
  Ints out;
  for (size_t side : {0, 1})
    for (size_t i = side; i < pads.size(); i += 2)
      out.push_back(pads[i]);
  return out;
}

/// Without the entries of batches and channels.
static Ints spatial(ArrayRef<int64_t> list) { return Ints(list.drop_front(2)); }

/// Adds the operator in a type that ONNX supports.
static LogicalResult inType(OnnxNode &node, StringRef type, GeType wide,
                            ArrayRef<OnnxAttribute> attributes) {
  SmallVector<OnnxTensor> x = node.inputs(node.op->getNumOperands());
  if (wide == x[0].type)
    return node.finish(type, x, attributes);
  for (OnnxTensor &input : x)
    input = node.cast(input, wide);
  return node.finishCast(node.step(type, x, attributes), node.resultType());
}

template <typename Op> static LogicalResult convolution(OnnxNode &node) {
  auto op = cast<Op>(node.op);
  return inType(node, "Conv", onnxComputedIn("Conv", node.input(0).type),
                {{"dilations", spatial(op.getDilations())},
                 {"group", int64_t(op.getGroups())},
                 {"pads", onnxPads(op.getPads())},
                 {"strides", spatial(op.getStrides())}});
}

static LogicalResult maxPool(OnnxNode &node) {
  auto op = cast<MaxPoolV3Op>(node.op);
  // A float64 has all values of these.
  constexpr TypeSet whole = {int16, int32, uint16};
  GeType element = node.input(0).type;
  return inType(node, "MaxPool",
                whole.has(element) ? float64
                                   : onnxComputedIn("MaxPool", element),
                {{"kernel_shape", spatial(op.getKsize())},
                 {"pads", onnxPads(op.getPads())},
                 {"strides", spatial(op.getStrides())}});
}

static LogicalResult averagePool(OnnxNode &node) {
  auto op = cast<AvgPoolV2Op>(node.op);
  return inType(node, "AveragePool",
                onnxComputedIn("AveragePool", node.input(0).type),
                {{"count_include_pad", int64_t(!op.getExclusive())},
                 {"kernel_shape", spatial(op.getKsize())},
                 {"pads", onnxPads(op.getPads())},
                 {"strides", spatial(op.getStrides())}});
}

static LogicalResult cumulativeSum(OnnxNode &node) {
  auto op = cast<CumsumOp>(node.op);
  GeType element = node.input(0).type, wide = onnxComputedIn("CumSum", element);
  OnnxTensor y =
      node.step("CumSum", {node.cast(node.input(0), wide), scalar(node, 1)},
                {{"exclusive", int64_t(op.getExclusive())},
                 {"reverse", int64_t(op.getReverse())}});
  return node.finishCast(y, element);
}

//===--- Sorts ------------------------------------------------------------===//

/// ONNX puts the element with the lower index first among equal ones.
static LogicalResult topK(OnnxNode &node, int64_t count, int64_t axis,
                          bool largest) {
  OnnxTensor x = node.input(0);
  GeType wide = onnxComputedIn("TopK", x.type);
  SmallVector<OnnxTensor> parts =
      node.steps("TopK", {node.cast(x, wide), node.ints({count})},
                 {{"axis", axis}, {"largest", int64_t(largest)}, {"sorted", 1}},
                 {wide, int64});
  return node.finishAll(parts);
}

static LogicalResult sort(OnnxNode &node) {
  auto op = cast<SortOp>(node.op);
  int64_t axis = fromFront(op.getAxis(), node.shape(0).size());
  return topK(node, node.shape(0)[axis], axis, op.getDescending());
}
static LogicalResult topKV2(OnnxNode &node) {
  auto op = cast<TopKV2Op>(node.op);
  int64_t axis = fromFront(op.getDim(), node.shape(0).size());
  return topK(node, node.resultShape()[axis], axis, op.getLargest());
}

//===--- Layers -----------------------------------------------------------===//

/// All inputs in float32, in which GE computes. Doubles stay.
static SmallVector<OnnxTensor> wideInputs(OnnxNode &node) {
  SmallVector<OnnxTensor> inputs = node.inputs(node.op->getNumOperands());
  for (OnnxTensor &input : inputs)
    if (input.type != float64)
      input = node.cast(input, float32);
  return inputs;
}

static LogicalResult softmax(OnnxNode &node) {
  auto op = cast<SoftmaxV2Op>(node.op);
  OnnxTensor x = wideInputs(node)[0];
  if (op.getAxes().size() == 1)
    return node.finishCast(
        node.step("Softmax", {x}, {{"axis", op.getAxes()[0]}}),
        node.resultType());
  OnnxTensor axes = node.ints(op.getAxes());
  SmallVector<OnnxAttribute, 2> attributes = {{"keepdims", 1},
                                              {"noop_with_empty_axes", 1}};
  OnnxTensor most = node.step("ReduceMax", {x, axes}, attributes);
  OnnxTensor e = node.step("Exp", {node.step("Sub", {x, most})});
  OnnxTensor sum = node.step("ReduceSum", {e, axes}, attributes);
  return node.finishCast(node.step("Div", {e, sum}), node.resultType());
}

/// ONNX's scale has the normalized dimensions. GE's may have fewer or more.
static LogicalResult layerNorm(OnnxNode &node) {
  auto op = cast<LayerNormV3Op>(node.op);
  int64_t rank = node.shape(0).size(),
          begin = fromFront(op.getBeginNormAxis(), rank);
  OnnxAttribute axis{"axis", begin},
      epsilon{"epsilon", op.getEpsilon().convertToFloat()};
  SmallVector<OnnxTensor> x = wideInputs(node);
  SmallVector<GeType> types(3, float32);
  if (begin == fromFront(op.getBeginParamsAxis(), rank))
    return node.finishAll(
        node.steps("LayerNormalization", x, {axis, epsilon}, types));
  OnnxTensor ones =
      node.step("Expand", {node.real(float32, 1),
                           node.ints(node.shape(0).drop_front(begin))});
  SmallVector<OnnxTensor> results =
      node.steps("LayerNormalization", {x[0], ones}, {axis, epsilon}, types);
  results[0] = node.step("Mul", {results[0], x[1]});
  results[0] = node.step("Add", {results[0], x[2]});
  return node.finishAll(results);
}

static LogicalResult rmsNorm(OnnxNode &node) {
  auto op = cast<RmsNormOp>(node.op);
  SmallVector<OnnxTensor> x = wideInputs(node);
  Ints axes;
  appendRange(axes, -(int64_t)node.shape(1).size(), 0);
  OnnxTensor squares = node.step("Mul", {x[0], x[0]});
  OnnxTensor mean = node.step("ReduceMean", {squares, node.ints(axes)},
                              {{"keepdims", 1}, {"noop_with_empty_axes", 1}});
  OnnxTensor epsilon = node.real(float32, op.getEpsilon().convertToDouble());
  OnnxTensor rstd = node.step(
      "Reciprocal", {node.step("Sqrt", {node.step("Add", {mean, epsilon})})});
  OnnxTensor y = node.step("Mul", {node.step("Mul", {x[0], rstd}), x[1]});
  return node.finishAll({y, rstd});
}

static LogicalResult gelu(OnnxNode &node) {
  OnnxTensor x = wideInputs(node)[0], inner = x;
  auto times = [&](const OnnxTensor &a, double factor) {
    return node.step("Mul", {a, node.real(float32, factor)});
  };
  if (cast<GeluV2Op>(node.op).getApproximate() == "tanh") {
    OnnxTensor cube = node.step("Mul", {node.step("Mul", {x, x}), x});
    inner = node.step("Add", {x, times(cube, 0.044715)});
    inner = node.step("Tanh", {times(inner, std::sqrt(2 / std::numbers::pi))});
  } else {
    inner = node.step("Erf", {times(x, std::sqrt(0.5))});
  }
  OnnxTensor share = node.step("Add", {inner, node.real(float32, 1)});
  return node.finishCast(node.step("Mul", {x, times(share, 0.5)}),
                         node.resultType());
}

//===--- Reductions and products ------------------------------------------===//

static LogicalResult reduce(OnnxNode &node, StringRef type) {
  FailureOr<Ints> axes = node.known(1);
  if (failed(axes))
    return failure();
  auto keep = node.op->getAttrOfType<BoolAttr>("keep_dims");
  bool isOfNothing = llvm::is_contained(node.shape(0), 0) &&
                     !llvm::is_contained(node.resultShape(), 0);
  if (isOfNothing)
    return node.no("expected elements to reduce: ONNX does not define " + type +
                   " of no elements; use a Fill");
  SmallVector<OnnxAttribute, 2> attributes = {
      {"keepdims", int64_t(keep && keep.getValue())},
      {"noop_with_empty_axes", 1}};
  OnnxTensor x = node.input(0);
  GeType wide = x.type == boolean ? uint8 : onnxComputedIn(type, x.type);
  if (wide == x.type)
    return node.finish(type, {x, node.ints(*axes)}, attributes);
  OnnxTensor y =
      node.step(type, {node.cast(x, wide), node.ints(*axes)}, attributes);
  return node.finishCast(y, node.resultType());
}

static LogicalResult product(OnnxNode &node, bool transposeLhs,
                             bool transposeRhs) {
  SmallVector<OnnxTensor> x = node.inputs(2);
  Ints perm;
  appendRange(perm, 0, (int64_t)node.shape(0).size());
  std::swap(perm.back(), perm[perm.size() - 2]);
  if (transposeLhs)
    x[0] = node.step("Transpose", {x[0]}, {{"perm", perm}});
  if (transposeRhs)
    x[1] = node.step("Transpose", {x[1]}, {{"perm", perm}});
  return node.finish("MatMul", x);
}
static LogicalResult matMul(OnnxNode &node) {
  auto op = cast<MatMulOp>(node.op);
  return product(node, op.getTransposeX1(), op.getTransposeX2());
}
static LogicalResult batchMatMul(OnnxNode &node) {
  auto op = cast<BatchMatMulOp>(node.op);
  return product(node, op.getAdjX1(), op.getAdjX2());
}

static StringRef reductionType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Cases(
          {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean"},
          type)
      .Case("ReduceAll", "ReduceMin")
      .Case("ReduceAny", "ReduceMax")
      .Default("");
}

using OnnxFunction = LogicalResult (*)(OnnxNode &);

static OnnxFunction ruleOf(StringRef type) {
  return llvm::StringSwitch<OnnxFunction>(type)
      .Case("GatherV2", gatherV2)
      .Case("GatherV2D", gatherV2D)
      .Case("GatherNd", gatherNd)
      .Case("GatherElements", gatherElements)
      .Cases({"TensorScatterUpdate", "TensorScatterAdd", "TensorScatterMax",
              "TensorScatterMin", "ScatterNdUpdate", "ScatterNdAdd"},
             scatter)
      .Case("TensorMove", copy)
      .Case("IndexByTensor", indexByTensor)
      .Case("ScatterElements", scatterElements)
      .Case("Transpose", transpose)
      .Case("Reshape", reshape)
      .Case("BroadcastTo", broadcastTo)
      .Case("Slice", slice)
      .Case("StridedSlice", stridedSlice)
      .Case("ConcatV2", concat)
      .Case("Pack", pack)
      .Case("PadV2", pad)
      .Case("ReverseV2", reverse)
      .Case("Range", range)
      .Case("Fill", fill)
      .Case("Sort", sort)
      .Case("TopKV2", topKV2)
      .Case("Conv2D", convolution<Conv2DOp>)
      .Case("Conv3D", convolution<Conv3DOp>)
      .Case("MaxPoolV3", maxPool)
      .Case("AvgPoolV2", averagePool)
      .Case("Cumsum", cumulativeSum)
      .Case("SoftmaxV2", softmax)
      .Case("LayerNormV3", layerNorm)
      .Case("RmsNorm", rmsNorm)
      .Case("GeluV2", gelu)
      .Case("Shape", shapeOf)
      .Case("MatMul", matMul)
      .Case("BatchMatMul", batchMatMul)
      .Default(nullptr);
}

LogicalResult ascend::addOnnxOperator(OnnxNode &node) {
  StringRef type = node.op->getName().stripDialect();
  if (OnnxFunction rule = ruleOf(type))
    return rule(node);
  if (StringRef reduction = reductionType(type); !reduction.empty())
    return reduce(node, reduction);
  if (OnnxRule rule = onnxElementsRule(type))
    return rule(node);
  return node.no("expected an operator with an equivalent in ONNX; write the "
                 "graph as air");
}
