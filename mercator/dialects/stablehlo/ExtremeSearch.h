// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reductions that find the greatest or least element and its place, as jnp.argmax
/// and jnp.argmin write them:
///
///   reduce(x, places) with (kept, place), (next, nextPlace):
///     wins = kept > next or kept != kept
///     (wins ? kept : next,
///      wins or (kept == next and place < nextPlace) ? place : nextPlace)
///
/// A NaN is further than any number. Of equal elements the one with the lower place is
/// found, of NaNs the first.

#ifndef MERCATOR_DIALECTS_STABLEHLO_EXTREMESEARCH_H
#define MERCATOR_DIALECTS_STABLEHLO_EXTREMESEARCH_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

enum class Extreme { Greatest, Least };

/// The extreme that the body of a reduction searches; none if it does something else.
[[nodiscard]] std::optional<Extreme> searchedExtreme(ReduceOp op);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_EXTREMESEARCH_H
