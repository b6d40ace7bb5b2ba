// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/graph/InputNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

StringAttr ascend::bare(StringAttr name) {
  return StringAttr::get(name.getContext(),
                         name.strref().ltrim('%').split(",%").first);
}

using Names = llvm::SmallVector<StringAttr, 2>;

static void add(StringAttr name, Names &names) {
  if (name && !name.empty() && !llvm::is_contained(names, name))
    names.push_back(name);
}

static void addNames(Location loc, Names &names) {
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner))
      add(bare(named.getName()), names);
    return WalkResult::advance();
  });
}

static Names programNames(func::FuncOp function, unsigned argument) {
  Names names;
  addNames(function.getArgument(argument).getLoc(), names);
  add(function.getArgAttrOfType<StringAttr>(argument, "jax.arg_info"), names);
  return names;
}

/// The name of an input without a name.
static StringAttr defaultName(MLIRContext *context, uint64_t index) {
  return StringAttr::get(context, "input" + llvm::Twine(index));
}

Names ascend::namesOf(func::FuncOp function, unsigned argument) {
  Names names = programNames(function, argument);
  if (names.empty())
    names.push_back(defaultName(function.getContext(), argument));
  return names;
}

Names ascend::namesOf(DataOp data) {
  Names names;
  add(data.getNameAttr() ? data.getNameAttr()
                         : defaultName(data.getContext(), data.getIndex()),
      names);
  addNames(data.getLoc(), names);
  return names;
}

StringAttr ascend::nameOf(func::FuncOp function, unsigned argument) {
  Names names = programNames(function, argument);
  return names.empty() ? StringAttr() : names.front();
}

std::string ascend::inputName(func::FuncOp function, unsigned argument) {
  if (StringAttr name = nameOf(function, argument))
    return name.str();
  return "input" + std::to_string(argument);
}
