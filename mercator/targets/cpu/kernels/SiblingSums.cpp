// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/SiblingSums.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/SumCode.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// The buffers that an operation and its regions access.
struct Accessed {
  bool isKnown = true;
  llvm::SmallPtrSet<mlir::Value, 4> read, written;
};

class SiblingSums {
public:
  explicit SiblingSums(Block &block) : block(block) {}
  void join();

private:
  [[nodiscard]] static bool isCandidate(linalg::GenericOp op);
  [[nodiscard]] static bool areSiblings(linalg::GenericOp a,
                                        linalg::GenericOp b);
  const Accessed &accessedBy(Operation *op);
  /// Whether two operations that follow each other may do so in the other order.
  bool mayExchange(Operation *x, Operation *y);
  /// The joined operation, or null.
  linalg::GenericOp tryToJoin(linalg::GenericOp a, linalg::GenericOp b);

  Block &block;
  llvm::DenseMap<Operation *, Accessed> accessed;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be joined
//===----------------------------------------------------------------------===//

/// A sum of columns without any other loop, so that it is in no group of rows.
bool SiblingSums::isCandidate(linalg::GenericOp op) {
  if (!hasKnownLoops(op) || !columnsOf(op) || op.getNumParallelLoops() != 1)
    return false;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (auto [dim, kind] : llvm::enumerate(kinds))
      if (kind == utils::IteratorType::reduction &&
          map.isFunctionOfDim(unsigned(dim)))
        return false;
    return true;
  });
}

bool SiblingSums::areSiblings(linalg::GenericOp a, linalg::GenericOp b) {
  constexpr unsigned kMostInputs = 2, kMostSums = 4;
  if (a.getIteratorTypesArray() != b.getIteratorTypesArray() ||
      a.getStaticLoopRanges() != b.getStaticLoopRanges() ||
      columnsOf(a) != columnsOf(b) || b->hasAttr(kRows) ||
      a.getNumDpsInits() + b.getNumDpsInits() > kMostSums)
    return false;
  unsigned shared = 0;
  for (OpOperand *theirs : b.getDpsInputOperands())
    shared += llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *own) {
      return own->get() == theirs->get() &&
             a.getMatchingIndexingMap(own) == b.getMatchingIndexingMap(theirs);
    });
  return shared != 0 &&
         a.getNumDpsInputs() + b.getNumDpsInputs() - shared <= kMostInputs;
}

const Accessed &SiblingSums::accessedBy(Operation *op) {
  auto [found, isNew] = accessed.try_emplace(op);
  Accessed &own = found->second;
  if (!isNew)
    return own;
  op->walk([&](Operation *inner) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!interface) {
      own.isKnown &= inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                     isMemoryEffectFree(inner);
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      mlir::Value value = effect.getValue();
      if (isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      if (!value || !isa<MemRefType>(value.getType()))
        own.isKnown = false;
      else if (isa<MemoryEffects::Read>(effect.getEffect()))
        own.read.insert(rootOf(value));
      else
        own.written.insert(rootOf(value));
    }
  });
  return own;
}

bool SiblingSums::mayExchange(Operation *x, Operation *y) {
  if (isOrderless(x) || isOrderless(y))
    return true;
  const Accessed own = accessedBy(x); // a copy: the map grows
  const Accessed &other = accessedBy(y);
  auto touches = [](const Accessed &all) {
    return [&](mlir::Value buffer) {
      return all.read.contains(buffer) || all.written.contains(buffer);
    };
  };
  return own.isKnown && other.isKnown &&
         llvm::none_of(own.written, touches(other)) &&
         llvm::none_of(other.written, touches(own));
}

//===----------------------------------------------------------------------===//
// The joined operation
//===----------------------------------------------------------------------===//

static linalg::GenericOp joinedSums(OpBuilder &builder, linalg::GenericOp a,
                                    linalg::GenericOp b) {
  SmallVector<mlir::Value> inputs, results;
  SmallVector<AffineMap> maps, ofResults;
  SmallVector<SmallVector<unsigned>> places; // of the inputs of each
  linalg::GenericOp both[] = {a, b};
  for (linalg::GenericOp op : both) {
    SmallVector<unsigned> &own = places.emplace_back();
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      unsigned place = 0;
      while (place < inputs.size() &&
             (inputs[place] != input->get() || maps[place] != map))
        ++place;
      if (place == inputs.size()) {
        inputs.push_back(input->get());
        maps.push_back(map);
      }
      own.push_back(place);
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      results.push_back(init.get());
      ofResults.push_back(op.getMatchingIndexingMap(&init));
    }
  }
  llvm::append_range(maps, ofResults);
  auto joined = linalg::GenericOp::create(
      builder, a.getLoc(), TypeRange(), inputs, results, maps,
      a.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        SmallVector<mlir::Value> yielded;
        size_t next = inputs.size();
        for (auto [op, own] : llvm::zip_equal(both, places)) {
          Block &body = *op.getBlock();
          IRMapping mapping;
          for (auto [k, argument] : llvm::enumerate(body.getArguments()))
            mapping.map(argument,
                        k < own.size() ? arguments[own[k]] : arguments[next++]);
          for (Operation &each : body.without_terminator())
            inner.clone(each, mapping);
          for (mlir::Value value : body.getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(inner, loc, yielded);
      });
  joined->setDiscardableAttrs(a->getDiscardableAttrDictionary());
  return joined;
}

linalg::GenericOp SiblingSums::tryToJoin(linalg::GenericOp a,
                                         linalg::GenericOp b) {
  if (!areSiblings(a, b) || !mayExchange(a, b))
    return {};
  auto between =
      llvm::make_range(std::next(a->getIterator()), b->getIterator());
  auto passesAll = [&](Operation *moved) {
    return llvm::all_of(between,
                        [&](Operation &op) { return mayExchange(moved, &op); });
  };
  auto isKnownAtA = [&](mlir::Value value) {
    Operation *made = value.getDefiningOp();
    return !made || made->isBeforeInBlock(a);
  };
  Operation *place = b;
  if (!passesAll(a)) {
    if (!passesAll(b) || !llvm::all_of(b->getOperands(), isKnownAtA))
      return {};
    place = a;
  }
  OpBuilder builder(place);
  linalg::GenericOp joined = joinedSums(builder, a, b);
  for (linalg::GenericOp old : {a, b}) {
    accessed.erase(old);
    old.erase();
  }
  return joined;
}

void SiblingSums::join() {
  constexpr size_t kMost = 8; // sums that are compared with the next one
  SmallVector<linalg::GenericOp> last;
  SmallVector<linalg::GenericOp> all(block.getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : all) {
    if (!isCandidate(op))
      continue;
    linalg::GenericOp joined;
    for (linalg::GenericOp &earlier : llvm::reverse(last))
      if ((joined = tryToJoin(earlier, op))) {
        earlier = joined;
        break;
      }
    if (joined)
      continue;
    if (last.size() == kMost)
      last.erase(last.begin());
    last.push_back(op);
  }
}

void cpu::joinSiblingSums(func::FuncOp kernel) {
  if (llvm::hasSingleElement(kernel.getBody()))
    SiblingSums(kernel.getBody().front()).join();
}
