// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Looks.h"
#include "mercator/frontends/hlo/Syntax.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// Whether `text` ends with a prefix of a shape in HLO: `= `, `= (`, `(`, `->
/// `, `p0: `.
static bool endsBeforeShape(StringRef text) {
  text = text.rtrim(" (");
  return text.ends_with("=") || text.ends_with("->");
}

bool mercator::hlo::looksLikeHlo(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    StringRef first = line.ltrim().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (first == "HloModule" || first == "ENTRY")
      return true;
    for (size_t at = line.find('['); at != StringRef::npos;
         at = line.find('[', at + 1)) {
      StringRef before = line.take_front(at);
      StringRef word = before.take_back(
          before.size() -
          before.find_last_not_of("abcdefghijklmnopqrstuvwxyz0123456789") - 1);
      bool isType = word == "token" || word == "opaque" ||
                    elementTypeFromSpelling(word).has_value();
      before = before.drop_back(word.size());
      if (isType && (endsBeforeShape(before) || before.ends_with("(")))
        return true;
    }
  }
  return false;
}
