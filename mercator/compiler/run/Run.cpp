// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Run.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/program/Callee.h"
#include "mercator/compiler/program/Filling.h"
#include "mercator/compiler/program/Folding.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/run/Compare.h"
#include "mercator/compiler/run/Grid.h"
#include "mercator/compiler/run/Printed.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/ascend/Graph.h"
#include "mercator/reference/core/Perturbation.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/reference/linalg/Globals.h"
#include "mercator/support/Suggest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;
using mlir::func::FuncOp;

static size_t countTensors(mlir::TypeRange types) {
  size_t count = 0;
  for (mlir::Type type : types)
    if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
      count += countTensors(tuple.getTypes());
    else
      count += llvm::isa<mlir::ShapedType>(type);
  return count;
}

/// The number of tensors that one process returns.
static size_t countTensors(const Callee &callee) {
  if (auto function = llvm::dyn_cast<FuncOp>(callee.op))
    return countTensors(function.getResultTypes());
  auto graph = llvm::cast<ascend::GraphOp>(callee.op);
  return graph.getBody().front().getTerminator()->getNumOperands();
}

using Results = std::vector<std::vector<Value>>;

static llvm::FailureOr<Results> evaluate(const Callee &callee,
                                         Evaluator &evaluator,
                                         ProcessGrid &processes,
                                         Results inputs) {
  if (auto function = llvm::dyn_cast<FuncOp>(callee.op)) {
    std::vector<ProcessGrid::Invocation> programs;
    for (std::vector<Value> &values : inputs)
      programs.push_back({function, std::move(values)});
    return processes.run(evaluator, programs);
  }
  // Graphs do not communicate.
  Results results;
  for (const std::vector<Value> &values : inputs) {
    llvm::FailureOr<std::vector<Value>> own =
        callGraph(evaluator, llvm::cast<ascend::GraphOp>(callee.op), values);
    if (failed(own))
      return llvm::failure();
    results.push_back(std::move(*own));
  }
  return results;
}

/// Why an evaluation failed.
static ExitCode codeOf(const Evaluator &evaluator) {
  return evaluator.isUnsupported() || evaluator.isOverLimit()
             ? ExitCode::Undecided
             : ExitCode::InputRejected;
}

static llvm::LogicalResult checkProcesses(const RunOptions &options,
                                          DiagnosticEngine &diagnostics) {
  for (auto [name, count] : {std::pair("replicas", options.replicas),
                             std::pair("partitions", options.partitions)})
    if (count < 1 || count > kMaxProcesses)
      return diagnostics.error({}, llvm::Twine("expected `--") + name +
                                       "` from 1 to " +
                                       llvm::Twine(kMaxProcesses) + ", got " +
                                       quote(std::to_string(count)));
  int64_t processes = options.replicas * options.partitions;
  if (processes > kMaxProcesses)
    return diagnostics.error({},
                             "expected at most " + llvm::Twine(kMaxProcesses) +
                                 " processes, got " + llvm::Twine(processes));
  return llvm::success();
}

ExitCode mercator::codeOfInputs(llvm::ArrayRef<mlir::Type> parameters) {
  bool isOverLimit = llvm::any_of(parameters, [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && Tensor::isTooLarge(tensor);
  });
  return isOverLimit ? ExitCode::Undecided : ExitCode::InputRejected;
}

Answer<size_t> Compilation::countParameters(const RunOptions &options) {
  OneModule module;
  Answer<Callee> callee =
      findCallee(*program, options.function, module, diagnostics);
  if (!callee)
    return callee.getFailure();
  return size_t(llvm::count_if(callee->parameters, [](mlir::Type type) {
    return !llvm::isa<stablehlo::TokenType>(type);
  }));
}

Answer<size_t> Compilation::countResults(const RunOptions &options) {
  if (failed(checkProcesses(options, diagnostics)))
    return ExitCode::WrongUsage;
  OneModule module;
  Answer<Callee> callee =
      findCallee(*program, options.function, module, diagnostics);
  if (!callee)
    return callee.getFailure();
  Answer<stablehlo::ProcessCounts> grid =
      processGridOf(module.module, options, diagnostics);
  if (!grid)
    return grid.getFailure();
  return countTensors(*callee) * size_t(grid->size());
}

/// Lowers a function with its module. None after an error; otherwise the
/// function takes `inputs`.
static std::optional<FuncOp> lower(mlir::ModuleOp module, StringRef name,
                                   const RunOptions &options, Results &inputs) {
  auto function = module.lookupSymbol<FuncOp>(name);
  if (!function) {
    mlir::emitError(module.getLoc()) << "expected a program to lower, got @"
                                     << name << ", a graph for Ascend";
    return std::nullopt;
  }
  function.setPublic();
  llvm::SmallVector<mlir::Type> types(function.getArgumentTypes());
  if (failed(lowerTo(module, options.through, options.lowering)))
    return std::nullopt;
  auto lowered = module.lookupSymbol<FuncOp>(name);
  for (std::vector<Value> &values : inputs) {
    auto own = lowered ? toStage(values, types, lowered.getArgumentTypes())
                       : std::nullopt;
    if (!own) {
      mlir::emitError(module.getLoc())
          << "expected @" << name << " to keep its parameters when it is "
          << "lowered";
      return std::nullopt;
    }
    values = std::move(*own);
  }
  return lowered;
}

Answer<RunResults> Compilation::run(const RunOptions &options) {
  if (failed(checkProcesses(options, diagnostics)))
    return ExitCode::WrongUsage;
  OneModule given;
  Answer<Callee> callee =
      findCallee(*program, options.function, given, diagnostics);
  if (!callee)
    return callee.getFailure();
  std::string function = callee->name().str();
  mlir::OwningOpRef<mlir::ModuleOp> module = given.module.clone();
  callee->op = mlir::SymbolTable::lookupSymbolIn(*module, function);
  auto handler = forward();
  if (!program->isAir)
    nameNodes(*module);
  if (!options.print.empty() &&
      failed(returnValues(*program, {*module, given.name}, function,
                          options.print, diagnostics)))
    return ExitCode::InputRejected;

  Answer<stablehlo::ProcessCounts> grid =
      processGridOf(*module, options, diagnostics);
  if (!grid)
    return grid.getFailure();
  ProcessGrid processes(grid->replicas, grid->partitions);
  auto plan = planInputs(*callee, options.arrays, options.inputs,
                         processes.size(), diagnostics);
  if (!plan)
    return ExitCode::InputRejected;
  llvm::SmallVector<mlir::Type> parameters = callee->parameters;
  if (options.through == Stage::Cpu) {
    RunOptions native = options;
    native.lowering.grid = *grid;
    Answer<RunResults> results =
        runNative(native, *module, function, parameters, std::move(*plan));
    if (!results)
      return results;
    results->module = given.name;
    results->partitions = grid->partitions;
    return results;
  }
  auto inputs = std::move(*plan).make(parameters, callee->op->getLoc());
  if (!inputs)
    return codeOfInputs(parameters);
  Filling filling(*module, options.fillSeed);
  llvm::SmallVector<mlir::Type> sourceResults;
  bool isLowered = options.through != Stage::Source;
  if (isLowered) {
    if (auto source = llvm::dyn_cast<FuncOp>(callee->op))
      llvm::append_range(sourceResults, source.getResultTypes());
    if (failed(filling.write()))
      return ExitCode::Undecided;
    auto lowered = lower(*module, function, options, *inputs);
    if (!lowered)
      return ExitCode::InputRejected;
    callee->op = *lowered;
  } else if (failed(spellInStablehlo(*module))) {
    return ExitCode::Undecided;
  }
  Evaluator evaluator(*module, allRules());
  evaluator.setFill(
      [&](mlir::Operation *op, mlir::RankedTensorType type,
          EmitError emitError) { return filling.draw(op, type, emitError); });
  evaluator.setShow([&](StringRef name, const Tensor &tensor) {
    if (options.show)
      options.show(name, tensor);
  });
  if (failed(initializeGlobals(evaluator)))
    return codeOf(evaluator);
  std::optional<Perturbation> perturbation;
  if (options.perturbation)
    perturbation.emplace(*options.perturbation);
  llvm::FailureOr<Results> results =
      evaluate(*callee, evaluator, processes, std::move(*inputs));
  double largest = perturbation ? perturbation->largest() : 0;
  perturbation.reset();
  if (failed(results)) {
    if (filling.isMissing) {
      if (program->isHlo)
        diagnostics.note(
            {}, "`as_hlo_text(print_large_constants=True)` writes them");
      diagnostics.help("--fill-elided=random:1");
    }
    return codeOf(evaluator);
  }
  for (std::vector<Value> &values : *results) {
    if (!isLowered)
      break;
    auto own = fromStage(values, sourceResults);
    if (!own) {
      (void)diagnostics.error({},
                              "expected @" + llvm::Twine(function) +
                                  " to keep its results when it is lowered");
      return ExitCode::InputRejected;
    }
    values = std::move(*own);
  }
  return RunResults{.module = given.name,
                    .function = std::move(function),
                    .partitions = grid->partitions,
                    .values = std::move(*results),
                    .checks = evaluator.getChecks(),
                    .printed = options.print,
                    .largest = largest};
}

std::optional<Variants> Compilation::evaluateVariants(RunOptions options,
                                                      RunResults reference) {
  options.through = Stage::Source;
  options.show = {};
  Variants variants;
  variants.reference = std::move(reference);
  bool flushes = !options.native.preciseMath;
  if (flushes) {
    options.perturbation = {.flushes = true};
    Answer<RunResults> flushed = run(options);
    if (!flushed)
      return std::nullopt;
    variants.flushed = std::move(*flushed);
  }
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    options.perturbation = {.seed = seed, .flushes = flushes};
    Answer<RunResults> perturbed = run(options);
    if (!perturbed)
      return std::nullopt;
    variants.perturbed.push_back(std::move(*perturbed));
  }
  return variants;
}
