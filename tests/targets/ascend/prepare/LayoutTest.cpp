// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs of copies, bitcasts and transposes between layouts, as in
// compiled HLO: without layouts they give the same elements.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/ascend/prepare/UndoHlo.h"
#include "tests/Seed.h"
#include "tests/random/Texts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace mercator;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using reference::Value;

using Ints = llvm::SmallVector<int64_t, 4>;

namespace {
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {
    Ints shape = split(24);
    std::string type = typeText(shape);
    text = "func.func @main(%v0: " + type + ") -> ";
    std::string body;
    for (int64_t i = 1, count = number(1, 6); i <= count; ++i) {
      std::string from = type, x = "%v" + std::to_string(i - 1), op;
      switch (number(0, 3)) {
      case 0:
        type = typeText(shape);
        op = "hlo.copy " + x;
        break;
      case 1: {
        Ints order = permutation(shape.size()), old = shape;
        for (auto [extent, dim] : llvm::zip_equal(shape, order))
          extent = old[dim];
        type = typeText(shape);
        op = "stablehlo.transpose " + x + ", dims = " + listText(order);
        break;
      }
      default:
        shape = split(24);
        type = typeText(shape);
        op = "hlo.bitcast " + x;
      }
      body += "  %v" + std::to_string(i) + " = " + op + " : (" + from +
              ") -> " + type + "\n";
      last = "%v" + std::to_string(i);
    }
    text += type + " {\n" + body + "  return " + last + " : " + type + "\n}\n";
  }

  std::string text;

private:
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  Ints permutation(size_t rank) {
    Ints order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    return order;
  }
  /// Extents with that product.
  Ints split(int64_t product) {
    Ints shape;
    while (product > 1 || number(0, 3) == 0) {
      int64_t extent = number(1, product);
      if (product % extent != 0 || shape.size() == 5)
        extent = product;
      shape.push_back(extent);
      product /= extent;
    }
    return shape;
  }
  std::string typeText(const Ints &shape) {
    std::string type = tensorText(shape, "i32");
    Ints order = permutation(shape.size()), plain(order);
    std::sort(plain.rbegin(), plain.rend());
    if (order == plain)
      return type;
    type.pop_back();
    return type + ", #hlo.layout<" + listText(order) + ">>";
  }

  std::mt19937_64 engine;
  std::string last;
};
} // namespace

static Tensor counted(mlir::RankedTensorType type) {
  auto plain =
      mlir::RankedTensorType::get(type.getShape(), type.getElementType());
  Tensor tensor = *Tensor::zeros(plain, [&] {
    return mlir::emitError(mlir::UnknownLoc::get(type.getContext()));
  });
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, Scalar::whole(i));
  return tensor;
}

TEST(AscendLayouts, RandomProgramsKeepTheirElements) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry);
  context.disableMultithreading();
  constexpr uint64_t kCases = 2'000;
  for (uint64_t i = 0; i < kCases && !HasFailure(); ++i) {
    uint64_t seed = testSeed() + i;
    Draw draw(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
    auto module = mlir::parseSourceString<ModuleOp>(draw.text, &context);
    ASSERT_TRUE(module);
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    std::vector<Value> arguments = {counted(
        llvm::cast<mlir::RankedTensorType>(main.getArgumentTypes()[0]))};
    Evaluator before(*module, reference::allRules());
    auto want = before.call(main, arguments);
    ASSERT_TRUE(succeeded(want));
    OwningOpRef<ModuleOp> after = module->clone();
    ascend::undoHlo(*after);
    ASSERT_TRUE(succeeded(mlir::verify(*after)));
    std::string text;
    llvm::raw_string_ostream(text) << *after;
    after->walk([&](mlir::Operation *op) {
      EXPECT_NE(op->getName().getDialectNamespace(), "hlo") << text;
    });
    ASSERT_EQ(text.find("#hlo"), std::string::npos) << text;
    Evaluator evaluator(*after, reference::allRules());
    auto got = evaluator.call(after->lookupSymbol<mlir::func::FuncOp>("main"),
                              arguments);
    ASSERT_TRUE(succeeded(got)) << text;
    const Tensor &a = *got->front().tensor(), &b = *want->front().tensor();
    ASSERT_EQ(a.shape(), b.shape()) << text;
    for (int64_t at = 0; at < a.size(); ++at)
      ASSERT_EQ(a.at(at).integer, b.at(at).integer) << text << "at " << at;
  }
}
