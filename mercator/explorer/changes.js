// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two programs side by side: what changed, and whether the same is read.

import { commandLine, emptyState, grouped, h, plural, replace, shellWord } from "./dom.js";
import { lineOfPlace } from "./boundaries.js";
import { textPane } from "./program.js";

/** @param {any} app @param {HTMLElement} root */
export function renderChanges(app, root) {
  const { program, state } = app;
  const { diff, second, file, text } = program.data;
  if (!diff || !second) return void replace(root, emptyState("No second program", "This page was written for one program."), h("div", { class: "stack" }, commandLine(`mercator explore ${shellWord(file)} --diff=OTHER -o page.html`)));
  /** @type {{kind: string, first?: any, second?: any, text: string}[]} */
  const items = [
    ...diff.changed.map((/** @type {any} */ c) => ({ kind: "changed", first: c.first, second: c.second, text: c.changes.join("; ") })),
    ...diff.only_first.map((/** @type {any} */ p) => ({ kind: "only in the first", first: p, text: p.operation })),
    ...diff.only_second.map((/** @type {any} */ p) => ({ kind: "only in the second", second: p, text: p.operation })),
  ];
  const chosen = Math.min(items.length - 1, Number(state.get("change") ?? 0));
  const item = items[chosen];
  const lineOf = (/** @type {any} */ place) => (place ? lineOfPlace(place.location ?? place.at ?? "") : 0);
  const marks = [new Set(items.map((c) => lineOf(c.first))), new Set(items.map((c) => lineOf(c.second)))];
  const panes = [text, second.text].map((t, side) => {
    const on = lineOf(side ? item?.second : item?.first);
    const pane = textPane(app, t.split("\n"), (l) => l === on, (l) => {
      const k = items.findIndex((c) => lineOf(side ? c.second : c.first) === l);
      if (k >= 0) app.set({ change: String(k) }, true);
    }, side ? "second program" : "first program", (l) => marks[side].has(l));
    if (on) requestAnimationFrame(() => pane.show(on - 1));
    return h("div", { class: "diff-pane" }, h("h3", {}, side ? second.name : file, h("span", { class: "muted" }, ` ${plural([...marks[side]].filter(Boolean).length, "line")} differ`)), pane.element);
  });
  const list = items.length ? h("div", { class: "edge-list short", role: "listbox", "aria-label": "changes" }, items.slice(0, 1000).map((c, k) => h("div", { class: `edge${k === chosen ? " chosen" : ""}`, role: "option", tabindex: "0", "aria-selected": k === chosen, onclick: () => app.set({ change: String(k) }, true), onkeydown: (/** @type {KeyboardEvent} */ e) => e.key === "Enter" && app.set({ change: String(k) }, true) }, h("strong", {}, (c.first ?? c.second).instruction), h("span", { class: "badge" }, c.kind), h("span", { class: "muted" }, c.text)))) : emptyState("The same instructions", "The programs compute the same, instruction by instruction.");
  const reads = diff.reads.map((/** @type {any} */ r) => h("tr", {}, h("td", {}, `result ${r.result}`), h("td", {}, `parameter ${r.parameter}`), h("td", {}, h("span", { class: `badge ${r.verdict === "equal" ? "exact" : r.verdict === "different" ? "different" : "over"}` }, r.verdict)), h("td", {}, r.reason ?? ""), h("td", {}, [...new Set([...r.first, ...r.second])].map((m) => h("div", {}, h("code", {}, m))))));
  replace(root, h("div", { class: "stack" },
    h("p", { class: "summary" }, h("span", { class: `badge ${diff.verdict === "equal" ? "exact" : diff.verdict === "different" ? "different" : "over"}` }, `maps ${diff.verdict}`), ` ${grouped(diff.equal)} instructions are equal, ${diff.changed.length} changed, ${grouped(diff.affected)} are affected by a change, ${diff.only_first.length} only in the first, ${diff.only_second.length} only in the second`, diff.reason ? `; ${diff.reason}` : ""),
    list, h("div", { class: "two-columns" }, panes),
    reads.length ? h("section", { class: "card" }, h("header", {}, h("strong", {}, "What the results read")), h("table", { class: "facts-table" }, reads)) : null));
}

/** @param {any} app */
export function changesCommand(app) {
  return `mercator diff ${shellWord(app.program.data.file)} ${shellWord(app.program.data.second?.name ?? "OTHER")}`;
}
