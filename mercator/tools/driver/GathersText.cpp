// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"
#include "mercator/tools/driver/ExplanationText.h"
#include "mercator/tools/driver/MapTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;
using Gather = Explanation::Gather;

static StringRef plural(int64_t count) { return count == 1 ? "" : "s"; }

void mercator::printAiCpu(llvm::ArrayRef<Explanation::AiCpu> aiCpu,
                          llvm::raw_ostream &os) {
  for (const Explanation::AiCpu &it : aiCpu)
    os << "    on the AI CPU: " << it.nodes << " node" << plural(it.nodes)
       << ", " << it.bytes << " byte" << plural(it.bytes) << ": " << it.why
       << '\n';
}

static void printDimensions(const Gather &gather, bool color,
                            llvm::raw_ostream &os) {
  if (gather.dimensions.empty())
    return;
  Table table({{"dimension", Style::plain, Align::right},
               {"extent", Style::plain, Align::right},
               {"is", Style::cyan},
               {"what a slice takes"},
               {"in the result"}});
  for (auto [i, dimension] : llvm::enumerate(gather.dimensions))
    table.addRow({std::to_string(i), std::to_string(dimension.extent),
                  dimension.role, dimension.howTaken,
                  dimension.resultAxis
                      ? "axis " + std::to_string(*dimension.resultAxis)
                  : dimension.batchAxis ? ""
                                        : "collapsed"});
  table.print(os, color, /*indent=*/2);
}

static void printStarts(const Gather &gather, bool color,
                        llvm::raw_ostream &os) {
  if (gather.startColumns.empty())
    return;
  Table table({{"start", Style::plain, Align::right},
               {"of dimension", Style::plain, Align::right},
               {"known"},
               {"clamp"}});
  for (auto [i, start] : llvm::enumerate(gather.startColumns))
    table.addRow({std::to_string(i), std::to_string(start.dimension),
                  start.known, start.clamp});
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

static void printWays(const Gather &gather, bool color, llvm::raw_ostream &os) {
  Table table({{"way", Style::cyan},
               {"bytes moved", Style::plain, Align::right},
               {"index entries", Style::plain, Align::right},
               {"nodes", Style::plain, Align::right},
               {""},
               {""}});
  for (const Gather::Way &way : gather.ways)
    table.addRow({way.name, way.bytes ? std::to_string(*way.bytes) : "",
                  way.indexEntries ? std::to_string(*way.indexEntries) : "",
                  way.nodes ? std::to_string(*way.nodes) : "",
                  way.taken       ? "taken"
                  : way.possible  ? "possible"
                  : way.isPlanned ? "refused"
                                  : "no",
                  way.whyNot});
  os << '\n';
  table.print(os, color, /*indent=*/2);
  os << "  bytes are a lower bound: GE may convert layouts\n";
}

void mercator::printMaps(llvm::ArrayRef<MapRecord> maps, bool color,
                         llvm::raw_ostream &os) {
  std::string text;
  llvm::raw_string_ostream all(text);
  MapTable table(all, color, "operands", /*columns=*/0);
  for (const MapRecord &record : maps)
    table.write(record);
  table.finish();
  llvm::SmallVector<StringRef> lines;
  StringRef(text).rtrim().split(lines, '\n');
  os << '\n';
  for (StringRef line : llvm::drop_begin(lines))
    os << line << '\n';
}

static void printPlan(const Gather &gather, llvm::raw_ostream &os) {
  const Gather::Way *taken = gather.takenWay();
  if (!taken) {
    os << "\n  no plan: the device can do none of these\n";
    return;
  }
  os << "\n  plan: " << taken->name << '\n';
  for (const std::string &note : gather.notes)
    os << "    because " << note << '\n';
  for (const std::string &line : gather.plan)
    os << "    " << line << '\n';
  printAiCpu(taken->aiCpu, os);
}

static void printGather(const Gather &gather, bool color,
                        llvm::raw_ostream &os) {
  auto print = [&](StringRef what, const Explanation::Tensor &tensor,
                   bool withMaker = false) {
    os << "  " << what << " " << tensor.name << ", " << tensor.type;
    if (tensor.bytes)
      os << ", " << *tensor.bytes << " byte" << plural(*tensor.bytes);
    if (withMaker && !tensor.maker.empty())
      os << ", of " << tensor.maker;
    os << '\n';
  };
  os << gather.instruction << " = " << gather.operation;
  if (gather.place != "?")
    os << ", at " << gather.place;
  os << '\n';
  print("from ", gather.from);
  for (const Explanation::Tensor &starts : gather.starts)
    print("at   ", starts, /*withMaker=*/true);
  print("gives", gather.gives);
  os << '\n';
  if (!gather.unknown.empty()) {
    os << "  no plan: " << gather.unknown << '\n';
  } else {
    printDimensions(gather, color, os);
    printStarts(gather, color, os);
    printWays(gather, color, os);
    printPlan(gather, os);
  }
  printMaps(gather.maps, color, os);
}

void mercator::printGathers(const Explanation &explanation, bool color,
                            llvm::raw_ostream &os) {
  llvm::ArrayRef<Gather> gathers = explanation.gathers;
  bool isFirst = true;
  while (!gathers.empty()) {
    StringRef function = gathers.front().function;
    llvm::ArrayRef<Gather> here = gathers.take_while(
        [&](const Gather &gather) { return gather.function == function; });
    gathers = gathers.drop_front(here.size());
    os << (isFirst ? "" : "\n") << function << ": " << here.size() << " gather"
       << plural(here.size()) << '\n';
    isFirst = false;
    for (const Gather &gather : here) {
      os << '\n';
      printGather(gather, color, os);
    }
  }
}
