// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The page without data, in two parts: the data stand between them. CMake joins
/// the files of mercator/explorer/ (cmake/JoinPage.cmake). Internal.

#ifndef MERCATOR_COMPILER_EXPLORE_PAGE_H
#define MERCATOR_COMPILER_EXPLORE_PAGE_H

#include "llvm/ADT/StringRef.h"

namespace mercator {

[[nodiscard]] llvm::StringRef pageBeforeData();
[[nodiscard]] llvm::StringRef pageAfterData();

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLORE_PAGE_H
