// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How many processors this process may use.

#ifndef MERCATOR_RUNTIME_PROGRAM_PROCESSORS_H
#define MERCATOR_RUNTIME_PROGRAM_PROCESSORS_H

#include <cstdint>
#include <string>

namespace mercator {

/// Those of the calling thread's affinity (`taskset`), and not more than the quota
/// of the process's control group (`docker run --cpus=2`) rounded up. At least 1.
[[nodiscard]] int64_t usableProcessors();

/// The quota in `cpu.max` of a control group, in processors: "150000 100000" is 2.
/// 0 for "max", and for any other text.
[[nodiscard]] int64_t quotaOf(const std::string &text);

} // namespace mercator

#endif // MERCATOR_RUNTIME_PROGRAM_PROCESSORS_H
