// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JAX's linear algebra on the CPU: `custom_call @lapack_sgetrf_ffi` and its
// relatives, which become calls of library functions of the same meaning. The
// forms are those of jaxlib 0.10. A call of any other form stays a custom call.

#include "mercator/transforms/stablehlo/LibraryCalls.h"
#include "mercator/transforms/stablehlo/Types.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// A function of LAPACK as JAX calls it.
struct LapackCall {
  StringRef name;
  /// The name for complex elements, if it differs.
  StringRef complexName;
  /// The rank of each operand and result, batch dimensions not counted: a digit
  /// each. `w` stands for eigenvalues: two real vectors or a complex one.
  StringRef operands, results;
  /// Attributes that are passed as numbers.
  SmallVector<StringRef, 4> numbers;
};
} // namespace

static ArrayRef<LapackCall> lapackCalls() {
  static const LapackCall calls[] = {
      {"gees", "", "2", "22w00", {"mode", "sort"}},
      {"geev", "", "2", "w220", {"compute_left", "compute_right"}},
      {"gehrd", "", "2", "210", {"low", "high"}},
      {"geqp3", "", "21", "211", {}},
      {"geqrf", "", "2", "21", {}},
      {"gesdd", "", "2", "21220", {"mode"}},
      {"gesvd", "", "2", "21220", {"mode"}},
      {"getrf", "", "2", "210", {}},
      {"gtsv", "", "1112", "11120", {}},
      {"orgqr", "ungqr", "21", "2", {}},
      {"potrf", "", "2", "20", {"uplo"}},
      {"syevd", "heevd", "2", "210", {"mode", "uplo"}},
      {"sytrd", "hetrd", "2", "21110", {"uplo"}},
      {"trsm", "", "22", "2", {"side", "uplo", "trans_x", "diag"}},
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

/// Whether these are tensors of the given ranks, with the same batch rank.
static bool haveRanks(TypeRange types, StringRef ranks, int64_t batchRank) {
  if (types.size() != ranks.size())
    return false;
  for (auto [type, rank] : llvm::zip(types, ranks)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != batchRank + (rank - '0'))
      return false;
    // Only batch dimensions can be taken from the operands.
    for (int64_t i = batchRank; i < tensor.getRank(); ++i)
      if (tensor.isDynamicDim(unsigned(i)))
        return false;
  }
  return true;
}

static std::string resultRanks(const LapackCall &call, bool isComplex) {
  std::string ranks;
  for (char rank : call.results)
    if (rank != 'w')
      ranks += rank;
    else
      ranks += isComplex ? "1" : "11";
  return ranks;
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
  return batchRank >= 0 &&
         haveRanks(op->getOperandTypes(), call->operands, batchRank) &&
         haveRanks(lowerTypes(op->getResultTypes()),
                   resultRanks(*call, isComplex), batchRank) &&
         llvm::all_of(call->numbers, [&](StringRef name) {
           return numberOf(op, name).has_value();
         });
}

static FailureOr<Values> lowerLapackCall(Lowering &l) {
  const LapackCall &call =
      *findCall(cast<CustomCallOp>(l.op).getCallTargetName());
  Values operands = operandsOf(l);
  SmallVector<Type> types = lowerTypes(l.op->getResultTypes());
  SmallVector<LibraryResult> results;
  for (Type type : types) {
    auto tensor = cast<RankedTensorType>(type);
    results.push_back(
        {sizesOf(l.b, tensor, operands.front()), tensor.getElementType()});
  }
  SmallVector<int64_t> numbers;
  for (StringRef name : call.numbers)
    numbers.push_back(*numberOf(l.op, name));
  Values values =
      callLibrary(l, "mercator_" + call.name, operands, results, numbers);
  for (auto [value, type] : llvm::zip(values, types))
    value = castTo(l.b, value, cast<RankedTensorType>(type));
  return values;
}

void addLapackRules(LoweringRules &rules) {
  rules.addWhere(isLapackCall, lowerLapackCall);
}

} // namespace mercator::stablehlo
