// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a text is HLO at all, correct or not. For text in another language
// the parser would report an error in every line.
//
// ```cpp
// assert(looksLikeHlo("HloModule m\n"));
// assert(looksLikeHlo("a = f32[4] add(f32[4] p0, f32[4] p1)"));
// assert(!looksLikeHlo("func.func @f()"));
// ```

#ifndef MERCATOR_FRONTENDS_HLO_LOOKS_H
#define MERCATOR_FRONTENDS_HLO_LOOKS_H

#include "llvm/ADT/StringRef.h"

namespace mercator::hlo {

/// True if a line begins with `HloModule` or `ENTRY`, or if a shape (`f32[`)
/// follows `= `, `(` or `-> `, as in instructions, operands and signatures.
/// Linear.
[[nodiscard]] bool looksLikeHlo(llvm::StringRef text);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_LOOKS_H
