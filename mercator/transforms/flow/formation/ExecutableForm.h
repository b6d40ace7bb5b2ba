// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What an executable is, apart from how things in it are called: a list of
/// words that two executables share if, and only if, one can stand for the
/// other.
///
///   flow.executable private @a {              flow.executable private @b {
///     flow.executable.export public @f          flow.executable.export public
///     @g builtin.module {                          builtin.module {
///       func.func @f(...) { call @h }             func.func private @k() {...}
///       func.func private @h() {...}              func.func @g(...) { call @k
///       }
///     }                                         }
///   }                                         }
///
/// have the same form. Were the bodies of `@h` and `@k` different, or `@h` one
/// that is declared elsewhere, they would not.
///
/// Values and blocks count by where they stand, symbols of the module inside by
/// the order in which the exports reach them; names from outside count as they
/// are. Locations and the visibility of the executable do not count.
///
/// A form takes time and space linear in the executable.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

using ExecutableForm = llvm::SmallVector<uintptr_t, 0>;

/// The form of `executable`. Words are comparable within one context.
ExecutableForm getForm(ExecutableOp executable);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H
