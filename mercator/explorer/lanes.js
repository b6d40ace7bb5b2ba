// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the lanes of a warp ask of memory together: the page's copy of
// mercator/analysis/access/Lanes.h and Banks.h, load by load.

import { evaluateAt, floorDiv, floorMod } from "./expr.js";

/** @typedef {import("./expr.js").CompiledMap} CompiledMap */
/** A load has a number for each dimension of `loops`. `index` gives the element of the result
 * that a lane computes, or null for a lane that takes no part.
 * With `each` above 1, the last loop counts the loads of a vector (inLoadsOf).
 * @typedef {{lanes: number, vector: number, each?: number, loops: number[], index: (lane: number, element: number, loop: number[]) => number[]|null}} Mapping */

/** Consecutive lanes take consecutive elements in the order of the layout.
 * @param {number[]} sizes @param {number[]} order minor to major @param {number} lanes @param {number} vector @returns {Mapping} */
export function lanesInOrder(sizes, order, lanes, vector) {
  /** Steps of the index, the fastest dimension first: how each dimension is made from what is left. */
  const steps = /** @type {{dim: number, kind: string, size: number, left: number, loop: number}[]} */ ([]);
  const loops = [];
  let left = lanes * vector, isMixed = false, limit = Infinity;
  for (const [place, dim] of order.entries()) {
    const size = sizes[dim];
    const isLast = place + 1 === order.length;
    if (isMixed) steps.push({ dim, kind: isLast ? "rest" : "digit", size, left, loop: -1 });
    else if (left === 1) steps.push({ dim, kind: "loop", size, left, loop: loops.push(size) - 1 });
    else if (size % left === 0) {
      steps.push({ dim, kind: "block", size, left, loop: loops.push(size / left) - 1 });
      left = 1;
    } else if (left % size === 0) {
      steps.push({ dim, kind: "digit", size, left, loop: -1 });
      left /= size;
    } else {
      const count = order.slice(place).reduce((n, d) => n * sizes[d], 1);
      steps.push({ dim, kind: isLast ? "number-rest" : "number", size, left, loop: loops.push(Math.ceil(count / left)) - 1 });
      limit = count;
      left = 1;
      isMixed = true;
    }
  }
  const isSmaller = left > 1;
  return {
    lanes,
    vector,
    loops,
    index(lane, element, loop) {
      let rest = lane * vector + element;
      const index = new Array(sizes.length).fill(0);
      for (const step of steps) {
        if (step.kind.startsWith("number")) {
          rest += loop[step.loop] * step.left;
          if (rest >= limit) return null;
        }
        if (step.kind === "loop") index[step.dim] = loop[step.loop];
        else if (step.kind === "block") index[step.dim] = loop[step.loop] * step.left + rest;
        else if (step.kind.endsWith("rest")) index[step.dim] = rest;
        else {
          index[step.dim] = floorMod(rest, step.size);
          rest = floorDiv(rest, step.size);
        }
      }
      return isSmaller && rest !== 0 ? null : index;
    },
  };
}

/** Consecutive lanes take consecutive indices of one dimension.
 * @param {number[]} sizes @param {number} dim @param {number} lanes @param {number} vector @returns {Mapping} */
export function lanesAlong(sizes, dim, lanes, vector) {
  const width = lanes * vector;
  return {
    lanes,
    vector,
    loops: sizes.map((size, i) => (i === dim ? Math.ceil(size / width) : size)),
    index(lane, element, loop) {
      const index = loop.slice();
      index[dim] = loop[dim] * width + lane * vector + element;
      return index[dim] < sizes[dim] ? index : null;
    },
  };
}

/** The elements of a lane that one load takes (mercator/analysis/access/Lanes.h). On a GPU these are neighbors of at most 16
 * bytes that begin at a multiple of their bytes, for all lanes; or all, if they are one element.
 * @param {Mapping} mapping @param {CompiledMap} map @param {{sizes: number[], order: number[], bits: number}} layout
 * @param {any} device @param {number} rank @param {number} most loads that are looked at */
export function elementsTogether(mapping, map, layout, device, rank, most) {
  const { lanes, vector } = mapping;
  if (vector === 1 || !(device.banks > 0)) return { together: vector, areOne: true };
  const bytes = layout.bits / 8;
  /** @type {Set<number>} */
  const neighbors = new Set();
  for (let count = 2; Number.isInteger(Math.log2(bytes)) && vector % count === 0 && count * bytes <= 16 && device.line_bytes % (count * bytes) === 0; count *= 2) neighbors.add(count);
  let areOne = true;
  for (const { loop, values } of loadsOf(mapping, map, rank, most)) {
    if (!areOne && neighbors.size === 0) break;
    for (let lane = 0; lane < lanes; ++lane) {
      const at = [...Array(vector).keys()].map((element) => {
        const from = mapping.index(lane, element, loop), to = from && evaluateAt(map, [...from, ...values]);
        return to && byteOf(layout.sizes, layout.order, layout.bits, to);
      });
      areOne &&= new Set(at.filter((b) => b !== null)).size <= 1;
      for (const count of neighbors)
        for (let first = 0; first < vector; first += count) {
          const own = at.slice(first, first + count), begin = own[0];
          if (own.includes(null) || begin === null) continue; // taken one by one
          if (floorMod(begin, count * bytes) !== 0 || own.some((b, k) => b !== begin + k * bytes)) neighbors.delete(count);
        }
    }
  }
  return { together: areOne ? vector : Math.max(1, ...neighbors), areOne };
}

/** The mapping with several loads in place of one of a vector: those of the lanes that take all elements of a load, then of the
 * lanes that take a part of them, element by element.
 * @param {Mapping} mapping @param {{together: number, areOne: boolean}} loads @returns {Mapping} */
export function inLoadsOf(mapping, { together, areOne }) {
  if (areOne) return mapping;
  const each = together > 1 ? 1 + together : 1;
  return {
    lanes: mapping.lanes,
    vector: together,
    each,
    loops: [...mapping.loops, (mapping.vector / together) * each],
    index: (lane, element, loop) => mapping.index(lane, Math.floor(/** @type {number} */ (loop.at(-1)) / each) * together + element, loop.slice(0, -1)),
  };
}

/** The threads of a kernel, by the map of an access: (lane, element, warp, ..) -> place. One load takes `vector` elements.
 * @param {CompiledMap} map @param {number} vector @returns {Mapping} */
export function lanesOfKernel(map, vector) {
  const extents = map.variables.filter((v) => v.kind === "dimension").map((v) => Number(v.interval[1]) - Number(v.interval[0]) + 1);
  const [lanes, elements, ...others] = extents;
  return {
    lanes,
    vector,
    loops: [Math.ceil(elements / vector), ...others],
    index(lane, element, loop) {
      const at = loop[0] * vector + element;
      return at < elements ? [lane, at, ...loop.slice(1)] : null;
    },
  };
}

/** The byte of an element of a layout.
 * @param {number[]} sizes @param {number[]} order @param {number} bits @param {number[]} index */
export function byteOf(sizes, order, bits, index) {
  let at = 0;
  for (let k = order.length - 1; k >= 0; --k) at = at * sizes[order[k]] + index[order[k]];
  return floorDiv(at * bits, 8);
}

/** @typedef {{lane: number, element: number, from: number[], to: number[], byte: number}} Asked */

/** What each lane asks for in one load. `values` are the other variables of the map.
 * @param {Mapping} mapping @param {CompiledMap} map @param {{sizes: number[], order: number[], bits: number}} layout
 * @param {number[]} loop @param {number[]} values @returns {Asked[]} */
export function askedBy(mapping, map, layout, loop, values) {
  const asked = [];
  const each = mapping.each ?? 1, kind = each > 1 ? /** @type {number} */ (loop.at(-1)) % each : 0;
  for (let lane = 0; lane < mapping.lanes; ++lane) {
    const own = [];
    for (let element = 0; element < mapping.vector; ++element) {
      const from = mapping.index(lane, element, loop);
      const to = from && evaluateAt(map, [...from, ...values]);
      if (from && to) own.push({ lane, element, from, to, byte: byteOf(layout.sizes, layout.order, layout.bits, to) });
    }
    const isCut = each > 1 && own.length < mapping.vector;
    if (kind === 0 && !isCut) asked.push(...own);
    else if (kind > 0 && isCut) asked.push(...own.filter((a) => a.element === kind - 1));
  }
  return asked;
}

/** @param {Asked[]} asked @param {number} bytes of an element @param {number} unit */
export function touchedUnits(asked, bytes, unit) {
  const units = new Set();
  for (const a of asked) for (let u = floorDiv(a.byte, unit); u <= floorDiv(a.byte + bytes - 1, unit); ++u) units.add(u);
  return [...units].sort((a, b) => a - b);
}

/** A variable as the last dimension: lanes share a row of a reduction.
 * @param {CompiledMap} map @param {number} slot of a range variable @param {number} rank @returns {CompiledMap} */
export function turned(map, slot, rank) {
  const order = [...map.variables.keys()].filter((i) => i !== slot);
  order.splice(rank, 0, slot);
  const to = order.map((old) => old);
  /** @param {number[]} point */
  const back = (point) => {
    const old = new Array(point.length);
    to.forEach((o, i) => (old[o] = point[i]));
    return old;
  };
  const wrap = (/** @type {any} */ e) => ({ ...e, formula: (/** @type {number[]} */ p) => e.formula(back(p)), uses: e.uses.map((/** @type {number} */ u) => to.indexOf(u)) });
  return { variables: order.map((i) => map.variables[i]), results: map.results.map(wrap), constraints: map.constraints.map(wrap), empty: map.empty };
}

/** The range variable that walks the fastest dimension of the operand alone, or -1.
 * @param {CompiledMap} map @param {number[]} order of the operand */
export function sharedRange(map, order) {
  if (order.length === 0) return -1;
  const tree = map.results[order[0]].tree;
  const slot = typeof tree === "string" ? map.variables.findIndex((v) => v.name === tree) : -1;
  const v = map.variables[slot];
  return v && v.kind === "range" && v.interval[0] === 0 && v.interval[1] !== null ? slot : -1;
}

/** @typedef {{loads: number, sectors: Map<number, number>, lines: Map<number, number>, used: number, fetched: number, needed: number, sampled: boolean}} Totals */

/** The loads of a map: all of them, or a sample of `most`.
 * @param {Mapping} mapping @param {CompiledMap} map @param {number} rank @param {number} most */
function* loadsOf(mapping, map, rank, most) {
  const used = new Set(map.results.flatMap((r) => r.uses).concat(map.constraints.flatMap((c) => c.uses)));
  const ranges = map.variables.slice(rank).map((v, i) => (used.has(rank + i) && v.kind === "range" ? Number(v.interval[1]) - Number(v.interval[0]) + 1 : 1));
  const extents = [...mapping.loops, ...ranges];
  const count = extents.reduce((n, e) => n * e, 1);
  const tried = Math.min(count, most);
  for (let n = 0; n < tried; ++n) {
    let rest = tried === count ? n : Math.floor(((count - 1) * n) / Math.max(1, tried - 1));
    const at = extents.map(() => 0);
    for (let k = extents.length - 1; k >= 0; --k) {
      at[k] = rest % extents[k];
      rest = Math.floor(rest / extents[k]);
    }
    const values = map.variables.slice(rank).map((v, i) => Number(v.interval[0] ?? 0) + at[mapping.loops.length + i]);
    yield { n, loop: at.slice(0, mapping.loops.length), values, isSample: tried < count };
  }
}

/** Sums over the loads of a map: all of them, or a sample of `most`. Yields the sums so far.
 * @param {Mapping} mapping @param {CompiledMap} map @param {{sizes: number[], order: number[], bits: number}} layout
 * @param {any} device @param {number} rank dimensions of the map that lanes have @param {number} most @returns {Generator<Totals, Totals>} */
export function* totalsOf(mapping, map, layout, device, rank, most) {
  const bytes = Math.max(1, layout.bits / 8);
  /** @type {Totals} */
  const totals = { loads: 0, sectors: new Map(), lines: new Map(), used: 0, fetched: 0, needed: 0, sampled: false };
  for (const { n, loop, values, isSample } of loadsOf(mapping, map, rank, most)) {
    totals.sampled = isSample;
    const asked = askedBy(mapping, map, layout, loop, values);
    if (asked.length === 0) continue;
    const sectors = touchedUnits(asked, bytes, device.sector_bytes).length;
    const lines = touchedUnits(asked, bytes, device.line_bytes).length;
    const distinct = new Set(asked.map((a) => a.byte)).size * bytes;
    ++totals.loads;
    totals.sectors.set(sectors, (totals.sectors.get(sectors) ?? 0) + 1);
    totals.lines.set(lines, (totals.lines.get(lines) ?? 0) + 1);
    totals.used += distinct;
    totals.fetched += sectors * device.sector_bytes;
    totals.needed += Math.ceil(distinct / device.sector_bytes);
    if (n % 16 === 15) yield totals;
  }
  return totals;
}

/** Passes of shared memory for lanes that each read `bytes` bytes at these addresses.
 * @param {number[]} addresses @param {number} bytes @param {any} device */
export function bankPasses(addresses, bytes, device) {
  const words = new Set();
  for (const a of addresses) for (let w = floorDiv(a, device.bank_bytes); w <= floorDiv(a + bytes - 1, device.bank_bytes); ++w) words.add(w);
  const inBank = new Array(device.banks).fill(0);
  for (const w of words) ++inBank[w % device.banks];
  return Math.max(1, ...inBank);
}

/** A square tile of `lanes` rows in shared memory, written by rows and read by columns.
 * @param {number} lanes @param {number} bytes @param {any} device */
export function stagedTile(lanes, bytes, device) {
  const passes = (/** @type {number} */ row) => bankPasses(Array.from({ length: lanes }, (_, l) => l * row * bytes), bytes, device);
  const row = device.banks * device.bank_bytes;
  const least = Math.max(1, Math.ceil((lanes * bytes) / row));
  let padding = 0, padded = passes(lanes);
  for (let p = 1; p < Math.max(1, row / bytes) && padded > least; ++p)
    if (passes(lanes + p) < padded) {
      padding = p;
      padded = passes(lanes + p);
    }
  // Element (r, c) in column c xor r: the same passes without padding.
  const column = 0;
  const swizzled = bankPasses(Array.from({ length: lanes }, (_, r) => (r * lanes + (column ^ r)) * bytes), bytes, device);
  return { side: lanes, passes: passes(lanes), padding, padded, swizzled };
}
