// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dialect `interpreter`: requests of a test program to its evaluator.

#include "mercator/dialects/interpreter/Interpreter.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::interpreter;

namespace mercator::reference {

static LogicalResult evaluateRunParallel(RunParallelOp op, Step &step) {
  if (step.evaluator.getGrid())
    return step.error() << "expected no grid of processes within a process";
  int64_t replicas = op.getPrograms().size(),
          partitions = cast<ArrayAttr>(op.getPrograms()[0]).size();
  if (replicas > kMaxProcesses || partitions > kMaxProcesses / replicas)
    return step.unsupported("there are more than " + Twine(kMaxProcesses) +
                            " processes");
  auto function = [&](FlatSymbolRefAttr name) {
    return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name);
  };
  std::vector<ProcessGrid::Invocation> programs;
  const Value *next = step.operands.begin();
  for (auto row : op.getPrograms().getAsRange<ArrayAttr>())
    for (auto name : row.getAsRange<FlatSymbolRefAttr>()) {
      func::FuncOp callee = function(name);
      const Value *end = next + callee.getNumArguments();
      programs.push_back({callee, std::vector<Value>(next, end)});
      next = end;
    }
  ProcessGrid grid(replicas, partitions);
  if (op.getInfeed()) {
    std::vector<func::FuncOp> sources;
    for (auto name : op.getInfeed()->getAsRange<FlatSymbolRefAttr>())
      sources.push_back(function(name));
    grid.setInfeed(std::move(sources));
  }
  FailureOr<std::vector<std::vector<Value>>> results =
      grid.run(step.evaluator, programs);
  if (failed(results))
    return failure();
  Value *result = step.results.begin();
  for (std::vector<Value> &values : *results)
    result = std::move(values.begin(), values.end(), result);
  return success();
}

static void show(Step &step, StringRef name) {
  if (const Evaluator::Show &function = step.evaluator.getShow())
    function(name, step.tensor(0));
}

static LogicalResult evaluatePrint(PrintOp op, Step &step) {
  show(step, "");
  return success();
}

static LogicalResult evaluateProbe(ProbeOp op, Step &step) {
  show(step, op.getProbeId());
  step.results[0] = step.operands[0];
  return success();
}

void addInterpreterRules(EvaluationRules &rules) {
  rules.add<PrintOp, evaluatePrint>();
  rules.add<ProbeOp, evaluateProbe>();
  rules.add<RunParallelOp, evaluateRunParallel>();
}

} // namespace mercator::reference
