// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The globals of a module, their loads and stores, and the order of these.
// Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_GLOBALTABLE_H
#define MERCATOR_TRANSFORMS_UTIL_GLOBALTABLE_H

#include "mercator/dialects/util/Util.h"
#include "mercator/transforms/util/SymbolNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

namespace mercator::util {

/// The time at which code runs: the number of an initializer in program order,
/// which is the order of execution, or kLater, after all initializers. A
/// function that an initializer may call has the initializer's time.
///
///   util.initializer { ... call @f ... }     0      func.func @f    0
///   util.initializer { ... }                 1      func.func @g    kLater
using Time = int64_t;
constexpr Time kNever = std::numeric_limits<Time>::min();
constexpr Time kAnyTime = -1;
constexpr Time kLater = std::numeric_limits<Time>::max();

template <typename OpT> struct Access {
  mutable OpT op;
  /// The operation of the module: the initializer or the function around it.
  mlir::Operation *top;
};

struct Global {
  mutable GlobalOp op;
  llvm::SmallVector<Access<GlobalLoadOp>> loads;
  llvm::SmallVector<Access<GlobalStoreOp>> stores;
  /// The symbol has other users, so not all loads and stores are listed.
  bool escapes = false;

  /// Whether the listed accesses are all accesses.
  bool isLocal() const {
    return !escapes && mlir::SymbolTable::getSymbolVisibility(op) ==
                           mlir::SymbolTable::Visibility::Private;
  }
};

/// Requires: no operations are inserted between queries about stores.
class GlobalTable {
public:
  explicit GlobalTable(mlir::ModuleOp module);

  /// In module order. Set `op` to null when you erase a global.
  llvm::MapVector<mlir::StringAttr, Global> globals;

  /// The earliest time at which this operation of the module runs.
  Time getTime(mlir::Operation *top) const { return times.lookup(top); }

  /// The time of the last store; kLater if stores may happen after
  /// initialization, kNever if there is none.
  Time getLastStore(const Global &global) const;

  /// Whether every load runs only after one of the stores.
  bool isStoredBeforeLoads(const Global &global) const;

private:
  struct Code {
    /// The operations of the module with these names.
    llvm::SmallVector<mlir::Operation *> references;
    /// It may run unknown code, which may call any function.
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
