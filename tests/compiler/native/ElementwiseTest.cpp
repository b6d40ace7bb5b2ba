// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every elementwise operation of StableHLO on every element type that it accepts, as
// machine code and by the evaluator: all pairs of the values of narrow types; of wider
// ones special numbers, numbers between two integers, and random patterns. What is
// exact or correctly rounded has the same bits. Functions are within the distance
// that docs/cpu.md states. Conversions are in ConversionTest.cpp.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Normalize.h"
#include "mercator/reference/core/Perturbation.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/compiler/native/Formats.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <array>
#include <complex>
#include <random>

using namespace mercator;
using reference::Tensor;
using reference::Value;

namespace {

/// What an operation does with subnormal numbers and rounding.
enum class Does : uint8_t {
  Moves,    ///< it works on bits, or chooses: subnormal numbers are kept
  Rounds,   ///< the result is exact or rounded once
  Functions ///< the result is within a few units of the last place
};

/// What an operation is written like, with $T for the type of its operands, $P for
/// predicates and $R for the type of the parts of complex numbers: %u has patterns, %a and %b have pairs of them, %p is a predicate.
struct Form {
  const char *text;
  Does does = Does::Rounds;
};

const Form kForms[] = {
    {"abs %u : ($T) -> $T", Does::Moves},
    {"ceil %u : ($T) -> $T"},
    {"count_leading_zeros %u : ($T) -> $T"},
    {"floor %u : ($T) -> $T"},
    {"is_finite %u : ($T) -> $P"},
    {"negate %u : ($T) -> $T", Does::Moves},
    {"not %u : ($T) -> $T", Does::Moves},
    {"popcnt %u : ($T) -> $T"},
    {"round_nearest_afz %u : ($T) -> $T"},
    {"round_nearest_even %u : ($T) -> $T"},
    {"sign %u : ($T) -> $T"},
    {"sqrt %u : ($T) -> $T"},
    {"real %u : ($T) -> $T", Does::Moves},
    {"imag %u : ($T) -> $T", Does::Moves},
    {"reduce_precision %u, format = e5m10 : ($T) -> $T", Does::Moves},
    {"reduce_precision %u, format = e8m7 : ($T) -> $T", Does::Moves},
    {"reduce_precision %u, format = e2m1 : ($T) -> $T", Does::Moves},
    {"reduce_precision %u, format = e8m0 : ($T) -> $T", Does::Moves},
    {"abs %u : ($T) -> $R"},
    {"real %u : ($T) -> $R", Does::Moves},
    {"imag %u : ($T) -> $R", Does::Moves},
    {"add %a, %b : ($T, $T) -> $T"},
    {"and %a, %b : ($T, $T) -> $T"},
    {"divide %a, %b : ($T, $T) -> $T"},
    {"maximum %a, %b : ($T, $T) -> $T"},
    {"minimum %a, %b : ($T, $T) -> $T"},
    {"multiply %a, %b : ($T, $T) -> $T"},
    {"or %a, %b : ($T, $T) -> $T"},
    {"remainder %a, %b : ($T, $T) -> $T"},
    {"shift_left %a, %b : ($T, $T) -> $T"},
    {"shift_right_arithmetic %a, %b : ($T, $T) -> $T"},
    {"shift_right_logical %a, %b : ($T, $T) -> $T"},
    {"subtract %a, %b : ($T, $T) -> $T"},
    {"xor %a, %b : ($T, $T) -> $T"},
    {"select %p, %a, %b : ($P, $T, $T) -> $T", Does::Moves},
    {"clamp %a, %u, %b : ($T, $T, $T) -> $T"},
    {"compare EQ, %a, %b : ($T, $T) -> $P"},
    {"compare NE, %a, %b : ($T, $T) -> $P"},
    {"compare LT, %a, %b : ($T, $T) -> $P"},
    {"compare LE, %a, %b : ($T, $T) -> $P"},
    {"compare GT, %a, %b : ($T, $T) -> $P"},
    {"compare GE, %a, %b : ($T, $T) -> $P"},
    {"compare EQ, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"compare NE, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"compare LT, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"compare LE, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"compare GT, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"compare GE, %a, %b, TOTALORDER : ($T, $T) -> $P", Does::Moves},
    {"atan2 %a, %b : ($T, $T) -> $T", Does::Functions},
    {"cbrt %u : ($T) -> $T", Does::Functions},
    {"cosine %u : ($T) -> $T", Does::Functions},
    {"exponential %u : ($T) -> $T", Does::Functions},
    {"exponential_minus_one %u : ($T) -> $T", Does::Functions},
    {"log %u : ($T) -> $T", Does::Functions},
    {"log_plus_one %u : ($T) -> $T", Does::Functions},
    {"logistic %u : ($T) -> $T", Does::Functions},
    {"power %a, %b : ($T, $T) -> $T", Does::Functions},
    {"rsqrt %u : ($T) -> $T", Does::Functions},
    {"sine %u : ($T) -> $T", Does::Functions},
    {"tan %u : ($T) -> $T", Does::Functions},
    {"tanh %u : ($T) -> $T", Does::Functions},
};

const Format &formatOf(const Tensor &tensor) {
  std::string name;
  llvm::raw_string_ostream(name) << tensor.type().getElementType();
  for (const Format &format : kFormats)
    if (name == format.name)
      return format;
  llvm_unreachable("a result has an element type without a format");
}

/// The types whose subnormal numbers are taken for zero.
bool hasFlushed(const Format &format) {
  return format.exponentBits >= 8 && !format.isPower();
}

/// A subnormal number as zero with its sign.
uint64_t flushed(const Format &format, uint64_t word) {
  uint64_t magnitude = word & ~format.signBit();
  return magnitude >> format.fractionBits == 0 ? word & format.signBit() : word;
}

/// Numbers of the format in order: neighbors have the distance 1. With `flushes`, 0
/// is the neighbor of the least normal number.
int64_t rankOf(const Format &format, uint64_t word, bool flushes) {
  if (format.isPower() || !format.isFloat())
    return int64_t(word);
  auto magnitude = int64_t(word & ~format.signBit()),
       normal = int64_t(1) << format.fractionBits;
  if (flushes)
    magnitude = std::max<int64_t>(magnitude - normal + 1, 0);
  return word & format.signBit() ? -magnitude : magnitude;
}

/// The patterns that operands have: all of narrow types.
std::vector<uint64_t> patternsOf(const Format &format, size_t count) {
  std::vector<uint64_t> patterns;
  if (format.bits <= 16 && size_t(1) << format.bits <= count) {
    for (uint64_t i = 0; i <= format.mask(); ++i)
      patterns.push_back(i);
    return patterns;
  }
  std::vector<uint64_t> special;
  if (format.isFloat()) {
    uint64_t one = format.encode(1), normal = uint64_t(1)
                                              << format.fractionBits;
    special = {0,
               1,
               normal / 2,
               normal - 1,
               normal,
               normal + 1,
               one - 1,
               one,
               one + 1,
               format.largest(),
               format.infinity(),
               format.nan()};
    for (double x : {0.25, 0.5, 1.5, 2.0, 2.5, 3.0, 3.5, 3.14159265, 7.0, 88.0,
                     88.8, 710.0, 1e3, 8388607.5, 4503599627370495.5})
      special.push_back(format.encode(x));
    for (uint64_t i = 0, e = special.size(); i < e; ++i)
      special.push_back(special[i] | format.signBit());
  } else {
    for (uint64_t i = 0; i < 8; ++i)
      for (uint64_t around :
           {uint64_t(0), format.signBit(), uint64_t(format.bits)})
        special.insert(special.end(), {around + i, around - i});
  }
  for (uint64_t word : special)
    patterns.push_back(word & format.mask());
  std::mt19937_64 engine(testSeed() + format.bits);
  while (patterns.size() < count) {
    uint64_t word = engine();
    // Exponents around that of 1, or small integers.
    if (format.isFloat() && engine() % 2)
      word = format.encode(
          std::ldexp(Exact(int64_t(word)), -int(56 + engine() % 12)));
    else if (!format.isFloat())
      word >>= engine() % 64;
    patterns.push_back(word & format.mask());
  }
  patterns.resize(count);
  return patterns;
}

/// Parts of complex numbers: of ordinary size, or also zeros with both signs, the
/// ends of the range, infinities and NaN.
std::vector<uint64_t> partsOf(const Format &format, size_t count, bool isEdge) {
  std::mt19937_64 engine(testSeed() + format.bits);
  std::vector<uint64_t> patterns;
  for (double x : {0.0, 1.0, -1.0, 0.5, -2.0})
    patterns.push_back(format.encode(x));
  if (isEdge) {
    uint64_t normal = uint64_t(1) << format.fractionBits;
    for (uint64_t word :
         {format.signBit(), normal, 2 * normal + 1, format.largest(),
          format.largest() - 3 * normal, format.infinity(), format.nan()})
      patterns.insert(patterns.end(), {word, word | format.signBit()});
    for (double x : {1e-15, 1e-4, 1.5707963267948966, 3.141592653589793, 40.0,
                     88.8, 710.1, 1e15, 1e19})
      patterns.insert(patterns.end(), {format.encode(x), format.encode(-x)});
  }
  while (patterns.size() < count)
    patterns.push_back(format.encode(
        std::ldexp(Exact(int64_t(engine())), -int(60 + engine() % 12))));
  return patterns;
}

/// A function of the lines, with a result for each.
std::string functionOf(llvm::ArrayRef<std::string> lines,
                       const std::string &type, const std::string &predicate) {
  std::string body, names, types;
  for (auto [i, line] : llvm::enumerate(lines)) {
    std::string name = "%r" + std::to_string(i);
    body += "  " + name + " = stablehlo." + line + "\n";
    names += (i ? ", " : "") + name;
    types += (i ? ", " : "") + line.substr(line.rfind("-> ") + 3);
  }
  return "func.func @main(%u: " + type + ", %a: " + type + ", %b: " + type +
         ", %p: " + predicate + ") -> (" + types + ") {\n" + body +
         "  return " + names + " : " + types + "\n}\n";
}

std::string spelled(llvm::StringRef form, const std::string &type,
                    const std::string &predicate, const std::string &part) {
  std::string text;
  for (size_t i = 0; i < form.size(); ++i)
    if (form[i] != '$')
      text += form[i];
    else if (char which = form[++i]; which == 'T')
      text += type;
    else
      text += which == 'P' ? predicate : part;
  return text;
}

/// The operations on one type: a program, and its inputs.
class Operations {
public:
  Operations(mlir::MLIRContext &context, const Format &format,
             bool isComplex = false, bool isEdge = false)
      : format(format), isComplex(isComplex), context(context),
        few(isComplex ? partsOf(format, 64, isEdge)
                      : patternsOf(format, kIsSanitized ? 64 : 256)),
        count(std::max<size_t>(few.size() * few.size(), 1021)),
        many(isComplex ? partsOf(format, count, /*isEdge=*/false)
                       : patternsOf(format, count)) {
    std::mt19937_64 engine(testSeed());
    if (isEdge)
      for (uint64_t &word : many)
        word = few[engine() % few.size()];
    std::string extent = "tensor<" + std::to_string(count) + "x",
                predicate = extent + "i1>", part = extent + format.name + ">",
                type = extent + (isComplex ? "complex<" : "") + format.name +
                       (isComplex ? ">>" : ">");
    std::vector<std::string> lines;
    for (const Form &form : kForms) {
      std::string line = spelled(form.text, type, predicate, part);
      llvm::StringRef written(form.text);
      // Complex numbers have no remainders.
      bool isOther = !isComplex ? written.contains("$R")
                                : written.starts_with("remainder");
      if (isOther || !parse(functionOf({line}, type, predicate)))
        continue; // the operation does not take the type
      lines.push_back(line);
      forms.push_back(&form);
    }
    module = parse(functionOf(lines, type, predicate));
  }

  /// The results of the evaluator.
  std::vector<Value> evaluate(bool flushes) {
    reference::Evaluator evaluator(*module, reference::allRules());
    given = inputs(flushes);
    auto results = evaluator.call(main(), given);
    return succeeded(results) ? std::move(*results) : std::vector<Value>();
  }

  /// The results of the evaluator where it takes subnormal numbers for zero.
  std::vector<Value> evaluateFlushing() {
    reference::Perturbation own({.flushes = true});
    return evaluate(/*flushes=*/false);
  }

  /// The results of machine code.
  std::vector<Value> run(bool isPrecise) {
    auto emitError = [&] { return mlir::emitError(module->getLoc()); };
    mlir::FunctionType types = main().getFunctionType();
    mlir::OwningOpRef<mlir::ModuleOp> lowered = module->clone();
    if (failed(lowerTo(*lowered, Stage::Cpu)))
      return {};
    auto program =
        NativeProgram::compile(*lowered, "main", {.preciseMath = isPrecise});
    if (failed(program))
      return {};
    auto given = toStage(inputs(/*flushes=*/false), types.getInputs(),
                         program->type().getInputs());
    auto called = program->call(*given, emitError);
    if (failed(called))
      return {};
    return *fromStage(*called, types.getResults());
  }

  /// %u, %a, %b, %p at a place.
  [[nodiscard]] std::array<uint64_t, 4> at(size_t i, bool flushes) const {
    std::array<uint64_t, 4> words = {many[i % many.size()],
                                     few[i / few.size() % few.size()],
                                     few[i % few.size()], i % 3 == 0};
    if (flushes)
      for (uint64_t &word : llvm::MutableArrayRef(words).take_front(3))
        word = flushed(format, word);
    return words;
  }

  const Format &format;
  const bool isComplex;
  std::vector<const Form *> forms;
  std::vector<Value> given; ///< what the evaluator had

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    mlir::ScopedDiagnosticHandler silent(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  mlir::func::FuncOp main() {
    return module->lookupSymbol<mlir::func::FuncOp>("main");
  }
  std::vector<Value> inputs(bool flushes) {
    std::vector<Value> values;
    for (auto [k, type] : llvm::enumerate(main().getArgumentTypes())) {
      Tensor tensor = *Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                     [&] { return module->emitError(); });
      bool hasParts = isComplex && k < 3;
      unsigned bytes = hasParts ? format.bits / 8 : tensor.element().bytes;
      for (size_t i = 0; i < (hasParts ? 2 * count : count); ++i) {
        // Imaginary parts are in another order.
        size_t place = !hasParts ? i : i % 2 == 0 ? i / 2 : i / 2 * 7919 + 5;
        std::memcpy(tensor.data() + i * bytes, &at(place % count, flushes)[k],
                    bytes);
      }
      reference::normalize(tensor);
      values.emplace_back(std::move(tensor));
    }
    return values;
  }

  mlir::MLIRContext &context;
  std::vector<uint64_t> few;
  size_t count;
  std::vector<uint64_t> many;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// What differs most; empty if nothing does.
std::string difference(const Operations &operations, const Form &form,
                       const Tensor &got, const Tensor &exact,
                       const Tensor *flushing) {
  const Format &from = operations.format, &to = formatOf(exact);
  bool flushes = flushing && form.does != Does::Moves;
  const Tensor &wanted = flushes ? *flushing : exact;
  int64_t differing = 0, worst = 0, bound = 0;
  if (from.isFloat() && form.does == Does::Functions)
    // Those of f64 are within 2 units, and so is the C library, which the evaluator
    // asks. For narrower floats the evaluator rounds a result of f64.
    bound = to.bits < 32 ? 1 : to.bits < 64 ? 2 : 4;
  std::string text;
  for (int64_t i = 0; i < wanted.size(); ++i) {
    uint64_t own = wordAt(got, size_t(i)), other = wordAt(wanted, size_t(i));
    if (flushes && to.isFloat())
      other = flushed(to, other);
    if (own == other)
      continue;
    auto numberOf = [&](uint64_t word) { return double(to.decode(word)); };
    bool isNan = to.isFloat() && std::isnan(numberOf(own)),
         wantsNan = to.isFloat() && std::isnan(numberOf(other));
    if (isNan && wantsNan)
      continue;
    int64_t distance = std::numeric_limits<int64_t>::max();
    if (isNan == wantsNan)
      distance =
          std::abs(rankOf(to, own, flushes) - rankOf(to, other, flushes));
    // A number that rounds to the least normal one may be tiny before.
    bool isLeast = flushes && to.isFloat() && distance == 1 &&
                   (other & ~to.signBit()) >> to.fractionBits == 1;
    if (isLeast || (distance > 0 && distance <= bound))
      continue;
    // Powers of f8E8M0FNU are f64 on their way, and may be too small for it.
    if (from.isPower() && form.does == Does::Functions && other == 0 && isNan)
      continue;
    ++differing;
    if (distance < worst)
      continue;
    worst = distance;
    text = "of";
    for (uint64_t word : operations.at(size_t(i), /*flushes=*/false))
      text += " 0x" + llvm::utohexstr(word);
    llvm::raw_string_ostream(text)
        << ": expected " << numberOf(other) << " (0x" << llvm::utohexstr(other)
        << "), got " << numberOf(own) << " (0x" << llvm::utohexstr(own) << ")";
  }
  return differing == 0 ? ""
                        : std::to_string(differing) + " differ, by up to " +
                              std::to_string(worst) + ": " + text;
}

/// Whether products of parts overflow or are lost in a result of ordinary size.
bool isLost(llvm::StringRef name, std::complex<double> x,
            std::complex<double> y, double largest) {
  double parts[] = {std::fabs(x.real()), std::fabs(x.imag()),
                    std::fabs(y.real()), std::fabs(y.imag())};
  if (name == "multiply")
    return std::fmax(parts[0], parts[1]) * std::fmax(parts[2], parts[3]) >
           largest;
  double most = *llvm::max_element(parts), least = most;
  for (double part : parts)
    least = part > 0 ? std::fmin(least, part) : least;
  return name == "atan2" && most / least > 1e200;
}

/// The same for complex numbers: the distance is relative to the modulus of the
/// result. A function that overflows in one part need not in the other one.
std::string differenceOfComplex(const Operations &operations, const Form &form,
                                const Tensor &got, const Tensor &wanted) {
  const Format &format = operations.format;
  double unit = std::ldexp(1.0, -format.fractionBits), worst = 0,
         largest = double(format.decode(format.largest())),
         least = double(format.decode(uint64_t(1) << format.fractionBits));
  int64_t differing = 0;
  llvm::StringRef name = llvm::StringRef(form.text).split(' ').first;
  // Products of parts are added up with fused multiplications.
  bool isSum = name == "add" || name == "subtract";
  double most = isSum || form.does == Does::Moves ? 0
                : form.does == Does::Functions    ? 16
                                                  : 8;
  std::string text;
  using Number = std::complex<double>;
  auto numberOf = [](const Tensor &tensor, int64_t i) {
    reference::Scalar x = tensor.at(i);
    return Number(x.re, tensor.element().isComplex() ? x.im : 0);
  };
  const std::vector<Value> &inputs = operations.given;
  for (int64_t i = 0; i < wanted.size(); ++i) {
    Number own = numberOf(got, i), other = numberOf(wanted, i);
    double size = std::min(std::hypot(other.real(), other.imag()), largest);
    if (!std::isfinite(size))
      size = largest;
    Number x = numberOf(*inputs[1].tensor(), i),
           y = numberOf(*inputs[2].tensor(), i);
    double condition = 1;
    if (name == "power")
      condition += std::abs(y * std::log(x));
    else if (name == "logistic")
      condition += size; // at poles
    if (!(condition < 1e4) || isLost(name, x, y, largest))
      continue;
    // At a cut, the angle may be half a turn away.
    if (name == "atan2" && std::fabs(own.real() - other.real()) > 3)
      other += other.real() < own.real() ? M_PI : -M_PI;
    auto error = [&](double a, double b) {
      if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0.0;
      if (std::isfinite(a) && std::isfinite(b))
        return std::max(std::fabs(a - b) - 16 * least * (most > 0), 0.0) /
               size / unit / condition;
      // One is rounded to infinity, the other one is not.
      bool isNear = std::fabs(a) >= largest * (1 - 64 * condition * unit) &&
                    std::fabs(b) >= largest * (1 - 64 * condition * unit) &&
                    std::signbit(a) == std::signbit(b);
      return isNear ? 0.0 : double(INFINITY);
    };
    double distance = std::max(error(own.real(), other.real()),
                               error(own.imag(), other.imag()));
    if (distance <= most)
      continue;
    ++differing;
    if (distance <= worst)
      continue;
    worst = distance;
    llvm::raw_string_ostream stream(text = "");
    stream << "of";
    for (unsigned k : {0, 1, 2}) {
      Number x = numberOf(*inputs[k].tensor(), i);
      stream << " " << x.real() << " + " << x.imag() << "i,";
    }
    stream << " expected " << other.real() << " + " << other.imag() << "i, got "
           << own.real() << " + " << own.imag() << "i";
  }
  return differing == 0 ? ""
                        : std::to_string(differing) + " differ, by up to " +
                              std::to_string(worst) + " units: " + text;
}

void compareComplexNumbers(const Format &format, bool isEdge) {
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  context.appendDialectRegistry(registry);
  Operations operations(context, format, /*isComplex=*/true, isEdge);
  std::vector<Value> exact = operations.evaluate(/*flushes=*/false);
  for (bool isPrecise : {false, true}) {
    std::vector<Value> got = operations.run(isPrecise);
    ASSERT_EQ(got.size(), operations.forms.size()) << format.name;
    ASSERT_EQ(exact.size(), operations.forms.size()) << format.name;
    for (auto [i, form] : llvm::enumerate(operations.forms)) {
      const Tensor &own = *got[i].tensor(), &other = *exact[i].tensor();
      std::string text =
          llvm::StringRef(form->text).ends_with("$P")
              ? difference(operations, *form, own, other, nullptr)
              : differenceOfComplex(operations, *form, own, other);
      if (!text.empty())
        ADD_FAILURE() << format.name << (isPrecise ? ", precise: " : ": ")
                      << form->text << ": " << text;
    }
  }
}

} // namespace

TEST(Elementwise, ComplexNumbersAreNear) {
  for (const Format &format : kFormats)
    if (format.isFloat() && format.bits >= 32)
      for (bool isEdge : {false, true})
        compareComplexNumbers(format, isEdge);
}

TEST(Elementwise, CodeComputesWhatTheEvaluatorDoes) {
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  context.appendDialectRegistry(registry);
  int64_t count = 0;
  for (const Format &format : kFormats) {
    llvm::StringRef name = format.name;
    if (kIsSanitized && name != "i1" && name != "i8" && name != "f8E4M3FN" &&
        name != "f32")
      continue;
    Operations operations(context, format);
    std::vector<Value> exact = operations.evaluate(/*flushes=*/false), flushing;
    if (hasFlushed(format))
      flushing = operations.evaluate(/*flushes=*/true);
    for (bool isPrecise : {false, true}) {
      // Precise functions of narrow types are those of f32.
      if (isPrecise && format.bits < 16 && !format.isPower())
        continue;
      if (isPrecise && !format.isFloat())
        continue;
      std::vector<Value> got = operations.run(isPrecise);
      ASSERT_EQ(got.size(), operations.forms.size()) << format.name;
      ASSERT_EQ(exact.size(), operations.forms.size()) << format.name;
      for (auto [i, form] : llvm::enumerate(operations.forms)) {
        const Tensor *ofZeros =
            isPrecise || flushing.empty() ? nullptr : flushing[i].tensor();
        std::string text = difference(operations, *form, *got[i].tensor(),
                                      *exact[i].tensor(), ofZeros);
        if (!text.empty())
          ADD_FAILURE() << format.name
                        << (isPrecise ? ", precise: " : ", default: ")
                        << form->text << ": " << text;
        ++count;
      }
    }
  }
  llvm::outs() << count << " comparisons\n";
}

TEST(Elementwise, SubnormalNumbersAreZeroForTheEvaluator) {
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  context.appendDialectRegistry(registry);
  for (const Format &format : kFormats) {
    if (!hasFlushed(format))
      continue;
    Operations operations(context, format);
    std::vector<Value> ofZeros = operations.evaluate(/*flushes=*/true);
    std::vector<Value> flushing = operations.evaluateFlushing();
    ASSERT_EQ(flushing.size(), operations.forms.size()) << format.name;
    for (auto [i, form] : llvm::enumerate(operations.forms)) {
      if (form->does == Does::Moves)
        continue;
      std::string text = difference(operations, *form, *flushing[i].tensor(),
                                    *ofZeros[i].tensor(), ofZeros[i].tensor());
      if (!text.empty())
        ADD_FAILURE() << format.name << ": " << form->text << ": " << text;
    }
  }
}
