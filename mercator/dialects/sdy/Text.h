// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Meshes and shardings of Shardy, read from the text that its attributes keep:
///
///   sdy.mesh @mesh = <["x"=2, "y"=4]>
///   <@mesh, [{"y":(1)2, ?}, {}], replicated={"x"}>
///
///   mesh                  2 x 4 devices along the axes x and y
///   dimension 0           the first half of y; more axes may be added (`?`)
///   dimension 1           closed, no axes
///   replicated            x divides no dimension
///
/// A reader takes tokens from the front of a text and returns nothing at the
/// first mistake. The caller quotes the whole text in its message.

#ifndef MERCATOR_DIALECTS_SDY_TEXT_H
#define MERCATOR_DIALECTS_SDY_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Operation;
}

namespace mercator::sdy {

/// Takes tokens from the front of a text. Spaces before a token are skipped.
class TokenReader {
public:
  explicit TokenReader(llvm::StringRef text) : rest(text) {}

  bool take(llvm::StringRef token);
  std::optional<int64_t> takeNumber();
  /// A string in double quotes.
  std::optional<std::string> takeString();
  /// Letters, digits, `_`, `.`, `$` and `-`; may be empty.
  llvm::StringRef takeName();
  /// `1,2,3`, at least one number.
  std::optional<llvm::SmallVector<int64_t>> takeNumbers();
  [[nodiscard]] bool isDone() const { return rest.trim().empty(); }

private:
  llvm::StringRef rest;
};

struct MeshText {
  llvm::SmallVector<std::pair<std::string, int64_t>> axes;
  std::vector<int64_t> ids; ///< the device at each position; empty: in order
  int64_t devices = 1;

  /// The distance in positions between neighbors along an axis.
  [[nodiscard]] int64_t stride(size_t axis) const;
};

/// `"x"`, or the part `"x":(2)4` of it: the next `size` of the axis after
/// digits with `before` values together.
struct AxisText {
  std::string name;
  int64_t before = 1, size = 0; ///< 0: the whole axis
};

/// `{"x", "y", ?}`.
struct AxesText {
  std::vector<AxisText> axes;
  bool isOpen = false;  ///< axes may be added
  int64_t priority = 0; ///< `p1`: it spreads after those of priority 0
};

struct ShardingText {
  MeshText mesh;
  std::vector<AxesText> dims;
  std::vector<AxisText> replicated; ///< axes that divide no dimension
};

/// Whether the numbers are a permutation of 0, 1, .., `count` - 1.
[[nodiscard]] bool isPermutation(llvm::ArrayRef<int64_t> ids, int64_t count);

/// Axes in braces.
[[nodiscard]] std::optional<AxesText> readAxes(TokenReader &text);
/// `<["x"=2, "y"=3], device_ids=[..]>`.
[[nodiscard]] std::optional<MeshText> readMesh(TokenReader &text);
/// `<@mesh, [{"x"}, {}], replicated={"y"}>`. The mesh is looked up from `from`:
/// a symbol of its module, or an entry of HLO's attributes.
[[nodiscard]] std::optional<ShardingText> readSharding(TokenReader &text,
                                                       mlir::Operation *from);
/// `<[<@mesh, ..>, ..]>`, `count` shardings.
[[nodiscard]] std::optional<std::vector<ShardingText>>
readShardings(llvm::StringRef text, mlir::Operation *from, size_t count);

} // namespace mercator::sdy

#endif // MERCATOR_DIALECTS_SDY_TEXT_H
