// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and functions.

#include "mercator/frontends/hlo/Import.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/frontends/hlo/Importer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

ModuleImporter::ModuleImporter(const Module &module, const SourceBuffer &source,
                               MLIRContext &context,
                               DiagnosticEngine &diagnostics)
    : module(module), context(context), attributes(&context), source(source),
      diagnostics(diagnostics),
      fileName(attributes.getStringAttr(source.getName())),
      elementwiseNames(256), isFunction(module.computations.size()) {
  for (const Computation &computation : module.computations)
    maxOperations += kCopiesAllowed * computation.instructions.size();
}

LogicalResult ModuleImporter::error(SourceLoc loc, const llvm::Twine &message) {
  if (loc == kNoLoc)
    return diagnostics.error({}, message);
  return diagnostics.error({&source, loc, size_t(loc) + 1}, message);
}

void ModuleImporter::help(const llvm::Twine &message) {
  diagnostics.help(message);
}

LogicalResult ModuleImporter::count(const Instruction &instruction) {
  if (++operations <= maxOperations)
    return success();
  return error(instruction.loc,
               "expected at most " + llvm::Twine(maxOperations) +
                   " operations after copying the bodies of fusions and "
                   "reductions to their uses");
}

ArrayRef<Value> ModuleImporter::save(ValueRange values) {
  Value *copy = allocator.Allocate<Value>(values.size());
  std::uninitialized_copy(values.begin(), values.end(), copy);
  return ArrayRef<Value>(copy, values.size());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether an instruction of this opcode imports the computation under `name`
/// into its own region.
static bool becomesRegion(Opcode opcode, AttrName name) {
  switch (opcode) {
  case Opcode::Fusion:
  case Opcode::AsyncStart:
    return name == AttrName::Calls;
  case Opcode::SelectAndScatter:
    return name == AttrName::Select || name == AttrName::Scatter;
  case Opcode::Reduce:
  case Opcode::ReduceWindow:
  case Opcode::Map:
  case Opcode::Sort:
  case Opcode::Scan:
  case Opcode::Scatter:
  case Opcode::AllReduce:
  case Opcode::AllReduceStart:
  case Opcode::CollectiveReduce:
  case Opcode::ReduceScatter:
    return name == AttrName::ToApply;
  default:
    return false;
  }
}

/// All computations except those that are only used as the region of an
/// operation. reference() may add others later.
std::vector<bool> ModuleImporter::functionsFirst() const {
  std::vector<bool> isBody(module.computations.size());
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      for (const Attribute &attribute : instruction.attributes)
        if (becomesRegion(instruction.opcode, attribute.name) &&
            attribute.kind == AttrKind::Computation)
          for (const ComputationRef &callee : attribute.computations())
            if (callee.index != kNone)
              isBody[callee.index] = true;
  isBody.flip();
  isBody[module.entry] = true;
  return isBody;
}

FlatSymbolRefAttr ModuleImporter::reference(uint32_t index) {
  if (!isFunction[index]) {
    isFunction[index] = true;
    pending.push_back(index);
  }
  return FlatSymbolRefAttr::get(&context, module.computations[index].name);
}

FunctionType ModuleImporter::signatureOf(uint32_t index) {
  const Computation &computation = module.computations[index];
  SmallVector<Type> inputs;
  for (uint32_t parameter : computation.parameters)
    inputs.push_back(typeOf(*computation.instructions[parameter].shape));
  return FunctionType::get(&context, inputs,
                           typeOf(*computation.rootInstruction().shape));
}

/// The attributes of a parameter that become argument attributes.
static DictionaryAttr argumentAttributes(Builder &b,
                                         const Instruction &parameter) {
  SmallVector<NamedAttribute> result;
  for (const hlo::Attribute &attribute : parameter.attributes)
    if (attribute.name != AttrName::Metadata)
      result.push_back(
          b.getNamedAttr(("mhlo." + spelling(attribute.name)).str(),
                         b.getStringAttr(attribute.text)));
  return b.getDictionaryAttr(result);
}

func::FuncOp ModuleImporter::importFunction(uint32_t index) {
  const Computation &computation = module.computations[index];
  OpBuilder builder(&context);
  auto function = func::FuncOp::create(builder, textLocation(computation.loc),
                                       computation.name, signatureOf(index));
  if (index == module.entry)
    function->setAttr(kEntryAttr, builder.getUnitAttr());
  else
    function.setPrivate();
  if (!computation.executionThread.empty())
    function->setAttr("hlo.execution_thread",
                      builder.getStringAttr(computation.executionThread));
  SmallVector<mlir::Attribute> arguments;
  bool anyArgument = false;
  for (uint32_t parameter : computation.parameters) {
    DictionaryAttr dictionary =
        argumentAttributes(builder, computation.instructions[parameter]);
    anyArgument |= !dictionary.empty();
    arguments.push_back(dictionary);
  }
  if (anyArgument)
    function.setArgAttrsAttr(builder.getArrayAttr(arguments));

  Block *block = new Block;
  function.getBody().push_back(block);
  for (auto [type, parameter] :
       llvm::zip(function.getArgumentTypes(), computation.parameters))
    block->addArgument(type, locationOf(computation.instructions[parameter]));
  BodyImporter body(*this, computation, *block, BodyKind::Function,
                    /*depth=*/0);
  if (failed(body.run())) {
    function->destroy();
    return nullptr;
  }
  return function;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

void ModuleImporter::setModuleAttributes(ModuleOp op) {
  auto frontendAttributes = [&](const Attribute &attribute) {
    NamedAttrList entries;
    for (const DictionaryEntry &entry : attribute.entries())
      if (!entry.key.empty())
        entries.set(entry.key, attributes.getStringAttr(entry.value));
    return entries.getDictionary(&context);
  };
  for (const Attribute &attribute : module.attributes) {
    if (attribute.name == AttrName::NumPartitions)
      op->setAttr("mhlo.num_partitions",
                  attributes.getI32IntegerAttr(attribute.integer));
    else if (attribute.name == AttrName::ReplicaCount)
      op->setAttr("mhlo.num_replicas",
                  attributes.getI32IntegerAttr(attribute.integer));
    else if (attribute.name == AttrName::FrontendAttributes)
      op->setAttr("mhlo.frontend_attributes", frontendAttributes(attribute));
    else if (!attribute.text.empty())
      op->setAttr(("mhlo." + spelling(attribute.name)).str(),
                  attributes.getStringAttr(attribute.text));
  }
}

/// Runs MLIR's verifier and reports its errors at their places in the HLO text.
LogicalResult ModuleImporter::verify(ModuleOp op) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    SourceRange range;
    diagnostic.getLocation()->walk([&](Location location) {
      auto place = dyn_cast<FileLineColLoc>(location);
      if (!place || place.getFilename() != fileName)
        return WalkResult::advance();
      size_t offset = source.getOffset({place.getLine(), place.getColumn()});
      range = {&source, offset, offset + 1};
      return WalkResult::interrupt();
    });
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    // The HLO text shows the instruction, so the prefix `'stablehlo.add' op `
    // is removed.
    std::string text = diagnostic.str();
    StringRef message = text;
    if (size_t end = message.find("' op ");
        message.starts_with("'") && end != StringRef::npos)
      message = message.drop_front(end + 5);
    (void)diagnostics.error(range, message);
    return success();
  });
  return mlir::verify(op);
}

OwningOpRef<ModuleOp> ModuleImporter::run() {
  OwningOpRef<ModuleOp> result = ModuleOp::create(textLocation(0));
  if (module.hasHeader)
    result->setSymName(module.name);
  setModuleAttributes(*result);

  std::vector<func::FuncOp> functions(module.computations.size());
  auto importOne = [&](uint32_t index) {
    functions[index] = importFunction(index);
    return bool(functions[index]);
  };
  isFunction = functionsFirst();
  bool ok = true;
  for (uint32_t index = 0; index < functions.size() && ok; ++index)
    if (isFunction[index])
      ok = importOne(index);
  while (ok && !pending.empty()) {
    uint32_t index = pending.back();
    pending.pop_back();
    ok = functions[index] || importOne(index);
  }
  for (func::FuncOp function : functions)
    if (function)
      result->getBody()->push_back(function);
  if (!ok || failed(verify(*result)))
    return nullptr;
  return result;
}

OwningOpRef<ModuleOp> mercator::hlo::importHlo(const Module &module,
                                               const SourceBuffer &source,
                                               MLIRContext &context,
                                               DiagnosticEngine &diagnostics) {
  context.loadDialect<func::FuncDialect, stablehlo::StablehloDialect,
                      chlo::ChloDialect, HloDialect>();
  return ModuleImporter(module, source, context, diagnostics).run();
}
