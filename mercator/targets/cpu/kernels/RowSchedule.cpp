// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/ScheduleText.h"

using namespace mercator;
using namespace mercator::cpu;

int64_t RowProblem::bytes() const {
  int64_t bytes = 0;
  for (const Buffer &buffer : buffers)
    bytes += buffer.bytes;
  return bytes;
}

static int64_t rowsOfPart(const RowProblem &p, int64_t parts) {
  return (p.extent + parts - 1) / parts;
}

std::optional<RowSchedule> RowSchedule::choose(const RowProblem &p,
                                               int64_t firstCacheBytes,
                                               int64_t ownCacheBytes) {
  int64_t most = partsFor(p.operations);
  RowSchedule s;
  s.parts = evenParts(p.extent, most);
  if (p.extent < std::min<int64_t>(8, most))
    return std::nullopt;
  if (p.members == 1)
    return s;
  int64_t rowBytes = (1 + p.bytes() + p.extent - 1) / p.extent;
  // The rows of a block are long pieces of the buffers that are not in the cache
  // anyway. Of a buffer whose last dimension is the row, a block would be a few
  // elements here and there.
  int64_t first = firstCacheBytes / 2, larger = ownCacheBytes / 4;
  auto isLong = [&](const RowProblem::Buffer &buffer) {
    constexpr int64_t kLong = 1024;
    return s.rows * buffer.pieceBytes >= kLong || buffer.bytes <= larger;
  };
  for (int64_t cache : {first, larger}) {
    s.rows = evenParts(rowsOfPart(p, s.parts),
                       std::max<int64_t>(1, cache / rowBytes));
    if (llvm::all_of(p.buffers, isLong))
      return s;
  }
  return std::nullopt;
}

RowSchedule RowSchedule::drawn(const RowProblem &p, std::mt19937_64 &random) {
  // Whatever comes: `check` says what is possible.
  constexpr int kTries = 16;
  RowSchedule s;
  for (int i = 0; i < kTries; ++i) {
    uint64_t most = random() % 2 == 0 ? 8 : 70;
    s.rows = p.members > 1 ? int64_t(random() % most) : 0;
    s.parts = int64_t(random() % most);
    if (s.check(p).empty())
      return s;
  }
  s.rows = p.members > 1 ? 1 : 0;
  s.parts = 1;
  return s;
}

std::string RowSchedule::check(const RowProblem &p) const {
  constexpr int64_t kMostParts = 64;
  if (parts < 1 || parts > std::min(kMostParts, p.extent))
    return "there are at least 1 and at most 64 parts, and at most one for each of "
           "the " +
           std::to_string(p.extent) + " rows";
  if (p.members == 1 && rows != 0)
    return "an operation alone has parts, and no blocks of rows";
  if (p.members > 1 && (rows < 1 || rows > rowsOfPart(p, parts)))
    return "a block has at least 1 row and at most the " +
           std::to_string(rowsOfPart(p, parts)) + " of a part";
  return "";
}

std::string RowSchedule::text() const {
  return (rows == 0 ? "" : "rows=" + std::to_string(rows) + " ") +
         "parts=" + std::to_string(parts);
}

llvm::Expected<RowSchedule> RowSchedule::parse(llvm::StringRef text) {
  RowSchedule s;
  if (llvm::Error error =
          readNumbers(text, {{"rows", &s.rows}, {"parts", &s.parts}}))
    return error;
  return s;
}
