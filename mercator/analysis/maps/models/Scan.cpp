// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: a body that runs along a dimension and carries values. A step reads
// its own slices, and through the carries the slices of earlier steps, as far
// as the data flow of the body goes:
//
//   output[t] of a running sum       input[t'], t' <= t
//   the last carry                   input[t'], any t'
//
// If the body is elementwise, so are the maps within a slice.

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallBitVector;
using llvm::SmallVector;

namespace {

/// The inputs and carries of one step that each returned value reads.
struct BodyFlow {
  SmallVector<SmallBitVector> inputs, carries;
  /// True if all reads are of the same element, and exact.
  bool elementwise = true;
};

BodyFlow flowOf(chlo::ScanOp op) {
  BodyFlow flow;
  mlir::Block &body = op.getBody().front();
  unsigned inputs = op.getInputs().size(), carries = op.getInits().size();
  Arena arena;
  FusionMaps maps(arena);
  for (mlir::Value returned : body.getTerminator()->getOperands()) {
    SmallBitVector ofInputs(inputs), ofCarries(carries);
    for (const Reached &reached : maps.toArguments({returned, 0})) {
      bool isRead = false;
      for (const OperandMap &m : reached.maps) {
        if (m.map.isKnownEmpty())
          continue;
        isRead = true;
        flow.elementwise &=
            m.exact && m.map.isIdentity() &&
            body.getArgument(reached.number).getType() == returned.getType();
      }
      if (!isRead)
        continue;
      if (reached.number < inputs)
        ofInputs.set(reached.number);
      else
        ofCarries.set(reached.number - inputs);
    }
    flow.inputs.push_back(ofInputs);
    flow.carries.push_back(ofCarries);
  }
  return flow;
}

/// The distances, in steps, at which a value is read: the numbers of `steps`
/// that are congruent to `remainder` modulo `modulus`.
struct Distances {
  Interval steps;
  int64_t modulus = 1, remainder = 0;

  [[nodiscard]] bool contains(int64_t k) const {
    return steps.contains(k) && k % modulus == remainder;
  }
};

struct Reads {
  SmallVector<Distances> distances;
  bool exact = true;
};

/// The distances at which a step that reads `ofInputs` and `ofCarries` reads
/// `operand`. The initial carries precede step 0, so step t reads them at
/// distance t.
Reads readsOf(const BodyFlow &flow, const SmallBitVector &ofInputs,
              SmallBitVector ofCarries, unsigned operand) {
  constexpr int64_t kMostSteps = 64;
  unsigned inputs = ofInputs.size(),
           outputs = flow.carries.size() - ofCarries.size();
  bool isInput = operand < inputs;
  auto isReadThrough = [&](const SmallBitVector &carries) {
    return llvm::any_of(carries.set_bits(), [&](unsigned i) {
      return flow.inputs[outputs + i][operand];
    });
  };
  // The sets of carries read at distance 0, 1, 2, ... become periodic.
  SmallVector<SmallBitVector> seen;
  SmallVector<bool> isRead;
  if (isInput)
    isRead.push_back(ofInputs[operand]);
  const auto *same = seen.end();
  while (same == seen.end() && (int64_t)seen.size() < kMostSteps) {
    seen.push_back(ofCarries);
    isRead.push_back(isInput ? isReadThrough(ofCarries)
                             : ofCarries[operand - inputs]);
    SmallBitVector before(ofCarries.size());
    for (unsigned i : ofCarries.set_bits())
      before |= flow.carries[outputs + i];
    ofCarries = before;
    same = llvm::find(seen, ofCarries);
  }
  Reads reads;
  reads.exact = same != seen.end();
  int64_t known = isRead.size(), period = reads.exact ? seen.end() - same : 1,
          repeats = reads.exact ? known - period : known;
  auto addRun = [&](Interval run) {
    SmallVector<Distances> &all = reads.distances;
    if (!all.empty() && all.back().modulus == 1 &&
        all.back().steps.upper + 1 == run.lower)
      all.back().steps.upper = run.upper;
    else
      all.push_back({run});
  };
  for (int64_t k = 0; k < repeats; ++k)
    if (isRead[k])
      addRun(Interval::point(k));
  // If the period was not found, or is 1, the value is read at any distance.
  if (!reads.exact || period == 1) {
    if (!reads.exact || isRead[repeats])
      addRun({repeats, Interval::kMax});
    return reads;
  }
  for (int64_t k = repeats; k < known; ++k)
    if (isRead[k])
      reads.distances.push_back({{k, Interval::kMax}, period, k % period});
  return reads;
}

MapSet scanMaps(chlo::ScanOp op, const Query &q) {
  unsigned inputs = op.getInputs().size(), outputs = op.getOutputs().size();
  bool isInput = q.operand < inputs, isOutput = q.result < outputs;
  int64_t dim = op.getDimension(), steps = op.getStepCount();
  if (!op.getBody().hasOneBlock())
    return q.everything("scan: expected a body of one block");
  // Without steps, the scan returns its initial carries.
  if (steps == 0)
    return !isInput && !isOutput && q.operand - inputs == q.result - outputs
               ? MapSet(q.identity())
               : MapSet(q.nothing());
  BodyFlow flow = flowOf(op);
  Reads reads;
  if (isOutput) {
    reads =
        readsOf(flow, flow.inputs[q.result], flow.carries[q.result], q.operand);
  } else {
    // The last carry: as an output of a step after the last that only reads the
    // carry.
    SmallBitVector none(inputs), carry(op.getInits().size());
    carry.set(q.result - outputs);
    reads = readsOf(flow, none, carry, q.operand);
  }
  if (reads.distances.empty())
    return q.nothing();
  if (mlir::ShapedType::isDynamic(steps) || !q.isStatic)
    return q.dynamic();

  // Remove the dimension of the steps, if a side has one.
  bool back = q.direction == Direction::OutToIn;
  int64_t fromStep = (back ? isOutput : isInput) ? dim : -1;
  int64_t toStep = (back ? isInput : isOutput) ? dim : -1;
  SmallVector<int64_t> source(q.to().size(), -1);
  if (flow.elementwise)
    for (int64_t i = 0, from = 0; i < (int64_t)source.size(); ++i) {
      if (i == toStep)
        continue;
      from += from == fromStep;
      source[i] = from++;
    }
  Map whole = selectDims(q.arena, q.from(), q.to(), source);
  if (whole.isKnownEmpty())
    return whole;
  auto stepOf = [&](bool isOfResult) {
    Expr place = isOfResult == back ? q.arena.dim(dim) : whole.results[dim];
    return op.getIsReverse() ? q.arena.sub(q.arena.constant(steps - 1), place)
                             : place;
  };
  Expr distance = q.arena.sub(isOutput ? stepOf(true) : q.arena.constant(steps),
                              isInput ? stepOf(false) : q.arena.constant(0));
  MapSet maps;
  for (const Distances &d : reads.distances) {
    Map map = whole;
    Interval possible = d.steps.intersect({0, steps});
    if (possible.isEmpty())
      continue;
    if (q.arena.isConstant(distance)) {
      if (!d.contains(q.arena.constantValue(distance)))
        continue;
    } else if (possible.isPoint() && fromStep >= 0 && toStep >= 0) {
      int64_t k = back == op.getIsReverse() ? possible.lower : -possible.lower;
      map.results[dim] = q.arena.add(q.arena.dim(dim), k);
      Interval &bounds = map.domain.dims[dim].bounds;
      bounds = bounds.intersect(Interval::ofSize(steps) + Interval::point(-k));
      if (bounds.isEmpty())
        continue;
    } else {
      map.domain.addConstraint(distance, possible);
      if (d.modulus > 1)
        map.domain.addConstraint(q.arena.mod(distance, d.modulus),
                                 Interval::point(d.remainder));
    }
    if (!flow.elementwise)
      maps.insert({std::move(map), false,
                   "scan: its body is not elementwise: whole slices are read"});
    else if (!reads.exact)
      maps.insert({std::move(map), false,
                   "scan: the reads of a step depend on its number"});
    else
      maps.insert({std::move(map)});
  }
  return maps.empty() ? MapSet(q.nothing()) : maps;
}

} // namespace

void maps::attachScanMaps(mlir::MLIRContext *context) {
  attach<chlo::ScanOp, scanMaps>(context);
}
