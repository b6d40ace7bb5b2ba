// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts f64 to f32 in all types: values, block arguments, functions,
/// globals, type attributes. Constants and initial values are rounded to
/// nearest. Casts between the two types are removed.
///
///   func.func @f(%x: f32) -> f64 {        func.func @f(%x: f32) -> f32 {
///     %0 = arith.extf %x : f32 to f64       %c = arith.constant 0.1 : f32
///     %c = arith.constant 0.1 : f64   ->    %1 = arith.addf %x, %c : f32
///     %1 = arith.addf %0, %c : f64          return %1 : f32
///     return %1 : f64                     }
///   }
///
/// An operation that reads the 64 bits (a bitcast) is an error, and so is a
/// constant whose elements are unavailable.

#include "mercator/transforms/util/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mercator::util {
#define GEN_PASS_DEF_DEMOTEF64TOF32
#include "mercator/transforms/util/Passes.h.inc"
} // namespace mercator::util

using namespace mlir;
using namespace mercator;

/// Rounds f64 numbers to the nearest f32.
static FailureOr<std::vector<float>> demote(ArrayRef<char> bytes) {
  if (bytes.size() % sizeof(double) != 0)
    return failure();
  std::vector<float> numbers(bytes.size() / sizeof(double));
  for (auto [i, number] : llvm::enumerate(numbers)) {
    double wide;
    std::memcpy(&wide, bytes.data() + i * sizeof(double), sizeof(double));
    number = static_cast<float>(wide);
  }
  return numbers;
}

static ArrayRef<char> asBytes(ArrayRef<float> numbers) {
  return {reinterpret_cast<const char *>(numbers.data()),
          numbers.size() * sizeof(float)};
}

namespace {
struct DemoteF64ToF32 : util::impl::DemoteF64ToF32Base<DemoteF64ToF32> {
  using Base::Base;

  void runOnOperation() override;
};

/// Converts types, and attributes in two ways: attributes with values are
/// converted, in attributes that configure an operation only types change.
class Demotion {
public:
  explicit Demotion(MLIRContext *context);

  Type convert(Type type) { return types.replace(type); }
  Attribute convertTypesIn(Attribute attr) { return types.replace(attr); }
  /// Null after an error at `op` if the elements are unavailable.
  Attribute convertValuesIn(Attribute attr, Operation *op);

private:
  std::optional<Attribute> convertValue(Attribute attr);

  AttrTypeReplacer types, values;
  /// The error message of convertValue().
  std::string trouble;
};
} // namespace

Demotion::Demotion(MLIRContext *context) {
  auto demoteType = [f32 = Float32Type::get(context)](Float64Type) -> Type {
    return f32;
  };
  types.addReplacement(demoteType);
  values.addReplacement(demoteType);
  types.addReplacement(
      [](Attribute attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (isa<FloatAttr, ElementsAttr, DenseArrayAttr>(attr))
          return {{attr, WalkResult::skip()}};
        return std::nullopt;
      });
  values.addReplacement([this](Attribute attr)
                            -> std::optional<std::pair<Attribute, WalkResult>> {
    if (std::optional<Attribute> converted = convertValue(attr))
      return {{*converted, WalkResult::skip()}};
    return std::nullopt;
  });
}

Attribute Demotion::convertValuesIn(Attribute attr, Operation *op) {
  trouble.clear();
  Attribute converted = values.replace(attr);
  if (trouble.empty())
    return converted;
  op->emitError(trouble);
  return {};
}

/// The converted attribute; nothing for an attribute without numbers.
std::optional<Attribute> Demotion::convertValue(Attribute attr) {
  if (isa<DenseArrayAttr>(attr))
    return attr;
  auto typed = dyn_cast<TypedAttr>(attr);
  Type type = typed ? typed.getType() : Type();
  if (!type || convert(type) == type)
    return isa<FloatAttr, ElementsAttr>(attr) ? std::optional(attr)
                                              : std::nullopt;
  Type demoted = convert(type);
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    APFloat value = number.getValue();
    bool isInexact;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &isInexact);
    return FloatAttr::get(demoted, value);
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    if (FailureOr<std::vector<float>> numbers = demote(dense.getRawData());
        succeeded(numbers))
      return DenseElementsAttr::getFromRawBuffer(cast<ShapedType>(demoted),
                                                 asBytes(*numbers));
  if (auto sparse = dyn_cast<SparseElementsAttr>(attr))
    if (std::optional<Attribute> numbers = convertValue(sparse.getValues()))
      return SparseElementsAttr::get(cast<ShapedType>(demoted),
                                     sparse.getIndices(),
                                     cast<DenseElementsAttr>(*numbers));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto numbers = blob ? demote(blob->getData())
                        : FailureOr<std::vector<float>>(failure());
    if (succeeded(numbers))
      return DenseResourceElementsAttr::get(
          cast<ShapedType>(demoted), resource.getRawHandle().getKey(),
          HeapAsmResourceBlob::allocateAndCopyWithAlign(
              asBytes(*numbers), alignof(double), /*dataIsMutable=*/false));
  }
  llvm::raw_string_ostream(trouble)
      << "expected the values of a constant of type " << type << ", got "
      << attr;
  return attr;
}

/// Whether the result has the bits of the first operand.
static bool looksAtBits(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return op->getNumOperands() > 0 && op->getNumResults() == 1 &&
         (name.ends_with(".bitcast") || name.ends_with(".bitcast_convert") ||
          name == "memref.view");
}

/// Converts the types of the operation's results, block arguments and
/// attributes.
static LogicalResult demoteOp(Operation *op, Demotion &demotion) {
  auto convertAll = [&](ValueRange values) {
    for (Value value : values)
      value.setType(demotion.convert(value.getType()));
  };
  convertAll(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      convertAll(block.getArguments());

  bool isGlobal = isa<SymbolOpInterface>(op) && !isa<FunctionOpInterface>(op) &&
                  !op->hasTrait<OpTrait::SymbolTable>();
  bool holdsValues = isGlobal || op->hasTrait<OpTrait::ConstantLike>();
  NamedAttrList attrs;
  if (op->isRegistered())
    op->getName().populateInherentAttrs(op, attrs);
  else
    attrs = NamedAttrList(op->getAttrs());
  for (NamedAttribute named : attrs) {
    Attribute attr = named.getValue();
    Attribute converted = holdsValues ? demotion.convertValuesIn(attr, op)
                                      : demotion.convertTypesIn(attr);
    if (!converted)
      return failure();
    if (converted != attr)
      op->setAttr(named.getName(), converted);
  }
  return success();
}

void DemoteF64ToF32::runOnOperation() {
  Demotion demotion(&getContext());
  bool failed = false;
  SmallVector<Operation *> casts;
  // Bitcasts are checked first, before types change.
  getOperation()->walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      casts.push_back(op);
    if (!looksAtBits(op))
      return;
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    bool changesFrom = demotion.convert(from) != from;
    bool changesTo = demotion.convert(to) != to;
    if (changesFrom == changesTo)
      return;
    op->emitError() << "expected no f64 in a cast of bits, got " << from
                    << " to " << to;
    failed = true;
  });
  if (failed)
    return signalPassFailure();
  getOperation()->walk(
      [&](Operation *op) { failed |= mlir::failed(demoteOp(op, demotion)); });
  if (failed)
    return signalPassFailure();
  for (Operation *op : casts) {
    if (op->getOperand(0).getType() != op->getResult(0).getType())
      continue;
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
}
