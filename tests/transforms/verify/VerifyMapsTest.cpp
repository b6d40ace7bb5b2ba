// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that are wrong are refuted, with an element; passes that are right are
// proved.

#include "mercator/transforms/verify/VerifyMaps.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <functional>

using namespace mlir;
using namespace mercator;

namespace {

using Rewrite = std::function<void(Operation *)>;

/// A pass that rewrites each operation.
class RewritePass : public PassWrapper<RewritePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RewritePass)
  explicit RewritePass(Rewrite rewrite) : rewrite(std::move(rewrite)) {}
  StringRef getArgument() const final { return "rewrite"; }

  void runOnOperation() override {
    llvm::SmallVector<Operation *> all;
    getOperation().walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : all)
      rewrite(op);
  }

private:
  Rewrite rewrite;
};

class VerifyMaps : public ::testing::Test {
protected:
  VerifyMaps() {
    DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
  }

  /// The counts of one pass, and the errors in `said`.
  verify::MapCounts countsOf(StringRef text, std::unique_ptr<Pass> pass) {
    said.clear();
    ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &it) {
      said += it.str() + "\n";
      for (Diagnostic &note : it.getNotes())
        said += note.str() + "\n";
    });
    verify::MapCounts counts;
    auto module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module) << said;
    if (!module)
      return counts;
    PassManager passes(context.get());
    passes.addInstrumentation(verify::createMapVerifier(counts));
    passes.addPass(std::move(pass));
    EXPECT_TRUE(succeeded(passes.run(*module))) << said;
    return counts;
  }
  verify::MapCounts countsOf(StringRef text, Rewrite rewrite) {
    return countsOf(text, std::make_unique<RewritePass>(std::move(rewrite)));
  }

  std::unique_ptr<MLIRContext> context;
  std::string said;
};

constexpr const char *kConcat = R"(
  func.func @f(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>) -> tensor<8x2xf32> {
    %r = tensor.concat dim(0) %a, %b : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    return %r : tensor<8x2xf32>
  })";

TEST_F(VerifyMaps, ExchangedOperandsAreRefuted) {
  verify::MapCounts counts = countsOf(kConcat, [](Operation *op) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
    }
  });
  EXPECT_EQ(counts.refuted, 2);
  // The first rows were those of %a.
  EXPECT_EQ(said,
            "after pass 'rewrite', result 0 of @f at (4, 0) reads element (0, "
            "0) of argument 0, which it did not read before\n"
            "before: (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 1]\n"
            "after: (d0, d1) -> (d0 - 4, d1), domain: d0 in [4, 7], d1 in [0, "
            "1]\n"
            "after pass 'rewrite', result 0 of @f at (0, 0) reads element (0, "
            "0) of argument 1, which it did not read before\n"
            "before: (d0, d1) -> (d0 - 4, d1), domain: d0 in [4, 7], d1 in [0, "
            "1]\n"
            "after: (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, "
            "1]\n");
}

/// Replaces each slice by one that begins at `offset`, which a loop carries: the
/// maps after are not exact.
static void replaceBySliceInLoop(Operation *op, int64_t offset) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return;
  OpBuilder b(op);
  b.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Value size = op->getParentOfType<func::FuncOp>().getArgument(1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0),
        one = arith::ConstantIndexOp::create(b, loc, 1);
  OpFoldResult from = b.getIndexAttr(offset), unit = b.getIndexAttr(1);
  Value moved = tensor::ExtractSliceOp::create(
      b, loc, slice.getType(), slice.getSource(), ArrayRef<OpFoldResult>{from},
      slice.getMixedSizes(), ArrayRef<OpFoldResult>{unit});
  auto loop = scf::ForOp::create(
      b, loc, zero, size, one, moved,
      [](OpBuilder &inner, Location at, Value, ValueRange carried) {
        scf::YieldOp::create(inner, at, carried);
      });
  slice.getResult().replaceUsesWithIf(loop.getResult(0), [&](OpOperand &use) {
    return use.getOwner() != loop;
  });
}

TEST_F(VerifyMaps, MapsThatAreNotExactMayGiveLessButNotOthers) {
  constexpr const char *text = R"(
    func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<2xf32> {
      %r = tensor.extract_slice %a[1] [2] [1] : tensor<8xf32> to tensor<2xf32>
      return %r : tensor<2xf32>
    })";
  context->loadDialect<scf::SCFDialect, arith::ArithDialect>();
  for (auto [offset, isRefuted] :
       {std::pair(1, false), std::pair(2, true), std::pair(5, true)}) {
    verify::MapCounts counts = countsOf(
        text, [&](Operation *op) { replaceBySliceInLoop(op, offset); });
    EXPECT_EQ(counts.refuted, isRefuted) << offset << "\n" << said;
    EXPECT_EQ(counts.proved, 0) << offset;
  }
}

TEST_F(VerifyMaps, AShiftedSliceIsRefuted) {
  // Too large to try all points.
  constexpr const char *text = R"(
    func.func @f(%a: tensor<1000x1000xf32>) -> tensor<900x10xf32> {
      %r = tensor.extract_slice %a[50, 3] [900, 10] [1, 7] : tensor<1000x1000xf32> to tensor<900x10xf32>
      return %r : tensor<900x10xf32>
    })";
  verify::MapCounts counts = countsOf(text, [](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      slice.setStaticOffsets({50, 4});
  });
  EXPECT_EQ(counts.refuted, 1);
  EXPECT_EQ(counts.proved, 0);
  counts = countsOf(text, [](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      slice.setStaticStrides({1, 8});
  });
  EXPECT_EQ(counts.refuted, 1);
}

TEST_F(VerifyMaps, ADroppedTransposeIsRefuted) {
  verify::MapCounts counts =
      countsOf(R"(
    func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %e = tensor.empty() : tensor<64x64xf32>
      %r = linalg.transpose ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
      return %r : tensor<64x64xf32>
    })",
               [](Operation *op) {
                 if (isa<linalg::TransposeOp>(op))
                   op->getResult(0).replaceAllUsesWith(op->getOperand(0));
               });
  EXPECT_EQ(counts.refuted, 1);
  EXPECT_NE(said.find("@f at "), std::string::npos) << said;
}

TEST_F(VerifyMaps, AnotherOffsetAtRunTimeIsRefuted) {
  constexpr const char *text = R"(
    func.func @f(%a: tensor<9xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<3xf32> {
      %c0 = arith.constant 0 : index
      %c6 = arith.constant 6 : index
      %0 = tensor.extract %i[] : tensor<i64>
      %1 = arith.index_cast %0 : i64 to index
      %2 = arith.maxsi %1, %c0 : index
      %3 = arith.minsi %2, %c6 : index
      %r = tensor.extract_slice %a[%3] [3] [1] : tensor<9xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    })";
  // %j for %i: %j is read, which was not.
  verify::MapCounts counts = countsOf(text, [](Operation *op) {
    if (isa<tensor::ExtractOp>(op))
      op->setOperand(0, op->getBlock()->getArgument(2));
  });
  EXPECT_GE(counts.refuted, 1);
  EXPECT_NE(said.find("of argument 2, which it did not read before"),
            std::string::npos)
      << said;
  // One place further.
  counts = countsOf(text, [](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      OpBuilder b(op);
      auto next = tensor::ExtractSliceOp::create(
          b, op->getLoc(), slice.getSource(),
          ArrayRef<OpFoldResult>{b.getIndexAttr(1)},
          ArrayRef<OpFoldResult>{b.getIndexAttr(8)},
          ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
      auto seven = arith::ConstantIndexOp::create(b, op->getLoc(), 5);
      auto offset = arith::MinSIOp::create(b, op->getLoc(),
                                           slice.getOffsets().front(), seven);
      auto last = tensor::ExtractSliceOp::create(
          b, op->getLoc(), next.getResult(),
          ArrayRef<OpFoldResult>{offset.getResult()},
          ArrayRef<OpFoldResult>{b.getIndexAttr(3)},
          ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
      op->getResult(0).replaceAllUsesWith(last.getResult());
    }
  });
  EXPECT_EQ(counts.refuted, 1);
  EXPECT_NE(said.find("where argument 1 at () is"), std::string::npos) << said;
}

TEST_F(VerifyMaps, LessMayBeRead) {
  verify::MapCounts counts = countsOf(kConcat, [](Operation *op) {
    if (!isa<tensor::ConcatOp>(op))
      return;
    OpBuilder b(op);
    auto zero = arith::ConstantOp::create(
        b, op->getLoc(),
        b.getZeroAttr(cast<ShapedType>(op->getOperand(1).getType())));
    op->setOperand(1, zero);
  });
  EXPECT_EQ(counts.refuted, 0) << said;
  EXPECT_EQ(counts.proved, 2);
  EXPECT_EQ(counts.dropped, 1);
}

TEST_F(VerifyMaps, RightPassesAreProved) {
  constexpr const char *text = R"(
    #id = affine_map<(d0, d1) -> (d0, d1)>
    #row = affine_map<(d0, d1) -> (d0)>
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x8xf32>
      %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %m = arith.mulf %x, %y : f32
        linalg.yield %m : f32
      } -> tensor<4x8xf32>
      %e1 = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%s : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
      ^bb0(%x: f32, %o: f32):
        %m = arith.addf %x, %o : f32
        linalg.yield %m : f32
      } -> tensor<4xf32>
      return %r : tensor<4xf32>
    })";
  verify::MapCounts counts =
      countsOf(text, createLinalgElementwiseOpFusionPass());
  EXPECT_EQ(counts.proved, 2);
  EXPECT_EQ(counts.notRefuted + counts.refuted, 0) << said;
  // A pass that changes nothing is not compared.
  counts = countsOf(text, [](Operation *) {});
  EXPECT_EQ(counts.proved, 0);
}

TEST_F(VerifyMaps, WhatPassesThroughGlobalsIsNotRefuted) {
  verify::MapCounts counts =
      countsOf(R"(
    util.global private mutable @g : tensor<4xf32>
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      util.global.store %a, @g : tensor<4xf32>
      %r = util.global.load @g : tensor<4xf32>
      return %r : tensor<4xf32>
    })",
               [](Operation *op) {
                 if (isa<func::ReturnOp>(op))
                   op->setOperand(0, op->getBlock()->getArgument(0));
               });
  EXPECT_EQ(counts.refuted, 0) << said;
  EXPECT_EQ(counts.notRefuted, 1);
}

} // namespace
