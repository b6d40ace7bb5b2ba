// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/TfNode.h"

#include <array>
#include <cstring>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

int32_t ascend::tfNumber(GeType type) {
  // float32, float16, int8, int32, uint8, int16, uint16, uint32, int64, uint64,
  // float64, boolean, complex64, complex128, bfloat16.
  static constexpr std::array<int32_t, kGeTypes> numbers = {
      1, 19, 6, 3, 4, 5, 17, 22, 9, 23, 2, 10, 8, 18, 14};
  return numbers[unsigned(type)];
}

static tf::AttrValue &attribute(tf::NodeDef &node, StringRef name) {
  tf::NodeDef::Attr &entry = *node.add_attr();
  entry.set_key(name.str());
  return *entry.mutable_value();
}

void ascend::setTfType(tf::NodeDef &node, StringRef name, GeType type) {
  attribute(node, name).set_type(tfNumber(type));
}

void ascend::setTfConstant(tf::NodeDef &node, GeType type,
                           ArrayRef<int64_t> shape, std::string bytes) {
  node.set_op("Const");
  setTfType(node, "dtype", type);
  tf::TensorProto &tensor = *attribute(node, "value").mutable_tensor();
  tensor.set_dtype(tfNumber(type));
  tf::TensorShapeProto &dims = *tensor.mutable_tensor_shape();
  for (int64_t extent : shape)
    dims.add_dim()->set_size(extent);
  tensor.set_tensor_content(std::move(bytes));
}

SmallVector<TfTensor> TfNode::inputs() const {
  SmallVector<TfTensor> out;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    out.push_back(input(i));
  return out;
}

ArrayRef<int64_t> TfNode::shape(unsigned i) const {
  return cast<RankedTensorType>(op->getOperand(i).getType()).getShape();
}

TfTensor TfNode::scalar(unsigned i) {
  TfTensor x = input(i);
  if (shape(i).empty())
    return x;
  return step("Reshape", {x, ints({})},
              {{"T", x.type}, {"Tshape", GeType::int64}});
}

LogicalResult TfNode::no(const Twine &why) { return op->emitOpError() << why; }

std::string TfNode::fresh(StringRef suffix) {
  std::string stem =
      tensors.find(op->getResult(0))->second.name + "/" + suffix.str();
  std::string out = stem;
  for (unsigned i = 1; !names.insert(out).second; ++i)
    out = stem + "_" + std::to_string(i);
  return out;
}

TfTensor TfNode::ints(ArrayRef<int64_t> values, bool isScalar) {
  std::string bytes(values.size() * sizeof(int64_t), '\0');
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  tf::NodeDef &node = *graph.add_node();
  node.set_name(fresh("Const"));
  SmallVector<int64_t, 1> dims;
  if (!isScalar)
    dims.push_back((int64_t)values.size());
  setTfConstant(node, GeType::int64, dims, std::move(bytes));
  return {node.name(), GeType::int64};
}

TfTensor TfNode::real(GeType type, double value) {
  auto narrow = float(value);
  std::string bytes =
      type == GeType::float64
          ? std::string(reinterpret_cast<const char *>(&value), sizeof(value))
          : std::string(reinterpret_cast<const char *>(&narrow),
                        sizeof(narrow));
  tf::NodeDef &node = *graph.add_node();
  node.set_name(fresh("Const"));
  setTfConstant(node, type, {}, std::move(bytes));
  return {node.name(), type};
}

static void fill(tf::NodeDef &node, StringRef type, ArrayRef<TfTensor> inputs,
                 ArrayRef<TfAttribute> attributes) {
  node.set_op(type.str());
  for (const TfTensor &input : inputs)
    node.add_input(input.name);
  for (const TfAttribute &given : attributes) {
    tf::AttrValue &value = attribute(node, given.name);
    if (const GeType *type = std::get_if<GeType>(&given.value))
      value.set_type(tfNumber(*type));
    else if (const int64_t *number = std::get_if<int64_t>(&given.value))
      value.set_i(*number);
    else
      value.set_b(std::get<bool>(given.value));
  }
}

TfTensor TfNode::step(StringRef type, ArrayRef<TfTensor> inputs,
                      ArrayRef<TfAttribute> attributes,
                      std::optional<GeType> result) {
  tf::NodeDef &node = *graph.add_node();
  node.set_name(fresh(type));
  fill(node, type, inputs, attributes);
  return {node.name(), result.value_or(inputs[0].type)};
}

LogicalResult TfNode::finish(StringRef type, ArrayRef<TfTensor> inputs,
                             ArrayRef<TfAttribute> attributes) {
  tf::NodeDef &node = *graph.add_node();
  node.set_name(tensors.find(op->getResult(0))->second.name);
  fill(node, type, inputs, attributes);
  return success();
}
