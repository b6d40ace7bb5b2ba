// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups that need each other in a circle. Grouping makes none: they are made by
// hand here.

#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/transforms/flow/formation/Regions.h"
#include "tests/reference/RandomTensors.h"

#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"

using namespace mercator;
using namespace mercator::flow;
using namespace mercator::reference;

namespace {

// %a1 -> %b1, and %b2 -> %a2; %c1 -> %c2 are in no circle.
constexpr const char *kProgram = R"(
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4xi32>
  %a1 = linalg.add ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %b2 = linalg.mul ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %c1 = linalg.sub ins(%x, %b2 : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %b1 = linalg.sub ins(%a1, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %a2 = linalg.sub ins(%b2, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %c2 = linalg.add ins(%c1, %a2 : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %b1, %a2, %c2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
})";

/// The names of the remarks, with their reasons.
class Remarks : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Remarks(std::string &text) : text(text) {}
  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    text += remark.getRemarkName().str() + ":";
    for (const auto &arg : remark.getArgs())
      if (arg.key == "Reason")
        text += " " + arg.val;
    text += "\n";
  }

private:
  std::string &text;
};

class Circle : public testing::Test {
protected:
  void SetUp() override {
    programs.context.loadDialect<FlowDialect>();
    module =
        mlir::parseSourceString<mlir::ModuleOp>(kProgram, &programs.context);
    ASSERT_TRUE(module);
    function = module->lookupSymbol<mlir::func::FuncOp>("main");
    for (mlir::Operation &op : function.getBody().front())
      grouping.operations.push_back(&op);
    for (auto [first, second] : {std::pair(1, 5), {2, 4}, {3, 6}}) {
      mlir::Operation *a = grouping.operations[first];
      mlir::Operation *b = grouping.operations[second];
      grouping.groupOf[a] = grouping.groupOf[b] = grouping.groups.size();
      grouping.groups.push_back({b, {a, b}});
    }
  }

  Programs programs;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  DispatchGroups grouping;
};

TEST_F(Circle, IsTakenApart) {
  takeCirclesApart(function, grouping);
  EXPECT_EQ(grouping.groups.size(), 5u);
  EXPECT_EQ(grouping.apart.size(), 4u);
  EXPECT_EQ(grouping.groupOf[grouping.operations[3]],
            grouping.groupOf[grouping.operations[6]]);
  EXPECT_NE(grouping.groupOf[grouping.operations[1]],
            grouping.groupOf[grouping.operations[5]]);
}

TEST_F(Circle, BecomesValidRegions) {
  arrange(function, grouping);
  formRegions(&programs.context, grouping, /*withWorkload=*/false);
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
  int regions = 0;
  function.walk([&](DispatchRegionOp) { ++regions; });
  EXPECT_EQ(regions, 5);
}

TEST_F(Circle, IsReported) {
  std::string text;
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      dispatchFormationCategory.str();
  ASSERT_TRUE(succeeded(mlir::remark::enableOptimizationRemarks(
      programs.context, std::make_unique<Remarks>(text),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories)));
  Reasons reasons(function);
  mlir::Operation *b2 = grouping.operations[2];
  mlir::Operation *a2 = grouping.operations[5];
  reasons.note(EdgeNote{.producer = b2->getResult(0),
                        .use = &a2->getOpOperand(0),
                        .consumer = a2,
                        .answer = EdgeReason::Together});
  takeCirclesApart(function, grouping);
  reasons.report(grouping);
  programs.context.setRemarkEngine(nullptr);
  EXPECT_NE(text.find("no-circle: the two dispatches would have needed each "
                      "other; this is a fault of Mercator"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("its group needed another one in a circle"),
            std::string::npos)
      << text;
}

} // namespace
