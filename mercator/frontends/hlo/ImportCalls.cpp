// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuples, and instructions that contain or name another computation.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/frontends/calls/LibraryCalls.h"
#include "mercator/frontends/hlo/Importer.h"
#include "mercator/frontends/hlo/ValueReader.h"
#include "mercator/frontends/stablehlo/Limits.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

Operation *BodyImporter::buildTuple() {
  if (instruction->opcode == Opcode::Tuple) {
    members = operands();
    return stablehlo::TupleOp::create(b, loc, resultType(), members);
  }
  int64_t index = attrs->integer(AttrName::Index, 0);
  const Imported &source = values[instruction->operands[0]];
  if (source.isSplit && index >= 0 && index < int64_t(source.elements.size()))
    return ElementOp::create(b, loc, resultType(), source.elements[index],
                             index);
  return stablehlo::GetTupleElementOp::create(b, loc, resultType(), operand(0),
                                              index);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void BodyImporter::fillRegion(Operation *op, Region &region, AttrName name,
                              TypeRange builtinTypes) {
  const ComputationRef *callee = attrs->called(name);
  Block &inner = region.emplaceBlock();
  Location where = shared.locationOf(*instruction, /*named=*/false);
  if (!callee)
    return;
  if (name == AttrName::ToApply)
    op->setAttr(kToApplyAttr, b.getStringAttr(callee->name));
  if (callee->index == kNone) {
    // `to_apply=max`: accumulators, then elements, combined in pairs.
    std::optional<RegisteredOperationName> operation =
        callee->builtin ? shared.elementwise(*callee->builtin) : std::nullopt;
    SmallVector<Type> scalars;
    for (Type type : builtinTypes)
      scalars.push_back(RankedTensorType::get(
          {}, cast<RankedTensorType>(type).getElementType()));
    for (int side = 0; side < 2; ++side)
      for (Type scalar : scalars)
        inner.addArgument(scalar, where);
    OpBuilder builder = OpBuilder::atBlockEnd(&inner);
    SmallVector<Value> results;
    for (auto [i, scalar] : llvm::enumerate(scalars)) {
      if (!operation)
        break;
      OperationState state(where, *operation);
      state.addOperands(
          {inner.getArgument(i), inner.getArgument(i + scalars.size())});
      state.addTypes(scalar);
      results.push_back(builder.create(state)->getResult(0));
    }
    stablehlo::ReturnOp::create(builder, where, results);
    return;
  }
  const Computation &called = shared.module.computations[callee->index];
  if (depth + 1 >= kMaxBodyDepth) {
    (void)shared.error(instruction->loc,
                       "expected computations nested less than " +
                           llvm::Twine(kMaxBodyDepth) + " deep");
    failedInside = true;
    return;
  }
  for (uint32_t parameter : called.parameters) {
    const Instruction &source = called.instructions[parameter];
    inner.addArgument(shared.typeOf(*source.shape), shared.locationOf(source));
  }
  BodyKind bodyKind = isa<FusionOp>(op) ? BodyKind::Fusion : BodyKind::Region;
  if (failed(BodyImporter(shared, called, inner, bodyKind, depth + 1).run()))
    failedInside = true;
}

Operation *BodyImporter::buildReduction() {
  if (!operandsAreArrays())
    return nullptr;
  SmallVector<Value> all = operands();
  ArrayRef<Value> inputs = ArrayRef(all).take_front(all.size() / 2);
  ArrayRef<Value> inits = ArrayRef(all).drop_front(all.size() / 2);
  if (instruction->opcode == Opcode::Map) {
    // StableHLO does not mix scalars with other tensors here.
    if (llvm::any_of(all, [&](Value operand) {
          auto type = cast<RankedTensorType>(operand.getType());
          return type.getRank() != int64_t(instruction->shape->rank());
        }))
      return nullptr;
    // HLO maps over every dimension, and the text may omit them.
    SmallVector<int64_t> dimensions(attrs->ints(AttrName::Dimensions));
    if (dimensions.empty())
      dimensions =
          llvm::to_vector(llvm::seq<int64_t>(0, instruction->shape->rank()));
    auto op = stablehlo::MapOp::create(b, loc, resultType(), all, dimensions);
    fillRegion(op, op.getComputation(), AttrName::ToApply,
               ValueRange(all).getTypes());
    return op;
  }
  if (instruction->opcode == Opcode::Reduce) {
    auto op = stablehlo::ReduceOp::create(b, loc, resultTypes(), inputs, inits,
                                          attrs->ints(AttrName::Dimensions));
    fillRegion(op, op.getBody(), AttrName::ToApply,
               ValueRange(inits).getTypes());
    return op;
  }

  SmallVector<int64_t> sizes, strides, padding, baseDilations, windowDilations;
  const Attribute *window = attrs->find(AttrName::Window);
  if (window)
    for (const WindowDim &dim : window->window()) {
      sizes.push_back(dim.size);
      strides.push_back(dim.stride);
      padding.append({dim.padLow, dim.padHigh});
      baseDilations.push_back(dim.baseDilation);
      windowDilations.push_back(dim.windowDilation);
    }
  auto unlessAll = [&](ArrayRef<int64_t> values) -> stablehlo::I64ArrayAttr {
    return llvm::all_of(values, [](int64_t v) { return v == 1; })
               ? DenseI64ArrayAttr()
               : b.getDenseI64ArrayAttr(values);
  };
  stablehlo::I64ArrayAttr sizesAttr = b.getDenseI64ArrayAttr(sizes);
  DenseIntElementsAttr paddingAttr;
  if (llvm::any_of(padding, [](int64_t p) { return p != 0; }))
    paddingAttr = DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(padding.size() / 2), 2}, b.getI64Type()),
        padding);

  if (instruction->opcode == Opcode::SelectAndScatter) {
    auto op = stablehlo::SelectAndScatterOp::create(
        b, loc, resultType(), all[0], all[1], all[2], sizesAttr,
        unlessAll(strides), paddingAttr);
    Type element = all[0].getType();
    fillRegion(op, op.getSelect(), AttrName::Select, element);
    fillRegion(op, op.getScatter(), AttrName::Scatter, element);
    return op;
  }
  auto op = stablehlo::ReduceWindowOp::create(
      b, loc, resultTypes(), inputs, inits, sizesAttr, unlessAll(strides),
      unlessAll(baseDilations), unlessAll(windowDilations), paddingAttr);
  fillRegion(op, op.getBody(), AttrName::ToApply, ValueRange(inits).getTypes());
  return op;
}

Operation *BodyImporter::buildScatter() {
  if (!operandsAreArrays() || instruction->operands.size() % 2 == 0)
    return nullptr;
  unsigned inputs = instruction->operands.size() / 2;
  auto numbers = stablehlo::ScatterDimensionNumbersAttr::get(
      &shared.context, attrs->ints(AttrName::UpdateWindowDims),
      attrs->ints(AttrName::InsertedWindowDims),
      attrs->ints(AttrName::InputBatchingDims),
      attrs->ints(AttrName::ScatterIndicesBatchingDims),
      attrs->ints(AttrName::ScatterDimsToOperandDims),
      attrs->integer(AttrName::IndexVectorDim, 0));
  SmallVector<Value> into = operands(0, inputs);
  auto op = stablehlo::ScatterOp::create(
      b, loc, resultTypes(), into, operand(inputs), operands(inputs + 1),
      numbers, attrs->flag(AttrName::IndicesAreSorted),
      attrs->flag(AttrName::UniqueIndices));
  fillRegion(op, op.getUpdateComputation(), AttrName::ToApply,
             ValueRange(into).getTypes());
  return op;
}

Operation *BodyImporter::buildSort() {
  ArrayRef<int64_t> dimensions = attrs->ints(AttrName::Dimensions);
  const ComputationRef *comparator = attrs->called(AttrName::ToApply);
  if (!operandsAreArrays() || dimensions.size() != 1 || !comparator ||
      comparator->index == kNone)
    return nullptr;
  auto op =
      stablehlo::SortOp::create(b, loc, resultTypes(), operands(),
                                dimensions[0], attrs->flag(AttrName::IsStable));
  fillRegion(op, op.getComparator(), AttrName::ToApply, {});
  return op;
}

/// scan(inputs.., carries..): the body returns a slice of each output, then the
/// carries; chlo.scan is the same.
Operation *BodyImporter::buildScan() {
  ArrayRef<int64_t> dimensions = attrs->ints(AttrName::Dimensions);
  int64_t carries = attrs->integer(AttrName::NumCarries, 0);
  SmallVector<Type> types = resultTypes();
  const ComputationRef *callee = attrs->called(AttrName::ToApply);
  if (!operandsAreArrays() || dimensions.size() != 1 || !callee ||
      callee->index == kNone || carries < 0 ||
      carries >= int64_t(instruction->operands.size()) ||
      carries > int64_t(types.size()))
    return nullptr;
  unsigned inputs = instruction->operands.size() - carries;
  const Attribute *associative = attrs->find(AttrName::IsAssociative);
  auto op = chlo::ScanOp::create(
      b, loc, ArrayRef(types).drop_back(carries),
      ArrayRef(types).take_back(carries), operands(0, inputs), operands(inputs),
      b.getI64IntegerAttr(dimensions[0]),
      /*scan_dim_size=*/IntegerAttr(),
      b.getBoolAttr(attrs->flag(AttrName::IsReverse)),
      associative ? b.getBoolAttr(associative->integer != 0) : BoolAttr());
  fillRegion(op, op.getBody(), AttrName::ToApply, {});
  return op;
}

Operation *BodyImporter::buildFusion() {
  const ComputationRef *callee = attrs->called(AttrName::Calls);
  if (!callee || callee->index == kNone)
    return nullptr;
  auto op = FusionOp::create(b, loc, resultTypes(), operands(),
                             attrs->text(AttrName::Kind), callee->name);
  fillRegion(op, op.getBody(), AttrName::Calls, {});
  return op;
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

ArrayAttr BodyImporter::references(ArrayRef<ComputationRef> computations) {
  SmallVector<mlir::Attribute> symbols;
  for (const ComputationRef &callee : computations)
    if (callee.index != kNone)
      symbols.push_back(shared.reference(callee.index));
  return symbols.empty() ? ArrayAttr() : b.getArrayAttr(symbols);
}

/// The dictionary attribute that a text contains; null if it contains none.
static DictionaryAttr dictionaryOf(StringRef text, MLIRContext &context) {
  SourceBuffer source("backend_config", text.str());
  mercator::DiagnosticEngine unheard(llvm::nulls());
  if (failed(stablehlo::checkLimits(source, unheard)))
    return {};
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  return dyn_cast_or_null<DictionaryAttr>(
      parseAttribute(source.getText(), &context));
}

/// `{{0}: (1, {}), {1}: (0, {2})}`: result 0 aliases operand 1, and result 1
/// aliases member 2 of operand 0. Null for any other text.
static ArrayAttr readAliases(Builder &b, StringRef text, bool isTuple,
                             size_t results) {
  ValueReader reader{text};
  SmallVector<mlir::Attribute> aliases;
  if (!reader.consume("{"))
    return {};
  do {
    SmallVector<int64_t> result, member;
    int64_t operand;
    if (!reader.numbers("{", "}", result) || !reader.consume(":") ||
        !reader.consume("(") || !reader.number(operand) ||
        !reader.consume(",") || !reader.numbers("{", "}", member) ||
        !reader.consume(")"))
      return {};
    // A tuple of one member becomes the member.
    if (isTuple && results == 1 && !result.empty())
      result.erase(result.begin());
    aliases.push_back(stablehlo::OutputOperandAliasAttr::get(
        b.getContext(), result, operand, member));
  } while (reader.consume(","));
  return reader.consume("}") && reader.atEnd() ? b.getArrayAttr(aliases)
                                               : ArrayAttr();
}

/// Only buffers need their alias. For other values the alias does not change
/// the computation, and it is kept as text.
ArrayAttr BodyImporter::bufferAliases(TypeRange results) {
  const Attribute *attribute =
      instruction->find(AttrName::OutputToOperandAliasing);
  bool anyBuffer = false;
  for (Type result : results)
    result.walk([&](MemRefType) { anyBuffer = true; });
  if (!attribute || !anyBuffer)
    return {};
  ArrayAttr aliases = readAliases(
      b, attribute->text, instruction->shape->isTuple(), results.size());
  if (aliases)
    attrs->skip(AttrName::OutputToOperandAliasing);
  return aliases;
}

static calls::ConvolutionText convolutionOf(const hlo::Attribute &labels,
                                            const hlo::Attribute *window,
                                            const Instruction &instruction) {
  auto sideOf = [](const ConvLabels::Side &side) {
    return calls::ConvolutionText::Side{
        side.batch, side.feature, llvm::to_vector(side.spatial), side.rank};
  };
  calls::ConvolutionText text;
  text.input = sideOf(labels.convLabels().lhs);
  text.filter = sideOf(labels.convLabels().rhs);
  text.output = sideOf(labels.convLabels().result);
  if (window)
    for (const WindowDim &dim : window->window()) {
      text.sizes.push_back(dim.size);
      text.strides.push_back(dim.stride);
      text.padding.append({dim.padLow, dim.padHigh});
      text.inputDilation.push_back(dim.baseDilation);
      text.filterDilation.push_back(dim.windowDilation);
      text.reversal.push_back(dim.reversed);
    }
  text.featureGroups = instruction.integer(AttrName::FeatureGroupCount, 1);
  text.batchGroups = instruction.integer(AttrName::BatchGroupCount, 1);
  return text;
}

/// The attributes of a typed call within JSON:
/// `{"custom_call_backend_config":{"attributes":"{descending = true}"}}`.
static std::string typedAttributes(const hlo::Attribute &config) {
  constexpr StringLiteral kName = "custom_call_backend_config";
  // JSON's parser recurses once for each level.
  if (!config.text.contains(kName) || config.text.count('{') > 16 ||
      config.text.count('[') > 16)
    return {};
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(config.text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return {};
  }
  const llvm::json::Object *top = parsed->getAsObject();
  const llvm::json::Object *own = top ? top->getObject(kName) : nullptr;
  return own ? own->getString("attributes").value_or("").str() : "";
}

/// The attributes stay as they are written; the fusion says the same in its body.
Operation *BodyImporter::buildLibraryCall(std::string &reason) {
  StringRef target = instruction->text(AttrName::CustomCallTarget);
  if (!calls::isLibraryTarget(target))
    return nullptr;
  if (!operandsAreArrays()) {
    reason = "an operand is not a tensor";
    return nullptr;
  }
  const Attribute *config = instruction->find(AttrName::BackendConfig);
  SmallVector<Value> arguments = operands();
  SmallVector<Type> types = resultTypes();
  Location inside = shared.locationOf(*instruction, /*named=*/false);
  calls::Call call{.target = target,
                   .operands = arguments,
                   .results = types,
                   .loc = loc,
                   .inside = inside};
  if (config) {
    call.config = config->text;
    std::string typed = typedAttributes(*config);
    if (instruction->text(AttrName::ApiVersion) == "API_VERSION_TYPED_FFI" ||
        !typed.empty())
      call.dictionary =
          dictionaryOf(typed.empty() ? config->text : typed, shared.context);
  }
  if (const Attribute *labels = instruction->find(AttrName::DimLabels))
    call.convolution = convolutionOf(
        *labels, instruction->find(AttrName::Window), *instruction);
  calls::Reading reading = calls::readCall(b, call);
  if (!reading.error.empty()) {
    // A quoted text has its own escapes: the place is its beginning.
    bool isRaw = config->kind == AttrKind::Raw;
    (void)shared.error(config->valueLoc + (isRaw ? reading.at : 0),
                       reading.error + " (backend_config of '" + target + "')");
    if (!reading.help.empty())
      shared.help(reading.help);
    failedInside = true;
    return nullptr;
  }
  reason = reading.reason;
  if (!reading.fusion)
    return nullptr;
  if (instruction->shape->isTuple())
    members = reading.results;
  return reading.fusion;
}

/// The members of a yielded tuple are separate results, as in StableHLO.
Operation *BodyImporter::buildCustomCall() {
  std::string reason;
  if (Operation *fusion = buildLibraryCall(reason))
    return fusion;
  if (failedInside)
    return nullptr;
  SmallVector<ComputationRef> called;
  for (AttrName name : {AttrName::ToApply, AttrName::CalledComputations})
    if (const Attribute *attribute = attrs->find(name))
      llvm::append_range(called, attribute->computations());
  StringRef version = attrs->text(AttrName::ApiVersion);
  int32_t number = llvm::StringSwitch<int32_t>(version)
                       .Case("API_VERSION_STATUS_RETURNING", 2)
                       .Case("API_VERSION_STATUS_RETURNING_UNIFIED", 3)
                       .Case("API_VERSION_TYPED_FFI", 4)
                       .Default(1);
  // StableHLO takes a dictionary from version 4 on. Text without a dictionary
  // is kept as an extra attribute.
  mlir::Attribute config, beside;
  if (const Attribute *attribute = attrs->find(AttrName::BackendConfig)) {
    StringAttr text = b.getStringAttr(attribute->text);
    if (number != 4)
      config = text;
    else if (!(config = dictionaryOf(attribute->text, shared.context)) &&
             !text.empty())
      beside = text;
  }
  SmallVector<Type> types = resultTypes();
  auto op = stablehlo::CustomCallOp::create(
      b, loc, types, operands(),
      b.getStringAttr(attrs->text(AttrName::CustomCallTarget)),
      attrs->flag(AttrName::CustomCallHasSideEffect) ? b.getBoolAttr(true)
                                                     : BoolAttr(),
      config, number == 1 ? IntegerAttr() : b.getI32IntegerAttr(number),
      references(called),
      /*operand_layouts=*/ArrayAttr(), /*result_layouts=*/ArrayAttr(),
      /*output_operand_aliases=*/bufferAliases(types),
      /*result_tilings=*/ArrayAttr());
  if (beside)
    op->setDiscardableAttr("mhlo.backend_config", beside);
  if (!reason.empty())
    op->setDiscardableAttr(kUnreadAttr, b.getStringAttr(reason));
  return op;
}

/// Whether the members of the tuple that an opaque instruction yields are
/// separate results. Other instructions, such as copy-start, yield a state that
/// only the instruction that ends it can read.
bool BodyImporter::yieldsMembers() const {
  return instruction->opcode == Opcode::RngBitGenerator ||
         instruction->opcode == Opcode::AllToAll;
}

/// Any opcode: attributes as written, computations as symbols.
Operation *BodyImporter::buildOpaque() {
  NamedAttrList kept;
  SmallVector<ComputationRef> called;
  attrs->forUnread([&](const Attribute &attribute) {
    if (attribute.kind == AttrKind::Computation ||
        attribute.kind == AttrKind::Computations)
      llvm::append_range(called, attribute.computations());
    if (!isCommon(attribute.name))
      kept.set(nameOf(attribute), b.getStringAttr(attribute.text));
  });
  if (instruction->asyncWrapped)
    kept.set("wrapped", b.getStringAttr(spelling(*instruction->asyncWrapped)));
  return OpaqueOp::create(
      b, loc, yieldsMembers() ? resultTypes() : SmallVector<Type>{resultType()},
      operands(), b.getStringAttr(spelling(instruction->opcode)),
      kept.empty() ? DictionaryAttr() : kept.getDictionary(&shared.context),
      references(called));
}
