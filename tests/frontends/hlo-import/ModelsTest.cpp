// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole programs, if they are available.

#include "../hlo/HloText.h"
#include "ImportText.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace mercator;
using namespace mercator::hlo;

namespace {
struct Model {
  const char *file;
  unsigned functions;
  unsigned opaque;
  // NOLINTNEXTLINE(readability-identifier-naming): required by GoogleTest.
  friend void PrintTo(const Model &model, std::ostream *os) {
    *os << model.file;
  }
};
class ImportModel : public testing::TestWithParam<Model> {};
} // namespace

TEST_P(ImportModel, CompleteAndReadableAgain) {
  auto file = llvm::MemoryBuffer::getFile(sharedFolder() + "/data/models/" +
                                          GetParam().file);
  if (!file)
    GTEST_SKIP() << "no shared data: set MERCATOR_SHARED";
  llvm::StringRef text = (*file)->getBuffer();
  ImportedText imported = importText(text);
  EXPECT_EQ(imported.said, "");
  ASSERT_TRUE(imported.module);

  // Every instruction of every function is present by name.
  SourceBuffer source("t.hlo", text.str());
  DiagnosticEngine diagnostics(llvm::errs());
  std::unique_ptr<Module> module = parse(source, diagnostics);
  ASSERT_TRUE(module);
  unsigned functions = 0, opaque = 0;
  std::map<std::string, const Computation *> byName;
  for (const Computation &computation : module->computations)
    byName[computation.name.str()] = &computation;
  for (auto function : imported.module->getOps<mlir::func::FuncOp>()) {
    ++functions;
    const Computation *computation = byName[function.getSymName().str()];
    ASSERT_TRUE(computation);
    std::vector<llvm::StringRef> names, expected;
    for (mlir::Operation &op : function.getBody().front()) {
      if (auto name = llvm::dyn_cast<mlir::NameLoc>(op.getLoc()))
        names.push_back(name.getName());
      opaque += llvm::isa<OpaqueOp>(op);
    }
    for (const Instruction &instruction : computation->instructions)
      if (instruction.opcode != Opcode::Parameter)
        expected.push_back(instruction.name);
    EXPECT_EQ(names, expected);
  }
  EXPECT_EQ(functions, GetParam().functions);
  EXPECT_EQ(opaque, GetParam().opaque);

  // The printed module reads back as the same.
  std::string printed = imported.print();
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto again = mlir::parseSourceString<mlir::ModuleOp>(printed, &context);
  ASSERT_TRUE(again);
  std::string twice;
  llvm::raw_string_ostream os(twice);
  again->print(os);
  EXPECT_TRUE(twice == printed);
}

INSTANTIATE_TEST_SUITE_P(Models, ImportModel,
                         testing::Values(Model{"large_loop_fusion.hlo", 1, 0},
                                         Model{"llama31_8b.hlo", 416, 0},
                                         Model{"maxtext_train_step.hlo", 21, 0},
                                         Model{"mobilenet_v2.hlo", 1, 0}),
                         [](const auto &info) {
                           std::string name = info.param.file;
                           return name.substr(0, name.find('.'));
                         });
