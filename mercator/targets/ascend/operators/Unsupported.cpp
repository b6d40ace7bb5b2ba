// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/Unsupported.h"

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/LinearAlgebraCalls.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// Whether GE has an operator for this function of chlo.
static bool isFunctionOfGe(Operation *op) {
  if (isa<chlo::ErfOp, chlo::BesselI1eOp>(op))
    return true;
  Type element =
      op->getNumOperands() ? getElementTypeOrSelf(op->getOperand(0)) : Type();
  if (isa<chlo::NextAfterOp>(op))
    return element.isF32() || element.isF64();
  return isa<chlo::SinhOp, chlo::AsinhOp>(op) && isa<FloatType>(element);
}

/// The operator of GE that computes the same; empty if there is none.
static StringRef geFunction(stablehlo::LinearAlgebra what) {
  using enum stablehlo::LinearAlgebra;
  switch (what) {
  case Cholesky:
    return "Cholesky";
  case TriangularSolve:
    return "MatrixTriangularSolve";
  case Lu:
    return "Lu";
  case Qr:
    return "Qr";
  case SingularValues:
    return "Svd";
  case SymmetricEigenvalues:
  case HermitianEigenvalues:
    return "SelfAdjointEig";
  default:
    return "";
  }
}

/// Why a call of a library is not converted.
static std::string whyNoCall(stablehlo::CustomCallOp call) {
  StringRef target = call.getCallTargetName();
  if (target.starts_with("stablehlo.dynamic_"))
    return "its attributes are operands, which are known only at run time";
  if (target == "ducc_fft" || target == "dynamic_ducc_fft")
    return "the operators that CANN publishes for GE have no Fourier "
           "transform";
  stablehlo::LinearAlgebra what = stablehlo::linearAlgebraOf(target);
  if (what == stablehlo::LinearAlgebra::None)
    return "the computation of the call is unknown";
  std::string why = ("it computes " + stablehlo::describe(what) +
                     ", of which there is no conversion yet")
                        .str();
  if (StringRef type = geFunction(what); !type.empty())
    why += ("; GE has " + type).str();
  return why;
}

/// Why there is no rule for an operation, if that is known; else empty.
static StringRef whyNoConverter(Operation *op) {
  namespace sh = stablehlo;
  auto why = [](StringRef text) {
    return [text](Operation *) { return text; };
  };
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<sh::SelectAndScatterOp>(
          why("there is no conversion yet; GE's gradients of poolings do not "
              "document which of several equal elements they select"))
      .Case<sh::ConvolutionOp, sh::DynamicConvOp>(
          why("GE's Conv2D and Conv3D cannot express it, and only convolutions "
              "of numbers with at most 1024 positions of the kernel become "
              "products"))
      .Case<sh::ReduceWindowOp>(
          why("only windows of one tensor that are combined by a sum, a "
              "product, a maximum, a minimum, and or or are converted"))
      .Case<sh::BatchNormTrainingOp, sh::BatchNormInferenceOp,
            sh::BatchNormGradOp>(
          why("there is no conversion of it yet; GE has BatchNorm and "
              "BNInference"))
      .Case<sh::CholeskyOp>(
          why("there is no conversion of it yet; GE has Cholesky"))
      .Case<sh::TriangularSolveOp>(
          why("there is no conversion of it yet; GE has "
              "MatrixTriangularSolve"))
      .Case<sh::FftOp>(
          why("the operators that CANN publishes for GE have no Fourier "
              "transform"))
      .Case<sh::AllGatherOp, sh::AllReduceOp, sh::AllToAllOp,
            sh::CollectiveBroadcastOp, sh::CollectivePermuteOp,
            sh::ReduceScatterOp>(
          why("there is no conversion of collectives yet; GE has "
              "HcomAllReduce and the like"))
      .Case<sh::MapOp>(
          why("there is no conversion yet; its computation has to be inlined "
              "first"))
      .Case<sh::RngOp, sh::RngBitGeneratorOp>(
          why("GE's random numbers are not those of StableHLO's "
              "algorithms"))
      .Case<sh::IfOp, sh::CaseOp, sh::WhileOp>(
          why("only loops whose number of iterations follows from constants, "
              "and branches without effects, become operators, 65536 "
              "operations in all"))
      .Case<sh::ReturnOp>(
          why("its function is called by an operation that stays"))
      .Case<sh::CompositeOp>(why("the computation of the call is unknown"))
      .Default(StringRef());
}

/// Whether the rules support extents that are known only at run time.
static bool supportsUnknownExtents(Operation *op) {
  namespace sh = stablehlo;
  if (op->hasTrait<sh::Elementwise>() || isFunctionOfGe(op))
    return true;
  return isa<sh::BroadcastInDimOp, sh::ConcatenateOp, sh::DotGeneralOp,
             sh::DotOp, sh::DynamicBroadcastInDimOp, sh::DynamicIotaOp,
             sh::DynamicGatherOp, sh::DynamicReshapeOp, sh::DynamicSliceOp,
             sh::DynamicUpdateSliceOp, sh::GatherOp, sh::GetDimensionSizeOp,
             sh::PadOp, sh::RealDynamicSliceOp, sh::ReduceOp, sh::ReshapeOp,
             sh::ReverseOp, sh::SliceOp, sh::TransposeOp>(op);
}

/// Why a type with unknown extents is not supported; empty if it is. `role` is
/// "operand 0" or the like.
static std::string whyNotUnknown(Operation *op, RankedTensorType type,
                                 const Twine &role) {
  if (type.hasStaticShape())
    return "";
  const int64_t *unknown = llvm::find(type.getShape(), ShapedType::kDynamic);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "dimension " << unknown - type.getShape().begin() << " of " << role
     << ", " << type << ", is known only at run time, ";
  if (!supportsUnknownExtents(op))
    os << "and there is no conversion of the operation without it";
  else if (isa<ComplexType>(type.getElementType()))
    os << "and GE's Shape does not take complex numbers";
  else if (llvm::is_contained(type.getShape(), 0))
    os << "and it has no elements";
  else if (type.getEncoding())
    os << "and its type has an encoding";
  else
    return "";
  return text;
}

/// The same for the operands and results of an operation.
static std::string whyNotUnknown(Operation *op) {
  for (bool isOperand : {true, false})
    for (auto [i, value] :
         llvm::enumerate(isOperand ? ValueRange(op->getOperands())
                                   : ValueRange(op->getResults())))
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        if (std::string why = whyNotUnknown(
                op, type, (isOperand ? "operand " : "result ") + Twine(i));
            !why.empty())
          return why;
  return "";
}

std::string ascend::whyNoConversion(Operation *op) {
  // Static ones become products and reductions.
  if (isa<stablehlo::ConvolutionOp, stablehlo::ReduceWindowOp>(op))
    if (std::string why = whyNotUnknown(op); !why.empty())
      return why;
  if (StringRef why = whyNoConverter(op); !why.empty())
    return why.str();
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return whyNoCall(call);
  if (isa<chlo::ChloDialect>(op->getDialect()) && !isFunctionOfGe(op) &&
      !isa<chlo::TopKOp>(op))
    return (op->getName().getStringRef() +
            " must be legalized to StableHLO first")
        .str();
  if (op->getNumResults() != 1 &&
      !isa<stablehlo::ReduceOp, stablehlo::SortOp, chlo::TopKOp>(op))
    return "there is no conversion of an operation with " +
           std::to_string(op->getNumResults()) + " results yet";
  if (std::string why = whyNotUnknown(op); !why.empty())
    return why;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      std::string text;
      llvm::raw_string_ostream(text) << value.getType();
      if (!type)
        return "GE has no values of type " + text;
      if (type.getRank() > 8)
        return "GE has tensors of rank 8 at most, not " + text;
      if (!geType(type.getElementType()))
        return "there is no conversion of elements like those of " + text;
      int64_t count = 1;
      for (int64_t extent : type.getShape())
        if (!ShapedType::isDynamic(extent) &&
            llvm::MulOverflow(count, extent, count))
          return "no device holds as many elements as " + text + " has";
    }
  return "";
}
