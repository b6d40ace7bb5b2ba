// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every pass on every program in a .mlir file of the tests, of any kind. A pass
// may refuse a program with an error. It must not crash or take long, and it
// must not succeed with a program that the verifier refuses.
//
// The passes run in child processes. A crash is reported with its file, its
// line and its name, and the other passes still run. MERCATOR_CROSS_ONLY=text
// selects the files with that text in their path.

#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/support/File.h"
#include "mercator/transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/Folders.h"
#include "tests/Scale.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mercator;
using llvm::StringRef;

namespace {

/// The time limit of a pass on one program of the tests.
constexpr unsigned kSeconds = kIsSanitized ? 120 : 20;

struct Program {
  std::string file;
  unsigned line;
  std::string text;
};

std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::set<std::string> filesBelow(const std::string &folder, StringRef suffix) {
  std::set<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(suffix))
      files.insert(it->path());
  return files;
}

std::vector<Program> allPrograms() {
  std::vector<Program> programs;
  std::string root = sourceFolder() + "/tests/";
  const char *only = std::getenv("MERCATOR_CROSS_ONLY");
  for (const std::string &path : filesBelow(root, ".mlir")) {
    std::string text = readFile(path), shown = path.substr(root.size());
    if (only && !StringRef(shown).contains(only))
      continue;
    // A file states, with a reason, that no other pass must run on it.
    if (StringRef(text).contains("// CROSS: not run, as "))
      continue;
    unsigned line = 1;
    programs.push_back({shown, line, ""});
    for (StringRef rest = text; !rest.empty(); ++line) {
      StringRef next;
      std::tie(next, rest) = rest.split('\n');
      if (next.trim() == "// -----")
        programs.push_back({shown, line + 1, ""});
      else
        programs.back().text += next.str() + "\n";
    }
  }
  return programs;
}

/// The names of all passes, as declared in the .td files.
std::vector<std::string> allPasses() {
  std::vector<std::string> passes = {"chlo-legalize-to-stablehlo"};
  std::string root = sourceFolder() + "/mercator/transforms/";
  for (const std::string &path : filesBelow(root, "Passes.td")) {
    std::string text = readFile(path);
    for (StringRef rest = text; !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      size_t at = line.find("Pass<\"");
      if (!line.starts_with("def ") || at == StringRef::npos)
        continue;
      std::string name = line.drop_front(at + 6)
                             .take_until([](char c) { return c == '"'; })
                             .str();
      if (name == "iree-util-fixed-point-iterator")
        name += "{pipeline=builtin.module(canonicalize)}";
      bool isOfFunctions = line.contains("InterfacePass<");
      passes.push_back(isOfFunctions ? "func.func(" + name + ")" : name);
    }
  }
  for (const char *pipeline :
       {"mercator-flow-pipeline", "iree-flow-transformation-pipeline"})
    if (PassPipelineInfo::lookup(pipeline)) {
      passes.emplace_back(pipeline);
      break;
    }
  return passes;
}

/// The error that the verifier may find after a pass: a check of a test program
/// compares with a constant whose type is no longer that of the program.
bool isKnown(StringRef pass, StringRef message) {
  return pass == "iree-util-demote-f64-to-f32" &&
         message.contains("'check.expect_");
}

class Child {
public:
  Child() {
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    context.disableMultithreading();
  }

  /// Nothing if the text is no program.
  OwningOpRef<ModuleOp> parse(const Program &program) {
    std::string ignored;
    llvm::raw_string_ostream os(ignored);
    mercator::DiagnosticEngine engine(os);
    SourceBuffer source(program.file, program.text);
    if (failed(stablehlo::checkNesting(source, engine)))
      return nullptr;
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    return parseSourceString<ModuleOp>(program.text, &context);
  }

  /// The error in a pass's result; "" if there is none.
  std::string run(ModuleOp module, StringRef pass) {
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager passes(&context, ModuleOp::getOperationName(),
                       PassManager::Nesting::Implicit);
    // Within a pipeline the verifier names the pass.
    passes.enableVerifier(pass.contains("pipeline"));
    std::string message, said;
    llvm::raw_string_ostream os(said);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        llvm::raw_string_ostream(message) << diagnostic;
    });
    if (failed(parsePassPipeline(pass, passes, os)))
      return "it cannot be made: " + said;
    bool isDone = succeeded(passes.run(*copy));
    if (StringRef(message).contains("unable to schedule"))
      return message;
    if (!isDone && message.empty())
      return "it fails without an error";
    message.clear();
    if (isDone && failed(verify(*copy)) && !isKnown(pass, message))
      return "it makes what is not valid: " + message;
    return "";
  }

private:
  DialectRegistry registry;
  MLIRContext context;
};

/// The reports of the children, one line each: `B ITEM` at the beginning of an
/// item, `E ITEM WHAT` for an error in it, `N COUNT` at the end.
void report(int pipe, const std::string &line) {
  std::string text = line;
  std::replace(text.begin(), text.end(), '\n', ' ');
  text += '\n';
  if (write(pipe, text.data(), text.size()) < 0)
    _exit(3);
}

TEST(FlowCross, EveryPassAcceptsEveryProgram) {
  registerUpstreamPasses();
  registerMercatorPasses();
  std::vector<Program> programs = allPrograms();
  std::vector<std::string> passes = allPasses();
  ASSERT_GT(programs.size(), 0u);
  ASSERT_GT(passes.size(), 30u);
  // Sanitizers take every tenth pair.
  size_t step = kIsSanitized ? 10 : 1;
  size_t items = programs.size() * passes.size();
  auto nameOf = [&](size_t item) -> std::string {
    const Program &program = programs[item / passes.size()];
    return program.file + ":" + std::to_string(program.line) + ": " +
           passes[item % passes.size()];
  };

  int64_t ran = 0, bad = 0;
  size_t begin = 0;
  while (begin < items) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      Child worker;
      OwningOpRef<ModuleOp> module;
      int64_t count = 0;
      size_t of = programs.size();
      for (size_t item = begin; item < items; item += step) {
        size_t program = item / passes.size();
        alarm(kSeconds);
        report(ends[1], "B " + std::to_string(item));
        if (program != of)
          module = worker.parse(programs[program]);
        of = program;
        if (!module)
          continue;
        ++count;
        std::string wrong = worker.run(*module, passes[item % passes.size()]);
        if (!wrong.empty())
          report(ends[1], "E " + std::to_string(item) + " " + wrong);
        // A crash must not lose the count.
        if (count % 64 == 0)
          report(ends[1], "N " + std::to_string(std::exchange(count, 0)));
      }
      report(ends[1], "N " + std::to_string(count));
      _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    size_t last = begin;
    auto take = [&](StringRef line) {
      StringRef kind = line.take_front(1);
      auto [number, rest] = line.drop_front(2).split(' ');
      uint64_t value = 0;
      if (number.getAsInteger(10, value))
        return;
      if (kind == "B") {
        last = value;
      } else if (kind == "N") {
        ran += int64_t(value);
      } else {
        ++bad;
        ADD_FAILURE() << nameOf(value) << ": " << rest.str();
      }
    };
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
      text.append(buffer, size_t(got));
      size_t used = 0;
      for (size_t at; (at = text.find('\n', used)) != std::string::npos;
           used = at + 1)
        take(StringRef(text).slice(used, at));
      text.erase(0, used);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      break;
    ++bad;
    ADD_FAILURE() << nameOf(last) << ": "
                  << (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
                          ? "it takes too long"
                          : "it crashes");
    begin = last + step;
  }
  llvm::outs() << ran << " runs of " << passes.size() << " passes on "
               << programs.size() << " programs, " << bad << " bad\n";
}

} // namespace
