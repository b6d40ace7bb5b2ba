// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Verify.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator::chlo;
using mercator::stablehlo::expectCount;
using mercator::stablehlo::expectDims;
using mercator::stablehlo::expectElement;
using mercator::stablehlo::expectExtents;
using mercator::stablehlo::expectShape;
using mercator::stablehlo::expectSorted;
using mercator::stablehlo::Extent;
using mercator::stablehlo::Extents;
using mercator::stablehlo::extentsAgree;
using mercator::stablehlo::extentsOf;
using mercator::stablehlo::typesAgree;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult mercator::chlo::detail::verifySameShape(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (auto operand = dyn_cast<RankedTensorType>(type); operand && result)
      if (failed(expectShape(op, "operand #" + std::to_string(i), operand,
                             result.getShape())))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
mercator::chlo::broadcastDims(int64_t operandRank, int64_t rank,
                              std::optional<ArrayRef<int64_t>> given) {
  if (given && operandRank != rank)
    return SmallVector<int64_t>(*given);
  return llvm::to_vector(llvm::seq(rank - operandRank, rank));
}

static LogicalResult verifyBroadcast(Operation *op,
                                     std::optional<ArrayRef<int64_t>> given) {
  auto result = tensorOf(op->getResult(0));
  int64_t rank = 0;
  for (Value operand : op->getOperands())
    rank = std::max(rank, tensorOf(operand).getRank());
  Extents all(rank, Extent::of(1));
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    RankedTensorType type = tensorOf(operand);
    if (given && type.getRank() != rank &&
        (failed(expectCount(op, "broadcast_dimensions", given->size(),
                            type.getRank())) ||
         failed(expectDims(op, "broadcast_dimensions", *given, rank)) ||
         failed(expectSorted(op, "broadcast_dimensions", *given))))
      return failure();
    for (auto [extent, dim] :
         llvm::zip(extentsOf(type), broadcastDims(type.getRank(), rank, given)))
      if (std::optional<Extent> both = broadcastExtent(all[dim], extent))
        all[dim] = *both;
      else
        return op->emitOpError()
               << "expected operand #" << i << " of extent " << all[dim].size
               << " or 1 where the result has dimension " << dim << ", got "
               << extent.size;
  }
  return expectExtents(op, "result", result, all);
}

#define MERCATOR_BROADCAST(OP)                                                 \
  LogicalResult OP::verify() {                                                 \
    return verifyBroadcast(*this, getBroadcastDimensions());                   \
  }
MERCATOR_BROADCAST(BroadcastAddOp)
MERCATOR_BROADCAST(BroadcastAndOp)
MERCATOR_BROADCAST(BroadcastAtan2Op)
MERCATOR_BROADCAST(BroadcastDivOp)
MERCATOR_BROADCAST(BroadcastMaxOp)
MERCATOR_BROADCAST(BroadcastMinOp)
MERCATOR_BROADCAST(BroadcastMulOp)
MERCATOR_BROADCAST(BroadcastNextAfterOp)
MERCATOR_BROADCAST(BroadcastOrOp)
MERCATOR_BROADCAST(BroadcastPolygammaOp)
MERCATOR_BROADCAST(BroadcastPowOp)
MERCATOR_BROADCAST(BroadcastRemOp)
MERCATOR_BROADCAST(BroadcastShiftLeftOp)
MERCATOR_BROADCAST(BroadcastShiftRightArithmeticOp)
MERCATOR_BROADCAST(BroadcastShiftRightLogicalOp)
MERCATOR_BROADCAST(BroadcastSubOp)
MERCATOR_BROADCAST(BroadcastXorOp)
MERCATOR_BROADCAST(BroadcastZetaOp)
#undef MERCATOR_BROADCAST

LogicalResult BroadcastCompareOp::verify() {
  if (failed(expectElement(*this, "operand #1", tensorOf(getRhs()),
                           tensorOf(getLhs()))))
    return failure();
  return verifyBroadcast(*this, getBroadcastDimensions());
}

LogicalResult BroadcastComplexOp::verify() {
  auto result = cast<ComplexType>(tensorOf(getResult()).getElementType());
  for (auto [i, operand] : llvm::enumerate(getOperands()))
    if (tensorOf(operand).getElementType() != result.getElementType())
      return emitOpError() << "expected operand #" << i << " of element type "
                           << result.getElementType() << ", got "
                           << tensorOf(operand).getElementType();
  return verifyBroadcast(*this, getBroadcastDimensions());
}

LogicalResult BroadcastSelectOp::verify() {
  for (auto [i, operand] : llvm::enumerate(getOperands().drop_front()))
    if (failed(expectElement(*this, "operand #" + std::to_string(i + 1),
                             tensorOf(operand), tensorOf(getResult()))))
      return failure();
  return verifyBroadcast(*this, std::nullopt);
}

//===----------------------------------------------------------------------===//
// Constants and integers
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (getValue().getType() == getOutput().getType())
    return success();
  return emitOpError() << "expected result of type " << getValue().getType()
                       << " as its value has, got " << getOutput().getType();
}

LogicalResult ConstantLikeOp::verify() {
  Type element = tensorOf(getResult()).getElementType();
  if (getValue().getType() == element)
    return success();
  return emitOpError() << "expected value of type " << element << ", got "
                       << getValue().getType();
}

LogicalResult MulhiOp::verify() {
  Type element = tensorOf(getResult()).getElementType();
  if (!element.isInteger(1))
    return success();
  return emitOpError() << "expected integers of at least 2 bits, got "
                       << element;
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::verify() {
  RankedTensorType operand = tensorOf(getOperand());
  int64_t k = getK();
  if (k < 0)
    return emitOpError() << "expected k of at least 0, got " << k;
  if (operand.getRank() == 0)
    return emitOpError() << "expected operand of rank at least 1, got "
                         << operand;
  int64_t last = operand.getShape().back();
  if (!ShapedType::isDynamic(last) && last < k)
    return emitOpError()
           << "expected operand whose last dimension has at least k = " << k
           << " elements, got " << last;
  SmallVector<int64_t> shape(operand.getShape());
  shape.back() = k;
  RankedTensorType values = tensorOf(getValues()),
                   indices = tensorOf(getIndices());
  if (failed(expectShape(*this, "values", values, shape)) ||
      failed(expectShape(*this, "indices", indices, shape)) ||
      failed(expectElement(*this, "values", values, operand)))
    return failure();
  if (!indices.getElementType().isSignlessInteger(32))
    return emitOpError() << "expected indices of element type i32, got "
                         << indices.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// ragged_dot
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> without(int64_t rank, ArrayRef<int64_t> a,
                                    ArrayRef<int64_t> b,
                                    ArrayRef<int64_t> c = {}) {
  SmallVector<int64_t> rest;
  for (int64_t dim : llvm::seq(rank))
    if (!llvm::is_contained(a, dim) && !llvm::is_contained(b, dim) &&
        !llvm::is_contained(c, dim))
      rest.push_back(dim);
  return rest;
}

RaggedDotShapes mercator::chlo::raggedDotShapes(RaggedDotOp op) {
  RaggedDotDimensionNumbersAttr dims = op.getRaggedDotDimensionNumbers();
  ArrayRef<int64_t> lhs = tensorOf(op.getLhs()).getShape(),
                    rhs = tensorOf(op.getRhs()).getShape(),
                    batch = dims.getLhsBatchingDimensions(),
                    contracting = dims.getLhsContractingDimensions();
  int64_t ragged = dims.getLhsRaggedDimensions().front();
  RaggedDotShapes shapes;
  using Mode = RaggedDotShapes::Mode;
  shapes.groups = tensorOf(op.getGroupSizes()).getShape().back();
  shapes.lhsFree = without(lhs.size(), batch, contracting);
  shapes.rhsFree =
      without(rhs.size(), dims.getRhsBatchingDimensions(),
              dims.getRhsContractingDimensions(), dims.getRhsGroupDimensions());
  shapes.mode = llvm::is_contained(batch, ragged)         ? Mode::Batch
                : llvm::is_contained(contracting, ragged) ? Mode::Contracting
                                                          : Mode::Rows;
  ArrayRef<int64_t> before = shapes.mode == Mode::Batch ? batch
                             : shapes.mode == Mode::Contracting
                                 ? contracting
                                 : shapes.lhsFree;
  if (shapes.mode != Mode::Batch)
    shapes.prefix.append(batch.begin(), batch.end());
  for (int64_t dim : before) {
    if (dim == ragged)
      break;
    shapes.prefix.push_back(dim);
  }
  if (shapes.mode == Mode::Contracting)
    shapes.result.push_back(shapes.groups);
  for (int64_t dim : batch)
    shapes.result.push_back(lhs[dim]);
  for (int64_t dim : shapes.lhsFree)
    shapes.result.push_back(lhs[dim]);
  for (int64_t dim : shapes.rhsFree)
    shapes.result.push_back(rhs[dim]);
  return shapes;
}

LogicalResult RaggedDotOp::verify() {
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  RankedTensorType lhs = tensorOf(getLhs()), rhs = tensorOf(getRhs()),
                   sizes = tensorOf(getGroupSizes());
  auto joined = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                   ArrayRef<int64_t> c = {}) {
    return llvm::to_vector(llvm::concat<const int64_t>(a, b, c));
  };
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions(),
                    rhsBatch = dims.getRhsBatchingDimensions(),
                    lhsContracting = dims.getLhsContractingDimensions(),
                    rhsContracting = dims.getRhsContractingDimensions(),
                    group = dims.getRhsGroupDimensions();
  if (failed(expectCount(*this, "rhs_batching_dimensions", rhsBatch.size(),
                         lhsBatch.size())) ||
      failed(expectCount(*this, "rhs_contracting_dimensions",
                         rhsContracting.size(), lhsContracting.size())) ||
      failed(expectDims(*this, "lhs batching and contracting dimensions",
                        joined(lhsBatch, lhsContracting), lhs.getRank())) ||
      failed(expectDims(*this, "rhs batching, contracting and group dimensions",
                        joined(rhsBatch, rhsContracting, group),
                        rhs.getRank())) ||
      failed(expectCount(*this, "lhs_ragged_dimensions",
                         dims.getLhsRaggedDimensions().size(), 1)) ||
      failed(expectDims(*this, "lhs_ragged_dimensions",
                        dims.getLhsRaggedDimensions(), lhs.getRank())))
    return failure();
  for (auto [name, a, b] : {std::tuple("batching", lhsBatch, rhsBatch),
                            {"contracting", lhsContracting, rhsContracting}})
    for (auto [i, j] : llvm::zip(a, b))
      if (!extentsAgree(lhs.getDimSize(i), rhs.getDimSize(j)))
        return emitOpError()
               << "expected " << name << " dimensions of the same size, got "
               << lhs.getDimSize(i) << " and " << rhs.getDimSize(j);
  if (sizes.getRank() == 0)
    return emitOpError() << "expected group_sizes of rank at least 1, got "
                         << sizes;

  RaggedDotShapes shapes = raggedDotShapes(*this);
  if (failed(expectCount(*this, "rhs_group_dimensions", group.size(),
                         shapes.mode == RaggedDotShapes::Mode::Rows)))
    return failure();
  if (sizes.getRank() > 1 || shapes.prefix.empty()) {
    SmallVector<int64_t> expected;
    for (int64_t dim : shapes.prefix)
      expected.push_back(lhs.getDimSize(dim));
    expected.push_back(shapes.groups);
    if (failed(expectShape(*this, "group_sizes", sizes, expected)))
      return failure();
  }
  for (int64_t dim : group)
    if (!extentsAgree(rhs.getDimSize(dim), shapes.groups))
      return emitOpError() << "expected a group dimension of size "
                           << shapes.groups << " in rhs, got "
                           << rhs.getDimSize(dim);
  if (auto precision = getPrecisionConfig())
    if (failed(expectCount(*this, "precision_config", precision->size(), 2)))
      return failure();
  return expectShape(*this, "result", tensorOf(getResult()), shapes.result);
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

int64_t ScanOp::getStepCount() {
  int64_t dimension = getDimension();
  if (std::optional<uint64_t> size = getScanDimSize())
    return *size;
  for (Value value : llvm::concat<Value>(getInputs(), getOutputs()))
    if (int64_t extent = tensorOf(value).getDimSize(dimension);
        !ShapedType::isDynamic(extent))
      return extent;
  return ShapedType::kDynamic;
}

LogicalResult ScanOp::verify() {
  if (getInputs().empty() && getOutputs().empty())
    return emitOpError() << "expected an input or an output, got neither";
  int64_t dimension = getDimension();
  for (auto [what, values] : {std::pair("input #", ValueRange(getInputs())),
                              {"output #", ValueRange(getOutputs())}})
    for (auto [i, value] : llvm::enumerate(values))
      if (dimension >= tensorOf(value).getRank())
        return emitOpError()
               << "expected " << what << i << " of rank above dimension "
               << dimension << ", got " << value.getType();

  int64_t steps = getStepCount();
  auto slice = [&](Value value) -> RankedTensorType {
    stablehlo::Extents extents = stablehlo::extentsOf(value);
    extents.erase(extents.begin() + dimension);
    return stablehlo::tensorOf(extents, tensorOf(value).getElementType());
  };
  for (auto [what, values] : {std::pair("input #", ValueRange(getInputs())),
                              {"output #", ValueRange(getOutputs())}})
    for (auto [i, value] : llvm::enumerate(values))
      if (!extentsAgree(tensorOf(value).getDimSize(dimension), steps))
        return emitOpError()
               << "expected " << what << i << " of extent " << steps
               << " along dimension " << dimension << ", got "
               << tensorOf(value).getDimSize(dimension);
  for (auto [i, init, carry] : llvm::enumerate(getInits(), getCarries()))
    if (!typesAgree(init.getType(), carry.getType()))
      return emitOpError() << "expected carry #" << i << " of type "
                           << init.getType() << ", got " << carry.getType();

  Block &block = getBody().front();
  SmallVector<Type> arguments, returned;
  for (Value value : getInputs())
    arguments.push_back(slice(value));
  llvm::append_range(arguments, getInits().getTypes());
  for (Value value : getOutputs())
    returned.push_back(slice(value));
  llvm::append_range(returned, getCarries().getTypes());
  if (failed(stablehlo::expectTypes(*this, "body arguments",
                                    block.getArgumentTypes(), arguments)))
    return failure();
  auto terminator = block.mightHaveTerminator()
                        ? dyn_cast<stablehlo::ReturnOp>(block.back())
                        : stablehlo::ReturnOp();
  if (!terminator)
    return emitOpError() << "expected a body that ends in stablehlo.return";
  return stablehlo::expectTypes(*this, "values returned by the body",
                                terminator->getOperandTypes(), returned);
}
