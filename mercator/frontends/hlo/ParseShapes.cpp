// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ParserImpl.h"
#include "mercator/frontends/hlo/ShapeInference.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mercator::hlo;

bool ParserImpl::atShape() const {
  if (at(TokenKind::LParen))
    return true;
  if (!at(TokenKind::Word))
    return false;
  StringRef word = text();
  if (word == "token" || word == "opaque" || elementTypeFromSpelling(word))
    return true;
  // `b(f32[4])`; and `f33[4]`, so that an error can name the unknown type.
  Token next = peek();
  return next.is(TokenKind::LBracket) ||
         (word == "b" && next.is(TokenKind::LParen));
}

const Shape *ParserImpl::parseShape(bool layoutAlways) {
  if (depth == kMaxDepth) {
    error(range(), "shapes are nested more than " + Twine(kMaxDepth) + " deep");
    return nullptr;
  }
  if (at(TokenKind::LParen)) {
    ++depth;
    const Shape *shape = parseTupleShape();
    --depth;
    return shape;
  }
  if (!at(TokenKind::Word)) {
    unexpected("a shape such as 'f32[2,3]'");
    return nullptr;
  }

  StringRef word = text();
  if (auto type = elementTypeFromSpelling(word))
    return parseArrayShape(*type, layoutAlways);
  if (word == "token" || word == "opaque") {
    Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
    shape->kind = word == "token" ? Shape::Kind::Token : Shape::Kind::Opaque;
    advance();
    if (eat(TokenKind::LBracket) &&
        !expect(TokenKind::RBracket, "after 'token['"))
      return nullptr;
    return shape;
  }
  if (word == "b" && peek().is(TokenKind::LParen)) {
    advance();
    advance();
    ++depth;
    const Shape *inner = parseShape(/*layoutAlways=*/true);
    --depth;
    if (!inner || !expect(TokenKind::RParen, "after the shape of a buffer"))
      return nullptr;
    Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
    shape->kind = Shape::Kind::Buffer;
    shape->elements = module.save(ArrayRef<const Shape *>(inner));
    shape->treeSize = inner->treeSize + 1;
    shape->depth = inner->depth + 1;
    return shape;
  }
  error(range(), "unknown element type " + quote(word));
  if (auto meant = suggestElementType(word))
    help("write '" + *meant + "'");
  return nullptr;
}

const Shape *ParserImpl::parseTupleShape() {
  Range open = range();
  advance();
  SmallVector<const Shape *> members;
  while (!at(TokenKind::RParen)) {
    if (!members.empty() && !expect(TokenKind::Comma, "between tuple members"))
      return nullptr;
    const Shape *member = parseShape(/*layoutAlways=*/true);
    if (!member)
      return nullptr;
    members.push_back(member);
    if (members.size() >= kMaxTupleSize)
      break;
  }
  const Shape *tuple = makeTuple(module, members);
  if (!tuple) {
    error(open, "this tuple has more than " + Twine(kMaxTupleSize) +
                    " members, nested ones counted");
    return nullptr;
  }
  return expect(TokenKind::RParen, "after a tuple shape") ? tuple : nullptr;
}

const Shape *ParserImpl::parseArrayShape(ElementType type, bool layoutAlways) {
  Range where = range();
  advance();
  Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
  shape->elementType = type;
  if (!expect(TokenKind::LBracket, "after the element type") ||
      !parseDims(*shape, where))
    return nullptr;
  if (!at(TokenKind::LBrace))
    return shape;
  Token next = peek();
  if (layoutAlways && next.is(TokenKind::RBrace) && shape->rank() == 0) {
    advance(); // `f32[]{}` means the same as `f32[]`
    advance();
  } else if (next.is(TokenKind::Integer) || next.is(TokenKind::Colon) ||
             (layoutAlways && next.is(TokenKind::RBrace))) {
    shape->layout = parseLayout(shape->rank());
    if (!shape->layout)
      return nullptr;
  }
  return shape;
}

/// Dimensions up to and including `]`. `where` begins at the element type.
bool ParserImpl::parseDims(Shape &shape, Range where) {
  SmallVector<int64_t, 8> dims;
  SmallVector<bool, 8> dynamic;
  bool anyDynamic = false;
  while (!at(TokenKind::RBracket)) {
    if (!dims.empty() && !expect(TokenKind::Comma, "between dimensions"))
      return false;
    if (dims.size() == kMaxRank)
      return error(range(),
                   "a shape has at most " + Twine(kMaxRank) + " dimensions");
    bool isDynamic = eat(TokenKind::LessEqual);
    int64_t dim = Shape::kUnbounded;
    if (at(TokenKind::Question)) {
      advance();
      isDynamic = true;
    } else {
      Range number = range();
      if (!parseInteger(dim, "a dimension"))
        return false;
      if (dim < 0)
        return error(number,
                     "expected a dimension of 0 or more, got " + Twine(dim));
    }
    dims.push_back(dim);
    dynamic.push_back(isDynamic);
    anyDynamic |= isDynamic;
  }
  where.end = token.end;
  advance();

  const Shape *checked =
      makeArray(module, shape.elementType, dims,
                anyDynamic ? ArrayRef<bool>(dynamic) : ArrayRef<bool>());
  if (!checked)
    return error(where,
                 "the number of elements of this shape does not fit 64 bits");
  shape = *checked;
  return true;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

const Layout *ParserImpl::parseLayout(unsigned rank) {
  Range open = range();
  advance();
  Layout *layout = new (module.arena().Allocate<Layout>()) Layout;
  SmallVector<int64_t, 8> order;
  llvm::SmallBitVector seen(rank);
  while (!at(TokenKind::RBrace) && !at(TokenKind::Colon)) {
    if (!order.empty() && !expect(TokenKind::Comma, "in a layout"))
      return nullptr;
    Range where = range();
    int64_t dim;
    if (!parseInteger(dim, "a dimension number"))
      return nullptr;
    if (dim < 0 || dim >= rank || seen.test(dim)) {
      error(where, "expected a layout that is a permutation of the " +
                       Twine(rank) + " dimensions, got " + Twine(dim) +
                       (dim >= 0 && dim < rank ? " twice" : ""));
      return nullptr;
    }
    seen.set(dim);
    order.push_back(dim);
  }
  if (order.size() != rank) {
    error({open.begin, token.end}, "expected a layout of " + Twine(rank) +
                                       " dimensions, got " +
                                       Twine(order.size()));
    return nullptr;
  }
  layout->minorToMajor = module.save(ArrayRef<int64_t>(order));
  if (eat(TokenKind::Colon))
    while (!at(TokenKind::RBrace))
      if (!parseLayoutProperty(*layout))
        return nullptr;
  return expect(TokenKind::RBrace, "after a layout") ? layout : nullptr;
}

bool ParserImpl::parseParenInteger(int64_t &value) {
  return expect(TokenKind::LParen, "in a layout") &&
         parseInteger(value, "an integer") &&
         expect(TokenKind::RParen, "in a layout");
}

bool ParserImpl::parseParenType(std::optional<ElementType> &type) {
  advance();
  if (!expect(TokenKind::LParen, "in a layout"))
    return false;
  type = elementTypeFromSpelling(at(TokenKind::Word) ? text() : "");
  if (!type)
    return unexpected("an element type");
  advance();
  return expect(TokenKind::RParen, "in a layout");
}

/// One of `T(8,128)(2,1)`, `E(4)`, `S(1)`, `L(8)`, `M(4)`, `#(u32)`, `*(u32)`,
/// `D(D,C)`, `SC(0:2)`, `P(f32[4])`.
bool ParserImpl::parseLayoutProperty(Layout &layout) {
  if (at(TokenKind::Hash))
    return parseParenType(layout.indexType);
  if (at(TokenKind::Star))
    return parseParenType(layout.pointerType);
  StringRef key = at(TokenKind::Word) ? text() : "";
  int64_t *integer = key == "E"   ? &layout.elementSizeInBits
                     : key == "S" ? &layout.memorySpace
                     : key == "L" ? &layout.tailPaddingAlignment
                     : key == "M" ? &layout.dynamicMetadataPrefix
                                  : nullptr;
  if (integer) {
    advance();
    return parseParenInteger(*integer);
  }
  if (key == "T") {
    advance();
    SmallVector<Tile> tiles;
    if (!at(TokenKind::LParen))
      return unexpected("'(' after 'T'");
    while (eat(TokenKind::LParen)) {
      SmallVector<int64_t> dims;
      while (!at(TokenKind::RParen)) {
        if (!dims.empty() && !expect(TokenKind::Comma, "in a tile"))
          return false;
        int64_t dim = Tile::kCombine;
        if (!eat(TokenKind::Star) && !parseInteger(dim, "a tile size"))
          return false;
        dims.push_back(dim);
      }
      advance();
      tiles.push_back({module.save(ArrayRef<int64_t>(dims))});
    }
    layout.tiles = module.save(ArrayRef<Tile>(tiles));
    return true;
  }
  if (key == "P") {
    advance();
    if (!expect(TokenKind::LParen, "in a layout"))
      return false;
    ++depth;
    layout.physicalShape = parseShape(/*layoutAlways=*/true);
    --depth;
    return layout.physicalShape && expect(TokenKind::RParen, "in a layout");
  }
  if (key == "D" || key == "SC") {
    moveTo(token.end);
    Token raw = lexer.lexRaw(token.begin, kMaxDepth);
    // Only the bracket groups after the key: `D(D,C)` and no more.
    uint32_t end = raw.begin;
    while (raw.kind != TokenKind::Error && source.substr(end).starts_with("("))
      end = source.find(')', end) + 1;
    if (end == raw.begin)
      return unexpected("'(' after '" + key + "'");
    StringRef groups = source.slice(raw.begin, end);
    if (key == "D")
      layout.dimLevelTypes = groups.drop_front().drop_back();
    else
      layout.splitConfigs = groups;
    moveTo(end);
    return true;
  }
  return unexpected("a layout property: T, E, S, L, M, D, SC, P, '#' or '*'");
}

//===----------------------------------------------------------------------===//
// Construction of shapes
//===----------------------------------------------------------------------===//

const Shape *mercator::hlo::makeArray(Module &module, ElementType type,
                                      ArrayRef<int64_t> dims,
                                      ArrayRef<bool> dynamic) {
  if (dims.size() > kMaxRank)
    return nullptr;
  int64_t count = 1;
  bool overflow = false, empty = false;
  for (int64_t dim : dims) {
    empty |= dim == 0;
    if (dim != Shape::kUnbounded)
      overflow |= llvm::MulOverflow(count, dim, count);
  }
  if (overflow && !empty)
    return nullptr;
  Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
  shape->elementType = type;
  shape->dims = module.save(dims);
  if (llvm::is_contained(dynamic, true))
    shape->dynamic = module.save(dynamic);
  return shape;
}

const Shape *mercator::hlo::makeTuple(Module &module,
                                      ArrayRef<const Shape *> members) {
  uint64_t size = 1;
  uint32_t depth = 0;
  for (const Shape *member : members) {
    size += member->treeSize;
    depth = std::max(depth, member->depth);
  }
  if (size > kMaxTupleSize || depth >= kMaxDepth)
    return nullptr;
  Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
  shape->kind = Shape::Kind::Tuple;
  shape->elements = module.save(members);
  shape->treeSize = size;
  shape->depth = depth + 1;
  return shape;
}
