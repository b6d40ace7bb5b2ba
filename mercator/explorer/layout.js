// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Places the boxes of a graph in layers. Linear in the boxes and edges, but for a sort
// in each layer. The function is the whole source of a worker: it uses nothing else.

/** Boxes are numbered so that edges go from smaller to larger numbers.
 * @typedef {{w: number, h: number}[]} Boxes */
/** @typedef {{x: number[], y: number[], layer: number[], layers: number[][], width: number, height: number}} Layout */

/** @param {{boxes: Boxes, edges: [number, number][]}} graph @returns {Layout} */
export function layoutGraph(graph) {
  const { boxes, edges } = graph;
  const gapX = 18, gapY = 34, mostInRow = boxes.length < 2000 ? 7 : 24;
  const count = boxes.length;
  const lists = () => Array.from({ length: count }, () => /** @type {number[]} */ ([]));
  const ins = lists(), outs = lists();
  for (const [from, to] of edges) {
    ins[to].push(from);
    outs[from].push(to);
  }
  const layer = new Array(count).fill(0);
  for (let i = 0; i < count; ++i) for (const from of ins[i]) layer[i] = Math.max(layer[i], layer[from] + 1);
  // What nothing precedes stands just above its first user.
  for (let i = count - 1; i >= 0; --i)
    if (ins[i].length === 0 && outs[i].length > 0) {
      let first = Infinity;
      for (const to of outs[i]) first = Math.min(first, layer[to]);
      layer[i] = Math.max(0, first - 1);
    }
  /** @type {number[][]} */
  let layers = [];
  for (let i = 0; i < count; ++i) (layers[layer[i]] ??= []).push(i);
  layers = Array.from(layers, (l) => l ?? []);
  const place = new Array(count).fill(0);
  for (const row of layers) row.forEach((n, i) => (place[n] = i - row.length / 2));
  // Boxes stand near the mean of their neighbors.
  const mean = (/** @type {number[]} */ list, /** @type {number} */ own) => {
    if (list.length === 0) return own;
    let sum = 0;
    for (const n of list) sum += place[n];
    return sum / list.length;
  };
  for (let sweep = 0; sweep < 4; ++sweep) {
    const down = sweep % 2 === 0;
    const order = down ? layers : layers.slice().reverse();
    for (const row of order) {
      const wish = new Map(row.map((n) => [n, mean(down ? ins[n] : outs[n], place[n])]));
      row.sort((a, b) => /** @type {number} */ (wish.get(a)) - /** @type {number} */ (wish.get(b)) || a - b);
      row.forEach((n, i) => (place[n] = i - row.length / 2));
    }
  }
  const x = new Array(count).fill(0), y = new Array(count).fill(0);
  let top = 0, width = 0;
  /** @type {number[][]} */
  const rows = [];
  for (const row of layers)
    for (let at = 0; at < row.length; at += mostInRow) {
      const part = row.slice(at, at + mostInRow);
      rows.push(part);
      let height = 0, right = -Infinity;
      const center = (/** @type {number} */ n) => {
        let sum = 0;
        for (const from of ins[n]) sum += x[from] + boxes[from].w / 2;
        return ins[n].length ? sum / ins[n].length : NaN;
      };
      const total = part.reduce((s, n) => s + boxes[n].w + gapX, -gapX);
      let start = -total / 2;
      const wishes = part.map(center);
      const known = wishes.filter((c) => !Number.isNaN(c));
      if (known.length) start = known.reduce((s, c) => s + c, 0) / known.length - total / 2;
      part.forEach((n, i) => {
        const wish = part.length <= 3 && !Number.isNaN(wishes[i]) ? wishes[i] - boxes[n].w / 2 : start;
        x[n] = Math.max(wish, right);
        start = x[n] + boxes[n].w + gapX;
        right = start;
        y[n] = top;
        layer[n] = rows.length - 1;
        height = Math.max(height, boxes[n].h);
      });
      top += height + gapY;
    }
  let left = Infinity;
  for (let i = 0; i < count; ++i) left = Math.min(left, x[i]);
  for (let i = 0; i < count; ++i) {
    x[i] -= left;
    width = Math.max(width, x[i] + boxes[i].w);
  }
  return { x, y, layer, layers: rows, width, height: Math.max(0, top - gapY) };
}

/** Runs it in a worker; on this thread if the browser has none for local files.
 * @param {{boxes: Boxes, edges: [number, number][]}} graph @returns {Promise<Layout>} */
export function layoutAside(graph) {
  if (graph.boxes.length < 400) return Promise.resolve(layoutGraph(graph));
  return new Promise((resolve) => {
    try {
      const source = `onmessage = (e) => postMessage((${layoutGraph.toString()})(e.data));`;
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const worker = new Worker(url);
      const end = () => {
        worker.terminate();
        URL.revokeObjectURL(url);
      };
      worker.onmessage = (e) => {
        end();
        resolve(e.data);
      };
      worker.onerror = () => {
        end();
        resolve(layoutGraph(graph));
      };
      worker.postMessage(graph);
    } catch {
      resolve(layoutGraph(graph));
    }
  });
}
