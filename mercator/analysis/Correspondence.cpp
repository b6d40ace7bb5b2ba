// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/Correspondence.h"
#include "mercator/analysis/Names.h"
#include "mercator/analysis/ValueHashes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <unordered_map>

using namespace mercator;
using llvm::SmallVector;
using mlir::Attribute;
using mlir::Block;
using mlir::NamedAttribute;
using mlir::Operation;
using mlir::Type;
using mlir::Value;

using Hash = ValueHashes::Hash;

template <typename T> static std::string textOf(T thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

namespace {

//===----------------------------------------------------------------------===//
// Two blocks
//===----------------------------------------------------------------------===//

using Partners = llvm::DenseMap<Operation *, Operation *>;

/// Pairs the operations of two blocks.
class BlockMatcher {
public:
  BlockMatcher(ValueHashes &a, ValueHashes &b, Block &first, Block &second)
      : programs{&a, &b}, blocks{&first, &second},
        downs{a.down(first), b.down(second)} {}

  void run() {
    auto own = [&](int s, Operation *op) { return programs[s]->own(op); };
    auto label = [&](int s, Operation *op) { return programs[s]->label(op); };
    auto kind = [](int, Operation *op) {
      return ValueHashes::ofText(op->getName().getStringRef());
    };
    auto ownAndDown = [&](int s, Operation *op) {
      return ValueHashes::mix(own(s, op), downs[s].lookup(op));
    };
    auto named = [](auto key) {
      return [=](int s, Operation *op) {
        return ValueHashes::mix(key(s, op),
                                ValueHashes::ofText(instructionName(op)));
      };
    };
    pair(&blocks[0]->back(), &blocks[1]->back());
    byKey(Among::Several, [&](int s, Operation *op) {
      return ValueHashes::mix(programs[s]->up(op), downs[s].lookup(op));
    });
    byKey(Among::Several,
          [&](int s, Operation *op) { return programs[s]->up(op); });
    // From here on the candidates are not alike: certain pairs first.
    byKey(Among::One, ownAndDown);
    spread(Among::One, own);
    byKey(Among::Several, named(own));
    spread(Among::One, own);
    spread(Among::Several, own);
    byKey(Among::Several, ownAndDown);
    spread(Among::One, label);
    byKey(Among::Several, named(label));
    spread(Among::Several, label);
    spread(Among::One, kind);
    // Another operation in the place of one: the same operands and types.
    byKey(Among::One, [&](int s, Operation *op) { return place(s, op); });
  }

  /// From the first block to the second.
  Partners partners;

private:
  /// How many candidates each side may have.
  enum class Among { One, Several };

  bool isOpen(int side, Operation *op) const {
    return side == 0 ? !partners.contains(op) : !taken.contains(op);
  }
  void pair(Operation *a, Operation *b) {
    partners[a] = b;
    taken.insert(b);
    order.push_back({a, b});
  }

  using Candidates = std::array<SmallVector<Operation *>, 2>;

  /// Pairs candidates with equal names, then the others in order. If there are
  /// more on one side, the last ones stay open.
  void pairAll(Among among, Candidates &candidates) {
    auto &[first, second] = candidates;
    if (first.empty() || second.empty())
      return;
    if (among == Among::One && (first.size() > 1 || second.size() > 1))
      return;
    if (first.size() > 1 || second.size() > 1) {
      std::map<std::string, Operation *> byName;
      for (Operation *op : llvm::reverse(second))
        byName[instructionName(op)] = op;
      for (Operation *op : first) {
        auto it = byName.find(instructionName(op));
        if (it != byName.end() && isOpen(0, op) && isOpen(1, it->second))
          pair(op, it->second);
      }
    }
    auto *other = second.begin();
    for (Operation *op : first) {
      if (!isOpen(0, op))
        continue;
      while (other != second.end() && !isOpen(1, *other))
        ++other;
      if (other == second.end())
        break;
      pair(op, *other);
    }
  }

  /// Pairs the open operations of both blocks that have equal keys. Key 0 is
  /// none.
  template <typename Key> void byKey(Among among, Key key) {
    std::unordered_map<Hash, Candidates> buckets;
    SmallVector<Hash> inOrder;
    for (int side : {0, 1})
      for (Operation &op : *blocks[side])
        if (isOpen(side, &op))
          if (Hash hash = key(side, &op)) {
            auto [it, isNew] = buckets.try_emplace(hash);
            if (isNew)
              inOrder.push_back(hash);
            it->second[side].push_back(&op);
          }
    for (Hash hash : inOrder)
      pairAll(among, buckets[hash]);
  }

  /// Pairs operands and users of the pairs so far whose keys are equal.
  template <typename Key> void spread(Among among, Key key) {
    auto toUsers = [&](mlir::ValueRange first, mlir::ValueRange second) {
      std::map<Hash, Candidates> users;
      for (int side : {0, 1})
        for (Value value : side == 0 ? first : second)
          for (mlir::OpOperand &use : value.getUses()) {
            Operation *user = use.getOwner();
            if (!isOpenIn(side, user))
              continue;
            Hash place =
                ValueHashes::mix(numberOf(value), use.getOperandNumber());
            users[ValueHashes::mix(key(side, user), place)][side].push_back(
                user);
          }
      for (auto &[hash, candidates] : users) {
        for (auto &list : candidates) // uses are listed from the last
          std::reverse(list.begin(), list.end());
        pairAll(among, candidates);
      }
    };
    toUsers(blocks[0]->getArguments(), blocks[1]->getArguments());
    // `order` grows.
    for (size_t i = 0; i < order.size(); ++i) {
      auto [a, b] = order[i];
      unsigned common = std::min(a->getNumOperands(), b->getNumOperands());
      for (unsigned n = 0; n < common; ++n) {
        Operation *x = a->getOperand(n).getDefiningOp(),
                  *y = b->getOperand(n).getDefiningOp();
        if (isOpenIn(0, x) && isOpenIn(1, y) && key(0, x) == key(1, y))
          pair(x, y);
      }
      toUsers(a->getResults(), b->getResults());
    }
  }

  static unsigned numberOf(Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      return argument.getArgNumber();
    return llvm::cast<mlir::OpResult>(value).getResultNumber();
  }

  bool isOpenIn(int side, Operation *op) const {
    return op && op->getBlock() == blocks[side] && isOpen(side, op);
  }

  /// The operands, in terms of the first block, and the types of the results;
  /// 0 without a matched operand.
  Hash place(int side, Operation *op) {
    if (inverse.size() != partners.size())
      for (auto [a, b] : order)
        inverse[b] = a;
    Hash hash = programs[side]->types(op);
    bool isKnown = false;
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def) {
        hash = ValueHashes::mix(hash, programs[side]->up(operand));
        continue;
      }
      Operation *a = side == 0 ? def : inverse.lookup(def);
      if (!a || !partners.contains(a))
        return 0;
      isKnown = true;
      hash = ValueHashes::mix(
          hash, ValueHashes::mix(
                    reinterpret_cast<uintptr_t>(a),
                    llvm::cast<mlir::OpResult>(operand).getResultNumber()));
    }
    return isKnown || op->getNumOperands() > 0 ? hash : 0;
  }

  std::array<ValueHashes *, 2> programs;
  std::array<Block *, 2> blocks;
  std::array<llvm::DenseMap<Operation *, Hash>, 2> downs;
  llvm::DenseSet<Operation *> taken;
  llvm::DenseMap<Operation *, Operation *> inverse;
  std::vector<std::pair<Operation *, Operation *>> order;
};

//===----------------------------------------------------------------------===//
// Two programs
//===----------------------------------------------------------------------===//

class Matcher {
public:
  Correspondence run(Block &first, Block &second) {
    enter(first, second);
    // `result.blocks` grows.
    for (size_t i = 0; i < result.blocks.size(); ++i)
      blocks(*result.blocks[i].first, *result.blocks[i].second);
    return std::move(result);
  }

private:
  void enter(Block &first, Block &second) {
    if (first.empty() || second.empty() ||
        !entered.insert({&first, &second}).second)
      return;
    result.blocks.push_back({&first, &second});
  }

  void blocks(Block &first, Block &second) {
    BlockMatcher matcher(a, b, first, second);
    matcher.run();
    llvm::DenseSet<Operation *> found;
    for (Operation &op : first) {
      Operation *other = matcher.partners.lookup(&op);
      found.insert(other);
      if (!other) {
        result.onlyFirst.push_back(&op);
        continue;
      }
      bool isEqual = a.up(&op) == b.up(other);
      std::vector<std::string> changes;
      if (!isEqual) {
        changes = differences(&op, other, matcher.partners);
        enterBoth(&op, other);
      }
      if (!op.hasTrait<mlir::OpTrait::IsTerminator>() || !changes.empty())
        result.pairs.push_back({&op, other, isEqual, std::move(changes)});
    }
    for (Operation &op : second)
      if (!found.contains(&op))
        result.onlySecond.push_back(&op);
  }

  void enterBoth(Operation *x, Operation *y) {
    if (a.own(x) == b.own(y))
      return;
    for (auto [p, q] : llvm::zip(a.blocksOf(x), b.blocksOf(y)))
      enter(*p, *q);
  }

  std::vector<std::string> differences(Operation *x, Operation *y,
                                       const Partners &partners) {
    std::vector<std::string> changes;
    auto add = [&](const llvm::Twine &what, llvm::StringRef now,
                   llvm::StringRef before) {
      changes.push_back(
          (what + " is " + shorten(now) + ", was " + shorten(before)).str());
    };
    if (x->getName().getStringRef() != y->getName().getStringRef())
      add("the operation", y->getName().getStringRef(),
          x->getName().getStringRef());
    attributes(x, y, add);
    operands(x, y, partners, add);
    for (unsigned i = 0; i < std::min(x->getNumResults(), y->getNumResults());
         ++i)
      if (a.content(x->getResult(i).getType()) !=
          b.content(y->getResult(i).getType()))
        add("the type", textOf(y->getResult(i).getType()),
            textOf(x->getResult(i).getType()));
    return changes;
  }

  template <typename Add> void attributes(Operation *x, Operation *y, Add add) {
    std::map<std::string, std::pair<Attribute, Attribute>> both;
    for (NamedAttribute n : x->getAttrs())
      if (!a.namesComputation(x, n))
        both[n.getName().str()].first = n.getValue();
    for (NamedAttribute n : y->getAttrs())
      if (!b.namesComputation(y, n))
        both[n.getName().str()].second = n.getValue();
    for (auto &[name, values] : both) {
      auto [before, now] = values;
      if (before && now && a.content(before) == b.content(now))
        continue;
      add(name, now ? textOf(now) : "absent",
          before ? textOf(before) : "absent");
    }
  }

  template <typename Add>
  void operands(Operation *x, Operation *y, const Partners &partners, Add add) {
    if (x->getNumOperands() != y->getNumOperands())
      add("the number of operands", std::to_string(y->getNumOperands()),
          std::to_string(x->getNumOperands()));
    for (auto [i, values] :
         llvm::enumerate(llvm::zip(x->getOperands(), y->getOperands()))) {
      auto [before, now] = values;
      if (!corresponds(before, now, x, partners))
        add("operand " + llvm::Twine(i), valueName(now), valueName(before));
    }
  }

  bool corresponds(Value before, Value now, Operation *x,
                   const Partners &partners) {
    Operation *p = before.getDefiningOp(), *q = now.getDefiningOp();
    if (!p || !q)
      return !p && !q &&
             llvm::cast<mlir::BlockArgument>(before).getArgNumber() ==
                 llvm::cast<mlir::BlockArgument>(now).getArgNumber();
    if (llvm::cast<mlir::OpResult>(before).getResultNumber() !=
        llvm::cast<mlir::OpResult>(now).getResultNumber())
      return false;
    // A value from outside of the block was compared there.
    return p->getBlock() != x->getBlock() || partners.lookup(p) == q;
  }

  static std::string shorten(llvm::StringRef text) {
    constexpr size_t kMost = 60;
    return text.size() <= kMost ? text.str()
                                : (text.take_front(kMost) + "...").str();
  }

  ValueHashes a, b;
  Correspondence result;
  llvm::DenseSet<std::pair<Block *, Block *>> entered;
};

} // namespace

Correspondence mercator::correspond(Block &first, Block &second) {
  return Matcher().run(first, second);
}
