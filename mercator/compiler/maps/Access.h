// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How instructions read and write memory: how much of each operand, how often,
/// and in which sectors a warp asks for it.
///
///   y = fusion(x), x + transpose(x), f32[128,128], lanes along d1
///     x   16384 of 16384 elements, 2 reads each
///         by (d0, d1)  lanes 4 B apart    4 sectors for 4 needed   coalesced
///         by (d1, d0)  lanes 512 B apart  32 sectors for 4 needed  strided
///
/// Utilization comes from the maps alone (indexing/decide/Footprint.h), traffic
/// from the maps, the layouts and a mapping of lanes (analysis/access/Lanes.h).

#ifndef MERCATOR_COMPILER_MAPS_ACCESS_H
#define MERCATOR_COMPILER_MAPS_ACCESS_H

#include "mercator/analysis/access/Lanes.h"
#include "mercator/compiler/maps/Maps.h"

namespace mercator {

struct AccessQuery {
  MapQuery maps = {}; ///< which instructions; out-to-in
  MemorySystem memory;
  /// Lanes along this dimension of the result; none: in the order of its layout.
  std::optional<int64_t> laneDim = {};
  std::optional<int64_t> lanes = {}; ///< else those of the device
  int64_t vector = 1;                ///< elements of a lane
  /// Instead of these: a map from (lane, element of its vector, ...) to the
  /// index of the result, in the notation. The further dimensions number loads.
  std::string laneMap = {};
  std::optional<int64_t> block = {}; ///< threads that share a cache
  std::optional<int64_t> warp = {};  ///< a load whose lanes are listed
};

/// Sets the lane map and the lanes; false after a diagnostic about `text`.
[[nodiscard]] bool readLaneMap(const SourceBuffer &text, AccessQuery &query,
                               DiagnosticEngine &diagnostics);

/// One map of an operand, or the store of the result.
struct MemoryAccess {
  std::string by = {}; ///< "(d1, d0)": the results of the map
  bool isExact = true;
  std::string lanesAlong = {}; ///< "s0": lanes share the work of a reduction
  /// None if nothing is read, or the traffic is not known; `unknown` says why.
  std::optional<access::Traffic> traffic = {};
  std::string unknown = {};
  /// The same for blocks of AccessQuery::block threads: sectors that several
  /// warps of a block touch count once.
  std::optional<access::Traffic> block = {};
  /// Of load AccessQuery::warp: the address of each lane that takes part.
  std::vector<std::optional<int64_t>> addresses = {};
};

struct OperandAccess {
  std::string name, type;
  std::optional<int64_t> elements = {}; ///< of the tensor
  Verdict<int64_t> read = {};           ///< distinct elements
  Verdict<int64_t> pairs = {}; ///< reads, of all elements of the result
  int64_t bytes = 0;           ///< of an element
  Verdict<int64_t> lines = {}; ///< distinct cache lines that hold what is read
  Verdict<double> readsEach = {}; ///< pairs / read
  std::vector<MemoryAccess> accesses = {};
};

/// A value inside a fusion, or between a result and the parameters.
struct ProducerAccess {
  std::string name, type, operation;
  Verdict<int64_t> read = {}; ///< distinct elements
  /// How often each is computed, if every element of the result computes what it
  /// reads: reads / distinct elements.
  Verdict<double> recomputed = {};
};

struct InstructionAccess {
  std::string computation, name, operation, at, origin, type;
  bool movesOwnBytes = true; ///< see MapRecord
  std::vector<OperandAccess> operands = {};
  std::vector<ProducerAccess> producers = {}; ///< the nearest first
  MemoryAccess store = {};
};

/// Writes `mercator.access/1`, an instruction a line, as they come.
class AccessJson {
public:
  AccessJson(llvm::raw_ostream &os, llvm::StringRef module,
             const MemorySystem &memory);
  void write(const InstructionAccess &instruction);
  void finish();

private:
  llvm::raw_ostream &os;
  bool isEmpty = true;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_ACCESS_H
