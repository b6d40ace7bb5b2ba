// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A form of an executable that does not depend on names: a list of words. Two
/// executables have the same form if and only if one can replace the other. For
/// example, the executables
///
///   flow.executable private @a {
///     flow.executable.export public @f
///     builtin.module {
///       func.func @f(...) { call @h }
///       func.func private @h() {...}
///     }
///   }
///
/// and
///
///   flow.executable private @b {
///     flow.executable.export public @g
///     builtin.module {
///       func.func private @k() {...}
///       func.func @g(...) { call @k }
///     }
///   }
///
/// have the same form. If the bodies of `@h` and `@k` were different, or if
/// `@h` were an external declaration, they would not.
///
/// Values and blocks are identified by their position, symbols of the inner
/// module by the order in which the exports reach them, external symbols by
/// their names. Locations and the visibility of the executable are ignored.
///
/// A form takes time and space linear in the executable.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

using ExecutableForm = llvm::SmallVector<uintptr_t, 0>;

/// The form of `executable`. Forms are comparable within one context.
ExecutableForm getForm(ExecutableOp executable);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_EXECUTABLEFORM_H
