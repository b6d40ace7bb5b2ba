// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Tuples.h"

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

/// Appends the members of a value, and of the tuples among them.
static void appendMembers(Value value, SmallVectorImpl<Value> &members) {
  auto tuple = value.getDefiningOp<stablehlo::TupleOp>();
  if (!tuple)
    return members.push_back(value);
  for (Value member : tuple->getOperands())
    appendMembers(member, members);
}

/// The shardings of the members of a tuple, from `{{replicated}, {devices=[8,1]}}`.
static SmallVector<StringRef> shardingsOfMembers(StringRef text) {
  SmallVector<StringRef> members;
  unsigned depth = 0;
  size_t begin = 0;
  for (auto [at, letter] : llvm::enumerate(text)) {
    if (letter == '{' && ++depth == 2)
      begin = at;
    if (letter == '}' && depth > 0 && depth-- == 2)
      members.push_back(text.slice(begin, at + 1));
  }
  return members;
}

/// Returns members instead of tuples. They keep their shardings.
static void returnMembersOf(func::FuncOp function) {
  Operation *returns = function.getBody().front().getTerminator();
  SmallVector<Value> returned;
  SmallVector<StringRef> shardings; // empty: none is stated
  for (Value value : returns->getOperands()) {
    appendMembers(value, returned);
    auto tuple = value.getDefiningOp<stablehlo::TupleOp>();
    auto text = tuple ? tuple->getAttrOfType<StringAttr>("mhlo.sharding")
                      : StringAttr();
    if (text)
      if (auto stated = shardingsOfMembers(text);
          shardings.size() + stated.size() == returned.size())
        shardings.append(stated);
    shardings.resize(returned.size());
  }
  if (llvm::equal(returned, returns->getOperands()))
    return;
  returns->setOperands(returned);
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     returns->getOperandTypes()));
  Builder b(function.getContext());
  for (auto [i, sharding] : llvm::enumerate(shardings))
    if (!sharding.empty())
      function.setResultAttr(i, "mhlo.sharding", b.getStringAttr(sharding));
}

void mercator::spmd::removeTuples(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<hlo::ElementOp, hlo::CopyOp>(op) ||
        op->getResultTypes() != op->getOperandTypes())
      return;
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  });
  function.walk([](stablehlo::GetTupleElementOp take) {
    auto tuple = take->getOperand(0).getDefiningOp<stablehlo::TupleOp>();
    auto index = take->getAttrOfType<IntegerAttr>("index");
    if (!tuple || !index || uint64_t(index.getInt()) >= tuple->getNumOperands())
      return;
    take->getResult(0).replaceAllUsesWith(tuple->getOperand(index.getInt()));
    take.erase();
  });
  returnMembersOf(function);
  // From the last, since a tuple may be a member of a later one.
  SmallVector<stablehlo::TupleOp> tuples;
  function.walk([&](stablehlo::TupleOp tuple) { tuples.push_back(tuple); });
  for (stablehlo::TupleOp tuple : llvm::reverse(tuples))
    if (tuple->use_empty())
      tuple.erase();
}
