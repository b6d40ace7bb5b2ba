// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"
#include "mercator/tools/driver/ExplanationText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;
using Scatter = Explanation::Scatter;

static StringRef plural(int64_t count) { return count == 1 ? "" : "s"; }

static void printDimensions(const Scatter &scatter, bool color,
                            llvm::raw_ostream &os) {
  if (scatter.dimensions.empty())
    return;
  Table table({{"dimension", Style::plain, Align::right},
               {"extent", Style::plain, Align::right},
               {"what is updated"},
               {"start"},
               {"bounds"}});
  for (auto [i, dimension] : llvm::enumerate(scatter.dimensions))
    table.addRow({std::to_string(i), std::to_string(dimension.extent),
                  dimension.howUpdated, dimension.known, dimension.bounds});
  table.print(os, color, /*indent=*/2);
  os << '\n';
}

static void printWays(const Scatter &scatter, bool color,
                      llvm::raw_ostream &os) {
  Table table({{"way", Style::cyan},
               {"bytes moved", Style::plain, Align::right},
               {"in place", Style::plain, Align::right},
               {"index entries", Style::plain, Align::right},
               {"nodes", Style::plain, Align::right},
               {""},
               {""}});
  auto text = [](std::optional<int64_t> value) {
    return value ? std::to_string(*value) : "";
  };
  for (const Scatter::Way &way : scatter.ways)
    table.addRow({way.name, text(way.bytes),
                  way.bytes == way.bytesInPlace ? "" : text(way.bytesInPlace),
                  text(way.indexEntries), text(way.nodes),
                  way.taken      ? "taken"
                  : way.possible ? "possible"
                                 : "no",
                  way.whyNot});
  table.print(os, color, /*indent=*/2);
  os << "  bytes are a lower bound: GE may convert layouts\n";
  const Scatter::Way *taken = scatter.takenWay();
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

static void printPlan(const Scatter &scatter, llvm::raw_ostream &os) {
  const Scatter::Way *taken = scatter.takenWay();
  if (!taken)
    return;
  os << "\n  plan: " << taken->name << '\n';
  for (const std::string &note : scatter.notes)
    os << "    because " << note << '\n';
  for (const std::string &line : scatter.plan)
    os << "    " << line << '\n';
  printAiCpu(taken->aiCpu, os);
}

static void printScatter(const Scatter &scatter, bool color,
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
  os << scatter.instruction << " = " << scatter.operation;
  if (scatter.place != "?")
    os << ", at " << scatter.place;
  os << '\n';
  print("into ", scatter.into);
  print("with ", scatter.updates);
  for (const Explanation::Tensor &index : scatter.indices)
    print("at   ", index, /*withMaker=*/true);
  print("gives", scatter.gives);
  if (!scatter.body.empty())
    os << "  body  " << scatter.body << '\n';
  os << '\n';
  if (!scatter.refused.empty()) {
    os << "  no plan: " << scatter.refused << '\n';
  } else {
    printDimensions(scatter, color, os);
    printWays(scatter, color, os);
    printPlan(scatter, os);
  }
  printMaps(scatter.maps, color, os);
}

void mercator::printScatters(const Explanation &explanation, bool color,
                             llvm::raw_ostream &os) {
  llvm::ArrayRef<Scatter> scatters = explanation.scatters;
  bool isFirst = true;
  while (!scatters.empty()) {
    StringRef function = scatters.front().function;
    llvm::ArrayRef<Scatter> here = scatters.take_while(
        [&](const Scatter &scatter) { return scatter.function == function; });
    scatters = scatters.drop_front(here.size());
    os << (isFirst ? "" : "\n") << function << ": " << here.size() << " scatter"
       << plural(here.size()) << '\n';
    isFirst = false;
    for (const Scatter &scatter : here) {
      os << '\n';
      printScatter(scatter, color, os);
    }
  }
}
