// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/AirReader.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/targets/ascend/formats/AirNode.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Edges ------------------------------------------------------------===//

namespace {
/// An output of a node.
struct Producer {
  size_t node;
  unsigned output;
};

/// The nodes of a graph of the file, and their edges.
class Graph {
public:
  Graph(ge::GraphDef &def, AirPlace place) : def(def), place(place) {}

  /// Checks that names are unique and that each input is an output of a node.
  LogicalResult connect();
  /// The nodes in topological order, else in the order of the file. Fails for a
  /// cycle.
  FailureOr<std::vector<size_t>> sort();
  /// Adds the `ascend.graph` to the module.
  LogicalResult build(ModuleOp module);

private:
  FailureOr<Producer> findOutput(StringRef input, size_t user);
  LogicalResult addNetOutput();
  LogicalResult checkData();

  AirPlace at(size_t node) const { return place.node(def.op(int(node))); }

  ge::GraphDef &def;
  AirPlace place;
  llvm::StringMap<size_t> byName;
  /// The producers of each node's inputs.
  std::vector<llvm::SmallVector<Producer, 3>> producers;
};
} // namespace

/// The number of outputs of a node of that type.
static unsigned outputsOf(StringRef type) {
  if (type == "NetOutput")
    return 0;
  const Operator *entry = findOperator(type);
  return entry ? entry->outputs.size() : 1;
}

/// The output that "node:0" names.
FailureOr<Producer> Graph::findOutput(StringRef input, size_t user) {
  auto [name, number] = input.rsplit(':');
  auto found = byName.find(name);
  if (found == byName.end())
    return at(user).error()
           << "expected an input of the form 'node:0' of a node of the graph, "
              "got "
           << quote(input);
  // A control edge: operations here have no effects to order.
  if (number == "-1")
    return Producer{found->second, 0};
  unsigned count = outputsOf(def.op(int(found->second)).type()), output = 0;
  if (!number.getAsInteger(10, output) && output < count)
    return Producer{found->second, output};
  InFlightDiagnostic error = at(user).error();
  error << "expected an output of " << quote(name) << ", which has ";
  if (count == 0)
    error << "none";
  else if (count == 1)
    error << "only output 0";
  else
    error << "outputs 0 to " << count - 1;
  error << ", got " << quote(input);
  return error;
}

/// Removes the optional inputs of a prototype that are not connected: their
/// names are empty, and no operator here has them.
static void removeUnconnected(ge::OpDef &op) {
  const Operator *entry = findOperator(op.type());
  bool isDescribed = op.input_desc_size() == op.input_size();
  while (entry && op.input_size() > int(entry->inputs.size()) &&
         op.input(op.input_size() - 1).empty()) {
    op.mutable_input()->RemoveLast();
    if (isDescribed)
      op.mutable_input_desc()->RemoveLast();
  }
}

LogicalResult Graph::connect() {
  for (int i = 0; i < def.op_size(); ++i) {
    StringRef name = def.op(i).name();
    if (name.empty() || !llvm::json::isUTF8(name))
      return at(i).error() << "expected a name in UTF-8 for node " << i
                           << " of graph " << quote(def.name());
    if (!byName.try_emplace(name, i).second)
      return at(i).error() << "expected each name once, got it again";
  }
  if (failed(addNetOutput()))
    return failure();
  producers.resize(def.op_size());
  for (int i = 0; i < def.op_size(); ++i) {
    removeUnconnected(*def.mutable_op(i));
    for (StringRef input : def.op(i).input()) {
      if (input.empty() && def.op(i).type() == "Data")
        continue;
      if (input.empty())
        return at(i).error() << "expected all inputs to be connected, got ''";
      FailureOr<Producer> producer = findOutput(input, i);
      if (failed(producer))
        return failure();
      if (!input.ends_with(":-1"))
        producers[i].push_back(*producer);
    }
  }
  return checkData();
}

/// If the graph only lists its results, adds a NetOutput node for them.
LogicalResult Graph::addNetOutput() {
  size_t count = llvm::count_if(
      def.op(), [](const ge::OpDef &op) { return op.type() == "NetOutput"; });
  if (count == 1)
    return success();
  if (count > 1 || def.output_size() == 0 || byName.contains("NetOutput"))
    return place.error() << "expected graph " << quote(def.name())
                         << " to have one node of type NetOutput, got "
                         << count;
  ge::OpDef &results = *def.add_op();
  results.set_name("NetOutput");
  results.set_type("NetOutput");
  *results.mutable_input() = def.output();
  return success();
}

/// The indices of Data nodes are 0, 1, .. without gaps.
LogicalResult Graph::checkData() {
  size_t count = llvm::count_if(
      def.op(), [](const ge::OpDef &op) { return op.type() == "Data"; });
  std::vector<bool> seen(count);
  for (int i = 0; i < def.op_size(); ++i) {
    if (def.op(i).type() != "Data")
      continue;
    FailureOr<int64_t> index = dataIndex(def.op(i), at(i));
    if (failed(index))
      return failure();
    if (*index < 0 || *index >= int64_t(count) || seen[*index])
      return at(i).error() << "expected each of the indices 0 to " << count - 1
                           << " once for " << count << " Data nodes, got "
                           << *index;
    seen[*index] = true;
  }
  return success();
}

FailureOr<std::vector<size_t>> Graph::sort() {
  enum : char { kNew, kOpen, kDone };
  std::vector<size_t> order;
  std::vector<char> state(producers.size(), kNew);
  // The nodes in progress, each with the number of inputs already visited.
  std::vector<std::pair<size_t, size_t>> open;
  size_t results = 0;
  auto visit = [&](size_t root) -> LogicalResult {
    open.push_back({root, 0});
    while (!open.empty()) {
      auto &[node, done] = open.back();
      state[node] = kOpen;
      if (done == producers[node].size()) {
        state[node] = kDone;
        order.push_back(node);
        open.pop_back();
        continue;
      }
      size_t next = producers[node][done++].node;
      if (state[next] == kOpen)
        return at(next).error() << "expected a graph without cycles, got a "
                                   "node that depends on its own result";
      if (state[next] == kNew)
        open.push_back({next, 0});
    }
    return success();
  };
  for (size_t i = 0; i < producers.size(); ++i)
    if (def.op(int(i)).type() == "NetOutput")
      results = i;
    else if (state[i] == kNew && failed(visit(i)))
      return failure();
  // All operands are defined.
  order.push_back(results);
  return order;
}

//===--- Graphs -----------------------------------------------------------===//

LogicalResult Graph::build(ModuleOp module) {
  StringRef name = def.name().empty() ? "graph" : StringRef(def.name());
  if (!llvm::json::isUTF8(name))
    return place.error() << "expected the name of a graph in UTF-8, got "
                         << quote(name);
  if (module.lookupSymbol(name))
    return place.error() << "expected graphs of different names, got "
                         << quote(name) << " twice";
  if (failed(connect()))
    return failure();
  FailureOr<std::vector<size_t>> order = sort();
  if (failed(order))
    return failure();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto graph = GraphOp::create(b, place.location(), name);
  b.createBlock(&graph.getBody());
  std::vector<Operation *> built(producers.size());
  for (size_t node : *order) {
    llvm::SmallVector<Value> inputs;
    for (Producer producer : producers[node])
      inputs.push_back(built[producer.node]->getResult(producer.output));
    FailureOr<Operation *> op =
        buildNode(b, *def.mutable_op(int(node)), inputs, at(node));
    if (failed(op))
      return failure();
    built[node] = *op;
  }
  return success();
}

OwningOpRef<ModuleOp> ascend::readAir(StringRef bytes, StringRef fileName,
                                      MLIRContext *context) {
  context->loadDialect<AscendDialect>();
  AirPlace place(FileLineColLoc::get(context, fileName, 0, 0));
  ge::ModelDef model;
  if (bytes.size() > size_t(INT32_MAX) ||
      !model.ParseFromArray(bytes.data(), int(bytes.size()))) {
    place.error() << "expected an .air file, a message of at most " << INT32_MAX
                  << " bytes, got " << bytes.size()
                  << " bytes in another format";
    return nullptr;
  }
  if (model.graph_size() == 0) {
    place.error() << "expected an .air file with a graph, got "
                  << (bytes.empty() ? "an empty file" : "none in it");
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(place.location());
  for (ge::GraphDef &def : *model.mutable_graph())
    if (failed(Graph(def, place).build(*module)))
      return nullptr;
  if (failed(verify(*module)))
    return nullptr;
  return module;
}
