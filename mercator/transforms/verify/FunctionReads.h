// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the results of a function read of its arguments: the maps of
/// analysis/maps/FusionMaps.h, in a form that does not refer to the IR, so that
/// it can be kept while a pass rewrites the function.
///
/// Sizes that are elements of arguments are listed apart:
///
///   %a = set_dimension_size %x, %n ; %b = dynamic_update_slice %a, %v, %start
///     sizes {1}: the start is clamped by the element of %n
///
/// A choice among parts counts as a read of all of them (ReadsOf::MaskedForm):
/// a pass may replace it by a mask.
///
/// Results and arguments are numbered by position. Members of a tuple count one
/// by one, and tokens and numbers of type `index`, which lowering drops and
/// adds, do not count:
///
///   (tuple<A, B>, !stablehlo.token, C)     A is 0, B is 1, C is 2
///   (A, B, C, index)                       the same
///
/// A runtime variable says which element of which argument its value is: the
/// values between are followed through casts, clamps that do not matter, and
/// moves of data.
///
///   %i = tensor.extract %start[] ; %j = arith.index_cast %i
///   %k = arith.maxsi %j, %c0     ; extract_slice %x[%k]
///     rt0 in [0, 6], read from "argument 1" at ()
///
/// A variable that is computed from elements of arguments, one by one, has a source
/// that says how, and is read at the indices of all these elements:
///
///   select(lt(%i, 0), add(%i, 1000), %i)
///     rt0 in [0, 999], "computed as select(..)" at (d0)
///
/// A variable that is computed otherwise has a source of its own, which no
/// variable of another function is equal to.

#ifndef MERCATOR_TRANSFORMS_VERIFY_FUNCTIONREADS_H
#define MERCATOR_TRANSFORMS_VERIFY_FUNCTIONREADS_H

#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Sources.h"
#include "mercator/indexing/decide/MapSet.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mercator::verify {

struct FunctionReads {
  using Sizes = llvm::SmallVector<int64_t>;
  std::vector<Sizes> arguments, results;
  /// For each result: by argument, for those that it may read.
  std::vector<std::map<unsigned, indexing::MapSet>> reads;
  /// For each result: the arguments whose elements may be sizes of a tensor on the
  /// way. No map of a tensor says that its elements depend on its sizes, but a pass
  /// may compute with them: a start is clamped to a size.
  std::vector<std::set<unsigned>> sizes = {};
  [[nodiscard]] bool isSize(unsigned result, unsigned argument) const {
    return result < sizes.size() && sizes[result].count(argument) != 0;
  }
  /// For each result: the sources of its runtime variables that are no elements of
  /// arguments. Their values may be fewer than their intervals: what is read for one
  /// of them need not be read.
  std::vector<std::set<uint32_t>> computed = {};
  /// A result may depend on an argument through a global, or another state of
  /// the program: more may be read than the maps give.
  bool hasState = false;
  /// Not empty: why nothing is known.
  std::string refusal = {};
};

/// At most this many operations are walked over, each once for each result.
inline constexpr int64_t kMostSteps = 2'000'000;

struct ReadsOptions {
  /// Whether a result is left out: its entry in `reads` is empty.
  llvm::function_ref<bool(unsigned result)> isLeftOut = nullptr;
  /// A name for the value that a runtime variable is read from. Variables of two
  /// functions are equal if their values have one name. Empty for a value that
  /// no other function has.
  llvm::function_ref<std::string(maps::SourcePlace)> nameOf = nullptr;
};

/// The results, as they are numbered. Requires: a body of one block.
[[nodiscard]] std::vector<Leaf> resultsOf(mlir::func::FuncOp function);

[[nodiscard]] FunctionReads readsOf(mlir::func::FuncOp function,
                                    indexing::Arena &arena,
                                    ReadsOptions options = {});

/// Whether a runtime variable is an element of an argument.
[[nodiscard]] bool isArgument(const indexing::Arena &arena,
                              const indexing::RuntimeVariable &variable);

} // namespace mercator::verify

#endif // MERCATOR_TRANSFORMS_VERIFY_FUNCTIONREADS_H
