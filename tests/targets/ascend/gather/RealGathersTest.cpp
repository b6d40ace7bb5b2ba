// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every gather and dynamic_slice of the programs in the shared folder with
// known shapes has a plan, on either device. TestdataTest evaluates those of
// programs that carry their inputs.
//
// Their strategies: test programs slice at constants, or once, so most are
// `constant` and `slice`; half of the gathers of stablehlo-testdata have
// quantized elements. The dynamic_slices of the models are in the loops of HLO
// modules. Embeddings become GatherV2.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "tests/Folders.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdlib>
#include <map>
#include <set>

using namespace mercator;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {
class Tally {
public:
  Tally() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  void folder(const std::string &path);
  void print(const char *title) const;

  int64_t gathers = 0, slices = 0, unknownShapes = 0, otherTypes = 0;

private:
  void file(const std::string &path);
  void plan(mlir::Operation *op);

  mlir::MLIRContext context;
  std::string place;
  std::array<std::array<int64_t, gather::kStrategies>, 2> taken = {};
};
} // namespace

void Tally::plan(mlir::Operation *op) {
  std::string why;
  llvm::FailureOr<gather::GatherProblem> problem =
      gather::gatherProblem(op, why);
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](mlir::Type type) {
    return llvm::cast<mlir::ShapedType>(type).hasStaticShape();
  });
  if (failed(problem)) {
    // Shapes or sizes that are known only at run time.
    EXPECT_TRUE(!isStatic || llvm::isa<stablehlo::DynamicGatherOp>(op))
        << place << ": " << why;
    ++unknownShapes;
    return;
  }
  ++(llvm::isa<stablehlo::DynamicSliceOp>(op) ? slices : gathers);
  mlir::Type element = llvm::cast<mlir::ShapedType>(op->getOperand(0).getType())
                           .getElementType();
  if (!ascend::geType(element)) {
    ++otherTypes; // quantized ones, FP8
    return;
  }
  for (auto [device, counts] : llvm::zip_equal(
           std::array{&devices::ascendAny(), &devices::ascend910b()}, taken)) {
    gather::Planning planning =
        ascend::planFor(*problem, element, {.device = device});
    const gather::Candidate *best = planning.best();
    ASSERT_TRUE(best) << place;
    ++counts[unsigned(best->strategy)];
  }
}

void Tally::file(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(buffer) << path;
  auto planAll = [&](ModuleOp module) {
    module.walk([&](mlir::Operation *op) {
      if (llvm::isa<stablehlo::GatherOp, stablehlo::DynamicGatherOp,
                    stablehlo::DynamicSliceOp>(op))
        plan(op);
    });
  };
  StringRef text = (*buffer)->getBuffer();
  if (StringRef(path).ends_with(".hlo")) {
    SourceBuffer source(path, text.str());
    DiagnosticEngine diagnostics(llvm::errs());
    auto tree = hlo::parse(source, diagnostics);
    ASSERT_TRUE(tree) << path;
    OwningOpRef<ModuleOp> module =
        hlo::importHlo(*tree, source, context, diagnostics);
    ASSERT_TRUE(module) << path;
    return planAll(*module);
  }
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) {});
  llvm::SmallVector<StringRef> pieces;
  text.split(pieces, "// -----");
  for (StringRef piece : pieces)
    if (auto module = mlir::parseSourceString<ModuleOp>(piece, &context))
      planAll(*module);
}

void Tally::folder(const std::string &path) {
  std::error_code error;
  std::set<std::string> files;
  for (llvm::sys::fs::recursive_directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir") ||
        StringRef(it->path()).ends_with(".hlo"))
      files.insert(it->path());
  for (const std::string &name : files) {
    place = name.substr(path.size() + 1);
    file(name);
  }
}

void Tally::print(const char *title) const {
  std::printf("  %s: %ld gathers, %ld dynamic_slices, of them %ld of types "
              "that GE lacks; %ld more of shapes not known\n",
              title, long(gathers), long(slices), long(otherTypes),
              long(unknownShapes));
  for (unsigned i = 0; i < gather::kStrategies; ++i)
    if (taken[0][i] || taken[1][i])
      std::printf("    %-15s %4ld, on the 910B %4ld\n",
                  gather::name(gather::Strategy(i)).str().c_str(),
                  long(taken[0][i]), long(taken[1][i]));
}

TEST(AscendGather, EveryOneOfRealPrograms) {
  std::string shared = sharedFolder();
  if (!llvm::sys::fs::is_directory(shared + "/data"))
    GTEST_SKIP() << "no shared data: set MERCATOR_SHARED";
  int64_t all = 0;
  for (const char *name :
       {"stablehlo-testdata", "stablehlo-interpret", "models"}) {
    Tally tally;
    tally.folder(shared + "/data/" + name);
    tally.print(name);
    all += tally.gathers + tally.slices;
  }
  EXPECT_GE(all, 104);
}
