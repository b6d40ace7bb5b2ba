// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator explain` knows of a program: its dispatches and why each ends
/// where it does, and the plans of its gathers and scatters.
///
///   %0 = stablehlo.dot ..          explanation.dispatches[0].operations has both:
///   %1 = stablehlo.exponential %0  explanation.edges[0] goes from %0 to %1, is
///                                  inside the dispatch, and names the rule that
///                                  fused them
///
/// The reasons are the remarks of dispatch formation
/// (transforms/flow/formation/Reasons.h) and of the planners of gathers and
/// scatters (targets/ascend/gather, targets/ascend/scatter). Nothing is decided
/// here.

#ifndef MERCATOR_COMPILER_EXPLAIN_EXPLANATION_H
#define MERCATOR_COMPILER_EXPLAIN_EXPLANATION_H

#include "mercator/compiler/explain/KernelPairs.h"
#include "mercator/compiler/explain/Profile.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/compiler/maps/Maps.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct Explanation {
  /// A tensor, or a part of a tensor, that is read or written.
  struct Tensor {
    std::string name, type;
    /// The bytes that are read or written; none if an extent is unknown.
    std::optional<int64_t> bytes;
    /// The operation that makes it; empty for an argument.
    std::string maker = {};
  };
  struct Operation {
    std::string text, place;
    /// The line that the program was traced from, `model.py:12`; may be empty.
    std::string origin = {};
  };
  struct Dispatch {
    std::string function, place;
    std::vector<Operation> operations;
    std::vector<std::optional<int64_t>> workload; ///< none: unknown
    /// Additions, multiplications and other functions of floats. None if an
    /// extent is unknown.
    std::optional<int64_t> flops;
    std::vector<Tensor> reads, gives;
  };
  struct Reason {
    std::string rule, question, text;
  };
  /// From a result to an operand, within a dispatch or between two: the rule
  /// that put it inside, or all conditions that failed.
  struct Edge {
    std::string function, place, text;
    bool inside = false;
    std::vector<Reason> reasons;
    std::string made, read;
    /// The size of the tensor that is made and read; none if it is unknown.
    std::optional<int64_t> bytes = {};
    /// What one dispatch and two would cost, or what is between the two.
    std::string cost = {};
    /// Of one dispatch and of two, in nanoseconds, if times decided.
    std::optional<int64_t> timeOfOne = {}, timeOfTwo = {};
    /// What would put the two into one dispatch.
    std::string help = {};
    /// The two operations, as a dispatch lists them.
    std::string producer = {}, consumer = {};
    std::string producerPlace =
        {}; ///< of the producer; `place` is the consumer's
  };
  /// What formation from maps estimates for a function: with each operation
  /// alone, and in dispatches.
  struct Total {
    std::string function;
    int64_t operations, bytesBefore, nanosecondsBefore;
    int64_t dispatches, bytes, nanoseconds;
  };
  /// An operation that is in no dispatch.
  struct Outside {
    std::string function, place, operation, reason;
  };

  /// A loop of machine code, or what is computed between loops: all its executions
  /// (targets/cpu/estimate/Time.h).
  struct Loop {
    unsigned depth;
    double iterations; ///< of one execution; 0: no loop
    bool isParallel, isPacking;
    double nanoseconds;
    std::vector<double> bytes; ///< to each cache from the level after it
  };

  /// How machine code computes a dispatch, in lines. A line that begins with two
  /// spaces is about an operation in the tiles of the line before.
  struct Schedule {
    std::string kernel;
    std::vector<std::string> lines;
    std::string predicted = {}; ///< the time by cause; empty: not known
    /// The same as numbers: causes in nanoseconds.
    std::vector<std::pair<std::string, double>> causes = {};
    std::vector<Loop> loops = {};
  };

  /// Nodes of a plan for Ascend that its cores do not execute.
  struct AiCpu {
    std::string why;
    int64_t nodes, bytes;
  };

  /// A gather, dynamic_gather or dynamic_slice of StableHLO.
  struct Gather {
    /// A dimension of the operand.
    struct Dimension {
      int64_t extent, taken;
      std::string role;
      std::string howTaken; ///< "one, at start 0"
      std::optional<int64_t> batchAxis, resultAxis;
    };
    /// A component of the start indices.
    struct Start {
      int64_t dimension;
      int64_t last; ///< the last start that keeps a slice inside
      bool constant;
      std::optional<int64_t> lower, upper;
      std::optional<int64_t> countsAlong; ///< a batch axis
      bool clampBelow, clampAbove;
      std::string known; ///< "in [0, 9]"
      std::string clamp; ///< "clamped to [0, 9]", or why not
    };
    /// A way to do it.
    struct Way {
      std::string name;
      bool taken, possible;
      bool isPlanned; ///< there is a plan; else the way does not apply
      std::optional<int64_t> bytes = {}, indexEntries = {}, nodes = {};
      bool movesOperand = false; ///< it transposes or slices the operand
      std::string whyNot = {};   ///< of a way that is not taken
      std::vector<AiCpu> aiCpu = {};
    };

    std::string function, instruction, operation, place;
    Tensor from;
    std::vector<Tensor> starts;
    Tensor gives;
    /// Why no plan can be made before the program runs. The lists below are
    /// then empty, but for the maps.
    std::string unknown;
    std::vector<Dimension> dimensions;
    std::vector<Start> startColumns;
    std::vector<Way> ways;
    std::vector<std::string> notes; ///< what was proved for the plan
    std::vector<std::string> plan;  ///< a line for each step
    std::vector<MapRecord> maps;

    /// Null if the device can do no way.
    [[nodiscard]] const Way *takenWay() const;
  };

  /// A scatter or dynamic_update_slice of StableHLO.
  struct Scatter {
    /// A dimension of the operand.
    struct Dimension {
      int64_t extent, updated;
      std::optional<int64_t> start, batchAxis;
      std::optional<int64_t> lower, upper; ///< of the start
      bool clampBelow, clampAbove, mayBeOutside;
      std::string howUpdated; ///< "one, at start 0"
      std::string known;      ///< "in [0, 9]"
      std::string bounds;     ///< "clamped to [0, 9]", or what is proved
    };
    /// A way to do it.
    struct Way {
      std::string name;
      bool taken, possible;
      std::optional<int64_t> bytes = {}, bytesInPlace = {}, indexEntries = {},
                             nodes = {};
      std::string whyNot = {}; ///< of a way that is not taken
      std::vector<AiCpu> aiCpu = {};
    };

    std::string function, instruction, operation, place;
    Tensor into, updates;
    std::vector<Tensor> indices;
    Tensor gives;
    /// Why there is no conversion. The lists below are then empty, but for the
    /// maps.
    std::string refused;
    std::string body;      ///< update, add, maximum or minimum
    std::string collision; ///< what two updates of one element do
    bool hasSpareRow = false;
    /// Whether another operation reads the operand, too.
    bool isReadElsewhere = false;
    /// Whether the operand is an argument of the function.
    bool isArgument = false;
    std::vector<Dimension> dimensions;
    std::vector<Way> ways;
    std::vector<std::string> notes; ///< what was proved for the plan
    std::vector<std::string> plan;  ///< a line for each node
    std::vector<MapRecord> maps;

    /// Null if there is no conversion.
    [[nodiscard]] const Way *takenWay() const;
  };

  /// What kernels of a GPU lose; Losses.h says how each kind is found.
  struct Loss {
    enum class Kind {
      Between,    ///< bytes that one kernel writes and another one reads
      Strided,    ///< sectors that are read and not needed
      Recomputed, ///< work that is done more than once
      FewBlocks,  ///< fewer blocks than multiprocessors
      Tail,       ///< multiprocessors without a block, in the last wave
      Start,      ///< launches that cost more than their work
      Bytes       ///< bytes from memory that are not needed
    };
    Kind kind = Kind::Bytes;
    double microseconds = 0;
    std::vector<size_t> kernels =
        {};                ///< among the launches; of Between, the writer first
    std::string what = {}; ///< a sentence without full stop
    std::vector<std::string> help = {}; ///< what would change it
    int64_t bytes = 0;                  ///< of Between: of the tensor
    /// Of Between: the dispatch that computes both kernels, and keeps the tensor.
    std::optional<size_t> dispatch = {};
  };

  std::string module;
  /// Planned only on request (ExplainOptions::ascend).
  std::vector<Gather> gathers;
  std::vector<Scatter> scatters;
  /// How many gathers and scatters the program has, planned or not.
  size_t gatherCount = 0, scatterCount = 0;
  /// Compiled HLO: the kernels that the text itself has, a fusion or an
  /// instruction outside of fusions each. Facts, not decisions made here.
  std::vector<Dispatch> kernels;
  /// Of HLO compiled for a GPU: the kernels in the order of execution, and what they
  /// lose, the most first.
  std::vector<KernelRecord> launches;
  std::vector<Loss> losses;
  /// Counters of a profile beside the launches, if it is asked for.
  std::optional<Measured> measured;
  /// The kernels of another compilation, and how these differ, if it is asked for.
  struct Against {
    std::string module;
    std::vector<KernelRecord> launches;
    KernelComparison comparison;
  };
  std::optional<Against> against;
  std::vector<Dispatch> dispatches;
  std::vector<Edge> edges;
  std::vector<Outside> outside;
  std::vector<Total> totals;
  std::vector<Schedule> schedules; ///< of machine code for this CPU, if wanted
};

/// Writes `mercator.explain/1`.
void writeJson(const Explanation &explanation, llvm::raw_ostream &os);

/// Writes the dispatches, and the tensors between them, for Graphviz.
void writeDot(const Explanation &explanation, llvm::raw_ostream &os);

/// The same for Model Explorer (github.com/google-ai-edge/model-explorer), which
/// opens the file as it is.
void writeModelExplorer(const Explanation &explanation, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_EXPLANATION_H
