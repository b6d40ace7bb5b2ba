// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The simplifier of maps, as in mercator/indexing/simplify (SimplifyMap.cpp,
// SimplifyRanges.cpp), which explain it.
//
//   simplifyMap(readMap("(d0) -> (d0 mod 8), domain: d0 in [0, 7]").map).after
//     // prints as "(d0) -> (d0), domain: d0 in [0, 7]"
//
// It takes the steps of `mercator simplify`, in their order: tests/explorer/page_test.py
// compares the text and each step on thousands of random maps. What it lacks is the
// solver that finds some domains empty: then `isEmptyKnown` is false.

import { ArenaMap, kindOrder, sameConstraints, sameTerms } from "./arena.js";
import { Bounds } from "./bounds.js";
import { compileStructure } from "./expr.js";
import { Interval, Residue, fits, greatestDivisor, greatestInteger, leastInteger, magnitude, modPositive, solveCongruence, ceilPositive, floorPositive } from "./integers.js";
import { structureOfMap } from "./notation.js";
import { RangeRewriter, RangeSolver, hasEquation, withoutUnused } from "./ranges.js";
import { Rewriter } from "./rewrite.js";

/** @typedef {import("./arena.js").ArenaConstraint} Constrained */
/** @typedef {import("./rewrite.js").RuleStep} Step */
/** @typedef {{foldPoints: boolean, dropUnused: boolean, normalForm: boolean}} SimplifyOptions */

/** @type {SimplifyOptions} */
const usualOptions = { foldPoints: true, dropUnused: true, normalForm: false };
/** Of a domain whose emptiness is decided by its points. */
const mostDomainPoints = 100000;

class MapSimplifier {
  /** @param {ArenaMap} given @param {SimplifyOptions} options @param {Step[]|null} trace */
  constructor(given, options, trace) {
    this.arena = given.arena;
    this.given = given;
    this.map = given.copy();
    this.options = options;
    this.trace = trace;
  }
  run() {
    const { map, options } = this;
    for (let round = 0; round < 16; ++round) {
      this.tighten();
      if (map.domain.knownEmpty) return this.empty();
      if (!this.simplifyConstraints()) break;
      if (map.domain.knownEmpty) return this.empty();
    }
    const s = new Rewriter(this.arena, map.domain, options.foldPoints, this.trace);
    map.results = map.results.map((e) => this.smaller(s.simplify(e), e));
    if (!options.normalForm) this.keepSmallerConstraints();
    if (!options.dropUnused) return map;
    const kept = withoutUnused(map);
    if (kept.domain.numVars !== map.domain.numVars) this.note("UnusedDropped", null, null);
    return kept;
  }
  /** @param {string} rule @param {number|null} before @param {number|null} after */
  note(rule, before, after) {
    this.trace?.push({ rule, before, after, domain: null });
  }
  /** @param {number} normal @param {number} given */
  smaller(normal, given) {
    const { arena } = this;
    if (this.options.normalForm || arena.sizeOfExpression(normal) <= arena.sizeOfExpression(given)) return normal;
    given = this.withoutPoints(given);
    return arena.sizeOfExpression(normal) <= arena.sizeOfExpression(given) ? normal : given;
  }
  /** e with each variable that has one value replaced by the value.
   * @param {number} e */
  withoutPoints(e) {
    if (!this.options.foldPoints) return e;
    const by = this.map.domain.lists.map((list) => list.map((v) => (v.bounds.isPoint ? this.arena.constant(v.bounds.low) : null)));
    return this.arena.substitution(by)(e);
  }
  /** The constraints as given, if they are smaller than their normal form. */
  keepSmallerConstraints() {
    /** @param {Constrained[]} list */
    const size = (list) => list.reduce((n, c) => n + 1n + this.arena.sizeOfExpression(c.e), 0n);
    const now = this.map.domain.constraints, { constraints } = this.given.domain;
    if (now.length && size(now) > size(constraints)) this.map.domain.constraints = constraints.map((c) => ({ e: this.withoutPoints(c.e), bounds: c.bounds }));
  }
  empty() {
    this.note("KnownEmpty", null, null);
    return ArenaMap.empty(this.arena, this.map.domain.lists[0].length, this.map.results.length);
  }
  /** Tightens the bounds of dimensions and ranges to those that the constraints imply. */
  tighten() {
    const { domain } = this.map;
    if (!domain.constraints.length) {
      domain.knownEmpty ||= domain.vars.some((v) => domain.of(v).bounds.isEmpty);
      return;
    }
    const bounds = new Bounds(this.arena, domain);
    if (bounds.isKnownEmpty) {
      domain.knownEmpty = true;
      return;
    }
    for (const v of domain.vars) {
      const t = bounds.known.tightened[domain.slot(v)];
      if (v.kind === 2 || t.equals(domain.of(v).bounds)) continue;
      domain.of(v).bounds = t;
      this.note("BoundsTightened", this.arena.variable(v), this.arena.variable(v));
    }
  }
  /** One pass over the constraints; true if anything changed. */
  simplifyConstraints() {
    const { domain } = this.map;
    if (!domain.constraints.length) return false;
    const before = domain.copy(), box = domain.copy();
    box.constraints = [];
    domain.constraints = [];
    // First on the box alone, then each with the help of the others.
    for (const c of before.constraints) if (!domain.knownEmpty) this.peel(c, box);
    if (!domain.knownEmpty) this.mergeResidues();
    const n = domain.constraints.length;
    for (let i = 0; n > 1 && n <= 12 && i < n && !domain.knownEmpty; ++i) {
      const c = /** @type {Constrained} */ (domain.constraints.shift());
      this.peel(c, domain);
    }
    if (domain.knownEmpty) return true;
    this.mergeEqual();
    this.mergeResidues();
    return domain.knownEmpty || !sameConstraints(domain.constraints, before.constraints) ||
      domain.vars.some((v) => v.kind < 2 && !domain.of(v).bounds.equals(before.of(v).bounds));
  }
  /** Simplifies c on `domain`, which does not have it, and adds the result to the map.
   * @param {Constrained} c @param {import("./arena.js").ArenaDomain} domain */
  peel(c, domain) {
    const { arena } = this, own = this.map.domain;
    const s = new Rewriter(arena, domain, true, this.trace), { bounds } = s;
    if (bounds.isKnownEmpty) {
      own.knownEmpty = true;
      return;
    }
    for (;;) {
      c = { e: s.simplify(c.e), bounds: c.bounds };
      const value = bounds.interval(c.e);
      if (c.bounds.covers(value)) return this.note("ConstraintImplied", c.e, null);
      c.bounds = c.bounds.intersect(value);
      const clipped = bounds.residue(c.e).clip(c.bounds);
      if (!clipped.equals(c.bounds)) {
        this.note("ConstraintClipped", c.e, c.e);
        c.bounds = clipped;
      }
      if (c.bounds.isEmpty) {
        own.knownEmpty = true;
        return;
      }
      const kind = arena.kind(c.e);
      if (kind === "constant") return;
      if (kind === "variable") return this.imposeOnVariable(c);
      /** @type {Constrained|null} */
      let next = null;
      if (kind === "sum") next = this.peelSum(c, bounds);
      else if (kind === "quotient" && arena.divisor(c.e) !== 0n) next = this.peelQuotient(c);
      else if ((kind === "min" || kind === "max") && this.splitMinMax(c, value, domain)) return;
      if (!next) return own.constrain(c.e, c.bounds);
      c = next;
    }
  }
  /** @param {Constrained} c @returns {Constrained|null} */
  peelQuotient(c) {
    const d = this.arena.divisor(c.e), x = this.arena.lhs(c.e);
    const low = new Interval(c.bounds.low, greatestInteger).times(d), high = new Interval(leastInteger, c.bounds.high).times(d).shifted(d - 1n);
    if ((c.bounds.hasLow && !low.hasLow) || (c.bounds.hasHigh && !high.hasHigh)) return null;
    this.note("ConstraintPeeled", c.e, x);
    return { e: x, bounds: new Interval(low.low, high.high) };
  }
  /** @param {Constrained} c */
  imposeOnVariable(c) {
    const { domain } = this.map, v = this.arena.var(c.e);
    if (v.kind === 2) return domain.constrain(c.e, c.bounds);
    const variable = domain.of(v);
    variable.bounds = variable.bounds.intersect(c.bounds);
    domain.knownEmpty ||= variable.bounds.isEmpty;
    this.note("BoundsTightened", c.e, c.e);
  }
  /** Moves the constant and the common factor of a sum into the interval, makes the
   * first coefficient positive, and drops a part that does not matter.
   * @param {Constrained} c @param {Bounds} known @returns {Constrained|null} */
  peelSum(c, known) {
    const { arena } = this, l = arena.linear(c.e);
    if (l.terms.some((t) => t.k === leastInteger)) return null;
    let g = l.terms.reduce((d, t) => greatestDivisor(d, t.k), 0n);
    /** @param {import("./arena.js").Term} t */
    const order = (t) => {
      const vars = arena.vars(t.e), kind = arena.kind(t.e);
      return [kind === "variable" ? 0n : 1n, vars ? BigInt(vars.toString(2).length - 1 - vars.toString(2).lastIndexOf("1")) : 64n, vars, BigInt(kindOrder.indexOf(kind)), arena.divisor(t.e), magnitude(t.k)];
    };
    const first = l.terms.reduce((best, t) => {
      const a = order(t), b = order(best), i = a.findIndex((x, n) => x !== b[n]);
      return i >= 0 && a[i] < b[i] ? t : best;
    });
    if (first.k < 0n) g = -g;
    if (g === 1n && l.constant === 0n) return this.dropPart(c, l, known);
    if (l.constant === leastInteger) return null;
    const shifted = c.bounds.minus(Interval.point(l.constant)), b = g < 0n ? shifted.negated() : shifted;
    const [low, high] = g < 0n ? [b.hasHigh, b.hasLow] : [b.hasLow, b.hasHigh];
    if (low !== c.bounds.hasLow || high !== c.bounds.hasHigh || g === leastInteger) return null;
    const inner = b.inward(magnitude(g));
    const e = arena.sum(l.terms.map((t) => ({ e: t.e, k: t.k / g })), 0n);
    this.note("ConstraintPeeled", c.e, e);
    if (inner.isEmpty) this.map.domain.knownEmpty = true;
    return { e, bounds: inner.isEmpty ? Interval.empty : inner };
  }
  /** g*x + y in [a, b]: y is dropped if the same x satisfy it for every y.
   * @param {Constrained} c @param {import("./arena.js").Linear} l @param {Bounds} known @returns {Constrained|null} */
  dropPart(c, l, known) {
    const { arena } = this;
    const order = [...l.terms].sort((a, b) => (magnitude(a.k) !== magnitude(b.k) ? (magnitude(a.k) > magnitude(b.k) ? -1 : 1) : a.e - b.e));
    const value = known.interval(c.e);
    const hasLow = c.bounds.hasLow && c.bounds.low > value.low, hasHigh = c.bounds.hasHigh && c.bounds.high < value.high;
    let g = 0n;
    for (let i = 0; i + 1 < order.length; ++i) {
      g = greatestDivisor(g, order[i].k);
      if (g === 1n) return null;
      const rest = order.slice(i + 1);
      if (rest.some((t) => t.k % g === 0n)) continue;
      const y = known.intervalOfTerms(rest.sort((a, b) => a.e - b.e), 0n);
      if (!y.isBounded) continue;
      const low = Interval.point(c.bounds.low).minus(y), high = Interval.point(c.bounds.high).minus(y);
      if (hasLow && (!low.isBounded || ceilPositive(low.low, g) !== ceilPositive(low.high, g))) continue;
      if (hasHigh && (!high.isBounded || floorPositive(high.low, g) !== floorPositive(high.high, g))) continue;
      const e = arena.sum(order.slice(0, i + 1).map((t) => ({ e: t.e, k: t.k / g })), 0n);
      this.note("ConstraintDropPart", c.e, e);
      return { e, bounds: new Interval(hasLow ? ceilPositive(low.low, g) : leastInteger, hasHigh ? floorPositive(high.high, g) : greatestInteger) };
    }
    return null;
  }
  /** min(x, y) >= a is x >= a and y >= a; likewise for max.
   * @param {Constrained} c @param {Interval} value @param {import("./arena.js").ArenaDomain} domain */
  splitMinMax(c, value, domain) {
    const { arena } = this, isMin = arena.kind(c.e) === "min";
    if (isMin ? c.bounds.high < value.high : c.bounds.low > value.low) return false;
    const side = isMin ? new Interval(c.bounds.low, greatestInteger) : new Interval(leastInteger, c.bounds.high);
    this.note("ConstraintSplit", c.e, arena.lhs(c.e));
    const a = arena.lhs(c.e), b = arena.rhs(c.e);
    this.peel({ e: a, bounds: side }, domain);
    if (!this.map.domain.knownEmpty) this.peel({ e: b, bounds: side }, domain);
    return true;
  }
  /** Merges constraints on equal expressions. */
  mergeEqual() {
    const { domain } = this.map, cs = domain.constraints;
    for (let i = 0; i < cs.length; ++i)
      for (let j = i + 1; j < cs.length;) {
        if (cs[i].e !== cs[j].e) {
          ++j;
          continue;
        }
        cs[i] = { e: cs[i].e, bounds: cs[i].bounds.intersect(cs[j].bounds) };
        domain.knownEmpty ||= cs[i].bounds.isEmpty;
        this.note("ConstraintMerged", cs[i].e, cs[i].e);
        cs.splice(j, 1);
      }
  }
  /** Merges congruences of one expression. */
  mergeResidues() {
    const { arena } = this, { domain } = this.map;
    const cs = domain.constraints;
    /** @type {{index: number, terms: import("./arena.js").Term[], residue: Residue}[]} */
    const found = [];
    /** @type {Set<number>} */
    const gone = new Set();
    for (let i = 0; i < cs.length; ++i) {
      const { e, bounds } = cs[i];
      if (arena.kind(e) !== "remainder" || arena.divisor(e) === 0n || !bounds.isPoint) continue;
      const x = arena.linear(arena.lhs(e)), m = arena.divisor(e);
      let { terms } = x, r = Residue.of(m, bounds.low - modPositive(x.constant, m));
      if (terms.length === 1) {
        const solved = solveCongruence(terms[0].k, r.remainder, m);
        if (!solved) {
          domain.knownEmpty = true;
          return;
        }
        terms = [{ e: terms[0].e, k: 1n }];
        r = solved;
      }
      const same = found.find((f) => sameTerms(f.terms, terms));
      if (!same) {
        found.push({ index: i, terms, residue: r });
        continue;
      }
      const both = same.residue.intersect(r);
      if (!both) {
        domain.knownEmpty = true;
        return;
      }
      if (!fits((same.residue.modulus / greatestDivisor(same.residue.modulus, r.modulus)) * r.modulus)) {
        found.push({ index: i, terms, residue: r });
        continue;
      }
      this.note("ConstraintResidues", e, cs[same.index].e);
      same.residue = both;
      gone.add(i);
    }
    for (const f of found) {
      const e = arena.modBy(arena.sum(f.terms, 0n), f.residue.modulus);
      cs[f.index] = { e, bounds: Interval.point(f.residue.remainder) };
      if (arena.isConstant(e)) gone.add(f.index);
    }
    domain.constraints = cs.filter((_, i) => !gone.has(i));
  }
}

/** Applies the rules on range variables until none applies.
 * @param {ArenaMap} map @param {Step[]|null} trace @returns {ArenaMap} */
function simplifyRanges(map, trace) {
  /** Takes the candidate if it is not larger.
   * @param {string} rule @param {ArenaMap} candidate */
  const take = (rule, candidate) => {
    /** @type {Step[]} */
    const steps = [];
    const next = new MapSimplifier(candidate, usualOptions, trace ? steps : null).run();
    if (next.size > map.size || next.domain.lists[1].length > map.domain.lists[1].length) return false;
    trace?.push({ rule, before: null, after: null, domain: null }, ...steps);
    map = next;
    return true;
  };
  /** All variables at once, or else the first that may be rescaled alone.
   * @param {RangeRewriter} rewriter @param {import("./ranges.js").Rescaled[]} list */
  const takeRescaled = (rewriter, list) =>
    (list.length > 1 && take("RangeRescaled", rewriter.rescaled(list))) || list.some((r) => take("RangeRescaled", rewriter.rescaled([r])));
  /** @param {ArenaMap} m */
  const normalized = (m) => new MapSimplifier(m, { foldPoints: false, dropUnused: false, normalForm: true }, null).run();
  for (let turn = 0; turn < 64 && !map.domain.knownEmpty && map.domain.lists[1].length; ++turn) {
    if (hasEquation(map)) {
      const solved = new RangeSolver(map, normalized).run();
      if (solved.domain.lists[1].length < map.domain.lists[1].length && take("RangeSolved", solved)) continue;
    }
    const rewriter = new RangeRewriter(map);
    const merged = rewriter.merged();
    if (merged && take("RangesMerged", merged)) continue;
    if (!takeRescaled(rewriter, rewriter.divided()) && !takeRescaled(rewriter, rewriter.byCongruences())) break;
  }
  return map;
}

/** Whether the domain has a point; null if that is not known: a variable has no bounds,
 * there are too many points, or a constraint has no value (a division by zero).
 * @param {ArenaMap} map @returns {boolean|null} */
function hasPoint(map) {
  const { arena, domain } = map, bounds = new Bounds(arena, domain);
  if (bounds.isKnownEmpty) return false;
  const box = bounds.known.tightened, { constraints } = compileStructure(structureOfMap(map));
  if (box.some((i) => !i.isBounded)) return null;
  const lows = box.map((i) => Number(i.low)), sizes = box.map((i) => Number(i.high - i.low) + 1);
  if (sizes.reduce((n, size) => n * size, 1) > mostDomainPoints) return null;
  const digits = sizes.map(() => 0);
  let isComplete = true;
  for (let k = 0; k >= 0;) {
    const point = lows.map((low, i) => low + digits[i]), values = constraints.map((c) => c.formula(point));
    if (values.every((value, i) => value >= constraints[i].low && value <= constraints[i].high)) return true;
    isComplete &&= !values.some(Number.isNaN);
    for (k = sizes.length - 1; k >= 0 && ++digits[k] === sizes[k]; --k) digits[k] = 0;
  }
  return isComplete ? false : null;
}

/** The simplified map and the steps to it.
 * @param {ArenaMap} given @returns {{after: ArenaMap, steps: Step[], isEmptyKnown: boolean}} */
export function simplifyMap(given) {
  const { arena } = given;
  // The variables keep their source when others are dropped.
  given = given.copy();
  given.domain.lists[2].forEach((v, i) => (v.source = i));
  /** @type {Step[]} */
  const trace = [];
  let after = simplifyRanges(new MapSimplifier(given, usualOptions, trace).run(), trace);
  // The rules find most empty domains. The library asks a solver for the others.
  const found = after.domain.knownEmpty || !after.domain.constraints.length ? true : hasPoint(after);
  if (found === false) {
    after = ArenaMap.empty(arena, after.domain.lists[0].length, given.results.length);
    trace.push({ rule: "KnownEmpty", before: null, after: null, domain: null });
  }
  /** @type {Map<string, Step>} */
  const steps = new Map();
  for (const s of trace) if (!steps.has(`${s.rule} ${s.before} ${s.after}`)) steps.set(`${s.rule} ${s.before} ${s.after}`, s);
  return { after, steps: [...steps.values()], isEmptyKnown: found !== null };
}
