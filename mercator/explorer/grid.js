// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tensor as a grid: two dimensions are drawn, sliders set the others. A click picks
// a cell, a drag picks a tile, and so do the arrow keys, with Shift.

import { color, drawing, grouped, h, replace } from "./dom.js";
import { boxOfRegion } from "./regions.js";

/** @typedef {import("./regions.js").Region} Region */
/** @typedef {[number, number][]} Box */
/** @typedef {{row: number, col: number, fixed: number[], zoom: number, top: number, left: number}} GridState */
/** @typedef {{key: string, label: string, sizes: number[], regions?: Region[], over?: string, tile?: Box, onselect?: (tile: Box) => void, excluded?: (element: number[]) => boolean, width?: number, height?: number, colorName?: string}} GridOptions */

/** @type {Map<string, GridState>} */
const gridStates = new Map();

/** The two dimensions with the most that is read, or the most elements.
 * @param {GridOptions} o @returns {GridState} */
function firstState(o) {
  const rank = o.sizes.length;
  const fixed = o.sizes.map(() => 0);
  let order = o.sizes.map((_, i) => i);
  const box = o.tile ?? (o.regions?.length ? boxOfRegion(o.regions[0]) : null);
  const bySize = (/** @type {number} */ a, /** @type {number} */ b) => o.sizes[a] - o.sizes[b] || a - b;
  order.sort(bySize);
  if (box) {
    box.forEach(([low], i) => (fixed[i] = Math.max(0, Math.min(low, o.sizes[i] - 1))));
    if (!o.onselect) order = order.slice().sort((a, b) => box[a][1] - box[a][0] - (box[b][1] - box[b][0]) || bySize(a, b));
  }
  const two = order.slice(-2).sort((a, b) => a - b);
  return { row: rank > 1 ? two[0] : -1, col: rank > 0 ? two[two.length - 1] : -1, fixed, zoom: 1, top: 0, left: 0 };
}

/** A rank of 0 or 1 has one row.
 * @param {number[]} sizes @param {number} dim */
function extentOf(sizes, dim) {
  return dim < 0 ? 1 : sizes[dim];
}

/** What a region reads of the drawn plane. A span may be longer than the tensor.
 * @param {Region} region @param {GridState} s @param {number[]} sizes @returns {{rows?: Map<number, number>, cols?: Map<number, number>, cells?: [number, number, number][], times: number}|null} */
function planeOf(region, s, sizes) {
  let times = region.times;
  /** @type {Map<number, number>|undefined} */
  let rows;
  /** @type {Map<number, number>|undefined} */
  let cols;
  /** @type {[number, number, number][]|undefined} */
  let cells;
  for (const f of region.factors) {
    const r = f.dims.indexOf(s.row), c = f.dims.indexOf(s.col), width = f.dims.length;
    /** @type {Map<number, number>} */
    const line = new Map();
    let count = 0;
    if (!f.points) {
      const dim = f.dims[0], low = Math.max(0, /** @type {number} */ (f.low)), high = Math.min(sizes[dim] - 1, /** @type {number} */ (f.high));
      if (r < 0 && c < 0) {
        if (s.fixed[dim] < low || s.fixed[dim] > high) return null;
        times *= f.count ?? 1;
        continue;
      }
      if (low > high) return null;
      for (let x = low; x <= high; ++x) line.set(x, f.count ?? 1);
      if (r >= 0) rows = line;
      else cols = line;
      continue;
    }
    const points = f.points, counts = /** @type {number[]} */ (f.counts);
    for (let i = 0, n = counts.length; i < n; ++i) {
      const at = (/** @type {number} */ k) => points[i * width + k];
      const own = counts[i];
      let shown = true;
      for (let k = 0; k < width && shown; ++k) if (k !== r && k !== c && at(k) !== s.fixed[f.dims[k]]) shown = false;
      if (!shown) continue;
      count += own;
      if (r >= 0 && c >= 0) (cells ??= []).push([at(r), at(c), own]);
      else if (r >= 0 || c >= 0) line.set(at(Math.max(r, c)), (line.get(at(Math.max(r, c))) ?? 0) + own);
    }
    if (count === 0) return null;
    if (r >= 0 && c >= 0) continue;
    if (r >= 0) rows = line;
    else if (c >= 0) cols = line;
    else times *= count;
  }
  return { rows, cols, cells, times };
}

/** Cells outside of the tensor that a formula gives and the domain excludes.
 * @param {Region[]} regions @param {number} dim @param {number} extent */
function marginOf(regions, dim, extent) {
  let before = 0, after = 0;
  for (const region of regions)
    for (const f of region.factors) {
      const k = f.dims.indexOf(dim);
      if (k < 0 || !f.outside) continue;
      for (let i = k; i < f.outside.length; i += f.dims.length) {
        before = Math.max(before, -f.outside[i]);
        after = Math.max(after, f.outside[i] - extent + 1);
      }
    }
  return [Math.min(4, before), Math.min(4, after)];
}

/** The formula gives the index, and the domain excludes it.
 * @param {Region} region @param {number} dim @param {number} at */
function isOutside(region, dim, at) {
  const f = region.factors.find((x) => x.dims.includes(dim));
  if (!f?.outside) return false;
  const k = f.dims.indexOf(dim);
  for (let i = k; i < f.outside.length; i += f.dims.length) if (f.outside[i] === at) return true;
  return false;
}

/** @param {GridOptions} o */
export function tensorGrid(o) {
  let s = gridStates.get(o.key);
  if (!s || s.fixed.length !== o.sizes.length) gridStates.set(o.key, (s = firstState(o)));
  const state = s;
  if (!o.onselect && o.regions?.length && o.regions.every((r) => planeOf(r, state, o.sizes) === null)) {
    // Nothing of this plane is read: show one that is.
    boxOfRegion(o.regions[0]).forEach(([low], i) => (state.fixed[i] = Math.max(0, Math.min(low, o.sizes[i] - 1))));
  }
  const element = h("div", { class: "grid" });
  const regions = o.regions ?? [];
  const width = o.width ?? 420, height = o.height ?? 240, gutter = 34, top = 18;
  const geometry = () => {
    const rows = extentOf(o.sizes, state.row), cols = extentOf(o.sizes, state.col);
    const small = rows <= 64 && cols <= 64;
    const [up, down] = small ? marginOf(regions, state.row, rows) : [0, 0];
    const [before, after] = small ? marginOf(regions, state.col, cols) : [0, 0];
    const sx = Math.min(26, (width - gutter) / (cols + before + after)) * state.zoom;
    const sy = Math.min(26, (height - top) / (rows + up + down)) * state.zoom;
    return { rows, cols, up, down, before, after, sx, sy, w: Math.min(width - gutter, (cols + before + after) * sx), h: Math.min(height - top, (rows + up + down) * sy) };
  };
  let g = geometry();
  const x = (/** @type {number} */ c) => gutter + (c + g.before - state.left) * g.sx;
  const y = (/** @type {number} */ r) => top + (r + g.up - state.top) * g.sy;

  /** @param {import("./dom.js").Painter} p */
  const draw = (p) => {
    const ink = color("ink"), faint = color("faint"), line = color("line"), surface = color("inset");
    const right = gutter + g.w, bottom = top + g.h;
    const clipX = (/** @type {number} */ v) => Math.max(gutter, Math.min(right, v));
    const clipY = (/** @type {number} */ v) => Math.max(top, Math.min(bottom, v));
    /** @param {number} r0 @param {number} r1 @param {number} c0 @param {number} c1 */
    const area = (r0, r1, c0, c1) => {
      const left = clipX(x(c0)), t = clipY(y(r0));
      return /** @type {const} */ ([left, t, Math.max(clipX(x(c1 + 1)) - left, left < right ? 0.75 : 0), Math.max(clipY(y(r1 + 1)) - t, t < bottom ? 0.75 : 0)]);
    };
    p.rect(...area(0, g.rows - 1, 0, g.cols - 1), surface);
    drawReads(p, area, right, bottom);
    if (g.rows * g.cols <= 4096 && o.excluded) {
      const at = state.fixed.slice();
      for (let r = 0; r < g.rows; ++r)
        for (let c = 0; c < g.cols; ++c) {
          if (state.row >= 0) at[state.row] = r;
          if (state.col >= 0) at[state.col] = c;
          if (o.excluded(at)) p.hatch(...area(r, r, c, c), faint);
        }
    }
    for (let r = -g.up; r < g.rows + g.down; ++r)
      for (let c = -g.before; c < g.cols + g.after; ++c) {
        const isOut = (r < 0 || r >= g.rows || c < 0 || c >= g.cols) && g.up + g.down + g.before + g.after > 0;
        if (!isOut) continue;
        const given = regions.some((region) => (isOutside(region, state.row, r) || (r >= 0 && r < g.rows)) && (isOutside(region, state.col, c) || (c >= 0 && c < g.cols)));
        if (given) p.hatch(...area(r, r, c, c), color("outside"));
      }
    if (g.sx >= 5) for (let c = 0; c <= g.cols; ++c) if (x(c) >= gutter && x(c) <= right) p.line([x(c), clipY(y(0)), x(c), clipY(y(g.rows))], line, 0.5);
    if (g.sy >= 5) for (let r = 0; r <= g.rows; ++r) if (y(r) >= top && y(r) <= bottom) p.line([clipX(x(0)), y(r), clipX(x(g.cols)), y(r)], line, 0.5);
    p.rect(...area(0, g.rows - 1, 0, g.cols - 1), null, line);
    if (o.tile) {
      const at = (/** @type {number} */ dim) => (dim < 0 ? [0, 0] : /** @type {Box} */ (o.tile)[dim]);
      const inPlane = o.tile.every(([low, high], i) => i === state.row || i === state.col || (state.fixed[i] >= low && state.fixed[i] <= high));
      const [left, t, w, hh] = area(at(state.row)[0], at(state.row)[1], at(state.col)[0], at(state.col)[1]);
      p.rect(left, t, Math.max(w, 3), Math.max(hh, 3), inPlane ? color("accent") : null, color("accent"), 2, inPlane ? [] : [3, 3]);
    }
    axis(p, ink);
  };

  /** @param {import("./dom.js").Painter} p @param {(r0: number, r1: number, c0: number, c1: number) => readonly [number, number, number, number]} area @param {number} right @param {number} bottom */
  const drawReads = (p, area, right, bottom) => {
    const planes = regions.map((r) => planeOf(r, state, o.sizes));
    const stepR = Math.max(1, Math.floor(1 / g.sy)), stepC = Math.max(1, Math.floor(1 / g.sx));
    const binR = (/** @type {number} */ r) => Math.floor(r / stepR), binC = (/** @type {number} */ c) => Math.floor(c / stepC);
    /** @type {Map<number, Map<number, number>>} */
    const bins = new Map();
    const add = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ n) => {
      let row = bins.get(r);
      if (!row) bins.set(r, (row = new Map()));
      row.set(c, (row.get(c) ?? 0) + n);
    };
    /** @param {Map<number, number>|undefined} lines @param {number} extent @param {(i: number) => number} bin */
    const binned = (lines, extent, bin) => {
      /** @type {Map<number, number>} */
      const out = new Map();
      if (!lines) out.set(0, 1);
      else for (const [i, n] of lines) if (i >= 0 && i < extent) out.set(bin(i), Math.max(out.get(bin(i)) ?? 0, n));
      return out;
    };
    planes.forEach((plane) => {
      if (!plane) return;
      if (plane.cells) {
        const here = new Map();
        for (const [r, c, n] of plane.cells) if (r >= 0 && r < g.rows && c >= 0 && c < g.cols) here.set(binR(r) * 1e6 + binC(c), n);
        for (const [k, n] of here) add(Math.floor(k / 1e6), k % 1e6, n * plane.times);
        return;
      }
      const rows = binned(plane.rows, g.rows, binR), cols = binned(plane.cols, g.cols, binC);
      for (const [r, a] of rows) for (const [c, b] of cols) add(r, c, a * b * plane.times);
    });
    let most = 1;
    for (const row of bins.values()) for (const n of row.values()) most = Math.max(most, n);
    const base = color(o.colorName ?? "read"), isAny = regions.some((r) => r.any);
    for (const [r, row] of bins) {
      const list = [...row].sort((a, b) => a[0] - b[0]);
      for (let i = 0; i < list.length; ) {
        let j = i;
        while (j + 1 < list.length && list[j + 1][0] === list[j][0] + 1 && list[j + 1][1] === list[i][1]) ++j;
        const n = list[i][1];
        const [left, t, w, hh] = area(r * stepR, Math.min(g.rows, (r + 1) * stepR) - 1, list[i][0] * stepC, Math.min(g.cols, (list[j][0] + 1) * stepC) - 1);
        const shade = most > 1 ? 0.35 + (0.65 * Math.log2(n + 1)) / Math.log2(most + 1) : 0.85;
        if (left < right && t < bottom) {
          p.rect(left, t, w, hh, base + Math.round(255 * (isAny ? shade * 0.4 : shade)).toString(16).padStart(2, "0"));
          if (isAny && bins.size * list.length < 5000) p.hatch(left, t, w, hh, base);
        }
        if (g.sx >= 18 && g.sy >= 13 && n > 1)
          for (let k = i; k <= j; ++k) {
            const [l2, t2, w2, h2] = area(r, r, list[k][0], list[k][0]);
            p.text(n > 999 ? "…" : String(n), l2 + w2 / 2, t2 + h2 / 2, color("on-read"), 10, "center");
          }
        i = j + 1;
      }
    }
    if (o.over || regions.some((r) => r.box))
      for (const region of regions) {
        const box = boxOfRegion(region);
        const at = (/** @type {number} */ dim) => (dim < 0 ? [0, 0] : box[dim]);
        p.rect(...area(at(state.row)[0], at(state.row)[1], at(state.col)[0], at(state.col)[1]), null, color("over"), 2, [2, 3]);
      }
  };

  /** The numbers at the edges.
   * @param {import("./dom.js").Painter} p @param {string} ink */
  const axis = (p, ink) => {
    const faint = color("muted");
    const every = (/** @type {number} */ step) => [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 65536, 1 << 20, 1 << 24].find((k) => k * step >= 26) ?? 1 << 28;
    const stepC = every(g.sx), stepR = every(g.sy * 1.6);
    for (let c = Math.ceil(state.left / stepC) * stepC; c < g.cols && x(c) < gutter + g.w - 2; c += stepC) p.text(String(c), x(c) + Math.min(g.sx, 26) / 2, top - 9, faint, 10, "center");
    for (let r = Math.ceil(state.top / stepR) * stepR; r < g.rows && y(r) < top + g.h - 2; r += stepR) if (state.row >= 0) p.text(String(r), gutter - 5, y(r) + Math.min(g.sy, 26) / 2, faint, 10, "right");
    if (state.col >= 0) p.text(`${state.row >= 0 ? `d${state.row}\\` : ""}d${state.col}`, 2, top - 9, ink, 9, "left", true);
  };

  const canvas = drawing(gutter + g.w + 2, top + g.h + 2, draw, { tabindex: "0", role: "img", "aria-label": o.label });
  const redraw = () => {
    g = geometry();
    /** @type {any} */ (canvas).redraw();
  };
  const cellAt = (/** @type {MouseEvent} */ e) => {
    const box = canvas.getBoundingClientRect();
    const c = Math.floor((e.clientX - box.left - gutter) / g.sx + state.left) - g.before;
    const r = Math.floor((e.clientY - box.top - top) / g.sy + state.top) - g.up;
    return [Math.max(0, Math.min(g.rows - 1, r)), Math.max(0, Math.min(g.cols - 1, c))];
  };
  const tileOf = (/** @type {number[]} */ a, /** @type {number[]} */ b) => {
    /** @type {Box} */
    const tile = state.fixed.map((x) => [x, x]);
    if (state.row >= 0) tile[state.row] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
    if (state.col >= 0) tile[state.col] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    return tile;
  };
  /** @type {number[]|null} */
  let start = null;
  if (o.onselect) {
    const select = o.onselect;
    canvas.classList.add("selectable");
    canvas.addEventListener("pointerdown", (e) => {
      start = cellAt(e);
      canvas.setPointerCapture(e.pointerId);
      o.tile = tileOf(start, start);
      redraw();
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!start) return;
      o.tile = tileOf(start, cellAt(e));
      redraw();
    });
    canvas.addEventListener("pointerup", (e) => {
      if (!start) return;
      const tile = tileOf(start, cellAt(e));
      start = null;
      select(tile);
    });
    canvas.addEventListener("keydown", (e) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
      if (!step || !o.tile) return;
      e.preventDefault();
      const tile = o.tile.map((t) => /** @type {[number, number]} */ (t.slice()));
      [state.row, state.col].forEach((dim, k) => {
        if (dim < 0 || !step[k]) return;
        const [low, high] = tile[dim], most = o.sizes[dim] - 1;
        if (e.shiftKey) tile[dim] = [low, Math.max(low, Math.min(most, high + step[k]))];
        else if (low + step[k] >= 0 && high + step[k] <= most) tile[dim] = [low + step[k], high + step[k]];
      });
      select(tile);
    });
  }
  const zoomBy = (/** @type {number} */ factor) => {
    state.zoom = Math.max(1, Math.min(4096, state.zoom * factor));
    const box = o.tile ?? (regions.length ? boxOfRegion(regions[0]) : null);
    g = geometry();
    const middle = (/** @type {number} */ dim, /** @type {number} */ extent, /** @type {number} */ shown) => Math.max(0, Math.min(extent - shown, (box && dim >= 0 ? box[dim][0] : 0) - shown / 2));
    state.left = middle(state.col, g.cols + g.before + g.after, g.w / g.sx);
    state.top = middle(state.row, g.rows + g.up + g.down, g.h / g.sy);
    redraw();
  };
  canvas.addEventListener("keydown", (e) => {
    if (e.key === "+" || e.key === "=") zoomBy(2);
    else if (e.key === "-") zoomBy(0.5);
  });
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoomBy(e.deltaY < 0 ? 1.5 : 1 / 1.5);
  });

  // Dimensions: two are drawn, sliders set the others.
  const controls = h("div", { class: "grid-controls" });
  if (o.sizes.length > 2)
    for (const [which, name] of /** @type {["row"|"col", string][]} */ ([["row", "rows"], ["col", "columns"]]))
      controls.appendChild(
        h("label", {}, `${name} `, h("select", { "aria-label": `dimension of the ${name}`, onchange: (/** @type {any} */ e) => {
          const dim = Number(e.target.value);
          const other = which === "row" ? "col" : "row";
          if (state[other] === dim) state[other] = state[which];
          state[which] = dim;
          refreshControls();
          redrawAll();
        } }, o.sizes.map((size, i) => option(i, `d${i}: ${grouped(size)}`, i === state[which])))),
      );
  const sliders = h("div", { class: "sliders" });
  const refreshControls = () => {
    replace(
      sliders,
      o.sizes.map((size, i) => {
        if (i === state.row || i === state.col || size === 1) return null;
        const value = h("output", {}, state.fixed[i]);
        return h("label", {}, `d${i} `, h("input", { type: "range", min: 0, max: size - 1, value: state.fixed[i], "aria-label": `index of d${i}`, oninput: (/** @type {any} */ e) => {
          state.fixed[i] = Number(e.target.value);
          value.textContent = e.target.value;
          redraw();
        }, onchange: () => {
          if (o.onselect && o.tile) o.onselect(o.tile.map((t, k) => (k === i ? [state.fixed[i], state.fixed[i]] : t)));
        } }), value);
      }),
    );
  };
  const redrawAll = () => {
    g = geometry();
    const ratio = window.devicePixelRatio || 1;
    const w = gutter + g.w + 2, hh = top + g.h + 2;
    canvas.style.width = `${w}px`;
    canvas.style.height = `${hh}px`;
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(hh * ratio);
    redraw();
  };
  refreshControls();
  if (o.sizes.some((size) => size > 64))
    controls.append(h("button", { class: "small", title: "Zoom in (+)", "aria-label": "zoom in", onclick: () => zoomBy(2) }, "+"), h("button", { class: "small", title: "Zoom out (-)", "aria-label": "zoom out", onclick: () => zoomBy(0.5) }, "−"));
  element.append(canvas, controls, sliders);
  return element;
}

/** @param {number|string} value @param {string} text @param {boolean} selected */
export function option(value, text, selected) {
  const element = h("option", { value }, text);
  /** @type {HTMLOptionElement} */ (element).selected = selected;
  return element;
}
