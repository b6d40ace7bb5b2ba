// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <bit>

namespace mercator::reference::ptx {

Type typeOf(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, Type> kTypes[] = {
      {"pred", {Type::Predicate, 1}},    {"b8", {Type::Bits, 8}},
      {"b16", {Type::Bits, 16}},         {"b32", {Type::Bits, 32}},
      {"b64", {Type::Bits, 64}},         {"u8", {Type::Unsigned, 8}},
      {"u16", {Type::Unsigned, 16}},     {"u32", {Type::Unsigned, 32}},
      {"u64", {Type::Unsigned, 64}},     {"s8", {Type::Signed, 8}},
      {"s16", {Type::Signed, 16}},       {"s32", {Type::Signed, 32}},
      {"s64", {Type::Signed, 64}},       {"f16", {Type::Float, 16}},
      {"f32", {Type::Float, 32}},        {"f64", {Type::Float, 64}},
      {"bf16", {Type::BFloat, 16}},      {"f16x2", {Type::Float, 32, 2}},
      {"bf16x2", {Type::BFloat, 32, 2}}, {"tf32", {Type::TF32, 32}},
      {"e4m3x2", {Type::E4M3, 16, 2}},   {"e5m2x2", {Type::E5M2, 16, 2}},
      {"e4m3", {Type::E4M3, 8}},         {"e5m2", {Type::E5M2, 8}},
  };
  for (const auto &[spelling, type] : kTypes)
    if (spelling == name)
      return type;
  return {};
}

Decoder::Decoder(Kernel &kernel, llvm::DenseMap<uint64_t, Slot> &constants,
                 const Statement &statement, const SourceBuffer &text,
                 DiagnosticEngine &diagnostics)
    : kernel(kernel), constants(constants), statement(statement), text(text),
      diagnostics(diagnostics) {
  out.begin = statement.begin;
  out.end = statement.end;
  if (statement.hasGuard) {
    out.guard = statement.guard.slot;
    out.guardIsNegated = statement.guardIsNegated;
  }
}

bool Decoder::fail(const llvm::Twine &message) {
  if (!failed)
    (void)diagnostics.error({&text, statement.begin, statement.opcodeEnd},
                            message);
  failed = true;
  return true;
}

bool Decoder::failAt(const Operand &operand, const llvm::Twine &message) {
  if (!failed)
    (void)diagnostics.error({&text, operand.begin, operand.end}, message);
  failed = true;
  return true;
}

bool Decoder::take(llvm::StringRef part) {
  for (size_t i = 1; i < statement.parts.size(); ++i)
    if (!(taken >> i & 1) && statement.parts[i] == part) {
      taken |= uint32_t(1) << i;
      return true;
    }
  return false;
}

int Decoder::takeOne(llvm::ArrayRef<llvm::StringRef> parts) {
  for (auto [index, part] : llvm::enumerate(parts))
    if (take(part))
      return int(index);
  return -1;
}

bool Decoder::has(llvm::StringRef part) const {
  for (size_t i = 1; i < statement.parts.size(); ++i)
    if (!(taken >> i & 1) && statement.parts[i] == part)
      return true;
  return false;
}

Type Decoder::peekType() const {
  for (size_t i = 1; i < statement.parts.size(); ++i)
    if (!(taken >> i & 1))
      if (Type type = typeOf(statement.parts[i]); type.kind != Type::None)
        return type;
  return {};
}

Type Decoder::takeType() {
  for (size_t i = 1; i < statement.parts.size(); ++i)
    if (!(taken >> i & 1))
      if (Type type = typeOf(statement.parts[i]); type.kind != Type::None) {
        taken |= uint32_t(1) << i;
        return type;
      }
  fail("expected a type in " + quote(base()));
  return {Type::Bits, 32};
}

const Operand *Decoder::takeOperand() {
  if (next < statement.operands.size())
    return &statement.operands[next++];
  fail("expected more than " + llvm::Twine(statement.operands.size()) +
       " operands of " + quote(base()));
  return nullptr;
}

Slot Decoder::constant(uint64_t bits, unsigned bytes) {
  // Constants of different widths are different, and those of one byte have two.
  unsigned width = std::max(2u, bytes);
  if (width < 8)
    bits &= (uint64_t(1) << (8 * width)) - 1;
  // The map reserves the two largest keys.
  uint64_t key = std::rotl(bits, 3) ^ (uint64_t(width) * 0x9E3779B97F4A7C15ull);
  auto [place, isNew] = constants.try_emplace(key >> 1, Slot(0));
  if (!isNew) {
    const auto *known =
        reinterpret_cast<const uint8_t *>(kernel.constants.data()) +
        (place->second & ~kConstant);
    if (std::equal(known, known + width,
                   reinterpret_cast<const uint8_t *>(&bits)))
      return place->second;
  }
  Slot slot = Slot(kernel.constants.size() * 8) | kConstant;
  kernel.constants.resize(kernel.constants.size() + 4 * width);
  auto *bytesOf = reinterpret_cast<uint8_t *>(kernel.constants.data()) +
                  (slot & ~kConstant);
  for (unsigned lane = 0; lane < 32; ++lane)
    std::copy_n(reinterpret_cast<const uint8_t *>(&bits), width,
                bytesOf + lane * width);
  place->second = slot;
  return slot;
}

Slot Decoder::registerSlot(const Operand &operand, unsigned bytes,
                           unsigned *width) {
  const Register &reg = operand.reg;
  if (operand.kind != Operand::RegisterOperand || reg.isPredicate ||
      operand.isNegated) {
    failAt(operand,
           "expected a register of " + llvm::Twine(8 * bytes) + " bits");
    return constant(0, 8);
  }
  bool isRight = width ? reg.bytes >= bytes : reg.bytes == std::max(2u, bytes);
  if (!isRight) {
    failAt(operand, "expected a register of " + llvm::Twine(8 * bytes) +
                        " bits, got one of " + llvm::Twine(8 * reg.bytes));
    return constant(0, 8);
  }
  if (width)
    *width = reg.bytes;
  return reg.slot;
}

Slot Decoder::result(unsigned bytes, bool maySink) {
  const Operand *operand = takeOperand();
  if (!operand)
    return 0;
  if (operand->kind == Operand::Sink && maySink)
    return kNoSlot;
  Slot slot = registerSlot(*operand, bytes, nullptr);
  if (slot & kConstant && !failed)
    failAt(*operand, "expected a register that can be written");
  return slot;
}

Slot Decoder::wideResult(unsigned bytes, unsigned &width) {
  const Operand *operand = takeOperand();
  width = 8;
  return operand ? registerSlot(*operand, bytes, &width) : 0;
}

Slot Decoder::valueOf(const Operand &operand, Type type, unsigned *width) {
  if (operand.kind == Operand::RegisterOperand)
    return registerSlot(operand, type.bytes(), width);
  unsigned bytes = std::max(1u, type.bytes());
  if (width)
    *width = std::max(2u, bytes);
  if (operand.kind == Operand::Symbol && !operand.name.empty()) {
    failAt(operand, "expected a register, a number or a variable, got " +
                        quote(operand.name));
    return constant(0, 8);
  }
  if (operand.kind != Operand::Number && operand.kind != Operand::Symbol) {
    failAt(operand, "expected a register or a number");
    return constant(0, 8);
  }
  uint64_t bits = operand.integer;
  if (operand.numberBytes == 8 && type.kind == Type::Float && type.bits == 32)
    bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
  else if (operand.numberBytes == 4 && type.kind == Type::Float &&
           type.bits == 64)
    bits =
        std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
  else if (operand.numberBytes > bytes) {
    failAt(operand, "expected a number of " + llvm::Twine(8 * bytes) + " bits");
    return constant(0, 8);
  }
  return constant(bits, bytes);
}

Slot Decoder::value(Type type) {
  const Operand *operand = takeOperand();
  return operand ? valueOf(*operand, type, nullptr) : constant(0, 8);
}

Slot Decoder::wideValue(Type type, unsigned &width) {
  const Operand *operand = takeOperand();
  width = 8;
  return operand ? valueOf(*operand, type, &width) : constant(0, 8);
}

static bool isPredicate(const Operand &operand) {
  return operand.kind == Operand::RegisterOperand && operand.reg.isPredicate;
}

Slot Decoder::predicate(bool &isNegated) {
  const Operand *operand = takeOperand();
  isNegated = operand && operand->isNegated;
  if (operand && isPredicate(*operand))
    return operand->reg.slot;
  if (operand)
    failAt(*operand, "expected a predicate");
  return 0;
}

Slot Decoder::predicateResult(bool maySink) {
  if (const Operand *operand = peek();
      operand && operand->kind == Operand::Sink && maySink) {
    ++next;
    return kNoSlot;
  }
  bool isNegated = false;
  Slot slot = predicate(isNegated);
  if (isNegated)
    fail("expected a predicate without '!'");
  return slot;
}

void Decoder::predicatePair(Slot &first, Slot &second) {
  const Operand *operand = peek();
  second = kNoSlot;
  if (operand && !operand->second.empty()) {
    tookSecond = true;
    const Operand &other = operand->second[0];
    if (isPredicate(other))
      second = other.reg.slot;
    else if (other.kind != Operand::Sink)
      failAt(other, "expected a predicate");
  }
  first = predicateResult(/*maySink=*/true);
}

Slot Decoder::secondPredicate() {
  const Operand *operand = peek();
  if (!operand || operand->second.empty())
    return kNoSlot;
  tookSecond = true;
  const Operand &other = operand->second[0];
  if (isPredicate(other))
    return other.reg.slot;
  if (other.kind != Operand::Sink)
    failAt(other, "expected a predicate");
  return kNoSlot;
}

std::optional<uint64_t> Decoder::number() {
  const Operand *operand = takeOperand();
  if (operand && operand->kind == Operand::Number && operand->numberBytes == 0)
    return operand->integer;
  if (operand)
    failAt(*operand, "expected a number");
  return std::nullopt;
}

void Decoder::address() {
  const Operand *operand = takeOperand();
  out.a = constant(0, 8);
  if (!operand)
    return;
  if (operand->kind != Operand::Address) {
    failAt(*operand, "expected an address in brackets");
    return;
  }
  out.offset = int64_t(operand->integer);
  if (!operand->hasRegister)
    return;
  if (operand->reg.isPredicate || operand->reg.bytes < 4) {
    failAt(*operand, "expected a register of 32 or 64 bits");
    return;
  }
  out.a = operand->reg.slot;
  out.flags |= operand->reg.bytes == 4 ? uint32_t(1) << 31 : 0;
}

unsigned Decoder::vector(unsigned bytes, bool isResult, unsigned *width) {
  const Operand *operand = takeOperand();
  out.firstOperand = kernel.operands.size();
  if (!operand)
    return 0;
  llvm::ArrayRef<Operand> elements = operand->kind == Operand::Vector
                                         ? llvm::ArrayRef(operand->elements)
                                         : llvm::ArrayRef(*operand);
  unsigned first = 0;
  for (const Operand &element : elements) {
    if (isResult && element.kind == Operand::Sink) {
      kernel.operands.push_back(kNoSlot);
      continue;
    }
    unsigned widthOf = bytes;
    Slot slot;
    if (isResult)
      slot = registerSlot(element, bytes, width ? &widthOf : nullptr);
    else
      slot = valueOf(element, {Type::Bits, uint8_t(8 * bytes)},
                     width ? &widthOf : nullptr);
    if (first != 0 && widthOf != first && width)
      failAt(element, "expected registers of one width");
    first = widthOf;
    kernel.operands.push_back(slot);
  }
  if (width)
    *width = first == 0 ? std::max(2u, bytes) : first;
  return elements.size();
}

bool Decoder::done(Unit unit, Handler handler) {
  if (failed)
    return true;
  for (size_t i = 1; i < statement.parts.size(); ++i)
    if (!(taken >> i & 1))
      return fail("unknown part " + quote(("." + statement.parts[i]).str()) +
                  " of " + quote(base()));
  if (next < statement.operands.size())
    return failAt(statement.operands[next], "expected " + llvm::Twine(next) +
                                                " operands of " +
                                                quote(base()));
  for (const Operand &operand : statement.operands)
    if (!operand.second.empty() && !tookSecond)
      return failAt(operand, "expected one result");
  if (!handler && out.control == Control::None)
    return fail("expected another type of " + quote(base()));
  out.unit = unit;
  out.handler = handler;
  return true;
}

} // namespace mercator::reference::ptx
