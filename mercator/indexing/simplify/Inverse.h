// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of a map: from the elements read to the elements that read them.
//
//   (d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]
// read backwards, for a tensor of 32 elements, is
//   (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
//
// A map from tensor A to tensor B is a relation between the elements of A and
// B; its inverse is the same relation with the sides exchanged. What is a
// dimension on one side is a range variable on the other: an element of B may
// be read by none, one or many of A.
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
// Always answers, and exactly: equations that cannot be solved (Solve.h says
// which can) stay as constraints `f(s) - d in [0, 0]` on range variables, which
// is the same relation, only less readable.
//
// Laws, with R = inverse(map, sizes) for a map whose results lie within sizes
//   inverse(R, bounds of the map's dimensions from 0) means the map again;
//   inverse(compose(f, g)) means compose(inverse(g), inverse(f));
//   a pair is in the one exactly if it is in the other, backwards, so an exact
//   map has an exact inverse.
// A runtime variable that is read at an element which depends on d is read at
// the same element, now a function of the results: where the inverse has range
// variables, it may have another value for each choice of them.

#ifndef MERCATOR_INDEXING_SIMPLIFY_INVERSE_H
#define MERCATOR_INDEXING_SIMPLIFY_INVERSE_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

/// `sizes` are those of the tensor that the results of `map` index: the bounds
/// of the inverse's dimensions. Requires: sizes.size() == map.numResults().
/// Ensures: for all a, rt and all b with 0 <= b < sizes:
///   a in reads_inverse(b, rt)  <=>  b in reads_map(a, rt).
/// Runtime variables keep their places; the result is simplified.
[[nodiscard]] Map inverse(const Map &map, llvm::ArrayRef<int64_t> sizes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_INVERSE_H
