// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between whole tensors and the parts that devices have. Internal.
//
//   mesh ["x"=4], sharding [{"x"}, {}], tensor<8x3xf32>
//
//   wholeToPart   (d0, d1, device) -> (d0 mod 2, d1, d0 floordiv 2)
//   partToWhole   (d0, d1, device) -> (device * 2 + d0, d1, device)
//
// A computation that is written for one device, seen from around it, goes
// from the whole result to the part that a holder has (sdy/Division.h), through
// the body, whose maps may lead to other devices, and from there to the whole
// operand.

#ifndef MERCATOR_ANALYSIS_MAPS_MANUAL_H
#define MERCATOR_ANALYSIS_MAPS_MANUAL_H

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/dialects/sdy/Division.h"
#include "mercator/dialects/sdy/Sdy.h"

namespace mercator::maps {

/// From each element of a whole tensor of these sizes, as a device sees it, to
/// the element of the part, on its holder. None where the parts are not equal,
/// or the devices are in an order of their own.
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

  /// Why nothing can be said of it; empty where it can.
  [[nodiscard]] llvm::StringRef refusal() const { return why; }

  /// The maps between a result and an operand, where `inner` are those between
  /// the returned value and the argument of the body of the same numbers.
  [[nodiscard]] MapSet around(Arena &arena, Direction direction,
                              unsigned operand, unsigned result,
                              const MapSet &inner) const;

private:
  /// From the part of an operand to the operand, from a result to the part of
  /// it; with the device only on the inner side, unless it is nested.
  std::optional<Map> outOf(Arena &arena, unsigned operand) const;
  std::optional<Map> into(Arena &arena, unsigned result) const;
  bool liftIndices(Arena &arena, Map &map) const;

  mutable sdy::ManualComputationOp op;
  std::vector<sdy::DivisionOr> in, out;
  int64_t devices = 1;
  /// Within another one: the tensors around it are parts themselves, and maps
  /// speak of devices.
  bool isNested = false;
  std::string why;
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MANUAL_H
