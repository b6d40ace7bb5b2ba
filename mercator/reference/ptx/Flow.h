// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where lanes that a branch parts meet again.
///
///   0  @%p bra 3
///   1  add           of the branch at 0: 3, its immediate post-dominator
///   2  add
///   3  ret

#ifndef MERCATOR_REFERENCE_PTX_FLOW_H
#define MERCATOR_REFERENCE_PTX_FLOW_H

#include "mercator/reference/ptx/Module.h"

namespace mercator::reference::ptx {

/// Sets `reconvergence` of each branch to its immediate post-dominator, or to the end of
/// the code if only the end post-dominates it.
/// Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
void findReconvergence(Kernel &kernel);

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_FLOW_H
