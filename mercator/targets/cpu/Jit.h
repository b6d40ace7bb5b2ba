// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An object in this process, ready to be called.

#ifndef MERCATOR_TARGETS_CPU_JIT_H
#define MERCATOR_TARGETS_CPU_JIT_H

#include "mercator/runtime/Abi.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mercator::cpu {

class Jit {
public:
  /// Links the objects of emitCode. `data` has the addresses of the constants that
  /// it refers to, which outlive the result. Fails if one of them is not aligned
  /// as code expects (kConstantAlignment).
  static llvm::Expected<Jit>
  link(llvm::ArrayRef<std::string> objects,
       const std::map<std::string, const void *> &data);
  Jit(Jit &&) noexcept;
  ~Jit();

  /// Calls mercator_main (runtime/Abi.h).
  int32_t run(mercator_context *context, const mercator_tensor *inputs,
              mercator_tensor *results) const;

private:
  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> linker);

  std::unique_ptr<llvm::orc::LLJIT> linker;
  mercator_program *main = nullptr;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_JIT_H
