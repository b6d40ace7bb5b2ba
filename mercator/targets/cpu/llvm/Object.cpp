// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Object.h"
#include "mercator/targets/cpu/kernels/LoopBodies.h"
#include "mercator/targets/cpu/llvm/CheckAccesses.h"
#include "mercator/targets/cpu/llvm/FloatMode.h"
#include "mercator/targets/cpu/llvm/LoopCounters.h"
#include "mercator/targets/cpu/llvm/Optimize.h"
#include "mercator/targets/cpu/llvm/StreamedStores.h"
#include "mercator/targets/cpu/llvm/TilePermission.h"

#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

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

/// After the optimizer, which need not see their elements.
static void define(llvm::Module &code, const cpu::ConstantBytes &constants) {
  for (const auto &[name, bytes] : constants)
    if (llvm::GlobalVariable *global = code.getNamedGlobal(name)) {
      global->setInitializer(llvm::ConstantDataArray::getString(
          code.getContext(), bytes, /*AddNull=*/false));
      global->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

namespace {
constexpr llvm::StringLiteral kReduction = "Loop Strength Reduction";

/// Lets LLVM's strength reduction of loops run on some functions.
class ReductionGate : public llvm::OptPassGate {
public:
  bool isCounted = false;
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return !isCounted || pass != kReduction;
  }
  bool isEnabled() const override { return true; }
};

/// Tells the gate which function comes next.
class BeforeReduction : public llvm::FunctionPass {
public:
  static char id;
  explicit BeforeReduction(ReductionGate &gate)
      : FunctionPass(id), gate(gate) {}
  bool runOnFunction(llvm::Function &function) override {
    gate.isCounted = function.hasFnAttribute(cpu::kCounted);
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }

private:
  ReductionGate &gate;
};
char BeforeReduction::id;

/// LLVM's code generation, whose strength reduction leaves alone what has counters of its
/// own (LoopCounters.h).
class CodePasses : public llvm::legacy::PassManager {
public:
  explicit CodePasses(ReductionGate &gate) : gate(gate) {}
  void add(llvm::Pass *pass) override {
    if (pass->getPassName() == kReduction)
      llvm::legacy::PassManager::add(new BeforeReduction(gate));
    llvm::legacy::PassManager::add(pass);
  }

private:
  ReductionGate &gate;
};
} // namespace

/// The optimized text of a module for one machine.
static llvm::Expected<std::string> textOf(llvm::Module &code,
                                          const cpu::Machine &machine,
                                          cpu::Emit form,
                                          const cpu::ConstantBytes &constants) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      makeMachine(machine);
  if (!target)
    return target.takeError();
  cpu::optimize(code, **target, machine.isOptimized);
  define(code, constants);
  std::string text;
  if (form == cpu::Emit::Llvm) {
    llvm::raw_string_ostream os(text);
    code.print(os, nullptr);
    return text;
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  ReductionGate gate;
  code.getContext().setOptPassGate(gate);
  CodePasses passes(gate);
  if ((*target)->addPassesToEmitFile(passes, os, nullptr,
                                     form == cpu::Emit::Assembly
                                         ? llvm::CodeGenFileType::AssemblyFile
                                         : llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write this form for this CPU");
  passes.run(code);
  code.getContext().setOptPassGate(llvm::getGlobalPassGate());
  return std::string(bytes.begin(), bytes.end());
}

/// The functions of a module in parts of about equal size, the largest first.
/// They depend on the module alone.
static std::vector<llvm::StringSet<>> partsOf(const llvm::Module &code) {
  constexpr size_t kInstructions = 600, kEachFunction = 50, kMost = 16;
  std::vector<std::pair<size_t, llvm::StringRef>> functions;
  size_t all = 0;
  for (const llvm::Function &function : code)
    if (!function.isDeclaration()) {
      functions.emplace_back(kEachFunction + function.getInstructionCount(),
                             function.getName());
      all += functions.back().first;
    }
  llvm::sort(functions, [](const auto &a, const auto &b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  size_t most = std::clamp<size_t>(functions.size(), 1, kMost);
  std::vector<llvm::StringSet<>> parts(
      std::clamp<size_t>(all / kInstructions, 1, most));
  std::vector<size_t> sizes(parts.size());
  for (auto [size, name] : functions) {
    size_t smallest = size_t(llvm::min_element(sizes) - sizes.begin());
    sizes[smallest] += size;
    parts[smallest].insert(name);
  }
  return parts;
}

/// A constant that each part may have for itself. If accesses are checked, there is one:
/// the entry says where the constants are.
static bool isOwn(const llvm::GlobalValue &value, const cpu::Machine &machine) {
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return global && !machine.isChecked && global->isConstant() &&
         global->hasLocalLinkage();
}

/// Leaves the functions of a part in a module that is read from bitcode. The first
/// part has the variables, too.
static llvm::Error keepPart(llvm::Module &code, const llvm::StringSet<> &part,
                            bool isFirst, const cpu::Machine &machine) {
  for (llvm::Function &function : code)
    if (!function.isDeclaration() && !part.contains(function.getName()))
      function.deleteBody();
  for (llvm::GlobalVariable &global : code.globals())
    if (!isFirst && !global.isDeclaration() && !isOwn(global, machine))
      global.setInitializer(nullptr);
  return code.materializeAll();
}

/// Lets other parts name what is defined in one.
static void showLocals(llvm::Module &code, const cpu::Machine &machine) {
  for (llvm::GlobalValue &value : code.global_values())
    if (value.hasLocalLinkage() && !isOwn(value, machine)) {
      if (!value.hasName())
        value.setName("mercator_local");
      value.setLinkage(llvm::GlobalValue::ExternalLinkage);
      value.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
}

static llvm::Expected<std::vector<std::string>>
objectsOf(llvm::Module &code, mlir::MLIRContext *threads,
          const cpu::Machine &machine, const cpu::ConstantBytes &constants) {
  std::vector<llvm::StringSet<>> parts = partsOf(code);
  if (parts.size() > 1)
    showLocals(code, machine);
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(code, os);
  auto compile = [&](size_t i) -> llvm::Expected<std::string> {
    llvm::LLVMContext context;
    auto part = llvm::getLazyBitcodeModule(
        {llvm::StringRef(bitcode.data(), bitcode.size()), "part"}, context);
    if (!part)
      return part.takeError();
    if (llvm::Error error =
            keepPart(**part, parts[i], /*isFirst=*/i == 0, machine))
      return error;
    return textOf(**part, machine, cpu::Emit::Object, constants);
  };
  std::vector<std::string> objects(parts.size()), errors(parts.size());
  mlir::parallelFor(threads, 0, parts.size(), [&](size_t i) {
    llvm::Expected<std::string> object = compile(i);
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
  askForTiles(*code);
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
    return objectsOf(*code, module.getContext(), machine, constants);
  llvm::Expected<std::string> text = textOf(*code, machine, form, constants);
  if (!text)
    return text.takeError();
  return std::vector<std::string>{std::move(*text)};
}
