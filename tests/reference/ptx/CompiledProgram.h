// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program that XLA compiled for a GPU, run kernel by kernel by the evaluator of PTX.
///
///   std::string why;
///   std::optional<CompiledProgram> program = CompiledProgram::read("data/gpu/ptx/t_add", why);
///   program->inputs()[0].type                       // f32[1000,777]{1,0}
///   auto outcome = program->run(inputs, {}, why);
///   outcome->kernels[0].counts.loads                // 24284
///   outcome->results[0]                             // bytes, as XLA lays them out
///
/// The folder has the HLO after all passes (`*.hlo`), the PTX of each kernel (`*.ptx`)
/// and `thunk_sequence.txt` with the launches; with `thunk_metadata.txt` launches are
/// found by the names of instructions, else by those of kernels. A kernel has a parameter
/// for each operand and each result. `*buffer-assignment.txt` says which results lie in
/// the buffer of an operand. Without it, a result does if it has the type of an operand
/// and the kernel loads only one of their two parameters; of several, the operand that
/// the kernel changes.
///
/// Of the entry, instructions that launch kernels run, and those that move buffers:
/// parameter, constant, tuple, get-tuple-element, bitcast, copy, while, conditional.
/// A call of a library stops the run with a reason.

#ifndef MERCATOR_TESTS_REFERENCE_PTX_COMPILEDPROGRAM_H
#define MERCATOR_TESTS_REFERENCE_PTX_COMPILEDPROGRAM_H

#include "mercator/reference/ptx/Machine.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>

namespace mercator {

/// The type of an array: `f32[8,77]{1,0}`.
struct ArrayType {
  std::string text;
  std::string element;
  std::vector<int64_t> shape;
  std::vector<int64_t> minorToMajor;
  [[nodiscard]] int64_t elements() const;
  /// Of the whole array; two s4 are in one byte. 0: the type is not known.
  [[nodiscard]] uint64_t bytes() const;
};

/// Elements in row-major order from those in the order of the layout, or back.
[[nodiscard]] std::vector<uint8_t> toRowMajor(const ArrayType &type,
                                              llvm::ArrayRef<uint8_t> bytes);
[[nodiscard]] std::vector<uint8_t> fromRowMajor(const ArrayType &type,
                                                llvm::ArrayRef<uint8_t> bytes);

class CompiledProgram {
public:
  struct KernelRun {
    std::string instruction;
    std::string kernel;
    reference::ptx::Launch launch;
    reference::ptx::Counts counts;
    std::vector<reference::ptx::Race> races;
    double seconds = 0;
  };
  struct Outcome {
    std::vector<KernelRun> kernels; ///< in the order of execution
    std::vector<std::vector<uint8_t>> results;
  };

  /// Reads a folder. `hlo`: the file of the HLO, if it is not in the folder.
  static std::optional<CompiledProgram>
  read(const std::string &folder, std::string &why, std::string hlo = "");

  [[nodiscard]] const std::vector<ArrayType> &inputs() const {
    return parameters;
  }
  [[nodiscard]] const std::vector<ArrayType> &resultTypes() const {
    return results;
  }
  /// The reason of a failure is in `why`.
  [[nodiscard]] std::optional<Outcome>
  run(llvm::ArrayRef<std::vector<uint8_t>> inputs,
      const reference::ptx::Options &options, std::string &why) const;

  /// The races of a kernel, as warnings with their places in its text.
  void report(const KernelRun &run, DiagnosticEngine &diagnostics) const;

  struct Instruction {
    std::string name;
    std::vector<ArrayType> leaves; ///< of its result
    std::string opcode;
    std::vector<std::string> operands; ///< `name` or `name#index`
    std::string text;                  ///< within the parentheses
    std::string attributes;            ///< behind them
  };
  struct Computation {
    std::vector<Instruction> instructions;
    size_t root = 0;
  };

private:
  struct Launched {
    std::string kernel;
    std::array<uint32_t, 3> grid, block;
    uint32_t shared = 0;
  };
  struct Source {
    std::unique_ptr<SourceBuffer> text;
    reference::ptx::Module module;
  };
  friend class ProgramRun;

  std::vector<ArrayType> parameters, results;
  std::map<std::string, Computation> computations;
  std::string entry;
  std::vector<Source> sources;
  llvm::StringMap<size_t> kernels; ///< the source of each kernel
  /// The place of each value, such as `fusion` or `fusion{1}`.
  llvm::StringMap<std::string> places;
  /// By instruction.
  std::map<std::string, std::vector<Launched>> launches;
};

} // namespace mercator

#endif // MERCATOR_TESTS_REFERENCE_PTX_COMPILEDPROGRAM_H
