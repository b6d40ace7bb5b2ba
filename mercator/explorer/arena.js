// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions in normal form, as in mercator/indexing/expr/Expr.h.
//
// Equal expressions are one node with one handle, a number. The quotient and the
// remainder of two operands are one node: an odd handle is the remainder. Operands have
// smaller handles than what uses them. The nodes are made in the order of the library,
// so that all that depends on handles comes out as there.

import { Interval, Residue, ceilPositive, fits, floorPositive, leastInteger, modPositive } from "./integers.js";

/** @typedef {"constant"|"variable"|"sum"|"product"|"quotient"|"remainder"|"ceildiv"|"min"|"max"|"wide"} Kind */
/** `k` times `e` in a sum, `e` to the power of `k` in a product.
 * @typedef {{e: number, k: bigint}} Term */
/** @typedef {{terms: Term[], constant: bigint}} Linear */
/** Kind 0: a dimension, 1: a range variable, 2: a runtime variable or a parameter.
 * @typedef {{kind: number, index: number}} Var */
/** @typedef {{kind: Kind, height: number, a: number, b: number, value: bigint, terms: Term[], vars: bigint}} ArenaNode */

/** @type {Kind[]} */
export const kindOrder = ["constant", "variable", "sum", "product", "quotient", "remainder", "ceildiv", "min", "max", "wide"];
/** Deeper expressions are left to the command. */
export const deepest = 128;
const variableBits = [{ from: 0, count: 26 }, { from: 26, count: 24 }, { from: 50, count: 14 }];
const sharedBits = (1n << 25n) | (1n << 49n) | (1n << 63n);

/** The set of one variable: the last bit of a kind stands for all further ones.
 * @param {Var} v */
export function bitOf(v) {
  const { from, count } = variableBits[v.kind];
  return 1n << BigInt(from + Math.min(v.index, count - 1));
}

/** @param {bigint} bits */
export function isExactSet(bits) {
  return (bits & sharedBits) === 0n;
}

/** @param {Term[]} x @param {Term[]} y */
export function sameTerms(x, y) {
  return x.length === y.length && x.every((t, i) => t.e === y[i].e && t.k === y[i].k);
}

/** The terms in order, equal ones added up; null if a coefficient leaves 64 bits.
 * @param {Term[]} terms @returns {Term[]|null} */
export function mergedTerms(terms) {
  const sorted = [...terms].sort((a, b) => a.e - b.e);
  /** @type {Term[]} */
  const out = [];
  for (let i = 0; i < sorted.length;) {
    let { e, k } = sorted[i++];
    for (; i < sorted.length && sorted[i].e === e; ++i) {
      k += sorted[i].k;
      if (!fits(k)) return null;
    }
    if (k !== 0n) out.push({ e, k });
  }
  return out;
}

/** The value of an operation; null where it has none.
 * @param {Kind} kind @param {bigint} a @param {bigint} b @returns {bigint|null} */
export function appliedTo(kind, a, b) {
  /** @param {bigint} x */
  const narrow = (x) => (fits(x) ? x : null);
  switch (kind) {
    case "sum": return narrow(a + b);
    case "product": return narrow(a * b);
    case "quotient": return b === 0n ? null : narrow(b > 0n ? floorPositive(a, b) : floorPositive(-a, -b));
    case "ceildiv": return b === 0n ? null : narrow(b > 0n ? ceilPositive(a, b) : ceilPositive(-a, -b));
    case "remainder": return b === 0n ? null : b > 0n ? modPositive(a, b) : -modPositive(-a, -b);
    case "min": return a < b ? a : b;
    case "max": return a > b ? a : b;
  }
  return null;
}

export class Arena {
  constructor() {
    /** @type {ArenaNode[]} */
    this.nodes = [];
    /** @type {Map<string, number>} */
    this.table = new Map();
    /** @type {Map<number, bigint>} */
    this.sizes = new Map();
    /** What the analyses know of each domain, by its text: see bounds.js.
     * @type {Map<string, any>} */
    this.domains = new Map();
    /** The last simplified form of each expression, and for which domain: see rewrite.js.
     * @type {Map<number, {key: number, e: number}>} */
    this.simplified = new Map();
  }
  /** @param {number} e */
  node(e) {
    return this.nodes[e >> 1];
  }
  /** @param {string} key @param {() => ArenaNode} make */
  intern(key, make) {
    const known = this.table.get(key);
    if (known !== undefined) return known;
    const e = 2 * this.nodes.length;
    this.nodes.push(make());
    this.table.set(key, e);
    return e;
  }
  /** @param {Kind} kind @param {number} a @param {number} b @param {bigint} value */
  internPair(kind, a, b, value) {
    return this.intern(`${kind} ${a} ${b} ${value}`, () => {
      const x = this.node(a), y = this.node(b);
      return { kind, height: Math.max(x.height, y.height) + 1, a, b, value, terms: [], vars: x.vars | y.vars };
    });
  }
  /** @param {Kind} kind @param {Term[]} terms @param {bigint} value */
  internTerms(kind, terms, value) {
    return this.intern(`${kind} ${value} ${terms.map((t) => `${t.e}:${t.k}`).join()}`, () => ({
      kind, height: Math.max(...terms.map((t) => this.node(t.e).height)) + 1, a: 0, b: 0, value, terms,
      vars: terms.reduce((bits, t) => bits | this.node(t.e).vars, 0n),
    }));
  }
  /** @param {bigint} value */
  constant(value) {
    return this.intern(`${value}`, () => ({ kind: "constant", height: 0, a: 0, b: 0, value, terms: [], vars: 0n }));
  }
  /** @param {Var} v */
  variable(v) {
    return this.intern(`variable ${v.kind} ${v.index}`, () => ({ kind: "variable", height: 0, a: v.index, b: v.kind, value: 0n, terms: [], vars: bitOf(v) }));
  }
  /** @param {number} i */
  range(i) {
    return this.variable({ kind: 1, index: i });
  }

  // Inspection.

  /** @param {number} e @returns {Kind} */
  kind(e) {
    const { kind } = this.node(e);
    return e & 1 ? "remainder" : kind;
  }
  /** @param {number} e */
  isConstant(e) {
    return this.node(e).kind === "constant";
  }
  /** @param {number} e @param {bigint} value */
  isNumber(e, value) {
    return this.isConstant(e) && this.node(e).value === value;
  }
  /** @param {number} e */
  value(e) {
    return this.node(e).value;
  }
  /** @param {number} e @returns {Var} */
  var(e) {
    const n = this.node(e);
    return { kind: n.b, index: n.a };
  }
  /** @param {number} e @param {number} kind */
  isVariable(e, kind) {
    const n = this.node(e);
    return n.kind === "variable" && n.b === kind;
  }
  /** Any expression as a constant and a sum of terms.
   * @param {number} e @returns {Linear} */
  linear(e) {
    const n = this.node(e);
    if (n.kind === "sum") return { terms: n.terms, constant: n.value };
    return n.kind === "constant" ? { terms: [], constant: n.value } : { terms: [{ e, k: 1n }], constant: 0n };
  }
  /** @param {number} e */
  lhs(e) {
    return this.node(e).a;
  }
  /** @param {number} e */
  rhs(e) {
    return this.node(e).b;
  }
  /** The divisor, if it is a positive constant; else 0.
   * @param {number} e */
  divisor(e) {
    return this.node(e).value;
  }
  /** True for a quotient or a remainder, by a positive constant.
   * @param {number} e @param {Kind} kind */
  isDivision(e, kind) {
    return this.kind(e) === kind && this.divisor(e) > 0n;
  }
  /** @param {number} e */
  vars(e) {
    return this.node(e).vars;
  }
  /** @param {number} e @param {Var} v */
  uses(e, v) {
    if (!(this.vars(e) & bitOf(v))) return false;
    return isExactSet(bitOf(v)) || this.postOrder(e).some((x) => this.node(x).kind === "variable" && this.lhs(x) === v.index && this.rhs(x) === v.kind);
  }
  /** @param {number} e @returns {number[]} */
  operands(e) {
    const n = this.node(e);
    if (n.kind === "constant" || n.kind === "variable") return [];
    return n.kind === "sum" || n.kind === "product" ? n.terms.map((t) => t.e) : [n.a, n.b];
  }
  /** The expression and all below it, operands first.
   * @param {number} root */
  postOrder(root) {
    const seen = new Set([root]);
    for (const e of seen) for (const operand of this.operands(e)) seen.add(operand);
    return [...seen].sort((a, b) => a - b);
  }

  // Sums.

  /** @param {Term[]} sorted @param {bigint} constant */
  finishSorted(sorted, constant) {
    if (sorted.length === 0) return this.constant(constant);
    if (sorted.length === 1 && constant === 0n && sorted[0].k === 1n) return sorted[0].e;
    return this.internTerms("sum", sorted, constant);
  }
  /** x + k * y; null if it leaves 64 bits.
   * @param {Linear} x @param {Linear} y @param {bigint} k */
  addScaled(x, y, k) {
    const scaled = y.constant * k, constant = x.constant + scaled;
    const added = y.terms.map((t) => ({ e: t.e, k: t.k * k }));
    if (!fits(scaled) || !fits(constant) || !added.every((t) => fits(t.k))) return null;
    const terms = mergedTerms([...added, ...x.terms]);
    return terms && this.finishSorted(terms, constant);
  }
  /** An operation whose result may leave 64 bits.
   * @param {boolean} isSum @param {number} a @param {number} b */
  wide(isSum, a, b) {
    return this.internPair("wide", Math.min(a, b), Math.max(a, b), isSum ? 0n : 1n);
  }
  /** @param {number} a @param {number} b */
  add(a, b) {
    return this.addScaled(this.linear(a), this.linear(b), 1n) ?? this.wide(true, a, b);
  }
  /** @param {number} a @param {bigint} b */
  addNumber(a, b) {
    return b === 0n ? a : this.add(a, this.constant(b));
  }
  /** @param {number} a @param {number} b */
  sub(a, b) {
    return this.addScaled(this.linear(a), this.linear(b), -1n) ?? this.wide(true, a, this.scale(b, -1n));
  }
  /** @param {number} a @param {bigint} k */
  scale(a, k) {
    if (k === 1n) return a;
    if (k === 0n) return this.constant(0n);
    return this.addScaled({ terms: [], constant: 0n }, this.linear(a), k) ?? this.wide(false, a, this.constant(k));
  }
  /** @param {number} a */
  neg(a) {
    return this.scale(a, -1n);
  }
  /** The constant plus the sum of the terms, which may be any expressions in any order.
   * @param {Term[]} input @param {bigint} constant */
  sum(input, constant) {
    let isExact = true, value = constant;
    /** @param {bigint} x */
    const narrow = (x) => ((isExact &&= fits(x)), x);
    /** @type {Term[]} */
    const terms = [];
    for (const t of input) {
      const l = this.linear(t.e);
      value = narrow(value + narrow(l.constant * t.k));
      for (const u of l.terms) terms.push({ e: u.e, k: narrow(u.k * t.k) });
    }
    const merged = isExact ? mergedTerms(terms) : null;
    if (merged) return this.finishSorted(merged, value);
    let e = this.constant(constant);
    for (const t of input) e = this.add(e, this.scale(t.e, t.k));
    return e;
  }

  // Products.

  /** @param {number} p @param {number} q */
  monomial(p, q) {
    const factors = mergedTerms([p, q].flatMap((e) => (this.kind(e) === "product" ? this.node(e).terms : [{ e, k: 1n }])));
    if (!factors) return null;
    return factors.length === 1 && factors[0].k === 1n ? factors[0].e : this.internTerms("product", factors, 0n);
  }
  /** @param {number} a @param {number} b @returns {number} */
  mul(a, b) {
    if (this.isConstant(a)) return this.scale(b, this.value(a));
    if (this.isConstant(b)) return this.scale(a, this.value(b));
    const x = this.linear(a), y = this.linear(b);
    /** @param {Linear} l */
    const count = (l) => l.terms.length + (l.constant !== 0n ? 1 : 0);
    if (count(x) * count(y) > 32) return this.monomial(a, b) ?? this.wide(false, a, b);
    /** @type {Term[]} */
    const terms = [];
    const constant = x.constant * y.constant;
    for (const t of x.terms) {
      if (y.constant !== 0n) terms.push({ e: t.e, k: t.k * y.constant });
      for (const u of y.terms) {
        const m = this.monomial(t.e, u.e);
        if (m === null) return this.wide(false, a, b);
        terms.push({ e: m, k: t.k * u.k });
      }
    }
    if (x.constant !== 0n) for (const u of y.terms) terms.push({ e: u.e, k: u.k * x.constant });
    const merged = fits(constant) && terms.every((t) => fits(t.k)) ? mergedTerms(terms) : null;
    return merged ? this.finishSorted(merged, constant) : this.wide(false, a, b);
  }
  /** @param {Term[]} factors */
  productOf(factors) {
    let r = this.constant(1n);
    for (const f of factors) for (let i = 0n; i < f.k; ++i) r = this.mul(r, f.e);
    return r;
  }

  // Division, minimum, maximum.

  /** @param {Kind} kind @param {number} a @param {number} b */
  folded(kind, a, b) {
    if (!this.isConstant(a) || !this.isConstant(b)) return null;
    const value = appliedTo(kind, this.value(a), this.value(b));
    return value === null ? null : this.constant(value);
  }
  /** @param {Kind} kind @param {number} a @param {number} b */
  division(kind, a, b) {
    return this.internPair(kind, a, b, this.isConstant(b) && this.value(b) > 0n ? this.value(b) : 0n);
  }
  /** @param {number} a @param {number} b @returns {number} */
  floorDiv(a, b) {
    if (this.isNumber(b, 1n)) return a;
    const folded = this.folded("quotient", a, b);
    if (folded !== null) return folded;
    if (this.isConstant(b) && this.value(b) < 0n && this.value(b) !== leastInteger) {
      const negated = this.neg(a);
      return this.floorDiv(negated, this.constant(-this.value(b)));
    }
    return this.division("quotient", a, b);
  }
  /** @param {number} a @param {number} b @returns {number} */
  mod(a, b) {
    if (this.isNumber(b, 1n)) return this.constant(0n);
    const folded = this.folded("remainder", a, b);
    if (folded !== null) return folded;
    if (this.isConstant(b) && this.value(b) < 0n && this.value(b) !== leastInteger) {
      const negated = this.neg(a);
      return this.neg(this.mod(negated, this.constant(-this.value(b))));
    }
    return this.division("quotient", a, b) ^ 1;
  }
  /** @param {number} a @param {number} b @returns {number} */
  ceilDiv(a, b) {
    if (this.isNumber(b, 1n)) return a;
    const folded = this.folded("ceildiv", a, b);
    if (folded !== null) return folded;
    if (this.isConstant(b) && this.value(b) < 0n && this.value(b) !== leastInteger) {
      const negated = this.neg(a);
      return this.ceilDiv(negated, this.constant(-this.value(b)));
    }
    return this.division("ceildiv", a, b);
  }
  /** @param {number} a @param {bigint} c */
  floorBy(a, c) {
    return this.floorDiv(a, this.constant(c));
  }
  /** @param {number} a @param {bigint} c */
  modBy(a, c) {
    return this.mod(a, this.constant(c));
  }
  /** @param {"min"|"max"} kind @param {number} a @param {number} b */
  extremum(kind, a, b) {
    if (a === b) return a;
    return this.folded(kind, a, b) ?? this.internPair(kind, Math.min(a, b), Math.max(a, b), 0n);
  }

  // Walks.

  /** The expression with f applied to its operands.
   * @param {number} e @param {(e: number) => number} f @returns {number} */
  rebuild(e, f) {
    const n = this.node(e), kind = this.kind(e);
    if (kind === "constant" || kind === "variable") return e;
    if (kind === "sum") return this.sum(n.terms.map((t) => ({ e: f(t.e), k: t.k })), n.value);
    if (kind === "product") {
      let r = this.constant(1n);
      for (const t of n.terms) {
        const x = f(t.e);
        for (let i = 0n; i < t.k; ++i) r = this.mul(r, x);
      }
      return r;
    }
    const a = f(n.a), b = f(n.b);
    switch (kind) {
      case "quotient": return this.floorDiv(a, b);
      case "remainder": return this.mod(a, b);
      case "ceildiv": return this.ceilDiv(a, b);
      case "min": case "max": return this.extremum(kind, a, b);
    }
    return n.value === 0n ? this.add(a, b) : this.mul(a, b);
  }
  /** e with variables replaced: `by[kind][index]`, if there is one.
   * @param {(number|null)[][]} by @returns {(e: number) => number} */
  substitution(by) {
    let replaced = 0n;
    by.forEach((list, kind) => list.forEach((e, index) => {
      if (e !== null && e !== undefined && e !== this.variable({ kind, index })) replaced |= bitOf({ kind, index });
    }));
    /** @type {Map<number, number>} */
    const memo = new Map();
    /** @param {number} e @returns {number} */
    const visit = (e) => {
      if (!(this.vars(e) & replaced)) return e;
      if (this.kind(e) === "variable") return by[this.rhs(e)]?.[this.lhs(e)] ?? e;
      let r = memo.get(e);
      if (r === undefined) memo.set(e, (r = this.rebuild(e, visit)));
      return r;
    };
    return visit;
  }
  /** The size of the text: its operators, variables and constants.
   * @param {number} e @returns {bigint} */
  sizeOfExpression(e) {
    const known = this.sizes.get(e);
    if (known !== undefined) return known;
    const n = this.node(e), kind = this.kind(e);
    let size = 1n;
    if (kind === "sum") size = n.terms.reduce((s, t) => s + this.sizeOfExpression(t.e) + (t.k === 1n || t.k === -1n ? 0n : 2n), BigInt(n.terms.length - 1) + (n.value !== 0n ? 2n : 0n));
    else if (kind === "product") size = n.terms.reduce((s, t) => s + t.k * (this.sizeOfExpression(t.e) + 1n), -1n);
    else if (kind !== "constant" && kind !== "variable") size = this.sizeOfExpression(n.a) + this.sizeOfExpression(n.b) + 1n;
    this.sizes.set(e, size);
    return size;
  }
}

/** A variable of a map. An empty name prints as d0, s0, rt0 or p0. Runtime variables with
 * one source have one value.
 * @typedef {{bounds: Interval, name: string, isParameter?: boolean, source?: number}} ArenaVariable */
/** @typedef {{e: number, bounds: Interval}} ArenaConstraint */

/** Variables with bounds, and constraints on them. `lists`: dimensions, ranges, and
 * runtime variables with the parameters behind them. */
export class ArenaDomain {
  constructor() {
    /** @type {ArenaVariable[][]} */
    this.lists = [[], [], []];
    /** @type {ArenaConstraint[]} */
    this.constraints = [];
    this.knownEmpty = false;
  }
  copy() {
    const d = new ArenaDomain();
    d.lists = this.lists.map((list) => list.map((v) => ({ ...v })));
    d.constraints = [...this.constraints];
    d.knownEmpty = this.knownEmpty;
    return d;
  }
  /** @returns {Var[]} */
  get vars() {
    return this.lists.flatMap((list, kind) => list.map((_, index) => ({ kind, index })));
  }
  get numVars() {
    return this.lists.reduce((n, list) => n + list.length, 0);
  }
  /** @param {Var} v */
  of(v) {
    return this.lists[v.kind][v.index];
  }
  /** @param {Var} v */
  slot(v) {
    let first = 0;
    for (let k = 0; k < v.kind; ++k) first += this.lists[k].length;
    return v.index < this.lists[v.kind].length ? first + v.index : -1;
  }
  /** @param {number} e @param {Interval} bounds */
  constrain(e, bounds) {
    this.constraints.push({ e, bounds });
  }
}

/** A map of an arena. */
export class ArenaMap {
  /** @param {Arena} arena */
  constructor(arena) {
    this.arena = arena;
    this.domain = new ArenaDomain();
    /** @type {number[]} */
    this.results = [];
  }
  copy() {
    const m = new ArenaMap(this.arena);
    m.domain = this.domain.copy();
    m.results = [...this.results];
    return m;
  }
  /** @param {Arena} arena @param {number} dims @param {number} results */
  static empty(arena, dims, results) {
    const m = new ArenaMap(arena);
    for (let i = 0; i < dims; ++i) m.domain.lists[0].push({ bounds: Interval.empty, name: "" });
    m.domain.knownEmpty = true;
    for (let i = 0; i < results; ++i) m.results.push(arena.constant(0n));
    return m;
  }
  /** Replaces variables everywhere.
   * @param {(number|null)[][]} by */
  substitute(by) {
    const visit = this.arena.substitution(by);
    this.results = this.results.map(visit);
    this.domain.constraints = this.domain.constraints.map((c) => ({ e: visit(c.e), bounds: c.bounds }));
  }
  get size() {
    const { arena } = this;
    return this.results.reduce((n, e) => n + arena.sizeOfExpression(e), 0n) + this.domain.constraints.reduce((n, c) => n + 1n + arena.sizeOfExpression(c.e), 0n);
  }
  /** @param {ArenaMap} o */
  equals(o) {
    const a = this.domain, b = o.domain;
    return a.knownEmpty === b.knownEmpty && this.results.join() === o.results.join() &&
      a.lists.every((list, k) => list.length === b.lists[k].length && list.every((v, i) => v.bounds.equals(b.lists[k][i].bounds) && v.name === b.lists[k][i].name)) &&
      sameConstraints(a.constraints, b.constraints);
  }
}

/** @param {ArenaConstraint[]} a @param {ArenaConstraint[]} b */
export function sameConstraints(a, b) {
  return a.length === b.length && a.every((c, i) => c.e === b[i].e && c.bounds.equals(b[i].bounds));
}
