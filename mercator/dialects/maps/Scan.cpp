// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: a body that runs along a dimension and carries values. What a step
// returns depends on its own slices directly, and on those of the steps before
// through the carries, as far as the body's data flow goes:
//
//   output[t] of a running sum       input[t'], t' <= t
//   the last carry                   input[t'], any t'
//
// The slices of a body that works element by element keep their elements apart.

#include "mercator/dialects/FusionMaps.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/maps/Models.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallBitVector;
using llvm::SmallVector;

namespace {

/// For each value that the body returns, what it reads of one step.
struct BodyFlow {
  SmallVector<SmallBitVector> inputs, carries;
  /// Everything that is read is read at the same element, and exactly.
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

enum class Of : uint8_t { None, Some, All };

/// What a returned value reads of one input or first carry.
struct Reads {
  bool ownStep = false;  ///< the input at the same step
  Of before = Of::None;  ///< the input at the steps before
  Of initial = Of::None; ///< the first carry, of a step of any number
};

Reads readsOf(chlo::ScanOp op, const BodyFlow &flow, SmallBitVector ofInputs,
              SmallBitVector ofCarries, unsigned operand, bool isOutput) {
  unsigned inputs = op.getInputs().size(), outputs = op.getOutputs().size();
  auto image = [&](const SmallBitVector &set,
                   const SmallVector<SmallBitVector> &by, unsigned size) {
    SmallBitVector all(size);
    for (unsigned i : set.set_bits())
      all |= by[outputs + i];
    return all;
  };
  bool isInput = operand < inputs;
  Reads reads;
  reads.ownStep = isInput && ofInputs[operand];
  // After the last step the first carries are at least one step back.
  if (!isInput && !isOutput)
    ofCarries = image(ofCarries, flow.carries, op.getInits().size());
  // The carries that it reads so many steps back.
  bool any = false, all = true, ended = false;
  SmallVector<SmallBitVector> seen;
  for (int step = 0; step < 64 && !ended; ++step) {
    seen.push_back(ofCarries);
    bool here = isInput ? image(ofCarries, flow.inputs, inputs)[operand]
                        : ofCarries[operand - inputs];
    any |= here;
    all &= here;
    ofCarries = image(ofCarries, flow.carries, op.getInits().size());
    ended = llvm::is_contained(seen, ofCarries);
  }
  Of of = !ended ? Of::Some : !any ? Of::None : all ? Of::All : Of::Some;
  (isInput ? reads.before : reads.initial) = of;
  return reads;
}

MapSet scanMaps(chlo::ScanOp op, const Query &q) {
  unsigned inputs = op.getInputs().size(), outputs = op.getOutputs().size();
  bool isInput = q.operand < inputs, isOutput = q.result < outputs;
  int64_t dim = op.getDimension(), steps = op.getStepCount();
  if (!op.getBody().hasOneBlock())
    return q.everything("scan: expected a body of one block");
  // No step: the carries come out as they went in.
  if (steps == 0)
    return !isInput && !isOutput && q.operand - inputs == q.result - outputs
               ? MapSet(q.identity())
               : MapSet(q.nothing());
  BodyFlow flow = flowOf(op);
  Reads reads;
  if (isOutput) {
    reads = readsOf(op, flow, flow.inputs[q.result], flow.carries[q.result],
                    q.operand, true);
  } else {
    // As an output of the step after the last, which reads the carry alone.
    SmallBitVector none(inputs), carry(op.getInits().size());
    carry.set(q.result - outputs);
    reads = readsOf(op, flow, none, carry, q.operand, false);
  }
  Of before = isInput ? reads.before : reads.initial;
  if (!reads.ownStep && before == Of::None)
    return q.nothing();
  if (mlir::ShapedType::isDynamic(steps) || !q.isStatic)
    return q.dynamic();

  // The dimension of either side that counts steps, if it has one, aside.
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
  bool ownOnly = reads.ownStep && before == Of::None;
  if (ownOnly && toStep >= 0)
    source[toStep] = fromStep;
  Map map = selectDims(q.arena, q.from(), q.to(), source);
  if (isInput && isOutput && !ownOnly && !map.isKnownEmpty()) {
    // The output's step comes no earlier than the input's.
    Expr output = back ? q.arena.dim(dim) : map.results[dim];
    Expr input = back ? map.results[dim] : q.arena.dim(dim);
    if (op.getIsReverse())
      std::swap(output, input);
    map.domain.addConstraint(q.arena.sub(output, input),
                             {reads.ownStep ? 0 : 1, steps - 1});
  }
  if (!flow.elementwise)
    return q.approximate(std::move(map), "scan: its body does not work element "
                                         "by element: whole slices");
  if (before == Of::Some)
    return q.approximate(std::move(map),
                         "scan: the number of a step decides what it reads");
  return map;
}

} // namespace

void maps::attachScanMaps(mlir::MLIRContext *context) {
  attach<chlo::ScanOp, scanMaps>(context);
}
