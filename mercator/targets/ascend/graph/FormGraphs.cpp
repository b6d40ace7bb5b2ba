// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/graph/InputNames.h"
#include "mercator/targets/ascend/graph/Tidy.h"
#include "mercator/targets/ascend/prepare/Bounds.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// Backward, so that operations used only by dead operations are dead when they
/// are visited.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static void shareConstants(Block &block) {
  // The attribute includes the type.
  llvm::DenseMap<Attribute, Value> first;
  for (ConstOp op : llvm::make_early_inc_range(block.getOps<ConstOp>())) {
    // Two constants without elements in the text may differ.
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (resource && !resource.getRawHandle().getBlob())
      continue;
    auto [known, isNew] = first.try_emplace(op.getValue(), op.getResult());
    if (isNew)
      continue;
    op.getResult().replaceAllUsesWith(known->second);
    op.erase();
  }
}

/// One Shape for each tensor.
static void shareShapes(Block &block) {
  llvm::DenseMap<Value, Value> first;
  for (ShapeOp op : llvm::make_early_inc_range(block.getOps<ShapeOp>())) {
    auto [known, isNew] = first.try_emplace(op.getX(), op.getResult());
    if (isNew)
      continue;
    op.getResult().replaceAllUsesWith(known->second);
    op.erase();
  }
}

/// Why a value of this type cannot be an input or result of a graph.
static std::string whyNotInterface(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.getRank() <= 8 && geType(tensor.getElementType()))
    return "";
  std::string text = "there is no conversion of inputs or results of type ";
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Why the function cannot become a graph; empty if it can.
static std::string whyNot(func::FuncOp function) {
  if (function.isExternal())
    return "it has no body";
  if (!llvm::hasSingleElement(function.getBody()))
    return "it has more than one block";
  for (ArrayRef<Type> types :
       {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types)
      if (std::string why = whyNotInterface(type); !why.empty())
        return why;
  for (Operation &op : function.getBody().front()) {
    if (isa_and_nonnull<AscendDialect>(op.getDialect()) ||
        isa<func::ReturnOp>(op))
      continue;
    return ("it has a " + op.getName().getStringRef()).str();
  }
  return "";
}

/// A node that replaces an operation of the program gets its name; helper nodes
/// before it get `NAME/TYPE`.
static void nameNodes(Block &block) {
  llvm::DenseSet<StringAttr> taken;
  for (Operation &op : llvm::reverse(block)) {
    auto named = dyn_cast<NameLoc>(op.getLoc());
    if (!named || isa<DataOp>(op))
      continue;
    StringAttr name = bare(named.getName());
    if (!taken.insert(name).second)
      name = StringAttr::get(op.getContext(),
                             name.strref() + "/" + op.getName().stripDialect());
    op.setLoc(NameLoc::get(name, named.getChildLoc()));
  }
}

static void formGraph(func::FuncOp function) {
  OpBuilder b(function);
  auto graph = GraphOp::create(b, function.getLoc(), function.getSymName());
  Block &from = function.getBody().front();
  Block &to = graph.getBody().emplaceBlock();
  b.setInsertionPointToStart(&to);
  for (auto [i, argument] : llvm::enumerate(from.getArguments())) {
    auto data = DataOp::create(
        b, argument.getLoc(), argument.getType(),
        b.getI64IntegerAttr(int64_t(i)), nameOf(function, i),
        function.getArgAttrOfType<DenseI64ArrayAttr>(i, kBoundsName));
    argument.replaceAllUsesWith(data.getResult());
  }
  to.getOperations().splice(to.end(), from.getOperations());
  nameNodes(to);
  Operation &end = to.back();
  b.setInsertionPoint(&end);
  NetOutputOp::create(b, end.getLoc(), end.getOperands());
  end.erase();
  function.erase();
}

std::vector<Unconverted> ascend::formGraphs(ModuleOp module) {
  // A referenced symbol must stay a function.
  auto referred = referredSymbols(module);
  std::vector<Unconverted> stay;
  for (func::FuncOp function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    for (Block &block : function.getBody()) {
      tidy(block);
      eraseDead(block);
      shareConstants(block);
      shareShapes(block);
    }
    std::string why = !referred || referred->contains(function.getSymNameAttr())
                          ? "it is referenced"
                          : whyNot(function);
    if (why.empty())
      formGraph(function);
    else
      stay.push_back({function, std::move(why)});
  }
  return stay;
}
