// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The arguments and results of a function at two stages: the same elements in
/// the types that a stage gives them. Internal.
///
///   at the source                          at linalg and flow
///   tensor<4xui8>                          tensor<4xi8>
///   tensor<?xf32, #stablehlo.bounds<8>>    tensor<?xf32>
///   tuple<A, B>                            A, B
///   token                                  no value
///   tensor<?xf32>                          tensor<?xf32>, index  (flow)
///
/// In flow, the extents of a tensor with unknown extents may follow it, an
/// *extent argument* for each.
///
///   FunctionType source = function.getFunctionType();
///   ... // lowerTo(module, Stage::Flow)
///   auto lowered = toStage(values, source.getInputs(),
///                          function.getArgumentTypes());
///   auto results = evaluator.call(function, *lowered);
///   auto values = fromStage(*results, source.getResults());

#ifndef MERCATOR_COMPILER_RUN_STAGEVALUES_H
#define MERCATOR_COMPILER_RUN_STAGEVALUES_H

#include "mercator/reference/core/Value.h"

#include "mlir/IR/TypeRange.h"

#include <optional>
#include <vector>

namespace mercator {

/// The arguments of a lowered function, whose parameters have the types `lowered`.
/// `types` are those of its parameters at the source. None if the function takes other parameters than these types
/// become.
[[nodiscard]] std::optional<std::vector<reference::Value>>
toStage(llvm::ArrayRef<reference::Value> values, mlir::TypeRange types,
        mlir::TypeRange lowered);

/// The results of a lowered function in the types of its results at the source.
/// Ensures: `toStage` and `fromStage` with the same types are inverse. None if
/// there are other results than these types become.
[[nodiscard]] std::optional<std::vector<reference::Value>>
fromStage(llvm::ArrayRef<reference::Value> results, mlir::TypeRange types);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_STAGEVALUES_H
