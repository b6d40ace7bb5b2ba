// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Npy.h"

#include "mercator/support/Diagnostic.h"
#include "mercator/support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <optional>

using namespace mercator;
using llvm::StringRef;

static constexpr StringRef kMagic = "\x93NUMPY";
/// A longer header was written neither by this code nor by NumPy.
static constexpr size_t kMaxHeader = size_t(1) << 20;
/// NumPy's own limit.
static constexpr size_t kMaxRank = 64;

static llvm::Error refuse(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

std::string mercator::toString(NpyType type) {
  static constexpr char letters[] = {'b', 'i', 'u', 'f', 'c', 'V'};
  char order = type.bytes == 1 || type.kind == NpyKind::raw ? '|' : '<';
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
  llvm::SmallVector<int64_t, 6> shape;
};

/// Reads the header's text, a dictionary as Python writes it:
///   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  llvm::Expected<Header> parse();

private:
  llvm::Error wanted(StringRef what) {
    return refuse("expected " + what + " in the header, got " +
                  (rest.empty() ? "its end" : quote(rest, 30)));
  }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  std::optional<StringRef> takeString();
  llvm::Error parseDescr();
  llvm::Error parseShape();

  StringRef rest;
  Header header;
};
} // namespace

std::optional<StringRef> HeaderParser::takeString() {
  rest = rest.ltrim();
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
    return std::nullopt;
  size_t end = rest.find(rest.front(), 1);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef text = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return text;
}

llvm::Error HeaderParser::parseDescr() {
  rest = rest.ltrim();
  if (rest.starts_with("["))
    return refuse("expected elements of one simple type, got structures");
  std::optional<StringRef> descr = takeString();
  if (!descr)
    return wanted("a type in quotes");
  StringRef word = *descr;
  if (word.consume_front(">"))
    header.bigEndian = true;
  else
    (void)(word.consume_front("<") || word.consume_front("|") ||
           word.consume_front("="));
  static constexpr struct {
    char letter;
    NpyKind kind;
    unsigned least, most;
  } kinds[] = {
      {'b', NpyKind::boolean, 1, 1},     {'i', NpyKind::signedInt, 1, 8},
      {'u', NpyKind::unsignedInt, 1, 8}, {'f', NpyKind::real, 1, 8},
      {'c', NpyKind::complex, 8, 16},    {'V', NpyKind::raw, 1, 2}};
  if (!word.empty()) {
    unsigned bytes = 0;
    for (const auto &kind : kinds)
      if (word.front() == kind.letter &&
          !word.drop_front().getAsInteger(10, bytes) && bytes >= kind.least &&
          bytes <= kind.most && llvm::isPowerOf2_32(bytes)) {
        header.type = {kind.kind, bytes};
        return llvm::Error::success();
      }
  }
  return refuse("expected elements of a type b1, i1 to i8, u1 to u8, f1 to f8, "
                "c8, c16, V1 or V2, got " +
                quote(*descr));
}

llvm::Error HeaderParser::parseShape() {
  if (!take("("))
    return wanted("a shape in parentheses");
  while (!take(")")) {
    rest = rest.ltrim();
    StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty())
      return wanted("an extent");
    int64_t extent = 0;
    if (digits.getAsInteger(10, extent))
      return refuse("expected extents that fit 64 bits, got " + quote(digits));
    if (header.shape.size() == kMaxRank)
      return refuse("expected at most " + llvm::Twine(kMaxRank) +
                    " dimensions, got more");
    header.shape.push_back(extent);
    rest = rest.drop_front(digits.size());
    (void)rest.consume_front("L"); // as Python 2 wrote it
    if (!take(",") && !rest.ltrim().starts_with(")"))
      return wanted("',' or ')'");
  }
  return llvm::Error::success();
}

llvm::Expected<Header> HeaderParser::parse() {
  if (!take("{"))
    return wanted("'{'");
  bool hasDescr = false, hasOrder = false, hasShape = false;
  while (!take("}")) {
    std::optional<StringRef> key = takeString();
    if (!key)
      return wanted("a key in quotes");
    if (!take(":"))
      return wanted("':'");
    bool *seen = *key == "descr"           ? &hasDescr
                 : *key == "fortran_order" ? &hasOrder
                 : *key == "shape"         ? &hasShape
                                           : nullptr;
    if (!seen || *seen)
      return refuse("expected descr, fortran_order and shape in the header, "
                    "each once, got " +
                    quote(*key));
    *seen = true;
    if (*key == "descr") {
      if (llvm::Error error = parseDescr())
        return error;
    } else if (*key == "shape") {
      if (llvm::Error error = parseShape())
        return error;
    } else if (take("True")) {
      header.fortranOrder = true;
    } else if (!take("False")) {
      return wanted("True or False");
    }
    if (!take(",") && !rest.ltrim().starts_with("}"))
      return wanted("',' or '}'");
  }
  if (!rest.trim().empty())
    return wanted("nothing after '}'");
  for (auto [has, key] :
       {std::pair(hasDescr, "descr"), std::pair(hasOrder, "fortran_order"),
        std::pair(hasShape, "shape")})
    if (!has)
      return refuse(llvm::Twine("expected ") + key +
                    " in the header, got none");
  return header;
}

//===----------------------------------------------------------------------===//
// The elements
//===----------------------------------------------------------------------===//

/// Swaps the bytes of each element; the two parts of a complex number are
/// swapped separately.
static void swapBytes(std::string &elements, NpyType type) {
  size_t size = type.kind == NpyKind::complex ? type.bytes / 2 : type.bytes;
  for (size_t at = 0; at < elements.size(); at += size)
    std::reverse(elements.begin() + at, elements.begin() + at + size);
}

/// Reorders elements from column-major to row-major order.
static std::string toRowMajor(StringRef elements, unsigned bytes,
                              llvm::ArrayRef<int64_t> shape) {
  std::string rows(elements.size(), '\0');
  llvm::SmallVector<size_t, 6> index(shape.size(), 0), strides(shape.size());
  size_t stride = bytes;
  for (auto [extent, step] : llvm::zip(shape, strides)) {
    step = stride;
    stride *= extent;
  }
  size_t from = 0;
  for (size_t to = 0; to < rows.size(); to += bytes) {
    std::copy_n(elements.begin() + from, bytes, rows.begin() + to);
    for (size_t dim = shape.size(); dim-- > 0;) {
      from += strides[dim];
      if (++index[dim] < size_t(shape[dim]))
        break;
      from -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
  return rows;
}

llvm::Expected<NpyArray> mercator::parseNpy(StringRef bytes) {
  StringRef rest = bytes;
  if (!rest.consume_front(kMagic))
    return refuse("expected an .npy file, got " +
                  (bytes.empty() ? "nothing"
                                 : "a file that begins with " +
                                       quote(bytes.take_front(6))));
  if (rest.size() < 4)
    return refuse("expected a version and a length after the magic, got the "
                  "end of the file");
  unsigned major = uint8_t(rest[0]), minor = uint8_t(rest[1]);
  if (major < 1 || major > 3 || minor != 0)
    return refuse("expected version 1.0, 2.0 or 3.0, got " +
                  llvm::Twine(major) + "." + llvm::Twine(minor));
  rest = rest.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return refuse("expected the length of the header, got the end of the file");
  size_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                             : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (length > kMaxHeader)
    return refuse("expected a header of at most " + llvm::Twine(kMaxHeader) +
                  " bytes, got one of " + llvm::Twine(length));
  if (rest.size() < length)
    return refuse("expected a header of " + llvm::Twine(length) +
                  " bytes, got only " + llvm::Twine(rest.size()));
  llvm::Expected<Header> header = HeaderParser(rest.take_front(length)).parse();
  if (!header)
    return header.takeError();
  rest = rest.drop_front(length);

  std::optional<int64_t> size = header->type.bytes;
  for (int64_t extent : header->shape)
    if (size)
      size = llvm::checkedMul(*size, extent);
  if (llvm::is_contained(header->shape, 0))
    size = 0;
  if (!size)
    return refuse("expected a size that fits 64 bits, got more");
  if (rest.size() != size_t(*size))
    return refuse("expected " + llvm::Twine(*size) +
                  " bytes of elements, got " + llvm::Twine(rest.size()));
  NpyArray array{header->type, header->shape, rest.str()};
  if (header->bigEndian)
    swapBytes(array.elements, array.type);
  if (header->fortranOrder && array.shape.size() > 1)
    array.elements = toRowMajor(array.elements, array.type.bytes, array.shape);
  if (array.type.kind == NpyKind::boolean)
    for (char &element : array.elements)
      element = element != 0;
  return array;
}

llvm::Expected<NpyArray> mercator::readNpy(StringRef path) {
  llvm::Expected<std::string> bytes = readFile(path, kMaxNpyBytes);
  if (!bytes)
    return bytes.takeError();
  llvm::Expected<NpyArray> array = parseNpy(*bytes);
  if (!array)
    return refuse("cannot read " + quote(path, 400) + ": " +
                  llvm::toString(array.takeError()));
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void mercator::printNpy(llvm::raw_ostream &os, const NpyArray &array) {
  std::string header;
  llvm::raw_string_ostream text(header);
  text << "{'descr': '" << toString(array.type)
       << "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    text << extent << (array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1)
    header.resize(header.size() - 2);
  text << "), }";
  // The elements begin at a multiple of 64.
  size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  assert(header.size() <= 0xffff && "expected a rank that numpy can have");
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  os << kMagic << '\1' << '\0' << StringRef(length, 2) << header
     << array.elements;
}

llvm::Error mercator::writeNpy(StringRef path, const NpyArray &array) {
  return writeFile(path, [&](llvm::raw_ostream &os) { printNpy(os, array); });
}
