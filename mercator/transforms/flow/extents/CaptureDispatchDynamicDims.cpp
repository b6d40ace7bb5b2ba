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
/// Ties the arguments of one dispatch to their extents.
class DimCapture {
public:
  explicit DimCapture(flow::DispatchWorkgroupsOp dispatch)
      : dispatch(dispatch), body(dispatch.getWorkgroupBody().front()),
        builder(OpBuilder::atBlockBegin(&body)) {
    // For a value that is passed in twice, the last argument counts.
    for (auto [i, operand] : llvm::enumerate(dispatch.getArguments()))
      inside[operand] = dispatch.getInputBlockArgument(i);
  }

  void run() {
    // The present arguments and their extents; more arguments follow.
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

  /// The argument for `dim`. If there is none, adds a new one as the last
  /// operand, before the results.
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
