// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Planning a gather: from the operation in memory to all seven ways, their
/// steps, and which of them the device can carry out.

#include "Bench.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "tests/targets/ascend/gather/RandomGather.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mercator;
using namespace mercator::bench;
using mlir::Operation;

static void planAll(llvm::ArrayRef<Operation *> gathers) {
  for (Operation *op : gathers) {
    std::string why;
    llvm::FailureOr<gather::GatherProblem> problem =
        gather::gatherProblem(op, why);
    if (failed(problem))
      continue;
    mlir::Type element =
        llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType())
            .getElementType();
    keep(ascend::planFor(*problem, element, {}));
  }
}

static void collect(mlir::ModuleOp module, std::vector<Operation *> &gathers) {
  module.walk([&](Operation *op) {
    if (llvm::isa<stablehlo::GatherOp, stablehlo::DynamicGatherOp,
                  stablehlo::DynamicSliceOp>(op))
      gathers.push_back(op);
  });
}

void mercator::bench::gatherRows(Bench &bench) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<Operation *> random;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    gather::Draw draw(seed, "f32");
    modules.push_back(
        mlir::parseSourceString<mlir::ModuleOp>(draw.text, &context));
    require(bool(modules.back()), "a random gather does not parse");
    collect(*modules.back(), random);
  }
  bench.row("gather-plan-random", double(random.size()),
            timed([&] { planAll(random); }));

  // As in benchmarks/run: the folder next to the checkout.
  const char *given = std::getenv("MERCATOR_SHARED");
  std::string folder = given && *given
                           ? std::string(given)
                           : std::string(MERCATOR_SOURCE_DIR "/../shared");
  std::vector<Operation *> real;
  for (const char *name :
       {"pt_bert", "searchless_chess_9m", "lstm", "jax_resnet_50", "mnist"}) {
    modules.push_back(mlir::parseSourceFile<mlir::ModuleOp>(
        folder + "/data/models/" + name + ".mlir", &context));
    if (modules.back())
      collect(*modules.back(), real);
  }
  if (real.empty())
    bench.skip("gather-plan-models", "the folder of shared data is absent");
  else
    bench.row("gather-plan-models", double(real.size()),
              timed([&] { planAll(real); }));
}
