// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts that are predicted of kernels, against those of the evaluator of PTX,
// which runs what XLA wrote for them. tests/peers/gpu_kernels.py does the same for
// random programs.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/support/File.h"

#include "tests/Folders.h"
#include "tests/reference/ptx/CompiledProgram.h"
#include "tests/reference/ptx/RandomInputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <set>

using namespace mercator;

namespace {

std::vector<KernelRecord> predict(const std::string &path) {
  std::vector<KernelRecord> all;
  llvm::Expected<std::string> text = readFile(path);
  DiagnosticEngine diagnostics(llvm::nulls());
  if (!text) {
    llvm::consumeError(text.takeError());
    return all;
  }
  if (auto compilation = Compilation::load(path, *text, diagnostics))
    compilation->forEachKernel(
        {.device = *findDevice("h100")},
        [&](const KernelRecord &kernel) { all.push_back(kernel); });
  return all;
}

/// Products that the evaluator takes half a second for.
const std::set<std::string> kSlow = {"t_dot_bf16", "t_dot_gelu", "t_attention"};

/// What is called exact is equal, and what is called a bound is one.
TEST(KernelRuns, AgreeWithTheEvaluatorOfPtx) {
  std::string data = sharedFolder() + "/data/gpu/ptx";
  if (!llvm::sys::fs::is_directory(data))
    GTEST_SKIP() << "needs " << data;
  std::error_code error;
  int kernels = 0, sharing = 0, exact = 0;
  for (llvm::sys::fs::directory_iterator folder(data, error), end;
       folder != end && !error; folder.increment(error)) {
    std::string name = llvm::sys::path::filename(folder->path()).str(), why;
    if (kSlow.count(name) != 0)
      continue;
    std::optional<CompiledProgram> program =
        CompiledProgram::read(folder->path(), why);
    ASSERT_TRUE(program) << why;
    std::optional<CompiledProgram::Outcome> outcome =
        program->run(randomInputs(program->inputs(), 1), {}, why);
    ASSERT_TRUE(outcome) << name << ": " << why;
    std::vector<KernelRecord> predicted =
        predict(folder->path() + "/" + name + ".hlo");
    for (const CompiledProgram::KernelRun &run : outcome->kernels) {
      auto said = llvm::find_if(predicted, [&](const KernelRecord &k) {
        return k.instruction == run.instruction;
      });
      if (said == predicted.end() || !said->kernel.isKnown())
        continue;
      ++kernels;
      const kernels::Counts &counts = said->counts;
      const reference::ptx::Counts &did = run.counts;
      for (auto [what, count, value] :
           {std::tuple("loads", &counts.loads, did.loads),
            {"load sectors", &counts.loadSectors, did.loadSectors},
            {"stores", &counts.stores, did.stores},
            {"store sectors", &counts.storeSectors, did.storeSectors},
            {"shared loads", &counts.sharedLoads, did.sharedLoads},
            {"their passes", &counts.sharedLoadPasses, did.sharedLoadPasses},
            {"shared stores", &counts.sharedStores, did.sharedStores},
            {"their passes", &counts.sharedStorePasses,
             did.sharedStorePasses}}) {
        SCOPED_TRACE(name + ", " + run.instruction + ": " + what);
        if (count->isExact())
          EXPECT_EQ(count->value, int64_t(value));
        else if (count->why.exactness == Exactness::UpperBound)
          EXPECT_GE(count->value, int64_t(value));
        if (!count->isExact())
          EXPECT_FALSE(count->why.reason.empty());
      }
      bool isKnown = counts.sharedLoads.isExact();
      exact += isKnown;
      sharing += isKnown && did.sharedLoads > 0;
    }
  }
  EXPECT_GE(kernels, 45);
  EXPECT_GE(exact, 42);
  EXPECT_GE(sharing, 15);
}

} // namespace
