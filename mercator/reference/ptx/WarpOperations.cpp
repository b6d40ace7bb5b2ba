// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Instructions by which the lanes of a warp exchange values: shfl, vote, match, redux.

#include "mercator/reference/ptx/Arithmetic.h"
#include "mercator/reference/ptx/Functors.h"

#include <algorithm>

namespace mercator::reference::ptx {

/// The member mask is the last operand, in `c`. All its lanes that have not returned
/// must be here.
static bool hasMembers(Machine &m, const Instruction &i, uint32_t mask) {
  unsigned lane = std::countr_zero(mask);
  uint32_t members = m.values<uint32_t>(i.c)[lane];
  if ((members & m.warp->alive & ~mask) == 0)
    return true;
  m.fail(i, lane,
         "expected all lanes of the member mask 0x" +
             llvm::Twine::utohexstr(members) + ", got the lanes 0x" +
             llvm::Twine::utohexstr(mask));
  return false;
}

namespace {
enum ShuffleMode : uint32_t { Up, Down, Butterfly, Index };
} // namespace

/// flags: the mode; operands: the clamp and segment mask; target: the predicate.
static void shuffle(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasMembers(m, i, mask))
    return;
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b);
  const auto *c = m.values<uint32_t>(m.operands(i, 1)[0]);
  uint32_t result[32], isInRange = 0;
  forLanes(mask, [&](unsigned lane) {
    uint32_t delta = b[lane] & 31, clamp = c[lane] & 31,
             segment = c[lane] >> 8 & 31;
    uint32_t highest = (lane & segment) | (clamp & ~segment),
             lowest = lane & segment;
    int from = 0;
    bool is = false;
    switch (ShuffleMode(i.flags)) {
    case Up:
      from = int(lane) - int(delta);
      is = from >= int(highest);
      break;
    case Down:
      from = int(lane + delta);
      is = from <= int(highest);
      break;
    case Butterfly:
      from = int(lane ^ delta);
      is = from <= int(highest);
      break;
    case Index:
      from = int(lowest | (delta & ~segment));
      is = from <= int(highest);
      break;
    }
    result[lane] = a[is ? from & 31 : int(lane)];
    isInRange |= uint32_t(is) << lane;
  });
  if (i.d != kNoSlot) {
    auto *d = m.registers<uint32_t>(i.d);
    forLanes(mask, [&](unsigned lane) { d[lane] = result[lane]; });
  }
  if (i.target != kNoSlot)
    m.setPredicate(i.target, mask, isInRange);
}

/// flags: 0 all, 1 any, 2 uni, 3 ballot; 4: the predicate is negated.
static void vote(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasMembers(m, i, mask))
    return;
  uint32_t votes = (m.predicate(i.a) ^ (i.flags & 4 ? ~uint32_t(0) : 0)) & mask;
  switch (i.flags & 3) {
  case 0:
    return m.setPredicate(i.d, mask, votes == mask ? ~uint32_t(0) : 0);
  case 1:
    return m.setPredicate(i.d, mask, votes != 0 ? ~uint32_t(0) : 0);
  case 2:
    return m.setPredicate(i.d, mask,
                          votes == mask || votes == 0 ? ~uint32_t(0) : 0);
  }
  auto *d = m.registers<uint32_t>(i.d);
  forLanes(mask, [&](unsigned lane) { d[lane] = votes; });
}

/// flags: 1 all, else any. target: the predicate.
template <typename T>
static void match(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasMembers(m, i, mask))
    return;
  const auto *a = m.values<T>(i.a);
  uint32_t result[32];
  bool isAll = true;
  forLanes(mask, [&](unsigned lane) {
    result[lane] = 0;
    forLanes(mask, [&](unsigned other) {
      result[lane] |= uint32_t(a[lane] == a[other]) << other;
    });
    isAll &= result[lane] == mask;
  });
  auto *d = i.d == kNoSlot ? nullptr : m.registers<uint32_t>(i.d);
  forLanes(mask, [&](unsigned lane) {
    if (d)
      d[lane] = i.flags & 1 ? (isAll ? mask : 0) : result[lane];
  });
  if (i.target != kNoSlot)
    m.setPredicate(i.target, mask, isAll ? ~uint32_t(0) : 0);
}

namespace {
enum Reduction : uint32_t { RedAdd, RedMin, RedMax, RedAnd, RedOr, RedXor };
} // namespace

/// flags: the operation; kSignedReduction; kFloatReduction, with the flags of min.
static constexpr uint32_t kSignedReduction = 1 << 16, kFloatReduction = 1 << 17,
                          kReductionShift = 20;

static void reduce(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasMembers(m, i, mask))
    return;
  const auto *a = m.values<uint32_t>(i.a);
  auto operation = Reduction(i.flags >> kReductionShift);
  uint32_t total = 0;
  bool isFirst = true;
  forLanes(mask, [&](unsigned lane) {
    uint32_t x = a[lane];
    if (isFirst) {
      total = x;
      isFirst = false;
      return;
    }
    if (i.flags & kFloatReduction) {
      float value = lesser(std::bit_cast<float>(total), std::bit_cast<float>(x),
                           i.flags, operation == RedMax);
      total = !std::isnan(value) ? std::bit_cast<uint32_t>(value) : kNaN32;
      return;
    }
    bool isLess =
        i.flags & kSignedReduction ? int32_t(x) < int32_t(total) : x < total;
    switch (operation) {
    case RedAdd:
      total += x;
      break;
    case RedMin:
      total = isLess ? x : total;
      break;
    case RedMax:
      total = isLess ? total : x;
      break;
    case RedAnd:
      total &= x;
      break;
    case RedOr:
      total |= x;
      break;
    case RedXor:
      total ^= x;
      break;
    }
  });
  auto *d = m.registers<uint32_t>(i.d);
  forLanes(mask, [&](unsigned lane) { d[lane] = total; });
}

static void activeMask(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  forLanes(mask, [&](unsigned lane) { d[lane] = mask; });
}

/// elect.sync: the first lane is chosen.
static void elect(Machine &m, const Instruction &i, uint32_t mask) {
  if (!hasMembers(m, i, mask))
    return;
  unsigned first = std::countr_zero(mask);
  if (i.d != kNoSlot) {
    auto *d = m.registers<uint32_t>(i.d);
    forLanes(mask, [&](unsigned lane) { d[lane] = first; });
  }
  if (i.target != kNoSlot)
    m.setPredicate(i.target, mask, uint32_t(1) << first);
}

static void syncWarp(Machine &m, const Instruction &i, uint32_t mask) {
  if (hasMembers(m, i, mask))
    ++m.warp->order;
}

static bool decodeShuffle(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("expected '.sync'");
  int mode = d.takeOne({"up", "down", "bfly", "idx"});
  if (mode < 0)
    return d.fail("expected '.up', '.down', '.bfly' or '.idx'");
  d.out.flags = uint32_t(mode);
  Type type = d.takeType();
  d.out.target = d.secondPredicate();
  d.out.d = d.result(type.bytes(), /*maySink=*/true);
  d.out.a = d.value(type);
  d.out.b = d.value(4);
  d.vector(4, false);
  d.out.c = d.value(4);
  return d.done(Unit::Warp, type.bits == 32 ? &shuffle : nullptr);
}

static bool decodeVote(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("expected '.sync'");
  int mode = d.takeOne({"all", "any", "uni", "ballot"});
  if (mode < 0)
    return d.fail("expected '.all', '.any', '.uni' or '.ballot'");
  Type type = d.takeType();
  if ((type.kind == Type::Predicate) == (mode == 3))
    return d.fail("expected '.pred', or '.b32' of '.ballot'");
  d.out.d = mode == 3 ? d.result(4) : d.predicateResult();
  bool isNegated = false;
  d.out.a = d.predicate(isNegated);
  d.out.flags = uint32_t(mode) | (isNegated ? 4 : 0);
  d.out.c = d.value(4);
  return d.done(Unit::Warp, &vote);
}

static bool decodeRedux(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("expected '.sync'");
  int operation = d.takeOne({"add", "min", "max", "and", "or", "xor"});
  if (operation < 0)
    return d.fail("expected an operation, such as '.add'");
  bool isAbs = d.take("abs"), isNaN = d.take("NaN");
  Type type = d.takeType();
  d.out.flags = uint32_t(operation) << kReductionShift |
                (isAbs ? kMagnitude : 0) | (isNaN ? kNotNumber : 0) |
                (type.kind == Type::Signed ? kSignedReduction : 0) |
                (type.kind == Type::Float ? kFloatReduction : 0);
  if (type.kind == Type::Float && operation != RedMin && operation != RedMax)
    return d.fail("expected '.min' or '.max' for f32");
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.c = d.value(4);
  return d.done(Unit::Warp, type.bits == 32 ? &reduce : nullptr);
}

bool decodeWarp(Decoder &d) {
  llvm::StringRef base = d.base();
  if (base == "shfl")
    return decodeShuffle(d);
  if (base == "vote")
    return decodeVote(d);
  if (base == "redux")
    return decodeRedux(d);
  if (base == "match") {
    d.out.flags = d.take("all") ? 1 : 0;
    d.take("any");
    d.take("sync");
    Type type = d.takeType();
    d.out.target = d.secondPredicate();
    d.out.d = d.result(4, /*maySink=*/true);
    d.out.a = d.value(type);
    d.out.c = d.value(4);
    return d.done(Unit::Warp, type.bits == 64   ? &match<uint64_t>
                              : type.bits == 32 ? &match<uint32_t>
                                                : Handler(nullptr));
  }
  if (base == "activemask") {
    (void)d.takeType();
    d.out.d = d.result(4);
    return d.done(Unit::Warp, &activeMask);
  }
  if (base == "elect") {
    d.take("sync");
    d.out.target = d.secondPredicate();
    d.out.d = d.result(4, /*maySink=*/true);
    d.out.c = d.value(4);
    return d.done(Unit::Warp, &elect);
  }
  if ((base == "bar" || base == "barrier")) {
    d.take("warp");
    d.take("sync");
    d.out.c = d.value(4);
    return d.done(Unit::Control, &syncWarp);
  }
  return false;
}

} // namespace mercator::reference::ptx
