// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Functions of many blocks, and globals.

#include "Programs.h"

using namespace mercator::reference;

namespace {

struct OtherDialects : testing::Test {
  Programs programs;

  std::vector<Value> run(const std::string &text,
                         llvm::ArrayRef<Value> arguments) {
    auto results = programs.run(text, arguments);
    EXPECT_TRUE(results) << text << programs.messages;
    return results ? *results : std::vector<Value>();
  }
};

TEST_F(OtherDialects, BranchesAreFollowed) {
  // 2^10 by doubling, in blocks that use values of other blocks.
  const char *text = R"(
    func.func @main() -> tensor<i32> {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %limit = arith.constant dense<1000> : tensor<i32>
      cf.br ^head(%one : tensor<i32>)
    ^head(%x: tensor<i32>):
      %goesOn = stablehlo.compare LT, %x, %limit
          : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %flag = tensor.extract %goesOn[] : tensor<i1>
      cf.cond_br %flag, ^body, ^exit(%x : tensor<i32>)
    ^body:
      %y = stablehlo.add %x, %x : tensor<i32>
      cf.br ^head(%y : tensor<i32>)
    ^exit(%z: tensor<i32>):
      return %z : tensor<i32>
    })";
  std::vector<Value> results = run(text, {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].tensor()->scalar().integer, 1024);

  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @main() { cf.br ^a ^a: cf.br ^a }", &programs.context);
  mlir::ScopedDiagnosticHandler quiet(
      &programs.context, [](mlir::Diagnostic &) { return mlir::success(); });
  Evaluator evaluator(*module, Limits{.operations = 1000});
  EXPECT_TRUE(failed(
      evaluator.call(module->lookupSymbol<mlir::func::FuncOp>("main"), {})));
  EXPECT_TRUE(evaluator.isOverLimit());
}

TEST_F(OtherDialects, GlobalsHoldTheStoredValue) {
  std::vector<Value> results = run(R"(
    util.global private mutable @x = dense<[1, 2]> : tensor<2xi32>
    util.global private mutable @y : tensor<2xi32>
    func.func private @double() {
      %x = util.global.load @x : tensor<2xi32>
      %two = stablehlo.add %x, %x : tensor<2xi32>
      util.global.store %two, @x : tensor<2xi32>
      %p = util.global.address @y : !util.ptr<tensor<2xi32>>
      util.global.store.indirect %x, %p
          : tensor<2xi32> -> !util.ptr<tensor<2xi32>>
      return
    }
    func.func @main() -> (tensor<2xi32>, tensor<2xi32>) {
      call @double() : () -> ()
      call @double() : () -> ()
      %x = util.global.load @x : tensor<2xi32>
      %p = util.global.address @y : !util.ptr<tensor<2xi32>>
      %y = util.global.load.indirect %p
          : !util.ptr<tensor<2xi32>> -> tensor<2xi32>
      return %x, %y : tensor<2xi32>, tensor<2xi32>
    })",
                                   {});
  ASSERT_EQ(results.size(), 2u);
  Programs::expectSame(*results[0].tensor(),
                       programs.tensor("dense<[4, 8]> : tensor<2xi32>"), 0,
                       "x");
  Programs::expectSame(*results[1].tensor(),
                       programs.tensor("dense<[2, 4]> : tensor<2xi32>"), 0,
                       "y");

  EXPECT_FALSE(programs.run(R"(
    util.global private mutable @y : tensor<2xi32>
    func.func @main() -> tensor<2xi32> {
      %y = util.global.load @y : tensor<2xi32>
      return %y : tensor<2xi32>
    })"));
  EXPECT_NE(
      programs.messages.find("expected a global that has a value, got @y"),
      std::string::npos)
      << programs.messages;
}

} // namespace
