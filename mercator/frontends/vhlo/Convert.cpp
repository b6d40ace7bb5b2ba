// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Convert.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/vhlo/Operations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using llvm::StringRef;
namespace stablehlo = mercator::stablehlo;

namespace {
/// The attributes of one operation on their way from VHLO to StableHLO. The
/// functions that take an attribute out report its absence.
class Attributes {
public:
  explicit Attributes(Operation *op) : op(op), from(op->getAttrs()) {}

  LogicalResult convert();
  [[nodiscard]] ArrayRef<NamedAttribute> result() const { return to; }

private:
  StringRef mnemonic() const {
    return op->getName().stripDialect().rsplit("_v").first;
  }
  void fail(const Twine &message) {
    if (!failed)
      op->emitError(message);
    failed = true;
  }
  void add(StringRef name, Attribute attr) {
    to.set(StringAttr::get(op->getContext(), name), attr);
  }

  /// Removes an attribute; an error if it is no integer.
  int64_t integer(StringRef name) {
    auto attr = dyn_cast_if_present<IntegerAttr>(from.erase(name));
    if (!attr || attr.getValue().getSignificantBits() > 64) {
      fail("expected an integer '" + name + "'");
      return 0;
    }
    return attr.getValue().getSExtValue();
  }
  /// Removes an attribute; an error if it is no tensor of integers. Attributes of
  /// later versions are absent from earlier ones, and then empty.
  SmallVector<int64_t> integers(StringRef name, bool isNew = false) {
    Attribute erased = from.erase(name);
    if (!erased && isNew)
      return {};
    auto attr = dyn_cast_if_present<DenseIntElementsAttr>(erased);
    // Dimensions of one operation.
    if (!attr || !attr.getElementType().isInteger(64) ||
        attr.getNumElements() > 4096) {
      fail("expected a tensor of dimensions '" + name + "'");
      return {};
    }
    return llvm::to_vector(attr.getValues<int64_t>());
  }

  void convolution();
  void dot();
  void gather();
  void scatter();
  void convertOne(StringRef name, Attribute attr);

  Operation *op;
  NamedAttrList from, to;
  bool failed = false;
};
} // namespace

//===--- Attributes that StableHLO groups ---------------------------------===//

void Attributes::convolution() {
  int64_t batch = integer("input_batch_dimension"),
          feature = integer("input_feature_dimension");
  auto spatial = integers("input_spatial_dimensions");
  int64_t in = integer("kernel_input_feature_dimension"),
          out = integer("kernel_output_feature_dimension");
  auto kernel = integers("kernel_spatial_dimensions");
  int64_t outBatch = integer("output_batch_dimension"),
          outFeature = integer("output_feature_dimension");
  auto outSpatial = integers("output_spatial_dimensions");
  add("dimension_numbers", stablehlo::ConvDimensionNumbersAttr::get(
                               op->getContext(), batch, feature, spatial, in,
                               out, kernel, outBatch, outFeature, outSpatial));
  // The first version of dynamic_conv has padding twice; the operand counts.
  if (mnemonic() == "dynamic_conv")
    from.erase("padding");
}

void Attributes::dot() {
  auto lhsBatch = integers("lhs_batching_dimensions"),
       rhsBatch = integers("rhs_batching_dimensions"),
       lhs = integers("lhs_contracting_dimensions"),
       rhs = integers("rhs_contracting_dimensions");
  add("dot_dimension_numbers",
      stablehlo::DotDimensionNumbersAttr::get(op->getContext(), lhsBatch,
                                              rhsBatch, lhs, rhs));
  // Without an algorithm, all its parts are of type `none`.
  auto isNone = [](Attribute attr) {
    auto type = dyn_cast_if_present<TypeAttr>(attr);
    return !attr || (type && isa<NoneType>(type.getValue()));
  };
  static constexpr StringRef kParts[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  if (llvm::all_of(kParts,
                   [&](StringRef name) { return isNone(from.get(name)); })) {
    for (StringRef name : kParts)
      from.erase(name);
    return;
  }
  Type types[3];
  for (auto [name, type] : llvm::zip(ArrayRef(kParts).take_front(3), types)) {
    auto attr = dyn_cast_if_present<TypeAttr>(from.erase(name));
    if (!attr)
      return fail("expected a type '" + name + "'");
    type = attr.getValue();
  }
  int64_t lhsCount = integer(kParts[3]), rhsCount = integer(kParts[4]),
          operations = integer(kParts[5]);
  auto imprecise = dyn_cast_if_present<BoolAttr>(from.erase(kParts[6]));
  if (!imprecise)
    return fail("expected a boolean '" + kParts[6] + "'");
  add("algorithm", stablehlo::DotAlgorithmAttr::get(
                       op->getContext(), types[0], types[1], types[2], lhsCount,
                       rhsCount, operations, imprecise.getValue()));
}

void Attributes::gather() {
  auto offset = integers("offset_dims"),
       collapsed = integers("collapsed_slice_dims"),
       operandBatch = integers("operand_batching_dims", /*isNew=*/true),
       indexBatch = integers("start_indices_batching_dims", /*isNew=*/true),
       map = integers("start_index_map");
  add("dimension_numbers",
      stablehlo::GatherDimensionNumbersAttr::get(
          op->getContext(), offset, collapsed, operandBatch, indexBatch, map,
          integer("index_vector_dim")));
}

void Attributes::scatter() {
  auto window = integers("update_window_dims"),
       inserted = integers("inserted_window_dims"),
       inputBatch = integers("input_batching_dims", /*isNew=*/true),
       indexBatch = integers("scatter_indices_batching_dims", /*isNew=*/true),
       map = integers("scatter_dims_to_operand_dims");
  add("scatter_dimension_numbers",
      stablehlo::ScatterDimensionNumbersAttr::get(
          op->getContext(), window, inserted, inputBatch, indexBatch, map,
          integer("index_vector_dim")));
}

//===--- One attribute ----------------------------------------------------===//

/// An empty string, array, dictionary or tensor.
static bool isEmpty(Attribute attr) {
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.empty();
  if (auto array = dyn_cast<ArrayAttr>(attr))
    return array.empty();
  if (auto entries = dyn_cast<DictionaryAttr>(attr))
    return entries.empty();
  auto elements = dyn_cast<DenseElementsAttr>(attr);
  return elements && elements.getNumElements() == 0;
}

/// A tensor whose elements are all `value`.
static bool isSplat(Attribute attr, int64_t value) {
  auto elements = dyn_cast<DenseIntElementsAttr>(attr);
  return elements && elements.isSplat() &&
         elements.getSplatValue<APInt>().getZExtValue() == uint64_t(value);
}

static bool isInteger(Attribute attr, int64_t value) {
  auto number = dyn_cast<IntegerAttr>(attr);
  return number && number.getValue().getSignificantBits() <= 64 &&
         number.getValue().getSExtValue() == value;
}

static bool isFalse(Attribute attr) {
  auto boolean = dyn_cast<BoolAttr>(attr);
  return boolean && !boolean.getValue();
}

/// Whether StableHLO assumes this value where the attribute is absent.
static bool isDefault(StringRef op, StringRef name, Attribute attr) {
  using llvm::is_contained;
  static constexpr StringRef kEmpty[] = {"arg_attrs",
                                         "backend_config",
                                         "called_computations",
                                         "composite_attributes",
                                         "infeed_config",
                                         "known_expanding_dimensions",
                                         "known_nonexpanding_dimensions",
                                         "layout",
                                         "operand_layouts",
                                         "outfeed_config",
                                         "output_operand_aliases",
                                         "res_attrs",
                                         "result_layouts",
                                         "result_tilings",
                                         "sym_visibility"};
  static constexpr StringRef kFalse[] = {
      "has_side_effect", "indices_are_sorted", "is_host_transfer", "is_stable",
      "unique_indices"};
  static constexpr StringRef kOnes[] = {"base_dilations", "lhs_dilation",
                                        "rhs_dilation", "window_dilations",
                                        "window_strides"};
  static constexpr StringRef kZeros[] = {"padding", "window_reversal"};
  if (is_contained(kEmpty, name))
    return isEmpty(attr);
  if (is_contained(kFalse, name) || (op == "cholesky" && name == "lower"))
    return isFalse(attr);
  if (is_contained(kOnes, name))
    return isSplat(attr, 1);
  if (is_contained(kZeros, name))
    return isSplat(attr, 0);
  if (name == "source_target_pairs")
    return op != "collective_permute" && isEmpty(attr);
  if (name == "api_version")
    return isInteger(attr, 1);
  if (name == "version")
    return isInteger(attr, 0);
  if (op == "sort" && name == "dimension")
    return isInteger(attr, -1);
  if (auto type = dyn_cast<stablehlo::ComparisonTypeAttr>(attr))
    return type.getValue() == stablehlo::ComparisonType::NOTYPE;
  if (auto accuracy = dyn_cast<stablehlo::ResultAccuracyAttr>(attr))
    return accuracy.getAtol().isZero() && accuracy.getRtol().isZero() &&
           accuracy.getUlps() == 0 &&
           accuracy.getMode().getValue() ==
               stablehlo::ResultAccuracyMode::DEFAULT;
  auto array = dyn_cast<ArrayAttr>(attr);
  return name == "precision_config" && array &&
         llvm::all_of(array, [](Attribute element) {
           auto precision = dyn_cast<stablehlo::PrecisionAttr>(element);
           return precision &&
                  precision.getValue() == stablehlo::Precision::DEFAULT;
         });
}

void Attributes::convertOne(StringRef name, Attribute attr) {
  auto symbol = [&](Attribute text) -> Attribute {
    auto string = dyn_cast<StringAttr>(text);
    if (!string || string.empty()) {
      fail("expected the name of a function in '" + name + "'");
      return attr;
    }
    return FlatSymbolRefAttr::get(string);
  };
  if (name == "callee" || name == "decomposition")
    return add(name, symbol(attr));
  if (name == "use_global_device_ids" || name == "has_dynamic_root") {
    if (!isFalse(attr))
      add(name, UnitAttr::get(op->getContext()));
    return;
  }
  // The layouts of a custom call stand together.
  if (name == "operand_layouts" || name == "result_layouts") {
    Attribute other = op->getAttr(
        name == "operand_layouts" ? "result_layouts" : "operand_layouts");
    if (other && !isEmpty(other))
      return add(name, attr);
  }
  if (isDefault(mnemonic(), name, attr))
    return;
  if (name == "called_computations")
    if (auto names = dyn_cast<ArrayAttr>(attr))
      attr = ArrayAttr::get(op->getContext(),
                            llvm::map_to_vector(names.getValue(), symbol));
  add(name, attr);
}

LogicalResult Attributes::convert() {
  StringRef name = mnemonic();
  if (name == "convolution" || name == "dynamic_conv")
    convolution();
  else if (name == "dot_general")
    dot();
  else if (name == "gather" || name == "dynamic_gather")
    gather();
  else if (name == "scatter")
    scatter();
  if (from.get("channel_id")) {
    int64_t channel = integer("channel_id");
    bool isTransfer = name == "send" || name == "recv";
    int64_t type = isTransfer ? integer("channel_type") : 0;
    if (isTransfer || channel != 0)
      add("channel_handle",
          stablehlo::ChannelHandleAttr::get(op->getContext(), channel, type));
  }
  for (NamedAttribute attr : from)
    convertOne(attr.getName(), attr.getValue());
  return success(!failed);
}

//===--- Operations -------------------------------------------------------===//

/// Whether the operation is one of the table, in a version that it has.
static bool isKnown(Operation *op) {
  auto [name, version] = op->getName().stripDialect().rsplit("_v");
  unsigned number = 0;
  if (version.getAsInteger(10, number))
    return false;
  return llvm::any_of(
      mercator::vhlo::operations(), [name = name, number](const auto &row) {
        return row.name == name && number >= 1 && number <= row.newest;
      });
}

/// The name that an operation gets; none if there is none.
static std::optional<RegisteredOperationName> nameOf(Operation *op) {
  StringRef name = op->getName().stripDialect().rsplit("_v").first;
  bool isFunc = name == "func" || name == "call" ||
                (name == "return" && isa<func::FuncOp>(op->getParentOp()));
  return RegisteredOperationName::lookup(
      ((isFunc ? "func." : "stablehlo.") + name).str(), op->getContext());
}

static LogicalResult convert(Operation *op) {
  if (!isKnown(op))
    return op->emitError("expected operations of StableHLO 0.9 to 1.22, got '")
           << op->getName() << "'";
  auto name = nameOf(op);
  if (!name)
    return op->emitError("operation '")
           << op->getName() << "' has no counterpart in StableHLO";
  Attributes attributes(op);
  if (failed(attributes.convert()))
    return failure();
  OperationState state(op->getLoc(), *name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(attributes.result());
  if (failed(name->verifyInherentAttrs(state.attributes,
                                       [&] { return op->emitError(); })))
    return failure();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *converted = builder.create(state);
  op->replaceAllUsesWith(converted->getResults());
  op->erase();
  return success();
}

LogicalResult mercator::vhlo::convertToStablehlo(Operation *root) {
  // A function before its body: a return asks for the function.
  SmallVector<Operation *> operations;
  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "vhlo")
      operations.push_back(op);
    else if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
      casts.push_back(cast);
  });
  for (Operation *op : operations)
    if (failed(convert(op)))
      return failure();
  // Both sides of a cast were read as the same types.
  for (UnrealizedConversionCastOp cast : casts)
    if (cast.getOperandTypes() == cast.getResultTypes()) {
      cast.replaceAllUsesWith(cast.getOperands());
      cast.erase();
    }
  return success();
}
