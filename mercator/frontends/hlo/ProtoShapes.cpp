// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ParserImpl.h"
#include "mercator/frontends/hlo/Printer.h"
#include "mercator/frontends/hlo/ProtoText.h"
#include "mercator/frontends/hlo/ShapeRules.h"

using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
/// An element type, its number in the proto, and the field of a literal that
/// holds its elements.
struct ElementRow {
  ElementType type;
  int64_t number;
  uint32_t elements;
};

/// The numbers of the shapes that are no arrays.
constexpr int64_t kTupleNumber = 13, kOpaqueNumber = 14, kTokenNumber = 17,
                  kBufferNumber = 34;
} // namespace

static constexpr ElementRow elementRows[] = {
    {ElementType::PRED, 1, 2},
    {ElementType::S1, 30, 30},
    {ElementType::S2, 26, 26},
    {ElementType::S4, 21, 21},
    {ElementType::S8, 2, 15},
    {ElementType::S16, 3, 17},
    {ElementType::S32, 4, 4},
    {ElementType::S64, 5, 5},
    {ElementType::U1, 31, 31},
    {ElementType::U2, 27, 27},
    {ElementType::U4, 22, 22},
    {ElementType::U8, 6, 3},
    {ElementType::U16, 7, 16},
    {ElementType::U32, 8, 6},
    {ElementType::U64, 9, 7},
    {ElementType::F16, 10, 11},
    {ElementType::F32, 11, 8},
    {ElementType::BF16, 16, 13},
    {ElementType::F64, 12, 9},
    {ElementType::F8E5M2, 19, 19},
    {ElementType::F8E4M3, 28, 28},
    {ElementType::F8E4M3FN, 20, 20},
    {ElementType::F8E4M3B11FNUZ, 23, 23},
    {ElementType::F8E3M4, 29, 29},
    {ElementType::F8E5M2FNUZ, 24, 24},
    {ElementType::F8E4M3FNUZ, 25, 25},
    {ElementType::F4E2M1FN, 32, 32},
    {ElementType::F8E8M0FNU, 33, 33},
    {ElementType::C64, 15, 12},
    {ElementType::C128, 18, 18},
};

std::optional<ElementType> ProtoText::readElementType(int64_t value) {
  for (const ElementRow &row : elementRows)
    if (row.number == value)
      return row.type;
  fail("unknown element type " + Twine(value));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static StringRef dimLevel(int64_t value) {
  static constexpr StringRef letters[] = {"D", "C", "S", "H"};
  return value >= 0 && value < 4 ? letters[value] : StringRef("?");
}

const Layout *ProtoText::readLayout(const WireMessage &proto, unsigned depth) {
  Layout *layout = new (scratch.arena().Allocate<Layout>()) Layout;
  layout->minorToMajor = scratch.save(ArrayRef<int64_t>(proto.integers(1)));
  SmallVector<Tile> tiles;
  for (const WireMessage &tile : proto.messages(6))
    tiles.push_back({scratch.save(ArrayRef<int64_t>(tile.integers(1)))});
  layout->tiles = scratch.save(ArrayRef<Tile>(tiles));
  layout->elementSizeInBits = proto.integer(7);
  layout->memorySpace = proto.integer(8);
  // 0 means 1, too.
  layout->tailPaddingAlignment = std::max<int64_t>(proto.integer(16), 1);
  layout->dynamicMetadataPrefix = proto.integer(15);
  if (int64_t type = proto.integer(11))
    layout->indexType = readElementType(type);
  if (int64_t type = proto.integer(12))
    layout->pointerType = readElementType(type);

  std::string levels;
  auto unique = proto.integers(13), ordered = proto.integers(14);
  for (auto [i, level] : llvm::enumerate(proto.integers(9))) {
    levels += i ? "," : "";
    levels += dimLevel(level);
    levels += i < unique.size() && !unique[i] ? "+" : "";
    levels += i < ordered.size() && !ordered[i] ? "~" : "";
  }
  layout->dimLevelTypes = scratch.save(StringRef(levels));
  std::string splits;
  llvm::raw_string_ostream split(splits);
  for (const WireMessage &config : proto.messages(17)) {
    split << '(' << config.integer(1) << ':';
    llvm::interleave(config.integers(2), split, ",");
    split << ')';
  }
  layout->splitConfigs = scratch.save(StringRef(splits));
  if (proto.has(10))
    layout->physicalShape =
        readShape(proto.message(10), /*withLayout=*/true, depth + 1);
  return layout;
}

/// Whether the text of the layout says something: that of a scalar mostly not.
static bool saysSomething(const Layout &layout) {
  return !layout.minorToMajor.empty() || !layout.tiles.empty() ||
         layout.elementSizeInBits || layout.memorySpace ||
         layout.tailPaddingAlignment != 1 || layout.dynamicMetadataPrefix ||
         layout.indexType || layout.pointerType ||
         !layout.dimLevelTypes.empty() || !layout.splitConfigs.empty() ||
         layout.physicalShape;
}

const Shape *ProtoText::readShape(const WireMessage &proto, bool withLayout,
                                  unsigned depth) {
  // The parser's message about the text would come too late for our stack.
  if (depth > kMaxDepth) {
    fail("shapes are nested more than " + Twine(kMaxDepth) + " levels deep");
    return nullptr;
  }
  int64_t type = proto.integer(2);
  if (type == kTupleNumber || type == kBufferNumber) {
    SmallVector<const Shape *> members;
    for (StringRef bytes : proto.texts(4)) {
      const Shape *member =
          readShape(WireMessage(bytes, fault), withLayout, depth + 1);
      if (!member)
        return nullptr;
      members.push_back(member);
    }
    if (type == kBufferNumber && members.size() != 1) {
      fail("expected a buffer of one shape, got " + Twine(members.size()));
      return nullptr;
    }
    const Shape *tuple = makeTuple(scratch, members);
    if (!tuple) {
      fail("a tuple has at most " + Twine(kMaxTupleSize) + " members");
      return nullptr;
    }
    if (type == kTupleNumber)
      return tuple;
    Shape *buffer = new (scratch.arena().Allocate<Shape>()) Shape(*tuple);
    buffer->kind = Shape::Kind::Buffer;
    return buffer;
  }
  if (type == kOpaqueNumber || type == kTokenNumber) {
    Shape *shape = new (scratch.arena().Allocate<Shape>()) Shape;
    shape->kind =
        type == kTokenNumber ? Shape::Kind::Token : Shape::Kind::Opaque;
    return shape;
  }
  std::optional<ElementType> element = readElementType(type);
  if (!element)
    return nullptr;
  SmallVector<int64_t, 8> dims = proto.integers(3);
  SmallVector<bool, 8> dynamic(dims.size(), false);
  SmallVector<int64_t, 8> flags = proto.integers(6);
  if (!flags.empty() && flags.size() != dims.size()) {
    fail("expected " + Twine(dims.size()) +
         " flags of dynamic dimensions, got " + Twine(flags.size()));
    return nullptr;
  }
  for (size_t i = 0; i < flags.size(); ++i)
    dynamic[i] = flags[i] != 0;
  for (auto [dim, isDynamic] : llvm::zip(dims, dynamic)) {
    // XLA writes the lowest number for an unknown extent without a bound.
    if (isDynamic && dim < 0)
      dim = Shape::kUnbounded;
    if (dim < 0 && !isDynamic) {
      fail("expected a dimension of 0 or more, got " + Twine(dim));
      return nullptr;
    }
  }
  const Shape *array = makeArray(scratch, *element, dims, dynamic);
  if (!array) {
    fail("a shape has too many dimensions or elements");
    return nullptr;
  }
  if (!withLayout || !proto.has(5))
    return array;
  const Layout *layout = readLayout(proto.message(5), depth);
  if (!saysSomething(*layout))
    return array;
  Shape *shape = new (scratch.arena().Allocate<Shape>()) Shape(*array);
  shape->layout = layout;
  return shape;
}

void ProtoText::writeShape(const WireMessage &proto, bool withLayout) {
  if (const Shape *shape = readShape(proto, withLayout))
    os << toString(*shape);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Elements of less than a byte are the lowest bits of a byte each, as in a
/// Literal, but for the sign.
static void extendSigns(ElementType type, SmallVectorImpl<char> &bytes) {
  unsigned width = bitWidth(type), mask = (1u << width) - 1;
  for (char &byte : bytes) {
    unsigned value = static_cast<unsigned char>(byte) & mask;
    if (isSignedInteger(type) && value >> (width - 1))
      value |= ~mask;
    byte = char(value);
  }
}

bool ProtoText::readElements(const WireMessage &proto, const Shape &shape,
                             SmallVectorImpl<char> &bytes) {
  ElementType type = shape.elementType;
  const ElementRow *row = llvm::find_if(
      elementRows, [&](const ElementRow &r) { return r.type == type; });
  int64_t count = shape.elementCount();
  unsigned width = byteWidth(type);
  auto wrong = [&](size_t got) {
    return fail("expected " + Twine(count) + " elements of a constant " +
                toString(shape) + ", got " + Twine(got));
  };
  bool isPred = type == ElementType::PRED;
  if (isPred || (isInteger(type) && width >= 4)) {
    SmallVector<int64_t, 8> values = proto.integers(row->elements);
    if (int64_t(values.size()) != count)
      return wrong(values.size());
    for (int64_t value : values)
      for (unsigned i = 0; i < width; ++i)
        bytes.push_back(isPred ? value != 0 : char(uint64_t(value) >> (8 * i)));
    return true;
  }
  std::string data = proto.fixed(row->elements);
  if (data.size() % width != 0 || int64_t(data.size() / width) != count)
    return wrong(data.size() / width);
  bytes.append(data.begin(), data.end());
  if (bitWidth(type) < 8)
    extendSigns(type, bytes);
  return true;
}

/// Moves elements from the order of a layout into row-major order.
static void orderRowMajor(const Shape &shape, SmallVectorImpl<char> &bytes) {
  ArrayRef<int64_t> order = shape.layout->minorToMajor;
  unsigned rank = shape.rank(), width = byteWidth(shape.elementType);
  SmallVector<int64_t, 8> strides(rank, 1); // row-major
  for (unsigned i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * shape.dims[i];
  SmallVector<char> sorted(bytes.size());
  SmallVector<int64_t, 8> at(rank, 0);
  int64_t to = 0;
  for (size_t from = 0; from < bytes.size(); from += width) {
    std::copy_n(bytes.begin() + from, width, sorted.begin() + to * width);
    for (int64_t dim : order) {
      to += strides[dim];
      if (++at[dim] < shape.dims[dim])
        break;
      to -= strides[dim] * shape.dims[dim];
      at[dim] = 0;
    }
  }
  bytes.assign(sorted.begin(), sorted.end());
}

static bool isPermutation(ArrayRef<int64_t> order, unsigned rank) {
  SmallVector<bool, 8> seen(rank, false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen[dim] = true;
  }
  return order.size() == rank;
}

const Literal *ProtoText::readLiteral(const WireMessage &proto,
                                      unsigned depth) {
  if (depth > kMaxDepth) {
    fail("a constant is nested more than " + Twine(kMaxDepth) + " levels deep");
    return nullptr;
  }
  const Shape *shape = readShape(proto.message(1));
  if (!shape)
    return nullptr;
  Literal *literal = new (scratch.arena().Allocate<Literal>()) Literal;
  literal->shape = shape;
  if (shape->isTuple()) {
    SmallVector<const Literal *> members;
    for (StringRef bytes : proto.texts(10)) {
      const Literal *member = readLiteral(WireMessage(bytes, fault), depth + 1);
      if (!member)
        return nullptr;
      members.push_back(member);
    }
    bool fits = members.size() == shape->elements.size();
    for (size_t i = 0; fits && i < members.size(); ++i)
      fits = sameShape(*members[i]->shape, *shape->elements[i]);
    if (!fits) {
      fail("expected a constant of shape " + quote(toString(*shape)));
      return nullptr;
    }
    literal->elements = scratch.save(ArrayRef<const Literal *>(members));
    return literal;
  }
  if (!shape->isArray() || !shape->isStatic()) {
    fail("a constant of shape " + quote(toString(*shape)) +
         " cannot be written");
    return nullptr;
  }
  SmallVector<char> bytes;
  if (!readElements(proto, *shape, bytes))
    return nullptr;
  if (shape->layout && shape->rank() > 1) {
    if (!isPermutation(shape->layout->minorToMajor, shape->rank())) {
      fail("expected a layout that is a permutation of the " +
           Twine(shape->rank()) + " dimensions");
      return nullptr;
    }
    orderRowMajor(*shape, bytes);
  }
  literal->bytes = scratch.save(ArrayRef<char>(bytes));
  return literal;
}
