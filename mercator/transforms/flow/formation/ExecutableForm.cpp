// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/ExecutableForm.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator;

namespace {
class FormBuilder {
public:
  explicit FormBuilder(flow::ExecutableOp executable)
      : executable(executable), module(executable.getInnerModule()) {
    orderSymbols();
    replacer.addReplacement([&](SymbolRefAttr ref) {
      return std::make_pair(replace(ref), WalkResult::skip());
    });
  }

  flow::ExecutableForm build() {
    number(executable.getBody());
    add(executable->getDiscardableAttrDictionary());
    add(executable.getBody());
    return std::move(form);
  }

private:
  void orderSymbols();
  SymbolRefAttr replace(SymbolRefAttr ref);
  Attribute replaceNames(Operation *op);

  void number(Region &region);
  void add(const void *word) {
    form.push_back(reinterpret_cast<uintptr_t>(word));
  }
  void add(Attribute attr) { add(attr.getAsOpaquePointer()); }
  void add(Type type) { add(type.getAsOpaquePointer()); }
  void addCount(size_t count) { form.push_back(count); }
  void add(Region &region);
  void add(Block &block);
  void add(Operation &op);

  flow::ExecutableOp executable;
  /// Null if there is none.
  ModuleOp module;
  /// The symbols of the module in the order in which the exports reach them,
  /// then the unreached ones. Empty if names are kept.
  llvm::SetVector<Operation *> symbols;
  llvm::DenseMap<StringAttr, size_t> symbolNumbers;
  llvm::DenseMap<Value, size_t> values;
  llvm::DenseMap<Block *, size_t> blocks;
  AttrTypeReplacer replacer;
  flow::ExecutableForm form;
};
} // namespace

/// Fills `symbols` and `symbolNumbers`.
void FormBuilder::orderSymbols() {
  if (!module)
    return;
  // With nested symbol tables, a name may belong to another table.
  WalkResult others = executable.walk([&](Operation *op) {
    bool other = op != executable && op != module &&
                 op->hasTrait<OpTrait::SymbolTable>();
    return other ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (others.wasInterrupted())
    return;
  llvm::DenseMap<StringAttr, Operation *> table;
  for (Operation &op : *module.getBody())
    if (auto name =
            op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      table[name] = &op;
  auto reach = [&](Operation *op) {
    op->getAttrDictionary().walk([&](SymbolRefAttr ref) {
      if (Operation *symbol = table.lookup(ref.getRootReference()))
        symbols.insert(symbol);
    });
  };
  if (table.size() > 1) {
    for (auto exportOp :
         executable.getBlock().getOps<flow::ExecutableExportOp>())
      reach(exportOp);
    for (size_t i = 0; i < symbols.size(); ++i)
      symbols[i]->walk(reach);
  }
  for (Operation &op : *module.getBody())
    if (op.hasAttr(SymbolTable::getSymbolAttrName()))
      symbols.insert(&op);
  for (auto [i, symbol] : llvm::enumerate(symbols))
    symbolNumbers[symbol->getAttrOfType<StringAttr>(
        SymbolTable::getSymbolAttrName())] = i;
}

/// A symbol of the module is written `0`, `1`..., any other symbol `@NAME`.
SymbolRefAttr FormBuilder::replace(SymbolRefAttr ref) {
  auto found = symbolNumbers.find(ref.getRootReference());
  std::string name = found == symbolNumbers.end()
                         ? "@" + ref.getRootReference().str()
                         : llvm::utostr(found->second);
  return SymbolRefAttr::get(StringAttr::get(ref.getContext(), name),
                            ref.getNestedReferences());
}

/// The attributes of `op` without the names that do not matter.
Attribute FormBuilder::replaceNames(Operation *op) {
  DictionaryAttr attrs = op->getAttrDictionary();
  bool isExport = isa<flow::ExecutableExportOp>(op);
  if (isExport || symbols.contains(op)) {
    NamedAttrList list(attrs);
    list.erase(SymbolTable::getSymbolAttrName());
    attrs = list.getDictionary(op->getContext());
  }
  return replacer.replace(attrs);
}

void FormBuilder::number(Region &region) {
  for (Block &block : region) {
    blocks.try_emplace(&block, blocks.size());
    for (BlockArgument argument : block.getArguments())
      values.try_emplace(argument, values.size());
    auto numberOp = [&](Operation &op) {
      for (OpResult result : op.getResults())
        values.try_emplace(result, values.size());
      for (Region &inner : op.getRegions())
        number(inner);
    };
    // The symbols are added later, in their own order.
    for (Operation &op : block)
      if (!symbols.contains(&op))
        numberOp(op);
    if (module && &block == module.getBody())
      for (Operation *symbol : symbols)
        numberOp(*symbol);
  }
}

void FormBuilder::add(Region &region) {
  addCount(llvm::range_size(region));
  for (Block &block : region)
    add(block);
}

void FormBuilder::add(Block &block) {
  addCount(block.getNumArguments());
  for (BlockArgument argument : block.getArguments())
    add(replacer.replace(argument.getType()));
  addCount(block.getOperations().size());
  for (Operation &op : block)
    if (!symbols.contains(&op))
      add(op);
  if (module && &block == module.getBody())
    for (Operation *symbol : symbols)
      add(*symbol);
}

void FormBuilder::add(Operation &op) {
  add(op.getName().getAsOpaquePointer());
  add(replaceNames(&op));
  addCount(op.getNumOperands());
  for (Value operand : op.getOperands())
    addCount(values.lookup(operand));
  addCount(op.getNumResults());
  for (Type type : op.getResultTypes())
    add(replacer.replace(type));
  addCount(op.getNumSuccessors());
  for (Block *successor : op.getSuccessors())
    addCount(blocks.lookup(successor));
  addCount(op.getNumRegions());
  for (Region &region : op.getRegions())
    add(region);
}

flow::ExecutableForm flow::getForm(ExecutableOp executable) {
  return FormBuilder(executable).build();
}
