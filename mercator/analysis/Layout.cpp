// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/Layout.h"

#include "mercator/dialects/hlo/Hlo.h"

#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;
using llvm::StringRef;

std::optional<llvm::SmallVector<Layout::Tile, 2>>
access::parseTiles(StringRef text) {
  llvm::SmallVector<Layout::Tile, 2> tiles;
  if (!text.consume_front("T"))
    return tiles;
  while (text.consume_front("(")) {
    auto [inside, rest] = text.split(')');
    if (rest.data() == nullptr)
      return std::nullopt;
    Layout::Tile &tile = tiles.emplace_back();
    while (!inside.empty()) {
      auto [extent, others] = inside.split(',');
      int64_t number = Layout::kJoined;
      if (extent.trim() != "*" &&
          (extent.trim().getAsInteger(10, number) || number < 1))
        return std::nullopt;
      tile.push_back(number);
      inside = others;
    }
    if (tile.empty() || tile.back() == Layout::kJoined)
      return std::nullopt;
    text = rest;
  }
  return tiles;
}

/// The bits that an element takes in memory; 0 if it has no size.
static int64_t bitsOf(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    return 2 * bitsOf(complex.getElementType());
  if (llvm::isa<mlir::IndexType>(element))
    return 64;
  if (!element.isIntOrFloat())
    return 0;
  int64_t bits = element.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

std::optional<Layout> Layout::of(mlir::Type type) {
  auto tensor = llvm::dyn_cast_if_present<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  Layout layout{.shape = llvm::to_vector<4>(tensor.getShape()),
                .minorToMajor = {},
                .bits = bitsOf(tensor.getElementType())};
  if (layout.bits == 0)
    return std::nullopt;
  if (auto given =
          llvm::dyn_cast_or_null<hlo::LayoutAttr>(tensor.getEncoding())) {
    layout.minorToMajor.assign(given.getMinorToMajor().begin(),
                               given.getMinorToMajor().end());
    if (auto tiles = parseTiles(given.getRest()))
      layout.tiles = std::move(*tiles);
  }
  if (layout.minorToMajor.size() != layout.shape.size()) {
    layout.minorToMajor.clear();
    for (int64_t i = tensor.getRank(); i-- > 0;)
      layout.minorToMajor.push_back(i);
  }
  return layout;
}

namespace {
/// Dimensions as they lie in memory, the slowest first: the extent, and the
/// index if one is asked for.
struct Physical {
  int64_t extent;
  Expr index;
};
} // namespace

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? Interval::kMax : product;
}

/// Cuts the fastest dimensions into tiles. Without an arena, extents only.
static void cut(llvm::SmallVectorImpl<Physical> &dims,
                llvm::ArrayRef<int64_t> tile, Arena *arena) {
  if (tile.size() > dims.size())
    return; // XLA leaves tensors of a lower rank as they are.
  size_t first = dims.size() - tile.size();
  for (size_t i = 0; i + 1 < tile.size(); ++i)
    if (tile[i] == Layout::kJoined) {
      Physical &next = dims[first + i + 1];
      if (arena)
        next.index = arena->add(
            arena->scale(dims[first + i].index, next.extent), next.index);
      next.extent = times(dims[first + i].extent, next.extent);
    }
  llvm::SmallVector<Physical, 8> outer, inner;
  for (size_t i = 0; i < tile.size(); ++i) {
    if (tile[i] == Layout::kJoined)
      continue;
    Physical dim = dims[first + i];
    outer.push_back({int64_t(llvm::divideCeil(dim.extent, tile[i])),
                     arena ? arena->floorDiv(dim.index, tile[i]) : Expr()});
    inner.push_back({tile[i], arena ? arena->mod(dim.index, tile[i]) : Expr()});
  }
  dims.truncate(first);
  dims.append(outer.begin(), outer.end());
  dims.append(inner.begin(), inner.end());
}

Expr Layout::byteOf(Arena &arena, llvm::ArrayRef<Expr> index) const {
  llvm::SmallVector<Physical, 8> dims;
  for (int64_t dim : llvm::reverse(minorToMajor))
    dims.push_back({shape[dim], index[dim]});
  for (const Tile &tile : tiles)
    cut(dims, tile, &arena);
  llvm::SmallVector<Term, 8> terms;
  int64_t stride = 1;
  for (const Physical &dim : llvm::reverse(dims)) {
    terms.push_back({dim.index, stride});
    stride = times(stride, std::max<int64_t>(dim.extent, 1));
  }
  Expr element = arena.sum(terms, 0);
  if (bits % 8 == 0)
    return arena.scale(element, bits / 8);
  return arena.floorDiv(arena.scale(element, bits), 8);
}

int64_t Layout::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count = times(count, extent);
  return count;
}

int64_t Layout::bytes() const {
  llvm::SmallVector<Physical, 8> dims;
  for (int64_t dim : llvm::reverse(minorToMajor))
    dims.push_back({shape[dim], Expr()});
  for (const Tile &tile : tiles)
    cut(dims, tile, nullptr);
  int64_t count = 1;
  for (const Physical &dim : dims)
    count = times(count, dim.extent);
  int64_t all = times(count, bits);
  return all == Interval::kMax ? all : llvm::divideCeil(all, 8);
}
