// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A value in the evaluator: a tensor, a token, a tuple of these, the future of
/// an asynchronous operation (a tuple of its results), or the storage of a
/// tensor. A number that is no tensor, such as the condition of a branch, is a
/// tensor of rank 0.

#ifndef MERCATOR_REFERENCE_CORE_VALUE_H
#define MERCATOR_REFERENCE_CORE_VALUE_H

#include "mercator/reference/core/Tensor.h"

#include <variant>
#include <vector>

namespace mercator::reference {

class Value;

/// Orders operations that have effects; carries no data.
struct Token {};

struct Tuple {
  std::vector<Value> members;
};

/// The future results of an operation: the number of its task in the grid of
/// processes (Processes.h).
struct Future {
  size_t task;
};

/// The address of a global of the program: the operation that defines it.
struct Address {
  mlir::Operation *global;
};

/// A tensor that a dispatch reads and writes; the results of the dispatch are
/// made of it. Unlike other tensors it is mutable.
struct Storage {
  std::shared_ptr<Tensor> held;
};

class Value
    : public std::variant<Token, Tensor, Tuple, Future, Address, Storage> {
public:
  using variant::variant;

  [[nodiscard]] const Tensor *tensor() const {
    return std::get_if<Tensor>(this);
  }
  [[nodiscard]] const Tuple *tuple() const { return std::get_if<Tuple>(this); }
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_VALUE_H
