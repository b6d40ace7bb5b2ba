// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elementwise operators in ai.onnx at opset 18.

#include "mercator/targets/ascend/formats/OnnxNode.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using enum GeType;

/// One operator, in a wider type if it does not support that of the inputs.
static LogicalResult elementwise(OnnxNode &node, StringRef type) {
  SmallVector<OnnxTensor> inputs = node.inputs(node.op->getNumOperands());
  GeType element = inputs[0].type, wide = onnxComputedIn(type, element);
  if (wide == element)
    return node.finish(type, inputs);
  for (OnnxTensor &x : inputs)
    x = node.cast(x, wide);
  return node.finishCast(node.step(type, inputs), node.resultType());
}

static LogicalResult cast(OnnxNode &node) {
  return node.finishCast(node.input(0), node.resultType());
}
/// onnxruntime 1.31.1 compares only the low 32 bits in Min and Max of int64.
static OnnxTensor isFirst(OnnxNode &node, StringRef type, const OnnxTensor &x,
                          const OnnxTensor &y) {
  return node.step(type == "Min" ? "Less" : "Greater", {x, y});
}
static LogicalResult extremum(OnnxNode &node, StringRef type) {
  OnnxTensor x = node.input(0), y = node.input(1);
  if (x.type != int64)
    return elementwise(node, type);
  return node.finish("Where", {isFirst(node, type, x, y), x, y});
}
static LogicalResult minimum(OnnxNode &node) { return extremum(node, "Min"); }
static LogicalResult maximum(OnnxNode &node) { return extremum(node, "Max"); }
static LogicalResult clip(OnnxNode &node) {
  OnnxTensor x = node.input(0), low = node.input(1), high = node.input(2);
  if (x.type != int64)
    return node.finish("Min", {node.step("Max", {x, low}), high});
  OnnxTensor above = node.step("Where", {isFirst(node, "Max", x, low), x, low});
  return node.finish("Where", {isFirst(node, "Min", above, high), above, high});
}
/// onnxruntime has no Where of booleans, of 16-bit integers and of bfloat16.
static LogicalResult select(OnnxNode &node) {
  OnnxTensor which = node.input(0), x = node.input(1), y = node.input(2);
  GeType type = x.type;
  if (type == boolean) {
    OnnxTensor first = node.step("And", {which, x});
    OnnxTensor other = node.step("Not", {which});
    return node.finish("Or", {first, node.step("And", {other, y})});
  }
  GeType wide = type == int16 || type == uint16 ? int32
                : type == bfloat16              ? float32
                                                : type;
  if (wide == type)
    return node.finish("Where", {which, x, y});
  return node.finishCast(
      node.step("Where", {which, node.cast(x, wide), node.cast(y, wide)}),
      type);
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
    return node.no(
        "expected floats, because GE does not define how a quotient of " +
        name(node.input(0).type) + " is rounded; use TruncateDiv");
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
    return node.no("expected no decimals, which ONNX's Round does not support; "
                   "multiply and divide around it");
  if (isInteger(node.input(0)))
    return node.finish("Identity", node.inputs(1));
  return elementwise(node, "Round");
}

// x - x is NaN unless x is finite.
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

// ONNX shifts only unsigned numbers. A negative number is inverted before and
// after the shift.
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

// Sums of neighboring bits, of pairs, of groups of four; then of all bytes.
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

// exp(x) - 1 = tanh(x / 2) (exp(x) + 1), which is accurate near 0.
static LogicalResult expm1(OnnxNode &node) {
  OnnxTensor x =
      node.cast(node.input(0), onnxComputedIn("Tan", node.resultType()));
  OnnxTensor half = node.step("Div", {x, node.number(x.type, 2)});
  OnnxTensor sum =
      node.step("Add", {node.step("Exp", {x}), node.number(x.type, 1)});
  OnnxTensor y = node.step("Mul", {node.step("Tanh", {half}), sum});
  return node.finishCast(y, node.resultType());
}

// With u = 1 + x rounded, log(1 + x) is log(u) x / (u - 1), whose errors cancel
// (Kahan); x itself if u is 1, and log(u) if 1 is negligible relative to x.
static LogicalResult log1p(OnnxNode &node) {
  OnnxTensor x =
      node.cast(node.input(0), onnxComputedIn("Tan", node.resultType()));
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

//===--- The table --------------------------------------------------------===//

/// The elementwise operators that ONNX has too.
static StringRef elementwiseType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Cases({"Abs", "Neg", "Exp", "Log", "Sqrt", "Tanh", "Sigmoid", "Sin",
              "Cos", "Tan", "Sinh", "Asinh", "Erf", "Floor", "Ceil", "Sign"},
             type)
      .Cases({"Add", "Sub", "Mul", "Div", "Equal", "Less", "Greater"}, type)
      .Case("Rint", "Round")
      .Case("LogicalNot", "Not")
      .Case("Invert", "BitwiseNot")
      .Case("LogicalAnd", "And")
      .Case("LogicalOr", "Or")
      .Cases({"BitwiseAnd", "BitwiseOr", "BitwiseXor"}, type)
      .Case("GreaterEqual", "GreaterOrEqual")
      .Case("LessEqual", "LessOrEqual")
      .Default("");
}

using OnnxFunction = LogicalResult (*)(OnnxNode &);

static OnnxFunction ruleOf(StringRef type) {
  return llvm::StringSwitch<OnnxFunction>(type)
      .Case("Cast", cast)
      .Case("ClipByValue", clip)
      .Case("Minimum", minimum)
      .Case("Maximum", maximum)
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
      .Default(nullptr);
}

OnnxRule ascend::onnxElementsRule(StringRef type) {
  if (OnnxFunction rule = ruleOf(type))
    return rule;
  StringRef plain = elementwiseType(type);
  if (plain.empty())
    return nullptr;
  return [plain](OnnxNode &node) { return elementwise(node, plain); };
}
