// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

class Loops : public testing::Test {
protected:
  Loops() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    loadDialects(context);
  }

  /// For each load that is used, in order: the loops around it.
  std::vector<int> depths(const std::string &parameters,
                          const std::string &operation) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @kernel(" + parameters + ") {\n" + operation +
            "\nreturn\n}\n",
        &context);
    std::vector<int> all;
    if (!module) {
      ADD_FAILURE() << operation;
      return all;
    }
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    EXPECT_TRUE(succeeded(lowerToLoops(function)));
    function.walk([&](mlir::memref::LoadOp load) {
      if (load->use_empty()) // of what is overwritten
        return;
      int depth = 0;
      for (mlir::Operation *op = load; (op = op->getParentOp());)
        depth += llvm::isa<mlir::scf::ForOp>(op);
      all.push_back(depth);
    });
    return all;
  }

  mlir::MLIRContext context;
};

// A row of %t for each index, times a scale.
constexpr const char *kGather =
    "linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, "
    "affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
    "\"parallel\"]} ins(%i : memref<8xi32>) outs(%y : memref<8x16xf32>) {\n"
    "^bb0(%a: i32, %o: f32):\n"
    "  %j = linalg.index 1 : index\n"
    "  %k = arith.index_cast %a : i32 to index\n"
    "  %x = memref.load %t[%k, %j] : memref<9x16xf32>\n"
    "  linalg.yield %x : f32\n}";

TEST_F(Loops, ComputeWhatIsTheSameBefore) {
  EXPECT_EQ(depths("%i: memref<8xi32>, %t: memref<9x16xf32>, "
                   "%y: memref<8x16xf32>",
                   kGather),
            (std::vector<int>{1, 2}));
}

TEST_F(Loops, LoadWhatTheyWriteInEveryIteration) {
  // A part of %y is read.
  EXPECT_EQ(depths("%y: memref<8x16xf32>",
                   "%v = memref.subview %y[0, 3] [8, 1] [1, 1] : "
                   "memref<8x16xf32> to memref<8xf32, strided<[16], offset: "
                   "3>>\nlinalg.generic {indexing_maps = [affine_map<(d0, d1) "
                   "-> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], "
                   "iterator_types = [\"parallel\", \"parallel\"]} ins(%v : "
                   "memref<8xf32, strided<[16], offset: 3>>) outs(%y : "
                   "memref<8x16xf32>) {\n^bb0(%a: f32, %o: f32):\n"
                   "  linalg.yield %a : f32\n}"),
            (std::vector<int>{2}));
}

TEST_F(Loops, LoadNothingIfTheyMayHaveNoIterations) {
  EXPECT_EQ(depths("%i: memref<8xf32>, %y: memref<8x?xf32>",
                   "linalg.generic {indexing_maps = [affine_map<(d0, d1) -> "
                   "(d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = "
                   "[\"parallel\", \"parallel\"]} ins(%i : memref<8xf32>) "
                   "outs(%y : memref<8x?xf32>) {\n^bb0(%a: f32, %o: f32):\n"
                   "  linalg.yield %a : f32\n}"),
            (std::vector<int>{2}));
}

/// A parallel loop that copies the rows of a buffer to another, from a column on.
std::string copyOf(const std::string &from, const std::string &to,
                   const std::string &column) {
  return "scf.for %i = %c0 to %c8 step %c1 {\n"
         "  %r = vector.load %" +
         from + "[%i, %" + column +
         "] : memref<8x32xf32>, vector<16xf32>\n  vector.store %r, %" + to +
         "[%i, %c0] : memref<8x32xf32>, vector<16xf32>\n"
         "} {mercator.parallel}\n";
}

TEST_F(Loops, AreOneTaskIfTheyDifferInWhatTheyCapture) {
  std::string begin =
      "(%x: memref<8x32xf32>, %y: memref<8x32xf32>, %z: memref<8x32xf32>) {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c8 = arith.constant 8 : index\n";
  std::string text = "func.func @layers" + begin + copyOf("x", "y", "c0") +
                     copyOf("y", "z", "c0") + "return\n}\n" +
                     "func.func @more" + begin + copyOf("z", "x", "c0") +
                     copyOf("x", "y", "c1") + "return\n}\n";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(outlineParallelLoops(*module)));
  std::vector<std::string> tasks, named;
  for (auto function : module->getOps<mlir::func::FuncOp>())
    if (function.isPrivate())
      tasks.push_back(function.getName().str());
  module->walk([&](mlir::LLVM::AddressOfOp op) {
    named.push_back(op.getGlobalName().str());
  });
  EXPECT_EQ(tasks, (std::vector<std::string>{"layers_part0", "more_part3"}));
  EXPECT_EQ(named, (std::vector<std::string>{"layers_part0", "layers_part0",
                                             "layers_part0", "more_part3"}));
}

} // namespace
