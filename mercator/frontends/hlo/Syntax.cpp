// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Syntax.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
enum class TypeClass : uint8_t { Pred, Signed, Unsigned, Float, Complex };
struct TypeRow {
  StringRef spelling;
  unsigned bits;
  TypeClass kind;
};
} // namespace

static constexpr TypeRow typeRows[] = {
#define HLO_ELEMENT_TYPE(ENUM, SPELLING, BITS, CLASS)                          \
  {SPELLING, BITS, TypeClass::CLASS},
#include "mercator/frontends/hlo/ElementTypes.def"
};

static const TypeRow &row(ElementType type) { return typeRows[unsigned(type)]; }

StringRef mercator::hlo::spelling(ElementType type) {
  return row(type).spelling;
}
unsigned mercator::hlo::bitWidth(ElementType type) { return row(type).bits; }
unsigned mercator::hlo::byteWidth(ElementType type) {
  return (row(type).bits + 7) / 8;
}
bool mercator::hlo::isSignedInteger(ElementType type) {
  return row(type).kind == TypeClass::Signed;
}
bool mercator::hlo::isUnsignedInteger(ElementType type) {
  return row(type).kind == TypeClass::Unsigned;
}
bool mercator::hlo::isFloat(ElementType type) {
  return row(type).kind == TypeClass::Float;
}
bool mercator::hlo::isComplex(ElementType type) {
  return row(type).kind == TypeClass::Complex;
}
ElementType mercator::hlo::realPart(ElementType type) {
  return type == ElementType::C64    ? ElementType::F32
         : type == ElementType::C128 ? ElementType::F64
                                     : type;
}

std::optional<ElementType>
mercator::hlo::elementTypeFromSpelling(StringRef word) {
  static const llvm::StringMap<ElementType> types = [] {
    llvm::StringMap<ElementType> map;
    for (unsigned i = 0; i < std::size(typeRows); ++i)
      map[typeRows[i].spelling] = ElementType(i);
    return map;
  }();
  auto it = types.find(word);
  if (it == types.end())
    return std::nullopt;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool Shape::isStatic() const {
  return std::none_of(dynamic.begin(), dynamic.end(), [](bool d) { return d; });
}

int64_t Shape::elementCount() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    if (dim == 0)
      return 0;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

static bool sameTiles(ArrayRef<Tile> a, ArrayRef<Tile> b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Tile &x, const Tile &y) { return x.dims == y.dims; });
}

static bool samePhysicalShape(const Shape *a, const Shape *b) {
  return (!a && !b) || (a && b && sameShapeAndLayout(*a, *b));
}

static bool sameLayout(const Layout *a, const Layout *b) {
  if (!a || !b)
    return !a && !b;
  return a->minorToMajor == b->minorToMajor && sameTiles(a->tiles, b->tiles) &&
         a->elementSizeInBits == b->elementSizeInBits &&
         a->memorySpace == b->memorySpace &&
         a->tailPaddingAlignment == b->tailPaddingAlignment &&
         a->dynamicMetadataPrefix == b->dynamicMetadataPrefix &&
         a->indexType == b->indexType && a->pointerType == b->pointerType &&
         a->dimLevelTypes == b->dimLevelTypes &&
         a->splitConfigs == b->splitConfigs &&
         samePhysicalShape(a->physicalShape, b->physicalShape);
}

static bool same(const Shape &a, const Shape &b, bool layouts) {
  if (&a == &b)
    return true;
  if (a.kind != b.kind || a.dims != b.dims || a.treeSize != b.treeSize ||
      a.elements.size() != b.elements.size())
    return false;
  if (a.isArray() && a.elementType != b.elementType)
    return false;
  for (unsigned i = 0; i < a.rank(); ++i)
    if (a.isDynamic(i) != b.isDynamic(i))
      return false;
  if (layouts && !sameLayout(a.layout, b.layout))
    return false;
  for (size_t i = 0; i < a.elements.size(); ++i)
    if (!same(*a.elements[i], *b.elements[i], layouts))
      return false;
  return true;
}

bool mercator::hlo::sameShape(const Shape &a, const Shape &b) {
  return same(a, b, /*layouts=*/false);
}
bool mercator::hlo::sameShapeAndLayout(const Shape &a, const Shape &b) {
  return same(a, b, /*layouts=*/true);
}

//===----------------------------------------------------------------------===//
// Shapes as text
//===----------------------------------------------------------------------===//

static void printShape(const Shape &shape, llvm::raw_ostream &os);

static void printTile(const Tile &tile, llvm::raw_ostream &os) {
  os << '(';
  llvm::interleave(
      tile.dims, os,
      [&](int64_t dim) {
        if (dim == Tile::kCombine)
          os << '*';
        else
          os << dim;
      },
      ",");
  os << ')';
}

static void printLayout(const Layout &layout, llvm::raw_ostream &os) {
  os << '{';
  llvm::interleave(layout.minorToMajor, os, ",");
  std::string rest;
  llvm::raw_string_ostream more(rest);
  if (!layout.dimLevelTypes.empty())
    more << "D(" << layout.dimLevelTypes << ')';
  if (!layout.tiles.empty()) {
    more << 'T';
    for (const Tile &tile : layout.tiles)
      printTile(tile, more);
  }
  if (layout.tailPaddingAlignment != 1)
    more << "L(" << layout.tailPaddingAlignment << ')';
  if (layout.indexType)
    more << "#(" << spelling(*layout.indexType) << ')';
  if (layout.pointerType)
    more << "*(" << spelling(*layout.pointerType) << ')';
  if (layout.elementSizeInBits != 0)
    more << "E(" << layout.elementSizeInBits << ')';
  if (layout.memorySpace != 0)
    more << "S(" << layout.memorySpace << ')';
  if (!layout.splitConfigs.empty())
    more << "SC" << layout.splitConfigs;
  if (layout.physicalShape) {
    more << "P(";
    printShape(*layout.physicalShape, more);
    more << ')';
  }
  if (layout.dynamicMetadataPrefix != 0)
    more << "M(" << layout.dynamicMetadataPrefix << ')';
  if (!rest.empty())
    os << ':' << rest;
  os << '}';
}

static void printDims(const Shape &shape, llvm::raw_ostream &os) {
  os << '[';
  for (unsigned i = 0; i < shape.rank(); ++i) {
    if (i)
      os << ',';
    if (shape.dims[i] == Shape::kUnbounded)
      os << '?';
    else
      os << (shape.isDynamic(i) ? "<=" : "") << shape.dims[i];
  }
  os << ']';
}

static void printShape(const Shape &shape, llvm::raw_ostream &os) {
  switch (shape.kind) {
  case Shape::Kind::Tuple:
    os << '(';
    llvm::interleave(
        shape.elements, os,
        [&](const Shape *member) { printShape(*member, os); }, ", ");
    os << ')';
    return;
  case Shape::Kind::Buffer:
    os << "b(";
    printShape(*shape.elements.front(), os);
    os << ')';
    return;
  case Shape::Kind::Token:
    os << "token[]";
    return;
  case Shape::Kind::Opaque:
    os << "opaque[]";
    return;
  case Shape::Kind::Array:
    break;
  }
  os << spelling(shape.elementType);
  printDims(shape, os);
  if (shape.layout)
    printLayout(*shape.layout, os);
}

std::string mercator::hlo::toString(const Shape &shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printShape(shape, os);
  return text;
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

uint32_t Computation::lookup(StringRef wanted) const {
  for (uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].name == wanted)
      return i;
  return kNone;
}
