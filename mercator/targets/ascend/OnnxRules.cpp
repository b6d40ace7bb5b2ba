// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How each operator of GE is said in ai.onnx at opset 18: by one of the same
// meaning, or by a few. Shapes are static, so what GE reads from a tensor of
// extents is the shape of the result here.

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/targets/ascend/OnnxNode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

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

/// A vector of extents or places as ONNX wants them: of int64.
static OnnxTensor wholeVector(OnnxNode &node, unsigned i) {
  if (std::optional<Shape> values = constantInts(node.op->getOperand(i)))
    return node.ints(*values);
  return node.cast(node.input(i), int64);
}

//===--- Gathers ----------------------------------------------------------===//

// ONNX's Gather has no batches, but GatherND has where they are followed by
// what is indexed: x is turned so that it is, and the result back.
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
static LogicalResult gatherElements(OnnxNode &node) {
  int64_t dim = cast<GatherElementsOp>(node.op).getDim();
  return node.finish("GatherElements", node.inputs(2), {{"axis", dim}});
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

static LogicalResult reshape(OnnxNode &node) {
  // An extent of 0 would be that of the input.
  SmallVector<OnnxAttribute, 1> attributes;
  if (llvm::is_contained(node.resultShape(), 0))
    attributes.push_back({"allowzero", 1});
  return node.finish("Reshape", {node.input(0), node.ints(node.resultShape())},
                     attributes);
}

static LogicalResult broadcastTo(OnnxNode &node) {
  return node.finish("Expand", {node.input(0), node.ints(node.resultShape())});
}

/// A number in a tensor of one element, without dimensions.
static OnnxTensor scalar(OnnxNode &node, unsigned i) {
  OnnxTensor x = node.input(i);
  return node.shape(i).empty() ? x : reshaped(node, x, {});
}

static LogicalResult fill(OnnxNode &node) {
  return node.finish("Expand",
                     {scalar(node, 1), node.ints(node.resultShape())});
}
static LogicalResult range(OnnxNode &node) {
  return node.finish("Range",
                     {scalar(node, 0), scalar(node, 1), scalar(node, 2)});
}

static LogicalResult slice(OnnxNode &node) {
  OnnxTensor x = node.input(0);
  ArrayRef<int64_t> size = node.resultShape();
  if (size.empty())
    return node.finish("Identity", {x});
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

static LogicalResult stridedSlice(OnnxNode &node) {
  auto op = cast<StridedSliceOp>(node.op);
  if (op.getBeginMask() || op.getEndMask() || op.getEllipsisMask() ||
      op.getNewAxisMask() || op.getShrinkAxisMask())
    return node.no("expected no masks, which ONNX's Slice does not have; say "
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
  // All that goes before, then all that goes after.
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
  // From the last element down to before the first.
  Ints last(axes->size(), -1), first(axes->size(), INT64_MIN);
  return node.finish("Slice", {node.input(0), node.ints(last), node.ints(first),
                               node.ints(*axes), node.ints(last)});
}

//===--- Elements ---------------------------------------------------------===//

/// The type in which an operator that does not take `type` gives the same.
static GeType computedIn(StringRef type, GeType element) {
  TypeSet types = onnxTypes(type);
  if (types.has(element))
    return element;
  if ((element == float16 || element == bfloat16) && types.has(float32))
    return float32;
  TypeSet narrow = {int8, int16, uint8, uint16};
  if (narrow.has(element) && types.has(int32))
    return int32;
  return element;
}

/// One operator, in a wider type where it does not take that of the inputs.
static LogicalResult elementwise(OnnxNode &node, StringRef type) {
  SmallVector<OnnxTensor> inputs = node.inputs(node.op->getNumOperands());
  GeType element = inputs[0].type, wide = computedIn(type, element);
  if (wide == element)
    return node.finish(type, inputs);
  for (OnnxTensor &x : inputs)
    x = node.cast(x, wide);
  return node.finishCast(node.step(type, inputs), node.resultType());
}

static LogicalResult cast(OnnxNode &node) {
  return node.finishCast(node.input(0), node.resultType());
}
static LogicalResult clip(OnnxNode &node) {
  OnnxTensor above = node.step("Max", {node.input(0), node.input(1)});
  return node.finish("Min", {above, node.input(2)});
}
static LogicalResult select(OnnxNode &node) {
  return node.finish("Where", node.inputs(3));
}
static LogicalResult notEqual(OnnxNode &node) {
  return node.finish("Not", {node.step("Equal", node.inputs(2))});
}
static LogicalResult reciprocal(OnnxNode &node) {
  OnnxTensor x = node.input(0);
  if (x.type == int32 || x.type == int64)
    return node.finish("Div", {node.number(x.type, 1), x});
  return node.finish("Reciprocal", {x});
}
static LogicalResult rsqrt(OnnxNode &node) {
  return node.finish("Reciprocal", {node.step("Sqrt", node.inputs(1))});
}
static LogicalResult power(OnnxNode &node) {
  return node.finish("Pow", node.inputs(2));
}

static bool isInteger(const OnnxTensor &x) {
  TypeSet integers = {int8, int16, int32, int64, uint8, uint16, uint32, uint64};
  return integers.has(x.type);
}

static LogicalResult realDiv(OnnxNode &node) {
  if (isInteger(node.input(0)))
    return node.no("expected floats, as GE does not say how a quotient of " +
                   name(node.input(0).type) +
                   " is rounded; write TruncateDiv in its place");
  return node.finish("Div", node.inputs(2));
}

static LogicalResult truncateDiv(OnnxNode &node) {
  if (isInteger(node.input(0)))
    return node.finish("Div", node.inputs(2));
  OnnxTensor q = node.step("Div", node.inputs(2));
  OnnxTensor isNegative = node.step("Less", {q, node.number(q.type, 0)});
  return node.finish(
      "Where", {isNegative, node.step("Ceil", {q}), node.step("Floor", {q})});
}
static LogicalResult truncateMod(OnnxNode &node) {
  return node.finish("Mod", node.inputs(2), {{"fmod", 1}});
}

static LogicalResult round(OnnxNode &node) {
  if (cast<RoundOp>(node.op).getDecimals() != 0)
    return node.no("expected no decimals, which ONNX's Round does not have; "
                   "multiply and divide around it");
  if (isInteger(node.input(0)))
    return node.finish("Identity", node.inputs(1));
  return elementwise(node, "Round");
}

// What is not finite is no number once it is taken from itself.
static LogicalResult isFinite(OnnxNode &node) {
  OnnxTensor x = node.input(0);
  return node.finish("Equal",
                     {node.step("Sub", {x, x}), node.number(x.type, 0)});
}

//===--- Bits -------------------------------------------------------------===//

static GeType unsignedOf(GeType type) {
  switch (type) {
  case int8:
    return uint8;
  case int16:
    return uint16;
  case int32:
    return uint32;
  case int64:
    return uint64;
  default:
    return type;
  }
}

static OnnxTensor shift(OnnxNode &node, const OnnxTensor &x,
                        const OnnxTensor &by, StringRef direction) {
  return node.step("BitShift", {x, by}, {{"direction", direction.str()}});
}

static LogicalResult leftShift(OnnxNode &node) {
  OnnxTensor x = node.input(0), by = node.input(1);
  GeType type = unsignedOf(x.type);
  return node.finishCast(
      shift(node, node.cast(x, type), node.cast(by, type), "LEFT"), x.type);
}

// ONNX shifts what has no sign: of a negative number the inverted bits, which
// are inverted again afterwards.
static LogicalResult rightShift(OnnxNode &node) {
  OnnxTensor x = node.input(0), by = node.input(1);
  GeType type = unsignedOf(x.type);
  if (type == x.type)
    return node.finishCast(shift(node, x, by, "RIGHT"), x.type);
  OnnxTensor zero = node.number(x.type, 0);
  OnnxTensor mask = node.step(
      "Where", {node.step("Less", {x, zero}), node.number(x.type, -1), zero});
  OnnxTensor bits = node.cast(node.step("BitwiseXor", {x, mask}), type);
  OnnxTensor shifted = shift(node, bits, node.cast(by, type), "RIGHT");
  return node.finish("BitwiseXor", {node.cast(shifted, x.type), mask});
}

// Sums of neighbouring bits, of pairs, of fours; then of all bytes.
static LogicalResult populationCount(OnnxNode &node) {
  OnnxTensor x = node.input(0);
  x = node.cast(node.cast(x, unsignedOf(x.type)), uint64);
  for (auto [width, mask] :
       {std::pair(1, 0x5555555555555555), std::pair(2, 0x3333333333333333),
        std::pair(4, 0x0f0f0f0f0f0f0f0f)}) {
    OnnxTensor bits = node.number(uint64, mask);
    OnnxTensor high = shift(node, x, node.number(uint64, width), "RIGHT");
    x = node.step("Add", {node.step("BitwiseAnd", {x, bits}),
                          node.step("BitwiseAnd", {high, bits})});
  }
  x = node.step("Mul", {x, node.number(uint64, 0x0101010101010101)});
  return node.finishCast(shift(node, x, node.number(uint64, 56), "RIGHT"),
                         uint8);
}

// exp(x) - 1 = tanh(x / 2) (exp(x) + 1), which loses nothing near 0.
static LogicalResult expm1(OnnxNode &node) {
  OnnxTensor x = node.cast(node.input(0), computedIn("Tan", node.resultType()));
  OnnxTensor half = node.step("Div", {x, node.number(x.type, 2)});
  OnnxTensor sum =
      node.step("Add", {node.step("Exp", {x}), node.number(x.type, 1)});
  OnnxTensor y = node.step("Mul", {node.step("Tanh", {half}), sum});
  return node.finishCast(y, node.resultType());
}

// With u = 1 + x rounded, log(1 + x) is log(u) x / (u - 1), whose errors
// cancel (Kahan); x itself where u is 1, and log(u) where 1 is nothing to x.
static LogicalResult log1p(OnnxNode &node) {
  OnnxTensor x = node.cast(node.input(0), computedIn("Tan", node.resultType()));
  OnnxTensor one = node.number(x.type, 1);
  OnnxTensor u = node.step("Add", {one, x}), d = node.step("Sub", {u, one});
  OnnxTensor log = node.step("Log", {u});
  OnnxTensor product = node.step("Mul", {log, node.step("Div", {x, d})});
  OnnxTensor isLarge = node.step("Equal", {u, x});
  OnnxTensor isSmall = node.step("Equal", {u, one});
  OnnxTensor y = node.step("Where", {isLarge, log, product});
  return node.finishCast(node.step("Where", {isSmall, x, y}),
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
    return node.no("expected elements to reduce: ONNX does not say what " +
                   type + " of none is; write a Fill in its place");
  SmallVector<OnnxAttribute, 2> attributes = {
      {"keepdims", int64_t(keep && keep.getValue())},
      {"noop_with_empty_axes", 1}};
  OnnxTensor x = node.input(0);
  GeType wide = x.type == boolean ? uint8 : computedIn(type, x.type);
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

//===--- The table --------------------------------------------------------===//

/// What ONNX has an operator for, element by element.
static StringRef elementwiseType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Cases({"Abs", "Neg", "Exp", "Log", "Sqrt", "Tanh", "Sigmoid", "Sin",
              "Cos", "Tan", "Erf", "Floor", "Ceil", "Sign"},
             type)
      .Cases({"Add", "Sub", "Mul", "Div", "Equal", "Less", "Greater"}, type)
      .Case("Rint", "Round")
      .Case("LogicalNot", "Not")
      .Case("Invert", "BitwiseNot")
      .Case("Minimum", "Min")
      .Case("Maximum", "Max")
      .Case("LogicalAnd", "And")
      .Case("LogicalOr", "Or")
      .Cases({"BitwiseAnd", "BitwiseOr", "BitwiseXor"}, type)
      .Case("GreaterEqual", "GreaterOrEqual")
      .Case("LessEqual", "LessOrEqual")
      .Default("");
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

using Rule = LogicalResult (*)(OnnxNode &);

static Rule ruleOf(StringRef type) {
  return llvm::StringSwitch<Rule>(type)
      .Case("GatherV2", gatherV2)
      .Case("GatherV2D", gatherV2D)
      .Case("GatherNd", gatherNd)
      .Case("GatherElements", gatherElements)
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
      .Case("Cast", cast)
      .Case("ClipByValue", clip)
      .Cases({"Select", "SelectV2"}, select)
      .Case("Expm1", expm1)
      .Case("Log1p", log1p)
      .Case("Rsqrt", rsqrt)
      .Case("Reciprocal", reciprocal)
      .Case("Pow", power)
      .Case("RealDiv", realDiv)
      .Case("TruncateDiv", truncateDiv)
      .Case("TruncateMod", truncateMod)
      .Case("Round", round)
      .Case("IsFinite", isFinite)
      .Case("LeftShift", leftShift)
      .Case("RightShift", rightShift)
      .Case("PopulationCount", populationCount)
      .Case("NotEqual", notEqual)
      .Case("MatMul", matMul)
      .Case("BatchMatMul", batchMatMul)
      .Default(nullptr);
}

LogicalResult ascend::addOnnxOperator(OnnxNode &node) {
  StringRef type = node.op->getName().stripDialect();
  if (Rule rule = ruleOf(type))
    return rule(node);
  if (StringRef plain = elementwiseType(type); !plain.empty())
    return elementwise(node, plain);
  if (StringRef reduction = reductionType(type); !reduction.empty())
    return reduce(node, reduction);
  return node.no("expected an operator that has a twin in ONNX; write the "
                 "graph as air");
}
