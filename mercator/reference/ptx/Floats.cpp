// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Instructions of f32 and f64.

#include "mercator/reference/ptx/Arithmetic.h"
#include "mercator/reference/ptx/Functors.h"

namespace mercator::reference::ptx {

static constexpr double kNaN64 =
    std::bit_cast<double>(uint64_t(0x7FFFFFFFFFFFFFFF));

namespace {

/// Exact results of operands of f32, to be rounded once.
struct ExactAdd {
  Exact operator()(float a, float b) const { return sum(a, b); }
};
struct ExactSub {
  Exact operator()(float a, float b) const { return sum(a, -double(b)); }
};
struct ExactMul {
  Exact operator()(float a, float b) const { return {double(a) * b, 0}; }
};
struct ExactFma {
  Exact operator()(float a, float b, float c) const {
    return sum(double(a) * b, c);
  }
};
/// The sign of the rest says on which side of `high` the quotient is.
struct ExactDiv {
  Exact operator()(float a, float b) const {
    double quotient = double(a) / b;
    if (!std::isfinite(quotient) || quotient == 0)
      return {quotient, 0};
    double rest = std::fma(-quotient, b, a);
    return {quotient, rest / b};
  }
};

/// Functions that round to nearest. The compiler makes vector code of the first three.
struct NearAdd {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct NearSub {
  template <typename T> T operator()(T a, T b) const { return a - b; }
};
struct NearMul {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct NearDiv {
  template <typename T> T operator()(T a, T b) const { return a / b; }
};
struct NearFma {
  template <typename T> T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};

struct Reciprocal {
  template <typename T> T operator()(T a) const { return 1 / a; }
};
struct SquareRoot {
  template <typename T> T operator()(T a) const { return std::sqrt(a); }
};
struct ReciprocalRoot {
  template <typename T> T operator()(T a) const {
    return T(1 / std::sqrt(double(a)));
  }
};
struct Sine {
  template <typename T> T operator()(T a) const {
    return T(std::sin(double(a)));
  }
};
struct Cosine {
  template <typename T> T operator()(T a) const {
    return T(std::cos(double(a)));
  }
};
struct Log2 {
  template <typename T> T operator()(T a) const {
    return T(std::log2(double(a)));
  }
};
struct Exp2 {
  template <typename T> T operator()(T a) const {
    return T(std::exp2(double(a)));
  }
};
struct Tanh {
  template <typename T> T operator()(T a) const {
    return T(std::tanh(double(a)));
  }
};
struct Magnitude {
  template <typename T> T operator()(T a) const { return std::fabs(a); }
};
struct Negate {
  template <typename T> T operator()(T a) const { return -a; }
};

} // namespace

template <typename F>
static void nearest32(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<float>(i.d);
  const auto *a = m.values<float>(i.a), *b = m.values<float>(i.b);
  forLanes(mask, [&](unsigned lane) {
    float value = F{}(a[lane], b[lane]);
    d[lane] = !std::isnan(value) ? value : std::bit_cast<float>(kNaN32);
  });
}

static void nearestFma32(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<float>(i.d);
  const auto *a = m.values<float>(i.a), *b = m.values<float>(i.b),
             *c = m.values<float>(i.c);
  forLanes(mask, [&](unsigned lane) {
    float value = std::fma(a[lane], b[lane], c[lane]);
    d[lane] = !std::isnan(value) ? value : std::bit_cast<float>(kNaN32);
  });
}

template <typename F>
static void nearest64(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<double>(i.d);
  const auto *a = m.values<double>(i.a), *b = m.values<double>(i.b);
  forLanes(mask, [&](unsigned lane) {
    double value = F{}(a[lane], b[lane]);
    d[lane] = !std::isnan(value) ? value : kNaN64;
  });
}

static void nearestFma64(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<double>(i.d);
  const auto *a = m.values<double>(i.a), *b = m.values<double>(i.b),
             *c = m.values<double>(i.c);
  forLanes(mask, [&](unsigned lane) {
    double value = std::fma(a[lane], b[lane], c[lane]);
    d[lane] = !std::isnan(value) ? value : kNaN64;
  });
}

/// Whether a sum that is zero is the sum of numbers of different signs.
template <typename F>
static bool cancels(Machine &m, const Instruction &i, unsigned lane) {
  bool a = std::signbit(m.values<float>(i.a)[lane]),
       b = std::signbit(m.values<float>(i.b)[lane]);
  if constexpr (std::is_same_v<F, ExactAdd>)
    return a != b;
  if constexpr (std::is_same_v<F, ExactSub>)
    return a == b;
  if constexpr (std::is_same_v<F, ExactFma>)
    return (a != b) != std::signbit(m.values<float>(i.c)[lane]);
  return false;
}

/// Any rounding and any flags of f32.
template <typename F>
static void rounded32(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<float>(i.d);
  const auto *a = m.values<float>(i.a), *b = m.values<float>(i.b);
  const auto *c = std::is_same_v<F, ExactFma> ? m.values<float>(i.c) : nullptr;
  auto input = [&](float x) { return i.flags & kFlush ? flush(x) : x; };
  forLanes(mask, [&](unsigned lane) {
    Exact exact;
    if constexpr (std::is_same_v<F, ExactFma>)
      exact = F{}(input(a[lane]), input(b[lane]), input(c[lane]));
    else
      exact = F{}(input(a[lane]), input(b[lane]));
    // Numbers that cancel leave -0 where the result is rounded down.
    if (exact.high == 0 && roundingOf(i.flags) == Rounding::Down &&
        cancels<F>(m, i, lane))
      exact.high = -0.0;
    d[lane] = finish(roundToFloat(exact, roundingOf(i.flags)), i.flags);
  });
}

template <typename T, typename F>
static void function(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask, [&](unsigned lane) {
    if constexpr (sizeof(T) == 4) {
      float x = i.flags & kFlush ? flush(a[lane]) : a[lane];
      d[lane] = finish(F{}(x), i.flags);
    } else {
      T value = F{}(a[lane]);
      d[lane] = !std::isnan(value) ? value : kNaN64;
    }
  });
}

/// abs and neg change a bit, also of NaN.
template <typename T, typename F>
static void signBit(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask, [&](unsigned lane) {
    T x = a[lane];
    if constexpr (sizeof(T) == 4)
      if (i.flags & kFlush)
        x = flush(x);
    d[lane] = F{}(x);
  });
}

/// flags: kFirstFlag for max. With three operands, c is the third.
template <typename T>
static void extremum(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  const auto *c = i.c == kNoSlot ? nullptr : m.values<T>(i.c);
  bool isMax = i.flags & kFirstFlag;
  auto input = [&](T x) {
    if constexpr (sizeof(T) == 4)
      return i.flags & kFlush ? flush(x) : x;
    return x;
  };
  forLanes(mask, [&](unsigned lane) {
    T value = lesser(input(a[lane]), input(b[lane]), i.flags, isMax);
    if (c)
      value = lesser(value, input(c[lane]), i.flags, isMax);
    if (!std::isnan(value))
      d[lane] = value;
    else if constexpr (sizeof(T) == 4)
      d[lane] = std::bit_cast<float>(kNaN32);
    else
      d[lane] = kNaN64;
  });
}

/// min.f32 and max.f32 without other flags than `.NaN`, without a branch.
template <bool IsMax, bool KeepsNaN>
static void plainExtremum(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<uint32_t>(i.d);
  const auto *as = m.values<uint32_t>(i.a), *bs = m.values<uint32_t>(i.b);
  forLanes(mask, [&](unsigned lane) {
    uint32_t bitsA = as[lane], bitsB = bs[lane];
    auto a = std::bit_cast<float>(bitsA), b = std::bit_cast<float>(bitsB);
    uint32_t result = (IsMax ? a > b : a < b) ? bitsA : bitsB;
    // Of equal numbers only zeros differ, in their signs.
    result = a == b ? (IsMax ? bitsA & bitsB : bitsA | bitsB) : result;
    uint32_t other = KeepsNaN ? kNaN32 : !std::isnan(b) ? bitsB : kNaN32;
    result = !std::isnan(a) ? result : other;
    result = !std::isnan(b)   ? result
             : KeepsNaN       ? kNaN32
             : !std::isnan(a) ? bitsA
                              : kNaN32;
    d[lane] = result;
  });
}

/// copysign d, a, b: the sign of a and the magnitude of b.
template <typename T>
static void copySign(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  forLanes(mask,
           [&](unsigned lane) { d[lane] = std::copysign(b[lane], a[lane]); });
}

/// testp: flags is one of the classes below.
static constexpr llvm::StringLiteral kClasses[] = {
    "finite", "infinite", "number", "notanumber", "normal", "subnormal"};
template <typename T>
static void testClass(Machine &m, const Instruction &i, uint32_t mask) {
  const auto *a = m.values<T>(i.a);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned lane) {
    T x = a[lane];
    int kind = std::fpclassify(x);
    bool is[] = {bool(std::isfinite(x)),
                 bool(std::isinf(x)),
                 !std::isnan(x),
                 bool(std::isnan(x)),
                 kind == FP_NORMAL || kind == FP_ZERO,
                 kind == FP_SUBNORMAL};
    result |= uint32_t(is[i.flags]) << lane;
  });
  m.setPredicate(i.d, mask, result);
}

static bool decodeArithmetic(Decoder &d) {
  llvm::StringRef base = d.base();
  (void)d.takeOne({"approx", "full"});
  d.out.flags = takeRounding(d);
  Type type = d.takeType();
  if (type.bits == 64 && d.out.flags != 0)
    return d.fail("expected '.rn' for f64");
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  bool hasThree = base == "fma" || base == "mad";
  if (hasThree)
    d.out.c = d.value(type);
  Handler handler;
  bool isPlain = d.out.flags == 0;
  if (type.bits == 64)
    handler = base == "add"   ? &nearest64<NearAdd>
              : base == "sub" ? &nearest64<NearSub>
              : base == "mul" ? &nearest64<NearMul>
              : base == "div" ? &nearest64<NearDiv>
                              : &nearestFma64;
  else if (hasThree)
    handler = isPlain ? &nearestFma32 : &rounded32<ExactFma>;
  else if (base == "add")
    handler = isPlain ? &nearest32<NearAdd> : &rounded32<ExactAdd>;
  else if (base == "sub")
    handler = isPlain ? &nearest32<NearSub> : &rounded32<ExactSub>;
  else if (base == "mul")
    handler = isPlain ? &nearest32<NearMul> : &rounded32<ExactMul>;
  else
    handler = isPlain ? &nearest32<NearDiv> : &rounded32<ExactDiv>;
  return d.done(type.bits == 64 ? Unit::Double : Unit::Float, handler);
}

template <typename F> static Handler functionOf(Type type) {
  return type.bits == 64 ? &function<double, F> : &function<float, F>;
}

static bool decodeFunction(Decoder &d) {
  llvm::StringRef base = d.base();
  d.take("approx");
  d.out.flags = takeRounding(d);
  if (d.out.flags & kRoundingMask)
    return d.fail("expected '.rn' or '.approx'");
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  Handler handler = base == "rcp"     ? functionOf<Reciprocal>(type)
                    : base == "sqrt"  ? functionOf<SquareRoot>(type)
                    : base == "rsqrt" ? functionOf<ReciprocalRoot>(type)
                    : base == "sin"   ? functionOf<Sine>(type)
                    : base == "cos"   ? functionOf<Cosine>(type)
                    : base == "lg2"   ? functionOf<Log2>(type)
                    : base == "ex2"   ? functionOf<Exp2>(type)
                                      : functionOf<Tanh>(type);
  return d.done(Unit::Special, handler);
}

static bool decodeSign(Decoder &d) {
  bool isAbs = d.base() == "abs";
  d.out.flags = d.take("ftz") ? kFlush : 0;
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  Handler wide = isAbs ? &signBit<double, Magnitude> : &signBit<double, Negate>;
  Handler narrow = isAbs ? &signBit<float, Magnitude> : &signBit<float, Negate>;
  return d.done(type.bits == 64 ? Unit::Double : Unit::Float,
                type.bits == 64 ? wide : narrow);
}

static bool decodeExtremum(Decoder &d) {
  d.out.flags =
      (d.take("ftz") ? kFlush : 0) | (d.take("NaN") ? kNotNumber : 0) |
      (d.take("abs") ? kMagnitude : 0) | (d.base() == "max" ? kFirstFlag : 0);
  Type type = d.takeType();
  d.out.d = d.result(type);
  d.out.a = d.value(type);
  d.out.b = d.value(type);
  if (d.hasOperand())
    d.out.c = d.value(type);
  if (type.bits == 64)
    return d.done(Unit::Double, &extremum<double>);
  uint32_t others = d.out.flags & ~(kNotNumber | kFirstFlag);
  bool isMax = d.out.flags & kFirstFlag, keepsNaN = d.out.flags & kNotNumber;
  if (others != 0 || d.out.c != kNoSlot)
    return d.done(Unit::Float, &extremum<float>);
  return d.done(Unit::Float, isMax ? (keepsNaN ? &plainExtremum<true, true>
                                               : &plainExtremum<true, false>)
                             : keepsNaN ? &plainExtremum<false, true>
                                        : &plainExtremum<false, false>);
}

bool decodeFloat(Decoder &d) {
  llvm::StringRef base = d.base();
  Type type = d.peekType();
  if (type.kind != Type::Float || type.count != 1 || type.bits == 16)
    return false;
  if (base == "add" || base == "sub" || base == "mul" || base == "div" ||
      base == "fma" || base == "mad")
    return decodeArithmetic(d);
  if (base == "rcp" || base == "sqrt" || base == "rsqrt" || base == "sin" ||
      base == "cos" || base == "lg2" || base == "ex2" || base == "tanh")
    return decodeFunction(d);
  if (base == "abs" || base == "neg")
    return decodeSign(d);
  if (base == "min" || base == "max")
    return decodeExtremum(d);
  if (base == "copysign") {
    (void)d.takeType();
    d.out.d = d.result(type);
    d.out.a = d.value(type);
    d.out.b = d.value(type);
    return d.done(Unit::Float,
                  type.bits == 64 ? &copySign<double> : &copySign<float>);
  }
  if (base == "testp") {
    (void)d.takeType();
    int kind = d.takeOne({kClasses[0], kClasses[1], kClasses[2], kClasses[3],
                          kClasses[4], kClasses[5]});
    if (kind < 0)
      return d.fail("expected a class of numbers, such as '.finite'");
    d.out.flags = uint32_t(kind);
    d.out.d = d.predicateResult();
    d.out.a = d.value(type);
    return d.done(Unit::Predicate,
                  type.bits == 64 ? &testClass<double> : &testClass<float>);
  }
  return false;
}

} // namespace mercator::reference::ptx
