// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"
#include "mercator/tools/driver/ExplanationText.h"
#include "mercator/tools/driver/PlanText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;

static void printDimensions(const Explanation::Gather &gather, bool color,
                            llvm::raw_ostream &os) {
  if (gather.dimensions.empty())
    return;
  Table table({{"dimension", Style::Plain, Align::Right},
               {"extent", Style::Plain, Align::Right},
               {"is", Style::Cyan},
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

static void printStarts(const Explanation::Gather &gather, bool color,
                        llvm::raw_ostream &os) {
  if (gather.startColumns.empty())
    return;
  Table table({{"start", Style::Plain, Align::Right},
               {"of dimension", Style::Plain, Align::Right},
               {"known"},
               {"clamp"}});
  for (auto [i, start] : llvm::enumerate(gather.startColumns))
    table.addRow({std::to_string(i), std::to_string(start.dimension),
                  start.known, start.clamp});
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

static void printWays(const Explanation::Gather &gather, bool color,
                      llvm::raw_ostream &os) {
  Table table({{"way", Style::Cyan},
               {"bytes moved", Style::Plain, Align::Right},
               {"index entries", Style::Plain, Align::Right},
               {"nodes", Style::Plain, Align::Right},
               {""},
               {""}});
  for (const Explanation::Gather::Way &way : gather.ways)
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

static void printGather(const Explanation::Gather &gather, bool color,
                        llvm::raw_ostream &os) {
  printHeading(gather.instruction, gather.operation, gather.place, os);
  printTensor("from ", gather.from, /*withMaker=*/false, os);
  for (const Explanation::Tensor &starts : gather.starts)
    printTensor("at   ", starts, /*withMaker=*/true, os);
  printTensor("gives", gather.gives, /*withMaker=*/false, os);
  os << '\n';
  if (!gather.unknown.empty()) {
    os << "  no plan: " << gather.unknown << '\n';
  } else {
    printDimensions(gather, color, os);
    printStarts(gather, color, os);
    printWays(gather, color, os);
    if (const Explanation::Gather::Way *taken = gather.takenWay())
      printPlan(taken->name, gather.notes, gather.plan, taken->aiCpu, os);
    else
      os << "\n  no plan: the device can do none of these\n";
  }
  printMaps(gather.maps, color, os);
}

void mercator::printGathers(const Explanation &explanation, bool color,
                            llvm::raw_ostream &os) {
  printByFunction<Explanation::Gather>(explanation.gathers, "gather", os,
                                       [&](const Explanation::Gather &gather) {
                                         printGather(gather, color, os);
                                       });
}
