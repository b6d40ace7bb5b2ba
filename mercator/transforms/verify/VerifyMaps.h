// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Translation validation by maps: an instrumentation of any pass pipeline that
/// compares, before and after each pass, what the results of each function read
/// of its arguments. It needs no data and runs nothing.
///
/// ```cpp (mlir::PassManager &passes, mlir::ModuleOp module)
/// #include "mlir/Pass/PassInstrumentation.h"
/// #include "mlir/Pass/PassManager.h"
/// verify::MapCounts counts;
/// passes.addInstrumentation(verify::createMapVerifier(counts));
/// (void)passes.run(module);
/// llvm::errs() << counts << "\n";
/// ```
///
/// A pass may drop reads, but not add or move one (CompareReads.h). A difference
/// is an error at the function:
///
///   error: after pass 'p', result 0 of @f at (0, 1) reads element (0, 1) of
///          argument 0, which it did not read before
///   note: before: (d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 3]
///   note: after: (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 3]
///
/// Dispatches of flow are looked through (InlineDispatches.h).
///
/// A tensor depends on its sizes, which no map says. So no read of an argument is
/// refuted whose elements are sizes on the way to the result.
///
/// Limits. An exchange of operands that are read alike, and a wrong arithmetic
/// operation, change no map. Results and arguments correspond by position
/// (FunctionReads.h). If their number or a rank changes, if a function is too
/// large, or if it has several blocks, its results are counted as not compared.
///
/// Cost: a pass that does not change a function costs a hash of the function.
/// Else the maps of the function are computed once more.

#ifndef MERCATOR_TRANSFORMS_VERIFY_VERIFYMAPS_H
#define MERCATOR_TRANSFORMS_VERIFY_VERIFYMAPS_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace mercator::verify {

/// Counts triples: a pass that changes a function, a result, and an argument that
/// the result reads before or after.
struct MapCounts {
  int64_t proved = 0;
  int64_t dropped = 0; ///< of those proved: less is read than before
  int64_t notRefuted = 0;
  int64_t refuted = 0;
  /// Results, for each pass that changes their function; by reason.
  std::map<std::string, int64_t> notCompared = {};
};

/// `7 proved (1 reads less), 2 not refuted, 0 refuted, 1 not compared (..)`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const MapCounts &counts);

/// Requires: the counts outlive the pass manager; the context has no threads;
/// registerMapInterfaces (analysis/maps/MapInterface.h) was called.
[[nodiscard]] std::unique_ptr<mlir::PassInstrumentation>
createMapVerifier(MapCounts &counts);

} // namespace mercator::verify

#endif // MERCATOR_TRANSFORMS_VERIFY_VERIFYMAPS_H
