// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/script/Script.h"

#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

namespace mercator::flow {
#define GEN_PASS_DEF_DISPATCHWITHTRANSFORMDIALECT
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct DispatchWithTransformDialect
    : flow::impl::DispatchWithTransformDialectBase<
          DispatchWithTransformDialect> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    flow::registerScripts(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    OwningOpRef<ModuleOp> module;
    if (transformFileName.empty())
      return success();
    if (failed(transform::detail::parseTransformModuleFromFile(
            context, transformFileName, module)))
      return failure();
    script = std::make_shared<OwningOpRef<ModuleOp>>(std::move(module));
    return success();
  }

  /// Without a script there is nothing to do.
  void runOnOperation() override {
    if (!script)
      return;
    transform::TransformOpInterface entry =
        transform::detail::findTransformEntryPoint(**script, ModuleOp());
    if (!entry ||
        failed(transform::applyTransformNamedSequence(
            getOperation(), entry, ModuleOp(),
            transform::TransformOptions().enableExpensiveChecks(false))))
      signalPassFailure();
  }

private:
  /// Shared by the copies of the pass that run on functions concurrently, which
  /// only read it.
  std::shared_ptr<OwningOpRef<ModuleOp>> script;
};
} // namespace
