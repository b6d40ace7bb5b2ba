// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The text of a schedule: words `name=number`.
///
///   int64_t rows = 1, parts = 1;
///   llvm::Error error =
///       readNumbers("rows=64 parts=8", {{"rows", &rows}, {"parts", &parts}});

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SCHEDULETEXT_H
#define MERCATOR_TARGETS_CPU_KERNELS_SCHEDULETEXT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace mercator::cpu {

struct ScheduleNumber {
  llvm::StringRef name;
  int64_t *value; ///< is left alone if no word has the name
};

/// Reads the words of a text. An error says which word was not expected, and what was.
llvm::Error readNumbers(llvm::StringRef text,
                        llvm::ArrayRef<ScheduleNumber> numbers);

/// An error at an operation whose schedule is not possible, with a line that helps: an
/// attribute that is.
mlir::InFlightDiagnostic
refuseSchedule(mlir::Operation *op, mlir::Attribute given,
               const llvm::Twine &problem, const llvm::Twine &why,
               llvm::StringRef name, const llvm::Twine &possible);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SCHEDULETEXT_H
