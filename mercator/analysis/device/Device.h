// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What is known of the hardware that a program is compiled for. A device is
/// data: a pass asks for a field, never for a name.
///
/// ```cpp
/// llvm::Expected<mercator::Device> h100 = mercator::findDevice("h100");
/// assert(h100 && h100->lanes == 32 && h100->sectorBytes == 32);
/// assert(h100->multiplyAddRate("bf16", mercator::Device::Unit::Matrix) > 7000);
/// const mercator::Device *arm = mercator::findDevice("cpu", "aarch64");
/// assert(arm->matmulTiles[1].feature == "+dotprod");
/// assert(!mercator::whyNotOnCore(mercator::devices::ascend910b(), "GatherNd",
///                                "uint16").empty());
/// ```
///
/// The known devices are the files devices/*.json of the project. Each file cites
/// its sources. Any file of that form describes a device, too; docs/devices.md
/// explains the members.
///
/// Notation. A *core* is what runs one part of a dispatch: a core of a CPU, a
/// multiprocessor of a GPU, a cube core of Ascend with its vector cores. A
/// multiply-add counts as two operations. A rate of 0 is not known, and an empty
/// list means that nothing is known, not that the device has none.

#ifndef MERCATOR_ANALYSIS_DEVICE_DEVICE_H
#define MERCATOR_ANALYSIS_DEVICE_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mercator {

/// A tile of a matrix product, M x K times K x N, that the device has a kernel
/// for. Element types are spelled as in MLIR.
struct MatmulTile {
  std::string lhs, rhs, acc;
  /// The feature of the device that the kernel needs, or empty.
  std::string feature;
  int64_t m, k, n;
  /// K where one of the matrices has only one or two columns, or rows.
  int64_t narrowK;
  std::string comment;
};

/// The element types for which the matrix cores of a device carry out an
/// operator. The operator and the types are spelled as in the device's own
/// graphs.
struct CoreOperator {
  std::string name;
  std::vector<std::string> types;
};

struct Device {
  /// The name of the file, and the name that people read.
  std::string name, title;
  std::string target = "cpu"; ///< "cpu", "gpu" or "ascend"
  /// CPUs that this is a device for, as LLVM calls them: "znver4".
  std::vector<std::string> cpus;
  /// Features that some devices of this name have: "+dotprod".
  std::vector<std::string> features;
  std::vector<std::string> sources; ///< where the numbers are from

  int64_t cores = 1;
  int64_t lanes = 1;         ///< threads of a warp, or f32 elements of a vector
  int64_t sectorBytes = 64;  ///< the smallest transfer
  int64_t lineBytes = 64;    ///< what one tag of a cache covers
  int64_t baseAlignment = 1; ///< of the address of every tensor, in bytes
  int64_t banks = 0;         ///< of shared memory; 0 if there is none
  int64_t bankBytes = 0;

  /// The instructions that multiply and add: of vectors, or of whole matrices
  /// (AMX, tensor cores, cubes).
  enum class Unit { Vector, Matrix };
  struct MultiplyAdd {
    std::string type; ///< of the factors: "f32", "f64", "f16", "bf16", "i8"
    Unit unit;
    double gigaflopsPerSecond; ///< of one core, 10^9 operations
  };
  std::vector<MultiplyAdd> multiplyAdds;

  /// Other arithmetic of f32, in loops of our own machine code over buffers in the
  /// caches: "exp", "division", .., and "gather", reads at indices of a table.
  struct Function {
    std::string name;
    double gigaPerSecond; ///< of one core, 10^9 elements
  };
  std::vector<Function> functions;

  struct Cache {
    std::string name;
    int64_t bytes;
    int64_t lineBytes = 64;
    int64_t sharedBy = 1; ///< cores that have one such cache together
    /// The bandwidth for one core, and for all cores at once.
    double coreGigabytesPerSecond = 0, gigabytesPerSecond = 0;
  };
  std::vector<Cache> caches; ///< the smallest first
  /// The bandwidth of memory, for one core and for all cores at once.
  double coreGigabytesPerSecond = 0, gigabytesPerSecond = 0;
  struct Bandwidth {
    double ofCore, ofAll; ///< GB/s; 0 if not known
  };
  /// From `caches[level]`, or from memory, the level after the last cache. A last cache
  /// whose bandwidth is not known has that of memory: of large caches that many cores
  /// share, one core gets little more.
  [[nodiscard]] Bandwidth bandwidthOf(size_t level) const;
  /// What it costs to start a dispatch on all cores, and to wait at its end until
  /// all of them are done.
  double startMicroseconds = 0, meetMicroseconds = 0;
  /// Of a core that computes alone: 10^9 cycles per second.
  double gigahertz = 0;

  /// How a core runs the instructions of a loop, beside its rates: for the estimate of
  /// machine code (targets/cpu/estimate). The defaults are those of an x86-64 core of
  /// 2022. A *slot* is the time of a short operation on a vector.
  struct Core {
    double addCycles = 3;         ///< until a sum of floats can be used
    double multiplyAddCycles = 4; ///< the same, of a product or a multiply-add
    double multiplyCycles = 3;    ///< of a product of whole numbers
    double maximumCycles = 9.5;   ///< of a maximum of floats, NaN among them
    double functionWaits = 2.5;   ///< of a function: times its time in a loop
    double functionMostCycles = 75; ///< but at most so long
    double loadCycles = 5;  ///< until a number from the first cache can be used
    double missCycles = 20; ///< of a branch that was guessed wrong
    double storeCycles = 7; ///< from a store to a load of the same element
    double divisionSlots = 24;  ///< of whole numbers
    double shuffleSlots = 1;    ///< elements of vectors change their places
    double scalarsPerCycle = 4; ///< operations that are not in vectors
    double storeLoads = 2;      ///< the time of a store, in times of a load
    double loadOverLines =
        1.5; ///< times as long, if the bytes are in two lines
    double storeOverLines = 2;
    double windowInstructions = 300; ///< that wait at the same time
    double loopCycles = 4; ///< to ask whether buffers overlap, before a loop
    double combineCycles =
        30;                 ///< to combine the lanes of a result, after a loop
    double callCycles = 60; ///< of a kernel
    /// The rate of LAPACK's products, as a part of that of multiply-adds.
    double libraryRate = 0.5;
    /// Of two things at the same time, the shorter one: the part of it that is seen.
    double waitsSeen = 0.25; ///< chains of operations beside busy units
    double levelsSeen = 0.2; ///< a cache or memory beside another one
    double leavingSeen =
        0.2; ///< a line that leaves the first cache, in lines that come
    /// A line that is not the neighbor of the one before takes so many lines more: what
    /// is fetched ahead does not help.
    double jumpLines = 0.5;
    /// Parts of a cache: buffers of up to `cacheHolds` stay, of `cacheLoses` and more do not.
    double cacheHolds = 0.7, cacheLoses = 1.2;

    bool operator==(const Core &) const = default;
  } core;

  /// The numbers of a core, by their names in JSON.
  struct CoreNumber {
    llvm::StringRef name;
    double Core::*place;
  };
  [[nodiscard]] static llvm::ArrayRef<CoreNumber> coreNumbers();

  /// The better of two tiles for the same types comes first.
  std::vector<MatmulTile> matmulTiles;
  /// Operators that the cores carry out for fewer types than the target has.
  std::vector<CoreOperator> coreOperators;

  /// Only GPUs have shared memory.
  [[nodiscard]] bool isGpu() const { return banks > 0; }
  /// The bytes of a vector register, or of a load of a warp.
  [[nodiscard]] int64_t vectorBytes() const { return 4 * lanes; }
  /// 10^9 operations per second of one core; 0 if not known.
  [[nodiscard]] double multiplyAddRate(llvm::StringRef type,
                                       Unit unit = Unit::Vector) const;
  /// 10^9 elements per second of one core; 0 if not known.
  [[nodiscard]] double functionRate(llvm::StringRef name) const;
};

//===--- Known devices ----------------------------------------------------===//

/// The devices of devices/*.json, in the order of their names.
[[nodiscard]] llvm::ArrayRef<Device> knownDevices();

/// The names that findDevice accepts: those of the known devices, and `host`.
[[nodiscard]] std::vector<std::string> deviceNames();

/// A known device, or `host`. An error names the devices that there are.
[[nodiscard]] llvm::Expected<Device> findDevice(llvm::StringRef name);

/// The device that a text describes: JSON, or a name that findDevice accepts.
[[nodiscard]] llvm::Expected<Device> readDevice(llvm::StringRef text);

/// Null where the target has no device of that name. Ascend has `any`, too.
[[nodiscard]] const Device *findDevice(llvm::StringRef target,
                                       llvm::StringRef name);

namespace devices {
/// The generations of Ascend; `ascendAny` has no limits that are known.
[[nodiscard]] const Device &ascendAny(), &ascend910b();
} // namespace devices

/// This machine: a CPU. The vectors, the caches, and the cores that this process
/// may use are asked of the system. The rest is that of `nearestDevice`: the rates
/// of multiply-adds for vectors of this length, and bandwidths for as many cores. If
/// `cores` is not 0, it is their number.
[[nodiscard]] Device hostDevice(int64_t cores = 0);

/// The known CPU that has `cpu` in its list `cpus`. For another CPU of x86-64 or
/// ARM, the generic one.
[[nodiscard]] const Device &nearestDevice(llvm::StringRef cpu);

/// Why the cores of the device do not carry out the operator on elements of the
/// type; empty where they do or where it is not known.
[[nodiscard]] std::string whyNotOnCore(const Device &device, llvm::StringRef op,
                                       llvm::StringRef type);

/// The names that Device::functions may have.
[[nodiscard]] llvm::ArrayRef<llvm::StringRef> deviceFunctions();

//===--- JSON -------------------------------------------------------------===//

/// The JSON text of the device, in one line, or in lines that are indented by so
/// many spaces.
///
/// Law: parseDevice(toJson(device)) is the same device.
[[nodiscard]] std::string toJson(const Device &device, unsigned indent = 0);

/// The device that a JSON text describes. An error names the member, and says
/// what was expected: "expected an integer from 1 to 1024 as 'lanes', got 0". A
/// member that the form does not have is an error, too.
[[nodiscard]] llvm::Expected<Device> parseDevice(llvm::StringRef json);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_DEVICE_DEVICE_H
