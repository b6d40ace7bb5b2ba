// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/mercator/LapackCore.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

/// A function of OpenBLAS; null if LAPACK is another library.
template <typename F> static F *findFunction(const char *name) {
  return reinterpret_cast<F *>(dlsym(RTLD_DEFAULT, name));
}

void mercator::chooseLapackCore() {
#if defined(__x86_64__)
  constexpr const char *variable = "OPENBLAS_CORETYPE";
  auto *name = findFunction<char *()>("openblas_get_corename");
  auto *quit = findFunction<void()>("gotoblas_dynamic_quit");
  auto *init = findFunction<void()>("gotoblas_dynamic_init");
  if (!name || !quit || !init || std::getenv(variable) ||
      std::strcmp(name(), "Prescott") != 0 || !__builtin_cpu_supports("avx2") ||
      !__builtin_cpu_supports("fma"))
    return;
  setenv(variable, "Haswell", /*overwrite=*/1);
  quit();
  init();
  unsetenv(variable);
#endif
}
