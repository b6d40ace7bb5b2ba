// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/OpcodeTable.h"

#include "mercator/support/Suggest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>

using namespace mercator;
using namespace mercator::hlo;
using llvm::StringMap;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
struct AttributeRow {
  StringRef spelling;
  AttrKind kind;
  AttrPlace place;
};
} // namespace

static constexpr AttributeRow attributeRows[] = {
#define HLO_ATTRIBUTE(ENUM, SPELLING, KIND, WHERE)                             \
  {SPELLING, AttrKind::KIND, AttrPlace::WHERE},
#include "mercator/frontends/hlo/Attributes.def"
};

StringRef mercator::hlo::spelling(AttrName name) {
  return attributeRows[unsigned(name)].spelling;
}
AttrKind mercator::hlo::kindOf(AttrName name) {
  return attributeRows[unsigned(name)].kind;
}
AttrPlace mercator::hlo::placeOf(AttrName name) {
  return attributeRows[unsigned(name)].place;
}

std::optional<AttrName> mercator::hlo::attrNameFromSpelling(StringRef word) {
  static const StringMap<AttrName> names = [] {
    StringMap<AttrName> map;
    for (unsigned i = 0; i < kAttributeCount; ++i)
      if (!attributeRows[i].spelling.empty())
        map[attributeRows[i].spelling] = AttrName(i);
    return map;
  }();
  auto it = names.find(word);
  if (it == names.end())
    return std::nullopt;
  return it->second;
}

static AttributeSet attributesAt(AttrPlace place) {
  AttributeSet set;
  for (unsigned i = 0; i < kAttributeCount; ++i)
    if (attributeRows[i].place == place ||
        attributeRows[i].place == AttrPlace::Both)
      set.set(i);
  return set;
}

const AttributeSet &mercator::hlo::headerAttributes() {
  static const AttributeSet set = attributesAt(AttrPlace::Header);
  return set;
}

//===----------------------------------------------------------------------===//
// Opcodes
//===----------------------------------------------------------------------===//

static void addAttributes(StringRef list, OpcodeInfo &row, AttributeSet &set) {
  llvm::SmallVector<StringRef> words;
  list.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word == "*") {
      row.keepsUnknownAttributes = true;
      continue;
    }
    auto name = attrNameFromSpelling(word);
    assert(name && "Opcodes.def names an attribute that Attributes.def lacks");
    set.set(unsigned(*name));
  }
}

const OpcodeInfo &mercator::hlo::info(Opcode opcode) {
  static const std::array<OpcodeInfo, kOpcodeCount> rows = [] {
    std::array<OpcodeInfo, kOpcodeCount> table;
    const AttributeSet common = attributesAt(AttrPlace::Common);
    unsigned i = 0;
    auto add = [&](StringRef spelling, int min, int max, StringRef required,
                   StringRef allowed) {
      OpcodeInfo &row = table[i++];
      row.spelling = spelling;
      row.minOperands = min;
      row.maxOperands = max;
      addAttributes(required, row, row.required);
      row.allowed = row.required | common;
      addAttributes(allowed, row, row.allowed);
    };
#define HLO_OPCODE(ENUM, SPELLING, MIN, MAX, RULE, REQUIRED, ALLOWED)          \
  add(SPELLING, MIN, MAX, REQUIRED, ALLOWED);
#include "mercator/frontends/hlo/Opcodes.def"
    return table;
  }();
  return rows[unsigned(opcode)];
}

StringRef mercator::hlo::spelling(Opcode opcode) {
  return info(opcode).spelling;
}

std::optional<Opcode> mercator::hlo::opcodeFromSpelling(StringRef word) {
  static const StringMap<Opcode> opcodes = [] {
    StringMap<Opcode> map;
    for (unsigned i = 0; i < kOpcodeCount; ++i)
      map[info(Opcode(i)).spelling] = Opcode(i);
    return map;
  }();
  auto it = opcodes.find(word);
  if (it == opcodes.end())
    return std::nullopt;
  return it->second;
}

std::optional<Opcode> mercator::hlo::builtinReducer(StringRef word) {
  return llvm::StringSwitch<std::optional<Opcode>>(word)
      .Cases({"max", "maximum"}, Opcode::Maximum)
      .Cases({"min", "minimum"}, Opcode::Minimum)
      .Case("add", Opcode::Add)
      .Cases({"mul", "multiply"}, Opcode::Multiply)
      .Case("and", Opcode::And)
      .Case("or", Opcode::Or)
      .Case("xor", Opcode::Xor)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

std::optional<StringRef> mercator::hlo::suggestOpcode(StringRef word) {
  StringRef everyday =
      llvm::StringSwitch<StringRef>(word)
          .Case("max", "maximum")
          .Case("min", "minimum")
          .Case("mul", "multiply")
          .Case("sub", "subtract")
          .Case("div", "divide")
          .Case("neg", "negate")
          .Case("exp", "exponential")
          .Case("expm1", "exponential-minus-one")
          .Case("log1p", "log-plus-one")
          .Case("sin", "sine")
          .Case("cos", "cosine")
          .Case("pow", "power")
          .Case("rem", "remainder")
          .Case("sigmoid", "logistic")
          .Case("matmul", "dot")
          .Case("conv", "convolution")
          .Case("concat", "concatenate")
          .Cases({"eq", "ne", "ge", "gt", "le", "lt"}, "compare")
          .Default("");
  if (!everyday.empty())
    return everyday;
  llvm::SmallVector<StringRef> all;
  for (unsigned i = 0; i < kOpcodeCount; ++i)
    all.push_back(info(Opcode(i)).spelling);
  return suggest(word, all);
}

std::optional<StringRef> mercator::hlo::suggestElementType(StringRef word) {
  static constexpr StringRef all[] = {
#define HLO_ELEMENT_TYPE(ENUM, SPELLING, BITS, CLASS) SPELLING,
#include "mercator/frontends/hlo/ElementTypes.def"
  };
  StringRef everyday = llvm::StringSwitch<StringRef>(word)
                           .Cases({"bool", "i1", "b1"}, "pred")
                           .Case("i8", "s8")
                           .Case("i16", "s16")
                           .Cases({"i32", "int"}, "s32")
                           .Case("i64", "s64")
                           .Case("float", "f32")
                           .Case("double", "f64")
                           .Default("");
  if (!everyday.empty())
    return everyday;
  return suggest(word, all);
}

std::optional<StringRef>
mercator::hlo::suggestAttribute(StringRef word, const AttributeSet &set) {
  llvm::SmallVector<StringRef> all;
  for (unsigned i = 0; i < kAttributeCount; ++i)
    if (set.test(i))
      all.push_back(attributeRows[i].spelling);
  return suggest(word, all);
}
