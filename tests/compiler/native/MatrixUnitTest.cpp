// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by the matrix unit of a CPU, which is emulated here: random programs with
// the best and with random schedules, all accesses checked, against the evaluator.
// Integers have its bits. Sums of bf16 have those that the manual of the instruction
// says, and are near the evaluator's.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace mercator;
using reference::Tensor;
using reference::Value;

namespace {

using Sizes = std::vector<int64_t>;

std::string arrayOf(const Sizes &extents, llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

struct MatrixUnit : testing::Test {
  MatrixUnit() : random(testSeed()) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::printf("seed %llu\n", (unsigned long long)testSeed());
  }

  int64_t draw(int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  }
  std::function<mlir::InFlightDiagnostic()> emitError() {
    return [this] { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  }

  /// Any integers, or fractions, some of them subnormal in bf16.
  Tensor numbers(mlir::RankedTensorType type) {
    Tensor tensor = *Tensor::zeros(type, emitError());
    std::uniform_real_distribution<double> fraction(-1, 1);
    for (int64_t i = 0; i < tensor.size(); ++i)
      if (type.getElementType().isInteger())
        tensor.set(i, reference::Scalar::whole(
                          type.getElementType().isUnsignedInteger()
                              ? draw(0, 255)
                              : draw(-128, 127)));
      else
        tensor.set(i, reference::Scalar::real(
                          draw(0, 99) == 0 ? 1e-39 : fraction(random)));
    return tensor;
  }

  /// Takes a program, draws its inputs, and has the results of the evaluator.
  void begin(const std::string &text) {
    program = text;
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    inputs.clear();
    for (mlir::Type type : main.getFunctionType().getInputs())
      inputs.emplace_back(numbers(mlir::cast<mlir::RankedTensorType>(type)));
    reference::Evaluator evaluator(*module, reference::allRules());
    auto results = evaluator.call(main, inputs);
    ASSERT_TRUE(succeeded(results)) << text;
    expected = *results->front().tensor();
  }

  NativeOptions options(uint64_t schedule) const {
    NativeOptions options;
    options.emulatesMatrices = true;
    options.scheduleSeed = schedule;
    options.isChecked = true;
    return options;
  }

  /// Whether the unit computes the program.
  bool hasUnit() {
    mlir::OwningOpRef<mlir::ModuleOp> lowered = module->clone();
    if (failed(lowerTo(*lowered, Stage::Cpu)))
      return false;
    auto machine = machineOf(options(0), emitError());
    auto kernels = cpu::schedulesOf(*lowered, "main", *machine);
    if (failed(kernels))
      return false;
    for (const cpu::KernelSchedule &kernel : *kernels)
      for (const cpu::ScheduleNote &note : kernel.notes.lines)
        if (note.text.find("unit=matrix") != std::string::npos)
          return true;
    return false;
  }

  /// With schedules that are chosen or drawn, or with one for all products.
  std::optional<Tensor> run(uint64_t schedule, llvm::StringRef written = "") {
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    mlir::FunctionType types = main.getFunctionType();
    mlir::OwningOpRef<mlir::ModuleOp> lowered = module->clone();
    if (failed(lowerTo(*lowered, Stage::Cpu)))
      return std::nullopt;
    if (!written.empty())
      lowered->walk([&](mlir::linalg::LinalgOp op) {
        if (op.getNumDpsInputs() == 2 && op.getNumReductionLoops() != 0)
          op->setAttr(cpu::kSchedule, mlir::StringAttr::get(&context, written));
      });
    auto native = NativeProgram::compile(*lowered, "main", options(schedule));
    EXPECT_TRUE(succeeded(native)) << program;
    if (failed(native))
      return std::nullopt;
    auto given = toStage(inputs, types.getInputs(), native->type().getInputs());
    auto results = native->call(*given, emitError());
    EXPECT_TRUE(succeeded(results)) << program;
    if (failed(results))
      return std::nullopt;
    return *fromStage(*results, types.getResults())->front().tensor();
  }

  /// With the best schedule, and with a random one.
  void expectBits() {
    EXPECT_TRUE(hasUnit()) << program;
    for (uint64_t schedule : {uint64_t(0), drawSeed()}) {
      std::optional<Tensor> found = run(schedule);
      ASSERT_TRUE(found);
      for (int64_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(found->at(i).integer, expected.at(i).integer)
            << "element " << i << ", schedule " << schedule << "\n"
            << program;
    }
  }
  /// The same bits for both, within `most` of the evaluator's.
  std::optional<Tensor> expectNear(double most) {
    EXPECT_TRUE(hasUnit()) << program;
    uint64_t schedule = drawSeed();
    std::optional<Tensor> best = run(0), drawn = run(schedule);
    EXPECT_TRUE(best && drawn) << program;
    for (int64_t i = 0; best && drawn && i < expected.size(); ++i) {
      EXPECT_EQ(best->at(i).re, drawn->at(i).re)
          << "element " << i << ", schedule " << schedule << "\n"
          << program;
      EXPECT_NEAR(best->at(i).re, expected.at(i).re, most)
          << "element " << i << "\n"
          << program;
      if (HasFailure())
        return std::nullopt;
    }
    return best;
  }
  uint64_t drawSeed() { return uint64_t(draw(1, 1'000'000)); }

  mlir::MLIRContext context;
  std::mt19937_64 random;
  std::string program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Value> inputs;
  Tensor expected;
};

/// A product of some matrices, each operand transposed or not.
struct DrawnProduct {
  int64_t batch, rows, columns, terms;
  bool transposesA, transposesB, transposesC;
  std::string a, b, c;

  [[nodiscard]] Sizes extents(int64_t x, int64_t y, bool isTransposed) const {
    Sizes all = isTransposed ? Sizes{y, x} : Sizes{x, y};
    if (batch > 1)
      all.insert(all.begin(), batch);
    return all;
  }
  [[nodiscard]] std::string text() const {
    std::string x = arrayOf(extents(rows, terms, transposesA), a),
                y = arrayOf(extents(terms, columns, transposesB), b),
                // The first operand of dot_general has the rows of its result.
        z = arrayOf(extents(rows, columns, false), c),
                t = arrayOf(extents(rows, columns, true), c);
    int first = batch > 1 ? 1 : 0;
    std::string result = transposesC ? t : z;
    std::string dims =
        (batch > 1 ? "batching_dims = [0] x [0], " : "") +
        ("contracting_dims = [" + std::to_string(first + !transposesA) +
         "] x [" + std::to_string(first + transposesB) + "]");
    std::string lines = "  %0 = stablehlo.dot_general " +
                        std::string(transposesC ? "%b, %a, " : "%a, %b, ");
    if (transposesC)
      dims = (batch > 1 ? "batching_dims = [0] x [0], " : "") +
             ("contracting_dims = [" + std::to_string(first + transposesB) +
              "] x [" + std::to_string(first + !transposesA) + "]");
    return "func.func @main(%a: " + x + ", %b: " + y + ") -> " + result +
           " {\n" + lines + dims + " : (" + (transposesC ? y : x) + ", " +
           (transposesC ? x : y) + ") -> " + result +
           "\n  return %0 : " + result + "\n}\n";
  }
};

DrawnProduct drawProduct(MatrixUnit &test, bool isBf16) {
  DrawnProduct p;
  const char *bytes[] = {"i8", "ui8"};
  do {
    p.batch = test.draw(0, 2) == 0 ? test.draw(2, 3) : 1;
    p.rows = test.draw(16, 90);
    p.columns = test.draw(16, 90);
    p.terms = test.draw(0, 1) == 0 ? test.draw(1, 4) * 64 : test.draw(1, 300);
  } while (p.batch * p.rows * p.columns * p.terms < 65536 ||
           p.batch * p.rows * p.columns * p.terms > 600'000);
  p.transposesA = test.draw(0, 2) == 0;
  p.transposesB = test.draw(0, 1) == 0;
  p.transposesC = test.draw(0, 3) == 0;
  p.a = isBf16 ? "bf16" : bytes[test.draw(0, 1)];
  p.b = isBf16 ? "bf16" : bytes[test.draw(0, 1)];
  p.c = isBf16 ? "f32" : "i32";
  return p;
}

/// Sums as TDPBF16PS adds them up. The rows of a product that is computed as its
/// transpose are its columns: that changes no sum.
float sumOf(const DrawnProduct &p, const Tensor &a, const Tensor &b,
            int64_t member, int64_t i, int64_t j) {
  auto at = [&](const Tensor &x, int64_t row, int64_t column, bool isTransposed,
                int64_t rows, int64_t columns) {
    int64_t place = isTransposed ? column * rows + row : row * columns + column;
    auto value = float(x.at(member * rows * columns + place).re);
    return std::fpclassify(value) == FP_SUBNORMAL ? 0.0F : value;
  };
  float sum = 0;
  for (int64_t first = 0; first < p.terms; first += 32) {
    float parts[2] = {0, 0};
    for (int64_t k = first; k < std::min(first + 32, p.terms); ++k)
      parts[k % 2] = std::fmaf(at(a, i, k, p.transposesA, p.rows, p.terms),
                               at(b, k, j, p.transposesB, p.terms, p.columns),
                               parts[k % 2]);
    sum += parts[0] + parts[1];
  }
  return sum;
}

TEST_F(MatrixUnit, IntegersAreExact) {
  for (int round = 0; round < cases(10); ++round) {
    begin(drawProduct(*this, /*isBf16=*/false).text());
    expectBits();
    if (HasFailure())
      return;
  }
}

TEST_F(MatrixUnit, FloatsAreAddedAsTheInstructionDoes) {
  for (int round = 0; round < cases(6); ++round) {
    DrawnProduct p = drawProduct(*this, /*isBf16=*/true);
    begin(p.text());
    std::optional<Tensor> found = expectNear(1e-4);
    if (!found)
      return;
    const Tensor &a = *inputs[0].tensor(), &b = *inputs[1].tensor();
    for (int64_t n = 0; n < p.batch; ++n)
      for (int64_t i = 0; i < p.rows; ++i)
        for (int64_t j = 0; j < p.columns; ++j) {
          int64_t place = p.transposesC ? j * p.rows + i : i * p.columns + j;
          ASSERT_EQ(found->at(n * p.rows * p.columns + place).re,
                    sumOf(p, a, b, n, i, j))
              << n << ", " << i << ", " << j << "\n"
              << program;
        }
  }
}

TEST_F(MatrixUnit, ComputesConvolutions) {
  for (const char *types : {"i8,i32", "bf16,f32"}) {
    auto [element, sum] = llvm::StringRef(types).split(',');
    std::string x = arrayOf({1, 6, 20, 64}, element),
                k = arrayOf({3, 3, 64, 24}, element),
                y = arrayOf({1, 4, 18, 24}, sum);
    begin("func.func @main(%x: " + x + ", %k: " + k + ") -> " + y +
          " {\n  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, "
          "f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 "
          ": i64, feature_group_count = 1 : i64} : (" +
          x + ", " + k + ") -> " + y + "\n  return %0 : " + y + "\n}\n");
    if (element == "i8")
      expectBits();
    else
      expectNear(1e-4);
  }
}

TEST_F(MatrixUnit, HasEpilogues) {
  begin(R"(
func.func @main(%a: tensor<50x96xbf16>, %b: tensor<96x40xbf16>, %c: tensor<50x40xf32>) -> tensor<50x40xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<50x96xbf16>, tensor<96x40xbf16>) -> tensor<50x40xf32>
  %1 = stablehlo.add %0, %c : tensor<50x40xf32>
  %2 = stablehlo.abs %1 : tensor<50x40xf32>
  return %2 : tensor<50x40xf32>
}
)");
  expectNear(1e-5);
}

TEST_F(MatrixUnit, ComputesProductsOfBf16) {
  begin(R"(
func.func @main(%a: tensor<70x130xbf16>, %b: tensor<130x50xbf16>) -> tensor<70x50xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<70x130xbf16>, tensor<130x50xbf16>) -> tensor<70x50xbf16>
  return %0 : tensor<70x50xbf16>
}
)");
  expectNear(0.125);
}

/// Each part of a schedule, with rows, columns and terms that fill no tile: the rows of
/// the last tile begin in the one before.
TEST_F(MatrixUnit, ObeysSchedules) {
  begin(R"(
func.func @main(%a: tensor<75x190xui8>, %b: tensor<190x60xi8>) -> tensor<75x60xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<75x190xui8>, tensor<190x60xi8>) -> tensor<75x60xi32>
  return %0 : tensor<75x60xi32>
}
)");
  const char *schedules[] = {"rows=16 vectors=1 pack=b",
                             "rows=16 vectors=6 pack=b prefetch=1",
                             "rows=48 vectors=1 pack=b overlaps=1",
                             "rows=64 vectors=1 pack=b parts=5",
                             "rows=32 vectors=2 pack=b terms=16 parts=3",
                             "rows=32 vectors=2 pack=b terms=32"};
  for (std::string schedule : schedules) {
    schedule = "form=tiles unit=matrix lanes=16 " + schedule;
    std::optional<Tensor> found = run(0, schedule);
    ASSERT_TRUE(found) << schedule;
    for (int64_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(found->at(i).integer, expected.at(i).integer)
          << "element " << i << ", " << schedule;
  }
}

/// A sum of floats in parts, and b in place.
TEST_F(MatrixUnit, SplitsSums) {
  begin(R"(
func.func @main(%a: tensor<40x200xbf16>, %b: tensor<200x48xbf16>) -> tensor<40x48xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<40x200xbf16>, tensor<200x48xbf16>) -> tensor<40x48xf32>
  return %0 : tensor<40x48xf32>
}
)");
  for (const char *rest : {"split=16 pack=b", "split=48", ""}) {
    std::string schedule =
        "form=tiles unit=matrix lanes=16 rows=16 vectors=3 " +
        std::string(rest);
    std::optional<Tensor> found = run(0, schedule);
    ASSERT_TRUE(found) << schedule;
    for (int64_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(found->at(i).re, expected.at(i).re, 1e-5)
          << "element " << i << ", " << schedule;
  }
}

/// Several loops of terms, of which the words are those of one.
TEST_F(MatrixUnit, TakesOneLoopOfTerms) {
  begin(R"(
func.func @main(%a: tensor<40x64x3xi8>, %b: tensor<3x64x30xui8>) -> tensor<40x30xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [1, 0] : (tensor<40x64x3xi8>, tensor<3x64x30xui8>) -> tensor<40x30xi32>
  return %0 : tensor<40x30xi32>
}
)");
  expectBits();
}

} // namespace
