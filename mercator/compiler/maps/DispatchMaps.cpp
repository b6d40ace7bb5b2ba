// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatch alone in a function, whose arguments are its operands, is read
// as the pass verifier reads a function.

#include "mercator/compiler/maps/DispatchMaps.h"

#include "mercator/analysis/Sources.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/verify/InlineDispatches.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mercator;
using namespace mercator::indexing;
using mlir::Operation;

bool mercator::isDispatch(Operation *op) {
  return llvm::isa<flow::DispatchOp, flow::DispatchWorkgroupsOp>(op);
}

/// A function that runs a copy of the dispatch, beside the function that the
/// dispatch is in.
static mlir::func::FuncOp functionAround(Operation *op) {
  auto outer = op->getParentOfType<mlir::func::FuncOp>();
  if (!outer)
    return {};
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(outer);
  auto function = mlir::func::FuncOp::create(
      builder, op->getLoc(), (outer.getName() + ".one_dispatch").str(),
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  function.setPrivate();
  mlir::Block *body = function.addEntryBlock();
  mlir::IRMapping values;
  values.map(op->getOperands(), body->getArguments());
  builder.setInsertionPointToStart(body);
  Operation *copy = builder.clone(*op, values);
  mlir::func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
  return function;
}

/// Sources by the operands of the dispatch, in place of `argument 1`.
static MapSet withOperandsAsSources(const MapSet &maps, Arena &arena,
                                    llvm::ArrayRef<mlir::Value> operands) {
  MapSet out;
  for (OperandMap m : maps) {
    for (RuntimeVariable &v : m.map.domain.runtimes) {
      llvm::StringRef name = arena.name(v.source);
      bool isUnsigned = name.consume_back(", unsigned");
      unsigned number;
      if (!name.consume_front("argument ") || name.getAsInteger(10, number) ||
          number >= operands.size())
        continue;
      Source source = internSource(arena, operands[number]);
      v.source = source.id;
      v.element =
          isUnsigned && source.element < 0 ? kReadUnsigned : source.element;
    }
    out.insert(std::move(m));
  }
  return out;
}

std::optional<std::vector<MapSet>>
mercator::mapsThroughDispatch(Operation *op, unsigned result, Arena &arena) {
  mlir::func::FuncOp function = functionAround(op);
  if (!function)
    return std::nullopt;
  verify::FunctionReads reads = verify::readsThroughDispatches(
      function, arena,
      {.isLeftOut = [&](unsigned other) { return other != result; }});
  function.erase();
  // Numbers of type `index` have no position.
  std::vector<size_t> places;
  llvm::SmallVector<mlir::Value> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!operand.getType().isIndex()) {
      places.push_back(i);
      operands.push_back(operand);
    }
  if (!reads.refusal.empty() || result >= reads.reads.size() ||
      reads.arguments.size() != places.size() ||
      reads.reads.size() != op->getNumResults())
    return std::nullopt;
  std::vector<MapSet> maps(op->getNumOperands());
  for (const auto &[argument, set] : reads.reads[result])
    maps[places[argument]] = withOperandsAsSources(set, arena, operands);
  return maps;
}
