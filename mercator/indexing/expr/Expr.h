// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression is an integer function of index variables, stored once in an
// arena.
//
// ```cpp
// Arena arena;
// Expr d0 = arena.dim(0), s0 = arena.range(0);
// Expr linear = arena.add(arena.scale(d0, 8), s0); // d0 * 8 + s0
// Expr q = arena.floorDiv(linear, 8);              // rounded down
// Expr r = arena.mod(linear, 8);                   // 0 <= r < 8
// assert(arena.pair(q) == r);                      // one node, two faces
//
// // Structurally equal expressions have equal handles.
// assert(arena.add(s0, arena.scale(d0, 8)) == linear);
// // simplify() finds this one; construction does not.
// assert(arena.add(arena.scale(q, 8), r) != linear);
// ```
//
// What it is. An `Expr` is a 32-bit handle. Equal handles of one arena denote
// the same tree, and structurally equal trees have equal handles
// (hash-consing). So comparing, hashing and memoizing expressions is comparing
// integers.
//
// Kinds
//   Constant    an int64
//   Variable    dimension d<i>, range s<i> or runtime rt<i>: three separate
//               lists, so adding a dimension renumbers no other variable
//   Sum         c + a0*t0 + a1*t1 + ...: n-ary and in normal form. Terms are
//               neither sums nor constants, are sorted by handle, and are
//               unique; no coefficient is zero. Adding, scaling and comparing
//               sums are linear merges.
//   Product     t0^e0 * t1^e1 * ...: a monomial of non-constant factors
//   Quotient    floor(x / y), rounded to minus infinity
//   Remainder   x - y * floor(x / y); in [0, y) where y > 0
//   CeilDiv     ceil(x / y)
//   Min, Max    of two expressions
//   Wide        a sum or product whose normal form would overflow int64. It is
//               kept as given, has no known bounds, and has a value exactly
//               where the value fits int64.
//
// The quotient and the remainder of one (x, y) are one node with two faces:
// their handles differ in the lowest bit. `arena.pair(q)` is the remainder that
// belongs to q, at no cost, and the two are neighbors in a normal sum.
//
// Construction applies only rules that hold for all values of the variables and
// that lose no structure: constant folding, x + 0, x * 1, x / 1, x mod 1, the
// normal form of sums, x / -c = -x / c and x mod -c = -(-x mod c) for c > 0.
// All other rules belong to the simplifier (Simplify.h).
//
// Division by zero is undefined. Construction keeps the expression; it has no
// bounds, and evaluating it gives no value.
//
// Mathematical integers. An expression denotes a function over Z. Where a
// folded constant or a coefficient leaves int64, the result is a Wide node
// instead of a wrong value.
//
// Each node carries the set of its variables and, computed on first request,
// its residue: a congruence that holds for all values of the variables
// (Residue.h).
//
// An arena grows until it is destroyed, is not thread-safe, and is meant to
// live as long as one analysis. Handles of different arenas must not be mixed.
//
// Why not mlir::AffineExpr? It has no min and max. It rewrites a remainder into
// a difference at construction, which loses its bounds. It stores every node in
// a global table that never shrinks.

#ifndef MERCATOR_INDEXING_EXPR_EXPR_H
#define MERCATOR_INDEXING_EXPR_EXPR_H

#include "mercator/indexing/expr/Residue.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"

#include <cassert>
#include <memory>

namespace mercator::indexing {

enum class VarKind : uint8_t {
  Dim,     ///< an index of the tensor the map starts from
  Range,   ///< takes every value of its bounds, as in a reduction
  Runtime, ///< a value known only when the program runs, as a slice offset, or
           ///< a parameter, as a tile size (map/Domain.h)
};

struct Var {
  VarKind kind;
  uint32_t index;
  bool operator==(const Var &) const = default;
};

/// `d0`, `s0` or `rt0`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Var v);

enum class ExprKind : uint8_t {
  Constant,
  Variable,
  Sum,
  Product,
  Quotient,
  Remainder,
  CeilDiv,
  Min,
  Max,
  Wide,
};

/// A handle to an expression of an arena. The default handle denotes no
/// expression.
class Expr {
public:
  constexpr Expr() = default;
  constexpr explicit Expr(uint32_t id) : id(id) {}
  constexpr explicit operator bool() const { return id != ~0u; }
  constexpr bool operator==(const Expr &) const = default;
  constexpr auto operator<=>(const Expr &) const = default;
  /// Dense from 0: side tables may be indexed with it.
  constexpr uint32_t getId() const { return id; }

private:
  uint32_t id = ~0u;
};

/// coefficient * expr in a sum; expr ^ coefficient in a product.
struct Term {
  Expr expr;
  int64_t coefficient;
  bool operator==(const Term &) const = default;
};

/// A set of variables: one bit for each of the first variables of a kind. The
/// last bit of a kind stands for all further ones.
struct VarSet {
  static constexpr unsigned kDims = 26, kRanges = 24, kRuntimes = 14;
  uint64_t bits = 0;

  static constexpr VarSet of(Var v) {
    unsigned base = v.kind == VarKind::Dim     ? 0
                    : v.kind == VarKind::Range ? kDims
                                               : kDims + kRanges;
    unsigned count = v.kind == VarKind::Dim     ? kDims
                     : v.kind == VarKind::Range ? kRanges
                                                : kRuntimes;
    return {uint64_t(1) << (base + std::min(v.index, count - 1))};
  }
  /// False only if v is certainly not in the set.
  constexpr bool mayContain(Var v) const { return bits & of(v).bits; }
  constexpr bool mayIntersect(VarSet o) const { return bits & o.bits; }
  constexpr bool isEmpty() const { return bits == 0; }
  /// True if no bit of the set stands for more than one variable.
  constexpr bool isExact() const {
    return !(bits &
             ((uint64_t(1) << (kDims - 1)) |
              (uint64_t(1) << (kDims + kRanges - 1)) | (uint64_t(1) << 63)));
  }
  constexpr VarSet operator|(VarSet o) const { return {bits | o.bits}; }
  constexpr bool operator==(const VarSet &) const = default;
};

/// A view of an expression as a sum: constant + sum of terms. Invalidated by
/// the next construction.
struct Linear {
  llvm::ArrayRef<Term> terms;
  int64_t constant;
};

/// The same with its own copy of the terms.
struct LinearCopy {
  llvm::SmallVector<Term, 8> terms;
  int64_t constant;
};

/// Expressions higher than this are walked with an explicit order instead of by
/// recursion.
inline constexpr unsigned kDeep = 128;

class Arena {
public:
  Arena();
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  //===--- Construction --------------------------------------------------===//
  // Complexity: linear in the terms of the operands that are sums.

  [[nodiscard]] Expr constant(int64_t value);
  [[nodiscard]] Expr variable(Var v);
  [[nodiscard]] Expr dim(uint32_t i) { return variable({VarKind::Dim, i}); }
  [[nodiscard]] Expr range(uint32_t i) { return variable({VarKind::Range, i}); }
  [[nodiscard]] Expr runtime(uint32_t i) {
    return variable({VarKind::Runtime, i});
  }
  [[nodiscard]] Expr add(Expr a, Expr b);
  [[nodiscard]] Expr add(Expr a, int64_t b);
  [[nodiscard]] Expr sub(Expr a, Expr b);
  [[nodiscard]] Expr neg(Expr a) { return scale(a, -1); }
  [[nodiscard]] Expr scale(Expr a, int64_t k);
  [[nodiscard]] Expr mul(Expr a, Expr b);
  [[nodiscard]] Expr floorDiv(Expr a, Expr b);
  [[nodiscard]] Expr floorDiv(Expr a, int64_t b);
  [[nodiscard]] Expr mod(Expr a, Expr b);
  [[nodiscard]] Expr mod(Expr a, int64_t b);
  [[nodiscard]] Expr ceilDiv(Expr a, Expr b);
  [[nodiscard]] Expr ceilDiv(Expr a, int64_t b);
  [[nodiscard]] Expr min(Expr a, Expr b);
  [[nodiscard]] Expr max(Expr a, Expr b);
  /// constant + sum of terms. The terms may be any expressions, in any order,
  /// with repetitions.
  [[nodiscard]] Expr sum(llvm::ArrayRef<Term> terms, int64_t constant);
  /// min(max(x, lower), upper).
  [[nodiscard]] Expr clamp(Expr x, int64_t lower, int64_t upper) {
    return min(max(x, constant(lower)), constant(upper));
  }

  //===--- Inspection ----------------------------------------------------===//
  // Complexity: constant.

  [[nodiscard]] ExprKind kind(Expr e) const {
    const Node &n = node(e);
    return n.kind == ExprKind::Quotient && (e.getId() & 1) ? ExprKind::Remainder
                                                           : n.kind;
  }
  [[nodiscard]] bool isConstant(Expr e) const {
    return node(e).kind == ExprKind::Constant;
  }
  /// True for the constant `value`.
  [[nodiscard]] bool isConstant(Expr e, int64_t value) const {
    return isConstant(e) && node(e).value == value;
  }
  /// Requires: a Constant.
  [[nodiscard]] int64_t constantValue(Expr e) const {
    assert(isConstant(e));
    return node(e).value;
  }
  /// Requires: a Variable.
  [[nodiscard]] Var var(Expr e) const {
    const Node &n = node(e);
    assert(n.kind == ExprKind::Variable);
    return {static_cast<VarKind>(n.b), n.a};
  }
  /// Any expression as a sum: a constant has no terms, an expression that is
  /// not a sum is one term with coefficient 1. Invalidated by the next
  /// construction.
  [[nodiscard]] Linear linear(Expr e) const {
    const Node &n = node(e);
    if (n.kind == ExprKind::Sum)
      return {termsOf(n), n.value};
    if (n.kind == ExprKind::Constant)
      return {{}, n.value};
    Term &t = lone[nextLone++ % 16];
    t = {e, 1};
    return {llvm::ArrayRef<Term>(&t, 1), 0};
  }
  [[nodiscard]] LinearCopy linearCopy(Expr e) const {
    Linear l = linear(e);
    return {{l.terms.begin(), l.terms.end()}, l.constant};
  }
  /// The factors of a Product: expr ^ coefficient each. Invalidated by the next
  /// construction. Requires: a Product.
  [[nodiscard]] llvm::ArrayRef<Term> factors(Expr e) const {
    assert(kind(e) == ExprKind::Product);
    return termsOf(node(e));
  }
  /// First operand of a Quotient, Remainder, CeilDiv, Min, Max or Wide.
  [[nodiscard]] Expr lhs(Expr e) const { return Expr(node(e).a); }
  /// Second operand of the same.
  [[nodiscard]] Expr rhs(Expr e) const { return Expr(node(e).b); }
  /// The divisor of a Quotient, Remainder or CeilDiv if it is a positive
  /// constant; else 0.
  [[nodiscard]] int64_t divisor(Expr e) const { return node(e).value; }
  /// The Remainder that belongs to a Quotient, or the Quotient that belongs to
  /// a Remainder.
  [[nodiscard]] Expr pair(Expr e) const {
    assert(node(e).kind == ExprKind::Quotient);
    return Expr(e.getId() ^ 1);
  }
  /// True for a Wide sum, false for a Wide product. Requires: a Wide.
  [[nodiscard]] bool wideIsSum(Expr e) const { return node(e).value == 0; }

  [[nodiscard]] VarSet vars(Expr e) const { return node(e).vars; }
  /// True exactly if the expression uses v. Complexity: constant; linear in the
  /// nodes for variables that share a bit of the VarSet.
  [[nodiscard]] bool uses(Expr e, Var v) const;
  /// Ensures: the value of e lies in the residue for all values of the
  /// variables.
  [[nodiscard]] Residue residue(Expr e);
  /// Nesting depth; constants and variables have 0. Saturates at 65535.
  [[nodiscard]] unsigned height(Expr e) const { return node(e).height; }
  /// An upper bound on the ids of all handles: getId() < idBound().
  [[nodiscard]] uint32_t idBound() const { return 2 * numNodes; }
  [[nodiscard]] uint32_t size() const { return numNodes; }

  /// Calls f once on `root` and on each expression below it, operands first.
  /// Does not recurse.
  void forEachPostOrder(Expr root, llvm::function_ref<void(Expr)> f) const;
  /// The direct operands. The two faces of a division have the same operands.
  void operands(Expr e, llvm::SmallVectorImpl<Expr> &out) const;
  /// e with f applied to its operands, in normal form.
  [[nodiscard]] Expr rebuild(Expr e, llvm::function_ref<Expr(Expr)> f);

  //===--- Names ---------------------------------------------------------===//

  /// Prints an expression to stderr, for the debugger. Defined with the printer
  /// (notation/Printer.cpp).
  LLVM_DUMP_METHOD void dump(Expr e) const;

  /// The number of a string. Ensures: equal numbers for equal strings; 0 for
  /// the empty string.
  [[nodiscard]] uint32_t intern(llvm::StringRef name);
  [[nodiscard]] llvm::StringRef name(uint32_t interned) const;

  /// Identifies the value that a runtime variable is read from. The maker of
  /// the map chooses the two members; the arena only compares them.
  struct SourceKey {
    const void *place = nullptr;
    uint32_t within = 0;
    auto operator<=>(const SourceKey &) const = default;
  };
  /// A number for a source. Ensures: equal numbers for equal keys alone, and
  /// names that differ for keys that differ: of two sources with one name the
  /// second is called `name#1`. Asks for the name of a new key only.
  [[nodiscard]] uint32_t internSource(SourceKey key,
                                      llvm::function_ref<std::string()> name);
  /// The key of a source; without a place if the number is that of a string.
  [[nodiscard]] SourceKey sourceKey(uint32_t interned) const;

  /// What the analyses keep with the arena: see map/Analyses.h.
  struct AnalysisState {
    virtual ~AnalysisState() = default;
  };
  std::unique_ptr<AnalysisState> analysisState;

private:
  struct Node {
    ExprKind kind;
    uint8_t unused = 0;
    uint16_t height;
    uint32_t a;    ///< operand, variable index or first term
    uint32_t b;    ///< operand, variable kind or number of terms
    int64_t value; ///< constant, constant of a sum, or constant divisor
    VarSet vars;
  };
  struct Slot {
    uint32_t hash;
    uint32_t node; ///< index + 1; 0 is free
  };

  const Node &node(Expr e) const {
    assert((e.getId() >> 1) < numNodes && "not an expression of this arena");
    return nodes[e.getId() >> 1];
  }
  llvm::ArrayRef<Term> termsOf(const Node &n) const {
    return {terms + n.a, n.b};
  }
  Expr internNode(ExprKind kind, uint32_t a, uint32_t b, int64_t value);
  Expr internTerms(ExprKind kind, llvm::ArrayRef<Term> sorted, int64_t value);
  uint32_t addNode(const Node &n, uint32_t hash, uint32_t slot);
  void growTable();
  Expr addScaled(const Linear &x, const Linear &y, int64_t k);
  Expr finishSorted(llvm::ArrayRef<Term> sorted, int64_t constant);
  Expr finishSum(llvm::MutableArrayRef<Term> unsorted, int64_t constant);
  Expr finishProduct(llvm::MutableArrayRef<Term> unsorted);
  Expr wide(bool isSum, Expr a, Expr b);
  Expr division(ExprKind kind, Expr a, Expr b);
  Expr folded(ExprKind kind, Expr a, Expr b);

  // Small arenas live in the object: no allocation until they outgrow it.
  static constexpr uint32_t kInlineNodes = 48, kInlineTerms = 64,
                            kInlineSlots = 128;
  Node *nodes;
  Term *terms;
  Slot *slots;
  uint32_t numNodes = 0, capNodes = kInlineNodes;
  uint32_t numTerms = 0, capTerms = kInlineTerms;
  uint32_t slotMask = kInlineSlots - 1;
  Residue *residues = nullptr; ///< by node; modulus -1: not computed yet
  uint32_t capResidues = 0;
  uint32_t varCache[3][8]; ///< node + 1 of the first variables of each kind
  /// Terms that linear() returns for expressions that are not sums. The last
  /// 16 views stay valid.
  mutable Term lone[16];
  mutable unsigned nextLone = 0;
  struct Names;
  std::unique_ptr<Names> names;
  alignas(16) char inlineNodes[kInlineNodes * sizeof(Node)];
  alignas(16) char inlineTerms[kInlineTerms * sizeof(Term)];
  Slot inlineSlots[kInlineSlots];
};

/// What needs an arena to be printed: `os << Printed{arena, e}`. The printers
/// are those of the notation (notation/Printer.cpp).
template <typename T> struct Printed {
  const Arena &arena;
  const T &value;
};
template <typename T> Printed(const Arena &, const T &) -> Printed<T>;

/// The expression, its variables by their default names.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Expr> e);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EXPR_EXPR_H
