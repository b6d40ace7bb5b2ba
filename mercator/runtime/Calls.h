// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Library functions that compiled programs call: Fourier transforms, linear
/// algebra, random bits. A header of C without any other library.
///
/// All functions have one type:
///
///   %l = call @mercator_cholesky(%a, %to, %lower)
///       : (tensor<2x3x3xf32>, tensor<2x3x3xf32>, i64) -> tensor<2x3x3xf32>
///
///   const int64_t sizes[] = {2, 3, 3}, lower = 1;
///   mercator_tensor a = {data, 3, sizes}, l = {to, 3, sizes};
///   int32_t status = mercator_cholesky_f32(&a, &lower, &l);
///
/// In the program the operands are the tensors that the function reads, then a
/// destination for each result, then the numbers. `results` are the
/// destinations. The name of the function is the one in the program up to the
/// first dot, and the element type of the first tensor.
///
/// Tensors are contiguous and row-major. The last dimensions are those of a
/// matrix (m x n), of a vector, or of a transform; all dimensions before them
/// are *batch dimensions* and agree in all tensors. The function computes each
/// member of the batch alone: a NaN in one matrix has no effect on another one.
/// Tensors may be empty; their `data` is not used. A result overlaps no
/// operand.
///
/// The end of a name is the type of the elements: f32, f64, c64 (two f32) or
/// c128. A name with `*` stands for these four, with `+` for f32 and f64. 'V'
/// and the like are characters of ASCII, as in LAPACK.
///
/// Fourier transforms. The number is the count of transformed dimensions, at
/// least 1. X[k] is the sum of x[j] e^(-2 pi i j k / n); the inverse has the
/// opposite sign and divides by n.
///
///   function     operand         numbers  result
///   fft_c64      c64 [.., n]     count    c64 [.., n]
///   ifft_c64     c64 [.., n]     count    c64 [.., n]
///   rfft_f32     f32 [.., n]     count    c64 [.., n / 2 + 1]
///   irfft_c64    c64 [.., n/2+1] count    f32 [.., n]
///   and fft_c128, ifft_c128, rfft_f64, irfft_c128
///
///   Laws: ifft(fft(x)) = x and irfft(rfft(x)) = x but for rounding. Work is
///   O(n log n) for every n. irfft ignores the imaginary parts of X[0] and, for
///   even n, of X[n / 2].
///
/// Linear algebra. A vector has one dimension, an info (i32) none.
///
///   function    operands         numbers               results
///   cholesky_*  a                lower                 l
///   trsm_*      a, b             side, uplo, trans,    x
///                                diag
///   potrf_*     a                uplo                  l, info
///   getrf_*     a                                      lu, pivots, info
///   geqrf_*     a                                      qr, tau
///   geqp3_*     a, pivots                              qr, pivots, tau
///   orgqr_*     qr, tau                                q
///   gtsv_*      dl, d, du, b                           (dl, d, du), x, info
///   gehrd_*     a                low, high             h, tau, info
///   sytrd_*     a                uplo                  a, d, e, tau, info
///   syevd_*     a                mode, uplo            v, w, info
///   gesdd_*     a                mode                  (a), s, u, vt, info
///   gesvd_*     a                mode                  (a), s, u, vt, info
///   geev_+      a                left, right           wr, wi, vl, vr, info
///   geev_c*     a                left, right           w, vl, vr, info
///   gees_+      a                mode, sort            t, z, wr, wi,
///                                                      selected, info
///   gees_c*     a                mode, sort            t, z, w, selected, info
///
///   They are functions of LAPACK and BLAS with the meaning that JAX's custom
///   calls `lapack_sgetrf_ffi` etc. have. The names for complex elements are
///   the same (syevd_c64 is cheevd). Vectors of geev are complex. Pivots count
///   from 1 and are i32. The vectors dl and du of gtsv have n elements; the
///   first of dl and the last of du are not used. Results in parentheses have
///   no meaning.
///
///   cholesky: lower ? a = l l^H : a = l^H l. One triangle of `a` is read. The
///   other triangle of `l` is zero. If `a` is not positive definite, the
///   triangle of `l` is NaN.
///   trsm: side 'L': op(a) x = b, 'R': x op(a) = b, where op(a) is a ('N'), a^T
///   ('T') or a^H ('C'). For a singular `a` the result is not defined.
///   info: 0, or why there is no result: see LAPACK's manual. -4 also says that
///   `a` has elements that are not finite, where iterations would not end; the
///   other results are NaN then.
///
/// Random bits. The result is i64, of any shape.
///
///   random_bits_i64  no operands  no numbers  words
///
///   The words are the next ones of SplitMix64. Its state belongs to the
///   process and is 0 at first. Calls in several threads get different words.

#ifndef MERCATOR_RUNTIME_CALLS_H
#define MERCATOR_RUNTIME_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): names of C

/// A contiguous row-major tensor.
typedef struct mercator_tensor {
  void *data;
  int64_t rank;
  const int64_t *sizes;
} mercator_tensor;

/// What a function returns. After an error, results are unspecified.
enum {
  mercator_ok = 0,
  /// The sizes of the tensors do not fit, or are too large for LAPACK: above
  /// 2^31 - 1, or above 20,000 for syevd, gesdd and gesvd.
  mercator_wrong_sizes = 1,
  /// A number is not one that the function knows.
  mercator_wrong_number = 2,
  mercator_no_memory = 3,
  /// What a program asserts of its inputs' extents does not hold.
  mercator_failed_assertion = 4,
  /// The extents of an operation's tensors do not fit together, or another
  /// assertion at a place of the program does not hold: mercator_last_failure
  /// (Abi.h) says which.
  mercator_failed_check = 5,
};

/// The type of all functions.
typedef int32_t mercator_call(const mercator_tensor *operands,
                              const int64_t *numbers,
                              const mercator_tensor *results);

/// The function of a name such as "mercator_fft_c64"; null if there is none.
mercator_call *mercator_find_call(const char *name);

/// The next random bits follow from this state.
void mercator_seed(uint64_t state);

#define MERCATOR_CALL_OF_EACH_TYPE(name)                                       \
  mercator_call name##_f32, name##_f64, name##_c64, name##_c128

mercator_call mercator_fft_c64, mercator_fft_c128;
mercator_call mercator_ifft_c64, mercator_ifft_c128;
mercator_call mercator_rfft_f32, mercator_rfft_f64;
mercator_call mercator_irfft_c64, mercator_irfft_c128;
MERCATOR_CALL_OF_EACH_TYPE(mercator_cholesky);
MERCATOR_CALL_OF_EACH_TYPE(mercator_gees);
MERCATOR_CALL_OF_EACH_TYPE(mercator_geev);
MERCATOR_CALL_OF_EACH_TYPE(mercator_gehrd);
MERCATOR_CALL_OF_EACH_TYPE(mercator_geqp3);
MERCATOR_CALL_OF_EACH_TYPE(mercator_geqrf);
MERCATOR_CALL_OF_EACH_TYPE(mercator_gesdd);
MERCATOR_CALL_OF_EACH_TYPE(mercator_gesvd);
MERCATOR_CALL_OF_EACH_TYPE(mercator_getrf);
MERCATOR_CALL_OF_EACH_TYPE(mercator_gtsv);
MERCATOR_CALL_OF_EACH_TYPE(mercator_orgqr);
MERCATOR_CALL_OF_EACH_TYPE(mercator_potrf);
MERCATOR_CALL_OF_EACH_TYPE(mercator_syevd);
MERCATOR_CALL_OF_EACH_TYPE(mercator_sytrd);
MERCATOR_CALL_OF_EACH_TYPE(mercator_trsm);
mercator_call mercator_random_bits_i64;

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

#endif // MERCATOR_RUNTIME_CALLS_H
