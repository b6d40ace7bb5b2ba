// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The notation of maps: text to structure. docs/cli.md describes it.
//
//   (d0)[s0]{rt0}<p0> -> (d0 * 4 + s0), domain: d0 in [0, 9], s0 in [0, 3]

/** @typedef {import("./expr.js").Tree} Tree */
/** @typedef {import("./expr.js").Structure} Structure */

/** The position of an error, and what was expected.
 * @typedef {{at: number, message: string}} NotationError */

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }
  skip() {
    while (/\s/.test(this.text[this.at] ?? "")) ++this.at;
  }
  /** @param {string} message @returns {never} */
  fail(message) {
    throw { at: this.at, message };
  }
  /** @param {string} word */
  eat(word) {
    this.skip();
    if (!this.text.startsWith(word, this.at)) return false;
    if (/\w$/.test(word) && /\w/.test(this.text[this.at + word.length] ?? "")) return false;
    this.at += word.length;
    return true;
  }
  /** @param {string} word */
  expect(word) {
    if (!this.eat(word)) this.fail(`expected ${word}`);
  }
  /** @param {RegExp} pattern @param {string} what */
  match(pattern, what) {
    this.skip();
    const found = pattern.exec(this.text.slice(this.at));
    if (!found || found.index !== 0) return this.fail(`expected ${what}`);
    this.at += found[0].length;
    return found[0];
  }
  /** @returns {string[]} @param {string} close */
  names(close) {
    /** @type {string[]} */
    const list = [];
    if (this.eat(close)) return list;
    do list.push(this.match(/^[A-Za-z_]\w*/, "a name"));
    while (this.eat(","));
    this.expect(close);
    return list;
  }
  /** @returns {number} */
  integer() {
    const sign = this.eat("-") ? -1 : 1;
    return sign * Number(this.match(/^\d+/, "an integer")) + 0;
  }
  /** @returns {Tree} */
  sum() {
    /** @type {Tree[]} */
    const parts = [this.product()];
    for (;;) {
      if (this.eat("->")) this.fail("expected an expression");
      if (this.eat("+")) parts.push(this.product());
      else if (this.eat("-")) parts.push({ mul: [this.product(), -1] });
      else return parts.length === 1 ? parts[0] : { add: parts };
    }
  }
  /** @returns {Tree} */
  product() {
    let left = this.factor();
    for (;;) {
      if (this.eat("*")) left = { mul: [left, this.factor()] };
      else if (this.eat("floordiv") || this.eat("/")) left = { floordiv: [left, this.factor()] };
      else if (this.eat("ceildiv")) left = { ceildiv: [left, this.factor()] };
      else if (this.eat("mod") || this.eat("%")) left = { mod: [left, this.factor()] };
      else return left;
    }
  }
  /** @returns {Tree} */
  factor() {
    if (this.eat("-")) return { mul: [this.factor(), -1] };
    if (this.eat("(")) {
      const inner = this.sum();
      this.expect(")");
      return inner;
    }
    this.skip();
    if (/\d/.test(this.text[this.at] ?? "")) {
      const value = this.integer();
      this.skip();
      return /[A-Za-z_]/.test(this.text[this.at] ?? "") && !/^(floordiv|ceildiv|mod|in|and)\b/.test(this.text.slice(this.at))
        ? { mul: [value, this.match(/^\w+/, "a name")] }
        : value;
    }
    const name = this.match(/^[A-Za-z_]\w*/, "a number, a name, or (");
    if ((name === "min" || name === "max") && this.eat("(")) {
      /** @type {Tree[]} */
      const parts = [];
      do parts.push(this.sum());
      while (this.eat(","));
      this.expect(")");
      return { [name]: parts };
    }
    return name;
  }
  /** @returns {[number|null, number|null]} */
  interval() {
    const open = this.eat("(") ? 1 : (this.expect("["), 0);
    const low = this.eat("-inf") ? null : this.integer() + open;
    this.expect(",");
    const high = this.eat("inf") ? null : this.integer();
    if (this.eat(")")) return [low, high === null ? null : high - 1];
    this.expect("]");
    return [low, high];
  }
}

/** @param {Reader} reader @param {Structure} map @param {Set<string>} known */
function readCondition(reader, map, known) {
  const start = reader.at;
  if (reader.eat("is_simplified")) {
    reader.expect(":");
    reader.match(/^\w+/, "true or false");
    return;
  }
  const value = reader.sum();
  reader.expect("in");
  const interval = reader.interval();
  const variable = typeof value === "string" ? map.variables.find((v) => v.name === value) : undefined;
  if (variable && !known.has(variable.name)) {
    variable.interval = interval;
    known.add(variable.name);
    return;
  }
  if (typeof value === "string" && !variable) {
    reader.at = start;
    reader.fail(`expected a variable of the map, got ${value}`);
  }
  map.constraints.push({ value, interval });
}

/** @param {string} text @returns {{map: Structure}|{error: NotationError}} */
export function parseNotation(text) {
  const reader = new Reader(text);
  try {
    if (reader.eat("KNOWN EMPTY")) return { map: { variables: [], results: [], constraints: [], empty: true } };
    /** @type {Structure} */
    const map = { variables: [], results: [], constraints: [] };
    /** @param {string} kind @param {string} open @param {string} close */
    const variables = (kind, open, close) => {
      if (!reader.eat(open)) return kind === "dimension" ? reader.fail(`expected ${open}`) : undefined;
      for (const name of reader.names(close)) map.variables.push({ name, kind, interval: [null, null] });
    };
    variables("dimension", "(", ")");
    variables("range", "[", "]");
    variables("runtime", "{", "}");
    variables("parameter", "<", ">");
    reader.expect("->");
    reader.expect("(");
    if (!reader.eat(")")) {
      do map.results.push(reader.sum());
      while (reader.eat(","));
      reader.expect(")");
    }
    /** @type {Set<string>} */
    const known = new Set();
    while (reader.eat(",")) {
      if (reader.eat("domain")) reader.expect(":");
      readCondition(reader, map, known);
    }
    reader.skip();
    if (reader.at !== text.length) reader.fail("expected the end of the map");
    const names = new Set(map.variables.map((v) => v.name));
    for (const tree of [...map.results, ...map.constraints.map((c) => c.value)]) checkNames(tree, names, text);
    return { map };
  } catch (error) {
    if (error instanceof Error) throw error;
    return { error: /** @type {NotationError} */ (error) };
  }
}

/** @param {Tree} tree @param {Set<string>} names @param {string} text */
function checkNames(tree, names, text) {
  if (typeof tree === "string" && !names.has(tree))
    throw { at: Math.max(0, text.indexOf(tree)), message: `expected a variable of the map, got ${tree}` };
  if (typeof tree === "object") for (const part of Object.values(tree).flat()) checkNames(part, names, text);
}
