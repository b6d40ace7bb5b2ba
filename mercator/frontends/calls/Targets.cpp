// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table of targets, and what is the same for all of them.

#include "mercator/frontends/calls/Body.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Field kProductFields[] = {
    {"alpha_real", FieldKind::Number},
    {"alpha_imag", FieldKind::Number, Need::Optional},
    {"beta", FieldKind::Number, Need::Optional},
    {"dot_dimension_numbers.lhs_contracting_dimensions", FieldKind::Integers},
    {"dot_dimension_numbers.rhs_contracting_dimensions", FieldKind::Integers},
    {"dot_dimension_numbers.lhs_batch_dimensions", FieldKind::Integers,
     Need::Optional},
    {"dot_dimension_numbers.rhs_batch_dimensions", FieldKind::Integers,
     Need::Optional},
    {"epilogue", FieldKind::Word, Need::Optional},
    {"damax_output", FieldKind::Flag, Need::Optional},
};
static constexpr Field kConvolutionFields[] = {
    {"conv_result_scale", FieldKind::Number},
    {"side_input_scale", FieldKind::Number, Need::Optional},
    {"activation_mode", FieldKind::Word, Need::Optional},
    {"leakyrelu_alpha", FieldKind::Number, Need::Optional},
    {"reordered_int8_nchw_vect", FieldKind::Flag, Need::Optional},
};
static constexpr Field kGraphFields[] = {
    {"conv_result_scale", FieldKind::Number},
    {"serialized_graph", FieldKind::Word},
};
static constexpr Field kSolveFields[] = {
    {"left_side", FieldKind::Flag},
    {"lower", FieldKind::Flag},
    {"unit_diagonal", FieldKind::Flag},
    {"transpose_a", FieldKind::Word},
};
static constexpr Field kLowerFields[] = {{"lower", FieldKind::Flag}};
static constexpr Field kSingularFields[] = {
    {"compute_uv", FieldKind::Flag},
    {"full_matrices", FieldKind::Flag},
    {"transposed", FieldKind::Flag, Need::Optional},
};
static constexpr Field kSortFields[] = {{"descending", FieldKind::Flag}};

namespace {
/// A target: the object of `backend_config` with its fields, and what reads it.
struct Target {
  llvm::StringLiteral name, section;
  ArrayRef<Field> fields;
  bool (*read)(Reader &);
};
} // namespace

static constexpr llvm::StringLiteral kGemm = "gemm_backend_config",
                                     kConv = "cudnn_conv_backend_config";

static const Target *findTarget(StringRef name) {
  static const Target targets[] = {
      {"__cublas$gemm", kGemm, kProductFields, readProduct},
      {"__cublas$lt$matmul", kGemm, kProductFields, readProduct},
      {"__cublas$lt$matmul$f8", kGemm, kProductFields, readScaledProduct},
      {"__cublas$triangularSolve", "", kSolveFields, readTriangularSolve},
      {"__cudnn$convForward", kConv, kConvolutionFields, readConvolution},
      {"__cudnn$convBackwardInput", kConv, kConvolutionFields,
       readInputGradient},
      {"__cudnn$convBackwardFilter", kConv, kConvolutionFields,
       readFilterGradient},
      {"__cudnn$convBiasActivationForward", kConv, kConvolutionFields,
       readFusedConvolution},
      {"__cudnn$convForwardGraph", kConv, kGraphFields, readConvolutionGraph},
      {"__cusolver$cholesky", "", kLowerFields, readCholesky},
      {"cusolver_potrf_ffi", "", kLowerFields, readCholesky},
      {"cusolver_getrf_ffi", "", {}, readLu},
      {"cusolver_geqrf_ffi", "", {}, readQr},
      {"cusolver_orgqr_ffi", "", {}, readQFactor},
      {"cusolver_syevd_ffi", "", kLowerFields, readEigenvalues},
      {"cusolver_gesvd_ffi", "", kSingularFields, readSingularValues},
      {"cusolver_gesvdj_ffi", "", kSingularFields, readSingularValues},
      {"cusparse_gtsv2_ffi", "", {}, readTridiagonalSolve},
      {"cu_lu_pivots_to_permutation", "", {}, readPermutation},
      {"__cub$DeviceRadixSort", "", kSortFields, readSort},
      {"xla.gpu.ext.cub_sort_keys", "", kSortFields, readSort},
      {"xla.gpu.ext.cub_sort_pairs", "", kSortFields, readSort},
      {"xla.gpu.ext.cub_sort_unassigned_scratch_size", "", kSortFields,
       readSort},
      {"__gpu$TopK", "", {}, readTopK},
  };
  const auto *found =
      llvm::find_if(targets, [&](const Target &t) { return t.name == name; });
  return found == std::end(targets) ? nullptr : found;
}

bool calls::isLibraryTarget(StringRef target) { return findTarget(target); }

//===----------------------------------------------------------------------===//
// A call
//===----------------------------------------------------------------------===//

/// Bytes that the library uses while it runs.
static bool isWorkspace(RankedTensorType type) {
  return type.getRank() == 1 && type.getElementType().isInteger(8);
}

/// Static tensors of numbers.
static bool takeTypes(TypeRange all,
                      llvm::SmallVectorImpl<RankedTensorType> &types) {
  for (Type type : all) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !(tensor.getElementType().isIntOrFloat() ||
          isa<ComplexType>(tensor.getElementType())))
      return false;
    types.push_back(tensor);
  }
  return true;
}

/// Whether MLIR accepts the operations of a body. An operation that does not fit
/// says that a field of the text does not fit the shapes.
static bool isValid(Block &block, std::string &why) {
  ScopedDiagnosticHandler quiet(block.getParentOp()->getContext(),
                                [&](Diagnostic &diagnostic) {
                                  if (why.empty())
                                    why = diagnostic.str();
                                  return success();
                                });
  return llvm::all_of(
      block, [](Operation &op) { return succeeded(mlir::verify(&op)); });
}

Reading calls::readCall(OpBuilder &b, const Call &call) {
  const Target &target = *findTarget(call.target);
  Reading reading;
  Config config;
  bool wasRead = true;
  if (call.dictionary)
    wasRead = config.read(call.dictionary, target.fields);
  else if (call.config && !call.config->trim().empty())
    wasRead = config.read(*call.config, target.section, target.fields);
  else if (llvm::any_of(target.fields, [](const Field &field) {
             return field.need == Need::Required;
           })) {
    reading.reason = "it has no backend_config";
    return reading;
  }
  if (!wasRead) {
    reading.error = config.error;
    reading.help = config.help;
    reading.at = config.at;
    return reading;
  }
  llvm::SmallVector<RankedTensorType> inputs, results;
  if (!takeTypes(call.operands.getTypes(), inputs) ||
      !takeTypes(call.results, results)) {
    reading.reason = "an operand or a result is not a tensor of known shape";
    return reading;
  }

  // The body comes first: it says how many results are no workspaces.
  OperationState state(call.loc, hlo::FusionOp::getOperationName());
  state.addOperands(call.operands);
  state.addAttribute("kind", b.getStringAttr(hlo::kLibraryKind));
  state.addAttribute("calls", b.getStringAttr(call.target));
  state.addRegion();
  Operation *draft = Operation::create(state);
  auto fusion = cast<hlo::FusionOp>(draft);
  Block &block = fusion.getBody().emplaceBlock();
  for (RankedTensorType type : inputs)
    block.addArgument(type, call.inside);
  Body body(OpBuilder::atBlockEnd(&block), call.inside);
  Reader reader{call, config, body,
                llvm::SmallVector<Value>(block.getArguments()), results};
  auto give = [&]() -> std::string {
    if (!target.read(reader))
      return reader.reason;
    size_t count = reader.values.size();
    if (count > results.size() ||
        !llvm::all_of(ArrayRef(results).drop_front(count), isWorkspace))
      return "its results are of another number or type";
    for (auto [value, type] : llvm::zip(reader.values, results)) {
      if (typeOf(value).getShape() != type.getShape())
        return "the shape of a result is another one";
      value = body.as(value, type);
    }
    std::string why;
    if (!isValid(block, why))
      return "its fields do not fit its shapes: " + why;
    return "";
  };
  reading.reason = give();
  if (!reading.reason.empty()) {
    draft->destroy();
    return reading;
  }
  hlo::ReturnOp::create(body.b, call.inside, reader.values);
  size_t count = reader.values.size();
  // The number of results is now known.
  OperationState whole(call.loc, hlo::FusionOp::getOperationName());
  whole.addOperands(call.operands);
  whole.addAttributes(draft->getAttrs());
  whole.addTypes(TypeRange(call.results).take_front(count));
  whole.addRegion()->takeBody(fusion.getBody());
  draft->destroy();
  reading.fusion = cast<hlo::FusionOp>(b.create(whole));
  llvm::append_range(reading.results, reading.fusion->getResults());
  Body outside(b, call.inside);
  for (RankedTensorType type : ArrayRef(results).drop_front(count))
    reading.results.push_back(stablehlo::ConstantOp::create(
        outside.b, call.inside, type,
        DenseElementsAttr::get(type, APInt::getZero(8))));
  return reading;
}

//===----------------------------------------------------------------------===//
// StableHLO
//===----------------------------------------------------------------------===//

LogicalResult calls::spellLibraryCalls(ModuleOp module) {
  llvm::SmallVector<stablehlo::CustomCallOp> found;
  module.walk([&](stablehlo::CustomCallOp op) {
    if (isLibraryTarget(op.getCallTargetName()))
      found.push_back(op);
  });
  if (!found.empty())
    module.getContext()->getOrLoadDialect<hlo::HloDialect>();
  bool good = true;
  for (stablehlo::CustomCallOp op : found) {
    OpBuilder b(op);
    Call call{.target = op.getCallTargetName(),
              .operands = op->getOperands(),
              .results = op->getResultTypes(),
              .loc = op.getLoc(),
              .inside = op.getLoc()};
    // JAX writes an empty text, and the dictionary as another attribute.
    for (mlir::Attribute config :
         {op->getAttr("mhlo.backend_config"), op.getBackendConfigAttr()}) {
      if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(config))
        call.dictionary = dictionary;
      else if (auto text = dyn_cast_or_null<StringAttr>(config))
        call.config = text.getValue();
    }
    Reading reading = readCall(b, call);
    if (!reading.error.empty()) {
      op.emitError("backend_config of @" + call.target + ": " + reading.error);
      good = false;
    } else if (!reading.fusion) {
      op->setAttr(hlo::kUnreadAttr, b.getStringAttr(reading.reason));
    } else {
      for (NamedAttribute attribute : op->getDiscardableAttrs())
        reading.fusion->setAttr(attribute.getName(), attribute.getValue());
      op->replaceAllUsesWith(reading.results);
      op->erase();
    }
  }
  return success(good);
}
