// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where tests read from.
//
//   readFile(sourceFolder() + "/examples/checks.mlir")
//   readFile(sharedFolder() + "/data/xla-cases/cases.json")
//
// Only Folders.cpp knows the path of this checkout, so that a compiler cache
// serves all checkouts.

#ifndef MERCATOR_TESTS_FOLDERS_H
#define MERCATOR_TESTS_FOLDERS_H

#include <string>

namespace mercator {

/// The root of the source tree.
[[nodiscard]] std::string sourceFolder();

/// The data outside of the repository: MERCATOR_SHARED, or the folder `shared`
/// beside the checkout. It may be absent: a test that needs it skips.
[[nodiscard]] std::string sharedFolder();

} // namespace mercator

#endif // MERCATOR_TESTS_FOLDERS_H
