// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// ld, st and cp.async, and the counts of what they touch.

#include "mercator/reference/ptx/Formats.h"
#include "mercator/reference/ptx/Functors.h"

namespace mercator::reference::ptx {

static constexpr uint32_t kNarrowAddress = uint32_t(1)
                                           << 31; ///< a register of 32 bits
static constexpr uint32_t kIsSigned = 1;          ///< a load extends the sign
static constexpr unsigned kWidthShift = 8; ///< of the registers, in bytes

namespace {
enum Space : uint8_t {
  Generic,
  Global,
  SharedSpace,
  LocalSpace,
  ParameterSpace
};
} // namespace

static uint64_t addressOf(const Machine &m, const Instruction &i,
                          unsigned lane) {
  if (i.flags & kNarrowAddress)
    return uint64_t(m.values<uint32_t>(i.a)[lane]) + uint64_t(i.offset);
  return m.values<uint64_t>(i.a)[lane] + uint64_t(i.offset);
}

/// Where the lanes access memory, and to which space a generic access goes: that of its
/// first lane.
struct LaneAddresses {
  uint64_t at[32];
  uint64_t active[32]; ///< those of the lanes that take part, without gaps
  unsigned count = 0;
  uint64_t least = ~uint64_t(0), most = 0, bits = 0;
  Space space;

  LaneAddresses(const Machine &m, const Instruction &i, uint32_t mask,
                Space space)
      : space(space) {
    forLanes(mask, [&](unsigned lane) { at[lane] = addressOf(m, i, lane); });
    if (space == Generic) {
      uint64_t first = at[std::countr_zero(mask)];
      this->space = first - kSharedWindow < kWindowBytes  ? SharedSpace
                    : first - kLocalWindow < kWindowBytes ? LocalSpace
                                                          : Global;
    }
    forLanes(mask, [&](unsigned lane) {
      active[count++] = at[lane];
      least = std::min(least, at[lane]);
      most = std::max(most, at[lane]);
      bits |= at[lane];
    });
  }
  [[nodiscard]] llvm::ArrayRef<uint64_t> used() const {
    return {active, count};
  }
};

static void countAccess(Machine &m, const LaneAddresses &lanes, unsigned bytes,
                        bool isStore) {
  Counts &counts = m.counts;
  if (lanes.space == Global) {
    ++(isStore ? counts.stores : counts.loads);
    (isStore ? counts.storeSectors : counts.loadSectors) +=
        sectorsOf(lanes.used(), bytes);
  } else if (lanes.space == SharedSpace) {
    ++(isStore ? counts.sharedStores : counts.sharedLoads);
    (isStore ? counts.sharedStorePasses : counts.sharedLoadPasses) +=
        bankPasses(lanes.used(), bytes);
  }
}

static uint8_t *find(Machine &m, const Instruction &i, Space space,
                     uint64_t address, unsigned bytes, unsigned lane,
                     bool isWrite) {
  switch (space) {
  case SharedSpace:
    return m.shared(i, address, bytes, lane);
  case LocalSpace:
    return m.local(i, address, bytes, lane);
  case ParameterSpace:
    if (address % bytes == 0 && address < m.parameterBytes.size() &&
        bytes <= m.parameterBytes.size() - address)
      return m.parameterBytes.data() + address;
    m.fail(i, lane, "expected an address within the parameters");
    return nullptr;
  default:
    return m.global(i, address, bytes, lane, isWrite);
  }
}

/// The byte at the least address, if one buffer holds the accesses of all lanes and none
/// is misaligned. Null: the lanes are looked at one by one.
static uint8_t *together(Machine &m, const LaneAddresses &lanes, unsigned bytes,
                         bool isWrite) {
  if (lanes.bits % bytes != 0 || lanes.most - lanes.least > kWindowBytes * 256)
    return nullptr;
  uint64_t size = lanes.most - lanes.least + bytes;
  if (lanes.space == Global)
    return m.globalSpan(lanes.least, size, isWrite);
  if (lanes.space == SharedSpace && !m.findsRaces())
    return m.sharedSpan(lanes.least, size);
  return nullptr;
}

/// Between memory and a register, N bytes for each lane.
template <unsigned N, bool IsStore, typename Byte>
static void copyLanes(const LaneAddresses &lanes, uint32_t mask, uint8_t *base,
                      Byte *registers) {
  forLanes(mask, [&](unsigned lane) {
    uint8_t *at = base + (lanes.at[lane] - lanes.least);
    if constexpr (IsStore)
      std::memcpy(at, registers + N * lane, N);
    else
      std::memcpy(registers + N * lane, at, N);
  });
}

template <bool IsStore, typename Byte>
static void copyLanes(unsigned bytes, const LaneAddresses &lanes, uint32_t mask,
                      uint8_t *base, Byte *registers) {
  switch (bytes) {
  case 2:
    return copyLanes<2, IsStore>(lanes, mask, base, registers);
  case 4:
    return copyLanes<4, IsStore>(lanes, mask, base, registers);
  default:
    return copyLanes<8, IsStore>(lanes, mask, base, registers);
  }
}

/// vector * bytes of memory go to the registers of each lane.
template <Space S>
static void load(Machine &m, const Instruction &i, uint32_t mask) {
  LaneAddresses lanes(m, i, mask, S);
  unsigned whole = i.bytes * i.vector;
  countAccess(m, lanes, whole, /*isStore=*/false);
  unsigned width = i.flags >> kWidthShift & 0xFF;
  llvm::ArrayRef<Slot> slots = m.operands(i, i.vector);
  if (i.bytes == width)
    if (uint8_t *base = together(m, lanes, whole, /*isWrite=*/false)) {
      for (unsigned k = 0; k < i.vector; ++k)
        if (slots[k] != kNoSlot)
          copyLanes<false>(width, lanes, mask, base + k * width,
                           m.registers<uint8_t>(slots[k]));
      return;
    }
  forLanes(mask, [&](unsigned lane) {
    const uint8_t *from = find(m, i, lanes.space, lanes.at[lane], whole, lane,
                               /*isWrite=*/false);
    if (!from)
      return;
    if (lanes.space == SharedSpace)
      m.noteShared(i, lanes.at[lane], whole, lane, /*isWrite=*/false);
    if (i.bytes == width) {
      for (unsigned k = 0; k < i.vector; ++k)
        if (slots[k] != kNoSlot)
          std::memcpy(m.registers<uint8_t>(slots[k]) + lane * width,
                      from + k * width, width);
      return;
    }
    for (unsigned k = 0; k < i.vector; ++k) {
      int64_t value = 0;
      std::memcpy(&value, from + k * i.bytes, i.bytes);
      unsigned unused = 64 - 8 * i.bytes;
      if (i.flags & kIsSigned)
        value = int64_t(uint64_t(value) << unused) >> unused;
      if (slots[k] != kNoSlot)
        std::memcpy(m.registers<uint8_t>(slots[k]) + lane * width, &value,
                    width);
    }
  });
}

template <Space S>
static void store(Machine &m, const Instruction &i, uint32_t mask) {
  LaneAddresses lanes(m, i, mask, S);
  unsigned whole = i.bytes * i.vector;
  countAccess(m, lanes, whole, /*isStore=*/true);
  unsigned width = i.flags >> kWidthShift & 0xFF;
  llvm::ArrayRef<Slot> slots = m.operands(i, i.vector);
  // With vectors, lanes that write the same bytes do so one after the other.
  if (i.bytes == width && i.vector == 1)
    if (uint8_t *base = together(m, lanes, whole, /*isWrite=*/true))
      return copyLanes<true>(width, lanes, mask, base,
                             m.values<uint8_t>(slots[0]));
  forLanes(mask, [&](unsigned lane) {
    uint8_t *to =
        find(m, i, lanes.space, lanes.at[lane], whole, lane, /*isWrite=*/true);
    if (!to)
      return;
    uint8_t bytes[32];
    for (unsigned k = 0; k < i.vector; ++k)
      std::memcpy(bytes + k * i.bytes,
                  m.values<uint8_t>(slots[k]) + lane * width, i.bytes);
    if (lanes.space == SharedSpace && m.findsRaces())
      m.noteShared(i, lanes.at[lane], whole, lane, /*isWrite=*/true,
                   std::equal(bytes, bytes + whole, to));
    std::memcpy(to, bytes, whole);
  });
}

/// cp.async: from global to shared memory. bytes: copied; b: how many of them are read,
/// the rest is zero. It is done at once.
static void copyAsync(Machine &m, const Instruction &i, uint32_t mask) {
  LaneAddresses to(m, i, mask, SharedSpace);
  countAccess(m, to, i.bytes, /*isStore=*/true);
  // The source is the first of the operands; its offset is behind it.
  llvm::ArrayRef<Slot> source = m.operands(i, 2);
  const auto *addresses = m.values<uint64_t>(source[0]);
  const auto *sizes = i.b == kNoSlot ? nullptr : m.values<uint32_t>(i.b);
  uint64_t read[32];
  unsigned count = 0;
  forLanes(mask, [&](unsigned lane) {
    uint64_t from = addresses[lane] + uint64_t(int64_t(int32_t(source[1])));
    unsigned size = sizes ? std::min<uint32_t>(sizes[lane], i.bytes) : i.bytes;
    uint8_t *target = m.shared(i, to.at[lane], i.bytes, lane);
    if (!target)
      return;
    uint8_t bytes[16] = {};
    if (size != 0) {
      if (from % i.bytes != 0)
        return m.fail(i, lane,
                      "expected an address that is a multiple of " +
                          llvm::Twine(unsigned(i.bytes)));
      for (unsigned at = 0; at < size; ++at) {
        const uint8_t *byte =
            m.global(i, from + at, 1, lane, /*isWrite=*/false);
        if (!byte)
          return;
        bytes[at] = *byte;
      }
      read[count++] = from;
    }
    m.noteShared(i, to.at[lane], i.bytes, lane, /*isWrite=*/true,
                 std::equal(bytes, bytes + i.bytes, target));
    std::memcpy(target, bytes, i.bytes);
  });
  if (count != 0) {
    ++m.counts.loads;
    m.counts.loadSectors += sectorsOf({read, count}, i.bytes);
  }
}

static void nothing(Machine &, const Instruction &, uint32_t) {}

static Space takeSpace(Decoder &d) {
  if (d.take("global") || d.take("const"))
    return Global;
  if (d.take("shared") || d.take("shared::cta"))
    return SharedSpace;
  if (d.take("local"))
    return LocalSpace;
  if (d.take("param") || d.take("param::entry"))
    return ParameterSpace;
  return Generic;
}

/// Orders, scopes and hints of caches, which change nothing here.
static void takeHints(Decoder &d) {
  d.takeOne(
      {"weak", "relaxed", "acquire", "release", "acq_rel", "volatile", "mmio"});
  d.takeOne({"sys", "gpu", "cta", "cluster"});
  d.take("nc");
  d.takeOne({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  while (d.takeOne({"L1::evict_last", "L1::evict_first", "L1::evict_normal",
                    "L1::evict_unchanged", "L1::no_allocate", "L2::evict_last",
                    "L2::evict_first", "L2::evict_normal", "L2::64B",
                    "L2::128B", "L2::256B"}) >= 0) {
  }
}

static Unit unitOf(Space space) {
  return space == SharedSpace                             ? Unit::Shared
         : space == LocalSpace || space == ParameterSpace ? Unit::Local
                                                          : Unit::Global;
}

static unsigned takeVector(Decoder &d) {
  int vector = d.takeOne({"v2", "v4", "v8"});
  return vector < 0 ? 1 : 2u << vector;
}

static bool decodeAccess(Decoder &d, bool isStore) {
  takeHints(d);
  Space space = takeSpace(d);
  unsigned vector = takeVector(d);
  Type type = d.takeType();
  if (type.bits < 8 || type.count != 1)
    return d.fail("expected the type of a number");
  d.out.bytes = uint8_t(type.bytes());
  d.out.vector = uint8_t(vector);
  unsigned width = 0, count;
  if (isStore) {
    d.address();
    count = d.vector(type.bytes(), /*isResult=*/false, &width);
  } else {
    count = d.vector(type.bytes(), /*isResult=*/true, &width);
    d.address();
  }
  if (!d.hasFailed() && count != vector)
    return d.fail("expected " + llvm::Twine(vector) + " registers, got " +
                  llvm::Twine(count));
  if (vector * type.bytes() > 32)
    return d.fail("expected at most 32 bytes");
  d.out.flags |=
      width << kWidthShift | (type.kind == Type::Signed ? kIsSigned : 0);
  Handler handler;
  if (isStore)
    handler = space == Generic       ? &store<Generic>
              : space == Global      ? &store<Global>
              : space == SharedSpace ? &store<SharedSpace>
              : space == LocalSpace  ? &store<LocalSpace>
                                     : Handler(nullptr);
  else
    handler = space == Generic       ? &load<Generic>
              : space == Global      ? &load<Global>
              : space == SharedSpace ? &load<SharedSpace>
              : space == LocalSpace  ? &load<LocalSpace>
                                     : &load<ParameterSpace>;
  return d.done(unitOf(space), handler);
}

static bool decodeCopy(Decoder &d) {
  d.take("async");
  if (d.take("commit_group"))
    return d.done(Unit::Control, &nothing);
  if (d.take("wait_group")) {
    (void)d.number();
    return d.done(Unit::Control, &nothing);
  }
  if (d.take("wait_all"))
    return d.done(Unit::Control, &nothing);
  takeHints(d);
  (void)(d.take("shared") || d.take("shared::cta") ||
         d.take("shared::cluster"));
  d.take("global");
  d.address();
  Slot toRegister = d.out.a;
  int64_t toOffset = d.out.offset;
  uint32_t toFlags = d.out.flags;
  d.out.flags = 0;
  d.address();
  if (d.out.flags & kNarrowAddress)
    return d.fail("expected a global address of 64 bits");
  d.out.firstOperand = d.kernel.operands.size();
  d.kernel.operands.push_back(d.out.a);
  d.kernel.operands.push_back(Slot(uint32_t(int32_t(d.out.offset))));
  d.out.a = toRegister;
  d.out.offset = toOffset;
  d.out.flags = toFlags;
  uint64_t bytes = d.number().value_or(0);
  if (!d.hasFailed() && bytes != 4 && bytes != 8 && bytes != 16)
    return d.fail("expected 4, 8 or 16 bytes");
  d.out.bytes = uint8_t(bytes);
  if (d.hasOperand())
    d.out.b = d.value(4);
  return d.done(Unit::Global, &copyAsync);
}

bool decodeMemory(Decoder &d) {
  if (d.base() == "ld" || d.base() == "ldu")
    return decodeAccess(d, /*isStore=*/false);
  if (d.base() == "st")
    return decodeAccess(d, /*isStore=*/true);
  if (d.base() == "cp" && d.has("async"))
    return decodeCopy(d);
  return false;
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

namespace {
enum class Atomic : uint8_t {
  And,
  Or,
  Xor,
  Exchange,
  CompareAndSwap,
  Add,
  Inc,
  Dec,
  Min,
  Max
};
} // namespace

static constexpr unsigned kOperationAt = 16; ///< in flags
static constexpr unsigned kKindAt = 20;
static constexpr unsigned kSpaceAt = 24;

/// A new value. `c` is that of compare-and-swap.
static uint64_t atomicInteger(Atomic operation, Type::Kind kind, unsigned bits,
                              uint64_t old, uint64_t b, uint64_t c) {
  auto extend = [&](uint64_t value) {
    return int64_t(value << (64 - bits)) >> (64 - bits);
  };
  bool isSigned = kind == Type::Signed;
  bool isLess = isSigned ? extend(b) < extend(old) : b < old;
  bool isMore = isSigned ? extend(b) > extend(old) : b > old;
  switch (operation) {
  case Atomic::And:
    return old & b;
  case Atomic::Or:
    return old | b;
  case Atomic::Xor:
    return old ^ b;
  case Atomic::Exchange:
    return b;
  case Atomic::CompareAndSwap:
    return old == b ? c : old;
  case Atomic::Add:
    return old + b;
  case Atomic::Inc:
    return old >= b ? 0 : old + 1;
  case Atomic::Dec:
    return old == 0 || old > b ? b : old - 1;
  case Atomic::Min:
    return isLess ? b : old;
  case Atomic::Max:
    return isMore ? b : old;
  }
  return old;
}

static uint64_t addFloats(Type::Kind kind, unsigned bits, uint64_t old,
                          uint64_t b) {
  if (bits == 64)
    return std::bit_cast<uint64_t>(std::bit_cast<double>(old) +
                                   std::bit_cast<double>(b));
  if (bits == 32)
    return std::bit_cast<uint32_t>(std::bit_cast<float>(uint32_t(old)) +
                                   std::bit_cast<float>(uint32_t(b)));
  const Format &format = kind == Type::BFloat ? kBF16 : kF16;
  return encode(format, sum(decode(format, old), decode(format, b)),
                Rounding::Nearest);
}

/// bytes: of an element; vector: the elements, of a pair or of `.v2.f32` and so on, whose
/// slots are the operands (results first, if there are any).
static void atomic(Machine &m, const Instruction &i, uint32_t mask) {
  auto space = Space(i.flags >> kSpaceAt & 0xF);
  auto operation = Atomic(i.flags >> kOperationAt & 0xF);
  auto kind = Type::Kind(i.flags >> kKindAt & 0xF);
  LaneAddresses lanes(m, i, mask, space);
  unsigned elementBytes = i.bytes, width = i.flags >> kWidthShift & 0xFF;
  unsigned perRegister = width / elementBytes, whole = width * i.vector;
  if (lanes.space == Global) {
    ++m.counts.atomics;
    m.counts.atomicSectors += sectorsOf(lanes.used(), whole);
  } else if (lanes.space == SharedSpace) {
    ++m.counts.sharedStores;
    m.counts.sharedStorePasses += bankPasses(lanes.used(), whole);
  }
  bool hasResult = i.d != kNoSlot;
  llvm::ArrayRef<Slot> slots = m.operands(i, i.vector * (hasResult ? 2 : 1));
  llvm::ArrayRef<Slot> values = hasResult ? slots.drop_front(i.vector) : slots;
  forLanes(mask, [&](unsigned lane) {
    uint8_t *at =
        find(m, i, lanes.space, lanes.at[lane], whole, lane, /*isWrite=*/true);
    if (!at)
      return;
    for (unsigned k = 0; k < i.vector; ++k) {
      uint8_t before[8];
      std::memcpy(before, at + k * width, width);
      for (unsigned part = 0; part < perRegister; ++part) {
        unsigned place = part * elementBytes;
        uint64_t old = 0, b = 0, c = 0;
        std::memcpy(&old, before + place, elementBytes);
        std::memcpy(&b, m.values<uint8_t>(values[k]) + lane * width + place,
                    elementBytes);
        if (i.c != kNoSlot)
          std::memcpy(&c, m.values<uint8_t>(i.c) + lane * width + place,
                      elementBytes);
        bool isFloat = kind == Type::Float || kind == Type::BFloat;
        uint64_t now =
            isFloat && operation == Atomic::Add
                ? addFloats(kind, 8 * elementBytes, old, b)
                : atomicInteger(operation, kind, 8 * elementBytes, old, b, c);
        std::memcpy(at + k * width + place, &now, elementBytes);
      }
      if (hasResult && slots[k] != kNoSlot)
        std::memcpy(m.registers<uint8_t>(slots[k]) + lane * width, before,
                    width);
    }
  });
}

bool decodeAtomic(Decoder &d) {
  bool isRed = d.base() == "red";
  if (d.base() != "atom" && !isRed)
    return false;
  if (d.has("async"))
    return false;
  takeHints(d);
  d.take("noftz");
  Space space = takeSpace(d);
  int operation = d.takeOne(
      {"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"});
  if (operation < 0)
    return d.fail("expected an operation, such as '.add'");
  unsigned vector = takeVector(d);
  Type type = d.takeType();
  bool isFloat = type.kind == Type::Float || type.kind == Type::BFloat;
  auto kind = Atomic(operation);
  if (isFloat && kind != Atomic::Add && kind != Atomic::Exchange)
    return d.fail("expected '.add' for this type");
  if (type.bits < 16)
    return d.fail("expected a type of at least 16 bits");
  d.out.bytes = uint8_t(type.bytes() / type.count);
  d.out.vector = uint8_t(vector);
  uint32_t first = 0;
  unsigned results = vector;
  if (!isRed) {
    d.out.d = 0;
    results = d.vector(type.bytes(), /*isResult=*/true);
    first = d.out.firstOperand;
  }
  d.address();
  unsigned values = d.vector(type.bytes(), /*isResult=*/false);
  if (!isRed)
    d.out.firstOperand = first;
  if (!d.hasFailed() && (results != vector || values != vector))
    return d.fail("expected " + llvm::Twine(vector) + " registers");
  if (kind == Atomic::CompareAndSwap)
    d.out.c = d.value(type);
  d.out.flags |= uint32_t(operation) << kOperationAt |
                 uint32_t(type.kind) << kKindAt | uint32_t(space) << kSpaceAt |
                 type.bytes() << kWidthShift;
  if (vector * type.bytes() > 32)
    return d.fail("expected at most 32 bytes");
  return d.done(unitOf(space), &atomic);
}

} // namespace mercator::reference::ptx
