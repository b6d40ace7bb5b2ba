// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Executes a kernel of PTX, block by block.
///
/// ```cpp (const mercator::reference::ptx::Module &module, mercator::DiagnosticEngine &diagnostics)
/// using namespace mercator::reference;
/// ptx::Memory memory;
/// uint64_t out = memory.allocate(4 * 1024);
/// ptx::Launch launch = {.grid = {8, 1, 1}, .block = {128, 1, 1}, .arguments = {out}};
/// std::optional<ptx::Outcome> outcome =
///     ptx::run(module, *module.find("iota"), launch, memory, {}, diagnostics);
/// assert(outcome && outcome->counts.stores == 32 && outcome->races.empty());
/// ```
///
/// The lanes of a warp execute one instruction at a time. Where a branch parts them, the
/// two sides run one after the other and meet at the immediate post-dominator of the
/// branch, as the hardware's compiler arranges it. The warps of a block run in order up
/// to their next barrier; blocks run one after the other. So the result is one of those
/// that the hardware may give, and always the same one.
///
/// `races` are accesses of two threads to one byte of shared memory, at least one of
/// them a write, without a barrier of both between them. Where several threads write the
/// same value by one instruction, as Triton does, is no race. `run` looks for them only if it is told
/// to: this takes twice the time.
///
/// Values are those of the ISA. Where it allows an error (`ex2.approx`, `div.full`,
/// `rcp.approx`, `tanh.approx` and so on), the correctly rounded result is taken, which
/// differs from the hardware by up to the error that the ISA states. `mma` adds exact
/// products in f64 and rounds once; the hardware's sum may differ in the last bits.
///
/// A wrong program gives an error with the place in the text: an address outside all
/// buffers, a misaligned one, a barrier that not all lanes of a warp reach, warps that
/// wait forever, more instructions than `Options::limit`.
///
/// Source: PTX ISA 9.0.

#ifndef MERCATOR_REFERENCE_PTX_MACHINE_H
#define MERCATOR_REFERENCE_PTX_MACHINE_H

#include "mercator/reference/ptx/Counts.h"
#include "mercator/reference/ptx/Memory.h"
#include "mercator/reference/ptx/Module.h"

namespace mercator::reference::ptx {

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// Of shared memory, beyond the variables of a fixed size.
  uint32_t dynamicShared = 0;
  /// One for each parameter.
  std::vector<uint64_t> arguments;
};

struct Options {
  bool findRaces = false;
  /// Instructions of warps, all blocks together.
  uint64_t limit = uint64_t(1) << 40;
};

/// Two accesses to one byte of shared memory without a barrier between them.
struct Race {
  uint32_t first = 0, second = 0;             ///< instructions, in Kernel::code
  uint32_t firstThread = 0, secondThread = 0; ///< of the block
  uint64_t block = 0;
  uint32_t address = 0; ///< in shared memory
  bool isFirstWrite = false, isSecondWrite = false;
  /// Whether both threads are of one warp. Hardware that runs a warp in step gives the
  /// expected result, but PTX does not promise it.
  bool isInWarp = false;
};

struct Outcome {
  Counts counts;
  /// The first race of each pair of instructions.
  std::vector<Race> races;
};

/// Runs all blocks. Without a value, `diagnostics` has an error.
/// Time: linear in the instructions of warps; a warp of 32 lanes costs about as much as
/// a single lane.
[[nodiscard]] std::optional<Outcome>
run(const Module &module, const Kernel &kernel, const Launch &launch,
    Memory &memory, const Options &options, DiagnosticEngine &diagnostics);

/// A race in words, as a note at both places of the text.
void report(const Module &module, const Kernel &kernel, const Race &race,
            DiagnosticEngine &diagnostics);

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_MACHINE_H
