// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Candidates.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/CellSchedule.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/Divisions.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/Pipeline.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/Schedules.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

static SmallVector<linalg::LinalgOp> operationsOf(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> operations;
  function.walk([&](linalg::LinalgOp op) { operations.push_back(op); });
  return operations;
}

ScheduleCandidate cpu::scheduleOf(func::FuncOp function) {
  ScheduleCandidate own;
  for (auto [number, op] : llvm::enumerate(operationsOf(function)))
    for (StringRef name : {kSchedule, kCells, kGroup, kProducts, kRows})
      own.changes.push_back({unsigned(number), name, op->getAttr(name)});
  return own;
}

void cpu::applySchedule(func::FuncOp function,
                        const ScheduleCandidate &candidate) {
  SmallVector<linalg::LinalgOp> operations = operationsOf(function);
  for (const auto &[number, name, value] : candidate.changes)
    if (value)
      operations[number]->setAttr(name, value);
    else
      operations[number]->removeAttr(name);
}

//===----------------------------------------------------------------------===//
// Other schedules
//===----------------------------------------------------------------------===//

static constexpr int64_t kParts[] = {1, 8, 16, 32, 64};

/// Of a product: other tiles of registers, of about the same size; or the same tile, and
/// another choice beside it.
static std::vector<ContractionSchedule>
othersOf(const ContractionSchedule &best, int64_t vectorBytes) {
  using Form = ContractionSchedule::Form;
  constexpr int64_t kRegisters = 28, kFewRegisters = 12, kMostDots = 24,
                    kMostRows = 14, kMostVectors = 6, kWide = 64;
  std::vector<ContractionSchedule> others;
  bool isDots = best.form == Form::Dots;
  int64_t most = isDots                 ? kMostDots
                 : vectorBytes >= kWide ? kRegisters
                                        : kFewRegisters;
  int64_t least = std::min(most, best.rows * best.vectors) / 2;
  auto addTile = [&](int64_t rows, int64_t vectors) {
    ContractionSchedule other = best;
    other.rows = rows;
    other.vectors = vectors;
    others.push_back(other);
  };
  bool isMatrix = best.unit == ContractionSchedule::Unit::Matrix;
  for (int64_t vectors = 1; vectors <= kMostVectors; ++vectors)
    for (int64_t rows = 1; rows <= kMostRows; ++rows)
      if (isMatrix && rows * vectors < kTileRegisters)
        addTile(rows * kTileRows, vectors);
      else if (!isMatrix && rows * vectors <= most && rows * vectors >= least)
        addTile(rows, vectors);
  auto with = [&](auto change) {
    ContractionSchedule other = best;
    change(other);
    others.push_back(other);
  };
  for (int64_t parts : kParts)
    if (best.parts != 1)
      with([&](auto &s) { s.parts = parts; });
  if (best.form != Form::Tiles)
    return others;
  with([](auto &s) { s.packsColumns = !s.packsColumns; });
  with([](auto &s) { s.copies = !s.copies; });
  with([](auto &s) { s.fetchesAhead = !s.fetchesAhead; });
  with([](auto &s) { s.overlaps = !s.overlaps; });
  with([](auto &s) { s.prefetches = !s.prefetches; });
  with([](auto &s) { s.epilogue = !s.epilogue; });
  for (int64_t chunk : {0, 1, 4, 16})
    with([&](auto &s) {
      s.packsRows = chunk != 0;
      s.chunk = chunk;
    });
  for (int64_t terms : {0, 256, 512, 1024, 2048})
    with([&](auto &s) { s.terms = terms; });
  return others;
}

static std::vector<CellSchedule> othersOf(const CellSchedule &best) {
  std::vector<CellSchedule> others;
  auto add = [&](int64_t rows, int64_t parts) {
    others.push_back({rows, best.block, parts, best.overlaps});
  };
  for (int64_t rows : {8, 16, 24, 32, 48, 64, 96, 128, 192, 256})
    add(rows, best.parts);
  for (int64_t parts : kParts) {
    add(best.rows, parts);
    for (int64_t rows : {32, 64, 128})
      add(rows, parts);
  }
  CellSchedule other = best;
  other.overlaps = !best.overlaps;
  others.push_back(other);
  return others;
}

static std::vector<RowSchedule> othersOf(const RowSchedule &best) {
  std::vector<RowSchedule> others;
  for (int64_t parts : kParts)
    others.push_back({best.rows, parts});
  if (best.rows != 0)
    for (int64_t rows : {1, 2, 4, 8, 16, 32, 64, 128})
      for (int64_t parts : {best.parts, int64_t(16), int64_t(64)})
        others.push_back({rows, parts});
  return others;
}

namespace {
/// The schedules of a function that differ in one decision.
class Others {
public:
  Others(func::FuncOp function, int64_t vectorBytes)
      : operations(operationsOf(function)), vectorBytes(vectorBytes) {}

  std::vector<ScheduleCandidate> find() {
    for (unsigned i = 0; i < operations.size(); ++i) {
      addProducts(i);
      addCells(i);
      addRows(i);
    }
    return std::move(found);
  }

private:
  [[nodiscard]] StringRef textOf(unsigned number, StringRef name) {
    auto text = operations[number]->getAttrOfType<StringAttr>(name);
    return text ? text.getValue() : "";
  }

  void add(unsigned number, StringRef name, StringRef head, StringRef from,
           const std::string &to, std::vector<ScheduleChange> more = {}) {
    if (from == to)
      return;
    auto text = StringAttr::get(operations[number]->getContext(), head + to);
    more.push_back({number, name, text});
    found.push_back({std::move(more), 0, from.str(), to});
  }

  void addProducts(unsigned number) {
    StringRef text = textOf(number, kSchedule);
    auto best = ContractionSchedule::parse(text);
    if (!best)
      return llvm::consumeError(best.takeError());
    if (!text.empty())
      for (const ContractionSchedule &other : othersOf(*best, vectorBytes))
        add(number, kSchedule, "", text, other.text());
  }

  /// The first operation says the tiles. Their products are scheduled anew.
  void addCells(unsigned number) {
    auto [group, text] = textOf(number, kGroup).split(' ');
    auto best = CellSchedule::parse(text);
    if (!best)
      return llvm::consumeError(best.takeError());
    if (text.empty())
      return;
    std::vector<ScheduleChange> without;
    for (unsigned i = 0; i < operations.size(); ++i)
      if (textOf(i, kGroup).split(' ').first == group &&
          operations[i]->hasAttr(kProducts))
        without.push_back({i, kProducts, {}});
    for (const CellSchedule &other : othersOf(*best))
      add(number, kGroup, (group + " ").str(), text, other.text(), without);
  }

  void addRows(unsigned number) {
    auto [group, words] = textOf(number, kRows).split(' ');
    auto [loop, text] = words.split(' ');
    auto best = RowSchedule::parse(text);
    if (!best)
      return llvm::consumeError(best.takeError());
    if (!text.empty())
      for (const RowSchedule &other : othersOf(*best))
        add(number, kRows, (group + " " + loop + " ").str(), text,
            other.text());
  }

  SmallVector<linalg::LinalgOp> operations;
  int64_t vectorBytes;
  std::vector<ScheduleCandidate> found;
};

//===----------------------------------------------------------------------===//
// Their times
//===----------------------------------------------------------------------===//

/// Kernels of functions with other schedules, and their predicted times.
class Estimates {
public:
  Estimates(ModuleOp module, const Machine &machine, double programBytes)
      : copy(module.clone()), machine(machine),
        options{.threads = machine.device.cores, .programBytes = programBytes} {
    guardDivisions(*copy);
  }

  /// None if the schedule is not possible, or the time not known.
  std::optional<double> of(func::FuncOp function,
                           const ScheduleCandidate &candidate) {
    ScopedDiagnosticHandler silent(copy->getContext(),
                                   [](Diagnostic &) { return success(); });
    func::FuncOp own = sourceOf(function).clone();
    own.setName("candidate");
    own.setPrivate();
    copy->push_back(own);
    applySchedule(own, candidate);
    std::optional<double> ns;
    FailureOr<Kernel> kernel = makeKernel(own, machine);
    if (succeeded(kernel))
      if (auto time = timeOfOwn(kernel->function, machine.device, options))
        ns = time->total();
    own.erase();
    return ns;
  }

private:
  /// The function of the copy.
  func::FuncOp sourceOf(func::FuncOp function) {
    auto executable = function->getParentOfType<flow::ExecutableOp>();
    return copy->lookupSymbol<flow::ExecutableOp>(executable.getName())
        .getInnerModule()
        .lookupSymbol<func::FuncOp>(function.getName());
  }

  OwningOpRef<ModuleOp> copy;
  const Machine &machine;
  TimeOptions options;
};
} // namespace

/// The candidates of one dispatch, the best predicted first after the schedule that is
/// chosen.
static std::vector<ScheduleCandidate>
bestOf(func::FuncOp function, Estimates &estimates, const Machine &machine,
       double leastNanoseconds, size_t most) {
  std::optional<double> own = estimates.of(function, {});
  if (!own || *own < leastNanoseconds)
    return {};
  std::vector<ScheduleCandidate> possible;
  std::set<std::pair<std::string, std::string>> seen;
  for (ScheduleCandidate &other :
       Others(function, machine.vectorBytes()).find()) {
    if (!seen.insert({other.from, other.to}).second)
      continue;
    if (std::optional<double> ns = estimates.of(function, other)) {
      other.predicted = *ns;
      possible.push_back(std::move(other));
    }
  }
  llvm::sort(possible, [](const auto &a, const auto &b) {
    return std::tie(a.predicted, a.to) < std::tie(b.predicted, b.to);
  });
  if (possible.size() + 1 > most)
    possible.resize(most - 1);
  possible.insert(possible.begin(), ScheduleCandidate{{}, *own, "", ""});
  return possible;
}

FailureOr<std::vector<DispatchCandidates>>
cpu::candidatesOf(ModuleOp module, StringRef function, const Machine &machine,
                  double leastNanoseconds, size_t most) {
  loadDialects(*module.getContext());
  if (failed(writeSchedules(module, machine)))
    return failure();
  OwningOpRef<ModuleOp> lowered = module.clone();
  FailureOr<HostProgram> host = lowerHost(*lowered, function, machine);
  if (failed(host))
    return failure();
  Estimates estimates(module, machine,
                      bytesOf(module, function) + double(host->arenaBytes));
  std::vector<DispatchCandidates> all;
  for (auto [number, dispatched] : llvm::enumerate(
           dispatchedBy(module, module.lookupSymbol<func::FuncOp>(function)))) {
    func::FuncOp own = dispatched.second;
    auto candidates = bestOf(own, estimates, machine, leastNanoseconds, most);
    if (candidates.size() > 1)
      all.push_back({kernelName(number, own), own, std::move(candidates)});
  }
  return all;
}
