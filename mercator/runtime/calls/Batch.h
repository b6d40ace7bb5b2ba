// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Tensors as batches of matrices and vectors, and memory for work.
///
///   Batch batch(a, 2);                       // matrices
///   if (!batch.fits(a, {n, n}) || !batch.fits(w, {n}))
///     return mercator_wrong_sizes;
///   for (int64_t i = 0; i < batch.count(); ++i)
///     solve(batch.member<float>(a, 2, i), batch.member<float>(w, 1, i));

#ifndef MERCATOR_RUNTIME_CALLS_BATCH_H
#define MERCATOR_RUNTIME_CALLS_BATCH_H

#include "mercator/runtime/Calls.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

namespace mercator::calls {

using Tensor = mercator_tensor;

/// The number of elements of dimensions `begin` to `end`.
inline int64_t product(const Tensor &tensor, int64_t begin, int64_t end) {
  int64_t count = 1;
  for (int64_t i = begin; i < end; ++i)
    count *= tensor.sizes[i];
  return count;
}
inline int64_t elementCount(const Tensor &tensor) {
  return product(tensor, 0, tensor.rank);
}

class Batch {
public:
  /// All dimensions of `first` but the last `own` ones are batch dimensions.
  Batch(const Tensor &first, int64_t own)
      : first(first), rank(first.rank - own),
        size(rank < 0 ? 0 : product(first, 0, rank)) {}

  [[nodiscard]] bool isValid() const { return rank >= 0; }
  [[nodiscard]] int64_t count() const { return size; }

  /// Size `i` of a member of `first`. Requires: isValid().
  [[nodiscard]] int64_t extent(int64_t i) const {
    return first.sizes[rank + i];
  }

  /// Whether a tensor has the batch dimensions and these own dimensions.
  [[nodiscard]] bool fits(const Tensor &tensor,
                          std::initializer_list<int64_t> own) const {
    if (!isValid() || tensor.rank != rank + int64_t(own.size()))
      return false;
    for (int64_t i = 0; i < rank; ++i)
      if (tensor.sizes[i] != first.sizes[i])
        return false;
    int64_t i = rank;
    for (int64_t extent : own)
      if (tensor.sizes[i++] != extent ||
          extent > std::numeric_limits<int32_t>::max())
        return false;
    return true;
  }

  /// Member `i` of a tensor.
  template <typename T> T *member(const Tensor &tensor, int64_t i) const {
    return static_cast<T *>(tensor.data) +
           i * product(tensor, rank, tensor.rank);
  }

private:
  const Tensor &first;
  int64_t rank, size;
};

/// Zeroed memory; null if there is none left. At least one element.
template <typename T> using Memory = std::unique_ptr<T[]>;
template <typename T> Memory<T> allocate(int64_t count) {
  return Memory<T>(new (std::nothrow) T[size_t(count < 1 ? 1 : count)]());
}

template <typename T> struct RealOf {
  using type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using type = T;
};
template <typename T> using Real = typename RealOf<T>::type;
template <typename T>
inline constexpr bool isComplex = !std::is_same_v<T, Real<T>>;

template <typename T> T notANumber() {
  return T(std::numeric_limits<Real<T>>::quiet_NaN());
}
template <typename T> void fillElements(T *at, int64_t count, T value) {
  for (int64_t i = 0; i < count; ++i)
    at[i] = value;
}
template <typename T> void copyElements(T *to, const T *from, int64_t count) {
  if (count > 0)
    std::memcpy(static_cast<void *>(to), static_cast<const void *>(from),
                size_t(count) * sizeof(T));
}
template <typename T> bool isFinite(const T *at, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(std::real(at[i])) || !std::isfinite(std::imag(at[i])))
      return false;
  return true;
}

/// As a leading dimension or a size of memory.
inline int atLeastOne(int64_t extent) { return extent < 1 ? 1 : int(extent); }

/// A matrix of more rows and columns needs more work space than LAPACK's
/// integers of 32 bits can tell.
inline constexpr int64_t maxWorkExtent = 20000;

/// The work space that LAPACK asked for in an element, which may have rounded
/// it down.
template <typename T> int sizeFrom(T size) {
  double asked = double(std::real(size)),
         least =
             asked * (1 + 2 * double(std::numeric_limits<Real<T>>::epsilon()));
  return least < 1     ? 1
         : least < 2e9 ? int(std::ceil(least))
                       : std::numeric_limits<int>::max();
}

/// Whether a number is one of these characters.
inline bool isOneOf(int64_t number, const char *characters) {
  return number > 0 && number < 128 && std::strchr(characters, char(number));
}

/// A row-major matrix of m rows and n columns as a column-major one, or the
/// other way round with m and n exchanged.
template <typename T>
void transpose(T *to, const T *from, int64_t m, int64_t n) {
  constexpr int64_t block = 16; // for the cache
  for (int64_t i = 0; i < m; i += block)
    for (int64_t j = 0; j < n; j += block)
      for (int64_t row = i; row < m && row < i + block; ++row)
        for (int64_t column = j; column < n && column < j + block; ++column)
          to[column * m + row] = from[row * n + column];
}

/// Defines mercator_NAME_f32 etc. of the template NAME.
#define MERCATOR_DEFINE_CALLS(name)                                            \
  MERCATOR_DEFINE_CALL(name, f32, float)                                       \
  MERCATOR_DEFINE_CALL(name, f64, double)                                      \
  MERCATOR_DEFINE_CALL(name, c64, std::complex<float>)                         \
  MERCATOR_DEFINE_CALL(name, c128, std::complex<double>)
#define MERCATOR_DEFINE_CALL(name, suffix, ...)                                \
  extern "C" int32_t mercator_##name##_##suffix(                               \
      const mercator_tensor *operands, const int64_t *numbers,                 \
      const mercator_tensor *results) {                                        \
    return mercator::calls::name<__VA_ARGS__>(operands, numbers, results);     \
  }

} // namespace mercator::calls

#endif // MERCATOR_RUNTIME_CALLS_BATCH_H
