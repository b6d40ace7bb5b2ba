// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The answers of `mercator map`, one after the other.
///
/// A record is one question and all of its answers: from one result of an
/// instruction to each of its operands, or from one operand to each result.
/// Through a fusion or a whole computation the operands are its parameters.
///
/// Each instruction is analysed in an arena of its own, so memory does not grow
/// with the program; a record and its maps live until the callback returns.

#ifndef MERCATOR_TOOLS_DRIVER_MAPRECORDS_H
#define MERCATOR_TOOLS_DRIVER_MAPRECORDS_H

#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/tools/driver/MapProgram.h"

namespace mercator {

/// An operand or a result that a record leads to.
struct MapTarget {
  unsigned number;
  std::string name = {};                // of an operand
  bool isRepeated = false;              // another operand has this name
  std::optional<unsigned> element = {}; // which one, where it is a tuple
  indexing::MapSet maps;
};

struct MapRecord {
  llvm::StringRef computation, instruction;
  indexing::Direction direction;
  /// The result or the operand that the maps start from.
  unsigned from = 0;
  std::string fromName = {};            // of an operand
  bool fromIsRepeated = false;          // another operand has this name
  std::optional<unsigned> element = {}; // which one, where it is a tuple
  bool hasSeveralResults = false;
  /// Not empty: the maps lead to results of the instruction of this name,
  /// whatever the direction.
  std::string toInstruction = {};
  std::vector<MapTarget> to = {};
};

using RecordFn = llvm::function_ref<void(const MapRecord &)>;

/// An instruction, to or from its operands. None for one without operands.
void forEachRecord(const MapProgram &program, const Instruction &instruction,
                   indexing::Direction direction, RecordFn f);

/// `--fused`: an instruction, or the root of a computation, to or from the
/// parameters of its computation. Parameters that are not read are left out.
/// The directions come one after the other. Requires at least one.
void forEachFusedRecord(const MapProgram &program,
                        const Instruction &instruction,
                        llvm::ArrayRef<indexing::Direction> directions,
                        RecordFn f);
void forEachFusedRecord(const MapProgram &program, const Root &root,
                        llvm::ArrayRef<indexing::Direction> directions,
                        RecordFn f);
/// The roots of all computations. What one of them calls is followed once.
void forEachComputationRecord(const MapProgram &program,
                              llvm::ArrayRef<indexing::Direction> directions,
                              RecordFn f);

/// `--from A --to B`: from each result of the one to each of the other, through
/// the whole program. OutToIn: A reads B; InToOut: B reads A. Without a
/// direction the one in which anything is read, or else the first.
void forEachRecordBetween(const MapProgram &program, const Instruction &from,
                          const Instruction &to,
                          std::optional<indexing::Direction> direction,
                          RecordFn f);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_MAPRECORDS_H
