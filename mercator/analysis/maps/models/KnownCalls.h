// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls with a known target. Internal.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_KNOWNCALLS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_KNOWNCALLS_H

#include "mercator/analysis/maps/Model.h"

#include <optional>

namespace mercator::stablehlo {
class CustomCallOp;
}

namespace mercator::maps {

/// The maps of a call with a known target; nothing for other calls.
[[nodiscard]] std::optional<MapSet> knownCallMaps(stablehlo::CustomCallOp op,
                                                  const Query &q);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_KNOWNCALLS_H
