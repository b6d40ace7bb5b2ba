// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/ExplanationText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mercator;
using llvm::StringRef;

static StringRef plural(size_t count) { return count == 1 ? "" : "es"; }

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

/// The functions that have a dispatch or an operation in none, in order.
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

void mercator::printDispatches(const Explanation &explanation,
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
