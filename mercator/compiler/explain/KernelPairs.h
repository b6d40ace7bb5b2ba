// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Two compilations of one program, kernel by kernel: before and after a change, or by
/// two versions of XLA.
///
///   before                      now
///   loop_add_fusion    44 us    loop_add_fusion   44 us    the same
///   fusion.7          2.4 ms    -                          gone
///   -                           fusion.9         1.2 ms    new
///
/// ```cpp (std::vector<KernelRecord> before, std::vector<KernelRecord> now)
/// #include "mercator/compiler/explain/KernelPairs.h"
/// KernelComparison all = compareKernels(before, now);
/// llvm::outs() << all.now.microseconds - all.before.microseconds << " us\n";
/// ```
///
/// Method. Kernels that compute the same of their operands are paired in the order of
/// execution, those of one name first. The rest is paired if, in this order: the name
/// and the type of the result; the line of Python, the root operation and the type; the
/// line of Python and the root; the root and the type; or the line of Python are equal.
///
/// Complexity: linear in the kernels, times log.

#ifndef MERCATOR_COMPILER_EXPLAIN_KERNELPAIRS_H
#define MERCATOR_COMPILER_EXPLAIN_KERNELPAIRS_H

#include "mercator/compiler/maps/Kernels.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct KernelPair {
  std::optional<size_t> before, now; ///< numbers; one may be absent
  /// How they differ: "grid 800, was 400". Empty if they do not, and if one is absent.
  std::vector<std::string> changes = {};
};

struct KernelTotals {
  int64_t launches = 0, bytes = 0;
  double microseconds = 0;
  int64_t unknown = 0; ///< launches of which bytes and time are not known
};

struct KernelComparison {
  std::vector<KernelPair> pairs; ///< in the order now, then those that are gone
  KernelTotals before, now;
};

[[nodiscard]] KernelComparison
compareKernels(llvm::ArrayRef<KernelRecord> before,
               llvm::ArrayRef<KernelRecord> now);

/// The bytes that a kernel moves from and to memory.
[[nodiscard]] inline int64_t bytesOf(const KernelRecord &kernel) {
  return kernel.counts.bytesRead.value + kernel.counts.bytesWritten.value;
}

/// Writes an object.
void writeJson(const KernelComparison &comparison,
               llvm::ArrayRef<KernelRecord> before,
               llvm::ArrayRef<KernelRecord> now, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_KERNELPAIRS_H
