// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Encodings.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/frontends/vhlo/Decoder.h"
#include "mercator/frontends/vhlo/Operations.h"
#include "mercator/frontends/vhlo/Parts.h"
#include "mercator/frontends/vhlo/Shardings.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::StringRef;
using mercator::vhlo::Decoder;
namespace stablehlo = mercator::stablehlo;

//===--- Parts that VHLO and StableHLO share ------------------------------===//

static Attribute outputOperandAlias(Decoder &in) {
  auto outputs = in.integers();
  int64_t operand = in.integer();
  auto operands = in.integers();
  return in.make<stablehlo::OutputOperandAliasAttr>(outputs, operand, operands);
}

static Attribute resultAccuracy(Decoder &in) {
  llvm::APFloat atol = in.real(llvm::APFloat::IEEEdouble());
  llvm::APFloat rtol = in.real(llvm::APFloat::IEEEdouble());
  int64_t ulps = in.integer();
  auto mode =
      in.attribute<stablehlo::ResultAccuracyModeAttr>("a mode of accuracy");
  return in.checked<stablehlo::ResultAccuracyAttr>(in.context(), atol, rtol,
                                                   ulps, mode);
}

static Attribute subAxisInfo(Decoder &in) {
  int64_t before = in.integer();
  return in.make<stablehlo::SubAxisInfoAttr>(before, in.integer());
}

static Attribute mesh(Decoder &in, ArrayRef<Attribute> axes,
                      Attribute devices) {
  SmallVector<stablehlo::MeshAxisAttr> all;
  for (Attribute axis : axes) {
    all.push_back(dyn_cast<stablehlo::MeshAxisAttr>(axis));
    if (!all.back())
      in.fail("expected axes of a mesh");
  }
  if (devices && !isa<DenseIntElementsAttr>(devices))
    in.fail("expected the devices of a mesh");
  return in.make<stablehlo::MeshAttr>(
      all, dyn_cast_if_present<DenseIntElementsAttr>(devices));
}

#define ENUMERATION(NAME)                                                      \
  in.enumeration<stablehlo::NAME##Attr>(                                       \
      [](uint32_t number) { return stablehlo::symbolize##NAME(number); })

static Type futureType(Decoder &in) {
  SmallVector<Type> types = in.types();
  return in.checked<stablehlo::FutureType>(in.context(), ArrayRef(types));
}

//===--- VHLO -------------------------------------------------------------===//

static Attribute vhloMeshAxes(Decoder &in) {
  Attribute mesh = in.attribute();
  auto axes = in.attribute<ArrayAttr>("axes of a mesh");
  // The name of a mesh is written as a string.
  if (auto name = dyn_cast_if_present<StringAttr>(mesh))
    mesh = FlatSymbolRefAttr::get(name);
  return in.checked<stablehlo::ReplicaGroupMeshAxesAttr>(in.context(), mesh,
                                                         axes);
}

static Attribute vhloAxisRef(Decoder &in) {
  auto name = in.attribute<StringAttr>("the name of an axis");
  stablehlo::SubAxisInfoAttr part;
  if (in.natural())
    part = in.attribute<stablehlo::SubAxisInfoAttr>("a part of an axis");
  if (in.hasFailed())
    return {};
  return in.make<stablehlo::AxisRefAttr>(name.strref(), part);
}

static Attribute vhloAttribute(Decoder &in) {
  MLIRContext *context = in.context();
  switch (uint64_t code = in.natural()) {
  case 1: {
    auto elements = in.attributes();
    return in.hasFailed() ? Attribute() : ArrayAttr::get(context, elements);
  }
  case 2:
    if (uint64_t value = in.natural(); value > 1)
      in.fail("expected a boolean, got " + Twine(value));
    else if (!in.hasFailed())
      return BoolAttr::get(context, value);
    return {};
  case 3:
    return ENUMERATION(ComparisonDirection);
  case 4:
    return ENUMERATION(ComparisonType);
  case 5: // the version of the interface of a custom call
    if (uint64_t value = in.natural(); value > 4)
      in.fail("unknown version " + Twine(value) +
              " of the interface of a custom call");
    else if (!in.hasFailed())
      return Builder(context).getI32IntegerAttr(int32_t(value));
    return {};
  case 6:
    return mercator::vhlo::dictionaryAttribute(in);
  case 7:
    return ENUMERATION(FftType);
  case 8:
    return mercator::vhlo::floatAttribute(in);
  case 9:
    return mercator::vhlo::integerAttribute(in);
  case 10:
    return outputOperandAlias(in);
  case 11:
    return ENUMERATION(Precision);
  case 12:
    return ENUMERATION(RngAlgorithm);
  case 13:
    return ENUMERATION(RngDistribution);
  case 14: {
    StringRef text = in.string();
    return in.hasFailed() ? Attribute() : StringAttr::get(context, text);
  }
  case 15:
    return mercator::vhlo::elementsAttribute(in);
  case 16:
    return ENUMERATION(Transpose);
  case 17: {
    Type type = in.type();
    return in.hasFailed() ? Attribute() : TypeAttr::get(type);
  }
  case 18:
    return in.make<stablehlo::TypeExtensionsAttr>(in.integers());
  case 19:
    return ENUMERATION(ResultAccuracyMode);
  case 20:
    return resultAccuracy(in);
  case 21:
    return subAxisInfo(in);
  case 22:
    return vhloAxisRef(in);
  case 23:
    return vhloMeshAxes(in);
  case 24: {
    auto name = in.attribute<StringAttr>("the name of an axis");
    int64_t size = in.integer();
    if (in.hasFailed())
      return {};
    return in.make<stablehlo::MeshAxisAttr>(name.strref(), size);
  }
  case 25: {
    auto axes = in.attribute<ArrayAttr>("axes of a mesh");
    Attribute devices = in.optionalAttribute();
    return in.hasFailed() ? Attribute() : mesh(in, axes.getValue(), devices);
  }
  default:
    in.fail("unknown attribute " + Twine(code) + " of VHLO");
    return {};
  }
}

/// The types that are a code and nothing else.
static Type vhloPlainType(uint64_t code, MLIRContext *context) {
  Builder b(context);
  switch (code) {
  case 0:
    return b.getI1Type();
  case 2:
    return b.getBF16Type();
  case 3:
    return b.getF16Type();
  case 4:
    return b.getF32Type();
  case 5:
    return b.getF64Type();
  case 6:
    return Float8E4M3FNType::get(context);
  case 7:
    return Float8E5M2Type::get(context);
  case 9:
    return b.getIndexType();
  case 10:
    return b.getIntegerType(4);
  case 11:
    return b.getIntegerType(8);
  case 12:
    return b.getIntegerType(16);
  case 13:
    return b.getIntegerType(32);
  case 14:
    return b.getIntegerType(64);
  case 15:
    return b.getIntegerType(4, /*isSigned=*/false);
  case 16:
    return b.getIntegerType(8, /*isSigned=*/false);
  case 17:
    return b.getIntegerType(16, /*isSigned=*/false);
  case 18:
    return b.getIntegerType(32, /*isSigned=*/false);
  case 19:
    return b.getIntegerType(64, /*isSigned=*/false);
  case 22:
    return stablehlo::TokenType::get(context);
  case 27:
    return Float8E4M3FNUZType::get(context);
  case 28:
    return Float8E5M2FNUZType::get(context);
  case 29:
    return Float8E4M3B11FNUZType::get(context);
  case 31:
    return b.getIntegerType(2);
  case 32:
    return b.getIntegerType(2, /*isSigned=*/false);
  case 33:
    return b.getNoneType();
  case 34:
    return FloatTF32Type::get(context);
  case 35:
    return Float8E4M3Type::get(context);
  case 36:
    return Float8E3M4Type::get(context);
  case 37:
    return Float4E2M1FNType::get(context);
  case 38:
    return Float6E2M3FNType::get(context);
  case 39:
    return Float6E3M2FNType::get(context);
  case 40:
    return Float8E8M0FNUType::get(context);
  default:
    return {};
  }
}

static Type vhloQuantized(Decoder &in, bool perAxis) {
  uint64_t flags = in.natural();
  Type storage = in.type(), expressed = in.type();
  if (!perAxis) {
    double scale = in.real(llvm::APFloat::IEEEdouble()).convertToDouble();
    int64_t zero = in.integer(), min = in.integer(), max = in.integer();
    return in.checked<quant::UniformQuantizedType>(
        unsigned(flags), storage, expressed, scale, zero, min, max);
  }
  uint64_t axis = in.natural();
  int64_t min = in.integer(), max = in.integer();
  auto scales = in.list(
      [&] { return in.real(llvm::APFloat::IEEEdouble()).convertToDouble(); });
  auto zeros = in.integers();
  return in.checked<quant::UniformQuantizedPerAxisType>(
      unsigned(flags), storage, expressed, scales, zeros, int32_t(axis), min,
      max);
}

static Type vhloType(Decoder &in) {
  uint64_t code = in.natural();
  if (in.hasFailed())
    return {};
  if (Type plain = vhloPlainType(code, in.context()))
    return plain;
  switch (code) {
  case 1: {
    Type element = in.type();
    return in.checked<ComplexType>(element);
  }
  case 8: {
    auto inputs = in.types(), results = in.types();
    return in.hasFailed() ? Type()
                          : FunctionType::get(in.context(), inputs, results);
  }
  case 20:
  case 21:
    return mercator::vhlo::tensorType(in, /*hasEncoding=*/code == 21);
  case 23: {
    auto members = in.types();
    return in.hasFailed() ? Type() : TupleType::get(in.context(), members);
  }
  case 24:
  case 30:
    return vhloQuantized(in, /*perAxis=*/code == 30);
  case 25: {
    Type element = in.type();
    return in.checked<UnrankedTensorType>(element);
  }
  case 41: {
    auto shape = in.integers();
    Type element = in.type();
    return in.checked<MemRefType>(shape, element, MemRefLayoutAttrInterface(),
                                  Attribute());
  }
  case 42:
    return futureType(in);
  default:
    in.fail("unknown type " + Twine(code) + " of VHLO");
    return {};
  }
}

//===--- StableHLO and CHLO -----------------------------------------------===//

static Attribute stablehloAttribute(Decoder &in) {
  MLIRContext *context = in.context();
  auto ints = [&] { return in.integers(); };
  switch (uint64_t code = in.natural()) {
  case 1: {
    int64_t handle = in.integer(), type = in.integer();
    return in.make<stablehlo::ChannelHandleAttr>(handle, type);
  }
  case 2:
    return ENUMERATION(ComparisonDirection);
  case 3:
    return ENUMERATION(ComparisonType);
  case 4: {
    int64_t batch = in.integer(), feature = in.integer();
    auto spatial = ints();
    int64_t kernelIn = in.integer(), kernelOut = in.integer();
    auto kernel = ints();
    int64_t outBatch = in.integer(), outFeature = in.integer();
    auto out = ints();
    return in.make<stablehlo::ConvDimensionNumbersAttr>(
        batch, feature, spatial, kernelIn, kernelOut, kernel, outBatch,
        outFeature, out);
  }
  case 5: {
    auto a = ints(), b = ints(), c = ints(), d = ints();
    return in.make<stablehlo::DotDimensionNumbersAttr>(a, b, c, d);
  }
  case 6:
    return ENUMERATION(FftType);
  case 7: {
    auto a = ints(), b = ints(), c = ints(), d = ints(), e = ints();
    return in.make<stablehlo::GatherDimensionNumbersAttr>(a, b, c, d, e,
                                                          in.integer());
  }
  case 8:
    return ENUMERATION(Precision);
  case 9:
    return ENUMERATION(RngAlgorithm);
  case 10:
    return ENUMERATION(RngDistribution);
  case 11: {
    auto a = ints(), b = ints(), c = ints(), d = ints(), e = ints();
    return in.make<stablehlo::ScatterDimensionNumbersAttr>(a, b, c, d, e,
                                                           in.integer());
  }
  case 12:
    return ENUMERATION(Transpose);
  case 13:
    return in.make<stablehlo::TypeExtensionsAttr>(ints());
  case 14:
    return outputOperandAlias(in);
  case 15: {
    Type lhs = in.type(), rhs = in.type(), sum = in.type();
    int64_t a = in.integer(), b = in.integer(), c = in.integer();
    return in.make<stablehlo::DotAlgorithmAttr>(lhs, rhs, sum, a, b, c,
                                                in.boolean());
  }
  case 16:
    return ENUMERATION(ResultAccuracyMode);
  case 17:
    return resultAccuracy(in);
  case 18: {
    Attribute mesh = in.attribute();
    auto axes = in.attributes();
    if (in.hasFailed())
      return {};
    return in.checked<stablehlo::ReplicaGroupMeshAxesAttr>(
        context, mesh, ArrayAttr::get(context, axes));
  }
  case 19:
    return subAxisInfo(in);
  case 20: {
    StringRef name = in.string();
    stablehlo::SubAxisInfoAttr part;
    if (in.boolean())
      part = in.attribute<stablehlo::SubAxisInfoAttr>("a part of an axis");
    return in.make<stablehlo::AxisRefAttr>(name, part);
  }
  case 21: {
    StringRef name = in.string();
    int64_t size = in.integer();
    return in.make<stablehlo::MeshAxisAttr>(name, size);
  }
  case 22: {
    auto axes = in.attribute<ArrayAttr>("axes of a mesh");
    Attribute devices = in.boolean() ? in.attribute() : Attribute();
    return in.hasFailed() ? Attribute() : mesh(in, axes.getValue(), devices);
  }
  default:
    in.fail("unknown attribute " + Twine(code) + " of StableHLO");
    return {};
  }
}

static Type stablehloType(Decoder &in) {
  switch (uint64_t code = in.natural()) {
  case 0:
    return in.hasFailed() ? Type() : stablehlo::TokenType::get(in.context());
  case 1:
    return futureType(in);
  default:
    in.fail("unknown type " + Twine(code) + " of StableHLO");
    return {};
  }
}

static Attribute chloAttribute(Decoder &in) {
  namespace chlo = mercator::chlo;
  switch (uint64_t code = in.natural()) {
  case 0:
    return in.enumeration<chlo::ComparisonDirectionAttr>([](uint32_t number) {
      return chlo::symbolizeComparisonDirection(number);
    });
  case 1:
    return in.enumeration<chlo::ComparisonTypeAttr>(
        [](uint32_t number) { return chlo::symbolizeComparisonType(number); });
  default:
    in.fail("unknown attribute " + Twine(code) + " of CHLO");
    return {};
  }
}

static Type noType(Decoder &in) {
  in.fail("expected no type");
  return {};
}

//===--- Dialects ---------------------------------------------------------===//

namespace {
template <Attribute (*toAttribute)(Decoder &), Type (*toType)(Decoder &)>
class Encodings : public BytecodeDialectInterface {
public:
  explicit Encodings(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    Decoder in(reader);
    Attribute attr = toAttribute(in);
    return in.hasFailed() ? Attribute() : attr;
  }
  Type readType(DialectBytecodeReader &reader) const override {
    Decoder in(reader);
    Type type = toType(in);
    return in.hasFailed() ? Type() : type;
  }
  /// What a version means is known only of VHLO, whose operations carry it.
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    Decoder in(reader);
    for (int i = 0; i < 3; ++i)
      (void)in.natural();
    return in.hasFailed() ? nullptr : std::make_unique<DialectVersion>();
  }
};

/// Reads the attributes of an operation of VHLO into its dictionary.
class Properties : public BytecodeOpInterface::ExternalModel<Properties, void> {
public:
  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    auto [name, version] =
        state.name.getStringRef().drop_front(strlen("vhlo.")).rsplit("_v");
    unsigned number = 0;
    const auto *row = llvm::find_if(
        mercator::vhlo::operations(),
        [name = name](const auto &row) { return row.name == name; });
    if (version.getAsInteger(10, number) ||
        row == mercator::vhlo::operations().end())
      return reader.emitError("unknown operation");
    Decoder in(reader);
    mercator::vhlo::forEachAttribute(*row, number, [&](StringRef attribute) {
      if (Attribute value = in.attribute())
        state.addAttribute(attribute, value);
    });
    return failure(in.hasFailed());
  }
  void writeProperties(Operation *, DialectBytecodeWriter &) const {}
};

class VhloDialect : public ExtensibleDialect {
public:
  explicit VhloDialect(MLIRContext *context)
      : ExtensibleDialect(getDialectNamespace(), context,
                          TypeID::get<VhloDialect>()) {
    addInterfaces<Encodings<vhloAttribute, vhloType>>();
    // They are converted before anything is verified.
    auto accept = [](Operation *) { return success(); };
    for (const mercator::vhlo::OperationRow &row : mercator::vhlo::operations())
      for (unsigned version = 1; version <= row.newest; ++version) {
        std::string name = (row.name + "_v" + Twine(version)).str();
        auto op = DynamicOpDefinition::get(name, this, accept, accept);
        op->getInterfaceMap().insertModels<Properties>();
        registerDynamicOp(std::move(op));
      }
  }
  static constexpr StringRef getDialectNamespace() { return "vhlo"; }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VhloDialect)
};
} // namespace

template <typename Interface> static void addOnce(Dialect *dialect) {
  if (!dialect->getRegisteredInterface<BytecodeDialectInterface>())
    dialect->addInterface(std::make_unique<Interface>(dialect));
}

void mercator::vhlo::loadEncodings(MLIRContext &context) {
  context.getOrLoadDialect<quant::QuantDialect>();
  addOnce<Encodings<stablehloAttribute, stablehloType>>(
      context.getOrLoadDialect<stablehlo::StablehloDialect>());
  addOnce<Encodings<chloAttribute, noType>>(
      context.getOrLoadDialect<chlo::ChloDialect>());
  addOnce<Encodings<mercator::vhlo::shardingAttribute, noType>>(
      context.getOrLoadDialect<mercator::sdy::SdyDialect>());
  context.getOrLoadDialect<func::FuncDialect>();
  context.getOrLoadDialect<VhloDialect>();
}

#undef ENUMERATION
