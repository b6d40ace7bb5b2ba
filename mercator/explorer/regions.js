// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sets of elements of a tensor, and what a map makes of them.
//
// A region is a product of factors. A factor has some of the dimensions, a list of
// points in them, and how often each point is read:
//
//   rows 2 and 3, all 1024 columns    a factor of dimension 0 with 2 points, and a
//                                     factor of dimension 1 with the span [0, 1023]
//
// Dimensions that no formula mixes are in factors of their own. So what a row of a
// matrix product reads is exact, and costs as much as its longest dimension.

import { compileStructure, intervalOf } from "./expr.js";

/** @typedef {import("./expr.js").CompiledMap} CompiledMap */
/** A factor is a span [low, high] of one dimension, each element `count` times, or a list of points.
 * @typedef {{dims: number[], low?: number, high?: number, count?: number, points?: number[], counts?: number[], outside?: number[], index?: Map<string|number, number>}} Factor */
/** `any`: a runtime variable decides. `box`: why it is larger than what is read; else empty.
 * @typedef {{rank: number, factors: Factor[], times: number, any: boolean, box: string}} Region */

/** The points of a factor, at most. */
export const mostPoints = 200000;

/** @param {number} low @param {number} high @param {number} dim @returns {Factor} */
function span(low, high, dim) {
  return { dims: [dim], low, high, count: 1 };
}

/** The box of a tile: for each dimension the first and the last index.
 * @param {[number, number][]} box @returns {Region} */
export function regionOfBox(box) {
  return { rank: box.length, factors: box.map(([low, high], i) => span(low, high, i)), times: 1, any: false, box: "" };
}

/** @param {Factor} f */
export function sizeOfFactor(f) {
  return f.points ? f.points.length / f.dims.length : Math.max(0, /** @type {number} */ (f.high) - /** @type {number} */ (f.low) + 1);
}

/** The number of elements.
 * @param {Region} region */
export function sizeOfRegion(region) {
  return region.factors.reduce((n, f) => n * sizeOfFactor(f), 1);
}

/** The number of reads.
 * @param {Region} region */
export function readsOfRegion(region) {
  return region.factors.reduce((n, f) => n * (f.counts ? f.counts.reduce((a, b) => a + b, 0) : sizeOfFactor(f) * (f.count ?? 1)), region.times);
}

/** @param {Factor} f */
function indexOfFactor(f) {
  if (!f.index) {
    f.index = new Map();
    const width = f.dims.length;
    const points = /** @type {number[]} */ (f.points);
    for (let i = 0; i < points.length; i += width)
      f.index.set(width === 1 ? points[i] : points.slice(i, i + width).join(), i / width);
  }
  return f.index;
}

/** How often the element is read.
 * @param {Region} region @param {number[]} element */
export function countAt(region, element) {
  let count = region.times;
  for (const f of region.factors) {
    if (!f.points) {
      const x = element[f.dims[0]];
      if (x < /** @type {number} */ (f.low) || x > /** @type {number} */ (f.high)) return 0;
      count *= f.count ?? 1;
      continue;
    }
    const key = f.dims.length === 1 ? element[f.dims[0]] : f.dims.map((d) => element[d]).join();
    const at = indexOfFactor(f).get(key);
    if (at === undefined) return 0;
    count *= /** @type {number[]} */ (f.counts)[at];
  }
  return count;
}

/** The least and the largest index of each dimension.
 * @param {Region} region @returns {[number, number][]} */
export function boxOfRegion(region) {
  /** @type {[number, number][]} */
  const box = Array.from({ length: region.rank }, () => [0, -1]);
  for (const f of region.factors) {
    if (!f.points) {
      box[f.dims[0]] = [/** @type {number} */ (f.low), /** @type {number} */ (f.high)];
      continue;
    }
    f.dims.forEach((dim, k) => {
      let low = Infinity, high = -Infinity;
      for (let i = k; i < /** @type {number[]} */ (f.points).length; i += f.dims.length) {
        const x = /** @type {number[]} */ (f.points)[i];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      box[dim] = [low, high];
    });
  }
  return box;
}

/** Calls f for each element until it returns false.
 * @param {Region} region @param {(element: number[]) => boolean|void} f */
export function forEachElement(region, f) {
  const element = new Array(region.rank).fill(0);
  /** @param {number} i @returns {boolean} */
  const walk = (i) => {
    if (i === region.factors.length) return f(element.slice()) !== false;
    const factor = region.factors[i];
    const width = factor.dims.length;
    for (let k = 0, n = sizeOfFactor(factor); k < n; ++k) {
      if (factor.points) for (let j = 0; j < width; ++j) element[factor.dims[j]] = factor.points[k * width + j];
      else element[factor.dims[0]] = /** @type {number} */ (factor.low) + k;
      if (!walk(i + 1)) return false;
    }
    return true;
  };
  walk(0);
}

/** Something that takes values: variables of the map together. `isRuntime`: it has one value, which
 * the page does not know.
 * @typedef {{slots: number[], size: number, set: (point: number[], i: number) => void, span: [number, number]|null, isRuntime: boolean, weight: (i: number) => number}} Choice */

/** The points that are in the intervals of the variables.
 * @param {CompiledMap} map @param {Factor} f @returns {[number[], number[]]} */
function clipped(map, f) {
  const points = /** @type {number[]} */ (f.points), counts = /** @type {number[]} */ (f.counts), width = f.dims.length;
  const isInside = (/** @type {number} */ i) =>
    f.dims.every((d, k) => {
      const [low, high] = map.variables[d].interval;
      return points[i * width + k] >= (low ?? -Infinity) && points[i * width + k] <= (high ?? Infinity);
    });
  const kept = counts.map((_, i) => i).filter(isInside);
  if (kept.length === counts.length) return [points, counts];
  return [kept.flatMap((i) => points.slice(i * width, (i + 1) * width)), kept.map((i) => counts[i])];
}

/** @param {CompiledMap} map @param {Region} from @param {Map<string, number>} fixed @returns {Choice[]|string} */
function choicesOf(map, from, fixed) {
  /** @type {Choice[]} */
  const choices = [];
  /** @param {number} slot @param {number} low @param {number} high @param {boolean} isRuntime */
  const addSpan = (slot, low, high, isRuntime) =>
    choices.push({ slots: [slot], size: Math.max(0, high - low + 1), set: (p, i) => (p[slot] = low + i), span: [low, high], isRuntime, weight: () => 1 });
  for (const f of from.factors) {
    if (!f.points) {
      const own = f.dims[0];
      const [low, high] = map.variables[own].interval;
      addSpan(own, Math.max(/** @type {number} */ (f.low), low ?? -Infinity), Math.min(/** @type {number} */ (f.high), high ?? Infinity), false);
      if ((f.count ?? 1) !== 1) choices[choices.length - 1].weight = () => f.count ?? 1;
      continue;
    }
    const { dims } = f;
    const [points, counts] = clipped(map, f);
    const set = (/** @type {number[]} */ p, /** @type {number} */ i) => dims.forEach((d, k) => (p[d] = points[i * dims.length + k]));
    choices.push({ slots: dims, size: counts.length, set, span: null, isRuntime: false, weight: (i) => counts[i] });
  }
  for (let slot = from.rank; slot < map.variables.length; ++slot) {
    const { name, kind, interval } = map.variables[slot];
    const value = fixed.get(name);
    if (value !== undefined) addSpan(slot, value, value, false);
    else if (interval[0] === null || interval[1] === null) return `${name} has no bound: set it to a value`;
    else addSpan(slot, interval[0], interval[1], kind !== "range");
  }
  return choices;
}

/** Choices, results and constraints that share variables.
 * @param {CompiledMap} map @param {Choice[]} choices */
function componentsOf(map, choices) {
  const parent = choices.map((_, i) => i);
  /** @param {number} i @returns {number} */
  const root = (i) => (parent[i] === i ? i : (parent[i] = root(parent[i])));
  /** @type {number[]} */
  const choiceOf = [];
  choices.forEach((c, i) => c.slots.forEach((s) => (choiceOf[s] = i)));
  const all = [...map.results, ...map.constraints];
  for (const e of all) for (const slot of e.uses) parent[root(choiceOf[slot])] = root(choiceOf[e.uses[0]]);
  /** @type {Map<number, {choices: Choice[], results: number[], constraints: number[]}>} */
  const groups = new Map();
  /** @param {number} key */
  const groupOf = (key) => {
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { choices: [], results: [], constraints: [] }));
    return group;
  };
  choices.forEach((c, i) => groupOf(root(i)).choices.push(c));
  const keyOf = (/** @type {{uses: number[]}} */ e, /** @type {number} */ other) => (e.uses.length ? root(choiceOf[e.uses[0]]) : other);
  map.results.forEach((e, i) => groupOf(keyOf(e, -1 - i)).results.push(i));
  map.constraints.forEach((e, i) => groupOf(keyOf(e, -1)).constraints.push(i));
  return [...groups.values()];
}

/** What a map reads for a region of the result. A text: why that is not known.
 * `fixed` has values of range variables, runtime variables and parameters.
 * @param {CompiledMap} map @param {Region} from @param {Map<string, number>} fixed @returns {Region|string|null} */
export function readRegion(map, from, fixed) {
  if (map.empty) return null;
  const choices = choicesOf(map, from, fixed);
  if (typeof choices === "string") return choices;
  /** @type {Region} */
  const region = { rank: map.results.length, factors: [], times: from.times, any: from.any, box: from.box };
  const point = new Array(map.variables.length).fill(0);
  for (const group of componentsOf(map, choices)) {
    const total = group.choices.reduce((n, c) => n * c.size, 1);
    if (total === 0) return null;
    const only = group.choices[0];
    if (group.choices.some((c) => c.isRuntime)) region.any = true;
    if (group.constraints.length === 0 && group.results.length === 0 && group.choices.every((c) => c.span)) {
      if (!group.choices.every((c) => c.isRuntime)) region.times *= group.choices.reduce((n, c) => n * c.size * c.weight(0), 1);
      continue;
    }
    const isVariable = group.results.length === 1 && typeof map.results[group.results[0]].tree === "string";
    if (isVariable && group.constraints.length === 0 && group.choices.length === 1 && only.span) {
      region.factors.push({ dims: group.results, low: only.span[0], high: only.span[1], count: only.isRuntime ? 1 : only.weight(0) });
      continue;
    }
    if (total > mostPoints) {
      const reason = boxOfGroup(map, group, choices, region);
      if (reason) return reason;
      continue;
    }
    const factor = enumerateGroup(map, group, point, total);
    if (factor.counts.length === 0) return null;
    if (group.results.length === 0) region.times *= group.choices.every((c) => c.isRuntime) ? 1 : factor.counts[0];
    else region.factors.push(factor);
  }
  return region;
}

/** The intervals of results that take too many values to list.
 * @param {CompiledMap} map @param {{results: number[], choices: Choice[]}} group @param {Choice[]} choices @param {Region} region */
function boxOfGroup(map, group, choices, region) {
  /** @type {Map<string, [number, number]>} */
  const intervals = new Map();
  const at = new Array(map.variables.length).fill(0);
  for (const c of group.choices) {
    if (c.span) {
      intervals.set(map.variables[c.slots[0]].name, c.span);
      continue;
    }
    for (let i = 0; i < c.size; ++i) {
      c.set(at, i);
      for (const slot of c.slots) {
        const name = map.variables[slot].name;
        const old = intervals.get(name) ?? [Infinity, -Infinity];
        intervals.set(name, [Math.min(old[0], at[slot]), Math.max(old[1], at[slot])]);
      }
    }
  }
  for (const r of group.results) {
    const [low, high] = intervalOf(map.results[r].tree, intervals);
    if (!Number.isFinite(low) || !Number.isFinite(high)) return "more points than the page lists";
    region.factors.push(span(low, high, r));
  }
  region.box = "a box: there are more points than the page lists";
  return "";
}

/** @param {CompiledMap} map @param {{choices: Choice[], results: number[], constraints: number[]}} group @param {number[]} point @param {number} total */
function enumerateGroup(map, group, point, total) {
  const { choices, results, constraints } = group;
  const width = results.length;
  const formulas = results.map((r) => map.results[r].formula);
  const conditions = constraints.map((c) => map.constraints[c]);
  /** @type {Map<string|number, number>} */
  const index = new Map();
  /** @type {Map<string|number, boolean>} */
  const outsideKeys = new Map();
  /** @type {number[]} */
  const points = [], counts = [], outside = [];
  const element = new Array(width).fill(0);
  const isRuntime = choices.some((c) => c.isRuntime);
  for (let n = 0; n < total; ++n) {
    let rest = n, weight = 1;
    for (let k = choices.length - 1; k >= 0; --k) {
      const c = choices[k];
      const i = rest % c.size;
      rest = (rest - i) / c.size;
      c.set(point, i);
      weight *= c.weight(i);
    }
    let inside = true;
    for (const c of conditions) {
      const value = c.formula(point);
      if (!(value >= c.low && value <= c.high)) {
        inside = false;
        break;
      }
    }
    for (let k = 0; k < width; ++k) {
      element[k] = formulas[k](point);
      if (Number.isNaN(element[k])) inside = false;
    }
    const key = width === 1 ? element[0] : element.join();
    if (!inside) {
      if (outside.length < 4096 && !outsideKeys.has(key) && !element.some(Number.isNaN)) {
        outsideKeys.set(key, true);
        outside.push(...element);
      }
      continue;
    }
    const at = index.get(key);
    if (at === undefined) {
      index.set(key, counts.length);
      points.push(...element);
      counts.push(weight);
    } else if (!isRuntime) {
      counts[at] += weight;
    }
  }
  return { dims: results, points, counts, outside, index };
}

/** @param {import("./expr.js").Structure} structure @param {Region} from @param {Object<string, number>} [fixed] */
export function readsOf(structure, from, fixed = {}) {
  return readRegion(compileStructure(structure), from, new Map(Object.entries(fixed)));
}
