// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the texts about gathers and scatters have in common.

#ifndef MERCATOR_TOOLS_DRIVER_PLANTEXT_H
#define MERCATOR_TOOLS_DRIVER_PLANTEXT_H

#include "mercator/compiler/explain/Explanation.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator {

/// The ending of a plural: `2 gathers`.
[[nodiscard]] inline llvm::StringRef endingOf(int64_t count) {
  return count == 1 ? "" : "s";
}

/// `  from  %x, tensor<4xf32>, 16 bytes`, and the operation that makes it.
void printTensor(llvm::StringRef role, const Explanation::Tensor &tensor,
                 bool withMaker, llvm::raw_ostream &os);
/// `%0 = stablehlo.gather, at f.mlir:12`
void printHeading(llvm::StringRef instruction, llvm::StringRef operation,
                  llvm::StringRef place, llvm::raw_ostream &os);
/// The way that was taken: why, its nodes, and those that the cores do not execute.
void printPlan(llvm::StringRef way, llvm::ArrayRef<std::string> notes,
               llvm::ArrayRef<std::string> plan,
               llvm::ArrayRef<Explanation::AiCpu> aiCpu, llvm::raw_ostream &os);
/// The table of `mercator map`, indented, without its heading.
void printMaps(llvm::ArrayRef<MapRecord> maps, bool color,
               llvm::raw_ostream &os);

/// Calls `print` for each item, below a line for each function: `main: 2 gathers`.
template <typename Item>
void printByFunction(llvm::ArrayRef<Item> items, llvm::StringRef what,
                     llvm::raw_ostream &os,
                     llvm::function_ref<void(const Item &)> print) {
  bool isFirst = true;
  while (!items.empty()) {
    llvm::StringRef function = items.front().function;
    llvm::ArrayRef<Item> here = items.take_while(
        [&](const Item &item) { return item.function == function; });
    items = items.drop_front(here.size());
    os << (isFirst ? "" : "\n") << function << ": " << here.size() << ' '
       << what << endingOf(here.size()) << '\n';
    isFirst = false;
    for (const Item &item : here) {
      os << '\n';
      print(item);
    }
  }
}

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_PLANTEXT_H
