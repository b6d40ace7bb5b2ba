// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator run FILE`: the results of a program on concrete tensors.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/support/Suggest.h"
#include "mercator/tools/driver/AscendProgram.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Program.h"
#include "mercator/tools/driver/RunInputs.h"
#include "mercator/tools/driver/RunResults.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;
using mlir::func::FuncOp;

/// What a program can be asked to run; nothing for other operations.
static std::optional<Callee> calleeOf(mlir::Operation *op) {
  Callee callee{op};
  if (auto function = llvm::dyn_cast<FuncOp>(op)) {
    if (function.isExternal())
      return std::nullopt;
    llvm::append_range(callee.parameters, function.getArgumentTypes());
  } else if (auto graph = llvm::dyn_cast<ascend::GraphOp>(op)) {
    for (ascend::DataOp data : ascend::inputsOf(graph))
      callee.parameters.push_back(data.getType());
  } else {
    return std::nullopt;
  }
  return callee;
}

/// The function or graph that was asked for; else the entry, else the only one.
static std::optional<Callee> findCallee(Program &program, StringRef name,
                                        DiagnosticEngine &diagnostics) {
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<Callee> callees;
  for (mlir::Operation &op : program.module->getOps()) {
    std::optional<Callee> callee = calleeOf(&op);
    if (!callee)
      continue;
    bool isFirst =
        llvm::isa<FuncOp>(op) ? isEntry(&op) : callee->name() == "main";
    if (name.empty() ? isFirst : callee->name() == name)
      return callee;
    names.push_back(callee->name());
    callees.push_back(*callee);
  }
  if (name.empty() && callees.size() == 1)
    return callees.front();
  std::string all = llvm::join(names, ", ");
  (void)diagnostics.error(
      {}, name.empty()
              ? "expected a function called main, or `--function`, "
                "got functions " +
                    all
              : "expected a function of the program, got " + quote(name));
  if (auto nearest = suggest(name, names))
    diagnostics.help("did you mean `--function=" + *nearest + "`?");
  else if (!name.empty() && !names.empty())
    diagnostics.help("--function=" + names.front());
  return std::nullopt;
}

static size_t countTensors(mlir::TypeRange types) {
  size_t count = 0;
  for (mlir::Type type : types)
    if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
      count += countTensors(tuple.getTypes());
    else
      count += llvm::isa<mlir::ShapedType>(type);
  return count;
}

/// How many tensors one process gives.
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
    std::vector<ProcessGrid::Program> programs;
    for (std::vector<Value> &values : inputs)
      programs.push_back({function, std::move(values)});
    return processes.run(evaluator, programs);
  }
  // Graphs have nothing to say to one another.
  Results results;
  for (const std::vector<Value> &values : inputs) {
    llvm::FailureOr<std::vector<Value>> own =
        evaluator.call(llvm::cast<ascend::GraphOp>(callee.op), values);
    if (failed(own))
      return llvm::failure();
    results.push_back(std::move(*own));
  }
  return results;
}

namespace {
struct Grid {
  int64_t replicas = 1, partitions = 1;
};
} // namespace

static std::optional<Grid> readGrid(Invocation &invocation) {
  Grid grid;
  for (auto [name, count] : {std::pair("replicas", &grid.replicas),
                             std::pair("partitions", &grid.partitions)})
    if (invocation.has(name) &&
        (invocation.get(name).getAsInteger(10, *count) || *count < 1 ||
         *count > kMaxProcesses)) {
      (void)invocation.getDiagnostics().error(
          {}, llvm::Twine("expected `--") + name + "` from 1 to " +
                  llvm::Twine(kMaxProcesses) + ", got " +
                  quote(invocation.get(name)));
      return std::nullopt;
    }
  if (grid.replicas * grid.partitions <= kMaxProcesses)
    return grid;
  (void)invocation.getDiagnostics().error(
      {}, "expected at most " + llvm::Twine(kMaxProcesses) +
              " processes, got " +
              llvm::Twine(grid.replicas * grid.partitions));
  return std::nullopt;
}

static ExitCode run(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  if (!invocation.has("reference")) {
    (void)diagnostics.error({}, "expected `--reference`: programs cannot be "
                                "compiled yet, only evaluated");
    diagnostics.help("mercator run --reference " + invocation.getOperand(0));
    return ExitCode::wrongUsage;
  }
  std::optional<uint64_t> seed;
  if (invocation.has("fill-elided")) {
    seed = parseSeed(invocation.get("fill-elided"));
    if (!seed) {
      (void)diagnostics.error({}, "expected `--fill-elided` to be "
                                  "random:NUMBER, got " +
                                      quote(invocation.get("fill-elided")));
      return ExitCode::wrongUsage;
    }
  }
  std::optional<Grid> grid = readGrid(invocation);
  if (!grid)
    return ExitCode::wrongUsage;
  std::optional<RunOutput> output = RunOutput::choose(invocation);
  if (!output)
    return ExitCode::wrongUsage;
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  std::unique_ptr<Program> program = loadAscendProgram(*source, diagnostics);
  if (!program)
    return ExitCode::inputRejected;
  StringRef function = invocation.get("function");
  if (failed(keepOneModule(*program, function, diagnostics)))
    return ExitCode::inputRejected;
  if (llvm::none_of(program->module->getOps(), [](mlir::Operation &op) {
        return calleeOf(&op).has_value();
      })) {
    (void)diagnostics.error({}, "expected a function with a body in " +
                                    quote(program->name) + ", got none");
    return ExitCode::inputRejected;
  }
  std::optional<Callee> callee = findCallee(*program, function, diagnostics);
  if (!callee)
    return ExitCode::wrongUsage;

  auto handler = forwardAscendDiagnostics(*program, *source, diagnostics);
  ProcessGrid processes(grid->replicas, grid->partitions);
  if (failed(output->expect(countTensors(*callee) * processes.size())))
    return ExitCode::wrongUsage;
  auto inputs = makeInputs(*callee, invocation.getAll("input"),
                           processes.size(), diagnostics);
  if (!inputs) {
    bool isOverLimit = llvm::any_of(callee->parameters, [](mlir::Type type) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      return tensor && tensor.hasStaticShape() && Tensor::isTooLarge(tensor);
    });
    return isOverLimit ? ExitCode::undecided : ExitCode::inputRejected;
  }
  Evaluator evaluator(*program->module);
  if (failed(spellInStablehlo(*program->module)))
    return ExitCode::undecided;
  bool elided = false;
  llvm::DenseMap<mlir::Operation *, uint64_t> streams;
  program->module->walk(
      [&](mlir::Operation *op) { streams.insert({op, streams.size() + 1}); });
  evaluator.setFill([&](mlir::Operation *op, mlir::RankedTensorType type,
                        EmitError emitError) -> llvm::FailureOr<Tensor> {
    if (seed)
      return randomTensor(type, *seed, streams.lookup(op), emitError);
    elided = true;
    emitError() << "expected the elements of this constant, which the text "
                   "leaves out";
    return llvm::failure();
  });
  evaluator.setShow([&](StringRef name, const Tensor &tensor) {
    output->show(name, tensor);
  });
  if (failed(evaluator.initialize()))
    return evaluator.isUnsupported() || evaluator.isOverLimit()
               ? ExitCode::undecided
               : ExitCode::inputRejected;
  llvm::FailureOr<Results> results =
      evaluate(*callee, evaluator, processes, std::move(*inputs));
  if (failed(results)) {
    if (elided) {
      if (program->isHlo)
        diagnostics.note(
            {}, "`as_hlo_text(print_large_constants=True)` writes them");
      diagnostics.help("--fill-elided=random:1");
    }
    return evaluator.isUnsupported() || evaluator.isOverLimit()
               ? ExitCode::undecided
               : ExitCode::inputRejected;
  }
  if (llvm::failed(
          output->write({program->name, callee->name(), grid->partitions,
                         std::move(*results), evaluator.getChecks()})))
    return ExitCode::inputRejected;
  return evaluator.getChecks().failed == 0 ? ExitCode::done
                                           : ExitCode::propertyFalse;
}

static constexpr Option options[] = {
    {.name = "reference",
     .help = "evaluate, slowly, as the StableHLO specification says"},
    {.name = "input",
     .value = "X",
     .help = "x.npy, 'dense<..> : tensor<..>' or random:SEED; one a "
             "parameter, in order"},
    {.name = "function",
     .value = "NAME",
     .help = "run this one, not the entry"},
    {.name = "replicas", .value = "N", .help = "the number of replicas to run"},
    {.name = "partitions", .value = "N", .help = "the number of partitions"},
    {.name = "fill-elided",
     .value = "random:SEED",
     .help = "draw the elements of constants that the text leaves out"},
    {.name = "o",
     .value = "FILE.npy",
     .help = "save the result; several results need a folder, FOLDER/"},
};
const Command mercator::runCommand = {
    .name = "run",
    .operands = "FILE",
    .summary = "evaluate a program on concrete tensors",
    .details =
        "Prints the results. A last `--input=random:SEED` also stands for all "
        "parameters\nthat follow. A failed check of a test program ends with "
        "code 3. An operation that\ncannot be evaluated, and a limit, end with "
        "code 4.\n",
    .options = options,
    .examples =
        "mercator run --reference examples/softmax.hlo --input=random:1\n"
        "mercator run --reference examples/reshape_chain.hlo "
        "--input=random:1 --json\n"
        "mercator run --reference examples/softmax.hlo --input=x.npy -o "
        "y.npy\n",
    .run = run};
