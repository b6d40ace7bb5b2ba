// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// From a statement to an instruction: what the families of instructions read.
///
///   // add.s32 %r1, %r2, 3;
///   bool decodeAdd(Decoder &d) {
///     Type type = d.takeType();
///     d.out.d = d.result(type);
///     d.out.a = d.value(type);
///     d.out.b = d.value(type);
///     return d.done(Unit::Integer, &addWords);
///   }
///
/// Every part of the opcode and every operand must be taken: `done` refuses the rest.
/// After an error the slots are those of constants, so that a family needs no checks of
/// its own.

#ifndef MERCATOR_REFERENCE_PTX_DECODER_H
#define MERCATOR_REFERENCE_PTX_DECODER_H

#include "mercator/reference/ptx/Syntax.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::reference::ptx {

struct Type {
  enum Kind : uint8_t {
    None,
    Bits,
    Unsigned,
    Signed,
    Float, ///< f16, f32, f64
    BFloat,
    TF32,
    E4M3,
    E5M2,
    Predicate,
  };
  Kind kind = None;
  uint8_t bits = 0;  ///< of all elements
  uint8_t count = 1; ///< 2: packed, as in f16x2

  [[nodiscard]] unsigned bytes() const { return bits / 8; }
  [[nodiscard]] bool isInteger() const {
    return kind == Bits || kind == Unsigned || kind == Signed;
  }
  /// f16, bf16 and their pairs.
  [[nodiscard]] bool isHalf() const {
    return kind == BFloat || (kind == Float && bits / count == 16);
  }
  friend bool operator==(const Type &, const Type &) = default;
};

/// The type of this name. `None`: there is none.
[[nodiscard]] Type typeOf(llvm::StringRef name);

class Decoder {
public:
  Decoder(Kernel &kernel, llvm::DenseMap<uint64_t, Slot> &constants,
          const Statement &statement, const SourceBuffer &text,
          DiagnosticEngine &diagnostics);

  [[nodiscard]] llvm::StringRef base() const { return statement.parts[0]; }
  /// Takes a part of the opcode, wherever it stands.
  bool take(llvm::StringRef part);
  /// Takes the first of these parts that is there; its index, or -1.
  int takeOne(llvm::ArrayRef<llvm::StringRef> parts);
  /// The first type that has not been taken. An error if there is none.
  Type takeType();
  /// What takeType() would give; `None` if there is no type.
  [[nodiscard]] Type peekType() const;
  /// Whether take() would take the part.
  [[nodiscard]] bool has(llvm::StringRef part) const;

  /// The next operand: a register of this width, which is written. With `maySink` it may
  /// be `_`: kNoSlot.
  Slot result(unsigned bytes, bool maySink = false);
  Slot result(Type type) { return result(type.bytes()); }
  /// The same, where a wider register is allowed; its width.
  Slot wideResult(unsigned bytes, unsigned &width);
  /// The next operand: a register or a number. A number is converted to the type.
  Slot value(Type type);
  Slot value(unsigned bytes) {
    return value(Type{Type::Bits, uint8_t(8 * bytes)});
  }
  Slot wideValue(Type type, unsigned &width);
  /// The next operand: a predicate, perhaps negated.
  Slot predicateResult(bool maySink = false);
  Slot predicate(bool &isNegated);
  /// The next operand: a number.
  std::optional<uint64_t> number();
  /// The next operand: a predicate, or `a|b`.
  void predicatePair(Slot &first, Slot &second);
  /// The second register of `%r1|%p1`, or kNoSlot. Call it before the operand is taken.
  Slot secondPredicate();
  /// The next operand: `[%rd1+8]`. The register is in out.a (a constant 0, if there is
  /// none) and the offset in out.offset.
  void address();
  /// The next operand: registers in braces, or one without. Their slots are appended to
  /// the operands of the kernel; the number of them.
  unsigned vector(unsigned bytes, bool isResult, unsigned *width = nullptr);

  [[nodiscard]] bool hasOperand() const {
    return next < statement.operands.size();
  }
  [[nodiscard]] const Operand *peek() const {
    return hasOperand() ? &statement.operands[next] : nullptr;
  }
  const Operand *takeOperand();
  /// A slot with the same 64 bits in each lane.
  Slot constant(uint64_t bits, unsigned bytes);

  bool done(Unit unit, Handler handler);
  bool fail(const llvm::Twine &message);
  bool failAt(const Operand &operand, const llvm::Twine &message);
  [[nodiscard]] bool hasFailed() const { return failed; }

  Instruction out;
  Kernel &kernel;

private:
  Slot registerSlot(const Operand &operand, unsigned bytes, unsigned *width);
  Slot valueOf(const Operand &operand, Type type, unsigned *width);

  llvm::DenseMap<uint64_t, Slot> &constants;
  const Statement &statement;
  const SourceBuffer &text;
  DiagnosticEngine &diagnostics;
  uint32_t taken = 1; ///< a bit for each part
  size_t next = 0;
  bool tookSecond = false;
  bool failed = false;
};

/// A family of instructions: true if it knows the opcode. It fails or is done then.
using Family = bool (*)(Decoder &);
bool decodeInteger(Decoder &d);
bool decodeFloat(Decoder &d);
bool decodeHalf(Decoder &d);
bool decodeMove(Decoder &d);
bool decodeCompare(Decoder &d);
bool decodeConvert(Decoder &d);
bool decodeMemory(Decoder &d);
bool decodeAtomic(Decoder &d);
bool decodeWarp(Decoder &d);
bool decodeMatrix(Decoder &d);

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_DECODER_H
