// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One program and everything Mercator can say about it. The command line, a
/// Python module and a page in a browser are all written on this class.
///
/// A Compilation owns an MLIR context, the module that was read from the text,
/// and the names of its instructions. Every question is a method, and every
/// answer is a struct of numbers and strings:
///
///   load       a text: HLO, StableHLO, linalg, MLIR, or an .air file
///   map        records of indexing maps            Maps.h
///   explain    dispatches, reasons, gathers        Explanation.h
///   compile..  linalg, dispatches, or graphs for Ascend    below
///   run        results on concrete tensors         Results.h
///
/// Two groups of questions need no program and are functions: prove and
/// simplify (Prove.h), and runConformance (Conformance.h), which reads files.
///
/// An example:
///
///   #include "mercator/compiler/Compilation.h"
///
///   using namespace mercator;
///
///   int main() {
///     constexpr llvm::StringLiteral text = R"(
///       HloModule m
///       ENTRY e {
///         x = f32[4,8] parameter(0)
///         ROOT t = f32[8,4] transpose(x), dimensions={1,0}
///       })";
///     DiagnosticEngine diagnostics(llvm::errs());
///     auto compilation = Compilation::load("t.hlo", text.str(), diagnostics);
///     if (!compilation)
///       return 1; // a diagnostic has been printed
///     Answer<std::vector<MapRecord>> records = compilation->map({});
///     if (!records)
///       return 1;
///     for (const MapRecord &record : *records)
///       for (const MapTarget &target : record.to)
///         for (const indexing::OperandMap &map : target.maps)
///           llvm::outs() << record.instruction << " reads " << target.name
///                        << ": " << describe(map).map << '\n';
///   }
///
/// prints
///
///   t reads x: (d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]
///
/// Laws.
/// - A question does not change the answers to others: methods work on clones
///   of the module. The exception says so: stateCustomCallMaps.
/// - The same text gives the same answers, and the same bytes of JSON.
/// - Compilations share nothing, and several may live side by side. One of them
///   is used by one thread at a time.
/// - Nothing is written but to the streams that the caller passes.
///
/// Errors. Nothing in a text can stop the process. Errors in it go to the
/// DiagnosticEngine in sentences; the caller gets an Answer without a value, or
/// an ExitCode, which says whether the text or the request was at fault. Help
/// lines name the options of the command line.
///
/// Complexity. Loading is linear in the text. The first map query finds all
/// names, which is linear in the program. A method that clones the module is at
/// least linear in the program; constants are shared, not copied.
///
/// Lifetime. Records, explanations and proofs own what they refer to and may
/// outlive the compilation. RunResults refer to types of the context and may
/// not.

#ifndef MERCATOR_COMPILER_COMPILATION_H
#define MERCATOR_COMPILER_COMPILATION_H

#include "mercator/compiler/compile/Cpu.h"
#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/program/Instructions.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/Compare.h"
#include "mercator/compiler/run/Results.h"
#include "mercator/reference/core/Perturbation.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct ExplainOptions {
  Formation formation = {};
  /// Also plan the gathers and scatters for Ascend.
  bool ascend = false;
  /// The generation of Ascend devices that gathers are planned for: `910b`, or
  /// `any` for the operators that all generations have.
  std::string soc = "910b";
  /// A strategy for gathers that is taken wherever it is possible, such as
  /// `gather-nd`; empty: the cheapest.
  std::string way = {};
};

/// A file format for graphs of Ascend's Graph Engine.
struct GraphFormat {
  llvm::StringRef name, suffix; ///< `onnx`, `.onnx`
  bool isBinary;
};
[[nodiscard]] llvm::ArrayRef<GraphFormat> graphFormats();

struct AscendOptions {
  /// The name of one of graphFormats().
  std::string format = "text";
  std::string soc = "910b"; ///< as in ExplainOptions
  std::string way = {};     ///< as in ExplainOptions
  /// Only the graph of this function.
  std::optional<std::string> function = {};
  /// Shapes of inputs, `x:4x8`, or `4x8` for the only input with unknown
  /// extents. All other shapes follow.
  std::vector<std::string> shapes = {};
  /// GatherV2D, which GE deprecates, instead of GatherV2 where that is possible.
  bool gatherV2D = false;
  /// An .npz file: each array is a constant instead of the input of its name.
  std::optional<std::string> weights = {};
  /// Draws the elements of constants that the text leaves out, as for `run`.
  std::optional<RandomElements> fillSeed = {};
  /// Accept operations that cannot be converted. Requires the format `mlir`.
  bool partial = false;
};

struct RunOptions {
  /// The function or graph to run, as in `inner/main`; empty for the entry.
  std::string function = {};
  /// One for each parameter: `random:SEED[:SCALE]`, `dense<..> : tensor<..>`, or the
  /// name of an .npy file. A last `random:SEED` stands for all that follow.
  std::vector<std::string> inputs = {};
  int64_t replicas = 1, partitions = 1;
  /// Draws the elements of constants that the text leaves out.
  std::optional<RandomElements> fillSeed = {};
  /// Lower the program to this stage, and evaluate the lowered program. Inputs
  /// and results have the types of the source at any stage.
  Stage through = Stage::source;
  LoweringOptions lowering = {};
  /// How often machine code runs.
  int64_t repeat = 1;
  /// How many threads run a kernel; 0: the runtime's default.
  int64_t threads = 0;
  /// Of machine code. Results have the trace of the last run.
  NativeOptions native = {};
  /// Where machine code is kept; empty: it is compiled anew.
  std::string cache = {};
  /// Round up or down at random in the evaluator (Perturbation.h).
  std::optional<reference::Perturbation::Options> perturbation = {};
  /// Instructions of the function whose values are shown after the results.
  std::vector<std::string> print = {};
  /// Called when a phase of machine code begins.
  std::function<void(const char *phase)> onPhase = {};
  /// Called for each tensor that the program shows while it runs.
  std::function<void(llvm::StringRef name, const reference::Tensor &)> show =
      {};
};

class Compilation {
public:
  /// Null after an error. The source and the diagnostics outlive the
  /// compilation.
  [[nodiscard]] static std::unique_ptr<Compilation>
  load(const SourceBuffer &source, DiagnosticEngine &diagnostics,
       const LoadOptions &options = {});
  /// The same for a text that the compilation owns. `name` is the file name in
  /// diagnostics.
  [[nodiscard]] static std::unique_ptr<Compilation>
  load(std::string name, std::string text, DiagnosticEngine &diagnostics,
       const LoadOptions &options = {});
  ~Compilation();

  /// The name of the module, `module` if it has none.
  [[nodiscard]] llvm::StringRef getName() const { return program->name; }
  [[nodiscard]] mlir::ModuleOp getModule() const { return *program->module; }
  /// The computations and instructions, by name.
  [[nodiscard]] const InstructionTable &getInstructions();

  /// Adds the maps of custom calls, a statement a line (CustomCallMaps.h), to
  /// the program. Warns of a target that the program does not call. Fails after
  /// errors if the text is wrong.
  llvm::LogicalResult stateCustomCallMaps(const SourceBuffer &statements);

  /// Calls `f` for each record. Ensures: if the result is not `done`, `f` was
  /// not called.
  [[nodiscard]] ExitCode map(const MapQuery &query, RecordFn f);
  /// All records at once.
  Answer<std::vector<MapRecord>> map(const MapQuery &query);

  /// The gathers of StableHLO and HLO, and the dispatches of linalg and flow.
  Answer<Explanation> explain(const ExplainOptions &options = {});

  /// Lowers the program to a stage and writes it as MLIR. Writes nothing after
  /// an error.
  [[nodiscard]] ExitCode compileTo(Stage stage, const LoweringOptions &options,
                                   llvm::raw_ostream &os);

  /// Converts each public function to a graph of Ascend's Graph Engine and
  /// writes the graphs. A binary format holds one graph.
  [[nodiscard]] ExitCode compileToAscend(const AscendOptions &options,
                                         llvm::raw_ostream &os);

  /// Writes a function as machine code, and for a shared library its header.
  /// Files are written whole or not at all.
  [[nodiscard]] ExitCode compileToCpu(const CpuOptions &options,
                                      llvm::raw_ostream &os);

  /// Runs a function on concrete tensors: with the reference evaluator, or as
  /// machine code if `through` is Stage::cpu.
  Answer<RunResults> run(const RunOptions &options);
  /// Other evaluations of what `options` runs as machine code, beside `reference`,
  /// for Compare.h. None if one of them fails, after an error.
  std::optional<Variants> evaluateVariants(RunOptions options,
                                           RunResults reference);
  /// The number of tensors that `run` would return for all processes.
  Answer<size_t> countResults(const RunOptions &options);
  /// The number of inputs that `run` takes for one process.
  Answer<size_t> countParameters(const RunOptions &options);

private:
  Compilation(std::unique_ptr<LoadedProgram> program,
              const SourceBuffer &source, DiagnosticEngine &diagnostics);

  /// The function as machine code. `module` is a clone.
  Answer<RunResults> runNative(const RunOptions &options, mlir::ModuleOp module,
                               const std::string &function,
                               llvm::ArrayRef<mlir::Type> parameters,
                               PlannedInputs inputs);

  /// Passes MLIR's diagnostics on while the handler lives.
  [[nodiscard]] std::unique_ptr<mlir::ScopedDiagnosticHandler> forward();

  std::unique_ptr<const SourceBuffer> ownSource;
  const SourceBuffer &source;
  DiagnosticEngine &diagnostics;
  std::unique_ptr<LoadedProgram> program;
  std::unique_ptr<InstructionTable>
      instructions; ///< null until they are needed
};

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILATION_H
