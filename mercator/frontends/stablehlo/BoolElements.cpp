// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/BoolElements.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using llvm::StringRef;

namespace {

/// `dense<"0x..."> : tensor<..xi1>` in a text.
struct HexElements {
  size_t begin = 0; ///< of the digits
  size_t end = 0;   ///< the closing quote
  llvm::SmallVector<uint64_t> shape;
  uint64_t elements = 1; ///< saturated

  [[nodiscard]] size_t bytes() const { return (end - begin) / 2; }
};

/// Finds them in order.
class Finder {
public:
  explicit Finder(StringRef text) : text(text) {}
  std::optional<HexElements> next();

private:
  [[nodiscard]] char at(size_t i) const {
    return i < text.size() ? text[i] : '\0';
  }
  /// The offset after space and comments.
  [[nodiscard]] size_t pastSpace(size_t i) const;
  /// Whether `dense<` precedes an offset.
  [[nodiscard]] bool isDense(size_t end) const;
  bool consume(size_t &i, char c) const;
  bool consumeWord(size_t &i, StringRef word) const;
  /// Reads the shape of a tensor of i1; a name may stand for the type.
  bool readType(size_t i, HexElements &found, unsigned names = 0);
  /// Records the names of types that are defined before an offset. A later
  /// definition, of another program in the same text, replaces an earlier one.
  void readNames(size_t end);

  static bool isWord(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  }

  StringRef text;
  size_t pos = 0;
  size_t namesEnd = 0;                       ///< names are recorded up to here
  llvm::StringMap<size_t> names;             ///< the offset of a definition
  static constexpr unsigned kMostNames = 64; ///< length of a chain of names
};

} // namespace

size_t Finder::pastSpace(size_t i) const {
  while (true) {
    while (i < text.size() && llvm::isSpace(text[i]))
      ++i;
    if (at(i) != '/' || at(i + 1) != '/')
      return i;
    i = std::min(text.find('\n', i), text.size());
  }
}

bool Finder::consume(size_t &i, char c) const {
  size_t begin = pastSpace(i);
  if (at(begin) != c)
    return false;
  i = begin + 1;
  return true;
}

bool Finder::consumeWord(size_t &i, StringRef word) const {
  size_t begin = pastSpace(i);
  if (!text.substr(begin).starts_with(word) || isWord(at(begin + word.size())))
    return false;
  i = begin + word.size();
  return true;
}

bool Finder::isDense(size_t end) const {
  StringRef before = text.take_front(end).rtrim();
  if (!before.consume_back("<"))
    return false;
  before = before.rtrim();
  return before.consume_back("dense") &&
         (before.empty() || !isWord(before.back()));
}

void Finder::readNames(size_t end) {
  while (namesEnd < end) {
    // A definition starts a line.
    size_t i = text.find_first_not_of(" \t", namesEnd);
    if (at(i) == '!') {
      size_t begin = ++i;
      while (isWord(at(i)))
        ++i;
      StringRef name = text.slice(begin, i);
      if (consume(i, '='))
        names[name] = i;
    }
    namesEnd = std::min(text.find('\n', namesEnd), text.size() - 1) + 1;
  }
}

bool Finder::readType(size_t i, HexElements &found, unsigned depth) {
  i = pastSpace(i);
  if (at(i) == '!') {
    readNames(found.begin);
    size_t begin = ++i;
    while (isWord(at(i)))
      ++i;
    auto name = names.find(text.slice(begin, i));
    return name != names.end() && depth < kMostNames &&
           readType(name->second, found, depth + 1);
  }
  if (!consumeWord(i, "tensor") && !consumeWord(i, "vector"))
    return false;
  if (!consume(i, '<'))
    return false;
  while (true) {
    i = pastSpace(i);
    if (!llvm::isDigit(at(i)))
      break;
    uint64_t extent = 0;
    for (; llvm::isDigit(at(i)); ++i)
      extent = llvm::SaturatingMultiplyAdd<uint64_t>(extent, 10, text[i] - '0');
    found.shape.push_back(extent);
    found.elements = llvm::SaturatingMultiply(found.elements, extent);
    if (!consume(i, 'x'))
      return false;
  }
  return consumeWord(i, "i1");
}

std::optional<HexElements> Finder::next() {
  while (true) {
    size_t quote = text.find("\"0x", pos);
    if (quote == StringRef::npos)
      return std::nullopt;
    HexElements found;
    found.begin = found.end = quote + 3;
    while (llvm::isHexDigit(at(found.end)))
      ++found.end;
    pos = found.end;
    size_t i = found.end + 1;
    if (at(found.end) == '"' && (found.end - found.begin) % 2 == 0 &&
        isDense(quote) && consume(i, '>') && consume(i, ':') &&
        readType(i, found))
      return found;
  }
}

//===--- Reading ----------------------------------------------------------===//

static bool isTrue(StringRef text, size_t byte) {
  return text[byte] != '0' || text[byte + 1] != '0';
}

std::optional<std::string> stablehlo::packBoolElements(StringRef text) {
  std::optional<std::string> packed;
  Finder finder(text);
  while (std::optional<HexElements> found = finder.next()) {
    size_t bytes = found->bytes(), begin = found->begin;
    bool isSplat = bytes == 1 && (found->elements == 1 || found->elements > 8);
    if (!isSplat && (bytes < 2 || bytes != found->elements))
      continue;
    if (!packed)
      packed = text.str();
    if (isSplat) {
      packed->replace(begin, 2, isTrue(text, begin) ? "FF" : "00");
      continue;
    }
    size_t to = begin;
    for (size_t first = 0; first < bytes; first += 8) {
      unsigned byte = 0;
      for (size_t i = first; i < std::min(first + 8, bytes); ++i)
        byte |= unsigned(isTrue(text, begin + 2 * i)) << (i - first);
      (*packed)[to++] = llvm::hexdigit(byte >> 4);
      (*packed)[to++] = llvm::hexdigit(byte & 15);
    }
    // The string ends here. Spaces keep the following text in place.
    (*packed)[to++] = '"';
    std::fill(packed->begin() + to, packed->begin() + found->end + 1, ' ');
  }
  return packed;
}

//===--- Writing ----------------------------------------------------------===//

/// Appends `[[true, ..], ..]`.
static void appendList(std::string &out, const HexElements &found,
                       StringRef text) {
  auto isSet = [&](uint64_t element) {
    unsigned byte =
        llvm::hexFromNibbles(text[found.begin + element / 8 * 2],
                             text[found.begin + element / 8 * 2 + 1]);
    return (byte >> (element % 8)) & 1;
  };
  for (uint64_t i = 0; i < found.elements; ++i) {
    // The number of extents whose product divides the position is the number of
    // lists that begin and end here.
    unsigned lists = 0;
    uint64_t size = 1;
    for (uint64_t extent : llvm::reverse(found.shape)) {
      size *= extent;
      if (i % size != 0)
        break;
      ++lists;
    }
    if (i != 0)
      out.append(lists, ']').append(", ");
    out.append(lists, '[').append(isSet(i) ? "true" : "false");
  }
  out.append(found.shape.size(), ']');
}

std::string stablehlo::listBoolElements(std::string printed) {
  std::string out;
  size_t copied = 0;
  StringRef text = printed;
  Finder finder(text);
  while (std::optional<HexElements> found = finder.next()) {
    if (found->elements == 0 || found->elements > 8 * found->bytes() ||
        found->bytes() != llvm::divideCeil(found->elements, 8))
      continue;
    out.append(text.slice(copied, found->begin - 3));
    appendList(out, *found, text);
    copied = found->end + 1;
  }
  if (copied == 0)
    return printed;
  out.append(text.substr(copied));
  return out;
}

void stablehlo::print(mlir::Operation *op, llvm::raw_ostream &os,
                      mlir::OpPrintingFlags flags) {
  std::string text;
  llvm::raw_string_ostream into(text);
  op->print(into, flags);
  os << listBoolElements(std::move(text));
}
