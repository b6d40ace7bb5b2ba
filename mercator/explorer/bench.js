// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bench of the simplifier and the proof of two maps.
//
// The page has no prover. It evaluates: if a domain is small, all its points are a
// proof; if two maps differ at a point, the point is one, too. Else it says that it
// does not know, and prints the command that decides.

import { commandLine, emptyState, grouped, h, plural, replace, shellWord } from "./dom.js";
import { compileStructure, evaluateAt, textOfTree } from "./expr.js";
import { parseNotation } from "./notation.js";

const mostChecked = 200000;

/** @typedef {import("./expr.js").Structure} Structure */

/** The points of the variables, if they are few; else a sample.
 * @param {Structure} map @param {number} most */
export function pointsOf(map, most) {
  const sizes = map.variables.map((v) => (v.interval[0] === null || v.interval[1] === null ? Infinity : Math.max(0, v.interval[1] - v.interval[0] + 1)));
  const count = sizes.reduce((n, s) => n * s, 1);
  const all = count <= most;
  const tried = all ? count : Math.min(most, 20000);
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  return {
    count, all, tried,
    /** @param {number} n */
    at(n) {
      const point = new Array(sizes.length).fill(0);
      for (let k = sizes.length - 1; k >= 0; --k) {
        const low = map.variables[k].interval[0] ?? 0;
        const size = Number.isFinite(sizes[k]) ? sizes[k] : 1000;
        const digit = all ? n % size : Math.floor(random() * size);
        n = Math.floor(n / size);
        point[k] = low + digit;
      }
      return point;
    },
  };
}

/** The elements that a map reads at each index of the result: keys of dims, then elements.
 * @param {Structure} map */
function readsByDims(map) {
  const compiled = compileStructure(map);
  const rank = map.variables.filter((v) => v.kind === "dimension").length;
  const points = pointsOf(map, mostChecked);
  /** @type {Map<string, Map<string, number[]>>} */
  const reads = new Map();
  for (let n = 0; n < points.tried; ++n) {
    const point = points.at(n);
    const element = evaluateAt(compiled, point);
    if (!element) continue;
    const key = point.slice(0, rank).join();
    let own = reads.get(key);
    if (!own) reads.set(key, (own = new Map()));
    if (!own.has(element.join())) own.set(element.join(), point);
  }
  return { reads, points, rank, compiled };
}

/** Whether two maps read the same.
 * @param {Structure} first @param {Structure} second
 * @returns {{verdict: "equal"|"different"|"undecided", reason: string, dims?: number[], element?: string, by?: number, point?: number[]}} */
export function compareMaps(first, second) {
  const rank = (/** @type {Structure} */ m) => m.variables.filter((v) => v.kind === "dimension").length;
  if (rank(first) !== rank(second)) return { verdict: "different", reason: `${plural(rank(first), "dimension")}, and ${rank(second)}` };
  if (first.results.length !== second.results.length) return { verdict: "different", reason: `${plural(first.results.length, "result")}, and ${second.results.length}` };
  const a = readsByDims(first), b = readsByDims(second);
  const isComplete = a.points.all && b.points.all;
  if (isComplete) {
    for (const [by, one, other] of /** @type {[number, typeof a, typeof b][]} */ ([[1, a, b], [2, b, a]]))
      for (const [dims, elements] of one.reads)
        for (const [element, point] of elements) if (!other.reads.get(dims)?.has(element)) return { verdict: "different", reason: `at (${dims}), element (${element}) is read by the ${by === 1 ? "first" : "second"} map only`, dims: dims.split(",").filter(Boolean).map(Number), element, by, point };
    return { verdict: "equal", reason: `all ${grouped(Math.max(a.points.count, b.points.count))} points agree` };
  }
  // Without other variables, the same point decides; a difference is a proof.
  const own = first.variables.length === rank(first) && second.variables.length === rank(second);
  if (own) {
    for (let n = 0; n < a.points.tried; ++n) {
      const point = a.points.at(n);
      const x = evaluateAt(a.compiled, point), y = evaluateAt(b.compiled, point);
      if ((x === null) !== (y === null) || (x && y && x.join() !== y.join())) return { verdict: "different", reason: `at (${point.join(", ")}): ${x ? `(${x.join(", ")})` : "nothing"}, and ${y ? `(${y.join(", ")})` : "nothing"}`, dims: point, point, by: x ? 1 : 2 };
    }
    return { verdict: "undecided", reason: `no difference at ${grouped(a.points.tried)} random points: the command decides` };
  }
  return { verdict: "undecided", reason: "there are more points than the page lists: the command decides" };
}

/** Each intermediate value.
 * @param {import("./expr.js").Tree} tree @param {Structure} map @param {number[]} point @returns {[string, number][]} */
export function traceOfTree(tree, map, point) {
  /** @type {[string, number][]} */
  const steps = [];
  const seen = new Set();
  /** @param {any} t */
  const walk = (t) => {
    if (typeof t !== "object") return;
    for (const part of Object.values(t).flat()) walk(part);
    const text = textOfTree(t);
    if (seen.has(text)) return;
    seen.add(text);
    steps.push([text, compileStructure({ variables: map.variables, results: [t], constraints: [] }).results[0].formula(point)]);
  };
  walk(tree);
  return steps;
}

/** @param {string} text @param {{error: {at: number, message: string}}} parsed */
function errorOf(text, parsed) {
  return h("pre", { class: "error", role: "alert" }, `${text.replaceAll("\n", " ")}\n${" ".repeat(parsed.error.at)}^ ${parsed.error.message}\n`, h("span", { class: "muted" }, "The page reads the form that mercator prints; the command reads every form."));
}

/** A field for a map, which keeps its text in the state.
 * @param {any} app @param {string} key @param {string} label @param {string} text */
function mapField(app, key, label, text) {
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, spellcheck: "false", "aria-label": label, value: text, oninput: () => {
    clearTimeout(app.typing);
    app.typing = setTimeout(() => app.set({ [key]: area.value }, true), 250);
  } }));
  area.id = `field-${key}`;
  return h("label", { class: "field" }, h("span", {}, label), area);
}

/** @param {any} step */
function ruleRow(step) {
  return h("li", {}, h("div", {}, h("span", { class: "badge rule" }, step.name ?? step.rule), " ", h("code", {}, step.rewrite), step.condition ? h("span", { class: "muted" }, ` if ${step.condition}`) : null), step.before ? h("div", { class: "rewrite" }, h("code", {}, step.before), " ⇒ ", h("code", {}, step.after)) : h("div", { class: "muted" }, "changes the domain"));
}

/** @param {any} app @param {HTMLElement} root */
export function renderSimplifier(app, root) {
  const { program, state } = app;
  const list = program.data.simplified;
  const chosen = Number(state.get("case") ?? 0);
  const typed = state.get("map");
  const known = typed !== undefined ? list.find((/** @type {any} */ s) => s.before === typed.trim()) : list[chosen];
  const text = typed ?? known?.before ?? "(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: d0 in [0, 9], d1 in [0, 49]";
  const parsed = parseNotation(text);
  const picker = list.length ? h("div", { class: "edge-list short", role: "listbox", "aria-label": "maps of this program" }, list.map((/** @type {any} */ s, /** @type {number} */ k) => h("div", { class: `edge${s === known ? " chosen" : ""}`, role: "option", tabindex: "0", "aria-selected": s === known, onclick: () => app.set({ case: String(k), map: null }, false), onkeydown: (/** @type {KeyboardEvent} */ e) => e.key === "Enter" && app.set({ case: String(k), map: null }) }, h("code", {}, s.before.split(", domain")[0]), h("span", { class: "muted" }, `${plural(s.rules.length, "rule")} · ${s.proof.verdict}`)))) : h("p", { class: "muted" }, "No two maps of this program, one after the other, needed a rule. Type one.");
  const right = h("div", { class: "stack" });
  if ("error" in parsed) right.append(errorOf(text, parsed));
  else if (known) {
    right.append(
      h("div", { class: "before-after" }, h("div", {}, h("h3", {}, "before"), h("code", { class: "map" }, known.before)), h("div", {}, h("h3", {}, "after"), h("code", { class: "map" }, known.after))),
      h("ol", { class: "rules" }, known.rules.map(ruleRow)),
      h("p", {}, h("span", { class: `badge ${known.proof.verdict === "equal" ? "exact" : "over"}` }, known.proof.verdict), ` ${known.proof.reason ?? ""}, found by mercator`));
    const after = parseNotation(known.after);
    if (!("error" in after)) right.append(verdictLine(compareMaps(parsed.map, after.map), "in this page"));
  } else {
    right.append(h("p", { class: "note" }, "The rules are in the command. The page evaluates the map:"), tableOfValues(parsed.map));
  }
  right.append(commandLine(`mercator simplify ${shellWord(text)}`));
  keepFocus(root, h("div", { class: "stack" }, h("section", { class: "card" }, h("header", {}, h("strong", {}, "Simplifier")), mapField(app, "map", "A map", text)), h("div", { class: "two-columns narrow" }, picker, h("section", { class: "card" }, right))));
}

/** The text that is being typed keeps its focus.
 * @param {HTMLElement} root @param {HTMLElement} content */
function keepFocus(root, content) {
  const active = /** @type {any} */ (document.activeElement);
  const id = active?.id?.startsWith("field-") ? active.id : "";
  const at = id ? active.selectionStart : 0, text = id ? active.value : "";
  replace(root, content);
  const again = id ? /** @type {any} */ (document.getElementById(id)) : null;
  if (!again) return;
  again.value = text;
  again.focus();
  again.setSelectionRange(at, at);
}

/** @param {Structure} map */
function tableOfValues(map) {
  const compiled = compileStructure(map);
  const points = pointsOf(map, 4096);
  /** @type {HTMLElement[]} */
  const rows = [];
  for (let n = 0; n < points.tried && rows.length < 12; ++n) {
    const point = points.at(n);
    const element = evaluateAt(compiled, point);
    rows.push(h("tr", {}, h("td", {}, h("code", {}, map.variables.map((v, k) => `${v.name}=${point[k]}`).join(" "))), h("td", {}, element ? h("code", {}, `(${element.join(", ")})`) : h("span", { class: "muted" }, "outside of the domain"))));
  }
  return rows.length ? h("table", { class: "facts-table" }, rows) : emptyState("No points", "The domain of this map is empty.");
}

/** @param {any} answer @param {string} by */
function verdictLine(answer, by) {
  return h("p", {}, h("span", { class: `badge ${answer.verdict === "equal" ? "exact" : answer.verdict === "different" ? "different" : "over"}` }, answer.verdict), ` ${answer.reason}, ${by}`);
}

/** @param {any} app @param {HTMLElement} root */
export function renderProof(app, root) {
  const { state } = app;
  const first = state.get("first") ?? "(d0) -> (d0 floordiv 4 * 4 + d0 mod 4), domain: d0 in [0, 31]";
  const second = state.get("second") ?? "(d0) -> (d0), domain: d0 in [0, 31]";
  const a = parseNotation(first), b = parseNotation(second);
  const right = h("section", { class: "card" });
  if ("error" in a) right.append(errorOf(first, a));
  if ("error" in b) right.append(errorOf(second, b));
  if (!("error" in a) && !("error" in b)) {
    const answer = compareMaps(a.map, b.map);
    right.append(verdictLine(answer, "by evaluation in this page"));
    if (answer.point && answer.verdict === "different") {
      const maps = [a.map, b.map];
      right.append(h("div", { class: "two-columns" }, maps.map((map, k) => {
        const point = map.variables.map((v, i) => (answer.by === k + 1 ? /** @type {number[]} */ (answer.point)[i] : i < (answer.dims?.length ?? 0) ? /** @type {number[]} */ (answer.dims)[i] : (v.interval[0] ?? 0)));
        const element = evaluateAt(compileStructure(map), point);
        return h("div", {}, h("h3", {}, k ? "second" : "first"), h("code", {}, map.variables.map((v, i) => `${v.name}=${point[i]}`).join(" ")), h("table", { class: "facts-table" }, map.results.flatMap((t) => traceOfTree(t, map, point)).map(([t, v]) => h("tr", {}, h("td", {}, h("code", {}, t)), h("td", {}, v)))), h("p", {}, element ? `reads (${element.join(", ")})` : "reads nothing here"));
      })));
    }
  }
  right.append(h("p", { class: "muted" }, "The command proves it for domains of any size:"), commandLine(`mercator prove ${shellWord(first)} ${shellWord(second)}`));
  keepFocus(root, h("div", { class: "stack" }, h("section", { class: "card" }, h("header", {}, h("strong", {}, "Do two maps read the same elements?")), mapField(app, "first", "First", first), mapField(app, "second", "Second", second)), right));
}

/** @param {any} app */
export function simplifierCommand(app) {
  const text = app.state.get("map") ?? app.program.data.simplified[Number(app.state.get("case") ?? 0)]?.before;
  return text ? `mercator simplify ${shellWord(text)}` : "mercator simplify --help";
}

/** @param {any} app */
export function proofCommand(app) {
  return `mercator prove ${shellWord(app.state.get("first") ?? "(d0) -> (d0)")} ${shellWord(app.state.get("second") ?? "(d0) -> (d0)")}`;
}
