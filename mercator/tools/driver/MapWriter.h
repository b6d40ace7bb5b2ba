// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writing the answers of `mercator map`, for a person or for a program. Both
/// write as the records come; nothing is kept but the table of one computation.

#ifndef MERCATOR_TOOLS_DRIVER_MAPWRITER_H
#define MERCATOR_TOOLS_DRIVER_MAPWRITER_H

#include "mercator/indexing/decide/Count.h"
#include "mercator/tools/driver/MapRecords.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator {

/// How far pairs are counted for display: closed forms, and small maps.
inline constexpr indexing::Budget kShownCount{.steps = 1 << 12};

class MapWriter {
public:
  virtual ~MapWriter() = default;
  virtual void write(const MapRecord &record) = 0;
  /// To be called once, after the last record.
  virtual void finish() = 0;
};

/// A table for each computation and direction. `targets` names what maps lead
/// to: operands or parameters.
std::unique_ptr<MapWriter> makeMapTable(llvm::raw_ostream &os, bool color,
                                        llvm::StringRef targets);

/// The form `mercator.map/1`, one record a line.
std::unique_ptr<MapWriter> makeMapJson(llvm::raw_ostream &os,
                                       llvm::StringRef module);

/// One record, as an object of that form.
void writeMapRecord(llvm::json::OStream &json, const MapRecord &record);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPWRITER_H
