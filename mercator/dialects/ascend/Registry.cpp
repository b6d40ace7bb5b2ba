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
using Element = Output::Element;

#define TYPES(NAME, ...) static constexpr TypeSet NAME = {__VA_ARGS__};
#include "mercator/dialects/ascend/Operators.def"

static Input data(StringRef name, TypeSet types) { return {name, types}; }
static Input list(StringRef name, TypeSet types) { return {name, types, true}; }
static Input indices(StringRef name) { return {name, wholes}; }
static Input shape(StringRef name) { return {name, wholes, false, true}; }
static Output result(StringRef name, Element element = Element::AsData) {
  return {name, element};
}

static SmallVector<Operator, 0> makeOperators() {
  SmallVector<Operator, 0> out;
#define IN(...) SmallVector<Input, 4>({__VA_ARGS__})
#define OUT(...) SmallVector<Output, 1>({__VA_ARGS__})
#define OPERATOR(NAME, INPUTS, OUTPUTS, ...)                                   \
  out.push_back({#NAME, INPUTS, OUTPUTS __VA_OPT__(, ) __VA_ARGS__});
#include "mercator/dialects/ascend/Operators.def"
#undef IN
#undef OUT
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
