// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Object.h"
#include "mercator/targets/cpu/kernels/LoopBodies.h"
#include "mercator/targets/cpu/llvm/CheckAccesses.h"
#include "mercator/targets/cpu/llvm/FloatMode.h"
#include "mercator/targets/cpu/llvm/StreamedStores.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/SplitModule.h"

using namespace mercator;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeMachine(const cpu::Machine &machine) {
  static const bool isReady = [] {
    return !llvm::InitializeNativeTarget() &&
           !llvm::InitializeNativeTargetAsmPrinter() &&
           !llvm::InitializeNativeTargetAsmParser();
  }();
  if (!isReady)
    return llvm::createStringError("there is no code generator for this CPU");
  std::string error;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> made(target->createTargetMachine(
      triple, machine.cpu, machine.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small,
      machine.isOptimized ? llvm::CodeGenOptLevel::Default
                          : llvm::CodeGenOptLevel::None));
  if (!made)
    return llvm::createStringError("LLVM does not know the CPU '" +
                                   machine.cpu + "'");
  return made;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &target,
                     llvm::OptimizationLevel level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&target, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);
  cpu::showStreams(module, functions);
}

/// After the optimizer, which need not see their elements.
static void define(llvm::Module &code, const cpu::ConstantBytes &constants) {
  for (const auto &[name, bytes] : constants)
    if (llvm::GlobalVariable *global = code.getNamedGlobal(name)) {
      global->setInitializer(llvm::ConstantDataArray::getString(
          code.getContext(), bytes, /*AddNull=*/false));
      global->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

/// The optimized text of a module for one machine.
static llvm::Expected<std::string> textOf(llvm::Module &code,
                                          const cpu::Machine &machine,
                                          cpu::Emit form,
                                          const cpu::ConstantBytes &constants) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      makeMachine(machine);
  if (!target)
    return target.takeError();
  optimize(code, **target,
           machine.isOptimized ? llvm::OptimizationLevel::O3
                               : llvm::OptimizationLevel::O0);
  define(code, constants);
  std::string text;
  if (form == cpu::Emit::Llvm) {
    llvm::raw_string_ostream os(text);
    code.print(os, nullptr);
    return text;
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if ((*target)->addPassesToEmitFile(passes, os, nullptr,
                                     form == cpu::Emit::Assembly
                                         ? llvm::CodeGenFileType::AssemblyFile
                                         : llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write this form for this CPU");
  passes.run(code);
  return std::string(bytes.begin(), bytes.end());
}

/// Bitcode of the parts of a module. Their number depends on the module alone.
static std::vector<llvm::SmallVector<char, 0>> split(llvm::Module &code) {
  constexpr unsigned kFunctions = 8, kMost = 16;
  size_t functions = llvm::count_if(
      code, [](llvm::Function &f) { return !f.isDeclaration(); });
  auto parts = unsigned(std::clamp<size_t>(functions / kFunctions, 1, kMost));
  std::vector<llvm::SmallVector<char, 0>> texts;
  auto add = [&](const llvm::Module &part) {
    llvm::raw_svector_ostream os(texts.emplace_back());
    llvm::WriteBitcodeToFile(part, os);
  };
  if (parts == 1)
    add(code);
  else
    llvm::SplitModule(
        code, parts, [&](std::unique_ptr<llvm::Module> part) { add(*part); },
        /*PreserveLocals=*/false, /*RoundRobin=*/true);
  return texts;
}

static llvm::Expected<std::vector<std::string>>
objectsOf(llvm::Module &code, const cpu::Machine &machine,
          const cpu::ConstantBytes &constants) {
  std::vector<llvm::SmallVector<char, 0>> parts = split(code);
  std::vector<std::string> objects(parts.size()), errors(parts.size());
  llvm::parallelFor(0, parts.size(), [&](size_t i) {
    llvm::LLVMContext context;
    auto part = llvm::parseBitcodeFile(
        llvm::MemoryBufferRef(llvm::StringRef(parts[i].data(), parts[i].size()),
                              "part"),
        context);
    llvm::Expected<std::string> object =
        part ? textOf(**part, machine, cpu::Emit::Object, constants)
             : llvm::Expected<std::string>(part.takeError());
    if (object)
      objects[i] = std::move(*object);
    else
      errors[i] = llvm::toString(object.takeError());
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(error);
  return objects;
}

llvm::Expected<std::vector<std::string>>
cpu::emitCode(mlir::ModuleOp module, const Machine &machine, Emit form,
              const ConstantBytes &constants) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      makeMachine(machine);
  if (!target)
    return target.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, context, "mercator");
  if (!code)
    return llvm::createStringError("the program has no form in LLVM");
  hideStreams(*code);
  if (machine.isChecked)
    checkAccesses(*code);
  setFloatMode(*code,
               /*flushes=*/!machine.preciseMath && !machine.keepsSubnormals);
  code->setTargetTriple((*target)->getTargetTriple());
  code->setDataLayout((*target)->createDataLayout());
  for (llvm::Function &function : *code) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.cpu);
    function.addFnAttr("target-features", machine.features);
    function.addFnAttr("prefer-vector-width", "512");
    if (function.getName().starts_with("kernel_") && // profilers see them
        !function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      function.addFnAttr(llvm::Attribute::NoInline);
  }
  inlineLoopBodies(*code);
  if (form == Emit::Objects)
    return objectsOf(*code, machine, constants);
  llvm::Expected<std::string> text = textOf(*code, machine, form, constants);
  if (!text)
    return text.takeError();
  return std::vector<std::string>{std::move(*text)};
}
