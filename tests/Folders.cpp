// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/Folders.h"

#include <cstdlib>

std::string mercator::sourceFolder() { return MERCATOR_SOURCE_DIR; }

std::string mercator::sharedFolder() {
  const char *folder = std::getenv("MERCATOR_SHARED");
  return folder && *folder ? folder : sourceFolder() + "/../shared";
}
