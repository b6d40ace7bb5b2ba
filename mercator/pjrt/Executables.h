// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The functions of the interface that compile and execute. Internal to the plugin.

#ifndef MERCATOR_PJRT_EXECUTABLES_H
#define MERCATOR_PJRT_EXECUTABLES_H

#include "mercator/pjrt/Objects.h"

namespace mercator::pjrt {

Error *compile(ClientCompile *args);
Error *execute(Execute *args);
/// Frees a program that nobody owns any more.
void release(Executable *executable);
Error *costAnalysis(CountedList<Executable, const NamedValue> *args);
Error *optimizedProgram(Value<Executable, Program *> *args);
Error *memoryStatistics(MemoryStatistics *args);

} // namespace mercator::pjrt

#endif // MERCATOR_PJRT_EXECUTABLES_H
