// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/GraphDef.h"

#include "mercator/targets/ascend/formats/Elements.h"
#include "mercator/targets/ascend/formats/Nodes.h"
#include "mercator/targets/ascend/formats/TfNode.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// The versions of TensorFlow 1.15. It has all operators used here, and later
/// versions read its graphs.
static constexpr int32_t kProducer = 134, kMinConsumer = 12;

namespace {
class GraphWriter {
public:
  GraphWriter(GraphOp graph, const Nodes &nodes) : graph(graph), nodes(nodes) {}

  LogicalResult write(llvm::raw_ostream &out);

private:
  LogicalResult addNodes();
  LogicalResult addConstant(ConstOp constant);
  void addInputs();
  void addOutputs(NetOutputOp output);
  std::string unique(StringRef wish);

  GraphOp graph;
  const Nodes &nodes;
  tf::GraphDef out;
  llvm::DenseMap<Value, TfTensor> tensors;
  llvm::StringSet<> names;
};
} // namespace

/// A name in TensorFlow's alphabet: letters, digits and `.` first, later also
/// `_`, `-`, `>`, `/` and the backslash.
static std::string spelled(StringRef name) {
  std::string out;
  for (char c : name) {
    bool isFirst = out.empty();
    bool isKept = llvm::isAlnum(c) || c == '.' ||
                  (!isFirst && StringRef("_->/\\").contains(c));
    out += isKept ? c : '_';
  }
  if (out.empty() || out.front() == '_')
    out.insert(0, "n");
  return out;
}

std::string GraphWriter::unique(StringRef wish) {
  std::string stem = spelled(wish), name = stem;
  for (unsigned i = 1; !names.insert(name).second; ++i)
    name = stem + "_" + std::to_string(i);
  return name;
}

// In order: a GraphDef identifies inputs only by their order.
void GraphWriter::addInputs() {
  for (DataOp data : inputsOf(graph)) {
    const TfTensor &tensor = tensors[data.getResult()];
    tf::NodeDef &node = *out.add_node();
    node.set_name(tensor.name);
    node.set_op("Placeholder");
    setTfType(node, "dtype", tensor.type);
    tf::NodeDef::Attr &shape = *node.add_attr();
    shape.set_key("shape");
    tf::TensorShapeProto &dims = *shape.mutable_value()->mutable_shape();
    for (int64_t extent : typeOf(data.getResult()).getShape())
      dims.add_dim()->set_size(ShapedType::isDynamic(extent) ? -1 : extent);
  }
}

LogicalResult GraphWriter::addConstant(ConstOp constant) {
  FailureOr<std::string> bytes = elementBytes(constant);
  if (failed(bytes))
    return failure();
  const TfTensor &tensor = tensors[constant.getResult()];
  tf::NodeDef &node = *out.add_node();
  node.set_name(tensor.name);
  setTfConstant(node, tensor.type, typeOf(constant.getResult()).getShape(),
                std::move(*bytes));
  return success();
}

void GraphWriter::addOutputs(NetOutputOp output) {
  for (auto [i, value] : llvm::enumerate(output.getX())) {
    const TfTensor &tensor = tensors[value];
    tf::NodeDef &node = *out.add_node();
    node.set_name(unique((nodes.name(output) + "_" + Twine(i)).str()));
    node.set_op("Identity");
    node.add_input(tensor.name);
    setTfType(node, "T", tensor.type);
  }
}

LogicalResult GraphWriter::addNodes() {
  addInputs();
  for (Operation *op : nodes.operations()) {
    if (isa<DataOp>(op))
      continue;
    if (auto constant = dyn_cast<ConstOp>(op)) {
      if (failed(addConstant(constant)))
        return failure();
    } else if (auto output = dyn_cast<NetOutputOp>(op)) {
      addOutputs(output);
    } else {
      TfNode node(op, out, tensors, names);
      if (failed(addTfOperator(node)))
        return failure();
    }
  }
  return success();
}

LogicalResult GraphWriter::write(llvm::raw_ostream &os) {
  if (failed(checkHeld(nodes, "a GraphDef")))
    return failure();
  for (Operation *op : nodes.operations()) {
    std::string name;
    for (OpResult result : op->getResults()) {
      unsigned i = result.getResultNumber();
      if (i == 0)
        name = unique(nodes.name(op));
      tensors[result] = {i == 0 ? name : name + ":" + std::to_string(i),
                         *geType(typeOf(result).getElementType())};
    }
  }
  if (failed(addNodes()))
    return failure();
  out.mutable_versions()->set_producer(kProducer);
  out.mutable_versions()->set_min_consumer(kMinConsumer);
  if (out.ByteSizeLong() > kMaxFileBytes)
    return graph.emitError("expected a GraphDef of less than 2 GiB, got ")
           << out.ByteSizeLong() << " bytes; make inputs of constants";
  std::string bytes;
  out.SerializeToString(&bytes);
  os << bytes;
  return success();
}

LogicalResult ascend::writeGraphDef(GraphOp graph, llvm::raw_ostream &out) {
  FailureOr<Nodes> nodes = Nodes::of(graph);
  if (failed(nodes))
    return failure();
  return GraphWriter(graph, *nodes).write(out);
}
