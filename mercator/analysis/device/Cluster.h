// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Devices of one kind and the links between them. A cluster is data, as a device
/// is.
///
/// ```cpp
/// llvm::Expected<mercator::Cluster> hosts = mercator::findCluster("h100-hosts");
/// assert(hosts && hosts->device.name == "h100");
/// assert(hosts->between(0, 7)->name == "NVLink");     // in one host
/// assert(hosts->between(7, 8)->name == "InfiniBand"); // in two
/// assert(!mercator::findCluster("h100x8")->between(7, 8));
/// ```
///
/// Devices are numbered, host by host. A link joins blocks of `devices` with consecutive
/// numbers, the nearest first. Times are in microseconds, bandwidths in
/// 10^9 bytes per second: a message of n bytes takes `microseconds` and n divided by
/// the bandwidth. A device sends and receives at the same time.
///
/// The known clusters are the files devices/clusters/*.json of the project. Any file
/// of that form describes one, too; docs/devices.md explains the members.

#ifndef MERCATOR_ANALYSIS_DEVICE_CLUSTER_H
#define MERCATOR_ANALYSIS_DEVICE_CLUSTER_H

#include "mercator/analysis/device/Device.h"

namespace mercator {

struct Link {
  std::string name;
  int64_t devices = 0; ///< that it joins; 0: any number
  double gigabytesPerSecond = 0;
  double microseconds = 0;

  /// Of a message.
  [[nodiscard]] double time(double bytes) const {
    return microseconds + bytes / (gigabytesPerSecond * 1e3);
  }
};

struct Cluster {
  std::string name, title;
  std::vector<std::string> sources; ///< where the numbers are from
  Device device;
  std::vector<Link> links; ///< the nearest first

  /// The first link that joins both; null if none does.
  [[nodiscard]] const Link *between(int64_t one, int64_t other) const;
  /// Whether the first `devices` devices are joined.
  [[nodiscard]] bool joins(int64_t devices) const {
    return between(0, devices - 1) != nullptr;
  }
};

/// The clusters of devices/clusters/*.json, in the order of their names.
[[nodiscard]] std::vector<std::string> clusterNames();

/// A known cluster. An error names those that there are.
[[nodiscard]] llvm::Expected<Cluster> findCluster(llvm::StringRef name);

/// The cluster that a JSON text describes. Its `device` is a known device, or an
/// object of the form of devices/*.json. An error names the member, and says what
/// was expected.
[[nodiscard]] llvm::Expected<Cluster> parseCluster(llvm::StringRef json);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_DEVICE_CLUSTER_H
