// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator run FILE`: the results of a program on concrete tensors.

#include "mercator/compiler/run/Run.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/run/Compare.h"
#include "mercator/compiler/run/Report.h"
#include "mercator/runtime/processes/Processes.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/Formation.h"
#include "mercator/tools/driver/Launch.h"
#include "mercator/tools/driver/PhaseText.h"
#include "mercator/tools/driver/RunOptions.h"
#include "mercator/tools/driver/StatusLine.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

namespace {
/// The kind of destination that `-o` names.
enum class Form { Stream, JsonFile, NpyFile, NpyFolder, NpzFile };
} // namespace

/// None after an error.
static std::optional<Form> chooseForm(Invocation &invocation) {
  StringRef path = invocation.get("o");
  if (path.empty() || path == "-")
    return Form::Stream;
  if (invocation.has("json"))
    return Form::JsonFile;
  if (path.ends_with("/") || llvm::sys::fs::is_directory(path))
    return Form::NpyFolder;
  if (path.ends_with(".npy"))
    return Form::NpyFile;
  if (path.ends_with(".npz"))
    return Form::NpzFile;
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  (void)diagnostics.error(
      {}, "expected a name that ends in .npy or .npz, or a folder, after "
          "`-o`, got " +
              quote(path));
  diagnostics.help("-o " + path + ".npy");
  return std::nullopt;
}

/// An .npy file holds one tensor.
static ExitCode refuseSeveral(Invocation &invocation, size_t results) {
  StringRef path = invocation.get("o");
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  (void)diagnostics.error({},
                          "expected an .npz file or a folder after `-o` for " +
                              llvm::Twine(results) + " results, got the file " +
                              quote(path, 400));
  diagnostics.help("-o " + path.drop_back(StringRef(".npy").size()) + ".npz");
  return ExitCode::WrongUsage;
}

static llvm::Error write(const RunResults &results, Form form,
                         Invocation &invocation) {
  llvm::raw_ostream &os = invocation.getOut();
  switch (form) {
  case Form::Stream:
    invocation.has("json") ? writeJson(results, os) : writeText(results, os);
    return llvm::Error::success();
  case Form::JsonFile:
    return writeFile(invocation.get("o"), [&](llvm::raw_ostream &file) {
      writeJson(results, file);
    });
  case Form::NpzFile:
    return saveNpz(results, invocation.get("o"), os);
  case Form::NpyFile:
  case Form::NpyFolder:
    break;
  }
  return saveNpy(results, invocation.get("o"), form == Form::NpyFolder, os);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static constexpr int64_t kMostThreads = 1024;

/// A number of at least 1; false after an error.
static bool parseCount(Invocation &invocation, StringRef option, int64_t most,
                       int64_t &count) {
  if (!invocation.has(option))
    return true;
  if (!invocation.get(option).getAsInteger(10, count) && count >= 1 &&
      count <= most)
    return true;
  (void)invocation.getDiagnostics().error(
      {}, "expected `--" + option + "` from 1 to " + llvm::Twine(most) +
              ", got " + quote(invocation.get(option)));
  return false;
}

/// None without the option, or after an error.
static std::optional<double> toleranceOf(Invocation &invocation,
                                         bool &isWrong) {
  double tolerance = 0;
  if (!invocation.has("rtol"))
    return std::nullopt;
  if (!invocation.get("rtol").getAsDouble(tolerance) && tolerance >= 0)
    return tolerance;
  (void)invocation.getDiagnostics().error(
      {},
      "expected a number after `--rtol`, got " + quote(invocation.get("rtol")));
  isWrong = true;
  return std::nullopt;
}

std::optional<std::optional<RandomElements>>
mercator::fillSeedOf(Invocation &invocation) {
  if (!invocation.has("fill-elided"))
    return std::optional<RandomElements>();
  StringRef word = invocation.get("fill-elided");
  if (std::optional<RandomElements> random = parseRandom(word))
    return random;
  (void)invocation.getDiagnostics().error(
      {}, "expected `--fill-elided` to be random:NUMBER or "
          "random:NUMBER:SCALE, got " +
              quote(word));
  return std::nullopt;
}

/// The environment variable that the runtime reads; false after an error.
static bool checkThreads(Invocation &invocation) {
  const char *text = std::getenv("MERCATOR_THREADS");
  int64_t count = 0;
  if (invocation.has("threads") || !text ||
      (!StringRef(text).getAsInteger(10, count) && count >= 1 &&
       count <= kMostThreads))
    return true;
  (void)invocation.getDiagnostics().error(
      {}, "expected the environment variable MERCATOR_THREADS from 1 to " +
              llvm::Twine(kMostThreads) + ", got " + quote(text));
  invocation.getDiagnostics().help("--threads=2");
  return false;
}

std::optional<RunOptions> mercator::runOptionsOf(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  RunOptions options{.function = invocation.get("function").str(),
                     .inputs = invocation.getAll("input").vec()};
  std::optional<std::optional<RandomElements>> fill = fillSeedOf(invocation);
  if (!fill)
    return std::nullopt;
  options.fillSeed = *fill;
  for (auto [name, count] : {std::pair("replicas", &options.replicas),
                             std::pair("partitions", &options.partitions)})
    if (invocation.has(name) && invocation.get(name).getAsInteger(10, *count)) {
      (void)diagnostics.error({}, llvm::Twine("expected a number after `--") +
                                      name + "`, got " +
                                      quote(invocation.get(name)));
      return std::nullopt;
    }
  if (invocation.has("through"))
    options.through =
        stageNamed(invocation.get("through")).value_or(Stage::Source);
  std::optional<Formation> formation = formationOf(invocation, /*runs=*/true);
  if (!formation)
    return std::nullopt;
  options.native.device = formation->device;
  options.lowering.formation = std::move(*formation);
  bool isNative = !invocation.has("reference") && !invocation.has("through");
  if (isNative)
    options.through = Stage::Cpu;
  options.native.preciseMath = invocation.get("math") == "precise";
  options.lowering.formation.keepSums = options.native.preciseMath;
  options.explains = invocation.has("explain");
  options.native.isTraced = invocation.has("trace") || options.explains;
  options.native.isChecked = invocation.has("sanitize");
  options.tunes = invocation.has("tune");
  std::optional<uint64_t> seed = scheduleSeedOf(invocation);
  if (!seed)
    return std::nullopt;
  options.native.scheduleSeed = *seed;
  options.print = invocation.getAll("print").vec();
  options.cache = invocation.has("cache") ? invocation.get("cache").str()
                                          : CompileCache::defaultFolder();
  if (options.cache == "off")
    options.cache.clear();
  for (StringRef name :
       {"check", "time", "explain", "tune", "repeat", "threads", "math",
        "trace", "sanitize", "schedule", "cache", "timing"})
    if (!isNative && invocation.has(name)) {
      (void)diagnostics.error({}, "expected machine code for `--" + name +
                                      "`, got the evaluator");
      return std::nullopt;
    }
  if (invocation.has("time"))
    options.repeat = 10;
  if (!parseCount(invocation, "processes", kMostProcesses, options.processes) ||
      !parseCount(invocation, "repeat", 1'000'000, options.repeat) ||
      !parseCount(invocation, "threads", kMostThreads, options.threads) ||
      (isNative && !checkThreads(invocation)))
    return std::nullopt;
  if (options.explains && !invocation.has("time")) {
    (void)diagnostics.error({},
                            "expected `--time` with `--explain`: it explains "
                            "how long the dispatches take");
    diagnostics.help("--time --explain");
    return std::nullopt;
  }
  if ((options.explains || options.tunes) && options.threads > 0) {
    // The estimate is for as many cores.
    llvm::Expected<Device> device = readDevice(options.native.device);
    if (device) {
      device->cores = options.threads;
      options.native.device = toJson(*device);
    } else {
      llvm::consumeError(device.takeError());
    }
  }
  // A program that reads JSON wants one object.
  if (!invocation.has("json"))
    options.show = [&](StringRef name, const reference::Tensor &tensor) {
      writeText(name.empty() ? "print" : ("probe " + name).str(), tensor,
                invocation.getOut());
    };
  return options;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static bool canBeVariants(llvm::ArrayRef<Difference> rows) {
  return llvm::any_of(rows, [](const Difference &row) {
    return !row.isEqual() && row.mismatch.empty();
  });
}

/// Says what a user can do where the comparison decides nothing.
static void explain(llvm::ArrayRef<Difference> rows, Invocation &invocation) {
  if (llvm::none_of(rows,
                    [](const Difference &row) { return row.isAmplified; }))
    return;
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  diagnostics.note({},
                   "with these inputs, the program amplifies rounding errors "
                   "to the size of its values");
  diagnostics.help("--input=random:1:0.1");
}

/// Compares with the reference evaluator. False after an error, with its code.
static Answer<RunReport::Compared>
check(const RunResults &results, RunOptions options, Compilation &compilation,
      std::optional<double> tolerance, Invocation &invocation) {
  options.through = Stage::Source;
  options.show = {};
  Answer<RunResults> reference = compilation.run(options);
  if (!reference)
    return reference.getFailure();
  RunReport::Compared compared{.with = "evaluator", .rows = {}};
  std::vector<ExpectedTensor> expected = expectedOf(*reference);
  compared.rows = compare(results, expected, tolerance);
  if (canBeVariants(compared.rows))
    if (auto variants =
            compilation.evaluateVariants(options, std::move(*reference)))
      compared.rows = compare(results, expected, tolerance, &*variants);
  explain(compared.rows, invocation);
  return compared;
}

/// Compares with files. The evaluator is asked only where they differ, and need not
/// be able to evaluate the program.
static Answer<RunReport::Compared> expect(const RunResults &results,
                                          RunOptions options,
                                          const SourceBuffer &source,
                                          std::optional<double> tolerance,
                                          Invocation &invocation) {
  auto expected = expectedOfFiles(results, invocation.getAll("expect"));
  if (!expected) {
    (void)invocation.getDiagnostics().error(
        {}, llvm::toString(expected.takeError()));
    return ExitCode::InputRejected;
  }
  RunReport::Compared compared{.with = "files", .rows = {}};
  compared.rows = compare(results, *expected, tolerance);
  if (!canBeVariants(compared.rows))
    return compared;
  DiagnosticEngine silent(llvm::nulls());
  auto compilation = Compilation::load(source, silent, {.air = true});
  options.through = Stage::Source;
  options.show = {};
  Answer<RunResults> reference =
      compilation ? compilation->run(options) : ExitCode::InputRejected;
  if (!reference)
    return compared;
  auto variants = compilation->evaluateVariants(options, std::move(*reference));
  if (variants)
    compared.rows = compare(results, *expected, tolerance, &*variants);
  explain(compared.rows, invocation);
  return compared;
}

/// Writes what `-o`, `--trace` and standard output get. False after an error.
static bool writeAll(const RunResults &results, Form form, bool isCompared,
                     Invocation &invocation) {
  llvm::Error error = llvm::Error::success();
  bool isReported = isCompared || invocation.has("time");
  if (form != Form::Stream ||
      (!isReported && (!invocation.has("timing") || invocation.has("json"))))
    error = write(results, form, invocation);
  if (!error && invocation.has("trace"))
    error = writeFile(invocation.get("trace"),
                      [&](llvm::raw_ostream &file) { file << results.trace; });
  if (!error)
    return true;
  (void)invocation.getDiagnostics().error({}, llvm::toString(std::move(error)));
  return false;
}

/// What `run` does in one process. `errors` are kept until the program runs.
static ExitCode runHere(Invocation &invocation,
                        std::optional<RunOptions> options, KeptErrors &errors) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  std::optional<Form> form = chooseForm(invocation);
  bool isWrong = false;
  std::optional<double> tolerance = toleranceOf(invocation, isWrong);
  if (!form || isWrong)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0, /*air=*/true);
  if (!compilation)
    return ExitCode::InputRejected;
  if (form == Form::NpyFile) {
    Answer<size_t> count = compilation->countResults(*options);
    if (!count)
      return count.getFailure();
    if (*count != 1)
      return refuseSeveral(invocation, *count);
  }
  if ((invocation.has("check") || invocation.has("time") || options->tunes) &&
      !invocation.has("input")) {
    Answer<size_t> count = compilation->countParameters(*options);
    if (!count)
      return count.getFailure();
    if (*count != 0) {
      options->inputs.push_back("random:1");
      diagnostics.note({}, "the inputs are `--input=random:1`");
    }
  }
  StatusLine status;
  options->onPhase = [&](const char *phase) {
    if (StringRef(phase) == "run")
      (void)errors.release();
    status.at(phase);
  };
  Answer<RunResults> results = compilation->run(*options);
  status.stop();
  if (!results)
    return results.getFailure();
  if (options->mpi && options->mpi->rank() != 0)
    return ExitCode::Done;
  bool isJson = invocation.has("json");
  if (!isJson)
    writeTuned(*results, llvm::errs());
  if (options->tunes && results->tuned.empty())
    diagnostics.note({},
                     "`--tune` measured nothing: the cache has the winners, "
                     "or no dispatch takes 50 us by the estimate");
  if (invocation.has("time") && !isJson)
    writeTimes(*results, llvm::errs());
  if (options->explains && !isJson)
    writeDispatches(*results, llvm::errs());
  if (invocation.has("timing"))
    writePhases(results->phases, llvm::errs());
  bool isCompared = invocation.has("check") || invocation.has("expect");
  if (!writeAll(*results, *form, isCompared, invocation))
    return ExitCode::InputRejected;
  RunReport report{.results = &*results, .isTimed = invocation.has("time")};
  ExitCode code =
      results->checks.failed == 0 ? ExitCode::Done : ExitCode::PropertyFalse;
  auto add = [&](Answer<RunReport::Compared> compared) {
    if (!compared) {
      code = compared.getFailure();
      return;
    }
    if (!isJson)
      writeText(*compared, invocation.getOut());
    if (!compared->isEqual())
      code = ExitCode::PropertyFalse;
    report.compared.push_back(std::move(*compared));
  };
  if (invocation.has("expect"))
    add(expect(*results, *options, compilation->getSource(), tolerance,
               invocation));
  if (invocation.has("check"))
    add(check(*results, *options, *compilation, tolerance, invocation));
  if (isJson && (isCompared || report.isTimed))
    writeJson(report, invocation.getOut());
  return code;
}

/// How many processes of MPI the options ask for; 0: the program is evaluated.
static int64_t processesOf(const RunOptions &options) {
  if (options.through != Stage::Cpu)
    return 0;
  return options.processes > 0 ? options.processes
                               : options.replicas * options.partitions;
}

/// One of the processes that a launcher has started.
static ExitCode runAmong(Invocation &invocation, RunOptions options,
                         int64_t timeout) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  std::string why;
  std::unique_ptr<Processes> mpi = Processes::openMpi(why);
  if (!mpi) {
    (void)diagnostics.error({}, "MPI does not start: " + why);
    return ExitCode::Undecided;
  }
  int64_t wanted = processesOf(options);
  if (wanted > 1 && wanted != mpi->size()) {
    if (mpi->rank() == 0) {
      (void)diagnostics.error({}, "expected " + llvm::Twine(wanted) +
                                      " processes of MPI, got " +
                                      llvm::Twine(mpi->size()));
      diagnostics.help("mpirun -n " + llvm::Twine(wanted));
    }
    return ExitCode(mpi->finish(int32_t(ExitCode::WrongUsage)));
  }
  options.processes = mpi->size();
  options.mpi = mpi.get();
  mpi->setProgram(invocation.getOperand(0).str());
  if (timeout > 0)
    mpi->setTimeout(double(timeout));
  KeptErrors errors(mpi->rank() != 0);
  ExitCode code = runHere(invocation, std::move(options), errors);
  std::string text = errors.release();
  if (mpi->hasFirstFailed()) // it has said the same
    text.clear();
  return ExitCode(mpi->finish(int32_t(code), text));
}

static ExitCode runProgram(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  std::optional<RunOptions> options = runOptionsOf(invocation);
  int64_t timeout = 0;
  if (!options || !parseCount(invocation, "timeout", 1'000'000, timeout))
    return ExitCode::WrongUsage;
  int64_t wanted = processesOf(*options);
  if (options->tunes && (wanted > 1 || Processes::launched() > 1)) {
    (void)diagnostics.error(
        {}, "expected one process with `--tune`, got " +
                llvm::Twine(std::max<int64_t>(wanted, Processes::launched())));
    return ExitCode::WrongUsage;
  }
  if (wanted > 0 && Processes::launched() > 0)
    return runAmong(invocation, std::move(*options), timeout);
  if (wanted > 1 && wanted <= kMostProcesses) {
    if (invocation.getOperand(0) == "-") {
      (void)diagnostics.error({}, "expected a file for several processes, got "
                                  "standard input, which one of them has");
      return ExitCode::WrongUsage;
    }
    return launchProcesses(wanted, diagnostics);
  }
  KeptErrors none(/*keeps=*/false);
  return runHere(invocation, std::move(options), none);
}

static constexpr Option runOptions[] = {
    {.name = "reference",
     .help = "evaluate, slowly, as the StableHLO specification says"},
    {.name = "input",
     .value = "X",
     .help =
         "x.npy, x.npz, 'dense<..> : tensor<..>' or random:SEED[:SCALE]; one for each parameter, in order"},
    {.name = "function",
     .value = "NAME",
     .help = "run this function instead of the entry"},
    {.name = "processes",
     .value = "N",
     .help = "run on N processes of MPI, which `mpirun` starts"},
    {.name = "replicas", .value = "N", .help = "the number of replicas to run"},
    {.name = "partitions", .value = "N", .help = "the number of partitions"},
    {.name = "timeout",
     .value = "SECONDS",
     .help = "how long a process waits for another one; default: 300"},
    {.name = "fill-elided",
     .value = "random:SEED[:SCALE]",
     .help = "draw the elements of constants that the text leaves out"},
    {.name = "through",
     .value = "linalg|flow",
     .help = "lower the program to this stage first, and evaluate it there"},
    {.name = "check", .help = "compare the results with the evaluator's"},
    {.name = "expect",
     .value = "Y",
     .help = "compare the results with y.npy or y.npz"},
    {.name = "rtol",
     .value = "X",
     .help = "the difference that --check and --expect accept, relative to the "
             "largest element"},
    {.name = "print",
     .value = "NAME",
     .help = "show the value of this instruction, too"},
    {.name = "time",
     .help = "print the times of 10 runs instead of the results"},
    {.name = "explain",
     .help = "with --time: the time of each dispatch, and the predicted one by "
             "cause"},
    {.name = "tune",
     .help = "measure ten schedules of each expensive dispatch, and keep the "
             "best in the cache"},
    {.name = "repeat", .value = "N", .help = "the number of runs"},
    {.name = "threads",
     .value = "N",
     .help =
         "how many threads run a kernel; default: the processors that may be used"},
    {.name = "math",
     .value = "fast|precise",
     .help =
         "exp and the like within 2 ULP and subnormal numbers as zero, or the C library's and kept"},
    scheduleOption,
    {.name = "cache",
     .value = "DIR",
     .help =
         "where machine code is kept, or off; default: ~/.cache/mercator, which may be deleted"},
    {.name = "timing", .help = "print how long each phase took"},
    {.name = "trace",
     .value = "FILE",
     .help = "write when each dispatch ran, for ui.perfetto.dev"},
    {.name = "sanitize", .help = "check every load and store of the program"},
    fusionOption,
    cpuOption,
    fuseOption,
    {.name = "o",
     .value = "FILE.npy",
     .help = "save the result; several need FILE.npz or a folder, FOLDER/"},
};
const Command mercator::runCommand = {
    .name = "run",
    .operands = "FILE",
    .summary = "compile a program for this machine and run it",
    .details =
        "Prints the results. A last `--input=random:SEED` stands for all further parameters.\n"
        "Exit code 3: a check failed; 4: a limit, or an operation that cannot be evaluated.\n",
    .options = runOptions,
    .examples = "mercator run examples/softmax.hlo --input=random:1\n"
                "mercator run examples/softmax.hlo --check --time\n"
                "mercator run --reference examples/softmax.hlo --through=flow "
                "--input=random:1\n",
    .run = runProgram};
