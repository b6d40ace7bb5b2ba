// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From elements of one value to what they are computed from, up to the parameters,
// and to what they reach, down to the results: one computation, one step a record.

import { boxOfRegion, readRegion, readsOfRegion, regionOfBox, sizeOfRegion } from "./regions.js";

/** @typedef {import("./regions.js").Region} Region */
/** @typedef {import("./data.js").Program} Program */
/** `isEnd`: the walk does not go on here, though the instruction reads something.
 * @typedef {{instruction: number, result: number, element: number|undefined, regions: Region[], over: string, isEnd: boolean}} Reached */

const mostRegions = 16;

/** A value, and a member of it.
 * @param {number} i @param {number} result @param {number} [element] */
function keyOfValue(i, result, element) {
  return `${i}:${result}:${element ?? ""}`;
}

/** Whether two regions are the same, by what is cheap to compare.
 * @param {Region} a @param {Region} b */
function isSameRegion(a, b) {
  if (a.factors.length !== b.factors.length || a.any !== b.any || a.times !== b.times) return false;
  return a.factors.every((f, i) => {
    const g = b.factors[i];
    if (f.dims.join() !== g.dims.join() || f.low !== g.low || f.high !== g.high || f.count !== g.count) return false;
    if (!f.points || !g.points) return f.points === g.points;
    return f.points.length === g.points.length && f.points.every((x, k) => x === /** @type {number[]} */ (g.points)[k]);
  });
}

/** Adds a region to what is reached of a value.
 * @param {Reached} to @param {Region} region */
export function addRegion(to, region) {
  if (to.regions.some((r) => isSameRegion(r, region))) return;
  to.regions.push(region);
  if (to.regions.length <= mostRegions) return;
  const boxes = to.regions.map(boxOfRegion);
  const joined = boxes[0].map((_, d) => /** @type {[number, number]} */ ([Math.min(...boxes.map((b) => b[d][0])), Math.max(...boxes.map((b) => b[d][1]))]));
  to.regions = [{ ...regionOfBox(joined), any: to.regions.some((r) => r.any), box: "a box around several reads" }];
}

/** Walks from a region of a value; a generator, so that the page stays responsive: it
 * yields after each instruction, and returns what was reached, the nearest first.
 * @param {Program} program @param {{instruction: number, result: number, element?: number}} from
 * @param {Region} region @param {boolean} up @param {Map<string, number>} fixed of runtime variables
 * @returns {Generator<number, Reached[]>} */
export function* walkFrom(program, from, region, up, fixed) {
  /** @type {Map<string, Reached>} */
  const reached = new Map();
  /** @type {Map<number, Reached[]>} */
  const ofInstruction = new Map();
  /** @type {number[]} */
  const queue = [];
  const seen = new Set();
  /** @param {number} i @param {number} result @param {number|undefined} element @param {Region|null} r @param {string} over */
  const reach = (i, result, element, r, over) => {
    const key = keyOfValue(i, result, element);
    let to = reached.get(key);
    if (!to) {
      reached.set(key, (to = { instruction: i, result, element, regions: [], over: "", isEnd: false }));
      const there = ofInstruction.get(i);
      if (there) there.push(to);
      else ofInstruction.set(i, [to]);
    }
    if (over && !to.over) to.over = over;
    if (r) addRegion(to, r);
    const next = up ? [i] : program.usersOf(i);
    for (const n of next)
      if (!seen.has(n)) {
        seen.add(n);
        // Operands stand before their users: numbers are an order of the walk.
        let at = queue.length;
        queue.push(n);
        while (at > 0) {
          const parent = (at - 1) >> 1;
          if (up ? queue[parent] >= queue[at] : queue[parent] <= queue[at]) break;
          [queue[parent], queue[at]] = [queue[at], queue[parent]];
          at = parent;
        }
      }
  };
  const pop = () => {
    const top = queue[0];
    const last = /** @type {number} */ (queue.pop());
    if (queue.length === 0) return top;
    queue[0] = last;
    for (let at = 0; ; ) {
      let best = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < queue.length && (up ? queue[child] > queue[best] : queue[child] < queue[best])) best = child;
      if (best === at) return top;
      [queue[best], queue[at]] = [queue[at], queue[best]];
      at = best;
    }
  };
  reach(from.instruction, from.result, from.element, region, "");
  while (queue.length) {
    const i = pop();
    const it = program.instructions[i];
    const operands = it.operands ?? [];
    /** @type {Set<Reached>} */
    const followed = new Set();
    for (const record of up ? program.reads(i) : program.reaches(i)) {
      const [start, startResult] = up ? [i, record.from.number] : (operands[record.from.number] ?? [i, 0]);
      const source = reached.get(keyOfValue(start, startResult, record.from.element));
      if (!source) continue;
      followed.add(source);
      for (const end of record.to) {
        const [target, targetResult] = up ? (operands[end.number] ?? [i, 0]) : [i, end.number];
        if (up && target === i) continue;
        for (const m of end.maps ?? []) {
          const map = program.map(m);
          const over = source.over || (map.exact ? "" : (map.reason ?? "an over-approximation"));
          for (const r of source.regions) {
            if (r.rank > map.compiled.variables.length) {
              source.isEnd = true;
              continue;
            }
            const read = readRegion(map.compiled, r, fixed);
            if (typeof read === "string") reach(target, targetResult, end.element, wholeOf(program, end, target, targetResult, read), read);
            else if (read) reach(target, targetResult, end.element, read, over);
          }
        }
      }
    }
    // Members of tuples that a call gives have no records of their own.
    if (up && program.reads(i).length)
      for (const r of ofInstruction.get(i) ?? []) if (!followed.has(r)) r.isEnd = true;
    yield i;
  }
  return [...reached.values()].filter((r) => r.regions.length > 0);
}

/** All elements of a value.
 * @param {Program} program @param {import("./data.js").End} end @param {number} i @param {number} result @param {string} why */
function wholeOf(program, end, i, result, why) {
  const type = end.type !== undefined ? program.data.types[end.type] : program.type(i, result);
  const sizes = program.sizes(type);
  return { ...regionOfBox(sizes.map((size) => [0, size - 1])), box: why };
}

/** The sum of a count over regions; `atMost` if they may overlap.
 * @param {Region[]} regions */
export function countsOf(regions) {
  let elements = 0, reads = 0;
  for (const r of regions) {
    elements += sizeOfRegion(r);
    reads += readsOfRegion(r);
  }
  return { elements, reads, atMost: regions.length > 1 || regions.some((r) => r.any || r.box) };
}
