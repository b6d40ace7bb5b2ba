// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every lit test of the passes of util and flow, and of the equations of
// StableHLO, run twice by the reference
// evaluator: as written, and after the passes of its RUN line.
//
// MERCATOR_MEANING_ONLY=fold-globals selects the files with that text in their
// path; MERCATOR_MEANING_VERBOSE=1 reports the verdict of each function.

#include "PassMeaning.h"
#include "RunLines.h"
#include "tests/Folders.h"
#include "tests/Seed.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace mlir;
using namespace mercator;
using namespace mercator::testing;
using llvm::StringRef;

namespace {

struct Counts {
  int64_t functions = 0, same = 0, differ = 0, silent = 0, refused = 0;
  std::map<std::string, int64_t> whyNot;
};

class Harness {
public:
  void file(StringRef path, StringRef shown);
  Counts counts;

private:
  void chunk(StringRef shown, const Chunk &chunk, const RunLine &line);
  void count(const FunctionVerdict &verdict, const std::string &where);

  std::unique_ptr<MLIRContext> context = contextForPasses();
  bool isVerbose = std::getenv("MERCATOR_MEANING_VERBOSE") != nullptr;
};

void Harness::count(const FunctionVerdict &verdict, const std::string &where) {
  ++counts.functions;
  static constexpr const char *names[] = {"same", "differs", "not run",
                                          "gives nothing"};
  if (isVerbose)
    llvm::outs() << where << ": @" << verdict.function << ": "
                 << names[verdict.kind] << " " << verdict.why << "\n";
  switch (verdict.kind) {
  case FunctionVerdict::Same:
    ++counts.same;
    return;
  case FunctionVerdict::Differs:
    ++counts.differ;
    ADD_FAILURE() << where << ": @" << verdict.function << ": " << verdict.why;
    return;
  case FunctionVerdict::Silent:
    ++counts.silent;
    return;
  case FunctionVerdict::NotRun:
    StringRef why = verdict.why;
    ++counts.whyNot[why.take_until([](char c) { return c == '\n'; })
                        .take_front(90)
                        .str()];
    return;
  }
}

void Harness::chunk(StringRef shown, const Chunk &chunk, const RunLine &line) {
  OwningOpRef<ModuleOp> before;
  {
    ScopedDiagnosticHandler quiet(context.get(), [](Diagnostic &) {});
    before = parseSourceString<ModuleOp>(chunk.text, context.get());
  }
  if (!before)
    return; // what must not be read is tested elsewhere
  WithFlags flags(line);
  bool isUnderstood = flags.isKnown();
  OwningOpRef<ModuleOp> after;
  if (isUnderstood)
    after = afterPasses(*before, *line.pipeline, isUnderstood);
  if (!isUnderstood) {
    ++counts.whyNot["RUN lines that are not understood"];
    return;
  }
  if (!after) {
    ++counts.refused;
    return;
  }
  std::string where = shown.str() + ":" + std::to_string(chunk.line);
  Meaning meaning(*before, *after, optionsFor(*line.pipeline));
  for (const FunctionVerdict &verdict : meaning.compare())
    count(verdict, where);
}

void Harness::file(StringRef path, StringRef shown) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  StringRef text = (*buffer)->getBuffer();
  std::set<std::string> done;
  for (const RunLine &line : readRunLines(text)) {
    // A transform script may change the meaning.
    if (!line.pipeline ||
        StringRef(*line.pipeline).contains("transform-interpreter"))
      continue;
    std::string key = *line.pipeline;
    for (const auto &[name, value] : line.flags)
      key += " " + name + "=" + value;
    if (!done.insert(key).second)
      continue;
    for (const Chunk &each : splitChunks(text))
      chunk(shown, each, line);
  }
}

TEST(FlowMeaning, PassesKeepWhatProgramsMean) {
  Harness harness;
  const char *only = std::getenv("MERCATOR_MEANING_ONLY");
  std::string root = sourceFolder() + "/tests/";
  std::set<std::string> files;
  auto isTest = [&](StringRef path) {
    // A lowering may round sums differently; `conformance` compares those.
    bool isLowering =
        path.contains("transforms/stablehlo") && !path.contains("simplify");
    return path.ends_with(".mlir") && !isLowering &&
           (!only || path.contains(only));
  };
  for (StringRef folder :
       {"transforms/flow", "transforms/util", "transforms/stablehlo"}) {
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(root + folder, error),
         end;
         it != end && !error; it.increment(error))
      if (isTest(it->path()))
        files.insert(it->path());
  }
  for (const std::string &path : files)
    harness.file(path, StringRef(path).drop_front(root.size()));
  const Counts &counts = harness.counts;
  llvm::outs() << "seed " << testSeed() << ": " << counts.functions
               << " functions of " << files.size() << " files: " << counts.same
               << " same, " << counts.differ << " differ, " << counts.silent
               << " give nothing, "
               << counts.functions - counts.same - counts.differ - counts.silent
               << " not run; " << counts.refused << " programs refused\n";
  for (const auto &[why, number] : counts.whyNot)
    llvm::outs() << "  " << number << " not run: " << why << "\n";
  if (!only)
    EXPECT_GE(counts.same * 100, (counts.functions - counts.silent) * 70);
}

} // namespace
