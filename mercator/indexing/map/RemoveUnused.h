// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// removeUnused (Map.h) without a copy of the map where nothing is unused.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_MAP_REMOVEUNUSED_H
#define MERCATOR_INDEXING_MAP_REMOVEUNUSED_H

#include "mercator/indexing/map/Map.h"

#include <optional>

namespace mercator::indexing {

/// The map without unused variables; nothing if all stay.
[[nodiscard]] std::optional<Map> withoutUnused(const Map &map,
                                               UnusedVars which);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_REMOVEUNUSED_H
