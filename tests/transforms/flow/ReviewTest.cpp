// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups that the target takes longer for than for their parts are divided again.

#include "mercator/analysis/device/Device.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"
#include "tests/reference/RandomTensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

#include <functional>

using namespace mercator;
using namespace mercator::flow;
using namespace mercator::reference;

namespace {

// A chain of three through a reshape, and %u, which updates a tensor from outside.
constexpr const char *kReviewed = R"(
func.func @main(%x: tensor<512x1024xf32>, %w: tensor<512x1024xf32>)
    -> (tensor<512x32x32xf32>, tensor<512x1024xf32>) {
  %e = tensor.empty() : tensor<512x1024xf32>
  %a = linalg.exp ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %b = linalg.negf ins(%a : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %v = tensor.expand_shape %b [[0], [1, 2]] output_shape [512, 32, 32] : tensor<512x1024xf32> into tensor<512x32x32xf32>
  %f = tensor.empty() : tensor<512x32x32xf32>
  %c = linalg.exp ins(%v : tensor<512x32x32xf32>) outs(%f : tensor<512x32x32xf32>) -> tensor<512x32x32xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<512x1024xf32>) outs(%w : tensor<512x1024xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<512x1024xf32>
  return %c, %u : tensor<512x32x32xf32>, tensor<512x1024xf32>
})";

/// The operations of each function that is asked about.
class Asked : public DispatchTime {
public:
  explicit Asked(std::function<std::optional<double>(unsigned)> answer)
      : answer(std::move(answer)) {}

  std::optional<double> of(mlir::func::FuncOp function,
                           double programBytes) override {
    EXPECT_TRUE(succeeded(mlir::verify(function->getParentOp())));
    EXPECT_GE(programBytes, 2.0 * 512 * 1024 * 4);
    unsigned computing = 0;
    function.walk([&](mlir::linalg::LinalgOp) { ++computing; });
    llvm::raw_string_ostream(text) << function << "\n";
    largest = std::max(largest, computing);
    ++questions;
    return answer(computing);
  }

  std::string text;
  unsigned largest = 0, questions = 0;

private:
  std::function<std::optional<double>(unsigned)> answer;
};

class Review : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerMapInterfaces(registry);
    programs.context.appendDialectRegistry(registry);
    programs.context.loadDialect<FlowDialect>();
    module =
        mlir::parseSourceString<mlir::ModuleOp>(kReviewed, &programs.context);
    ASSERT_TRUE(module);
  }

  /// The sizes of the groups.
  std::vector<size_t> sizes(DispatchTime *time) {
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    Machine machine(*findDevice("cpu", "zen5"));
    Reasons reasons(function);
    DispatchGroups groups = groupByMaps(function, machine, {}, reasons, time);
    std::vector<size_t> made;
    for (const Group &group : groups.groups)
      made.push_back(group.members.size());
    return made;
  }

  Programs programs;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(Review, KeepsWhatIsFasterTogether) {
  Asked linear([](unsigned operations) { return 1000.0 + operations; });
  EXPECT_EQ(sizes(nullptr), (std::vector<size_t>{4}));
  EXPECT_EQ(sizes(&linear), (std::vector<size_t>{4}));
  EXPECT_EQ(linear.largest, 4u);
}

TEST_F(Review, DividesWhatIsSlowerTogether) {
  Asked quadratic([](unsigned n) { return 1000.0 * n * n; });
  EXPECT_EQ(sizes(&quadratic), (std::vector<size_t>{1, 1, 1, 1}));
  // Pairs pay, but not more.
  Asked pairs([](unsigned n) { return n <= 2 ? 1000.0 + n : 10000.0 * n; });
  std::vector<size_t> made = sizes(&pairs);
  EXPECT_LT(made.size(), 4u);
  EXPECT_LE(*llvm::max_element(made), 2u);
}

TEST_F(Review, KeepsWhatIsNotKnown) {
  Asked unknown([](unsigned n) -> std::optional<double> {
    return n == 1 ? std::nullopt : std::optional(1e9 * n);
  });
  EXPECT_EQ(sizes(&unknown), (std::vector<size_t>{4}));
}

TEST_F(Review, AsksAboutWholeFunctions) {
  Asked linear([](unsigned operations) { return 1000.0 + operations; });
  (void)sizes(&linear);
  std::string whole = linear.text.substr(0, linear.text.find("\n}\n"));
  // %w is updated in place, %c is new, the reshape between is inside.
  EXPECT_NE(whole.find("%arg1: !flow.dispatch.tensor<readwrite:"
                       "tensor<512x1024xf32>>"),
            std::string::npos)
      << whole;
  EXPECT_NE(whole.find("writeonly:tensor<512x32x32xf32>>"), std::string::npos)
      << whole;
  EXPECT_NE(whole.find("tensor.expand_shape"), std::string::npos) << whole;
}

} // namespace
