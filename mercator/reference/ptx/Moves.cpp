// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// mov, selp, slct, cvta, comparisons, and the logic of predicates.

#include "mercator/reference/ptx/Arithmetic.h"
#include "mercator/reference/ptx/Functors.h"

namespace mercator::reference::ptx {

namespace {
struct Same {
  template <typename T> T operator()(T a) const { return a; }
};
} // namespace

/// d in elements of a: `mov.b64 {%r1, %r2}, %rd1`. bytes: of an element.
static void unpack(Machine &m, const Instruction &i, uint32_t mask) {
  const auto *a = m.values<uint8_t>(i.a);
  unsigned whole = i.bytes * i.vector;
  for (auto [k, slot] : llvm::enumerate(m.operands(i, i.vector))) {
    if (slot == kNoSlot)
      continue;
    auto *d = m.registers<uint8_t>(slot);
    forLanes(mask, [&, k = k](unsigned lane) {
      std::memcpy(d + lane * i.bytes, a + lane * whole + k * i.bytes, i.bytes);
    });
  }
}

static void pack(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint8_t>(i.d);
  unsigned whole = i.bytes * i.vector;
  // The result may be one of the elements.
  uint8_t result[32 * 8];
  for (auto [k, slot] : llvm::enumerate(m.operands(i, i.vector))) {
    const auto *a = m.values<uint8_t>(slot);
    forLanes(mask, [&, k = k](unsigned lane) {
      std::memcpy(result + lane * whole + k * i.bytes, a + lane * i.bytes,
                  i.bytes);
    });
  }
  forLanes(mask, [&](unsigned lane) {
    std::memcpy(d + lane * whole, result + lane * whole, whole);
  });
}

static void movePredicate(Machine &m, const Instruction &i, uint32_t mask) {
  uint32_t value =
      i.a == kNoSlot ? (i.flags & 2 ? ~uint32_t(0) : 0) : m.predicate(i.a);
  m.setPredicate(i.d, mask, i.flags & 1 ? ~value : value);
}

static bool decodeMov(Decoder &d) {
  Type type = d.takeType();
  if (type.kind == Type::Predicate) {
    d.out.d = d.predicateResult();
    const Operand *operand = d.peek();
    if (operand && operand->kind == Operand::Number) {
      d.out.flags = d.number().value_or(0) ? 2 : 0;
    } else {
      bool isNegated;
      d.out.a = d.predicate(isNegated);
      d.out.flags = isNegated;
    }
    return d.done(Unit::Predicate, &movePredicate);
  }
  auto isVector = [&] {
    return d.peek() && d.peek()->kind == Operand::Vector
               ? d.peek()->elements.size()
               : 0;
  };
  auto elementBytes = [&](size_t count) -> unsigned {
    if ((count != 2 && count != 4) || type.bytes() / count < 2) {
      d.fail("expected 2 or 4 elements of at least 16 bits");
      return 4;
    }
    d.out.vector = uint8_t(count);
    return d.out.bytes = uint8_t(type.bytes() / count);
  };
  if (size_t count = isVector()) {
    d.vector(elementBytes(count), /*isResult=*/true);
    d.out.a = d.value(type);
    return d.done(Unit::Move, &unpack);
  }
  d.out.d = d.result(type);
  if (size_t count = isVector()) {
    d.vector(elementBytes(count), /*isResult=*/false);
    return d.done(Unit::Move, &pack);
  }
  d.out.a = d.value(type);
  Type bits = {Type::Unsigned, type.bits};
  return d.done(Unit::Move, MERCATOR_PTX_BY_TYPE(bits, unary, Same));
}

template <typename T>
static void select(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  uint32_t chosen = m.predicate(i.c) ^ (i.flags ? ~uint32_t(0) : 0);
  forLanes(mask, [&](unsigned lane) {
    d[lane] = chosen >> lane & 1 ? a[lane] : b[lane];
  });
}

/// slct d, a, b, c: a where c >= 0. flags: c is f32.
template <typename T>
static void selectBySign(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  const auto *c = m.values<uint32_t>(i.c);
  forLanes(mask, [&](unsigned lane) {
    bool isFirst =
        i.flags ? std::bit_cast<float>(c[lane]) >= 0 : int32_t(c[lane]) >= 0;
    d[lane] = isFirst ? a[lane] : b[lane];
  });
}

/// Addresses of shared and local memory become generic ones, or the other way. Global
/// addresses are generic. flags: 1 to the window, 2 from it, 4 local.
static void convertAddress(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint64_t>(i.d);
  const auto *a = m.values<uint64_t>(i.a);
  uint64_t window = i.flags & 4 ? kLocalWindow : kSharedWindow;
  uint64_t offset = i.flags & 1 ? window : i.flags & 2 ? 0 - window : 0;
  forLanes(mask, [&](unsigned lane) {
    // An address that is in the window already stays there.
    bool isInWindow = a[lane] - window < kWindowBytes;
    bool isMoved = i.flags & 1 ? !isInWindow : isInWindow;
    d[lane] = a[lane] + (isMoved ? offset : 0);
  });
}

static bool decodeAddressConversion(Decoder &d) {
  bool isTo = d.take("to");
  int space =
      d.takeOne({"global", "const", "shared", "shared::cta", "local", "param"});
  Type type = d.takeType();
  if (space < 0 || type.bits != 64)
    return d.fail("expected a space and '.u64'");
  bool isWindow = space >= 2 && space <= 4;
  d.out.flags = (isWindow ? (isTo ? 2 : 1) : 0) | (space == 4 ? 4 : 0);
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  return d.done(Unit::Move, &convertAddress);
}

bool decodeMove(Decoder &d) {
  llvm::StringRef base = d.base();
  if (base == "mov")
    return decodeMov(d);
  if (base == "cvta")
    return decodeAddressConversion(d);
  if (base != "selp" && base != "slct")
    return false;
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  if (base == "slct") {
    d.take("ftz");
    Type c = d.takeType();
    d.out.flags = c.kind == Type::Float;
    d.out.c = d.value(c);
    return d.done(Unit::Move, type.bits == 64   ? &selectBySign<uint64_t>
                              : type.bits == 32 ? &selectBySign<uint32_t>
                                                : &selectBySign<uint16_t>);
  }
  bool isNegated = false;
  d.out.c = d.predicate(isNegated);
  d.out.flags = isNegated;
  return d.done(Unit::Move, type.bits == 64   ? &select<uint64_t>
                            : type.bits == 32 ? &select<uint32_t>
                            : type.bits == 16 ? &select<uint16_t>
                                              : Handler(nullptr));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// flags: the comparison in the low bits; where it holds:
enum Order : uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
static constexpr uint32_t kCompareMask = 15;
static constexpr uint32_t kCombineAnd = 16, kCombineOr = 32, kCombineXor = 64;
static constexpr uint32_t kNegateCombined = 128, kFlushCompared = 256,
                          kCompareBFloat = 512;

/// Writes the predicate, and the second one, whose comparison is the opposite.
static void setPredicates(Machine &m, const Instruction &i, uint32_t mask,
                          uint32_t holds) {
  uint32_t first = holds, second = ~holds;
  if (i.flags & (kCombineAnd | kCombineOr | kCombineXor)) {
    uint32_t other =
        m.predicate(i.c) ^ (i.flags & kNegateCombined ? ~uint32_t(0) : 0);
    auto combine = [&](uint32_t value) {
      return i.flags & kCombineAnd  ? value & other
             : i.flags & kCombineOr ? value | other
                                    : value ^ other;
    };
    first = combine(first);
    second = combine(second);
  }
  if (i.d != kNoSlot)
    m.setPredicate(i.d, mask, first);
  if (i.target != kNoSlot)
    m.setPredicate(i.target, mask, second);
}

template <typename T>
static void compare(Machine &m, const Instruction &i, uint32_t mask) {
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  uint32_t holds = 0;
  // All lanes: what the others give is masked away.
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t is = (a[lane] < b[lane] ? kLess : 0) |
                  (a[lane] == b[lane] ? kEqual : 0) |
                  (a[lane] > b[lane] ? kGreater : 0);
    if constexpr (std::is_floating_point_v<T>)
      is |= is == 0 ? kUnordered : 0;
    holds |= uint32_t((is & i.flags & kCompareMask) != 0) << lane;
  }
  setPredicates(m, i, mask, holds);
}

/// Comparisons of halves, and of f32 with `.ftz`.
static void compareConverted(Machine &m, const Instruction &i, uint32_t mask) {
  auto value = [&](Slot slot, unsigned lane) -> double {
    if (i.bytes == 4) {
      float x = m.values<float>(slot)[lane];
      return i.flags & kFlushCompared ? flush(x) : x;
    }
    return decode(i.flags & kCompareBFloat ? kBF16 : kF16,
                  m.values<uint16_t>(slot)[lane]);
  };
  uint32_t holds = 0;
  forLanes(mask, [&](unsigned lane) {
    double a = value(i.a, lane), b = value(i.b, lane);
    uint32_t is = a < b    ? kLess
                  : a == b ? kEqual
                  : a > b  ? kGreater
                           : kUnordered;
    holds |= uint32_t((is & i.flags) != 0) << lane;
  });
  setPredicates(m, i, mask, holds);
}

template <uint32_t Kind>
static void predicateLogic(Machine &m, const Instruction &i, uint32_t mask) {
  uint32_t a = m.predicate(i.a) ^ (i.flags & 1 ? ~uint32_t(0) : 0);
  uint32_t b =
      i.b == kNoSlot ? 0 : m.predicate(i.b) ^ (i.flags & 2 ? ~uint32_t(0) : 0);
  m.setPredicate(i.d, mask,
                 Kind == 0   ? a & b
                 : Kind == 1 ? a | b
                 : Kind == 2 ? a ^ b
                             : ~a);
}

static bool decodePredicateLogic(Decoder &d) {
  llvm::StringRef base = d.base();
  (void)d.takeType();
  bool isFirstNegated = false, isSecondNegated = false;
  d.out.d = d.predicateResult();
  d.out.a = d.predicate(isFirstNegated);
  if (base != "not")
    d.out.b = d.predicate(isSecondNegated);
  d.out.flags = (isFirstNegated ? 1 : 0) | (isSecondNegated ? 2 : 0);
  return d.done(Unit::Predicate, base == "and"   ? &predicateLogic<0>
                                 : base == "or"  ? &predicateLogic<1>
                                 : base == "xor" ? &predicateLogic<2>
                                                 : &predicateLogic<3>);
}

bool decodeCompare(Decoder &d) {
  llvm::StringRef base = d.base();
  if (base == "and" || base == "or" || base == "xor" || base == "not")
    return d.peekType().kind == Type::Predicate && decodePredicateLogic(d);
  if (base != "setp")
    return false;
  static constexpr std::pair<llvm::StringLiteral, uint32_t> kComparisons[] = {
      {"eq", kEqual},
      {"ne", kLess | kGreater},
      {"lt", kLess},
      {"le", kLess | kEqual},
      {"gt", kGreater},
      {"ge", kGreater | kEqual},
      {"lo", kLess},
      {"ls", kLess | kEqual},
      {"hi", kGreater},
      {"hs", kGreater | kEqual},
      {"equ", kEqual | kUnordered},
      {"neu", kLess | kGreater | kUnordered},
      {"ltu", kLess | kUnordered},
      {"leu", kLess | kEqual | kUnordered},
      {"gtu", kGreater | kUnordered},
      {"geu", kGreater | kEqual | kUnordered},
      {"num", kLess | kEqual | kGreater},
      {"nan", kUnordered}};
  for (auto [name, holds] : kComparisons)
    if (d.out.flags == 0 && d.take(name))
      d.out.flags = holds;
  if (d.out.flags == 0)
    return d.fail("expected a comparison, such as '.lt'");
  if (d.take("and"))
    d.out.flags |= kCombineAnd;
  else if (d.take("or"))
    d.out.flags |= kCombineOr;
  else if (d.take("xor"))
    d.out.flags |= kCombineXor;
  bool isCombined = d.out.flags & (kCombineAnd | kCombineOr | kCombineXor);
  if (d.take("ftz"))
    d.out.flags |= kFlushCompared;
  Type type = d.takeType();
  if (type.kind == Type::BFloat)
    d.out.flags |= kCompareBFloat;
  d.out.bytes = uint8_t(type.bytes());
  Slot second = kNoSlot;
  d.predicatePair(d.out.d, second);
  d.out.target = second;
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  if (isCombined) {
    bool isNegated = false;
    d.out.c = d.predicate(isNegated);
    d.out.flags |= isNegated ? kNegateCombined : 0;
  }
  Handler handler = nullptr;
  if (type.count == 1 && (type.isHalf() || d.out.flags & kFlushCompared))
    handler = type.bits <= 32 ? &compareConverted : nullptr;
  else if (type.kind == Type::Float && type.count == 1)
    handler = type.bits == 64 ? &compare<double> : &compare<float>;
  else if (type.kind == Type::Signed)
    handler = type.bits == 64   ? &compare<int64_t>
              : type.bits == 32 ? &compare<int32_t>
              : type.bits == 16 ? &compare<int16_t>
                                : Handler(nullptr);
  else if (type.isInteger())
    handler = type.bits == 64   ? &compare<uint64_t>
              : type.bits == 32 ? &compare<uint32_t>
              : type.bits == 16 ? &compare<uint16_t>
                                : Handler(nullptr);
  return d.done(Unit::Predicate, handler);
}

} // namespace mercator::reference::ptx
