// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/CacheKey.h"

#include "mercator/reference/core/Normalize.h"
#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/Jit.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <chrono>

using namespace mercator;
using namespace mercator::reference;
using mlir::RankedTensorType;

struct NativeProgram::Parts {
  NativeCode code;
  mlir::FunctionType type;
  std::vector<RankedTensorType> inputTypes, resultTypes;
  std::optional<cpu::Jit> jit;
  mercator_context *context = nullptr;
  double seconds = 0;
  bool hasRejected = false;

  ~Parts() { mercator_free_context(context); }
};

NativeProgram::NativeProgram(std::unique_ptr<Parts> parts)
    : parts(std::move(parts)) {}
NativeProgram::NativeProgram(NativeProgram &&) noexcept = default;
NativeProgram::~NativeProgram() = default;

double NativeProgram::seconds() const { return parts->seconds; }
bool NativeProgram::hasRejected() const { return parts->hasRejected; }
mlir::FunctionType NativeProgram::type() const { return parts->type; }
const std::vector<cpu::TracedDispatch> &NativeProgram::dispatches() const {
  return parts->code.dispatches;
}

/// The tensors among the types of parameters or results: the others are extents
/// of the tensor before them.
static std::vector<RankedTensorType> tensorsOf(mlir::TypeRange types) {
  std::vector<RankedTensorType> tensors;
  for (mlir::Type type : types)
    if (auto tensor = llvm::dyn_cast<RankedTensorType>(type))
      tensors.push_back(tensor);
  return tensors;
}

/// What a program noted, at its place in the program. `emitError` is at the
/// program.
static llvm::LogicalResult report(const mercator_failure &failure,
                                  mlir::MLIRContext *context,
                                  EmitError emitError) {
  mlir::InFlightDiagnostic whole = emitError();
  mlir::Location place = whole.getUnderlyingDiagnostic()->getLocation();
  whole.abandon();
  llvm::StringRef file = failure.file;
  if (auto compiled = place->findInstanceOf<mlir::FileLineColLoc>();
      compiled && file.empty())
    file = compiled.getFilename();
  if (failure.line > 0)
    place = mlir::FileLineColLoc::get(context, file, unsigned(failure.line),
                                      unsigned(failure.column));
  mlir::InFlightDiagnostic error = mlir::emitError(place) << failure.message;
  if (failure.count == 2)
    error << ", got " << failure.numbers[0] << " and " << failure.numbers[1];
  return error;
}

/// Integers of fewer than 8 bits are held in a byte; code wants its other bits
/// to be zero, and the evaluator has copies of the sign there.
static bool isNarrow(const Tensor &tensor) {
  return tensor.element().isInteger() && tensor.element().bits < 8;
}

static llvm::FailureOr<Tensor> toCode(const Tensor &tensor,
                                      EmitError emitError) {
  if (!isNarrow(tensor))
    return tensor;
  llvm::FailureOr<Tensor> own = tensor.clone(emitError);
  if (failed(own))
    return llvm::failure();
  for (int64_t i = 0; i < own->size(); ++i)
    own->data()[i] &= std::byte((1 << tensor.element().bits) - 1);
  return own;
}

llvm::FailureOr<Tensor> mercator::constantOfCode(mlir::ElementsAttr elements,
                                                 EmitError emitError) {
  llvm::FailureOr<Tensor> tensor = Tensor::from(elements, emitError);
  return failed(tensor) ? tensor : toCode(*tensor, emitError);
}

void mercator::addTo(CacheKey &key, const NativeOptions &options) {
  const auto &[preciseMath, keepsSubnormals, isTraced, isChecked, scheduleSeed,
               isOptimized, emulatesMatrices, usesDonations, cpu, device] =
      options;
  key.add(int64_t(preciseMath)).add(int64_t(keepsSubnormals));
  key.add(int64_t(isTraced)).add(int64_t(isChecked));
  key.add(int64_t(scheduleSeed)).add(int64_t(isOptimized));
  key.add(int64_t(emulatesMatrices));
  key.add(int64_t(usesDonations));
  key.add(cpu).add(device);
}

llvm::FailureOr<cpu::Machine> mercator::machineOf(const NativeOptions &options,
                                                  EmitError emitError) {
  std::optional<cpu::Machine> known = cpu::Machine::named(options.cpu);
  if (!known)
    return emitError() << "expected a CPU that LLVM knows, got '" << options.cpu
                       << "'";
  cpu::Machine machine = *known;
  if (!options.device.empty()) {
    llvm::Expected<Device> device = readDevice(options.device);
    if (!device)
      return emitError() << llvm::toString(device.takeError());
    machine.device = std::move(*device);
  }
  machine.preciseMath = options.preciseMath;
  machine.keepsSubnormals = options.keepsSubnormals;
  machine.isTraced = options.isTraced;
  machine.isChecked = options.isChecked;
  machine.scheduleSeed = options.scheduleSeed;
  machine.isOptimized = options.isOptimized;
  machine.emulatesMatrices = options.emulatesMatrices;
  machine.usesDonations = options.usesDonations;
  return machine;
}

llvm::FailureOr<NativeCode>
mercator::makeNativeCode(mlir::ModuleOp module, llvm::StringRef function,
                         const NativeOptions &options, Phases *phases,
                         ElementsOfConstant elements) {
  auto source = module.lookupSymbol<mlir::func::FuncOp>(function);
  auto emitError = [&] { return mlir::emitError(module.getLoc()); };
  if (!source)
    return emitError() << "expected a function @" << function;
  NativeCode made;
  llvm::raw_string_ostream(made.type) << source.getFunctionType();
  llvm::FailureOr<cpu::Machine> machine = machineOf(options, emitError);
  if (failed(machine))
    return llvm::failure();
  llvm::FailureOr<cpu::Code> code =
      cpu::compile(module, function, *machine, cpu::Emit::Objects, {}, phases);
  if (failed(code))
    return llvm::failure();
  auto tensors = std::make_shared<std::vector<Tensor>>();
  for (const cpu::Constant &constant : code->host.constants) {
    llvm::FailureOr<Tensor> tensor =
        elements ? elements(constant.elements)
                 : constantOfCode(constant.elements, emitError);
    if (failed(tensor))
      return llvm::failure();
    tensors->push_back(*tensor);
    made.constants.push_back({constant.symbol,
                              {reinterpret_cast<const char *>(tensor->data()),
                               size_t(tensor->byteSize())}});
  }
  made.owner = std::move(tensors);
  made.objects = std::move(code->texts);
  made.arenaBytes = code->host.arenaBytes;
  made.dispatches = std::move(code->host.dispatches);
  made.aliases = std::move(code->host.aliases);
  made.overwritten = std::move(code->host.overwritten);
  return made;
}

llvm::FailureOr<NativeProgram> NativeProgram::link(NativeCode code,
                                                   mlir::MLIRContext *context,
                                                   EmitError emitError) {
  auto parts = std::make_unique<Parts>();
  parts->type = llvm::dyn_cast_or_null<mlir::FunctionType>(
      mlir::parseType(code.type, context));
  if (!parts->type)
    return emitError() << "expected the type of a function, got " << code.type;
  parts->inputTypes = tensorsOf(parts->type.getInputs());
  parts->resultTypes = tensorsOf(parts->type.getResults());
  std::map<std::string, const void *> data;
  for (const NativeCode::Constant &constant : code.constants)
    data[constant.symbol] = constant.bytes.data();
  llvm::Expected<cpu::Jit> jit = cpu::Jit::link(code.objects, data);
  if (!jit)
    return emitError() << llvm::toString(jit.takeError());
  parts->jit.emplace(std::move(*jit));
  parts->context = mercator_new_context(code.arenaBytes);
  if (!parts->context)
    return emitError() << "there is no memory for the " << code.arenaBytes
                       << " bytes of intermediate tensors";
  parts->code = std::move(code);
  return NativeProgram(std::move(parts));
}

llvm::FailureOr<NativeProgram>
NativeProgram::compile(mlir::ModuleOp module, llvm::StringRef function,
                       const NativeOptions &options) {
  llvm::FailureOr<NativeCode> code = makeNativeCode(module, function, options);
  if (failed(code))
    return llvm::failure();
  return link(std::move(*code), module.getContext(),
              [&] { return mlir::emitError(module.getLoc()); });
}

int32_t NativeProgram::run(const mercator_tensor *inputs,
                           mercator_tensor *results) {
  return parts->jit->run(parts->context, inputs, results);
}

void NativeProgram::setProcesses(mercator_processes *processes) {
  mercator_set_processes(parts->context, processes);
}

int64_t NativeProgram::codeBytes() const {
  int64_t bytes = 0;
  for (const std::string &object : parts->code.objects)
    bytes += int64_t(object.size());
  return bytes;
}

int64_t NativeProgram::arenaBytes() const { return parts->code.arenaBytes; }
llvm::ArrayRef<int64_t> NativeProgram::aliases() const {
  return parts->code.aliases;
}
llvm::ArrayRef<int64_t> NativeProgram::overwritten() const {
  return parts->code.overwritten;
}

llvm::LogicalResult NativeProgram::check(int32_t status, EmitError emitError) {
  if (status == mercator_no_memory)
    return emitError() << "there is no memory for the results";
  parts->hasRejected = status == mercator_failed_assertion;
  if (status == mercator_failed_check) {
    parts->hasRejected = true;
    return report(*mercator_last_failure(parts->context),
                  parts->type.getContext(), emitError);
  }
  if (parts->hasRejected)
    return emitError()
           << "an assertion of the program about the extents of its "
              "inputs does not hold; the evaluator says which";
  if (status != mercator_ok)
    return emitError() << "a library call failed with status " << status;
  return llvm::success();
}

llvm::FailureOr<std::vector<Value>>
NativeProgram::call(llvm::ArrayRef<Value> inputs, EmitError emitError,
                    std::vector<Value> before) {
  std::vector<Tensor> held;
  std::vector<mercator_tensor> inputTable, resultTable;
  size_t next = 0;
  for (RankedTensorType type : parts->inputTypes) {
    const Tensor *tensor = nullptr;
    // Extents follow tensors of unknown extents.
    while (next < inputs.size()) {
      tensor = inputs[next++].tensor();
      if (tensor && tensor->type().getElementType() == type.getElementType() &&
          tensor->rank() == type.getRank())
        break;
    }
    if (!tensor)
      return emitError() << "expected " << parts->inputTypes.size()
                         << " inputs";
    llvm::FailureOr<Tensor> own = toCode(*tensor, emitError);
    if (failed(own))
      return llvm::failure();
    held.push_back(*own);
  }
  for (Tensor &tensor : held)
    inputTable.push_back({tensor.data(), tensor.rank(), tensor.shape().data()});
  std::vector<Tensor> made;
  before.resize(parts->resultTypes.size());
  for (auto [type, last] : llvm::zip_equal(parts->resultTypes, before)) {
    if (auto *own = std::get_if<Tensor>(&last);
        own && own->type() == type && !own->isShared()) {
      made.push_back(std::move(*own));
      continue;
    }
    auto known = type.hasStaticShape()
                     ? type
                     : RankedTensorType::get(
                           llvm::SmallVector<int64_t>(type.getRank(), 0),
                           type.getElementType());
    llvm::FailureOr<Tensor> tensor = Tensor::zeros(known, emitError);
    if (failed(tensor))
      return llvm::failure();
    made.push_back(*tensor);
  }
  for (Tensor &tensor : made)
    resultTable.push_back(
        {tensor.data(), tensor.rank(), tensor.shape().data()});
  auto begin = std::chrono::steady_clock::now();
  int32_t status =
      parts->jit->run(parts->context, inputTable.data(), resultTable.data());
  parts->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (failed(check(status, emitError)))
    return llvm::failure();
  std::vector<Value> results;
  for (auto [i, type] : llvm::enumerate(parts->resultTypes)) {
    Tensor result = made[i];
    if (!type.hasStaticShape()) {
      llvm::ArrayRef<int64_t> shape(resultTable[i].sizes,
                                    size_t(resultTable[i].rank));
      llvm::FailureOr<Tensor> own = Tensor::zeros(
          RankedTensorType::get(shape, type.getElementType()), emitError);
      if (failed(own))
        return llvm::failure();
      std::copy_n(static_cast<const std::byte *>(resultTable[i].data),
                  own->byteSize(), own->data());
      result = *own;
    }
    normalize(result);
    results.emplace_back(std::move(result));
  }
  return results;
}
