// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The domains of the maps of a record, for a table that says once what they
/// have in common.
///
///   %3 = pad                                   common: d0 in 0..4, d1 in 0..63
///     (d0, d1) -> (d0, d1), d1 in 0..3         own: d1 in 0..3
///     (d0, d1) -> (),       d1 in 4..63        own: d1 in 4..63

#ifndef MERCATOR_COMPILER_MAPS_RECORDDOMAINS_H
#define MERCATOR_COMPILER_MAPS_RECORDDOMAINS_H

#include "mercator/compiler/maps/Maps.h"

namespace mercator {

class RecordDomains {
public:
  /// The record must outlive this.
  explicit RecordDomains(const MapRecord &record);

  /// The indices of the tensor that the maps start from; empty for a scalar.
  [[nodiscard]] std::string common() const;
  /// The rest of the domain of a map of the record, without the intervals of
  /// runtime variables.
  [[nodiscard]] std::string own(const indexing::Map &map) const;

private:
  const MapRecord &record;
  std::vector<indexing::Interval> known;
};

/// `rt0 in 0..3, read from main/start at (d0) -> ()`.
[[nodiscard]] std::string
toShortString(const MapDescription::RuntimeVariable &variable);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_RECORDDOMAINS_H
