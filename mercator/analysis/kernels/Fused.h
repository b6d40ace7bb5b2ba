// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A fusion as the emitters see it: its roots, its configuration, and the heroes.
/// Internal to this folder.
///
/// The hero of a root is the operation that decides how threads are laid out: a
/// reduction, a transpose, a concatenation. Elementwise operations may lie between.

#ifndef MERCATOR_ANALYSIS_KERNELS_FUSED_H
#define MERCATOR_ANALYSIS_KERNELS_FUSED_H

#include "mercator/analysis/Layout.h"
#include "mercator/analysis/kernels/Config.h"
#include "mercator/analysis/kernels/Kernel.h"
#include "mercator/dialects/hlo/Hlo.h"

namespace mercator::kernels {

using access::Layout;

struct Fused {
  mlir::Operation *op = nullptr; ///< the instruction
  llvm::SmallVector<mlir::Value> roots = {};
  llvm::SmallVector<Layout> layouts = {}; ///< of the roots
  Config config = {};
  llvm::StringRef kind = {}; ///< "kLoop", "kInput", "kCustom"
};

/// The nearest operation for which `isHero` holds, through elementwise operations
/// and bitcasts; null if there is none, or more than one.
[[nodiscard]] mlir::Operation *
heroOf(mlir::Value root, llvm::function_ref<bool(mlir::Operation *)> isHero);

[[nodiscard]] bool isElementwise(mlir::Operation *op);

/// The values that the operations between a root and its hero read besides the hero,
/// each with the map from the index of the root.
struct EpilogueRead {
  mlir::Value value;
  indexing::Map map;
};
[[nodiscard]] std::vector<EpilogueRead>
epilogueReads(indexing::Arena &arena, mlir::Value root, mlir::Operation *hero);

/// A grid of threads, as a map without results: dimensions lane, element, warp,
/// block, in this order.
struct Grid {
  /// Requires: threads is at least 1.
  Grid(indexing::Arena &arena, int64_t blocks, int64_t threads,
       int64_t elements);
  indexing::Map map;
  indexing::Expr element, thread, block;
};

/// A thread for each of `elements` elements, and the number of its element. Sets the
/// blocks of the kernel. Requires: the kernel has the threads of a block.
struct ThreadForEach {
  ThreadForEach(indexing::Arena &arena, Kernel &kernel, int64_t elements);
  Grid grid;
  indexing::Expr number;
};

/// The index of the element with this number, in the order of the layout.
[[nodiscard]] llvm::SmallVector<indexing::Expr, 4>
indexOf(indexing::Arena &arena, indexing::Expr number, const Layout &layout);

/// The digits of a number, the last one fastest: `number` in a box of these sizes.
[[nodiscard]] llvm::SmallVector<indexing::Expr, 4>
digitsOf(indexing::Arena &arena, indexing::Expr number,
         llvm::ArrayRef<int64_t> sizes);
/// The inverse of digitsOf.
[[nodiscard]] indexing::Expr numberOf(indexing::Arena &arena,
                                      llvm::ArrayRef<indexing::Expr> digits,
                                      llvm::ArrayRef<int64_t> sizes);

/// The digits of a step in a tile of shared memory, as maps of the threads.
struct TilePlaces {
  indexing::Map writes = {}, reads = {};
  llvm::SmallVector<int64_t, 4> sizes =
      {};                        ///< with padding, the last one fastest
  std::string writesAtMost = {}; ///< why fewer may be written; empty if all are
};
/// Adds the steps of a tile for values of that type. XLA aligns a tile to one element,
/// and so each element is an instruction; of a complex number, each part.
void addTile(Kernel &kernel, const TilePlaces &places, mlir::Type type);

[[nodiscard]] inline int64_t ceilOf(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

/// XLA does not unroll fusions with such operations.
[[nodiscard]] bool preventsUnrolling(mlir::Operation *fusion);

/// Neighbors that one thread of the loop emitter takes: 4, 2 or 1, for a result with
/// more elements than the device has threads.
[[nodiscard]] int64_t elementsOfThread(const Fused &fused, int64_t elements);

/// The bits of the smallest element that the fusion reads; 0 if it reads none.
[[nodiscard]] int64_t smallestInputBits(const Fused &fused);

//===--- The emitters, a file each ----------------------------------------===//

[[nodiscard]] Kernel loopKernel(const Fused &fused, indexing::Arena &arena,
                                const Device &device, const ByHand &byHand);
[[nodiscard]] Kernel transposeKernel(const Fused &fused, indexing::Arena &arena,
                                     const Device &device,
                                     mlir::Operation *hero);
[[nodiscard]] Kernel rowReductionKernel(
    const Fused &fused, indexing::Arena &arena, const Device &device,
    llvm::ArrayRef<mlir::Operation *> heroes, llvm::ArrayRef<int64_t> sizes);
[[nodiscard]] Kernel columnReductionKernel(
    const Fused &fused, indexing::Arena &arena, const Device &device,
    llvm::ArrayRef<mlir::Operation *> heroes, llvm::ArrayRef<int64_t> sizes);
[[nodiscard]] Kernel concatenateKernel(const Fused &fused,
                                       indexing::Arena &arena,
                                       mlir::Operation *hero);
[[nodiscard]] Kernel scatterKernel(const Fused &fused, indexing::Arena &arena,
                                   const Device &device, mlir::Operation *hero);
[[nodiscard]] Kernel sortKernel(const Fused &fused, indexing::Arena &arena,
                                const Device &device, mlir::Operation *hero);
[[nodiscard]] Kernel updateKernel(const Fused &fused, indexing::Arena &arena,
                                  mlir::Operation *hero);
[[nodiscard]] Kernel tritonKernel(const Fused &fused, indexing::Arena &arena,
                                  const Device &device);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_FUSED_H
