// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Windows, labels, slices, padding
//===----------------------------------------------------------------------===//

static bool splitIntegers(StringRef text, char separator,
                          SmallVectorImpl<int64_t> &values) {
  SmallVector<StringRef> parts;
  text.split(parts, separator);
  for (StringRef part : parts) {
    int64_t value;
    if (part.getAsInteger(10, value))
      return false;
    values.push_back(value);
  }
  return true;
}

namespace {
/// A key of a window and the destination of its values.
struct WindowKey {
  StringRef name;
  unsigned parts; // values for each dimension: 2 for pad
  void (*set)(WindowDim &dim, ArrayRef<int64_t> values);
};
} // namespace

static constexpr WindowKey windowKeys[] = {
    {"size", 1, [](WindowDim &d, ArrayRef<int64_t> v) { d.size = v[0]; }},
    {"stride", 1, [](WindowDim &d, ArrayRef<int64_t> v) { d.stride = v[0]; }},
    {"pad", 2,
     [](WindowDim &d, ArrayRef<int64_t> v) {
       d.padLow = v[0], d.padHigh = v[1];
     }},
    {"lhs_dilate", 1,
     [](WindowDim &d, ArrayRef<int64_t> v) { d.baseDilation = v[0]; }},
    {"rhs_dilate", 1,
     [](WindowDim &d, ArrayRef<int64_t> v) { d.windowDilation = v[0]; }},
    {"rhs_reversal", 1,
     [](WindowDim &d, ArrayRef<int64_t> v) { d.reversed = v[0] != 0; }},
};

/// `{size=3x3 stride=2x2 pad=1_1x1_1 ..}`. The first key determines the rank.
bool ParserImpl::parseWindow(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before a window"))
    return false;
  SmallVector<WindowDim> dims;
  bool any = false;
  unsigned seen = 0;
  while (!at(TokenKind::RBrace)) {
    if (eat(TokenKind::Comma))
      continue;
    if (!at(TokenKind::Word))
      return unexpected("a key of the window");
    const WindowKey *key = llvm::find_if(
        windowKeys, [&](const WindowKey &k) { return k.name == text(); });
    if (key == std::end(windowKeys)) {
      error(range(), "unknown key " + quote(text()) + " of a window");
      help("the keys are size, stride, pad, lhs_dilate, rhs_dilate, "
           "rhs_reversal");
      return false;
    }
    unsigned bit = 1u << (key - windowKeys);
    if (seen & bit)
      return error(range(), quote(text()) + " is written twice");
    seen |= bit;
    advance();
    if (!at(TokenKind::Equal))
      return unexpected("'=' after a key of the window");
    Token value = lexer.lex(token.end);
    value = lexer.lexPattern(value.begin);
    Range where{value.begin, std::max(value.end, value.begin + 1)};
    SmallVector<StringRef> parts;
    lexer.spelling(value).split(parts, 'x');
    if (!any)
      dims.resize(parts.size());
    any = true;
    if (parts.size() > kMaxRank)
      return error(where,
                   "a window has at most " + Twine(kMaxRank) + " dimensions");
    if (parts.size() != dims.size())
      return error(where, "expected " + Twine(dims.size()) + " values for " +
                              quote(key->name) +
                              ", one for each dimension, got " +
                              Twine(parts.size()));
    for (auto [part, dim] : llvm::zip(parts, dims)) {
      SmallVector<int64_t, 2> values;
      if (!splitIntegers(part, '_', values) || values.size() != key->parts)
        return error(where, "expected a value such as " +
                                Twine(key->parts == 2 ? "'1_1x0_0'" : "'3x3'") +
                                " for " + quote(key->name));
      key->set(dim, values);
    }
    moveTo(value.end);
  }
  advance();
  attribute.setList(AttrKind::Window, module.save(ArrayRef<WindowDim>(dims)));
  return true;
}

/// One side of dimension labels: `b01f`. `first` and `second` are its letters.
static bool parseSide(StringRef labels, char first, char second, Module &module,
                      ConvLabels::Side &side) {
  SmallVector<int64_t> spatial;
  bool hasFirst = false, hasSecond = false;
  for (auto [position, label] : llvm::enumerate(labels)) {
    if (label == '?')
      continue; // a dimension without a role
    if (label == first && !hasFirst) {
      hasFirst = true;
      side.batch = position;
    } else if (label == second && !hasSecond) {
      hasSecond = true;
      side.feature = position;
    } else if (llvm::isDigit(label)) {
      size_t index = label - '0';
      if (spatial.size() <= index)
        spatial.resize(index + 1, -1);
      if (spatial[index] >= 0)
        return false;
      spatial[index] = position;
    } else {
      return false;
    }
  }
  side.spatial = module.save(ArrayRef<int64_t>(spatial));
  side.rank = labels.size();
  return hasFirst && hasSecond && !llvm::is_contained(spatial, -1);
}

bool ParserImpl::parseDimLabels(Attribute &attribute) {
  Token value = lexer.lexPattern(token.begin);
  Range where{value.begin, std::max(value.end, value.begin + 1)};
  auto [lhs, rest] = lexer.spelling(value).split('_');
  auto [rhs, result] = rest.split("->");
  ConvLabels labels;
  if (!parseSide(lhs, 'b', 'f', module, labels.lhs) ||
      !parseSide(rhs, 'o', 'i', module, labels.rhs) ||
      !parseSide(result, 'b', 'f', module, labels.result) ||
      labels.lhs.spatial.size() != labels.rhs.spatial.size() ||
      labels.lhs.spatial.size() != labels.result.spatial.size()) {
    error(where,
          "expected dimension labels, each letter and digit once on each "
          "side, got " +
              quote(lexer.spelling(value)));
    help("write for example 'dim_labels=b01f_01io->b01f'");
    return false;
  }
  attribute.setList(AttrKind::ConvLabels,
                    module.save(ArrayRef<ConvLabels>(labels)));
  moveTo(value.end);
  return true;
}

/// `{[0:4], [1:9:2]}`
bool ParserImpl::parseSlices(Attribute &attribute) {
  if (!expect(TokenKind::LBrace, "before slices"))
    return false;
  SmallVector<SliceDim> dims;
  while (!at(TokenKind::RBrace)) {
    SliceDim dim;
    if ((!dims.empty() && !expect(TokenKind::Comma, "between slices")) ||
        !expect(TokenKind::LBracket, "before a slice") ||
        !parseInteger(dim.start, "the start of a slice") ||
        !expect(TokenKind::Colon, "after the start of a slice") ||
        !parseInteger(dim.limit, "the limit of a slice") ||
        (eat(TokenKind::Colon) && !parseInteger(dim.stride, "a stride")) ||
        !expect(TokenKind::RBracket, "after a slice"))
      return false;
    dims.push_back(dim);
  }
  advance();
  attribute.setList(AttrKind::Slices, module.save(ArrayRef<SliceDim>(dims)));
  return true;
}

/// `1_4_1x4_8`: low, high and optionally interior padding of each dimension.
/// The padding of a scalar is empty.
bool ParserImpl::parsePadding(Attribute &attribute) {
  SmallVector<PadDim> dims;
  // `=` was the last token, so an empty value ends where it begins.
  Token value = lexer.lexPattern(token.begin);
  StringRef spelled = lexer.spelling(value);
  Range where{value.begin, std::max(value.end, value.begin + 1)};
  bool empty = at(TokenKind::Comma) ||
               source.slice(previousEnd, token.begin).contains('\n') ||
               at(TokenKind::Eof) || at(TokenKind::RBrace);
  if (!empty) {
    SmallVector<StringRef> parts;
    spelled.split(parts, 'x');
    if (parts.size() > kMaxRank)
      return error(where,
                   "padding has at most " + Twine(kMaxRank) + " dimensions");
    for (StringRef part : parts) {
      SmallVector<int64_t, 3> values;
      if (!splitIntegers(part, '_', values) ||
          (values.size() != 2 && values.size() != 3)) {
        error(where,
              "expected padding as low_high or low_high_interior of each "
              "dimension, got " +
                  quote(spelled));
        help("write for example 'padding=1_4_1x4_8'");
        return false;
      }
      dims.push_back(
          {values[0], values[1], values.size() == 3 ? values[2] : 0});
    }
    moveTo(value.end);
  }
  attribute.setList(AttrKind::Padding, module.save(ArrayRef<PadDim>(dims)));
  return true;
}
