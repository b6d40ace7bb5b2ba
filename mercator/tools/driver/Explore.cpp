// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator explore FILE -o page.html`: one page of HTML that shows what is read,
/// computed and moved.

#include "mercator/compiler/explore/Explore.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Device.h"
#include "mercator/tools/driver/Formation.h"
#include "mercator/tools/driver/KernelsText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mercator;
using llvm::StringRef;

/// The file of `--trace`; empty without the option, none after an error.
static std::optional<std::string> traceOf(Invocation &invocation) {
  if (!invocation.has("trace"))
    return std::string();
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  StringRef path = invocation.get("trace");
  llvm::Expected<std::string> text = readFile(path);
  if (!text) {
    (void)diagnostics.error({}, llvm::toString(text.takeError()));
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*text);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (object && object->getArray("traceEvents"))
    return std::move(*text);
  if (!value)
    llvm::consumeError(value.takeError());
  (void)diagnostics.error({}, path + ": expected a trace, JSON with a list " +
                                  "'traceEvents'");
  diagnostics.help("mercator run FILE --trace=" + path + " writes one");
  return std::nullopt;
}

/// A file of Python that the program was traced from: by its name, or beside the
/// program.
static std::optional<std::string> readSource(StringRef name,
                                             StringRef program) {
  constexpr size_t kMostBytes = 1 << 20;
  llvm::SmallString<128> beside(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(beside, llvm::sys::path::filename(name));
  for (StringRef path : {name, StringRef(beside)}) {
    if (!path.ends_with(".py"))
      continue;
    llvm::Expected<std::string> text = readFile(path, kMostBytes);
    if (text)
      return std::move(*text);
    llvm::consumeError(text.takeError());
  }
  return std::nullopt;
}

static ExitCode runExplore(Invocation &invocation) {
  std::optional<Formation> formation = formationOf(invocation);
  if (!formation)
    return ExitCode::WrongUsage;
  ExploreOptions options{.formation = *formation};
  if (!readDevice(invocation, options.device))
    return ExitCode::WrongUsage;
  std::optional<std::string> trace = traceOf(invocation);
  if (!trace)
    return ExitCode::InputRejected;
  options.trace = std::move(*trace);
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  std::unique_ptr<Compilation> second;
  if (invocation.has("diff")) {
    llvm::Expected<std::string> text = readFile(invocation.get("diff"));
    if (!text) {
      (void)invocation.getDiagnostics().error({},
                                              llvm::toString(text.takeError()));
      return ExitCode::InputRejected;
    }
    second = Compilation::load(invocation.get("diff").str(), std::move(*text),
                               invocation.getDiagnostics());
    if (!second)
      return ExitCode::InputRejected;
    options.second = second.get();
  }
  noteMissingOrigins(invocation, *compilation);
  if (hasGpuKernels(invocation, *compilation, options.device)) {
    options.gpu = options.device;
    formForKernels(invocation, options.device, options.formation);
  }
  auto source = [&](StringRef name) {
    return readSource(name, compilation->getSource().getName());
  };
  options.source = source;
  Answer<Exploration> exploration = compilation->explore(options);
  if (!exploration)
    return exploration.getFailure();
  if (invocation.has("json"))
    writeJson(*exploration, invocation.getOut());
  else
    writePage(*exploration, invocation.getOut());
  return ExitCode::Done;
}

static constexpr Option exploreOptions[] = {
    fusionOption,
    {.name = "device", .value = "DEVICE", .help = deviceHelp},
    fuseOption,
    {.name = "diff",
     .value = "FILE",
     .help = "also what differs in this program, side by side"},
    {.name = "trace",
     .value = "FILE",
     .help = "also when each dispatch ran: what `run --trace=FILE` wrote"},
};

const Command mercator::exploreCommand = {
    .name = "explore",
    .operands = "FILE",
    .summary =
        "write one HTML page that shows what is read, computed and moved",
    .details =
        "FILE is HLO text, StableHLO, or a program in linalg or flow; `-` is standard\n"
        "input. The page needs no network and no server. It has the program as a graph,\n"
        "the elements that each element reads, the accesses of warps, dispatches and\n"
        "their reasons, schedules, and the simplifier. With --json, all of it as data.\n",
    .options = exploreOptions,
    .examples =
        "mercator explore examples/softmax.hlo -o softmax.html\n"
        "mercator explore examples/softmax.hlo --device=h100 -o softmax.html\n"
        "mercator explore before.hlo --diff=after.hlo -o changes.html\n",
    .run = runExplore};
