// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XLA's own cases of symbolic tiles and of coalescing, as far as the shared
// folder has them (xla-cases/extra.json). A tile is compared as a set of
// elements, for sizes that XLA's constraints allow. Where XLA gives no tile, ours
// is printed with its proof, and checked by enumeration.

#include "Snippet.h"

#include "mercator/analysis/tiles/Tile.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Access.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <random>
#include <set>

using namespace mercator;
using namespace mercator::e2e;
using namespace mercator::indexing;
using namespace mercator::tiles;
using llvm::StringRef;

namespace {

llvm::json::Array readCases() {
  std::optional<std::string> folder = sharedData();
  if (!folder)
    return {};
  auto buffer =
      llvm::MemoryBuffer::getFile(*folder + "/data/xla-cases/extra.json");
  if (!buffer)
    return {};
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  EXPECT_TRUE(bool(parsed));
  return *parsed->getAsArray();
}

std::string field(const llvm::json::Object &object, StringRef name) {
  return object.getString(name).value_or("").str();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// XLA's tile of one case: maps from the sizes to offsets, sizes and strides.
struct XlaTile {
  std::optional<Map> offsets, sizes, strides;
  std::string constraints;
};

/// The part of `text` between two words.
StringRef between(StringRef text, StringRef begin, StringRef end) {
  size_t from = text.find(begin);
  if (from == StringRef::npos)
    return "";
  StringRef rest = text.substr(from + begin.size());
  return rest.take_front(rest.find(end)).trim();
}

XlaTile parseTile(Arena &arena, StringRef text) {
  XlaTile tile;
  auto map = [&](StringRef from, StringRef to) {
    std::string formula = between(text, from, to).str();
    ParseError error;
    auto map = parseMap(arena, formula, error);
    EXPECT_TRUE(map) << formula << ": " << error.message;
    return map;
  };
  tile.offsets = map("offset_map:", "size_map:");
  tile.sizes = map("size_map:", "stride_map:");
  StringRef rest = text.substr(text.find("stride_map:"));
  StringRef end = rest.contains("constraints:") ? "constraints:"
                  : rest.contains("rt_vars:")   ? "rt_vars:"
                                                : "\n";
  tile.strides = map("stride_map:", end);
  tile.constraints = between(text, "constraints:", "\n").str();
  return tile;
}

int64_t valueOf(const Map &map, unsigned result, std::vector<int64_t> sizes) {
  sizes.resize(map.numDims() + map.domain.ranges.size() +
               map.domain.runtimes.size()); // runtime variables are 0
  return evaluate(*map.arena, map.results[result], map.domain, sizes)
      .value_or(INT64_MIN);
}

/// `6 mod d0 in [0, 0]` and `d0 in [1, 1]`.
bool holds(Arena &arena, StringRef atom, const Map &map,
           const std::vector<int64_t> &sizes) {
  auto [left, right] = atom.rsplit(" in [");
  int64_t lower = 0, upper = 0, number = 0, dim = 0;
  EXPECT_FALSE(right.split(',').first.trim().getAsInteger(10, lower));
  EXPECT_FALSE(right.split(',').second.trim(" ]").getAsInteger(10, upper));
  auto [first, second] = left.trim().split(" mod d");
  int64_t value = 0;
  if (!first.getAsInteger(10, number) && !second.getAsInteger(10, dim)) {
    value = number % sizes[dim];
  } else {
    ParseError error;
    auto e = parseExpr(arena, left.trim(), map.domain, error);
    EXPECT_TRUE(e) << left.str();
    value = e ? evaluate(arena, *e, map.domain, sizes).value_or(INT64_MIN) : 0;
  }
  return lower <= value && value <= upper;
}

bool allows(Arena &arena, const XlaTile &tile,
            const std::vector<int64_t> &sizes) {
  if (tile.constraints.empty())
    return true;
  llvm::SmallVector<StringRef> terms;
  StringRef(tile.constraints).split(terms, "||");
  return llvm::any_of(terms, [&](StringRef term) {
    llvm::SmallVector<StringRef> atoms;
    term.split(atoms, "&&");
    return llvm::all_of(atoms, [&](StringRef atom) {
      return holds(arena, atom, *tile.sizes, sizes);
    });
  });
}

/// The indices of a dimension of our box, with the tile at the origin.
std::set<int64_t> indicesOf(const BoxDim &dim, Arena &arena, size_t rank) {
  Domain names;
  for (size_t i = 0; i < rank; ++i)
    (void)names.addParameter(arena, "p" + std::to_string(i), {});
  for (int i = 0; i < 2; ++i)
    (void)names.addParameter(arena, "rt" + std::to_string(i), {});
  ParseError error;
  auto offset = parseExpr(arena, dim.offset, names, error);
  EXPECT_TRUE(offset) << dim.offset;
  int64_t first =
      evaluate(arena, *offset, names, std::vector<int64_t>(rank + 2))
          .value_or(INT64_MIN);
  std::set<int64_t> indices;
  for (int64_t k = 0; k < dim.size; ++k)
    indices.insert(first + k * dim.stride);
  return indices;
}

std::string boxText(const OperandTile &tile) {
  std::string text;
  for (const BoxDim &dim : tile.dims)
    text += (text.empty() ? "[" : ", ") + dim.offset + ":+" +
            std::to_string((dim.size - 1) * dim.stride + 1) +
            (dim.stride == 1 ? "" : ":" + std::to_string(dim.stride));
  return text + "]";
}

/// What a tile at the origin reads.
std::set<std::vector<int64_t>> readAtOrigin(const Map &map,
                                            const std::vector<int64_t> &sizes) {
  std::set<std::vector<int64_t>> elements;
  std::vector<int64_t> extents = sizes, lower(sizes.size());
  for (const Variable &v : map.domain.ranges) {
    extents.push_back(*v.bounds.size());
    lower.push_back(v.bounds.lower);
  }
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  for (int64_t number = 0; number < points; ++number) {
    std::vector<int64_t> point = lower;
    int64_t rest = number;
    for (size_t i = 0; i < extents.size(); ++i) {
      point[i] += rest % extents[i];
      rest /= extents[i];
    }
    if (!contains(*map.arena, map.domain, point))
      continue;
    std::vector<int64_t> element;
    for (Expr e : map.results)
      element.push_back(*evaluate(*map.arena, e, map.domain, point));
    elements.insert(std::move(element));
  }
  return elements;
}

/// The map of a case: given, or of an operand of the root.
std::optional<Map> mapOf(const llvm::json::Object &given,
                         std::shared_ptr<Arena> &arena) {
  if (given.getString("map")) {
    arena = std::make_shared<Arena>();
    ParseError error;
    return parseMap(*arena, field(given, "map"), error);
  }
  SourceBuffer source("case.hlo", field(given, "hlo"));
  DiagnosticEngine diagnostics(llvm::errs());
  auto compilation = Compilation::load(source, diagnostics);
  if (!compilation)
    return std::nullopt;
  std::optional<Map> found;
  int64_t operand = given.getInteger("operand").value_or(0);
  (void)compilation->map({}, [&](const MapRecord &record) {
    // The entry comes first, and the root is its last instruction.
    if (record.computation != "e")
      return;
    for (const MapTarget &target : record.to)
      if (target.number == operand && !target.maps.empty()) {
        arena = record.arena;
        found = target.maps[0].map;
      }
  });
  return found;
}

std::vector<TileDim> tileOfSizes(const std::vector<int64_t> &sizes) {
  std::vector<TileDim> tile;
  for (int64_t size : sizes)
    tile.push_back({.size = size});
  return tile;
}

/// The elements of our tile and of XLA's, for 100 sizes that XLA allows.
void compare(const std::string &name, Arena &arena, const Map &map,
             const XlaTile &xla) {
  std::mt19937_64 random(1);
  int allowed = 0, others = 0;
  for (int i = 0; i < 5'000 && allowed < 100; ++i) {
    std::vector<int64_t> sizes;
    for (const Variable &dim : map.domain.dims) {
      int64_t extent =
          *dim.bounds.size() + std::max<int64_t>(0, dim.bounds.lower);
      int64_t most = random() % 4 == 0 ? extent : std::min<int64_t>(extent, 48);
      sizes.push_back(1 + int64_t(random() % uint64_t(most)));
    }
    if (!allows(arena, xla, sizes))
      continue;
    ++allowed;
    OperandTile ours = tileOf(map, tileOfSizes(sizes));
    std::string said = name + ", sizes";
    for (int64_t size : sizes)
      said += " " + std::to_string(size);
    said += ": " + boxText(ours);
    ASSERT_TRUE(ours.isBox.value) << said << ": " << ours.isBox.why.reason;
    std::vector<std::set<int64_t>> mine, theirs;
    for (auto [k, dim] : llvm::enumerate(ours.dims)) {
      mine.push_back(indicesOf(dim, arena, sizes.size()));
      int64_t size = valueOf(*xla.sizes, k, sizes),
              offset = valueOf(*xla.offsets, k, sizes),
              stride = valueOf(*xla.strides, k, sizes);
      theirs.emplace_back();
      for (int64_t j = 0; j < size; ++j)
        theirs.back().insert(offset + j * stride);
    }
    if (mine == theirs)
      continue;
    // A tile as large as the result is cut to it, and XLA has no sign of strides
    // in a sum of several dimensions: what is read decides.
    std::set<std::vector<int64_t>> read = readAtOrigin(map, sizes);
    if (ours.mask.empty())
      ASSERT_EQ(int64_t(read.size()), ours.boxElements) << said;
    for (const std::vector<int64_t> &element : read)
      for (auto [k, index] : llvm::enumerate(element))
        ASSERT_TRUE(mine[k].count(index)) << said << ", dimension " << k;
    ++others;
  }
  if (others > 0)
    llvm::outs() << name << ": of " << allowed << " sizes, XLA's box of "
                 << others << " is not what is read; ours is\n";
  EXPECT_GT(allowed, 0) << name;
}

TEST(XlaUses, SymbolicTiles) {
  llvm::json::Array cases = readCases();
  if (cases.empty())
    GTEST_SKIP() << "the shared folder is absent";
  int compared = 0, more = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &given = *value.getAsObject();
    if (field(given, "kind") != "symbolic_tile")
      continue;
    std::shared_ptr<Arena> arena;
    std::optional<Map> map = mapOf(given, arena);
    std::string name = field(given, "name");
    ASSERT_TRUE(map) << name;
    if (given.getString("expected")) {
      ++compared;
      compare(name, *arena, *map, parseTile(*arena, field(given, "expected")));
      continue;
    }
    // XLA has no tile.
    std::vector<int64_t> sizes;
    for (const Variable &dim : map->domain.dims)
      sizes.push_back(std::min<int64_t>(4, *dim.bounds.size()));
    OperandTile ours = tileOf(*map, tileOfSizes(sizes));
    llvm::outs() << name << ": XLA has no tile; ours is " << boxText(ours);
    if (ours.isBox.value)
      llvm::outs() << ", " << nameOf(ours.isBox.why.exactness)
                   << ": all of its " << ours.elements.value
                   << " elements are read";
    else
      llvm::outs() << ", around: " << ours.isBox.why.reason;
    for (const std::string &entry : ours.mask)
      llvm::outs() << ", where " << entry;
    llvm::outs() << '\n';
    int64_t read = int64_t(readAtOrigin(*map, sizes).size());
    EXPECT_LE(read, ours.boxElements) << name;
    if (ours.isBox.value && ours.mask.empty())
      EXPECT_EQ(read, ours.boxElements) << name;
    ++more;
  }
  EXPECT_EQ(compared, 12);
  EXPECT_EQ(more, 2);
}

//===----------------------------------------------------------------------===//
// Coalescing
//===----------------------------------------------------------------------===//

/// XLA's answer for each operand is one bool. Ours is the traffic: an access is
/// as good as coalesced if it fetches less than twice what is used, or if staging
/// a tile without bank conflicts makes it so.
bool isGood(const MemoryAccess &access) {
  if (!access.traffic)
    return access.unknown.empty();
  return access.traffic->factor() < 2 || access.traffic->isUniform ||
         (access.traffic->staged && access.traffic->staged->paddedPasses ==
                                        access.traffic->staged->leastPasses);
}

TEST(XlaUses, Coalescing) {
  llvm::json::Array cases = readCases();
  if (cases.empty())
    GTEST_SKIP() << "the shared folder is absent";
  int same = 0;
  for (const llvm::json::Value &value : cases) {
    const llvm::json::Object &given = *value.getAsObject();
    const llvm::json::Array *expected = given.getArray("expected_per_operand");
    if (field(given, "kind") != "coalescing" || !expected)
      continue;
    std::string name = field(given, "name");
    SourceBuffer source("case.hlo", field(given, "hlo"));
    DiagnosticEngine diagnostics(llvm::errs());
    auto compilation = Compilation::load(source, diagnostics);
    ASSERT_TRUE(compilation) << name;
    AccessQuery query;
    query.memory = *findDevice("h100");
    query.maps.select.operation = "fusion";
    (void)compilation->access(query, [&](const InstructionAccess &i) {
      for (auto [k, operand] : llvm::enumerate(i.operands)) {
        bool ours = llvm::all_of(operand.accesses, isGood),
             theirs = k < expected->size() &&
                      (*expected)[k].getAsBoolean().value_or(false);
        std::string key = name + "/" + std::to_string(k);
        std::string said;
        for (const MemoryAccess &access : operand.accesses)
          said += "\n  by " + access.by + ": " +
                  (access.traffic ? access.traffic->grounds.reason
                                  : access.unknown);
        if (ours != theirs)
          ADD_FAILURE() << key << ": XLA says " << theirs << said;
        same += ours == theirs;
      }
    });
  }
  EXPECT_GT(same, 15);
}

} // namespace
