// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/verify/FunctionReads.h"
#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Sources.h"
#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <atomic>

using namespace mlir;
using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::verify;

static constexpr llvm::StringLiteral kArgument = "argument ";

bool verify::isArgument(const Arena &arena, const RuntimeVariable &variable) {
  return arena.name(variable.source).starts_with(kArgument);
}

//===----------------------------------------------------------------------===//
// Where a number comes from
//===----------------------------------------------------------------------===//

namespace {

/// Finds the element of an argument that a number is.
class Origin {
public:
  /// `reading` of the value; none for what its type says.
  Origin(Arena &arena, const Domain &domain, Block *entry, Value value,
         llvm::ArrayRef<Expr> at, Interval bounds,
         std::optional<Reading> reading)
      : value(value), at(at), reading(reading.value_or(byType(value))),
        arena(arena), domain(domain), entry(entry), bounds(bounds) {}

  /// True if it ends at an argument, or at a constant.
  bool find() {
    constexpr int kMostSteps = 64;
    for (int steps = 0; steps < kMostSteps; ++steps) {
      if (llvm::isa<BlockArgument>(value))
        return value.getParentBlock() == entry;
      if (constant = constantAt(); constant)
        return true;
      if (!step(value.getDefiningOp()))
        return false;
    }
    return false;
  }

  Value value;
  llvm::SmallVector<Expr, 2> at;
  Reading reading; ///< of the bits of the value
  std::optional<int64_t> constant;

private:
  /// As StableHLO reads it.
  static Reading byType(Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    return type.isUnsignedInteger() || type.isInteger(1) ? Reading::Unsigned
                                                         : Reading::Signed;
  }

  bool step(Operation *op) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return toElement(extract);
    if (std::optional<Value> same = unchanged(op)) {
      value = *same;
      return true;
    }
    if (isa<stablehlo::StablehloDialect, hlo::HloDialect>(op->getDialect()))
      return alongSource();
    if (auto generic = dyn_cast<linalg::LinalgOp>(op))
      return intoBody(generic);
    if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::ExtractSliceOp>(op))
      return through(op, 0);
    return false;
  }

  /// The operand that the result is equal to, if the result is clamped to
  /// `bounds`.
  std::optional<Value> unchanged(Operation *op) {
    if (std::optional<Reading> inner = readingOfOperand(op, reading)) {
      reading = *inner;
      return op->getOperand(0);
    }
    if (auto convert = dyn_cast<stablehlo::ConvertOp>(op)) {
      Type from = getElementTypeOrSelf(convert.getOperand().getType());
      Type to = getElementTypeOrSelf(convert.getType());
      if (!from.isInteger() || !to.isInteger())
        return std::nullopt;
      Reading inner = byType(convert.getOperand()), outer = byType(convert);
      unsigned before = from.getIntOrFloatBitWidth(),
               after = to.getIntOrFloatBitWidth();
      bool fits = inner == outer ? before <= after
                                 : inner == Reading::Unsigned && before < after;
      if (!fits || reading != outer)
        return std::nullopt;
      reading = inner;
      return convert.getOperand();
    }
    auto limit = [](Value limit) -> std::optional<int64_t> {
      if (std::optional<int64_t> known = getConstantIntValue(limit))
        return known;
      return integerConstant(limit);
    };
    if (isa<stablehlo::ClampOp>(op)) {
      std::optional<int64_t> low = limit(op->getOperand(0)),
                             high = limit(op->getOperand(2));
      if (low && high && *low <= bounds.lower && *high >= bounds.upper)
        return op->getOperand(1);
    }
    bool isUnsigned = isa<arith::MaxUIOp, arith::MinUIOp>(op);
    bool isMax = isa<arith::MaxSIOp, arith::MaxUIOp>(op);
    if (!isMax && !isUnsigned && !isa<arith::MinSIOp>(op))
      return std::nullopt;
    // The number is positive, or its bits are compared as they are read.
    bool isAbove = isMax && !isUnsigned && reading == Reading::Unsigned;
    if (isUnsigned != (reading == Reading::Unsigned) && !isAbove)
      return std::nullopt;
    for (unsigned k : {0u, 1u})
      if (std::optional<int64_t> by = limit(op->getOperand(k)))
        if ((isMax ? *by <= bounds.lower : *by >= bounds.upper) &&
            (*by >= 0 || reading == Reading::Signed)) {
          if (isAbove)
            reading = Reading::Signed;
          return op->getOperand(1 - k);
        }
    return std::nullopt;
  }

  bool toElement(tensor::ExtractOp extract) {
    at.clear();
    for (Value index : extract.getIndices()) {
      std::optional<int64_t> known = getConstantIntValue(index);
      if (!known)
        return false;
      at.push_back(arena.constant(*known));
    }
    value = extract.getTensor();
    return true;
  }

  /// StableHLO and HLO: to the value that the element is copied from.
  bool alongSource() {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != int64_t(at.size()))
      return false;
    KnownElement known = KnownValues(arena, domain).element(value, at);
    if (!known.index || known.origin == value)
      return false;
    if (reading != byType(value))
      return false;
    value = known.origin;
    at = *known.index;
    reading = byType(value);
    return true;
  }

  /// A body that yields an argument, perhaps in another type.
  bool intoBody(linalg::LinalgOp op) {
    unsigned result = cast<OpResult>(value).getResultNumber();
    Block *body = op.getBlock();
    Value inner = body->getTerminator()->getOperand(result);
    while (Operation *inside = inner.getDefiningOp()) {
      std::optional<Value> same;
      if (inside->getBlock() == body)
        same = unchanged(inside);
      if (!same)
        return false;
      inner = *same;
    }
    auto argument = cast<BlockArgument>(inner);
    return argument.getOwner() == body &&
           argument.getArgNumber() < op.getNumDpsInputs() &&
           through(op, argument.getArgNumber());
  }

  /// Through an operation that moves elements of an operand.
  bool through(Operation *op, unsigned operand) {
    MapSet maps = mapsOf(op, arena, Direction::OutToIn, operand,
                         cast<OpResult>(value).getResultNumber());
    if (maps.size() != 1 || !maps.isExact())
      return false;
    Map map = simplify(maps.front().map);
    if (map.isKnownEmpty() || !map.domain.ranges.empty() ||
        !map.domain.runtimes.empty() || !map.domain.constraints.empty() ||
        map.numDims() != at.size())
      return false;
    llvm::SmallVector<Expr, 2> next(map.results.begin(), map.results.end());
    substitute(arena, next, {.dims = at, .ranges = {}, .runtimes = {}});
    at = std::move(next);
    value = op->getOperand(operand);
    return true;
  }

  /// A number of these bits.
  int64_t numberOf(const llvm::APInt &bits) const {
    if (reading == Reading::Signed)
      return bits.getSExtValue();
    return bits.getActiveBits() < 64 ? int64_t(bits.getZExtValue())
                                     : Interval::kMax;
  }

  std::optional<int64_t> constantAt() const {
    if (auto literal = value.getDefiningOp<stablehlo::ConstantOp>();
        literal && literal.isElided())
      return std::nullopt;
    llvm::APInt scalar;
    if (matchPattern(value, m_ConstantInt(&scalar)) &&
        scalar.getBitWidth() <= 64)
      return numberOf(scalar);
    DenseIntElementsAttr elements;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !matchPattern(value, m_Constant(&elements)) ||
        type.getRank() != int64_t(at.size()) ||
        elements.getElementType().getIntOrFloatBitWidth() > 64)
      return std::nullopt;
    uint64_t place = 0;
    for (auto [i, index] : llvm::enumerate(at)) {
      if (!elements.isSplat() &&
          (!arena.isConstant(index) || arena.constantValue(index) < 0 ||
           arena.constantValue(index) >= type.getDimSize(i)))
        return std::nullopt;
      if (!elements.isSplat())
        place = place * type.getDimSize(i) + arena.constantValue(index);
    }
    if (elements.empty())
      return std::nullopt;
    return numberOf(*(elements.value_begin<llvm::APInt>() + place));
  }

  Arena &arena;
  const Domain &domain;
  Block *entry;
  Interval bounds;
};

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

/// The positions of values: see FunctionReads.h.
class Positions {
public:
  Positions(ValueRange values, maps::Leaves &leaves) {
    for (auto [number, value] : llvm::enumerate(values))
      for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e;
           ++leaf) {
        Type type = leaves.leafType(value.getType(), leaf);
        if (isa<stablehlo::TokenType, IndexType>(type))
          continue;
        positions[{unsigned(number), leaf}] = list.size();
        list.push_back({value, leaf});
        sizes.push_back(sizesOf(type));
      }
  }
  [[nodiscard]] std::optional<unsigned> of(unsigned number,
                                           unsigned leaf) const {
    auto it = positions.find({number, leaf});
    return it == positions.end() ? std::nullopt : std::optional(it->second);
  }

  std::vector<Leaf> list;
  std::vector<FunctionReads::Sizes> sizes;

private:
  std::map<std::pair<unsigned, unsigned>, unsigned> positions;
};

/// A number that is computed from elements of arguments, as a text in which each
/// element has a number:
///
///   select(compare(LT, #0, 0), add(#0, 1000), #0)     #0: argument 1 at (d0)
///
/// Two programs that compute it with other moves of data, other fusions or other
/// ways to write a constant have one text. Text and elements together say what the
/// number is.
class ScalarForm {
public:
  ScalarForm(Arena &arena, const Domain &domain, Block *entry,
             const Positions &arguments)
      : arena(arena), domain(domain), entry(entry), arguments(arguments) {}

  /// Appends the number; it may be clamped to `bounds`. `calls` are the operations
  /// whose computations the value is in, outermost first. False if it is computed
  /// otherwise.
  bool add(Value value, llvm::ArrayRef<Expr> index, Interval bounds,
           llvm::ArrayRef<Operation *> calls) {
    constexpr int kMostSteps = 64;
    llvm::SmallVector<Expr, 2> at(index);
    while (++steps < kMostSteps) {
      Origin origin(arena, domain, entry, value, at, bounds, std::nullopt);
      (void)origin.find();
      if (origin.constant) {
        text += std::to_string(*origin.constant);
        return true;
      }
      value = origin.value;
      at = origin.at;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == entry)
          return addElement(argument, at, origin.reading);
        Operation *around = argument.getOwner()->getParentOp();
        if (isa<hlo::FusionOp>(around)) {
          if (!calls.empty() && calls.back() == around)
            calls = calls.drop_back();
        } else if (!calls.empty() &&
                   maps::computationOf(calls.back(), nullptr).block ==
                       argument.getOwner()) {
          around = calls.back();
          calls = calls.drop_back();
        } else {
          return false;
        }
        value = around->getOperand(argument.getArgNumber());
        continue;
      }
      auto result = cast<OpResult>(value);
      if (auto fusion = dyn_cast<hlo::FusionOp>(result.getOwner())) {
        value = fusion.getBody().front().getTerminator()->getOperand(
            result.getResultNumber());
        continue;
      }
      return addOperation(result.getOwner(), at, calls);
    }
    return false;
  }

  std::string text;
  llvm::SmallVector<Expr, 2> at; ///< of all elements, one after the other

private:
  bool addElement(BlockArgument argument, llvm::ArrayRef<Expr> index,
                  Reading reading) {
    std::optional<unsigned> position = arguments.of(argument.getArgNumber(), 0);
    if (!position)
      return false;
    auto [it, isNew] = elements.try_emplace(
        {*position, std::vector<Expr>(index.begin(), index.end())},
        elements.size());
    if (isNew)
      at.append(index.begin(), index.end());
    text += "#" + std::to_string(it->second) + " of " +
            std::to_string(*position) +
            (reading == Reading::Unsigned ? " unsigned" : "");
    return true;
  }

  /// An operation on elements at the same place, or on scalars.
  bool addOperation(Operation *op, llvm::ArrayRef<Expr> index,
                    llvm::ArrayRef<Operation *> calls) {
    if (!op->hasTrait<stablehlo::Elementwise>() || op->getNumResults() != 1 ||
        op->getNumRegions() != 0)
      return false;
    text += op->getName().stripDialect();
    text += "(";
    for (NamedAttribute attribute : op->getAttrs()) {
      // HLO text omits the kind of a comparison where the elements say it.
      if (isa<stablehlo::CompareOp>(op) &&
          attribute.getName() == "compare_type" &&
          getElementTypeOrSelf(op->getOperand(0).getType()).isInteger())
        continue;
      if (op->getDiscardableAttr(attribute.getName()))
        continue;
      llvm::raw_string_ostream(text) << attribute.getValue() << ", ";
    }
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      bool isScalar = type && type.getRank() == 0;
      if (!type || (!isScalar && type.getRank() != int64_t(index.size())) ||
          !add(operand, isScalar ? llvm::ArrayRef<Expr>() : index,
               Interval::everything(), calls))
        return false;
      text += ", ";
    }
    text += ")";
    llvm::raw_string_ostream(text)
        << getElementTypeOrSelf(op->getResult(0).getType());
    return true;
  }

  Arena &arena;
  const Domain &domain;
  Block *entry;
  const Positions &arguments;
  std::map<std::pair<unsigned, std::vector<Expr>>, size_t> elements;
  int steps = 0;
};

class SourceNames {
public:
  SourceNames(Arena &arena, Block *entry, const Positions &arguments,
              llvm::function_ref<std::string(maps::SourcePlace)> nameOf)
      : arena(arena), entry(entry), arguments(arguments), nameOf(nameOf) {}

  MapSet renamed(const MapSet &maps) {
    MapSet out;
    for (OperandMap m : maps) {
      m.map = renamed(std::move(m.map));
      mergeRuntimes(m.map);
      m.map = simplify(m.map);
      if (!m.map.isKnownEmpty())
        out.insert(std::move(m));
    }
    return out;
  }

private:
  Map renamed(Map map) {
    llvm::SmallVector<Expr, 4> by(map.domain.runtimes.size());
    Domain domain = map.domain; // which the sources refer to
    for (auto [i, v] : llvm::enumerate(map.domain.runtimes)) {
      if (v.source == 0)
        continue;
      maps::SourcePlace place = maps::sourcePlace(arena, v.source, v.element);
      if (!place.value) {
        computed(v, place, domain);
        continue;
      }
      Origin origin(arena, domain, entry, place.value, v.index, v.bounds,
                    v.element == kReadUnsigned
                        ? std::optional(Reading::Unsigned)
                        : std::nullopt);
      if (!origin.find()) {
        computed(v, place, domain);
        continue;
      }
      if (origin.constant) {
        by[i] = arena.constant(
            std::clamp(*origin.constant, v.bounds.lower, v.bounds.upper));
        continue;
      }
      auto argument = cast<BlockArgument>(origin.value);
      std::optional<unsigned> position =
          arguments.of(argument.getArgNumber(), 0);
      if (!position) {
        unknown(v);
        continue;
      }
      // As a signed and as an unsigned number, it has two values.
      llvm::StringRef how =
          origin.reading == Reading::Unsigned ? ", unsigned" : "";
      v.source = arena.intern((kArgument + llvm::Twine(*position) + how).str());
      v.element = -1;
      v.index = origin.at;
    }
    substitute(map, {.dims = {}, .ranges = {}, .runtimes = by});
    return map;
  }

  /// A source by the form of its value, or else by the name of it.
  void computed(RuntimeVariable &v, maps::SourcePlace place,
                const Domain &domain) {
    maps::SourcePlace inner = place;
    llvm::SmallVector<Operation *> calls;
    while (inner.call) {
      calls.push_back(inner.call);
      inner = maps::sourcePlace(arena, inner.inside, v.element);
    }
    ScalarForm form(arena, domain, entry, arguments);
    std::string name;
    if (v.element != kReadUnsigned && inner.value &&
        form.add(inner.value, v.index, v.bounds, calls)) {
      name = "computed as " + form.text;
      v.index = form.at;
    } else if (nameOf) {
      name = nameOf(place);
    }
    if (name.empty())
      unknown(v);
    else
      v.source = arena.intern(name);
    computedSources.insert(v.source);
  }

  /// A source that no other function has.
  void unknown(RuntimeVariable &v) {
    auto [it, isNew] = others.try_emplace({v.source, v.element}, 0);
    if (isNew) {
      static std::atomic<uint64_t> next{0};
      it->second = arena.intern(("value " + llvm::Twine(++next)).str());
    }
    v.source = it->second;
    v.element = -1;
  }

  Arena &arena;
  Block *entry;
  const Positions &arguments;
  llvm::function_ref<std::string(maps::SourcePlace)> nameOf;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> others;

public:
  /// The sources so far that are no elements of arguments.
  std::set<uint32_t> computedSources;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool hasUnknownExtents(Operation *op) {
  auto isUnknown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isUnknown) ||
         llvm::any_of(op->getResultTypes(), isUnknown);
}

/// A start that is clamped to 0, since the slice has the whole dimension. The maps say
/// that it is read, and a compiler need not.
static bool isIdleStart(OpOperand &operand) {
  auto isWhole = [](Value whole, Value part, unsigned dim) {
    auto type = dyn_cast<RankedTensorType>(whole.getType()),
         slice = dyn_cast<RankedTensorType>(part.getType());
    return type && slice && dim < type.getRank() && dim < slice.getRank() &&
           !type.isDynamicDim(dim) &&
           type.getDimSize(dim) == slice.getDimSize(dim);
  };
  unsigned number = operand.getOperandNumber();
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(operand.getOwner()))
    return number > 0 &&
           isWhole(slice.getOperand(), slice.getResult(), number - 1);
  if (auto update =
          dyn_cast<stablehlo::DynamicUpdateSliceOp>(operand.getOwner()))
    return number > 1 &&
           isWhole(update.getOperand(), update.getUpdate(), number - 2);
  if (auto gather = dyn_cast<stablehlo::GatherOp>(operand.getOwner())) {
    auto table = dyn_cast<RankedTensorType>(gather.getOperand().getType());
    return number == 1 && table &&
           llvm::all_of(gather.getDimensionNumbers().getStartIndexMap(),
                        [&](int64_t dim) {
                          return gather.getSliceSizes()[dim] ==
                                 table.getDimSize(dim);
                        });
  }
  return false;
}

namespace {

/// Finds the arguments whose elements are sizes of tensors that a value is computed
/// from, or starts that do not matter.
class SizeSources {
public:
  SizeSources(Arena &arena, Block *entry) : arena(arena), entry(entry) {}

  /// Numbers of arguments.
  std::set<unsigned> of(Value root) {
    push(root, Role::Tensor);
    while (!open.empty()) {
      auto [value, role] = open.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() != entry)
          follow(argument.getOwner()->getParentOp(), role);
        else if (role == Role::Size)
          found.insert(argument.getArgNumber());
        continue;
      }
      Operation *op = value.getDefiningOp();
      // The elements of the tensor are no size.
      bool isSizeOf = isa<tensor::DimOp, stablehlo::GetDimensionSizeOp>(op) ||
                      op->getName().getStringRef() == "shape.shape_of";
      follow(op, isSizeOf ? Role::Tensor : role);
    }
    return std::move(found);
  }

private:
  enum class Role : uint8_t { Tensor, Size };

  void push(Value value, Role role) {
    if (seen.insert({value, unsigned(role)}).second)
      open.push_back({value, role});
  }

  void follow(Operation *op, Role role) {
    op->walk([&](Operation *inner) {
      bool hasUnknown = hasUnknownExtents(inner);
      for (OpOperand &operand : inner->getOpOperands())
        push(operand.get(),
             (hasUnknown && isSize(operand)) || isIdleStart(operand)
                 ? Role::Size
                 : role);
    });
  }

  /// Numbers that no element of a result is computed from.
  bool isSize(OpOperand &operand) {
    Operation *op = operand.getOwner();
    if (!getElementTypeOrSelf(operand.get().getType()).isIntOrIndex())
      return false;
    if (isa<CallOpInterface>(op))
      return true;
    for (unsigned i = 0, e = op->getNumResults(); i < e; ++i)
      for (const OperandMap &m :
           mapsOf(op, arena, Direction::OutToIn, operand.getOperandNumber(), i,
                  ReadsOf::MaskedForm))
        if (!m.map.isKnownEmpty())
          return false;
    return op->getNumResults() > 0;
  }

  Arena &arena;
  Block *entry;
  llvm::SmallVector<std::pair<Value, Role>> open;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  std::set<unsigned> found;
};

} // namespace

/// Whether values pass through a global: in the function or, if it calls
/// others, anywhere in its module.
static bool hasState(func::FuncOp function) {
  auto isOfGlobal = [](Operation *op) {
    return op->getName().getStringRef().contains("global") ||
           llvm::any_of(op->getOperandTypes(),
                        [](Type type) { return isa<BaseMemRefType>(type); });
  };
  bool uses = false, calls = false;
  function.walk([&](Operation *op) {
    uses |= isOfGlobal(op);
    calls |= isa<CallOpInterface>(op);
  });
  if (uses || !calls)
    return uses;
  for (Operation &op : *function->getBlock())
    if (isOfGlobal(&op))
      return true;
  return false;
}

std::vector<Leaf> verify::resultsOf(func::FuncOp function) {
  maps::Leaves leaves;
  return Positions(function.getBody().front().getTerminator()->getOperands(),
                   leaves)
      .list;
}

FunctionReads verify::readsOf(func::FuncOp function, Arena &arena,
                              ReadsOptions options) {
  FunctionReads out;
  if (function.isExternal() || !function.getBody().hasOneBlock()) {
    out.refusal = "it has no body of one block";
    return out;
  }
  Block &entry = function.getBody().front();
  maps::Leaves leaves;
  Positions arguments(entry.getArguments(), leaves);
  Positions results(entry.getTerminator()->getOperands(), leaves);
  out.arguments = arguments.sizes;
  out.results = results.sizes;
  int64_t operations = 0;
  bool hasUnknown = false;
  function.walk([&](Operation *op) {
    ++operations;
    hasUnknown |=
        hasUnknownExtents(op) || llvm::any_of(op->getOpOperands(), isIdleStart);
  });
  int64_t roots = 0;
  for (unsigned i = 0; i < results.list.size(); ++i)
    roots += !options.isLeftOut || !options.isLeftOut(i);
  if (operations * roots > kMostSteps) {
    out.refusal = "it is too large";
    return out;
  }
  out.hasState = hasState(function);
  FusionMaps maps(arena, ReadsOf::MaskedForm);
  SourceNames names(arena, &entry, arguments, options.nameOf);
  for (auto [i, result] : llvm::enumerate(results.list)) {
    std::map<unsigned, MapSet> &reads = out.reads.emplace_back();
    std::set<unsigned> &ofSizes = out.sizes.emplace_back();
    out.computed.emplace_back();
    if (options.isLeftOut && options.isLeftOut(i))
      continue;
    names.computedSources.clear();
    for (const Reached &r : maps.toArguments(result))
      if (std::optional<unsigned> place = arguments.of(r.number, r.leaf))
        if (MapSet renamed = names.renamed(r.maps); !renamed.empty())
          reads[*place] = std::move(renamed);
    out.computed.back() = names.computedSources;
    if (!hasUnknown)
      continue;
    for (unsigned number : SizeSources(arena, &entry).of(result.value))
      for (unsigned leaf = 0,
                    e = leaves.count(entry.getArgument(number).getType());
           leaf < e; ++leaf)
        if (std::optional<unsigned> place = arguments.of(number, leaf))
          ofSizes.insert(*place);
  }
  return out;
}
