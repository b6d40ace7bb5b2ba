// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Jit.h"
#include "mercator/targets/cpu/llvm/Lower.h"
#include "tests/Scale.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <array>
#include <atomic>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mercator;

static std::atomic<unsigned> distances = 0;

// The sanitizer has its own mmap.
#if !__has_feature(address_sanitizer)
/// The libraries of this process find this function before that of libc. It puts
/// every mapping 2^36 bytes away from the one before, while `distances` is not 0.
extern "C" void *mmap(void *at, size_t bytes, int protection, int flags,
                      int file, off_t offset) noexcept {
  if (!at && distances != 0)
    at = reinterpret_cast<void *>(uintptr_t(distances++) << 36);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
}
#endif

namespace {

constexpr int kFunctions = 100; // enough for several objects

/// A program that stores the addresses of kFunctions private functions, each of
/// which returns its number, where its second argument points.
std::string program() {
  std::string text;
  for (int i = 0; i < kFunctions; ++i) {
    std::string number = std::to_string(i);
    text += "llvm.func internal @f" + number +
            "() -> i32 attributes {no_inline} {\n"
            "  %0 = llvm.mlir.constant(" +
            number +
            " : i32) : i32\n"
            "  llvm.return %0 : i32\n}\n";
  }
  text += "llvm.func @mercator_main(%context: !llvm.ptr, %inputs: !llvm.ptr, "
          "%results: !llvm.ptr) -> i32 {\n";
  for (int i = 0; i < kFunctions; ++i) {
    std::string number = std::to_string(i);
    text += "  %f" + number + " = llvm.mlir.addressof @f" + number +
            " : !llvm.ptr\n  %at" + number + " = llvm.getelementptr %inputs[" +
            number + "] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n" +
            "  llvm.store %f" + number + ", %at" + number +
            " : !llvm.ptr, !llvm.ptr\n";
  }
  return text + "  %zero = llvm.mlir.constant(0 : i32) : i32\n"
                "  llvm.return %zero : i32\n}\n";
}

/// Without UBSan's check, as in Jit::run.
[[clang::no_sanitize("function")]] int call(int (*function)()) {
  return function();
}

/// Parts of a program refer to each other with offsets of 32 bits. The sanitizers,
/// and programs with large mappings, leave the system only holes that are
/// terabytes apart.
TEST(Jit, LinksWhereTheSystemScattersMemory) {
  mlir::DialectRegistry registry;
  cpu::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program(), &context);
  ASSERT_TRUE(module);
  auto objects =
      cpu::emitCode(*module, cpu::Machine::host(), cpu::Emit::Objects);
  ASSERT_TRUE(bool(objects)) << llvm::toString(objects.takeError());
  ASSERT_GT(objects->size(), 1u);
  distances = 16;
  auto jit = cpu::Jit::link(*objects, {});
  if (!kIsSanitized)
    EXPECT_GT(distances, 16u) << "the linker does not map memory";
  distances = 0;
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  std::array<int (*)(), kFunctions> functions = {};
  ASSERT_EQ(jit->run(nullptr, reinterpret_cast<mercator_tensor *>(&functions),
                     nullptr),
            0);
  for (int i = 0; i < kFunctions; ++i)
    EXPECT_EQ(call(functions[size_t(i)]), i);
}

} // namespace
