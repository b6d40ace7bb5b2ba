// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program: a graph with hierarchy or a table, and the text and the Python source
// beside it.

import { bytesText, color, drawing, emptyState, grouped, h, replace, resizeCanvas, shellWord, shortText, timeText } from "./dom.js";
import { layoutAside, layoutGraph } from "./layout.js";
import { longList } from "./list.js";
import { shortOperation } from "./data.js";

/** A box of the graph: an instruction, or a dispatch with boxes inside, or a computation.
 * @typedef {{kind: string, title: string, sub: string, instruction: number, dispatch: number, computation: number, w: number, h: number, x: number, y: number, children: Box[], edges: [Box, Box][]}} Box */
/** @typedef {{boxes: Box[], edges: [Box, Box][], width: number, height: number, rows: Box[][], byRow: {top: number, bottom: number, boxes: Box[]}[], edgeRows: [Box, Box][][], longEdges: [Box, Box][]}} Scene */

/** `arrive`: what the last graph does when its scene is there.
 * @type {{key: string, scene: Scene|null, x: number, y: number, scale: number, arrive: () => void}} */
const graphState = { key: "", scene: null, x: 0, y: 0, scale: 1, arrive: () => {} };
/** The dispatches that the reader has opened. */
const openDispatches = new Set();

/** @param {number} x */
function widthOfText(x) {
  return Math.max(84, Math.min(220, x * 7 + 22));
}

/** @param {any} app @param {number} i @returns {Box} */
function boxOfInstruction(app, i) {
  const it = app.program.instructions[i];
  const type = app.program.type(i);
  const sub = `${shortOperation(it.operation)}${type ? ` · ${type.text.replace("tensor", "")}` : ""}`;
  return { kind: it.operation ? (it.calls?.length ? "call" : "operation") : "parameter", title: it.name, sub, instruction: i, dispatch: -1, computation: -1, w: widthOfText(Math.max(it.name.length, sub.length * 0.85)), h: 40, x: 0, y: 0, children: [], edges: [] };
}

/** Boxes and edges of a computation. Dispatches are one box each until they are opened.
 * @param {any} app @param {number} computation @param {boolean} grouped */
function boxesOf(app, computation, grouped) {
  const { program } = app;
  const members = program.inComputation[computation];
  /** @type {Box[]} */
  const boxes = [];
  /** @type {Map<number, Box>} */
  const boxOf = new Map(), ofDispatch = new Map();
  for (const i of members) {
    const it = program.instructions[i];
    const box = boxOfInstruction(app, i);
    if (grouped && it.dispatch !== undefined) {
      let group = ofDispatch.get(it.dispatch);
      if (!group) {
        const d = program.data.dispatches[it.dispatch];
        group = { kind: "dispatch", title: `dispatch ${it.dispatch}`, sub: `${d?.nanoseconds !== undefined ? `predicted ${timeText(d.nanoseconds)}` : ""}`, instruction: -1, dispatch: it.dispatch, computation: -1, w: 170, h: 44, x: 0, y: 0, children: [], edges: [] };
        ofDispatch.set(it.dispatch, group);
        boxes.push(group);
      }
      group.children.push(box);
      boxOf.set(i, group);
    } else {
      boxes.push(box);
      boxOf.set(i, box);
    }
  }
  /** @type {[Box, Box][]} */
  const edges = [];
  const own = new Map(members.map((/** @type {number} */ i) => [i, boxOf.get(i)]));
  /** @type {Map<number, Box>} */
  const inner = new Map();
  for (const b of boxes) for (const c of b.children) inner.set(c.instruction, c);
  const seen = new Set();
  const ids = new Map(boxes.map((b, i) => [b, i]));
  for (const i of members)
    for (const [from] of program.instructions[i].operands ?? []) {
      const a = own.get(from), b = own.get(i);
      if (!a || !b || from === i) continue;
      if (a === b) {
        a.edges.push([/** @type {Box} */ (inner.get(from)), /** @type {Box} */ (inner.get(i))]);
        continue;
      }
      const key = /** @type {number} */ (ids.get(a)) * boxes.length + /** @type {number} */ (ids.get(b));
      if (!seen.has(key)) edges.push([a, b]);
      seen.add(key);
    }
  return { boxes, edges };
}

/** One box for each computation, and calls as edges.
 * @param {any} app */
function boxesOfModule(app) {
  const { program } = app;
  /** @type {Box[]} */
  const boxes = program.data.computations.map((/** @type {any} */ c, /** @type {number} */ i) => {
    const sub = `${c.entry ? "entry · " : ""}${grouped(program.inComputation[i].length)} instructions`;
    return { kind: "computation", title: c.name, sub, instruction: -1, dispatch: -1, computation: i, w: widthOfText(Math.max(c.name.length, sub.length * 0.85)), h: 44, x: 0, y: 0, children: [], edges: [] };
  });
  /** @type {[Box, Box][]} */
  const edges = [];
  const seen = new Set();
  program.instructions.forEach((/** @type {any} */ it) => {
    for (const callee of it.calls ?? []) {
      const key = `${it.computation}:${callee}`;
      if (callee !== it.computation && !seen.has(key)) edges.push([boxes[it.computation], boxes[callee]]);
      seen.add(key);
    }
  });
  return { boxes, edges };
}

/** Numbers boxes so that edges go up: a dispatch stands where its last member does not
 * come before an operand.
 * @param {Box[]} boxes @param {[Box, Box][]} edges */
function ordered(boxes, edges) {
  const ins = new Map(boxes.map((b) => [b, 0]));
  /** @type {Map<Box, Box[]>} */
  const outs = new Map(boxes.map((b) => [b, []]));
  for (const [a, b] of edges) {
    ins.set(b, (ins.get(b) ?? 0) + 1);
    outs.get(a)?.push(b);
  }
  const ready = boxes.filter((b) => ins.get(b) === 0);
  /** @type {Box[]} */
  const order = [];
  for (let k = 0; k < ready.length; ++k) {
    order.push(ready[k]);
    for (const b of outs.get(ready[k]) ?? []) {
      const left = (ins.get(b) ?? 0) - 1;
      ins.set(b, left);
      if (left === 0) ready.push(b);
    }
  }
  const seen = new Set(order);
  for (const b of boxes) if (!seen.has(b)) order.push(b);
  return order;
}

/** @param {Box[]} boxes @param {[Box, Box][]} edges */
function graphOf(boxes, edges) {
  const order = ordered(boxes, edges);
  const number = new Map(order.map((b, i) => [b, i]));
  const pairs = edges.map(([a, b]) => /** @type {[number, number]} */ ([number.get(a), number.get(b)])).filter(([a, b]) => a < b);
  return { order, graph: { boxes: order.map(({ w, h: height }) => ({ w, h: height })), edges: pairs } };
}

/** @param {any} app @param {string} level @returns {Promise<Scene>} */
async function makeScene(app, level) {
  const isModule = level === "module";
  const { boxes, edges } = isModule ? boxesOfModule(app) : boxesOf(app, Number(level), app.state.get("group") !== "operations");
  for (const box of boxes)
    if (box.kind === "dispatch") {
      if (box.children.length === 1 || openDispatches.has(box.dispatch)) {
        const { order, graph } = graphOf(box.children, box.edges);
        const inside = layoutGraph(graph);
        order.forEach((child, i) => {
          child.x = inside.x[i] + 12;
          child.y = inside.y[i] + 30;
        });
        box.w = Math.max(150, inside.width + 24);
        box.h = inside.height + 42;
      } else {
        box.sub = `${grouped(box.children.length)} operations${box.sub ? ` · ${box.sub}` : ""}`;
        box.children = [];
        box.edges = [];
        box.w = widthOfText(box.sub.length * 0.85);
      }
    }
  const { order, graph } = graphOf(boxes, edges);
  const layout = await layoutAside(graph);
  order.forEach((box, i) => {
    box.x = layout.x[i];
    box.y = layout.y[i];
  });
  const rows = layout.layers.map((row) => row.map((i) => order[i]));
  const byRow = rows.map((row) => ({ top: Math.min(...row.map((b) => b.y)), bottom: Math.max(...row.map((b) => b.y + b.h)), boxes: row.slice().sort((a, b) => a.x - b.x) }));
  const rowOf = new Map(order.map((b, i) => [b, layout.layer[i]]));
  /** @type {[Box, Box][][]} */
  const edgeRows = rows.map(() => []);
  /** @type {[Box, Box][]} */
  const longEdges = [];
  for (const edge of edges) {
    const a = /** @type {number} */ (rowOf.get(edge[0])), b = /** @type {number} */ (rowOf.get(edge[1]));
    if (b - a > 12) longEdges.push(edge);
    else for (let r = a; r < Math.max(b, a + 1); ++r) edgeRows[r].push(edge);
  }
  return { boxes: order, edges, width: layout.width, height: layout.height, rows, byRow, edgeRows, longEdges };
}

/** @param {any} app @param {import("./dom.js").Painter} p @param {number} w @param {number} height */
function drawScene(app, p, w, height) {
  const s = graphState, scene = s.scene;
  if (!scene) return;
  const { scale } = s;
  const X = (/** @type {number} */ x) => x * scale + s.x, Y = (/** @type {number} */ y) => y * scale + s.y;
  const top = -s.y / scale - 20, bottom = (height - s.y) / scale + 20, left = -s.x / scale - 20, right = (w - s.x) / scale + 20;
  let first = 0, last = scene.byRow.length;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (scene.byRow[middle].bottom < top) first = middle + 1;
    else last = middle;
  }
  const line = color("edge"), ink = color("ink"), muted = color("muted");
  const chosen = app.at();
  const match = (app.state.get("find") ?? "").toLowerCase();
  const seen = new Set();
  const drawEdge = (/** @type {[Box, Box]} */ edge) => {
    if (seen.has(edge)) return;
    seen.add(edge);
    const [a, b] = edge;
    if (Math.max(a.x + a.w, b.x + b.w) < left || Math.min(a.x, b.x) > right) return;
    const isOn = a.instruction === chosen || b.instruction === chosen;
    p.curve(X(a.x + a.w / 2), Y(a.y + a.h), X(b.x + b.w / 2), Y(b.y), isOn ? color("accent") : line, isOn ? 2 : 1);
  };
  for (let r = Math.max(0, first - 1); r < scene.byRow.length && scene.byRow[r].top < bottom; ++r) if (seen.size < 4000) scene.edgeRows[r].forEach(drawEdge);
  // Where edges over many layers are many, only those of the chosen box are drawn.
  const isCrowded = scene.longEdges.length > 300;
  for (const edge of scene.longEdges) {
    const isOn = edge[0].instruction === chosen || edge[1].instruction === chosen;
    if ((isOn || !isCrowded) && edge[0].y < bottom && edge[1].y > top) drawEdge(edge);
  }
  const fills = { parameter: color("inset"), operation: color("surface"), call: color("call"), dispatch: color("group"), computation: color("surface") };
  /** @param {Box} box @param {number} ox @param {number} oy */
  const drawBox = (box, ox, oy) => {
    const x = X(box.x + ox), y = Y(box.y + oy), bw = box.w * scale, bh = box.h * scale;
    if (x > w || x + bw < 0 || y > height || y + bh < 0) return;
    const isChosen = box.instruction === chosen && box.instruction >= 0;
    const isFound = match && (box.title.toLowerCase().includes(match) || box.sub.toLowerCase().includes(match));
    const fill = /** @type {any} */ (fills)[box.kind];
    p.rect(x, y, bw, bh, isFound ? color("found") : fill, isChosen ? color("accent") : color("line"), isChosen ? 2.5 : 1, [], Math.min(6, 6 * scale));
    if (scale > 0.45) {
      const most = Math.floor((bw - 14) / (6.6 * scale));
      const cut = (/** @type {string} */ t, /** @type {number} */ n) => (t.length > n ? `${t.slice(0, Math.max(1, n - 1))}…` : t);
      const ty = box.children.length ? y + 13 * scale : y + bh / 2 - 8 * scale;
      p.text(cut(box.title, most), x + 9 * scale, ty, ink, 12 * scale, "left");
      if (box.children.length) p.text("−", x + bw - 14 * scale, ty, muted, 14 * scale, "center");
      else p.text(cut(box.sub, most * 1.12), x + 9 * scale, y + bh / 2 + 9 * scale, muted, 10.5 * scale, "left");
    }
    for (const [a, b] of box.edges) p.curve(X(box.x + ox + a.x + a.w / 2), Y(box.y + oy + a.y + a.h), X(box.x + ox + b.x + b.w / 2), Y(box.y + oy + b.y), line);
    for (const child of box.children) drawBox(child, box.x + ox, box.y + oy);
  };
  for (let r = first; r < scene.byRow.length && scene.byRow[r].top < bottom; ++r)
    for (const box of scene.byRow[r].boxes) {
      if (box.x > right) break;
      if (box.x + box.w >= left) drawBox(box, 0, 0);
    }
}

/** @param {number} x @param {number} y @returns {Box|null} */
function boxAt(x, y) {
  const s = graphState;
  const px = (x - s.x) / s.scale, py = (y - s.y) / s.scale;
  for (const row of s.scene?.byRow ?? []) {
    if (py < row.top || py > row.bottom) continue;
    for (const box of row.boxes) {
      if (px < box.x || px > box.x + box.w || py < box.y || py > box.y + box.h) continue;
      for (const c of box.children) if (px >= box.x + c.x && px <= box.x + c.x + c.w && py >= box.y + c.y && py <= box.y + c.y + c.h) return c;
      return box;
    }
  }
  return null;
}

/** Where the box of an instruction is, or of its dispatch.
 * @param {any} app @param {number} i */
function placeOfInstruction(app, i) {
  for (const box of graphState.scene?.boxes ?? []) {
    if (box.instruction === i) return box;
    if (box.dispatch >= 0 && box.dispatch === app.program.instructions[i].dispatch) {
      const child = box.children.find((c) => c.instruction === i);
      return child ? { ...child, x: box.x + child.x, y: box.y + child.y } : box;
    }
  }
  return null;
}

/** @param {any} app @param {HTMLElement} pane */
function renderGraph(app, pane) {
  const { program } = app;
  const chosen = app.at();
  const level = app.state.get("level") ?? String(program.instructions[chosen]?.computation ?? 0);
  const width = Math.max(320, pane.clientWidth), height = Math.max(360, window.innerHeight - 190);
  const canvas = drawing(width, height, (p, w, hh) => drawScene(app, p, w, hh), { tabindex: "0", role: "img", "aria-label": "graph of the program. The table has the same instructions.", class: "drawing graph" });
  const redraw = () => /** @type {any} */ (canvas).redraw();
  const fit = () => {
    const scene = graphState.scene;
    if (!scene) return;
    const w = parseFloat(canvas.style.width), hh = parseFloat(canvas.style.height);
    graphState.scale = Math.max(0.05, Math.min(1.2, (w - 40) / Math.max(1, scene.width), (hh - 40) / Math.max(1, scene.height)));
    graphState.scale = Math.max(graphState.scale, 0.55);
    // A long graph begins readable, at the chosen box.
    if (scene.height * graphState.scale > 2.5 * hh) graphState.scale = Math.max(graphState.scale, 0.6);
    graphState.x = (w - scene.width * graphState.scale) / 2;
    graphState.y = Math.max(20, (hh - scene.height * graphState.scale) / 2);
    if (scene.height * graphState.scale > hh) graphState.y = 20;
  };
  const center = () => {
    const box = placeOfInstruction(app, chosen);
    if (!box) return;
    const w = parseFloat(canvas.style.width), hh = parseFloat(canvas.style.height);
    const x = (box.x + box.w / 2) * graphState.scale + graphState.x, y = (box.y + box.h / 2) * graphState.scale + graphState.y;
    if (x > 30 && x < w - 30 && y > 30 && y < hh - 30) return;
    graphState.x += w / 2 - x;
    graphState.y += hh / 2 - y;
  };
  const key = `${level}:${app.state.get("group") ?? ""}:${[...openDispatches].join()}`;
  const parent = level === "module" ? null : program.data.computations[Number(level)];
  const crumbs = h("nav", { class: "crumbs", "aria-label": "hierarchy" }, h("button", { class: "link", onclick: () => app.set({ level: "module" }) }, program.data.module));
  if (parent) crumbs.append(" › ", h("span", {}, parent.name));
  if (parent?.caller !== undefined) crumbs.append(" ", h("button", { class: "link", onclick: () => app.go(parent.caller, null, "program") }, `called by ${program.instructions[parent.caller].name}`));
  const bar = h("div", { class: "bar" }, crumbs, h("span", { class: "grow" }),
    level !== "module" && program.data.dispatches.length ? h("button", { class: "small", "aria-pressed": app.state.get("group") !== "operations", onclick: () => app.set({ group: app.state.get("group") === "operations" ? null : "operations" }) }, "Group by dispatch") : null,
    h("button", { class: "small", "aria-label": "zoom in", onclick: () => zoom(1.3) }, "+"), h("button", { class: "small", "aria-label": "zoom out", onclick: () => zoom(1 / 1.3) }, "−"), h("button", { class: "small", onclick: () => { fit(); redraw(); } }, "Fit"));
  const zoom = (/** @type {number} */ factor, cx = parseFloat(canvas.style.width) / 2, cy = parseFloat(canvas.style.height) / 2) => {
    const next = Math.max(0.03, Math.min(3, graphState.scale * factor)), real = next / graphState.scale;
    graphState.x = cx - (cx - graphState.x) * real;
    graphState.y = cy - (cy - graphState.y) * real;
    graphState.scale = next;
    redraw();
  };
  /** @type {{x: number, y: number, moved: boolean}|null} */
  let drag = null;
  const open = (/** @type {Box} */ box) => {
    if (box.computation >= 0) app.set({ level: String(box.computation), at: program.path(program.data.computations[box.computation].results?.[0]?.[0] ?? program.inComputation[box.computation].at(-1) ?? 0) });
    else if (box.dispatch >= 0) {
      if (!openDispatches.delete(box.dispatch)) openDispatches.add(box.dispatch);
      app.render();
    } else if (box.instruction >= 0) app.select(box.instruction);
  };
  canvas.addEventListener("pointerdown", (e) => {
    drag = { x: e.clientX, y: e.clientY, moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!drag) return;
    const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
    if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    drag = { x: e.clientX, y: e.clientY, moved: true };
    graphState.x += dx;
    graphState.y += dy;
    redraw();
  });
  canvas.addEventListener("pointerup", (e) => {
    const wasClick = drag && !drag.moved;
    drag = null;
    if (!wasClick) return;
    const area = canvas.getBoundingClientRect();
    const box = boxAt(e.clientX - area.left, e.clientY - area.top);
    if (box) open(box);
  });
  canvas.addEventListener("dblclick", (e) => {
    const area = canvas.getBoundingClientRect();
    const box = boxAt(e.clientX - area.left, e.clientY - area.top);
    const callee = box && box.instruction >= 0 ? program.instructions[box.instruction].calls?.[0] : undefined;
    if (callee !== undefined) app.set({ level: String(callee), at: program.path(program.inComputation[callee].at(-1) ?? 0) });
    else if (box && box.instruction >= 0) app.go(box.instruction, null, "elements");
  });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const area = canvas.getBoundingClientRect();
    if (e.ctrlKey || e.metaKey || !e.shiftKey) zoom(Math.exp(-e.deltaY / 400), e.clientX - area.left, e.clientY - area.top);
    else {
      graphState.x -= e.deltaY;
      redraw();
    }
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const it = program.instructions[chosen];
    const siblings = program.inComputation[it.computation];
    const at = siblings.indexOf(chosen);
    const next = { ArrowUp: it.operands?.[0]?.[0], ArrowDown: program.usersOf(chosen)[0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }[e.key];
    if (next !== undefined) app.select(next);
    else if (e.key === "Enter") it.calls?.length ? app.set({ level: String(it.calls[0]), at: program.path(program.inComputation[it.calls[0]].at(-1) ?? 0) }) : app.go(chosen, null, "elements");
    else if (e.key === "+" || e.key === "=") zoom(1.3);
    else if (e.key === "-") zoom(1 / 1.3);
    else if (e.key === " " && it.dispatch !== undefined) open({ .../** @type {any} */ ({}), computation: -1, dispatch: it.dispatch });
    else return;
    e.preventDefault();
  });
  replace(pane, bar, canvas, h("p", { class: "muted hint" }, "Drag to move, turn the wheel to zoom, click a dispatch to open it, click twice to go inside. Keys: arrows, +, −, space, Enter."));
  graphState.arrive = () => {
    resizeCanvas(canvas, Math.max(320, pane.clientWidth), height);
    fit();
    center();
    redraw();
  };
  if (graphState.key === key) {
    center();
    redraw();
    return;
  }
  graphState.key = key;
  graphState.scene = null;
  const waiting = h("span", { class: "muted", role: "status" }, "placing the boxes …");
  bar.appendChild(waiting);
  makeScene(app, level).then((scene) => {
    waiting.remove();
    if (graphState.key !== key) return;
    graphState.scene = scene;
    graphState.arrive();
  });
}

// The table.

/** @type {{key: string, up: boolean, rows: number[], made: string}} */
const tableState = { key: "", up: false, rows: [], made: "" };

/** @param {any} app @param {string} column @param {number} i */
function sortValue(app, column, i) {
  const it = app.program.instructions[i];
  switch (column) {
    case "name": return it.name;
    case "operation": return it.operation ?? "";
    case "type": return app.program.type(i)?.text ?? "";
    case "bytes": return it.bytes ?? -1;
    case "inexact": return app.program.inexact(i);
    case "time": return it.dispatch === undefined ? -1 : (app.program.data.dispatches[it.dispatch]?.nanoseconds ?? -1);
    case "flops": return it.dispatch === undefined ? -1 : (app.program.data.explain?.dispatches[it.dispatch]?.flops ?? -1);
    default: return i;
  }
}

const tableColumns = [["line", "line"], ["name", "name"], ["operation", "operation"], ["type", "type"], ["bytes", "bytes"], ["dispatch", "dispatch"], ["time", "predicted time"], ["flops", "flops"], ["inexact", "inexact"]];

/** @param {any} app @param {HTMLElement} pane */
function renderTable(app, pane) {
  const { program } = app;
  const sort = app.state.get("sort") ?? "line", up = app.state.get("order") !== "down";
  const find = (app.state.get("find") ?? "").toLowerCase();
  const made = `${sort}:${up}:${find}`;
  if (tableState.made !== made) {
    tableState.made = made;
    let rows = program.instructions.map((/** @type {any} */ _, /** @type {number} */ i) => i);
    if (find) rows = rows.filter((/** @type {number} */ i) => `${program.path(i)} ${program.instructions[i].operation ?? ""} ${program.instructions[i].origin ?? ""}`.toLowerCase().includes(find));
    if (sort !== "line") {
      const values = new Map(rows.map((/** @type {number} */ i) => [i, sortValue(app, sort, i)]));
      rows.sort((/** @type {number} */ a, /** @type {number} */ b) => {
        const x = values.get(a), y = values.get(b);
        return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1) || a - b;
      });
    } else if (!up) rows.reverse();
    tableState.rows = rows;
  }
  const head = h("div", { class: "row head", role: "row" }, tableColumns.map(([key, text]) => h("button", { class: `cell ${key}`, "aria-sort": sort === key ? (up ? "ascending" : "descending") : "none", onclick: () => app.set({ sort: key, order: (sort === key) === up ? "down" : null }, true) }, text, sort === key ? (up ? " ↑" : " ↓") : "")));
  const chosen = app.at();
  const list = longList({
    label: "instructions", class: "table", height: 26, head,
    count: () => tableState.rows.length,
    row: (k) => {
      const i = tableState.rows[k], it = program.instructions[i];
      const d = it.dispatch;
      const cells = { line: it.line ?? "", name: it.name, operation: shortOperation(it.operation), type: (program.type(i)?.text ?? "").replace(/^tensor<(.*)>$/, "$1"), bytes: it.bytes === undefined ? "" : bytesText(it.bytes), dispatch: d ?? "", time: d === undefined ? "" : timeText(program.data.dispatches[d]?.nanoseconds), flops: d === undefined ? "" : shortText(program.data.explain?.dispatches[d]?.flops), inexact: program.inexact(i) || "" };
      return h("div", { class: `row${i === chosen ? " chosen" : ""}`, role: "option", "aria-selected": i === chosen, onclick: () => app.select(i) }, tableColumns.map(([key]) => h("span", { class: `cell ${key}`, title: key === "name" ? program.path(i) : undefined }, /** @type {any} */ (cells)[key])));
    },
    onmove: (step) => {
      const at = tableState.rows.indexOf(chosen);
      const next = tableState.rows[Math.max(0, Math.min(tableState.rows.length - 1, at + step))];
      if (next !== undefined) app.select(next);
    },
    onopen: () => app.go(chosen, null, "elements"),
  });
  replace(pane, h("p", { class: "muted" }, `${grouped(tableState.rows.length)} of ${grouped(program.instructions.length)} instructions. Time and flops are those of the dispatch.`), list.element);
  const at = tableState.rows.indexOf(chosen);
  requestAnimationFrame(() => list.show(Math.max(0, at)));
  if (tableState.rows.length === 0) pane.appendChild(emptyState("Nothing found", "No instruction has this text in its name, its operation or its origin."));
}

// The text.

/** @param {string} text */
function shortened(text) {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

/** @param {any} app @param {string[]} lines @param {(line: number) => boolean} isOn @param {(line: number) => void} onclick @param {string} label @param {(line: number) => boolean} [isMarked] */
export function textPane(app, lines, isOn, onclick, label, isMarked) {
  return longList({
    label, class: "text", height: 19,
    count: () => lines.length,
    row: (k) => {
      const text = lines[k];
      return h("div", { class: `line${isOn(k + 1) ? " chosen" : isMarked?.(k + 1) ? " marked" : ""}`, role: "option", "aria-selected": isOn(k + 1), onclick: () => onclick(k + 1) }, h("span", { class: "number" }, k + 1), h("code", {}, text.length > 600 ? `${text.slice(0, 600)} …` : text));
    },
  });
}

/** @param {any} app @param {HTMLElement} root */
export function renderProgram(app, root) {
  const { program } = app;
  const chosen = app.at();
  const it = program.instructions[chosen];
  const mode = app.state.get("mode") ?? "graph";
  const pane = h("div", { class: "pane" });
  const side = h("div", { class: "side" });
  const info = h("div", { class: "card" },
    h("header", {}, h("strong", {}, it.name), h("span", { class: "muted" }, ` ${shortOperation(it.operation)}${it.line ? ` · line ${it.line}` : ""}${it.origin ? ` · ${it.origin}` : ""}`)),
    h("div", { class: "facts" }, (it.types ?? []).map((/** @type {number} */ t) => h("code", {}, shortened(program.data.types[t].text)))),
    h("div", { class: "facts muted" }, it.bytes !== undefined ? `${bytesText(it.bytes)} read and written` : null, it.dispatch !== undefined ? h("button", { class: "link", onclick: () => app.set({ view: "schedule", dispatch: String(it.dispatch) }) }, `dispatch ${it.dispatch}`) : null),
    h("div", { class: "facts" }, h("button", { onclick: () => app.set({ view: "elements" }) }, "What its elements read"), h("button", { onclick: () => app.set({ view: "warp" }) }, "How warps read")));
  const segmented = h("div", { class: "segmented", role: "group", "aria-label": "form" }, [["graph", "Graph"], ["table", "Table"]].map(([key, text]) => h("button", { "aria-pressed": mode === key, onclick: () => app.set({ mode: key }) }, text)));
  const tab = app.state.get("text") ?? "program";
  const sources = program.data.sources;
  const isSource = tab !== "program" && sources.length > 0;
  const tabs = sources.length ? h("div", { class: "segmented", role: "group", "aria-label": "text" }, [["program", "Program"], ["python", "Python"]].map(([key, text]) => h("button", { "aria-pressed": (key === "python") === isSource, onclick: () => app.set({ text: key }, true) }, text))) : null;
  const [name, line] = /** @type {[string, number]} */ (isSource && it.origin ? [it.origin.slice(0, it.origin.lastIndexOf(":")), Number(it.origin.slice(it.origin.lastIndexOf(":") + 1))] : [sources[0]?.name ?? "", 0]);
  const source = sources.find((/** @type {any} */ s) => s.name === name) ?? sources[0];
  const text = isSource
    ? textPane(app, source.text.split("\n"), (l) => l === line, (l) => {
        const found = program.instructions.findIndex((/** @type {any} */ x) => x.origin === `${source.name}:${l}`);
        if (found >= 0) app.select(found);
      }, "Python source")
    : textPane(app, program.lines, (l) => l === it.line, (l) => {
        const there = program.ofLine.get(l);
        if (there) app.select(there[0]);
      }, "text of the program");
  side.append(info, ...(tabs ? [tabs] : []), text.element);
  replace(root, h("div", { class: "program" }, h("div", { class: "main-column" }, segmented, pane), side));
  if (mode === "table") renderTable(app, pane);
  else renderGraph(app, pane);
  requestAnimationFrame(() => text.show(Math.max(0, (isSource ? line : (it.line ?? 1)) - 1)));
}

/** @param {any} app */
export function programCommand(app) {
  const it = app.at();
  return `mercator map ${shellWord(app.program.data.file)} --instruction=${shellWord(app.program.path(it))}`;
}
