// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/native/Tune.h"
#include "mercator/compiler/program/CacheKey.h"
#include "mercator/compiler/program/Callee.h"
#include "mercator/compiler/program/Filling.h"
#include "mercator/compiler/run/NativeFunction.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Check.h"
#include "mercator/runtime/Run.h"
#include "mercator/runtime/Trace.h"
#include "mercator/runtime/processes/Processes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace mercator;
using namespace mercator::reference;
using mlir::func::FuncOp;

void mercator::addTo(CacheKey &key, const RunOptions &options) {
  // Inputs are arguments of the code. The processes are options of the lowering, and
  // the rest says how often it runs and where it is kept.
  const auto &[function, inputs, arrays, replicas, partitions, processes, mpi,
               fillSeed, through, lowering, repeat, threads, native, explains,
               tunes, cache, keepsCode, perturbation, print, onPhase, show] =
      options;
  key.add(function).add(fillSeed).add(int64_t(through));
  addTo(key, lowering);
  addTo(key, native);
  key.addList(print);
  key.add(int64_t(tunes));
}

/// Whether the program reads or writes at indices that it computes. Those of
/// tensor.extract may be out of bounds; those of StableHLO are clamped.
static bool hasOwnIndices(mlir::ModuleOp module) {
  using namespace mlir::tensor;
  return module
      .walk([](mlir::Operation *op) {
        return llvm::isa<ExtractOp, InsertOp, ExtractSliceOp, InsertSliceOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Lowers the function and compiles it. With `tuning`, schedules are measured. Fails
/// after an error, with its code.
static Answer<NativeCode> make(mlir::ModuleOp module,
                               const std::string &function,
                               const RunOptions &options, RunResults &results,
                               Filling &filling, const TuningRun *tuning) {
  Phases &phases = results.phases;
  auto source = module.lookupSymbol<FuncOp>(function);
  if (!source) {
    mlir::emitError(module.getLoc()) << "expected a program to compile, got @"
                                     << function << ", a graph for Ascend";
    return ExitCode::InputRejected;
  }
  source.setPublic();
  if (failed(filling.write()))
    return ExitCode::Undecided;
  filling.trackElided();
  phases.begin("lower");
  if (failed(lowerTo(module, options.through, options.lowering)))
    return ExitCode::InputRejected;
  auto elements = [&](mlir::ElementsAttr constant) {
    auto written = filling.written(constant);
    return constantOfCode(written ? written->elements : constant, [&] {
      return mlir::emitError(written ? written->at : module.getLoc());
    });
  };
  if (tuning) {
    auto tuned =
        tune(module, function, options.native, *tuning, &phases, elements);
    if (failed(tuned))
      return filling.isMissing ? ExitCode::InputRejected : ExitCode::Undecided;
    results.tuned = std::move(tuned->dispatches);
    return std::move(tuned->code);
  }
  auto code =
      makeNativeCode(module, function, options.native, &phases, elements);
  if (failed(code))
    return filling.isMissing ? ExitCode::InputRejected : ExitCode::Undecided;
  return std::move(*code);
}

/// Machine code in this process.
struct mercator::LinkedProgram {
  std::vector<std::string> words; ///< what it was made from, without the text
  NativeProgram native;
  std::string cpu; ///< as LLVM calls it
};

Answer<std::shared_ptr<LinkedProgram>>
Compilation::linkNative(const RunOptions &options, mlir::ModuleOp module,
                        const std::string &function, RunResults &results,
                        const TuningRun *tuning) {
  CompileCache cache(options.cache);
  CacheKey words;
  words.add(function);
  addTo(words, options);
  if (tuning)
    words.add(tuning->threads);
  if (options.keepsCode) {
    if (linked && words.getWords() == llvm::ArrayRef(linked->words)) {
      results.isCached = true;
      return linked;
    }
    linked.reset();
  }
  std::string key;
  std::optional<NativeCode> code;
  if (cache.isOn()) {
    results.phases.begin("cache");
    CacheKey withText;
    withText.add(source.getText()).addList(words.getWords());
    key = CompileCache::keyOf(withText.getWords());
    code = cache.load(key);
  }
  results.isCached = code.has_value();
  if (!code) {
    Filling filling(module, options.fillSeed);
    Answer<NativeCode> made =
        make(module, function, options, results, filling, tuning);
    if (!made) {
      if (filling.isMissing && program->isHlo)
        diagnostics.note(
            {}, "`as_hlo_text(print_large_constants=True)` writes them");
      // The evaluator needs what the text leaves out, too.
      if (filling.hasElided && !options.fillSeed)
        diagnostics.help("--fill-elided=random:1");
      else if (made.getFailure() == ExitCode::Undecided)
        diagnostics.help("mercator run --reference " + program->file);
      return made.getFailure();
    }
    code = std::move(*made);
    if (cache.isOn()) {
      results.phases.begin("cache");
      if (llvm::Error error = cache.store(key, *code)) {
        diagnostics.note({}, "the machine code is not kept: " +
                                 llvm::toString(std::move(error)));
        diagnostics.help("--cache=off");
      }
    }
  }
  results.phases.begin("link");
  auto native = NativeProgram::link(std::move(*code), module.getContext(), [&] {
    return mlir::emitError(module.getLoc());
  });
  results.phases.end();
  if (failed(native))
    return ExitCode::Undecided;
  auto made = std::make_shared<LinkedProgram>(LinkedProgram{
      words.getWords().vec(), std::move(*native), cpu::Machine::host().cpu});
  if (options.keepsCode)
    linked = made;
  return made;
}

/// Adds the time of each dispatch in one run.
static void addTimes(llvm::ArrayRef<TraceEvent> events,
                     std::vector<std::vector<double>> &times,
                     std::vector<DispatchTime> &dispatches) {
  dispatches.assign(times.size(), {});
  std::vector<double> own(times.size(), 0);
  for (const TraceEvent &event : events)
    if (event.thread == 0 && size_t(event.dispatch) < own.size()) {
      own[event.dispatch] += double(event.end - event.begin);
      ++dispatches[event.dispatch].calls;
    }
  for (auto [all, time] : llvm::zip(times, own))
    all.push_back(time);
}

static void finishTimes(llvm::ArrayRef<cpu::TracedDispatch> traced,
                        std::vector<std::vector<double>> &times,
                        std::vector<DispatchTime> &dispatches) {
  for (auto [dispatch, all, time] : llvm::zip(traced, times, dispatches)) {
    llvm::sort(all);
    time.name = dispatch.name;
    time.predicted = dispatch.predicted;
    time.least = all.front();
    time.median = all[all.size() / 2];
  }
}

//===----------------------------------------------------------------------===//
// Several processes
//===----------------------------------------------------------------------===//

/// Processes of one machine share its processors, unless the launcher has given each
/// its own or the user says otherwise.
static int64_t threadsOf(const RunOptions &options) {
  int64_t own = mercator_get_threads();
  if (options.threads > 0)
    return options.threads;
  if (!options.mpi || std::getenv("MERCATOR_THREADS") ||
      own < int64_t(std::thread::hardware_concurrency()))
    return own;
  return std::max<int64_t>(own / options.mpi->local(), 1);
}

static void addWord(std::string &bytes, int64_t word) {
  bytes.append(reinterpret_cast<const char *>(&word), sizeof(word));
}

/// The results of all processes, at process 0; nothing at the others. None after an
/// error. `type` is that of the function at flow.
static std::optional<std::vector<std::vector<Value>>>
collectResults(std::vector<Value> own, Processes *mpi, mlir::FunctionType type,
               EmitError emitError) {
  if (!mpi)
    return std::vector<std::vector<Value>>{std::move(own)};
  std::string bytes;
  for (const Value &value : own)
    if (const Tensor *tensor = value.tensor()) {
      addWord(bytes, tensor->rank());
      for (int64_t extent : tensor->shape())
        addWord(bytes, extent);
      bytes.append(reinterpret_cast<const char *>(tensor->data()),
                   size_t(tensor->byteSize()));
    }
  std::vector<std::string> texts = mpi->collect(bytes, /*isTimed=*/true);
  std::vector<std::vector<Value>> all;
  for (const std::string &text : texts) {
    const char *at = text.data();
    auto next = [&] {
      int64_t word;
      std::memcpy(&word, at, sizeof(word));
      at += sizeof(word);
      return word;
    };
    std::vector<Value> &values = all.emplace_back();
    for (mlir::Type result : type.getResults()) {
      auto tensorType = llvm::dyn_cast<mlir::RankedTensorType>(result);
      if (!tensorType)
        continue; // an extent of the tensor before it
      auto rank = size_t(next());
      llvm::SmallVector<int64_t> shape(rank);
      for (int64_t &extent : shape)
        extent = next();
      auto made = Tensor::zeros(
          mlir::RankedTensorType::get(shape, tensorType.getElementType()),
          emitError);
      if (failed(made))
        return std::nullopt;
      std::memcpy(made->data(), at, size_t(made->byteSize()));
      at += made->byteSize();
      values.emplace_back(std::move(*made));
    }
  }
  return all;
}

Answer<RunResults> Compilation::runNative(const RunOptions &options,
                                          mlir::ModuleOp module,
                                          const std::string &function,
                                          llvm::ArrayRef<mlir::Type> parameters,
                                          PlannedInputs plan) {
  auto emitError = [&] { return mlir::emitError(module.getLoc()); };
  Processes *mpi = options.mpi;
  size_t size = mpi ? size_t(mpi->size()) : 1;
  if (plan.values.size() != size) {
    emitError()
        << "expected as many processes of MPI as the program is run with, "
        << plan.values.size() << ", got " << size;
    diagnostics.help("mercator run --processes=" +
                     llvm::Twine(plan.values.size()) + " " + program->file);
    return ExitCode::Undecided;
  }
  setOwnIndices(hasOwnIndices(module));
  mlir::FunctionType types;
  if (auto source = module.lookupSymbol<FuncOp>(function))
    types = source.getFunctionType();
  RunResults results;
  results.function = function;
  results.printed = options.print;
  results.phases.onBegin = options.onPhase;
  results.threads = threadsOf(options);
  // The arguments at flow, made once.
  std::optional<std::vector<Value>> arguments;
  bool hasInputs = true;
  auto argumentsOf =
      [&](mlir::FunctionType atFlow) -> llvm::FailureOr<std::vector<Value>> {
    if (arguments)
      return *arguments;
    if (mpi)
      plan.keepOnly(size_t(mpi->rank()));
    auto inputs = std::move(plan).make(parameters, module.getLoc());
    hasInputs = bool(inputs);
    if (!hasInputs)
      return llvm::failure();
    arguments = toStage(inputs->front(), types.getInputs(), atFlow.getInputs());
    if (!arguments)
      return emitError() << "expected @" << function
                         << " to keep its parameters when it is lowered";
    return *arguments;
  };
  TuningRun tuning{.threads = results.threads, .arguments = argumentsOf};
  // Process 0 leaves its code in the cache for the others of this machine.
  bool waits = mpi && mpi->rank() != 0 && !options.cache.empty();
  if (waits)
    (void)mpi->broadcast({});
  Answer<std::shared_ptr<LinkedProgram>> code = linkNative(
      options, module, function, results, options.tunes ? &tuning : nullptr);
  if (mpi && mpi->rank() == 0 && !options.cache.empty())
    (void)mpi->broadcast({});
  auto begin = [&] {
    if (!hasInputs)
      return codeOfInputs(parameters);
    if (!code)
      return code.getFailure();
    if (succeeded(argumentsOf((*code)->native.type())))
      return ExitCode::Done;
    return hasInputs ? ExitCode::InputRejected : codeOfInputs(parameters);
  };
  ExitCode begun = begin();
  if (mpi)
    begun = ExitCode(mpi->agree(int32_t(begun)));
  if (begun != ExitCode::Done)
    return begun;
  NativeProgram *native = &(*code)->native;
  native->setProcesses(mpi);
  results.cpu = (*code)->cpu;
  std::vector<Value> values;
  std::vector<std::vector<double>> times(native->dispatches().size());
  std::optional<Trace> trace; ///< of the last run
  if (options.onPhase)
    options.onPhase("run");
  for (int64_t i = 0; i < options.repeat; ++i) {
    if (options.native.isTraced)
      trace.emplace();
    Run run({.threads = results.threads, .trace = trace ? &*trace : nullptr});
    mercator_seed(0); // as the evaluator begins
    auto made = native->call(*arguments, emitError, std::move(values));
    if (failed(made)) {
      if (!native->hasRejected())
        return ExitCode::Undecided;
      diagnostics.help("--reference");
      return ExitCode::InputRejected;
    }
    values = std::move(*made);
    results.seconds.push_back(native->seconds());
    if (options.explains)
      addTimes(trace->getEvents(), times, results.dispatches);
  }
  if (trace) {
    std::vector<TraceName> names;
    for (const cpu::TracedDispatch &dispatch : native->dispatches())
      names.push_back({dispatch.name, dispatch.bytes, dispatch.flops});
    results.trace = printTrace(trace->getEvents(), names);
  }
  if (options.explains)
    finishTimes(native->dispatches(), times, results.dispatches);
  auto all = collectResults(std::move(values), mpi, native->type(), emitError);
  if (!all)
    return ExitCode::Undecided;
  for (std::vector<Value> &each : *all) {
    auto own = fromStage(each, types.getResults());
    if (!own) {
      emitError() << "expected @" << function << " to keep its results";
      return ExitCode::InputRejected;
    }
    results.values.push_back(std::move(*own));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// None if a type is no tensor of known shape; tokens are left out.
static std::optional<std::vector<TensorType>>
tensorTypesOf(llvm::ArrayRef<mlir::Type> types) {
  std::vector<TensorType> tensors;
  for (mlir::Type type : types) {
    if (llvm::isa<stablehlo::TokenType>(type))
      continue;
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return std::nullopt;
    TensorType made;
    llvm::raw_string_ostream(made.element) << tensor.getElementType();
    made.shape = tensor.getShape().vec();
    tensors.push_back(std::move(made));
  }
  return tensors;
}

Answer<NativeFunction> Compilation::makeFunction(const RunOptions &asked) {
  RunOptions options = asked;
  if (!options.lowering.grid)
    options.lowering.grid.emplace(); // one process
  OneModule given;
  Answer<Callee> callee =
      findCallee(*program, options.function, given, diagnostics);
  if (!callee)
    return callee.getFailure();
  std::string function = callee->name().str();
  mlir::OwningOpRef<mlir::ModuleOp> module = given.module.clone();
  auto handler = forward();
  auto source = module->lookupSymbol<FuncOp>(function);
  if (!source) {
    mlir::emitError(module->getLoc()) << "expected a function @" << function;
    return ExitCode::InputRejected;
  }
  auto parameters = tensorTypesOf(source.getArgumentTypes());
  auto results = tensorTypesOf(source.getResultTypes());
  if (!parameters || !results) {
    source.emitError(
        "expected parameters and results that are tensors of known "
        "shape");
    return ExitCode::InputRejected;
  }
  std::vector<bool> donated;
  for (unsigned i = 0; i < source.getNumArguments(); ++i)
    if (!llvm::isa<stablehlo::TokenType>(source.getArgumentTypes()[i]))
      donated.push_back(source.getArgAttr(i, "tf.aliasing_output") ||
                        source.getArgAttr(i, "jax.buffer_donor"));
  setOwnIndices(hasOwnIndices(*module));
  RunResults ignored;
  Answer<std::shared_ptr<LinkedProgram>> code =
      linkNative(options, *module, function, ignored, /*tuning=*/nullptr);
  if (!code)
    return code.getFailure();
  NativeFunction made({*code, &(*code)->native}, given.module.getLoc());
  made.parameterTypes = std::move(*parameters);
  made.resultTypes = std::move(*results);
  made.donated = std::move(donated);
  made.forward = [this] { return forward(); };
  return made;
}

llvm::LogicalResult NativeFunction::call(const mercator_tensor *inputs,
                                         mercator_tensor *results) {
  int32_t status = program->run(inputs, results);
  if (status == mercator_ok)
    return llvm::success();
  auto handler = forward();
  return program->check(status, [&] { return mlir::emitError(location); });
}
