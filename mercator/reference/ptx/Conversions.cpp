// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// cvt: between integers, between floating-point formats, and from one to the other.

#include "mercator/reference/ptx/Arithmetic.h"
#include "mercator/reference/ptx/Functors.h"

namespace mercator::reference::ptx {

/// A conversion as the handler reads it: flags has the types, 8 bits each, above the
/// rounding.
static constexpr unsigned kTypeShift = 16;
static constexpr uint32_t kToInteger =
    kFirstFlag; ///< .rni and so on: round to a whole number
static constexpr uint32_t kIsFinite = kFirstFlag << 1;

namespace {
enum TypeCode : uint8_t {
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F32,
  F64,
  TF32,
  E4M3,
  E5M2
};
} // namespace

static std::optional<TypeCode> codeOf(Type type) {
  unsigned size =
      unsigned(std::countr_zero(unsigned(type.bits) / type.count)) - 3;
  switch (type.kind) {
  case Type::Unsigned:
  case Type::Bits:
    return TypeCode(U8 + size);
  case Type::Signed:
    return TypeCode(S8 + size);
  case Type::Float:
    return size == 1 ? F16 : size == 2 ? F32 : F64;
  case Type::BFloat:
    return BF16;
  case Type::TF32:
    return TF32;
  case Type::E4M3:
    return E4M3;
  case Type::E5M2:
    return E5M2;
  default:
    return std::nullopt;
  }
}

static const Format *formatOf(TypeCode code) {
  switch (code) {
  case F16:
    return &kF16;
  case BF16:
    return &kBF16;
  case TF32:
    return &kTF32;
  case E4M3:
    return &kE4M3;
  case E5M2:
    return &kE5M2;
  default:
    return nullptr;
  }
}

static bool isIntegerCode(TypeCode code) { return code <= S64; }
static bool isSignedCode(TypeCode code) { return code >= S8 && code <= S64; }
static unsigned bitsOf(TypeCode code) { return 8u << (unsigned(code) & 3); }

/// The bits of an integer, extended by its sign.
static int64_t extend(uint64_t bits, TypeCode code) {
  unsigned width = bitsOf(code);
  if (width == 64)
    return int64_t(bits);
  bits &= (uint64_t(1) << width) - 1;
  if (isSignedCode(code) && bits >> (width - 1))
    bits |= ~uint64_t(0) << width;
  return int64_t(bits);
}

/// The largest and the smallest of an integer type, as wide numbers.
static __int128 highestOf(TypeCode code) {
  unsigned width = bitsOf(code);
  return ((__int128)1 << (isSignedCode(code) ? width - 1 : width)) - 1;
}
static __int128 lowestOf(TypeCode code) {
  return isSignedCode(code) ? -highestOf(code) - 1 : 0;
}

static double toWhole(double x, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(x);
  case Rounding::Down:
    return std::floor(x);
  case Rounding::Up:
    return std::ceil(x);
  default:
    return std::nearbyint(x);
  }
}

static uint64_t toInteger(double x, TypeCode to, Rounding rounding) {
  if (std::isnan(x))
    return 0;
  double whole = toWhole(x, rounding);
  __int128 low = lowestOf(to), high = highestOf(to);
  if (whole <= double(low))
    return uint64_t(low);
  if (whole >= double(high))
    return uint64_t(high);
  return uint64_t(__int128(whole));
}

/// An integer as the sum of two doubles.
static Exact fromInteger(uint64_t bits, TypeCode from) {
  int64_t value = extend(bits, from);
  bool isNegative = isSignedCode(from) && value < 0;
  uint64_t magnitude = isNegative ? 0 - uint64_t(value) : uint64_t(value);
  auto high = double(magnitude & ~uint64_t(0x7FF)),
       low = double(magnitude & 0x7FF);
  Exact exact = sum(high, low);
  return isNegative ? Exact{-exact.high, -exact.low} : exact;
}

static double readFloat(uint64_t bits, TypeCode from) {
  if (from == F32)
    return std::bit_cast<float>(uint32_t(bits));
  if (from == F64)
    return std::bit_cast<double>(bits);
  if (from == TF32)
    return std::bit_cast<float>(uint32_t(bits));
  return decode(*formatOf(from), bits);
}

static uint64_t writeFloat(Exact value, TypeCode to, uint32_t flags) {
  if (flags & kSaturate) {
    if (!(value.high > 0))
      value = {0, 0};
    else if (value.high >= 1)
      value = {1, 0};
  }
  if (flags & kRelu && value.high < 0)
    value = {0, 0};
  Rounding rounding = roundingOf(flags);
  if (to == F64) {
    // Only a 64-bit integer has a rest.
    double result = value.high;
    if (rounding == Rounding::Down && value.low < 0)
      result = std::nextafter(result, -INFINITY);
    if (rounding == Rounding::Up && value.low > 0)
      result = std::nextafter(result, INFINITY);
    if (rounding == Rounding::Zero && value.low != 0 &&
        (value.low < 0) == (result > 0))
      result = std::nextafter(result, 0);
    return !std::isnan(result) ? std::bit_cast<uint64_t>(result)
                               : 0x7FFFFFFFFFFFFFFF;
  }
  if (to == F32)
    return std::bit_cast<uint32_t>(
        finish(roundToFloat(value, rounding), flags));
  // The result has the bits of an f32.
  if (to == TF32)
    return encode(kTF32, value, rounding, flags & kIsFinite) << 13;
  return encode(*formatOf(to), value, rounding, flags & kIsFinite);
}

static uint64_t convertBits(uint64_t bits, TypeCode from, TypeCode to,
                            uint32_t flags) {
  if (isIntegerCode(from) && isIntegerCode(to)) {
    int64_t value = extend(bits, from);
    if (flags & kSaturate) {
      __int128 wide =
          isSignedCode(from) ? __int128(value) : __int128(uint64_t(value));
      value = int64_t(std::min(std::max(wide, lowestOf(to)), highestOf(to)));
    }
    // A wider register gets the sign or zeros of the result.
    return uint64_t(extend(uint64_t(value), to));
  }
  if (isIntegerCode(from))
    return writeFloat(fromInteger(bits, from), to, flags);
  double value = readFloat(bits, from);
  if (flags & kFlush && from == F32)
    value = flush(float(value));
  if (isIntegerCode(to))
    return uint64_t(extend(toInteger(value, to, roundingOf(flags)), to));
  if (flags & kToInteger)
    value = toWhole(value, roundingOf(flags));
  return writeFloat({value, 0}, to, flags);
}

static uint64_t loadBits(const uint8_t *from, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

/// One number. bytes: of the source; vector: of the result.
static void convert(Machine &m, const Instruction &i, uint32_t mask) {
  auto from = TypeCode(i.flags >> kTypeShift & 0xFF),
       to = TypeCode(i.flags >> 24);
  auto *d = m.registers<uint8_t>(i.d);
  const auto *a = m.values<uint8_t>(i.a);
  forLanes(mask, [&](unsigned lane) {
    uint64_t result =
        convertBits(loadBits(a + lane * i.bytes, i.bytes), from, to, i.flags);
    std::memcpy(d + lane * i.vector, &result, i.vector);
  });
}

/// Two numbers from two registers: a in the upper half, b in the lower.
static void convertTwo(Machine &m, const Instruction &i, uint32_t mask) {
  auto from = TypeCode(i.flags >> kTypeShift & 0xFF),
       to = TypeCode(i.flags >> 24);
  auto *d = m.registers<uint8_t>(i.d);
  const auto *a = m.values<uint32_t>(i.a), *b = m.values<uint32_t>(i.b);
  unsigned bits = 4 * i.vector;
  forLanes(mask, [&](unsigned lane) {
    uint64_t result = convertBits(a[lane], from, to, i.flags) << bits |
                      convertBits(b[lane], from, to, i.flags);
    std::memcpy(d + lane * i.vector, &result, i.vector);
  });
}

/// Two numbers from one register. bytes: of the source; vector: of the result.
static void convertPacked(Machine &m, const Instruction &i, uint32_t mask) {
  auto from = TypeCode(i.flags >> kTypeShift & 0xFF),
       to = TypeCode(i.flags >> 24);
  auto *d = m.registers<uint8_t>(i.d);
  const auto *a = m.values<uint8_t>(i.a);
  unsigned fromBits = 4 * i.bytes, toBits = 4 * i.vector;
  forLanes(mask, [&](unsigned lane) {
    uint64_t bits = loadBits(a + lane * i.bytes, i.bytes);
    uint64_t low = bits & ((uint64_t(1) << fromBits) - 1);
    uint64_t result = convertBits(low, from, to, i.flags) |
                      convertBits(bits >> fromBits, from, to, i.flags)
                          << toBits;
    std::memcpy(d + lane * i.vector, &result, i.vector);
  });
}

/// The common conversions of integers, without a look at their types.
template <typename From, typename To>
static void extendInteger(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<To>(i.d);
  const auto *a = m.values<From>(i.a);
  forLanes(mask, [&](unsigned lane) { d[lane] = To(a[lane]); });
}

static Handler fastConversion(TypeCode from, TypeCode to) {
  auto pair = [](TypeCode a, TypeCode b) { return unsigned(a) << 8 | b; };
  unsigned both = pair(from, to);
  if (both == pair(U32, U64) || both == pair(U32, S64))
    return &extendInteger<uint32_t, uint64_t>;
  if (both == pair(S32, S64) || both == pair(S32, U64))
    return &extendInteger<int32_t, int64_t>;
  if (both == pair(U64, U32) || both == pair(S64, S32) ||
      both == pair(U64, S32) || both == pair(S64, U32))
    return &extendInteger<uint64_t, uint32_t>;
  if (both == pair(U16, U32) || both == pair(U16, S32))
    return &extendInteger<uint16_t, uint32_t>;
  if (both == pair(U32, U16) || both == pair(S32, S16) ||
      both == pair(S32, U16))
    return &extendInteger<uint32_t, uint16_t>;
  if (both == pair(S16, S32))
    return &extendInteger<int16_t, int32_t>;
  return nullptr;
}

bool decodeConvert(Decoder &d) {
  if (d.base() != "cvt")
    return false;
  int whole = d.takeOne({"rni", "rzi", "rmi", "rpi"});
  uint32_t flags = takeRounding(d);
  if (whole >= 0)
    flags |= kToInteger | uint32_t(whole);
  if (d.take("satfinite"))
    flags |= kIsFinite;
  Type to = d.takeType(), from = d.takeType();
  std::optional<TypeCode> toCode = codeOf(to), fromCode = codeOf(from);
  if (!toCode || !fromCode)
    return d.fail("expected numbers");
  // FP8 has no infinity to overflow to.
  d.out.flags =
      flags | uint32_t(*fromCode) << kTypeShift | uint32_t(*toCode) << 24;
  unsigned toWidth = 0, fromWidth = 0;
  d.out.d = d.wideResult(to.bytes(), toWidth);
  if (to.count == 2 && from.count == 1) {
    d.out.a = d.value(from);
    d.out.b = d.value(from);
    d.out.vector = uint8_t(to.bytes());
    return d.done(Unit::Convert, from.bits == 32 && toWidth == to.bytes()
                                     ? &convertTwo
                                     : nullptr);
  }
  d.out.a = d.wideValue(from, fromWidth);
  d.out.bytes = uint8_t(fromWidth);
  d.out.vector = uint8_t(toWidth);
  if (to.count == 2)
    return d.done(Unit::Convert, from.count == 2 && fromWidth == from.bytes() &&
                                         toWidth == to.bytes()
                                     ? &convertPacked
                                     : nullptr);
  bool isExact = toWidth == to.bytes() && fromWidth == from.bytes() &&
                 !(flags & kSaturate);
  Handler fast = isExact ? fastConversion(*fromCode, *toCode) : nullptr;
  return d.done(Unit::Convert, from.count == 2 ? nullptr
                               : fast          ? fast
                                               : &convert);
}

} // namespace mercator::reference::ptx
