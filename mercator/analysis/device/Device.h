// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a pass may know of the hardware that it compiles for. A device is data:
/// a pass asks for a field, never for a name.
///
///   const Device *device = findDevice("cpu", "aarch64");
///   device->matmulTiles[1].feature                    // "+dotprod"
///
///   device = findDevice("ascend", "910b");
///   whyNotOnCore(*device, "GatherNd", "uint16")       // "GatherNd of uint16 .."
///
/// An empty list means that nothing is known, not that the device has none.
///
/// Sources: for Ascend, CANN's support tables of its operators for the
/// generation, and the lists in its operator libraries; for aarch64, its
/// instructions.
///
/// Sizes of caches, widths of vectors and rates are in Memory.h.

#ifndef MERCATOR_ANALYSIS_DEVICE_DEVICE_H
#define MERCATOR_ANALYSIS_DEVICE_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mercator {

/// A tile of a matrix product, M x K times K x N, that the device has a kernel
/// for. Element types are spelled as in MLIR.
struct MatmulTile {
  llvm::StringRef lhs, rhs, acc;
  /// The feature of the device that the kernel needs, or empty.
  llvm::StringRef feature;
  int64_t m, k, n;
  /// K where one of the matrices has only one or two columns, or rows.
  int64_t narrowK;
  llvm::StringRef comment;
};

/// The element types for which the matrix cores of a device carry out an
/// operator. The operator and the types are spelled as in the device's own
/// graphs.
struct CoreOperator {
  llvm::StringRef name;
  llvm::ArrayRef<llvm::StringRef> types;
};

struct Device {
  /// The target that compiles for the device, and its name there.
  llvm::StringRef target, name;
  /// The name that diagnostics print.
  llvm::StringRef title;
  /// Features that some devices of this name have: "+dotprod".
  llvm::ArrayRef<llvm::StringRef> features;
  /// The better of two tiles for the same types comes first.
  llvm::ArrayRef<MatmulTile> matmulTiles;
  /// Operators that the cores carry out for fewer types than the target has.
  llvm::ArrayRef<CoreOperator> coreOperators;
};

namespace devices {
extern const Device aarch64;
/// The generations of Ascend; `ascendAny` has no limits that are known.
extern const Device ascendAny, ascend910b;
} // namespace devices

/// Null where the target has no device of that name.
[[nodiscard]] const Device *findDevice(llvm::StringRef target,
                                       llvm::StringRef name);

/// Why the cores of the device do not carry out the operator on elements of the
/// type; empty where they do or where it is not known.
[[nodiscard]] std::string whyNotOnCore(const Device &device, llvm::StringRef op,
                                       llvm::StringRef type);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_DEVICE_DEVICE_H
