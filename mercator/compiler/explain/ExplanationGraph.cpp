// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatches of a program as a graph: for Graphviz, and for Model Explorer
// (the form of its GraphCollection). An edge is a tensor that one dispatch gives
// and another reads; where formation kept the two apart, it says why.

#include "mercator/compiler/explain/Explanation.h"
#include "mercator/support/Utf8.h"

#include "llvm/Support/JSON.h"

#include <map>

using namespace mercator;
using llvm::StringRef;

namespace {
/// A tensor that a dispatch reads.
struct GraphEdge {
  size_t to, operand;
  /// The dispatch that gives it, and which of its results; none for a tensor
  /// that the host gives.
  std::optional<size_t> from;
  size_t result = 0;
  const Explanation::Tensor *tensor;
  const Explanation::Edge *why = nullptr; ///< why the two are apart
};
} // namespace

/// The dispatch that each operation of each function is in.
static std::map<std::pair<StringRef, StringRef>, size_t>
dispatchesOf(const Explanation &explanation) {
  std::map<std::pair<StringRef, StringRef>, size_t> dispatches;
  for (auto [number, dispatch] : llvm::enumerate(explanation.dispatches))
    for (const auto &operation : dispatch.operations)
      dispatches[{dispatch.function, operation.text}] = number;
  return dispatches;
}

static std::vector<GraphEdge> edgesOf(const Explanation &explanation) {
  // Why two dispatches are not one: the last edge from the first to the second.
  std::map<std::pair<size_t, size_t>, const Explanation::Edge *> why;
  auto dispatches = dispatchesOf(explanation);
  for (const Explanation::Edge &edge : explanation.edges) {
    auto from = dispatches.find({edge.function, edge.producer}),
         to = dispatches.find({edge.function, edge.consumer});
    if (!edge.inside && from != dispatches.end() && to != dispatches.end())
      why[{from->second, to->second}] = &edge;
  }
  std::vector<GraphEdge> edges;
  // Names are unique in a function only together with the type and the order.
  std::map<std::tuple<StringRef, StringRef, StringRef>,
           std::pair<size_t, size_t>>
      makers;
  for (auto [number, dispatch] : llvm::enumerate(explanation.dispatches)) {
    for (auto [operand, tensor] : llvm::enumerate(dispatch.reads)) {
      GraphEdge edge{
          .to = number, .operand = operand, .from = {}, .tensor = &tensor};
      auto maker = makers.find({dispatch.function, tensor.name, tensor.type});
      if (maker != makers.end()) {
        std::tie(edge.from, edge.result) = maker->second;
        if (auto found = why.find({*edge.from, number}); found != why.end())
          edge.why = found->second;
      }
      edges.push_back(edge);
    }
    for (auto [result, tensor] : llvm::enumerate(dispatch.gives))
      makers[{dispatch.function, tensor.name, tensor.type}] = {number, result};
  }
  return edges;
}

static std::string tensorText(const Explanation::Tensor &tensor) {
  return tensor.name + ", " + tensor.type +
         (tensor.bytes ? ", " + std::to_string(*tensor.bytes) + " bytes" : "");
}

static std::string edgeText(const Explanation::Edge &edge) {
  std::string text;
  for (const Explanation::Reason &reason : edge.reasons)
    text += (text.empty() ? "" : "; ") + reason.text;
  if (!edge.cost.empty())
    text += "; " + edge.cost;
  if (!edge.help.empty())
    text += "; help: " + edge.help;
  return text;
}

//===----------------------------------------------------------------------===//
// Graphviz
//===----------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

void mercator::writeDot(const Explanation &explanation, llvm::raw_ostream &os) {
  os << "digraph " << quoted(explanation.module) << " {\n"
     << "  node [shape=box, fontname=monospace]\n"
     << "  edge [fontname=monospace, fontsize=10]\n";
  std::map<StringRef, std::vector<size_t>> functions;
  for (auto [number, dispatch] : llvm::enumerate(explanation.dispatches))
    functions[dispatch.function].push_back(number);
  for (const auto &[function, numbers] : functions) {
    os << "  subgraph " << quoted(("cluster " + function).str()) << " {\n"
       << "    label=" << quoted(function) << "\n";
    for (size_t number : numbers) {
      os << "    d" << number << " [label=\"dispatch " << number;
      for (const auto &op : explanation.dispatches[number].operations) {
        std::string text = quoted(op.text);
        os << "\\n" << StringRef(text).drop_front().drop_back();
      }
      os << "\"]\n";
    }
    os << "  }\n";
  }
  for (const GraphEdge &edge : edgesOf(explanation)) {
    if (!edge.from)
      continue;
    os << "  d" << *edge.from << " -> d" << edge.to
       << " [label=" << quoted(tensorText(*edge.tensor));
    if (edge.why)
      os << ", tooltip=" << quoted(edgeText(*edge.why));
    os << "]\n";
  }
  os << "}\n";
}

//===----------------------------------------------------------------------===//
// Model Explorer
//===----------------------------------------------------------------------===//

void mercator::writeModelExplorer(const Explanation &explanation,
                                  llvm::raw_ostream &os) {
  std::vector<GraphEdge> edges = edgesOf(explanation);
  llvm::json::OStream json(os, 1);
  auto pair = [&](StringRef key, StringRef value) {
    json.object([&] {
      json.attribute("key", key);
      json.attribute("value", validUtf8(value));
    });
  };
  auto writeDispatch = [&](size_t number) {
    const Explanation::Dispatch &dispatch = explanation.dispatches[number];
    auto own = llvm::make_filter_range(
        edges, [&](const GraphEdge &edge) { return edge.to == number; });
    json.attribute("id", std::to_string(number));
    json.attribute("label", "dispatch " + std::to_string(number));
    json.attribute("namespace", validUtf8(dispatch.function));
    json.attributeArray("attrs", [&] {
      for (const auto &op : dispatch.operations)
        pair("runs", op.text + ", at " + op.place);
      for (const GraphEdge &edge : own)
        pair("reads", tensorText(*edge.tensor));
      if (dispatch.flops)
        pair("flops", std::to_string(*dispatch.flops));
      for (const GraphEdge &edge : own)
        if (edge.why)
          pair("apart from dispatch " + std::to_string(*edge.from),
               edgeText(*edge.why));
    });
    json.attributeArray("incomingEdges", [&] {
      for (const GraphEdge &edge : own)
        if (edge.from)
          json.object([&] {
            json.attribute("sourceNodeId", std::to_string(*edge.from));
            json.attribute("sourceNodeOutputId", std::to_string(edge.result));
            json.attribute("targetNodeInputId", std::to_string(edge.operand));
          });
    });
    json.attributeArray("outputsMetadata", [&] {
      for (auto [result, tensor] : llvm::enumerate(dispatch.gives))
        json.object([&] {
          json.attribute("id", std::to_string(result));
          json.attributeArray("attrs",
                              [&] { pair("tensor", tensorText(tensor)); });
        });
    });
  };
  json.object([&] {
    json.attribute("label", validUtf8(explanation.module));
    json.attributeArray("graphs", [&] {
      json.object([&] {
        json.attribute("id", "dispatches");
        json.attributeArray("nodes", [&] {
          for (size_t i = 0; i < explanation.dispatches.size(); ++i)
            json.object([&] { writeDispatch(i); });
        });
      });
    });
  });
  os << "\n";
}
