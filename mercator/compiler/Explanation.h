// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator explain` tells of the dispatches of a program, and the two
/// ways to print it.

#ifndef MERCATOR_TOOLS_DRIVER_EXPLAIN_H
#define MERCATOR_TOOLS_DRIVER_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator {

struct Explanation {
  /// A tensor that a dispatch reads or gives, or a part of one.
  struct Tensor {
    std::string name, type;
    /// That are read or written; none where an extent is not known.
    std::optional<int64_t> bytes;
  };
  struct Operation {
    std::string text, place;
  };
  struct Dispatch {
    std::string function, place;
    std::vector<Operation> operations;
    std::vector<std::optional<int64_t>> workload; // none: not known
    std::vector<Tensor> reads, gives;
  };
  struct Reason {
    std::string rule, question, text;
  };
  /// From a result to an operand, in one dispatch or between two: the rule that
  /// puts it inside, or all conditions that failed.
  struct Edge {
    std::string function, place, text;
    bool inside = false;
    std::vector<Reason> reasons;
    std::string made, read;
  };
  struct Outside {
    std::string function, place, operation, reason;
  };

  std::string module;
  std::vector<Dispatch> dispatches;
  std::vector<Edge> edges;
  std::vector<Outside> outside;
};

/// `f.mlir:12`; `?` where nothing is known.
std::string placeOf(mlir::Location loc);

/// Its name, its type and its size.
Explanation::Tensor describe(mlir::Value value);

/// What dispatches do, seen where their bodies still stand in the functions,
/// for the calls that are left when executables are made of them.
///
///   DispatchDescriptions descriptions(module);  // flow.dispatch.workgroups
///   ...                                         // outlining, clean-up
///   descriptions.collect(module, explanation);  // flow.dispatch
class DispatchDescriptions {
public:
  /// Numbers the dispatches in their locations.
  explicit DispatchDescriptions(mlir::ModuleOp module);
  void collect(mlir::ModuleOp module, Explanation &explanation) const;

private:
  const Explanation::Dispatch *find(mlir::Location loc) const;

  std::vector<Explanation::Dispatch> descriptions;
};

void printText(const Explanation &explanation, llvm::raw_ostream &os);
/// `gathers` is the list of them, as printGathersJson writes it.
void printJson(const Explanation &explanation, llvm::StringRef gathers,
               llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_EXPLAIN_H
