// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/UndoHlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/hlo/Layouts.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;

static void inlineFusion(hlo::FusionOp fusion) {
  Block &body = fusion.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), fusion.getInputs()))
    argument.replaceAllUsesWith(operand);
  Operation *end = body.getTerminator();
  fusion->replaceAllUsesWith(end->getOperands());
  end->erase();
  fusion->getBlock()->getOperations().splice(fusion->getIterator(),
                                             body.getOperations());
  fusion.erase();
}

//===--- Annotations ------------------------------------------------------===//

/// Replaces an annotation of the placement of a tensor by its operand.
static void dropAnnotation(Operation *op) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (!sdy::isSameValue(op) && !isa<sdy::ShardingGroupOp>(op) &&
      !(call && stablehlo::isAnnotation(call)))
    return;
  OpBuilder b(op);
  for (auto [result, operand] :
       llvm::zip(op->getResults(), op->getOperands())) {
    Value same = operand;
    if (same.getType() != result.getType())
      same = hlo::CopyOp::create(b, op->getLoc(), result.getType(), operand);
    result.replaceAllUsesWith(same);
  }
  op->erase();
}

//===--- Bitcasts ---------------------------------------------------------===//

/// The number of bits of an element in memory; none if it depends on the
/// target.
static std::optional<unsigned> bitsInMemory(RankedTensorType type) {
  auto layout = dyn_cast_or_null<hlo::LayoutAttr>(type.getEncoding());
  // Another memory space keeps the order of elements; tiles do not.
  StringRef rest = layout ? layout.getRest() : "";
  bool isPlain = rest.empty() || (rest.consume_front("S(") &&
                                  rest.find(')') == rest.size() - 1);
  if (!type.hasStaticShape() || !isPlain)
    return std::nullopt;
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  Type element = type.getElementType();
  unsigned parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  if (!element.isIntOrFloat())
    return std::nullopt;
  unsigned bits = element.getIntOrFloatBitWidth();
  // A boolean takes one byte.
  if (bits != 1 && bits % 8 != 0)
    return std::nullopt;
  return parts * std::max(bits, 8u);
}

/// Whether StableHLO can express the bitcast.
static bool isSpelled(hlo::BitcastOp op) {
  RankedTensorType from = op.getOperand().getType(), to = op.getType();
  std::optional<unsigned> fromBits = bitsInMemory(from),
                          toBits = bitsInMemory(to);
  if (from == to)
    return true;
  if (!fromBits || !toBits)
    return false;
  Type element = from.getElementType(), other = to.getElementType();
  if (element == other)
    return true;
  for (Type it : {element, other})
    if (isa<ComplexType>(it) || it.isInteger(1))
      return false;
  return *fromBits % *toBits == 0 || *toBits % *fromBits == 0;
}

StringRef ascend::whyHloStays(Operation *op) {
  if (auto bitcast = dyn_cast<hlo::BitcastOp>(op)) {
    if (isSpelled(bitcast))
      return "layouts are kept because another bitcast stays";
    if (bitsInMemory(bitcast.getOperand().getType()) &&
        bitsInMemory(bitcast.getType()))
      return "it changes the type of elements whose bytes StableHLO does not "
             "define";
    return "the order of its bytes in memory is unknown: tiles, elements of "
           "less than a byte, or extents that are not static";
  }
  if (isa<hlo::CopyOp>(op))
    return "it changes a layout, and layouts are kept because a bitcast stays";
  if (isa<hlo::OpaqueOp>(op))
    return "StableHLO has no such operation";
  return "";
}

/// The dimensions from the slowest to the fastest in memory.
static SmallVector<int64_t> inMemory(RankedTensorType type) {
  SmallVector<int64_t> order = hlo::minorToMajor(type);
  std::reverse(order.begin(), order.end());
  return order;
}

static RankedTensorType permuted(RankedTensorType type,
                                 ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  return RankedTensorType::get(shape, type.getElementType());
}

/// The elements of a vector as elements of another type with the same total
/// size.
static Value castElements(ImplicitLocOpBuilder &b, Value x, unsigned fromBits,
                          Type element, unsigned toBits) {
  auto type = cast<RankedTensorType>(x.getType());
  Type from = type.getElementType();
  int64_t count = type.getNumElements();
  if (fromBits == toBits)
    return stablehlo::BitcastConvertOp::create(
        b, RankedTensorType::get({count}, element), x);
  // The narrower elements are the last dimension.
  if (fromBits % toBits == 0) {
    int64_t parts = fromBits / toBits;
    auto parted = RankedTensorType::get({count, parts}, element);
    return stablehlo::ReshapeOp::create(
        b, RankedTensorType::get({count * parts}, element),
        stablehlo::BitcastConvertOp::create(b, parted, x));
  }
  int64_t parts = toBits / fromBits;
  auto parted = RankedTensorType::get({count / parts, parts}, from);
  return stablehlo::BitcastConvertOp::create(
      b, RankedTensorType::get({count / parts}, element),
      stablehlo::ReshapeOp::create(b, parted, x));
}

/// Element n of the operand in memory order is element n of the result in
/// memory order. Requires: isSpelled. `from` is the operand's type in the
/// original program.
static void spellBitcast(hlo::BitcastOp op, RankedTensorType from) {
  RankedTensorType to = op.getType();
  if (from == to) {
    op.getResult().replaceAllUsesWith(op.getOperand());
    op.erase();
    return;
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto reshape = [&](Value x, RankedTensorType type) -> Value {
    return x.getType() == type ? x : stablehlo::ReshapeOp::create(b, type, x);
  };
  auto transpose = [&](Value x, ArrayRef<int64_t> order,
                       RankedTensorType type) -> Value {
    if (llvm::is_sorted(order))
      return x;
    return stablehlo::TransposeOp::create(b, Type(type), x, order);
  };
  SmallVector<int64_t> read = inMemory(from), written = inMemory(to);
  // Layouts are dropped from all types afterwards.
  Value x = transpose(op.getOperand(), read, permuted(from, read));
  RankedTensorType between = permuted(to, written);
  if (from.getElementType() != to.getElementType()) {
    x = reshape(x, RankedTensorType::get({from.getNumElements()},
                                         from.getElementType()));
    x = castElements(b, x, *bitsInMemory(from), to.getElementType(),
                     *bitsInMemory(to));
  }
  x = reshape(x, between);
  SmallVector<int64_t> back(written.size());
  for (auto [i, dim] : llvm::enumerate(written))
    back[dim] = int64_t(i);
  x = transpose(x, back, hlo::rowMajor(to));
  op.getResult().replaceAllUsesWith(x);
  op.erase();
}

/// Bitcasts, layouts and copies. If a bitcast stays, layouts stay too, because
/// it depends on them.
static void undoLayouts(ModuleOp module) {
  SmallVector<std::pair<hlo::BitcastOp, RankedTensorType>> bitcasts;
  module.walk([&](hlo::BitcastOp op) {
    bitcasts.push_back({op, op.getOperand().getType()});
  });
  if (llvm::all_of(bitcasts, [](auto &it) { return isSpelled(it.first); })) {
    for (auto [op, from] : bitcasts)
      spellBitcast(op, from);
    hlo::dropLayouts(module);
  }
  module.walk([](Operation *op) {
    if (!isa<hlo::CopyOp, hlo::ElementOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

//===--- Tuples -----------------------------------------------------------===//

/// The members of a tuple that is assembled here; for any other value, the
/// value itself.
static void collectMembers(Value value, SmallVectorImpl<Value> &members) {
  auto tuple = value.getDefiningOp<stablehlo::TupleOp>();
  if (!tuple)
    return members.push_back(value);
  for (Value member : tuple->getOperands())
    collectMembers(member, members);
}

static void returnMembers(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  auto end =
      dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  if (!end)
    return;
  SmallVector<Value> members;
  for (Value value : end.getOperands())
    collectMembers(value, members);
  if (llvm::equal(members, end.getOperands()))
    return;
  end->setOperands(members);
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     TypeRange(ValueRange(members))));
}

void ascend::foldTuples(ModuleOp module) {
  SmallVector<stablehlo::TupleOp> tuples;
  module.walk([&](Operation *op) {
    if (auto tuple = dyn_cast<stablehlo::TupleOp>(op))
      tuples.push_back(tuple);
    auto member = dyn_cast<stablehlo::GetTupleElementOp>(op);
    if (!member)
      return;
    auto tuple = member.getOperand().getDefiningOp<stablehlo::TupleOp>();
    if (!tuple)
      return;
    member.getResult().replaceAllUsesWith(tuple->getOperand(member.getIndex()));
    member.erase();
  });
  // A tuple comes after its members, which may be tuples.
  for (stablehlo::TupleOp tuple : llvm::reverse(tuples))
    if (tuple->use_empty())
      tuple.erase();
}

void ascend::undoHlo(ModuleOp module) {
  // Inner operations first: an operation moves once for each fusion around it.
  module.walk<WalkOrder::PostOrder>([](Operation *op) {
    if (auto fusion = dyn_cast<hlo::FusionOp>(op))
      inlineFusion(fusion);
    else
      dropAnnotation(op);
  });
  foldTuples(module);
  undoLayouts(module);
  // Calls depend on the results of functions. Computed once for the module,
  // which may have thousands of functions.
  auto referred = referredSymbols(module);
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && referred &&
        !referred->contains(function.getSymNameAttr()))
      returnMembers(function);
}
