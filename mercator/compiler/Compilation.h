// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One program and everything Mercator can say about it. The command line, a
/// Python module and a page in a browser are all written on this class.
///
/// A Compilation owns an MLIR context, the module that was read from the text,
/// and the names of its instructions. Every question is a method, and every
/// answer is a struct of numbers and strings. The options and the answer of a
/// question have a header of their own, in the folder that defines the method:
///
///   load             HLO, StableHLO, linalg, MLIR as text; StableHLO in binary
///                    form; an .air file
///   map              records of indexing maps           maps/Maps.h
///   tile             what tiles of a result need        maps/Tile.h
///   access           traffic of memory                  maps/Access.h
///   diff             what differs in another program    maps/Diff.h
///   explain          dispatches, reasons, gathers       explain/Explain.h
///   explore          all of it, for a page              explore/Explore.h
///   shard            one program for several devices    shard/Shard.h
///   compileTo        linalg or dispatches, as MLIR      program/Stage.h
///   compileToAscend  graphs for Ascend                  compile/Ascend.h
///   compileToCpu     machine code                       compile/Cpu.h
///   run              results on concrete tensors        run/Run.h
///
/// Two groups of questions need no program and are functions: prove and
/// simplify (maps/Prove.h), and runConformance (run/Conformance.h), which reads
/// files.
///
/// An example:
///
///   #include "mercator/compiler/Compilation.h"
///   #include "mercator/compiler/maps/Maps.h"
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

#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/program/Instructions.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

// The header of a question is its own: maps/Maps.h, run/Run.h and so on.
struct AccessQuery;
struct AscendOptions;
struct CpuOptions;
struct ExplainOptions;
struct Explanation;
struct Exploration;
struct ExploreOptions;
struct InstructionAccess;
struct InstructionTile;
struct KernelQuery;
struct KernelRecord;
struct LinkedProgram;
struct LoweringOptions;
struct MapQuery;
struct MapRecord;
class NativeFunction;
struct PlannedInputs;
struct ProgramDiff;
struct RunOptions;
struct RunResults;
struct Cluster;
struct ShardChoices;
struct ShardOptions;
struct ShardedText;
struct TileChoices;
struct TileQuery;
struct TuningRun;
struct Variants;
enum class Stage;

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
  /// The text that it was loaded from; of a binary program, its text.
  [[nodiscard]] const SourceBuffer &getSource() const { return source; }
  /// The computations and instructions, by name.
  [[nodiscard]] const InstructionTable &getInstructions();

  /// Whether JAX has written StableHLO without the lines of the Python program.
  [[nodiscard]] bool lacksOrigins() const;

  /// Adds the maps of custom calls, a statement a line (maps/CustomCallMaps.cpp),
  /// to the program. Warns of a target that the program does not call. Fails after
  /// errors if the text is wrong.
  llvm::LogicalResult stateCustomCallMaps(const SourceBuffer &statements);

  /// Calls `f` for each record. Ensures: if the result is not `done`, `f` was
  /// not called.
  [[nodiscard]] ExitCode map(const MapQuery &query,
                             llvm::function_ref<void(const MapRecord &)> f);
  /// All records at once.
  Answer<std::vector<MapRecord>> map(const MapQuery &query);

  /// Calls `f` for the tiles of each result of the instructions, in order.
  /// In-to-out: of each operand; with `of`, of the operands of that name.
  [[nodiscard]] ExitCode
  tile(const TileQuery &query,
       llvm::function_ref<void(const InstructionTile &)> f);
  /// The sizes of tiles that move the fewest bytes, for each result.
  [[nodiscard]] ExitCode
  chooseTiles(const TileQuery &query,
              llvm::function_ref<void(const TileChoices &)> f);
  /// Calls `f` for each result of each instruction, in order. Fails with
  /// `wrongUsage` after an error.
  [[nodiscard]] ExitCode
  access(const AccessQuery &query,
         llvm::function_ref<void(const InstructionAccess &)> f);
  /// Whether XLA wrote the text after it had compiled the program for a GPU.
  [[nodiscard]] bool isCompiledForGpu();
  /// Calls `f` for each kernel, library call and copy that the entry launches, in
  /// the order of execution.
  void forEachKernel(const KernelQuery &query,
                     llvm::function_ref<void(const KernelRecord &)> f);
  /// This program is the first. Fails with `inputRejected` after an error if a
  /// program has no entry.
  Answer<ProgramDiff> diff(Compilation &second);

  /// The gathers of StableHLO and HLO, and the dispatches of linalg and flow.
  Answer<Explanation> explain(const ExplainOptions &options);

  /// All that is known of the program. Fails with `inputRejected` after an error if
  /// it has no function with a body, or cannot be compared with another one.
  Answer<Exploration> explore(const ExploreOptions &options);

  /// Partitions the entry among the devices of a mesh.
  Answer<ShardedText> shard(const ShardOptions &options);
  /// Ways to divide the entry among so many devices, the best first.
  Answer<ShardChoices> rankShardings(int64_t devices,
                                     const Cluster *cluster = nullptr);

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
  /// machine code if `through` is Stage::Cpu.
  Answer<RunResults> run(const RunOptions &options);
  /// The entry as machine code, to be called with memory of the caller. It refers to
  /// the compilation. Of the options, those of `run` about code count.
  Answer<NativeFunction> makeFunction(const RunOptions &options);
  /// Other evaluations of what `options` runs as machine code, beside `reference`,
  /// for run/Compare.h. None if one of them fails, after an error.
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

  /// From the program that was run last, from the cache, or anew. With `tuning`,
  /// schedules are measured.
  Answer<std::shared_ptr<LinkedProgram>> linkNative(const RunOptions &options,
                                                    mlir::ModuleOp module,
                                                    const std::string &function,
                                                    RunResults &results,
                                                    const TuningRun *tuning);

  /// Passes MLIR's diagnostics on while the handler lives.
  [[nodiscard]] std::unique_ptr<mlir::ScopedDiagnosticHandler> forward();

  std::unique_ptr<const SourceBuffer> ownSource;
  const SourceBuffer &source;
  DiagnosticEngine &diagnostics;
  std::unique_ptr<LoadedProgram> program;
  std::unique_ptr<InstructionTable>
      instructions;                      ///< null until they are needed
  std::shared_ptr<LinkedProgram> linked; ///< see RunOptions::keepsCode
};

} // namespace mercator

#endif // MERCATOR_COMPILER_COMPILATION_H
