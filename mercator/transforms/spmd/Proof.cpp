// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Proof.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/transforms/verify/CompareReads.h"
#include "mercator/transforms/verify/FunctionReads.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;
using indexing::Arena;
using indexing::Expr;
using indexing::Interval;
using indexing::Map;
using indexing::MapSet;
using indexing::OperandMap;

//===----------------------------------------------------------------------===//
// A map in parts
//===----------------------------------------------------------------------===//

/// The map of a shard in numbers of the whole tensor: element d of the result is
/// element d - start of the shard, for d below `end`.
static Map inWhole(Map map, ArrayRef<int64_t> start, ArrayRef<int64_t> end) {
  Arena &arena = *map.arena;
  SmallVector<Expr> by;
  for (size_t dim = 0; dim < start.size(); ++dim)
    by.push_back(arena.sub(arena.dim(dim), arena.constant(start[dim])));
  substitute(map, {.dims = by, .ranges = {}, .runtimes = {}});
  for (auto [variable, from, to] :
       llvm::zip_equal(map.domain.dims, start, end)) {
    Interval bounds = variable.bounds;
    variable.bounds =
        Interval{bounds.lower + from, bounds.upper + from}.intersect(
            {from, to - 1});
    map.domain.knownEmpty |= variable.bounds.isEmpty();
  }
  return map;
}

/// Bounds of the dimensions of a map, then of its results.
using ReadBox = SmallVector<Interval, 8>;

static ReadBox boxOf(const Map &map) {
  ReadBox box;
  indexing::IntervalAnalysis bounds(*map.arena, map.domain);
  for (unsigned dim = 0; dim < map.numDims(); ++dim)
    box.push_back(bounds.interval(map.arena->dim(dim)));
  for (Expr result : map.results)
    box.push_back(bounds.interval(result));
  return box;
}

/// What the map reads in the box.
static Map within(Map map, ArrayRef<Interval> box) {
  for (auto [variable, bounds] :
       llvm::zip_equal(map.domain.dims, box.take_front(map.numDims())))
    variable.bounds = variable.bounds.intersect(bounds);
  for (auto [result, bounds] :
       llvm::zip_equal(map.results, box.drop_front(map.numDims())))
    map.domain.addConstraint(result, bounds);
  return simplify(map);
}

/// Appends the parts of `box` outside of `taken`: those below and above it along
/// each side in turn.
static void appendDifference(ReadBox box, ArrayRef<Interval> taken,
                             std::vector<ReadBox> &out) {
  for (auto [side, cut] : llvm::zip_equal(box, taken))
    if (side.intersect(cut).isEmpty()) {
      out.push_back(std::move(box));
      return;
    }
  for (size_t i = 0; i < box.size(); ++i) {
    Interval side = box[i];
    if (side.lower < taken[i].lower) {
      box[i] = {side.lower, taken[i].lower - 1};
      out.push_back(box);
    }
    if (side.upper > taken[i].upper) {
      box[i] = {taken[i].upper + 1, side.upper};
      out.push_back(box);
    }
    box[i] = side.intersect(taken[i]);
  }
}

/// Whether each part is the map in a box, and nothing is read outside of all boxes.
static bool isMadeOf(const Map &map, const MapSet &parts) {
  constexpr size_t kMostBoxes = 4096;
  std::vector<ReadBox> rest = {boxOf(map)};
  for (const OperandMap &part : parts) {
    if (!part.exact || part.devices != 0 ||
        part.map.numDims() != map.numDims() ||
        part.map.numResults() != map.numResults())
      return false;
    ReadBox box = boxOf(part.map);
    if (!prove(part.map, within(map, box)).isYes())
      return false;
    std::vector<ReadBox> next;
    for (ReadBox &each : rest)
      appendDifference(std::move(each), box, next);
    rest = std::move(next);
    if (rest.size() > kMostBoxes)
      return false;
  }
  return llvm::all_of(rest, [&](const ReadBox &box) {
    Map outside = within(map, box);
    return outside.isKnownEmpty() ||
           isEmpty(*map.arena, outside.domain).isYes();
  });
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

namespace {

class DeviceProof {
public:
  DeviceProof(Operation *op, const Mesh &mesh, ArrayRef<Placed> operands,
              ArrayRef<Placed> results)
      : op(op), mesh(mesh), operands(operands), results(results) {}

  OperationProof run();

private:
  func::FuncOp wholeFunction(ModuleOp module);
  /// Of the devices that have all shards of a result, one of each.
  [[nodiscard]] std::vector<SmallVector<int64_t>> copiesOf(size_t result) const;
  /// What these devices read of an argument for the result, in whole numbers.
  MapSet readTogether(size_t result, unsigned argument,
                      ArrayRef<int64_t> devices);
  OperationProof compare(size_t result, unsigned argument, const MapSet &parts);

  Operation *op;
  const Mesh &mesh;
  ArrayRef<Placed> operands, results;
  SmallVector<Placed> arguments;    ///< each value once
  SmallVector<unsigned> argumentOf; ///< by operand
  Arena arena;
  verify::FunctionReads whole, ofDevices;
};

} // namespace

func::FuncOp DeviceProof::wholeFunction(ModuleOp module) {
  ImplicitLocOpBuilder b(module.getLoc(),
                         OpBuilder::atBlockEnd(module.getBody()));
  SmallVector<Type> in, out;
  for (const Placed &argument : arguments)
    in.push_back(argument.type);
  for (const Placed &result : results)
    out.push_back(result.type);
  auto function = func::FuncOp::create(b, "whole", b.getFunctionType(in, out));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  SmallVector<Value> given;
  for (unsigned place : argumentOf)
    given.push_back(entry->getArgument(place));
  if (op) {
    IRMapping mapping;
    mapping.map(op->getOperands(), ValueRange(given));
    given = SmallVector<Value>(b.clone(*op, mapping)->getResults());
  }
  func::ReturnOp::create(b, given);
  return function;
}

std::vector<SmallVector<int64_t>> DeviceProof::copiesOf(size_t result) const {
  std::map<SmallVector<int64_t>, int64_t> seen;
  std::vector<SmallVector<int64_t>> copies;
  for (int64_t device = 0; device < mesh.devices; ++device) {
    size_t copy = seen[results[result].sharding->partOf(mesh, device)]++;
    if (copy == copies.size())
      copies.emplace_back();
    copies[copy].push_back(device);
  }
  return copies;
}

MapSet DeviceProof::readTogether(size_t result, unsigned argument,
                                 ArrayRef<int64_t> devices) {
  ArrayRef<int64_t> shape = results[result].type.getShape();
  SmallVector<int64_t> shard = results[result].sharding->shardOf(mesh, shape);
  MapSet maps;
  for (int64_t device : devices) {
    const auto &reads = ofDevices.reads[device * results.size() + result];
    auto found = reads.find(argument);
    if (found == reads.end())
      continue;
    SmallVector<int64_t> start, end;
    bool isEmpty = false;
    for (auto [part, size, all] : llvm::zip_equal(
             results[result].sharding->partOf(mesh, device), shard, shape)) {
      start.push_back(part * size);
      end.push_back(std::min(all, start.back() + size));
      isEmpty |= start.back() >= end.back();
    }
    if (isEmpty)
      continue;
    for (OperandMap each : found->second) {
      each.map = simplify(inWhole(std::move(each.map), start, end));
      if (!each.map.isKnownEmpty())
        maps.insert(std::move(each));
    }
  }
  return maps;
}

static std::string indexText(ArrayRef<int64_t> numbers) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  os << ")";
  return text;
}

OperationProof DeviceProof::compare(size_t result, unsigned argument,
                                    const MapSet &parts) {
  using Verdict = OperationProof::Verdict;
  using verify::ReadVerdict;
  MapSet mine;
  if (auto found = whole.reads[result].find(argument);
      found != whole.reads[result].end())
    mine = found->second;
  if (mine.size() == 1 && mine.isExact() && mine.front().devices == 0 &&
      isMadeOf(mine.front().map, parts))
    return {Verdict::Equal};
  ReadVerdict forth = verify::compareReads(mine, parts, whole.results[result],
                                           whole.arguments[argument]);
  ReadVerdict back = verify::compareReads(parts, mine, whole.results[result],
                                          whole.arguments[argument]);
  if (forth.kind == ReadVerdict::Proved && back.kind == ReadVerdict::Proved)
    return {Verdict::Equal};
  bool hasOwnIndex = !whole.computed[result].empty();
  for (int64_t device = 0; device < mesh.devices; ++device)
    hasOwnIndex |=
        !ofDevices.computed[device * results.size() + result].empty();
  std::string reason = "of operand ";
  for (auto [operand, place] : llvm::enumerate(argumentOf))
    if (place == argument) {
      reason += std::to_string(operand);
      break;
    }
  for (auto [verdict, isForth] :
       {std::pair(&forth, true), std::pair(&back, false)}) {
    if (verdict->kind != ReadVerdict::Refuted || hasOwnIndex ||
        whole.isSize(result, argument))
      continue;
    const verify::ReadCounterexample &c = *verdict->counterexample;
    bool isByDevices = c.isAdded == isForth;
    return {Verdict::Different,
            reason + ", element " + indexText(c.element) +
                " is read for element " + indexText(c.at) + " " +
                (isByDevices ? "by the devices" : "by the operation") +
                " only"};
  }
  return {Verdict::Open,
          reason + (hasOwnIndex ? ", an index is computed in different ways"
                    : mine.isExact() && parts.isExact()
                        ? ", neither proved nor refuted"
                        : ", a map is an over-approximation")};
}

OperationProof DeviceProof::run() {
  using Verdict = OperationProof::Verdict;
  if (mesh.devices > kMostProofDevices)
    return {Verdict::Open,
            "more than " + std::to_string(kMostProofDevices) + " devices"};
  llvm::DenseMap<Value, unsigned> known;
  for (const Placed &operand : operands) {
    auto [it, isNew] = known.try_emplace(operand.local, arguments.size());
    if (isNew)
      arguments.push_back(operand);
    const Placed &first = arguments[it->second];
    if (first.type != operand.type ||
        !first.sharding->sameDivision(*operand.sharding))
      return {Verdict::Open, "two operands are one value on the devices"};
    argumentOf.push_back(it->second);
  }
  MLIRContext *context = results.front().type.getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  SmallVector<Value> locals;
  for (const Placed &result : results)
    locals.push_back(result.local);
  std::string reason;
  func::FuncOp expanded =
      expandOverDevices(*module, mesh, arguments, locals, reason);
  if (!expanded)
    return {Verdict::Open, reason};
  whole = verify::readsOf(wholeFunction(*module), arena);
  ofDevices = verify::readsOf(expanded, arena);
  for (const verify::FunctionReads *reads : {&whole, &ofDevices})
    if (!reads->refusal.empty())
      return {Verdict::Open, reads->refusal};
  if (whole.hasState || ofDevices.hasState)
    return {Verdict::Open, "the operation has state"};
  OperationProof proof{Verdict::Equal};
  for (size_t result = 0; result < results.size(); ++result)
    for (unsigned argument = 0; argument < arguments.size(); ++argument) {
      std::optional<MapSet> last;
      for (const SmallVector<int64_t> &devices : copiesOf(result)) {
        MapSet parts = readTogether(result, argument, devices);
        if (last && llvm::equal(*last, parts, [](auto &a, auto &b) {
              return a.exact == b.exact && a.map == b.map;
            }))
          continue;
        OperationProof one = compare(result, argument, parts);
        if (one.verdict == Verdict::Different)
          return one;
        if (one.verdict == Verdict::Open)
          proof = one;
        last = std::move(parts);
      }
    }
  return proof;
}

StringRef mercator::spmd::nameOf(OperationProof::Verdict verdict) {
  switch (verdict) {
  case OperationProof::Verdict::Equal:
    return "equal";
  case OperationProof::Verdict::Different:
    return "different";
  case OperationProof::Verdict::Open:
    return "open";
  }
  llvm_unreachable("all verdicts are handled");
}

OperationProof mercator::spmd::proveOnDevices(Operation *op, const Mesh &mesh,
                                              ArrayRef<Placed> operands,
                                              ArrayRef<Placed> results) {
  return DeviceProof(op, mesh, operands, results).run();
}
