// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a handler sees of the machine: the registers of the current warp and memory.
///
///   void addWords(Machine &m, const Instruction &i, uint32_t mask) {
///     auto *d = m.registers<uint32_t>(i.d);
///     const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b);
///     forLanes(mask, [&](unsigned lane) { d[lane] = a[lane] + b[lane]; });
///   }
///
/// A register has 32 elements of its width, one for each lane. A predicate is a mask.

#ifndef MERCATOR_REFERENCE_PTX_STATE_H
#define MERCATOR_REFERENCE_PTX_STATE_H

#include "mercator/reference/ptx/Machine.h"

#include "llvm/ADT/SmallVector.h"

#include <bit>
#include <cstring>

namespace mercator::reference::ptx {

/// Calls f(lane) for each lane of the mask. All lanes together can become vector code.
template <typename F> inline void forLanes(uint32_t mask, F &&f) {
  if (mask == ~uint32_t(0)) {
    for (unsigned lane = 0; lane < 32; ++lane)
      f(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1)
    f(unsigned(std::countr_zero(mask)));
}

/// Lanes that go on together, up to where they meet others.
struct Path {
  uint32_t pc = 0;
  uint32_t mask = 0;
  uint32_t reconvergence = 0;
};

struct Warp {
  uint8_t *registers = nullptr;
  uint32_t *predicates = nullptr;
  uint32_t firstThread = 0;
  uint32_t alive = 0; ///< the lanes that have not returned
  llvm::SmallVector<Path, 8> paths;
  int barrier = -1; ///< that the warp waits at
  uint32_t barrierThreads = 0;
  /// Barriers passed, and orders within the warp; see Races.h.
  uint32_t epoch = 1;
  uint32_t order = 1;
  uint32_t carry = 0; ///< the carry flag of add.cc
};

class Races;

class Machine {
public:
  Machine(const Module &module, const Kernel &kernel, const Launch &launch,
          Memory &memory, const Options &options,
          DiagnosticEngine &diagnostics);
  ~Machine();

  [[nodiscard]] bool runAll();

  template <typename T> T *registers(Slot slot) const {
    return reinterpret_cast<T *>(warp->registers + slot);
  }
  /// A register or a constant.
  template <typename T> const T *values(Slot slot) const {
    const uint8_t *base = slot & kConstant ? constants : warp->registers;
    return reinterpret_cast<const T *>(base + (slot & ~kConstant));
  }
  [[nodiscard]] uint32_t predicate(Slot slot) const {
    return warp->predicates[slot];
  }
  void setPredicate(Slot slot, uint32_t mask, uint32_t value) const {
    uint32_t &old = warp->predicates[slot];
    old = (old & ~mask) | (value & mask);
  }
  [[nodiscard]] llvm::ArrayRef<Slot> operands(const Instruction &i,
                                              unsigned count) const {
    return llvm::ArrayRef(kernel.operands).slice(i.firstOperand, count);
  }

  /// The bytes of global memory at an address; null after an error.
  uint8_t *global(const Instruction &i, uint64_t address, unsigned bytes,
                  unsigned lane, bool isWrite);
  uint8_t *shared(const Instruction &i, uint64_t address, unsigned bytes,
                  unsigned lane);
  uint8_t *local(const Instruction &i, uint64_t address, unsigned bytes,
                 unsigned lane);
  /// All bytes [address, address + size), or null without an error.
  uint8_t *globalSpan(uint64_t address, uint64_t size, bool isWrite);
  uint8_t *sharedSpan(uint64_t address, uint64_t size);
  /// Tells the search for races of an access to shared memory. `isSame`: a store that
  /// does not change the bytes.
  void noteShared(const Instruction &i, uint64_t address, unsigned bytes,
                  unsigned lane, bool isWrite, bool isSame = false);
  [[nodiscard]] bool findsRaces() const { return races != nullptr; }

  /// Reports an error at an instruction; the machine stops.
  void fail(const Instruction &i, unsigned lane, const llvm::Twine &message);
  [[nodiscard]] bool hasFailed() const { return failed; }

  const Module &module;
  const Kernel &kernel;
  const Launch &launch;
  Counts counts;
  Warp *warp = nullptr;
  std::vector<uint8_t> parameterBytes;
  std::unique_ptr<Races> races;

private:
  bool runBlock(uint64_t block);
  void prepareWarp(Warp &warp, std::array<uint32_t, 3> block);
  /// Runs the current warp up to a barrier or its end.
  void runWarp();
  void branch(const Instruction &i, uint32_t taken);
  void returnLanes(uint32_t mask);
  bool releaseBarriers();

  Memory &memory;
  const Options &options;
  DiagnosticEngine &diagnostics;
  const uint8_t *constants;
  std::vector<uint8_t> registerFile;
  std::vector<uint32_t> predicateFile;
  std::vector<Warp> warps;
  std::vector<uint8_t> sharedBytes;
  std::vector<uint8_t> localBytes;
  std::vector<std::vector<uint8_t>> globals;
  const Memory::Buffer *lastBuffer = nullptr;
  uint64_t blockIndex = 0;
  bool failed = false;
};

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_STATE_H
