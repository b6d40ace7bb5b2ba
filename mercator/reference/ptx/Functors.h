// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Handlers from functions of numbers.
///
///   struct Add { auto operator()(auto a, auto b) const { return a + b; } };
///   Handler add = &binary<uint32_t, Add>;
///
/// A result is converted to the type of the operands.

#ifndef MERCATOR_REFERENCE_PTX_FUNCTORS_H
#define MERCATOR_REFERENCE_PTX_FUNCTORS_H

#include "mercator/reference/ptx/Decoder.h"
#include "mercator/reference/ptx/State.h"

namespace mercator::reference::ptx {

template <typename T, typename F>
void unary(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a);
  forLanes(mask, [&](unsigned lane) { d[lane] = T(F{}(a[lane])); });
}

template <typename T, typename F>
void binary(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b);
  forLanes(mask, [&](unsigned lane) { d[lane] = T(F{}(a[lane], b[lane])); });
}

template <typename T, typename F>
void ternary(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a), *b = m.values<T>(i.b),
             *c = m.values<T>(i.c);
  forLanes(mask,
           [&](unsigned lane) { d[lane] = T(F{}(a[lane], b[lane], c[lane])); });
}

/// The second operand is a count of 32 bits.
template <typename T, typename F>
void shift(Machine &m, const Instruction &i, uint32_t mask) {
  auto *d = m.registers<T>(i.d);
  const auto *a = m.values<T>(i.a);
  const auto *b = m.values<uint32_t>(i.b);
  forLanes(mask, [&](unsigned lane) { d[lane] = T(F{}(a[lane], b[lane])); });
}

/// The handler of a type with its sign, or null.
#define MERCATOR_PTX_BY_TYPE(TYPE, TEMPLATE, F)                                \
  ((TYPE).kind == Type::Signed ? ((TYPE).bits == 16   ? &TEMPLATE<int16_t, F>  \
                                  : (TYPE).bits == 32 ? &TEMPLATE<int32_t, F>  \
                                  : (TYPE).bits == 64 ? &TEMPLATE<int64_t, F>  \
                                                      : Handler(nullptr))      \
                               : ((TYPE).bits == 16   ? &TEMPLATE<uint16_t, F> \
                                  : (TYPE).bits == 32 ? &TEMPLATE<uint32_t, F> \
                                  : (TYPE).bits == 64 ? &TEMPLATE<uint64_t, F> \
                                                      : Handler(nullptr)))

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_FUNCTORS_H
