// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Attributes.h"

#include "mercator/dialects/ascend/Registry.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

using AttributeRules = llvm::StringMap<std::vector<AttributeRule>>;

static AttributeRules makeRules() {
  auto integer = [](StringRef name, int64_t byDefault) {
    return AttributeRule{name, byDefault};
  };
  auto requiredInteger = [](StringRef name) {
    return AttributeRule{name, int64_t(0), /*isRequired=*/true};
  };
  auto boolean = [](StringRef name, bool byDefault = false) {
    return AttributeRule{name, byDefault};
  };
  auto list = [](StringRef name, llvm::SmallVector<int64_t, 6> byDefault) {
    return AttributeRule{name, std::move(byDefault)};
  };
  auto requiredList = [](StringRef name) {
    return AttributeRule{name, llvm::SmallVector<int64_t, 6>(),
                         /*isRequired=*/true};
  };
  AttributeRules rules;
  rules["GatherV2"] = {integer("batch_dims", 0), boolean("is_preprocessed"),
                       boolean("negative_index_support")};
  rules["GatherV2D"] = {requiredInteger("axis")};
  rules["GatherNd"] = {boolean("negative_index_support")};
  rules["GatherElements"] = {integer("dim", 0)};
  rules["IndexByTensor"] = {{"indices_mask", llvm::SmallVector<int64_t, 6>()}};
  rules["ScatterElements"] = {integer("axis", 0),
                              {"reduction", std::string("none")}};
  rules["Reshape"] = {integer("axis", 0), integer("num_axes", -1)};
  rules["StridedSlice"] = {integer("begin_mask", 0),
                           integer("ellipsis_mask", 0), integer("end_mask", 0),
                           integer("new_axis_mask", 0),
                           integer("shrink_axis_mask", 0)};
  rules["ConcatV2"] = {requiredInteger("N")};
  rules["Pack"] = {requiredInteger("N"), integer("axis", 0)};
  rules["Round"] = {integer("decimals", 0)};
  rules["Cast"] = {requiredInteger("dst_type")};
  for (StringRef type : {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd",
                         "ReduceMean", "ReduceAll", "ReduceAny"})
    rules[type] = {boolean("keep_dims")};
  rules["MatMul"] = {boolean("transpose_x1"), boolean("transpose_x2")};
  rules["BatchMatMul"] = {boolean("adj_x1"), boolean("adj_x2")};
  rules["Sort"] = {integer("axis", -1), boolean("descending"),
                   boolean("stable")};
  rules["TopKV2"] = {integer("dim", -1), boolean("largest", true),
                     boolean("sorted", true)};
  rules["Conv2D"] = {list("dilations", {1, 1, 1, 1}), integer("groups", 1),
                     requiredList("pads"), requiredList("strides")};
  rules["Conv3D"] = {list("dilations", {1, 1, 1, 1, 1}), integer("groups", 1),
                     requiredList("pads"), requiredList("strides")};
  rules["MaxPoolV3"] = {requiredList("ksize"), list("pads", {0, 0, 0, 0}),
                        requiredList("strides")};
  rules["AvgPoolV2"] = {boolean("exclusive", true), requiredList("ksize"),
                        list("pads", {0, 0, 0, 0}), requiredList("strides")};
  rules["Cumsum"] = {boolean("exclusive"), boolean("reverse")};
  rules["SoftmaxV2"] = {{"axes", llvm::SmallVector<int64_t, 6>{-1}}};
  rules["GeluV2"] = {{"approximate", std::string("none")}};
  rules["LayerNormV3"] = {integer("begin_norm_axis", 0),
                          integer("begin_params_axis", 0),
                          {"epsilon", 1e-5F}};
  rules["RmsNorm"] = {{"epsilon", 1e-6F}};
  return rules;
}

using FixedAttributes = llvm::StringMap<std::vector<FixedAttribute>>;

static FixedAttributes makeFixedAttributes() {
  using Kind = FixedAttribute::Kind;
  FixedAttributes all;
  // base^(scale * x + shift), and the logarithm of scale * x + shift to that
  // base. A base of -1 means e.
  for (StringRef type : {"Exp", "Log"})
    all[type] = {{"base", Kind::Real, -1},
                 {"scale", Kind::Real, 1},
                 {"shift", Kind::Real, 0}};
  int real = int(attributeNumber(GeType::float32)),
      complex = int(attributeNumber(GeType::complex64));
  for (StringRef type : {"ComplexAbs", "Imag", "Real"})
    all[type] = {{"Tout", Kind::Type, real}};
  all["Complex"] = {{"Tout", Kind::Type, complex}};
  all["Shape"] = {
      {"dtype", Kind::Integer, int(attributeNumber(GeType::int32))}};
  all["Range"] = {{"is_closed", Kind::Boolean, 0, /*isWritten=*/false}};
  for (StringRef type : {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"})
    all[type] = {
        {"noop_with_empty_axes", Kind::Boolean, 1, /*isWritten=*/false}};
  for (StringRef type : {"ScatterNdUpdate", "ScatterNdAdd"})
    all[type] = {{"use_locking", Kind::Boolean, 0}};
  all["SoftmaxV2"] = {{"half_to_float", Kind::Boolean, 0}};
  int index = int(attributeNumber(GeType::int32));
  all["Sort"] = {{"y2_dtype", Kind::Type, index, /*isWritten=*/false}};
  all["TopKV2"] = {{"indices_dtype", Kind::Type, index, /*isWritten=*/false}};
  auto text = [](StringRef name, StringRef value, bool isRequired = false) {
    return FixedAttribute{name, Kind::Text, 0, true, value, isRequired};
  };
  // The default of Conv2D is NHWC, that of Conv3D NDHWC.
  all["Conv2D"] = {text("data_format", "NCHW", /*isRequired=*/true),
                   {"offset_x", Kind::Integer}};
  all["Conv3D"] = {text("data_format", "NCDHW", /*isRequired=*/true),
                   {"offset_x", Kind::Integer}};
  for (StringRef type : {"MaxPoolV3", "AvgPoolV2"})
    all[type] = {text("padding_mode", "CALCULATED"),
                 text("data_format", "NCHW"),
                 {"global_pooling", Kind::Boolean},
                 {"ceil_mode", Kind::Boolean}};
  all["AvgPoolV2"].push_back({"divisor_override", Kind::Integer});
  all["ReduceMean"] = {{"noop_with_empty_axes", Kind::Boolean, 1}};
  return all;
}

ArrayRef<FixedAttribute> ascend::fixedAttributesOf(StringRef type) {
  static const FixedAttributes all = makeFixedAttributes();
  auto found = all.find(type);
  return found == all.end() ? ArrayRef<FixedAttribute>()
                            : ArrayRef<FixedAttribute>(found->second);
}

ArrayRef<AttributeRule> ascend::attributesOf(StringRef type) {
  static const AttributeRules rules = makeRules();
  auto found = rules.find(type);
  return found == rules.end() ? ArrayRef<AttributeRule>()
                              : ArrayRef<AttributeRule>(found->second);
}

AttributeValue ascend::valueOf(Operation *op, const AttributeRule &rule) {
  Attribute attribute = op->getAttr(rule.name);
  if (auto flag = dyn_cast_or_null<BoolAttr>(attribute))
    return flag.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getValue().getSExtValue();
  if (auto real = dyn_cast_or_null<FloatAttr>(attribute))
    return real.getValue().convertToFloat();
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return llvm::SmallVector<int64_t, 6>(list.asArrayRef());
  if (auto text = dyn_cast_or_null<StringAttr>(attribute))
    return text.str();
  return rule.byDefault;
}

namespace {
struct MakeAttribute {
  MLIRContext *context;

  Attribute operator()(bool value) const {
    return BoolAttr::get(context, value);
  }
  Attribute operator()(int64_t value) const {
    return IntegerAttr::get(IntegerType::get(context, 64), value);
  }
  Attribute operator()(float value) const {
    return FloatAttr::get(Float32Type::get(context), value);
  }
  Attribute operator()(const llvm::SmallVector<int64_t, 6> &value) const {
    return DenseI64ArrayAttr::get(context, value);
  }
  Attribute operator()(const std::string &value) const {
    return StringAttr::get(context, value);
  }
};
} // namespace

Attribute ascend::attributeOf(MLIRContext *context,
                              const AttributeValue &value) {
  return std::visit(MakeAttribute{context}, value);
}
