// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Emitter.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

static RankedTensorType withShapeOf(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, tensorOf(value).getElementType());
}

Emitter::Emitter(const Mesh &mesh, Block *entry, Location loc)
    : b(loc, loc.getContext()), mesh(mesh) {
  b.setInsertionPointToStart(entry);
  auto type = RankedTensorType::get(
      {}, IntegerType::get(b.getContext(), 32, IntegerType::Unsigned));
  partition = stablehlo::PartitionIdOp::create(b, type);
  lastTable = partition.getDefiningOp();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Emitter::tableElement(DenseElementsAttr table) {
  Value &known = tables[table.getAsOpaquePointer()];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(lastTable);
  Type element = table.getElementType();
  Value whole = stablehlo::ConstantOp::create(b, table);
  Value one = stablehlo::DynamicSliceOp::create(
      b, RankedTensorType::get({1}, element), whole, ValueRange{partition},
      ArrayRef<int64_t>{1});
  known =
      stablehlo::ReshapeOp::create(b, RankedTensorType::get({}, element), one);
  lastTable = known.getDefiningOp();
  return known;
}

Value Emitter::number(ArrayRef<int64_t> ofDevice) {
  if (llvm::all_equal(ofDevice))
    return scalar(b.getI32Type(), b.getI32IntegerAttr(ofDevice.front()));
  SmallVector<int32_t> values(ofDevice.begin(), ofDevice.end());
  return tableElement(DenseElementsAttr::get(
      RankedTensorType::get({mesh.devices}, b.getI32Type()),
      ArrayRef<int32_t>(values)));
}

Value Emitter::condition(ArrayRef<bool> ofDevice) {
  return tableElement(DenseElementsAttr::get(
      RankedTensorType::get({mesh.devices}, b.getI1Type()), ofDevice));
}

Value Emitter::scalar(Type element, Attribute value) {
  return stablehlo::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element), value));
}

Value Emitter::zero(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute part = b.getZeroAttr(complex.getElementType());
    return scalar(element, b.getArrayAttr({part, part}));
  }
  return scalar(element, b.getZeroAttr(element));
}

Value Emitter::broadcast(Value scalar, ArrayRef<int64_t> shape) {
  return stablehlo::BroadcastInDimOp::create(b, withShapeOf(scalar, shape),
                                             scalar, ArrayRef<int64_t>{});
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

DenseIntElementsAttr Emitter::groups(ArrayRef<unsigned> axes) {
  std::vector<std::vector<int64_t>> groups = mesh.groups(axes);
  SmallVector<int64_t> flat;
  for (const std::vector<int64_t> &group : groups)
    llvm::append_range(flat, group);
  return DenseIntElementsAttr::get(
      RankedTensorType::get(
          {int64_t(groups.size()), int64_t(groups.front().size())},
          b.getI64Type()),
      flat);
}

Attribute Emitter::channel() {
  return stablehlo::ChannelHandleAttr::get(b.getContext(), ++channels,
                                           /*type=*/1);
}

void Emitter::fillReduction(Region &region, Type element,
                            OperationName combine) {
  OpBuilder::InsertionGuard guard(b);
  Block &block = region.emplaceBlock();
  auto type = RankedTensorType::get({}, element);
  block.addArguments({type, type}, {b.getLoc(), b.getLoc()});
  b.setInsertionPointToStart(&block);
  OperationState state(b.getLoc(), combine);
  state.addOperands(block.getArguments());
  state.addTypes(type);
  Operation *combined = b.create(state);
  stablehlo::ReturnOp::create(b, combined->getResults());
}

Value Emitter::allReduce(Value local, ArrayRef<unsigned> axes,
                         OperationName combine) {
  auto op = stablehlo::AllReduceOp::create(
      b, TypeRange{local.getType()}, ValueRange{local}, groups(axes),
      cast<stablehlo::ChannelHandleAttr>(channel()), b.getUnitAttr());
  fillReduction(op.getComputation(), tensorOf(local).getElementType(), combine);
  return op.getResult(0);
}

Value Emitter::reduceScatter(Value local, ArrayRef<unsigned> axes, unsigned dim,
                             OperationName combine) {
  SmallVector<int64_t> shape(tensorOf(local).getShape());
  shape[dim] /= mesh.size(axes);
  auto op = stablehlo::ReduceScatterOp::create(
      b, withShapeOf(local, shape), local, b.getI64IntegerAttr(dim),
      groups(axes), cast<stablehlo::ChannelHandleAttr>(channel()),
      b.getUnitAttr());
  fillReduction(op.getComputation(), tensorOf(local).getElementType(), combine);
  return op.getResult();
}

Value Emitter::step(Value local, const Movement::Step &step) {
  SmallVector<int64_t> shape(tensorOf(local).getShape());
  int64_t parts = mesh.size(step.axes);
  switch (step.kind) {
  case Movement::Step::Kind::Slice: {
    shape[step.dim] /= parts;
    std::vector<std::vector<int64_t>> starts(
        shape.size(), std::vector<int64_t>(mesh.devices));
    for (int64_t device = 0; device < mesh.devices; ++device)
      starts[step.dim][device] =
          mesh.coordinate(device, step.axes) * shape[step.dim];
    return sliceAt(local, shape, starts);
  }
  case Movement::Step::Kind::AllToAll: {
    shape[step.dim] *= parts;
    shape[step.to] /= parts;
    return stablehlo::AllToAllOp::create(
               b, TypeRange{withShapeOf(local, shape)}, ValueRange{local},
               b.getI64IntegerAttr(step.to), b.getI64IntegerAttr(step.dim),
               b.getI64IntegerAttr(parts), groups(step.axes),
               cast<stablehlo::ChannelHandleAttr>(channel()))
        .getResult(0);
  }
  case Movement::Step::Kind::AllGather:
    shape[step.dim] *= parts;
    return stablehlo::AllGatherOp::create(
               b, TypeRange{withShapeOf(local, shape)}, ValueRange{local},
               b.getI64IntegerAttr(step.dim), groups(step.axes),
               cast<stablehlo::ChannelHandleAttr>(channel()), b.getUnitAttr())
        .getResult(0);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

Value Emitter::sliceAt(Value local, ArrayRef<int64_t> sizes,
                       ArrayRef<std::vector<int64_t>> starts) {
  ArrayRef<int64_t> shape = tensorOf(local).getShape();
  if (shape == sizes)
    return local;
  RankedTensorType type = withShapeOf(local, sizes);
  if (llvm::all_of(starts, [](const std::vector<int64_t> &ofDevice) {
        return llvm::all_equal(ofDevice);
      })) {
    SmallVector<int64_t> begin, end, strides(sizes.size(), 1);
    for (auto [start, size] : llvm::zip_equal(starts, sizes)) {
      begin.push_back(start.front());
      end.push_back(start.front() + size);
    }
    return stablehlo::SliceOp::create(b, type, local, begin, end, strides);
  }
  SmallVector<Value> indices;
  for (const std::vector<int64_t> &ofDevice : starts)
    indices.push_back(number(ofDevice));
  return stablehlo::DynamicSliceOp::create(b, type, local, indices, sizes);
}

Value Emitter::move(Value local, const Movement &movement, const Need &need,
                    Value fill, Value buffer) {
  if (movement.isNothing)
    return local;
  if (!movement.steps.empty()) {
    for (const Movement::Step &each : movement.steps)
      local = step(local, each);
    return local;
  }
  Type element = tensorOf(local).getElementType();
  size_t rank = need.sizes.size();
  for (const Movement::Round &round : movement.rounds) {
    // Devices without a message read at 0.
    std::vector<std::vector<int64_t>> from(rank,
                                           std::vector<int64_t>(mesh.devices)),
        to = from;
    SmallVector<bool> isTarget(mesh.devices, false);
    SmallVector<int64_t> pairs;
    // Equal offsets on all devices that send make a static slice.
    for (size_t dim = 0; dim < rank; ++dim) {
      std::fill(from[dim].begin(), from[dim].end(),
                round.messages.front().from[dim]);
      std::fill(to[dim].begin(), to[dim].end(), round.messages.front().to[dim]);
    }
    for (const Movement::Message &message : round.messages) {
      isTarget[message.target] = true;
      pairs.append({message.source, message.target});
      for (size_t dim = 0; dim < rank; ++dim) {
        from[dim][message.source] = message.from[dim];
        to[dim][message.target] = message.to[dim];
      }
    }
    Value piece = sliceAt(local, round.sizes, from);
    if (!round.isLocal)
      piece = stablehlo::CollectivePermuteOp::create(
          b, piece.getType(), piece,
          DenseIntElementsAttr::get(
              RankedTensorType::get({int64_t(round.messages.size()), 2},
                                    b.getI64Type()),
              pairs),
          cast<stablehlo::ChannelHandleAttr>(channel()));
    bool isEverywhere = llvm::all_of(isTarget, [](bool is) { return is; });
    if (round.sizes == need.sizes && isEverywhere) {
      buffer = piece;
      continue;
    }
    if (!buffer)
      buffer = broadcast(fill ? fill : zero(element), need.sizes);
    Value updated = piece;
    if (round.sizes != need.sizes) {
      SmallVector<Value> indices;
      for (const std::vector<int64_t> &ofDevice : to)
        indices.push_back(number(ofDevice));
      updated = stablehlo::DynamicUpdateSliceOp::create(b, buffer.getType(),
                                                        buffer, piece, indices);
    }
    buffer =
        isEverywhere
            ? updated
            : Value(stablehlo::SelectOp::create(
                  b, buffer.getType(), condition(isTarget), updated, buffer));
  }
  if (!buffer)
    buffer = broadcast(fill ? fill : zero(element), need.sizes);
  return buffer;
}
