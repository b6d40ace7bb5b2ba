// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/ExplanationText.h"
#include "mercator/support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"

using namespace mercator;
using llvm::StringRef;

static StringRef plural(size_t count) { return count == 1 ? "" : "es"; }

static std::string countOf(std::optional<int64_t> count) {
  return count ? std::to_string(*count) : "?";
}

static std::optional<int64_t>
bytesOf(llvm::ArrayRef<Explanation::Tensor> tensors) {
  int64_t sum = 0;
  for (const Explanation::Tensor &tensor : tensors) {
    if (!tensor.bytes)
      return std::nullopt;
    sum += *tensor.bytes;
  }
  return sum;
}

static std::optional<int64_t> add(std::optional<int64_t> x,
                                  std::optional<int64_t> y) {
  return x && y ? std::optional(*x + *y) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// One dispatch
//===----------------------------------------------------------------------===//

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

static void printReasons(const Explanation::Edge &edge, llvm::raw_ostream &os) {
  for (const Explanation::Reason &reason : edge.reasons) {
    os << "    " << reason.text << " (" << reason.rule;
    if (!edge.inside)
      os << ", " << reason.question;
    os << ")\n";
  }
  if (edge.inside)
    return;
  if (!edge.cost.empty())
    os << "    " << edge.cost << "\n";
  if (!edge.made.empty() && !edge.read.empty())
    os << "    made by " << edge.made << "\n    read by " << edge.read << "\n";
  if (!edge.help.empty())
    os << "    help: " << edge.help << "\n";
}

static void printEdge(const Explanation::Edge &edge, llvm::raw_ostream &os) {
  os << "  " << edge.place << ": " << edge.text << "\n";
  printReasons(edge, os);
}

/// True if the consumer of the edge is in the dispatch.
static bool isInto(const Explanation::Edge &edge,
                   const Explanation::Dispatch &dispatch) {
  return edge.function == dispatch.function &&
         llvm::any_of(dispatch.operations,
                      [&](const auto &op) { return op.place == edge.place; });
}

void mercator::printDispatch(const Explanation &explanation, size_t number,
                             llvm::raw_ostream &os) {
  const Explanation::Dispatch &dispatch = explanation.dispatches[number];
  os << "dispatch " << number << " of " << dispatch.function << ", at "
     << dispatch.place << "\n";
  for (const Explanation::Operation &op : dispatch.operations)
    os << "  runs  " << op.text << ", at " << op.place
       << (op.origin.empty() ? "" : ", from " + op.origin) << "\n";
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
  os << "  flops " << countOf(dispatch.flops) << "\n";
  for (bool inside : {true, false}) {
    bool first = true;
    for (const Explanation::Edge &edge : explanation.edges) {
      if (edge.inside != inside || !isInto(edge, dispatch))
        continue;
      if (first)
        os << (inside ? "\nwhy these are together\n"
                      : "\nwhy these are apart\n");
      first = false;
      printEdge(edge, os);
    }
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Rows for one dispatch: its operations one below the other, at most four.
static void addRows(Table &table, size_t number,
                    const Explanation::Dispatch &dispatch) {
  constexpr size_t kShown = 4;
  size_t count = dispatch.operations.size();
  size_t shown = count > kShown ? kShown - 1 : count;
  for (size_t i = 0; i < shown; ++i) {
    const Explanation::Operation &op = dispatch.operations[i];
    std::string at = op.place + (op.origin.empty() ? "" : ", " + op.origin);
    if (i == 0)
      table.addRow({std::to_string(number), op.text, at,
                    countOf(bytesOf(dispatch.reads)),
                    countOf(bytesOf(dispatch.gives)), countOf(dispatch.flops)});
    else
      table.addRow({"", op.text, at});
  }
  if (shown < count)
    table.addRow({"", "and " + std::to_string(count - shown) + " more"});
}

static void printTable(llvm::ArrayRef<Explanation::Dispatch> dispatches,
                       StringRef what, StringRef function, bool color,
                       llvm::raw_ostream &os) {
  Table table({{what.str(), Style::Plain, Align::Right},
               {"runs", Style::Cyan},
               {"at", Style::Plain},
               {"reads", Style::Plain, Align::Right},
               {"gives", Style::Plain, Align::Right},
               {"flops", Style::Plain, Align::Right}});
  std::optional<int64_t> reads = 0, gives = 0, flops = 0;
  for (auto [number, dispatch] : llvm::enumerate(dispatches)) {
    if (dispatch.function != function)
      continue;
    addRows(table, number, dispatch);
    reads = add(reads, bytesOf(dispatch.reads));
    gives = add(gives, bytesOf(dispatch.gives));
    flops = add(flops, dispatch.flops);
  }
  table.addRow(
      {"", "in all", "", countOf(reads), countOf(gives), countOf(flops)});
  table.print(os, color);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// The functions that have a dispatch or an operation in none, in order.
static llvm::SetVector<StringRef> functionsOf(const Explanation &explanation) {
  llvm::SetVector<StringRef> functions;
  for (const auto &dispatch : explanation.dispatches)
    functions.insert(dispatch.function);
  for (const auto &outside : explanation.outside)
    functions.insert(outside.function);
  return functions;
}

/// What formation from maps saved, by its own estimate.
static void printTotal(const Explanation &explanation, StringRef function,
                       llvm::raw_ostream &os) {
  auto spell = [](int64_t nanoseconds) {
    std::string text;
    llvm::raw_string_ostream(text)
        << (nanoseconds < 1'000'000
                ? llvm::format("%.3g us", double(nanoseconds) / 1e3)
                : llvm::format("%.3g ms", double(nanoseconds) / 1e6));
    return text;
  };
  for (const Explanation::Total &total : explanation.totals)
    if (total.function == function)
      os << "\nestimated: " << total.bytes << " bytes moved in "
         << spell(total.nanoseconds) << "; with each operation alone "
         << total.bytesBefore << " bytes in " << spell(total.nanosecondsBefore)
         << "\n";
}

/// Boundaries that one decision keeps, in order.
using OneDecision = std::vector<const Explanation::Edge *>;

/// The boundaries of a function: the largest tensors first, those of unknown
/// size before. What a decision keeps apart stands beside the first of them.
static std::vector<OneDecision> boundariesOf(const Explanation &explanation,
                                             StringRef function) {
  OneDecision edges;
  for (const Explanation::Edge &edge : explanation.edges)
    if (edge.function == function && !edge.inside)
      edges.push_back(&edge);
  // Equal sizes stay in program order: all edges are in one vector.
  llvm::sort(edges, [](const auto *x, const auto *y) {
    int64_t a = x->bytes.value_or(INT64_MAX), b = y->bytes.value_or(INT64_MAX);
    return a != b ? a > b : x < y;
  });
  std::vector<OneDecision> decisions;
  llvm::StringMap<size_t> places;
  for (const Explanation::Edge *edge : edges) {
    std::string key = edge->cost;
    for (const Explanation::Reason &reason : edge->reasons)
      key += '\n' + reason.rule + '\n' + reason.text;
    // Without a price, pairs are decided one by one.
    auto [place, isNew] = edge->cost.empty()
                              ? std::pair(places.end(), true)
                              : places.try_emplace(key, decisions.size());
    if (isNew)
      decisions.emplace_back();
    (isNew ? decisions.back() : decisions[place->second]).push_back(edge);
  }
  return decisions;
}

static void printBoundaries(const Explanation &explanation, StringRef function,
                            llvm::raw_ostream &os) {
  constexpr size_t kShown = 20, kShownOfOne = 5;
  std::vector<OneDecision> decisions = boundariesOf(explanation, function);
  if (!decisions.empty())
    os << "\nboundaries, the most bytes first\n";
  size_t more = 0;
  for (const auto &[number, edges] : llvm::enumerate(decisions)) {
    if (number >= kShown) {
      more += edges.size();
      continue;
    }
    for (const Explanation::Edge *edge :
         llvm::ArrayRef(edges).take_front(kShownOfOne))
      os << "  " << edge->place << ": " << edge->text << ", "
         << countOf(edge->bytes) << " bytes\n";
    if (edges.size() > kShownOfOne)
      os << "  and " << edges.size() - kShownOfOne
         << " more that the same decision keeps apart\n";
    printReasons(*edges.front(), os);
  }
  if (more > 0)
    os << "  and " << more << " more: --json has all\n";
}

/// What is in no dispatch: once for each operation and reason.
static void printOutside(const Explanation &explanation, StringRef function,
                         llvm::raw_ostream &os) {
  bool first = true;
  for (const auto &outside : explanation.outside) {
    if (outside.function != function)
      continue;
    os << (first ? "\nin no dispatch\n" : "") << "  " << outside.place << ": "
       << outside.operation << "\n    " << outside.reason << "\n";
    first = false;
  }
}

void mercator::printDispatches(const Explanation &explanation, bool color,
                               llvm::raw_ostream &os) {
  llvm::SetVector<StringRef> functions = functionsOf(explanation);
  if (functions.empty())
    os << "no dispatches\n";
  bool first = true;
  for (StringRef function : functions) {
    size_t count =
        llvm::count_if(explanation.dispatches, [&](const auto &dispatch) {
          return dispatch.function == function;
        });
    os << (first ? "" : "\n") << function << ": " << count << " dispatch"
       << plural(count) << "\n";
    first = false;
    if (count > 0) {
      os << "\n";
      printTable(explanation.dispatches, "dispatch", function, color, os);
      printTotal(explanation, function, os);
    }
    printBoundaries(explanation, function, os);
    printOutside(explanation, function, os);
  }
}

void mercator::printSchedules(const Explanation &explanation,
                              llvm::raw_ostream &os) {
  os << "\nschedules of machine code for this CPU\n";
  size_t loops = 0;
  for (const Explanation::Schedule &schedule : explanation.schedules) {
    loops += schedule.lines.empty();
    os << "  " << schedule.kernel << ": "
       << (schedule.predicted.empty()
               ? "no prediction, since its loops depend on data"
               : schedule.predicted)
       << '\n';
    for (const std::string &line : schedule.lines)
      os << "    " << line << '\n';
  }
  if (loops)
    os << "  " << loops << (loops == 1 ? " kernel has" : " kernels have")
       << " no products, but loops over elements, rows or the terms of sums\n";
}

void mercator::printKernels(const Explanation &explanation, bool color,
                            llvm::raw_ostream &os) {
  if (explanation.kernels.empty())
    return;
  const std::string &function = explanation.kernels.front().function;
  size_t count = explanation.kernels.size();
  os << function << ": " << count << (count == 1 ? " kernel" : " kernels")
     << " in the text, as XLA made " << (count == 1 ? "it" : "them") << "\n\n";
  printTable(explanation.kernels, "kernel", function, color, os);
  os << "\n";
}
