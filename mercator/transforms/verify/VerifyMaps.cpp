// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/verify/VerifyMaps.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/transforms/verify/CompareReads.h"
#include "mercator/transforms/verify/InlineDispatches.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <set>

using namespace mlir;
using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::verify;

llvm::raw_ostream &verify::operator<<(llvm::raw_ostream &os,
                                      const MapCounts &counts) {
  os << counts.proved << " proved";
  if (counts.dropped)
    os << " (" << counts.dropped << " read less)";
  os << ", " << counts.notRefuted << " not refuted, " << counts.refuted
     << " refuted";
  int64_t others = 0;
  std::string reasons;
  for (const auto &[reason, count] : counts.notCompared) {
    others += count;
    reasons +=
        (reasons.empty() ? "" : "; ") + std::to_string(count) + " " + reason;
  }
  os << ", " << others << " not compared";
  if (others)
    os << " (" << reasons << ")";
  return os;
}

namespace {

/// A function at some time.
struct Known {
  std::shared_ptr<Arena> arena;
  OperationFingerPrint print;
  /// The number of changes of any function until then, which a call may enter.
  uint64_t changes;
  FunctionReads reads;
};

class MapVerifier : public PassInstrumentation {
public:
  explicit MapVerifier(MapCounts &counts) : counts(counts) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isAdaptor(pass))
      return;
    Pending &pending = running.emplace_back();
    forEachFunction(op, [&](func::FuncOp function) {
      pending[nameOf(function)] = latest(function);
    });
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (isAdaptor(pass) || running.empty())
      return;
    Pending pending = std::move(running.back());
    running.pop_back();
    SmallVector<func::FuncOp> changed;
    forEachFunction(op, [&](func::FuncOp function) {
      auto it = pending.find(nameOf(function));
      if (it != pending.end() &&
          it->second->print != OperationFingerPrint(function))
        changed.push_back(function);
    });
    if (changed.empty())
      return;
    ++changes;
    // A function that calls a changed one reads other elements too, but by the
    // other one's mistake.
    for (func::FuncOp function : changed)
      compare(pass, function, *pending[nameOf(function)]);
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (!isAdaptor(pass) && !running.empty())
      running.pop_back();
  }

private:
  using Pending = std::map<std::string, std::shared_ptr<const Known>>;

  /// The passes that run others on nested operations.
  static bool isAdaptor(Pass *pass) {
    return pass->getName().contains("OpToOpPassAdaptor");
  }

  static void forEachFunction(Operation *op,
                              function_ref<void(func::FuncOp)> f) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      return f(function);
    if (auto module = dyn_cast<ModuleOp>(op))
      for (Operation &inner : *module.getBody())
        if (isa<func::FuncOp, ModuleOp>(inner))
          forEachFunction(&inner, f);
  }

  /// With the names of the modules around.
  static std::string nameOf(func::FuncOp function) {
    std::string name = function.getName().str();
    for (Operation *op = function->getParentOp(); op; op = op->getParentOp())
      if (auto symbol =
              op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        name = (symbol.getValue() + "::" + name).str();
    return name;
  }

  /// The reads of a function as it is now.
  std::shared_ptr<const Known> latest(func::FuncOp function,
                                      std::shared_ptr<Arena> arena = nullptr) {
    std::shared_ptr<const Known> &place = known[nameOf(function)];
    OperationFingerPrint print(function);
    if (place && place->print == print && place->changes == changes &&
        (!arena || place->arena == arena))
      return place;
    // Maps of earlier times fill an arena.
    constexpr uint32_t kFull = 1 << 20;
    if (!arena)
      arena = place && place->arena->size() < kFull ? place->arena
                                                    : std::make_shared<Arena>();
    place = std::make_shared<Known>(
        Known{arena, print, changes, readsThroughDispatches(function, *arena)});
    return place;
  }

  void compare(Pass *pass, func::FuncOp function, const Known &before) {
    std::shared_ptr<const Known> after = latest(function, before.arena);
    const FunctionReads &a = before.reads, &b = after->reads;
    auto ranks = [](const std::vector<FunctionReads::Sizes> &list) {
      SmallVector<size_t> ranks;
      for (const FunctionReads::Sizes &sizes : list)
        ranks.push_back(sizes.size());
      return ranks;
    };
    std::string why = a.refusal.empty() ? b.refusal : a.refusal;
    if (why.empty() && (ranks(a.arguments) != ranks(b.arguments) ||
                        ranks(a.results) != ranks(b.results)))
      why = "its parameters or results are others";
    if (!why.empty()) {
      counts.notCompared[why] += std::max<int64_t>(1, a.results.size());
      return;
    }
    for (size_t r = 0; r < a.results.size(); ++r) {
      std::set<unsigned> arguments;
      for (const auto *reads : {&a.reads[r], &b.reads[r]})
        for (const auto &[argument, maps] : *reads)
          arguments.insert(argument);
      for (unsigned k : arguments)
        comparePair(pass, function, a, b, r, k);
    }
  }

  static FunctionReads::Sizes smaller(const FunctionReads::Sizes &a,
                                      const FunctionReads::Sizes &b) {
    FunctionReads::Sizes out;
    for (auto [x, y] : llvm::zip_equal(a, b))
      out.push_back(std::min(x, y));
    return out;
  }

  void comparePair(Pass *pass, func::FuncOp function, const FunctionReads &a,
                   const FunctionReads &b, size_t result, unsigned argument) {
    static const MapSet nothing;
    auto of = [&](const FunctionReads &reads) -> const MapSet & {
      auto it = reads.reads[result].find(argument);
      return it == reads.reads[result].end() ? nothing : it->second;
    };
    ReadVerdict verdict = compareReads(
        of(a), of(b), smaller(a.results[result], b.results[result]),
        smaller(a.arguments[argument], b.arguments[argument]));
    bool isUnknown = a.hasState || b.hasState || a.isSize(result, argument) ||
                     b.isSize(result, argument);
    if (verdict.kind == ReadVerdict::Refuted && isUnknown)
      verdict.kind = ReadVerdict::NotRefuted;
    switch (verdict.kind) {
    case ReadVerdict::Proved:
      ++counts.proved;
      counts.dropped += verdict.drops;
      return;
    case ReadVerdict::NotRefuted:
      ++counts.notRefuted;
      return;
    case ReadVerdict::Refuted:
      break;
    }
    constexpr int64_t kMostErrors = 8;
    if (++counts.refuted <= kMostErrors)
      report(pass, function, of(a), of(b), result, argument,
             *verdict.counterexample);
  }

  static std::string list(ArrayRef<int64_t> numbers) {
    std::string out = "(";
    for (auto [i, x] : llvm::enumerate(numbers))
      out += (i ? ", " : "") + std::to_string(x);
    return out + ")";
  }

  static void report(Pass *pass, func::FuncOp function, const MapSet &before,
                     const MapSet &after, size_t result, unsigned argument,
                     const ReadCounterexample &c) {
    StringRef name =
        pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    InFlightDiagnostic error = emitError(function.getLoc());
    error << "after pass '" << name << "', result " << result << " of @"
          << function.getName() << " at " << list(c.at)
          << (c.isAdded ? " reads element " : " no longer reads element ")
          << list(c.element) << " of argument " << argument
          << (c.isAdded ? ", which it did not read before"
                        : ", but reads others");
    for (auto [i, runtime] : llvm::enumerate(c.runtimes))
      error << (i ? ", and " : ", where ") << runtime.first << " is "
            << runtime.second;
    for (auto [when, maps] :
         {std::pair<StringRef, const MapSet &>{"before: ", before},
          {"after: ", after}}) {
      std::string text;
      for (const OperandMap &m : maps)
        text += (text.empty() ? "" : "\n  and ") + toString(m.map) +
                (m.exact ? "" : ", not exact: " + m.reason);
      error.attachNote() << when << (text.empty() ? "nothing" : text);
    }
  }

  MapCounts &counts;
  std::vector<Pending> running; ///< a pass may run others
  std::map<std::string, std::shared_ptr<const Known>> known;
  uint64_t changes = 0;
};

} // namespace

std::unique_ptr<PassInstrumentation>
verify::createMapVerifier(MapCounts &counts) {
  return std::make_unique<MapVerifier>(counts);
}
