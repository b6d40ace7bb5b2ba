// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// All answers about a program in one value, and the page that shows them.
///
/// ```cpp (Compilation &program)
/// #include "mercator/compiler/Compilation.h"
/// Answer<Exploration> answer = program.explore({});
/// if (answer)
///   writePage(*answer, llvm::outs()); // one HTML file, without references
/// ```
///
/// Nothing is computed here. Maps are those of `map`, accesses those of `access`,
/// dispatches those of `explain`, and differences those of `diff`. What repeats in
/// the layers of a model is stored once: maps, accesses and types are lists, and
/// instructions refer to them by number:
///
///   t = f32[8,4] transpose(x)   instructions[1].reads[0].to[0].maps = {0}
///                               maps[0]: (d0, d1) -> (d1, d0), ..
///
/// Complexity: linear in the program, but for the pipeline to dispatches.
///
/// Errors. A program that the pipeline to dispatches refuses is explored without
/// dispatches; Exploration::noDispatches says why.

#ifndef MERCATOR_COMPILER_EXPLORE_EXPLORE_H
#define MERCATOR_COMPILER_EXPLORE_EXPLORE_H

#include "mercator/analysis/device/Device.h"
#include "mercator/compiler/explain/Explain.h"
#include "mercator/compiler/maps/Diff.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

class Compilation;

struct ExploreOptions {
  Formation formation = {};
  Device device = {};
  /// HLO compiled for a GPU: the device of its kernels.
  std::optional<Device> gpu = {};
  /// Another program, to be compared with.
  Compilation *second = nullptr;
  /// The text of a file that `mercator run --trace` wrote, or empty.
  std::string trace = {};
  /// The content of a file of Python that an instruction was traced from; none
  /// if it cannot be read. Null: no file is read.
  llvm::function_ref<std::optional<std::string>(llvm::StringRef name)> source =
      nullptr;
};

struct Exploration {
  /// One end of a record of maps. Members of a tuple have an `element`.
  struct End {
    unsigned number = 0; ///< of an operand or a result
    std::optional<unsigned> element = {};
    std::optional<unsigned> type = {};
    std::vector<unsigned> maps = {};
    std::optional<unsigned> access = {}; ///< of an operand
  };
  /// From a result to the operands, or from an operand to the results.
  struct Record {
    End from;
    std::vector<End> to;
  };
  struct Operand {
    unsigned instruction, result;
  };
  struct Instruction {
    std::string name, operation, origin;
    unsigned computation = 0;
    std::optional<unsigned> line = {}; ///< in the text, from 1
    std::vector<unsigned> types = {};  ///< of the results
    std::vector<Operand> operands = {};
    std::vector<Record> reads = {}, reaches = {};
    std::vector<unsigned> calls = {};      ///< computations
    std::optional<unsigned> dispatch = {}; ///< of the explanation
    std::optional<int64_t> bytes = {};     ///< read and written
    bool movesOwnBytes = true;             ///< see MapRecord
  };
  struct Computation {
    std::string name;
    bool isEntry = false;
    std::optional<unsigned> caller = {}; ///< an instruction
    std::vector<Operand> results = {};
  };
  /// What formation estimates with (formation/maps/Traffic.h): a start, the bytes by
  /// the bandwidth of memory, and the operations by the rate of the cores.
  struct Dispatch {
    struct Nanoseconds {
      int64_t start, memory, arithmetic;
    };
    std::optional<Nanoseconds> time = {}; ///< none if an extent is unknown
  };
  /// What XLA launches for an instruction (compiler/maps/Kernels.h).
  struct Kernel {
    struct Access {
      bool isRead;
      unsigned number; ///< of an operand or a result
      std::string by;  ///< the index of the tensor
      /// (lane, element, warp, ..)[loop, ..] -> place of the element in memory
      unsigned map;
      int64_t vector; ///< elements of a thread in one access
      int64_t loads, sectors;
    };
    unsigned instruction;
    std::string emitter, choice;
    int64_t grid, block;
    double microseconds;
    std::vector<Access> accesses;
  };
  struct Source {
    std::string name, text;
  };
  /// Another program: its text.
  struct Second {
    std::string file, text;
    ProgramDiff diff;
  };

  std::string module, file, text;
  Device device;
  std::vector<Source> sources;
  /// Lists of JSON values, each value once.
  std::vector<std::string> types, maps, accesses;
  std::vector<Computation> computations;
  std::vector<Instruction> instructions;
  std::vector<Dispatch> dispatches; ///< as many as the explanation has
  std::vector<Kernel> kernels;
  std::optional<Explanation> explanation;
  std::string noDispatches; ///< why there is no explanation
  /// Two maps of the program, one after the other: what the simplifier makes of
  /// them, as `mercator.simplify/1`.
  std::vector<std::string> simplified;
  /// `mercator.shard/1` of a program that states shardings, or empty.
  std::string shards;
  std::string trace;
  std::optional<Second> second;
};

/// Writes `mercator.explore/1`.
void writeJson(const Exploration &exploration, llvm::raw_ostream &os);

/// Writes one file of HTML with all scripts, styles and data. It needs no
/// network. Text of the program cannot end a script: `<` is escaped.
void writePage(const Exploration &exploration, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLORE_EXPLORE_H
