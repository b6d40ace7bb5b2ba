// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/Cpu.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Callee.h"
#include "mercator/compiler/program/Filling.h"
#include "mercator/compiler/program/Instructions.h"
#include "mercator/support/File.h"
#include "mercator/targets/cpu/Compile.h"
#include "mercator/targets/cpu/SharedLibrary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mercator;
using llvm::StringRef;
using mlir::RankedTensorType;
using mlir::func::FuncOp;

/// The tensors among the types, with those of tuples.
static void addTensors(mlir::TypeRange types, StringRef name,
                       std::vector<CHeader::Tensor> &tensors) {
  for (mlir::Type type : types)
    if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
      addTensors(tuple.getTypes(), name, tensors);
    else if (auto tensor = llvm::dyn_cast<RankedTensorType>(type))
      tensors.push_back({name.str(), tensor});
}

/// Different names for all tensors.
static void makeDistinct(std::vector<CHeader::Tensor> &tensors,
                         std::set<std::string> &used) {
  for (CHeader::Tensor &tensor : tensors) {
    std::string base = tensor.name = nameOfC(tensor.name);
    for (int i = 1; !used.insert(tensor.name).second; ++i)
      tensor.name = base + "_" + std::to_string(i);
  }
}

static CHeader headerOf(FuncOp function, const InstructionTable &table,
                        StringRef path, StringRef program) {
  CHeader header{.name = nameOfC(llvm::sys::path::stem(path)),
                 .program = program.str()};
  for (mlir::BlockArgument argument : function.getArguments())
    addTensors(argument.getType(), table.nameOf(argument), header.inputs);
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    addTensors(type, "result" + std::to_string(i), header.results);
  std::set<std::string> used = {"context", "inputs", "results"};
  makeDistinct(header.inputs, used);
  makeDistinct(header.results, used);
  return header;
}

static std::optional<cpu::Emit> emitNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<cpu::Emit>>(name)
      .Case("so", cpu::Emit::Objects)
      .Case("obj", cpu::Emit::Object)
      .Case("asm", cpu::Emit::Assembly)
      .Case("llvm", cpu::Emit::Llvm)
      .Case("schedule", cpu::Emit::Schedules)
      .Case("kernels", cpu::Emit::Kernels)
      .Case("llvm-dialect", cpu::Emit::LlvmDialect)
      .Default(std::nullopt);
}

ExitCode Compilation::compileToCpu(const CpuOptions &options,
                                   llvm::raw_ostream &os) {
  std::optional<cpu::Emit> form = emitNamed(options.emit);
  std::optional<cpu::Machine> machine = cpu::Machine::named(options.cpu);
  if (!form || !machine) {
    (void)diagnostics.error(
        {}, form ? "expected a CPU such as host, x86-64-v3 or znver5, got " +
                       quote(options.cpu)
                 : "expected so, obj, asm or llvm, got " + quote(options.emit));
    return ExitCode::WrongUsage;
  }
  machine->preciseMath = options.preciseMath;
  machine->scheduleSeed = options.scheduleSeed;
  llvm::Expected<Device> device = readDevice(options.lowering.formation.device);
  if (!device) {
    (void)diagnostics.error({}, llvm::toString(device.takeError()));
    return ExitCode::WrongUsage;
  }
  machine->device = std::move(*device);
  OneModule given;
  Answer<Callee> callee =
      findCallee(*program, options.function, given, diagnostics);
  if (!callee)
    return callee.getFailure();
  std::string name = callee->name().str();
  auto source = llvm::dyn_cast<FuncOp>(callee->op);
  if (!source) {
    (void)diagnostics.error({}, "expected a function, got the graph " +
                                    quote(name) + " for Ascend");
    return ExitCode::InputRejected;
  }
  Phases unused;
  Phases &phases = options.phases ? *options.phases : unused;
  phases.begin("lower");
  CHeader header =
      headerOf(source, InstructionTable(*program, given), options.path,
               llvm::sys::path::filename(program->file));
  mlir::OwningOpRef<mlir::ModuleOp> module = given.module.clone();
  auto handler = forward();
  Filling filling(*module, options.fillSeed);
  module->lookupSymbol<FuncOp>(name).setPublic();
  if (failed(filling.write()))
    return ExitCode::InputRejected;
  filling.trackElided();
  if (failed(lowerTo(*module, Stage::Cpu, options.lowering)))
    return ExitCode::InputRejected;
  // Code refers to its constants by 32 bits.
  constexpr uint64_t kMost = uint64_t(1) << 31;
  uint64_t total = 0;
  auto elements =
      [&](mlir::ElementsAttr constant) -> llvm::FailureOr<std::string> {
    auto written = filling.written(constant);
    auto emitError = [&] {
      return mlir::emitError(written ? written->at : module->getLoc());
    };
    auto tensor =
        constantOfCode(written ? written->elements : constant, emitError);
    if (failed(tensor))
      return llvm::failure();
    total += tensor->byteSize();
    if (total > kMost)
      return emitError() << "expected constants of less than 2 GiB together, "
                            "which is all that a library can hold";
    return std::string(reinterpret_cast<const char *>(tensor->data()),
                       size_t(tensor->byteSize()));
  };
  auto code = cpu::compile(*module, name, *machine, *form, elements, &phases);
  if (failed(code) && filling.isMissing) {
    diagnostics.help("--fill-elided=random:1");
    return ExitCode::InputRejected;
  }
  if (failed(code))
    return ExitCode::Undecided;
  header.arenaBytes = code->host.arenaBytes;
  if (options.emit != "so") {
    os << code->texts.front();
    return ExitCode::Done;
  }
  phases.begin("link");
  llvm::Expected<std::string> library =
      cpu::linkSharedLibrary(code->texts, header.name);
  phases.end();
  llvm::SmallString<128> headerPath(options.path);
  llvm::sys::path::replace_extension(headerPath, "h");
  llvm::Error error = library.takeError();
  if (!error)
    error = writeFile(headerPath,
                      [&](llvm::raw_ostream &file) { file << textOf(header); });
  if (error) {
    (void)diagnostics.error({}, llvm::toString(std::move(error)));
    return ExitCode::InputRejected;
  }
  os << *library;
  return ExitCode::Done;
}
