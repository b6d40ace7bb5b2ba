// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction and inspection of expressions.
//
// Nodes are stored in one array, in the order of construction: the operands of
// a node have smaller handles than the node. An open-addressing hash table
// finds the node of a structure (hash-consing). Each constructor brings its
// operands into normal form first, so that equal functions of the same shape
// are equal structures.

#include "mercator/indexing/expr/CheckedArithmetic.h"
#include "mercator/indexing/expr/Expr.h"
#include "mercator/indexing/expr/Hash.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>

namespace mercator::indexing {

struct Arena::Names {
  llvm::StringMap<uint32_t> ids;
  std::deque<std::string> texts;
  std::map<SourceKey, uint32_t> sources;
  std::map<uint32_t, SourceKey> keys;   ///< of each source, by its number
  llvm::StringMap<unsigned> duplicates; ///< number of later equal names
};

namespace {
uint32_t hashFields(ExprKind kind, uint32_t a, uint32_t b, int64_t value) {
  uint64_t h =
      mix(static_cast<uint64_t>(kind) + 0x51ed27, (uint64_t(a) << 32) | b);
  h = mix(h, static_cast<uint64_t>(value));
  return static_cast<uint32_t>(h ^ (h >> 32));
}

uint32_t hashTerms(ExprKind kind, llvm::ArrayRef<Term> terms, int64_t value) {
  uint64_t h = mix(static_cast<uint64_t>(kind) + 0x51ed27, value);
  for (const Term &t : terms)
    h = mix(h ^ t.expr.getId(),
            static_cast<uint64_t>(t.coefficient) * 0x2545f491);
  return static_cast<uint32_t>(h ^ (h >> 32));
}

/// Doubles the capacity of an array that starts inside the arena object.
template <typename T>
T *growArray(T *data, const void *inlineData, uint32_t size,
             uint32_t &capacity) {
  uint32_t newCapacity = capacity * 2;
  T *grown;
  if (data == inlineData) {
    grown = static_cast<T *>(std::malloc(newCapacity * sizeof(T)));
    if (grown)
      std::memcpy(static_cast<void *>(grown), data, size * sizeof(T));
  } else {
    grown = static_cast<T *>(
        std::realloc(static_cast<void *>(data), newCapacity * sizeof(T)));
  }
  if (!grown)
    std::abort(); // out of memory
  capacity = newCapacity;
  return grown;
}

/// Insertion sort: sums are short and mostly sorted.
void sortTerms(llvm::MutableArrayRef<Term> terms) {
  if (terms.size() > 24) {
    std::sort(terms.begin(), terms.end(),
              [](const Term &a, const Term &b) { return a.expr < b.expr; });
    return;
  }
  for (size_t i = 1; i < terms.size(); ++i) {
    Term t = terms[i];
    size_t j = i;
    for (; j > 0 && t.expr < terms[j - 1].expr; --j)
      terms[j] = terms[j - 1];
    terms[j] = t;
  }
}

/// Adds up equal terms of a sorted list and drops zeros. Returns the new
/// length, or nothing if a coefficient overflows.
std::optional<size_t> mergeTerms(llvm::MutableArrayRef<Term> terms) {
  size_t out = 0;
  for (size_t i = 0; i < terms.size();) {
    Term t = terms[i++];
    while (i < terms.size() && terms[i].expr == t.expr)
      if (__builtin_add_overflow(t.coefficient, terms[i++].coefficient,
                                 &t.coefficient))
        return std::nullopt;
    if (t.coefficient != 0)
      terms[out++] = t;
  }
  return out;
}

/// Collects the terms of several sums and notes overflow.
struct SumBuilder {
  llvm::SmallVector<Term, 12> terms;
  int64_t constant = 0;
  bool overflow = false;

  void add(const Linear &l, int64_t k) {
    int64_t scaled;
    overflow |= __builtin_mul_overflow(l.constant, k, &scaled) ||
                __builtin_add_overflow(constant, scaled, &constant);
    for (const Term &t : l.terms) {
      overflow |= __builtin_mul_overflow(t.coefficient, k, &scaled);
      terms.push_back({t.expr, scaled});
    }
  }
};
} // namespace

Arena::Arena()
    : nodes(reinterpret_cast<Node *>(inlineNodes)),
      terms(reinterpret_cast<Term *>(inlineTerms)), slots(inlineSlots) {
  static_assert(sizeof(Node) == 32 && sizeof(Term) == 16);
  std::memset(inlineSlots, 0, sizeof(inlineSlots));
  std::memset(varCache, 0, sizeof(varCache));
}

Arena::~Arena() {
  if (reinterpret_cast<char *>(nodes) != inlineNodes)
    std::free(nodes);
  if (reinterpret_cast<char *>(terms) != inlineTerms)
    std::free(terms);
  if (slots != inlineSlots)
    std::free(slots);
  std::free(residues);
}

//===----------------------------------------------------------------------===//
// Hash-consing
//===----------------------------------------------------------------------===//

void Arena::growTable() {
  uint32_t newSize = (slotMask + 1) * 2;
  Slot *grown = static_cast<Slot *>(std::calloc(newSize, sizeof(Slot)));
  if (!grown)
    std::abort();
  for (uint32_t i = 0; i <= slotMask; ++i) {
    if (!slots[i].node)
      continue;
    uint32_t j = slots[i].hash & (newSize - 1);
    while (grown[j].node)
      j = (j + 1) & (newSize - 1);
    grown[j] = slots[i];
  }
  if (slots != inlineSlots)
    std::free(slots);
  slots = grown;
  slotMask = newSize - 1;
}

uint32_t Arena::addNode(const Node &n, uint32_t hash, uint32_t slot) {
  if (numNodes == capNodes)
    nodes = growArray(nodes, inlineNodes, numNodes, capNodes);
  nodes[numNodes] = n;
  slots[slot] = {hash, ++numNodes};
  if (numNodes * 2 > slotMask)
    growTable();
  return numNodes - 1;
}

Expr Arena::internNode(ExprKind kind, uint32_t a, uint32_t b, int64_t value) {
  uint32_t hash = hashFields(kind, a, b, value);
  uint32_t i = hash & slotMask;
  for (; slots[i].node; i = (i + 1) & slotMask) {
    if (slots[i].hash != hash)
      continue;
    const Node &n = nodes[slots[i].node - 1];
    if (n.kind == kind && n.a == a && n.b == b && n.value == value)
      return Expr(2 * (slots[i].node - 1));
  }
  Node n{.kind = kind, .height = 0, .a = a, .b = b, .value = value, .vars = {}};
  if (kind == ExprKind::Variable) {
    n.vars = VarSet::of({static_cast<VarKind>(b), a});
  } else if (kind != ExprKind::Constant) {
    const Node &x = nodes[a >> 1], &y = nodes[b >> 1];
    n.vars = x.vars | y.vars;
    n.height = std::min(65534, int(std::max(x.height, y.height))) + 1;
  }
  return Expr(2 * addNode(n, hash, i));
}

Expr Arena::internTerms(ExprKind kind, llvm::ArrayRef<Term> sorted,
                        int64_t value) {
  uint32_t hash = hashTerms(kind, sorted, value);
  uint32_t i = hash & slotMask;
  for (; slots[i].node; i = (i + 1) & slotMask) {
    if (slots[i].hash != hash)
      continue;
    const Node &n = nodes[slots[i].node - 1];
    if (n.kind == kind && n.value == value && termsOf(n) == sorted)
      return Expr(2 * (slots[i].node - 1));
  }
  Node n{.kind = kind,
         .height = 0,
         .a = numTerms,
         .b = static_cast<uint32_t>(sorted.size()),
         .value = value,
         .vars = {}};
  // `sorted` may point into the term array, which may move.
  llvm::SmallVector<Term, 8> copy;
  if (numTerms + sorted.size() > capTerms) {
    copy.assign(sorted.begin(), sorted.end());
    sorted = copy;
    while (numTerms + sorted.size() > capTerms)
      terms = growArray(terms, inlineTerms, numTerms, capTerms);
  }
  for (const Term &t : sorted) {
    const Node &x = node(t.expr);
    n.vars = n.vars | x.vars;
    n.height = std::max(n.height, x.height);
    terms[numTerms++] = t;
  }
  n.height = std::min<int>(65534, n.height) + 1;
  return Expr(2 * addNode(n, hash, i));
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Expr Arena::constant(int64_t value) {
  return internNode(ExprKind::Constant, 0, 0, value);
}

Expr Arena::variable(Var v) {
  uint32_t *cached =
      v.index < 8 ? &varCache[static_cast<int>(v.kind)][v.index] : nullptr;
  if (cached && *cached)
    return Expr(2 * (*cached - 1));
  Expr e =
      internNode(ExprKind::Variable, v.index, static_cast<uint32_t>(v.kind), 0);
  if (cached)
    *cached = (e.getId() >> 1) + 1;
  return e;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Expr Arena::wide(bool isSum, Expr a, Expr b) {
  if (b < a)
    std::swap(a, b);
  return internNode(ExprKind::Wide, a.getId(), b.getId(), isSum ? 0 : 1);
}

/// The sum of unsorted terms, or no expression if merging them overflows.
/// Requires: no overflow before.
Expr Arena::finishSum(llvm::MutableArrayRef<Term> unsorted, int64_t value) {
  sortTerms(unsorted);
  std::optional<size_t> n = mergeTerms(unsorted);
  if (!n)
    return Expr();
  return finishSorted(unsorted.take_front(*n), value);
}

/// x + k * y by a sorted merge, or no expression on overflow.
Expr Arena::addScaled(const Linear &x, const Linear &y, int64_t k) {
  llvm::SmallVector<Term, 12> out;
  out.resize_for_overwrite(x.terms.size() + y.terms.size());
  int64_t value, scaled;
  if (__builtin_mul_overflow(y.constant, k, &scaled) ||
      __builtin_add_overflow(x.constant, scaled, &value))
    return Expr();
  const Term *i = x.terms.begin(), *ie = x.terms.end(), *j = y.terms.begin(),
             *je = y.terms.end();
  Term *o = out.begin();
  while (i != ie || j != je) {
    if (j == je || (i != ie && i->expr < j->expr)) {
      // Member by member: loading *i as a whole would wait for the two stores
      // that wrote a lone term.
      *o++ = {i->expr, i->coefficient};
      ++i;
      continue;
    }
    if (__builtin_mul_overflow(j->coefficient, k, &scaled))
      return Expr();
    if (i != ie && i->expr == j->expr &&
        __builtin_add_overflow(scaled, (i++)->coefficient, &scaled))
      return Expr();
    *o = {j++->expr, scaled};
    o += scaled != 0;
  }
  return finishSorted({out.begin(), o}, value);
}

Expr Arena::finishSorted(llvm::ArrayRef<Term> sorted, int64_t value) {
  if (sorted.empty())
    return constant(value);
  if (sorted.size() == 1 && value == 0 && sorted[0].coefficient == 1)
    return sorted[0].expr;
  return internTerms(ExprKind::Sum, sorted, value);
}

Expr Arena::add(Expr a, Expr b) {
  Expr e = addScaled(linear(a), linear(b), 1);
  return e ? e : wide(true, a, b);
}

Expr Arena::add(Expr a, int64_t b) {
  if (b == 0)
    return a;
  return add(a, constant(b));
}

Expr Arena::sub(Expr a, Expr b) {
  Expr e = addScaled(linear(a), linear(b), -1);
  return e ? e : wide(true, a, scale(b, -1));
}

Expr Arena::scale(Expr a, int64_t k) {
  if (k == 1)
    return a;
  if (k == 0)
    return constant(0);
  Expr e = addScaled({}, linear(a), k);
  return e ? e : wide(false, a, constant(k));
}

Expr Arena::sum(llvm::ArrayRef<Term> input, int64_t value) {
  bool isNormal = true;
  for (size_t i = 0; i < input.size() && isNormal; ++i) {
    ExprKind k = node(input[i].expr).kind;
    isNormal = k != ExprKind::Sum && k != ExprKind::Constant &&
               input[i].coefficient != 0 &&
               (i == 0 || input[i - 1].expr < input[i].expr);
  }
  if (isNormal)
    return finishSorted(input, value);
  SumBuilder s;
  s.constant = value;
  for (const Term &t : input)
    s.add(linear(t.expr), t.coefficient);
  if (!s.overflow)
    if (Expr e = finishSum(s.terms, s.constant))
      return e;
  // Adding term by term is exact: a partial sum that overflows becomes Wide.
  Expr e = constant(value);
  for (const Term &t : input)
    e = add(e, scale(t.expr, t.coefficient));
  return e;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Expr Arena::finishProduct(llvm::MutableArrayRef<Term> unsorted) {
  sortTerms(unsorted);
  std::optional<size_t> n = mergeTerms(unsorted);
  if (!n)
    return Expr();
  if (*n == 1 && unsorted[0].coefficient == 1)
    return unsorted[0].expr;
  return internTerms(ExprKind::Product, unsorted.take_front(*n), 0);
}

Expr Arena::mul(Expr a, Expr b) {
  if (isConstant(a))
    return scale(b, constantValue(a));
  if (isConstant(b))
    return scale(a, constantValue(b));
  LinearCopy x = linearCopy(a), y = linearCopy(b);
  // Small products of sums are multiplied out, which gives products of
  // variables one normal form. A larger sum stays one factor.
  constexpr size_t kMaxExpansion = 32;
  auto monomial = [&](Expr p, Expr q) {
    llvm::SmallVector<Term, 8> f;
    for (Expr e : {p, q}) {
      if (kind(e) == ExprKind::Product)
        llvm::append_range(f, factors(e));
      else
        f.push_back({e, 1});
    }
    return finishProduct(f);
  };
  size_t nx = x.terms.size() + (x.constant != 0),
         ny = y.terms.size() + (y.constant != 0);
  if (nx * ny > kMaxExpansion) {
    Expr e = monomial(a, b);
    return e ? e : wide(false, a, b);
  }
  SumBuilder s;
  s.overflow = __builtin_mul_overflow(x.constant, y.constant, &s.constant);
  for (const Term &t : x.terms) {
    if (y.constant != 0)
      s.add({t, 0}, y.constant);
    for (const Term &u : y.terms) {
      int64_t c;
      s.overflow |= __builtin_mul_overflow(t.coefficient, u.coefficient, &c);
      Expr m = monomial(t.expr, u.expr);
      if (!m)
        return wide(false, a, b);
      s.terms.push_back({m, c});
    }
  }
  if (x.constant != 0)
    for (const Term &u : y.terms)
      s.add({u, 0}, x.constant);
  if (!s.overflow)
    if (Expr e = finishSum(s.terms, s.constant))
      return e;
  return wide(false, a, b);
}

//===----------------------------------------------------------------------===//
// Division, minimum, maximum
//===----------------------------------------------------------------------===//

/// The node of a division. The node also stores the divisor if it is a positive
/// constant.
Expr Arena::division(ExprKind kind, Expr a, Expr b) {
  int64_t d = isConstant(b) && constantValue(b) > 0 ? constantValue(b) : 0;
  return internNode(kind, a.getId(), b.getId(), d);
}

/// The value of the operation where both operands are constants and it has one;
/// else no expression.
Expr Arena::folded(ExprKind kind, Expr a, Expr b) {
  if (!isConstant(a) || !isConstant(b))
    return Expr();
  std::optional<int64_t> value =
      applyOp(kind, constantValue(a), constantValue(b));
  return value ? constant(*value) : Expr();
}

Expr Arena::floorDiv(Expr a, Expr b) {
  if (isConstant(b, 1))
    return a;
  if (Expr e = folded(ExprKind::Quotient, a, b))
    return e;
  if (isConstant(b))
    if (int64_t d = constantValue(b); d < 0 && d != Interval::kMin)
      return floorDiv(neg(a), constant(-d));
  return division(ExprKind::Quotient, a, b);
}

Expr Arena::mod(Expr a, Expr b) {
  if (isConstant(b, 1))
    return constant(0);
  if (Expr e = folded(ExprKind::Remainder, a, b))
    return e;
  if (isConstant(b))
    if (int64_t d = constantValue(b); d < 0 && d != Interval::kMin)
      return neg(mod(neg(a), constant(-d)));
  return pair(division(ExprKind::Quotient, a, b));
}

Expr Arena::ceilDiv(Expr a, Expr b) {
  if (isConstant(b, 1))
    return a;
  if (Expr e = folded(ExprKind::CeilDiv, a, b))
    return e;
  if (isConstant(b))
    if (int64_t d = constantValue(b); d < 0 && d != Interval::kMin)
      return ceilDiv(neg(a), constant(-d));
  return division(ExprKind::CeilDiv, a, b);
}

Expr Arena::floorDiv(Expr a, int64_t b) { return floorDiv(a, constant(b)); }
Expr Arena::mod(Expr a, int64_t b) { return mod(a, constant(b)); }
Expr Arena::ceilDiv(Expr a, int64_t b) { return ceilDiv(a, constant(b)); }

Expr Arena::min(Expr a, Expr b) {
  if (a == b)
    return a;
  if (Expr e = folded(ExprKind::Min, a, b))
    return e;
  if (b < a)
    std::swap(a, b);
  return internNode(ExprKind::Min, a.getId(), b.getId(), 0);
}

Expr Arena::max(Expr a, Expr b) {
  if (a == b)
    return a;
  if (Expr e = folded(ExprKind::Max, a, b))
    return e;
  if (b < a)
    std::swap(a, b);
  return internNode(ExprKind::Max, a.getId(), b.getId(), 0);
}

//===----------------------------------------------------------------------===//
// Facts and walks
//===----------------------------------------------------------------------===//

void Arena::operands(Expr e, llvm::SmallVectorImpl<Expr> &out) const {
  const Node &n = node(e);
  switch (n.kind) {
  case ExprKind::Constant:
  case ExprKind::Variable:
    return;
  case ExprKind::Sum:
  case ExprKind::Product:
    for (const Term &t : termsOf(n))
      out.push_back(t.expr);
    return;
  default:
    out.push_back(Expr(n.a));
    out.push_back(Expr(n.b));
  }
}

Expr Arena::rebuild(Expr e, llvm::function_ref<Expr(Expr)> f) {
  const ExprKind k = kind(e);
  switch (k) {
  case ExprKind::Constant:
  case ExprKind::Variable:
    return e;
  case ExprKind::Sum: {
    LinearCopy l = linearCopy(e);
    for (Term &t : l.terms)
      t.expr = f(t.expr);
    return sum(l.terms, l.constant);
  }
  case ExprKind::Product: {
    llvm::SmallVector<Term, 4> list(factors(e));
    Expr product = constant(1);
    for (const Term &t : list) {
      Expr x = f(t.expr);
      for (int64_t i = 0; i < t.coefficient; ++i)
        product = mul(product, x);
    }
    return product;
  }
  default:
    break;
  }
  Expr a = f(lhs(e)), b = f(rhs(e));
  switch (k) {
  case ExprKind::Quotient:
    return floorDiv(a, b);
  case ExprKind::Remainder:
    return mod(a, b);
  case ExprKind::CeilDiv:
    return ceilDiv(a, b);
  case ExprKind::Min:
    return min(a, b);
  case ExprKind::Max:
    return max(a, b);
  default:
    return wideIsSum(e) ? add(a, b) : mul(a, b);
  }
}

void Arena::forEachPostOrder(Expr root,
                             llvm::function_ref<void(Expr)> f) const {
  // Operands have smaller handles than the nodes that use them, so ascending
  // order is a post-order.
  llvm::SmallVector<Expr, 32> found, stack{root};
  llvm::SmallDenseSet<uint32_t, 32> seen; // most expressions are small
  seen.insert(root.getId());
  while (!stack.empty()) {
    Expr e = stack.pop_back_val();
    found.push_back(e);
    llvm::SmallVector<Expr, 8> ops;
    operands(e, ops);
    for (Expr op : ops)
      if (seen.insert(op.getId()).second)
        stack.push_back(op);
  }
  std::sort(found.begin(), found.end());
  for (Expr e : found)
    f(e);
}

bool Arena::uses(Expr e, Var v) const {
  if (!vars(e).mayContain(v))
    return false;
  if (VarSet::of(v).isExact())
    return true;
  bool found = false;
  forEachPostOrder(e, [&](Expr x) {
    found |= kind(x) == ExprKind::Variable && var(x) == v;
  });
  return found;
}

Residue Arena::residue(Expr e) {
  // Only the residues of sums are stored. That of a remainder follows from its
  // operand; the other kinds have none.
  const Node &n = node(e);
  switch (n.kind) {
  case ExprKind::Constant:
    return Residue::constant(n.value);
  case ExprKind::Quotient: {
    if (!(e.getId() & 1) || n.value == 0)
      return Residue::everything();
    Residue x = residue(Expr(n.a));
    int64_t g = std::gcd(x.modulus, n.value);
    return g > 1 ? Residue::of(g, x.remainder) : Residue::everything();
  }
  case ExprKind::Sum:
    break;
  default:
    return Residue::everything();
  }
  uint32_t index = e.getId() >> 1;
  if (index >= capResidues) {
    uint32_t grown = std::max(capNodes, 64u);
    residues = static_cast<Residue *>(
        std::realloc(static_cast<void *>(residues), grown * sizeof(Residue)));
    if (!residues)
      std::abort();
    for (uint32_t i = capResidues; i < grown; ++i)
      residues[i].modulus = -1;
    capResidues = grown;
  }
  if (residues[index].modulus != -1)
    return residues[index];
  if (n.height > kDeep)
    return Residue::everything(); // not worth deep recursion
  Residue r = Residue::constant(n.value);
  for (const Term &t : termsOf(n)) {
    if (r.isEverything())
      break;
    r = r + residue(t.expr) * t.coefficient;
  }
  return residues[index] = r;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

uint32_t Arena::intern(llvm::StringRef text) {
  if (text.empty())
    return 0;
  if (!names)
    names = std::make_unique<Names>();
  auto [it, isNew] = names->ids.try_emplace(text, names->texts.size() + 1);
  if (isNew)
    names->texts.push_back(text.str());
  return it->second;
}

llvm::StringRef Arena::name(uint32_t interned) const {
  if (interned == 0)
    return {};
  return names->texts[interned - 1];
}

uint32_t Arena::internSource(SourceKey key,
                             llvm::function_ref<std::string()> name) {
  if (!names)
    names = std::make_unique<Names>();
  auto [it, isNew] = names->sources.try_emplace(key, 0);
  if (!isNew)
    return it->second;
  std::string text = name();
  uint32_t source = intern(text);
  while (!names->keys.try_emplace(source, key).second)
    source = intern(text + "#" + std::to_string(++names->duplicates[text]));
  return it->second = source;
}

Arena::SourceKey Arena::sourceKey(uint32_t interned) const {
  if (!names)
    return {};
  auto it = names->keys.find(interned);
  return it == names->keys.end() ? SourceKey() : it->second;
}

} // namespace mercator::indexing
