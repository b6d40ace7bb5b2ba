// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/RecordDomains.h"

#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::indexing;

/// The indices of each dimension that the maps start from. Where the extent is
/// not known, or the dimension is the device, the hull of what the maps say.
static std::vector<Interval> boundsOf(const MapRecord &record) {
  std::vector<Interval> known;
  for (const MapTarget &target : record.to)
    for (const OperandMap &m : target.maps) {
      if (m.map.isKnownEmpty())
        continue;
      for (auto [i, dim] : llvm::enumerate(m.map.domain.dims)) {
        if (i == known.size())
          known.push_back(dim.bounds);
        known[i] = known[i].hull(dim.bounds);
      }
    }
  for (auto [bounds, size] : llvm::zip(known, record.sizes))
    if (size > 0 && Interval::ofSize(size).contains(bounds))
      bounds = Interval::ofSize(size);
  return known;
}

RecordDomains::RecordDomains(const MapRecord &record)
    : record(record), known(boundsOf(record)) {}

std::string RecordDomains::common() const {
  // The names are those of the map with the most dimensions.
  std::vector<std::string> names;
  for (const MapTarget &target : record.to)
    for (const OperandMap &m : target.maps)
      if (names.size() < m.map.numDims())
        names = variableNames(*m.map.arena, m.map.domain);
  std::vector<std::string> entries;
  for (auto [name, bounds] : llvm::zip(names, known))
    entries.push_back(name + " in " + indexing::toShortString(bounds));
  return llvm::join(entries, ", ");
}

std::string RecordDomains::own(const Map &map) const {
  return llvm::join(shortEntries(map, known), ", ");
}

std::string mercator::toShortString(const MapDescription::RuntimeVariable &v) {
  std::string source = v.source;
  if (v.element)
    source += "{" + std::to_string(*v.element) + "}";
  return v.name + " in " + indexing::toShortString(Interval{v.lower, v.upper}) +
         ", read from " + source + " at " + v.map;
}
