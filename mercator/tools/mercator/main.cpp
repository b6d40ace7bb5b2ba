// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/Driver.h"
#include "mercator/tools/mercator/LapackCore.h"

int main(int argc, char **argv) {
  mercator::chooseLapackCore();
  return mercator::runMercator(argc, argv);
}
