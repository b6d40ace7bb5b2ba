// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs through each pass alone, through dispatch formation and
// through the whole pipeline. MERCATOR_RANDOM_PROGRAMS=1000 sets their number;
// MERCATOR_RANDOM_PASS=fusion selects the passes with that text in their names.

#include "PassMeaning.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/RandomFlow.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::testing;
using llvm::StringRef;

namespace {

constexpr const char *pipelines[] = {
    "canonicalize",
    "iree-util-demote-f64-to-f32",
    "iree-util-apply-patterns",
    "iree-util-ipo",
    "iree-util-hoist-into-globals",
    "iree-util-strip-debug-ops",
    "iree-flow-convert-1x1-filter-conv2d-to-matmul",
    "iree-flow-convert-conv2d-to-img2col",
    "iree-flow-detach-elementwise-from-named-ops",
    "iree-flow-convert-linalg-matmul-to-mmt4d{enable_generic_slow=true}",
    "iree-flow-convert-linalg-matmul-to-mmt4d{arch=aarch64}",
    "iree-flow-pad-linalg-ops",
    "iree-flow-expand-tensor-shapes",
    "iree-flow-tensor-pad-to-tensor-insert-slice",
    "iree-flow-interchange-generic-ops",
    "iree-flow-interchange-transpose-generic-ops",
    "func.func(iree-flow-fusion-of-tensor-ops)",
    "func.func(iree-flow-fusion-of-tensor-ops{fuse-multi-use=true})",
    "func.func(iree-flow-fusion-of-tensor-ops{recompute=false})",
    "mercator-flow-generalize-named-ops",
    "mercator-flow-fold-permutations",
    "mercator-flow-generalize-named-ops,linalg-fold-unit-extent-dims,"
    "mercator-flow-fold-permutations",
    "mercator-flow-factor-sums{least-bytes=64}",
    "mercator-flow-recompute-tensors{least-bytes=64}",
    "iree-flow-split-reduction-ops{split-matmul-reduction=2}",
    "mercator-flow-decompose-tensor-ops",
    "mercator-flow-convert-elementwise-to-linalg,linalg-fold-unit-extent-dims",
    "iree-flow-initialize-empty-tensors{zero-fill=true}",
    "func.func(iree-flow-form-dispatch-regions)",
    "func.func(iree-flow-form-dispatch-regions{aggressive-fusion=true})",
    "func.func(iree-flow-form-dispatch-workgroups)",
    "mercator-flow-convert-elementwise-to-linalg,func.func(iree-flow-form-"
    "dispatch-regions,"
    "iree-flow-form-dispatch-workgroups),"
    "iree-flow-capture-dispatch-dynamic-dims,canonicalize,cse,"
    "iree-flow-initialize-empty-tensors,iree-flow-outline-dispatch-regions,"
    "iree-flow-deduplicate-executables",
    "iree-flow-convert-to-flow",
    "iree-flow-transformation-pipeline",
    "iree-flow-transformation-pipeline{enable-aggressive-fusion=true}",
    "iree-flow-transformation-pipeline{enable-aggressive-fusion=true "
    "compose-maps=true enable-fuse-padding-into-linalg-consumer-ops=true "
    "normalize-input-indexing-map=true}",
};

class Checker {
public:
  /// The verdict of the first function that differs, "" if there is none;
  /// nothing if the program cannot be parsed.
  std::optional<std::string> check(const std::string &text,
                                   StringRef pipeline) {
    auto before = parseSourceString<ModuleOp>(text, context.get());
    if (!before)
      return std::nullopt;
    bool isUnderstood = true;
    OwningOpRef<ModuleOp> after = afterPasses(*before, pipeline, isUnderstood);
    if (!isUnderstood)
      return "there is no such pass";
    if (!after) {
      ++refused[pipeline.str()];
      if (std::getenv("MERCATOR_MEANING_VERBOSE"))
        llvm::outs() << "refused by " << pipeline << ":\n" << text << "\n";
      return "";
    }
    MeaningOptions options = optionsFor(pipeline);
    options.runs = 2;
    Meaning meaning(*before, *after, options);
    for (const FunctionVerdict &verdict : meaning.compare()) {
      if (verdict.kind == FunctionVerdict::Differs)
        return verdict.why;
      ++(verdict.kind == FunctionVerdict::Same ? same : notRun[verdict.why]);
    }
    return "";
  }

  int64_t same = 0;
  std::map<std::string, int64_t> refused;
  std::map<std::string, int64_t> notRun;

private:
  std::unique_ptr<MLIRContext> context = contextForPasses();
};

TEST(FlowMeaning, PassesKeepWhatRandomProgramsMean) {
  int64_t count = cases(40);
  if (const char *text = std::getenv("MERCATOR_RANDOM_PROGRAMS"))
    ASSERT_FALSE(StringRef(text).getAsInteger(10, count));
  const char *only = std::getenv("MERCATOR_RANDOM_PASS");
  Checker checker;
  std::map<std::string, int64_t> failures;
  uint64_t begin = givenSeed().value_or(testSeed() % 1'000'000);
  for (uint64_t seed = begin; seed < begin + uint64_t(count); ++seed) {
    int operations = 2 + int(seed % 11);
    std::string text = randomFlow(seed, operations);
    for (const char *pipeline : pipelines) {
      if (only && !StringRef(pipeline).contains(only))
        continue;
      std::optional<std::string> wrong = checker.check(text, pipeline);
      ASSERT_TRUE(wrong) << "seed " << seed << ": no program:\n" << text;
      if (wrong->empty() || ++failures[pipeline] > 3)
        continue;
      // The shortest prefix that is wrong.
      for (int fewer = 1; fewer < operations; ++fewer) {
        std::string shorter = randomFlow(seed, fewer);
        std::optional<std::string> still = checker.check(shorter, pipeline);
        if (!still || still->empty())
          continue;
        text = shorter;
        wrong = still;
        break;
      }
      ADD_FAILURE() << "seed " << seed << ", " << pipeline << ": " << *wrong
                    << "\n"
                    << text;
      text = randomFlow(seed, operations);
    }
  }
  llvm::outs() << "programs from seed " << begin << ": " << count << ", "
               << checker.same << " same\n";
  for (const auto &[why, number] : checker.notRun)
    llvm::outs() << "  " << number << " not run: " << why << "\n";
  for (const auto &[pipeline, number] : checker.refused)
    llvm::outs() << "  " << number << " refused by " << pipeline << "\n";
  for (const auto &[pipeline, number] : failures)
    llvm::outs() << "  " << number << " differ: " << pipeline << "\n";
  if (!only)
    EXPECT_GT(checker.same, count * 15);
}

} // namespace
