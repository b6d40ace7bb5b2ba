// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How an instruction reads its operands and writes its result: how much of each
/// tensor, how often, and in which sectors a warp asks for it.
///
///   y = x + transpose(x), f32[128,128], lanes along d1
///     x   16384 of 16384 elements, 2 reads each
///         by (d0, d1)  lanes 4 B apart    4 sectors for 4 needed   coalesced
///         by (d1, d0)  lanes 512 B apart  32 sectors for 4 needed  strided
///
/// ```cpp (const MapSet &maps, mlir::Type type)
/// Accesses accesses({.memory = *findDevice("h100")});
/// AccessedResult y{.type = type, .layout = *Layout::of(type)};
/// TensorAccess x = accesses.of(maps, type, y);
/// ```
///
/// Counts come from the maps alone (indexing/decide/Footprint.h), traffic from
/// the maps, the layouts and a mapping of lanes (Lanes.h).

#ifndef MERCATOR_ANALYSIS_ACCESS_ACCESSES_H
#define MERCATOR_ANALYSIS_ACCESS_ACCESSES_H

#include "mercator/analysis/access/Lanes.h"
#include "mercator/indexing/decide/MapSet.h"

#include "llvm/ADT/StringMap.h"

namespace mercator::access {

struct AccessOptions {
  Device memory = {};
  /// Lanes along this dimension of the result; none: in the order of its layout.
  std::optional<int64_t> laneDim = {};
  std::optional<int64_t> lanes = {}; ///< else those of the device
  int64_t vector = 1;                ///< elements of a lane
  /// Lanes share a row of a reduction; else each computes an element alone.
  bool sharesRows = true;
  /// Instead of these: a map from (lane, element of its vector, ...) to the
  /// index of the result, in the notation. The further dimensions number loads.
  std::string laneMap = {};
  std::optional<int64_t> block = {}; ///< threads that share a cache
  std::optional<int64_t> warp = {};  ///< a load whose lanes are listed
};

/// One map of an operand, or the store of the result.
struct MemoryAccess {
  std::string by = {}; ///< "(d1, d0)": the results of the map
  bool isExact = true;
  std::string lanesAlong = {}; ///< "s0": lanes share the work of a reduction
  /// An earlier result of the instruction is computed from the same loads.
  bool isShared = false;
  /// None if nothing is read, or the traffic is not known; `unknown` says why.
  std::optional<Traffic> traffic = {};
  std::string unknown = {};
  /// The same for blocks of AccessOptions::block threads: sectors that several
  /// warps of a block touch count once.
  std::optional<Traffic> block = {};
  /// The address of each lane that takes part in load AccessOptions::warp.
  std::vector<std::optional<int64_t>> addresses = {};
};

/// The elements that are read of a tensor.
struct ReadCounts {
  Verdict<int64_t> read = {};     ///< distinct elements
  Verdict<int64_t> pairs = {};    ///< reads, of all elements of the result
  Verdict<double> readsEach = {}; ///< pairs / read
};
[[nodiscard]] ReadCounts readCountsOf(const indexing::MapSet &maps);

/// Distinct units of that many bytes that hold what the maps read.
[[nodiscard]] Verdict<int64_t> linesOf(const indexing::MapSet &maps,
                                       const Layout &layout, int64_t lineBytes);

struct TensorAccess : ReadCounts {
  std::optional<int64_t> elements = {}; ///< of the tensor
  int64_t bytes = 0;                    ///< of an element
  Verdict<int64_t> lines = {}; ///< distinct cache lines that hold what is read
  std::vector<MemoryAccess> accesses = {}; ///< one for each map
};

/// The result whose elements the lanes compute.
struct AccessedResult {
  mlir::Type type = {};
  Layout layout = {.shape = {}, .minorToMajor = {}};
  /// Whether the operation says that it reduces: lanes may share a row.
  bool isReduction = false;
  /// Elements of a lane that one store takes at most.
  int64_t mostTogether = 16;
};

class Accesses {
public:
  explicit Accesses(AccessOptions options) : options(std::move(options)) {}

  /// How an operand of that type is read, by the maps from the result.
  [[nodiscard]] TensorAccess of(const indexing::MapSet &maps, mlir::Type type,
                                const AccessedResult &result);
  /// The store of the result. Requires: it has elements.
  [[nodiscard]] MemoryAccess ofStore(indexing::Arena &arena,
                                     const AccessedResult &result);

private:
  MemoryAccess of(const AccessedResult &result, const indexing::OperandMap &m,
                  const Layout &operand, int64_t mostTogether = 16);
  std::optional<Traffic> trafficOf(const LaneMapping &lanes,
                                   const indexing::Map &map,
                                   const std::string &key,
                                   const Layout &operand);
  /// `threads` instead of the lanes of a warp, if it is not 0. None if the given
  /// mapping has another rank than the result.
  std::optional<LaneMapping> mappingOf(indexing::Arena &arena,
                                       const Layout &result,
                                       const indexing::Map &map,
                                       int64_t threads) const;

  AccessOptions options;
  /// Layers of a model repeat the same maps.
  llvm::StringMap<std::optional<Traffic>> known;
};

} // namespace mercator::access

#endif // MERCATOR_ANALYSIS_ACCESS_ACCESSES_H
