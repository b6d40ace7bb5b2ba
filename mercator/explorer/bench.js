// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bench of the simplifier and the proof of two maps.
//
// The page has the rules of the simplifier (simplify.js), and no prover. It evaluates:
// if a domain is small, all its points are a proof; if two maps differ at a point, the
// point is one, too. Else it says that it does not know, and prints the command that
// decides.

import { commandLine, emptyState, grouped, h, plural, replace, shellWord } from "./dom.js";
import { compileStructure, evaluateAt, textOfTree, unknownValue } from "./expr.js";
import { ArenaMap } from "./arena.js";
import { Printer, readMap, structureOfMap, parseNotation, textOfMap } from "./notation.js";
import { ruleTable } from "./rewrite.js";
import { simplifyMap } from "./simplify.js";

const mostChecked = 200000;
/** Evaluations where not all points are. */
const mostTried = 20000;
/** Points at which one step is checked. */
const mostStepPoints = 2000;

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

/** A variable of both maps, by its place in each: a dimension, a runtime variable or a
 * parameter. Outside of its bounds a map that uses it reads nothing.
 * @typedef {{name: string, kind: string, interval: [number|null, number|null], places: (number|undefined)[], isUsed: boolean}} JointVariable */

/** Where a map has a value inside of its bounds.
 * @param {import("./expr.js").Variable} v */
function insideOf(v) {
  return v.interval[0] ?? Math.min(0, v.interval[1] ?? 0);
}

/** The dimensions by position; parameters by name; runtime variables by source, else by
 * position. Without those that do not matter.
 * @param {Structure[]} maps @param {Set<number>[]} used @returns {JointVariable[]} */
function jointVariables(maps, used) {
  /** @type {JointVariable[]} */
  const joint = [];
  maps.forEach((map, by) => {
    /** @type {Object<string, number>} */
    const counts = {};
    map.variables.forEach((v, place) => {
      const position = (counts[v.kind] = (counts[v.kind] ?? -1) + 1), isUsed = used[by].has(place);
      if (v.kind === "range" || (v.kind !== "dimension" && !isUsed)) return;
      const name = v.kind === "parameter" ? v.name : String(v.source ?? position);
      const known = joint.find((j) => j.kind === v.kind && j.name === name);
      if (!known) {
        joint.push({ name, kind: v.kind, interval: v.interval, places: by ? [undefined, place] : [place, undefined], isUsed });
        return;
      }
      const [a, b] = [known.interval, v.interval];
      known.places[by] = place;
      known.isUsed ||= isUsed || a.join() !== b.join();
      known.interval = [a[0] === null || b[0] === null ? null : Math.min(a[0], b[0]), a[1] === null || b[1] === null ? null : Math.max(a[1], b[1])];
    });
  });
  return joint.filter((j) => j.isUsed);
}

/** How a map is asked for all elements that it reads, with a point of each.
 * @param {Structure} map @param {import("./expr.js").CompiledMap} compiled @param {Set<number>} used @param {JointVariable[]} joint @param {number} by */
function readerOf(map, compiled, used, joint, by) {
  const usual = map.variables.map(insideOf);
  // A range variable that is not used has a value, and it does not matter which.
  const ranges = map.variables.flatMap((v, place) => (v.kind === "range" && used.has(place) ? [place] : []));
  const points = pointsOf({ variables: ranges.map((place) => map.variables[place]), results: [], constraints: [] }, mostChecked);
  return {
    count: points.count,
    /** @param {number[]} at @returns {number[]} */
    pointAt(at) {
      const point = [...usual];
      joint.forEach((j, k) => {
        const place = j.places[by];
        if (place !== undefined) point[place] = at[k];
      });
      return point;
    },
    /** By the text of the element, or by the number, if it has one index.
     * @param {number[]} at */
    reads(at) {
      /** @type {Map<string|number, number[]>} */
      const found = new Map();
      const point = this.pointAt(at), { results, constraints } = compiled;
      if (compiled.empty || map.variables.some((v, i) => point[i] < (v.interval[0] ?? -Infinity) || point[i] > (v.interval[1] ?? Infinity))) return found;
      for (let n = 0; n < points.tried; ++n) {
        if (ranges.length) points.at(n).forEach((value, i) => (point[ranges[i]] = value));
        if (!constraints.every((c) => {
          const value = c.formula(point);
          return value >= c.low && value <= c.high;
        })) continue;
        const element = results.length === 1 ? results[0].formula(point) : results.map((r) => r.formula(point));
        if (typeof element === "number" ? Number.isNaN(element) : element.some(Number.isNaN)) continue;
        const key = typeof element === "number" ? element : element.join();
        if (!found.has(key)) found.set(key, [...point]);
      }
      return found;
    },
  };
}

/** Whether two maps read the same. `points`: of each map, where they differ.
 * @typedef {{verdict: "equal"|"different"|"undecided", reason: string, by?: number, points?: number[][]}} Comparison */

/** @param {Structure} first @param {Structure} second @returns {Comparison} */
export function compareMaps(first, second) {
  const steps = comparison(first, second);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The comparison in steps, so that the page answers meanwhile.
 * @param {Structure} first @param {Structure} second @returns {Generator<void, Comparison>} */
function* comparison(first, second) {
  const maps = [first, second];
  /** KNOWN EMPTY alone is an empty map of any rank.
   * @param {Structure} m */
  const hasRank = (m) => !m.empty || m.variables.length + m.results.length > 0;
  const rank = (/** @type {Structure} */ m) => m.variables.filter((v) => v.kind === "dimension").length;
  if (maps.every(hasRank)) {
    if (rank(first) !== rank(second)) return { verdict: "different", reason: `${plural(rank(first), "dimension")}, and ${rank(second)}` };
    if (first.results.length !== second.results.length) return { verdict: "different", reason: `${plural(first.results.length, "result")}, and ${second.results.length}` };
  }
  const compiled = maps.map(compileStructure), used = compiled.map((c) => new Set([...c.results, ...c.constraints].flatMap((f) => f.uses)));
  const joint = jointVariables(maps, used), readers = maps.map((m, k) => readerOf(m, compiled[k], used[k], joint, k));
  const space = pointsOf({ variables: joint, results: [], constraints: [] }, mostChecked);
  const cost = readers[0].count + readers[1].count, total = space.count * cost;
  const isComplete = space.all && total <= 2 * mostChecked;
  const tried = isComplete ? space.count : Math.min(space.tried, Math.floor(mostTried / Math.max(cost, 1)));
  let unknown = 0;
  for (let n = 0; n < tried; ++n) {
    if (n % Math.ceil(1000 / Math.max(cost, 1)) === 0) yield;
    const at = space.at(isComplete || !space.all ? n : Math.floor((n * space.count) / tried));
    unknownValue.seen = false;
    const reads = readers.map((r) => r.reads(at));
    if (unknownValue.seen) {
      ++unknown;
      continue;
    }
    for (const by of [0, 1])
      for (const [element, point] of reads[by]) {
        if (reads[1 - by].has(element)) continue;
        const other = readers[1 - by].pointAt(at);
        const where = maps[by].variables.flatMap((v, i) => (v.kind === "range" ? [] : [`${v.name}=${point[i]}`]));
        joint.forEach((j, k) => j.places[by] === undefined && where.push(`${maps[1 - by].variables[j.places[1 - by] ?? 0].name}=${at[k]}`));
        return { verdict: "different", reason: `at (${where.join(", ")}), element (${element}) is read by the ${by ? "second" : "first"} map only`, by: by + 1, points: by ? [other, point] : [point, other] };
      }
  }
  if (unknown) return { verdict: "undecided", reason: "numbers are beyond 2^53: the command decides" };
  if (isComplete) return { verdict: "equal", reason: `all ${plural(total / Math.max(cost, 1) * Math.max(readers[0].count, readers[1].count), "point")} agree` };
  return { verdict: "undecided", reason: tried ? `no difference at ${plural(tried, "point")} that were tried: the command decides` : "there are more points than the page lists: the command decides" };
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

/** The line of the error with a caret below it.
 * @param {string} text @param {import("./notation.js").NotationError} error */
function errorOf(text, error) {
  const begin = text.lastIndexOf("\n", error.at - 1) + 1, before = text.slice(begin, error.at);
  const line = text.slice(begin).split("\n")[0], row = text.slice(0, begin).split("\n").length;
  const carets = "^".repeat(Math.max(1, Math.min(error.end - error.at, line.length - before.length)));
  return h("pre", { class: "error", role: "alert" }, `${row}:${before.length + 1}: ${error.message}\n${line}\n${before.replace(/[^\t]/g, " ")}${carets}\n`, error.help ? `${error.help}\n` : null,
    h("span", { class: "muted" }, "The command reads more forms: LaTeX, bounds before the map, sources of runtime variables."));
}

/** At how many points of its domain a step keeps the value.
 * @param {import("./arena.js").Arena} arena @param {import("./rewrite.js").RuleStep} step
 * @returns {{compared: number, all: boolean, differs: number[]|null}|null} null if the step changes the domain */
function checkStep(arena, step) {
  if (!step.domain || step.before === null || step.after === null) return null;
  const map = new ArenaMap(arena);
  map.domain = step.domain;
  map.results = [step.before, step.after];
  const structure = structureOfMap(map), compiled = compileStructure(structure), points = pointsOf(structure, mostStepPoints);
  let compared = 0;
  for (let n = 0; n < Math.min(points.tried, mostStepPoints); ++n) {
    const point = points.at(n);
    if (compiled.constraints.some((c) => !(c.formula(point) >= c.low && c.formula(point) <= c.high))) continue;
    const [before, after] = compiled.results.map((r) => r.formula(point));
    // A number beyond 2^53, or a division by zero.
    if (Number.isNaN(before) || Number.isNaN(after)) continue;
    ++compared;
    if (before !== after) return { compared, all: false, differs: point };
  }
  return { compared, all: points.all, differs: null };
}

/** What the simplifier makes of a map, as `mercator simplify --json` has it; `check` asks
 * whether a step keeps the value. `isComplete` is false if the command may find the domain empty.
 * @param {string} text */
export function simplifyText(text) {
  const read = readMap(text);
  if ("error" in read) return { error: read.error };
  const { map } = read, { arena } = map, { after, steps, isEmptyKnown } = simplifyMap(map);
  map.domain.lists[2].forEach((v, i) => (v.source = i));
  const printer = new Printer(arena, map.domain);
  /** @param {number|null} e */
  const textOf = (e) => (e === null ? "" : printer.text(e));
  return {
    before: textOfMap(map), after: after.domain.knownEmpty ? "KNOWN EMPTY" : textOfMap(after), isComplete: isEmptyKnown,
    maps: [structureOfMap(map), structureOfMap(after)],
    rules: steps.map((step) => {
      const [name, rewrite, condition] = ruleTable.find((r) => r[0] === step.rule) ?? [step.rule, "", ""];
      return { name, rewrite, condition, before: textOf(step.before), after: textOf(step.after), check: () => checkStep(arena, step) };
    }),
  };
}

/** A field for a map, which keeps its text in the state.
 * @param {any} app @param {string} key @param {string} label @param {string} text */
function mapField(app, key, label, text) {
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, spellcheck: "false", "aria-label": label, value: text, oninput: () => {
    clearTimeout(app.typing);
    app.typed = { ...app.typed, [key]: area.value };
    app.typing = setTimeout(() => {
      const { typed } = app;
      app.typed = {};
      app.set(typed, true);
    }, 250);
  } }));
  area.id = `field-${key}`;
  return h("label", { class: "field" }, h("span", {}, label), area);
}

/** @param {any} step */
function ruleRow(step) {
  const { name, rewrite, condition, before, after } = step, check = step.check();
  const head = h("div", {}, h("span", { class: "badge rule" }, name), " ", h("code", {}, rewrite), condition ? h("span", { class: "muted" }, ` if ${condition}`) : null);
  const change = before ? h("div", { class: "rewrite" }, h("code", {}, before), after === before ? null : [" ⇒ ", after ? h("code", {}, after) : "nothing"]) : h("div", { class: "muted" }, "changes the domain or the variables");
  return h("li", {}, head, change, check ? checkLine(check) : null);
}

/** @param {{compared: number, all: boolean, differs: number[]|null}} check */
function checkLine(check) {
  if (check.differs) return h("div", { class: "error", role: "alert" }, `another value at (${check.differs.join(", ")}): a bug of this page`);
  if (!check.compared) return h("div", { class: "muted" }, "not checked: no point of the domain was found");
  return h("div", { class: "muted" }, `same value at ${check.all ? `all ${plural(check.compared, "point")}` : `${plural(check.compared, "point")}, chosen at random`}`);
}

/** @param {any} app @param {HTMLElement} root */
export function renderSimplifier(app, root) {
  const { program, state } = app;
  const list = program.data.simplified;
  const chosen = Number(state.get("case") ?? 0);
  const typed = state.get("map");
  const known = typed !== undefined ? list.find((/** @type {any} */ s) => s.before === typed.trim()) : list[chosen];
  const text = typed ?? known?.before ?? usualMap;
  const picker = list.length ? h("div", { class: "edge-list short", role: "listbox", "aria-label": "maps of this program" }, list.map((/** @type {any} */ s, /** @type {number} */ k) => h("div", { class: `edge${s === known ? " chosen" : ""}`, role: "option", tabindex: "0", "aria-selected": s === known, onclick: () => app.set({ case: String(k), map: null }, false), onkeydown: (/** @type {KeyboardEvent} */ e) => e.key === "Enter" && app.set({ case: String(k), map: null }) }, h("code", {}, s.before.split(", domain")[0]), h("span", { class: "muted" }, `${plural(s.rules.length, "rule")} · ${s.proof.verdict}`)))) : h("p", { class: "muted" }, "No two maps of this program, one after the other, needed a rule. Type one.");
  const right = h("div", { class: "stack" }, ...simplification(text, known));
  right.append(commandLine(`mercator simplify ${shellWord(text)}`));
  keepFocus(root, h("div", { class: "stack" }, h("section", { class: "card" }, h("header", {}, h("strong", {}, "Simplifier")), mapField(app, "map", "A map", text)), h("div", { class: "two-columns narrow" }, picker, h("section", { class: "card" }, right))));
}

const usualMap = "(d0, d1) -> ((d0 * 50 + d1) floordiv 50), domain: d0 in [0, 9], d1 in [0, 49]";

/** Before, after, each rule, and whether both maps read the same.
 * @param {string} text @param {any} known what mercator found, for a map of the program @returns {HTMLElement[]} */
function simplification(text, known) {
  const found = simplifyText(text);
  if ("error" in found) return [errorOf(text, /** @type {import("./notation.js").NotationError} */ (found.error))];
  const { before, after, rules, isComplete, maps } = found;
  const nodes = [
    h("div", { class: "before-after" }, h("div", {}, h("h3", {}, "before"), h("code", { class: "map" }, before)), h("div", {}, h("h3", {}, "after"), h("code", { class: "map" }, after))),
    rules.length ? h("ol", { class: "rules" }, rules.map(ruleRow)) : h("p", { class: "muted" }, "No rule applies: there is nothing to simplify."),
  ];
  if (!isComplete) nodes.push(h("p", { class: "note" }, "Not known to the page: whether the domain has a point. The command asks a solver."));
  if (known) nodes.push(h("p", {}, h("span", { class: `badge ${known.proof.verdict === "equal" ? "exact" : "over"}` }, known.proof.verdict), ` ${known.proof.reason ?? ""}, found by mercator`));
  nodes.push(verdictOf(maps[0], maps[1], "in this page"), h("details", { open: !known }, h("summary", {}, "Values of the map"), tableOfValues(maps[0])));
  return nodes;
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

/** The verdict on two maps, when it is known; then `more` adds to it.
 * @param {Structure} first @param {Structure} second @param {string} by @param {(answer: Comparison) => Node|null} [more] */
function verdictOf(first, second, by, more) {
  const steps = comparison(first, second), place = h("div", { role: "status" });
  const slice = () => {
    const end = performance.now() + 12;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return replace(place, verdictLine(step.value, by), more?.(step.value));
      if (performance.now() > end) break;
    }
    // A view that is left needs no answer.
    setTimeout(() => place.isConnected && slice());
  };
  replace(place, h("p", { class: "muted" }, "comparing …"));
  slice();
  return place;
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
  if ("error" in a) right.append(errorOf(first, a.error));
  if ("error" in b) right.append(errorOf(second, b.error));
  if (!("error" in a) && !("error" in b)) {
    const maps = [a.map, b.map];
    right.append(verdictOf(a.map, b.map, "by evaluation in this page", ({ points }) => points ? h("div", { class: "two-columns" }, maps.map((map, k) => {
      const point = points[k], element = evaluateAt(compileStructure(map), point);
      return h("div", {}, h("h3", {}, k ? "second" : "first"), h("code", {}, map.variables.map((v, i) => `${v.name}=${point[i]}`).join(" ")), h("table", { class: "facts-table" }, map.results.flatMap((t) => traceOfTree(t, map, point)).map(([t, v]) => h("tr", {}, h("td", {}, h("code", {}, t)), h("td", {}, v)))), h("p", {}, element ? `reads (${element.join(", ")})` : "reads nothing here"));
    })) : null));
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
