// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// All maps of a fused softmax, from operations that are in memory.

#include "Bench.h"

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;
using namespace mercator::bench;

static const char *const kSoftmax = R"(HloModule softmax
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
ENTRY softmax {
  p0 = f32[2,65,125] parameter(0)
  low = f32[] constant(-inf)
  largest = f32[2,65] reduce(p0, low), dimensions={2}, to_apply=max
  shift = f32[2,65,125] broadcast(largest), dimensions={0,1}
  shifted = f32[2,65,125] subtract(p0, shift)
  exp = f32[2,65,125] exponential(shifted)
  zero = f32[] constant(0)
  total = f32[2,65] reduce(exp, zero), dimensions={2}, to_apply=sum
  divisor = f32[2,65,125] broadcast(total), dimensions={0,1}
  ROOT quotient = f32[2,65,125] divide(exp, divisor)
}
)";

void mercator::bench::softmaxRows(Bench &bench) {
  SourceBuffer source("softmax.hlo", kSoftmax);
  DiagnosticEngine diagnostics(llvm::errs());
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::unique_ptr<hlo::Module> tree = hlo::parse(source, diagnostics);
  require(tree != nullptr, "the softmax does not parse");
  mlir::OwningOpRef<mlir::ModuleOp> module =
      hlo::importHlo(*tree, source, context, diagnostics);
  require(static_cast<bool>(module), "the softmax is not imported");

  mlir::Value root;
  module->walk([&](mlir::func::ReturnOp op) {
    if (op->getParentOfType<mlir::func::FuncOp>().getName() == "softmax")
      root = op.getOperand(0);
  });
  require(static_cast<bool>(root), "the softmax has no root");
  auto compute = [&] {
    indexing::Arena arena;
    FusionMaps maps(arena);
    std::vector<Reached> reached = maps.toArguments({root});
    // (d0, d1, d2) -> (d0, d1, d2) and (d0, d1, d2)[s0] -> (d0, d1, s0).
    require(reached.size() == 1 && reached[0].maps.size() == 2,
            "the softmax does not read its parameter in two ways");
    keep(reached);
  };
  bench.row("softmax", 1, timed(compute));
}
