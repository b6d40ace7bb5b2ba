// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifiers in the notation of maps. Shared by its reader and its printer.

#ifndef MERCATOR_INDEXING_NOTATION_IDENTIFIERS_H
#define MERCATOR_INDEXING_NOTATION_IDENTIFIERS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mercator::indexing {

inline bool isIdentifierStart(char c) { return llvm::isAlpha(c) || c == '_'; }
inline bool isIdentifierCharacter(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// Words that cannot name a variable.
inline bool isReservedIdentifier(llvm::StringRef word) {
  static constexpr llvm::StringRef kWords[] = {
      "floordiv", "floorDiv", "ceildiv", "ceilDiv", "mod",
      "min",      "max",      "in",      "inf",     "domain",
      "not",      "hlo",      "KNOWN",   "EMPTY",   "UNDEFINED"};
  for (llvm::StringRef w : kWords)
    if (w == word)
      return true;
  return false;
}

/// The normal form of a name: d_0 and d_{0} are d0, likewise for s, rt and p.
inline std::string normalizedIdentifier(llvm::StringRef name) {
  auto [prefix, index] = name.split('_');
  if (index.consume_front("{"))
    index.consume_back("}");
  if ((prefix == "d" || prefix == "s" || prefix == "rt" || prefix == "p") &&
      !index.empty() && llvm::all_of(index, llvm::isDigit))
    return (prefix + index).str();
  return name.str();
}

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_NOTATION_IDENTIFIERS_H
