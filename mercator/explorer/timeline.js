// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Timeline: when each dispatch ran, beside what was predicted.

import { bytesText, color, commandLine, drawing, emptyState, grouped, h, replace, shellWord, timeText } from "./dom.js";

/** Events in microseconds, by dispatch.
 * @param {any} trace */
export function eventsOf(trace) {
  return (trace?.traceEvents ?? []).filter((/** @type {any} */ e) => e.ph === "X" && Number.isFinite(e.ts) && Number.isFinite(e.dur));
}

/** @param {any} app @param {HTMLElement} root */
export function renderTimeline(app, root) {
  const { program, state } = app;
  const file = shellWord(program.data.file);
  const events = eventsOf(program.data.trace);
  if (!events.length)
    return void replace(root, emptyState("No trace", "This page was written without a trace of a run."), h("div", { class: "stack" }, commandLine(`mercator run ${file} --input=random:1 --trace=trace.json`), commandLine(`mercator explore ${file} --trace=trace.json -o page.html`)));
  const begin = Math.min(...events.map((/** @type {any} */ e) => e.ts)), end = Math.max(...events.map((/** @type {any} */ e) => e.ts + e.dur));
  const threads = [...new Set(events.map((/** @type {any} */ e) => e.tid))].sort((a, b) => a - b);
  const chosen = state.get("dispatch");
  const width = Math.max(640, root.clientWidth - 60), left = 76, scale = (width - left - 10) / Math.max(1e-3, end - begin);
  const lanes = drawing(width, threads.length * 34 + 30, (p) => {
    threads.forEach((t, k) => {
      p.text(`thread ${t}`, 4, k * 34 + 16, color("muted"), 12);
      for (const e of events) {
        if (e.tid !== t) continue;
        const on = chosen !== undefined && String(e.args?.dispatch) === chosen;
        p.rect(left + (e.ts - begin) * scale, k * 34 + 4, Math.max(1, e.dur * scale - 0.5), 24, color(on ? "accent" : "read"), null, 1, [], 2);
        if (e.dur * scale > 60) p.text(e.name.slice(0, Math.floor((e.dur * scale) / 7)), left + (e.ts - begin) * scale + 5, k * 34 + 16, color("on-read"), 11);
      }
    });
    for (let k = 0; k <= 4; ++k) p.text(timeText(((end - begin) * 1000 * k) / 4), left + ((width - left - 10) * k) / 4, threads.length * 34 + 16, color("muted"), 11, k === 4 ? "right" : "left");
  }, { role: "img", "aria-label": "when each dispatch ran" });
  lanes.addEventListener("click", (event) => {
    const area = lanes.getBoundingClientRect();
    const t = begin + (event.clientX - area.left - left) / scale, row = threads[Math.floor((event.clientY - area.top) / 34)];
    const e = events.find((/** @type {any} */ x) => x.tid === row && t >= x.ts && t <= x.ts + x.dur);
    if (e) app.set({ dispatch: String(e.args?.dispatch) }, true);
  });
  // A dispatch ran from its first part to the end of its last, each time.
  /** @type {Map<number, {name: string, ns: number, runs: number, bytes: number}>} */
  const measured = new Map();
  for (const e of events) {
    const k = e.args?.dispatch ?? -1;
    const own = measured.get(k) ?? { name: e.name, ns: 0, runs: 0, bytes: e.args?.bytes ?? 0 };
    if (e.tid === 0) {
      own.ns += e.dur * 1000;
      ++own.runs;
    }
    measured.set(k, own);
  }
  const isSame = program.data.dispatches.length === Math.max(...measured.keys()) + 1 || program.data.dispatches.length >= measured.size;
  const rows = [...measured].sort((a, b) => b[1].ns - a[1].ns).slice(0, 2000);
  const most = Math.max(...rows.map(([k, m]) => Math.max(m.ns, (isSame && program.data.dispatches[k]?.nanoseconds) || 0)), 1);
  const bar = (/** @type {number|undefined} */ ns, /** @type {string} */ kind) => h("span", { class: `time-bar ${kind}`, style: `width:${ns ? Math.max(1, (ns / most) * 180) : 0}px` });
  const table = h("table", { class: "facts-table hover" }, h("tr", {}, ["dispatch", "runs", "", "measured", "predicted", "", "measured / predicted", "bytes"].map((t) => h("th", {}, t))), rows.map(([k, m]) => {
    const predicted = isSame ? program.data.dispatches[k]?.nanoseconds : undefined;
    const own = m.runs ? m.ns / m.runs : 0;
    return h("tr", { class: String(k) === chosen ? "chosen" : "", onclick: () => app.set({ dispatch: String(k) }, true) }, h("td", {}, h("button", { class: "link" }, `${k}: ${m.name.length > 40 ? `${m.name.slice(0, 39)}…` : m.name}`)), h("td", {}, grouped(m.runs)), h("td", {}, bar(own, "measured")), h("td", {}, timeText(own)), h("td", {}, timeText(predicted)), h("td", {}, bar(predicted, "predicted")), h("td", {}, predicted ? `${(own / predicted).toPrecision(3)}` : "?"), h("td", {}, bytesText(m.bytes || undefined)));
  }));
  replace(root, h("div", { class: "stack" }, h("section", { class: "card" }, h("header", {}, h("strong", {}, timeText((end - begin) * 1000)), h("span", { class: "muted" }, ` from the first dispatch to the end of the last, ${threads.length} thread${threads.length === 1 ? "" : "s"}`)), h("div", { class: "scroll-x" }, lanes)), h("section", { class: "card" }, h("header", {}, h("strong", {}, "Dispatch by dispatch"), h("span", { class: "muted" }, ` predicted for ${program.data.devices[0].title}`)), isSame ? null : h("p", { class: "note" }, "The trace has other dispatches than this page: it is of another program, or of other options."), table)));
}

/** @param {any} app */
export function timelineCommand(app) {
  return `mercator run ${shellWord(app.program.data.file)} --input=random:1 --trace=trace.json`;
}
