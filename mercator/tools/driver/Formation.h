// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `--fusion`, `--device` and `--fuse`: how the commands that form dispatches are
/// told to. One text of help for all of them.

#ifndef MERCATOR_TOOLS_DRIVER_FORMATION_H
#define MERCATOR_TOOLS_DRIVER_FORMATION_H

#include "mercator/tools/driver/Command.h"

namespace mercator {

struct Device;
struct Formation;

inline constexpr Option fusionOption = {
    .name = "fusion",
    .value = "maps|aggressive|seed",
    .help =
        "what decides which operations share a dispatch: maps and costs, or "
        "rules (seed: those of IREE; aggressive: more than these)"};

/// The option of a command that makes code for a CPU. Others have deviceHelp
/// (Device.h).
inline constexpr Option cpuOption = {
    .name = "device",
    .value = "DEVICE",
    .help = "whose caches and rates decide that: host (default, this machine), "
            "a name such as zen5, or a JSON file"};

inline constexpr Option fuseOption = {
    .name = "fuse",
    .value = "LINE,LINE",
    .help =
        "the operations of these lines share a dispatch, whatever it costs"};

inline constexpr Option scheduleOption = {
    .name = "schedule",
    .value = "random:SEED",
    .help =
        "draw how kernels are computed at random, to test that results keep "
        "their bits"};
/// The seed of `--schedule`, 0 without it; nothing after an error.
[[nodiscard]] std::optional<uint64_t> scheduleSeedOf(Invocation &invocation);

/// `--fusion`, `--device` and `--fuse`, of the commands that form dispatches;
/// nothing after an error. If the program `runs`, the device is a CPU.
[[nodiscard]] std::optional<Formation> formationOf(Invocation &invocation,
                                                   bool runs = false);

/// HLO compiled for a GPU: dispatches are formed for the device of its kernels, if
/// `--device` does not say otherwise.
void formForKernels(Invocation &invocation, const Device &device,
                    Formation &formation);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_FORMATION_H
