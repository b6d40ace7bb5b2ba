// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Compile.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/targets/cpu/llvm/Optimize.h"

#include "mlir/Parser/Parser.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"

using namespace mercator;

namespace {

/// A dispatch of tanh(a * b) + c, with a constant c.
std::string layerOf(const std::string &name, int rows) {
  std::string m = std::to_string(rows), a = "tensor<" + m + "x64xf32>",
              c = "tensor<" + m + "x80xf32>";
  auto load = [](const std::string &from, const std::string &sizes,
                 const std::string &type) {
    return "flow.dispatch.tensor.load " + from +
           ", offsets = [0, 0], sizes = [" + sizes +
           "], strides = [1, 1] : !flow.dispatch.tensor<readonly:" + type +
           "> -> " + type + "\n";
  };
  return "flow.executable private @" + name +
         " {\nflow.executable.export public @" + name +
         "\nbuiltin.module {\nfunc.func @" + name +
         "(%x: !flow.dispatch.tensor<readonly:" + a +
         ">, %y: !flow.dispatch.tensor<readonly:tensor<64x80xf32>>, "
         "%z: !flow.dispatch.tensor<writeonly:" +
         c + ">) {\n%zero = arith.constant 0.0 : f32\n" +
         "%offsets = arith.constant dense<\"0x" + std::string(320, '3') +
         std::string(320, '4') +
         "\"> : tensor<80xf32>\n%a = " + load("%x", m + ", 64", a) +
         "%b = " + load("%y", "64, 80", "tensor<64x80xf32>") +
         "%e = tensor.empty() : " + c +
         "\n%f = linalg.fill ins(%zero : f32) outs(%e : " + c + ") -> " + c +
         "\n%p = linalg.matmul ins(%a, %b : " + a +
         ", tensor<64x80xf32>) outs(%f : " + c + ") -> " + c +
         "\n%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
         "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], "
         "iterator_types = [\"parallel\", \"parallel\"]} ins(%p, %offsets : " +
         c + ", tensor<80xf32>) outs(%e : " + c +
         ") {\n^bb0(%s: f32, %o: f32, %u: f32):\n"
         "%t = math.tanh %s : f32\n%v = arith.addf %t, %o : f32\n"
         "linalg.yield %v : f32\n} -> " +
         c +
         "\nflow.dispatch.tensor.store %r, %z, offsets = [0, 0], sizes = [" +
         m + ", 80], strides = [1, 1] : " + c +
         " -> !flow.dispatch.tensor<writeonly:" + c + ">\nreturn\n}\n}\n}\n";
}

std::string layers() {
  std::string text, main, results, types;
  for (int i = 0; i < 6; ++i) {
    int rows = 90 + 7 * i;
    std::string name = "layer" + std::to_string(i), number = std::to_string(i),
                a = "tensor<" + std::to_string(rows) + "x64xf32>",
                c = "tensor<" + std::to_string(rows) + "x80xf32>";
    text += layerOf(name, rows);
    main += "%r" + number + " = flow.dispatch @" + name + "::@" + name + "(%x" +
            number + ", %y) : (" + a + ", tensor<64x80xf32>) -> " + c + "\n";
    results += (i ? ", %r" : "%r") + number;
    types += (i ? ", " : "") + c;
  }
  text += "func.func @main(%y: tensor<64x80xf32>";
  for (int i = 0; i < 6; ++i)
    text += ", %x" + std::to_string(i) + ": tensor<" +
            std::to_string(90 + 7 * i) + "x64xf32>";
  return text + ") -> (" + types + ") {\n" + main + "return " + results +
         " : " + types + "\n}\n";
}

std::vector<std::string> objectsIn(unsigned threads) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  cpu::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.setThreadPool(pool);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(layers(), &context);
  if (!module)
    return {};
  auto code = cpu::compile(*module, "main", *cpu::Machine::named("znver4"));
  return succeeded(code) ? code->texts : std::vector<std::string>();
}

TEST(Compile, GivesTheSameBytesInAnyNumberOfThreads) {
  std::vector<std::string> alone = objectsIn(1);
  EXPECT_GT(alone.size(), 1u);
  EXPECT_EQ(alone, objectsIn(4));
}

TEST(Compile, KnowsVectorCode) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto loop = [](const std::string &name, const std::string &type) {
    return "define void @" + name + "(ptr %p) {\nentry:\n  br label %loop\n" +
           "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n" +
           "  %at = getelementptr " + type + ", ptr %p, i64 %i\n  %x = load " +
           type + ", ptr %at\n  %y = fadd " + type + " %x, %x\n  store " +
           type + " %y, ptr %at\n  %next = add i64 %i, 1\n" +
           "  %more = icmp slt i64 %next, 64\n" +
           "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n";
  };
  std::string text = loop("kernel_0", "<16 x float>") +
                     loop("kernel_1", "float") + loop("main", "<16 x float>") +
                     "define void @kernel_2() {\n  ret void\n}\n";
  auto module = llvm::parseAssemblyString(text, error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  auto isShort = [&](const char *name) {
    return cpu::hasVectorsOnly(*module->getFunction(name));
  };
  EXPECT_TRUE(isShort("kernel_0"));
  EXPECT_FALSE(isShort("kernel_1"));
  EXPECT_FALSE(isShort("main"));
  EXPECT_FALSE(isShort("kernel_2"));
}

} // namespace
