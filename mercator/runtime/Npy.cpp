// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

using namespace mercator;
using Text = std::string_view;

static constexpr Text kMagic = "\x93NUMPY";
/// A longer header was written neither by this code nor by NumPy.
static constexpr size_t kMaxHeader = size_t(1) << 20;
/// NumPy's own limit.
static constexpr size_t kMaxRank = 64;

/// A piece of a file in quotes; other bytes than those of ASCII as `<93>`.
static std::string quote(Text text) {
  constexpr size_t kMost = 30;
  std::string quoted = "'";
  for (unsigned char byte : text.substr(0, kMost))
    if (byte >= ' ' && byte < 0x7f) {
      quoted += char(byte);
    } else {
      constexpr char digits[] = "0123456789ABCDEF";
      quoted += {'<', digits[byte >> 4], digits[byte & 15], '>'};
    }
  return quoted + (text.size() > kMost ? "...'" : "'");
}

static bool startsWith(Text text, Text what) {
  return text.substr(0, what.size()) == what;
}

static bool consume(Text &text, Text what) {
  if (!startsWith(text, what))
    return false;
  text.remove_prefix(what.size());
  return true;
}

static void skipSpaces(Text &text) {
  size_t first = text.find_first_not_of(" \t\n\v\f\r");
  text.remove_prefix(std::min(first, text.size()));
}

/// A decimal number, all of the text.
template <typename Number> static bool parseNumber(Text text, Number &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string mercator::toString(NpyType type) {
  static constexpr char letters[] = {'b', 'i', 'u', 'f', 'c', 'V'};
  char order = type.bytes == 1 || type.kind == NpyKind::Raw ? '|' : '<';
  return std::string{order, letters[size_t(type.kind)]} +
         std::to_string(type.bytes);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  NpyType type;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the header's text, a dictionary as Python writes it:
///   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderParser {
public:
  explicit HeaderParser(Text text) : rest(text) {}

  Fallible<Header> parse();

private:
  using Refusal = std::optional<Failure>;

  Failure wanted(const std::string &what) {
    return Failure("expected " + what + " in the header, got " +
                   (rest.empty() ? "its end" : quote(rest)));
  }
  bool take(Text token) {
    skipSpaces(rest);
    return consume(rest, token);
  }
  /// Whether that comes next.
  bool is(Text token) {
    skipSpaces(rest);
    return startsWith(rest, token);
  }
  std::optional<Text> takeString();
  Refusal parseDescr();
  Refusal parseShape();

  Text rest;
  Header header;
};
} // namespace

std::optional<Text> HeaderParser::takeString() {
  skipSpaces(rest);
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
    return std::nullopt;
  size_t end = rest.find(rest.front(), 1);
  if (end == Text::npos)
    return std::nullopt;
  Text text = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  return text;
}

HeaderParser::Refusal HeaderParser::parseDescr() {
  if (is("["))
    return Failure("expected elements of one simple type, got structures");
  std::optional<Text> descr = takeString();
  if (!descr)
    return wanted("a type in quotes");
  Text word = *descr;
  if (consume(word, ">"))
    header.bigEndian = true;
  else
    (void)(consume(word, "<") || consume(word, "|") || consume(word, "="));
  static constexpr struct {
    char letter;
    NpyKind kind;
    unsigned least, most;
  } kinds[] = {
      {'b', NpyKind::Boolean, 1, 1},     {'i', NpyKind::SignedInt, 1, 8},
      {'u', NpyKind::UnsignedInt, 1, 8}, {'f', NpyKind::Real, 1, 8},
      {'c', NpyKind::Complex, 8, 16},    {'V', NpyKind::Raw, 1, 2}};
  unsigned bytes = 0;
  for (const auto &kind : kinds)
    if (!word.empty() && word.front() == kind.letter &&
        parseNumber(word.substr(1), bytes) && bytes >= kind.least &&
        bytes <= kind.most && (bytes & (bytes - 1)) == 0) {
      header.type = {kind.kind, bytes};
      return std::nullopt;
    }
  return Failure(
      "expected elements of a type b1, i1 to i8, u1 to u8, f1 to f8, "
      "c8, c16, V1 or V2, got " +
      quote(*descr));
}

HeaderParser::Refusal HeaderParser::parseShape() {
  if (!take("("))
    return wanted("a shape in parentheses");
  while (!take(")")) {
    Text digits = rest.substr(
        0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
    if (digits.empty())
      return wanted("an extent");
    int64_t extent = 0;
    if (!parseNumber(digits, extent))
      return Failure("expected extents that fit 64 bits, got " + quote(digits));
    if (header.shape.size() == kMaxRank)
      return Failure("expected at most " + std::to_string(kMaxRank) +
                     " dimensions, got more");
    header.shape.push_back(extent);
    rest.remove_prefix(digits.size());
    (void)consume(rest, "L"); // as Python 2 wrote it
    if (!take(",") && !is(")"))
      return wanted("',' or ')'");
  }
  return std::nullopt;
}

Fallible<Header> HeaderParser::parse() {
  if (!take("{"))
    return wanted("'{'");
  bool hasDescr = false, hasOrder = false, hasShape = false;
  while (!take("}")) {
    std::optional<Text> key = takeString();
    if (!key)
      return wanted("a key in quotes");
    if (!take(":"))
      return wanted("':'");
    bool *seen = *key == "descr"           ? &hasDescr
                 : *key == "fortran_order" ? &hasOrder
                 : *key == "shape"         ? &hasShape
                                           : nullptr;
    if (!seen || *seen)
      return Failure("expected descr, fortran_order and shape in the header, "
                     "each once, got " +
                     quote(*key));
    *seen = true;
    if (*key == "descr") {
      if (Refusal refusal = parseDescr())
        return *refusal;
    } else if (*key == "shape") {
      if (Refusal refusal = parseShape())
        return *refusal;
    } else if (take("True")) {
      header.fortranOrder = true;
    } else if (!take("False")) {
      return wanted("True or False");
    }
    if (!take(",") && !is("}"))
      return wanted("',' or '}'");
  }
  Text after = rest;
  skipSpaces(after);
  if (!after.empty())
    return wanted("nothing after '}'");
  for (auto [has, key] :
       {std::pair(hasDescr, "descr"), std::pair(hasOrder, "fortran_order"),
        std::pair(hasShape, "shape")})
    if (!has)
      return Failure(std::string("expected ") + key +
                     " in the header, got none");
  return header;
}

//===----------------------------------------------------------------------===//
// The elements
//===----------------------------------------------------------------------===//

/// Swaps the bytes of each element; the two parts of a complex number are
/// swapped separately.
static void swapBytes(std::string &elements, NpyType type) {
  size_t size = type.kind == NpyKind::Complex ? type.bytes / 2 : type.bytes;
  for (auto at = elements.begin(); at != elements.end(); at += int64_t(size))
    std::reverse(at, at + int64_t(size));
}

/// Reorders elements from column-major to row-major order.
static std::string toRowMajor(Text elements, unsigned bytes,
                              const std::vector<int64_t> &shape) {
  std::string rows(elements.size(), '\0');
  std::vector<size_t> index(shape.size(), 0), strides(shape.size());
  size_t stride = bytes;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    strides[dim] = stride;
    stride *= size_t(shape[dim]);
  }
  size_t from = 0;
  for (size_t to = 0; to < rows.size(); to += bytes) {
    std::copy_n(elements.data() + from, bytes, rows.data() + to);
    for (size_t dim = shape.size(); dim-- > 0;) {
      from += strides[dim];
      if (++index[dim] < size_t(shape[dim]))
        break;
      from -= strides[dim] * size_t(shape[dim]);
      index[dim] = 0;
    }
  }
  return rows;
}

/// The product of the extents and the size of an element; none if it does not
/// fit 64 bits.
static std::optional<uint64_t> sizeOf(const Header &header) {
  if (std::find(header.shape.begin(), header.shape.end(), 0) !=
      header.shape.end())
    return 0;
  int64_t size = header.type.bytes;
  for (int64_t extent : header.shape)
    if (__builtin_mul_overflow(size, extent, &size))
      return std::nullopt;
  return uint64_t(size);
}

Fallible<NpyArray> mercator::parseNpy(Text bytes) {
  Text rest = bytes;
  if (!consume(rest, kMagic))
    return Failure("expected an .npy file, got " +
                   (bytes.empty() ? "nothing"
                                  : "a file that begins with " +
                                        quote(bytes.substr(0, 6))));
  if (rest.size() < 4)
    return Failure("expected a version and a length after the magic, got the "
                   "end of the file");
  unsigned major = uint8_t(rest[0]), minor = uint8_t(rest[1]);
  if (major < 1 || major > 3 || minor != 0)
    return Failure("expected version 1.0, 2.0 or 3.0, got " +
                   std::to_string(major) + "." + std::to_string(minor));
  rest.remove_prefix(2);
  size_t lengthBytes = major == 1 ? 2 : 4, length = 0;
  if (rest.size() < lengthBytes)
    return Failure(
        "expected the length of the header, got the end of the file");
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t(uint8_t(rest[i])) << 8 * i;
  rest.remove_prefix(lengthBytes);
  if (length > kMaxHeader)
    return Failure("expected a header of at most " +
                   std::to_string(kMaxHeader) + " bytes, got one of " +
                   std::to_string(length));
  if (rest.size() < length)
    return Failure("expected a header of " + std::to_string(length) +
                   " bytes, got only " + std::to_string(rest.size()));
  Fallible<Header> header = HeaderParser(rest.substr(0, length)).parse();
  if (!header)
    return header.takeFailure();
  rest.remove_prefix(length);

  std::optional<uint64_t> size = sizeOf(*header);
  if (!size)
    return Failure("expected a size that fits 64 bits, got more");
  if (rest.size() != *size)
    return Failure("expected " + std::to_string(*size) +
                   " bytes of elements, got " + std::to_string(rest.size()));
  NpyArray array{header->type, header->shape, std::string(rest)};
  if (header->bigEndian)
    swapBytes(array.elements, array.type);
  if (header->fortranOrder && array.shape.size() > 1)
    array.elements = toRowMajor(array.elements, array.type.bytes, array.shape);
  if (array.type.kind == NpyKind::Boolean)
    for (char &element : array.elements)
      element = char(element != 0);
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string mercator::printNpy(const NpyArray &array) {
  std::string header = "{'descr': '" + toString(array.type) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + (array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  // The elements begin at a multiple of 64.
  size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  assert(header.size() <= 0xffff && "expected a rank that numpy can have");
  std::string file(kMagic);
  file.reserve(before + header.size() + array.elements.size());
  file += {'\1', '\0', char(header.size() & 0xff), char(header.size() >> 8)};
  return file + header + array.elements;
}
