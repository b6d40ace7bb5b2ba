// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/OnnxNode.h"

#include "mercator/dialects/ascend/Infer.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>
#include <cstring>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Types ------------------------------------------------------------===//

int32_t ascend::onnxNumber(GeType type) {
  // float32, float16, int8, int32, uint8, int16, uint16, uint32, int64, uint64,
  // float64, boolean, complex64, complex128, bfloat16.
  static constexpr std::array<int32_t, kGeTypes> numbers = {
      1, 10, 3, 6, 2, 5, 4, 12, 7, 13, 11, 9, 14, 15, 16};
  return numbers[unsigned(type)];
}

using enum GeType;

static constexpr TypeSet plainFloats = {float16, float32, float64},
                         floats = plainFloats | TypeSet{bfloat16},
                         integers = {int8,  int16,  int32,  int64,
                                     uint8, uint16, uint32, uint64},
                         numbers = floats | integers,
                         castable = numbers | TypeSet{boolean},
                         everything = castable | TypeSet{complex64, complex128},
                         summable =
                             floats | TypeSet{int32, int64, uint32, uint64};

TypeSet ascend::onnxTypes(StringRef type) {
  return llvm::StringSwitch<TypeSet>(type)
      .Cases({"Gather", "GatherND", "GatherElements", "ScatterND",
              "ScatterElements", "Transpose", "Reshape", "Shape"},
             everything)
      .Cases({"Expand", "Slice", "Concat", "Unsqueeze", "Where", "Identity",
              "Pad"},
             everything)
      .Case("Range", {float32, float64, int16, int32, int64})
      .Case("Cast", castable)
      .Cases({"Min", "Max", "Abs", "Sign", "Add", "Sub", "Mul", "Div", "Mod"},
             numbers)
      .Cases({"Less", "LessOrEqual", "Greater", "GreaterOrEqual"}, numbers)
      .Case("Equal", castable)
      .Case("Neg", floats | TypeSet{int8, int16, int32, int64})
      .Cases({"Exp", "Log", "Sqrt", "Tanh", "Sigmoid", "Erf", "Floor", "Ceil",
              "Reciprocal", "IsNaN"},
             floats)
      .Cases({"Sin", "Cos", "Tan", "Sinh", "Asinh", "Atan", "Round"},
             plainFloats)
      .Case("IsInf", {float32, float64})
      .Cases({"Not", "And", "Or", "Xor"}, {boolean})
      .Cases({"BitwiseNot", "BitwiseAnd", "BitwiseOr", "BitwiseXor"}, integers)
      .Case("BitShift", {uint8, uint16, uint32, uint64})
      .Case("Pow", floats | TypeSet{int32, int64})
      .Cases({"ReduceSum", "ReduceProd", "ReduceMean", "MatMul"}, summable)
      .Cases({"ReduceMax", "ReduceMin"}, summable | TypeSet{int8, uint8})
      .Cases({"Conv", "AveragePool"}, plainFloats)
      .Case("MaxPool", plainFloats | TypeSet{int8, uint8})
      .Case("CumSum", summable)
      .Case("LayerNormalization", plainFloats)
      .Case("Softmax", floats)
      .Case("TopK", {float16, float32, float64, int8, int16, int32, int64,
                     uint8, uint16, uint32, uint64})
      .Default({});
}

GeType ascend::onnxComputedIn(StringRef type, GeType element) {
  TypeSet types = onnxTypes(type);
  if (types.has(element))
    return element;
  if ((element == float16 || element == bfloat16) && types.has(float32))
    return float32;
  constexpr TypeSet narrow = {int8, int16, uint8, uint16};
  if (narrow.has(element) && types.has(int32))
    return int32;
  return element;
}

/// The input that determines the operator's element type.
static unsigned dataInput(StringRef type) { return type == "Where" ? 1 : 0; }

static GeType resultOf(StringRef type, ArrayRef<OnnxTensor> inputs,
                       ArrayRef<OnnxAttribute> attributes) {
  if (type == "Cast")
    for (unsigned i = 0; i < kGeTypes; ++i)
      if (onnxNumber(GeType(i)) == std::get<int64_t>(attributes[0].value))
        return GeType(i);
  if (type == "Shape")
    return int64;
  bool isPredicate = llvm::StringSwitch<bool>(type)
                         .Cases({"Equal", "Less", "LessOrEqual", "Greater",
                                 "GreaterOrEqual", "IsNaN", "IsInf"},
                                true)
                         .Default(false);
  return isPredicate ? boolean : inputs[dataInput(type)].type;
}

//===--- Inputs and attributes --------------------------------------------===//

SmallVector<OnnxTensor> OnnxNode::inputs(size_t count) const {
  SmallVector<OnnxTensor> out;
  for (size_t i = 0; i < count; ++i)
    out.push_back(input(i));
  return out;
}

ArrayRef<int64_t> OnnxNode::shape(unsigned i) const {
  return typeOf(op->getOperand(i)).getShape();
}
ArrayRef<int64_t> OnnxNode::resultShape() const {
  return typeOf(op->getResult(0)).getShape();
}
GeType OnnxNode::resultType(unsigned i) const {
  return *geType(typeOf(op->getResult(i)).getElementType());
}

LogicalResult OnnxNode::no(const Twine &why) {
  hasFailed = true;
  return op->emitOpError() << why;
}

FailureOr<SmallVector<int64_t, 6>> OnnxNode::known(unsigned i) {
  if (std::optional<Shape> values = constantInts(op->getOperand(i)))
    return SmallVector<int64_t, 6>(*values);
  const Operator *entry = findOperator(op->getName().stripDialect());
  size_t lists = op->getNumOperands() - entry->inputs.size();
  // A list of inputs precedes the prototype's other inputs.
  StringRef input =
      entry->inputs[i < entry->inputs.size() ? i : i - lists].name;
  return no(
      "expected '" + input +
      "' to be a Const, because ONNX has an attribute for it; got a value "
      "known only at run time");
}

//===--- Nodes ------------------------------------------------------------===//

std::string OnnxNode::fresh(StringRef suffix) {
  std::string stem = name + "/" + suffix.str(), out = stem;
  for (unsigned i = 1; !names.insert(out).second; ++i)
    out = stem + "_" + std::to_string(i);
  return out;
}

onnx::NodeProto &OnnxNode::addNode(StringRef type, ArrayRef<OnnxTensor> inputs,
                                   ArrayRef<OnnxAttribute> attributes,
                                   const std::string &name) {
  TypeSet types = onnxTypes(type);
  GeType data = inputs[dataInput(type)].type;
  if (!hasFailed && !types.has(data))
    (void)no("expected elements that ONNX's " + type + " takes (" +
             types.list() + "), got " + ascend::name(data) +
             "; write the graph as air, or compute this in another type");
  onnx::NodeProto &node = *graph.add_node();
  node.set_name(name);
  node.set_op_type(type.str());
  for (const OnnxTensor &input : inputs)
    node.add_input(input.name);
  for (const OnnxAttribute &attribute : attributes) {
    onnx::AttributeProto &out = *node.add_attribute();
    out.set_name(attribute.name.str());
    if (const int64_t *one = std::get_if<int64_t>(&attribute.value)) {
      out.set_type(onnx::AttributeProto::INT);
      out.set_i(*one);
      continue;
    }
    if (const std::string *text = std::get_if<std::string>(&attribute.value)) {
      out.set_type(onnx::AttributeProto::STRING);
      out.set_s(*text);
      continue;
    }
    if (const float *real = std::get_if<float>(&attribute.value)) {
      out.set_type(onnx::AttributeProto::FLOAT);
      out.set_f(*real);
      continue;
    }
    out.set_type(onnx::AttributeProto::INTS);
    for (int64_t i : std::get<1>(attribute.value))
      out.add_ints(i);
  }
  return node;
}

OnnxTensor OnnxNode::add(StringRef type, ArrayRef<OnnxTensor> inputs,
                         ArrayRef<OnnxAttribute> attributes, std::string name) {
  addNode(type, inputs, attributes, name).add_output(name);
  GeType result = resultOf(type, inputs, attributes);
  return {std::move(name), result};
}

SmallVector<OnnxTensor> OnnxNode::steps(StringRef type,
                                        ArrayRef<OnnxTensor> inputs,
                                        ArrayRef<OnnxAttribute> attributes,
                                        ArrayRef<GeType> types) {
  onnx::NodeProto &node = addNode(type, inputs, attributes, fresh(type));
  SmallVector<OnnxTensor> results;
  for (auto [i, type] : llvm::enumerate(types)) {
    results.push_back({i == 0 ? node.name() : fresh(node.op_type()), type});
    node.add_output(results.back().name);
  }
  return results;
}

OnnxTensor OnnxNode::step(StringRef type, ArrayRef<OnnxTensor> inputs,
                          ArrayRef<OnnxAttribute> attributes) {
  return add(type, inputs, attributes, fresh(type));
}

LogicalResult OnnxNode::finish(StringRef type, ArrayRef<OnnxTensor> inputs,
                               ArrayRef<OnnxAttribute> attributes) {
  add(type, inputs, attributes, name);
  return success(!hasFailed);
}

OnnxTensor OnnxNode::cast(const OnnxTensor &x, GeType type) {
  if (x.type == type)
    return x;
  return step("Cast", {x}, {{"to", onnxNumber(type)}});
}

LogicalResult OnnxNode::finishCast(const OnnxTensor &x, GeType type) {
  if (x.type == type)
    return finish("Identity", {x});
  return finish("Cast", {x}, {{"to", onnxNumber(type)}});
}

LogicalResult OnnxNode::finishAll(ArrayRef<OnnxTensor> results) {
  for (auto [i, result] : llvm::enumerate(results)) {
    std::string out = tensors.find(op->getResult(i))->second.name;
    if (result.type == resultType(i))
      add("Identity", {result}, {}, out);
    else
      add("Cast", {result}, {{"to", onnxNumber(resultType(i))}}, out);
  }
  return success(!hasFailed);
}

OnnxTensor OnnxNode::constant(GeType type, ArrayRef<int64_t> shape,
                              std::string bytes) {
  onnx::TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("Const"));
  tensor.set_data_type(onnxNumber(type));
  for (int64_t extent : shape)
    tensor.add_dims(extent);
  tensor.set_raw_data(std::move(bytes));
  return {tensor.name(), type};
}

OnnxTensor OnnxNode::ints(ArrayRef<int64_t> values) {
  std::string bytes(values.size() * sizeof(int64_t), '\0');
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return constant(int64, {(int64_t)values.size()}, std::move(bytes));
}

OnnxTensor OnnxNode::number(GeType type, int64_t value) {
  Type element = elementType(type, op->getContext());
  if (!element.isIntOrFloat()) {
    if (!hasFailed)
      (void)no(
          "expected real numbers, because ONNX has no functions of others, got " +
          ascend::name(type) + "; write the graph as air");
    return {"", type};
  }
  llvm::APInt bits(64, value, /*isSigned=*/true);
  if (auto real = dyn_cast<FloatType>(element)) {
    APFloat number(real.getFloatSemantics());
    number.convertFromAPInt(bits, /*IsSigned=*/true,
                            APFloat::rmNearestTiesToEven);
    bits = number.bitcastToAPInt();
  }
  return scalar(type, bits);
}

OnnxTensor OnnxNode::real(GeType type, double value) {
  auto element = cast<FloatType>(elementType(type, op->getContext()));
  APFloat number(value);
  bool isInexact = false;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &isInexact);
  return scalar(type, number.bitcastToAPInt());
}

OnnxTensor OnnxNode::scalar(GeType type, const APInt &bits) {
  Type element = elementType(type, op->getContext());
  uint64_t word = bits.getZExtValue();
  std::string bytes((element.getIntOrFloatBitWidth() + 7) / 8, '\0');
  std::memcpy(bytes.data(), &word, bytes.size());
  return constant(type, {}, std::move(bytes));
}
