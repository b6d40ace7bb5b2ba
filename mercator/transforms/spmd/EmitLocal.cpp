// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Operations.h"
#include "mercator/transforms/spmd/Sizes.h"
#include "mercator/transforms/spmd/Sums.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

namespace {

/// Writes one operation on shards.
class LocalEmission {
public:
  LocalEmission(Operation *op, const LocalPlan &plan, const Mesh &mesh,
                ArrayRef<Value> given, Emitter &emitter)
      : op(op), plan(plan), mesh(mesh), given(given), emitter(emitter),
        b(emitter.b) {
    for (Value result : op->getResults()) {
      RankedTensorType type = tensorOf(result);
      types.push_back(RankedTensorType::get(
          plan.compute.shardOf(mesh, type.getShape()), type.getElementType()));
    }
  }

  SmallVector<Value> run();

private:
  /// Operand k as the operation reads it.
  Value fetch(unsigned k, Value fill = {}, Value buffer = {}) {
    return emitter.move(given[k], plan.movements[k], plan.needs[k], fill,
                        buffer);
  }
  SmallVector<Value> fetchAll() {
    SmallVector<Value> values;
    for (unsigned k = 0; k < given.size(); ++k)
      values.push_back(fetch(k));
    return values;
  }
  /// The value of operand k without the unspecified end of a short shard along the
  /// dimensions that are summed: `fill` is there; without it, zero.
  Value filled(unsigned k, Value value, Value fill = {});
  [[nodiscard]] bool isDivided(unsigned dim) const {
    return !plan.compute.dims[dim].empty();
  }
  /// The operation on these operands, with the types of shards.
  Operation *cloneOn(ArrayRef<Value> operands);
  Value combine(OperationName name, Value x, Value y);

  Value emitConcatenate(stablehlo::ConcatenateOp op);
  Value emitIota(stablehlo::IotaOp op);
  Value emitReduce(stablehlo::ReduceOp op);
  Value emitGather(stablehlo::GatherOp gather);
  Value emitScatter(stablehlo::ScatterOp scatter);
  /// Indices that count from the first row of the device, along the dimensions
  /// that are divided by `axes`. They become signed. `dims` are those of the
  /// components, `whole` the sizes of the tensor.
  Value localIndices(Value indices, int64_t vectorDim, ArrayRef<int64_t> dims,
                     ArrayRef<Axes> axes, ArrayRef<int64_t> whole, bool clamps);
  Value vector(ArrayRef<Value> numbers, Value like, int64_t dim);
  Value complete(Value partial, OperationName name);
  void setAttributes(Operation *clone);

  Operation *op;
  const LocalPlan &plan;
  const Mesh &mesh;
  ArrayRef<Value> given;
  Emitter &emitter;
  ImplicitLocOpBuilder &b;
  SmallVector<Type> types;
};

} // namespace

/// The sizes in an attribute of a clone, from the types of its operands.
void LocalEmission::setAttributes(Operation *clone) {
  using namespace stablehlo;
  auto array = [&](ArrayRef<int64_t> values) {
    return b.getDenseI64ArrayAttr(values);
  };
  // Padding of the windows that were filled when they were fetched.
  auto padding = [&](std::optional<DenseIntElementsAttr> given,
                     ArrayRef<int64_t> dims) -> DenseIntElementsAttr {
    SmallVector<int64_t> values;
    for (auto [i, dim] : llvm::enumerate(dims))
      for (size_t side = 0; side < 2; ++side)
        values.push_back(isDivided(dim) || !given
                             ? 0
                             : given->getValues<int64_t>()[{i, side}]);
    return DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(dims.size()), 2}, b.getI64Type()),
        values);
  };
  llvm::TypeSwitch<Operation *>(clone)
      .Case<SliceOp>([&](SliceOp slice) {
        SmallVector<int64_t> start(slice.getStartIndices()),
            limit(slice.getLimitIndices());
        ArrayRef<int64_t> shape = tensorOf(slice.getOperand()).getShape();
        for (size_t dim = 0; dim < start.size(); ++dim)
          if (isDivided(dim) || plan.isWindow[dim]) {
            start[dim] = 0;
            limit[dim] = shape[dim];
          }
        slice->setAttr("start_indices", array(start));
        slice->setAttr("limit_indices", array(limit));
      })
      .Case<PadOp>([&](PadOp pad) {
        SmallVector<int64_t> low(pad.getEdgePaddingLow()),
            high(pad.getEdgePaddingHigh());
        for (size_t dim = 0; dim < low.size(); ++dim)
          if (isDivided(dim) || plan.isWindow[dim])
            low[dim] = high[dim] = 0;
        pad->setAttr("edge_padding_low", array(low));
        pad->setAttr("edge_padding_high", array(high));
      })
      .Case<DynamicSliceOp>([&](DynamicSliceOp slice) {
        SmallVector<int64_t> sizes(slice.getSliceSizes());
        ArrayRef<int64_t> shape = tensorOf(slice.getOperand()).getShape();
        for (size_t dim = 0; dim < sizes.size(); ++dim)
          if (isDivided(dim))
            sizes[dim] = shape[dim];
        slice->setAttr("slice_sizes", array(sizes));
      })
      .Case<GatherOp>([&](GatherOp gather) {
        SmallVector<int64_t> sizes(gather.getSliceSizes());
        ArrayRef<int64_t> whole = tensorOf(op->getOperand(0)).getShape(),
                          shape = tensorOf(gather.getOperand()).getShape();
        for (size_t dim = 0; dim < sizes.size(); ++dim)
          if (shape[dim] != whole[dim] && sizes[dim] == whole[dim])
            sizes[dim] = shape[dim];
        gather->setAttr("slice_sizes", array(sizes));
      })
      .Case<ConvolutionOp>([&](ConvolutionOp convolution) {
        convolution->setAttr("padding",
                             padding(convolution.getPadding(),
                                     convolution.getDimensionNumbers()
                                         .getOutputSpatialDimensions()));
      })
      .Case<ReduceWindowOp>([&](ReduceWindowOp window) {
        SmallVector<int64_t> dims = llvm::to_vector(
            llvm::seq<int64_t>(0, window.getWindowDimensions().size()));
        window->setAttr("padding", padding(window.getPadding(), dims));
      });
}

Operation *LocalEmission::cloneOn(ArrayRef<Value> operands) {
  IRMapping mapping;
  for (auto [old, value] : llvm::zip_equal(op->getOperands(), operands))
    mapping.map(old, value);
  Operation *clone = b.clone(*op, mapping);
  // One value may be two operands that are fetched in different ways.
  clone->setOperands(operands);
  for (auto [result, type] : llvm::zip_equal(clone->getResults(), types))
    result.setType(type);
  clone->removeAttr("sdy.sharding");
  clone->removeAttr("mhlo.sharding");
  setAttributes(clone);
  return clone;
}

Value LocalEmission::combine(OperationName name, Value x, Value y) {
  OperationState state(b.getLoc(), name);
  state.addOperands({x, y});
  state.addTypes(x.getType());
  return b.create(state)->getResult(0);
}

Value LocalEmission::complete(Value partial, OperationName name) {
  if (plan.summed.empty())
    return partial;
  return plan.scatteredDim ? emitter.reduceScatter(partial, plan.summed,
                                                   *plan.scatteredDim, name)
                           : emitter.allReduce(partial, plan.summed, name);
}

Value LocalEmission::filled(unsigned k, Value value, Value fill) {
  ArrayRef<int64_t> shape = tensorOf(op->getOperand(k)).getShape();
  RankedTensorType type = tensorOf(value);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (!plan.isPartial[k][dim])
      continue;
    const Axes &axes = plan.needs[k].sharding->dims[dim];
    if (shape[dim] % mesh.size(axes) == 0)
      continue;
    if (!fill)
      fill = emitter.zero(type.getElementType());
    // Element i of device d is there if i < n - d * shard.
    SmallVector<int64_t> counts;
    for (int64_t device = 0; device < mesh.devices; ++device)
      counts.push_back(shape[dim] -
                       mesh.coordinate(device, axes) * type.getDimSize(dim));
    auto numbers = RankedTensorType::get(type.getShape(), b.getI32Type());
    Value place =
        stablehlo::IotaOp::create(b, numbers, b.getI64IntegerAttr(dim));
    Value count = emitter.broadcast(emitter.number(counts), type.getShape());
    Value isThere = stablehlo::CompareOp::create(
        b, RankedTensorType::get(type.getShape(), b.getI1Type()), place, count,
        stablehlo::ComparisonDirectionAttr::get(
            b.getContext(), stablehlo::ComparisonDirection::LT),
        stablehlo::ComparisonTypeAttr::get(b.getContext(),
                                           stablehlo::ComparisonType::SIGNED));
    value = stablehlo::SelectOp::create(
        b, type, isThere, value, emitter.broadcast(fill, type.getShape()));
  }
  return value;
}

/// The parts of the operands in one buffer.
Value LocalEmission::emitConcatenate(stablehlo::ConcatenateOp concatenate) {
  if (!isDivided(concatenate.getDimension()))
    return cloneOn(fetchAll())->getResult(0);
  Value buffer;
  for (unsigned k = 0; k < given.size(); ++k)
    buffer = fetch(k, {}, buffer);
  return buffer;
}

Value LocalEmission::emitIota(stablehlo::IotaOp iota) {
  int64_t dim = iota.getIotaDimension();
  if (!isDivided(dim))
    return cloneOn({})->getResult(0);
  // Counted in i32, so that a narrow type rounds the sum and not its terms.
  auto type = cast<RankedTensorType>(types.front());
  auto whole = RankedTensorType::get(type.getShape(), b.getI32Type());
  Value local = stablehlo::IotaOp::create(b, whole, b.getI64IntegerAttr(dim));
  SmallVector<int64_t> starts;
  for (int64_t device = 0; device < mesh.devices; ++device)
    starts.push_back(mesh.coordinate(device, plan.compute.dims[dim]) *
                     type.getDimSize(dim));
  Value start = emitter.broadcast(emitter.number(starts), type.getShape());
  Value sum = stablehlo::AddOp::create(b, whole, local, start);
  return whole == type ? sum
                       : Value(stablehlo::ConvertOp::create(b, type, sum));
}

Value LocalEmission::emitReduce(stablehlo::ReduceOp reduce) {
  SmallVector<Value> operands = fetchAll();
  OperationName name = *combinationOf(reduce.getBody());
  Type element = tensorOf(reduce.getResult(0)).getElementType();
  Value init = operands[1];
  operands[1] = emitter.scalar(element, identityOf(name, element));
  operands[0] = filled(0, operands[0], operands[1]);
  Value sum = complete(cloneOn(operands)->getResult(0), name);
  return combine(name, sum, emitter.broadcast(init, tensorOf(sum).getShape()));
}

/// One number for each component of the index vectors, in the shape of `like`.
Value LocalEmission::vector(ArrayRef<Value> numbers, Value like, int64_t dim) {
  RankedTensorType type = tensorOf(like);
  if (dim == type.getRank()) // an index of one component, without a dimension
    return emitter.broadcast(numbers.front(), type.getShape());
  auto one = RankedTensorType::get({1}, type.getElementType());
  SmallVector<Value> parts;
  for (Value number : numbers)
    parts.push_back(stablehlo::ReshapeOp::create(b, one, number));
  Value line = parts.front();
  if (parts.size() > 1)
    line = stablehlo::ConcatenateOp::create(
        b,
        RankedTensorType::get({int64_t(parts.size())}, type.getElementType()),
        parts, b.getI64IntegerAttr(0));
  return stablehlo::BroadcastInDimOp::create(b, type, line,
                                             ArrayRef<int64_t>{dim});
}

Value LocalEmission::localIndices(Value indices, int64_t vectorDim,
                                  ArrayRef<int64_t> dims, ArrayRef<Axes> axes,
                                  ArrayRef<int64_t> whole, bool clamps) {
  RankedTensorType type = tensorOf(indices);
  auto element = cast<IntegerType>(type.getElementType());
  if (element.isUnsigned() && element.getWidth() >= 32) {
    // A number that is none of a row stays one when it becomes signed.
    int64_t most = *llvm::max_element(whole);
    Value bound = emitter.broadcast(
        emitter.scalar(element, b.getIntegerAttr(element, most)),
        type.getShape());
    indices = stablehlo::MinOp::create(b, type, indices, bound);
  }
  // Wide enough for any row number, and signed.
  Type wide = element.getWidth() == 64 ? b.getI64Type() : b.getI32Type();
  if (element != wide) {
    type = RankedTensorType::get(type.getShape(), wide);
    indices = stablehlo::ConvertOp::create(b, type, indices);
  }
  int64_t least = element.getWidth() == 64
                      ? std::numeric_limits<int64_t>::min()
                      : std::numeric_limits<int32_t>::min(),
          most = -(least + 1);
  SmallVector<Value> low, high, start;
  auto constant = [&](int64_t value) {
    return emitter.scalar(wide, b.getIntegerAttr(wide, value));
  };
  for (int64_t dim : dims) {
    bool divided = !axes[dim].empty();
    low.push_back(constant(divided ? 0 : least));
    high.push_back(constant(divided ? whole[dim] - 1 : most));
    SmallVector<int64_t> starts;
    int64_t shard =
        (whole[dim] + mesh.size(axes[dim]) - 1) / mesh.size(axes[dim]);
    for (int64_t device = 0; device < mesh.devices; ++device)
      starts.push_back(divided ? mesh.coordinate(device, axes[dim]) * shard
                               : 0);
    Value number = emitter.number(starts);
    if (wide != b.getI32Type())
      number = stablehlo::ConvertOp::create(b, RankedTensorType::get({}, wide),
                                            number);
    start.push_back(number);
  }
  if (clamps)
    indices =
        stablehlo::ClampOp::create(b, type, vector(low, indices, vectorDim),
                                   indices, vector(high, indices, vectorDim));
  return stablehlo::SubtractOp::create(b, type, indices,
                                       vector(start, indices, vectorDim));
}

/// Rows of a table whose rows lie on several devices: a device reads those that it
/// has, and zeros for the others.
Value LocalEmission::emitGather(stablehlo::GatherOp gather) {
  SmallVector<Value> operands = fetchAll();
  auto numbers = gather.getDimensionNumbers();
  int64_t vectorDim = numbers.getIndexVectorDim();
  ArrayRef<int64_t> map = numbers.getStartIndexMap();
  const Sharding &table = *plan.needs[0].sharding;
  // Only the rows that are collapsed count from the device.
  SmallVector<Axes> axes(table.rank());
  for (size_t dim = 0; dim < axes.size(); ++dim)
    if (plan.isPartial[0][dim])
      axes[dim] = table.dims[dim];
  Value local = localIndices(operands[1], vectorDim, map, axes,
                             tensorOf(gather.getOperand()).getShape(),
                             /*clamps=*/true);
  operands[1] = local;
  Value rows = cloneOn(operands)->getResult(0);

  // Whether every component lies on this device.
  RankedTensorType type = tensorOf(local);
  Type element = type.getElementType();
  SmallVector<Value> zeros, ends;
  ArrayRef<int64_t> shard = tensorOf(operands[0]).getShape();
  int64_t most = element.isInteger(64) ? std::numeric_limits<int64_t>::max()
                                       : std::numeric_limits<int32_t>::max();
  for (int64_t dim : map) {
    bool divided = !axes[dim].empty();
    zeros.push_back(emitter.scalar(
        element, b.getIntegerAttr(element, divided ? 0 : -most - 1)));
    ends.push_back(emitter.scalar(
        element, b.getIntegerAttr(element, divided ? shard[dim] - 1 : most)));
  }
  auto truth = RankedTensorType::get(type.getShape(), b.getI1Type());
  auto compare = [&](ArrayRef<Value> bound,
                     stablehlo::ComparisonDirection direction) -> Value {
    return stablehlo::CompareOp::create(
        b, truth, local, vector(bound, local, vectorDim),
        stablehlo::ComparisonDirectionAttr::get(b.getContext(), direction),
        stablehlo::ComparisonTypeAttr::get(b.getContext(),
                                           stablehlo::ComparisonType::SIGNED));
  };
  Value isHere = stablehlo::AndOp::create(
      b, truth, compare(zeros, stablehlo::ComparisonDirection::GE),
      compare(ends, stablehlo::ComparisonDirection::LE));
  if (vectorDim < type.getRank()) {
    SmallVector<int64_t> batch(type.getShape());
    batch.erase(batch.begin() + vectorDim);
    auto all = RankedTensorType::get(batch, b.getI1Type());
    if (map.size() == 1) {
      isHere = stablehlo::ReshapeOp::create(b, all, isHere);
    } else {
      Value yes = emitter.scalar(b.getI1Type(), b.getBoolAttr(true));
      auto reduce = stablehlo::ReduceOp::create(
          b, TypeRange{all}, ValueRange{isHere}, ValueRange{yes},
          ArrayRef<int64_t>{vectorDim});
      emitter.fillReduction(
          reduce.getBody(), b.getI1Type(),
          OperationName(stablehlo::AndOp::getOperationName(), b.getContext()));
      isHere = reduce.getResult(0);
    }
  }
  RankedTensorType rowsType = tensorOf(rows);
  SmallVector<int64_t> batchDims;
  for (int64_t dim = 0; dim < rowsType.getRank(); ++dim)
    if (!llvm::is_contained(numbers.getOffsetDims(), dim))
      batchDims.push_back(dim);
  Value mask = stablehlo::BroadcastInDimOp::create(
      b, RankedTensorType::get(rowsType.getShape(), b.getI1Type()), isHere,
      batchDims);
  Value nothing = emitter.broadcast(emitter.zero(rowsType.getElementType()),
                                    rowsType.getShape());
  Value mine = stablehlo::SelectOp::create(b, rowsType, mask, rows, nothing);
  return complete(mine, OperationName(stablehlo::AddOp::getOperationName(),
                                      b.getContext()));
}

/// Indices of rows on other devices leave the shard, and updates of them are
/// skipped. Updates on several devices are combined from the identity element.
Value LocalEmission::emitScatter(stablehlo::ScatterOp scatter) {
  SmallVector<Value> operands = fetchAll();
  auto numbers = scatter.getScatterDimensionNumbers();
  size_t inputs = scatter.getInputs().size();
  SmallVector<Axes> axes(plan.compute.rank());
  bool isDividedByRows = false;
  for (int64_t dim : numbers.getInsertedWindowDims()) {
    axes[dim] = plan.compute.dims[dim];
    isDividedByRows |= !axes[dim].empty();
  }
  if (isDividedByRows)
    operands[inputs] = localIndices(
        operands[inputs], numbers.getIndexVectorDim(),
        numbers.getScatterDimsToOperandDims(), axes,
        tensorOf(scatter.getResult(0)).getShape(), /*clamps=*/false);
  if (plan.summed.empty())
    return cloneOn(operands)->getResult(0);
  OperationName name = *combinationOf(scatter.getUpdateComputation());
  Value input = operands[0];
  RankedTensorType type = tensorOf(input);
  operands[0] =
      emitter.broadcast(emitter.scalar(type.getElementType(),
                                       identityOf(name, type.getElementType())),
                        type.getShape());
  Value sum = complete(cloneOn(operands)->getResult(0), name);
  return combine(name, input, sum);
}

SmallVector<Value> LocalEmission::run() {
  using namespace stablehlo;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (splat)
      return {ConstantOp::create(
          b, splat.resizeSplat(cast<ShapedType>(types.front())))};
    Value whole = b.clone(*op)->getResult(0);
    Need need =
        Need::shards(mesh, plan.compute, tensorOf(op->getResult(0)).getShape());
    Sharding all = Sharding::whole(plan.compute.rank());
    return {emitter.move(
        whole, planMovement(mesh, all, tensorOf(whole).getShape(), need),
        need)};
  }
  if (auto concatenate = dyn_cast<ConcatenateOp>(op))
    return {emitConcatenate(concatenate)};
  if (auto iota = dyn_cast<IotaOp>(op))
    return {emitIota(iota)};
  if (auto reduce = dyn_cast<ReduceOp>(op); reduce && !plan.summed.empty())
    return {emitReduce(reduce)};
  if (auto gather = dyn_cast<GatherOp>(op); gather && !plan.summed.empty())
    return {emitGather(gather)};
  if (auto scatter = dyn_cast<ScatterOp>(op);
      scatter && scatter.getInputs().size() == 1)
    return {emitScatter(scatter)};
  SmallVector<Value> operands;
  size_t windows = isa<ReduceWindowOp>(op) ? op->getNumOperands() / 2 : 0;
  for (unsigned k = 0; k < given.size(); ++k) {
    Value fill;
    if (isa<PadOp>(op) && k == 0)
      fill = given[1];
    if (k < windows)
      fill = given[windows + k];
    operands.push_back(fetch(k, fill));
    // Unspecified numbers may be infinite: zero on both sides of a product.
    if (isa<DotGeneralOp>(op))
      operands.back() = filled(k, operands.back());
  }
  Operation *clone = cloneOn(operands);
  if (plan.summed.empty())
    return SmallVector<Value>(clone->getResults());
  return {complete(clone->getResult(0),
                   OperationName(AddOp::getOperationName(), b.getContext()))};
}

SmallVector<Value> mercator::spmd::emitLocal(Operation *op,
                                             const LocalPlan &plan,
                                             const Mesh &mesh,
                                             ArrayRef<Value> operands,
                                             Emitter &emitter) {
  return LocalEmission(op, plan, mesh, operands, emitter).run();
}
