// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the commands that take maps on the command line have in common.

#ifndef MERCATOR_TOOLS_DRIVER_MAPOPERAND_H
#define MERCATOR_TOOLS_DRIVER_MAPOPERAND_H

#include "mercator/indexing/decide/Prove.h"
#include "mercator/tools/driver/Command.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace mercator {

/// Operand `i` as a map; none after a diagnostic.
[[nodiscard]] std::optional<indexing::Map>
readMap(Invocation &invocation, unsigned i, indexing::Arena &arena);

/// A map as the commands print it: as toString, but a map without points is
/// `KNOWN EMPTY` alone, as XLA prints it.
[[nodiscard]] std::string shownText(const indexing::Map &map);

/// Equal: done. Different: propertyFalse. Undecided: undecided.
[[nodiscard]] ExitCode exitCodeOf(const indexing::Verdict &verdict);

/// "equal", "different" or "undecided".
[[nodiscard]] llvm::StringRef wordOf(indexing::Decision::Kind kind);

/// Writes the members `verdict`, `reason` and `counterexample` of an object.
void writeVerdict(const indexing::Verdict &verdict, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPOPERAND_H
