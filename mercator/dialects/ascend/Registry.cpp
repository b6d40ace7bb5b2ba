// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/ascend/Registry.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <array>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Types ------------------------------------------------------------===//

namespace {
struct TypeRow {
  llvm::StringLiteral name;
  int64_t attribute, schema;
};
} // namespace

static constexpr std::array<TypeRow, kGeTypes> typeRows = {{
    {"float32", 0, 1},
    {"float16", 1, 2},
    {"int8", 2, 3},
    {"int32", 3, 7},
    {"uint8", 4, 4},
    {"int16", 6, 5},
    {"uint16", 7, 6},
    {"uint32", 8, 9},
    {"int64", 9, 8},
    {"uint64", 10, 10},
    {"float64", 11, 12},
    {"bool", 12, 11},
    {"complex64", 16, 16},
    {"complex128", 17, 17},
    {"bfloat16", 27, 27},
}};

StringRef ascend::name(GeType type) { return typeRows[unsigned(type)].name; }

int64_t ascend::attributeNumber(GeType type) {
  return typeRows[unsigned(type)].attribute;
}
int64_t ascend::schemaNumber(GeType type) {
  return typeRows[unsigned(type)].schema;
}

static std::optional<GeType> findType(int64_t TypeRow::*column,
                                      int64_t number) {
  for (auto [i, row] : llvm::enumerate(typeRows))
    if (row.*column == number)
      return GeType(i);
  return std::nullopt;
}
std::optional<GeType> ascend::fromAttributeNumber(int64_t number) {
  return findType(&TypeRow::attribute, number);
}
std::optional<GeType> ascend::fromSchemaNumber(int64_t number) {
  return findType(&TypeRow::schema, number);
}

Type ascend::elementType(GeType type, MLIRContext *context) {
  auto integer = [&](unsigned width, bool isUnsigned = false) -> Type {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  switch (type) {
  case GeType::float32:
    return Float32Type::get(context);
  case GeType::float16:
    return Float16Type::get(context);
  case GeType::int8:
    return integer(8);
  case GeType::int32:
    return integer(32);
  case GeType::uint8:
    return integer(8, true);
  case GeType::int16:
    return integer(16);
  case GeType::uint16:
    return integer(16, true);
  case GeType::uint32:
    return integer(32, true);
  case GeType::int64:
    return integer(64);
  case GeType::uint64:
    return integer(64, true);
  case GeType::float64:
    return Float64Type::get(context);
  case GeType::boolean:
    return integer(1);
  case GeType::complex64:
    return ComplexType::get(Float32Type::get(context));
  case GeType::complex128:
    return ComplexType::get(Float64Type::get(context));
  case GeType::bfloat16:
    return BFloat16Type::get(context);
  }
  return nullptr;
}

std::optional<GeType> ascend::geType(Type element) {
  // Programs of frameworks without signless integers say `si32`.
  if (auto integer = dyn_cast<IntegerType>(element);
      integer && integer.isSigned())
    element = IntegerType::get(element.getContext(), integer.getWidth());
  for (unsigned i = 0; i < kGeTypes; ++i)
    if (elementType(GeType(i), element.getContext()) == element)
      return GeType(i);
  return std::nullopt;
}

std::string TypeSet::list() const {
  std::string text;
  for (unsigned i = 0; i < kGeTypes; ++i)
    if (has(GeType(i)))
      text += (text.empty() ? "" : ", ") + name(GeType(i)).str();
  return text;
}

//===--- Operators --------------------------------------------------------===//

using enum GeType;

static constexpr TypeSet wholes = {int32, int64},
                         floats = {float16, float32, float64, bfloat16},
                         integers = {int8,  int16,  int32,  int64,
                                     uint8, uint16, uint32, uint64},
                         reals = floats | integers,
                         complexes = {complex64, complex128},
                         numbers = reals | complexes,
                         everything = numbers | TypeSet{boolean},
                         unary = floats | complexes, booleans = {boolean},
                         arithmetic = {float16, float32, float64,   bfloat16,
                                       int8,    int16,   int32,     int64,
                                       uint8,   uint16,  complex64, complex128};

static SmallVector<Operator, 0> makeOperators() {
  SmallVector<Operator, 0> out;
  auto add = [&](StringRef name, SmallVector<Input, 4> inputs,
                 Output::Element element = Output::Element::asData,
                 StringRef output = "y") {
    out.push_back({name, std::move(inputs), {{output, element}}});
  };
  auto shape = [](StringRef name, TypeSet types = wholes) {
    return Input{name, types, false, true};
  };
  auto indices = [](StringRef name) {
    return Input{name, wholes, false, false};
  };

  add("GatherV2", {{"x", everything}, indices("indices"), shape("axis")});
  add("GatherV2D",
      {{"x", TypeSet{float32, float16} | integers}, indices("indices")});
  add("GatherNd", {{"x", everything}, indices("indices")});
  add("GatherElements", {{"x", reals | booleans}, indices("index")});
  add("IndexByTensor", {{"x", everything}, {"indices", {int64}, true}});

  add("TensorScatterUpdate",
      {{"x", everything}, indices("indices"), {"updates", everything}});
  TypeSet added = {float16, float32, int32, int8, uint8};
  add("TensorScatterAdd",
      {{"x", added}, indices("indices"), {"updates", added}});
  for (StringRef name : {"TensorScatterMax", "TensorScatterMin"})
    add(name, {{"input", numbers}, indices("indices"), {"updates", numbers}},
        Output::Element::asData, "output");
  for (StringRef name : {"ScatterNdUpdate", "ScatterNdAdd"}) {
    TypeSet types = name == "ScatterNdUpdate"
                        ? everything
                        : TypeSet{complex128, complex64, float64,
                                  float32,    float16,   boolean} |
                              integers;
    add(name, {{"var", types}, indices("indices"), {"updates", types}},
        Output::Element::asData, "var");
  }
  add("TensorMove", {{"x", everything}});
  add("ScatterElements",
      {{"data", numbers}, indices("indices"), {"updates", numbers}});

  add("Transpose", {{"x", everything}, shape("perm")});
  add("Reshape", {{"x", everything}, shape("shape")});
  add("BroadcastTo", {{"x", everything}, shape("shape")});
  add("Slice", {{"x", numbers}, shape("offsets"), shape("size")});
  add("StridedSlice",
      {{"x", numbers}, shape("begin"), shape("end"), shape("strides")});
  add("ConcatV2", {{"x", everything, true}, shape("concat_dim")});
  add("Pack", {{"x", everything, true}});
  add("PadV2",
      {{"x", numbers}, shape("paddings"), {"constant_values", numbers}});
  TypeSet reversed = {int8,    int16,   int32,     int64,
                      uint8,   uint16,  boolean,   float16,
                      float32, float64, complex64, complex128};
  add("ReverseV2", {{"x", reversed}, shape("axis")});
  TypeSet counted = {float16, float32, int32, float64, int64, bfloat16};
  add("Range", {{"start", counted}, {"limit", counted}, {"delta", counted}});
  add("Fill", {shape("dims"), {"value", everything}});
  add("Shape", {{"x", reals | booleans}}, Output::Element::int32);

  add("Cast", {{"x", everything}}, Output::Element::attribute);
  // Older prototypes also list uint32 and uint64.
  TypeSet clipped =
      floats | complexes | TypeSet{int8, int16, int32, int64, uint8, uint16};
  add("ClipByValue", {{"x", clipped},
                      {"clip_value_min", clipped},
                      {"clip_value_max", clipped}});
  add("Select",
      {{"condition", booleans}, {"x1", everything}, {"x2", everything}});
  out.back().oneType = false; // checked separately
  add("SelectV2",
      {{"condition", booleans}, {"then", numbers}, {"else", numbers}},
      Output::Element::asData, "result");
  out.back().oneType = false;

  for (StringRef name : {"Exp", "Log", "Log1p", "Expm1", "Sqrt", "Rsqrt",
                         "Tanh", "Sigmoid", "Sin", "Cos"})
    add(name, {{"x", unary}});
  TypeSet olderFloats = {float16, float32, float64};
  for (StringRef name : {"Erf", "Floor", "Rint"})
    add(name, {{"x", olderFloats}});
  for (StringRef name : {"Sinh", "Asinh"})
    add(name, {{"x", olderFloats | complexes}});
  add("Ceil", {{"x", floats}});
  add("Round", {{"x", unary | wholes}});
  add("Tan", {{"x", olderFloats | complexes | wholes}});
  add("IsFinite", {{"x", floats}}, Output::Element::boolean);
  add("PopulationCount", {{"x", integers}}, Output::Element::uint8);
  add("Abs", {{"x", floats | TypeSet{int8, int16, int32, int64}}});
  add("Neg", {{"x", unary | TypeSet{int32, int64}}});
  add("Sign", {{"x", unary | TypeSet{int32, int64}}});
  add("Reciprocal", {{"x", unary | TypeSet{int32, int64}}});
  add("LogicalNot", {{"x", booleans}});
  add("Invert", {{"x", integers}});

  auto binary = [&](StringRef name, TypeSet types,
                    Output::Element element = Output::Element::asData) {
    add(name, {{"x1", types}, {"x2", types}}, element);
  };
  TypeSet withoutUnsigned16 = {float16, float32,   float64,   bfloat16,
                               int8,    int16,     int32,     int64,
                               uint8,   complex64, complex128};
  binary("Add", withoutUnsigned16);
  for (StringRef name : {"Sub", "Mul", "RealDiv", "Div"})
    binary(name, arithmetic);
  binary("TruncateDiv", {float16, float32, float64, int8, int16, int32, int64,
                         uint8, uint16, complex64, complex128});
  binary("TruncateMod", olderFloats | wholes);
  binary("Atan2", floats);
  add("NextAfter", {{"x1", {float32, float64}}, {"x2", {float32, float64}}},
      Output::Element::asData, "output");
  for (StringRef name : {"LeftShift", "RightShift"})
    add(name, {{"x", integers}, {"y", integers}}, Output::Element::asData, "z");
  binary("Pow", {bfloat16, float16, float32, int32, int64, int8, uint8, float64,
                 complex64, complex128});
  for (StringRef name : {"Minimum", "Maximum"})
    binary(name, {bfloat16, float16, float32, float64, int32, int64});
  for (StringRef name : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    binary(name, integers);
  for (StringRef name : {"LogicalAnd", "LogicalOr"})
    binary(name, booleans);
  binary("Equal",
         {float32, bfloat16, float16, int32, int8, uint8, float64, int16, int64,
          complex64, complex128, boolean},
         Output::Element::boolean);
  for (StringRef name :
       {"NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual"})
    binary(name, reals, Output::Element::boolean);

  // For complex128 an attribute would have to name the result type.
  add("Complex", {{"real", {float32}}, {"imag", {float32}}},
      Output::Element::complex64, "out");
  for (StringRef name : {"Real", "Imag"})
    add(name, {{"input", {complex64}}}, Output::Element::float32, "output");
  add("ComplexAbs", {{"x", {complex64}}}, Output::Element::float32);

  for (StringRef name :
       {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean"})
    add(name, {{"x", numbers}, shape("axes")});
  for (StringRef name : {"ReduceAll", "ReduceAny"})
    add(name, {{"x", booleans}, shape("axes")});
  add("Sort", {{"x", TypeSet{float16, float32, bfloat16} | integers}});
  out.back().outputs = {{"y1"}, {"y2", Output::Element::int32}};
  add("TopKV2", {{"x", reals}, shape("k")});
  out.back().outputs = {{"values"}, {"indices", Output::Element::int32}};
  // TorchAir's older prototypes have no bfloat16 for poolings, and only float16
  // for Conv3D. The types are those of ops-nn, e5c3fa9 (2026-08-22).
  TypeSet convolved = {float32, float16, bfloat16};
  for (auto [name, layout] :
       {std::pair("Conv2D", kImages), std::pair("Conv3D", kVolumes)}) {
    add(name, {{"x", convolved}, {"filter", convolved}});
    out.back().layout = layout;
  }
  add("MaxPoolV3",
      {{"x", floats | TypeSet{int8, int16, int32, int64, uint8, uint16}}});
  out.back().layout = kImages;
  add("AvgPoolV2", {{"x", floats}});
  out.back().layout = kImages;
  add("Cumsum", {{"x", numbers}, shape("axis")});
  TypeSet layers = {float32, float16, bfloat16};
  add("SoftmaxV2", {{"x", layers | TypeSet{float64}}});
  add("GeluV2", {{"x", layers}});
  // gamma and beta may also be of float32, which is checked separately.
  add("LayerNormV3", {{"x", layers}, {"gamma", layers}, {"beta", layers}});
  out.back().oneType = false;
  out.back().outputs = {{"y"},
                        {"mean", Output::Element::asSecond},
                        {"rstd", Output::Element::asSecond}};
  add("RmsNorm", {{"x", layers}, {"gamma", layers}});
  out.back().oneType = false;
  out.back().outputs = {{"y"}, {"rstd", Output::Element::float32}};
  TypeSet matrix = {float32, float16, int32, bfloat16};
  binary("MatMul", matrix);
  binary("BatchMatMul", matrix);
  return out;
}

ArrayRef<Operator> ascend::allOperators() {
  static const SmallVector<Operator, 0> operators = makeOperators();
  return operators;
}

const Operator *ascend::findOperator(StringRef type) {
  static const llvm::StringMap<const Operator *> byName = [] {
    llvm::StringMap<const Operator *> map;
    for (const Operator &op : allOperators())
      map[op.name] = &op;
    return map;
  }();
  return byName.lookup(type);
}
