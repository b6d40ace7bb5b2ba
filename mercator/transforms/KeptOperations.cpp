// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/KeptOperations.h"

#include "llvm/ADT/StringSet.h"

bool mercator::isKept(mlir::OperationName name) {
  static const llvm::StringSet<> kept = {
      "hlo.opaque",
      "sdy.manual_computation",
      "sdy.mesh",
      "sdy.return",
      "stablehlo.all_gather",
      "stablehlo.all_reduce",
      "stablehlo.all_to_all",
      "stablehlo.collective_broadcast",
      "stablehlo.collective_permute",
      "stablehlo.collective_reduce",
      "stablehlo.create_token",
      "stablehlo.cross-replica-sum",
      "stablehlo.custom_call",
      "stablehlo.get_tuple_element",
      "stablehlo.infeed",
      "stablehlo.outfeed",
      "stablehlo.partition_id",
      "stablehlo.recv",
      "stablehlo.reduce_scatter",
      "stablehlo.replica_id",
      "stablehlo.return",
      "stablehlo.send",
      "stablehlo.tuple",
  };
  llvm::StringRef dialect = name.getDialectNamespace();
  return dialect == "check" || dialect == "interpreter" ||
         kept.contains(name.getStringRef());
}
