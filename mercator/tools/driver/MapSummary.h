// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a person at a terminal sees instead of thousands of maps: how many
/// instructions of each kind, why maps are not exact, which instructions have
/// the most maps, and the commands that show more.

#ifndef MERCATOR_TOOLS_DRIVER_MAPSUMMARY_H
#define MERCATOR_TOOLS_DRIVER_MAPSUMMARY_H

#include "mercator/compiler/maps/Maps.h"

#include <map>

namespace mercator {

class MapSummary {
public:
  /// Requires: the records of an instruction come one after another.
  void add(const MapRecord &record);
  /// `command` is the command line that gave the records, `lines` the number of
  /// lines that it would have printed.
  void print(llvm::StringRef command, size_t lines, bool color,
             llvm::raw_ostream &os) const;

private:
  struct Count {
    int64_t instructions = 0, maps = 0, inexact = 0;
    std::string first; ///< an instruction, as `--instruction` takes it
  };
  struct Large {
    int64_t maps = 0;
    std::string name, operation, at;
  };

  void printKinds(bool color, llvm::raw_ostream &os) const;
  void printReasons(bool color, llvm::raw_ostream &os) const;
  void printLargest(bool color, llvm::raw_ostream &os) const;

  Count all;
  std::map<std::string, Count> kinds, reasons;
  std::vector<Large> largest; ///< the most maps first
  Large current;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPSUMMARY_H
