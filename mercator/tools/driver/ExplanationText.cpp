// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Explain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using llvm::StringRef;

static StringRef plural(size_t count) { return count == 1 ? "" : "es"; }

//===--- For people -------------------------------------------------------===//

static void printTensors(StringRef what,
                         llvm::ArrayRef<Explanation::Tensor> tensors,
                         llvm::raw_ostream &os) {
  for (const Explanation::Tensor &tensor : tensors) {
    os << "  " << what << " " << tensor.name << ", " << tensor.type;
    if (tensor.bytes)
      os << ", " << *tensor.bytes << (*tensor.bytes == 1 ? " byte" : " bytes");
    os << "\n";
  }
}

static void printDispatch(size_t number, const Explanation::Dispatch &dispatch,
                          llvm::raw_ostream &os) {
  os << "dispatch " << number << ", at " << dispatch.place << "\n";
  for (const Explanation::Operation &op : dispatch.operations)
    os << "  runs  " << op.text << ", at " << op.place << "\n";
  if (!dispatch.workload.empty()) {
    os << "  over  ";
    llvm::interleave(
        dispatch.workload, os,
        [&](std::optional<int64_t> size) {
          if (size)
            os << *size;
          else
            os << "?";
        },
        " x ");
    os << "\n";
  }
  printTensors("reads", dispatch.reads, os);
  printTensors("gives", dispatch.gives, os);
}

static void printEdge(const Explanation::Edge &edge, llvm::raw_ostream &os) {
  os << "  " << edge.place << ": " << edge.text << "\n";
  for (const Explanation::Reason &reason : edge.reasons) {
    os << "    " << reason.text << " (" << reason.rule;
    if (!edge.inside)
      os << ", " << reason.question;
    os << ")\n";
  }
  if (!edge.inside && !edge.made.empty() && !edge.read.empty())
    os << "    made by " << edge.made << ", read by " << edge.read << "\n";
}

/// The functions with anything to tell, in order.
static llvm::SetVector<StringRef> functionsOf(const Explanation &explanation) {
  llvm::SetVector<StringRef> functions;
  for (const auto &dispatch : explanation.dispatches)
    functions.insert(dispatch.function);
  for (const auto &outside : explanation.outside)
    functions.insert(outside.function);
  return functions;
}

static void printFunction(const Explanation &explanation, StringRef function,
                          llvm::raw_ostream &os) {
  size_t count =
      llvm::count_if(explanation.dispatches, [&](const auto &dispatch) {
        return dispatch.function == function;
      });
  os << function << ": " << count << " dispatch" << plural(count) << "\n";
  size_t number = 0;
  for (const auto &dispatch : explanation.dispatches)
    if (dispatch.function == function) {
      os << "\n";
      printDispatch(number++, dispatch, os);
    }
  for (bool inside : {false, true}) {
    bool first = true;
    for (const auto &edge : explanation.edges) {
      if (edge.function != function || edge.inside != inside)
        continue;
      if (first)
        os << (inside ? "\nwhy these are together\n"
                      : "\nwhy these are apart\n");
      first = false;
      printEdge(edge, os);
    }
  }
  bool first = true;
  for (const auto &outside : explanation.outside) {
    if (outside.function != function)
      continue;
    os << (first ? "\nin no dispatch\n" : "") << "  " << outside.place << ": "
       << outside.operation << "\n    " << outside.reason << "\n";
    first = false;
  }
}

void mercator::printText(const Explanation &explanation,
                         llvm::raw_ostream &os) {
  llvm::SetVector<StringRef> functions = functionsOf(explanation);
  if (functions.empty())
    os << "no dispatches\n";
  bool first = true;
  for (StringRef function : functions) {
    if (!first)
      os << "\n";
    first = false;
    printFunction(explanation, function, os);
  }
}

//===--- For programs -----------------------------------------------------===//

/// Names in quotes may be any bytes; JSON may not.
static std::string clean(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

static void writeTensors(llvm::json::OStream &json, StringRef key,
                         llvm::ArrayRef<Explanation::Tensor> tensors) {
  json.attributeArray(key, [&] {
    for (const Explanation::Tensor &tensor : tensors)
      json.object([&] {
        json.attribute("name", clean(tensor.name));
        json.attribute("type", clean(tensor.type));
        if (tensor.bytes)
          json.attribute("bytes", *tensor.bytes);
      });
  });
}

static void writeDispatch(llvm::json::OStream &json,
                          const Explanation::Dispatch &dispatch) {
  json.object([&] {
    json.attribute("function", clean(dispatch.function));
    json.attribute("at", clean(dispatch.place));
    json.attributeArray("operations", [&] {
      for (const Explanation::Operation &op : dispatch.operations)
        json.object([&] {
          json.attribute("operation", clean(op.text));
          json.attribute("at", clean(op.place));
        });
    });
    json.attributeArray("workload", [&] {
      for (std::optional<int64_t> size : dispatch.workload) {
        if (size)
          json.value(*size);
        else
          json.value(nullptr);
      }
    });
    writeTensors(json, "reads", dispatch.reads);
    writeTensors(json, "gives", dispatch.gives);
  });
}

static void writeEdge(llvm::json::OStream &json,
                      const Explanation::Edge &edge) {
  json.object([&] {
    json.attribute("function", clean(edge.function));
    json.attribute("at", clean(edge.place));
    json.attribute("edge", clean(edge.text));
    json.attribute("inside", edge.inside);
    auto writeReason = [&](const Explanation::Reason &reason) {
      json.attribute("rule", reason.rule);
      if (!edge.inside)
        json.attribute("question", reason.question);
      json.attribute("reason", reason.text);
    };
    writeReason(edge.reasons.front());
    if (!edge.inside)
      json.attributeArray("reasons", [&] {
        for (const Explanation::Reason &reason : edge.reasons)
          json.object([&] { writeReason(reason); });
      });
    if (!edge.made.empty())
      json.attribute("made", edge.made);
    if (!edge.read.empty())
      json.attribute("read", edge.read);
  });
}

/// A list with a line for each record.
template <typename Records, typename Write>
static void writeList(llvm::raw_ostream &os, StringRef key,
                      const Records &records, Write write) {
  os << ",\"" << key << "\":[";
  StringRef separator = "\n  ";
  for (const auto &record : records) {
    os << separator;
    separator = ",\n  ";
    llvm::json::OStream json(os);
    write(json, record);
  }
  os << "]";
}

void mercator::printJson(const Explanation &explanation, StringRef gathers,
                         llvm::raw_ostream &os) {
  os << R"({"schema":"mercator.explain/1","module":)";
  llvm::json::OStream(os).value(clean(explanation.module));
  writeList(os, "dispatches", explanation.dispatches, writeDispatch);
  writeList(os, "edges", explanation.edges, writeEdge);
  writeList(os, "outside", explanation.outside,
            [](llvm::json::OStream &json, const Explanation::Outside &outside) {
              json.object([&] {
                json.attribute("function", clean(outside.function));
                json.attribute("at", clean(outside.place));
                json.attribute("operation", clean(outside.operation));
                json.attribute("reason", outside.reason);
              });
            });
  os << ",\"gathers\":" << gathers << "}\n";
}
