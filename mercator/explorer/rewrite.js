// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules of the simplifier on expressions, as in mercator/indexing/simplify
// (SimplifySum.cpp, SimplifyDivision.cpp, Simplify.cpp), which explain them. A function
// tryNAME or mergeNAME has the rule NAME; the names and conditions of all rules are in
// Rules.def, and CMake puts them below.

import { Bounds } from "./bounds.js";
import { mergedTerms, sameTerms } from "./arena.js";
import { Interval, fits, floorPositive, greatestDivisor, leastInteger, modPositive } from "./integers.js";

/** Name, rewrite, side condition.
 * @type {string[][]} */
export const ruleTable = [/*RULES*/];

/** One use of a rule. An expression has the same value before and after, at each point
 * of `domain`. Without `domain` the rule changed the domain or the variables.
 * @typedef {{rule: string, before: number|null, after: number|null, domain: import("./arena.js").ArenaDomain|null}} RuleStep */
/** @typedef {import("./arena.js").Term} SumTerm */
/** @typedef {import("./arena.js").Linear} SumOfTerms */
/** A division by a constant while its rules are tried: n / c = pulled + shift +
 * (rest + constant) / c, and n mod c = (rest + constant) mod c.
 * @typedef {{n: number, c: bigint, constant: bigint, rest: SumTerm[], pulled: SumTerm[], shift: bigint, terms: Interval, changedBy: string|null}} Division */

/** True if the sorted terms `whole` have k times each term of `part`.
 * @param {SumTerm[]} whole @param {SumTerm[]} part @param {bigint} k @param {boolean} [orMore] */
function containsMultiple(whole, part, k, orMore = false) {
  let i = 0;
  for (const p of part) {
    const wanted = p.k * k;
    if (!fits(wanted)) return false;
    while (i < whole.length && whole[i].e < p.e) ++i;
    if (i === whole.length || whole[i].e !== p.e) return false;
    const have = whole[i].k;
    if (have !== wanted && !(orMore && (wanted > 0n ? have > wanted : have < wanted))) return false;
  }
  return part.length > 0;
}

/** s plus multiples of other sums, in order; null if a number leaves 64 bits.
 * @param {SumOfTerms} s @param {[SumOfTerms, bigint][]} parts @returns {SumOfTerms|null} */
function plusMultiples(s, parts) {
  let { constant } = s;
  const terms = [...s.terms];
  for (const [part, k] of parts) {
    const c = part.constant * k;
    constant += c;
    if (!fits(c) || !fits(constant)) return null;
    for (const t of part.terms) {
      if (!fits(t.k * k)) return null;
      terms.push({ e: t.e, k: t.k * k });
    }
  }
  const merged = mergedTerms(terms);
  return merged && { terms: merged, constant };
}

/** How many multiples of c leave the constant, so that the least value lies in [0, c).
 * @param {Interval} terms @param {bigint} constant @param {bigint} c */
function windowShift(terms, constant, c) {
  if (constant % c === 0n) return constant / c;
  const least = modPositive(terms.low, c) + modPositive(constant, c);
  const wanted = modPositive(least, c) - terms.low, taken = constant - wanted;
  if (!terms.hasLow || !fits(least) || !fits(wanted) || !fits(taken)) return floorPositive(constant, c);
  return taken / c;
}

/** @param {SumTerm[]} terms @param {number[]} places */
function without(terms, ...places) {
  return terms.filter((_, i) => !places.includes(i));
}

/** The simplifier of expressions on one domain. */
export class Rewriter {
  /** @param {import("./arena.js").Arena} arena @param {import("./arena.js").ArenaDomain} domain @param {boolean} foldPoints @param {RuleStep[]|null} trace */
  constructor(arena, domain, foldPoints, trace) {
    this.arena = arena;
    this.domain = trace ? domain.copy() : domain;
    this.bounds = new Bounds(arena, domain);
    this.foldPoints = foldPoints;
    this.trace = trace;
    this.depth = 0;
  }
  /** @param {string} rule @param {number} before @param {number} after */
  note(rule, before, after) {
    if (this.trace && before !== after) this.trace.push({ rule, before, after, domain: this.domain });
    return after;
  }
  /** @param {string} rule @param {boolean} isQuotient @param {number} n @param {bigint} c @param {number} after */
  noteDivision(rule, isQuotient, n, c, after) {
    return this.trace ? this.note(rule, isQuotient ? this.arena.floorBy(n, c) : this.arena.modBy(n, c), after) : after;
  }
  /** @param {string} rule @param {SumOfTerms} s @param {SumOfTerms} next */
  noteSum(rule, s, next) {
    if (!this.trace) return next;
    const before = this.arena.sum(s.terms, s.constant);
    this.note(rule, before, this.arena.sum(next.terms, next.constant));
    return next;
  }
  /** The normal form: rewrites until no rule applies.
   * @param {number} e @returns {number} */
  simplify(e) {
    const { arena, bounds } = this;
    if (arena.isConstant(e)) return e;
    const key = bounds.known.epoch * 2 + (this.foldPoints ? 1 : 0);
    /** @param {number} x */
    const lookup = (x) => {
      const m = arena.simplified.get(x);
      return m?.key === key ? m.e : null;
    };
    const known = lookup(e);
    if (known !== null) return known;
    if (bounds.isKnownEmpty || this.depth > 384) return e;
    ++this.depth;
    let current = e;
    for (let i = 0; i < 32; ++i) {
      const next = this.step(current);
      if (next === current) break;
      current = next;
      const other = lookup(current);
      if (other !== null) {
        current = other;
        break;
      }
    }
    --this.depth;
    arena.simplified.set(current, { key, e: current });
    arena.simplified.set(e, { key, e: current });
    return current;
  }
  /** One rewrite of a node.
   * @param {number} e @returns {number} */
  step(e) {
    const { arena } = this;
    switch (arena.kind(e)) {
      case "constant": return e;
      case "variable":
        if (!this.foldPoints) return e;
        break;
      case "sum": e = this.stepSum(e); break;
      case "product": e = this.stepProduct(e); break;
      case "quotient": case "remainder": e = this.stepDivision(e); break;
      case "ceildiv": {
        const n = this.simplify(arena.lhs(e)), d = this.simplify(arena.rhs(e));
        if (arena.isConstant(d) && arena.value(d) > 0n) {
          const c = arena.value(d);
          e = this.note("CeilDivToQuotient", e, arena.floorBy(arena.addNumber(n, c - 1n), c));
        } else e = arena.ceilDiv(n, d);
        break;
      }
      case "min": case "max": e = this.stepMinMax(e); break;
      case "wide": {
        const a = this.simplify(arena.lhs(e)), b = this.simplify(arena.rhs(e));
        e = arena.value(e) === 0n ? arena.add(a, b) : arena.mul(a, b);
      }
    }
    if (arena.isConstant(e) || (!this.foldPoints && arena.kind(e) === "sum")) return e;
    const i = this.bounds.interval(e);
    return i.isPoint ? this.note("PointValue", e, arena.constant(i.low)) : e;
  }
  /** @param {number} e */
  stepProduct(e) {
    const factors = this.arena.node(e).terms;
    const simpler = factors.map((t) => ({ e: this.simplify(t.e), k: t.k }));
    return sameTerms(factors, simpler) || simpler.some((t) => t.k > 64n) ? e : this.arena.productOf(simpler);
  }
  /** @param {number} e */
  stepMinMax(e) {
    const { arena } = this, kind = /** @type {"min"|"max"} */ (arena.kind(e)), isMin = kind === "min";
    const a = this.simplify(arena.lhs(e)), b = this.simplify(arena.rhs(e));
    if (a === b) return a;
    const d = this.bounds.interval(arena.sub(a, b));
    if (d.hasHigh && d.high <= 0n) return this.note("MinMaxDecided", e, isMin ? a : b);
    if (d.hasLow && d.low >= 0n) return this.note("MinMaxDecided", e, isMin ? b : a);
    for (const [x, y] of [[a, b], [b, a]]) {
      const k = arena.kind(y);
      if ((k === "min" || k === "max") && (arena.lhs(y) === x || arena.rhs(y) === x)) return this.note("MinMaxAbsorbed", e, k === kind ? y : x);
    }
    return arena.extremum(kind, a, b);
  }

  // Divisions.

  /** @param {number} e */
  stepDivision(e) {
    const { arena } = this, isQuotient = arena.kind(e) === "quotient";
    const n = this.simplify(arena.lhs(e)), d = this.simplify(arena.rhs(e));
    if (arena.isConstant(d) && arena.value(d) > 0n) return isQuotient ? this.quotient(n, arena.value(d)) : this.remainder(n, arena.value(d));
    if (!arena.isConstant(d)) return this.symbolicDivision(isQuotient, n, d);
    return isQuotient ? arena.floorDiv(n, d) : arena.mod(n, d);
  }
  /** n / c for a simplified n.
   * @param {number} n @param {bigint} c @returns {number} */
  quotient(n, c) {
    const { arena } = this;
    if (c === 1n) return n;
    if (arena.isConstant(n)) return arena.floorBy(n, c);
    const d = this.divisionOf(n, c);
    for (const t of arena.linear(n).terms) {
      if (t.k % c === 0n) d.pulled.push({ e: t.e, k: t.k / c });
      else d.rest.push(t);
    }
    if (d.pulled.length) d.changedBy = "QuotientMultiples";
    d.terms = this.bounds.intervalOfTerms(d.rest, 0n);
    if (d.terms.shifted(d.constant).isEmpty) return arena.constant(0n);
    /** @param {string} rule @param {number} q */
    const finish = (rule, q) => {
      d.pulled.push({ e: q, k: 1n });
      return this.noteDivision(rule, true, n, c, arena.sum(d.pulled, d.shift));
    };
    const window = this.tryQuotientWindow(d);
    if (window !== null) return finish("QuotientWindow", window);
    this.moveConstant(d, "QuotientConstant");
    const dropped = this.tryQuotientDropPart(d);
    if (dropped !== null) return finish("QuotientDropPart", dropped);
    const nested = this.tryQuotientNested(d);
    if (nested !== null) return finish("QuotientNested", nested);
    const ofRemainder = this.tryQuotientOfRemainder(d);
    if (ofRemainder !== null) return finish("QuotientOfRemainder", ofRemainder);
    const q = arena.floorBy(arena.sum(d.rest, d.constant), c);
    return d.changedBy ? finish(d.changedBy, q) : q;
  }
  /** @param {number} n @param {bigint} c @returns {Division} */
  divisionOf(n, c) {
    return { n, c, constant: this.arena.linear(n).constant, rest: [], pulled: [], shift: 0n, terms: Interval.everything, changedBy: null };
  }
  /** (x + k) / c => (x + k - c*m) / c + m
   * @param {Division} d @param {string} rule */
  moveConstant(d, rule) {
    const shift = windowShift(d.terms, d.constant, d.c), taken = shift * d.c;
    if (shift === 0n || !fits(taken) || !fits(d.constant - taken)) return;
    d.constant -= taken;
    d.shift = shift;
    d.changedBy ??= rule;
  }
  /** x / c => k, if x is in [k*c, k*c + c - 1]
   * @param {Division} d */
  tryQuotientWindow(d) {
    const x = d.terms.shifted(d.constant);
    if (!x.isBounded) return null;
    const k = floorPositive(x.low, d.c);
    return k === floorPositive(x.high, d.c) ? this.arena.constant(k) : null;
  }
  /** A split of the terms into multiples of g and a part that never carries.
   * @param {Division} d @returns {{g: bigint, kept: SumTerm[], dropped: SumTerm[], carry: bigint}|null} */
  findDrop(d) {
    if (d.rest.some((t) => t.k === leastInteger)) return null;
    const order = d.rest.map((term) => ({ shared: greatestDivisor(term.k, d.c), term }));
    order.sort((a, b) => (a.shared !== b.shared ? (a.shared > b.shared ? -1 : 1) : a.term.e - b.term.e));
    let g = d.c;
    for (let i = 0; i < order.length;) {
      for (const { shared } = order[i]; i < order.length && order[i].shared === shared; ++i) g = greatestDivisor(g, shared);
      if (g === 1n) return null;
      while (i < order.length && order[i].shared % g === 0n) ++i;
      const dropped = order.slice(i).map((o) => o.term).sort((a, b) => a.e - b.e);
      const r = this.bounds.intervalOfTerms(dropped, d.constant);
      if (!r.isBounded || r.isEmpty || floorPositive(r.low, g) !== floorPositive(r.high, g)) continue;
      return { g, dropped, carry: floorPositive(r.low, g), kept: order.slice(0, i).map((o) => ({ e: o.term.e, k: o.term.k / g })) };
    }
    return null;
  }
  /** (g*x + y) / (g*c) => (x + k) / c, if y is in [g*k, g*k + g - 1]
   * @param {Division} d */
  tryQuotientDropPart(d) {
    const drop = this.findDrop(d);
    return drop && drop.g > 1n ? this.quotient(this.arena.sum(drop.kept, drop.carry), d.c / drop.g) : null;
  }
  /** (x / a + y) / c => (x + a*y) / (a*c), if there is only one such x / a
   * @param {Division} d */
  tryQuotientNested(d) {
    const { arena } = this;
    const inner = d.rest.filter((t) => arena.isDivision(t.e, "quotient") && t.k === 1n);
    if (inner.length !== 1) return null;
    const q = inner[0].e, a = arena.divisor(q);
    if (!fits(a * d.c)) return null;
    const y = arena.scale(arena.sum(d.rest.filter((t) => t !== inner[0]), d.constant), a);
    const flat = this.simplify(arena.add(arena.lhs(q), y));
    return arena.kind(flat) !== "wide" ? this.quotient(flat, a * d.c) : null;
  }
  /** (x mod c*m) / c => (x / c) mod m
   * @param {Division} d */
  tryQuotientOfRemainder(d) {
    const { arena } = this;
    if (d.rest.length !== 1 || d.constant !== 0n || d.rest[0].k !== 1n) return null;
    const inner = d.rest[0].e;
    if (!arena.isDivision(inner, "remainder") || arena.divisor(inner) % d.c !== 0n) return null;
    const m = arena.divisor(inner) / d.c;
    return arena.modBy(arena.floorBy(arena.lhs(inner), d.c), m);
  }
  /** n mod c for a simplified n.
   * @param {number} n @param {bigint} c @returns {number} */
  remainder(n, c) {
    const { arena } = this;
    if (c === 1n) return arena.constant(0n);
    if (arena.isConstant(n)) return arena.modBy(n, c);
    for (let next = this.tryRemainderNested(n, c); next !== null; next = this.tryRemainderNested(n, c)) {
      if (arena.isConstant(next)) return arena.modBy(next, c);
      n = next;
    }
    const d = this.divisionOf(n, c), { terms } = arena.linear(n);
    d.rest = terms.filter((t) => t.k % c !== 0n);
    if (d.rest.length !== terms.length) d.changedBy = "RemainderMultiples";
    d.terms = this.bounds.intervalOfTerms(d.rest, 0n);
    if (d.terms.shifted(d.constant).isEmpty) return arena.constant(0n);
    const k = this.bounds.residueOfTerms(d.rest, d.constant).modulo(c);
    if (k !== null) return this.noteDivision("RemainderResidue", false, n, c, arena.constant(k));
    const window = this.windowOf(d, d.rest, d.terms.shifted(d.constant));
    if (window !== null) return this.noteDivision("RemainderWindow", false, n, c, window);
    this.moveConstant(d, "RemainderConstant");
    const least = this.tryWindowOfLeast(d);
    if (least !== null) return this.noteDivision("RemainderWindow", false, n, c, least);
    const split = this.tryRemainderSplit(d);
    if (split !== null) return this.noteDivision("RemainderSplit", false, n, c, split);
    const m = arena.modBy(arena.sum(d.rest, d.constant), c);
    return d.changedBy ? this.noteDivision(d.changedBy, false, n, c, m) : m;
  }
  /** (a*(x mod m) + y) mod c => (a*x + y) mod c, if a*m is a multiple of c
   * @param {number} n @param {bigint} c */
  tryRemainderNested(n, c) {
    const { arena } = this, s = arena.linear(n), terms = [...s.terms];
    for (let i = 0; i < terms.length; ++i) {
      const { e, k } = terms[i];
      if (arena.kind(e) !== "remainder" || arena.divisor(e) === 0n) continue;
      const scaled = k * arena.divisor(e);
      if (!fits(scaled) || scaled % c !== 0n || k % c === 0n) continue;
      terms[i] = { e: arena.lhs(e), k };
      const next = arena.sum(terms, s.constant);
      if (arena.kind(next) === "wide") continue;
      if (this.trace) {
        const before = arena.modBy(n, c);
        this.note("RemainderNested", before, arena.modBy(next, c));
      }
      return this.simplify(next);
    }
    return null;
  }
  /** The operand minus k*c, if all its values lie in [k*c, k*c + c).
   * @param {Division} d @param {SumTerm[]} terms @param {Interval} values */
  windowOf(d, terms, values) {
    if (!values.isBounded) return null;
    const k = floorPositive(values.low, d.c), base = d.constant - k * d.c;
    return k !== floorPositive(values.high, d.c) || !fits(k * d.c) || !fits(base) ? null : this.arena.sum(terms, base);
  }
  /** The same with the least coefficients, which matter only modulo c.
   * @param {Division} d */
  tryWindowOfLeast(d) {
    const least = d.rest.map(({ e, k }) => {
      const r = modPositive(k, d.c);
      return { e, k: r > d.c / 2n ? r - d.c : r };
    });
    return sameTerms(least, d.rest) ? null : this.windowOf(d, least, this.bounds.intervalOfTerms(least, d.constant));
  }
  /** (g*x + y) mod (g*c) => g*((x + k) mod c) + y - g*k, if y is in [g*k, g*k + g - 1]
   * @param {Division} d */
  tryRemainderSplit(d) {
    const drop = this.findDrop(d);
    if (!drop || drop.g === 1n) return null;
    const high = this.remainder(this.arena.sum(drop.kept, drop.carry), d.c / drop.g);
    const base = d.constant - drop.carry * drop.g;
    return fits(drop.carry * drop.g) && fits(base) ? this.arena.sum([...drop.dropped, { e: high, k: drop.g }], base) : null;
  }

  /** The terms that are multiples of y, divided by y, and the others.
   * @param {SumOfTerms} s @param {number} y */
  splitBy(s, y) {
    const { arena } = this;
    /** @type {SumTerm[]} */
    const quotients = [];
    /** @type {SumTerm[]} */
    const rest = [];
    for (const t of s.terms) {
      const factors = arena.kind(t.e) === "product" ? arena.node(t.e).terms : [];
      if (t.e === y) quotients.push({ e: arena.constant(1n), k: t.k });
      else if (factors.some((f) => f.e === y)) quotients.push({ e: arena.productOf(factors.map((f) => (f.e === y ? { e: y, k: f.k - 1n } : f))), k: t.k });
      else rest.push(t);
    }
    return { quotients, rest };
  }
  /** A division by a value that is no constant.
   * @param {boolean} isQuotient @param {number} n @param {number} y */
  symbolicDivision(isQuotient, n, y) {
    const { arena, bounds } = this;
    const divided = () => (isQuotient ? arena.floorDiv(n, y) : arena.mod(n, y));
    const d = bounds.interval(y), x = bounds.interval(n);
    if (d.low > 0n && x.low >= 0n && x.high < d.low) {
      const result = isQuotient ? arena.constant(0n) : n;
      return this.note(isQuotient ? "QuotientWindow" : "RemainderWindow", divided(), result);
    }
    if (d.contains(0n)) return divided();
    const s = arena.linear(n), { quotients, rest } = this.splitBy(s, y);
    if (!quotients.length) return divided();
    const z = arena.sum(rest, s.constant), isZero = arena.isNumber(z, 0n);
    if (!isQuotient) {
      const result = isZero ? z : arena.mod(z, y);
      return this.note("RemainderSymbolic", divided(), result);
    }
    const result = arena.sum([...quotients, { e: isZero ? z : arena.floorDiv(z, y), k: 1n }], 0n);
    return this.note("QuotientSymbolic", divided(), result);
  }

  // Sums.

  /** @param {number} e */
  stepSum(e) {
    const { arena } = this;
    let s = arena.linear(e);
    const simpler = s.terms.map((t) => ({ e: this.simplify(t.e), k: t.k }));
    if (!sameTerms(simpler, s.terms)) {
      e = arena.sum(simpler, s.constant);
      if (arena.kind(e) !== "sum") return e;
      s = arena.linear(e);
    }
    for (let next = this.mergedSum(s); next; next = this.mergedSum(s)) {
      s = next;
      e = -1;
    }
    return e < 0 ? arena.sum(s.terms, s.constant) : e;
  }
  /** The sum after one rule; null if none applies.
   * @param {SumOfTerms} s @returns {SumOfTerms|null} */
  mergedSum(s) {
    const { arena } = this;
    for (let i = 0; i < s.terms.length; ++i) {
      const { e } = s.terms[i];
      const next = arena.isDivision(e, "remainder") || arena.isDivision(e, "quotient") ? this.mergeClasses(s, i) : null;
      if (next) return next;
    }
    for (let i = 0; i < s.terms.length; ++i) {
      const { e } = s.terms[i], kind = arena.kind(e);
      let next = null;
      if (arena.isDivision(e, "remainder")) next = this.mergePair(s, i) ?? this.mergeDigits(s, i);
      else if (arena.isDivision(e, "quotient")) next = this.mergeToRemainder(s, i);
      else if (kind === "min") next = this.mergeMinMax(s, i);
      else if (kind === "product") next = this.mergeProductPair(s, i) ?? this.mergeCommonFactor(s, i) ?? this.mergeSquares(s, i);
      if (next) return next;
    }
    return null;
  }
  /** a*c*(x / c) + a*(x mod c) => a*x
   * @param {SumOfTerms} s @param {number} i */
  mergePair(s, i) {
    const { arena } = this, t = s.terms[i], scaled = t.k * arena.divisor(t.e);
    if (!fits(scaled)) return null;
    const q = arena.linear(this.simplify(t.e ^ 1));
    if (!containsMultiple(s.terms, q.terms, scaled) || !fits(-scaled) || !fits(-t.k)) return null;
    const next = plusMultiples(s, [[q, -scaled], [arena.linear(arena.lhs(t.e)), t.k], [{ terms: [{ e: t.e, k: 1n }], constant: 0n }, -t.k]]);
    return next && this.noteSum("SumOfPair", s, next);
  }
  /** a*c*((x / c) mod m) + a*(x mod c) => a*(x mod c*m)
   * @param {SumOfTerms} s @param {number} i */
  mergeDigits(s, i) {
    const { arena } = this, low = s.terms[i], c = arena.divisor(low.e);
    if (!fits(low.k * c)) return null;
    for (let j = 0; j < s.terms.length; ++j) {
      const high = s.terms[j];
      if (j === i || high.k !== low.k * c || !arena.isDivision(high.e, "remainder") || !fits(c * arena.divisor(high.e))) continue;
      const q = this.simplify(low.e ^ 1);
      if (this.simplify(arena.modBy(q, arena.divisor(high.e))) !== high.e) continue;
      const merged = arena.modBy(arena.lhs(low.e), c * arena.divisor(high.e));
      const terms = mergedTerms(without(s.terms.map((t, n) => (n === i ? { e: merged, k: low.k } : t)), j));
      return terms && this.noteSum("SumOfDigits", s, { terms, constant: s.constant });
    }
    return null;
  }
  /** a*x - a*c*(x / c) => a*(x mod c), also if x is a sum with a quotient
   * @param {SumOfTerms} s @param {number} i */
  mergeToRemainder(s, i) {
    const { arena } = this, t = s.terms[i], c = arena.divisor(t.e), x = arena.lhs(t.e);
    if (t.k === leastInteger) return null;
    /** @param {number} n @param {bigint} m @param {string} rule */
    const replaced = (n, m, rule) => {
      if (t.k % m !== 0n) return null;
      const a = -t.k / m, ln = arena.linear(n);
      if (!containsMultiple(s.terms, ln.terms, a, true) || !plusMultiples({ terms: [], constant: s.constant }, [[ln, -a]])) return null;
      const r = arena.linear(arena.modBy(n, m));
      const next = plusMultiples({ terms: without(s.terms, i), constant: s.constant }, [[ln, -a], [r, a]]);
      return next && this.noteSum(rule, s, next);
    };
    const whole = replaced(x, c, "SumToRemainder");
    if (whole) return whole;
    for (let j = 0; j < s.terms.length; ++j) {
      const other = s.terms[j].e;
      if (j === i || !arena.isDivision(other, "quotient")) continue;
      const b = arena.divisor(other);
      if (c % b !== 0n || c === b || t.k % (c / b) !== 0n || s.terms[j].k !== -(t.k / (c / b))) continue;
      const difference = arena.linear(arena.sub(x, arena.lhs(other)));
      if (difference.constant % b !== 0n || difference.terms.some((d) => d.k % b !== 0n)) continue;
      const n = arena.sum([...difference.terms.map((d) => ({ e: d.e, k: d.k / b })), { e: other, k: 1n }], difference.constant / b);
      const next = replaced(n, c / b, "SumOfQuotients");
      if (next) return next;
    }
    return null;
  }
  /** a*c*(x / c)*y + a*(x mod c)*y => a*x*y
   * @param {SumOfTerms} s @param {number} i */
  mergeProductPair(s, i) {
    const { arena } = this, t = s.terms[i], factors = arena.node(t.e).terms;
    for (let f = 0; f < factors.length; ++f) {
      const r = factors[f].e;
      if (factors[f].k !== 1n || !arena.isDivision(r, "remainder")) continue;
      const rest = arena.productOf(without(factors, f)), scaled = t.k * arena.divisor(r);
      if (!fits(scaled)) continue;
      const q = arena.linear(arena.mul(this.simplify(r ^ 1), rest));
      if (scaled === leastInteger || q.constant !== 0n || !containsMultiple(s.terms, q.terms, scaled)) continue;
      const x = arena.linear(arena.mul(arena.lhs(r), rest));
      const next = plusMultiples({ terms: without(s.terms, i), constant: s.constant }, [[q, -scaled], [x, t.k]]);
      return next && this.noteSum("SumOfPair", s, next);
    }
    return null;
  }
  /** x*z - y*z => k*z, if x - y has the single value k
   * @param {SumOfTerms} s @param {number} i */
  mergeCommonFactor(s, i) {
    const { arena } = this;
    for (const f of arena.node(s.terms[i].e).terms) {
      const { quotients, rest } = this.splitBy(s, f.e);
      if (quotients.length < 2) continue;
      const k = this.bounds.interval(arena.sum(quotients, 0n));
      if (!k.isPoint) continue;
      const next = plusMultiples({ terms: rest, constant: s.constant }, [[arena.linear(f.e), k.low]]);
      return next && this.noteSum("SumOfProducts", s, next);
    }
    return null;
  }
  /** a*x*x - a*y*y => a*k*(x + y), if x - y has the single value k; also with x + y
   * @param {SumOfTerms} s @param {number} i */
  mergeSquares(s, i) {
    const { arena } = this, t = s.terms[i];
    /** @param {number} e */
    const rootOf = (e) => {
      const factors = arena.kind(e) === "product" ? arena.node(e).terms : [];
      return factors.length === 1 && factors[0].k === 2n ? factors[0].e : null;
    };
    const x = rootOf(t.e);
    if (x === null || t.k === leastInteger) return null;
    for (let j = 0; j < s.terms.length; ++j) {
      const y = rootOf(s.terms[j].e);
      if (y === null || s.terms[j].k !== -t.k) continue;
      const sum = arena.add(x, y), difference = arena.sub(x, y);
      let k = this.bounds.interval(difference), other = sum;
      if (!k.isPoint) [k, other] = [this.bounds.interval(sum), difference];
      if (!k.isPoint || !fits(t.k * k.low)) continue;
      const next = plusMultiples({ terms: without(s.terms, i, j), constant: s.constant }, [[arena.linear(other), t.k * k.low]]);
      return next && this.noteSum("SumOfSquares", s, next);
    }
    return null;
  }
  /** a*min(x, y) + a*max(x, y) => a*x + a*y
   * @param {SumOfTerms} s @param {number} i */
  mergeMinMax(s, i) {
    const { arena } = this, low = s.terms[i], x = arena.lhs(low.e), y = arena.rhs(low.e);
    for (let j = 0; j < s.terms.length; ++j) {
      const high = s.terms[j];
      if (arena.kind(high.e) !== "max" || high.k !== low.k) continue;
      const u = arena.lhs(high.e), v = arena.rhs(high.e);
      if (!(u === x && v === y) && !(u === y && v === x)) continue;
      const next = plusMultiples({ terms: without(s.terms, i, j), constant: s.constant }, [[arena.linear(x), low.k], [arena.linear(y), low.k]]);
      return next && this.noteSum("SumOfMinMax", s, next);
    }
    return null;
  }
  /** a*((x + k0) / c) + ... => a*x + ..., if the constants are all residues modulo c
   * @param {SumOfTerms} s @param {number} i */
  mergeClasses(s, i) {
    const { arena } = this, t = s.terms[i], kind = arena.kind(t.e), c = arena.divisor(t.e);
    if (c > BigInt(s.terms.length)) return null;
    const x = arena.linear(arena.lhs(t.e));
    /** @type {Set<bigint>} */
    const residues = new Set();
    /** @type {number[]} */
    const members = [];
    let whole = 0n;
    for (let j = 0; j < s.terms.length; ++j) {
      const u = s.terms[j];
      if (u.k !== t.k || !arena.isDivision(u.e, kind) || arena.divisor(u.e) !== c) continue;
      const l = arena.linear(arena.lhs(u.e)), residue = modPositive(l.constant, c);
      if (!sameTerms(l.terms, x.terms) || residues.has(residue)) continue;
      residues.add(residue);
      members.push(j);
      whole += floorPositive(l.constant, c);
      if (!fits(whole)) return null;
    }
    if (BigInt(members.length) !== c) return null;
    const isQuotient = kind === "quotient";
    const total = isQuotient ? { terms: x.terms, constant: whole } : { terms: [], constant: (c * (c - 1n)) / 2n };
    const next = plusMultiples({ terms: without(s.terms, ...members), constant: s.constant }, [[total, t.k]]);
    return next && this.noteSum(isQuotient ? "SumOfQuotientClasses" : "SumOfRemainderClasses", s, next);
  }
}
