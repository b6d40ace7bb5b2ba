// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Abi.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Linux gives the registers of AMX to all threads of a process that asks for them.
static bool askForTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr long kRequest = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;    // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
#else
  return false;
#endif
}

int32_t mercator_begin_tiles(mercator_context *context) {
  static const bool isGiven = askForTiles();
  if (isGiven)
    return mercator_ok;
  return context ? mercator_fail(
                       context,
                       "expected the registers of AMX, for which this program "
                       "was compiled, but this system does not give them to "
                       "the process",
                       "", 0, 0, 0, 0, 0)
                 : mercator_failed_check;
}
