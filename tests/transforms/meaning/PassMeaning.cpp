// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassMeaning.h"
#include "tests/Seed.h"

#include "mercator/dialects/Register.h"
#include "mercator/transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using llvm::StringRef;

namespace mercator::testing {

namespace {
/// The passes that change the order or precision of floating-point operations,
/// and the tolerance of results relative to the largest element: some units in
/// the last place of f32, or many if the program had f64.
struct Reassociating {
  StringRef pass;
  double ulps;
  StringRef why;
};
} // namespace

static constexpr Reassociating reassociating[] = {
    {"split-reduction", 1024, "partial sums are added last"},
    {"mmt4d", 1024, "a tile adds what padding gives, in other groups"},
    {"detach-elementwise", 1024, "the init is added last"},
    {"img2col", 1024, "the sum runs over one loop"},
    {"conv2d-to-matmul", 1024, "the sum runs over one loop"},
    {"pad-linalg", 1024, "zeros are added"},
    {"demote-f64", 1024, "f32 has fewer digits"},
    {"factor-sums", 1024, "two sums change places"},
    {"transformation-pipeline", 1024, "it has some of these"},
    {"flow-pipeline", 1024, "it has some of these"},
};

MeaningOptions optionsFor(StringRef pipeline) {
  MeaningOptions options;
  options.seed = testSeed();
  for (const Reassociating &each : reassociating)
    if (pipeline.contains(each.pass))
      options.tolerance.ulps = std::max(options.tolerance.ulps, each.ulps);
  options.hasSpecials = pipeline.contains("stablehlo-simplify");
  options.globalsHoldSomething = !pipeline.contains("fold-globals") &&
                                 !pipeline.contains("fixed-point") &&
                                 !pipeline.contains("pipeline");
  return options;
}

std::unique_ptr<MLIRContext> contextForPasses() {
  static const bool registered = [] {
    registerUpstreamPasses();
    registerMercatorPasses();
    return true;
  }();
  (void)registered;
  DialectRegistry registry;
  registerAllMercatorDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  return context;
}

OwningOpRef<ModuleOp> afterPasses(ModuleOp before, StringRef pipeline,
                                  bool &isUnderstood) {
  PassManager passes(before.getContext(), ModuleOp::getOperationName(),
                     PassManager::Nesting::Implicit);
  StringRef inner = pipeline.trim();
  if (inner.consume_front("builtin.module("))
    inner = inner.drop_back();
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  isUnderstood = succeeded(parsePassPipeline(inner, passes, os));
  if (!isUnderstood)
    return nullptr;
  ScopedDiagnosticHandler quiet(before.getContext(), [](Diagnostic &) {});
  OwningOpRef<ModuleOp> after = before.clone();
  return succeeded(passes.run(*after)) ? std::move(after) : nullptr;
}

} // namespace mercator::testing
