// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of control flow: calls, branches, loops, scans; tuples, tokens
// and random numbers.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/provenance/AccessRules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

static LogicalResult give(Access &access,
                          FailureOr<std::vector<Traced>> values) {
  if (failed(values))
    return failure();
  if (values->size() != access.results.size())
    return access.op->emitOpError() << "expected " << access.results.size()
                                    << " results, got " << values->size();
  access.results = std::move(*values);
  return success();
}

static LogicalResult traceCall(func::CallOp op, Access &access) {
  return give(access,
              access.provenance.call(op.getCalleeAttr(), access.operands, op));
}
static LogicalResult traceComposite(CompositeOp op, Access &access) {
  return give(access, access.provenance.call(op.getDecompositionAttr(),
                                             access.operands, op));
}
static LogicalResult traceFusion(hlo::FusionOp op, Access &access) {
  return give(access, access.provenance.region(op.getBody(), access.operands));
}

/// The results of the branch; operand 0 decides all of them.
static LogicalResult traceBranch(Access &access, Region &taken) {
  if (failed(give(access, access.provenance.region(taken, {}))))
    return failure();
  for (Traced &result : access.results)
    access.provenance.addEverywhere(result.origin, access.at(0, 0));
  return success();
}
static LogicalResult traceIf(IfOp op, Access &access) {
  return traceBranch(access, access.tensor(0).scalar().integer
                                 ? op.getTrueBranch()
                                 : op.getFalseBranch());
}
static LogicalResult traceCase(CaseOp op, Access &access) {
  int64_t index = access.tensor(0).scalar().integer,
          count = op.getBranches().size();
  bool isIn = 0 <= index && index < count;
  return traceBranch(access, op.getBranches()[isIn ? index : count - 1]);
}

/// Every evaluated condition decides the number of iterations.
static LogicalResult traceWhile(WhileOp op, Access &access) {
  constexpr int64_t kMaxRounds = 100'000;
  std::vector<Traced> state(access.operands.begin(), access.operands.end());
  Set conditions = ProvenanceSets::kNone;
  for (int64_t round = 0; round < kMaxRounds; ++round) {
    FailureOr<std::vector<Traced>> cond =
        access.provenance.region(op.getCond(), state);
    if (failed(cond))
      return failure();
    conditions = access.unite(conditions, cond->front().origin.elements[0]);
    if (!cond->front().value.tensor()->scalar().integer) {
      for (Traced &each : state)
        access.provenance.addEverywhere(each.origin, conditions);
      return give(access, std::move(state));
    }
    FailureOr<std::vector<Traced>> next =
        access.provenance.region(op.getBody(), state);
    if (failed(next))
      return failure();
    state = std::move(*next);
  }
  return op.emitOpError() << "expected at most " << kMaxRounds << " rounds";
}

static LogicalResult traceBarrier(OptimizationBarrierOp, Access &access) {
  access.results.assign(access.operands.begin(), access.operands.end());
  return success();
}

static LogicalResult traceTuple(TupleOp, Access &access) {
  for (auto [member, operand] :
       llvm::zip(access.results[0].origin.members, access.operands))
    member = operand.origin;
  return success();
}
static LogicalResult traceGetTupleElement(GetTupleElementOp op,
                                          Access &access) {
  access.results[0].origin = access.operands[0].origin.members[op.getIndex()];
  return success();
}
static LogicalResult traceAfterAll(AfterAllOp, Access &access) {
  for (size_t i = 0; i < access.operands.size(); ++i)
    access.reads(0, 0, access.at(i, 0));
  return success();
}

/// Every element is a function of the bounds, or of mean and deviation; the
/// third operand is the shape.
static LogicalResult traceRng(RngOp, Access &access) {
  access.forEach(0, [&](ArrayRef<int64_t>) {
    return access.unite(access.at(0, 0), access.at(1, 0));
  });
  return success();
}
static LogicalResult traceRngBitGenerator(RngBitGeneratorOp, Access &access) {
  for (size_t i = 0; i < 2; ++i)
    access.forEach(i, [&](ArrayRef<int64_t>) { return access.all(0); });
  return success();
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The positions of slice `at` along `dim`, in row-major order.
static SmallVector<int64_t> placesOf(ArrayRef<int64_t> shape, int64_t dim,
                                     int64_t at) {
  SmallVector<int64_t> places;
  int64_t place = 0;
  for (Index index(shape); index; ++index, ++place)
    if (index[dim] == at)
      places.push_back(place);
  return places;
}

static FailureOr<Traced> sliceOf(Operation *op, const Traced &whole,
                                 int64_t dim, int64_t at) {
  const Tensor &tensor = *whole.value.tensor();
  SmallVector<int64_t> shape(tensor.shape());
  shape.erase(shape.begin() + dim);
  FailureOr<Tensor> slice = Tensor::zeros(
      RankedTensorType::get(shape, tensor.type().getElementType()),
      [&] { return op->emitError(); });
  if (failed(slice))
    return failure();
  Origin origin;
  int64_t to = 0;
  for (int64_t from : placesOf(tensor.shape(), dim, at)) {
    slice->copy(to++, tensor, from);
    origin.elements.push_back(whole.origin.elements[from]);
  }
  return Traced{*slice, std::move(origin)};
}

static LogicalResult traceScan(chlo::ScanOp op, Access &access) {
  int64_t dim = op.getDimension();
  size_t inputCount = op.getInputs().size(),
         outputCount = op.getOutputs().size();
  int64_t steps = inputCount ? access.tensor(0).dim(dim) : op.getStepCount();
  if (ShapedType::isDynamic(steps))
    return op.emitOpError("runs a number of steps that is not known");
  std::vector<Traced> outputs(outputCount),
      carries(access.operands.begin() + inputCount, access.operands.end());
  for (size_t i = 0; i < outputCount; ++i) {
    auto type = cast<RankedTensorType>(op.getOutputs()[i].getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = steps;
    FailureOr<Tensor> output =
        Tensor::zeros(RankedTensorType::get(shape, type.getElementType()),
                      [&] { return op.emitError(); });
    if (failed(output))
      return failure();
    outputs[i] = {*output, {std::vector<Set>(output->size()), {}}};
  }
  for (int64_t count = 0; count < steps; ++count) {
    int64_t at = op.getIsReverse() ? steps - 1 - count : count;
    std::vector<Traced> arguments;
    for (size_t i = 0; i < inputCount; ++i) {
      FailureOr<Traced> slice = sliceOf(op, access.operands[i], dim, at);
      if (failed(slice))
        return failure();
      arguments.push_back(*slice);
    }
    llvm::append_range(arguments, carries);
    FailureOr<std::vector<Traced>> returned =
        access.provenance.region(op.getBody(), arguments);
    if (failed(returned))
      return failure();
    for (size_t i = 0; i < outputCount; ++i) {
      Tensor &output = std::get<Tensor>(outputs[i].value);
      const Traced &slice = (*returned)[i];
      int64_t from = 0;
      for (int64_t to : placesOf(output.shape(), dim, at)) {
        output.copy(to, *slice.value.tensor(), from);
        outputs[i].origin.elements[to] = slice.origin.elements[from++];
      }
    }
    carries.assign(returned->begin() + outputCount, returned->end());
  }
  llvm::append_range(outputs, carries);
  return give(access, std::move(outputs));
}

void addControlAccess(AccessRules &rules) {
  constexpr bool isControl = true;
  rules.add<func::CallOp, traceCall>(isControl);
  rules.add<CompositeOp, traceComposite>(isControl);
  rules.add<hlo::FusionOp, traceFusion>(isControl);
  rules.add<IfOp, traceIf>(isControl);
  rules.add<CaseOp, traceCase>(isControl);
  rules.add<WhileOp, traceWhile>(isControl);
  rules.add<chlo::ScanOp, traceScan>(isControl);
  rules.add<OptimizationBarrierOp, traceBarrier>(isControl);
  rules.add<TupleOp, traceTuple>();
  rules.add<GetTupleElementOp, traceGetTupleElement>();
  rules.add<AfterAllOp, traceAfterAll>();
  rules.add<RngOp, traceRng>();
  rules.add<RngBitGeneratorOp, traceRngBitGenerator>();
}

} // namespace mercator::reference
