// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Warp and cache: the addresses of the lanes, sectors, lines and banks.

import { color, drawing, emptyState, grouped, h, plural, replace, shellWord, bytesText, timeText } from "./dom.js";
import { option } from "./grid.js";
import { askedBy, bankPasses, elementsTogether, inLoadsOf, lanesAlong, lanesInOrder, lanesOfKernel, sharedRange, stagedTile, totalsOf, touchedUnits, turned } from "./lanes.js";
import { shortOperation } from "./data.js";

/** What is asked, and of what; or a sentence that says why there are no addresses.
 * @param {any} app @returns {any} */
export function warpQuestion(app) {
  const { program, state } = app;
  const i = app.at();
  if (program.kernelOf(i)?.accesses.length && state.get("threads") !== "element") return launchedQuestion(app, i);
  const record = program.reads(i)[Number(state.get("record") ?? 0)] ?? program.reads(i)[0];
  if (!record) return `${program.instructions[i].name} reads nothing: choose an instruction with operands.`;
  const result = program.data.types[record.from.type ?? program.instructions[i].types[0]];
  const number = Math.min(record.to.length - 1, Number(state.get("operand") ?? firstWide(program, record)));
  const end = record.to[number];
  const type = program.data.types[end?.type];
  if (!result?.sizes || !type?.sizes || result.sizes.includes(null) || type.sizes.includes(null)) return "The extents are not known, and so are the addresses.";
  if (!result.minor_to_major || !type.minor_to_major || type.tiled || result.tiled) return "The page does not place the elements of this layout. The command does.";
  const maps = end.maps ?? [];
  const which = Math.min(maps.length - 1, Number(state.get("map") ?? 0));
  if (maps.length === 0) return "Nothing of this operand is read.";
  const map = program.map(maps[which]);
  if (map.across_devices) return "It is read from other devices.";
  const device = program.data.devices.find((/** @type {any} */ d) => d.name === state.get("device")) ?? program.data.devices[0];
  const lanes = Math.max(1, Math.min(1024, Number(state.get("lanes") ?? device.lanes)));
  const vector = Math.max(1, Math.min(64, Number(state.get("vector") ?? 1)));
  const along = state.get("along") ?? "";
  /** @type {number[]} */
  const order = (state.get("layout") ?? "").split(",").map(Number);
  const isOrder = order.length === type.sizes.length && order.slice().sort((a, b) => a - b).every((d, k) => d === k);
  const layout = { sizes: type.sizes, order: isOrder && state.has("layout") ? order : type.minor_to_major, bits: type.bits };
  let compiled = map.compiled;
  const rank = result.sizes.length;
  let sizes = result.sizes.slice(), minor = result.minor_to_major.slice();
  const elements = (/** @type {number[]} */ s) => s.reduce((n, x) => n * x, 1);
  const isReduction = (program.instructions[i].operation ?? "").includes("reduce") || elements(sizes) <= Math.floor(elements(type.sizes) / 8);
  let shared = "";
  const slot = isReduction && !along ? sharedRange(compiled, layout.order) : -1;
  if (slot >= 0) {
    const v = compiled.variables[slot];
    shared = v.name;
    compiled = turned(compiled, slot, rank);
    minor = [rank, ...minor];
    sizes = [...sizes, Number(v.interval[1]) + 1];
  }
  /** @param {import("./lanes.js").Mapping} all */
  const inLoads = (all) => inLoadsOf(all, elementsTogether(all, compiled, layout, device, sizes.length, 2048));
  const mapping = inLoads(along !== "" && Number(along) < sizes.length ? lanesAlong(sizes, Number(along), lanes, vector) : lanesInOrder(sizes, minor, lanes, vector));
  const block = Number(state.get("block") ?? 0);
  const blockMapping = block > 0 ? inLoads(along !== "" ? lanesAlong(sizes, Number(along), block, vector) : lanesInOrder(sizes, minor, block, vector)) : null;
  return { i, record, end, number, type, result, maps, which, map, compiled, rank: sizes.length, device, lanes, vector, along, layout, shared, mapping, block, blockMapping };
}

/** The same of a kernel as XLA launches it.
 * @param {any} app @param {number} i */
function launchedQuestion(app, i) {
  const { program, state } = app;
  const kernel = program.kernelOf(i);
  const number = Math.min(kernel.accesses.length - 1, Math.max(0, Number(state.get("access") ?? 0)));
  const access = kernel.accesses[number];
  const [from, result] = access.reads !== undefined ? program.instructions[i].operands?.[access.reads] ?? [-1, 0] : [i, access.writes];
  const type = from < 0 ? undefined : program.type(from, result);
  const map = program.map(access.map);
  if (!type?.bits) return "The elements have no place in memory.";
  const device = program.data.devices[0];
  const mapping = lanesOfKernel(map.compiled, access.vector);
  const rank = map.compiled.variables.filter((/** @type {any} */ v) => v.kind === "dimension").length;
  return { i, kernel, access, number, type, map, compiled: map.compiled, rank, device, lanes: mapping.lanes, vector: access.vector, along: "", layout: map.compiled.results.length ? { sizes: [1], order: [0], bits: type.bits } : { sizes: [], order: [], bits: type.bits }, mapping, block: 0, blockMapping: null };
}

/** The operand with the most elements.
 * @param {any} program @param {any} record */
function firstWide(program, record) {
  let best = 0, most = -1;
  record.to.forEach((/** @type {any} */ end, /** @type {number} */ k) => {
    const sizes = program.data.types[end.type]?.sizes ?? [];
    const size = sizes.reduce((/** @type {number} */ n, /** @type {any} */ s) => n * (s ?? 1), 1);
    if (size > most && end.maps?.length) [best, most] = [k, size];
  });
  return best;
}

/** Load number n: its loops and the values of the other variables.
 * @param {any} q @param {number} n */
function loadAt(q, n) {
  const used = new Set(q.compiled.results.flatMap((/** @type {any} */ r) => r.uses).concat(q.compiled.constraints.flatMap((/** @type {any} */ c) => c.uses)));
  const others = q.compiled.variables.slice(q.rank);
  const extents = [...q.mapping.loops, ...others.map((/** @type {any} */ v, /** @type {number} */ k) => (v.kind === "range" && used.has(q.rank + k) ? Number(v.interval[1]) - Number(v.interval[0]) + 1 : 1))];
  const count = extents.reduce((a, b) => a * b, 1);
  let rest = Math.max(0, Math.min(n, count - 1));
  const at = extents.map(() => 0);
  for (let k = extents.length - 1; k >= 0; --k) {
    at[k] = rest % extents[k];
    rest = Math.floor(rest / extents[k]);
  }
  return { count, loop: at.slice(0, q.mapping.loops.length), values: others.map((/** @type {any} */ v, /** @type {number} */ k) => Number(v.interval[0] ?? 0) + at[q.mapping.loops.length + k]) };
}

/** Totals as `mercator access` counts them: of warps, then of blocks. At most so many lanes are
 * evaluated.
 * @param {any} q @param {number} most */
export function* warpTotals(q, most) {
  const limit = (/** @type {number} */ threads) => Math.max(64, Math.floor(most / (threads * q.vector)));
  /** @type {{totals: import("./lanes.js").Totals|null, block: import("./lanes.js").Totals|null}} */
  const sums = { totals: null, block: null };
  for (const which of /** @type {("totals"|"block")[]} */ (["totals", "block"])) {
    const mapping = which === "block" ? q.blockMapping : q.mapping;
    if (!mapping) continue;
    const count = totalsOf(mapping, q.compiled, q.layout, q.device, q.rank, limit(mapping.lanes));
    for (let next = count.next(); ; next = count.next()) {
      sums[which] = next.value;
      if (next.done) break;
      yield sums;
    }
  }
  return sums;
}

/** The color of a lane.
 * @param {number} lane @param {number} lanes */
function laneColor(lane, lanes) {
  const dark = document.documentElement.dataset.theme === "dark";
  if (document.documentElement.dataset.palette === "safe") return ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", dark ? "#bbbbbb" : "#444444"][lane % 8];
  return `hsl(${Math.round((lane * 330) / Math.max(1, lanes - 1))} 62% ${dark ? 62 : 46}%)`;
}

/** @param {any} q @param {import("./lanes.js").Asked[]} asked */
function addressDrawing(q, asked) {
  const bytes = Math.max(1, q.layout.bits / 8);
  const lines = touchedUnits(asked, bytes, q.device.line_bytes), sectors = new Set(touchedUnits(asked, bytes, q.device.sector_bytes));
  const shown = lines.slice(0, 40);
  const left = 118, width = 760, rowH = 22, height = shown.length * rowH + 30;
  const perLine = q.device.line_bytes, scale = (width - left - 8) / perLine;
  return drawing(width, height, (p) => {
    const ink = color("muted");
    p.text("line at byte", 4, 12, ink, 11);
    for (let b = 0; b <= perLine; b += q.device.sector_bytes) p.text(String(b), left + b * scale, 12, ink, 10, b === perLine ? "right" : "center");
    shown.forEach((line, r) => {
      const y = 24 + r * rowH;
      p.text(grouped(line * perLine), left - 10, y + 8, ink, 11, "right", true);
      for (let s = 0; s < perLine / q.device.sector_bytes; ++s) {
        const isTouched = sectors.has((line * perLine) / q.device.sector_bytes + s);
        p.rect(left + s * q.device.sector_bytes * scale, y, q.device.sector_bytes * scale - 1, 17, isTouched ? color("sector") : color("inset"), color("line"));
      }
      for (const a of asked) {
        const from = Math.max(a.byte, line * perLine), to = Math.min(a.byte + bytes, (line + 1) * perLine);
        if (from >= to) continue;
        const x = left + (from - line * perLine) * scale, w = Math.max(1, (to - from) * scale - 1);
        p.rect(x, y + 2, w, 13, laneColor(a.lane, q.lanes));
        if (w > 15) p.text(String(a.lane), x + w / 2, y + 9, "#fff", 9, "center");
      }
    });
    if (shown.length < lines.length) p.text(`and ${grouped(lines.length - shown.length)} lines more`, left, height - 4, ink, 11);
  }, { role: "img", "aria-label": `${lines.length} lines, ${sectors.size} sectors` });
}

/** @param {any} q @param {import("./lanes.js").Asked[]} asked */
function bankDrawing(q, asked) {
  const { device } = q;
  const bytes = Math.max(1, q.layout.bits / 8);
  /** @type {Map<number, Set<number>>} */
  const words = new Map();
  for (const a of asked)
    for (let w = Math.floor(a.byte / device.bank_bytes); w <= Math.floor((a.byte + bytes - 1) / device.bank_bytes); ++w) {
      const bank = ((w % device.banks) + device.banks) % device.banks;
      const own = words.get(bank) ?? new Set();
      own.add(w);
      words.set(bank, own);
    }
  const most = Math.max(1, ...[...words.values()].map((s) => s.size));
  const width = 760, cell = (width - 8) / device.banks, shown = Math.min(most, 32);
  return drawing(width, shown * 8 + 22, (p) => {
    for (let b = 0; b < device.banks; ++b) {
      p.text(String(b), 4 + b * cell + cell / 2, shown * 8 + 12, color("muted"), 9, "center");
      const n = Math.min(shown, words.get(b)?.size ?? 0);
      for (let k = 0; k < shown; ++k) p.rect(4 + b * cell, (shown - 1 - k) * 8, cell - 2, 7, k < n ? (n > 1 ? color("over") : color("read")) : color("inset"));
    }
  }, { role: "img", "aria-label": `${most} words in the fullest bank` });
}

/** "4 in 4096 loads".
 * @param {Map<number, number>} counts */
function countsText(counts) {
  return [...counts].sort((a, b) => a[0] - b[0]).map(([count, loads]) => `${grouped(count)} in ${plural(loads, "load")}`).join(", ");
}

/** @param {any} app @param {HTMLElement} root */
export function renderWarp(app, root) {
  const { program, state } = app;
  const q = warpQuestion(app);
  if (typeof q === "string") return void replace(root, emptyState("No addresses", q));
  const it = program.instructions[q.i];
  const load = loadAt(q, Number(state.get("load") ?? 0));
  const asked = askedBy(q.mapping, q.compiled, q.layout, load.loop, load.values);
  const bytes = Math.max(1, q.layout.bits / 8);
  const sectors = touchedUnits(asked, bytes, q.device.sector_bytes).length;
  const needed = Math.ceil((new Set(asked.map((a) => a.byte)).size * bytes) / q.device.sector_bytes);
  const hasRuntime = q.compiled.variables.some((/** @type {any} */ v) => v.kind === "runtime");
  const own = q.kernel ? null : program.data.accesses[q.end.access]?.accesses[q.which];
  const isDefault = !["device", "lanes", "vector", "along", "layout", "block"].some((key) => state.has(key));
  const select = (/** @type {string} */ key, /** @type {string} */ label, /** @type {[string, string][]} */ choices, /** @type {string} */ value) =>
    h("label", {}, `${label} `, h("select", { "aria-label": label, onchange: (/** @type {any} */ e) => app.set({ [key]: e.target.value === "" ? null : e.target.value }, true) }, choices.map(([k, text]) => option(k, text, k === value))));
  const number = (/** @type {string} */ key, /** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ max) =>
    h("label", {}, `${label} `, h("input", { type: "number", min: key === "block" || key === "load" ? 0 : 1, max, value, "aria-label": label, onchange: (/** @type {any} */ e) => app.set({ [key]: e.target.value }, true) }));
  const nameOf = (/** @type {any} */ a) => (a.reads !== undefined ? `reads ${program.instructions[it.operands[a.reads][0]].name}` : "writes the result");
  const threads = program.kernelOf(q.i)?.accesses.length ? select("threads", "threads", [["", "as XLA launches them"], ["element", "a lane for each element"]], q.kernel ? "" : "element") : null;
  const orders = q.kernel ? [] : q.type.sizes.length <= 4 ? permutations(q.type.sizes.map((/** @type {any} */ _, /** @type {number} */ k) => k)) : [q.layout.order];
  const controls = q.kernel ? h("div", { class: "controls card" }, threads,
    select("access", "access", q.kernel.accesses.map((/** @type {any} */ a, /** @type {number} */ k) => [String(k), `${nameOf(a)} at ${a.by}`]), String(q.number)),
    number("load", `${q.access.reads !== undefined ? "load" : "store"}, of ${grouped(load.count)}`, Number(state.get("load") ?? 0), load.count - 1)) : h("div", { class: "controls card" }, threads,
    select("operand", "operand", q.record.to.map((/** @type {any} */ end, /** @type {number} */ k) => [String(k), program.instructions[it.operands[end.number][0]].name]), String(q.number)),
    q.maps.length > 1 ? select("map", "map", q.maps.map((/** @type {number} */ m, /** @type {number} */ k) => [String(k), program.data.maps[m].map.split(", domain")[0]]), String(q.which)) : null,
    select("device", "device", program.data.devices.map((/** @type {any} */ d) => [d.name, d.title]), q.device.name),
    number("lanes", "lanes", q.lanes, 1024), number("vector", "vector width", q.vector, 64), number("block", "block", q.block, 1024),
    select("along", "lanes along", [["", q.shared ? `${q.shared}, which they share` : "the layout"], ...q.result.sizes.map((/** @type {number} */ s, /** @type {number} */ k) => /** @type {[string, string]} */ ([String(k), `d${k}: ${s}`]))], q.along),
    select("layout", "layout, minor to major", orders.map((o) => [o.join(), `{${o.join()}}`]), q.layout.order.join()),
    number("load", `load, of ${grouped(load.count)}`, Number(state.get("load") ?? 0), load.count - 1));
  const sums = h("section", { class: "card" });
  const tile = q.device.banks > 0 ? stagedTile(q.lanes, bytes, q.device) : null;
  replace(root,
    h("div", { class: "stack" },
      q.kernel
        ? h("h2", {}, it.name, h("span", { class: "muted" }, ` ${q.kernel.emitter}, ${plural(q.kernel.grid, "block")} of ${plural(q.kernel.block, "thread")}${q.kernel.choice ? `, ${q.kernel.choice}` : ""}: ${nameOf(q.access)} at `), h("code", {}, q.access.by))
        : h("h2", {}, it.name, h("span", { class: "muted" }, ` ${shortOperation(it.operation)} reads ${program.instructions[it.operands[q.end.number][0]].name} by `), h("code", {}, q.map.map.split(", domain")[0])),
      controls,
      h("section", { class: "card" }, h("header", {}, h("strong", {}, `One ${q.access?.writes !== undefined ? "store" : "load"}: ${plural(sectors, "sector")} for ${needed} needed`), h("span", { class: "muted" }, ` ${q.device.title}, sectors of ${q.device.sector_bytes} B, lines of ${q.device.line_bytes} B; ${asked.length} of ${q.lanes * q.mapping.vector} elements`)),
        asked.length ? addressDrawing(q, asked) : emptyState("No lane takes part in this load", "Choose another load.")),
      q.device.banks > 0 && asked.length && !q.kernel ? h("section", { class: "card" }, h("header", {}, h("strong", {}, `Banks of shared memory: ${passesText(bankPasses(asked.map((a) => a.byte), bytes, q.device))}`)), h("p", { class: "muted" }, "If these addresses were in shared memory: words in each bank."), bankDrawing(q, asked),
        tile ? h("p", {}, `A tile of ${tile.side} x ${tile.side} that is read by columns needs ${passesText(tile.passes)} a column. `, tile.padding ? h("strong", {}, `${plural(tile.padding, "element")} of padding a row: ${tile.padded}.`) : null, tile.passes > 1 ? ` A swizzle, element (r, c) in column c xor r: ${tile.swizzled}.` : null) : null) : null,
      sums,
      q.kernel ? h("p", { class: "note" }, h("strong", {}, "mercator access: "), `${plural(q.access.loads, q.access.writes !== undefined ? "store" : "load")} of warps, ${grouped(q.access.sectors)} sectors; the kernel takes ${timeText(q.kernel.us * 1000)}`) : null,
      isDefault && own ? accessFacts(own) : null));
  countAll(app, q, sums, hasRuntime);
}

/** Counts all loads in slices of time, and shows the sums so far.
 * @param {any} app @param {any} q @param {HTMLElement} place @param {boolean} hasRuntime */
function countAll(app, q, place, hasRuntime) {
  const count = warpTotals(q, 4e6);
  const token = (app.walk = {});
  const slice = () => {
    const begin = performance.now();
    let next = count.next();
    while (!next.done && performance.now() - begin < 10) next = count.next();
    showTotals(q, place, next.value, !next.done, hasRuntime);
    if (!next.done) setTimeout(() => app.walk === token && place.isConnected && slice());
  };
  slice();
}

/** @param {any} q @param {HTMLElement} place @param {any} sums @param {boolean} isCounting @param {boolean} hasRuntime */
function showTotals(q, place, { totals, block }, isCounting, hasRuntime) {
  const factor = totals.needed ? [...totals.sectors].reduce((n, [c, l]) => n + c * l, 0) / totals.needed : 1;
  const rows = [
    ["loads", grouped(totals.loads)],
    ["sectors", countsText(totals.sectors)],
    ["lines", countsText(totals.lines)],
    ["bytes used", `${grouped(totals.used)} (${bytesText(totals.used)})`],
    ["bytes fetched", `${grouped(totals.fetched)} (${bytesText(totals.fetched)})`],
    ["traffic", `${factor.toPrecision(3)} times what is needed`],
  ];
  if (block) rows.push([`blocks of ${q.block}`, `${countsText(block.sectors)}, in sectors; ${grouped(block.fetched)} bytes fetched`]);
  const warrant = isCounting ? h("span", { class: "badge" }, "counting …") : totals.sampled ? h("span", { class: "badge over" }, "sampled: the command counts all") : h("span", { class: "badge exact" }, "counted");
  replace(place,
    h("header", {}, h("strong", {}, totals.sampled ? "A sample of the loads" : "All loads"), warrant, hasRuntime ? h("span", { class: "badge any" }, "runtime variables have their least value; the command gives bounds") : null),
    h("table", { class: "facts-table" }, rows.map(([k, v]) => h("tr", {}, h("th", {}, k), h("td", {}, v)))));
}

/** @param {number} n */
function passesText(n) {
  return n === 1 ? "1 pass" : `${n} passes`;
}

/** What `mercator access` says of the same.
 * @param {any} own */
function accessFacts(own) {
  const factor = own.traffic_factor;
  return h("p", { class: "note" }, h("strong", {}, "mercator access: "), own.unknown ?? [own.loads !== undefined ? `${grouped(own.loads)} loads, ${grouped(own.fetched_bytes)} bytes fetched; ` : "", factor?.reason ?? "", factor?.help ? h("span", {}, " help: ", factor.help) : null]);
}

/** @param {number[]} list @returns {number[][]} */
function permutations(list) {
  if (list.length <= 1) return [list];
  return list.flatMap((x, i) => permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((p) => [x, ...p]));
}

/** @param {any} app */
export function warpCommand(app) {
  const q = warpQuestion(app);
  const { program, state } = app;
  let text = `mercator access ${shellWord(program.data.file)} --instruction=${shellWord(program.path(app.at()))}`;
  if (typeof q === "string") return text;
  text += ` --device=${q.device.name}`;
  if (q.kernel) return text;
  if (program.kernelOf(q.i)) text += " --per-element";
  if (q.along !== "") text += ` --lanes=d${q.along}:${q.lanes}`;
  if (q.vector !== 1) text += ` --vector=${q.vector}`;
  if (q.block) text += ` --block=${q.block}`;
  return `${text} --warp=${state.get("load") ?? 0}`;
}
