// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Onnx.h"

#include "mercator/targets/ascend/formats/Elements.h"
#include "mercator/targets/ascend/formats/OnnxNode.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// Opset 18 and the format version that was released with it.
static constexpr int64_t kOpset = 18, kIrVersion = 8;

namespace {
class ModelWriter {
public:
  ModelWriter(GraphOp graph, const Nodes &nodes) : graph(graph), nodes(nodes) {}

  LogicalResult write(llvm::raw_ostream &out);

private:
  LogicalResult addNodes();
  LogicalResult addConstants();
  void addInputs();
  void addOutputs(NetOutputOp output);
  void describe(onnx::ValueInfoProto &info, StringRef name, Value value);

  GraphOp graph;
  const Nodes &nodes;
  onnx::ModelProto model;
  onnx::GraphProto &body = *model.mutable_graph();
  llvm::DenseMap<Value, OnnxTensor> tensors;
  llvm::StringSet<> names;
};
} // namespace

LogicalResult ModelWriter::addNodes() {
  for (Operation *op : nodes.operations()) {
    if (isa<DataOp, ConstOp, NetOutputOp>(op))
      continue;
    OnnxNode node(op, nodes.name(op).str(), body, tensors, names);
    if (failed(addOnnxOperator(node)))
      return failure();
  }
  return success();
}

// Constants that became attributes are omitted.
LogicalResult ModelWriter::addConstants() {
  llvm::StringSet<> used;
  for (const onnx::NodeProto &node : body.node())
    for (const std::string &input : node.input())
      used.insert(input);
  for (Operation *op : nodes.operations()) {
    auto constant = dyn_cast<ConstOp>(op);
    if (!constant || !used.contains(nodes.name(op)))
      continue;
    FailureOr<std::string> bytes = elementBytes(constant);
    if (failed(bytes))
      return failure();
    onnx::TensorProto &tensor = *body.add_initializer();
    tensor.set_name(nodes.name(op).str());
    tensor.set_data_type(onnxNumber(tensors[constant.getResult()].type));
    for (int64_t extent : typeOf(constant.getResult()).getShape())
      tensor.add_dims(extent);
    tensor.set_raw_data(std::move(*bytes));
  }
  return success();
}

void ModelWriter::describe(onnx::ValueInfoProto &info, StringRef name,
                           Value value) {
  info.set_name(name.str());
  onnx::TypeProto::Tensor &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnxNumber(tensors[value].type));
  // Present even without dimensions; otherwise the rank would be unknown.
  onnx::TensorShapeProto &shape = *type.mutable_shape();
  for (int64_t extent : typeOf(value).getShape()) {
    onnx::TensorShapeProto::Dimension &dim = *shape.add_dim();
    // A dimension without a value is known only at run time.
    if (!ShapedType::isDynamic(extent))
      dim.set_dim_value(extent);
  }
}

void ModelWriter::addInputs() {
  for (DataOp data : inputsOf(graph))
    describe(*body.add_input(), nodes.name(data.getResult()), data.getResult());
}

// Outputs are results of nodes with distinct names.
void ModelWriter::addOutputs(NetOutputOp output) {
  llvm::StringSet<> given;
  for (auto [i, value] : llvm::enumerate(output.getX())) {
    std::string name = tensors[value].name;
    Operation *maker = value.getDefiningOp();
    if (isa<DataOp, ConstOp>(maker) || !given.insert(name).second) {
      OnnxNode copy(output, (nodes.name(output) + "_" + Twine(i)).str(), body,
                    tensors, names);
      name = copy.step("Identity", {tensors[value]}).name;
    }
    describe(*body.add_output(), name, value);
  }
}

LogicalResult ModelWriter::write(llvm::raw_ostream &out) {
  if (!llvm::json::isUTF8(graph.getSymName()))
    return graph.emitError("expected a name in UTF-8, got other bytes");
  model.set_ir_version(kIrVersion);
  model.set_producer_name("mercator");
  model.add_opset_import()->set_version(kOpset);
  body.set_name(graph.getSymName().str());
  if (failed(checkHeld(nodes, "an ONNX file")))
    return failure();
  for (Operation *op : nodes.operations())
    names.insert(nodes.name(op));
  for (Operation *op : nodes.operations())
    for (OpResult result : op->getResults()) {
      std::string name = nodes.name(op).str();
      if (result.getResultNumber() > 0) {
        std::string stem =
            name + "/" + std::to_string(result.getResultNumber());
        name = stem;
        for (unsigned i = 1; !names.insert(name).second; ++i)
          name = stem + "_" + std::to_string(i);
      }
      tensors[result] = {std::move(name),
                         *geType(typeOf(result).getElementType())};
    }
  if (failed(addNodes()))
    return failure();
  addInputs();
  addOutputs(cast<NetOutputOp>(graph.getBody().front().back()));
  if (failed(addConstants()))
    return failure();
  if (model.ByteSizeLong() > kMaxFileBytes)
    return graph.emitError("expected a model of less than 2 GiB, which is all "
                           "that an ONNX file holds, got ")
           << model.ByteSizeLong() << " bytes; make inputs of constants";
  std::string bytes;
  model.SerializeToString(&bytes);
  out << bytes;
  return success();
}

LogicalResult ascend::writeOnnx(GraphOp graph, llvm::raw_ostream &out) {
  FailureOr<Nodes> nodes = Nodes::of(graph);
  if (failed(nodes))
    return failure();
  return ModelWriter(graph, *nodes).write(out);
}
