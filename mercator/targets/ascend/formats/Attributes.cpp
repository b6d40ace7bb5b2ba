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
  auto integer = [](StringRef name, std::optional<int64_t> byDefault) {
    return AttributeRule{name, false, byDefault};
  };
  auto boolean = [](StringRef name) { return AttributeRule{name, true, 0}; };
  constexpr std::nullopt_t required = std::nullopt;
  AttributeRules rules;
  rules["GatherV2"] = {integer("batch_dims", 0), boolean("is_preprocessed"),
                       boolean("negative_index_support")};
  rules["GatherV2D"] = {integer("axis", required)};
  rules["GatherNd"] = {boolean("negative_index_support")};
  rules["GatherElements"] = {integer("dim", 0)};
  rules["Reshape"] = {integer("axis", 0), integer("num_axes", -1)};
  rules["StridedSlice"] = {integer("begin_mask", 0),
                           integer("ellipsis_mask", 0), integer("end_mask", 0),
                           integer("new_axis_mask", 0),
                           integer("shrink_axis_mask", 0)};
  rules["ConcatV2"] = {integer("N", required)};
  rules["Pack"] = {integer("N", required), integer("axis", 0)};
  rules["Round"] = {integer("decimals", 0)};
  rules["Cast"] = {integer("dst_type", required)};
  for (StringRef type : {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd",
                         "ReduceMean", "ReduceAll", "ReduceAny"})
    rules[type] = {boolean("keep_dims")};
  rules["MatMul"] = {boolean("transpose_x1"), boolean("transpose_x2")};
  rules["BatchMatMul"] = {boolean("adj_x1"), boolean("adj_x2")};
  return rules;
}

using FixedAttributes = llvm::StringMap<std::vector<FixedAttribute>>;

static FixedAttributes makeFixedAttributes() {
  using Kind = FixedAttribute::Kind;
  FixedAttributes all;
  // base^(scale * x + shift), and the logarithm of scale * x + shift to that
  // base. A base of -1 means e.
  for (StringRef type : {"Exp", "Log"})
    all[type] = {{"base", Kind::real, -1},
                 {"scale", Kind::real, 1},
                 {"shift", Kind::real, 0}};
  int real = int(attributeNumber(GeType::float32)),
      complex = int(attributeNumber(GeType::complex64));
  for (StringRef type : {"ComplexAbs", "Imag", "Real"})
    all[type] = {{"Tout", Kind::type, real}};
  all["Complex"] = {{"Tout", Kind::type, complex}};
  all["Range"] = {{"is_closed", Kind::boolean, 0, /*isWritten=*/false}};
  for (StringRef type : {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"})
    all[type] = {
        {"noop_with_empty_axes", Kind::boolean, 1, /*isWritten=*/false}};
  all["ReduceMean"] = {{"noop_with_empty_axes", Kind::boolean, 1}};
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

int64_t ascend::valueOf(Operation *op, const AttributeRule &rule) {
  Attribute attribute = op->getAttr(rule.name);
  if (auto flag = dyn_cast_or_null<BoolAttr>(attribute))
    return flag.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getValue().getSExtValue();
  return rule.byDefault.value_or(0);
}

Attribute ascend::attributeOf(MLIRContext *context, const AttributeRule &rule,
                              int64_t value) {
  if (rule.isBool)
    return BoolAttr::get(context, value != 0);
  return IntegerAttr::get(IntegerType::get(context, 64), value);
}
