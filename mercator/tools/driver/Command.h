// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A subcommand of `mercator`: its arguments and the function that runs it.
///
/// Each subcommand is one file of this folder. A complete example, Reads.cpp:
///
///   static ExitCode runReads(Invocation &invocation) {
///     Compilation *compilation = invocation.load(0);
///     if (!compilation)
///       return ExitCode::InputRejected; // the diagnostic is already printed
///     Answer<Reads> reads =
///         compilation->reads({.fused = invocation.has("fused"),
///                             .instruction = invocation.get("instruction").str()});
///     if (!reads)
///       return reads.getFailure();
///     if (invocation.has("json"))
///       writeJson(*reads, invocation.getOut());
///     else
///       printTable(*reads, invocation.getOut(), invocation.useColor());
///     return ExitCode::Done;
///   }
///
///   static constexpr Option readsOptions[] = {
///       {.name = "fused", .help = "to the parameters of the computation"},
///       {.name = "instruction", .value = "NAME", .help = "only this one"},
///       {.name = "direction", .value = "out-to-in|in-to-out", .help = "..."},
///   };
///   const Command mercator::readsCommand = {
///       .name = "reads",
///       .operands = "FILE",
///       .summary = "print what every instruction reads",
///       .options = readsOptions,
///       .examples = "mercator reads examples/softmax.hlo\n",
///       .run = runReads};
///
/// A new command also needs one line in the table of Driver.cpp and one
/// declaration at the end of this header. The driver parses the arguments,
/// refuses options that are not declared, prints the help, and ends the process
/// with the returned code (ExitCode.h). The work is done by
/// mercator/compiler/Compilation.h; this folder has arguments and tables only.
///
/// Every command also has `-o FILE`, `--json`, `--color` and `--help`. A command
/// with `insteadOfJson` has no `--json`. A command that declares `o` itself
/// writes its files itself.

#ifndef MERCATOR_TOOLS_DRIVER_COMMAND_H
#define MERCATOR_TOOLS_DRIVER_COMMAND_H

#include "mercator/support/Diagnostic.h"
#include "mercator/support/ExitCode.h"
#include "mercator/support/File.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// `--name`, `--name=VALUE` or `--name VALUE` on the command line. A name of
/// one letter is written with one dash and a space: `-o FILE`.
struct Option {
  llvm::StringRef name;
  /// Empty: a flag without value. "NAME": any text. "a|b|c": one of these,
  /// the first where the option is not given.
  llvm::StringRef value = {};
  llvm::StringRef help;
};

class Compilation;
class Invocation;

struct Command {
  llvm::StringRef name;
  /// The arguments that are not options: "FILE", "MAP MAP". If the last one ends in
  /// "...", it may be repeated; in brackets, "[DEVICE]", it may be absent.
  llvm::StringRef operands = {};
  /// One line, lower case, no full stop.
  llvm::StringRef summary;
  /// A few more lines for the help of the command, each ended.
  llvm::StringRef details = {};
  llvm::ArrayRef<Option> options = {};
  /// Command lines that can be pasted, each ended.
  llvm::StringRef examples = {};
  /// "use `--format=mlir`": there is no `--json`, and this is the replacement.
  llvm::StringRef insteadOfJson = {};
  ExitCode (*run)(Invocation &) = nullptr;
  bool hidden = false;
  /// Its text is for people: lines are broken to fit a terminal.
  bool folds = false;
};

/// The arguments of a command line that were accepted for a command.
class Arguments {
public:
  /// Parses what follows the name of the command. Failure has been diagnosed.
  /// Ensures: the operands are those that the command declares, and every
  /// value of an "a|b|c" option is one of these. The last of repeated options
  /// counts; `--` ends the options; `-` alone is an operand.
  static llvm::FailureOr<Arguments> parse(const Command &command,
                                          llvm::ArrayRef<const char *> words,
                                          DiagnosticEngine &diagnostics);

  [[nodiscard]] bool has(llvm::StringRef option) const;
  /// The value given, or else the first choice, or else nothing.
  [[nodiscard]] llvm::StringRef get(llvm::StringRef option) const;
  /// All values given, in order.
  [[nodiscard]] llvm::ArrayRef<std::string>
  getAll(llvm::StringRef option) const;
  [[nodiscard]] llvm::ArrayRef<std::string> getOperands() const {
    return operands;
  }

private:
  const Command *command = nullptr;
  llvm::StringMap<std::vector<std::string>> values;
  std::vector<std::string> operands;
};

/// The options that every command has.
[[nodiscard]] llvm::ArrayRef<Option> getCommonOptions();

/// One run of a command: its arguments, where to write, and the texts it read.
class Invocation {
public:
  /// `programs` are loaded already, and stand for the operands.
  Invocation(const Arguments &arguments, llvm::raw_ostream &out, bool color,
             unsigned columns, bool terminal, DiagnosticEngine &diagnostics,
             llvm::ArrayRef<Compilation *> programs = {});
  ~Invocation();

  /// Whether an option was given. Requires: the command declares it.
  [[nodiscard]] bool has(llvm::StringRef option) const {
    return arguments.has(option);
  }
  /// The value of an option. Requires: the command declares it, with a value.
  [[nodiscard]] llvm::StringRef get(llvm::StringRef option) const {
    return arguments.get(option);
  }
  /// The values of an option that may be given several times.
  [[nodiscard]] llvm::ArrayRef<std::string>
  getAll(llvm::StringRef option) const {
    return arguments.getAll(option);
  }
  [[nodiscard]] llvm::ArrayRef<std::string> getOperands() const {
    return arguments.getOperands();
  }
  /// Requires: it is given.
  [[nodiscard]] llvm::StringRef getOperand(unsigned i) const {
    return arguments.getOperands()[i];
  }

  /// For results, and nothing else. With `-o` they reach the file only if the
  /// command ends with `done`, `propertyFalse` or `undecided`.
  [[nodiscard]] llvm::raw_ostream &getOut() { return out; }
  /// True if the text written to getOut() has colors.
  [[nodiscard]] bool useColor() const { return color; }
  /// The width that lines written to getOut() should have; 0 without a limit.
  [[nodiscard]] unsigned getColumns() const { return columns; }
  /// True if getOut() writes to a terminal.
  [[nodiscard]] bool isTerminal() const { return terminal; }
  /// Whether a text of so many lines gives way to a summary: with `--summary`, and
  /// on a terminal if it is long, without `--all`. Requires: the command declares
  /// both options.
  [[nodiscard]] bool summarizes(size_t lines) const {
    return has("summary") || (terminal && lines > 200 && !has("all"));
  }
  /// For everything that is not a result.
  [[nodiscard]] DiagnosticEngine &getDiagnostics() { return diagnostics; }

  /// The content of the file that operand `i` names, or of standard input for
  /// `-`; null after a diagnostic. It lives as long as the invocation.
  [[nodiscard]] const SourceBuffer *readInput(unsigned i,
                                              size_t limit = defaultInputLimit);

  /// The program that operand `i` names; null after a diagnostic. It lives as long
  /// as the invocation. `air` as in LoadOptions.
  [[nodiscard]] Compilation *load(unsigned i, bool air = false,
                                  size_t limit = defaultInputLimit);

  /// Operand `i` itself as a text to be parsed, named `<MAP>`, or `<MAP 2>`
  /// where there are several; standard input for `-`; null after a diagnostic.
  [[nodiscard]] const SourceBuffer *readText(unsigned i);

private:
  const SourceBuffer *keep(unsigned i, std::string name, std::string text);

  const Arguments &arguments;
  llvm::raw_ostream &out;
  bool color;
  unsigned columns;
  bool terminal;
  DiagnosticEngine &diagnostics;
  llvm::ArrayRef<Compilation *> programs;
  std::vector<std::unique_ptr<SourceBuffer>> buffers;
  std::vector<std::unique_ptr<Compilation>> loaded; ///< refer to the buffers
};

struct Proof;
struct RandomElements;
/// Says how to get the lines of Python, if JAX has written the text without them.
void noteMissingOrigins(Invocation &invocation, const Compilation &compilation);
/// `--soc`, or the default.
[[nodiscard]] inline std::string socOf(const Invocation &invocation) {
  return invocation.has("soc") ? invocation.get("soc").str() : "910b";
}
/// What `--fill-elided=random:NUMBER` draws, or none without the option; nothing at
/// all after an error.
[[nodiscard]] std::optional<std::optional<RandomElements>>
fillSeedOf(Invocation &invocation);
/// Equal: done. Different: propertyFalse. Undecided: undecided.
[[nodiscard]] ExitCode exitCodeOf(const Proof &proof);

extern const Command accessCommand;
extern const Command compileCommand;
extern const Command conformanceCommand;
extern const Command deviceCommand;
extern const Command diffCommand;
extern const Command explainCommand;
extern const Command exploreCommand;
extern const Command mapCommand;
extern const Command proveCommand;
extern const Command runCommand;
extern const Command shardCommand;
extern const Command simplifyCommand;
extern const Command tileCommand;
extern const Command crashCommand;

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_COMMAND_H
