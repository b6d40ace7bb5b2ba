// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/Unconverted.h"

#include "mercator/analysis/Names.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/prepare/UndoHlo.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;

static std::string whyNot(mlir::Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "stablehlo")
    return "there is no conversion for it yet";
  if (llvm::isa<mlir::CallOpInterface>(op))
    return "a graph cannot call a function, and this call could not be inlined";
  if (StringRef why = ascend::whyHloStays(op); !why.empty())
    return why.str();
  return ("only operations of StableHLO are converted, and this is an operation of " +
          dialect)
      .str();
}

std::vector<ascend::Unconverted>
mercator::unconvertedOf(mlir::FunctionOpInterface function,
                        llvm::ArrayRef<ascend::Unconverted> left) {
  llvm::DenseMap<mlir::Operation *, const ascend::Unconverted *> reasons;
  for (const ascend::Unconverted &it : left)
    reasons.insert({it.op, &it});
  std::vector<ascend::Unconverted> stays;
  for (mlir::Block &block : function.getFunctionBody())
    for (mlir::Operation &op : block) {
      if (llvm::isa_and_nonnull<ascend::AscendDialect>(op.getDialect()) ||
          llvm::isa<mlir::func::ReturnOp>(op))
        continue;
      auto found = reasons.find(&op);
      if (found == reasons.end())
        stays.push_back({&op, whyNot(&op)});
      else
        stays.push_back(*found->second);
    }
  return stays;
}

void mercator::report(llvm::ArrayRef<ascend::Unconverted> stays, bool asErrors,
                      DiagnosticEngine &diagnostics) {
  constexpr size_t kShown = 20;
  // A kind is an operation and a reason.
  llvm::MapVector<std::pair<StringRef, StringRef>, std::vector<size_t>> kinds;
  auto nameOf = [&](size_t i) {
    return stays[i].name.empty() ? stays[i].op->getName().getStringRef()
                                 : stays[i].name;
  };
  for (size_t i = 0; i < stays.size(); ++i)
    kinds[{nameOf(i), stays[i].why}].push_back(i);
  std::vector<bool> isShown(stays.size());
  size_t shown = 0;
  for (auto &[kind, places] : kinds)
    if (shown < kShown && ++shown)
      isShown[places.front()] = true;
  for (size_t i = 0; i < stays.size() && shown < kShown; ++i)
    if (!isShown[i] && ++shown)
      isShown[i] = true;

  for (size_t i = 0; i < stays.size(); ++i) {
    if (!isShown[i])
      continue;
    // Where the text gives a location of its own there may be no place.
    mlir::Location loc = stays[i].op->getLoc();
    std::string which = nameOf(i).str();
    if (!loc->findInstanceOf<mlir::FileLineColLoc>())
      which += " " + quote(nameIn(loc));
    if (asErrors)
      mlir::emitError(loc) << "cannot convert " << which << ": "
                           << stays[i].why;
    else
      mlir::emitRemark(loc) << which << " is not converted: " << stays[i].why;
  }
  size_t told = 0, otherKinds = 0, others = 0;
  for (auto &[kind, places] : kinds) {
    size_t more = llvm::count_if(places, [&](size_t i) { return !isShown[i]; });
    if (!more)
      continue;
    if (told++ < kShown)
      diagnostics.note({}, "and " + llvm::Twine(more) + " more " + kind.first +
                               ": " + kind.second);
    else
      ++otherKinds, others += more;
  }
  if (others)
    diagnostics.note({}, "and " + llvm::Twine(others) + " more, of " +
                             llvm::Twine(otherKinds) + " other kinds");
}
