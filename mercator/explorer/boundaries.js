// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Why apart: each boundary between two dispatches, its reasons, and what would make
// the two one.

import { bytesText, color, commandLine, drawing, emptyState, grouped, h, plural, replace, shellWord, timeText } from "./dom.js";

/** The line of a place, `f.mlir:12`.
 * @param {string} at */
export function lineOfPlace(at) {
  return Number(at.slice(at.lastIndexOf(":") + 1));
}

/** A map with the terms and variables marked that stand against one dispatch.
 * @param {string} map @param {Set<string>} blocking */
function markedMap(map, blocking) {
  /** @type {(string|HTMLElement)[]} */
  let parts = [map];
  // A variable is marked as a word: d1 is no part of d10.
  for (const term of blocking) {
    const found = new RegExp(`(?<!\\w)(${term.replace(/[^\w\s]/g, "\\$&")})(?!\\w)`);
    parts = parts.flatMap((part) => (typeof part !== "string" ? [part] : part.split(found).map((text, i) => (i % 2 ? h("mark", {}, text) : text))));
  }
  return h("code", { class: "map" }, parts);
}

/** The results of a map, as text.
 * @param {string} map */
function resultsOfMap(map) {
  const from = map.indexOf("->");
  return map.slice(from, map.indexOf(", domain") < 0 ? undefined : map.indexOf(", domain"));
}

/** What blocks: terms and variables that the reason or the cost names, else loops of the
 * reader that the element does not depend on.
 * @param {any} edge */
function blockingOf(edge) {
  const text = `${edge.cost ?? ""} ${(edge.reasons ?? []).map((/** @type {any} */ r) => r.reason).join(" ")}`;
  const named = [...text.matchAll(/`([^`]*\b[a-z]+\d+\b[^`]*)`/g)].map((m) => m[1]).filter((term) => `${edge.made} ${edge.read}`.includes(term));
  // A term before the variables in it.
  if (named.length || !edge.read) return new Set(named.sort((a, b) => b.length - a.length));
  const dims = [...edge.read.slice(0, edge.read.indexOf("->")).matchAll(/[a-z]+\d+/g)].map((m) => m[0]);
  const used = new Set([...resultsOfMap(edge.read).matchAll(/[a-z]+\d+/g)].map((m) => m[0]));
  return new Set(dims.filter((d) => !used.has(d)));
}

/** @param {any} app @param {HTMLElement} root */
export function renderBoundaries(app, root) {
  const { program, state } = app;
  const explain = program.data.explain;
  if (!explain) return void replace(root, emptyState("No dispatches", `This program was not brought to dispatches: ${program.data.no_dispatches || "no reason is known"}`));
  const inside = state.get("edges") === "inside";
  const edges = explain.edges.filter((/** @type {any} */ e) => e.inside === inside);
  const counts = [explain.edges.filter((/** @type {any} */ e) => !e.inside).length, explain.edges.filter((/** @type {any} */ e) => e.inside).length];
  const chosen = Math.min(edges.length - 1, Number(state.get("edge") ?? 0));
  const bar = h("div", { class: "segmented", role: "group", "aria-label": "edges" }, h("button", { "aria-pressed": !inside, onclick: () => app.set({ edges: null, edge: null }) }, `Apart: ${grouped(counts[0])}`), h("button", { "aria-pressed": inside, onclick: () => app.set({ edges: "inside", edge: null }) }, `In one dispatch: ${grouped(counts[1])}`));
  const totals = explain.totals.map((/** @type {any} */ t) => h("p", { class: "summary" }, `${t.function}: ${plural(t.operations, "operation")} in ${t.dispatches} dispatch${t.dispatches === 1 ? "" : "es"}; ${bytesText(t.bytes)} moved, predicted ${timeText(t.nanoseconds)}; with each operation alone ${bytesText(t.bytes_before)}, ${timeText(t.nanoseconds_before)}`));
  if (edges.length === 0) return void replace(root, h("div", { class: "stack" }, bar, ...totals, emptyState(inside ? "No edge is inside a dispatch" : "Nothing is apart", inside ? "Each operation is a dispatch of its own." : "No operation reads a tensor that another dispatch of this program makes.")));
  const most = 500;
  const list = h("div", { class: "edge-list", role: "listbox", "aria-label": "boundaries", tabindex: "0", onkeydown: (/** @type {KeyboardEvent} */ e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    app.set({ edge: String(Math.max(0, Math.min(edges.length - 1, chosen + step))) }, true);
  } }, edges.slice(0, most).map((/** @type {any} */ e, /** @type {number} */ k) => h("div", { class: `edge${k === chosen ? " chosen" : ""}`, role: "option", "aria-selected": k === chosen, onclick: () => app.set({ edge: String(k) }, true) }, h("strong", {}, e.edge.split(" -> ").map((/** @type {string} */ s) => s.split(" = ")[0]).join(" → ")), h("span", { class: "muted" }, e.reason))), edges.length > most ? h("p", { class: "muted" }, `and ${grouped(edges.length - most)} more: mercator explain lists all`) : null);
  const e = edges[chosen];
  const [made, read] = e.edge.split(" -> ");
  const blocking = inside ? new Set() : blockingOf(e);
  const fuse = e.help?.match(/--fuse=(\d+),(\d+)/)?.[0];
  const goto = (/** @type {string} */ text, /** @type {number} */ line) => {
    const name = text.split(" = ")[0];
    const there = (program.ofLine.get(line) ?? []).find((/** @type {number} */ i) => program.instructions[i].name === name) ?? program.instructions.findIndex((/** @type {any} */ x) => x.name === name && x.operation);
    return there >= 0 ? () => app.go(there, null, "program") : undefined;
  };
  const end = (/** @type {string} */ text) => {
    const go = goto(text, lineOfPlace(e.at));
    return h("div", { class: "end" }, go ? h("button", { class: "link", onclick: go }, text) : text);
  };
  const detail = h("section", { class: "card" },
    h("header", {}, h("strong", {}, inside ? "Why these two are one dispatch" : "Why these are two dispatches"), h("span", { class: "muted" }, ` ${e.at}`)),
    h("div", { class: "ends" }, end(made), h("div", { class: "between" }, e.bytes !== undefined ? `${bytesText(e.bytes)} between them` : "a tensor of unknown size", " ↓"), end(read)),
    h("h3", {}, inside ? "Rule" : "Reasons"),
    h("ul", { class: "reasons" }, (e.reasons ?? [{ rule: e.rule, reason: e.reason }]).map((/** @type {any} */ r) => h("li", {}, h("span", { class: "badge" }, r.rule), ` ${r.question ? `${r.question}: ` : ""}${r.reason}`))),
    e.made || e.read ? [h("h3", {}, "Maps"), h("dl", {}, h("dt", {}, "made by"), h("dd", {}, markedMap(e.made ?? "", blocking)), h("dt", {}, "read by"), h("dd", {}, markedMap(e.read ?? "", blocking))), blocking.size ? h("p", { class: "muted" }, "Marked: what stands against one dispatch.") : null] : null,
    e.cost ? [h("h3", {}, "Predicted"), e.nanoseconds_of_one !== undefined ? timeBars(e) : null, h("p", {}, e.cost)] : null,
    h("h3", {}, "The smallest change"),
    e.help ? h("p", {}, e.help) : h("p", { class: "muted" }, inside ? "None is needed." : "No single change is known that makes the two one."),
    fuse ? commandLine(`mercator explain ${shellWord(program.data.file)} ${fuse}`) : null);
  replace(root, h("div", { class: "stack" }, bar, ...totals, h("div", { class: "two-columns narrow" }, list, detail)));
  list.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
}

/** The times of two dispatches and of one.
 * @param {any} e */
function timeBars(e) {
  const times = /** @type {[string, number][]} */ ([["two dispatches", e.nanoseconds_of_two], ["one", e.nanoseconds_of_one]]);
  const most = Math.max(1, ...times.map(([, ns]) => ns));
  return drawing(520, 56, (p) => times.forEach(([name, ns], k) => {
    p.text(name, 4, 14 + k * 26, color("ink"), 12);
    p.rect(116, 4 + k * 26, Math.max(2, (290 * ns) / most), 20, color(k ? "accent" : "read"), null, 1, [], 3);
    p.text(timeText(ns), 122 + (290 * ns) / most, 14 + k * 26, color("muted"), 12);
  }), { role: "img", "aria-label": times.map(([name, ns]) => `${name}: ${timeText(ns)}`).join(", ") });
}

/** @param {any} app */
export function boundariesCommand(app) {
  return `mercator explain ${shellWord(app.program.data.file)}`;
}
