// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Completion.h"

#include "mercator/compiler/program/Device.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

/// `--fused`, `--op=`, `-o`.
static std::string spell(const Option &option) {
  if (option.name.size() == 1)
    return "-" + option.name.str();
  return "--" + option.name.str() + (option.value.empty() ? "" : "=");
}

static void printOptions(const Command &command, llvm::raw_ostream &os) {
  os << "  " << command.name << ") options='";
  for (llvm::ArrayRef<Option> options : {command.options, getCommonOptions()})
    for (const Option &option : options)
      if (option.name != "json" || command.insteadOfJson.empty())
        os << spell(option) << ' ';
  os << "' ;;\n";
}

static void printValues(const Command &command, llvm::raw_ostream &os) {
  for (llvm::ArrayRef<Option> options : {command.options, getCommonOptions()})
    for (const Option &option : options) {
      std::string values = option.value.str();
      if (option.name == "device")
        values = llvm::join(deviceNames(), "|");
      if (option.name == "cluster")
        values = llvm::join(clusterNames(), "|");
      if (!StringRef(values).contains('|'))
        continue;
      for (char &c : values)
        c = c == '|' ? ' ' : c;
      os << "  '" << command.name << " --" << option.name << "') values='"
         << values << "' ;;\n";
    }
}

void mercator::printCompletion(llvm::ArrayRef<const Command *> commands,
                               llvm::raw_ostream &os) {
  os << "# Completions of mercator: source <(mercator --completion=bash)\n"
        "_mercator() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
        "  local before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    COMPREPLY=($(compgen -W '";
  for (const Command *command : commands)
    if (!command->hidden)
      os << command->name << ' ';
  os << "--help --version' -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  # bash splits words at `=`.\n"
        "  if [ \"$word\" = = ]; then\n"
        "    word=\n"
        "  elif [ \"$before\" = = ]; then\n"
        "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  fi\n"
        "  case \"$command $before\" in\n";
  for (const Command *command : commands)
    printValues(*command, os);
  os << "  esac\n"
        "  case \"$command\" in\n";
  for (const Command *command : commands)
    printOptions(*command, os);
  os << "  esac\n"
        "  if [ -n \"$values\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
        "  else\n"
        "    compopt -o filenames\n"
        "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -F _mercator mercator\n";
}
