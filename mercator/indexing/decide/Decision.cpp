// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Decision.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Decision &decision) {
  os << (decision.isYes() ? "yes" : decision.isNo() ? "no" : "unknown");
  return decision.reason.empty() ? os : os << " (" << decision.reason << ')';
}

} // namespace mercator::indexing
