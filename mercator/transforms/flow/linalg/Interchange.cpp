// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/linalg/Interchange.h"

using namespace mlir;

void mercator::flow::interchange(linalg::GenericOp op,
                                 ArrayRef<unsigned> order) {
  Builder builder(op.getContext());
  // The new position of each loop.
  SmallVector<unsigned> places(order.size());
  for (auto [place, loop] : llvm::enumerate(order))
    places[loop] = place;
  AffineMap moved = AffineMap::getPermutationMap(places, op.getContext());

  SmallVector<Attribute> iterators;
  for (unsigned loop : order)
    iterators.push_back(op.getIteratorTypes()[loop]);
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(map.compose(moved));
  op.setIteratorTypesAttr(builder.getArrayAttr(iterators));
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  for (auto index : op.getBody()->getOps<linalg::IndexOp>())
    index.setDim(places[index.getDim()]);
}
