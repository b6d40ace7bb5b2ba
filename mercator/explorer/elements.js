// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Element and tile: what an element of a result is read at, of every operand, up to
// the parameters and down to the results.

import { announce, bytesText, emptyState, grouped, h, plural, replace, shellWord } from "./dom.js";
import { substituteTree, textOfTree } from "./expr.js";
import { option, tensorGrid } from "./grid.js";
import { boxOfRegion, readRegion, regionOfBox } from "./regions.js";
import { countsOf, walkFrom } from "./walk.js";
import { shortOperation } from "./data.js";

/** @typedef {import("./grid.js").Box} Box */

/** `0:4,3:4`, as in numpy.
 * @param {Box} tile */
export function textOfTile(tile) {
  return tile.map(([low, high]) => `${low}:${high + 1}`).join(",");
}

/** @param {string|undefined} text @param {number[]} sizes @returns {Box} */
export function parseTile(text, sizes) {
  const parts = (text ?? "").split(",");
  return sizes.map((size, i) => {
    const found = /^(\d+)(?::(\d+))?$/.exec(parts[i] ?? "");
    const low = Math.min(size - 1, found ? Number(found[1]) : 0);
    const high = Math.min(size - 1, found?.[2] ? Number(found[2]) - 1 : low);
    return [Math.max(0, low), Math.max(low, high, 0)];
  });
}

/** "[3, 0:16]" for people.
 * @param {Box} tile */
export function shownTile(tile) {
  return `[${tile.map(([low, high]) => (low === high ? low : `${low}:${high + 1}`)).join(", ")}]`;
}

/** Values of variables that the reader has set for one operand.
 * @param {any} app @param {string} prefix */
function fixedOf(app, prefix) {
  /** @type {Map<string, number>} */
  const fixed = new Map();
  for (const [key, value] of app.state) if (key.startsWith(prefix)) fixed.set(key.slice(prefix.length), Number(value));
  return fixed;
}

/** A slider for each variable of the maps: all values, or one of them.
 * @param {any} app @param {any[]} maps @param {string} prefix @param {number} rank */
function variableSliders(app, maps, prefix, rank) {
  /** @type {Map<string, any>} */
  const variables = new Map();
  for (const map of maps) for (const v of map.structure.variables.slice(rank)) if (!variables.has(v.name)) variables.set(v.name, { ...v, source: map.runtime_variables.find((/** @type {any} */ r) => r.name === v.name) });
  return [...variables.values()].map((v) => {
    const key = prefix + v.name;
    const set = app.state.get(key);
    const low = v.interval[0] ?? 0, high = v.interval[1] ?? Math.max(low, 64);
    const word = v.kind === "range" ? "all of" : "any of";
    const value = h("output", {}, set ?? `${word} ${low}..${v.interval[1] ?? "?"}`);
    const slider = h("input", { type: "range", min: low, max: high, value: set ?? low, "aria-label": `value of ${v.name}`, oninput: (/** @type {any} */ e) => {
      value.textContent = e.target.value;
      app.set({ [key]: e.target.value }, true);
    } });
    const play = v.kind === "range" && h("button", { class: "small", title: "Replay the reads", "aria-label": `replay ${v.name}`, onclick: () => {
      const steps = Math.min(24, high - low + 1);
      let i = 0;
      const next = () => {
        if (i < steps) app.set({ [key]: String(low + Math.floor((i++ * (high - low + 1)) / steps)) }, true);
        else app.set({ [key]: null }, true);
        if (i <= steps && app.state.get("view") === "elements") app.replay = setTimeout(next, i < steps ? 120 : 400);
      };
      clearTimeout(app.replay);
      next();
    } }, "▶");
    const clear = set !== undefined && h("button", { class: "small", "aria-label": `all values of ${v.name}`, onclick: () => app.set({ [key]: null }, true) }, word);
    const source = v.source && h("span", { class: "muted" }, ` read from ${v.source.source} at ${v.source.map}`);
    return h("label", { class: "variable" }, h("code", {}, v.name), slider, value, play, clear, source);
  });
}

/** The map, and the map with numbers substituted.
 * @param {any} map @param {Box} tile @param {Map<string, number>} fixed */
function substitutedMap(map, tile, fixed) {
  const values = new Map(fixed);
  const dims = map.structure.variables.slice(0, tile.length);
  dims.forEach((/** @type {any} */ v, /** @type {number} */ i) => {
    if (tile[i][0] === tile[i][1]) values.set(v.name, tile[i][0]);
  });
  const left = map.structure.results.map((/** @type {any} */ t) => textOfTree(substituteTree(t, values)));
  const free = map.structure.variables.filter((/** @type {any} */ v) => !values.has(v.name) && left.some((/** @type {string} */ t) => new RegExp(`\\b${v.name}\\b`).test(t)));
  const domain = free.map((/** @type {any} */ v) => {
    const i = dims.indexOf(v);
    const [low, high] = i >= 0 ? tile[i] : v.interval;
    return `${v.name} in ${low ?? "-inf"}..${high ?? "inf"}`;
  });
  return h("div", { class: "formulas" },
    h("code", { class: "map" }, map.map),
    h("code", { class: "substituted" }, `reads (${left.join(", ")})`, domain.length ? h("span", { class: "muted" }, `  ${domain.join(", ")}`) : null));
}

/** @param {any} app @param {{title: string, sub: string, type: any, regions: any[], over: string, key: string, devices?: boolean, extra?: any, go?: () => void}} card */
function tensorCard(app, card) {
  const sizes = app.program.sizes(card.type);
  const counts = countsOf(card.regions);
  const total = sizes.reduce((/** @type {number} */ n, /** @type {number} */ s) => n * s, 1);
  const any = card.regions.some((r) => r.any), box = card.regions.find((r) => r.box)?.box;
  const atMost = counts.atMost || card.over ? "at most " : "";
  const shown = Math.min(counts.elements, total);
  const summary = card.regions.length
    ? `${atMost}${grouped(shown)} of ${grouped(total)} elements, ${plural(counts.reads, "read")}`
    : "nothing is read";
  return h("section", { class: "card tensor", "aria-label": `${card.title}: ${summary}` },
    h("header", {}, card.go ? h("button", { class: "link", onclick: card.go }, card.title) : h("strong", {}, card.title), h("span", { class: "muted" }, ` ${card.sub}`)),
    h("div", { class: "badges" },
      card.over ? h("span", { class: "badge over", title: card.over }, `over-approximation: ${card.over}`) : card.regions.length && !any && !box ? h("span", { class: "badge exact" }, "exact") : null,
      any ? h("span", { class: "badge any" }, card.devices ? "on any of the devices" : "any of: a runtime variable decides") : null,
      box ? h("span", { class: "badge over" }, box) : null),
    card.extra,
    h("p", { class: "summary" }, summary),
    card.type?.sizes ? tensorGrid({ key: card.key, label: `${card.title}, ${summary}`, sizes, regions: card.regions, over: card.over }) : h("p", { class: "muted" }, "no tensor"));
}

/** The element is in the domain of no map of the operand.
 * @param {any} app @param {number[]} mapNumbers */
function excludedBy(app, mapNumbers) {
  const maps = mapNumbers.map((m) => app.program.map(m).compiled);
  return (/** @type {number[]} */ element) =>
    maps.length > 0 &&
    maps.every((map) =>
      map.empty ||
      element.some((x, i) => x < (map.variables[i]?.interval[0] ?? -Infinity) || x > (map.variables[i]?.interval[1] ?? Infinity)) ||
      map.constraints.some((/** @type {any} */ c) => {
        if (!c.uses.length || c.uses.some((/** @type {number} */ u) => u >= element.length)) return false;
        const value = c.formula(element);
        return !(value >= c.low && value <= c.high);
      }));
}

/** @param {any} app @param {HTMLElement} root */
export function renderElements(app, root) {
  const { program } = app;
  const i = app.at();
  const it = program.instructions[i];
  const records = program.reads(i);
  const chosen = Math.min(Number(app.state.get("record") ?? 0), Math.max(0, records.length - 1));
  const record = records[chosen];
  const result = record?.from.number ?? 0;
  const type = record?.from.type !== undefined ? program.data.types[record.from.type] : program.type(i, result);
  if (!type?.sizes) return void replace(root, emptyState("No tensor here", `${it.name} has no tensor as its result. Choose another instruction.`));
  const sizes = program.sizes(type);
  if (sizes.some((/** @type {number} */ s) => s === 0)) return void replace(root, emptyState("No elements", `${it.name} is ${type.text}: it has no elements.`));
  const tile = parseTile(app.state.get("tile"), sizes);
  const direction = app.state.get("to") ?? (record ? "operands" : "down");
  const focus = record?.to.find((/** @type {any} */ end) => (end.maps ?? []).some((/** @type {number} */ m) => program.map(m).compiled.constraints.length)) ?? record?.to[0];
  const unknown = type.sizes.includes(null) ? h("p", { class: "note" }, "Unknown extents are shown as 16.") : null;
  const left = h("section", { class: "card tensor chosen" },
    h("header", {}, h("strong", {}, it.name), h("span", { class: "muted" }, ` ${shortOperation(it.operation)} · ${type.text}`)),
    records.length > 1 ? h("label", {}, "result ", h("select", { "aria-label": "result", onchange: (/** @type {any} */ e) => app.set({ record: e.target.value, tile: null }) }, records.map((/** @type {any} */ r, /** @type {number} */ k) => option(k, r.from.element !== undefined ? `${r.from.number}, element ${r.from.element}` : `${r.from.number}`, k === chosen)))) : null,
    unknown,
    h("p", { class: "summary" }, "Element ", h("code", {}, shownTile(tile)), h("span", { class: "muted" }, " · click a cell, drag a tile, or use the arrow keys")),
    tensorGrid({ key: `from:${i}:${chosen}`, label: `${it.name}: choose a cell`, sizes, tile, width: 460, height: 300, onselect: (t) => app.set({ tile: textOfTile(t) }, true), excluded: focus ? excludedBy(app, focus.maps ?? []) : undefined }),
    h("div", { class: "segmented", role: "group", "aria-label": "direction" }, [["operands", "Operands"], ["up", "Up to the parameters"], ["down", "Down to the results"]].map(([key, text]) => h("button", { "aria-pressed": direction === key, onclick: () => app.set({ to: key }) }, text))));
  const right = h("div", { class: "cards" });
  if (app.grids !== root.firstChild || !app.grids) {
    replace(root, (app.grids = h("div", { class: "two-columns" }, left, right)));
  }
  const region = regionOfBox(tile);
  if (direction === "operands") {
    if (!record) append2(right, emptyState("A parameter reads nothing", "Choose “Down to the results” to see what reads it."));
    else operandCards(app, right, record, region, tile, i);
  } else walkCards(app, right, { instruction: i, result, element: record?.from.element }, region, direction === "up");
}

/** @param {HTMLElement} element @param {HTMLElement} child */
function append2(element, child) {
  element.appendChild(child);
}

/** @param {any} app @param {HTMLElement} right @param {any} record @param {any} region @param {Box} tile @param {number} i */
function operandCards(app, right, record, region, tile, i) {
  const { program } = app;
  const it = program.instructions[i];
  /** @type {string[]} */
  const spoken = [];
  for (const end of record.to) {
    const [n, r] = it.operands?.[end.number] ?? [i, 0];
    const type = end.type !== undefined ? program.data.types[end.type] : program.type(n, r);
    const prefix = `v${end.number}.`;
    const fixed = fixedOf(app, prefix);
    const maps = (end.maps ?? []).map((/** @type {number} */ m) => program.map(m));
    /** @type {any[]} */
    const regions = [];
    let unknown = "";
    for (const map of maps) {
      const read = readRegion(map.compiled, region, fixed);
      if (typeof read === "string") unknown = read;
      else if (read) regions.push(read);
    }
    const over = maps.find((/** @type {any} */ m) => !m.exact)?.reason ?? unknown;
    const name = program.instructions[n].name + (end.element !== undefined ? `{${end.element}}` : "");
    spoken.push(`${name}: ${plural(countsOf(regions).elements, "element")}`);
    right.appendChild(tensorCard(app, {
      title: name,
      sub: `operand ${end.number} · ${shortOperation(program.instructions[n].operation)} · ${type?.text ?? ""}`,
      type, regions, over: over ?? "", devices: maps.some((/** @type {any} */ m) => m.across_devices), key: `to:${i}:${record.from.number}:${end.number}:${end.element ?? ""}`,
      go: n === i ? undefined : () => app.go(n, regions.length ? textOfTile(clampBox(boxOfRegion(regions[0]), program.sizes(type))) : null),
      extra: [maps.map((/** @type {any} */ map) => substitutedMap(map, tile, fixed)), variableSliders(app, maps, prefix, tile.length)],
    }));
  }
  announce(`element ${shownTile(tile)} of ${it.name} reads ${spoken.join("; ") || "nothing"}`);
}

/** @param {Box} box @param {number[]} sizes @returns {Box} */
function clampBox(box, sizes) {
  return box.map(([low, high], i) => [Math.max(0, Math.min(low, sizes[i] - 1)), Math.max(0, Math.min(high, sizes[i] - 1))]);
}

/** @param {any} app @param {HTMLElement} right @param {any} from @param {any} region @param {boolean} up */
function walkCards(app, right, from, region, up) {
  const { program } = app;
  const computation = program.instructions[from.instruction].computation;
  const ends = new Set(up ? program.inComputation[computation].filter((/** @type {number} */ n) => !program.instructions[n].operation) : (program.data.computations[computation].results ?? []).map((/** @type {any} */ r) => r[0]));
  const note = h("p", { class: "muted" }, "…");
  right.appendChild(note);
  const walk = walkFrom(program, from, region, up, new Map());
  let steps = 0;
  const token = (app.walk = {});
  const slice = () => {
    const begin = performance.now();
    for (;;) {
      const next = walk.next();
      if (next.done) return show(next.value);
      ++steps;
      if (performance.now() - begin > 12) break;
    }
    note.textContent = `${plural(steps, "instruction")} so far …`;
    setTimeout(() => app.walk === token && right.isConnected && slice());
  };
  /** @param {import("./walk.js").Reached[]} reached */
  const show = (reached) => {
    const others = reached.filter((r) => !(r.instruction === from.instruction && r.result === from.result));
    const atEnds = others.filter((r) => ends.has(r.instruction));
    const between = others.filter((r) => !ends.has(r.instruction));
    note.textContent = `${plural(atEnds.length, up ? "parameter" : "result")}, ${plural(between.length, "value")} between, in ${program.data.computations[computation].name}`;
    const stopped = others.filter((r) => r.isEnd).length;
    if (stopped) note.textContent += `. The walk ends early at ${plural(stopped, "member")} of tuples that calls give: mercator map --fused goes through them`;
    announce(note.textContent);
    const cards = [...atEnds, ...between];
    const most = 24;
    const card = (/** @type {any} */ r) => {
      const it = program.instructions[r.instruction];
      const declared = program.type(r.instruction, r.result);
      const type = declared?.sizes ? declared : typeOfMember(program, r);
      return tensorCard(app, { title: it.name + (r.element !== undefined ? `{${r.element}}` : ""), sub: `${shortOperation(it.operation)} · ${type?.text ?? ""}`, type, regions: r.regions, over: r.over, key: `walk:${up}:${r.instruction}:${r.result}:${r.element}`, go: () => app.go(r.instruction, type?.sizes ? textOfTile(clampBox(boxOfRegion(r.regions[0]), program.sizes(type))) : null) });
    };
    right.append(...cards.slice(0, most).map(card));
    if (cards.length > most) {
      const more = h("button", { onclick: () => {
        more.remove();
        right.append(...cards.slice(most, 400).map(card));
      } }, `Show ${grouped(Math.min(400, cards.length) - most)} more of ${grouped(cards.length - most)}`);
      right.append(more);
    }
    if (!cards.length) right.appendChild(emptyState("Nothing", up ? "This element is computed from no parameter." : "Nothing reads this element."));
  };
  slice();
}

/** The type of a member of a tuple, by the record that reads it.
 * @param {any} program @param {any} reached */
function typeOfMember(program, reached) {
  for (const user of program.usersOf(reached.instruction))
    for (const record of program.reads(user))
      for (const end of record.to) if (program.instructions[user].operands[end.number]?.[0] === reached.instruction && end.element === reached.element && end.type !== undefined) return program.data.types[end.type];
  const sizes = boxOfRegion(reached.regions[0]).map(([, high]) => high + 1);
  return { text: "a member of a tuple", sizes };
}

/** @param {any} app */
export function elementsCommand(app) {
  const { program } = app;
  const i = app.at();
  const sizes = program.sizes(program.type(i));
  const file = shellWord(program.data.file);
  const tile = parseTile(app.state.get("tile"), sizes);
  if (program.reads(i).length === 0) return `mercator map ${file} --instruction=${shellWord(program.path(i))}`;
  const to = app.state.get("to");
  const box = `${program.path(i)}[${tile.map(([low, high]) => `${low}:${high + 1}`).join(", ")}]`;
  return `mercator tile ${file} --of=${shellWord(box)}${to === "up" ? " --fused" : ""}${to === "down" ? " --direction=in-to-out" : ""}`;
}

/** What an operand reads, for the summary of an instruction.
 * @param {number|undefined} bytes */
export function shownBytes(bytes) {
  return bytes === undefined ? "?" : bytesText(bytes);
}
