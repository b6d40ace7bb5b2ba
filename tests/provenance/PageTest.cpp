// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of docs/maps.md, checked with the provenance evaluator.

#include "Check.h"
#include "tests/Seed.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace mercator;
using namespace mercator::testing;

namespace {

/// Programs that the evaluator does not run, and the reason.
const std::map<std::string, std::string> unchecked = {
    {"after_all", "tokens have no elements"},
    {"infeed", "tokens have no elements"},
    {"outfeed", "tokens have no elements"},
    {"recv", "tokens have no elements"},
    {"send", "tokens have no elements"},
    {"all_gather", "needs several processes"},
    {"all_reduce", "needs several processes"},
    {"all_to_all", "needs several processes"},
    {"async", "needs several processes"},
    {"collective_broadcast", "needs several processes"},
    {"collective_permute", "needs several processes"},
    {"reduce_scatter", "needs several processes"},
    {"custom_call_shard", "needs several processes"},
    {"manual_computation", "needs several processes"},
    {"constant", "has no arguments"},
    {"iota", "has no arguments"},
    {"custom_call", "nobody knows what it reads"},
    {"dynamic_iota", "its shape is not static"},
    {"get_dimension_size", "its shape is not static"},
    {"linalg_generic", "tests/analysis/maps/LinalgMapsTest.cpp checks it"},
    {"tensor_slice", "tests/analysis/maps/LinalgMapsTest.cpp checks it"},
};

/// The bounds of the elements of an argument: sizes and limits that the types
/// of the program promise.
SampleValue holds(const std::string &program, unsigned argument,
                  mlir::Type type) {
  SampleValue value;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  value.isIndex = tensor && tensor.getElementType().isInteger(32);
  if (tensor && tensor.getElementType().isInteger(1))
    value.lowest = 0, value.highest = 1;
  if (program == "ragged_dot")
    value.lowest = 0, value.highest = 4;
  if (program == "rng_bit_generator")
    value.lowest = 0;
  return value;
}

TEST(Page, MapsOfTheProgramsAgree) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry);
  Checker checker;
  Coverage coverage;
  int programs = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(MERCATOR_DOCS "/maps")) {
    std::string name = entry.path().stem().string();
    if (unchecked.count(name) == 1)
      continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text.str(), mlir::ParserConfig(&context));
    ASSERT_TRUE(module) << name;
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    std::vector<SampleValue> arguments;
    for (auto [k, type] : llvm::enumerate(function.getArgumentTypes()))
      arguments.push_back(holds(name, k, type));
    ++programs;
    uint64_t first = testSeed();
    for (uint64_t seed = first; seed < first + 5; ++seed) {
      Outcome outcome =
          checker.check(text.str(), arguments, seed, true, coverage);
      EXPECT_EQ(outcome.kind, Outcome::Agrees)
          << name << ", MERCATOR_SEED=" << seed << "\n"
          << outcome.text;
    }
  }
  EXPECT_GE(programs, 45);
}

} // namespace
