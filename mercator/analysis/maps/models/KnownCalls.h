// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls whose target says what they compute. Internal.

#ifndef MERCATOR_DIALECTS_MAPS_KNOWNCALLS_H
#define MERCATOR_DIALECTS_MAPS_KNOWNCALLS_H

#include "mercator/dialects/maps/Models.h"

#include <optional>

namespace mercator::maps {

/// None for other calls.
[[nodiscard]] std::optional<MapSet> knownCallMaps(stablehlo::CustomCallOp op,
                                                  const Query &q);

} // namespace mercator::maps

#endif // MERCATOR_DIALECTS_MAPS_KNOWNCALLS_H
