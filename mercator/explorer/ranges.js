// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Range variables: solved by equations, and merged or rescaled, as in
// mercator/indexing/simplify (Solve.cpp, SimplifyRanges.cpp), which explain the steps.

import { bitOf, isExactSet } from "./arena.js";
import { Bounds } from "./bounds.js";
import { Interval, fits, greatestDivisor, leastInteger, greatestInteger, magnitude } from "./integers.js";

/** @typedef {import("./arena.js").ArenaMap} MapOf */
/** @typedef {import("./arena.js").Term} RangeTerm */
/** 0 = constant + sum of terms. `bare`: coefficients of range variables; `nested`: other
 * terms that use range variables.
 * @typedef {{constraint: number, bare: RangeTerm[], nested: RangeTerm[], rest: RangeTerm[], constant: bigint}} Equation */
/** @typedef {{index: number, weight: bigint, negative: boolean, bounds: Interval, size: bigint|null}} Digit */

const rangeMask = ((1n << 24n) - 1n) << 26n;

/** True if the bounds times k do not overflow.
 * @param {Interval} i @param {bigint} [k] */
function isTame(i, k = 1n) {
  /** @param {bigint} x */
  const tame = (x) => fits(x * k) && x * k > leastInteger / 4n && x * k < greatestInteger / 4n;
  return (!i.hasLow || tame(i.low)) && (!i.hasHigh || tame(i.high));
}

/** True if the largest coefficient is negative.
 * @param {Equation} e */
function isNegative(e) {
  return e.bare.reduce((top, t) => (magnitude(t.k) > magnitude(top.k) ? t : top)).k < 0n;
}

/** Solves the equations of a map for its range variables. */
export class RangeSolver {
  /** @param {MapOf} map @param {(map: MapOf) => MapOf} normalized */
  constructor(map, normalized) {
    this.arena = map.arena;
    this.map = map.copy();
    this.normalized = normalized;
    this.alive = map.domain.lists[1].map(() => true);
    this.dirty = true;
    this.splits = 0;
  }
  run() {
    while (!this.map.domain.knownEmpty && (this.one() || this.residue() || this.digits() || this.tidy() || (this.splits < 32 && this.split()) || this.unit()));
    if (!this.map.domain.knownEmpty) this.compact();
    return this.map;
  }
  /** @returns {Equation[]} */
  equations() {
    const { arena, map } = this;
    /** @type {Equation[]} */
    const result = [];
    map.domain.constraints.forEach((c, constraint) => {
      if (!c.bounds.isPoint || !(arena.vars(c.e) & rangeMask)) return;
      const l = arena.linear(c.e), constant = l.constant - c.bounds.low;
      if (!fits(constant) || l.terms.some((t) => t.k === leastInteger)) return;
      /** @type {Equation} */
      const e = { constraint, bare: [], nested: [], rest: [], constant };
      for (const t of l.terms) (arena.isVariable(t.e, 1) ? e.bare : arena.vars(t.e) & rangeMask ? e.nested : e.rest).push(t);
      result.push(e);
    });
    return result;
  }
  get bounds() {
    return new Bounds(this.arena, this.map.domain);
  }
  /** -(constant + rest); null if it leaves 64 bits.
   * @param {Equation} e */
  negatedRest(e) {
    if (e.constant === leastInteger) return null;
    const r = this.arena.sum(e.rest.map((t) => ({ e: t.e, k: -t.k })), -e.constant);
    return this.arena.kind(r) === "wide" ? null : r;
  }
  /** @param {number} i */
  dropConstraint(i) {
    this.map.domain.constraints.splice(i, 1);
  }
  /** @param {number} e @param {Interval} bounds */
  constrain(e, bounds) {
    const { domain } = this.map;
    if (bounds.equals(Interval.everything)) return;
    if (this.arena.isConstant(e)) domain.knownEmpty ||= !bounds.contains(this.arena.value(e));
    else domain.constrain(e, bounds);
  }
  /** @param {[number, number][]} by the index of a variable and its value */
  replace(by) {
    this.dirty = true;
    /** @type {(number|null)[]} */
    const list = this.map.domain.lists[1].map(() => null);
    for (const [index, e] of by) {
      list[index] = e;
      this.alive[index] = false;
    }
    this.map.substitute([[], list, []]);
  }
  tidy() {
    if (!this.dirty) return false;
    this.dirty = false;
    const before = this.map;
    this.map = this.normalized(before);
    return !this.map.equals(before);
  }
  /** c*s = r */
  one() {
    const { arena } = this;
    for (const e of this.equations()) {
      if (e.bare.length !== 1 || e.nested.length) continue;
      let r = this.negatedRest(e);
      if (r === null) continue;
      let { e: s, k: c } = e.bare[0];
      if (c < 0n) [r, c] = [arena.neg(r), -c];
      const bounds = this.bounds.interval(s);
      if (!isTame(bounds, c)) continue;
      this.dropConstraint(e.constraint);
      this.constrain(arena.modBy(r, c), Interval.point(0n));
      this.constrain(r, bounds.times(c));
      this.replace([[arena.var(s).index, arena.floorBy(r, c)]]);
      return true;
    }
    return false;
  }
  /** s with coefficient 1, and all others multiples of g: its residue determines it. */
  residue() {
    const { arena } = this;
    for (const e of this.equations()) {
      if (e.bare.length < 2 || e.nested.length) continue;
      const low = e.bare.find((t) => magnitude(t.k) === 1n);
      const g = e.bare.reduce((d, t) => (t === low ? d : greatestDivisor(d, t.k)), 0n);
      if (!low || g < 2n || low.k < 0n === isNegative(e)) continue;
      const i = this.bounds.interval(low.e), { size } = i;
      let r = this.negatedRest(e);
      if (size === null || size > g || !isTame(i) || r === null) continue;
      r = arena.addNumber(arena.scale(r, low.k), -i.low);
      if (arena.kind(r) === "wide") continue;
      const digit = arena.modBy(r, g);
      this.constrain(digit, new Interval(0n, size - 1n));
      this.replace([[arena.var(low.e).index, arena.addNumber(digit, i.low)]]);
      return true;
    }
    return false;
  }
  /** The variables as digits, least first, if the sum determines them.
   * @param {Equation} e @returns {Digit[]|null} */
  asDigits(e) {
    const { bounds } = this, flip = isNegative(e);
    const list = e.bare.map((t) => {
      const i = bounds.interval(t.e);
      return { index: this.arena.var(t.e).index, weight: magnitude(t.k), negative: t.k < 0n !== flip, bounds: i, size: i.size, isTame: !i.isEmpty && isTame(i, t.k) };
    });
    if (list.some((d) => !d.isTame)) return null;
    list.sort((a, b) => (a.weight !== b.weight ? (a.weight < b.weight ? -1 : 1) : a.index - b.index));
    let below = 0n;
    for (const [n, d] of list.entries()) {
      if (d.weight <= below) return null;
      if (n + 1 === list.length) break;
      if (d.size === null) return null;
      below += d.weight * (d.size - 1n);
    }
    return list;
  }
  digits() {
    const { arena } = this;
    for (const e of this.equations()) {
      if (e.bare.length < 2 || e.nested.length) continue;
      const list = this.asDigits(e);
      let r = list ? this.negatedRest(e) : null;
      if (!list || r === null) continue;
      if (isNegative(e)) r = arena.neg(r);
      /** @type {bigint[]} */
      const zeros = [];
      for (const d of list) {
        const bounded = d.negative ? d.bounds.hasHigh : d.bounds.hasLow;
        const zero = !bounded ? 0n : d.negative ? d.bounds.high : d.bounds.low;
        zeros.push(zero);
        r = arena.add(r, arena.scale(arena.constant(zero), d.negative ? d.weight : -d.weight));
      }
      if (arena.kind(r) === "wide") continue;
      this.dropConstraint(e.constraint);
      this.decode(r, list, zeros);
      return true;
    }
    return false;
  }
  /** @param {number} r @param {Digit[]} list @param {bigint[]} zeros */
  decode(r, list, zeros) {
    const { arena } = this, whole = r;
    const isChain = list.every((d, i) => i === 0 || d.weight % list[i - 1].weight === 0n);
    /** @type {[number, number][]} */
    const by = [];
    /** @type {[number, Interval][]} */
    const left = [];
    for (let i = list.length; i-- > 0;) {
      const d = list[i];
      let digit = arena.floorBy(isChain ? whole : r, d.weight);
      if (isChain && i + 1 < list.length) digit = arena.modBy(digit, list[i + 1].weight / d.weight);
      const range = d.negative ? Interval.point(zeros[i]).minus(d.bounds) : d.bounds.minus(Interval.point(zeros[i]));
      if (i + 1 === list.length) left.push([r, new Interval(range.hasLow ? range.times(d.weight).low : leastInteger, range.times(d.weight).shifted(d.weight - 1n).high)]);
      else left.push([digit, range]);
      by.push([d.index, d.negative ? arena.sub(arena.constant(zeros[i]), digit) : arena.addNumber(digit, zeros[i])]);
      r = arena.modBy(isChain ? whole : r, d.weight);
    }
    left.push([r, Interval.point(0n)]);
    for (const [e, bounds] of left) this.constrain(e, bounds);
    this.replace(by);
  }
  /** Replaces a division by two range variables, its quotient and its remainder. */
  split() {
    const { arena } = this;
    for (const e of this.equations())
      for (const t of e.nested) {
        const found = arena.postOrder(t.e).find((x) => {
          const kind = arena.kind(x);
          return (kind === "quotient" || kind === "remainder" || kind === "ceildiv") && arena.divisor(x) > 0n && arena.vars(x) & rangeMask;
        });
        if (found === undefined) continue;
        ++this.splits;
        this.splitDivision(found);
        return true;
      }
    return false;
  }
  /** @param {number} division */
  splitDivision(division) {
    const { arena, map, bounds } = this, c = arena.divisor(division), isCeil = arena.kind(division) === "ceildiv";
    let x = arena.lhs(division);
    if (isCeil) x = arena.addNumber(x, c - 1n);
    const oldQ = isCeil ? division : arena.floorBy(x, c), oldR = isCeil ? -1 : arena.modBy(x, c);
    const iq = bounds.interval(oldQ), ir = new Interval(0n, c - 1n).intersect(isCeil ? Interval.everything : bounds.interval(oldR));
    const ranges = map.domain.lists[1];
    ranges.push({ bounds: iq, name: "" }, { bounds: ir, name: "" });
    const q = arena.range(ranges.length - 2), r = arena.range(ranges.length - 1);
    this.alive.push(true, true);
    /** @param {number} root */
    const rewrite = (root) => {
      /** @type {Map<number, number>} */
      const now = new Map();
      for (const e of arena.postOrder(root)) now.set(e, e === oldQ ? q : e === oldR ? r : arena.rebuild(e, (op) => /** @type {number} */ (now.get(op))));
      return /** @type {number} */ (now.get(root));
    };
    map.results = map.results.map(rewrite);
    map.domain.constraints = map.domain.constraints.map((k) => ({ e: rewrite(k.e), bounds: k.bounds }));
    map.domain.constrain(arena.sum([{ e: x, k: 1n }, { e: q, k: -c }, { e: r, k: -1n }], 0n), Interval.point(0n));
  }
  /** A variable with coefficient 1 or -1, the one with the largest bounds. */
  unit() {
    const { arena } = this;
    for (const e of this.equations()) {
      /** @type {{t: RangeTerm, i: Interval}|null} */
      let best = null;
      for (const t of e.bare) {
        if (magnitude(t.k) !== 1n || e.nested.some((n) => arena.uses(n.e, arena.var(t.e)))) continue;
        const i = this.bounds.interval(t.e);
        if (!best || (best.i.size !== null && (i.size === null || i.size > best.i.size))) best = { t, i };
      }
      if (!best) continue;
      const { t, i } = best;
      const others = [...e.rest, ...e.nested, ...e.bare.filter((o) => o.e !== t.e)];
      const value = arena.scale(arena.sum(others, e.constant), -t.k);
      if (arena.kind(value) === "wide") continue;
      this.dropConstraint(e.constraint);
      this.constrain(value, i);
      this.replace([[arena.var(t.e).index, value]]);
      return true;
    }
    return false;
  }
  /** Drops the solved variables and renumbers the others. */
  compact() {
    const { arena, map } = this, ranges = map.domain.lists[1];
    let n = 0;
    const by = ranges.map((_, i) => (this.alive[i] ? arena.range(n++) : null));
    map.substitute([[], by, []]);
    map.domain.lists[1] = ranges.filter((_, i) => this.alive[i]);
  }
}

/** True if an equation has a range variable as a term.
 * @param {MapOf} map */
export function hasEquation(map) {
  const { arena } = map;
  return map.domain.constraints.some((c) => c.bounds.isPoint && arena.kind(c.e) === "sum" && arena.linear(c.e).terms.some((t) => arena.isVariable(t.e, 1)));
}

/** The uses of a range variable: the sums with it as a term, the divisor common to its
 * quotients, and whether there are others.
 * @typedef {{sums: RangeTerm[], divisor: bigint, otherwise: boolean}} RangeUses */

/** A range variable that becomes `by`, with new bounds, which replace a constraint.
 * @typedef {{range: number, by: number, bounds: Interval, constraint: number|null}} Rescaled */

/** Merged and rescaled range variables. */
export class RangeRewriter {
  /** @param {MapOf} map */
  constructor(map) {
    const { arena } = map;
    this.arena = arena;
    this.map = map;
    /** @type {RangeUses[]} */
    this.uses = map.domain.lists[1].map(() => ({ sums: [], divisor: 0n, otherwise: false }));
    const seen = new Set();
    for (const root of [...map.results, ...map.domain.constraints.map((c) => c.e)]) {
      if (arena.isVariable(root, 1)) this.uses[arena.lhs(root)].otherwise = true;
      else for (const e of arena.postOrder(root)) {
        if (!seen.has(e)) this.visit(e);
        seen.add(e);
      }
    }
  }
  /** @param {number} e */
  visit(e) {
    const { arena, uses } = this, n = arena.node(e), kind = arena.kind(e);
    if (kind === "constant" || kind === "variable") return;
    if (kind === "sum") {
      for (const t of n.terms) if (arena.isVariable(t.e, 1)) uses[arena.lhs(t.e)].sums.push({ e, k: t.k });
    } else if (kind === "quotient" && arena.isVariable(n.a, 1) && n.value > 0n) {
      const own = uses[arena.lhs(n.a)];
      own.divisor = greatestDivisor(own.divisor, n.value);
    } else {
      for (const operand of arena.operands(e)) if (arena.isVariable(operand, 1)) uses[arena.lhs(operand)].otherwise = true;
    }
  }
  /** @param {(number|null)[]} by for each range variable */
  replaced(by) {
    const m = this.map.copy();
    m.substitute([[], by, []]);
    return m;
  }
  /** Adds that s becomes c*s + k, with new bounds.
   * @param {Rescaled[]} list @param {number} range @param {bigint} c @param {bigint} k @param {Interval} bounds @param {number|null} constraint */
  addScaled(list, range, c, k, bounds, constraint) {
    const by = this.arena.addNumber(this.arena.scale(this.arena.range(range), c), k);
    if (this.arena.kind(by) !== "wide") list.push({ range, by, bounds, constraint });
  }
  /** @param {Rescaled[]} list */
  rescaled(list) {
    const m = this.replaced(this.uses.map((_, i) => list.find((r) => r.range === i)?.by ?? null));
    for (const r of list.slice().reverse()) {
      m.domain.lists[1][r.range].bounds = r.bounds;
      if (r.constraint !== null) m.domain.constraints.splice(r.constraint, 1);
    }
    return m;
  }
  merged() {
    for (let high = 0; high < this.uses.length; ++high)
      for (let low = 0; low < this.uses.length; ++low) {
        const m = high === low ? null : this.mergedPair(high, low);
        if (m) return m;
      }
    return null;
  }
  /** Replaces c*s0 + s1 by s1, if both are used in such sums only.
   * @param {number} high @param {number} low */
  mergedPair(high, low) {
    const h = this.uses[high], l = this.uses[low];
    /** @param {RangeUses} u */
    const onlySums = (u) => u.sums.length > 0 && u.divisor === 0n && !u.otherwise;
    if (!onlySums(h) || !onlySums(l) || h.sums.length !== l.sums.length) return null;
    let c = 0n;
    for (let i = 0; i < h.sums.length; ++i) {
      const x = h.sums[i], y = l.sums[i];
      if (x.e !== y.e || x.k === leastInteger || y.k === leastInteger || x.k % y.k !== 0n) return null;
      if (c !== 0n && x.k / y.k !== c) return null;
      c = x.k / y.k;
    }
    const ranges = this.map.domain.lists[1], ofHigh = ranges[high].bounds, ofLow = ranges[low].bounds, { size } = ofLow;
    if (!ofHigh.isBounded || ofHigh.isEmpty || size === null || size < magnitude(c)) return null;
    const both = ofHigh.times(c).plus(ofLow);
    if (!both.isBounded) return null;
    const { arena } = this;
    const m = this.replaced(this.uses.map((_, i) => (i === high ? arena.constant(0n) : i > high ? arena.range(i - 1) : null)));
    m.domain.lists[1][low].bounds = both;
    m.domain.lists[1].splice(high, 1);
    return m;
  }
  /** One for each range variable that is only divided. */
  divided() {
    /** @type {Rescaled[]} */
    const list = [];
    this.uses.forEach((u, i) => {
      const { bounds } = this.map.domain.lists[1][i];
      if (u.divisor > 1n && !u.sums.length && !u.otherwise && !bounds.isEmpty) this.addScaled(list, i, u.divisor, 0n, bounds.floorDiv(u.divisor), null);
    });
    return list;
  }
  /** One for each constraint of the form `s mod c in [k, k]`. */
  byCongruences() {
    const { arena, map } = this;
    /** @type {Rescaled[]} */
    const list = [];
    map.domain.constraints.forEach((c, i) => {
      if (arena.kind(c.e) !== "remainder" || !c.bounds.isPoint || arena.divisor(c.e) === 0n || !arena.isVariable(arena.lhs(c.e), 1)) return;
      const range = arena.var(arena.lhs(c.e)).index, m = arena.divisor(c.e), k = c.bounds.low;
      const b = map.domain.lists[1][range].bounds, x = b.minus(Interval.point(k));
      if (b.hasLow !== x.hasLow || b.hasHigh !== x.hasHigh || list.some((r) => r.range === range) || x.inward(m).isEmpty) return;
      this.addScaled(list, range, m, k, x.inward(m), i);
    });
    return list;
  }
}

/** The map without range and runtime variables that no result needs: see
 * mercator/indexing/map/RemoveUnused.cpp.
 * @param {MapOf} map @returns {MapOf} */
export function withoutUnused(map) {
  const { arena, domain } = map, { vars } = domain;
  if (!domain.lists[1].length && !domain.lists[2].length) return map;
  const inResults = map.results.reduce((bits, e) => bits | arena.vars(e), 0n);
  const all = vars.reduce((bits, v) => (v.kind ? bits | bitOf(v) : bits), 0n);
  if (isExactSet(all) && (inResults | all) === inResults) return map;
  // Constraints divide the variables into groups; a group stays or goes as one.
  const leaders = vars.map((_, i) => i);
  /** @param {number} i @returns {number} */
  const leader = (i) => (leaders[i] === i ? i : leader(leaders[i]));
  /** @param {number} e */
  const slotsOf = (e) => vars.flatMap((v, i) => (arena.uses(e, v) ? [i] : []));
  for (const c of domain.constraints) {
    const slots = slotsOf(c.e);
    for (const i of slots) leaders[leader(i)] = leader(slots[0]);
  }
  const kept = vars.map((v) => v.kind === 0 || map.results.some((e) => arena.uses(e, v)));
  const keptGroups = new Set(vars.flatMap((_, i) => (kept[i] ? [leader(i)] : [])));
  const bounds = new Bounds(arena, domain);
  /** `(a * s + k) mod m in [r, r]` has a solution if the bounds of s are not empty.
   * @param {import("./arena.js").ArenaConstraint} c */
  const isCongruenceOfRange = (c) => {
    if (!arena.isDivision(c.e, "remainder") || !c.bounds.isPoint) return false;
    const { terms } = arena.linear(arena.lhs(c.e));
    return terms.length === 1 && arena.isVariable(terms[0].e, 1);
  };
  for (const c of domain.constraints) {
    const [slot] = slotsOf(c.e);
    if (slot !== undefined && !isCongruenceOfRange(c)) keptGroups.add(leader(slot));
  }
  vars.forEach((_, i) => {
    if (keptGroups.has(leader(i)) || bounds.known.tightened[i].isEmpty) kept[i] = true;
  });
  if (!kept.includes(false)) return map;
  const r = map.copy();
  /** @type {(number|null)[][]} */
  const by = [[], [], []];
  r.domain.lists = domain.lists.map((list, kind) => {
    let n = 0;
    return list.filter((_, index) => {
      const stays = kept[domain.slot({ kind, index })];
      if (kind) by[kind].push(arena.variable({ kind, index: n }));
      n += stays ? 1 : 0;
      return stays;
    });
  });
  r.domain.constraints = domain.constraints.filter((c) => !vars.some((v, i) => !kept[i] && arena.uses(c.e, v)));
  r.substitute(by);
  return r;
}
