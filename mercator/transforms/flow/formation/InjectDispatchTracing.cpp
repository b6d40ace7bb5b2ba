// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_INJECTDISPATCHTRACING
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

static std::string nameOf(SymbolRefAttr symbol) {
  std::string name = symbol.getRootReference().str();
  for (FlatSymbolRefAttr nested : symbol.getNestedReferences())
    name += "::" + nested.getValue().str();
  return name;
}

static void trace(OpBuilder &builder, Location loc, const Twine &key,
                  ValueRange values) {
  SmallVector<Value> tensors = llvm::filter_to_vector(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
  flow::TensorTraceOp::create(builder, loc, builder.getStringAttr(key),
                              tensors);
}

namespace {
struct InjectDispatchTracing
    : flow::impl::InjectDispatchTracingBase<InjectDispatchTracing> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](flow::DispatchOp op) {
      std::string name = nameOf(op.getEntryPoint());
      OpBuilder builder(op);
      trace(builder, op.getLoc(), name + " inputs", op.getArguments());
      builder.setInsertionPointAfter(op);
      trace(builder, op.getLoc(), name + " outputs", op->getResults());
    });
  }
};
} // namespace
