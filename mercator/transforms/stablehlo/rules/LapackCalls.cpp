// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JAX's linear algebra on the CPU: `custom_call @lapack_sgetrf_ffi` and its
// relatives, which become calls of library functions of the same meaning. The
// forms are those of jaxlib 0.10, also for unknown sizes. A call of any other form stays a custom call.

#include "mercator/transforms/stablehlo/lowering/LibraryCalls.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// A function of LAPACK as JAX calls it.
struct LapackCall {
  StringRef name;
  /// The name for complex elements, if it differs.
  StringRef complexName;
  /// Each operand and result: the rank without batch dimensions, then `t` for
  /// the type of the first operand's elements, `r` for its real part, `c` for
  /// complex numbers of it, `i` for i32. A `w` stands for eigenvalues: two real
  /// vectors or a complex one.
  StringRef operands, results;
  /// Attributes that are passed as numbers.
  SmallVector<StringRef, 4> numbers;
};
} // namespace

static ArrayRef<LapackCall> lapackCalls() {
  static const LapackCall calls[] = {
      {"gees", "", "2t", "2t2tw0i0i", {"mode", "sort"}},
      {"geev", "", "2t", "w2c2c0i", {"compute_left", "compute_right"}},
      {"gehrd", "", "2t", "2t1t0i", {"low", "high"}},
      {"geqp3", "", "2t1i", "2t1i1t", {}},
      {"geqrf", "", "2t", "2t1t", {}},
      {"gesdd", "", "2t", "2t1r2t2t0i", {"mode"}},
      {"gesvd", "", "2t", "2t1r2t2t0i", {"mode"}},
      {"getrf", "", "2t", "2t1i0i", {}},
      {"gtsv", "", "1t1t1t2t", "1t1t1t2t0i", {}},
      {"orgqr", "ungqr", "2t1t", "2t", {}},
      {"potrf", "", "2t", "2t0i", {"uplo"}},
      {"syevd", "heevd", "2t", "2t1r0i", {"mode", "uplo"}},
      {"sytrd", "hetrd", "2t", "2t1r1r1t0i", {"uplo"}},
      {"trsm", "", "2t2t", "2t", {"side", "uplo", "trans_x", "diag"}},
  };
  return calls;
}

/// Null for any other custom call.
static const LapackCall *findCall(StringRef target) {
  if (!target.consume_front("lapack_") || !target.consume_back("_ffi") ||
      target.empty() || !StringRef("sdcz").contains(target.front()))
    return nullptr;
  bool isComplex = StringRef("cz").contains(target.front());
  target = target.drop_front();
  for (const LapackCall &call : lapackCalls())
    if (target ==
        (isComplex && !call.complexName.empty() ? call.complexName : call.name))
      return &call;
  return nullptr;
}

/// The value of an integer attribute of the call, if it has it.
static std::optional<int64_t> numberOf(Operation *op, StringRef name) {
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = op->getAttrOfType<DictionaryAttr>("backend_config");
  auto value = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  if (!value)
    return std::nullopt;
  return value.getType().isUnsignedInteger() ? int64_t(value.getUInt())
         : value.getType().isSignedInteger() ? value.getSInt()
                                             : value.getInt();
}

static Type elementFor(char letter, Type first) {
  auto complex = dyn_cast<ComplexType>(first);
  Type real = complex ? complex.getElementType() : first;
  switch (letter) {
  case 'r':
    return real;
  case 'c':
    return ComplexType::get(real);
  case 'i':
    return IntegerType::get(first.getContext(), 32);
  default:
    return first;
  }
}

/// Programs for all sizes pass the shape of each result as a further operand.
static bool hasShapeOperands(Operation *op) {
  return op->hasAttr("indices_of_shape_operands");
}

/// Whether the operands from `first` on are the shapes of the results.
static bool areShapes(Operation *op, size_t first) {
  if (op->getNumOperands() != first + op->getNumResults())
    return false;
  auto places =
      op->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  if (!places || places.size() != int64_t(op->getNumResults()))
    return false;
  for (auto [i, place] : llvm::enumerate(places.getValues<APInt>())) {
    auto shape =
        dyn_cast<RankedTensorType>(op->getOperand(first + i).getType());
    auto result = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    if (place.getZExtValue() != first + i || !shape || !result ||
        shape.getRank() != 1 || !shape.getElementType().isInteger() ||
        shape.getDimSize(0) != result.getRank())
      return false;
  }
  return true;
}

/// Whether these are tensors of the given form, with the same batch rank. Only
/// batch dimensions may be unknown, unless `anyUnknown`.
static bool haveForm(TypeRange types, StringRef form, int64_t batchRank,
                     Type first, bool anyUnknown) {
  if (2 * types.size() != form.size())
    return false;
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != batchRank + (form[2 * i] - '0') ||
        tensor.getElementType() != elementFor(form[2 * i + 1], first))
      return false;
    for (int64_t dim = batchRank; dim < tensor.getRank(); ++dim)
      if (!anyUnknown && tensor.isDynamicDim(unsigned(dim)))
        return false;
  }
  return true;
}

static std::string resultForm(const LapackCall &call, bool isComplex) {
  std::string form;
  for (char letter : call.results)
    if (letter == 'w')
      form += isComplex ? "1t" : "1t1t";
    else
      form += letter;
  return form;
}

static bool isLapackCall(Operation *op) {
  auto custom = dyn_cast<CustomCallOp>(op);
  const LapackCall *call =
      custom ? findCall(custom.getCallTargetName()) : nullptr;
  if (!call || op->getNumOperands() == 0)
    return false;
  auto first = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!first || !isLibraryElement(first.getElementType()))
    return false;
  int64_t batchRank = first.getRank() - (call->operands.front() - '0');
  bool isComplex = isa<ComplexType>(first.getElementType());
  size_t count = call->operands.size() / 2;
  bool hasShapes = hasShapeOperands(op);
  if (op->getNumOperands() < count || (hasShapes && !areShapes(op, count)) ||
      (!hasShapes && op->getNumOperands() != count))
    return false;
  return batchRank >= 0 &&
         haveForm(lowerTypes(op->getOperands().take_front(count).getTypes()),
                  call->operands, batchRank, first.getElementType(),
                  hasShapes) &&
         haveForm(lowerTypes(op->getResultTypes()),
                  resultForm(*call, isComplex), batchRank,
                  first.getElementType(), hasShapes) &&
         llvm::all_of(call->numbers, [&](StringRef name) {
           return numberOf(op, name).has_value();
         });
}

/// The sizes of a result of that type, whose shape is operand `shape`.
static Sizes sizesFrom(Lowering &l, RankedTensorType type, ValueRange operands,
                       size_t shape) {
  Type old = getElementTypeOrSelf(l.op->getOperand(shape).getType());
  Sizes sizes =
      elementsOf(l.b, operands[shape], type.getRank(), isUnsigned(old));
  for (auto [size, extent] : llvm::zip(sizes, type.getShape()))
    if (ShapedType::isStatic(extent))
      size = l.b.getIndexAttr(extent);
  return sizes;
}

static FailureOr<Values> lowerLapackCall(Lowering &l) {
  const LapackCall &call =
      *findCall(cast<CustomCallOp>(l.op).getCallTargetName());
  Values operands = operandsOf(l);
  SmallVector<Type> types = lowerTypes(l.op->getResultTypes());
  SmallVector<LibraryResult> results;
  size_t count = call.operands.size() / 2;
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = cast<RankedTensorType>(type);
    Sizes sizes = hasShapeOperands(l.op)
                      ? sizesFrom(l, tensor, operands, count + i)
                      : sizesOf(l.b, tensor, operands.front());
    results.push_back({sizes, tensor.getElementType()});
  }
  SmallVector<int64_t> numbers;
  for (StringRef name : call.numbers)
    numbers.push_back(*numberOf(l.op, name));
  Values values =
      callLibrary(l, "mercator_" + call.name,
                  ArrayRef(operands).take_front(count), results, numbers);
  for (auto [value, type] : llvm::zip(values, types))
    value = castTo(l.b, value, cast<RankedTensorType>(type));
  return values;
}

void addLapackRules(LoweringRules &rules) {
  rules.addWhere(isLapackCall, lowerLapackCall);
}

} // namespace mercator::stablehlo
