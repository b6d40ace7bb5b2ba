// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedule: what a dispatch computes, the bytes on each level of memory, and the time
// by its causes.

import { bytesText, color, drawing, emptyState, grouped, h, replace, shellWord, shortText, timeText } from "./dom.js";
import { lineOfPlace } from "./boundaries.js";
import { option } from "./grid.js";

/** @param {string} text "form=tiles lanes=16" @returns {[string, string][]} */
function wordsOf(text) {
  return text.split(" ").filter((w) => w.includes("=")).map((w) => /** @type {[string, string]} */ (w.split("=")));
}

/** How many nodes a loop has with what is inside.
 * @param {any[]} loops @param {number} k */
function sizeOf(loops, k) {
  let end = k + 1;
  while (end < loops.length && loops[end].depth > loops[k].depth) ++end;
  return end - k;
}

/** The loops of a kernel as rows. Neighbors that are alike, as the segments of a divided loop are, stand once: `times` counts
 * them, `all` those of the loops around, too.
 * @param {any[]} loops @param {number} around @returns {{loop: any, times: number, all: number}[]} */
export function loopRows(loops, around = 1) {
  const rows = [];
  for (let k = 0; k < loops.length; ) {
    const size = sizeOf(loops, k), text = JSON.stringify(loops.slice(k, k + size));
    let times = 1, next = k + size;
    while (next < loops.length && JSON.stringify(loops.slice(next, next + size)) === text && sizeOf(loops, next) === size) {
      ++times;
      next += size;
    }
    rows.push({ loop: loops[k], times, all: around * times }, ...loopRows(loops.slice(k + 1, k + size), around * times));
    k = next;
  }
  return rows;
}

/** The loop nest of a kernel: how often, for how long, and what comes to each cache.
 * @param {any} kernel @param {any[]} caches */
function loopTable(kernel, caches) {
  const levels = caches.map((/** @type {any} */ c) => c.name);
  const title = (/** @type {number} */ k) => `to ${levels[k]} from ${levels[k + 1] ?? "memory"}`;
  const total = kernel.loops.filter((/** @type {any} */ l) => l.depth === 0).reduce((/** @type {number} */ s, /** @type {any} */ l) => s + l.nanoseconds, 0);
  const what = (/** @type {any} */ l) => (l.iterations === undefined ? (l.packing ? "copies to the tile" : "computes") : `for ${grouped(l.iterations)}`);
  return h("table", { class: "facts-table loop-nest" },
    h("tr", {}, h("th", {}, "loop"), h("th", {}, "time"), h("th", {}, "share"), levels.map((/** @type {string} */ _, /** @type {number} */ k) => h("th", {}, title(k)))),
    loopRows(kernel.loops).map(({ loop, times, all }) => h("tr", {},
      h("td", { style: `padding-left:${8 + loop.depth * 16}px` }, h("code", {}, what(loop)), " ", loop.parallel ? h("span", { class: "badge" }, "divided among the cores") : null, times > 1 ? h("span", { class: "muted" }, ` ${times} alike`) : null),
      h("td", {}, timeText(loop.nanoseconds * all)),
      h("td", {}, total > 0 ? `${Math.round((100 * loop.nanoseconds * all) / total)} %` : ""),
      loop.bytes.map((/** @type {number} */ b) => h("td", {}, b > 0 ? bytesText(b * all) : "")))));
}

/** @param {any} app @param {HTMLElement} root */
export function renderSchedule(app, root) {
  const { program, state } = app;
  const explain = program.data.explain;
  if (!explain || !explain.dispatches.length) return void replace(root, emptyState("No dispatches", program.data.no_dispatches || "This program has nothing to compute in dispatches."));
  const at = program.instructions[app.at()].dispatch;
  const n = Math.min(explain.dispatches.length - 1, Number(state.get("dispatch") ?? at ?? 0));
  const d = explain.dispatches[n], device = program.data.devices[0];
  const predicted = program.data.dispatches[n] ?? {};
  const bytes = [...d.reads, ...d.gives].reduce((/** @type {number} */ sum, /** @type {any} */ t) => sum + (t.bytes ?? NaN), 0);
  const choose = h("label", {}, "dispatch ", h("select", { "aria-label": "dispatch", onchange: (/** @type {any} */ e) => app.set({ dispatch: e.target.value }, true) }, explain.dispatches.slice(0, 4000).map((/** @type {any} */ x, /** @type {number} */ k) => option(k, `${k}: ${x.operations.at(-1)?.operation ?? ""}`, k === n))));
  const operations = d.operations.map((/** @type {any} */ op) => {
    const line = lineOfPlace(op.at), name = op.operation.split(" = ")[0];
    const i = (program.ofLine.get(line) ?? []).find((/** @type {number} */ k) => program.instructions[k].name === name);
    return h("tr", {}, h("td", {}, i !== undefined ? h("button", { class: "link", onclick: () => app.go(i, null, "elements") }, op.operation) : op.operation), h("td", { class: "muted" }, `line ${line}`), h("td", { class: "muted" }, op.origin ?? ""));
  });
  // Levels: what fits where.
  const need = bytes;
  const levels = [...(device.caches ?? []).map((/** @type {any} */ c) => ({ name: c.name, size: c.bytes })), { name: "memory", size: Infinity }];
  const home = levels.findIndex((l) => need <= l.size);
  const bars = drawing(640, levels.length * 30 + 4, (p, w) => {
    levels.forEach((l, k) => {
      const y = k * 30 + 4;
      p.text(l.name.length > 22 ? `${l.name.slice(0, 21)}…` : l.name, 4, y + 10, color("ink"), 12);
      const share = Number.isFinite(l.size) ? Math.min(1, need / l.size) : 1;
      p.rect(160, y, 300, 20, color("inset"), color("line"), 1, [], 3);
      p.rect(160, y, Math.max(2, 300 * share), 20, k === home ? color("accent") : color("read"), null, 1, [], 3);
      p.text(Number.isFinite(l.size) ? `${bytesText(need)} of ${bytesText(l.size)}` : `${bytesText(need)} moved`, 470, y + 10, color("muted"), 12);
    });
  }, { role: "img", "aria-label": "bytes on each level of memory" });
  const schedules = explain.schedules ?? [];
  const lines = new Set(d.operations.map((/** @type {any} */ op) => lineOfPlace(op.at)));
  const own = schedules.filter((/** @type {any} */ s) => s.lines.some((/** @type {string} */ l) => lines.has(Number(/:(\d+): /.exec(l)?.[1]))) || s.kernel.includes(`_dispatch_${n}_`) || s.kernel.endsWith(`_dispatch_${n}`));
  // The times of its machine code, if there is one; else those that formation estimates with.
  const timed = own.filter((/** @type {any} */ s) => s.nanoseconds);
  /** @type {Map<string, number>} */
  const causes = new Map();
  for (const s of timed) for (const [cause, ns] of Object.entries(s.nanoseconds)) causes.set(cause, (causes.get(cause) ?? 0) + /** @type {number} */ (ns));
  const colors = ["accent", "read", "muted", "sector"];
  const parts = /** @type {[string, number, string][]} */ (timed.length
    ? [...causes].sort((a, b) => b[1] - a[1]).map(([cause, ns], k) => [cause, ns, colors[k % colors.length]])
    : [["start", predicted.start ?? NaN, "muted"], ["memory", predicted.memory ?? NaN, "read"], ["arithmetic", predicted.arithmetic ?? NaN, "accent"]]);
  const sum = parts.reduce((s, [, t]) => s + (Number.isFinite(t) ? t : 0), 0);
  const total = timed.length ? sum : predicted.nanoseconds;
  const time = drawing(640, 62, (p, w) => {
    let x = 4;
    for (const [name, t, c] of parts) {
      if (!Number.isFinite(t) || t <= 0 || sum <= 0) continue;
      const width = ((w - 8) * t) / sum;
      p.rect(x, 4, Math.max(1, width - 1), 26, color(c), null, 1, [], 2);
      if (width > 90) p.text(`${name} ${timeText(t)}`, x + 6, 44, color("ink"), 11);
      x += width;
    }
  }, { role: "img", "aria-label": "time by its causes" });
  const nest = own.map((/** @type {any} */ s) => h("section", { class: "card" }, h("header", {}, h("strong", {}, s.kernel)), s.lines.map((/** @type {string} */ text) => {
    const inTile = text.startsWith("  ");
    const [, line, what, words] = /^\s*(?:.*?:(\d+): )?([^:]*)(?:: (.*))?$/.exec(text) ?? [];
    return h("div", { class: inTile ? "nest inner" : "nest" }, h("div", {}, what, line ? h("span", { class: "muted" }, ` line ${line}`) : null), words ? h("div", { class: "facts" }, wordsOf(words).map(([k, v]) => h("span", { class: "badge" }, `${k} ${v}`))) : null);
  }), s.loops?.length ? loopTable(s, device.caches ?? []) : null));
  const workload = d.workload.length ? h("div", { class: "loops" }, d.workload.map((/** @type {any} */ size, /** @type {number} */ k) => h("div", { style: `margin-left:${k * 18}px` }, h("code", {}, `for d${k} in 0..${size === null ? "?" : size - 1}`), k === 0 ? h("span", { class: "muted" }, " divided among the cores") : null))) : null;
  const tensors = (/** @type {string} */ title, /** @type {any[]} */ list) => h("div", {}, h("h3", {}, title), h("table", { class: "facts-table" }, list.map((t) => h("tr", {}, h("th", {}, t.name), h("td", {}, t.type), h("td", {}, bytesText(t.bytes))))));
  replace(root, h("div", { class: "stack" },
    h("div", { class: "bar" }, choose),
    h("section", { class: "card" }, h("header", {}, h("strong", {}, `Predicted ${timeText(total)}`), h("span", { class: "muted" }, ` ${bytesText(bytes)}, ${shortText(d.flops)} flops, ${device.title}`)), total === undefined ? h("p", { class: "muted" }, "An extent or a rate is not known.") : time, h("p", { class: "muted" }, parts.map(([k, t]) => `${k}: ${Number.isFinite(t) ? timeText(t) : "not known"}`).join(" · "))),
    nest.length ? nest : schedules.length ? h("p", { class: "muted" }, "No product is in this dispatch: its loops follow the workload, with vectors along the last one.") : null,
    h("section", { class: "card" }, h("header", {}, h("strong", {}, "Bytes on each level")), bars),
    h("section", { class: "card" }, h("header", {}, h("strong", {}, `${grouped(d.operations.length)} operations`)), h("table", { class: "facts-table" }, operations), h("div", { class: "two-columns" }, tensors("reads", d.reads), tensors("gives", d.gives))),
    h("section", { class: "card" }, h("header", {}, h("strong", {}, "Loops")), workload ?? h("p", { class: "muted" }, "No loops: one cell."), schedules.length ? null : h("p", { class: "note" }, "The page has no schedule of machine code: the device is no CPU, the program is large, or an operation has no code for a CPU. `mercator explain --target=cpu` prints it, or says why."))));
}

/** @param {any} app */
export function scheduleCommand(app) {
  return `mercator explain ${shellWord(app.program.data.file)} --target=cpu`;
}
