// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The indexing maps of a program, as records.
///
/// A record is one question with all its answers: from one result of an
/// instruction to each of its operands, or from one operand to each result.
/// For y = f32[4,8] transpose(x), dimensions={1,0}:
///
///   direction   from        to
///   out-to-in   result 0    operand 0 `x`: (d0, d1) -> (d1, d0)
///   in-to-out   operand 0   result 0:      (d0, d1) -> (d1, d0)
///
/// Through a fusion or a computation the operands are its parameters. Between
/// two instructions both ends are results.
///
/// Records are delivered to a callback, one at a time. A record that is copied
/// stays valid: it shares the ownership of the arena of its maps. Each
/// instruction has an arena of its own, so the memory of a program whose
/// records are not kept does not grow with the program.

#ifndef MERCATOR_COMPILER_MAPS_MAPS_H
#define MERCATOR_COMPILER_MAPS_MAPS_H

#include "mercator/compiler/program/Selection.h"
#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/support/ExitCode.h"

#include "mlir/IR/Types.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mercator {

class DiagnosticEngine;
class InstructionTable;
struct Instruction;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Which records of a program.
///
///   {}                                           every instruction
///   {.instruction = "t"}                         one instruction
///   {.fused = true}                              the entry to its parameters
///   {.instruction = "t", .fused = true}          one to the parameters
///   {.fused = true, .allComputations = true}     each computation
///   {.between = std::pair("result", "logits")}   two instructions
///   {.select = {.operation = "dot"}}             the products
struct MapQuery {
  enum class Directions { OutToIn, InToOut, Both };

  /// `name` or `computation/name`; none for all instructions.
  std::optional<std::string> instruction = {};
  /// Composed through everything between, to the parameters.
  bool fused = false;
  /// With `fused` and no instruction: the root of every computation, not only
  /// of the entry.
  bool allComputations = false;
  /// From the results of one instruction to those of another, anywhere in the
  /// program. The members above are then ignored.
  std::optional<std::pair<std::string, std::string>> between = {};
  /// By default out-to-in; with `between`, the direction in which one
  /// instruction reads the other.
  std::optional<Directions> directions = {};
  /// Only these instructions; with `fused`, only these computations.
  Selection select = {};
  /// Only operands that are read by a map that is not exact.
  bool inexact = false;
  /// Out-to-in: also MapRecord::producers.
  bool producers = false;
};

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// An operand or a result at the far end of a record.
struct MapTarget {
  unsigned number;
  std::string name = {};                ///< of an operand
  bool isRepeated = false;              ///< another operand has this name
  std::optional<unsigned> element = {}; ///< of a tuple
  mlir::Type type = {};                 ///< of the tensor
  std::string operation = {};           ///< of a producer: `stablehlo.add`
  indexing::MapSet maps;
  /// With MapQuery::producers: what code loads, if that is less (Loaded.h).
  std::optional<indexing::MapSet> loaded = {};
};

struct MapRecord {
  /// Owns what the maps refer to.
  std::shared_ptr<indexing::Arena> arena;
  std::string computation, instruction;
  std::string operation = {}; ///< `stablehlo.add`; empty for an argument
  std::string at = {};        ///< its place in the text, `f.mlir:12`
  std::string origin = {};    ///< `model.py:12`, if the text has it
  /// False for an instruction inside a fusion, and for a call, branch or loop:
  /// the bytes that it moves are those of other instructions.
  bool movesOwnBytes = true;
  indexing::Direction direction;
  /// The result or the operand that the maps start from.
  unsigned from = 0;
  std::string fromName = {};            ///< of an operand
  bool fromIsRepeated = false;          ///< another operand has this name
  std::optional<unsigned> element = {}; ///< of a tuple
  bool hasSeveralResults = false;
  /// The type of the tensor that the maps start from, and its extents; none if it
  /// is no tensor.
  mlir::Type type = {};
  llvm::SmallVector<int64_t> sizes = {};
  /// If not empty: the maps lead to results of this instruction, in either
  /// direction.
  std::string toInstruction = {};
  std::vector<MapTarget> to = {};
  /// With MapQuery::producers: of a fusion or a computation, the values between
  /// the result and the parameters, the nearest first.
  std::vector<MapTarget> producers = {};

  [[nodiscard]] bool isOutToIn() const {
    return direction == indexing::Direction::OutToIn;
  }
  /// The name of one result of the instruction, if it has its own: `%b` for
  /// result 1 of `%a,%b`. Else empty.
  [[nodiscard]] std::string resultName(unsigned result) const;
};

using RecordFn = llvm::function_ref<void(const MapRecord &)>;

/// The records that `query` asks for, of the instructions of `table`.
/// Compilation::map calls it. Returns `done`, or a reason after an error.
[[nodiscard]] ExitCode forEachRecord(const InstructionTable &table,
                                     const MapQuery &query,
                                     DiagnosticEngine &diagnostics, RecordFn f);
/// An instruction, to or from its operands. None for one without operands.
void forEachRecord(const InstructionTable &table,
                   const Instruction &instruction,
                   indexing::Direction direction, RecordFn f);

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

/// One map of a record as text and numbers.
struct MapDescription {
  struct RuntimeVariable {
    std::string name;               ///< as in the map: rt0
    int64_t lower = 0, upper = 0;   ///< the value is clamped to these
    std::string source;             ///< the value that it is read from
    std::optional<int64_t> element; ///< of a tuple
    std::string map;                ///< to the element that is read
  };
  /// In the notation; `KNOWN EMPTY` for a map without points.
  std::string map;
  /// The map without its domain, and its domain. `map` is both.
  std::string formula = {}, domain = {};
  bool isEmpty = false;
  bool exact = true;
  std::string reason = {}; ///< why the map is not exact
  /// For a map that is not exact: the pairs (d, element) it gives, and a lower
  /// bound on the pairs that are read. None where they are not known.
  std::optional<int64_t> givenPairs = {}, leastReadPairs = {};
  bool acrossDevices = false;
  std::vector<RuntimeVariable> runtimeVariables = {};
};
[[nodiscard]] MapDescription describe(const indexing::OperandMap &map);
/// Those of describe(map), without parameters.
[[nodiscard]] std::vector<MapDescription::RuntimeVariable>
runtimeVariablesOf(const indexing::Map &map);

/// Writes records as `mercator.map/1`, one line each, as they come.
///
///   MapsJson json(os, compilation.getName());
///   compilation.map({}, [&](const MapRecord &r) { json.write(r); });
///   json.finish();
///
/// Nothing is written before the first record or finish().
class MapsJson {
public:
  MapsJson(llvm::raw_ostream &os, llvm::StringRef module)
      : os(os), module(module) {}
  void write(const MapRecord &record);
  /// Ends the text. To be called once.
  void finish();

private:
  void begin();
  llvm::StringRef textOf(const indexing::MapSet &maps);

  llvm::raw_ostream &os;
  std::string module;
  bool isEmpty = true;
  /// The text for each identity of a set. The set is kept only so that no other set
  /// gets its identity: its arena may be gone.
  llvm::DenseMap<const void *, std::pair<indexing::MapSet, std::string>> texts;
};

/// Writes one record as an object of that schema.
void writeJson(const MapRecord &record, llvm::json::OStream &json);
/// The same for one map of a record.
void writeJson(const indexing::OperandMap &m, llvm::json::OStream &json);

/// Writes a map as a value: its variables with their intervals, the trees of
/// its results, and its constraints. For (d0)[s0] -> (d0 * 4 + s0), domain: d0
/// in [0, 9], s0 in [0, 3]:
///
///   {"variables": [{"name": "d0", "kind": "dimension", "interval": [0, 9]},
///                  {"name": "s0", "kind": "range", "interval": [0, 3]}],
///    "results": [{"add": [{"mul": ["d0", 4]}, "s0"]}],
///    "constraints": []}
///
/// A tree is a number, the name of a variable, or an object with one member:
/// `add`, `mul`, `min` or `max` of a list of trees, `floordiv`, `ceildiv` or
/// `mod` of two, or the `text` of an expression that is nested too deeply. A
/// known empty map begins with `"empty": true`.
void writeStructure(const indexing::Map &map, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_MAPS_H
