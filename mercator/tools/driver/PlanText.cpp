// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/PlanText.h"
#include "mercator/tools/driver/MapTable.h"

using namespace mercator;
using llvm::StringRef;

void mercator::printTensor(StringRef role, const Explanation::Tensor &tensor,
                           bool withMaker, llvm::raw_ostream &os) {
  os << "  " << role << " " << tensor.name << ", " << tensor.type;
  if (tensor.bytes)
    os << ", " << *tensor.bytes << " byte" << endingOf(*tensor.bytes);
  if (withMaker && !tensor.maker.empty())
    os << ", of " << tensor.maker;
  os << '\n';
}

void mercator::printHeading(StringRef instruction, StringRef operation,
                            StringRef place, llvm::raw_ostream &os) {
  os << instruction << " = " << operation;
  if (place != "?")
    os << ", at " << place;
  os << '\n';
}

void mercator::printPlan(StringRef way, llvm::ArrayRef<std::string> notes,
                         llvm::ArrayRef<std::string> plan,
                         llvm::ArrayRef<Explanation::AiCpu> aiCpu,
                         llvm::raw_ostream &os) {
  os << "\n  plan: " << way << '\n';
  for (const std::string &note : notes)
    os << "    because " << note << '\n';
  for (const std::string &line : plan)
    os << "    " << line << '\n';
  for (const Explanation::AiCpu &it : aiCpu)
    os << "    on the AI CPU: " << it.nodes << " node" << endingOf(it.nodes)
       << ", " << it.bytes << " byte" << endingOf(it.bytes) << ": " << it.why
       << '\n';
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
