// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/ExecutableForm.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/Hashing.h"

namespace mercator::flow {
#define GEN_PASS_DEF_DEDUPLICATEEXECUTABLES
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
/// The first of several equal executables.
struct Original {
  flow::ExecutableForm form;
  flow::ExecutableOp executable;
};

struct DeduplicateExecutables
    : flow::impl::DeduplicateExecutablesBase<DeduplicateExecutables> {
  using Base::Base;

  DeduplicateExecutables(const DeduplicateExecutables &other)
      : DeduplicateExecutablesBase(other) {}

  void runOnOperation() override;

private:
  /// Maps `@duplicate::@f` to `@original::@g`, for each export of the two.
  void rename(flow::ExecutableOp duplicate, flow::ExecutableOp original);

  llvm::DenseMap<Attribute, SymbolRefAttr> renamed;

  Statistic total{this, "executables", "Executables before"};
  Statistic erased{this, "duplicates", "Executables that were erased"};
};
} // namespace

void DeduplicateExecutables::rename(flow::ExecutableOp duplicate,
                                    flow::ExecutableOp original) {
  auto refTo = [](flow::ExecutableOp executable,
                  flow::ExecutableExportOp exportOp) {
    return SymbolRefAttr::get(
        executable.getSymNameAttr(),
        FlatSymbolRefAttr::get(exportOp.getSymNameAttr()));
  };
  renamed[FlatSymbolRefAttr::get(duplicate.getSymNameAttr())] =
      FlatSymbolRefAttr::get(original.getSymNameAttr());
  for (auto [from, to] :
       llvm::zip(duplicate.getBlock().getOps<flow::ExecutableExportOp>(),
                 original.getBlock().getOps<flow::ExecutableExportOp>()))
    renamed[refTo(duplicate, from)] = refTo(original, to);
}

void DeduplicateExecutables::runOnOperation() {
  ModuleOp module = getOperation();
  renamed.clear();
  // By the hash of their forms. Executables with equal hashes are compared.
  llvm::DenseMap<size_t, llvm::SmallVector<Original, 1>> originals;
  llvm::SmallVector<flow::ExecutableOp> duplicates;
  for (auto executable : module.getOps<flow::ExecutableOp>()) {
    ++total;
    flow::ExecutableForm form = flow::getForm(executable);
    size_t hash = llvm::hash_combine_range(form.begin(), form.end());
    // DenseMap reserves the two highest numbers.
    auto &same = originals[hash >> 1];
    auto *found = llvm::find_if(
        same, [&](const Original &other) { return other.form == form; });
    if (found == same.end()) {
      same.push_back({std::move(form), executable});
      continue;
    }
    rename(executable, found->executable);
    duplicates.push_back(executable);
  }
  if (duplicates.empty())
    return markAllAnalysesPreserved();

  for (flow::ExecutableOp duplicate : duplicates)
    duplicate.erase();
  erased += duplicates.size();

  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr ref) {
    auto found = renamed.find(ref);
    return std::make_pair(found == renamed.end() ? ref : found->second,
                          WalkResult::skip());
  });
  // A nested symbol table has its own names.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && op->hasTrait<OpTrait::SymbolTable>())
      return WalkResult::skip();
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/false);
    return WalkResult::advance();
  });
}
