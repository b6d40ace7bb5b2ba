// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rows of schedules.table: what is chosen for a problem and a device, and what is
// refused, with the reason. Each schedule is read from the text that it has.

#include "mercator/targets/cpu/kernels/CellSchedule.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/machine/Machine.h"
#include "tests/Folders.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace mercator;
using namespace mercator::cpu;
using llvm::StringRef;

namespace {

/// The words `name=value` of a problem.
class Words {
public:
  explicit Words(StringRef text) {
    llvm::SmallVector<StringRef> words;
    text.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      all.insert(word.split('='));
  }
  StringRef text(StringRef name) {
    isUsed.insert(name.str());
    auto found = all.find(name);
    return found == all.end() ? "" : found->second;
  }
  int64_t number(StringRef name, int64_t usual) {
    StringRef value = text(name);
    double number = double(usual);
    EXPECT_TRUE(value.empty() || llvm::to_float(value, number)) << value.str();
    return int64_t(number);
  }
  /// Each word is one that was asked for.
  ~Words() {
    for (auto &[name, value] : all)
      EXPECT_TRUE(isUsed.count(name.str())) << name.str();
  }

private:
  std::map<StringRef, StringRef> all;
  std::set<std::string> isUsed;
};

/// Rows of a row by row in memory, and of b; of its transpose, if `transposed`, and of
/// that of a, if `left`. There may be `outer` times as many rows, in two loops, and
/// `outer_columns` times as many columns. The terms may be in two loops, or in none.
/// Those of a are `step` elements apart.
ContractionProblem productOf(StringRef text) {
  Words words(text);
  int64_t m = words.number("rows", 0), n = words.number("columns", 0),
          k = words.number("terms", 0),
          isTransposed = words.number("transposed", 0),
          isLeft = words.number("left", 0), outer = words.number("outer", 1),
          loops = words.number("loops", 1), step = words.number("step", 1),
          outerColumns = words.number("outer_columns", 1);
  ContractionProblem p;
  p.row = {m, k * step, 0, outerColumns * n};
  p.column = {n, 0, isTransposed ? k : 1, 1};
  int64_t inB = isTransposed ? 1 : outerColumns * n;
  if (loops == 1)
    p.sums = {{k, step, inB, 0}};
  if (loops == 2)
    p.sums = {{k / 2, 2 * step, 2 * inB, 0}, {2, step, inB, 0}};
  if (outer > 1)
    p.outerRows = {{outer, m * k * step, 0, m * outerColumns * n}};
  if (outerColumns > 1)
    p.outerColumns = {{outerColumns, 0, isTransposed ? n * k : n, n}};
  if (isLeft) {
    p.row.a = 1;
    p.sums = {{k, m, inB, 0}};
  }
  p.elementBits = words.number("bits", 32);
  p.isFloat = words.number("float", 1) != 0;
  p.isPairs = words.number("pairs", 0) != 0;
  p.isMatrix = words.number("matrix", 0) != 0;
  p.isZero = words.number("zero", 1) != 0;
  p.isWhole = words.number("whole", 1) != 0;
  p.group = words.number("group", 1);
  p.hasEpilogue = words.number("epilogue", 0) != 0;
  p.hasPrologue = words.number("prologue", 0) != 0;
  p.hasRowsPrologue = words.number("prologue_a", 0) != 0;
  p.isEpilogueFar = p.isFar = words.number("far", 0) != 0;
  return p;
}

CellProblem cellsOf(StringRef text) {
  Words words(text);
  CellProblem p;
  llvm::SmallVector<StringRef> extents;
  words.text("extents").split(extents, ',');
  for (StringRef extent : extents)
    p.extents.push_back(std::stoll(extent.str()));
  p.products = words.number("products", 0);
  p.rowBytes = words.number("row", 0);
  p.sharedBytes = words.number("shared", 0);
  p.localBytes = words.number("local", 0);
  p.operations = double(words.number("operations", 0));
  p.columns = words.number("columns", 0);
  p.block = words.number("block", 0);
  p.canRepeatRows = words.number("repeat", 0) != 0;
  return p;
}

/// Buffers are bytes:bytes of a row that are neighbors.
RowProblem rowsOf(StringRef text) {
  Words words(text);
  RowProblem p;
  p.extent = words.number("extent", 0);
  p.members = words.number("members", 0);
  p.operations = double(words.number("operations", 0));
  llvm::SmallVector<StringRef> buffers;
  words.text("buffers").split(buffers, ',', -1, /*KeepEmpty=*/false);
  for (StringRef buffer : buffers) {
    auto [bytes, piece] = buffer.split(':');
    p.buffers.push_back({std::stoll(bytes.str()), std::stoll(piece.str())});
  }
  return p;
}

int64_t cacheBytesOf(const Device &device) {
  Machine machine;
  machine.device = device;
  return machine.ownCacheBytes();
}

std::optional<RowSchedule> chooseRows(const RowProblem &problem,
                                      const Device &device) {
  Machine machine;
  machine.device = device;
  return RowSchedule::choose(problem, machine.firstCacheBytes(),
                             machine.ownCacheBytes());
}

std::string textOf(const std::optional<CellSchedule> &s) {
  return s ? s->text() : "none";
}
std::string textOf(const std::optional<RowSchedule> &s) {
  return s ? s->text() : "none";
}

/// What multiplies the factors of a product, on the first CPU that is such a device.
std::string unitOf(StringRef text, const Device &device) {
  Words words(text);
  Machine machine = *Machine::named(device.cpus.empty() ? StringRef(device.name)
                                                        : device.cpus.front());
  machine.preciseMath = words.number("precise", 0) != 0;
  MatrixProblem p = MatrixProblem::of(words.text("type"), machine);
  p.rows = words.number("rows", 0);
  p.columns = words.number("columns", 0);
  p.terms = words.number("terms", 0);
  p.isInTile = words.number("cells", 0) != 0;
  std::string why = p.whyNot();
  return p.pays() ? "matrix" : why.empty() ? "vector" : "vector: " + why;
}

/// What a row says of a problem.
std::string chosen(StringRef kind, StringRef problem, const Device &device) {
  if (kind == "products")
    return ContractionSchedule::choose(productOf(problem), device.vectorBytes(),
                                       cacheBytesOf(device))
        .text();
  if (kind == "products in tiles")
    return ContractionSchedule::ofTile(productOf(problem), device.vectorBytes())
        .text();
  if (kind == "matrix unit")
    return unitOf(problem, device);
  if (kind == "cells")
    return textOf(CellSchedule::choose(cellsOf(problem), cacheBytesOf(device)));
  EXPECT_EQ(kind, "rows");
  return textOf(chooseRows(rowsOf(problem), device));
}

/// Why a schedule cannot be; empty if it can.
std::string refused(StringRef kind, StringRef problem, StringRef text) {
  auto reason = [&](auto parsed, auto check) {
    return parsed ? check(*parsed) : llvm::toString(parsed.takeError());
  };
  if (kind.starts_with("products"))
    return reason(
        ContractionSchedule::parse(text), [&](const ContractionSchedule &s) {
          ContractionProblem p = productOf(problem);
          return kind.contains("in tiles") ? s.checkInTile(p) : s.check(p);
        });
  if (kind.starts_with("cells"))
    return reason(CellSchedule::parse(text), [&](const CellSchedule &s) {
      return s.check(cellsOf(problem));
    });
  return reason(RowSchedule::parse(text),
                [&](const RowSchedule &s) { return s.check(rowsOf(problem)); });
}

TEST(ScheduleTable, Rows) {
  auto file = llvm::MemoryBuffer::getFile(sourceFolder() +
                                          "/tests/targets/cpu/schedules.table");
  ASSERT_TRUE(bool(file));
  std::string kind;
  int choices = 0, refusals = 0, number = 0;
  llvm::SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    ++number;
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    if (line.consume_front("[")) {
      kind = line.drop_back().str();
      continue;
    }
    auto [problem, rest] = line.split(" | ");
    auto [given, want] = rest.split(" => ");
    if (StringRef(kind).ends_with("refused")) {
      EXPECT_TRUE(want.consume_front("refused: ")) << "line " << number;
      std::string why = refused(kind, problem, given);
      EXPECT_TRUE(!why.empty() && StringRef(why).contains(want))
          << "line " << number << ": " << line.str() << ": " << why;
      ++refusals;
      continue;
    }
    if (StringRef(kind).ends_with("possible")) {
      EXPECT_EQ(want, "possible") << "line " << number;
      EXPECT_EQ(refused(kind, problem, given), "") << "line " << number;
      continue;
    }
    llvm::Expected<Device> device = findDevice(given);
    ASSERT_TRUE(bool(device)) << "line " << number;
    std::string text = chosen(kind, problem, *device);
    EXPECT_EQ(text, want.str()) << "line " << number << ": " << line.str();
    if (text != "none" && kind != "matrix unit")
      EXPECT_EQ(refused(kind, problem, text), "") << "line " << number;
    ++choices;
  }
  EXPECT_GE(choices, 20);
  EXPECT_GE(refusals, 20);
}

int64_t drawExtent(std::mt19937_64 &random) {
  return 1 + int64_t(random() % (uint64_t(1) << (random() % 12)));
}

TEST(ScheduleTable, CellsObeyTheLaws) {
  std::printf("seed %llu\n", (unsigned long long)testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < cases(20'000); ++i) {
    CellProblem p;
    for (uint64_t count = 1 + random() % 3; count > 0; --count)
      p.extents.push_back(drawExtent(random));
    p.products = 1 + int64_t(random() % 3);
    p.rowBytes = drawExtent(random) * 16;
    p.sharedBytes = drawExtent(random) * 1024;
    p.localBytes = drawExtent(random) * 65536;
    p.operations = double(random() % 1'000'000'000);
    p.canRepeatRows = random() % 2 == 0;
    if (random() % 2) {
      p.columns = drawExtent(random);
      p.block = std::min<int64_t>(p.columns, 128);
    }
    const Device &device = knownDevices()[random() % knownDevices().size()];
    std::optional<CellSchedule> best =
        CellSchedule::choose(p, cacheBytesOf(device));
    CellSchedule drawn = CellSchedule::drawn(p, random);
    ASSERT_EQ(drawn.check(p), "") << drawn.text();
    ASSERT_EQ(drawn.block, p.block);
    auto read = CellSchedule::parse(drawn.text());
    ASSERT_TRUE(bool(read));
    ASSERT_TRUE(*read == drawn) << drawn.text();
    if (!best)
      continue;
    ASSERT_EQ(best->check(p), "") << best->text();
    ASSERT_EQ(best->block, p.block);
  }
}

TEST(ScheduleTable, RowsObeyTheLaws) {
  std::printf("seed %llu\n", (unsigned long long)testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < cases(20'000); ++i) {
    RowProblem p;
    p.extent = drawExtent(random);
    p.members = 1 + int64_t(random() % 4);
    p.operations = double(random() % 1'000'000'000);
    for (uint64_t count = random() % 4; count > 0; --count) {
      int64_t piece = drawExtent(random) * 4;
      p.buffers.push_back({piece * p.extent, piece});
    }
    const Device &device = knownDevices()[random() % knownDevices().size()];
    RowSchedule drawn = RowSchedule::drawn(p, random);
    ASSERT_EQ(drawn.check(p), "") << drawn.text();
    std::optional<RowSchedule> best = chooseRows(p, device);
    if (!best)
      continue;
    ASSERT_EQ(best->check(p), "") << best->text();
    auto read = RowSchedule::parse(best->text());
    ASSERT_TRUE(bool(read));
    ASSERT_TRUE(*read == *best) << best->text();
  }
}

} // namespace
