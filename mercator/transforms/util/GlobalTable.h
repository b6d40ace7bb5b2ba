// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The globals of a module, who loads and stores them, and when. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_GLOBALTABLE_H
#define MERCATOR_TRANSFORMS_UTIL_GLOBALTABLE_H

#include "mercator/dialects/util/Util.h"
#include "mercator/transforms/util/SymbolNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

namespace mercator::util {

/// When something runs: in the initializer of that number, in the order they
/// stand in, which is also how they run; or kLater, when all are done. A
/// function that an initializer may call runs as early as that.
///
///   util.initializer { ... call @f ... }     0      func.func @f    0
///   util.initializer { ... }                 1      func.func @g    kLater
using Time = int64_t;
constexpr Time kNever = std::numeric_limits<Time>::min();
constexpr Time kAnyTime = -1;
constexpr Time kLater = std::numeric_limits<Time>::max();

template <typename OpT> struct Access {
  mutable OpT op;
  /// Where the module has it, or the function around it.
  mlir::Operation *top;
};

struct Global {
  mutable GlobalOp op;
  llvm::SmallVector<Access<GlobalLoadOp>> loads;
  llvm::SmallVector<Access<GlobalStoreOp>> stores;
  /// Something else names it, so that there are loads and stores not listed.
  bool escapes = false;

  /// Whether all accesses are those that are listed.
  bool isLocal() const {
    return !escapes && mlir::SymbolTable::getSymbolVisibility(op) ==
                           mlir::SymbolTable::Visibility::Private;
  }
};

/// Requires that nobody inserts operations while it is asked about stores.
class GlobalTable {
public:
  explicit GlobalTable(mlir::ModuleOp module);

  /// In the order of the module. Who erases a global sets its `op` to null.
  llvm::MapVector<mlir::StringAttr, Global> globals;

  /// The earliest time at which that operation of the module runs.
  Time getTime(mlir::Operation *top) const { return times.lookup(top); }

  /// When the global was stored for the last time; kLater where that never
  /// ends, kNever where there is no store.
  Time getLastStore(const Global &global) const;

  /// Whether every load runs only when one of the stores has run.
  bool isStoredBeforeLoads(const Global &global) const;

private:
  struct Code {
    /// What the module has under these names.
    llvm::SmallVector<mlir::Operation *> references;
    /// It may run code that nobody sees here, which may call anything.
    bool isOpaque = false;
  };

  void findAccesses(mlir::Operation *top);
  void findReferences(mlir::Operation *op, mlir::Operation *top);
  void findTimes(mlir::ModuleOp module);
  bool isStoredBefore(const Access<GlobalLoadOp> &load) const;

  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> symbols;
  llvm::DenseMap<mlir::Operation *, Code> code;
  llvm::DenseMap<mlir::Operation *, Time> times;
  SymbolNames names;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::StringAttr>, mlir::Operation *>
      firstStores;
};

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_GLOBALTABLE_H
