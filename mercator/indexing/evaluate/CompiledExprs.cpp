// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation of expressions to passes over columns, and their execution.
//
// The idea is vectorized interpretation: one instruction processes a block of
// points, so the cost of dispatch is shared. Interval analysis shows which
// operations cannot overflow or divide by zero; these become steps of
// arithmetic modulo 2^64. Divisions by constants become multiplications by the
// method of Granlund and Montgomery. Expressions without such a proof are
// evaluated point by point, with checks.

#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/evaluate/CompiledStep.h"
#include "mercator/indexing/expr/CheckedArithmetic.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace mercator::indexing {

/// The number of points in a block: a dozen columns of this length fit the
/// first-level cache.
static constexpr size_t kBlock = 256;

CompiledExprs::~CompiledExprs() = default;
CompiledExprs::CompiledExprs(CompiledExprs &&) noexcept = default;
CompiledExprs &CompiledExprs::operator=(CompiledExprs &&) noexcept = default;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Translates nodes to steps. Gives up at a node if its interval does not prove
/// that it neither overflows nor divides by zero.
class CompiledExprs::Lowering {
public:
  explicit Lowering(CompiledExprs &program)
      : p(program), intervals(p.nodes.size()),
        place(p.nodes.size(), CompiledStep::kNone), lastUse(p.nodes.size(), 0),
        numUses(p.nodes.size(), 0), inputUsed(p.inputs.size(), false) {}

  bool run();

private:
  using Step = CompiledStep;

  template <typename F> void forEachOperand(const Node &n, F f) const {
    if (n.kind == ExprKind::Sum || n.kind == ExprKind::Product) {
      for (const NodeTerm &t : termsOf(n))
        f(t.node);
    } else if (n.kind != ExprKind::Constant && n.kind != ExprKind::Variable) {
      f(n.a);
      f(n.b);
    }
  }
  llvm::ArrayRef<NodeTerm> termsOf(const Node &n) const {
    return llvm::ArrayRef(p.terms).slice(n.a, n.b);
  }

  Interval intervalOf(const Node &n) const;
  void lower(uint32_t i);
  void lowerSum(llvm::ArrayRef<NodeTerm> terms, int64_t constant, uint32_t dst);
  void lowerProduct(llvm::ArrayRef<NodeTerm> factors, uint32_t dst);
  void lowerDivision(uint32_t i);
  bool divideByConstant(Step &step, int64_t divisor, Interval dividend,
                        bool roundUp);
  uint32_t placeFor(uint32_t node);
  uint32_t columnOf(uint32_t node);
  void release(uint32_t node);
  Step::Factor factor(uint32_t node, int64_t c) const;

  CompiledExprs &p;
  std::vector<Interval> intervals;
  std::vector<uint32_t> place; ///< column, once lowered
  std::vector<uint32_t> lastUse, numUses;
  std::vector<bool> inputUsed;
  llvm::DenseMap<uint32_t, uint32_t> outputColumn; ///< of nodes
  llvm::SmallVector<uint32_t, 8> freeScratch;
  bool representable = true;
};

Interval CompiledExprs::Lowering::intervalOf(const Node &n) const {
  switch (n.kind) {
  case ExprKind::Constant:
    return Interval::point(n.value);
  case ExprKind::Variable:
    return p.inputs[n.a];
  case ExprKind::Sum: {
    Interval sum = Interval::point(n.value);
    for (const NodeTerm &t : termsOf(n))
      sum = sum + intervals[t.node] * t.coefficient;
    return sum;
  }
  case ExprKind::Product: {
    Interval product = Interval::point(1);
    for (const NodeTerm &t : termsOf(n)) {
      if (t.coefficient > 64)
        return Interval::everything();
      for (int64_t i = 0; i < t.coefficient; ++i)
        product = product * intervals[t.node];
    }
    return product;
  }
  default:
    break;
  }
  Interval a = intervals[n.a], b = intervals[n.b];
  switch (n.kind) {
  case ExprKind::Quotient:
    return a.floorDiv(b);
  case ExprKind::CeilDiv:
    return -(-a).floorDiv(b);
  case ExprKind::Remainder:
    if (b.contains(0) || !b.isBounded())
      return Interval::everything();
    if (b.lower > 0)
      return a.lower >= 0 && a.upper < b.lower ? a : Interval{0, b.upper - 1};
    return {std::min<int64_t>(b.lower + 1, 0),
            std::max<int64_t>(b.upper - 1, 0)};
  case ExprKind::Min:
    return a.min(b);
  case ExprKind::Max:
    return a.max(b);
  default:
    return Interval::everything();
  }
}

/// The column for the values of a node: that of an output, or a free one.
uint32_t CompiledExprs::Lowering::placeFor(uint32_t node) {
  if (auto it = outputColumn.find(node); it != outputColumn.end())
    return place[node] = it->second;
  if (!freeScratch.empty())
    return place[node] = freeScratch.pop_back_val();
  return place[node] = p.numInputs() + p.numOutputs() + p.numScratch++;
}

/// The column of an operand. A constant gets one on its first use.
uint32_t CompiledExprs::Lowering::columnOf(uint32_t node) {
  if (place[node] != Step::kNone)
    return place[node];
  assert(p.nodes[node].kind == ExprKind::Constant && "operands come first");
  Step fill;
  fill.op = Step::Fill;
  fill.imm = p.nodes[node].value;
  fill.dst = placeFor(node);
  p.steps.push_back(fill);
  return fill.dst;
}

/// Frees the scratch column of a node after its last use.
void CompiledExprs::Lowering::release(uint32_t node) {
  uint32_t column = std::exchange(place[node], uint32_t(Step::kNone));
  if (column != Step::kNone && column >= p.numInputs() + p.numOutputs())
    freeScratch.push_back(column);
}

CompiledStep::Factor CompiledExprs::Lowering::factor(uint32_t node,
                                                     int64_t c) const {
  constexpr Interval int32{std::numeric_limits<int32_t>::min(),
                           std::numeric_limits<int32_t>::max()};
  if (c == 1)
    return Step::One;
  return int32.contains(c) && int32.contains(intervals[node]) ? Step::Narrow
                                                              : Step::Full;
}

void CompiledExprs::Lowering::lowerSum(llvm::ArrayRef<NodeTerm> terms,
                                       int64_t constant, uint32_t dst) {
  for (size_t i = 0; i < terms.size(); i += 2) {
    bool two = i + 1 < terms.size();
    Step s;
    s.op = i == 0 ? (two ? Step::Sum2 : Step::Sum1)
                  : (two ? Step::AddTo2 : Step::AddTo1);
    s.dst = dst;
    s.imm = i == 0 ? constant : 0;
    s.a = columnOf(terms[i].node);
    s.ca = terms[i].coefficient;
    s.fa = factor(terms[i].node, s.ca);
    if (two) {
      s.b = columnOf(terms[i + 1].node);
      s.cb = terms[i + 1].coefficient;
      s.fb = factor(terms[i + 1].node, s.cb);
    }
    p.steps.push_back(s);
  }
}

void CompiledExprs::Lowering::lowerProduct(llvm::ArrayRef<NodeTerm> factors,
                                           uint32_t dst) {
  llvm::SmallVector<uint32_t, 8> columns;
  for (const NodeTerm &t : factors)
    columns.append(t.coefficient, columnOf(t.node));
  Step s;
  s.op = Step::Mul;
  s.dst = dst;
  s.a = columns[0];
  s.b = columns[1];
  p.steps.push_back(s);
  for (uint32_t column : llvm::drop_begin(columns, 2)) {
    s.op = Step::MulTo;
    s.a = column;
    s.b = Step::kNone;
    p.steps.push_back(s);
  }
}

/// Chooses a method of division. The multipliers are those of T. Granlund and
/// P. Montgomery, "Division by invariant integers using multiplication", 1994:
/// with 2^(l-1) < d < 2^l and m = ceil(2^(N+l) / d), floor(u * m / 2^(N+l)) is
/// floor(u / d) for all u in [0, 2^N).
/// Returns false if no method is exact.
bool CompiledExprs::Lowering::divideByConstant(Step &s, int64_t d, Interval x,
                                               bool roundUp) {
  int64_t offset = roundUp ? d - 1 : 0, lower, upper;
  if (__builtin_add_overflow(x.lower, offset, &lower) ||
      __builtin_add_overflow(x.upper, offset, &upper))
    return false;
  s.imm = offset;
  s.ca = d;
  if ((d & (d - 1)) == 0) {
    s.op = Step::DivShift;
    s.shift = __builtin_ctzll(d);
    s.nonNegative = lower >= 0;
    return true;
  }
  // A multiple of the divisor moves the numerators to [0, span].
  constexpr int64_t k31 = int64_t(1) << 31;
  int64_t base = lower >= 0 && upper < k31 ? 0 : floorDivPositive(lower, d);
  __int128 span = (__int128)upper - (__int128)base * d;
  std::optional<int64_t> shifted =
      checkedNarrow((__int128)offset - (__int128)base * d);
  unsigned bits = 64 - __builtin_clzll(d);
  if (shifted && span <= Interval::kMax) {
    bool small = span < k31 && d < k31;
    unsigned n = small ? 31 : 63;
    s.op = small ? Step::DivMagic32 : Step::DivMagic64;
    s.shift = n + bits;
    s.magic = (((unsigned __int128)1 << s.shift) + d - 1) / d;
    s.imm = *shifted;
    s.cb = base;
    return true;
  }
  s.op = Step::DivConstant;
  return true;
}

void CompiledExprs::Lowering::lowerDivision(uint32_t i) {
  const Node &n = p.nodes[i];
  Step s;
  s.a = columnOf(n.a);
  bool isRemainder = n.kind == ExprKind::Remainder;
  if (p.nodes[n.b].kind == ExprKind::Constant && p.nodes[n.b].value > 0) {
    // The remainder follows its quotient, by the order of handles.
    bool both = n.kind == ExprKind::Quotient && i + 1 < p.nodes.size() &&
                p.nodes[i + 1].kind == ExprKind::Remainder &&
                p.nodes[i + 1].a == n.a && p.nodes[i + 1].b == n.b;
    if (!isRemainder)
      s.dst = placeFor(i);
    if (isRemainder || both)
      s.dst2 = placeFor(both ? i + 1 : i);
    representable &= divideByConstant(s, p.nodes[n.b].value, intervals[n.a],
                                      n.kind == ExprKind::CeilDiv);
  } else {
    s.op = isRemainder                   ? Step::Mod
           : n.kind == ExprKind::CeilDiv ? Step::CeilDiv
                                         : Step::Div;
    s.b = columnOf(n.b);
    s.dst = placeFor(i);
  }
  p.steps.push_back(s);
}

void CompiledExprs::Lowering::lower(uint32_t i) {
  const Node &n = p.nodes[i];
  switch (n.kind) {
  case ExprKind::Constant:
    if (outputColumn.contains(i))
      (void)columnOf(i);
    return;
  case ExprKind::Variable:
    place[i] = n.a;
    inputUsed[n.a] = numUses[i] > 0;
    if (auto it = outputColumn.find(i); it != outputColumn.end()) {
      Step copy;
      copy.a = n.a;
      copy.dst = it->second;
      p.steps.push_back(copy);
    }
    return;
  case ExprKind::Sum:
    return lowerSum(termsOf(n), n.value, placeFor(i));
  case ExprKind::Product:
    return lowerProduct(termsOf(n), placeFor(i));
  case ExprKind::Quotient:
  case ExprKind::Remainder:
  case ExprKind::CeilDiv:
    return lowerDivision(i);
  case ExprKind::Wide:
    llvm_unreachable("a sum or a product");
  case ExprKind::Min:
  case ExprKind::Max: {
    bool isMin = n.kind == ExprKind::Min;
    uint32_t a = n.a, b = n.b;
    if (p.nodes[a].kind == ExprKind::Constant)
      std::swap(a, b);
    Step s;
    s.a = columnOf(a);
    if (p.nodes[b].kind == ExprKind::Constant) {
      s.op = isMin ? Step::MinConstant : Step::MaxConstant;
      s.imm = p.nodes[b].value;
    } else {
      s.op = isMin ? Step::Min : Step::Max;
      s.b = columnOf(b);
    }
    s.dst = placeFor(i);
    p.steps.push_back(s);
    return;
  }
  }
}

bool CompiledExprs::Lowering::run() {
  for (Interval input : p.inputs)
    if (input.isEmpty())
      return false;
  for (uint32_t i = 0; i < p.nodes.size(); ++i) {
    const Node &n = p.nodes[i];
    intervals[i] = intervalOf(n);
    // Copying an input needs no proof.
    if (!intervals[i].isBounded() && n.kind != ExprKind::Variable)
      return false;
    bool unbounded = false;
    forEachOperand(n, [&](uint32_t operand) {
      unbounded |= !intervals[operand].isBounded();
      lastUse[operand] = i;
      ++numUses[operand];
    });
    if (unbounded)
      return false;
  }
  for (uint32_t r = 0; r < p.outputs.size(); ++r)
    outputColumn.try_emplace(p.outputs[r], p.numInputs() + r);
  for (uint32_t i = 0; i < p.nodes.size(); ++i) {
    if (place[i] == Step::kNone)
      lower(i);
    forEachOperand(p.nodes[i], [&](uint32_t operand) {
      if (lastUse[operand] == i)
        release(operand);
    });
  }
  for (uint32_t r = 0; r < p.outputs.size(); ++r) {
    Step copy;
    copy.a = outputColumn.find(p.outputs[r])->second;
    copy.dst = p.numInputs() + r;
    if (copy.a != copy.dst)
      p.steps.push_back(copy);
  }
  for (uint32_t v = 0; v < p.numInputs(); ++v)
    if (inputUsed[v])
      p.checkedInputs.push_back(v);
  return representable;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

CompiledExprs::CompiledExprs(const Arena &arena, const Domain &domain,
                             llvm::ArrayRef<Expr> exprs)
    : CompiledExprs(arena, System::of(domain), exprs) {}

CompiledExprs::CompiledExprs(const Arena &arena, const System &system,
                             llvm::ArrayRef<Expr> exprs)
    : inputs(system.bounds.begin(), system.bounds.end()) {
  // Operands have smaller handles than the nodes that use them.
  std::vector<Expr> order;
  llvm::DenseMap<uint32_t, uint32_t> index;
  for (Expr root : exprs)
    if (!index.contains(root.getId()))
      arena.forEachPostOrder(root, [&](Expr e) {
        if (index.try_emplace(e.getId(), 0).second)
          order.push_back(e);
      });
  llvm::sort(order);
  for (uint32_t i = 0; i < order.size(); ++i)
    index[order[i].getId()] = i;

  for (Expr e : order) {
    Node n{.kind = operation(arena, e)};
    auto addTerms = [&](llvm::ArrayRef<Term> list) {
      n.a = terms.size();
      n.b = list.size();
      for (const Term &t : list)
        terms.push_back({index.lookup(t.expr.getId()), t.coefficient});
    };
    switch (arena.kind(e)) {
    case ExprKind::Constant:
      n.value = arena.constantValue(e);
      break;
    case ExprKind::Variable:
      n.a = llvm::find(system.vars, arena.var(e)) - system.vars.begin();
      assert(n.a < inputs.size() && "a variable of the system");
      break;
    case ExprKind::Sum:
      n.value = arena.linear(e).constant;
      addTerms(arena.linear(e).terms);
      break;
    case ExprKind::Product:
      addTerms(arena.factors(e));
      break;
    case ExprKind::Wide:
      addTerms({{arena.lhs(e), 1}, {arena.rhs(e), 1}});
      break;
    default:
      n.a = index.lookup(arena.lhs(e).getId());
      n.b = index.lookup(arena.rhs(e).getId());
    }
    nodes.push_back(n);
  }
  for (Expr e : exprs)
    outputs.push_back(index.lookup(e.getId()));
  proven = Lowering(*this).run();
  if (!proven)
    steps.clear();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Fills `values`, one per node, for one point. Stops at a node without a
/// value.
bool CompiledExprs::runChecked(const int64_t *const *columns, size_t at,
                               llvm::SmallVectorImpl<int64_t> &values) const {
  values.resize_for_overwrite(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node &n = nodes[i];
    auto valueOf = [&](const NodeTerm &t) {
      return std::optional(values[t.node]);
    };
    std::optional<int64_t> value;
    switch (n.kind) {
    case ExprKind::Constant:
      value = n.value;
      break;
    case ExprKind::Variable:
      value = columns[n.a][at];
      break;
    case ExprKind::Sum:
    case ExprKind::Product:
      value = applyOp(n.kind, n.value, llvm::ArrayRef(terms).slice(n.a, n.b),
                      valueOf);
      break;
    default:
      value = applyOp(n.kind, values[n.a], values[n.b]);
      break;
    }
    if (!value)
      return false;
    values[i] = *value;
  }
  return true;
}

bool CompiledExprs::evaluate(llvm::ArrayRef<int64_t> point,
                             llvm::MutableArrayRef<int64_t> results) const {
  assert(point.size() == numInputs() && results.size() == numOutputs());
  llvm::SmallVector<const int64_t *, 16> columns;
  for (const int64_t &x : point)
    columns.push_back(&x);
  llvm::SmallVector<int64_t, 32> values;
  if (!runChecked(columns.data(), 0, values))
    return false;
  for (size_t r = 0; r < outputs.size(); ++r)
    results[r] = values[outputs[r]];
  return true;
}

/// Runs the steps on one block. False if a point of the block is not in the
/// box.
bool CompiledExprs::runBlock(size_t begin, size_t count,
                             const int64_t *const *columns,
                             int64_t *const *results,
                             llvm::MutableArrayRef<int64_t> scratch) const {
  if (!proven)
    return false;
  for (uint32_t v : checkedInputs)
    if (!areWithin(columns[v] + begin, count, inputs[v].lower, inputs[v].upper))
      return false;
  llvm::SmallVector<int64_t *, 32> table;
  for (size_t v = 0; v < numInputs(); ++v)
    table.push_back(const_cast<int64_t *>(columns[v] + begin)); // only read
  for (size_t r = 0; r < numOutputs(); ++r)
    table.push_back(results[r] + begin);
  for (uint32_t i = 0; i < numScratch; ++i)
    table.push_back(scratch.data() + i * kBlock);
  runSteps(steps.data(), steps.size(), table.data(), count);
  return true;
}

bool CompiledExprs::evaluate(size_t count, const int64_t *const *columns,
                             int64_t *const *results, uint8_t *defined) const {
  llvm::SmallVector<int64_t, 8 * kBlock> scratch;
  scratch.resize_for_overwrite(numScratch * kBlock);
  llvm::SmallVector<int64_t, 32> values;
  bool all = true;
  for (size_t begin = 0; begin < count; begin += kBlock) {
    size_t n = std::min(kBlock, count - begin);
    if (runBlock(begin, n, columns, results, scratch)) {
      if (!all)
        std::memset(defined + begin, 1, n);
      continue;
    }
    for (size_t i = begin; i < begin + n; ++i) {
      bool ok = runChecked(columns, i, values);
      if (!ok && all) {
        std::memset(defined, 1, i);
        all = false;
      }
      if (!all)
        defined[i] = ok;
      for (size_t r = 0; ok && r < outputs.size(); ++r)
        results[r][i] = values[outputs[r]];
    }
  }
  return all;
}

} // namespace mercator::indexing
