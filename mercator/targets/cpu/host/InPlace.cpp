// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/InPlace.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/host/HostBuilder.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

StringRef cpu::spell(CopyReason reason) {
  switch (reason) {
  case CopyReason::Used:
    return "it is used afterwards";
  case CopyReason::Constant:
    return "it is a constant";
  case CopyReason::Input:
    return "it is in the caller's memory";
  case CopyReason::Extents:
    return "its extents are not known";
  case CopyReason::Result:
    return "it is a result that lies in another buffer";
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value cpu::sameElements(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<flow::TensorReshapeOp, flow::TensorBitCastOp, flow::TensorTieShapeOp,
          flow::TensorCloneOp, tensor::CastOp>(op))
    return op->getOperand(0);
  return {};
}

Value cpu::updatedTensor(OpResult result) {
  Operation *op = result.getOwner();
  if (auto update = dyn_cast<flow::TensorUpdateOp>(op))
    return update.getTarget();
  if (auto store = dyn_cast<flow::TensorStoreOp>(op))
    return store.getTarget();
  if (auto dispatch = dyn_cast<flow::DispatchOp>(op)) {
    int64_t from = dispatch.getTiedArguments()[result.getResultNumber()];
    return from < 0 ? Value() : dispatch.getArguments()[size_t(from)];
  }
  if (isa<func::CallOp>(op)) {
    // A destination for each result, the last of the operands.
    SmallVector<Value> tensors;
    for (Value operand : op->getOperands())
      if (tensorType(operand))
        tensors.push_back(operand);
    size_t count = 0, own = 0;
    for (OpResult other : op->getResults()) {
      if (other == result)
        own = count;
      count += tensorType(other) != nullptr;
    }
    return tensors.size() < count ? Value()
                                  : tensors[tensors.size() - count + own];
  }
  return {};
}

int64_t cpu::bytesOf(Value tensor) {
  RankedTensorType type = tensorType(tensor);
  return type.hasStaticShape()
             ? type.getNumElements() * elementBytes(type.getElementType())
             : -1;
}

static bool isConstant(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  return isa_and_nonnull<arith::ConstantOp, flow::TensorConstantOp>(op);
}

static bool isParameter(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  return argument && argument.getOwner()->isEntryBlock();
}

/// Whether the caller gives the memory of a parameter away. Small loops are faster
/// on the stack; the unused bits of narrow integers are not zero in a parameter.
static bool isDonated(Value parameter) {
  auto type = tensorType(parameter);
  auto argument = cast<BlockArgument>(parameter);
  auto source = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  unsigned number = argument.getArgNumber();
  return type.hasStaticShape() && bytesOf(parameter) > kMostStackBytes &&
         (!type.getElementType().isInteger() ||
          type.getElementTypeBitWidth() == 1 ||
          type.getElementTypeBitWidth() >= 8) &&
         (source.getArgAttr(number, "tf.aliasing_output") ||
          source.getArgAttr(number, "jax.buffer_donor"));
}

bool cpu::isFixed(Value tensor, bool usesDonations) {
  return isParameter(tensor) ? !usesDonations || !isDonated(tensor)
                             : isConstant(tensor);
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
/// When a group of tensors is needed: disjoint pieces [begin, end) of time.
class BufferLife {
public:
  void add(int64_t begin, int64_t end) {
    auto next = pieces.upper_bound(begin);
    if (next != pieces.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
      end = std::max(end, next->second);
      next = pieces.erase(next);
    }
    while (next != pieces.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = pieces.erase(next);
    }
    pieces.emplace(begin, end);
  }

  bool overlaps(int64_t begin, int64_t end) const {
    auto next = pieces.lower_bound(end);
    return next != pieces.begin() && std::prev(next)->second > begin;
  }

  bool overlaps(const BufferLife &other) const {
    if (other.pieces.size() > pieces.size())
      return other.overlaps(*this);
    return llvm::any_of(other.pieces, [&](const auto &piece) {
      return overlaps(piece.first, piece.second);
    });
  }

  void join(BufferLife &&other) {
    if (other.pieces.size() > pieces.size())
      std::swap(pieces, other.pieces);
    for (auto [begin, end] : other.pieces)
      add(begin, end);
  }

private:
  std::map<int64_t, int64_t> pieces;
};

/// Tensors that are to share a buffer.
struct Group {
  BufferLife lifetime;
  Value fixed, donated;
  int64_t bytes = -1;
  bool isMixed = false; ///< members of known and of unknown extents
};

struct Request {
  Operation *op;
  Value from, to;
  double cost;
  size_t order = 0;
};
} // namespace

namespace mercator::cpu {
class InPlaceAnalysis {
public:
  InPlaceAnalysis(func::FuncOp source, InPlace &plan, bool usesDonations)
      : source(source), region(source.getBody()), plan(plan), dominance(source),
        usesDonations(usesDonations) {}

  void run() {
    number();
    joinEqualElements();
    measureLifetimes();
    grant();
    makeBuffers();
    rotate();
    chooseResults();
  }

private:
  void number();
  void joinEqualElements();
  void measureLifetimes();
  void addLifetime(Value tensor, BufferLife &lifetime);
  int64_t endOfUse(OpOperand &use);
  void grant();
  void makeBuffers();
  void rotate();
  void rotateAt(Block *header, cf::BranchOp latch);
  void passAround(Block *header, cf::BranchOp latch);
  void chooseResults();

  unsigned indexOf(Value tensor) const { return indices.lookup(tensor); }
  unsigned groupOf(Value tensor) const {
    return groups.getLeaderValue(indexOf(tensor));
  }

  func::FuncOp source;
  Region &region;
  InPlace &plan;
  DominanceInfo dominance;
  bool usesDonations;
  SmallVector<Value> tensors;
  DenseMap<Value, unsigned> indices;
  llvm::EquivalenceClasses<unsigned> groups;
  DenseMap<unsigned, Group> data;
  DenseMap<Operation *, int64_t> times; ///< read at t, written at t + 1
  DenseMap<Block *, std::pair<int64_t, int64_t>> spans;
  /// What the branches give the arguments of blocks.
  DenseMap<Value, SmallVector<Value, 2>> incoming;
};
} // namespace mercator::cpu

void InPlaceAnalysis::number() {
  auto add = [&](Value value) {
    if (!tensorType(value))
      return;
    indices[value] = unsigned(tensors.size());
    groups.insert(unsigned(tensors.size()));
    tensors.push_back(value);
  };
  int64_t time = 0;
  for (Block &block : region) {
    int64_t begin = time;
    time += 2;
    llvm::for_each(block.getArguments(), add);
    for (Operation &op : block) {
      times[&op] = time;
      time += 2;
      llvm::for_each(op.getResults(), add);
    }
    spans[&block] = {begin, time};
    if (auto branch = dyn_cast<cf::BranchOp>(block.getTerminator()))
      for (auto [argument, value] : llvm::zip_equal(
               branch.getDest()->getArguments(), branch.getDestOperands()))
        if (tensorType(argument))
          incoming[argument].push_back(value);
  }
  if (region.hasOneBlock())
    return;
  CFGLoopInfo loops(dominance.getDomTree(&region));
  for (Block &block : region)
    plan.depths[&block] = loops.getLoopDepth(&block);
}

void InPlaceAnalysis::joinEqualElements() {
  for (Value tensor : tensors)
    if (auto result = dyn_cast<OpResult>(tensor))
      if (Value source = sameElements(result))
        groups.unionSets(indexOf(source), indexOf(tensor));
  // An argument that all branches give the same tensor, or itself. It may make
  // another argument one of these: a few rounds find nearly all.
  bool changes = true;
  for (int round = 0; changes && round < 8; ++round) {
    changes = false;
    for (Value tensor : tensors) {
      auto found = incoming.find(tensor);
      if (found == incoming.end() || plan.equal.contains(tensor))
        continue;
      Value only;
      bool isOne = true;
      for (Value value : found->second) {
        while (Value other = plan.equal.lookup(value))
          value = other;
        if (value == tensor)
          continue;
        isOne &= !only || only == value;
        only = value;
      }
      if (!only || !isOne)
        continue;
      plan.equal[tensor] = only;
      groups.unionSets(indexOf(only), indexOf(tensor));
      changes = true;
    }
  }
}

/// A tensor that an operation updates is not needed when the result is written.
int64_t InPlaceAnalysis::endOfUse(OpOperand &use) {
  Operation *op = use.getOwner();
  int64_t time = times.lookup(op);
  bool isUpdated = llvm::any_of(op->getResults(), [&](OpResult result) {
    return tensorType(result) && updatedTensor(result) == use.get();
  });
  if (!isUpdated)
    return time + 2;
  unsigned own = groupOf(use.get());
  int64_t uses = llvm::count_if(op->getOperands(), [&](Value operand) {
    return tensorType(operand) && groupOf(operand) == own;
  });
  return uses == 1 ? time + 1 : time + 2;
}

void InPlaceAnalysis::addLifetime(Value tensor, BufferLife &lifetime) {
  Block *home = tensor.getParentBlock();
  Operation *op = tensor.getDefiningOp();
  int64_t begin = op ? times.lookup(op) + 1 : spans.lookup(home).first;
  lifetime.add(begin, begin + 1);
  SmallVector<Block *> open;
  llvm::SmallPtrSet<Block *, 8> isAliveAtBegin;
  auto reach = [&](Block *block) {
    if (isAliveAtBegin.insert(block).second)
      open.push_back(block);
  };
  for (OpOperand &use : tensor.getUses()) {
    Block *block = use.getOwner()->getBlock();
    int64_t end = endOfUse(use);
    if (block == home) {
      lifetime.add(begin, end);
      continue;
    }
    lifetime.add(spans.lookup(block).first, end);
    reach(block);
  }
  while (!open.empty())
    for (Block *before : open.pop_back_val()->getPredecessors()) {
      auto [first, last] = spans.lookup(before);
      if (before == home) {
        lifetime.add(begin, last);
        continue;
      }
      lifetime.add(first, last);
      reach(before);
    }
}

void InPlaceAnalysis::measureLifetimes() {
  for (Value tensor : tensors) {
    auto [it, isFirst] = data.try_emplace(groupOf(tensor));
    Group &group = it->second;
    int64_t bytes = bytesOf(tensor);
    group.isMixed |= !isFirst && (bytes < 0) != (group.bytes < 0);
    group.bytes = std::max(group.bytes, bytes);
    if (isFixed(tensor, usesDonations))
      group.fixed = tensor;
    else if (isParameter(tensor))
      group.donated = tensor;
    addLifetime(tensor, group.lifetime);
  }
}

/// Why two groups cannot share a buffer. What an update makes lies where its
/// target does, whatever that is; a branch needs to know.
static std::optional<CopyReason> obstacle(const Group &from, const Group &to,
                                          bool isUpdate) {
  if (from.fixed || to.fixed)
    return isConstant(from.fixed ? from.fixed : to.fixed) ? CopyReason::Constant
                                                          : CopyReason::Input;
  if (from.donated && to.donated)
    return CopyReason::Input;
  bool isMixed = from.isMixed || to.isMixed;
  if (isUpdate ? !isMixed && from.bytes != to.bytes
               : isMixed || from.bytes != to.bytes)
    return CopyReason::Extents;
  if (from.lifetime.overlaps(to.lifetime))
    return CopyReason::Used;
  return std::nullopt;
}

void InPlaceAnalysis::grant() {
  std::vector<Request> requests;
  auto add = [&](Operation *op, Value from, Value to) {
    int64_t bytes = bytesOf(to);
    double cost = bytes < 0 ? 1 << 20 : double(bytes);
    for (unsigned i = 0; i < std::min(plan.depthOf(op->getBlock()), 8u); ++i)
      cost *= 64;
    requests.push_back({op, from, to, cost});
  };
  for (Block &block : region) {
    for (Operation &op : block)
      for (OpResult result : op.getResults())
        if (tensorType(result))
          if (Value updated = updatedTensor(result))
            add(&op, updated, result);
    if (auto branch = dyn_cast<cf::BranchOp>(block.getTerminator()))
      for (auto [argument, value] : llvm::zip_equal(
               branch.getDest()->getArguments(), branch.getDestOperands()))
        if (tensorType(argument))
          add(branch, value, argument);
  }
  for (auto [i, request] : llvm::enumerate(requests))
    request.order = i;
  llvm::sort(requests, [](const Request &a, const Request &b) {
    return std::pair(-a.cost, a.order) < std::pair(-b.cost, b.order);
  });
  for (const Request &request : requests) {
    unsigned from = groupOf(request.from), to = groupOf(request.to);
    if (from == to)
      continue;
    if (auto reason =
            obstacle(data[from], data[to], !isa<cf::BranchOp>(request.op))) {
      plan.copied.push_back({request.op, request.from, request.to, *reason});
      continue;
    }
    Group joined = std::move(data[from]);
    joined.isMixed |= data[to].isMixed;
    if (!joined.donated)
      joined.donated = data[to].donated;
    joined.lifetime.join(std::move(data[to].lifetime));
    groups.unionSets(from, to);
    data[groupOf(request.to)] = std::move(joined);
  }
  // Some of them share a buffer after all, by way of others.
  llvm::erase_if(plan.copied, [&](const CopiedTensor &each) {
    return groupOf(each.from) == groupOf(each.to);
  });
}

void InPlaceAnalysis::makeBuffers() {
  DenseMap<unsigned, unsigned> numbers;
  for (Value tensor : tensors) {
    unsigned group = groupOf(tensor);
    auto [it, isNew] = numbers.try_emplace(group, plan.buffers.size());
    if (isNew) {
      plan.buffers.emplace_back();
      plan.buffers.back().fixed = data[group].fixed;
      plan.buffers.back().donated = data[group].donated;
      plan.buffers.back().bytes = data[group].isMixed ? -1 : data[group].bytes;
    }
    plan.numbers[tensor] = it->second;
    InPlace::Buffer &buffer = plan.buffers[it->second];
    buffer.members.push_back(tensor);
    buffer.depth =
        std::max(buffer.depth, plan.depthOf(tensor.getParentBlock()));
  }
}

//===----------------------------------------------------------------------===//
// Rotations
//===----------------------------------------------------------------------===//

void InPlaceAnalysis::rotateAt(Block *header, cf::BranchOp latch) {
  SmallVector<std::pair<unsigned, unsigned>>
      wanted; // the argument's, the given
  llvm::SmallSetVector<unsigned, 8> ofArguments;
  llvm::SmallDenseSet<unsigned> kept;
  for (auto [argument, value] :
       llvm::zip_equal(header->getArguments(), latch.getDestOperands())) {
    if (!tensorType(argument))
      continue;
    unsigned own = plan.bufferOf(argument), other = plan.bufferOf(value);
    ofArguments.insert(own);
    if (own == other)
      kept.insert(own);
    else
      wanted.push_back({own, other});
  }
  int64_t begin = spans.lookup(header).first;
  auto fits = [&](unsigned number) {
    const InPlace::Buffer &buffer = plan.buffers[number];
    return !buffer.fixed && buffer.bytes > kMostStackBytes;
  };
  // What is not an argument is free when an iteration begins.
  auto isFree = [&](unsigned number) {
    return ofArguments.contains(number) ||
           !data[groupOf(plan.buffers[number].members.front())]
                .lifetime.overlaps(begin, begin + 1);
  };
  llvm::SmallMapVector<unsigned, unsigned, 8> next;
  llvm::SmallDenseSet<unsigned> taken;
  for (auto [own, other] : wanted)
    if (fits(own) && fits(other) &&
        plan.buffers[own].bytes == plan.buffers[other].bytes &&
        !kept.contains(own) && !kept.contains(other) && isFree(other) &&
        !next.contains(own) && taken.insert(other).second)
      next[own] = other;
  if (next.empty())
    return;
  // The end of a chain takes the place of its begin.
  SmallVector<unsigned> begins;
  for (auto [own, other] : next)
    if (!taken.contains(own))
      begins.push_back(own);
  for (unsigned own : begins) {
    unsigned last = own;
    while (next.contains(last))
      last = next.lookup(last);
    next[last] = own;
  }
  Rotation rotation;
  rotation.latch = latch->getBlock();
  for (auto [own, other] : next) {
    rotation.buffers.push_back(own);
    rotation.next.push_back(other);
    plan.buffers[own].isRotated = true;
  }
  for (auto [argument, value] :
       llvm::zip_equal(header->getArguments(), latch.getDestOperands()))
    llvm::erase_if(plan.copied, [&, own = argument,
                                 given = value](const CopiedTensor &each) {
      if (each.op != latch || each.to != own || each.from != given)
        return false;
      auto found = next.find(plan.bufferOf(own));
      return found != next.end() && found->second == plan.bufferOf(given);
    });
  plan.rotations.insert({header, std::move(rotation)});
}

/// Where an inner loop has exchanged buffers that the outer loop carries, the next
/// iteration of the outer loop finds them in those places: it passes on the
/// places of all buffers that the inner loop exchanges. If it cannot, it
/// permutes nothing and copies.
void InPlaceAnalysis::passAround(Block *header, cf::BranchOp latch) {
  llvm::SmallSetVector<unsigned, 8> ofArguments, passed;
  for (auto [argument, value] :
       llvm::zip_equal(header->getArguments(), latch.getDestOperands())) {
    if (!tensorType(argument))
      continue;
    ofArguments.insert(plan.bufferOf(argument));
    if (plan.areTogether(argument, value))
      passed.insert(plan.bufferOf(argument));
  }
  auto *own = plan.rotations.find(header);
  if (own != plan.rotations.end())
    passed.insert(own->second.buffers.begin(), own->second.buffers.end());
  int64_t begin = spans.lookup(header).first;
  auto isFree = [&](unsigned each) {
    return ofArguments.contains(each) ||
           !data[groupOf(plan.buffers[each].members.front())].lifetime.overlaps(
               begin, begin + 1);
  };
  llvm::SmallSetVector<unsigned, 8> added;
  bool changes = true, canPass = true;
  while (changes && canPass) {
    changes = false;
    for (const auto &[inner, rotation] : plan.rotations) {
      if (inner == header || !dominance.dominates(header, inner) ||
          !dominance.dominates(inner, latch->getBlock()) ||
          llvm::none_of(rotation.buffers,
                        [&](unsigned each) { return passed.contains(each); }))
        continue;
      canPass &= llvm::all_of(rotation.buffers, isFree);
      for (unsigned each : rotation.buffers) {
        changes |= passed.insert(each);
        added.insert(each);
      }
    }
  }
  if (!canPass) {
    if (own != plan.rotations.end())
      plan.rotations.erase(own);
    return;
  }
  if (added.empty())
    return;
  Rotation &rotation = plan.rotations[header];
  rotation.latch = latch->getBlock();
  for (unsigned each : added)
    if (!llvm::is_contained(rotation.buffers, each)) {
      rotation.buffers.push_back(each);
      rotation.next.push_back(each);
    }
}

void InPlaceAnalysis::rotate() {
  SmallVector<std::pair<Block *, cf::BranchOp>> loops;
  for (Block &header : region) {
    cf::BranchOp latch;
    bool isOne = true;
    for (Block *before : header.getPredecessors()) {
      if (!dominance.dominates(&header, before))
        continue;
      isOne &= !latch;
      latch = dyn_cast<cf::BranchOp>(before->getTerminator());
      isOne &= latch != nullptr;
    }
    if (latch && isOne)
      loops.push_back({&header, latch});
  }
  for (auto [header, latch] : loops)
    rotateAt(header, latch);
  // From the inner loops outward.
  for (auto [header, latch] : llvm::reverse(loops))
    passAround(header, latch);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A buffer whose elements are returned is the caller's memory, if there is one
/// return. A small buffer of a loop stays in registers and is copied at the end. A
/// result in the memory of a donated parameter lies there.
void InPlaceAnalysis::chooseResults() {
  SmallVector<func::ReturnOp> ends;
  for (Block &block : region)
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
      ends.push_back(end);
  for (func::ReturnOp end : ends) {
    int64_t number = 0;
    for (Value value : end.getOperands()) {
      if (!tensorType(value))
        continue;
      int64_t own = number++;
      InPlace::Buffer &buffer = plan.buffers[plan.bufferOf(value)];
      bool isSmall = buffer.depth > 0 && buffer.bytes <= kMostStackBytes;
      if (ends.size() == 1 && buffer.result < 0 && buffer.bytes >= 0 &&
          !buffer.fixed && !buffer.isRotated && !isSmall)
        buffer.result = own;
      if (buffer.result == own)
        continue;
      CopyReason reason = buffer.fixed       ? isConstant(buffer.fixed)
                                                   ? CopyReason::Constant
                                                   : CopyReason::Input
                          : buffer.bytes < 0 ? CopyReason::Extents
                                             : CopyReason::Result;
      plan.copied.push_back({end, value, Value(), reason});
    }
  }
}

InPlace::InPlace(func::FuncOp source, bool usesDonations) {
  InPlaceAnalysis(source, *this, usesDonations).run();
}
