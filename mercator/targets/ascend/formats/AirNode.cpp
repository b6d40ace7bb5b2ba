// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/AirNode.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Infer.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/targets/ascend/formats/Attributes.h"
#include "mercator/targets/ascend/formats/Elements.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"

#include <array>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

InFlightDiagnostic AirPlace::error() const {
  InFlightDiagnostic error = emitError(file);
  if (def)
    error << "node " << quote(def->name()) << ": ";
  return error;
}

Location AirPlace::location() const {
  if (!def)
    return file;
  return NameLoc::get(StringAttr::get(file.getContext(), def->name()), file);
}

//===--- Attributes -------------------------------------------------------===//

static const char *kindOf(const ge::AttrDef &value) {
  switch (value.value_case()) {
  case ge::AttrDef::kList:
    return "a list";
  case ge::AttrDef::kS:
    return "a string";
  case ge::AttrDef::kI:
    return "an integer";
  case ge::AttrDef::kF:
    return "a float";
  case ge::AttrDef::kB:
    return "a boolean";
  case ge::AttrDef::kT:
    return "a tensor";
  case ge::AttrDef::kDt:
    return "a type";
  default:
    return "something else";
  }
}

using AttributeMap = llvm::StringMap<const ge::AttrDef *>;

/// The attributes by name. Attributes that begin with an underscore are GE's
/// annotations. Any other attribute that is not `known` could change the
/// meaning of the node.
static FailureOr<AttributeMap> readAttributes(const ge::OpDef &def,
                                              ArrayRef<StringRef> known,
                                              const AirPlace &place) {
  AttributeMap map;
  for (const ge::AttrEntry &entry : def.attr()) {
    StringRef key = entry.key();
    if (!map.try_emplace(key, &entry.value()).second)
      return place.error() << "expected attribute " << quote(key) << " once";
    if (!key.starts_with("_") && !llvm::is_contained(known, key))
      return place.error() << "expected only attributes that a node of type "
                           << quote(def.type()) << " has, got " << quote(key);
  }
  return map;
}

/// The value of the attribute, if it has the kind of `like`.
static std::optional<AttributeValue> valueLike(const ge::AttrDef &value,
                                               const AttributeValue &like) {
  if (value.has_b() && std::holds_alternative<bool>(like))
    return value.b();
  if (value.has_i() && std::holds_alternative<int64_t>(like))
    return value.i();
  if (value.has_f() && std::holds_alternative<float>(like))
    return value.f();
  if (value.has_s() && std::holds_alternative<std::string>(like))
    return std::string(value.s());
  using Ints = llvm::SmallVector<int64_t, 6>;
  if (value.has_list() && std::holds_alternative<Ints>(like) &&
      value.list().s_size() == 0 && value.list().f_size() == 0)
    return Ints(value.list().i().begin(), value.list().i().end());
  return std::nullopt;
}

static FailureOr<AttributeValue> readValue(const AttributeMap &map,
                                           const AttributeRule &rule,
                                           const AirPlace &place) {
  const ge::AttrDef *value = map.lookup(rule.name);
  if (value)
    if (std::optional<AttributeValue> read = valueLike(*value, rule.byDefault))
      return *read;
  constexpr std::array<StringRef, 5> kinds = {
      "a boolean", "an integer", "a float", "a list of integers", "a string"};
  return place.error() << "expected attribute '" << rule.name << "' to be "
                       << kinds[rule.byDefault.index()] << ", got "
                       << (value ? kindOf(*value) : "none");
}

/// The value of the attribute as a number, if it has the kind of `fixed`.
static std::optional<double> numberOf(const ge::AttrDef &value,
                                      FixedAttribute::Kind kind) {
  using Kind = FixedAttribute::Kind;
  if (kind == Kind::Boolean && value.has_b())
    return value.b();
  if (kind == Kind::Real && value.has_f())
    return value.f();
  // Some prototypes declare a type as an integer.
  if (kind == Kind::Type && value.has_dt())
    return double(value.dt());
  if ((kind == Kind::Integer || kind == Kind::Type) && value.has_i())
    return double(value.i());
  return std::nullopt;
}

static std::string textOf(FixedAttribute::Kind kind, double value) {
  if (kind == FixedAttribute::Kind::Boolean)
    return value != 0 ? "true" : "false";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

/// Checks attributes that are supported only at their default.
static LogicalResult checkFixed(const ge::OpDef &def, const AttributeMap &map,
                                ArrayRef<Value> inputs, const AirPlace &place) {
  for (const FixedAttribute &fixed : fixedAttributesOf(def.type())) {
    const ge::AttrDef *value = map.lookup(fixed.name);
    if (!value && fixed.isRequired)
      return place.error() << "expected attribute '" << fixed.name << "' to be "
                           << quote(fixed.text)
                           << ", the only value that is supported, got none";
    if (!value)
      continue;
    // The attribute only matters for empty axes.
    if (fixed.name == "noop_with_empty_axes" && value->has_b() &&
        inputs.size() == 2)
      if (auto axes = dyn_cast<RankedTensorType>(inputs[1].getType());
          axes && axes.hasStaticShape() && axes.getNumElements() > 0)
        continue;
    if (fixed.kind == FixedAttribute::Kind::Text) {
      if (value->has_s() && value->s() == fixed.text)
        continue;
      return place.error() << "expected attribute '" << fixed.name << "' to be "
                           << quote(fixed.text)
                           << ", the only value that is supported, got "
                           << (value->has_s() ? quote(value->s())
                                              : std::string(kindOf(*value)));
    }
    std::optional<double> number = numberOf(*value, fixed.kind);
    if (number == fixed.value)
      continue;
    return place.error() << "expected attribute '" << fixed.name
                         << "' to have its default "
                         << textOf(fixed.kind, fixed.value)
                         << ", the only value that is supported, got "
                         << (number ? textOf(fixed.kind, *number)
                                    : std::string(kindOf(*value)));
  }
  return success();
}

FailureOr<int64_t> ascend::dataIndex(const ge::OpDef &def,
                                     const AirPlace &place) {
  FailureOr<AttributeMap> map = readAttributes(def, {"index"}, place);
  if (failed(map))
    return failure();
  FailureOr<AttributeValue> index =
      readValue(*map, {"index", int64_t(0), /*isRequired=*/true}, place);
  if (failed(index))
    return failure();
  return std::get<int64_t>(*index);
}

//===--- Types ------------------------------------------------------------===//

/// Whether the description has a type. Exports from before GE's shape inference
/// have none, or an empty one that is marked as unset.
static bool isSaid(const ge::TensorDescriptor &desc) {
  if (!desc.has_shape() ||
      (desc.shape().dim_size() == 1 && desc.shape().dim(0) == -2))
    return false;
  if (desc.shape().dim_size() > 0)
    return true;
  return llvm::none_of(desc.attr(), [](const ge::AttrEntry &entry) {
    return entry.key() == "origin_shape_initialized" && entry.value().has_b() &&
           !entry.value().b();
  });
}

/// Checks that a device could hold the tensor, so sums of extents cannot
/// overflow.
static FailureOr<RankedTensorType>
makeType(ArrayRef<int64_t> shape, Type element, const AirPlace &place) {
  constexpr size_t kMostDims = 8;
  if (shape.size() > kMostDims)
    return place.error() << "expected a tensor of at most " << kMostDims
                         << " dimensions, got " << shape.size();
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return place.error() << "expected extents of at least 0, or -1 for one "
                              "that is unknown, got "
                           << extent;
  if (hasTooManyElements(shape))
    return place.error() << "expected a tensor of at most 2^40 elements, got "
                            "shape ["
                         << llvm::interleaved(shape, ", ") << "]";
  return RankedTensorType::get(shape, element);
}

/// Checks that elements are row-major: formats ND, NCHW and the like of GE, no
/// tiles.
static LogicalResult checkLayout(const ge::TensorDescriptor &desc,
                                 const AirPlace &place) {
  constexpr std::array<StringRef, 6> plain = {"",     "ND",    "NCHW",
                                              "NHWC", "NCDHW", "NDHWC"};
  if (!llvm::is_contained(plain, StringRef(desc.layout())))
    return place.error() << "expected a layout ND, NCHW, NHWC, NCDHW or NDHWC, "
                            "got "
                         << quote(desc.layout());
  for (const ge::AttrEntry &entry : desc.attr()) {
    // In GE's numbering: NCHW, NHWC, ND, NDHWC, NCDHW.
    constexpr std::array<int64_t, 5> plainNumbers = {0, 1, 2, 27, 30};
    if (entry.key() == "format_for_int" &&
        !llvm::is_contained(plainNumbers, entry.value().i()))
      return place.error() << "expected 'format_for_int' to be 0, 1, 2, 27 or "
                              "30, as tiled elements are not supported, got "
                           << entry.value().i();
    if (entry.key() == "origin_shape" && entry.value().list().i_size() &&
        !llvm::equal(entry.value().list().i(), desc.shape().dim()))
      return place.error() << "expected 'origin_shape' to be the shape ["
                           << llvm::interleaved(desc.shape().dim(), ", ")
                           << "], got ["
                           << llvm::interleaved(entry.value().list().i(), ", ")
                           << "]";
  }
  return success();
}

/// Checks that the axes of a tensor have the meaning that the operator
/// prescribes. ND does not name it.
static LogicalResult checkMeaning(const ge::TensorDescriptor &desc,
                                  const Layout &layout, const AirPlace &place) {
  if (layout.number == kPlain.number)
    return success();
  llvm::SmallVector<StringRef, 2> said = {desc.layout()};
  for (const ge::AttrEntry &entry : desc.attr())
    if (entry.key() == "origin_format")
      said.push_back(entry.value().s());
  for (StringRef name : said)
    if (!name.empty() && name != layout.name && name != kPlain.name)
      return place.error() << "expected a layout " << layout.name
                           << ", the only one that is supported for this "
                              "operator, got "
                           << quote(name);
  return success();
}

static FailureOr<RankedTensorType> readType(const ge::TensorDescriptor &desc,
                                            const AirPlace &place) {
  if (failed(checkLayout(desc, place)))
    return failure();
  std::optional<GeType> element = fromSchemaNumber(desc.dtype());
  if (!element)
    return place.error() << "expected the number of a type (1 is float32), "
                            "got "
                         << desc.dtype();
  Shape shape;
  for (int64_t extent : desc.shape().dim())
    shape.push_back(extent == -1                     ? ShapedType::kDynamic
                    : extent == ShapedType::kDynamic ? -2
                                                     : extent);
  return makeType(shape, elementType(*element, place.location().getContext()),
                  place);
}

/// Checks that the description of a tensor agrees with its type.
static LogicalResult checkSaid(const ge::TensorDescriptor &desc, Type type,
                               const llvm::Twine &what, const AirPlace &place) {
  if (!isSaid(desc))
    return success();
  FailureOr<RankedTensorType> said = readType(desc, place);
  if (failed(said))
    return failure();
  if (*said != type)
    return place.error() << "expected " << what << " to be described as "
                         << type << ", got " << *said;
  return success();
}

static LogicalResult checkOutputs(const ge::OpDef &def, int count,
                                  const AirPlace &place) {
  if (def.output_desc_size() != count)
    return place.error() << "expected " << count << " output_desc, got "
                         << def.output_desc_size();
  if (def.subgraph_name_size())
    return place.error() << "expected a node without subgraphs, got "
                         << quote(def.subgraph_name(0));
  return success();
}

static LogicalResult checkInputs(const ge::OpDef &def, ArrayRef<Value> inputs,
                                 const AirPlace &place) {
  if (def.input_desc_size() && size_t(def.input_desc_size()) != inputs.size())
    return place.error() << "expected an input_desc for each of "
                         << inputs.size() << " inputs, got "
                         << def.input_desc_size();
  for (int i = 0; i < def.input_desc_size(); ++i)
    if (failed(checkSaid(def.input_desc(i), inputs[i].getType(),
                         "input " + llvm::Twine(i), place)))
      return failure();
  return success();
}

//===--- Data, Const, NetOutput -------------------------------------------===//

/// The upper limits in `shape_range`; null without such limits.
static FailureOr<DenseI64ArrayAttr> readBounds(OpBuilder &b,
                                               const ge::TensorDescriptor &desc,
                                               RankedTensorType type,
                                               const AirPlace &place) {
  llvm::SmallVector<int64_t> bounds(type.getRank(), -1);
  for (const ge::AttrEntry &entry : desc.attr()) {
    if (entry.key() != "shape_range" || !entry.value().has_list_list_int())
      continue;
    const auto &ranges = entry.value().list_list_int().list_list_i();
    if (ranges.empty())
      continue;
    if (ranges.size() != type.getRank())
      return place.error() << "expected 'shape_range' to have "
                           << type.getRank()
                           << " ranges, one for each dimension, got "
                           << ranges.size();
    for (int i = 0; i < ranges.size(); ++i) {
      const auto &range = ranges[i].list_i();
      if (range.size() != 2 || range[1] < -1 ||
          (range[1] != -1 && range[0] > range[1]))
        return place.error() << "expected a range of 'shape_range' to be two "
                                "numbers, the smallest and the largest extent "
                                "or -1, got ["
                             << llvm::interleaved(range, ", ") << "]";
      if (type.isDynamicDim(i))
        bounds[i] = range[1];
    }
  }
  if (llvm::all_of(bounds, [](int64_t bound) { return bound == -1; }))
    return DenseI64ArrayAttr();
  return b.getDenseI64ArrayAttr(bounds);
}

static FailureOr<Operation *> buildData(OpBuilder &b, const ge::OpDef &def,
                                        const AirPlace &place) {
  FailureOr<int64_t> index = dataIndex(def, place);
  if (failed(index) || failed(checkOutputs(def, 1, place)))
    return failure();
  const ge::TensorDescriptor &desc = def.output_desc(0);
  if (!desc.has_shape() || (desc.shape().dim_size() && !isSaid(desc)))
    return place.error() << "expected the shape of an input of the graph, got "
                            "none";
  FailureOr<RankedTensorType> type = readType(desc, place);
  if (failed(type))
    return failure();
  if (def.input_desc_size() > 1)
    return place.error() << "expected at most one input_desc, got "
                         << def.input_desc_size();
  if (def.input_desc_size() &&
      failed(checkSaid(def.input_desc(0), *type, "x", place)))
    return failure();
  // The default name of an input without a name.
  std::string plain = "input" + std::to_string(*index);
  StringAttr name;
  if (def.name() != plain)
    name = b.getStringAttr(def.name());
  FailureOr<DenseI64ArrayAttr> bounds = readBounds(b, desc, *type, place);
  if (failed(bounds))
    return failure();
  return DataOp::create(b, place.location(), *type, b.getI64IntegerAttr(*index),
                        name, *bounds)
      .getOperation();
}

static FailureOr<DenseElementsAttr>
readElements(std::string bytes, RankedTensorType type, const AirPlace &place) {
  std::optional<uint64_t> size =
      type.hasStaticShape() ? byteSize(type) : std::nullopt;
  if (!size || *size != bytes.size()) {
    InFlightDiagnostic error = place.error();
    error << "expected the elements of " << type;
    if (size)
      error << " in " << *size << " bytes";
    error << ", got " << bytes.size() << " bytes";
    return error;
  }
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  llvm::SmallVector<bool, 0> flags;
  flags.reserve(bytes.size());
  for (char byte : bytes) {
    if (byte != 0 && byte != 1)
      return place.error() << "expected booleans to be 0 or 1, got "
                           << int(uint8_t(byte));
    flags.push_back(byte != 0);
  }
  return DenseElementsAttr::get(type, ArrayRef<bool>(flags));
}

static FailureOr<Operation *> buildConst(OpBuilder &b, ge::OpDef &def,
                                         const AirPlace &place) {
  FailureOr<AttributeMap> map = readAttributes(def, {"value"}, place);
  if (failed(map) || failed(checkOutputs(def, 1, place)))
    return failure();
  auto *value = const_cast<ge::AttrDef *>(map->lookup("value"));
  if (!value || !value->has_t() || !value->t().desc().has_shape())
    return place.error() << "expected attribute 'value' to be a tensor with a "
                            "shape, got "
                         << (value ? kindOf(*value) : "none");
  FailureOr<RankedTensorType> type = readType(value->t().desc(), place);
  if (failed(type) ||
      failed(checkSaid(def.output_desc(0), *type, "the output", place)))
    return failure();
  FailureOr<DenseElementsAttr> elements = readElements(
      std::move(*value->mutable_t()->mutable_data()), *type, place);
  if (failed(elements))
    return failure();
  return ConstOp::create(b, place.location(), *type, *elements).getOperation();
}

//===--- Operators --------------------------------------------------------===//

/// The names of the inputs, if the file has them.
static FailureOr<std::vector<StringRef>> readInputNames(const ge::OpDef &def,
                                                        const AttributeMap &map,
                                                        size_t count,
                                                        const AirPlace &place) {
  std::vector<StringRef> names;
  const ge::AttrDef *keys = map.lookup("_input_name_key"),
                    *values = map.lookup("_input_name_value");
  if (!keys || !values)
    return names;
  names.resize(count);
  const ge::AttrDef::ListValue &key = keys->list(), &value = values->list();
  bool isMap = key.s_size() == value.i_size() && size_t(key.s_size()) == count;
  for (int i = 0; isMap && i < key.s_size(); ++i) {
    isMap = value.i(i) >= 0 && value.i(i) < int64_t(count) &&
            names[value.i(i)].empty() && !key.s(i).empty();
    if (isMap)
      names[value.i(i)] = key.s(i);
  }
  if (!isMap)
    return place.error() << "expected '_input_name_key' and "
                            "'_input_name_value' to name each of "
                         << count << " inputs once";
  return names;
}

/// The inputs in the order of the registry.
static FailureOr<llvm::SmallVector<Value>>
sortInputs(const ge::OpDef &def, const Operator &entry, const AttributeMap &map,
           ArrayRef<Value> inputs, const AirPlace &place) {
  bool hasList = llvm::any_of(entry.inputs,
                              [](const Input &input) { return input.isList; });
  if (hasList ? inputs.size() < entry.inputs.size()
              : inputs.size() != entry.inputs.size())
    return place.error() << "expected " << (hasList ? "at least " : "")
                         << entry.inputs.size() << " inputs, got "
                         << inputs.size();
  FailureOr<std::vector<StringRef>> names =
      readInputNames(def, map, inputs.size(), place);
  if (failed(names))
    return failure();
  if (names->empty())
    return llvm::SmallVector<Value>(inputs);
  llvm::StringMap<Value> byName;
  for (auto [name, input] : llvm::zip_equal(*names, inputs))
    byName[name] = input;
  llvm::SmallVector<Value> sorted;
  auto take = [&](const std::string &name) -> LogicalResult {
    Value value = byName.lookup(name);
    if (!value)
      return place.error() << "expected an input called '" << name << "', got "
                           << quote(llvm::join(*names, ", "));
    sorted.push_back(value);
    return success();
  };
  for (const Input &input : entry.inputs) {
    size_t count = input.isList ? inputs.size() - entry.inputs.size() + 1 : 1;
    for (size_t i = 0; i < count; ++i)
      if (failed(
              take(input.name.str() + (input.isList ? std::to_string(i) : ""))))
        return failure();
  }
  return sorted;
}

static FailureOr<llvm::SmallVector<NamedAttribute>>
buildAttributes(OpBuilder &b, const ge::OpDef &def, const AttributeMap &map,
                const AirPlace &place) {
  llvm::SmallVector<NamedAttribute> out;
  for (const AttributeRule &rule : attributesOf(def.type())) {
    if (!rule.isRequired && !map.contains(rule.name))
      continue;
    FailureOr<AttributeValue> value = readValue(map, rule, place);
    if (failed(value))
      return failure();
    if (!rule.isDefault(*value))
      out.push_back(
          b.getNamedAttr(rule.name, attributeOf(b.getContext(), *value)));
  }
  return out;
}

/// Verifies the operation and reports its errors at the node.
static LogicalResult check(Operation *op, const AirPlace &place,
                           llvm::function_ref<LogicalResult()> run) {
  std::string text;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &it) {
      text += (text.empty() ? "" : "; ") + it.str();
    });
    if (succeeded(run()))
      return success();
  }
  return place.error() << text;
}

/// Infers the type of a result and compares it with the type in the file.
static LogicalResult inferType(Operation *op, unsigned result,
                               const ge::TensorDescriptor &desc,
                               const AirPlace &place) {
  std::optional<Shape> shape;
  Type element;
  if (failed(check(op, place, [&]() -> LogicalResult {
        FailureOr<std::optional<Shape>> inferred = inferShape(op, result);
        FailureOr<Type> type = inferElement(op, result);
        if (failed(inferred) || failed(type))
          return failure();
        shape = std::move(*inferred);
        element = *type;
        return success();
      })))
    return failure();
  bool isGiven = isSaid(desc);
  if (!shape && !isGiven)
    return place.error()
           << "expected a shape, because the inputs do not determine it";
  FailureOr<RankedTensorType> type =
      isGiven ? readType(desc, place) : makeType(*shape, element, place);
  if (failed(type))
    return failure();
  if (shape && failed(verifyCompatibleShape(ArrayRef<int64_t>(*shape),
                                            type->getShape())))
    return place.error() << "expected shape ["
                         << llvm::interleaved(*shape, ", ")
                         << "], which follows from the inputs, got ["
                         << llvm::interleaved(type->getShape(), ", ") << "]";
  op->getResult(result).setType(*type);
  return success();
}

static FailureOr<Operation *> buildOperator(OpBuilder &b, const ge::OpDef &def,
                                            ArrayRef<Value> inputs,
                                            const AirPlace &place) {
  const Operator *entry = findOperator(def.type());
  std::optional<RegisteredOperationName> name;
  if (entry)
    name =
        RegisteredOperationName::lookup("ascend." + def.type(), b.getContext());
  if (!name)
    return place.error() << "expected a known operator, got "
                         << quote(def.type());
  llvm::SmallVector<StringRef> known;
  for (const AttributeRule &rule : attributesOf(def.type()))
    known.push_back(rule.name);
  for (const FixedAttribute &fixed : fixedAttributesOf(def.type()))
    known.push_back(fixed.name);
  FailureOr<AttributeMap> map = readAttributes(def, known, place);
  int count = int(entry->outputs.size());
  if (failed(map) || failed(checkOutputs(def, count, place)) ||
      failed(checkInputs(def, inputs, place)))
    return failure();
  for (const auto *descs : {&def.input_desc(), &def.output_desc()})
    for (const ge::TensorDescriptor &desc : *descs)
      if (isSaid(desc) && failed(checkMeaning(desc, entry->layout, place)))
        return failure();
  FailureOr<llvm::SmallVector<Value>> sorted =
      sortInputs(def, *entry, *map, inputs, place);
  if (failed(sorted))
    return failure();
  FailureOr<llvm::SmallVector<NamedAttribute>> attributes =
      buildAttributes(b, def, *map, place);
  if (failed(attributes) || failed(checkFixed(def, *map, *sorted, place)))
    return failure();
  // Temporary types.
  OperationState state(place.location(), *name);
  state.addOperands(*sorted);
  state.addAttributes(*attributes);
  state.addTypes(SmallVector<Type>(count, sorted->front().getType()));
  Operation *op = b.create(state);
  for (int i = 0; i < count; ++i)
    if (failed(inferType(op, i, def.output_desc(i), place)))
      return failure();
  if (failed(check(op, place, [&] { return verify(op); })))
    return failure();
  return op;
}

FailureOr<Operation *> ascend::buildNode(OpBuilder &b, ge::OpDef &def,
                                         ArrayRef<Value> inputs,
                                         const AirPlace &place) {
  StringRef type = def.type();
  if ((type == "Data" || type == "Const") && !inputs.empty())
    return place.error() << "expected a node of type " << type
                         << " without inputs, got " << inputs.size();
  if (type == "Data")
    return buildData(b, def, place);
  if (type == "Const")
    return buildConst(b, def, place);
  if (type != "NetOutput")
    return buildOperator(b, def, inputs, place);
  if (failed(readAttributes(def, {}, place)) ||
      failed(checkOutputs(def, 0, place)) ||
      failed(checkInputs(def, inputs, place)))
    return failure();
  return NetOutputOp::create(b, place.location(), inputs).getOperation();
}
