// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How instructions read and write memory: how much of each operand, how often,
/// and in which sectors a warp asks for it.
///
///   y = fusion(x), x + transpose(x), f32[128,128], lanes along d1
///     x   16384 of 16384 elements, 2 reads each
///         by (d0, d1)  lanes 4 B apart    4 sectors for 4 needed   coalesced
///         by (d1, d0)  lanes 512 B apart  32 sectors for 4 needed  strided
///
/// analysis/access/Accesses.h finds these numbers. This adds names.

#ifndef MERCATOR_COMPILER_MAPS_ACCESS_H
#define MERCATOR_COMPILER_MAPS_ACCESS_H

#include "mercator/analysis/access/Accesses.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/compiler/maps/Maps.h"

namespace mercator {

struct AccessQuery : access::AccessOptions {
  MapQuery maps = {}; ///< which instructions; out-to-in
};

/// Sets the lane map and the lanes; false after a diagnostic about `text`.
[[nodiscard]] bool readLaneMap(const SourceBuffer &text, AccessQuery &query,
                               DiagnosticEngine &diagnostics);

using access::MemoryAccess;

struct OperandAccess : access::TensorAccess {
  std::string name, type;
};

/// A value inside a fusion, or between a result and the parameters.
struct ProducerAccess {
  std::string name, type, operation;
  Verdict<int64_t> read = {}; ///< distinct elements
  /// How often each is computed, if every element of the result computes what it
  /// reads: reads / distinct elements.
  Verdict<double> recomputed = {};
};

struct InstructionAccess {
  std::string computation, name, operation, at, origin, type;
  bool movesOwnBytes = true; ///< see MapRecord
  std::vector<OperandAccess> operands = {};
  std::vector<ProducerAccess> producers = {}; ///< the nearest first
  MemoryAccess store = {};
};

/// How the instruction of an out-to-in record reads memory.
[[nodiscard]] InstructionAccess accessOf(const MapRecord &record,
                                         access::Accesses &accesses);

/// Writes an operand as an object of `mercator.access/1`.
void writeJson(const OperandAccess &operand, llvm::json::OStream &json);

/// Writes `mercator.access/1`, an instruction a line, as they come.
class AccessJson {
public:
  AccessJson(llvm::raw_ostream &os, llvm::StringRef module,
             const Device &memory);
  void write(const InstructionAccess &instruction);
  /// After all instructions.
  void write(const KernelRecord &kernel);
  void finish();

private:
  llvm::raw_ostream &os;
  bool isEmpty = true, hasKernels = false;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_ACCESS_H
