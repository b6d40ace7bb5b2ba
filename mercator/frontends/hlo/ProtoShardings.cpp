// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ProtoText.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::hlo;
using namespace mercator::hlo::field;
using llvm::SmallVector;
using llvm::Twine;

namespace {
/// OpSharding.Type.
enum class ShardingType : int64_t {
  Replicated,
  Maximal,
  Tuple,
  Other,
  Manual,
  Unknown,
  Unreduced
};
} // namespace

static constexpr StringRef shardingWords[] = {
    "replicated", "maximal", "tuple",    "other",
    "manual",     "unknown", "unreduced"};

/// `[4,2]T(1,0)`; the permutation is left out if it changes nothing.
void ProtoText::writeIota(llvm::ArrayRef<int64_t> dims,
                          llvm::ArrayRef<int64_t> permutation) {
  os << '[';
  llvm::interleave(dims, os, ",");
  os << ']';
  if (permutation.empty() || llvm::is_sorted(permutation))
    return;
  os << "T(";
  llvm::interleave(permutation, os, ",");
  os << ')';
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

void ProtoText::writeQuoted(StringRef axis) {
  os << '\'';
  writeWord(axis);
  os << '\'';
}

/// `mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))`
void ProtoText::writeMesh(const WireMessage &mesh) {
  os << "mesh[";
  llvm::interleave(
      mesh.messages(1), os,
      [&](const WireMessage &axis) {
        writeQuoted(axis.text(1));
        os << '=' << axis.integer(2);
      },
      ",");
  os << ']';
  if (mesh.has(3)) {
    WireMessage iota = mesh.message(3);
    os << ", device_ids=(";
    writeIota(iota.integers(1), iota.integers(2));
    os << ')';
    return;
  }
  SmallVector<int64_t, 8> ids = mesh.integers(2);
  if (ids.empty())
    return;
  os << ", device_ids=(";
  llvm::interleave(ids, os, ",");
  os << ')';
}

/// `{'x', 'y':(2)2}`; of a dimension that may be sharded further, `{'x', ?}`.
void ProtoText::writeAxes(llvm::ArrayRef<WireMessage> axes,
                          const WireMessage &mesh, bool isOpen) {
  SmallVector<StringRef, 4> names;
  for (const WireMessage &axis : mesh.messages(1))
    names.push_back(axis.text(1));
  os << '{';
  llvm::interleave(
      axes, os,
      [&](const WireMessage &axis) {
        auto index = uint64_t(axis.integer(1));
        if (index >= names.size()) {
          fail("no axis " + Twine(index) + " in a mesh of " +
               Twine(names.size()));
          return;
        }
        writeQuoted(names[index]);
        if (axis.has(2)) {
          WireMessage part = axis.message(2);
          os << ":(" << part.integer(1) << ')' << part.integer(2);
        }
      },
      ", ");
  if (isOpen)
    os << (axes.empty() ? "?" : ", ?");
  os << '}';
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// `{mesh['x'=2], [{'x'}, {?}], replicated={'y'}}`
void ProtoText::writeNamedSharding(const WireMessage &sharding) {
  WireMessage mesh = sharding.message(2);
  os << '{';
  writeMesh(mesh);
  os << ", [";
  llvm::interleaveComma(sharding.messages(3), os, [&](const WireMessage &dim) {
    writeAxes(dim.messages(1), mesh, /*isOpen=*/!dim.flag(2));
  });
  os << ']';
  auto list = [&](StringRef name, uint32_t number) {
    auto axes = sharding.messages(number);
    if (axes.empty())
      return;
    os << ", " << name << '=';
    writeAxes(axes, mesh);
  };
  list("replicated", 4);
  list("unreduced", 5);
  list("manual", 7);
  os << '}';
}

/// `{devices=[2,1,4]<=[2,4]T(1,0) last_tile_dim_replicate}`
void ProtoText::writeTiledSharding(const WireMessage &sharding) {
  SmallVector<int64_t, 8> dims = sharding.integers(3),
                          reshape = sharding.integers(9);
  os << "{devices=[";
  llvm::interleave(dims, os, ",");
  os << ']';
  if (!reshape.empty()) {
    os << "<=";
    writeIota(reshape, sharding.integers(10));
  } else {
    llvm::interleave(sharding.integers(4), os, ",");
  }
  if (sharding.flag(6))
    os << " last_tile_dim_replicate";
  SmallVector<int64_t, 8> last = sharding.integers(8);
  if (last.empty())
    return;
  os << " last_tile_dims={";
  llvm::interleaveComma(last, os, [&](int64_t type) {
    if (type < 0 || size_t(type) >= std::size(shardingWords))
      fail("unknown type " + Twine(type) + " of a sharding");
    else
      os << shardingWords[type];
  });
  os << '}';
}

void ProtoText::writeSharding(const WireMessage &sharding, unsigned depth) {
  if (depth > 2) {
    fail("shardings are nested");
    return;
  }
  if (sharding.has(14))
    return writeNamedSharding(sharding.message(14));
  int64_t type = sharding.integer(1);
  if (type < 0 || size_t(type) >= std::size(shardingWords)) {
    fail("unknown type " + Twine(type) + " of a sharding");
    return;
  }
  switch (ShardingType(type)) {
  case ShardingType::Tuple:
    os << '{';
    llvm::interleaveComma(
        sharding.messages(5), os,
        [&](const WireMessage &member) { writeSharding(member, depth + 1); });
    os << '}';
    return;
  case ShardingType::Maximal: {
    SmallVector<int64_t, 8> devices = sharding.integers(4);
    os << "{maximal device=" << (devices.empty() ? 0 : devices.front());
    break;
  }
  case ShardingType::Other:
    writeTiledSharding(sharding);
    break;
  default:
    os << '{' << shardingWords[type];
  }
  if (sharding.flag(11))
    os << (sharding.integer(13) == 1 ? " shard_like " : " shard_as ")
       << sharding.integer(12);
  auto metadata = sharding.messages(7);
  if (metadata.size() == 1) {
    os << " metadata=";
    writeMetadata(metadata.front());
  } else if (!metadata.empty()) {
    os << " metadata={";
    llvm::interleaveComma(metadata, os,
                          [&](const WireMessage &one) { writeMetadata(one); });
    os << '}';
  }
  os << '}';
}

//===----------------------------------------------------------------------===//
// Replica groups
//===----------------------------------------------------------------------===//

void ProtoText::writeReplicaGroups(const WireMessage &instruction) {
  if (instruction.has(kMeshAxes)) {
    WireMessage groups = instruction.message(kMeshAxes);
    os << ", replica_groups=";
    writeMesh(groups.message(1));
    os << ' ';
    writeAxes(groups.messages(2), groups.message(1));
    return;
  }
  WireMessage list = instruction.message(kDeviceList);
  // Until 2025 the notation with iota was inside the list.
  WireMessage iota = instruction.has(kIotaDeviceList)
                         ? instruction.message(kIotaDeviceList)
                         : list.message(2);
  if (iota.has(1)) {
    os << ", replica_groups=[" << iota.integer(1) << ',' << iota.integer(2)
       << "]<=";
    writeIota(iota.integers(3), iota.integers(4));
    return;
  }
  auto groups = instruction.has(kDeviceList)
                    ? list.messages(1)
                    : instruction.messages(kReplicaGroups);
  os << ", replica_groups={";
  llvm::interleave(
      groups, os,
      [&](const WireMessage &group) { writeIndices(group.integers(1)); }, ",");
  os << '}';
}
