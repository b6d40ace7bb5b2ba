// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The routines of LAPACK and BLAS that are used, overloaded on the element
/// type: getrf(..) is sgetrf, dgetrf, cgetrf or zgetrf. Matrices are
/// column-major. Routines that need memory for work take it from `work`,
/// `rwork` and `iwork`; with lwork = -1 they only tell how much.
///
/// Fortran passes all arguments by address, and the lengths of characters at
/// the end.
///
/// Source: netlib.org/lapack/explore-html

#ifndef MERCATOR_RUNTIME_CALLS_LAPACK_H
#define MERCATOR_RUNTIME_CALLS_LAPACK_H

#include <complex>
#include <cstddef>

namespace mercator::calls {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define MERCATOR_EACH_REAL(X) X(s, float) X(d, double)
#define MERCATOR_EACH_COMPLEX(X) X(c, C64, float) X(z, C128, double)
#define MERCATOR_EACH(X) X(s, float) X(d, double) X(c, C64) X(z, C128)

#define TRSM(p, T)                                                             \
  extern "C" void p##trsm_(const char *, const char *, const char *,           \
                           const char *, const int *, const int *, const T *,  \
                           const T *, const int *, T *, const int *, size_t,   \
                           size_t, size_t, size_t);                            \
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n,  \
                   const T *a, int lda, T *b, int ldb) {                       \
    T one = 1;                                                                 \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &one, a, &lda, b, &ldb, 1,   \
             1, 1, 1);                                                         \
  }
MERCATOR_EACH(TRSM)
#undef TRSM

#define POTRF(p, T)                                                            \
  extern "C" void p##potrf_(const char *, const int *, T *, const int *,       \
                            int *, size_t);                                    \
  inline int potrf(char uplo, int n, T *a, int lda) {                          \
    int info = 0;                                                              \
    p##potrf_(&uplo, &n, a, &lda, &info, 1);                                   \
    return info;                                                               \
  }
MERCATOR_EACH(POTRF)
#undef POTRF

#define GETRF(p, T)                                                            \
  extern "C" void p##getrf_(const int *, const int *, T *, const int *, int *, \
                            int *);                                            \
  inline int getrf(int m, int n, T *a, int lda, int *pivots) {                 \
    int info = 0;                                                              \
    p##getrf_(&m, &n, a, &lda, pivots, &info);                                 \
    return info;                                                               \
  }
MERCATOR_EACH(GETRF)
#undef GETRF

#define GTSV(p, T)                                                             \
  extern "C" void p##gtsv_(const int *, const int *, T *, T *, T *, T *,       \
                           const int *, int *);                                \
  inline int gtsv(int n, int columns, T *dl, T *d, T *du, T *b, int ldb) {     \
    int info = 0;                                                              \
    p##gtsv_(&n, &columns, dl, d, du, b, &ldb, &info);                         \
    return info;                                                               \
  }
MERCATOR_EACH(GTSV)
#undef GTSV

#define GEQRF(p, T)                                                            \
  extern "C" void p##geqrf_(const int *, const int *, T *, const int *, T *,   \
                            T *, const int *, int *);                          \
  inline int geqrf(int m, int n, T *a, int lda, T *tau, T *work, int lwork) {  \
    int info = 0;                                                              \
    p##geqrf_(&m, &n, a, &lda, tau, work, &lwork, &info);                      \
    return info;                                                               \
  }
MERCATOR_EACH(GEQRF)
#undef GEQRF

#define ORGQR(name, T)                                                         \
  extern "C" void name##_(const int *, const int *, const int *, T *,          \
                          const int *, const T *, T *, const int *, int *);    \
  inline int orgqr(int m, int n, int k, T *a, int lda, const T *tau, T *work,  \
                   int lwork) {                                                \
    int info = 0;                                                              \
    name##_(&m, &n, &k, a, &lda, tau, work, &lwork, &info);                    \
    return info;                                                               \
  }
ORGQR(sorgqr, float)
ORGQR(dorgqr, double)
ORGQR(cungqr, C64)
ORGQR(zungqr, C128)
#undef ORGQR

#define GEHRD(p, T)                                                            \
  extern "C" void p##gehrd_(const int *, const int *, const int *, T *,        \
                            const int *, T *, T *, const int *, int *);        \
  inline int gehrd(int n, int low, int high, T *a, int lda, T *tau, T *work,   \
                   int lwork) {                                                \
    int info = 0;                                                              \
    p##gehrd_(&n, &low, &high, a, &lda, tau, work, &lwork, &info);             \
    return info;                                                               \
  }
MERCATOR_EACH(GEHRD)
#undef GEHRD

#define SYTRD(name, T, R)                                                      \
  extern "C" void name##_(const char *, const int *, T *, const int *, R *,    \
                          R *, T *, T *, const int *, int *, size_t);          \
  inline int sytrd(char uplo, int n, T *a, int lda, R *d, R *e, T *tau,        \
                   T *work, int lwork) {                                       \
    int info = 0;                                                              \
    name##_(&uplo, &n, a, &lda, d, e, tau, work, &lwork, &info, 1);            \
    return info;                                                               \
  }
SYTRD(ssytrd, float, float)
SYTRD(dsytrd, double, double)
SYTRD(chetrd, C64, float)
SYTRD(zhetrd, C128, double)
#undef SYTRD

// The real routines below take no `rwork`.

#define GEQP3(p, T)                                                            \
  extern "C" void p##geqp3_(const int *, const int *, T *, const int *, int *, \
                            T *, T *, const int *, int *);                     \
  inline int geqp3(int m, int n, T *a, int lda, int *pivots, T *tau, T *work,  \
                   int lwork, T *) {                                           \
    int info = 0;                                                              \
    p##geqp3_(&m, &n, a, &lda, pivots, tau, work, &lwork, &info);              \
    return info;                                                               \
  }
MERCATOR_EACH_REAL(GEQP3)
#undef GEQP3
#define GEQP3(p, T, R)                                                         \
  extern "C" void p##geqp3_(const int *, const int *, T *, const int *, int *, \
                            T *, T *, const int *, R *, int *);                \
  inline int geqp3(int m, int n, T *a, int lda, int *pivots, T *tau, T *work,  \
                   int lwork, R *rwork) {                                      \
    int info = 0;                                                              \
    p##geqp3_(&m, &n, a, &lda, pivots, tau, work, &lwork, rwork, &info);       \
    return info;                                                               \
  }
MERCATOR_EACH_COMPLEX(GEQP3)
#undef GEQP3

#define SYEVD(p, T)                                                            \
  extern "C" void p##syevd_(const char *, const char *, const int *, T *,      \
                            const int *, T *, T *, const int *, int *,         \
                            const int *, int *, size_t, size_t);               \
  inline int syevd(char mode, char uplo, int n, T *a, int lda, T *w, T *work,  \
                   int lwork, T *, int, int *iwork, int liwork) {              \
    int info = 0;                                                              \
    p##syevd_(&mode, &uplo, &n, a, &lda, w, work, &lwork, iwork, &liwork,      \
              &info, 1, 1);                                                    \
    return info;                                                               \
  }
MERCATOR_EACH_REAL(SYEVD)
#undef SYEVD
#define SYEVD(p, T, R)                                                         \
  extern "C" void p##heevd_(const char *, const char *, const int *, T *,      \
                            const int *, R *, T *, const int *, R *,           \
                            const int *, int *, const int *, int *, size_t,    \
                            size_t);                                           \
  inline int syevd(char mode, char uplo, int n, T *a, int lda, R *w, T *work,  \
                   int lwork, R *rwork, int lrwork, int *iwork, int liwork) {  \
    int info = 0;                                                              \
    p##heevd_(&mode, &uplo, &n, a, &lda, w, work, &lwork, rwork, &lrwork,      \
              iwork, &liwork, &info, 1, 1);                                    \
    return info;                                                               \
  }
MERCATOR_EACH_COMPLEX(SYEVD)
#undef SYEVD

#define GESDD(p, T)                                                            \
  extern "C" void p##gesdd_(                                                   \
      const char *, const int *, const int *, T *, const int *, T *, T *,      \
      const int *, T *, const int *, T *, const int *, int *, int *, size_t);  \
  inline int gesdd(char mode, int m, int n, T *a, int lda, T *s, T *u,         \
                   int ldu, T *vt, int ldvt, T *work, int lwork, T *,          \
                   int *iwork) {                                               \
    int info = 0;                                                              \
    p##gesdd_(&mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork,     \
              iwork, &info, 1);                                                \
    return info;                                                               \
  }                                                                            \
  extern "C" void p##gesvd_(const char *, const char *, const int *,           \
                            const int *, T *, const int *, T *, T *,           \
                            const int *, T *, const int *, T *, const int *,   \
                            int *, size_t, size_t);                            \
  inline int gesvd(char mode, int m, int n, T *a, int lda, T *s, T *u,         \
                   int ldu, T *vt, int ldvt, T *work, int lwork, T *, int *) { \
    int info = 0;                                                              \
    p##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work,      \
              &lwork, &info, 1, 1);                                            \
    return info;                                                               \
  }
MERCATOR_EACH_REAL(GESDD)
#undef GESDD
#define GESDD(p, T, R)                                                         \
  extern "C" void p##gesdd_(const char *, const int *, const int *, T *,       \
                            const int *, R *, T *, const int *, T *,           \
                            const int *, T *, const int *, R *, int *, int *,  \
                            size_t);                                           \
  inline int gesdd(char mode, int m, int n, T *a, int lda, R *s, T *u,         \
                   int ldu, T *vt, int ldvt, T *work, int lwork, R *rwork,     \
                   int *iwork) {                                               \
    int info = 0;                                                              \
    p##gesdd_(&mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork,     \
              rwork, iwork, &info, 1);                                         \
    return info;                                                               \
  }                                                                            \
  extern "C" void p##gesvd_(const char *, const char *, const int *,           \
                            const int *, T *, const int *, R *, T *,           \
                            const int *, T *, const int *, T *, const int *,   \
                            R *, int *, size_t, size_t);                       \
  inline int gesvd(char mode, int m, int n, T *a, int lda, R *s, T *u,         \
                   int ldu, T *vt, int ldvt, T *work, int lwork, R *rwork,     \
                   int *) {                                                    \
    int info = 0;                                                              \
    p##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work,      \
              &lwork, rwork, &info, 1, 1);                                     \
    return info;                                                               \
  }
MERCATOR_EACH_COMPLEX(GESDD)
#undef GESDD

// Eigenvalues of real matrices are two vectors, of complex matrices one.

#define GEEV(p, T)                                                             \
  extern "C" void p##geev_(const char *, const char *, const int *, T *,       \
                           const int *, T *, T *, T *, const int *, T *,       \
                           const int *, T *, const int *, int *, size_t,       \
                           size_t);                                            \
  inline int geev(char left, char right, int n, T *a, int lda, T *wr, T *wi,   \
                  T *vl, T *vr, T *work, int lwork, T *) {                     \
    int info = 0;                                                              \
    p##geev_(&left, &right, &n, a, &lda, wr, wi, vl, &lda, vr, &lda, work,     \
             &lwork, &info, 1, 1);                                             \
    return info;                                                               \
  }                                                                            \
  extern "C" void p##gees_(const char *, const char *, const void *,           \
                           const int *, T *, const int *, int *, T *, T *,     \
                           T *, const int *, T *, const int *, int *, int *,   \
                           size_t, size_t);                                    \
  inline int gees(char mode, int n, T *a, int lda, T *wr, T *wi, T *z,         \
                  T *work, int lwork, T *) {                                   \
    int info = 0, selected = 0;                                                \
    char sort = 'N';                                                           \
    p##gees_(&mode, &sort, nullptr, &n, a, &lda, &selected, wr, wi, z, &lda,   \
             work, &lwork, nullptr, &info, 1, 1);                              \
    return info;                                                               \
  }
MERCATOR_EACH_REAL(GEEV)
#undef GEEV
#define GEEV(p, T, R)                                                          \
  extern "C" void p##geev_(const char *, const char *, const int *, T *,       \
                           const int *, T *, T *, const int *, T *,            \
                           const int *, T *, const int *, R *, int *, size_t,  \
                           size_t);                                            \
  inline int geev(char left, char right, int n, T *a, int lda, T *w, T *,      \
                  T *vl, T *vr, T *work, int lwork, R *rwork) {                \
    int info = 0;                                                              \
    p##geev_(&left, &right, &n, a, &lda, w, vl, &lda, vr, &lda, work, &lwork,  \
             rwork, &info, 1, 1);                                              \
    return info;                                                               \
  }                                                                            \
  extern "C" void p##gees_(const char *, const char *, const void *,           \
                           const int *, T *, const int *, int *, T *, T *,     \
                           const int *, T *, const int *, R *, int *, int *,   \
                           size_t, size_t);                                    \
  inline int gees(char mode, int n, T *a, int lda, T *w, T *, T *z, T *work,   \
                  int lwork, R *rwork) {                                       \
    int info = 0, selected = 0;                                                \
    char sort = 'N';                                                           \
    p##gees_(&mode, &sort, nullptr, &n, a, &lda, &selected, w, z, &lda, work,  \
             &lwork, rwork, nullptr, &info, 1, 1);                             \
    return info;                                                               \
  }
MERCATOR_EACH_COMPLEX(GEEV)
#undef GEEV
// NOLINTEND(bugprone-macro-parentheses)

#undef MERCATOR_EACH
#undef MERCATOR_EACH_REAL
#undef MERCATOR_EACH_COMPLEX

} // namespace mercator::calls

#endif // MERCATOR_RUNTIME_CALLS_LAPACK_H
