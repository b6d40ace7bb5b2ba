// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Nodes.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// The preferred name of the node; empty if it has none.
static std::string wish(Operation *op) {
  if (auto data = dyn_cast<DataOp>(op))
    return data.getName() ? data.getName()->str()
                          : "input" + std::to_string(data.getIndex());
  if (isa<NetOutputOp>(op))
    return "NetOutput";
  if (auto named = dyn_cast<NameLoc>(op->getLoc()))
    return named.getName().str();
  return "";
}

static bool isUtf8(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  return llvm::isLegalUTF8String(&begin, begin + text.size());
}

FailureOr<Nodes> Nodes::of(GraphOp graph) {
  Nodes out;
  llvm::StringSet<> taken;
  llvm::StringMap<uint64_t> next;
  auto give = [&](Operation *op, std::string name, bool isNumbered) {
    std::string stem = name;
    if (isNumbered)
      name += "_" + std::to_string(next[stem]++);
    while (!taken.insert(name).second)
      name = stem + "_" + std::to_string(next[stem]++);
    out.names[op] = std::move(name);
  };
  for (Operation &op : graph.getBody().front())
    out.ops.push_back(&op);
  // Preferred names are assigned before names made from types.
  for (Operation *op : out.ops) {
    std::string name = wish(op);
    if (name.empty())
      continue;
    if (!isUtf8(name))
      return op->emitError("expected a name in UTF-8, got other bytes");
    give(op, std::move(name), /*isNumbered=*/false);
  }
  for (Operation *op : out.ops)
    if (!out.names.contains(op))
      give(op, op->getName().stripDialect().str(), /*isNumbered=*/true);
  return out;
}
