// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Driver.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/support/Color.h"
#include "mercator/support/File.h"
#include "mercator/support/Suggest.h"
#include "mercator/support/Table.h"
#include "mercator/support/Terminal.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Completion.h"
#include "mercator/tools/driver/Crash.h"
#include "mercator/tools/driver/RunOptions.h"
#include "mercator/tools/driver/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

static constexpr const Command *commands[] = {
    &mapCommand,    &proveCommand,   &simplifyCommand,    &tileCommand,
    &accessCommand, &diffCommand,    &explainCommand,     &exploreCommand,
    &runCommand,    &compileCommand, &conformanceCommand, &deviceCommand,
    &shardCommand,  &crashCommand,
};

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

static void printHelp(llvm::raw_ostream &os, bool color, bool withHidden) {
  os << "Mercator tells you exactly which input elements each output element "
        "of a tensor\nprogram reads.\n\n"
     << paint("usage:", Style::Bold, color)
     << " mercator COMMAND [OPTION]... [ARGUMENT]...\n\n"
     << paint("commands:", Style::Bold, color) << '\n';
  Table table({{"", Style::Cyan}, {""}, {""}});
  for (const Command *command : commands)
    if (withHidden || !command->hidden)
      table.addRow({command->name.str(), command->operands.str(),
                    command->summary.str()});
  table.print(os, color, /*indent=*/2, outputColumns(STDOUT_FILENO));
  os << "\nA file is HLO text or StableHLO; `-` is standard input.\n"
        "`mercator COMMAND --help` lists the options of a command.\n"
        "`source <(mercator --completion=bash)` completes them in a shell.\n\n"
     << paint("examples:", Style::Bold, color) << '\n'
     << "  mercator map examples/softmax.hlo --fused\n"
        "  mercator simplify '(d0, d1) -> ((d0 * 50 + d1) floordiv 50), "
        "domain: "
        "d0 in [0, 9], d1 in [0, 49]'\n"
        "  mercator prove '(d0) -> (d0 mod 4), domain: d0 in [0, 3]' '(d0) -> "
        "(d0), domain: d0 in [0, 3]'\n\n"
     << paint("exit codes:", Style::Bold, color)
     << " 0 done, 1 input rejected, 2 wrong usage, 3 a property is false,\n"
        "  4 undecided or over a limit, 70 a bug of Mercator (a reproducer is "
        "written)\n";
  if (withHidden)
    os << "\nMLIR's passes and its own flags: `mercator-opt --help`.\n";
}

static bool declares(const Command &command, StringRef option) {
  return llvm::any_of(command.options,
                      [&](const Option &o) { return o.name == option; });
}

static void printHelp(const Command &command, llvm::raw_ostream &os,
                      bool color) {
  os << "mercator " << command.name << ": " << command.summary << "\n\n"
     << paint("usage:", Style::Bold, color) << " mercator " << command.name
     << " [OPTION]..." << (command.operands.empty() ? "" : " ")
     << command.operands << '\n';
  if (!command.details.empty())
    os << '\n' << command.details;
  Table table({{"", Style::Cyan}, {""}});
  for (llvm::ArrayRef<Option> options : {command.options, getCommonOptions()})
    for (const Option &option : options) {
      if (options.data() != command.options.data() &&
          (declares(command, option.name) ||
           (option.name == "json" && !command.insteadOfJson.empty())))
        continue;
      std::string spelled =
          (option.name.size() == 1 ? "-" : "--") + option.name.str();
      if (!option.value.empty())
        spelled += (option.name.size() == 1 ? " " : "=") + option.value.str();
      table.addRow({spelled, option.help.str()});
    }
  os << '\n' << paint("options:", Style::Bold, color) << '\n';
  table.print(os, color, /*indent=*/2, outputColumns(STDOUT_FILENO));
  if (command.examples.empty())
    return;
  os << '\n' << paint("examples:", Style::Bold, color) << '\n';
  llvm::SmallVector<StringRef> lines;
  command.examples.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    os << "  " << line << '\n';
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

/// The compiled program of a folder that XLA's `--xla_dump_to` has filled. Nothing
/// after an error: the folder has none, or several.
static std::optional<std::string> programIn(StringRef folder,
                                            DiagnosticEngine &diagnostics) {
  std::vector<std::string> programs;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error))
    if (StringRef(it->path()).ends_with("after_optimizations.txt"))
      programs.push_back(it->path());
  llvm::sort(programs);
  if (programs.size() == 1) {
    diagnostics.note({}, "the program is " + quote(programs.front(), 400));
    return programs.front();
  }
  (void)diagnostics.error({}, "expected a file, got the folder " +
                                  quote(folder, 400));
  if (programs.empty())
    return std::nullopt;
  constexpr size_t shown = 8;
  std::string names;
  for (const std::string &program : llvm::ArrayRef(programs).take_front(shown))
    names +=
        (names.empty() ? "" : ", ") + llvm::sys::path::filename(program).str();
  if (programs.size() > shown)
    names += " and " + std::to_string(programs.size() - shown) + " more";
  diagnostics.note({}, "its compiled programs are " + names);
  diagnostics.help("take one of them, such as " + programs.back());
  return std::nullopt;
}

Invocation::Invocation(const Arguments &arguments, llvm::raw_ostream &out,
                       bool color, unsigned columns, bool terminal,
                       DiagnosticEngine &diagnostics,
                       llvm::ArrayRef<Compilation *> programs)
    : arguments(arguments), out(out), color(color), columns(columns),
      terminal(terminal), diagnostics(diagnostics), programs(programs) {}

Invocation::~Invocation() = default;

Compilation *Invocation::load(unsigned i, bool air, size_t limit) {
  if (i < programs.size())
    return programs[i];
  const SourceBuffer *source = readInput(i, limit);
  auto compilation =
      source ? Compilation::load(*source, diagnostics, {.air = air}) : nullptr;
  if (!compilation)
    return nullptr;
  loaded.push_back(std::move(compilation));
  return loaded.back().get();
}

const SourceBuffer *Invocation::keep(unsigned i, std::string name,
                                     std::string text) {
  buffers.push_back(
      std::make_unique<SourceBuffer>(std::move(name), std::move(text)));
  return buffers.back().get();
}

const SourceBuffer *Invocation::readInput(unsigned i, size_t limit) {
  std::string chosen = getOperand(i).str();
  if (llvm::sys::fs::is_directory(chosen)) {
    std::optional<std::string> program = programIn(chosen, diagnostics);
    if (!program)
      return nullptr;
    chosen = *program;
  }
  StringRef path = chosen;
  llvm::Expected<std::string> text = readFile(path, limit);
  if (!text) {
    (void)diagnostics.error({}, llvm::toString(text.takeError()));
    return nullptr;
  }
  const SourceBuffer *buffer =
      keep(i, path == "-" ? "<stdin>" : path.str(), std::move(*text));
  rememberInput(path, buffer->getText());
  return buffer;
}

void mercator::noteMissingOrigins(Invocation &invocation,
                                  const Compilation &compilation) {
  if (!invocation.has("json") && compilation.lacksOrigins())
    invocation.getDiagnostics().note(
        {}, "there are no lines of Python: JAX writes them with "
            "lowered.as_text(debug_info=True)");
}

const SourceBuffer *Invocation::readText(unsigned i) {
  StringRef text = getOperand(i);
  if (text == "-")
    return readInput(i);
  unsigned count = arguments.getOperands().size();
  std::string name =
      count == 1 ? "<MAP>" : ("<MAP " + llvm::Twine(i + 1) + ">").str();
  return keep(i, std::move(name), text.str());
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Flushes standard output. A full disk or a closed pipe is an error to report
/// once, not a reason for LLVM to abort when the stream is destroyed.
static ExitCode finishOutput(ExitCode code, DiagnosticEngine &diagnostics) {
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    (void)diagnostics.error({}, "cannot write <stdout>: " +
                                    StringRef(error.message()).lower());
    return ExitCode::InputRejected;
  }
  return code;
}

static bool isAnswer(ExitCode code) {
  return code == ExitCode::Done || code == ExitCode::PropertyFalse ||
         code == ExitCode::Undecided;
}

/// Whether the result of a command is text for a person.
static bool folds(const Command &command, const Arguments &arguments,
                  unsigned columns) {
  bool isText =
      !declares(command, "format") || arguments.get("format") == "text";
  return command.folds && columns > 0 && isText && !arguments.has("json");
}

/// The file that gets the result of a command, or "-".
static StringRef resultPath(const Command &command,
                            const Arguments &arguments) {
  bool ownsFiles = declares(command, "o");
  return arguments.has("o") && !ownsFiles ? arguments.get("o") : "-";
}

/// Runs a command whose result is for a file.
static ExitCode executeToFile(const Command &command,
                              const Arguments &arguments, ColorMode mode,
                              DiagnosticEngine &diagnostics,
                              llvm::ArrayRef<Compilation *> programs = {}) {
  // In memory until the exit code says that it is an answer.
  std::string result;
  llvm::raw_string_ostream out(result);
  Invocation invocation(arguments, out, mode == ColorMode::Always,
                        /*columns=*/0, /*terminal=*/false, diagnostics,
                        programs);
  ExitCode code = command.run(invocation);
  if (!isAnswer(code))
    return code;
  if (llvm::Error error =
          writeFile(resultPath(command, arguments),
                    [&](llvm::raw_ostream &os) { os << result; })) {
    (void)diagnostics.error({}, llvm::toString(std::move(error)));
    return ExitCode::InputRejected;
  }
  return code;
}

static ExitCode execute(const Command &command, const Arguments &arguments,
                        ColorMode mode, DiagnosticEngine &diagnostics) {
  if (resultPath(command, arguments) == "-") {
    unsigned columns = outputColumns(STDOUT_FILENO);
    ExitCode code = ExitCode::Done;
    {
      FoldedStream folded(llvm::outs(), columns);
      llvm::raw_ostream &out = folds(command, arguments, columns)
                                   ? static_cast<llvm::raw_ostream &>(folded)
                                   : llvm::outs();
      Invocation invocation(arguments, out, useColor(mode, STDOUT_FILENO),
                            columns, terminalColumns(STDOUT_FILENO) > 0,
                            diagnostics);
      code = command.run(invocation);
    }
    forgetInput();
    return finishOutput(code, diagnostics);
  }
  ExitCode code = executeToFile(command, arguments, mode, diagnostics);
  forgetInput();
  return code;
}

static ColorMode parseColorMode(StringRef word) {
  if (word == "always")
    return ColorMode::Always;
  return word == "never" ? ColorMode::Never : ColorMode::Automatic;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static const Command *findCommand(StringRef name) {
  const auto *found = llvm::find_if(
      commands, [&](const Command *command) { return command->name == name; });
  return found == std::end(commands) ? nullptr : *found;
}

static ExitCode unknownCommand(StringRef name, DiagnosticEngine &diagnostics) {
  (void)diagnostics.error({}, "expected a command, got " + quote(name));
  llvm::SmallVector<StringRef> names = {"--help", "--version",
                                        "--completion=bash"};
  for (const Command *command : commands)
    if (!command->hidden)
      names.push_back(command->name);
  if (auto nearest = suggest(name, names))
    diagnostics.help("did you mean `mercator " + *nearest + "`?");
  else
    diagnostics.help("mercator --help");
  return ExitCode::WrongUsage;
}

/// The position of the command in `mercator --json map FILE`; 0 if there is no
/// command, or no option before it.
static size_t lateCommand(llvm::ArrayRef<const char *> words) {
  if (!StringRef(words.front()).starts_with("-"))
    return 0;
  for (size_t i = 1; i < words.size(); ++i)
    if (findCommand(words[i]))
      return i;
  return 0;
}

static ExitCode refuseLateCommand(llvm::ArrayRef<const char *> words,
                                  size_t command,
                                  DiagnosticEngine &diagnostics) {
  (void)diagnostics.error({}, "expected the command before its options, got " +
                                  quote(words.front()));
  std::string line = "mercator " + std::string(words[command]);
  for (size_t i = 0; i < words.size(); ++i)
    if (i != command)
      line += " " + std::string(words[i]);
  diagnostics.help(line);
  return ExitCode::WrongUsage;
}

static ExitCode dispatch(llvm::ArrayRef<const char *> words) {
  DiagnosticEngine diagnostics(llvm::errs(),
                               useColor(ColorMode::Automatic, STDERR_FILENO));
  // Also of arguments that cannot be parsed.
  bool isJson = llvm::any_of(words, [](StringRef w) { return w == "--json"; });
  if (isJson)
    diagnostics.useJson();
  bool color = useColor(ColorMode::Automatic, STDOUT_FILENO);
  StringRef name = words.empty() ? StringRef() : words.front();
  // `mercator help map` is `mercator map --help`.
  if (name == "help" && words.size() > 1) {
    if (const Command *command = findCommand(words[1])) {
      printHelp(*command, llvm::outs(), color);
      return finishOutput(ExitCode::Done, diagnostics);
    }
    return unknownCommand(words[1], diagnostics);
  }
  if (name == "--help" || name == "-h" || name == "help" ||
      name == "--help-hidden") {
    printHelp(llvm::outs(), color, name == "--help-hidden");
    return finishOutput(ExitCode::Done, diagnostics);
  }
  if (name == "--version" || name == "-V") {
    llvm::outs() << "mercator " MERCATOR_VERSION "\n";
    return finishOutput(ExitCode::Done, diagnostics);
  }
  if (name == "--completion=bash" || name == "--completion=zsh") {
    printCompletion(commands, llvm::outs());
    return finishOutput(ExitCode::Done, diagnostics);
  }
  if (name.empty()) {
    (void)diagnostics.error({}, "expected a command, got nothing");
    diagnostics.help("mercator --help");
    return ExitCode::WrongUsage;
  }

  const Command *found = findCommand(name);
  if (size_t late = found ? 0 : lateCommand(words))
    return refuseLateCommand(words, late, diagnostics);
  if (!found)
    return unknownCommand(name, diagnostics);
  const Command &command = *found;
  llvm::FailureOr<Arguments> arguments =
      Arguments::parse(command, words.drop_front(), diagnostics);
  if (failed(arguments))
    return ExitCode::WrongUsage;
  ColorMode mode = parseColorMode(arguments->get("color"));
  if (arguments->has("help")) {
    printHelp(command, llvm::outs(), useColor(mode, STDOUT_FILENO));
    return finishOutput(ExitCode::Done, diagnostics);
  }
  DiagnosticEngine commandDiagnostics(llvm::errs(),
                                      useColor(mode, STDERR_FILENO));
  if (isJson)
    commandDiagnostics.useJson();
  return execute(command, *arguments, mode, commandDiagnostics);
}

//===----------------------------------------------------------------------===//
// Calls from a program
//===----------------------------------------------------------------------===//

/// The command that the first word names, and its arguments: the other words, and a
/// name for each program. None after an error.
static const Command *parseQuestion(llvm::ArrayRef<StringRef> words,
                                    llvm::ArrayRef<Compilation *> programs,
                                    std::optional<Arguments> &arguments,
                                    DiagnosticEngine &diagnostics) {
  StringRef name = words.empty() ? StringRef() : words.front();
  const Command *command = findCommand(name);
  if (!command || command->hidden ||
      (command->operands != "FILE" && command->operands != "A B")) {
    (void)diagnostics.error(
        {}, "expected a command that asks about a program, got " + quote(name));
    diagnostics.help(
        "map, tile, access, diff, explain, explore, run or compile");
    return nullptr;
  }
  std::vector<std::string> owned;
  for (StringRef word : words.drop_front())
    owned.push_back(word.str());
  owned.push_back("--");
  for (Compilation *program : programs)
    owned.push_back(program->getSource().getName().str());
  std::vector<const char *> pointers;
  for (const std::string &word : owned)
    pointers.push_back(word.c_str());
  llvm::FailureOr<Arguments> parsed =
      Arguments::parse(*command, pointers, diagnostics);
  if (failed(parsed))
    return nullptr;
  if (parsed->has("help")) {
    (void)diagnostics.error({}, "expected a question, got --help");
    diagnostics.help("mercator " + command->name + " --help");
    return nullptr;
  }
  arguments = std::move(*parsed);
  return command;
}

ExitCode mercator::askMercator(llvm::ArrayRef<StringRef> words,
                               llvm::ArrayRef<Compilation *> programs,
                               llvm::raw_ostream &out,
                               DiagnosticEngine &diagnostics) {
  std::optional<Arguments> arguments;
  const Command *command =
      parseQuestion(words, programs, arguments, diagnostics);
  if (!command)
    return ExitCode::WrongUsage;
  ColorMode mode = arguments->get("color") == "always" ? ColorMode::Always
                                                       : ColorMode::Never;
  if (resultPath(*command, *arguments) != "-")
    return executeToFile(*command, *arguments, mode, diagnostics, programs);
  Invocation invocation(*arguments, out, mode == ColorMode::Always,
                        /*columns=*/0, /*terminal=*/false, diagnostics,
                        programs);
  return command->run(invocation);
}

std::optional<RunOptions>
mercator::runOptionsOf(llvm::ArrayRef<StringRef> options, Compilation &program,
                       DiagnosticEngine &diagnostics) {
  std::vector<StringRef> words = {"run"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--json"); // what a program shows is not printed
  std::optional<Arguments> arguments;
  Compilation *programs[] = {&program};
  if (!parseQuestion(words, programs, arguments, diagnostics))
    return std::nullopt;
  for (StringRef option : {"o", "check", "time", "expect", "timing", "trace"})
    if (arguments->has(option)) {
      (void)diagnostics.error({}, "expected options of a run, got " +
                                      quote(option) +
                                      ", which says what is printed");
      return std::nullopt;
    }
  Invocation invocation(*arguments, llvm::nulls(), /*color=*/false,
                        /*columns=*/0, /*terminal=*/false, diagnostics,
                        programs);
  return runOptionsOf(invocation);
}

const char *mercator::versionOfMercator() { return MERCATOR_VERSION; }

int mercator::runMercator(int argc, const char *const *argv) {
  llvm::ArrayRef<const char *> words(argv, argc);
  installCrashHandlers(words);
  return static_cast<int>(dispatch(words.empty() ? words : words.drop_front()));
}
