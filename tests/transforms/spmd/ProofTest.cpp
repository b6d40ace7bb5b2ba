// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code for devices that was written by hand, right and wrong, beside the operation.

#include "mercator/transforms/spmd/Proof.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::spmd;

namespace {

/// The first operation of @whole beside the code of @local, on 4 devices. All tensors
/// are divided along dimension 0, if `isDivided` says so, in this order: operands,
/// results.
std::string verdictOf(std::string functions, std::vector<bool> isDivided) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(functions, &context);
  if (!module)
    return "no program";
  Mesh mesh;
  mesh.axes.push_back({.name = "a", .size = 4});
  mesh.finish();
  auto whole = module->lookupSymbol<mlir::func::FuncOp>("whole"),
       local = module->lookupSymbol<mlir::func::FuncOp>("local");
  mlir::Operation *op = &whole.getBody().front().front();
  std::vector<Sharding> shardings;
  auto type = [](mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  };
  auto add = [&](mlir::Value value) {
    Sharding sharding = Sharding::whole(type(value).getRank());
    if (isDivided[shardings.size()])
      sharding.dims[0].push_back(0);
    shardings.push_back(sharding);
  };
  for (mlir::Value value : op->getOperands())
    add(value);
  for (mlir::Value value : op->getResults())
    add(value);
  llvm::SmallVector<Placed> operands, results;
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    operands.push_back({type(value), &shardings[i], local.getArgument(i)});
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    results.push_back({type(value), &shardings[operands.size() + i],
                       local.getBody().front().getTerminator()->getOperand(i)});
  OperationProof proof = proveOnDevices(op, mesh, operands, results);
  return nameOf(proof.verdict).str() +
         (proof.reason.empty() ? "" : ": " + proof.reason);
}

/// A reversed line of 8: each device reverses what its opposite sends.
std::string reversed(llvm::StringRef pairs) {
  return R"(
    func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func @local(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.collective_permute"(%x) <{
        source_target_pairs = dense<)" +
         pairs.str() + R"(> : tensor<4x2xi64>}>
        : (tensor<2xf32>) -> tensor<2xf32>
      %1 = stablehlo.reverse %0, dims = [0] : tensor<2xf32>
      return %1 : tensor<2xf32>
    })";
}

TEST(Proof, MessagesAreComposed) {
  EXPECT_EQ(
      verdictOf(reversed("[[0, 3], [1, 2], [2, 1], [3, 0]]"), {true, true}),
      "equal");
  EXPECT_EQ(
      verdictOf(reversed("[[0, 3], [1, 1], [2, 2], [3, 0]]"), {true, true}),
      "different: of operand 0, element (3) is read for element (2) by "
      "the devices only");
}

std::string product(llvm::StringRef groups) {
  return R"(
    func.func @whole(%x: tensor<8xf32>, %w: tensor<8x3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0]
          : (tensor<8xf32>, tensor<8x3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    func.func @local(%x: tensor<2xf32>, %w: tensor<2x3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0]
          : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
      %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<)" +
         groups.str() + R"(> }> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<3xf32>) -> tensor<3xf32>
      return %1 : tensor<3xf32>
    })";
}

TEST(Proof, SumsReachAllTerms) {
  EXPECT_EQ(verdictOf(product("[[0, 1, 2, 3]]> : tensor<1x4xi64"),
                      {true, true, false}),
            "equal");
  // Each pair of devices adds up half of the terms.
  EXPECT_EQ(verdictOf(product("[[0, 1], [2, 3]]> : tensor<2x2xi64"),
                      {true, true, false})
                .substr(0, 24),
            "different: of operand 0,");
}

TEST(Proof, NumbersOfDevicesAreKnown) {
  // Rows from a table at the number of the device.
  auto program = [](llvm::StringRef table) {
    return R"(
    func.func @whole(%x: tensor<9xf32>) -> tensor<8xf32> {
      %0 = stablehlo.slice %x [1:9] : (tensor<9xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func @local(%x: tensor<9xf32>) -> tensor<2xf32> {
      %p = stablehlo.partition_id : tensor<ui32>
      %t = stablehlo.constant dense<)" +
           table.str() + R"(> : tensor<4xi32>
      %0 = stablehlo.dynamic_slice %t, %p, sizes = [1]
          : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
      %2 = stablehlo.dynamic_slice %x, %1, sizes = [2]
          : (tensor<9xf32>, tensor<i32>) -> tensor<2xf32>
      return %2 : tensor<2xf32>
    })";
  };
  EXPECT_EQ(verdictOf(program("[1, 3, 5, 7]"), {false, true}), "equal");
  EXPECT_EQ(verdictOf(program("[1, 3, 5, 6]"), {false, true}).substr(0, 10),
            "different:");
}

TEST(Proof, WhatCannotBeExpandedIsOpen) {
  EXPECT_EQ(verdictOf(R"(
    func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.negate %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func @local(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
        replica_groups = dense<0> : tensor<1x1xi64>}>
        : (tensor<2xf32>) -> tensor<2xf32>
      %1 = stablehlo.negate %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    })",
                      {true, true}),
            "open: stablehlo.all_gather has groups that are no table of all "
            "devices");
}

TEST(Proof, EachCopyOfAShardIsCompared) {
  // All devices have the whole slice, and the last one reads it elsewhere.
  auto verdict = [](const char *starts) {
    return verdictOf(std::string(R"(
    func.func @whole(%x: tensor<8xf32>) -> tensor<4xf32> {
      %0 = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @local(%x: tensor<8xf32>) -> tensor<4xf32> {
      %p = stablehlo.partition_id : tensor<ui32>
      %t = stablehlo.constant dense<)") +
                         starts + R"(> : tensor<4xi32>
      %1 = stablehlo.dynamic_slice %t, %p, sizes = [1]
          : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
      %s = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
      %0 = stablehlo.dynamic_slice %x, %s, sizes = [4]
          : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })",
                     {false, false});
  };
  EXPECT_EQ(verdict("[0, 0, 0, 0]"), "equal");
  EXPECT_TRUE(llvm::StringRef(verdict("[0, 0, 0, 1]")).starts_with("different"))
      << verdict("[0, 0, 0, 1]");
}

} // namespace
