// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Fourier.h"
#include "mercator/reference/core/Strides.h"

#include <complex>
#include <numbers>

using namespace mlir;

namespace mercator::reference {

using Wide = std::complex<long double>;

namespace {

/// The discrete Fourier transform of lines of length n: out[k] = sum over j of
/// in[j] * root^(j * k), root = e^(-+2 pi i / n).
class Transform {
public:
  Transform(int64_t length, bool isInverse)
      : length(length), isInverse(isInverse), roots(length), in(length),
        out(length) {
    long double turn = (isInverse ? 2 : -2) * std::numbers::pi_v<long double>;
    for (int64_t i = 0; i < length; ++i)
      roots[i] = std::polar(1.0L, turn * i / length);
    int64_t left = length;
    for (int64_t factor = 2; factor <= left / factor; ++factor)
      for (; left % factor == 0; left /= factor)
        factors.push_back(factor);
    if (left > 1)
      factors.push_back(left);
  }

  /// The line to transform.
  std::vector<Wide> &input() { return in; }

  const std::vector<Wide> &operator()() {
    run(in.data(), 1, out.data(), length, 0);
    if (isInverse)
      for (Wide &value : out)
        value /= (long double)(length);
    return out;
  }

  /// The number of steps for a line.
  [[nodiscard]] int64_t cost() const {
    int64_t sum = 1;
    for (int64_t factor : factors)
      sum += factor;
    return sum;
  }

private:
  /// Transforms `n` values at distance `stride` by transforming every
  /// `factor`th of them (Cooley and Tukey, 1965).
  void run(const Wide *from, int64_t stride, Wide *to, int64_t n,
           size_t level) const {
    if (n == 1) {
      *to = *from;
      return;
    }
    int64_t factor = factors[level], part = n / factor;
    for (int64_t i = 0; i < factor; ++i)
      run(from + i * stride, stride * factor, to + i * part, part, level + 1);
    std::vector<Wide> parts(factor);
    for (int64_t k = 0; k < part; ++k) {
      for (int64_t i = 0; i < factor; ++i)
        parts[i] = to[i * part + k];
      for (int64_t j = 0; j < factor; ++j) {
        Wide sum = 0;
        for (int64_t i = 0; i < factor; ++i)
          sum += parts[i] * roots[(i * (k + j * part) % n) * stride];
        to[j * part + k] = sum;
      }
    }
  }

  int64_t length;
  bool isInverse;
  std::vector<Wide> roots, in, out;
  SmallVector<int64_t> factors;
};

} // namespace

static Scalar toScalar(Wide value) {
  return Scalar::complex(double(value.real()), double(value.imag()));
}
static Wide toWide(Scalar value) { return {value.re, value.im}; }

/// Transforms all lines along a dimension, in place.
static LogicalResult transformAlong(const Step &step, Tensor &tensor,
                                    int64_t dim, bool isInverse) {
  int64_t length = tensor.dim(dim);
  if (tensor.size() == 0)
    return success();
  Transform transform(length, isInverse);
  if (failed(step.charge({tensor.size(), transform.cost()})))
    return failure();
  int64_t stride = stridesOf(tensor.shape())[dim];
  Ints lines(tensor.shape());
  lines[dim] = 1;
  for (Index line(lines); line; ++line) {
    int64_t first = tensor.linear(*line);
    for (int64_t i = 0; i < length; ++i)
      transform.input()[i] = toWide(tensor.at(first + i * stride));
    const std::vector<Wide> &values = transform();
    for (int64_t i = 0; i < length; ++i)
      tensor.set(first + i * stride, toScalar(values[i]));
  }
  return success();
}

/// The last step of IRFFT: lines of n / 2 + 1 values, completed by their
/// conjugates, become n real values. A value that is its own conjugate is real;
/// what stands in its imaginary part is ignored, be it NaN.
static LogicalResult transformToReal(const Step &step, const Tensor &half,
                                     Tensor &result) {
  if (result.size() == 0)
    return success();
  int64_t length = result.shape().back(), width = half.shape().back();
  Transform transform(length, /*isInverse=*/true);
  if (failed(step.charge({result.size(), transform.cost()})))
    return failure();
  for (int64_t line = 0; line < result.size() / length; ++line) {
    for (int64_t i = 0; i < width; ++i) {
      Wide value = toWide(half.at(line * width + i));
      if (i == 0 || 2 * i == length)
        value = value.real();
      transform.input()[i] = value;
      if (i > 0)
        transform.input()[length - i] = std::conj(value);
    }
    const std::vector<Wide> &values = transform();
    for (int64_t i = 0; i < length; ++i)
      result.set(line * length + i, toScalar(values[i]));
  }
  return success();
}

FailureOr<Tensor> fourier(const Step &step, Fourier kind,
                          ArrayRef<int64_t> lengths, const Tensor &operand,
                          MakeTensor make) {
  int64_t rank = operand.rank(), count = lengths.size();
  if (count == 0 || count > rank ||
      llvm::any_of(lengths, [](int64_t length) { return length < 0; }))
    return LogicalResult(step.error()
                         << "expected one to " << rank
                         << " lengths of at least 0, got " << count);
  bool toHalf = kind == Fourier::RealToHalf,
       fromHalf = kind == Fourier::HalfToReal,
       isInverse = fromHalf || kind == Fourier::Inverse;
  if (operand.element().isComplex() == toHalf)
    return LogicalResult(step.error() << "expected an operand of "
                                      << (toHalf ? "real" : "complex")
                                      << " elements, got " << operand.type());

  // The transformed dimensions of the operand and of the result.
  auto withLast = [](ArrayRef<int64_t> shape, int64_t last) {
    Ints changed(shape);
    changed.back() = last;
    return changed;
  };
  int64_t half = lengths.back() == 0 ? 0 : lengths.back() / 2 + 1;
  Ints shape(operand.shape());
  if (toHalf || fromHalf) {
    shape.truncate(rank - count);
    llvm::append_range(shape,
                       fromHalf ? withLast(lengths, half) : Ints(lengths));
  }
  if (failed(step.expectShape("operand", operand, shape)))
    return failure();
  if (fromHalf)
    shape.back() = lengths.back();
  FailureOr<Tensor> result = make(toHalf ? withLast(shape, half) : shape);
  if (failed(result))
    return failure();
  if (result->element().isComplex() == fromHalf)
    return LogicalResult(step.error() << "expected a result of "
                                      << (fromHalf ? "real" : "complex")
                                      << " elements, got " << result->type());

  auto wideType =
      ComplexType::get(Float64Type::get(operand.type().getContext()));
  FailureOr<Tensor> wide =
      Tensor::zeros(RankedTensorType::get(operand.shape(), wideType),
                    [&] { return step.error(); });
  if (failed(wide))
    return failure();
  for (int64_t i = 0; i < operand.size(); ++i)
    wide->set(i, operand.at(i));
  // Forward from the last dimension to the first, inverse in the opposite
  // order.
  for (int64_t i = 0; i < count; ++i) {
    int64_t dim = isInverse ? rank - count + i : rank - 1 - i;
    if (fromHalf && dim == rank - 1) {
      if (failed(transformToReal(step, *wide, *result)))
        return failure();
    } else if (failed(transformAlong(step, *wide, dim, isInverse))) {
      return failure();
    }
  }
  if (!fromHalf)
    for (Index d(result->shape()); d; ++d)
      result->set(*d, wide->at(*d));
  return *result;
}

} // namespace mercator::reference
