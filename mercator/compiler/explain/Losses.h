// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the kernels of a compiled program lose: time that another program with the
/// same results would not take.
///
///   fusion.1 writes 64 MiB, and fusion.2 reads them    40 us
///   dispatch 3 of our formation computes both: made by (d0, d1) -> (d0, d1), read by
///   (d0, d1) -> (d0, d1)
///
/// A loss is found from two facts that are decided elsewhere: what the kernels do
/// (maps/Kernels.h), and which operations our formation puts into one dispatch
/// (Explanation.h). Nothing is decided here.
///
/// ```cpp (llvm::ArrayRef<KernelRecord> kernels, const Explanation &explanation)
/// #include "mercator/compiler/explain/Losses.h"
/// const Device &h100 = *findDevice("h100");
/// for (const KernelLoss &loss : findLosses(kernels, explanation, h100, {}))
///   llvm::outs() << loss.microseconds << " us: " << loss.what << "\n";
/// ```
///
/// Units: microseconds. Those of Between are the bytes at the rate of the memory; the
/// others are differences of predicted times. Losses of one kernel are not independent:
/// their sum may be more than its time.

#ifndef MERCATOR_COMPILER_EXPLAIN_LOSSES_H
#define MERCATOR_COMPILER_EXPLAIN_LOSSES_H

#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/maps/Access.h"

namespace mercator {

using KernelLoss = Explanation::Loss;
/// "between", "strided", "recomputed", "few-blocks", "tail", "start", "bytes".
[[nodiscard]] llvm::StringRef nameOf(KernelLoss::Kind kind);

/// The values inside a kernel, and how often each is computed.
using ProducersOf =
    llvm::function_ref<std::vector<ProducerAccess>(const KernelRecord &)>;

/// All losses, the largest first. `producersOf` is asked about kernels that compute
/// for long; it may be null.
/// Complexity: linear in the edges of the explanation, times log; a few counts for each
/// strided access.
[[nodiscard]] std::vector<KernelLoss>
findLosses(llvm::ArrayRef<KernelRecord> kernels, const Explanation &explanation,
           const Device &device, ProducersOf producersOf);

/// Writes an object of `mercator.explain/1`.
void writeJson(const KernelLoss &loss, llvm::ArrayRef<KernelRecord> kernels,
               llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_LOSSES_H
