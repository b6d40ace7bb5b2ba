// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Elements and tensors as text for people.
///
/// ```cpp (llvm::raw_ostream &os, const Tensor &tensor)
/// print(os, tensor, /*limit=*/1000, /*indent=*/2);
/// ```
///
///     [[1.0,  2.5],
///      [nan, -inf]]
///
/// A float is printed with the fewest digits that read back as the same float
/// of its type: without an exponent from 0.0001 to 10^16, where integers have
/// all of their digits, and else with an exponent. A complex number is (re,
/// im), a boolean true or false. Rows are aligned and broken at 100 columns.

#ifndef MERCATOR_REFERENCE_CORE_PRINT_H
#define MERCATOR_REFERENCE_CORE_PRINT_H

#include "mercator/reference/core/Tensor.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::reference {

void print(llvm::raw_ostream &os, const Element &element, Scalar value);

/// A float of the format, in the form of print().
void printFloat(llvm::raw_ostream &os, const llvm::fltSemantics &format,
                double value);

/// Prints a tensor. If it has more than `limit` elements, only the first three and
/// the last three indices of each dimension are printed, with `...` between them.
/// Lines after the first are indented by `indent` spaces.
void print(llvm::raw_ostream &os, const Tensor &tensor, int64_t limit,
           unsigned indent);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_PRINT_H
