// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"
#include "mercator/tools/driver/ExplanationText.h"
#include "mercator/tools/driver/PlanText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;

static void printDimensions(const Explanation::Scatter &scatter, bool color,
                            llvm::raw_ostream &os) {
  if (scatter.dimensions.empty())
    return;
  Table table({{"dimension", Style::Plain, Align::Right},
               {"extent", Style::Plain, Align::Right},
               {"what is updated"},
               {"start"},
               {"bounds"}});
  for (auto [i, dimension] : llvm::enumerate(scatter.dimensions))
    table.addRow({std::to_string(i), std::to_string(dimension.extent),
                  dimension.howUpdated, dimension.known, dimension.bounds});
  table.print(os, color, /*indent=*/2);
  os << '\n';
}

static void printWays(const Explanation::Scatter &scatter, bool color,
                      llvm::raw_ostream &os) {
  Table table({{"way", Style::Cyan},
               {"bytes moved", Style::Plain, Align::Right},
               {"in place", Style::Plain, Align::Right},
               {"index entries", Style::Plain, Align::Right},
               {"nodes", Style::Plain, Align::Right},
               {""},
               {""}});
  auto text = [](std::optional<int64_t> value) {
    return value ? std::to_string(*value) : "";
  };
  for (const Explanation::Scatter::Way &way : scatter.ways)
    table.addRow({way.name, text(way.bytes),
                  way.bytes == way.bytesInPlace ? "" : text(way.bytesInPlace),
                  text(way.indexEntries), text(way.nodes),
                  way.taken      ? "taken"
                  : way.possible ? "possible"
                                 : "no",
                  way.whyNot});
  table.print(os, color, /*indent=*/2);
  os << "  bytes are a lower bound: GE may convert layouts\n";
  const Explanation::Scatter::Way *taken = scatter.takenWay();
  if (!taken || taken->bytes == taken->bytesInPlace)
    return;
  os << "  in place: GE may elide the copy of " << scatter.into.name
     << (scatter.isReadElsewhere
             ? " if the other operations that read it come first"
             : ", which nothing else reads");
  if (scatter.isArgument)
    os << "; of an input only with ge.exec.inputReuseMemIndexes";
  os << '\n';
}

static void printScatter(const Explanation::Scatter &scatter, bool color,
                         llvm::raw_ostream &os) {
  printHeading(scatter.instruction, scatter.operation, scatter.place, os);
  printTensor("into ", scatter.into, /*withMaker=*/false, os);
  printTensor("with ", scatter.updates, /*withMaker=*/false, os);
  for (const Explanation::Tensor &index : scatter.indices)
    printTensor("at   ", index, /*withMaker=*/true, os);
  printTensor("gives", scatter.gives, /*withMaker=*/false, os);
  if (!scatter.body.empty())
    os << "  body  " << scatter.body << '\n';
  os << '\n';
  if (!scatter.refused.empty()) {
    os << "  no plan: " << scatter.refused << '\n';
  } else {
    printDimensions(scatter, color, os);
    printWays(scatter, color, os);
    if (const Explanation::Scatter::Way *taken = scatter.takenWay())
      printPlan(taken->name, scatter.notes, scatter.plan, taken->aiCpu, os);
  }
  printMaps(scatter.maps, color, os);
}

void mercator::printScatters(const Explanation &explanation, bool color,
                             llvm::raw_ostream &os) {
  printByFunction<Explanation::Scatter>(
      explanation.scatters, "scatter", os,
      [&](const Explanation::Scatter &scatter) {
        printScatter(scatter, color, os);
      });
}
