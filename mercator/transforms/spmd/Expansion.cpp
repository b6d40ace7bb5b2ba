// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Expansion.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

namespace {

class Expansion {
public:
  Expansion(ModuleOp module, const Mesh &mesh)
      : module(module), mesh(mesh),
        b(module.getLoc(), OpBuilder::atBlockEnd(module.getBody())),
        ofDevice(mesh.devices) {}

  func::FuncOp run(ArrayRef<Placed> operands, ArrayRef<Value> results);
  std::string reason;

private:
  bool isKnown(Value local) const { return ofDevice.front().contains(local); }
  Value of(int64_t device, Value local) const {
    return ofDevice[device].lookup(local);
  }
  void define(int64_t device, Value local, Value value) {
    ofDevice[device].map(local, value);
  }
  bool refuse(Operation *op, StringRef why) {
    reason = (op->getName().getStringRef() + " " + why).str();
    return false;
  }

  void cutIntoShards(const Placed &operand, Value whole);
  /// Makes the value of every device. False after a reason.
  bool reach(Value local);
  bool expand(Operation *op);
  bool expandCollective(Operation *op,
                        llvm::function_ref<Value(ArrayRef<Value>, size_t)> f);
  void expandOn(int64_t device, Operation *op);
  Value combined(ArrayRef<Value> values, Region &body);
  Value slice(Value value, ArrayRef<int64_t> begin, ArrayRef<int64_t> sizes);
  Value piece(Value value, int64_t dim, int64_t number, int64_t count);
  Value join(ArrayRef<Value> values, int64_t dim);
  Value zeros(RankedTensorType type);
  std::optional<SmallVector<int64_t>> knownStarts(ValueRange indices,
                                                  ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> sizes);

  ModuleOp module;
  const Mesh &mesh;
  ImplicitLocOpBuilder b;
  std::vector<IRMapping> ofDevice;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Expansion::zeros(RankedTensorType type) {
  Type element = type.getElementType();
  Attribute zero;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute part = b.getZeroAttr(complex.getElementType());
    zero = b.getArrayAttr({part, part});
  } else {
    zero = b.getZeroAttr(element);
  }
  return stablehlo::ConstantOp::create(b, DenseElementsAttr::get(type, zero));
}

Value Expansion::slice(Value value, ArrayRef<int64_t> begin,
                       ArrayRef<int64_t> sizes) {
  RankedTensorType type = tensorOf(value);
  if (type.getShape() == sizes)
    return value;
  SmallVector<int64_t> end, strides(sizes.size(), 1);
  for (auto [start, size] : llvm::zip_equal(begin, sizes))
    end.push_back(start + size);
  return stablehlo::SliceOp::create(
      b, RankedTensorType::get(sizes, type.getElementType()), value, begin, end,
      strides);
}

/// The part of a tensor that is cut into `count` along a dimension.
Value Expansion::piece(Value value, int64_t dim, int64_t number,
                       int64_t count) {
  SmallVector<int64_t> sizes(tensorOf(value).getShape()),
      begin(sizes.size(), 0);
  sizes[dim] /= count;
  begin[dim] = number * sizes[dim];
  return slice(value, begin, sizes);
}

Value Expansion::join(ArrayRef<Value> values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(tensorOf(values.front()).getShape());
  shape[dim] *= values.size();
  return stablehlo::ConcatenateOp::create(
      b,
      RankedTensorType::get(shape, tensorOf(values.front()).getElementType()),
      values, b.getI64IntegerAttr(dim));
}

/// The values of the members of a group, combined in its order.
Value Expansion::combined(ArrayRef<Value> values, Region &body) {
  Operation &combine = body.front().front();
  Value result = values.front();
  for (Value next : values.drop_front()) {
    OperationState state(b.getLoc(), combine.getName());
    state.addOperands({result, next});
    state.addTypes(result.getType());
    result = b.create(state)->getResult(0);
  }
  return result;
}

void Expansion::cutIntoShards(const Placed &operand, Value whole) {
  ArrayRef<int64_t> shape = operand.type.getShape();
  SmallVector<int64_t> shard = operand.sharding->shardOf(mesh, shape);
  std::map<SmallVector<int64_t>, Value> ofPart;
  for (int64_t device = 0; device < mesh.devices; ++device) {
    SmallVector<int64_t> part = operand.sharding->partOf(mesh, device);
    Value &value = ofPart[part];
    if (!value) {
      SmallVector<int64_t> begin, sizes, behind;
      for (auto [number, size, all] : llvm::zip_equal(part, shard, shape)) {
        begin.push_back(std::min(number * size, all));
        sizes.push_back(std::min(size, all - begin.back()));
        behind.push_back(size - sizes.back());
      }
      value = slice(whole, begin, sizes);
      // The end of a short shard is unspecified.
      if (llvm::any_of(behind, [](int64_t n) { return n > 0; })) {
        SmallVector<int64_t> none(shape.size(), 0);
        Type element = operand.type.getElementType();
        value = stablehlo::PadOp::create(
            b, RankedTensorType::get(shard, element), value,
            zeros(RankedTensorType::get({}, element)), none, behind, none);
      }
    }
    define(device, operand.local, value);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Expansion::reach(Value local) {
  if (isKnown(local))
    return true;
  Operation *op = local.getDefiningOp();
  if (!op) {
    reason = "the code reads a value of another operation";
    return false;
  }
  for (Value operand : op->getOperands())
    if (!reach(operand))
      return false;
  bool isFree = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      isFree |= inner != op &&
                !op->isAncestor(operand.getParentRegion()->getParentOp());
  });
  return isFree ? refuse(op, "has a region that reads other values")
                : expand(op);
}

/// Calls f(the values of a group, the place of a member) for every device.
bool Expansion::expandCollective(
    Operation *op, llvm::function_ref<Value(ArrayRef<Value>, size_t)> f) {
  auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!groups || groups.getNumElements() != mesh.devices)
    return refuse(op, "has groups that are no table of all devices");
  auto ids = llvm::to_vector(groups.getValues<int64_t>());
  int64_t numbers = groups.getType().getDimSize(1);
  for (ArrayRef<int64_t> group(ids); !group.empty();
       group = group.drop_front(numbers)) {
    ArrayRef<int64_t> members = group.take_front(numbers);
    SmallVector<Value> values;
    for (int64_t device : members)
      values.push_back(of(device, op->getOperand(0)));
    for (auto [place, device] : llvm::enumerate(members))
      define(device, op->getResult(0), f(values, place));
  }
  return true;
}

bool Expansion::expand(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<PartitionIdOp>([&](PartitionIdOp id) {
        auto type = cast<RankedTensorType>(id.getType());
        for (int64_t device = 0; device < mesh.devices; ++device)
          define(device, id,
                 ConstantOp::create(
                     b, DenseElementsAttr::get(
                            type, Attribute(b.getIntegerAttr(
                                      type.getElementType(), device)))));
        return true;
      })
      .Case<AllGatherOp>([&](AllGatherOp gather) {
        int64_t dim = gather.getAllGatherDim();
        // All members have the same tensor.
        Value all;
        return expandCollective(op, [&](ArrayRef<Value> values, size_t place) {
          if (place == 0)
            all = join(values, dim);
          return all;
        });
      })
      .Case<AllToAllOp>([&](AllToAllOp exchange) {
        int64_t count = exchange.getSplitCount();
        return expandCollective(op, [&](ArrayRef<Value> values, size_t place) {
          SmallVector<Value> parts;
          for (Value value : values)
            parts.push_back(piece(value, exchange.getSplitDimension(),
                                  int64_t(place), count));
          return join(parts, exchange.getConcatDimension());
        });
      })
      .Case<AllReduceOp>([&](AllReduceOp reduce) {
        Value all;
        return expandCollective(op, [&](ArrayRef<Value> values, size_t place) {
          if (place == 0)
            all = combined(values, reduce.getComputation());
          return all;
        });
      })
      .Case<ReduceScatterOp>([&](ReduceScatterOp reduce) {
        Value all;
        return expandCollective(op, [&](ArrayRef<Value> values, size_t place) {
          if (place == 0)
            all = combined(values, reduce.getComputation());
          return piece(all, reduce.getScatterDimension(), int64_t(place),
                       int64_t(values.size()));
        });
      })
      .Case<CollectivePermuteOp>([&](CollectivePermuteOp permute) {
        Value nothing = zeros(cast<RankedTensorType>(permute.getType()));
        for (int64_t device = 0; device < mesh.devices; ++device)
          define(device, permute, nothing);
        auto pairs = llvm::to_vector(
            permute.getSourceTargetPairs().getValues<int64_t>());
        for (size_t i = 0; i + 1 < pairs.size(); i += 2)
          define(pairs[i + 1], permute, of(pairs[i], permute.getOperand()));
        return true;
      })
      .Default([&](Operation *) {
        for (int64_t device = 0; device < mesh.devices; ++device)
          expandOn(device, op);
        return true;
      });
}

/// The numbers of an index that is known, clamped as the operation clamps them.
std::optional<SmallVector<int64_t>>
Expansion::knownStarts(ValueRange indices, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> starts;
  for (auto [index, all, size] : llvm::zip_equal(indices, shape, sizes)) {
    DenseIntElementsAttr number;
    if (!matchPattern(index, m_Constant(&number)))
      return std::nullopt;
    bool isUnsigned = cast<IntegerType>(number.getElementType()).isUnsigned();
    APInt value = *number.value_begin<APInt>();
    int64_t start =
        isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
    starts.push_back(std::clamp<int64_t>(start, 0, all - size));
  }
  return starts;
}

/// The operation of one device. What its number decides is decided here.
void Expansion::expandOn(int64_t device, Operation *op) {
  using namespace stablehlo;
  IRMapping &mapping = ofDevice[device];
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(mapping.lookup(operand));
  ElementsAttr known;
  if (auto read = dyn_cast<DynamicSliceOp>(op)) {
    ArrayRef<int64_t> shape = tensorOf(operands[0]).getShape();
    ArrayRef<int64_t> sizes = read.getSliceSizes();
    if (auto starts =
            knownStarts(ValueRange(operands).drop_front(), shape, sizes)) {
      if (shape.size() == 1 && sizes[0] == 1 &&
          matchPattern(operands[0], m_Constant(&known))) {
        Attribute element = *(known.value_begin<Attribute>() + (*starts)[0]);
        define(device, op->getResult(0),
               ConstantOp::create(
                   b, DenseElementsAttr::get(
                          cast<RankedTensorType>(op->getResult(0).getType()),
                          element)));
      } else {
        define(device, op->getResult(0), slice(operands[0], *starts, sizes));
      }
      return;
    }
  }
  if (isa<ReshapeOp>(op) && matchPattern(operands[0], m_Constant(&known)) &&
      known.isSplat()) {
    define(device, op->getResult(0),
           ConstantOp::create(
               b, DenseElementsAttr::get(
                      cast<RankedTensorType>(op->getResult(0).getType()),
                      known.getSplatValue<Attribute>())));
    return;
  }
  if (isa<SelectOp>(op) && matchPattern(operands[0], m_Constant(&known)) &&
      known.isSplat()) {
    define(device, op->getResult(0),
           known.getSplatValue<bool>() ? operands[1] : operands[2]);
    return;
  }
  b.clone(*op, mapping);
}

func::FuncOp Expansion::run(ArrayRef<Placed> operands,
                            ArrayRef<Value> results) {
  SmallVector<Type> types;
  for (const Placed &operand : operands)
    types.push_back(operand.type);
  SmallVector<Type> out;
  for (int64_t device = 0; device < mesh.devices; ++device)
    for (Value result : results)
      out.push_back(result.getType());
  auto function =
      func::FuncOp::create(b, "devices", b.getFunctionType(types, out));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  for (auto [operand, whole] : llvm::zip_equal(operands, entry->getArguments()))
    cutIntoShards(operand, whole);
  for (Value result : results)
    if (!reach(result))
      return nullptr;
  SmallVector<Value> returned;
  for (int64_t device = 0; device < mesh.devices; ++device)
    for (Value result : results)
      returned.push_back(of(device, result));
  func::ReturnOp::create(b, returned);
  return function;
}

func::FuncOp mercator::spmd::expandOverDevices(ModuleOp module,
                                               const Mesh &mesh,
                                               ArrayRef<Placed> operands,
                                               ArrayRef<Value> results,
                                               std::string &reason) {
  Expansion expansion(module, mesh);
  func::FuncOp function = expansion.run(operands, results);
  reason = std::move(expansion.reason);
  return function;
}
