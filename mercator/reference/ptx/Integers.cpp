// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Instructions of integers: arithmetic, logic, shifts, bit fields.

#include "mercator/reference/ptx/Functors.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace mercator::reference::ptx {

namespace {

template <typename T> using Unsigned = std::make_unsigned_t<T>;
template <typename T> inline constexpr unsigned kBitsOf = 8 * sizeof(T);

// Sums and products wrap: they are computed without a sign, in at least 32 bits.
template <typename T> uint64_t wrapping(T a) { return uint64_t(a); }

struct AddInt {
  template <typename T> T operator()(T a, T b) const {
    return T(Unsigned<T>(a) + Unsigned<T>(b));
  }
};
struct SubInt {
  template <typename T> T operator()(T a, T b) const {
    return T(Unsigned<T>(a) - Unsigned<T>(b));
  }
};
struct MulLow {
  template <typename T> T operator()(T a, T b) const {
    return T(wrapping(a) * wrapping(b));
  }
};
struct MulHigh {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (sizeof(T) == 8) {
      using Wide =
          std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return T((Wide(a) * Wide(b)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return T((Wide(a) * Wide(b)) >> kBitsOf<T>);
    }
  }
};
struct MadLow {
  template <typename T> T operator()(T a, T b, T c) const {
    return T(wrapping(a) * wrapping(b) + wrapping(c));
  }
};
struct MadHigh {
  template <typename T> T operator()(T a, T b, T c) const {
    return AddInt{}(MulHigh{}(a, b), c);
  }
};
// What the hardware gives for a division by zero is not specified; all bits are set.
struct DivInt {
  template <typename T> T operator()(T a, T b) const {
    if (b == 0)
      return T(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return T(0 - wrapping(a));
    return T(a / b);
  }
};
struct RemInt {
  template <typename T> T operator()(T a, T b) const {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return 0;
    return T(a % b);
  }
};
struct MinInt {
  template <typename T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct MaxInt {
  template <typename T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct SadInt {
  template <typename T> T operator()(T a, T b, T c) const {
    return AddInt{}(c, SubInt{}(std::max(a, b), std::min(a, b)));
  }
};
struct AbsInt {
  template <typename T> T operator()(T a) const {
    return a < 0 ? T(0 - wrapping(a)) : a;
  }
};
struct NegInt {
  template <typename T> T operator()(T a) const { return T(0 - wrapping(a)); }
};

struct And {
  template <typename T> T operator()(T a, T b) const { return T(a & b); }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return T(a | b); }
};
struct Xor {
  template <typename T> T operator()(T a, T b) const { return T(a ^ b); }
};
struct Not {
  template <typename T> T operator()(T a) const { return T(~a); }
};
struct CNot {
  template <typename T> T operator()(T a) const { return T(a == 0); }
};

// A count above the width gives no bits, or copies of the sign.
struct ShiftLeft {
  template <typename T> T operator()(T a, uint32_t n) const {
    return n >= kBitsOf<T> ? T(0) : T(wrapping(a) << n);
  }
};
struct ShiftRight {
  template <typename T> T operator()(T a, uint32_t n) const {
    if (n >= kBitsOf<T>)
      return T(a < 0 ? -1 : 0);
    return T(a >> n);
  }
};

struct Reverse {
  template <typename T> T operator()(T a) const {
    T result = 0;
    for (unsigned bit = 0; bit < kBitsOf<T>; ++bit)
      result |= T(a >> bit & 1) << (kBitsOf<T> - 1 - bit);
    return result;
  }
};

/// `len` bits from `pos`; of a signed type with copies of the highest one.
struct ExtractField {
  template <typename T> T operator()(T a, uint32_t pos, uint32_t len) const {
    pos &= 0xFF;
    len &= 0xFF;
    constexpr unsigned kWidth = kBitsOf<T>;
    auto bits = uint64_t(Unsigned<T>(a));
    uint64_t field = pos < kWidth ? bits >> pos : 0;
    if (len < kWidth)
      field &= (uint64_t(1) << len) - 1;
    if (std::is_signed_v<T> && len != 0) {
      unsigned highest = std::min(pos + len - 1, kWidth - 1);
      unsigned kept = pos < kWidth ? std::min(len, kWidth - pos) : 0;
      if (bits >> highest & 1 && kept < kWidth)
        field |= ~uint64_t(0) << kept;
    }
    return T(field);
  }
};

} // namespace

template <typename T>
static void extractField(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a);
  const auto *b = m.values<uint32_t>(i.b), *c = m.values<uint32_t>(i.c);
  forLanes(mask, [&](unsigned lane) {
    d[lane] = ExtractField{}(a[lane], b[lane], c[lane]);
  });
}

/// bfi d, a, b, pos, len: the low bits of a in place of bits of b.
template <typename T>
static void insertField(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  const auto *pos = m.values<uint32_t>(i.c);
  const auto *len = m.values<uint32_t>(m.operands(i, 1)[0]);
  forLanes(mask, [&](unsigned lane) {
    unsigned p = pos[lane] & 0xFF,
             n = std::min<unsigned>(len[lane] & 0xFF, kBitsOf<T>);
    if (p >= kBitsOf<T>) {
      d[lane] = b[lane];
      return;
    }
    uint64_t field = n == 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
    d[lane] = T((b[lane] & ~(field << p)) | ((a[lane] & field) << p));
  });
}

template <typename T>
static void countBits(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask,
           [&](unsigned lane) { d[lane] = uint32_t(std::popcount(a[lane])); });
}

template <typename T>
static void countZeros(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask, [&](unsigned lane) {
    d[lane] = uint32_t(std::countl_zero(a[lane]));
  });
}

/// bfind: the highest bit that is not the sign; with `.shiftamt` its distance from the
/// top (flags).
template <typename T>
static void findBit(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask, [&](unsigned lane) {
    auto bits = Unsigned<T>(a[lane] < 0 ? ~a[lane] : a[lane]);
    uint32_t highest = kBitsOf<T> - 1 - uint32_t(std::countl_zero(bits));
    if (bits == 0)
      d[lane] = ~uint32_t(0);
    else
      d[lane] = i.flags ? kBitsOf<T> - 1 - highest : highest;
  });
}

/// mul.wide and mad.wide: W has twice the bits of T.
template <typename T, typename W, bool HasSum>
static void wide(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<W>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  const auto *c = HasSum ? m.values<W>(i.c) : nullptr;
  forLanes(mask, [&](unsigned lane) {
    W product = W(a[lane]) * W(b[lane]);
    d[lane] = HasSum ? AddInt{}(product, c[lane]) : product;
  });
}

template <bool HasSum> static Handler wideHandler(Type type) {
  bool isSigned = type.kind == Type::Signed;
  if (type.bits == 16)
    return isSigned ? &wide<int16_t, int32_t, HasSum>
                    : &wide<uint16_t, uint32_t, HasSum>;
  if (type.bits == 32)
    return isSigned ? &wide<int32_t, int64_t, HasSum>
                    : &wide<uint32_t, uint64_t, HasSum>;
  return nullptr;
}

/// shf: bits of b:a, 64 together, moved. flags: 1 right, 2 the count wraps.
static void funnelShift(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b),
             *c = m.values<uint32_t>(i.c);
  forLanes(mask, [&](unsigned lane) {
    uint64_t both = uint64_t(b[lane]) << 32 | a[lane];
    uint32_t n = i.flags & 2 ? c[lane] & 31 : std::min(c[lane], 32u);
    d[lane] = i.flags & 1 ? uint32_t(both >> n) : uint32_t(both << n >> 32);
  });
}

/// prmt: four bytes of b:a, chosen by c. flags: the mode.
static uint32_t permute(uint32_t a, uint32_t b, uint32_t selector,
                        uint32_t mode) {
  uint64_t both = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    unsigned from = selector >> (4 * byte) & 15, s = selector & 3;
    switch (mode) {
    case 1: // f4e
      from = s + byte;
      break;
    case 2: // b4e
      from = (s + 8 - byte) & 7;
      break;
    case 3: // rc8
      from = s;
      break;
    case 4: // ecl
      from = std::max(s, byte);
      break;
    case 5: // ecr
      from = std::min(s, byte);
      break;
    case 6: // rc16
      from = (s & 1) * 2 + (byte & 1);
      break;
    }
    uint32_t value = both >> (8 * (from & 7)) & 0xFF;
    if (mode == 0 && from & 8)
      value = value & 0x80 ? 0xFF : 0;
    result |= value << (8 * byte);
  }
  return result;
}

static void permuteBytes(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b),
             *c = m.values<uint32_t>(i.c);
  forLanes(mask, [&](unsigned lane) {
    d[lane] = permute(a[lane], b[lane], c[lane], i.flags);
  });
}

/// lop3: a table of eight bits (flags) for each three bits.
static void logic3(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b),
             *c = m.values<uint32_t>(i.c);
  forLanes(mask, [&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (i.flags >> row & 1)
        result |= (row & 4 ? a[lane] : ~a[lane]) &
                  (row & 2 ? b[lane] : ~b[lane]) &
                  (row & 1 ? c[lane] : ~c[lane]);
    d[lane] = result;
  });
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc. flags: 1 subtracts, 2 uses the carry, 4 sets
/// it. The borrow of a subtraction is its carry.
template <typename T>
static void withCarry(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  uint32_t carries = m.warp->carry;
  forLanes(mask, [&](unsigned lane) {
    using Wide = unsigned __int128;
    Wide carry = i.flags & 2 ? carries >> lane & 1 : 0;
    Wide result = i.flags & 1 ? Wide(a[lane]) - b[lane] - carry
                              : Wide(a[lane]) + b[lane] + carry;
    d[lane] = T(result);
    if (i.flags & 4) {
      uint32_t bit = uint32_t(1) << lane;
      carries = (carries & ~bit) | (result >> kBitsOf<T> & 1 ? bit : 0);
    }
  });
  m.warp->carry = carries;
}

/// mad.cc and madc. flags: 2 uses the carry, 4 sets it, 8 the high half.
template <typename T>
static void multiplyWithCarry(Machine &m, const Instruction &i, uint32_t mask) {
  using U = Unsigned<T>;
  auto *d = m.registers<U>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  const auto *c = m.values<U>(i.c);
  uint32_t carries = m.warp->carry;
  forLanes(mask, [&](unsigned lane) {
    U product = U(i.flags & 8 ? MulHigh{}(a[lane], b[lane])
                              : MulLow{}(a[lane], b[lane]));
    auto result = (unsigned __int128)(product) + c[lane] +
                  (i.flags & 2 ? carries >> lane & 1 : 0);
    d[lane] = U(result);
    if (i.flags & 4) {
      uint32_t bit = uint32_t(1) << lane;
      carries = (carries & ~bit) | (result >> kBitsOf<T> & 1 ? bit : 0);
    }
  });
  m.warp->carry = carries;
}

/// dp4a, dp2a. flags: 1 a is signed, 2 b is signed, 4 two products of 16 bits with the
/// low bytes of b, 8 with the high ones.
static void dotBytes(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b),
             *c = m.values<uint32_t>(i.c);
  auto part = [](uint32_t word, unsigned shift, unsigned bits, bool isSigned) {
    auto value = int64_t(word >> shift & ((1u << bits) - 1));
    return isSigned && value >> (bits - 1) ? value - (int64_t(1) << bits)
                                           : value;
  };
  forLanes(mask, [&](unsigned lane) {
    int64_t total = 0;
    bool isTwo = i.flags & 12;
    for (unsigned k = 0; k < (isTwo ? 2 : 4); ++k)
      total +=
          part(a[lane], (isTwo ? 16 : 8) * k, isTwo ? 16 : 8, i.flags & 1) *
          part(b[lane], 8 * k + (i.flags & 8 ? 16 : 0), 8, i.flags & 2);
    d[lane] = c[lane] + uint32_t(total);
  });
}

static bool decodeCarry(Decoder &d, Type type) {
  llvm::StringRef base = d.base();
  d.out.flags = (base.starts_with("sub") ? 1 : 0) |
                (base.ends_with("c") ? 2 : 0) | (d.take("cc") ? 4 : 0);
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  return d.done(Unit::Integer,
                type.bits == 64 ? &withCarry<uint64_t> : &withCarry<uint32_t>);
}

static bool decodeProductWithCarry(Decoder &d) {
  d.out.flags = (d.base() == "madc" ? 2 : 0) | (d.take("cc") ? 4 : 0) |
                (d.take("hi") ? 8 : 0);
  d.take("lo");
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  d.out.c = d.value(type);
  bool isSigned = type.kind == Type::Signed;
  return d.done(Unit::Integer,
                type.bits == 64   ? (isSigned ? &multiplyWithCarry<int64_t>
                                              : &multiplyWithCarry<uint64_t>)
                : type.bits == 32 ? (isSigned ? &multiplyWithCarry<int32_t>
                                              : &multiplyWithCarry<uint32_t>)
                                  : Handler(nullptr));
}

static bool decodeProduct(Decoder &d, bool hasSum) {
  bool isWide = d.take("wide"), isHigh = d.take("hi");
  if (!isWide && !isHigh)
    d.take("lo");
  Type type = d.takeType();
  Type result = isWide ? Type{type.kind, uint8_t(2 * type.bits)} : type;
  d.out.d = d.result(result);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  if (hasSum)
    d.out.c = d.value(result);
  Handler handler;
  if (isWide)
    handler = hasSum ? wideHandler<true>(type) : wideHandler<false>(type);
  else if (hasSum)
    handler = isHigh ? MERCATOR_PTX_BY_TYPE(type, ternary, MadHigh)
                     : MERCATOR_PTX_BY_TYPE(type, ternary, MadLow);
  else
    handler = isHigh ? MERCATOR_PTX_BY_TYPE(type, binary, MulHigh)
                     : MERCATOR_PTX_BY_TYPE(type, binary, MulLow);
  return d.done(Unit::Integer, handler);
}

static bool decodeShift(Decoder &d) {
  bool isLeft = d.base() == "shl";
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(4);
  return d.done(Unit::Integer,
                isLeft ? MERCATOR_PTX_BY_TYPE(type, shift, ShiftLeft)
                       : MERCATOR_PTX_BY_TYPE(type, shift, ShiftRight));
}

/// One operand and a result of 32 bits.
static bool decodeCount(Decoder &d) {
  llvm::StringRef base = d.base();
  d.out.flags = base == "bfind" && d.take("shiftamt");
  Type type = d.takeType();
  d.out.d = d.result(4);
  d.out.a = d.value(type);
  bool isWide = type.bits == 64;
  Handler handler = nullptr;
  if (type.bits != 32 && type.bits != 64)
    handler = nullptr;
  else if (base == "popc")
    handler = isWide ? &countBits<uint64_t> : &countBits<uint32_t>;
  else if (base == "clz")
    handler = isWide ? &countZeros<uint64_t> : &countZeros<uint32_t>;
  else if (type.kind == Type::Signed)
    handler = isWide ? &findBit<int64_t> : &findBit<int32_t>;
  else
    handler = isWide ? &findBit<uint64_t> : &findBit<uint32_t>;
  return d.done(Unit::Integer, handler);
}

static bool decodeField(Decoder &d) {
  bool isInsert = d.base() == "bfi";
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  if (isInsert) {
    d.out.b = d.value(type);
    d.out.c = d.value(4);
    d.vector(4, false);
    return d.done(Unit::Integer, type.bits == 64   ? &insertField<uint64_t>
                                 : type.bits == 32 ? &insertField<uint32_t>
                                                   : Handler(nullptr));
  }
  d.out.b = d.value(4);
  d.out.c = d.value(4);
  bool isSigned = type.kind == Type::Signed;
  return d.done(
      Unit::Integer,
      type.bits == 64
          ? (isSigned ? &extractField<int64_t> : &extractField<uint64_t>)
      : type.bits == 32
          ? (isSigned ? &extractField<int32_t> : &extractField<uint32_t>)
          : Handler(nullptr));
}

static bool decodeThreeWords(Decoder &d) {
  llvm::StringRef base = d.base();
  Handler handler;
  if (base == "shf") {
    d.out.flags = d.take("r") ? 1 : 0;
    if (!d.out.flags && !d.take("l"))
      return d.fail("expected '.l' or '.r'");
    d.out.flags |= d.take("wrap") ? 2 : 0;
    d.take("clamp");
    handler = &funnelShift;
  } else if (base == "prmt") {
    int mode = d.takeOne({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    d.out.flags = uint32_t(mode + 1);
    handler = &permuteBytes;
  } else {
    handler = &logic3;
  }
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  d.out.c = d.value(type);
  if (base == "lop3") {
    std::optional<uint64_t> table = d.number();
    d.out.flags = uint32_t(table.value_or(0) & 0xFF);
  }
  return d.done(Unit::Integer, type.bits == 32 ? handler : nullptr);
}

static bool decodeDot(Decoder &d) {
  bool isTwo = d.base() == "dp2a";
  bool isHigh = isTwo && d.take("hi");
  if (isTwo && !isHigh)
    d.take("lo");
  Type a = d.takeType(), b = d.takeType();
  d.out.flags = (a.kind == Type::Signed ? 1 : 0) |
                (b.kind == Type::Signed ? 2 : 0) |
                (isTwo ? (isHigh ? 8 : 4) : 0);
  d.out.d = d.result(4);
  d.out.a = d.value(4);
  d.out.b = d.value(4);
  d.out.c = d.value(4);
  return d.done(Unit::Integer, &dotBytes);
}

bool decodeInteger(Decoder &d) {
  llvm::StringRef base = d.base();
  if (base == "shl" || base == "shr")
    return decodeShift(d);
  if (base == "popc" || base == "clz" || base == "bfind")
    return decodeCount(d);
  if (base == "bfe" || base == "bfi")
    return decodeField(d);
  if (base == "shf" || base == "prmt" || base == "lop3")
    return decodeThreeWords(d);
  if (base == "dp4a" || base == "dp2a")
    return decodeDot(d);
  bool isLogic =
      base == "and" || base == "or" || base == "xor" || base == "not";
  bool isArithmetic = base == "add" || base == "sub" || base == "min" ||
                      base == "max" || base == "div" || base == "rem" ||
                      base == "abs" || base == "neg" || base == "cnot" ||
                      base == "brev" || base == "sad" || base == "addc" ||
                      base == "subc";
  bool isProduct = base == "mul" || base == "mad" || base == "madc";
  if (!isLogic && !isArithmetic && !isProduct)
    return false;
  // Other families have the same names for their types.
  if (Type type = d.peekType(); !type.isInteger())
    return false;
  if (base == "madc" || (base == "mad" && d.has("cc")))
    return decodeProductWithCarry(d);
  if (isProduct)
    return decodeProduct(d, base == "mad");
  if (base == "addc" || base == "subc" || d.has("cc"))
    return decodeCarry(d, d.takeType());
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  bool isUnary = base == "not" || base == "abs" || base == "neg" ||
                 base == "cnot" || base == "brev";
  if (!isUnary)
    d.out.b = d.value(type);
  if (base == "sad")
    d.out.c = d.value(type);
  Handler handler = nullptr;
  if (base == "add")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, AddInt);
  else if (base == "sub")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, SubInt);
  else if (base == "min")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, MinInt);
  else if (base == "max")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, MaxInt);
  else if (base == "div")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, DivInt);
  else if (base == "rem")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, RemInt);
  else if (base == "abs")
    handler = MERCATOR_PTX_BY_TYPE(type, unary, AbsInt);
  else if (base == "neg")
    handler = MERCATOR_PTX_BY_TYPE(type, unary, NegInt);
  else if (base == "sad")
    handler = MERCATOR_PTX_BY_TYPE(type, ternary, SadInt);
  else if (base == "and")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, And);
  else if (base == "or")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, Or);
  else if (base == "xor")
    handler = MERCATOR_PTX_BY_TYPE(type, binary, Xor);
  else if (base == "not")
    handler = MERCATOR_PTX_BY_TYPE(type, unary, Not);
  else if (base == "cnot")
    handler = MERCATOR_PTX_BY_TYPE(type, unary, CNot);
  else if (base == "brev")
    handler = type.bits == 64   ? &unary<uint64_t, Reverse>
              : type.bits == 32 ? &unary<uint32_t, Reverse>
                                : Handler(nullptr);
  return d.done(Unit::Integer, handler);
}

} // namespace mercator::reference::ptx
