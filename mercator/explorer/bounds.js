// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Intervals and residues of expressions on a domain, as in
// mercator/indexing/map/IntervalAnalysis.cpp and Propagation.cpp, which explain them.

import { Interval, Residue, floorPositive, fits, greatestDivisor, greatestInteger, leastInteger, modPositive, solveCongruence } from "./integers.js";

/** @typedef {import("./arena.js").Arena} ArenaOf */
/** @typedef {import("./arena.js").Term} TermOf */
/** @typedef {import("./arena.js").ArenaDomain} DomainOf */
/** @typedef {import("./arena.js").ArenaConstraint} ConstraintOf */

/** What is known of one domain. `tightened` and `residues` are by variable: its slot.
 * @typedef {{epoch: number, slots: (v: import("./arena.js").Var) => number, tightened: Interval[], residues: Residue[], constraints: ConstraintOf[], knownEmpty: boolean, memo: Map<number, Interval>}} Known */

/** The k such that `whole` has k times each term of `part`; 0 if there is none.
 * @param {TermOf[]} whole @param {TermOf[]} part */
function multipleOfPart(whole, part) {
  let k = 0n, i = 0;
  for (const p of part) {
    while (i < whole.length && whole[i].e < p.e) ++i;
    if (i === whole.length || whole[i].e !== p.e || whole[i].k % p.k !== 0n) return 0n;
    const ratio = whole[i].k / p.k;
    if (k !== 0n && ratio !== k) return 0n;
    k = ratio;
  }
  return k;
}

/** The values of x mod c.
 * @param {Interval} x @param {bigint} c */
function remainderInterval(x, c) {
  const isWindow = x.isBounded && floorPositive(x.low, c) === floorPositive(x.high, c);
  return isWindow ? new Interval(modPositive(x.low, c), modPositive(x.high, c)) : new Interval(0n, c - 1n);
}

/** Intervals and residues on one domain. Equal domains of an arena share what is known. */
export class Bounds {
  /** @param {ArenaOf} arena @param {DomainOf} domain */
  constructor(arena, domain) {
    this.arena = arena;
    const lists = domain.lists.map((list) => list.map((v) => `${v.bounds.low}:${v.bounds.high}`).join());
    const key = [domain.knownEmpty, ...lists, ...domain.constraints.map((c) => `${c.e}:${c.bounds.low}:${c.bounds.high}`)].join(";");
    /** @type {Known} */
    this.known = arena.domains.get(key);
    if (this.known) return;
    const given = domain.lists.flatMap((list) => list.map((v) => v.bounds));
    const counts = domain.lists.map((list) => list.length);
    this.known = {
      epoch: arena.domains.size + 1,
      slots: (v) => (v.index < counts[v.kind] ? v.index + (v.kind > 0 ? counts[0] : 0) + (v.kind > 1 ? counts[1] : 0) : -1),
      tightened: given, residues: given.map(() => Residue.everything), constraints: [...domain.constraints], knownEmpty: domain.knownEmpty, memo: new Map(),
    };
    arena.domains.set(key, this.known);
    new Propagator(arena, this.known).run();
  }
  get isKnownEmpty() {
    return this.known.knownEmpty;
  }
  /** @param {TermOf[]} terms @param {bigint} constant @returns {Residue} */
  residueOfTerms(terms, constant) {
    let r = Residue.constant(constant);
    for (let i = terms.length; i-- > 0 && !r.isEverything;) r = r.plus(this.residue(terms[i].e).times(terms[i].k));
    return r;
  }
  /** @param {number} e @returns {Residue} */
  residue(e) {
    const { arena, known } = this;
    let r = Residue.everything;
    switch (arena.kind(e)) {
      case "constant": return Residue.constant(arena.value(e));
      case "variable": return known.residues[known.slots(arena.var(e))] ?? r;
      case "sum":
        r = this.residueOfTerms(arena.linear(e).terms, arena.linear(e).constant);
        break;
      case "remainder":
        if (arena.divisor(e) !== 0n) {
          const x = this.residue(arena.lhs(e)), g = greatestDivisor(x.modulus, arena.divisor(e));
          if (g > 1n) r = Residue.of(g, x.remainder);
        }
    }
    for (const c of known.constraints)
      if (c.bounds.isPoint && arena.isDivision(c.e, "remainder") && arena.lhs(c.e) === e) r = r.intersect(Residue.of(arena.divisor(c.e), c.bounds.low)) ?? r;
    return r;
  }
  /** The interval of the constant plus the terms.
   * @param {TermOf[]} terms @param {bigint} constant @returns {Interval} */
  intervalOfTerms(terms, constant) {
    const { arena } = this;
    /** Without the terms that `skip` has.
     * @param {TermOf[]} skip @param {Interval} from */
    const addOthers = (skip, from) => terms.reduce((sum, t) => (skip.some((p) => p.e === t.e) ? sum : sum.plus(this.interval(t.e).times(t.k))), from);
    let r = addOthers([], Interval.point(constant));
    if (r.isPoint || r.isEmpty) return r;
    for (const c of this.known.constraints) {
      const l = arena.linear(c.e);
      if (l.terms.length > terms.length || !l.terms.length) continue;
      const k = multipleOfPart(terms, l.terms);
      if (k !== 0n) r = r.intersect(addOthers(l.terms, c.bounds.minus(Interval.point(l.constant)).times(k).shifted(constant)));
    }
    if (terms.length < 2) return this.residueOfTerms(terms, constant).clip(r);
    // b*X + p*(X / c) + q*(X mod c) = (b*c + p)*(X / c) + (b + q)*(X mod c).
    for (const { e } of terms) {
      const kind = arena.kind(e);
      if ((kind !== "quotient" && kind !== "remainder") || arena.divisor(e) === 0n) continue;
      const x = arena.linear(arena.lhs(e)), c = arena.divisor(e), b = multipleOfPart(terms, x.terms);
      if (b === 0n || x.terms.some((t) => t.e === e) || !fits(b * c)) continue;
      const pair = e ^ 1, quotient = e & ~1;
      const ofQuotient = this.interval(kind === "quotient" ? e : pair), ofRemainder = this.interval(kind === "quotient" ? pair : e);
      let p = 0n, q = 0n;
      let other = Interval.point(constant).minus(Interval.point(x.constant).times(b));
      for (const t of terms) {
        if (t.e === quotient) p = t.k;
        else if (t.e === (quotient | 1)) q = t.k;
        else if (!x.terms.some((u) => u.e === t.e)) other = other.plus(this.interval(t.e).times(t.k));
      }
      if (fits(b * c + p) && fits(b + q)) r = r.intersect(other.plus(ofQuotient.times(b * c + p)).plus(ofRemainder.times(b + q)));
    }
    return this.residueOfTerms(terms, constant).clip(r);
  }
  /** @param {number} e @returns {Interval} */
  interval(e) {
    const { arena, known } = this;
    if (known.knownEmpty) return Interval.empty;
    if (arena.isConstant(e)) return Interval.point(arena.value(e));
    if (arena.kind(e) === "variable") return known.tightened[known.slots(arena.var(e))] ?? Interval.everything;
    let r = known.memo.get(e);
    if (!r) known.memo.set(e, (r = this.computed(e)));
    return r;
  }
  /** @param {number} e @returns {Interval} */
  computed(e) {
    const { arena } = this, n = arena.node(e), kind = arena.kind(e);
    let r = Interval.everything;
    if (kind === "sum") return this.constrained(e, this.intervalOfTerms(n.terms, n.value));
    if (kind === "product") return this.constrained(e, n.terms.reduce((p, t) => p.product(this.interval(t.e).power(t.k)), Interval.point(1n)));
    const x = this.interval(n.a), c = n.value;
    if (kind === "quotient") r = c ? x.floorDiv(c) : x.quotient(this.interval(n.b));
    else if (kind === "ceildiv") r = (c ? x.negated().floorDiv(c) : x.negated().quotient(this.interval(n.b))).negated();
    else if (kind === "remainder") {
      if (c) r = this.residue(e).clip(remainderInterval(x, c));
      else {
        const y = this.interval(n.b);
        if (y.low > 0n) {
          const high = y.hasHigh ? y.high - 1n : greatestInteger;
          if (x.low >= 0n && x.high < y.low) r = x;
          else r = new Interval(0n, x.low >= 0n && x.high < high ? x.high : high);
        }
      }
    } else if (kind === "min") r = x.min(this.interval(n.b));
    else if (kind === "max") r = x.max(this.interval(n.b));
    else r = c === 0n ? x.plus(this.interval(n.b)) : x.product(this.interval(n.b));
    return this.constrained(e, r);
  }
  /** The interval, intersected with the constraints on e itself.
   * @param {number} e @param {Interval} r */
  constrained(e, r) {
    for (const c of this.known.constraints) {
      const l = this.arena.linear(c.e);
      if (l.terms.length !== 1 || l.terms[0].e !== e || l.terms[0].k === leastInteger) continue;
      const b = c.bounds.minus(Interval.point(l.constant)), k = l.terms[0].k;
      r = r.intersect(k < 0n ? b.negated().inward(-k) : b.inward(k));
    }
    return r;
  }
}

/** The x with x / d in the bounds.
 * @param {Interval} bounds @param {bigint} d */
function numeratorOf(bounds, d) {
  if (bounds.isEmpty) return Interval.empty;
  return new Interval(new Interval(bounds.low, greatestInteger).times(d).low, new Interval(leastInteger, bounds.high).times(d).shifted(d - 1n).high);
}

/** Computes the bounds of single variables that constraints imply. */
class Propagator {
  /** @param {ArenaOf} arena @param {Known} data */
  constructor(arena, data) {
    this.arena = arena;
    this.data = data;
    this.changed = false;
    this.visits = 0;
  }
  run() {
    const { data } = this;
    data.knownEmpty ||= data.tightened.some((i) => i.isEmpty);
    data.tightened = [...data.tightened];
    if (data.knownEmpty || !data.constraints.length) return;
    for (const c of data.constraints) this.learnResidue(c);
    data.tightened = data.tightened.map((i, slot) => data.residues[slot].clip(i));
    data.knownEmpty ||= data.tightened.some((i) => i.isEmpty);
    const before = [...data.tightened];
    this.changed = true;
    for (let round = 0; this.changed && !data.knownEmpty; ++round) {
      if (round === 12) {
        data.tightened = before;
        return;
      }
      this.changed = false;
      for (const c of data.constraints) {
        this.visits = 0;
        this.impose(c.e, c.bounds, 0);
        if (this.interval(c.e, 0).intersect(c.bounds).isEmpty) data.knownEmpty = true;
        if (data.knownEmpty) return;
      }
    }
  }
  /** Solves a * v + k = r modulo m for a single variable v.
   * @param {ConstraintOf} c */
  learnResidue(c) {
    const { arena, data } = this;
    if (!arena.isDivision(c.e, "remainder") || !c.bounds.isPoint) return;
    const m = arena.divisor(c.e), r = c.bounds.low;
    if (r < 0n || r >= m) {
      data.knownEmpty = true;
      return;
    }
    const x = arena.linear(arena.lhs(c.e));
    if (x.terms.length !== 1 || arena.kind(x.terms[0].e) !== "variable") return;
    const slot = data.slots(arena.var(x.terms[0].e));
    if (slot < 0) return;
    const solved = solveCongruence(x.terms[0].k, r - modPositive(x.constant, m), m);
    const both = solved && data.residues[slot].intersect(solved);
    if (both) data.residues[slot] = both;
    else data.knownEmpty = true;
  }
  isSpent() {
    return ++this.visits > 512;
  }
  /** The interval under the current bounds; nothing is remembered, since they change.
   * @param {number} e @param {number} depth @returns {Interval} */
  interval(e, depth) {
    const { arena, data } = this, n = arena.node(e);
    if (arena.isConstant(e)) return Interval.point(n.value);
    if (depth > 24 || this.isSpent()) return Interval.everything;
    /** @param {number} x */
    const below = (x) => this.interval(x, depth + 1);
    switch (arena.kind(e)) {
      case "variable": return data.tightened[data.slots(arena.var(e))] ?? Interval.everything;
      case "sum": return n.terms.reduce((r, t) => r.plus(below(t.e).times(t.k)), Interval.point(n.value));
      case "quotient": return n.value ? below(n.a).floorDiv(n.value) : Interval.everything;
      case "ceildiv": return n.value ? below(n.a).negated().floorDiv(n.value).negated() : Interval.everything;
      case "remainder": return n.value ? remainderInterval(below(n.a), n.value) : Interval.everything;
      case "min": return below(n.a).min(below(n.b));
      case "max": return below(n.a).max(below(n.b));
    }
    return Interval.everything;
  }
  /** Narrows the variables of e such that e in bounds still holds.
   * @param {number} e @param {Interval} bounds @param {number} depth */
  impose(e, bounds, depth) {
    const { arena, data } = this, n = arena.node(e), d = n.value;
    if (data.knownEmpty || depth > 24 || this.isSpent() || (!bounds.hasLow && !bounds.hasHigh)) return;
    switch (arena.kind(e)) {
      case "constant":
        data.knownEmpty ||= !bounds.contains(d);
        return;
      case "variable": {
        const slot = data.slots(arena.var(e));
        if (slot < 0) return;
        const narrowed = data.residues[slot].clip(data.tightened[slot].intersect(bounds));
        if (narrowed.equals(data.tightened[slot])) return;
        data.tightened[slot] = narrowed;
        data.knownEmpty ||= narrowed.isEmpty;
        this.changed = true;
        return;
      }
      case "sum": return this.imposeSum(n.terms, bounds.minus(Interval.point(d)), depth);
      case "quotient":
        if (d) this.impose(n.a, numeratorOf(bounds, d), depth + 1);
        return;
      case "ceildiv":
        if (d) this.impose(n.a, numeratorOf(bounds, d).minus(Interval.point(d - 1n)), depth + 1);
        return;
      case "remainder":
        if (d) {
          const x = this.interval(n.a, depth + 1);
          if (!x.isBounded) return;
          const k = floorPositive(x.low, d);
          if (k === floorPositive(x.high, d)) this.impose(n.a, bounds.intersect(new Interval(0n, d - 1n)).plus(Interval.point(k).times(d)), depth + 1);
        }
        return;
      case "min": case "max": return this.imposeExtremum(e, bounds, depth);
    }
  }
  /** A term is bounded by the sum minus all other terms.
   * @param {TermOf[]} terms @param {Interval} bounds @param {number} depth */
  imposeSum(terms, bounds, depth) {
    const parts = terms.map((t) => this.interval(t.e, depth + 1).times(t.k));
    const suffix = [Interval.point(0n)];
    for (let i = parts.length; i-- > 0;) suffix.unshift(suffix[0].plus(parts[i]));
    let prefix = Interval.point(0n);
    for (let i = 0; i < terms.length; ++i) {
      let scaled = bounds.minus(prefix.plus(suffix[i + 1]));
      prefix = prefix.plus(parts[i]);
      let { k } = terms[i];
      if (k === leastInteger) continue;
      if (k < 0n) [scaled, k] = [scaled.negated(), -k];
      const term = scaled.inward(k);
      if (scaled.isEmpty || term.isEmpty) {
        this.data.knownEmpty = true;
        return;
      }
      this.impose(terms[i].e, term, depth + 1);
    }
  }
  /** @param {number} e @param {Interval} bounds @param {number} depth */
  imposeExtremum(e, bounds, depth) {
    const isMin = this.arena.kind(e) === "min", a = this.arena.lhs(e), b = this.arena.rhs(e);
    const atLeast = new Interval(bounds.low, greatestInteger), atMost = new Interval(leastInteger, bounds.high);
    // One bound holds for both operands, the other for one of them: if the other operand
    // is known to lie beyond the bound, it is this one.
    const [both, one] = isMin ? [atLeast, atMost] : [atMost, atLeast];
    this.impose(a, both, depth + 1);
    this.impose(b, both, depth + 1);
    for (const [x, y] of [[a, b], [b, a]]) {
      if (isMin ? !bounds.hasHigh : !bounds.hasLow) continue;
      const i = this.interval(x, depth + 1);
      if (isMin ? i.low > bounds.high : i.high < bounds.low) this.impose(y, one, depth + 1);
    }
  }
}
