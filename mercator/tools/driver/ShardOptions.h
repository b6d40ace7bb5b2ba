// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The options that state a mesh and shardings, for `shard` and `compile`.

#ifndef MERCATOR_TOOLS_DRIVER_SHARDOPTIONS_H
#define MERCATOR_TOOLS_DRIVER_SHARDOPTIONS_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

namespace spmd {
struct Request;
} // namespace spmd

inline constexpr Option meshOption = {
    .name = "mesh",
    .value = "AXIS:SIZE,..",
    .help =
        "the devices, such as data:2,model:4, instead of the meshes and "
        "shardings of the program; `shard`: auto:8 ranks the ways to use 8"};
inline constexpr Option inOption = {
    .name = "in",
    .value = "NUMBER=AXES,..",
    .help = "the axes that divide the dimensions of an argument: 0=data,- "
            "(`-` none, `?` open, `data+model` both), once for each"};
inline constexpr Option outOption = {
    .name = "out", .value = "NUMBER=AXES,..", .help = "the same for a result"};

/// The values of the three options.
[[nodiscard]] spmd::Request shardRequestOf(Invocation &invocation);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_SHARDOPTIONS_H
