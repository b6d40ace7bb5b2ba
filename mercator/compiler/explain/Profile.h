// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Hardware counters of a program that ran, as Nsight Compute writes them, and the
/// kernels that they belong to.
///
///   ncu --page raw --csv --metrics gpu__time_duration.sum,dram__bytes_read.sum ...
///
///   "ID",..,"Kernel Name",..,"dram__bytes_read.sum","gpu__time_duration.sum"
///   "",..,"",..,"Mbyte","us"
///   "0",..,"input_transpose_fusion",..,"3.11","4.80"
///
/// ```cpp (const std::string &csv, mercator::DiagnosticEngine &diagnostics)
/// #include "mercator/compiler/explain/Profile.h"
/// SourceBuffer text("profile.csv", csv);
/// std::optional<Profile> profile = readProfile(text, diagnostics);
/// if (profile)
///   llvm::outs() << profile->launches.front().kernel << "\n";
/// ```
///
/// Form. A line of titles, a line of units, then a line for each launch. Lines before
/// the titles, and lines that begin with `==`, are what ncu and the program print. A
/// number may have commas; `n/a` and an empty cell are no number. Units with the
/// prefixes K, M, G, T are powers of 1000. Counters that are not listed below are
/// skipped.
///
/// Refuses, with the place: a text without titles, another page than `raw`, a line
/// with more or fewer cells, an open quote, a cell that is no number, a unit that is
/// none of bytes or of time.
///
/// Source: the Nsight Compute CLI guide; names of counters as of 2024.

#ifndef MERCATOR_COMPILER_EXPLAIN_PROFILE_H
#define MERCATOR_COMPILER_EXPLAIN_PROFILE_H

#include "mercator/compiler/maps/Kernels.h"
#include "mercator/support/Diagnostic.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mercator {

/// The numbers that are both predicted and measured.
enum class Counter {
  Grid,
  Block,
  Loads,
  LoadSectors,
  Stores,
  StoreSectors,
  BytesRead,
  BytesWritten,
  Microseconds
};
constexpr size_t kCounters = 9;
/// As in the JSON of a kernel: "grid", "load_sectors", "dram_read", "us", ..
[[nodiscard]] llvm::StringRef nameOf(Counter counter);
/// As Nsight Compute calls it: "dram__bytes_read.sum".
[[nodiscard]] llvm::StringRef metricOf(Counter counter);

using CounterValues = std::array<std::optional<double>, kCounters>;

struct Profile {
  struct Launch {
    std::string kernel;
    CounterValues values = {};
  };
  std::vector<Launch> launches; ///< in the order of the text
};

/// None after an error.
[[nodiscard]] std::optional<Profile> readProfile(const SourceBuffer &text,
                                                 DiagnosticEngine &diagnostics);

/// The launches of a profile, beside the kernels of a program.
struct Measured {
  struct Group {
    std::string kernel; ///< its name in the profile
    int64_t launches = 0;
    CounterValues mean = {}; ///< over those launches that have a value
  };
  /// For each kernel of the program, its group; none if the profile has none.
  std::vector<std::optional<Group>> kernels;
  std::vector<Group> others; ///< of no kernel that has threads of its own
};

/// A kernel is found by the name of its instruction, with `.` and `-` as `_`. XLA
/// launches one kernel for several instructions that compute the same: those have the
/// group of the first.
[[nodiscard]] Measured measure(const Profile &profile,
                               llvm::ArrayRef<KernelRecord> kernels);

/// The prediction; none if it is not known.
[[nodiscard]] std::optional<double> predicted(const KernelRecord &kernel,
                                              Counter counter);

/// Writes `launches` and the counters, inside of an object.
void writeMembers(const Measured::Group &group, llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_PROFILE_H
