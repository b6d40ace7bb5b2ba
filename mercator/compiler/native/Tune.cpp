// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/native/Tune.h"

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"
#include "mercator/runtime/Trace.h"
#include "mercator/targets/cpu/Candidates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

using namespace mercator;
using mercator::cpu::DispatchCandidates;
using mlir::ModuleOp;
using Arguments = std::vector<reference::Value>;
/// By the symbols of kernels: the least time of all calls in one run.
using KernelTimes = std::map<std::string, double>;

namespace {
class Tuner {
public:
  Tuner(ModuleOp module, llvm::StringRef function, const NativeOptions &options,
        ElementsOfConstant elements, const Arguments &arguments,
        int64_t threads)
      : module(module), function(function), options(options),
        elements(elements), arguments(arguments), threads(threads) {
    this->options.isTraced = true;
    this->options.usesDonations = false; // the arguments are used again
  }

  /// The program with these candidates, ready to run; fails after an error.
  llvm::FailureOr<NativeProgram> make(llvm::ArrayRef<DispatchCandidates> all,
                                      llvm::ArrayRef<size_t> chosen) {
    mlir::OwningOpRef<ModuleOp> own = with(all, chosen);
    auto code =
        makeNativeCode(*own, function, options, /*phases=*/nullptr, elements);
    if (failed(code))
      return llvm::failure();
    return NativeProgram::link(std::move(*code), module.getContext(), [&] {
      return mlir::emitError(module.getLoc());
    });
  }

  /// A copy of the module with these candidates.
  mlir::OwningOpRef<ModuleOp> with(llvm::ArrayRef<DispatchCandidates> all,
                                   llvm::ArrayRef<size_t> chosen) {
    // What is not measured keeps the schedule that it has.
    for (auto [dispatch, number] : llvm::zip_equal(all, chosen))
      cpu::applySchedule(dispatch.function, dispatch.candidates[number]);
    mlir::OwningOpRef<ModuleOp> own = module.clone();
    for (const DispatchCandidates &dispatch : all)
      restore(dispatch);
    return own;
  }

  /// Runs once, and notes what is less than before. Fails after an error.
  llvm::LogicalResult run(NativeProgram &program, KernelTimes &least) {
    Trace trace;
    Run run({.threads = threads, .trace = &trace});
    mercator_seed(0);
    auto results = program.call(
        arguments, [&] { return mlir::emitError(module.getLoc()); });
    if (failed(results))
      return llvm::failure();
    KernelTimes own;
    for (const TraceEvent &event : trace.getEvents())
      if (event.thread == 0 &&
          size_t(event.dispatch) < program.dispatches().size())
        own[program.dispatches()[size_t(event.dispatch)].kernel] +=
            double(event.end - event.begin);
    for (const auto &[kernel, time] : own) {
      auto [known, isNew] = least.try_emplace(kernel, time);
      known->second = std::min(known->second, time);
    }
    return llvm::success();
  }

  /// Keeps what the functions say.
  void remember(llvm::ArrayRef<DispatchCandidates> all) {
    for (const DispatchCandidates &dispatch : all)
      kept[dispatch.kernel] = cpu::scheduleOf(dispatch.function);
  }

private:
  void restore(const DispatchCandidates &dispatch) {
    cpu::applySchedule(dispatch.function, kept.at(dispatch.kernel));
  }

  ModuleOp module;
  llvm::StringRef function;
  NativeOptions options;
  ElementsOfConstant elements;
  const Arguments &arguments;
  int64_t threads;
  std::map<std::string, cpu::ScheduleCandidate> kept;
};
} // namespace

/// What a user calls the operations of a kernel.
static std::string nameOf(const NativeProgram &program,
                          const std::string &kernel) {
  for (const cpu::TracedDispatch &dispatch : program.dispatches())
    if (dispatch.kernel == kernel)
      return dispatch.name;
  return kernel;
}

llvm::FailureOr<Tuned> mercator::tune(ModuleOp module, llvm::StringRef function,
                                      const NativeOptions &options,
                                      const TuningRun &run, Phases *phases,
                                      ElementsOfConstant elements) {
  constexpr double kExpensive = 50'000; // nanoseconds
  constexpr size_t kMost = 10;
  // A run of a program that takes long is not repeated often.
  constexpr int kLeastRuns = 3, kMostRuns = 30, kTurns = 10;
  constexpr double kSeconds = 0.05;
  Phases unused;
  (phases ? *phases : unused).begin("tune");
  auto source = module.lookupSymbol<mlir::func::FuncOp>(function);
  llvm::FailureOr<cpu::Machine> machine =
      machineOf(options, [&] { return mlir::emitError(module.getLoc()); });
  if (failed(machine))
    return llvm::failure();
  llvm::FailureOr<Arguments> arguments =
      run.arguments(source.getFunctionType());
  if (failed(arguments))
    return llvm::failure();
  auto all = cpu::candidatesOf(module, function, *machine, kExpensive, kMost);
  if (failed(all))
    return llvm::failure();
  Tuner tuner(module, function, options, elements, *arguments, run.threads);
  tuner.remember(*all);

  std::vector<size_t> winners(all->size(), 0);
  std::vector<double> least(all->size(), HUGE_VAL);
  for (size_t k = 0; k < kMost && !all->empty(); ++k) {
    std::vector<size_t> chosen;
    bool isNew = k == 0;
    for (const DispatchCandidates &dispatch : *all) {
      isNew |= k < dispatch.candidates.size();
      chosen.push_back(k < dispatch.candidates.size() ? k : 0);
    }
    if (!isNew)
      break;
    auto program = tuner.make(*all, chosen);
    if (failed(program))
      return llvm::failure();
    KernelTimes times;
    double total = 0;
    for (int i = 0; i < kMostRuns && (i < kLeastRuns || total < kSeconds);
         ++i) {
      if (failed(tuner.run(*program, times)))
        return llvm::failure();
      total += program->seconds();
    }
    for (auto [i, dispatch] : llvm::enumerate(*all))
      if (auto time = times.find(dispatch.kernel);
          time != times.end() && time->second < least[i]) {
        least[i] = time->second;
        winners[i] = chosen[i];
      }
  }

  // The winners and what is chosen, in turn.
  std::vector<TunedDispatch> dispatches;
  if (!all->empty()) {
    auto first = tuner.make(*all, std::vector<size_t>(all->size(), 0));
    auto second = tuner.make(*all, winners);
    if (failed(first) || failed(second))
      return llvm::failure();
    KernelTimes ofChosen, ofWinners;
    double total = 0;
    for (int i = 0; i < kTurns && (i < kLeastRuns || total < 1); ++i) {
      if (failed(tuner.run(*first, ofChosen)) ||
          failed(tuner.run(*second, ofWinners)))
        return llvm::failure();
      total += first->seconds() + second->seconds();
    }
    for (auto [i, dispatch] : llvm::enumerate(*all)) {
      // A dispatch that did not run, such as one of a branch.
      if (!ofChosen.count(dispatch.kernel) ||
          !ofWinners.count(dispatch.kernel)) {
        winners[i] = 0;
        continue;
      }
      TunedDispatch made{.name = nameOf(*first, dispatch.kernel),
                         .candidates = int64_t(dispatch.candidates.size()),
                         .chosen = ofChosen[dispatch.kernel],
                         .best = ofWinners[dispatch.kernel]};
      if (made.best >= made.chosen || winners[i] == 0) {
        winners[i] = 0;
        made.best = made.chosen;
      }
      made.from = dispatch.candidates[winners[i]].from;
      made.to = dispatch.candidates[winners[i]].to;
      dispatches.push_back(std::move(made));
    }
  }
  mlir::OwningOpRef<ModuleOp> best = tuner.with(*all, winners);
  auto code = makeNativeCode(*best, function, options, phases, elements);
  if (failed(code))
    return llvm::failure();
  return Tuned{std::move(*code), std::move(dispatches)};
}
