// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator run FILE`: the results of a program on concrete tensors.

#include "mercator/compiler/Compilation.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/Support/FileSystem.h"

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

namespace {
/// The kind of destination that `-o` names.
enum class Form { stream, jsonFile, npyFile, npyFolder };
} // namespace

/// None after an error.
static std::optional<Form> chooseForm(Invocation &invocation) {
  StringRef path = invocation.get("o");
  if (path.empty() || path == "-")
    return Form::stream;
  if (invocation.has("json"))
    return Form::jsonFile;
  if (path.ends_with("/") || llvm::sys::fs::is_directory(path))
    return Form::npyFolder;
  if (path.ends_with(".npy"))
    return Form::npyFile;
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  (void)diagnostics.error(
      {}, "expected a name that ends in .npy, or a folder, after `-o`, got " +
              quote(path));
  diagnostics.help("-o " + path + ".npy");
  return std::nullopt;
}

/// An .npy file holds one tensor.
static ExitCode refuseSeveral(Invocation &invocation, size_t results) {
  StringRef path = invocation.get("o");
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  (void)diagnostics.error({}, "expected a folder after `-o` for " +
                                  llvm::Twine(results) +
                                  " results, got the file " + quote(path, 400));
  diagnostics.help("-o " + path.drop_back(StringRef(".npy").size()) + "/");
  return ExitCode::wrongUsage;
}

static llvm::Error write(const RunResults &results, Form form,
                         Invocation &invocation) {
  llvm::raw_ostream &os = invocation.getOut();
  switch (form) {
  case Form::stream:
    invocation.has("json") ? writeJson(results, os) : writeText(results, os);
    return llvm::Error::success();
  case Form::jsonFile:
    return writeFile(invocation.get("o"), [&](llvm::raw_ostream &file) {
      writeJson(results, file);
    });
  case Form::npyFile:
  case Form::npyFolder:
    break;
  }
  return saveNpy(results, invocation.get("o"), form == Form::npyFolder, os);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// None after an error.
static std::optional<RunOptions> parseOptions(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  RunOptions options{.function = invocation.get("function").str(),
                     .inputs = invocation.getAll("input").vec()};
  if (invocation.has("fill-elided")) {
    StringRef word = invocation.get("fill-elided"), number = word;
    uint64_t seed = 0;
    if (!number.consume_front("random:") || number.getAsInteger(10, seed)) {
      (void)diagnostics.error(
          {},
          "expected `--fill-elided` to be random:NUMBER, got " + quote(word));
      return std::nullopt;
    }
    options.fillSeed = seed;
  }
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
        stageNamed(invocation.get("through")).value_or(Stage::source);
  options.lowering.fusion = fusionOf(invocation);
  // A program that reads JSON wants one object.
  if (!invocation.has("json"))
    options.show = [&](StringRef name, const reference::Tensor &tensor) {
      writeText(name.empty() ? "print" : ("probe " + name).str(), tensor,
                invocation.getOut());
    };
  return options;
}

static ExitCode run(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  if (!invocation.has("reference")) {
    (void)diagnostics.error(
        {},
        "expected `--reference`: programs cannot be compiled yet, only evaluated");
    diagnostics.help("mercator run --reference " + invocation.getOperand(0));
    return ExitCode::wrongUsage;
  }
  std::optional<RunOptions> options = parseOptions(invocation);
  if (!options)
    return ExitCode::wrongUsage;
  std::optional<Form> form = chooseForm(invocation);
  if (!form)
    return ExitCode::wrongUsage;
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation = Compilation::load(*source, diagnostics, {.air = true});
  if (!compilation)
    return ExitCode::inputRejected;
  if (form == Form::npyFile) {
    Answer<size_t> count = compilation->countResults(*options);
    if (!count)
      return count.getFailure();
    if (*count != 1)
      return refuseSeveral(invocation, *count);
  }
  Answer<RunResults> results = compilation->run(*options);
  if (!results)
    return results.getFailure();
  if (llvm::Error error = write(*results, *form, invocation)) {
    (void)diagnostics.error({}, llvm::toString(std::move(error)));
    return ExitCode::inputRejected;
  }
  return results->checks.failed == 0 ? ExitCode::done : ExitCode::propertyFalse;
}

static constexpr Option options[] = {
    {.name = "reference",
     .help = "evaluate, slowly, as the StableHLO specification says"},
    {.name = "input",
     .value = "X",
     .help =
         "x.npy, 'dense<..> : tensor<..>' or random:SEED; one for each parameter, in order"},
    {.name = "function",
     .value = "NAME",
     .help = "run this function instead of the entry"},
    {.name = "replicas", .value = "N", .help = "the number of replicas to run"},
    {.name = "partitions", .value = "N", .help = "the number of partitions"},
    {.name = "fill-elided",
     .value = "random:SEED",
     .help = "draw the elements of constants that the text leaves out"},
    {.name = "through",
     .value = "linalg|flow",
     .help = "lower the program to this stage first"},
    {.name = "fusion",
     .value = "aggressive|seed",
     .help = "how much goes into one dispatch of flow"},
    {.name = "o",
     .value = "FILE.npy",
     .help = "save the result; several results need a folder, FOLDER/"},
};
const Command mercator::runCommand = {
    .name = "run",
    .operands = "FILE",
    .summary = "evaluate a program on concrete tensors",
    .details =
        "Prints the results. A last `--input=random:SEED` stands for all parameters that\n"
        "follow. The exit code is 3 if a check of a test program fails, and 4 for an operation\n"
        "that cannot be evaluated or a limit.\n",
    .options = options,
    .examples =
        "mercator run --reference examples/softmax.hlo --input=random:1\n"
        "mercator run --reference examples/reshape_chain.hlo "
        "--input=random:1 --json\n"
        "mercator run --reference examples/softmax.hlo --through=flow "
        "--input=random:1\n",
    .run = run};
