// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Jit.h"
#include "mercator/runtime/Collectives.h"
#include "mercator/targets/cpu/host/Host.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/MemoryMapper.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/TargetSelect.h"

using namespace mercator;
using namespace llvm;

cpu::Jit::Jit(std::unique_ptr<orc::LLJIT> linker) : linker(std::move(linker)) {}
cpu::Jit::Jit(Jit &&) noexcept = default;
cpu::Jit::~Jit() = default;

namespace {
/// The functions of the runtime that a program names.
class RuntimeFunctions : public orc::DefinitionGenerator {
public:
  Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &into,
                      orc::JITDylibLookupFlags,
                      const orc::SymbolLookupSet &wanted) override {
    orc::SymbolMap found;
    for (const auto &[name, flags] : wanted)
      if (void *address = find(*name))
        found[name] = {orc::ExecutorAddr::fromPtr(address),
                       JITSymbolFlags::Exported | JITSymbolFlags::Callable};
    return found.empty() ? Error::success()
                         : into.define(orc::absoluteSymbols(std::move(found)));
  }

private:
  static void *find(StringRef name) {
#define FUNCTION(function)                                                     \
  if (name == #function)                                                       \
    return reinterpret_cast<void *>(&function);
    FUNCTION(mercator_arena)
    FUNCTION(mercator_slot)
    FUNCTION(mercator_exchange_slots)
    FUNCTION(mercator_fail)
    FUNCTION(mercator_result)
    FUNCTION(mercator_power_int)
    FUNCTION(mercator_parallel)
    FUNCTION(mercator_copy)
    FUNCTION(mercator_begin_floats)
    FUNCTION(mercator_end_floats)
    FUNCTION(mercator_begin_tiles)
    FUNCTION(mercator_trace_begin)
    FUNCTION(mercator_trace_end)
    FUNCTION(mercator_watch)
    FUNCTION(mercator_unwatch)
    FUNCTION(mercator_unwatch_all)
    FUNCTION(mercator_check)
#undef FUNCTION
    if (mercator_collective *found =
            mercator_find_collective(name.str().c_str()))
      return reinterpret_cast<void *>(found);
    return reinterpret_cast<void *>(mercator_find_call(name.str().c_str()));
  }
};
} // namespace

/// A linker that puts all objects in one range of addresses. They refer to each
/// other with offsets of 32 bits, and the system may give two allocations
/// addresses that are terabytes apart.
static Expected<std::unique_ptr<orc::LLJIT>>
makeLinker(ArrayRef<std::string> objects) {
  size_t bytes = size_t(4) << 20; // of the linker's own code, and for alignment
  for (const std::string &object : objects)
    bytes += 2 * object.size(); // with tables of addresses
  auto memory = orc::MapperJITLinkMemoryManager::CreateWithMapper<
      orc::InProcessMemoryMapper>(bytes);
  if (!memory)
    return memory.takeError();
  auto process = orc::SelfExecutorProcessControl::Create(nullptr, nullptr,
                                                         std::move(*memory));
  if (!process)
    return process.takeError();
  return orc::LLJITBuilder()
      .setExecutorProcessControl(std::move(*process))
      .create();
}

Expected<cpu::Jit>
cpu::Jit::link(ArrayRef<std::string> objects,
               const std::map<std::string, const void *> &data) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto linker = makeLinker(objects);
  if (!linker)
    return linker.takeError();
  Jit jit(std::move(*linker));
  orc::JITDylib &library = jit.linker->getMainJITDylib();
  orc::SymbolMap symbols;
  for (const auto &[name, address] : data) {
    if (uintptr_t(address) % kConstantAlignment != 0)
      return createStringError("expected the constant '" + name +
                               "' at a multiple of " +
                               Twine(kConstantAlignment) + " bytes");
    symbols[jit.linker->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address), JITSymbolFlags::Exported};
  }
  if (!symbols.empty())
    if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
      return error;
  library.addGenerator(std::make_unique<RuntimeFunctions>());
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.linker->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  for (const std::string &object : objects)
    if (Error error = jit.linker->addObjectFile(
            MemoryBuffer::getMemBufferCopy(object, "mercator")))
      return error;
  auto entry = jit.linker->lookup(kEntry);
  if (!entry)
    return entry.takeError();
  jit.main = entry->toPtr<mercator_program *>();
  return jit;
}

// UBSan's check of calls reads the bytes before a function. Before the first one
// of a program there may be no memory.
[[clang::no_sanitize("function")]] int32_t
cpu::Jit::run(mercator_context *context, const mercator_tensor *inputs,
              mercator_tensor *results) const {
  return main(context, inputs, results);
}
