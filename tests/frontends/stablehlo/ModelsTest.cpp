// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole programs as JAX, PyTorch and IREE export them, if they are available.

#include "../hlo/HloText.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/support/File.h"

#include "gtest/gtest.h"

using namespace mercator;
using mercator::sharedFolder;

namespace {

/// A program as it is printed; for a refused program, its diagnostics.
std::string printed(std::string text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("model.mlir", std::move(text));
  DiagnosticEngine diagnostics(os);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = stablehlo::parseStablehlo(source, context, diagnostics);
  EXPECT_TRUE(module) << out;
  EXPECT_EQ(out, "");
  if (module)
    module->print(os);
  return out;
}

class StablehloModel : public testing::TestWithParam<const char *> {};

TEST_P(StablehloModel, ParsesVerifiesAndReadsBack) {
  llvm::Expected<std::string> text =
      readFile(sharedFolder() + "/data/models/" + GetParam() + ".mlir");
  if (!text) {
    llvm::consumeError(text.takeError());
    GTEST_SKIP() << "no shared data: set MERCATOR_SHARED";
  }
  ASSERT_TRUE(stablehlo::looksLikeStablehlo(*text));
  std::string once = printed(std::move(*text));
  EXPECT_TRUE(printed(once) == once);
}

INSTANTIATE_TEST_SUITE_P(Models, StablehloModel,
                         testing::Values("jax_resnet_50", "lstm", "mnist",
                                         "pt_bert", "searchless_chess_9m"),
                         [](const auto &info) { return info.param; });

} // namespace
