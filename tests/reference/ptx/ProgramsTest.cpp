// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Programs that XLA compiled for an H100: counts against the hardware's counters, and
/// values against the evaluator of HLO.

#include "tests/reference/ptx/CompiledProgram.h"
#include "tests/reference/ptx/RandomInputs.h"

#include "mercator/dialects/Register.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/reference/AllRules.h"
#include "mercator/support/File.h"
#include "mlir/IR/BuiltinOps.h"
#include "tests/Folders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace mercator;
using namespace mercator::reference;

namespace {

std::string dataFolder() { return sharedFolder() + "/data/gpu"; }

std::optional<llvm::json::Value> readJson(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path);
  if (!text) {
    llvm::consumeError(text.takeError());
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  return std::move(*value);
}

std::vector<std::string> programFolders() {
  std::vector<std::string> folders;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(dataFolder() + "/ptx", error), end;
       it != end && !error; it.increment(error))
    folders.push_back(it->path());
  llvm::sort(folders);
  return folders;
}

/// The numbers in "(8, 1, 1)".
std::vector<uint32_t> numbersOf(llvm::StringRef text) {
  std::vector<uint32_t> numbers;
  for (llvm::StringRef part : llvm::split(text.trim("()"), ',')) {
    uint32_t number = 0;
    part.trim().getAsInteger(10, number);
    numbers.push_back(number);
  }
  return numbers;
}

/// Kernels whose counts depend on indices that were drawn for the measurement, and one
/// that was compiled by Triton on the card.
const std::set<std::string> kOthers = {
    "t_dus/loop_dynamic_update_slice_fusion",
    "t_dynamic_slice/loop_multiply_fusion",
    "t_gather_rows/loop_gather_fusion",
    "t_gather_scalars/loop_gather_fusion",
    "t_sum_all/input_reduce_fusion_1",
};

/// The results of the evaluator of HLO, as XLA lays them out; nothing if it cannot run.
std::optional<std::vector<Tensor>>
evaluate(const std::string &path, llvm::ArrayRef<ArrayType> types,
         llvm::ArrayRef<std::vector<uint8_t>> inputs,
         mlir::MLIRContext &context) {
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return std::nullopt;
  SourceBuffer source(path, std::move(*text));
  DiagnosticEngine diagnostics(llvm::errs());
  auto parsed = hlo::parse(source, diagnostics);
  if (!parsed)
    return std::nullopt;
  auto module = hlo::importHlo(*parsed, source, context, diagnostics);
  if (!module)
    return std::nullopt;
  mlir::func::FuncOp entry;
  module->walk([&](mlir::func::FuncOp function) {
    if (function->hasAttr("hlo.entry"))
      entry = function;
  });
  std::vector<Value> arguments;
  for (auto [argument, type, bytes] :
       llvm::zip(entry.getArguments(), types, inputs)) {
    auto tensorType =
        llvm::dyn_cast<mlir::RankedTensorType>(argument.getType());
    if (!tensorType)
      return std::nullopt;
    auto plain = mlir::RankedTensorType::get(tensorType.getShape(),
                                             tensorType.getElementType());
    auto tensor =
        Tensor::zeros(plain, [&] { return mlir::emitError(entry.getLoc()); });
    if (failed(tensor))
      return std::nullopt;
    std::vector<uint8_t> rows = toRowMajor(type, bytes);
    uint64_t size =
        rows.size() / std::max<uint64_t>(1, uint64_t(type.elements()));
    for (int64_t at = 0; at < type.elements(); ++at)
      tensor->set(at, tensor->element().load(
                          reinterpret_cast<const std::byte *>(rows.data()) +
                          uint64_t(at) * size));
    arguments.push_back(*tensor);
  }
  Evaluator evaluator(*module, allRules());
  auto results = evaluator.call(entry, arguments);
  if (failed(results))
    return std::nullopt;
  std::vector<Tensor> tensors;
  for (const Value &value : *results)
    if (const Tensor *tensor = value.tensor())
      tensors.push_back(*tensor);
    else
      return std::nullopt;
  return tensors;
}

/// Programs whose products the evaluator of HLO takes minutes for.
const std::set<std::string> kSlow = {"t_dot_bf16", "t_dot_gelu", "t_attention",
                                     "t_cumsum", "t_rowsum_long"};

TEST(PtxPrograms, CountsAreThoseOfTheHardware) {
  std::optional<llvm::json::Value> counters =
      readJson(dataFolder() + "/xla/counters.json");
  if (!counters)
    GTEST_SKIP() << "no " << dataFolder();
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry);
  unsigned programs = 0, kernels = 0, values = 0;
  for (const std::string &folder : programFolders()) {
    std::string name = llvm::sys::path::filename(folder).str(), why;
    std::optional<CompiledProgram> program = CompiledProgram::read(folder, why);
    ASSERT_TRUE(program) << why;
    std::vector<std::vector<uint8_t>> inputs =
        randomInputs(program->inputs(), 1);
    std::optional<CompiledProgram::Outcome> outcome =
        program->run(inputs, {.findRaces = true}, why);
    ASSERT_TRUE(outcome) << name << ": " << why;
    ++programs;
    std::map<std::string, const CompiledProgram::KernelRun *> runs;
    for (const CompiledProgram::KernelRun &run : outcome->kernels) {
      runs[run.kernel] = &run;
      EXPECT_TRUE(run.races.empty()) << name << ' ' << run.kernel;
    }
    const llvm::json::Array *measured = counters->getAsObject()->getArray(name);
    for (const llvm::json::Value &each :
         measured ? *measured : llvm::json::Array()) {
      const llvm::json::Object &kernel = *each.getAsObject();
      std::string kernelName = kernel.getString("kernel")->str();
      const CompiledProgram::KernelRun *run = runs[kernelName];
      if (!run || kOthers.count(name + "/" + kernelName) ||
          numbersOf(*kernel.getString("grid")) !=
              std::vector<uint32_t>(run->launch.grid.begin(),
                                    run->launch.grid.end()) ||
          numbersOf(*kernel.getString("block")) !=
              std::vector<uint32_t>(run->launch.block.begin(),
                                    run->launch.block.end()))
        continue; // tuned on the card: another kernel
      ++kernels;
      EXPECT_EQ(int64_t(run->counts.loads), kernel.getInteger("loads"))
          << name << ' ' << kernelName;
      EXPECT_EQ(int64_t(run->counts.loadSectors),
                kernel.getInteger("load_sectors"))
          << name << ' ' << kernelName;
      EXPECT_EQ(int64_t(run->counts.stores), kernel.getInteger("stores"))
          << name << ' ' << kernelName;
      EXPECT_EQ(int64_t(run->counts.storeSectors),
                kernel.getInteger("store_sectors"))
          << name << ' ' << kernelName;
    }
    if (kSlow.count(name))
      continue;
    auto expected = evaluate(folder + "/" + name + ".hlo", program->inputs(),
                             inputs, context);
    if (!expected)
      continue;
    ASSERT_EQ(expected->size(), outcome->results.size()) << name;
    ++values;
    for (auto [tensor, bytes, type] :
         llvm::zip(*expected, outcome->results, program->resultTypes())) {
      std::vector<uint8_t> rows = toRowMajor(type, bytes);
      uint64_t size = rows.size() / uint64_t(type.elements());
      double worst = 0, scale = 1e-2;
      for (int64_t at = 0; at < type.elements(); ++at) {
        Scalar got = tensor.element().load(
            reinterpret_cast<const std::byte *>(rows.data()) +
            uint64_t(at) * size);
        Scalar want = tensor.at(at);
        bool isFloat =
            llvm::isa<mlir::FloatType>(tensor.type().getElementType());
        bool isComplex =
            llvm::isa<mlir::ComplexType>(tensor.type().getElementType());
        if (!isFloat && !isComplex) {
          worst = std::max(worst, double(got.integer != want.integer));
          continue;
        }
        scale = std::max(scale, std::hypot(want.re, want.im));
        worst = std::max(worst, std::hypot(got.re - want.re, got.im - want.im));
      }
      // Products of f32 are rounded to TF32; bf16 has 8 bits.
      double limit = name == "t_dot_small"                            ? 3e-3
                     : type.element == "f32" || type.element == "c64" ? 2e-5
                                                                      : 2e-2;
      EXPECT_LE(worst / scale, limit) << name;
    }
  }
  EXPECT_GE(programs, 39u);
  EXPECT_EQ(kernels, 35u);
  EXPECT_GE(values, 30u);
}

TEST(PtxPrograms, PassesOfBanksAreThoseOfTheHardware) {
  std::optional<llvm::json::Value> banks =
      readJson(dataFolder() + "/banks.json");
  if (!banks)
    GTEST_SKIP() << "no " << dataFolder();
  for (const llvm::json::Value &each : *banks->getAsArray()) {
    const llvm::json::Object &row = *each.getAsObject();
    auto bytes = unsigned(*row.getInteger("element_bytes"));
    auto elements = uint64_t(*row.getInteger("row_elements"));
    int64_t passes = 0;
    for (uint64_t column = 0; column < 32; ++column) {
      uint64_t at[32];
      for (uint64_t lane = 0; lane < 32; ++lane)
        at[lane] = (lane * elements + column) * bytes;
      passes += ptx::bankPasses(at, bytes);
    }
    EXPECT_EQ(passes, row.getInteger("wavefronts"))
        << bytes << " bytes, rows of " << elements;
  }
}

} // namespace
