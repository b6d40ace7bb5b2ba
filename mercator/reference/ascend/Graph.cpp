// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ascend/Graph.h"

using namespace mlir;

namespace mercator::reference {

// Its region has no arguments: the values of Data are there before it runs.
FailureOr<std::vector<Value>> callGraph(Evaluator &evaluator,
                                        ascend::GraphOp graph,
                                        ArrayRef<Value> arguments) {
  SmallVector<ascend::DataOp> inputs = ascend::inputsOf(graph);
  SmallVector<Type> types(llvm::map_range(
      inputs, [](ascend::DataOp data) { return data.getType(); }));
  if (failed(evaluator.checkArguments(graph, graph.getSymName(), types,
                                      arguments)))
    return failure();
  SmallVector<std::pair<mlir::Value, Value>> given;
  for (auto [data, value] : llvm::zip_equal(inputs, arguments))
    given.emplace_back(data.getResult(), value);
  return evaluator.isolated(graph.getBody(), {}, given);
}

} // namespace mercator::reference
