// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Suggest.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

static constexpr Option commonOptions[] = {
    {.name = "o",
     .value = "FILE",
     .help = "write the result to FILE, completely or not at all"},
    {.name = "json", .help = "write the result as JSON"},
    {.name = "color",
     .value = "auto|always|never",
     .help = "auto: on a terminal, unless NO_COLOR is set"},
    {.name = "help", .help = "print this help"},
};

llvm::ArrayRef<Option> mercator::getCommonOptions() { return commonOptions; }

static const Option *findOption(const Command &command, StringRef name) {
  for (llvm::ArrayRef<Option> options : {command.options, getCommonOptions()})
    for (const Option &option : options)
      if (option.name == name)
        return &option;
  return nullptr;
}

/// The option with its hyphens: `-o`, `--help`.
static std::string spell(StringRef name) {
  return (name.size() == 1 ? "-" : "--") + name.str();
}

static void suggestHelp(const Command &command, DiagnosticEngine &diagnostics) {
  diagnostics.help("mercator " + command.name + " --help");
}

static llvm::LogicalResult unknownOption(const Command &command, StringRef word,
                                         DiagnosticEngine &diagnostics) {
  (void)diagnostics.error({}, "unknown option " + quote(word) +
                                  " for `mercator " + command.name + "`");
  llvm::SmallVector<StringRef> names;
  for (llvm::ArrayRef<Option> options : {command.options, getCommonOptions()})
    for (const Option &option : options)
      names.push_back(option.name);
  // `--aggressive-fusion` may mean the option `--fusion=maps|aggressive|seed`.
  const Option *last = findOption(command, word.rsplit('-').second);
  if (auto name = suggest(word.ltrim('-'), names))
    diagnostics.help("did you mean `" + spell(*name) + "`?");
  else if (last && last->name.size() > 1 && !last->value.empty())
    diagnostics.help("did you mean `" + spell(last->name) + "=" + last->value +
                     "`?");
  else
    suggestHelp(command, diagnostics);
  return llvm::failure();
}

/// The choices of an "a|b|c" option; none if it takes any text.
static llvm::SmallVector<StringRef> getChoices(const Option &option) {
  llvm::SmallVector<StringRef> choices;
  if (option.value.contains('|'))
    option.value.split(choices, '|');
  return choices;
}

static llvm::LogicalResult checkValue(const Command &command,
                                      const Option &option, StringRef value,
                                      DiagnosticEngine &diagnostics) {
  llvm::SmallVector<StringRef> choices = getChoices(option);
  if (choices.empty() || llvm::is_contained(choices, value))
    return llvm::success();
  (void)diagnostics.error({}, "expected `" + spell(option.name) + "` to be " +
                                  llvm::join(choices, " or ") + ", got " +
                                  quote(value));
  // "Ascend910B1" for "910b".
  const auto *within = llvm::find_if(choices, [&](StringRef choice) {
    return value.contains_insensitive(choice);
  });
  std::optional<StringRef> choice = suggest(value, choices);
  if (within != choices.end())
    choice = *within;
  if (choice)
    diagnostics.help("did you mean `" + spell(option.name) + "=" + *choice +
                     "`?");
  else
    suggestHelp(command, diagnostics);
  return llvm::failure();
}

/// Several files for a command that takes one: the first of them.
static std::string filesOf(llvm::ArrayRef<std::string> files) {
  constexpr size_t shown = 4;
  std::string list;
  for (const std::string &file : files.take_front(shown))
    list += " " + file;
  return files.size() > shown ? list + " .." : list;
}

llvm::FailureOr<Arguments> Arguments::parse(const Command &command,
                                            llvm::ArrayRef<const char *> words,
                                            DiagnosticEngine &diagnostics) {
  Arguments arguments;
  arguments.command = &command;
  bool optionsEnded = false;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (optionsEnded || word == "-" || !word.starts_with("-")) {
      arguments.operands.push_back(word.str());
      continue;
    }
    if (word == "--") {
      optionsEnded = true;
      continue;
    }
    // -h is the only option with two names.
    auto [spelled, value] = word.split('=');
    StringRef name = spelled == "-h" ? "help" : spelled.ltrim('-');
    if (spelled == "--json" && !command.insteadOfJson.empty())
      return diagnostics.error({}, "`" + command.name + "` has no --json; " +
                                       command.insteadOfJson);
    const Option *option = findOption(command, name);
    if (!option || (spelled != spell(name) && spelled != "-h"))
      return unknownOption(command, spelled, diagnostics);
    bool hasValue = word.contains('=');
    if (option->value.empty() && hasValue)
      return diagnostics.error({}, "`" + spell(name) +
                                       "` takes no value, got " + quote(value));
    if (!option->value.empty() && !hasValue) {
      if (++i == words.size())
        return diagnostics.error({}, "expected " + option->value + " after `" +
                                         spell(name) +
                                         "`, got the end of the command line");
      value = words[i];
    }
    if (!option->value.empty() &&
        failed(checkValue(command, *option, value, diagnostics)))
      return llvm::failure();
    arguments.values[name].push_back(value.str());
  }

  if (arguments.has("help"))
    return arguments;
  llvm::SmallVector<StringRef> expected;
  command.operands.split(expected, ' ', -1, /*KeepEmpty=*/false);
  bool endless = !expected.empty() && expected.back().ends_with("...");
  size_t required = llvm::count_if(
      expected, [](StringRef operand) { return !operand.starts_with("["); });
  size_t given = arguments.operands.size();
  if (given >= required && (given <= expected.size() || endless))
    return arguments;
  if (given < required)
    (void)diagnostics.error(
        {}, "expected " + command.operands + " after `mercator " +
                command.name + "`, got " +
                (arguments.operands.empty()
                     ? std::string("nothing")
                     : "only " + quote(arguments.operands.back())));
  else
    (void)diagnostics.error(
        {}, "expected nothing after " +
                (expected.empty()
                     ? ("`mercator " + command.name + "`").str()
                     : quote(arguments.operands[expected.size() - 1])) +
                ", got " + quote(arguments.operands[expected.size()]));
  if (arguments.operands.size() > expected.size() &&
      command.operands == "FILE") {
    // The options stand before the files.
    std::string options;
    for (StringRef word : words)
      if (word.starts_with("-") && word != "-")
        options += " " + word.str();
    diagnostics.help("for f in" + filesOf(arguments.operands) +
                     "; do mercator " + command.name + options +
                     " \"$f\"; done");
    return llvm::failure();
  }
  suggestHelp(command, diagnostics);
  return llvm::failure();
}

bool Arguments::has(StringRef option) const {
  assert(findOption(*command, option) && "an option that is not declared");
  return values.contains(option);
}

StringRef Arguments::get(StringRef option) const {
  const Option *declared = findOption(*command, option);
  assert(declared && !declared->value.empty() &&
         "an option that is not declared with a value");
  auto found = values.find(option);
  if (found != values.end())
    return found->second.back();
  llvm::SmallVector<StringRef> choices = getChoices(*declared);
  return choices.empty() ? StringRef() : choices.front();
}

llvm::ArrayRef<std::string> Arguments::getAll(StringRef option) const {
  assert(findOption(*command, option) && "an option that is not declared");
  auto found = values.find(option);
  return found == values.end() ? llvm::ArrayRef<std::string>()
                               : llvm::ArrayRef(found->second);
}
