// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shards: what each device of a mesh receives, operation by operation, and why.

import { bytesText, emptyState, h, plural, replace, shellWord } from "./dom.js";
import { lineOfPlace } from "./boundaries.js";

/** The instruction of a line, for a link.
 * @param {any} program @param {string} at */
function instructionAt(program, at) {
  const line = lineOfPlace(at);
  return program.instructions.findIndex((/** @type {any} */ i) => i.line === line);
}

/** What an operation receives, each with the map and the bytes.
 * @param {any} op */
function rowsOf(op) {
  const rows = op.operands.map((/** @type {any} */ o) => h("tr", {}, h("th", {}, `operand ${o.operand}`), h("td", {}, h("code", {}, o.has)), h("td", {}, o.movement), h("td", {}, bytesText(o.received_bytes), h("span", { class: "muted" }, o.received_bytes === o.least_bytes ? " the minimum" : ` at least ${bytesText(o.least_bytes)}`)), h("td", {}, h("code", { class: "map" }, o.map))));
  if (op.reduction) rows.push(h("tr", {}, h("th", {}, "sum"), h("td", {}), h("td", {}, op.reduction), h("td", {}, bytesText(op.reduced_bytes)), h("td", { class: "muted" }, "the terms of its sum are divided")));
  if (op.whole_because) rows.push(h("tr", {}, h("th", {}, "whole"), h("td", { colspan: "4" }, op.whole_because)));
  return rows;
}

/** @param {any} app @param {HTMLElement} root */
export function renderShards(app, root) {
  const { program } = app;
  const shards = program.data.shards;
  if (!shards) return void replace(root, emptyState("No shardings", "This program states no mesh and shardings, or it cannot be partitioned: mercator shard says why."));
  const mesh = shards.mesh.map((/** @type {any} */ a) => `${a.axis}=${a.size}`).join(", ");
  const ends = (/** @type {string} */ word, /** @type {string[]} */ list) => list.map((text, i) => h("tr", {}, h("th", {}, `${word} ${i}`), h("td", {}, h("code", {}, text))));
  const cards = shards.operations.map((/** @type {any} */ op) => {
    const i = instructionAt(program, op.at);
    const title = i < 0 ? h("strong", {}, op.operation) : h("button", { class: "link", onclick: () => app.go(i, null, "program") }, op.operation);
    return h("section", { class: "card" }, h("header", {}, title, h("code", {}, op.sharding), h("span", { class: "muted" }, op.at)), h("table", { class: "facts-table" }, rowsOf(op)));
  });
  replace(root, h("div", { class: "stack" },
    h("p", { class: "summary" }, `${plural(shards.devices, "device")}: ${mesh}. A device receives ${bytesText(shards.received_bytes + shards.reduced_bytes)}, of which ${bytesText(shards.reduced_bytes)} for sums; ${bytesText(shards.argument_bytes)} of arguments, ${bytesText(shards.peak_bytes)} at most with values.`),
    h("section", { class: "card" }, h("table", { class: "facts-table" }, ends("argument", shards.arguments), ends("result", shards.results))),
    cards.length ? cards : emptyState("Nothing is sent", "Each device has what it reads.")));
}

/** @param {any} app */
export function shardsCommand(app) {
  return `mercator shard ${shellWord(app.program.data.file)}`;
}
