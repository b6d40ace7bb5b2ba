// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/EqualLoops.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/kernels/BufferArguments.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

class EqualLoops : public testing::Test {
protected:
  EqualLoops() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    loadDialects(context);
  }

  /// The module of a function.
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// The number of calls after loops are shared, of a kernel with four buffers.
  int calls(const std::string &body,
            const std::string &buffer = "memref<8x16xf32>") {
    std::string arguments;
    for (const char *name : {"%a", "%b", "%c", "%d"})
      arguments +=
          std::string(arguments.empty() ? "" : ", ") + name + ": " + buffer;
    auto module = parse("func.func private @kernel_0(" + arguments +
                        ") {\n%c0 = arith.constant 0 : index\n"
                        "%c1 = arith.constant 1 : index\n"
                        "%c4 = arith.constant 4 : index\n"
                        "%c8 = arith.constant 8 : index\n" +
                        body + "return\n}\n");
    if (!module) {
      ADD_FAILURE() << body;
      return -1;
    }
    shareEqualLoops(*module);
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
    int count = 0;
    module->walk([&](mlir::func::CallOp) { ++count; });
    return count;
  }

  mlir::MLIRContext context;
};

/// Copies rows of one buffer to another, many times.
std::string nest(const std::string &from, const std::string &to,
                 const std::string &end, const std::string &element,
                 const std::string &buffer = "memref<8x16xf32>") {
  std::string text = "scf.for %i = %c0 to " + end + " step %c1 {\n";
  std::string load = element == "f32" ? "memref.load " : "vector.load ",
              store = element == "f32" ? "memref.store " : "vector.store ",
              type = element == "f32" ? "" : ", " + element;
  for (int i = 0; i < 20; ++i) {
    std::string value = "%x" + std::to_string(i);
    text += value + " = " + load + from + "[%i, %c0] : " + buffer + type + "\n";
    text += store + value + ", " + to + "[%i, %c0] : " + buffer + type + "\n";
  }
  return text + "}\n";
}

constexpr const char *kVector = "vector<16xf32>";

TEST_F(EqualLoops, OfOtherBuffersAreOneFunction) {
  EXPECT_EQ(calls(nest("%a", "%b", "%c8", kVector) +
                  nest("%c", "%d", "%c8", kVector)),
            2);
}

TEST_F(EqualLoops, MayNameOneBufferTwice) {
  EXPECT_EQ(calls(nest("%a", "%b", "%c8", kVector) +
                  nest("%c", "%c", "%c8", kVector)),
            2);
}

TEST_F(EqualLoops, HaveOneValueForEachOfTheFirst) {
  EXPECT_EQ(calls(nest("%a", "%a", "%c8", kVector) +
                  nest("%a", "%b", "%c8", kVector)),
            0);
}

TEST_F(EqualLoops, HaveValuesFromOutsideInTheSamePlaces) {
  std::string one = nest("%a", "%b", "%c8", kVector), other = one;
  std::string from = "vector.store %x19, ", to = "vector.store %v, ";
  other.replace(other.find(from), from.size(), to);
  EXPECT_EQ(calls("%v = vector.load %d[%c0, %c0] : memref<8x16xf32>, "
                  "vector<16xf32>\n" +
                  other + one),
            0);
}

TEST_F(EqualLoops, HaveEqualConstants) {
  EXPECT_EQ(calls(nest("%a", "%b", "%c8", kVector) +
                  nest("%c", "%d", "%c4", kVector)),
            0);
}

TEST_F(EqualLoops, OfScalarsHaveBuffersThatAreApart) {
  EXPECT_EQ(
      calls(nest("%a", "%b", "%c8", "f32") + nest("%c", "%d", "%c8", "f32")),
      2);
  // Where two parts of one buffer overlap is not known in another function.
  std::string parts;
  for (const char *part : {"%e", "%f"})
    parts += std::string(part) + " = memref.subview %a[0, 0] [8, 16] [1, 1] : "
                                 "memref<8x16xf32> to memref<8x16xf32>\n";
  EXPECT_EQ(calls(parts + nest("%e", "%f", "%c8", "f32") +
                  nest("%e", "%f", "%c8", "f32")),
            0);
  EXPECT_EQ(calls(parts + nest("%e", "%f", "%c8", kVector) +
                  nest("%e", "%f", "%c8", kVector)),
            2);
}

TEST_F(EqualLoops, SayWhichArgumentsAreApart) {
  std::string body = "%c0 = arith.constant 0 : index\n"
                     "%c1 = arith.constant 1 : index\n"
                     "%c8 = arith.constant 8 : index\n"
                     "%a = memref.alloca() : memref<8x16xf32>\n" +
                     nest("%a", "%b", "%c8", "f32") +
                     nest("%a", "%b", "%c8", "f32") + "return\n}\n";
  auto isApart = [&](const std::string &name, unsigned argument,
                     const std::string &first = "%b: memref<8x16xf32>) {\n") {
    auto module = parse("func.func private @" + name + "(" + first + body);
    shareEqualLoops(*module);
    auto shared = module->lookupSymbol<mlir::func::FuncOp>(name + "_part_loop");
    return shared && shared.getArgAttr(argument, "llvm.noalias");
  };
  EXPECT_TRUE(isApart("kernel_0", 0));
  EXPECT_TRUE(isApart("kernel_0", 1));
  EXPECT_TRUE(isApart("kernel_0_part0", 0));
  // The buffers of a task may overlap.
  EXPECT_FALSE(isApart("kernel_0_part0", 1));
  // A buffer that is chosen may be any.
  const char *chosen = "%c: memref<8x16xf32>, %d: memref<8x16xf32>, %q: i1) {\n"
                       "%b = arith.select %q, %c, %d : memref<8x16xf32>\n";
  EXPECT_FALSE(isApart("kernel_0", 0, chosen));
  EXPECT_FALSE(isApart("kernel_0", 1, chosen));
}

TEST_F(EqualLoops, AreSharedInsideOfSharedOnes) {
  std::string two = "scf.for %k = %c0 to %c8 step %c1 {\n" +
                    nest("%a", "%b", "%c8", kVector) +
                    nest("%b", "%a", "%c8", kVector) + "}\n";
  // Two calls of the outer nest, and two inside of it.
  EXPECT_EQ(calls(two + two), 4);
}

TEST_F(EqualLoops, TakeWhatTheTypeOfABufferDoesNotSay) {
  constexpr const char *buffer = "memref<?x16xf32, strided<[?, 1], offset: ?>>";
  EXPECT_EQ(calls(nest("%a", "%b", "%c8", kVector, buffer) +
                      nest("%c", "%d", "%c8", kVector, buffer),
                  buffer),
            2);
}

TEST_F(EqualLoops, PassAnAddressForABuffer) {
  auto module = parse(
      "func.func private @kernel_0(%x: memref<7x768xf32>, %i: index, %y: "
      "memref<?x16xf32, strided<[?, 1], offset: ?>>) {\n"
      "return\n}\n"
      "func.func @main(%bytes: memref<?xi8>, %n: index, %y: "
      "memref<?x16xf32, strided<[?, 1], offset: ?>>) {\n"
      "%x = memref.view %bytes[%n][] : memref<?xi8> to memref<7x768xf32>\n"
      "call @kernel_0(%x, %n, %y) : (memref<7x768xf32>, index, "
      "memref<?x16xf32, strided<[?, 1], offset: ?>>) -> ()\n"
      "return\n}\n");
  ASSERT_TRUE(module);
  passBuffersToKernels(*module);
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  std::string type;
  llvm::raw_string_ostream(type)
      << module->lookupSymbol<mlir::func::FuncOp>("kernel_0").getFunctionType();
  EXPECT_EQ(type, "(!llvm.ptr, index, !llvm.ptr, i64, i64) -> ()");
}

} // namespace
