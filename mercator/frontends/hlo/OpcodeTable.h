// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opcodes.def and Attributes.def as lookup tables, and suggestions for unknown
// words.

#ifndef MERCATOR_FRONTENDS_HLO_OPCODETABLE_H
#define MERCATOR_FRONTENDS_HLO_OPCODETABLE_H

#include "mercator/frontends/hlo/Syntax.h"

#include <bitset>

namespace mercator::hlo {

inline constexpr unsigned kOpcodeCount = 0
#define HLO_OPCODE(ENUM, SPELLING, MIN, MAX, RULE, REQUIRED, ALLOWED) +1
#include "mercator/frontends/hlo/Opcodes.def"
    ;
inline constexpr unsigned kAttributeCount = 0
#define HLO_ATTRIBUTE(ENUM, SPELLING, KIND, WHERE) +1
#include "mercator/frontends/hlo/Attributes.def"
    ;

using AttributeSet = std::bitset<kAttributeCount>;

struct OpcodeInfo {
  StringRef spelling;
  int minOperands = 0, maxOperands = 0; // maxOperands < 0: any number
  AttributeSet required;
  AttributeSet allowed; // includes the required and the common ones
  bool keepsUnknownAttributes = false;
};
[[nodiscard]] const OpcodeInfo &info(Opcode opcode);

enum class AttrPlace : uint8_t { Common, Header, Opcode, Both };
[[nodiscard]] AttrPlace placeOf(AttrName name);
/// The attributes of the `HloModule` line.
[[nodiscard]] const AttributeSet &headerAttributes();

/// The opcode that `word` probably means: a common name (`max`, `exp`,
/// `matmul`) or the nearest spelling; none if no spelling is near.
[[nodiscard]] std::optional<StringRef> suggestOpcode(StringRef word);
[[nodiscard]] std::optional<StringRef> suggestElementType(StringRef word);
/// The nearest spelling among the attributes of `set`.
[[nodiscard]] std::optional<StringRef>
suggestAttribute(StringRef word, const AttributeSet &set);

/// The scalar binary opcode that `to_apply=max` means if no computation has
/// that name.
[[nodiscard]] std::optional<Opcode> builtinReducer(StringRef word);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_OPCODETABLE_H
