// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_COMPILER_FLOW_H
#define MERCATOR_COMPILER_FLOW_H

namespace mercator {

/// Registers the passes that the flow pipeline names in text, for the part that
/// it repeats until nothing changes. Internal.
void registerFlowPasses();

} // namespace mercator

#endif // MERCATOR_COMPILER_FLOW_H
