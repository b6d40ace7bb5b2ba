// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions of maps as JavaScript functions.
//
// A tree is a number, the name of a variable, or an object with one member
// (`structure` in schemas/mercator.map-1.json). Integers are exact up to 2^53. What
// does not fit, and a division by zero, is NaN: no element.

/** @typedef {number|string|Object<string, any>} Tree */
/** @typedef {{name: string, kind: string, interval: [number|null, number|null], source?: number}} Variable */
/** @typedef {{variables: Variable[], results: Tree[], constraints: {value: Tree, interval: [number|null, number|null]}[], empty?: boolean}} Structure */
/** @typedef {(point: number[]) => number} Formula */
/** @typedef {{formula: Formula, uses: number[], tree: Tree, name: number}} Compiled */
/** @typedef {{variables: Variable[], results: Compiled[], constraints: (Compiled & {low: number, high: number})[], empty: boolean}} CompiledMap */

/** Whether a value was not known since it was last set to false: a number beyond 2^53. A
 * division by zero has no value, which is known. */
export const unknownValue = { seen: false };

function unknown() {
  unknownValue.seen = true;
  return NaN;
}

/** @param {number} x */
function exact(x) {
  if (Math.abs(x) <= Number.MAX_SAFE_INTEGER) return x;
  return Number.isNaN(x) ? x : unknown();
}

/** The remainder has the sign of the divisor.
 * @param {number} a @param {number} b */
export function floorMod(a, b) {
  const r = a % b;
  return r !== 0 && r < 0 !== b < 0 ? r + b : r + 0;
}

/** Rounds down. `a % b` is exact, and so is the division.
 * @param {number} a @param {number} b */
export function floorDiv(a, b) {
  return (a - floorMod(a, b)) / b + 0;
}

/** @type {Object<string, (a: number, b: number) => number>} */
const operators = {
  add: (a, b) => exact(a + b),
  mul: (a, b) => exact(a * b) + 0,
  min: Math.min,
  max: Math.max,
  floordiv: floorDiv,
  ceildiv: (a, b) => -floorDiv(-a, b) + 0,
  mod: floorMod,
};

/** @param {Tree} tree */
function operatorOf(tree) {
  const name = Object.keys(tree)[0];
  return operators[name] ? name : "";
}

/** @param {Tree} tree @param {Map<string, number>} slots @param {Set<number>} uses @returns {Formula} */
function formulaOf(tree, slots, uses) {
  if (typeof tree === "number") {
    return Math.abs(tree) <= Number.MAX_SAFE_INTEGER ? () => tree : unknown;
  }
  if (typeof tree === "string") {
    const slot = slots.get(tree);
    if (slot === undefined) return unknown;
    uses.add(slot);
    return (point) => point[slot];
  }
  const name = operatorOf(tree);
  if (!name) return unknown; // a text: nested too deeply
  const operator = operators[name];
  const parts = tree[name].map((/** @type {Tree} */ t) => formulaOf(t, slots, uses));
  if (parts.length === 1) return parts[0];
  if (parts.length === 2) {
    const [a, b] = parts;
    return (point) => operator(a(point), b(point));
  }
  return (point) => {
    let value = parts[0](point);
    for (let i = 1; i < parts.length; ++i) value = operator(value, parts[i](point));
    return value;
  };
}

/** @param {Structure} structure @returns {CompiledMap} */
export function compileStructure(structure) {
  const slots = new Map(structure.variables.map((v, i) => [v.name, i]));
  /** @param {Tree} tree @param {number} i */
  const compile = (tree, i) => {
    /** @type {Set<number>} */
    const uses = new Set();
    const formula = formulaOf(tree, slots, uses);
    return { formula, uses: [...uses], tree, name: i };
  };
  return {
    variables: structure.variables,
    results: structure.results.map(compile),
    constraints: structure.constraints.map((c, i) => ({
      ...compile(c.value, i),
      low: c.interval[0] ?? -Infinity,
      high: c.interval[1] ?? Infinity,
    })),
    empty: structure.empty === true,
  };
}

/** The element that the map gives at a point; null outside of its domain.
 * @param {CompiledMap} map @param {number[]} point @returns {number[]|null} */
export function evaluateAt(map, point) {
  if (map.empty) return null;
  for (let i = 0; i < map.variables.length; ++i) {
    const [low, high] = map.variables[i].interval;
    if ((low !== null && point[i] < low) || (high !== null && point[i] > high)) return null;
  }
  for (const c of map.constraints) {
    const value = c.formula(point);
    if (!(value >= c.low && value <= c.high)) return null;
  }
  const element = map.results.map((r) => r.formula(point));
  return element.some(Number.isNaN) ? null : element;
}

/** The interval of a tree, for intervals of its variables.
 * @param {Tree} tree @param {Map<string, [number, number]>} of @returns {[number, number]} */
export function intervalOf(tree, of) {
  if (typeof tree === "number") return [tree, tree];
  if (typeof tree === "string") return of.get(tree) ?? [-Infinity, Infinity];
  const name = operatorOf(tree);
  if (!name) return [-Infinity, Infinity];
  /** @type {[number, number][]} */
  const parts = tree[name].map((/** @type {Tree} */ t) => intervalOf(t, of));
  return parts.reduce((a, b) => {
    if (name === "mod") {
      if (b[0] !== b[1] || !(b[0] > 0)) return [-Infinity, Infinity];
      const same = floorDiv(a[0], b[0]) === floorDiv(a[1], b[0]);
      return same ? [floorMod(a[0], b[0]), floorMod(a[1], b[0])] : [0, b[0] - 1];
    }
    if (name.endsWith("div") && !(b[0] > 0 || b[1] < 0)) return [-Infinity, Infinity];
    const corners = [];
    for (const x of a) for (const y of b) corners.push(operators[name](x, y));
    if (name === "add") return [a[0] + b[0], a[1] + b[1]];
    return corners.some(Number.isNaN) ? [-Infinity, Infinity] : [Math.min(...corners), Math.max(...corners)];
  });
}

/** The tree with numbers for variables, and constants folded.
 * @param {Tree} tree @param {Map<string, number>} values @returns {Tree} */
export function substituteTree(tree, values) {
  if (typeof tree === "number") return tree;
  if (typeof tree === "string") return values.get(tree) ?? tree;
  const name = operatorOf(tree);
  if (!name) return tree;
  let parts = tree[name].map((/** @type {Tree} */ t) => substituteTree(t, values));
  if (parts.every((/** @type {Tree} */ p) => typeof p === "number")) return parts.reduce(operators[name]);
  if (name === "add" || name === "mul") {
    const unit = name === "add" ? 0 : 1;
    const numbers = parts.filter((/** @type {Tree} */ p) => typeof p === "number");
    const rest = parts.filter((/** @type {Tree} */ p) => typeof p !== "number");
    const constant = numbers.reduce(operators[name], unit);
    if (name === "mul" && constant === 0) return 0;
    parts = constant === unit ? rest : [...rest, constant];
    if (parts.length === 1) return parts[0];
  }
  return { [name]: parts };
}

/** The tree in the notation.
 * @param {Tree} tree @param {number} [outer] @returns {string} */
export function textOfTree(tree, outer = 0) {
  if (typeof tree === "number" || typeof tree === "string") return String(tree);
  const name = operatorOf(tree);
  if (!name) return String(tree.text ?? "?");
  /** @param {string} text @param {number} own */
  const wrap = (text, own) => (own < outer ? `(${text})` : text);
  const parts = tree[name];
  if (name === "min" || name === "max") return `${name}(${parts.map((/** @type {Tree} */ p) => textOfTree(p)).join(", ")})`;
  if (name === "add") {
    /** @type {string} */
    let text = textOfTree(parts[0], 1);
    for (const part of parts.slice(1)) {
      const last = typeof part === "object" && operatorOf(part) === "mul" ? part.mul.at(-1) : part;
      if (!(typeof last === "number" && last < 0)) text += ` + ${textOfTree(part, 1)}`;
      else if (last === part) text += ` - ${-last}`;
      else text += ` - ${textOfTree(last === -1 ? { mul: part.mul.slice(0, -1) } : { mul: [...part.mul.slice(0, -1), -last] }, 2)}`;
    }
    return wrap(text, 1);
  }
  if (name === "mul" && parts.length === 1) return textOfTree(parts[0], outer);
  if (name === "mul" && parts.length === 2 && parts[1] === -1) return wrap(`-${textOfTree(parts[0], 3)}`, 2);
  const sign = { mul: "*", floordiv: "/", mod: "mod", ceildiv: "ceildiv" }[name];
  return wrap(parts.map((/** @type {Tree} */ p, /** @type {number} */ i) => textOfTree(p, i ? 3 : 2)).join(` ${sign} `), 2);
}
