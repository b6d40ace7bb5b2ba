// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of a map: from the elements read to the elements that read them.
//
//   (d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]
//     inverse, for a tensor of 32 elements
//   (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
//
// A map from tensor A to tensor B is a relation between the elements of A and
// B. Its inverse is the same relation with the sides exchanged. A dimension on
// one side is a range variable on the other: an element of B may be read by
// none, one or many elements of A.
//
//   (d0, d1) -> (d0)                 broadcast
//     inverse: (d0)[s0] -> (d0, s0)
//   (d0)[s0] -> (s0, d0)             reduce
//     inverse: (d0, d1) -> (d1)
//   (d0) -> (d0 * 2 + 1)             strided slice
//     inverse: (d0) -> ((d0 - 1) floordiv 2), (d0 - 1) mod 2 in [0, 0]
//   (d0)[s0] -> (d0 + s0)            window
//     inverse: (d0)[s0] -> (d0 - s0), d0 - s0 in the bounds of the old d0
//
// ```cpp
// Arena arena;
// Map transpose = Map::identity(arena, {10, 20});
// std::swap(transpose.results[0], transpose.results[1]);
// Map back = inverse(transpose, {20, 10});
// assert(back.results == transpose.results);
// assert(back.domain.dims[0].bounds == Interval::ofSize(20));
// assert(inverse(back, {10, 20}) == transpose);
// ```
//
// Every map has an inverse, and it is exact. Equations that cannot be solved
// (Solve.h says which can) stay as constraints `f(s) - d in [0, 0]` on range
// variables: the same relation, only harder to read.
//
// Laws, with R = inverse(map, sizes) for a map whose results lie within sizes
//   inverse(R, bounds of the map's dimensions from 0) means the same as map;
//   inverse(compose(f, g)) means the same as compose(inverse(g), inverse(f));
//   (a, b) is in map exactly if (b, a) is in R, so the inverse of an exact map
//   is exact.
//
// A runtime variable whose index depends on d is read at the same element, now
// a function of the results. If this function uses range variables of the
// inverse, the variable may have another value for each choice of them.

#ifndef MERCATOR_INDEXING_SIMPLIFY_INVERSE_H
#define MERCATOR_INDEXING_SIMPLIFY_INVERSE_H

#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

/// The inverse. `sizes` are the sizes of the tensor that the results of `map`
/// index, and so of the dimensions of the inverse.
/// Requires: sizes.size() == map.numResults().
/// Ensures: for all a, rt and all b with 0 <= b < sizes:
///   a in reads_inverse(b, rt)  <=>  b in reads_map(a, rt).
/// The result is simplified with `options`. Used runtime variables keep their
/// order.
[[nodiscard]] Map inverse(const Map &map, llvm::ArrayRef<int64_t> sizes,
                          const SimplifyOptions &options = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_INVERSE_H
