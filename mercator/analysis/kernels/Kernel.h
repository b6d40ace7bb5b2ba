// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What XLA:GPU makes of one instruction of compiled HLO: a kernel, with its launch
/// and the maps from its threads to the elements that they compute.
///
///   input_transpose_fusion, f32[777,1000] of x, f32[1000,777]
///     emitter  transpose: tiles of 32x32 in shared memory
///     launch   800 blocks of 128 threads
///     reads    the operand of the transpose at
///              (lane, element, warp, block)[i] ->
///                (block / 25 * 32 + i * 4 + warp, block mod 25 * 32 + lane)
///     writes   the result at
///              ... -> (block mod 25 * 32 + i * 4 + warp, block / 25 * 32 + lane)
///
/// XLA chooses from the shapes, the layouts, the operations of the fusion and its
/// backend_config, and writes none of it into the text. Each emitter has a file here
/// that names the place in XLA's sources where its rule is from.
///
/// A kernel is data: it says what its threads read and write, also in shared memory, and
/// Count.h counts it.
///
/// ```cpp (mlir::Operation *instruction, Arena &arena, const Device &h100)
/// kernels::Kernel kernel = kernels::kernelOf(instruction, arena, h100);
/// if (kernel.isKnown())
///   llvm::outs() << kernels::nameOf(kernel.emitter) << ", " << kernel.grid;
/// ```

#ifndef MERCATOR_ANALYSIS_KERNELS_KERNEL_H
#define MERCATOR_ANALYSIS_KERNELS_KERNEL_H

#include "mercator/analysis/Layout.h"
#include "mercator/analysis/device/Device.h"
#include "mercator/indexing/map/Map.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::kernels {

enum class Emitter {
  Loop,
  Transpose,
  RowReduction,
  ColumnReduction,
  Concatenate,
  Scatter,
  UpdateInPlace,
  Sort,
  TritonBlock,
  TritonProduct,
  Library, ///< a kernel of cuBLAS, cuDNN, ..: its launch is not in the text
  Copy,    ///< a copy of memory, without threads
};
/// "loop", "row-reduction", ..
[[nodiscard]] llvm::StringRef nameOf(Emitter emitter);

/// What all threads do with one value.
struct Step {
  enum class Kind { Reads, Writes, Adds };
  Kind kind = Kind::Reads;
  /// A value of the fused computation. Reads: the threads compute these elements of
  /// it from the operands. Else: a result of the fusion, by number.
  mlir::Value value = {};
  unsigned result = 0;
  /// (lane, element, warp, ...)[loop, ...] -> index of the value. The elements are
  /// neighbors that one thread takes; where memory allows it, one instruction does.
  /// What does not depend on a loop is done once, before it.
  indexing::Map map = {};
  enum class Join {
    IfAligned, ///< where the elements are aligned neighbors for all threads
    IfFlat,    ///< the same, where reshapes between are seen through
    Never,     ///< an instruction for each element
    Always     ///< the emitter has seen to it
  };
  Join join = Join::IfAligned;
  /// It has a condition of its own, and shares no load with other steps.
  bool isApart = false;
  /// The number of ranges, the last ones of the map, that are unrolled: an instruction
  /// for each value.
  unsigned unrolled = 0;
  /// Lanes beyond the last element read as well.
  bool isUnguarded = false;
  /// Why it happens at most as often as the map says; empty if exactly so.
  std::string atMost = {};
  /// Why the count may be another one; empty if it is this one.
  std::string guess = {};
  /// The tensor is moved in blocks by the copy engine (TMA), not by threads.
  bool byEngine = false;
};

/// What all threads do in a tile of shared memory, which each block has for itself.
struct SharedStep {
  Step::Kind kind = Step::Kind::Reads;
  indexing::Map map =
      {}; ///< (lane, element, warp, ...)[loop, ...] -> its index
  access::Layout tile = {}; ///< with the padding of its rows
  /// Why it happens at most as often as the map says; empty if exactly so.
  std::string atMost = {};
};

struct Kernel {
  Emitter emitter = Emitter::Loop;
  /// Why the launch is not known; empty if it is.
  std::string unknown = {};
  /// One sentence about the choice: "4 elements a thread".
  std::string choice = {};
  int64_t grid = 0, block = 0; ///< blocks, threads of each
  /// Why the steps are not known although the launch is; empty if they are.
  std::string uncounted = {};
  int64_t rounds = 1; ///< of a product: tiles of the contracted dimension
  std::vector<Step> steps = {};
  std::vector<SharedStep> shared = {};
  /// Why the steps in shared memory are not known; empty if they are.
  std::string sharedUnknown = {};

  [[nodiscard]] bool isKnown() const { return unknown.empty(); }
  [[nodiscard]] int64_t threads() const { return grid * block; }
};

/// A choice by hand, instead of XLA's: for the loop emitter.
struct ByHand {
  std::optional<int64_t> unroll = {}; ///< elements of a thread: 1, 2, 4
  std::optional<int64_t> block = {};  ///< threads of a block
};

/// Whether the instruction is work of the device: a fusion, a library call, or a
/// copy. Parameters, tuples and bitcasts are not.
[[nodiscard]] bool launches(mlir::Operation *instruction);

/// Requires: launches(instruction). Ensures: `unknown` says what is wrong with a
/// backend_config that cannot be read.
/// Complexity: linear in the operations of the fusion.
[[nodiscard]] Kernel kernelOf(mlir::Operation *instruction,
                              indexing::Arena &arena, const Device &device,
                              const ByHand &byHand = {});

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_KERNEL_H
