// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps between whole tensors and their parts on the devices. Internal.
//
//   mesh ["x"=4], sharding [{"x"}, {}], tensor<8x3xf32>
//
//   wholeToPart   (d0, d1, device) -> (d0 mod 2, d1, d0 floordiv 2)
//   partToWhole   (d0, d1, device) -> (device * 2 + d0, d1, device)
//
// The body of a manual computation is written for one device. Its maps, seen
// from outside, go from the whole result to the part on the device that holds
// it (sdy/Division.h), through the body, whose maps may lead to other devices,
// and from there to the whole operand.

#ifndef MERCATOR_ANALYSIS_MAPS_MANUAL_H
#define MERCATOR_ANALYSIS_MAPS_MANUAL_H

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/sdy/Division.h"
#include "mercator/dialects/sdy/Sdy.h"

namespace mercator::maps {

/// From each element of a whole tensor of these sizes, as a device sees it, to
/// the element of the part on the device that holds it. Nothing if the parts
/// are not equal, or if the mesh permutes its devices.
[[nodiscard]] std::optional<Map>
wholeToPart(Arena &arena, const sdy::Division &division, indexing::Sizes whole);
/// From each element of the part of a device to the element of the whole, as
/// this device sees it.
[[nodiscard]] std::optional<Map>
partToWhole(Arena &arena, const sdy::Division &division, indexing::Sizes whole);

void attachComputationMaps(mlir::MLIRContext *context);

class Manual {
public:
  explicit Manual(sdy::ManualComputationOp op);

  /// The reason if the computation is not supported; else empty.
  [[nodiscard]] llvm::StringRef refusal() const { return why; }

  /// The maps between a result and an operand. `inner` are the maps between the
  /// returned value and the argument of the body with the same numbers.
  [[nodiscard]] MapSet around(Arena &arena, Direction direction,
                              unsigned operand, unsigned result,
                              const MapSet &inner) const;

private:
  /// From the part of an operand to the operand, and from a result to its part.
  /// Only the inner side has the device, unless the computation is nested.
  std::optional<Map> outOf(Arena &arena, unsigned operand) const;
  std::optional<Map> into(Arena &arena, unsigned result) const;
  bool liftIndices(Arena &arena, Map &map) const;

  mutable sdy::ManualComputationOp op;
  std::vector<sdy::DivisionOr> in, out;
  int64_t devices = 1;
  /// True inside another manual computation: the tensors around it are parts
  /// themselves, and their maps have devices.
  bool isNested = false;
  std::string why;
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MANUAL_H
