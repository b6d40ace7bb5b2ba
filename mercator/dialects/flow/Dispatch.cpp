// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Directives.h"
#include "mercator/dialects/flow/VerifyWrites.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using mercator::util::findVariadicDynamicDims;
using mercator::util::TiedOpInterface;
using mercator::util::verifyDynamicDims;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static LogicalResult expectPure(Operation *op, Region &count) {
  WalkResult result = count.walk([&](Operation *inner) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!effects || effects.hasNoEffect())
      return WalkResult::advance();
    InFlightDiagnostic error =
        inner->emitOpError()
        << "expected an operation without side effects in a count region, got "
        << inner->getName();
    error.attachNote(op->getLoc()) << "the dispatch is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A count region takes one index for each value of the workload and returns
/// three.
static LogicalResult verifyCount(Operation *op, std::optional<size_t> workload,
                                 Region &count) {
  if (count.empty())
    return success();
  if (workload && count.getNumArguments() != *workload)
    return op->emitOpError()
           << "expected a count region with an argument for each of "
           << *workload << " workload values, got " << count.getNumArguments();
  for (Type type : count.getArgumentTypes())
    if (!isa<IndexType>(type))
      return op->emitOpError()
             << "expected a count region of indices, got " << type;
  for (auto end : count.getOps<ReturnOp>())
    if (end.getNumOperands() != 3 ||
        !llvm::all_of(end.getOperandTypes(), llvm::IsaPred<IndexType>)) {
      InFlightDiagnostic error = end.emitOpError()
                                 << "expected three indices, got (";
      llvm::interleaveComma(end.getOperandTypes(), error);
      return error << ")";
    }
  return expectPure(op, count);
}

//===----------------------------------------------------------------------===//
// flow.dispatch.region
//===----------------------------------------------------------------------===//

/// `[%w] -> (T{%d}) attributes {..} { body } count(%a: index) -> .. { .. }`.
/// Attributes are also read in front of the workload, with or without the
/// keyword.
ParseResult DispatchRegionOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  SmallVector<Type> types;
  SmallVector<Operand> dims, workload;
  Type index = parser.getBuilder().getIndexType();
  Region *body = result.addRegion();
  Region *count = result.addRegion();
  auto parseResult = [&] {
    return parseShapedType(parser, types.emplace_back(), dims);
  };
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseOperandList(workload, OpAsmParser::Delimiter::OptionalSquare))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseResult))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body))
    return failure();
  if (!body->empty() &&
      (body->front().empty() ||
       !body->front().back().hasTrait<OpTrait::IsTerminator>())) {
    OpBuilder builder(parser.getContext());
    builder.setInsertionPointToEnd(&body->front());
    ReturnOp::create(builder, result.location);
  }
  if (parseDispatchWorkgroupsCountRegion(parser, *count) ||
      parser.resolveOperands(dims, index, result.operands) ||
      parser.resolveOperands(workload, index, result.operands))
    return failure();
  result.addTypes(types);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(dims.size()), static_cast<int32_t>(workload.size())};
  return success();
}

void DispatchRegionOp::print(OpAsmPrinter &printer) {
  if (!getWorkload().empty())
    printer << "[" << getWorkload() << "]";
  printer << " -> (";
  ValueRange dims = getResultDims();
  llvm::interleaveComma(getResultTypes(), printer, [&](Type type) {
    printShapedType(printer, type, dims);
  });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getOperandSegmentSizesAttrName()});
  printer << " ";
  printer.printRegion(getBody());
  printDispatchWorkgroupsCountRegion(printer, *this, getWorkgroupCount());
}

LogicalResult DispatchRegionOp::verify() {
  if (failed(verifyDynamicDims(*this, "result", getResultTypes(),
                               getResultDims())))
    return failure();
  if (!getBody().hasOneBlock() || getBody().getNumArguments() != 0)
    return emitOpError() << "expected a body of one block without arguments";
  auto end = dyn_cast<ReturnOp>(getBody().front().getTerminator());
  if (!end)
    return emitOpError() << "expected flow.return at the end of the body, got "
                         << getBody().front().back().getName();
  if (end.getOperandTypes() != getResultTypes()) {
    InFlightDiagnostic error = end.emitOpError()
                               << "expected values of types (";
    llvm::interleaveComma(getResultTypes(), error);
    error << "), got (";
    llvm::interleaveComma(end.getOperandTypes(), error);
    return error << ")";
  }
  for (Type type : getResultTypes())
    if (!isa<RankedTensorType>(type))
      return emitOpError() << "expected ranked tensors as results, got "
                           << type;
  return verifyCount(*this, getWorkload().size(), getWorkgroupCount());
}

ValueRange DispatchRegionOp::getResultDynamicDims(unsigned index) {
  return findVariadicDynamicDims(index, getResultTypes(), getResultDims());
}

//===----------------------------------------------------------------------===//
// flow.dispatch.workgroups
//===----------------------------------------------------------------------===//

/// The operands, ties and segments that both kinds of dispatch have.
template <typename OpT>
static void addDispatch(OpBuilder &builder, OperationState &state,
                        ValueRange workload, TypeRange resultTypes,
                        ValueRange resultDims, ValueRange arguments,
                        ValueRange argumentDims, ArrayRef<int64_t> ties,
                        ArrayRef<NamedAttribute> attributes) {
  for (ValueRange operands : {workload, arguments, argumentDims, resultDims})
    state.addOperands(operands);
  state.addTypes(resultTypes);
  for (NamedAttribute attribute : attributes)
    if (attribute.getName() != TiedOpInterface::kStorageAttrName &&
        attribute.getName() != OpT::getOperandSegmentSizeAttr() &&
        attribute.getName() != "entry_point")
      state.attributes.append(attribute);
  auto &properties = state.getOrAddProperties<typename OpT::Properties>();
  properties.tied_operands = util::getTiesAttr(builder, ties);
  properties.operandSegmentSizes = {static_cast<int32_t>(workload.size()),
                                    static_cast<int32_t>(arguments.size()),
                                    static_cast<int32_t>(argumentDims.size()),
                                    static_cast<int32_t>(resultDims.size())};
}

void DispatchWorkgroupsOp::build(OpBuilder &builder, OperationState &state,
                                 ValueRange workload, TypeRange resultTypes,
                                 ValueRange resultDims, ValueRange arguments,
                                 ValueRange argumentDims,
                                 ArrayRef<int64_t> tiedOperands,
                                 ArrayRef<NamedAttribute> attributes) {
  addDispatch<DispatchWorkgroupsOp>(builder, state, workload, resultTypes,
                                    resultDims, arguments, argumentDims,
                                    tiedOperands, attributes);
  Block &block = state.addRegion()->emplaceBlock();
  state.addRegion();
  auto inside = [](TensorAccess access, Type type) -> Type {
    if (isa<RankedTensorType>(type))
      return DispatchTensorType::get(access, type);
    return type;
  };
  for (auto [index, argument] : llvm::enumerate(arguments))
    block.addArgument(inside(llvm::is_contained(tiedOperands, int64_t(index))
                                 ? TensorAccess::ReadWrite
                                 : TensorAccess::ReadOnly,
                             argument.getType()),
                      argument.getLoc());
  for (auto [index, type] : llvm::enumerate(resultTypes))
    if (tiedOperands.empty() || tiedOperands[index] < 0)
      block.addArgument(inside(TensorAccess::WriteOnly, type), state.location);
}

std::pair<unsigned, unsigned>
DispatchWorkgroupsOp::getTiedOperandsIndexAndLength() {
  return getODSOperandIndexAndLength(1);
}

/// Converts indices into all operands of a dispatch to indices into its
/// arguments.
static SmallVector<int64_t> tiesToArguments(TiedOpInterface op) {
  SmallVector<int64_t> ties = op.getTiedResultOperandIndices();
  for (int64_t &tie : ties)
    if (tie != TiedOpInterface::kUntied)
      tie -= op.getTiedOperandsIndexAndLength().first;
  return ties;
}
SmallVector<int64_t> DispatchWorkgroupsOp::getTiedArguments() {
  return tiesToArguments(*this);
}
SmallVector<int64_t> DispatchOp::getTiedArguments() {
  return tiesToArguments(*this);
}

SmallVector<BlockArgument> DispatchWorkgroupsOp::getOutputBlockArguments() {
  SmallVector<BlockArgument> outputs;
  unsigned own = getArguments().size();
  for (int64_t tie : getTiedArguments())
    outputs.push_back(getWorkgroupBody().getArgument(
        tie == TiedOpInterface::kUntied ? own++ : tie));
  return outputs;
}
BlockArgument DispatchWorkgroupsOp::getOutputBlockArgument(unsigned index) {
  return getOutputBlockArguments()[index];
}

template <typename OpT> static ValueRange argumentDims(OpT op, unsigned index) {
  unsigned first = op.getWorkload().size();
  if (index < first || index >= first + op.getArguments().size())
    return {};
  return findVariadicDynamicDims(index - first, op.getArguments().getTypes(),
                                 op.getArgumentDims());
}
ValueRange DispatchWorkgroupsOp::getOperandDynamicDims(unsigned index) {
  return argumentDims(*this, index);
}
ValueRange DispatchWorkgroupsOp::getResultDynamicDims(unsigned index) {
  return findVariadicDynamicDims(index, getResultTypes(), getResultDims());
}
ValueRange DispatchOp::getOperandDynamicDims(unsigned index) {
  return argumentDims(*this, index);
}
ValueRange DispatchOp::getResultDynamicDims(unsigned index) {
  return findVariadicDynamicDims(index, getResultTypes(), getResultDims());
}

LogicalResult DispatchWorkgroupsOp::verify() {
  if (failed(verifyDynamicDims(*this, "argument", getArguments().getTypes(),
                               getArgumentDims())) ||
      failed(verifyDynamicDims(*this, "result", getResultTypes(),
                               getResultDims())))
    return failure();
  for (Type type :
       llvm::concat<const Type>(getArguments().getTypes(), getResultTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && isa<IndexType>(shaped.getElementType()))
      return emitOpError() << "expected tensors of a type with a known size, "
                              "got "
                           << type;

  SmallVector<Type> outer = llvm::to_vector(getArguments().getTypes());
  for (auto [type, tie] : llvm::zip_equal(getResultTypes(), getTiedArguments()))
    if (tie == TiedOpInterface::kUntied)
      outer.push_back(type);
  if (getWorkgroupBody().getNumArguments() != outer.size())
    return emitOpError() << "expected a body with " << outer.size()
                         << " arguments, one for each operand and each result "
                            "that is not tied, got "
                         << getWorkgroupBody().getNumArguments();
  for (auto [inner, type] :
       llvm::zip_equal(getWorkgroupBody().getArgumentTypes(), outer)) {
    auto tensor = dyn_cast<DispatchTensorType>(inner);
    if (tensor ? tensor.getBoundType() != type : inner != type)
      return emitOpError() << "expected an argument of the body for " << type
                           << ", got " << inner;
  }
  // A result tied to an operand writes that operand; an untied operand is only
  // read.
  for (BlockArgument output : getOutputBlockArguments()) {
    auto tensor = dyn_cast<DispatchTensorType>(output.getType());
    if (tensor && !tensor.isWritable())
      return emitOpError() << "expected a result that the body may write, got "
                           << tensor;
  }
  for (BlockArgument input : getInputBlockArguments()) {
    auto tensor = dyn_cast<DispatchTensorType>(input.getType());
    if (tensor && !tensor.isReadable())
      return emitOpError() << "expected an operand that the body may read, got "
                           << tensor;
  }
  return verifyCount(*this, getWorkload().size(), getWorkgroupCount());
}

LogicalResult DispatchWorkgroupsOp::verifyRegions() {
  return verifyWritesOnce(getWorkgroupBody());
}

//===----------------------------------------------------------------------===//
// flow.executable
//===----------------------------------------------------------------------===//

void ExecutableOp::build(OpBuilder &builder, OperationState &state,
                         StringRef name) {
  ensureTerminator(*state.addRegion(), builder, state.location);
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
}

ModuleOp ExecutableOp::getInnerModule() {
  auto modules = getBlock().getOps<ModuleOp>();
  return modules.empty() ? ModuleOp() : *modules.begin();
}

LogicalResult ExecutableOp::verifyRegions() {
  for (auto module : getBlock().getOps<ModuleOp>())
    for (auto function : module.getOps<FunctionOpInterface>())
      if (failed(verifyWritesOnce(function.getFunctionBody())))
        return failure();
  return success();
}

void ExecutableExportOp::build(OpBuilder &builder, OperationState &state,
                               StringRef name, FlatSymbolRefAttr functionRef) {
  build(builder, state, /*sym_visibility=*/StringAttr(),
        builder.getStringAttr(name), functionRef);
}

LogicalResult ExecutableExportOp::verify() {
  return verifyCount(*this, std::nullopt, getWorkgroupCount());
}

//===----------------------------------------------------------------------===//
// flow.dispatch
//===----------------------------------------------------------------------===//

void DispatchOp::build(OpBuilder &builder, OperationState &state,
                       ExecutableExportOp entryPoint, ValueRange workload,
                       TypeRange resultTypes, ValueRange resultDims,
                       ValueRange arguments, ValueRange argumentDims,
                       ArrayRef<int64_t> tiedOperands,
                       ArrayRef<NamedAttribute> attributes) {
  addDispatch<DispatchOp>(builder, state, workload, resultTypes, resultDims,
                          arguments, argumentDims, tiedOperands, attributes);
  auto executable = entryPoint->getParentOfType<ExecutableOp>();
  state.getOrAddProperties<Properties>().entry_point = SymbolRefAttr::get(
      executable.getSymNameAttr(), {FlatSymbolRefAttr::get(entryPoint)});
}

std::pair<unsigned, unsigned> DispatchOp::getTiedOperandsIndexAndLength() {
  return getODSOperandIndexAndLength(1);
}

LogicalResult DispatchOp::verify() {
  return failure(
      failed(verifyDynamicDims(*this, "argument", getArguments().getTypes(),
                               getArgumentDims())) ||
      failed(verifyDynamicDims(*this, "result", getResultTypes(),
                               getResultDims())));
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto entryPoint = symbols.lookupNearestSymbolFrom<ExecutableExportOp>(
      *this, getEntryPoint());
  // Executables may be missing from the program.
  if (!entryPoint || entryPoint.getWorkgroupCount().empty())
    return success();
  size_t expected = entryPoint.getWorkgroupCount().getNumArguments();
  if (getWorkload().size() == expected)
    return success();
  return emitOpError() << "workload mismatch; entry point expects " << expected
                       << " arguments but dispatch provides "
                       << getWorkload().size();
}
