// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of results: a call writes to that of an earlier one, unless someone holds it.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "gtest/gtest.h"

using namespace mercator;
using reference::Tensor;
using reference::Value;

TEST(ResultMemory, IsUsedAgainUnlessItIsHeld) {
  Programs programs;
  mlir::OwningOpRef<mlir::ModuleOp> module = programs.parse(
      "func.func @main(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {\n"
      "%b = stablehlo.add %a, %a : tensor<4xi32>\n"
      "%c = stablehlo.compare LT, %a, %b : (tensor<4xi32>, tensor<4xi32>) -> "
      "tensor<4xi1>\n"
      "return %b, %c : tensor<4xi32>, tensor<4xi1>\n}\n");
  ASSERT_TRUE(module) << programs.messages;
  auto emitError = [&] { return module->emitError(); };
  ASSERT_TRUE(succeeded(lowerTo(*module, Stage::Flow))) << programs.messages;
  auto native = NativeProgram::compile(*module, "main");
  ASSERT_TRUE(succeeded(native)) << programs.messages;
  auto call = [&](int64_t number, std::vector<Value> before) {
    Tensor input = *Tensor::zeros(
        llvm::cast<mlir::RankedTensorType>(native->type().getInput(0)),
        emitError);
    for (int64_t i = 0; i < 4; ++i)
      input.set(i, reference::Scalar::whole(number));
    return *native->call({input}, emitError, std::move(before));
  };
  auto first = call(3, {});
  const std::byte *memory = first[0].tensor()->data();
  auto second = call(-5, std::move(first));
  EXPECT_EQ(second[0].tensor()->data(), memory);
  EXPECT_EQ(second[0].tensor()->at(3).integer, -10);
  EXPECT_EQ(second[1].tensor()->at(3).integer, 0);
  Tensor held = *second[0].tensor();
  auto third = call(7, std::move(second));
  EXPECT_NE(third[0].tensor()->data(), memory);
  EXPECT_EQ(third[0].tensor()->at(0).integer, 14);
  EXPECT_EQ(held.at(0).integer, -10);
}
