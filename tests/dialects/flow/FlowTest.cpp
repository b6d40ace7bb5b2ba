// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of passes to the operations of flow, and patterns that no separate
// pass runs.

#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/Register.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/BitVector.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mercator;

namespace {

class Flow : public ::testing::Test {
protected:
  Flow() {
    DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
  }

  /// The body of a function with these arguments.
  void parse(StringRef arguments, StringRef body) {
    module = parseSourceString<ModuleOp>(
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str(),
        &context);
    ASSERT_TRUE(module);
  }
  /// The only operation of its kind, or that number of it.
  template <typename OpT> OpT find(int number = 0) {
    OpT found;
    module->walk([&](OpT op) {
      if (number-- == 0)
        found = op;
    });
    return found;
  }
  template <typename OpT> int count() {
    int number = 0;
    module->walk([&](OpT) { ++number; });
    return number;
  }
  Value argument(unsigned index) {
    return find<func::FuncOp>().getArgument(index);
  }
  void foldSlices() {
    RewritePatternSet patterns(&context);
    flow::populateTensorSliceOpWithDispatchTensorOpFoldingPatterns(patterns);
    ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
    ASSERT_TRUE(succeeded(verify(*module)));
  }
  static std::string text(Operation *op) {
    std::string out;
    llvm::raw_string_ostream(out) << *op;
    return out;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::vector<int64_t> vectorOf(ArrayRef<int64_t> values) { return values.vec(); }
using Ties = std::vector<int64_t>;

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

constexpr StringRef kArguments =
    "%a: tensor<?xf32>, %b: tensor<4xf32>, %d: index, %w: index";
constexpr StringRef kDispatch = R"(
    %0:3 = flow.dispatch @ex::@f[%w, %w](%d, %a, %b) : (index, tensor<?xf32>{%d}, tensor<4xf32>)
        -> (tensor<2xf32>, %b, %a as tensor<4x?xf32>{%w}))";

TEST_F(Flow, TiesCountFromTheFirstArgument) {
  parse(kArguments, kDispatch);
  auto op = find<flow::DispatchOp>();
  EXPECT_EQ(vectorOf(op.getTiedArguments()), (Ties{-1, 2, 1}));
  EXPECT_EQ(vectorOf(op.getTiedResultOperandIndices()), (Ties{-1, 4, 3}));
  EXPECT_EQ(op.getTiedResultOperandIndex(0), std::nullopt);
  EXPECT_EQ(op.getTiedResultOperandIndex(1), 4u);
  EXPECT_EQ(op.getTiedResultOperand(op.getResult(2)), argument(0));
  EXPECT_TRUE(op.isOperandTied(3));
  EXPECT_FALSE(op.isOperandTied(2));
  EXPECT_FALSE(op.isOperandTied(0));
}

TEST_F(Flow, TiesAreSetAndRemoved) {
  parse(kArguments, kDispatch);
  auto op = find<flow::DispatchOp>();
  op.setTiedResultOperandIndex(0, 4);
  EXPECT_EQ(vectorOf(op.getTiedArguments()), (Ties{2, 2, 1}));
  EXPECT_EQ(op.getOperandTiedResults(4).size(), 2u);
  for (unsigned i = 0; i < 3; ++i)
    op.setTiedResultOperandIndex(i, std::nullopt);
  EXPECT_EQ(vectorOf(op.getTiedArguments()), (Ties{-1, -1, -1}));
  EXPECT_FALSE(op.getTiedOperandsAttr());
  op.setTiedResultOperandIndex(1, 3);
  EXPECT_EQ(vectorOf(op.getTiedArguments()), (Ties{-1, 1, -1}));
}

TEST_F(Flow, TheBaseOfTies) {
  parse(kArguments, R"(
    %0 = flow.tensor.tie_shape %a : tensor<?xf32>{%d}
    %1 = flow.tensor.reshape %0 : tensor<?xf32>{%d} -> tensor<?x1xf32>{%d}
    %2 = flow.tensor.update %1, %1[%d, %d] : tensor<?x1xf32>{%d} -> %1 as tensor<?x1xf32>{%d}
    %3 = flow.dispatch @ex::@f(%2) : (tensor<?x1xf32>{%d}) -> %2{%d}
    %4 = flow.tensor.clone %3 : tensor<?x1xf32>{%d})");
  EXPECT_EQ(util::findTiedBaseValue(find<flow::DispatchOp>().getResult(0)),
            argument(0));
  EXPECT_EQ(util::findTiedBaseValue(argument(1)), argument(1));
  Value clone = find<flow::TensorCloneOp>().getResult();
  EXPECT_EQ(util::findTiedBaseValue(clone), clone);
  EXPECT_TRUE(util::hasAnyTiedUses(argument(0)));
  EXPECT_TRUE(util::hasAnyTiedUses(find<flow::TensorUpdateOp>().getResult()));
  EXPECT_FALSE(util::hasAnyTiedUses(argument(1)));
  EXPECT_FALSE(util::hasAnyTiedUses(find<flow::DispatchOp>().getResult(0)));
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

TEST_F(Flow, ExtentsOfOperandsAndResults) {
  parse(kArguments, kDispatch);
  auto op = find<flow::DispatchOp>();
  EXPECT_EQ(llvm::to_vector(op.getOperandDynamicDims(3)),
            SmallVector<Value>{argument(2)});
  for (unsigned other : {0, 1, 2, 4, 5, 6})
    EXPECT_TRUE(op.getOperandDynamicDims(other).empty()) << other;
  EXPECT_TRUE(op.getResultDynamicDims(0).empty());
  EXPECT_EQ(llvm::to_vector(op.getResultDynamicDims(2)),
            SmallVector<Value>{argument(3)});
}

TEST_F(Flow, KnownExtents) {
  parse(kArguments, R"(
    %0 = flow.tensor.tie_shape %a : tensor<?xf32>{%d}
    %1 = tensor.cast %0 : tensor<?xf32> to tensor<?xf32>
    %2 = flow.tensor.update %b, %a[%w] : tensor<4xf32> -> %a as tensor<?xf32>{%w})");
  Value tied = find<flow::TensorTieShapeOp>().getResult();
  Value update = find<flow::TensorUpdateOp>().getResult();
  ASSERT_TRUE(util::findDynamicDims(tied));
  EXPECT_EQ(util::findDynamicDims(tied)->front(), argument(2));
  EXPECT_EQ(util::findDynamicDims(update)->front(), argument(3));
  EXPECT_TRUE(util::findDynamicDims(argument(1))->empty());
  EXPECT_FALSE(util::findDynamicDims(argument(0)));

  OpBuilder builder(find<func::ReturnOp>());
  EXPECT_EQ(util::buildDynamicDimsForValue(tied.getLoc(), tied, builder),
            SmallVector<Value>{argument(2)});
  EXPECT_EQ(count<tensor::DimOp>(), 0);
  SmallVector<Value> made =
      util::buildDynamicDimsForValue(tied.getLoc(), argument(0), builder);
  EXPECT_EQ(made.size(), 1u);
  EXPECT_EQ(count<tensor::DimOp>(), 1);
  EXPECT_EQ(util::buildShape(tied.getLoc(), {7, ShapedType::kDynamic}, made,
                             builder)[1],
            made[0]);
}

TEST_F(Flow, ShapesAreReified) {
  parse("%t: !flow.dispatch.tensor<readonly:tensor<4x?x?xf32>>, %a: "
        "tensor<?x4xf32>, %d: index, %e: index",
        R"(
    %0 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [1, %d, 3], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<4x?x?xf32>>{%d, %e} -> tensor<?x3xf32>
    %1 = flow.tensor.tie_shape %a : tensor<?x4xf32>{%e}
    %2 = flow.dispatch.tensor.load %t, offsets = [0, 0, 0], sizes = [2, 3, %d], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<4x?x?xf32>>{%d, %e} -> tensor<?x3x5xf32>)");
  OpBuilder builder(find<func::ReturnOp>());
  auto shapeOf = [&](Operation *op) {
    ReifiedRankedShapedTypeDims shapes;
    EXPECT_TRUE(succeeded(reifyResultShapes(builder, op, shapes)));
    return shapes[0];
  };
  auto size = [&](int64_t n) { return OpFoldResult(builder.getIndexAttr(n)); };
  EXPECT_EQ(shapeOf(find<flow::DispatchTensorLoadOp>()),
            (SmallVector<OpFoldResult>{argument(2), size(3)}));
  EXPECT_EQ(shapeOf(find<flow::TensorTieShapeOp>()),
            (SmallVector<OpFoldResult>{argument(3), size(4)}));
  // An extent unknown to the type is a value, a known one is an attribute.
  SmallVector<OpFoldResult> other =
      shapeOf(find<flow::DispatchTensorLoadOp>(1));
  ASSERT_TRUE(isa<Value>(other[0]));
  EXPECT_TRUE(matchPattern(cast<Value>(other[0]), m_Constant()));
  EXPECT_EQ(other[1], size(3));
  EXPECT_EQ(other[2], size(5));
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

TEST_F(Flow, WorkgroupsAreBuiltWithTheArgumentsTheyNeed) {
  parse(kArguments, "");
  OpBuilder builder(find<func::ReturnOp>());
  Type a = argument(0).getType(), b = argument(1).getType();
  Value d = argument(2), w = argument(3);
  auto op = flow::DispatchWorkgroupsOp::create(
      builder, builder.getUnknownLoc(), ValueRange{w}, TypeRange{a, b},
      ValueRange{d}, ValueRange{d, argument(0)}, ValueRange{d},
      ArrayRef<int64_t>{1, -1});
  builder.setInsertionPointToEnd(&op.getWorkgroupBody().front());
  flow::ReturnOp::create(builder, op.getLoc());
  ASSERT_TRUE(succeeded(verify(*module))) << text(op);
  EXPECT_NE(
      text(find<func::FuncOp>())
          .find(
              "%0:2 = flow.dispatch.workgroups[%arg3](%arg2, %arg0) : (index, "
              "tensor<?xf32>{%arg2}) -> (%arg0{%arg2}, tensor<4xf32>) =\n"
              "      (%arg4: index, %arg5: "
              "!flow.dispatch.tensor<readwrite:tensor<?xf32>>, %arg6: "
              "!flow.dispatch.tensor<writeonly:tensor<4xf32>>) "),
      std::string::npos)
      << text(find<func::FuncOp>());
  EXPECT_EQ(op.getOutputBlockArgument(0), op.getInputBlockArgument(1));
  EXPECT_EQ(op.getOutputBlockArgument(1), op.getWorkgroupBody().getArgument(2));
  EXPECT_EQ(op.getInputBlockArguments().size(), 2u);
}

TEST_F(Flow, WorkgroupsWithoutSomeOperandsAndResults) {
  parse(kArguments, R"(
    %0:4 = flow.dispatch.workgroups[%w](%a, %d, %b) : (tensor<?xf32>{%d}, index, tensor<4xf32>)
        -> (tensor<?x1xf32>{%w}, %a{%d}, tensor<2xf32>, %b) attributes {note = "n"} =
        (%p: !flow.dispatch.tensor<readwrite:tensor<?xf32>>, %n: index,
         %q: !flow.dispatch.tensor<readwrite:tensor<4xf32>>,
         %o: !flow.dispatch.tensor<writeonly:tensor<?x1xf32>>,
         %s: !flow.dispatch.tensor<writeonly:tensor<2xf32>>) {
      "test.use"(%q, %s) : (!flow.dispatch.tensor<readwrite:tensor<4xf32>>, !flow.dispatch.tensor<writeonly:tensor<2xf32>>) -> ()
      flow.return
    } count(%x: index) -> (index, index, index) {
      flow.return %x, %x, %x : index, index, index
    })");
  auto op = find<flow::DispatchWorkgroupsOp>();
  llvm::BitVector operands(3), results(4);
  operands.set(0, 2);
  results.set(0, 2);
  IRRewriter rewriter(&context);
  flow::DispatchWorkgroupsOp less =
      op.cloneReplacementExcludingOperandsAndResults(operands, results,
                                                     rewriter);
  op->erase();
  ASSERT_TRUE(succeeded(verify(*module))) << text(less);
  EXPECT_EQ(vectorOf(less.getTiedArguments()), (Ties{-1, 0}));
  EXPECT_EQ(less.getWorkload().size(), 1u);
  EXPECT_TRUE(less.getArgumentDims().empty());
  EXPECT_TRUE(less.getResultDims().empty());
  EXPECT_FALSE(less.getWorkgroupCount().empty());
  EXPECT_TRUE(less->hasAttr("note"));
  EXPECT_EQ(less.getWorkgroupBody().getNumArguments(), 2u);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

// The extents of the tensor do not precede the offsets.
TEST_F(Flow, OffsetsOfTensorsWithDynamicExtents) {
  parse("%t: !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>, %d: index, %e: "
        "index, %i: index, %n: index, %s: index",
        R"(
    %0 = flow.dispatch.tensor.load %t, offsets = [1, %i], sizes = [%n, 2], strides = [1, %s] : !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%d, %e} -> tensor<?x2xf32>
    flow.dispatch.tensor.store %0, %t, offsets = [1, %i], sizes = [%n, 2], strides = [1, %s] : tensor<?x2xf32> -> !flow.dispatch.tensor<readwrite:tensor<?x?xf32>>{%d, %e})");
  for (OffsetSizeAndStrideOpInterface slice :
       {OffsetSizeAndStrideOpInterface(find<flow::DispatchTensorLoadOp>()),
        OffsetSizeAndStrideOpInterface(find<flow::DispatchTensorStoreOp>())}) {
    EXPECT_EQ(slice.getDynamicOffset(1), argument(3));
    EXPECT_EQ(slice.getDynamicSize(0), argument(4));
    EXPECT_EQ(slice.getDynamicStride(1), argument(5));
    EXPECT_EQ(slice.getStaticOffset(0), 1);
  }
  auto load = find<flow::DispatchTensorLoadOp>();
  auto store = find<flow::DispatchTensorStoreOp>();
  EXPECT_EQ(llvm::to_vector(load.getOperandDynamicDims(0)),
            (SmallVector<Value>{argument(1), argument(2)}));
  EXPECT_EQ(llvm::to_vector(load.getResultDynamicDims(0)),
            SmallVector<Value>{argument(4)});
  EXPECT_EQ(llvm::to_vector(store.getOperandDynamicDims(0)),
            SmallVector<Value>{argument(4)});
  EXPECT_EQ(llvm::to_vector(store.getOperandDynamicDims(1)),
            (SmallVector<Value>{argument(1), argument(2)}));
  EXPECT_FALSE(load.isLoadOfWholeSource());
  EXPECT_FALSE(store.isStoreToWholeTarget());
}

TEST_F(Flow, LoadsAndStoresOfEverything) {
  parse("%t: !flow.dispatch.tensor<readwrite:tensor<?x8xf32>>, %d: index", "");
  OpBuilder builder(find<func::ReturnOp>());
  auto type =
      RankedTensorType::get({ShapedType::kDynamic, 8}, builder.getF32Type());
  auto load = flow::DispatchTensorLoadOp::create(
      builder, builder.getUnknownLoc(), type, argument(0), argument(1));
  auto store = flow::DispatchTensorStoreOp::create(
      builder, builder.getUnknownLoc(), load, argument(0), argument(1));
  ASSERT_TRUE(succeeded(verify(*module)));
  EXPECT_TRUE(load.isLoadOfWholeSource());
  EXPECT_TRUE(store.isStoreToWholeTarget());
  EXPECT_EQ(vectorOf(load.getStaticOffsets()), (Ties{0, 0}));
  EXPECT_EQ(load.getSizes().front(), argument(1));
  auto part = flow::DispatchTensorLoadOp::create(
      builder, builder.getUnknownLoc(), argument(0), ValueRange{argument(1)},
      load.getMixedOffsets(),
      {builder.getIndexAttr(3), builder.getIndexAttr(8)},
      load.getMixedStrides());
  EXPECT_EQ(part.getType().getShape(), (ArrayRef<int64_t>{3, 8}));
  EXPECT_FALSE(part.isLoadOfWholeSource());
}

//===----------------------------------------------------------------------===//
// Slices of slices
//===----------------------------------------------------------------------===//

constexpr StringRef kPlaces =
    "%r: !flow.dispatch.tensor<readonly:tensor<?x16xf32>>, %io: "
    "!flow.dispatch.tensor<readwrite:tensor<?x16xf32>>, %d: index, %i: index, "
    "%v: tensor<2x4xf32>";

TEST_F(Flow, ASliceOfALoadIsALoad) {
  parse(kPlaces, R"(
    %0 = flow.dispatch.tensor.load %r, offsets = [%i, 2], sizes = [8, 12], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x16xf32>>{%d} -> tensor<8x12xf32>
    %1 = tensor.extract_slice %0[3, 1] [1, 4] [1, 2] : tensor<8x12xf32> to tensor<4xf32>
    "test.use"(%1) : (tensor<4xf32>) -> ())");
  foldSlices();
  EXPECT_EQ(count<tensor::ExtractSliceOp>(), 0);
  auto load = find<flow::DispatchTensorLoadOp>();
  EXPECT_EQ(vectorOf(load.getStaticSizes()), (Ties{1, 4}));
  EXPECT_EQ(load.getStaticOffsets()[1], 3);
  EXPECT_EQ(vectorOf(load.getStaticStrides()), (Ties{1, 2}));
  EXPECT_EQ(load.getType().getShape(), ArrayRef<int64_t>{4});
}

TEST_F(Flow, ASliceOfALoadBeforeAStoreStays) {
  StringRef body = R"(
    %0 = flow.dispatch.tensor.load %io, offsets = [0, 0], sizes = [8, 12], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<?x16xf32>>{%d} -> tensor<8x12xf32>
    STORE
    %1 = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : tensor<8x12xf32> to tensor<2x4xf32>
    "test.use"(%1) : (tensor<2x4xf32>) -> ())";
  auto [before, after] = body.split("STORE");
  parse(kPlaces, (before + after).str());
  foldSlices();
  EXPECT_EQ(count<tensor::ExtractSliceOp>(), 0);
  parse(kPlaces,
        (before +
         "flow.dispatch.tensor.store %v, %io, offsets = [0, 0], sizes = [2, 4],"
         " strides = [1, 1] : tensor<2x4xf32> -> "
         "!flow.dispatch.tensor<readwrite:tensor<?x16xf32>>{%d}" +
         after)
            .str());
  foldSlices();
  EXPECT_EQ(count<tensor::ExtractSliceOp>(), 1);
}

TEST_F(Flow, AChangedSliceOfALoadIsAStore) {
  StringRef body = R"(
    %0 = flow.dispatch.tensor.load %io, offsets = [%i, 2], sizes = [8, 12], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<?x16xf32>>{%d} -> tensor<8x12xf32>
    %1 = tensor.insert_slice %v into %0[3, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x12xf32>
    flow.dispatch.tensor.store %1, %io, offsets = [%i, 2], sizes = [8, 12], strides = [1, 1] : tensor<8x12xf32> -> !flow.dispatch.tensor<readwrite:tensor<?x16xf32>>{%d})";
  parse(kPlaces, body);
  foldSlices();
  EXPECT_EQ(count<tensor::InsertSliceOp>(), 0);
  auto store = find<flow::DispatchTensorStoreOp>();
  EXPECT_EQ(store.getValue(), argument(4));
  EXPECT_EQ(vectorOf(store.getStaticSizes()), (Ties{2, 4}));
  EXPECT_EQ(store.getStaticOffsets()[1], 3);

  // Loaded from another place in the same tensor.
  auto [before, after] = body.split("offsets = [%i, 2]");
  parse(kPlaces, (before + "offsets = [0, 2]" + after).str());
  foldSlices();
  EXPECT_EQ(count<tensor::InsertSliceOp>(), 1);
}

} // namespace
