// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The pass `--stablehlo-check-extents`. It visits operations in order: a check may
// rely on those before it in its block and in the blocks around it.

#include "mercator/transforms/stablehlo/Passes.h"
#include "mercator/transforms/stablehlo/checks/ExtentChecks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
class CheckExtents : public PassWrapper<CheckExtents, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckExtents)

  StringRef getArgument() const final { return "stablehlo-check-extents"; }
  StringRef getDescription() const final {
    return "assert at run time that unknown extents fit together";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    cf::ControlFlowDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        check(block);
      return WalkResult::skip();
    });
  }

private:
  void check(Block &block) {
    size_t mark = known.mark();
    for (Operation &op : block) {
      ImplicitLocOpBuilder b(op.getLoc(), &op);
      ExtentChecks checks(b, known);
      checkExtents(&op, checks);
      // The bodies of reductions and the like are applied to numbers.
      if (isa<WhileOp, IfOp, CaseOp>(op) ||
          !isa_and_nonnull<StablehloDialect>(op.getDialect()))
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            check(inner);
      known.visit(op);
    }
    known.forget(mark);
  }

  EqualExtents known;
};
} // namespace

std::unique_ptr<Pass> createCheckExtents() {
  return std::make_unique<CheckExtents>();
}

} // namespace mercator::stablehlo
