// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, elementwise operations, data movement.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/DotAlgorithms.h"
#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static StringRef elementwiseName(Opcode opcode) {
  switch (opcode) {
#define STABLEHLO(OPCODE, NAME)                                                \
  case Opcode::OPCODE:                                                         \
    return NAME;
#include "mercator/frontends/hlo/Elementwise.def"
  default:
    return "";
  }
}

/// The names of the functions that StableHLO leaves to chlo.
static StringRef chloName(Opcode opcode) {
  switch (opcode) {
#define CHLO(OPCODE, NAME)                                                     \
  case Opcode::OPCODE:                                                         \
    return NAME;
#include "mercator/frontends/hlo/Elementwise.def"
  default:
    return "";
  }
}

std::optional<RegisteredOperationName>
ModuleImporter::elementwise(Opcode opcode) {
  std::optional<RegisteredOperationName> &slot =
      elementwiseNames[unsigned(opcode)];
  if (slot)
    return slot;
  if (StringRef name = elementwiseName(opcode); !name.empty())
    slot =
        RegisteredOperationName::lookup(("stablehlo." + name).str(), &context);
  else if (StringRef name = chloName(opcode); !name.empty())
    slot = RegisteredOperationName::lookup(("chlo." + name).str(), &context);
  return slot;
}

/// Broadcasts scalar operands to the extents of the result. In StableHLO only
/// the pred of select and the bounds of clamp may be scalars.
static void broadcastScalars(OpBuilder &b, Location where, Opcode opcode,
                             RankedTensorType result,
                             MutableArrayRef<Value> operands) {
  if (result.getRank() == 0)
    return;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool mayBeScalar = (opcode == Opcode::Select && i == 0) ||
                       (opcode == Opcode::Clamp && i != 1);
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getRank() == 0 && !mayBeScalar)
      operand = stablehlo::BroadcastInDimOp::create(
          b, where, result.clone(type.getElementType()), operand,
          ArrayRef<int64_t>());
  }
}

/// The type of a comparison in StableHLO: `type=TOTALORDER`, or `order=TOTAL`,
/// which says nothing new of integers. Nothing if the text has neither.
static FailureOr<stablehlo::ComparisonTypeAttr>
comparisonType(MLIRContext *context, StringRef typeWord, StringRef orderWord,
               Type element) {
  auto type = stablehlo::symbolizeComparisonType(typeWord);
  if (!typeWord.empty() && !type)
    return failure();
  if (!orderWord.empty() && !isa<IntegerType>(element))
    type = orderWord.starts_with("TOTAL")
               ? stablehlo::ComparisonType::TOTALORDER
               : stablehlo::ComparisonType::FLOAT;
  return type ? stablehlo::ComparisonTypeAttr::get(context, *type)
              : stablehlo::ComparisonTypeAttr();
}

Operation *BodyImporter::buildElementwise() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  SmallVector<Value> values = operands();
  broadcastScalars(b, shared.locationOf(*instruction, /*named=*/false),
                   instruction->opcode, cast<RankedTensorType>(resultType()),
                   values);
  if (instruction->opcode == Opcode::ReducePrecision)
    return stablehlo::ReducePrecisionOp::create(
        b, loc, resultType(), values[0],
        attrs->integer(AttrName::ExponentBits, 0),
        attrs->integer(AttrName::MantissaBits, 0));
  if (instruction->opcode == Opcode::Compare) {
    auto direction = stablehlo::symbolizeComparisonDirection(
        attrs->text(AttrName::Direction));
    if (!direction)
      return nullptr;
    auto type = comparisonType(&shared.context, attrs->text(AttrName::Type),
                               attrs->text(AttrName::Order),
                               getElementTypeOrSelf(values[0].getType()));
    if (failed(type))
      return nullptr;
    return stablehlo::CompareOp::create(
        b, loc, resultType(), values[0], values[1],
        stablehlo::ComparisonDirectionAttr::get(&shared.context, *direction),
        *type);
  }
  OperationState state(loc, *shared.elementwise(instruction->opcode));
  state.addOperands(values);
  state.addTypes(resultType());
  return b.create(state);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Operation *BodyImporter::buildLiteral(const Literal &literal, Location where) {
  if (literal.shape->isTuple()) {
    SmallVector<Value> members;
    Location inner = shared.locationOf(*instruction, /*named=*/false);
    for (const Literal *member : literal.elements) {
      Operation *op = buildLiteral(*member, inner);
      if (!op)
        return nullptr;
      members.push_back(op->getResult(0));
    }
    return stablehlo::TupleOp::create(b, where, shared.typeOf(*literal.shape),
                                      members);
  }
  if (!literal.shape->isArray())
    return nullptr;
  ElementsAttr value = shared.elementsOf(literal);
  return stablehlo::ConstantOp::create(b, where, shared.typeOf(*literal.shape),
                                       value);
}

Operation *BodyImporter::buildConstant() {
  const Literal *literal = instruction->literal;
  // An elided tuple has no members.
  if (!literal || (literal->elided && !literal->shape->isArray()))
    return nullptr;
  return buildLiteral(*literal, loc);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

Operation *BodyImporter::buildMovement() {
  if (instruction->opcode == Opcode::Copy)
    return CopyOp::create(b, loc, resultType(), operand(0));
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  ArrayRef<int64_t> dimensions = attrs->ints(AttrName::Dimensions);
  switch (instruction->opcode) {
  case Opcode::Iota:
    return stablehlo::IotaOp::create(
        b, loc, resultType(), attrs->integer(AttrName::IotaDimension, 0));
  case Opcode::Broadcast:
    return stablehlo::BroadcastInDimOp::create(b, loc, resultType(), operand(0),
                                               dimensions);
  case Opcode::Reshape:
    return stablehlo::ReshapeOp::create(b, loc, resultType(), operand(0));
  case Opcode::Transpose:
    return stablehlo::TransposeOp::create(b, loc, resultType(), operand(0),
                                          dimensions);
  case Opcode::Reverse:
    return stablehlo::ReverseOp::create(b, loc, resultType(), operand(0),
                                        dimensions);
  case Opcode::Concatenate:
    if (dimensions.size() != 1)
      return nullptr;
    return stablehlo::ConcatenateOp::create(b, loc, resultType(), operands(),
                                            dimensions[0]);
  case Opcode::Bitcast:
    return BitcastOp::create(b, loc, resultType(), operand(0));
  case Opcode::BitcastConvert:
    return stablehlo::BitcastConvertOp::create(b, loc, resultType(),
                                               operand(0));
  case Opcode::DynamicReshape: {
    // One scalar for each extent; the specification wants one tensor of them.
    Location where = shared.locationOf(*instruction, /*named=*/false);
    SmallVector<Value> extents;
    for (Value extent : operands(1)) {
      auto type = cast<RankedTensorType>(extent.getType());
      if (type.getRank() != 0)
        return nullptr;
      extents.push_back(stablehlo::ReshapeOp::create(
          b, where, RankedTensorType::get({1}, type.getElementType()), extent));
    }
    if (extents.empty())
      return nullptr;
    auto type = RankedTensorType::get(
        {int64_t(extents.size())},
        cast<RankedTensorType>(extents[0].getType()).getElementType());
    Value shape = stablehlo::ConcatenateOp::create(b, where, type, extents,
                                                   /*dimension=*/0);
    return stablehlo::DynamicReshapeOp::create(b, loc, resultType(), operand(0),
                                               shape);
  }
  case Opcode::GetDimensionSize:
    if (dimensions.size() != 1)
      return nullptr;
    return stablehlo::GetDimensionSizeOp::create(b, loc, resultType(),
                                                 operand(0), dimensions[0]);
  case Opcode::SetDimensionSize:
    if (dimensions.size() != 1)
      return nullptr;
    return stablehlo::SetDimensionSizeOp::create(
        b, loc, resultType(), operand(0), operand(1), dimensions[0]);
  default:
    return nullptr;
  }
}

Operation *BodyImporter::buildWindowed() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  const Shape &operandShape =
      *computation.instructions[instruction->operands[0]].shape;
  // Very old text has the start indices in one vector.
  auto startsAreScalars = [&](unsigned first) {
    return llvm::all_of(
               instruction->operands.drop_front(first),
               [&](uint32_t index) {
                 return computation.instructions[index].shape->isScalar();
               }) &&
           instruction->operands.size() - first == operandShape.rank();
  };
  switch (instruction->opcode) {
  case Opcode::Slice: {
    const Attribute *slice = attrs->find(AttrName::Slice);
    if (!slice)
      return nullptr;
    SmallVector<int64_t> starts, limits, strides;
    for (const SliceDim &dim : slice->slices()) {
      starts.push_back(dim.start);
      limits.push_back(dim.limit);
      strides.push_back(dim.stride);
    }
    return stablehlo::SliceOp::create(b, loc, resultType(), operand(0), starts,
                                      limits, strides);
  }
  case Opcode::DynamicSlice:
    if (!startsAreScalars(1))
      return nullptr;
    return stablehlo::DynamicSliceOp::create(
        b, loc, resultType(), operand(0), operands(1),
        attrs->ints(AttrName::DynamicSliceSizes));
  case Opcode::DynamicUpdateSlice:
    if (!startsAreScalars(2))
      return nullptr;
    return stablehlo::DynamicUpdateSliceOp::create(
        b, loc, resultType(), operand(0), operand(1), operands(2));
  case Opcode::Pad: {
    const Attribute *padding = attrs->find(AttrName::Padding);
    SmallVector<int64_t> low, high, interior;
    if (padding)
      for (const PadDim &dim : padding->padding()) {
        low.push_back(dim.low);
        high.push_back(dim.high);
        interior.push_back(dim.interior);
      }
    return stablehlo::PadOp::create(b, loc, resultType(), operand(0),
                                    operand(1), low, high, interior);
  }
  default:
    return nullptr;
  }
}

Operation *BodyImporter::buildGather() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(
      &shared.context, attrs->ints(AttrName::OffsetDims),
      attrs->ints(AttrName::CollapsedSliceDims),
      attrs->ints(AttrName::OperandBatchingDims),
      attrs->ints(AttrName::StartIndicesBatchingDims),
      attrs->ints(AttrName::StartIndexMap),
      attrs->integer(AttrName::IndexVectorDim, 0));
  return stablehlo::GatherOp::create(b, loc, resultType(), operand(0),
                                     operand(1), numbers,
                                     attrs->ints(AttrName::SliceSizes),
                                     attrs->flag(AttrName::IndicesAreSorted));
}

//===----------------------------------------------------------------------===//
// Dots and matrices
//===----------------------------------------------------------------------===//

/// Null if the text has no precision, or a precision unknown to StableHLO.
ArrayAttr BodyImporter::precision(ArrayRef<StringRef> words) {
  SmallVector<mlir::Attribute> values;
  for (StringRef word : words) {
    auto value = stablehlo::symbolizePrecision(word.upper());
    if (!value)
      return {};
    values.push_back(stablehlo::PrecisionAttr::get(&shared.context, *value));
  }
  return values.empty() ? ArrayAttr() : b.getArrayAttr(values);
}

Operation *BodyImporter::buildProduct() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      &shared.context, attrs->ints(AttrName::LhsBatchDims),
      attrs->ints(AttrName::RhsBatchDims),
      attrs->ints(AttrName::LhsContractingDims),
      attrs->ints(AttrName::RhsContractingDims));
  ArrayAttr precisions;
  if (const Attribute *words = instruction->find(AttrName::OperandPrecision))
    if ((precisions = precision(words->words())))
      attrs->skip(AttrName::OperandPrecision);
  stablehlo::DotAlgorithmAttr algorithm;
  if (instruction->find(AttrName::Algorithm)) {
    algorithm = stablehlo::algorithmOfHlo(attrs->text(AttrName::Algorithm),
                                          getElementTypeOrSelf(operand(0)),
                                          getElementTypeOrSelf(operand(1)));
    if (algorithm) {
      attrs->skip(AttrName::Algorithm);
      precisions = {}; // an algorithm replaces it
    }
  }
  return stablehlo::DotGeneralOp::create(b, loc, resultType(), operand(0),
                                         operand(1), numbers, precisions,
                                         algorithm);
}

Operation *BodyImporter::buildRaggedProduct() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  auto numbers = chlo::RaggedDotDimensionNumbersAttr::get(
      &shared.context, attrs->ints(AttrName::LhsBatchDims),
      attrs->ints(AttrName::RhsBatchDims),
      attrs->ints(AttrName::LhsContractingDims),
      attrs->ints(AttrName::RhsContractingDims),
      attrs->ints(AttrName::LhsRaggedDims),
      attrs->ints(AttrName::RhsGroupDims));
  return chlo::RaggedDotOp::create(b, loc, resultType(), operand(0), operand(1),
                                   operand(2), numbers,
                                   /*precision_config=*/ArrayAttr());
}

Operation *BodyImporter::buildTopK() {
  SmallVector<Type> types = resultTypes();
  const Shape &shape =
      *computation.instructions[instruction->operands[0]].shape;
  // chlo supports only the largest elements.
  if (!attrs->flag(AttrName::Largest, true) || types.size() != 2 ||
      !shape.isArray() || shape.rank() == 0)
    return nullptr;
  return chlo::TopKOp::create(b, loc, types, operand(0),
                              attrs->integer(AttrName::K, 0),
                              attrs->flag(AttrName::IsStable, true));
}

/// The element type in which XLA computes an instruction with mixed types: the
/// more general kind, and within a kind the wider type.
static Type higherPrecision(Type a, Type b) {
  auto rank = [](Type type) {
    if (auto complex = dyn_cast<ComplexType>(type))
      return std::pair(3, complex.getElementType().getIntOrFloatBitWidth());
    return std::pair(isa<FloatType>(type) ? 2
                     : type.isInteger(1)  ? 0
                                          : 1,
                     type.getIntOrFloatBitWidth());
  };
  return rank(a) < rank(b) ? b : a;
}

/// Converts tensors to the element type of the highest precision among them.
/// HLO mixes element types where StableHLO does not.
void BodyImporter::unifyElementTypes(MutableArrayRef<Value> values) {
  Type highest;
  for (Value value : values) {
    Type own = cast<RankedTensorType>(value.getType()).getElementType();
    highest = highest ? higherPrecision(highest, own) : own;
  }
  for (Value &value : values) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() != highest)
      value = stablehlo::ConvertOp::create(
          b, shared.locationOf(*instruction, /*named=*/false),
          type.clone(highest), value);
  }
}

Operation *BodyImporter::buildConvolution() {
  if (!instruction->shape->isArray() || !operandsAreArrays())
    return nullptr;
  const Attribute *labelsAttr = attrs->find(AttrName::DimLabels);
  if (!labelsAttr)
    return nullptr;
  const ConvLabels &labels = labelsAttr->convLabels();
  auto numbers = stablehlo::ConvDimensionNumbersAttr::get(
      &shared.context, labels.lhs.batch, labels.lhs.feature, labels.lhs.spatial,
      labels.rhs.feature, labels.rhs.batch, labels.rhs.spatial,
      labels.result.batch, labels.result.feature, labels.result.spatial);

  SmallVector<int64_t> strides, padding, baseDilations, windowDilations;
  SmallVector<bool> reversal;
  if (const Attribute *window = attrs->find(AttrName::Window))
    for (const WindowDim &dim : window->window()) {
      strides.push_back(dim.stride);
      padding.append({dim.padLow, dim.padHigh});
      baseDilations.push_back(dim.baseDilation);
      windowDilations.push_back(dim.windowDilation);
      reversal.push_back(dim.reversed);
    }
  auto unlessAll = [&](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; })
               ? DenseI64ArrayAttr()
               : b.getDenseI64ArrayAttr(values);
  };
  DenseIntElementsAttr paddingAttr;
  if (llvm::any_of(padding, [](int64_t p) { return p != 0; }))
    paddingAttr = DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(padding.size() / 2), 2}, b.getI64Type()),
        padding);
  ArrayAttr precisions;
  if (const Attribute *words = instruction->find(AttrName::OperandPrecision))
    if ((precisions = precision(words->words())))
      attrs->skip(AttrName::OperandPrecision);
  SmallVector<Value> sides = operands();
  unifyElementTypes(sides);
  return stablehlo::ConvolutionOp::create(
      b, loc, resultType(), sides[0], sides[1], unlessAll(strides, 1),
      paddingAttr, unlessAll(baseDilations, 1), unlessAll(windowDilations, 1),
      llvm::is_contained(reversal, true) ? b.getDenseBoolArrayAttr(reversal)
                                         : DenseBoolArrayAttr(),
      numbers,
      b.getI64IntegerAttr(attrs->integer(AttrName::FeatureGroupCount, 1)),
      b.getI64IntegerAttr(attrs->integer(AttrName::BatchGroupCount, 1)),
      precisions);
}

Operation *BodyImporter::buildMatrix() {
  if (!operandsAreArrays())
    return nullptr;
  switch (instruction->opcode) {
  case Opcode::Cholesky:
    return stablehlo::CholeskyOp::create(b, loc, resultType(), operand(0),
                                         attrs->flag(AttrName::Lower));
  case Opcode::TriangularSolve: {
    StringRef word = attrs->text(AttrName::TransposeA);
    auto transpose =
        stablehlo::symbolizeTranspose(word.empty() ? "NO_TRANSPOSE" : word);
    if (!transpose)
      return nullptr;
    return stablehlo::TriangularSolveOp::create(
        b, loc, resultType(), operand(0), operand(1),
        attrs->flag(AttrName::LeftSide), attrs->flag(AttrName::Lower),
        attrs->flag(AttrName::UnitDiagonal), *transpose);
  }
  case Opcode::Fft: {
    auto type = stablehlo::symbolizeFftType(attrs->text(AttrName::FftType));
    if (!type)
      return nullptr;
    return stablehlo::FftOp::create(b, loc, resultType(), operand(0), *type,
                                    attrs->ints(AttrName::FftLength));
  }
  default:
    break;
  }
  const Attribute *epsilonAttr = attrs->find(AttrName::Epsilon);
  FloatAttr epsilon =
      b.getF32FloatAttr(epsilonAttr ? float(epsilonAttr->real) : 0.0f);
  IntegerAttr feature =
      b.getI64IntegerAttr(attrs->integer(AttrName::FeatureIndex, 0));
  OperationState state(
      loc, instruction->opcode == Opcode::BatchNormGrad
               ? stablehlo::BatchNormGradOp::getOperationName()
           : instruction->opcode == Opcode::BatchNormTraining
               ? stablehlo::BatchNormTrainingOp::getOperationName()
               : stablehlo::BatchNormInferenceOp::getOperationName());
  state.addOperands(operands());
  state.addTypes(resultTypes());
  state.addAttribute("epsilon", epsilon);
  state.addAttribute("feature_index", feature);
  return b.create(state);
}
