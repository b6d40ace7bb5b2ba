// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/ControlFlow.h"

#include "mercator/transforms/stablehlo/simplify/UnrollLoops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

namespace {
class Remover {
public:
  void run(ModuleOp module);

private:
  bool unroll(sh::WhileOp loop);
  bool flatten(Operation *branching, Value index);

  int64_t left = kMostUnrolled;
};
} // namespace

static Value constant(OpBuilder &b, Location loc, Type type,
                      const APInt &value) {
  return sh::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(type), ArrayRef(value)));
}

bool Remover::unroll(sh::WhileOp loop) {
  std::optional<int64_t> made = sh::unroll(loop, left, left);
  left -= made.value_or(0);
  return made.has_value();
}

//===--- Branches ---------------------------------------------------------===//

/// True for the empty tuple and a token: all values of the type are alike.
static bool holdsNothing(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return isa<sh::TokenType>(type) || (tuple && tuple.size() == 0);
}

/// `index` selects region 0, 1, ..; any other number selects the last. The
/// condition of an `if` selects region 0 if it holds.
bool Remover::flatten(Operation *branching, Value index) {
  OpBuilder b(branching);
  Location loc = branching->getLoc();
  MutableArrayRef<Region> regions = branching->getRegions();
  bool isIf = isa<sh::IfOp>(branching);
  if (std::optional<APInt> known = sh::integerOf(index)) {
    uint64_t last = regions.size() - 1;
    uint64_t chosen = isIf ? known->isZero()
                      : known->isNegative()
                          ? last
                          : std::min(known->getLimitedValue(), last);
    IRMapping mapping;
    branching->replaceAllUsesWith(
        sh::copyBlock(b, regions[chosen].front(), mapping));
    branching->erase();
    return true;
  }
  // All branches are computed, so they may have no effect.
  if (!isMemoryEffectFree(branching) ||
      !llvm::all_of(branching->getResultTypes(), [](Type type) {
        return isa<RankedTensorType>(type) || holdsNothing(type);
      }))
    return false;
  int64_t size = 0;
  for (Region &region : regions)
    size += sh::countOperations(region.front());
  if (size > left)
    return false;
  left -= size;
  SmallVector<Value> results;
  for (size_t k = regions.size(); k-- > 0;) {
    IRMapping mapping;
    SmallVector<Value> branch = sh::copyBlock(b, regions[k].front(), mapping);
    if (results.empty()) {
      results = std::move(branch);
      continue;
    }
    Value chosen = index;
    if (!isIf) {
      auto type = cast<RankedTensorType>(index.getType());
      Value number =
          constant(b, loc, type,
                   APInt(type.getElementType().getIntOrFloatBitWidth(), k));
      chosen = sh::CompareOp::create(
          b, loc, type.clone(b.getI1Type()), index, number,
          sh::ComparisonDirectionAttr::get(b.getContext(),
                                           sh::ComparisonDirection::EQ),
          nullptr);
    }
    for (auto [result, other] : llvm::zip_equal(results, branch))
      if (!holdsNothing(result.getType()))
        result = sh::SelectOp::create(b, loc, result.getType(), chosen, other,
                                      result);
  }
  branching->replaceAllUsesWith(results);
  branching->erase();
  return true;
}

//===--- The program ------------------------------------------------------===//

void Remover::run(ModuleOp module) {
  // Inner loops first; a loop whose number of iterations follows from the
  // counter of an outer one has its turn when that one is unrolled.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    SmallVector<Operation *> found;
    module.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<sh::WhileOp, sh::IfOp, sh::CaseOp>(op))
        found.push_back(op);
    });
    for (Operation *op : found)
      isChanged |= llvm::TypeSwitch<Operation *, bool>(op)
                       .Case([&](sh::WhileOp loop) { return unroll(loop); })
                       .Case([&](sh::IfOp choice) {
                         return flatten(choice, choice.getPred());
                       })
                       .Case([&](sh::CaseOp choice) {
                         return flatten(choice, choice.getIndex());
                       })
                       .Default(false);
  }
}

void ascend::removeControlFlow(ModuleOp module) { Remover().run(module); }
