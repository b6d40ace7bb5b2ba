// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Machine.h"
#include "mercator/reference/ptx/Races.h"
#include "mercator/reference/ptx/Specials.h"
#include "mercator/reference/ptx/State.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mercator::reference::ptx {

const Kernel *Module::find(llvm::StringRef name) const {
  auto found = std::ranges::find(kernels, name, &Kernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

/// The end of the code, where no branch meets again.
static uint32_t endOf(const Kernel &kernel) { return kernel.code.size(); }

Machine::Machine(const Module &module, const Kernel &kernel,
                 const Launch &launch, Memory &memory, const Options &options,
                 DiagnosticEngine &diagnostics)
    : module(module), kernel(kernel), launch(launch), memory(memory),
      options(options), diagnostics(diagnostics),
      constants(reinterpret_cast<const uint8_t *>(kernel.constants.data())) {
  for (const GlobalVariable &global : module.globals)
    globals.push_back(global.bytes);
}

Machine::~Machine() = default;

void Machine::fail(const Instruction &i, unsigned lane,
                   const llvm::Twine &message) {
  if (failed)
    return;
  failed = true;
  (void)diagnostics.error({module.text, i.begin, i.end}, message);
  diagnostics.note({module.text, i.begin, i.end},
                   "executed by thread " +
                       llvm::Twine(warp->firstThread + lane) + " of block " +
                       llvm::Twine(blockIndex));
}

/// Whether an access is misaligned, and the error.
static bool isMisaligned(Machine &machine, const Instruction &i,
                         uint64_t address, unsigned bytes, unsigned lane) {
  if (address % bytes == 0)
    return false;
  machine.fail(i, lane,
               "expected an address that is a multiple of " +
                   llvm::Twine(bytes) + ", got 0x" +
                   llvm::Twine::utohexstr(address));
  return true;
}

uint8_t *Machine::globalSpan(uint64_t address, uint64_t size, bool isWrite) {
  if (lastBuffer) {
    uint64_t offset = address - lastBuffer->address;
    uint64_t room = isWrite ? lastBuffer->writable : lastBuffer->readable;
    if (offset < room && size <= room - offset)
      return lastBuffer->bytes.get() + offset;
  }
  const Memory::Buffer *buffer = memory.find(address, size, isWrite);
  if (!buffer)
    return nullptr;
  lastBuffer = buffer;
  return buffer->bytes.get() + (address - buffer->address);
}

uint8_t *Machine::sharedSpan(uint64_t address, uint64_t size) {
  if (address - kSharedWindow < kWindowBytes)
    address -= kSharedWindow;
  if (address < sharedBytes.size() && size <= sharedBytes.size() - address)
    return sharedBytes.data() + address;
  return nullptr;
}

uint8_t *Machine::global(const Instruction &i, uint64_t address, unsigned bytes,
                         unsigned lane, bool isWrite) {
  if (isMisaligned(*this, i, address, bytes, lane))
    return nullptr;
  if (uint8_t *found = globalSpan(address, bytes, isWrite))
    return found;
  for (auto [variable, data] : llvm::zip(module.globals, globals)) {
    uint64_t offset = address - variable.address;
    if (offset < data.size() && bytes <= data.size() - offset)
      return data.data() + offset;
  }
  if (address - kSharedWindow < kWindowBytes)
    return shared(i, address - kSharedWindow, bytes, lane);
  if (address - kLocalWindow < kWindowBytes)
    return local(i, address - kLocalWindow, bytes, lane);
  fail(i, lane,
       "expected an address within a buffer, got " + llvm::Twine(bytes) +
           " bytes at 0x" + llvm::Twine::utohexstr(address));
  return nullptr;
}

uint8_t *Machine::shared(const Instruction &i, uint64_t address, unsigned bytes,
                         unsigned lane) {
  if (address - kSharedWindow < kWindowBytes)
    address -= kSharedWindow;
  if (isMisaligned(*this, i, address, bytes, lane))
    return nullptr;
  if (uint8_t *found = sharedSpan(address, bytes))
    return found;
  fail(i, lane,
       "expected an address within the " + llvm::Twine(sharedBytes.size()) +
           " bytes of shared memory, got " + llvm::Twine(bytes) +
           " bytes at 0x" + llvm::Twine::utohexstr(address));
  return nullptr;
}

uint8_t *Machine::local(const Instruction &i, uint64_t address, unsigned bytes,
                        unsigned lane) {
  if (address - kLocalWindow < kWindowBytes)
    address -= kLocalWindow;
  if (isMisaligned(*this, i, address, bytes, lane))
    return nullptr;
  if (address < kernel.localBytes && bytes <= kernel.localBytes - address)
    return localBytes.data() +
           size_t(warp->firstThread + lane) * kernel.localBytes + address;
  fail(i, lane,
       "expected an address within the " + llvm::Twine(kernel.localBytes) +
           " bytes of local memory, got 0x" + llvm::Twine::utohexstr(address));
  return nullptr;
}

void Machine::noteShared(const Instruction &i, uint64_t address, unsigned bytes,
                         unsigned lane, bool isWrite, bool isSame) {
  if (!races)
    return;
  if (address - kSharedWindow < kWindowBytes)
    address -= kSharedWindow;
  races->access({.instruction = uint32_t(&i - kernel.code.data()),
                 .thread = warp->firstThread + lane,
                 .epoch = warp->epoch,
                 .order = warp->order},
                address, bytes, isWrite, isSame);
}

void Machine::prepareWarp(Warp &warp, std::array<uint32_t, 3> block) {
  uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  uint32_t lanes = std::min<uint32_t>(32, threads - warp.firstThread);
  warp.alive = lanes == 32 ? ~uint32_t(0) : (uint32_t(1) << lanes) - 1;
  warp.paths.assign({{0, warp.alive, endOf(kernel)}});
  warp.barrier = -1;
  // Registers are undefined at the beginning. Zero gives the same result each time.
  std::memset(warp.registers, 0, kernel.registerBytes);
  std::fill_n(warp.predicates, kernel.predicates, 0);
  for (auto [special, slot] : kernel.specials) {
    auto *lanesOf = reinterpret_cast<uint32_t *>(warp.registers + slot);
    for (unsigned lane = 0; lane < 32; ++lane)
      lanesOf[lane] = kSpecialRegisters[special].value(
          {launch.grid, launch.block, block, warp.firstThread + lane});
  }
}

bool Machine::runBlock(uint64_t index) {
  blockIndex = index;
  std::array<uint32_t, 3> block = {
      uint32_t(index % launch.grid[0]),
      uint32_t(index / launch.grid[0] % launch.grid[1]),
      uint32_t(index / launch.grid[0] / launch.grid[1])};
  if (races)
    races->nextBlock(index);
  std::ranges::fill(sharedBytes, 0);
  uint32_t epoch = 0;
  for (const Warp &warp : warps)
    epoch = std::max(epoch, warp.epoch);
  for (Warp &warp : warps) {
    prepareWarp(warp, block);
    warp.epoch = epoch + 1;
  }
  while (true) {
    bool isMoving = false;
    for (Warp &next : warps) {
      if (next.alive == 0 || next.barrier >= 0)
        continue;
      warp = &next;
      isMoving = true;
      runWarp();
      if (failed)
        return false;
    }
    isMoving |= releaseBarriers();
    if (llvm::all_of(warps, [](const Warp &warp) { return warp.alive == 0; }))
      return true;
    if (isMoving)
      continue;
    auto waiting =
        llvm::find_if(warps, [](const Warp &w) { return w.alive != 0; });
    warp = &*waiting;
    fail(
        kernel.code[warp->paths.back().pc - 1], 0,
        "expected all threads of the barrier to arrive, but some wait forever");
    return false;
  }
}

/// Barriers at which all expected threads wait let them go. True if one did.
bool Machine::releaseBarriers() {
  bool isAny = false;
  uint32_t alive = 0;
  for (const Warp &warp : warps)
    alive += warp.alive != 0 ? 32 : 0;
  for (int barrier = 0; barrier < 16; ++barrier) {
    uint32_t arrived = 0, expected = 0, epoch = 0;
    for (const Warp &warp : warps)
      if (warp.barrier == barrier) {
        arrived += 32;
        expected = std::max(expected, warp.barrierThreads);
        epoch = std::max(epoch, warp.epoch);
      }
    if (arrived == 0 || arrived < (expected != 0 ? expected : alive))
      continue;
    for (Warp &warp : warps)
      if (warp.barrier == barrier) {
        warp.barrier = -1;
        warp.epoch = epoch + 1;
      }
    isAny = true;
  }
  return isAny;
}

void Machine::returnLanes(uint32_t mask) {
  warp->alive &= ~mask;
  for (Path &path : warp->paths)
    path.mask &= ~mask;
}

/// Sends the lanes `taken` of the current path to the target of a branch.
void Machine::branch(const Instruction &i, uint32_t taken) {
  Path &path = warp->paths.back();
  uint32_t next = uint32_t(&i - kernel.code.data()) + 1;
  if (taken == path.mask) {
    path.pc = i.target;
    return;
  }
  if (taken == 0) {
    path.pc = next;
    return;
  }
  ++counts.divergentBranches;
  uint32_t meet = i.reconvergence, rest = path.mask & ~taken;
  // In a loop that lanes leave one by one, all of them meet at the same place.
  if (path.reconvergence == meet)
    warp->paths.pop_back();
  else
    path.pc = meet;
  for (auto [pc, mask] : {std::pair(i.target, taken), std::pair(next, rest)})
    if (pc != meet)
      warp->paths.push_back({pc, mask, meet});
}

void Machine::runWarp() {
  const Instruction *code = kernel.code.data();
  while (true) {
    while (!warp->paths.empty() &&
           (warp->paths.back().mask == 0 ||
            warp->paths.back().pc == warp->paths.back().reconvergence))
      warp->paths.pop_back();
    if (warp->paths.empty()) {
      warp->alive = 0;
      return;
    }
    Path path = warp->paths.back();
    const Instruction &i = code[path.pc];
    if (++counts.instructions > options.limit)
      return fail(i, 0,
                  "expected at most " + llvm::Twine(options.limit) +
                      " instructions of warps");
    uint32_t mask = path.mask;
    if (i.guard != kNoSlot) {
      uint32_t guard = warp->predicates[i.guard];
      mask &= i.guardIsNegated ? ~guard : guard;
    }
    counts.laneInstructions += unsigned(std::popcount(mask));
    ++counts.byUnit[unsigned(i.unit)];
    switch (i.control) {
    case Control::None:
      if (mask != 0)
        i.handler(*this, i, mask);
      if (failed)
        return;
      ++warp->paths.back().pc;
      break;
    case Control::Branch:
      branch(i, mask);
      break;
    case Control::Return:
      ++warp->paths.back().pc;
      returnLanes(mask);
      break;
    case Control::Barrier: {
      ++warp->paths.back().pc;
      if (mask == 0)
        break;
      unsigned lane = std::countr_zero(mask);
      if (mask != warp->alive)
        return fail(
            i, lane,
            "expected all lanes of the warp at a barrier, got the lanes 0x" +
                llvm::Twine::utohexstr(mask));
      uint32_t barrier = values<uint32_t>(i.a)[lane];
      uint32_t threads = i.b == kNoSlot ? 0 : values<uint32_t>(i.b)[lane];
      if (barrier >= 16 || threads % 32 != 0)
        return fail(i, lane,
                    "expected a barrier below 16 and a multiple of 32 threads");
      ++counts.barriers;
      warp->barrier = int(barrier);
      warp->barrierThreads = threads;
      return;
    }
    }
  }
}

bool Machine::runAll() {
  uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  uint32_t count = (threads + 31) / 32;
  registerFile.resize(size_t(count) * kernel.registerBytes + 64);
  predicateFile.resize(size_t(count) * kernel.predicates + 1);
  warps.resize(count);
  for (uint32_t index = 0; index < count; ++index) {
    warps[index].registers =
        registerFile.data() + size_t(index) * kernel.registerBytes;
    warps[index].predicates =
        predicateFile.data() + size_t(index) * kernel.predicates;
    warps[index].firstThread = 32 * index;
  }
  sharedBytes.resize(size_t(kernel.sharedBytes) + launch.dynamicShared);
  localBytes.resize(size_t(count) * 32 * kernel.localBytes);
  parameterBytes.resize(kernel.parameterBytes);
  for (auto [parameter, argument] :
       llvm::zip(kernel.parameters, launch.arguments))
    std::memcpy(parameterBytes.data() + parameter.offset, &argument,
                std::min<size_t>(8, parameter.bytes));
  if (options.findRaces)
    races = std::make_unique<Races>(sharedBytes.size());
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  for (uint64_t index = 0; index < blocks; ++index)
    if (!runBlock(index))
      return false;
  return true;
}

/// Whether the launch is possible; else an error.
static bool check(const Kernel &kernel, const Launch &launch,
                  DiagnosticEngine &diagnostics) {
  auto refuse = [&](const llvm::Twine &message) {
    (void)diagnostics.error({}, "cannot launch " + quote(kernel.name) + ": " +
                                    message);
    return false;
  };
  uint64_t threads = 1, blocks = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    threads *= launch.block[dim];
    blocks *= launch.grid[dim];
    if (threads > 1024 || threads == 0)
      return refuse("expected 1 to 1024 threads in a block");
    if (blocks >= uint64_t(1) << 40 || launch.grid[dim] == 0)
      return refuse("expected a grid of 1 to 2^40 blocks");
  }
  if (kernel.block[0] != 0 && kernel.block != launch.block)
    return refuse("expected the block of `.reqntid`");
  if (launch.arguments.size() != kernel.parameters.size())
    return refuse("expected " + llvm::Twine(kernel.parameters.size()) +
                  " arguments, got " + llvm::Twine(launch.arguments.size()));
  if (uint64_t(kernel.sharedBytes) + launch.dynamicShared > 227 * 1024)
    return refuse("expected at most 227 KiB of shared memory");
  return true;
}

std::optional<Outcome> run(const Module &module, const Kernel &kernel,
                           const Launch &launch, Memory &memory,
                           const Options &options,
                           DiagnosticEngine &diagnostics) {
  if (!check(kernel, launch, diagnostics))
    return std::nullopt;
  Machine machine(module, kernel, launch, memory, options, diagnostics);
  if (!machine.runAll())
    return std::nullopt;
  Outcome outcome = {machine.counts, {}};
  if (machine.races)
    outcome.races = machine.races->take();
  return outcome;
}

void report(const Module &module, const Kernel &kernel, const Race &race,
            DiagnosticEngine &diagnostics) {
  auto place = [&](uint32_t index) {
    const Instruction &i = kernel.code[index];
    return SourceRange{module.text, i.begin, i.end};
  };
  auto did = [](bool isWrite) { return isWrite ? " writes" : " reads"; };
  diagnostics.warning(
      place(race.second),
      "thread " + llvm::Twine(race.secondThread) + did(race.isSecondWrite) +
          " byte " + llvm::Twine(race.address) +
          " of shared memory without a barrier after thread " +
          llvm::Twine(race.firstThread) + did(race.isFirstWrite) + " it");
  diagnostics.note(place(race.first), "thread " +
                                          llvm::Twine(race.firstThread) +
                                          did(race.isFirstWrite) + " it here");
}

} // namespace mercator::reference::ptx
