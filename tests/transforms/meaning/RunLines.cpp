// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunLines.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using llvm::StringRef;

namespace mercator::testing {

/// The words of a shell command, without their quotes.
static std::vector<std::string> splitWords(StringRef command) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (char c : command) {
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (c == ' ' || c == '\t') {
      if (inWord)
        words.push_back(std::exchange(word, ""));
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord)
    words.push_back(word);
  return words;
}

/// The commands of all RUN lines, continued lines joined, up to the first pipe.
static std::vector<std::string> readCommands(StringRef text) {
  std::vector<std::string> commands;
  bool goesOn = false;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    size_t at = line.find("RUN:");
    if (at == StringRef::npos || !line.trim().starts_with("//"))
      continue;
    line = line.drop_front(at + 4).trim();
    bool continued = line.consume_back("\\");
    if (goesOn)
      commands.back() += " " + line.str();
    else
      commands.push_back(line.str());
    goesOn = continued;
  }
  for (std::string &command : commands) {
    char quote = 0;
    for (size_t i = 0; i < command.size(); ++i) {
      if (quote) {
        quote = command[i] == quote ? 0 : quote;
      } else if (command[i] == '"' || command[i] == '\'') {
        quote = command[i];
      } else if (command[i] == '|') {
        command.resize(i);
        break;
      }
    }
  }
  return commands;
}

std::vector<RunLine> readRunLines(StringRef text) {
  std::vector<RunLine> lines;
  for (const std::string &command : readCommands(text)) {
    RunLine &line = lines.emplace_back();
    std::vector<std::string> words = splitWords(command);
    if (words.empty() || words[0] != "mercator-opt")
      continue;
    std::vector<std::string> passes;
    std::string whole;
    for (StringRef word : llvm::drop_begin(words)) {
      if (!word.consume_front("-"))
        continue;
      word.consume_front("-");
      auto [name, value] = word.split('=');
      if (name == "pass-pipeline") {
        whole = value.str();
      } else if (mlir::PassInfo::lookup(name) ||
                 mlir::PassPipelineInfo::lookup(name)) {
        passes.push_back(name.str() +
                         (value.empty() ? "" : "{" + value.str() + "}"));
      } else if (name != "split-input-file" && name != "verify-diagnostics" &&
                 name != "allow-unregistered-dialect" &&
                 !name.starts_with("mlir-") && name != "verify-each") {
        line.flags.emplace_back(name.str(), value.str());
      }
    }
    if (!whole.empty())
      line.pipeline = whole;
    else if (!passes.empty())
      line.pipeline = "builtin.module(" + llvm::join(passes, ",") + ")";
  }
  return lines;
}

std::vector<Chunk> splitChunks(StringRef text) {
  bool splits = llvm::any_of(readCommands(text), [](const std::string &line) {
    return StringRef(line).contains("split-input-file");
  });
  std::vector<Chunk> chunks(1);
  unsigned number = 0;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (splits && line.trim() == "// -----") {
      chunks.push_back({"", number + 1});
      continue;
    }
    chunks.back().text += line.str() + "\n";
  }
  return chunks;
}

WithFlags::WithFlags(const RunLine &line) {
  llvm::DenseMap<StringRef, llvm::cl::Option *> &options =
      llvm::cl::getRegisteredOptions();
  for (const auto &[name, value] : line.flags) {
    auto option = options.find(name);
    if (option == options.end() ||
        option->second->addOccurrence(1, name, value)) {
      known = false;
      return;
    }
    set.push_back(name);
  }
}

WithFlags::~WithFlags() {
  for (const std::string &name : set) {
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
    option->reset(); // its default
  }
}

} // namespace mercator::testing
