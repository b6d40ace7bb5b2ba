// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batch_norm_inference, batch_norm_training, batch_norm_grad: the formulas of
// the specification, each step in the element type. Sums of floats narrower
// than f32 are computed in f32.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/scalars/Promotion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {

/// The common part of the three operations. A vector has one number for each
/// feature.
class BatchNorm {
public:
  BatchNorm(Lowering &l, Value operand, uint64_t feature,
            const APFloat &epsilon)
      : b(l.b), operand(operand),
        type(cast<RankedTensorType>(operand.getType())),
        element(type.getElementType()), feature(unsigned(feature)),
        epsilon(epsilon.convertToDouble()) {
    Sizes extents = extentsOf(b, operand);
    features = {extents[feature]};
    each = b.getMultiDimIdentityMap(unsigned(type.getRank()));
    perFeature = AffineMap::get(unsigned(type.getRank()), 0,
                                b.getAffineDimExpr(this->feature));
  }

  /// A vector computed from the elements of vectors.
  Value ofVectors(ValueRange vectors, PointFn body) {
    SmallVector<AffineMap> maps(vectors.size(), b.getMultiDimIdentityMap(1));
    return compute(b, features, element, vectors, maps, body);
  }
  /// A tensor of the operand's shape, computed from elements of tensors of that
  /// shape and of vectors.
  Value ofElements(ValueRange tensors, ValueRange vectors, PointFn body) {
    return compute(b, extentsOf(b, operand), element, all(tensors, vectors),
                   mapsOf(tensors, vectors), body);
  }
  /// The sum of the numbers of `body` for each feature.
  Value sum(ValueRange tensors, ValueRange vectors, PointFn body) {
    Type wide = element.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : element;
    SmallVector<AffineMap> maps = mapsOf(tensors, vectors);
    maps.push_back(perFeature);
    SmallVector<Iterator> iterators(size_t(type.getRank()),
                                    Iterator::reduction);
    iterators[feature] = Iterator::parallel;
    Value sums =
        generic(b, all(tensors, vectors), filled(b, features, zero(b, wide)),
                maps, iterators,
                [&](ImplicitLocOpBuilder &inside, ValueRange x) -> Values {
                  Value number =
                      promoteNumber(inside, body(inside, x.drop_back()).front(),
                                    element, wide);
                  return {arith::AddFOp::create(inside, x.back(), number)};
                })
            .front();
    return promoteTensor(b, sums, wide, element);
  }
  Value mean(ValueRange tensors, ValueRange vectors, PointFn body) {
    Value count = countOfBatch();
    return ofVectors(sum(tensors, vectors, body),
                     [&](ImplicitLocOpBuilder &inside, ValueRange x) -> Values {
                       return {arith::DivFOp::create(inside, x[0], count)};
                     });
  }
  /// The number of elements of one feature.
  Value countOfBatch() {
    OpFoldResult count = b.getIndexAttr(1);
    for (auto [dim, extent] : llvm::enumerate(extentsOf(b, operand)))
      if (dim != feature)
        count = mulSizes(b, count, extent);
    if (auto known = dyn_cast<Attribute>(count))
      return number(b, element,
                    double(cast<IntegerAttr>(known).getValue().getSExtValue()));
    Value integer =
        arith::IndexCastOp::create(b, b.getI64Type(), cast<Value>(count));
    return arith::SIToFPOp::create(b, element, integer);
  }

  Value shifted(ImplicitLocOpBuilder &inside, Value variance) const {
    return arith::AddFOp::create(inside, variance,
                                 number(inside, element, epsilon));
  }
  /// The square roots of the variances plus epsilon.
  Value deviation(Value variance) {
    return ofVectors(
        variance, [&](ImplicitLocOpBuilder &inside, ValueRange x) -> Values {
          return {math::SqrtOp::create(inside, shifted(inside, x[0]))};
        });
  }
  Value normalize(Value scale, Value offset, Value mean, Value variance) {
    return ofElements(
        operand, {scale, offset, mean, deviation(variance)},
        [&](ImplicitLocOpBuilder &inside, ValueRange x) -> Values {
          Value centered = arith::SubFOp::create(inside, x[0], x[3]);
          Value normal = arith::DivFOp::create(inside, centered, x[4]);
          Value scaled = arith::MulFOp::create(inside, x[1], normal);
          return {arith::AddFOp::create(inside, scaled, x[2])};
        });
  }

  ImplicitLocOpBuilder &b;
  Value operand;
  RankedTensorType type;
  Type element;

private:
  static Values all(ValueRange tensors, ValueRange vectors) {
    Values values(tensors);
    llvm::append_range(values, vectors);
    return values;
  }
  SmallVector<AffineMap> mapsOf(ValueRange tensors, ValueRange vectors) const {
    SmallVector<AffineMap> maps(tensors.size(), each);
    maps.append(vectors.size(), perFeature);
    return maps;
  }

  unsigned feature;
  double epsilon;
  Sizes features;
  AffineMap each, perFeature;
};

} // namespace

static Values castEach(Lowering &l, ValueRange values) {
  Values results;
  for (auto [i, value] : llvm::enumerate(values))
    results.push_back(castTo(l.b, value, l.type(unsigned(i))));
  return results;
}

static FailureOr<Values> lowerInference(BatchNormInferenceOp op,
                                        BatchNormInferenceOp::Adaptor in,
                                        Lowering &l) {
  if (isQuantized(op))
    return l.refuse("its elements are quantized");
  BatchNorm norm(l, in.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  return castEach(l, norm.normalize(in.getScale(), in.getOffset(), in.getMean(),
                                    in.getVariance()));
}

static FailureOr<Values> lowerTraining(BatchNormTrainingOp op,
                                       BatchNormTrainingOp::Adaptor in,
                                       Lowering &l) {
  if (isQuantized(op))
    return l.refuse("its elements are quantized");
  BatchNorm norm(l, in.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  Value mean = norm.mean(
      norm.operand, {},
      [](ImplicitLocOpBuilder &, ValueRange x) -> Values { return {x[0]}; });
  Value variance = norm.mean(
      norm.operand, mean, [](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
        Value centered = arith::SubFOp::create(b, x[0], x[1]);
        return {arith::MulFOp::create(b, centered, centered)};
      });
  return castEach(
      l, {norm.normalize(in.getScale(), in.getOffset(), mean, variance), mean,
          variance});
}

static FailureOr<Values> lowerGrad(BatchNormGradOp op,
                                   BatchNormGradOp::Adaptor in, Lowering &l) {
  if (isQuantized(op))
    return l.refuse("its elements are quantized");
  BatchNorm norm(l, in.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  Value grad = in.getGradOutput(), mean = in.getMean();
  Value deviation = norm.deviation(in.getVariance());
  Value count = norm.countOfBatch();

  Value gradSum =
      norm.sum(grad, {}, [](ImplicitLocOpBuilder &, ValueRange x) -> Values {
        return {x[0]};
      });
  Value centeredSum =
      norm.sum({grad, norm.operand}, mean,
               [](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
                 Value centered = arith::SubFOp::create(b, x[1], x[2]);
                 return {arith::MulFOp::create(b, x[0], centered)};
               });
  Value scaleSum =
      norm.sum({grad, norm.operand}, {mean, deviation},
               [](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
                 Value centered = arith::SubFOp::create(b, x[1], x[2]);
                 Value normal = arith::DivFOp::create(b, centered, x[3]);
                 return {arith::MulFOp::create(b, x[0], normal)};
               });

  Value shifted = norm.ofVectors(
      in.getVariance(), [&](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
        return {norm.shifted(b, x[0])};
      });
  Value factor =
      norm.ofVectors({in.getScale(), deviation},
                     [&](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
                       return {arith::DivFOp::create(
                           b, arith::DivFOp::create(b, x[0], x[1]), count)};
                     });
  Value gradOperand = norm.ofElements(
      {grad, norm.operand}, {mean, gradSum, centeredSum, shifted, factor},
      [&](ImplicitLocOpBuilder &b, ValueRange x) -> Values {
        Value centered = arith::SubFOp::create(b, x[1], x[2]);
        Value byCentered = arith::MulFOp::create(b, x[4], centered);
        Value byVariance = arith::DivFOp::create(b, byCentered, x[5]);
        Value counted = arith::MulFOp::create(b, x[0], count);
        Value difference = arith::SubFOp::create(
            b, arith::SubFOp::create(b, counted, x[3]), byVariance);
        return {arith::MulFOp::create(b, x[6], difference)};
      });
  return castEach(l, {gradOperand, scaleSum, gradSum});
}

void addBatchNormRules(LoweringRules &rules) {
  rules.add<BatchNormInferenceOp, lowerInference>();
  rules.add<BatchNormTrainingOp, lowerTraining>();
  rules.add<BatchNormGradOp, lowerGrad>();
}

} // namespace mercator::stablehlo
