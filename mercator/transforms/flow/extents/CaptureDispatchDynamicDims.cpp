// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CAPTUREDISPATCHDYNAMICDIMS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
/// One dispatch whose body learns the extents of what it is handed.
class DimCapture {
public:
  explicit DimCapture(flow::DispatchWorkgroupsOp dispatch)
      : dispatch(dispatch), body(dispatch.getWorkgroupBody().front()),
        builder(OpBuilder::atBlockBegin(&body)) {
    // Of a value that is handed in twice, the last stands for it.
    for (auto [i, operand] : llvm::enumerate(dispatch.getArguments()))
      inside[operand] = dispatch.getInputBlockArgument(i);
  }

  void run() {
    // The arguments and their extents as they are now: there will be more.
    llvm::SmallVector<std::pair<Value, llvm::SmallVector<Value>>> ties;
    unsigned first = dispatch.getTiedOperandsIndexAndLength().first;
    for (unsigned i = 0; i < dispatch.getArguments().size(); ++i)
      ties.emplace_back(dispatch.getInputBlockArgument(i),
                        dispatch.getOperandDynamicDims(first + i));
    llvm::SmallVector<int64_t> tied = dispatch.getTiedArguments();
    for (unsigned i = 0; i < dispatch.getNumResults(); ++i)
      if (tied[i] < 0)
        ties.emplace_back(dispatch.getOutputBlockArgument(i),
                          dispatch.getResultDynamicDims(i));
    for (auto &[argument, dims] : ties)
      tie(argument, dims);
  }

private:
  void tie(Value argument, llvm::ArrayRef<Value> dims) {
    auto type = dyn_cast<flow::DispatchTensorType>(argument.getType());
    auto isTie = [](Operation *user) {
      return isa<flow::DispatchTieShapeOp>(user);
    };
    if (!type || type.hasStaticShape() ||
        (!argument.use_empty() && llvm::all_of(argument.getUsers(), isTie)))
      return;
    auto captured =
        llvm::map_to_vector(dims, [&](Value dim) { return capture(dim); });
    auto tied = flow::DispatchTieShapeOp::create(builder, argument.getLoc(),
                                                 argument, captured);
    argument.replaceUsesWithIf(tied, [](OpOperand &use) {
      return !isa<flow::DispatchTieShapeOp>(use.getOwner());
    });
  }

  /// The argument that `dim` is handed in by, a new one where there is none:
  /// the last operand, before the results.
  Value capture(Value dim) {
    auto [it, isNew] = inside.try_emplace(dim);
    if (isNew) {
      unsigned end = dispatch.getArguments().size();
      it->second = body.insertArgument(end, dim.getType(), dim.getLoc());
      dispatch.getArgumentsMutable().append(dim);
    }
    return it->second;
  }

  flow::DispatchWorkgroupsOp dispatch;
  Block &body;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> inside;
};

struct CaptureDispatchDynamicDims
    : flow::impl::CaptureDispatchDynamicDimsBase<CaptureDispatchDynamicDims> {
  using Base::Base;

  void runOnOperation() override {
    llvm::SmallVector<flow::DispatchWorkgroupsOp> dispatches;
    getOperation()->walk(
        [&](flow::DispatchWorkgroupsOp op) { dispatches.push_back(op); });
    for (flow::DispatchWorkgroupsOp dispatch : dispatches)
      DimCapture(dispatch).run();
  }
};
} // namespace
