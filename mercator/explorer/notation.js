// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The notation of maps: text to a map, and a map to text, as in
// mercator/indexing/notation/Notation.h, which has the grammar.
//
//   (d0)[s0]{rt0}<p0> -> (d0 * 4 + s0), domain: d0 in [0, 9], s0 in [0, 3]
//
// Left to the command: the sources of runtime variables, bounds before a map, LaTeX, and
// `&`, `^` and `|` of two operands that are no constants.

import { Arena, ArenaMap, deepest } from "./arena.js";
import { Interval, fits, greatestInteger, leastInteger, magnitude } from "./integers.js";

/** @typedef {import("./expr.js").Tree} Tree */
/** @typedef {import("./expr.js").Structure} Structure */
/** A place in the text, what was expected there, and a correction to type.
 * @typedef {{at: number, end: number, message: string, help: string}} NotationError */
/** @typedef {{kind: "word"|"integer"|"sign"|"end", text: string, at: number, end: number, startsLine: boolean}} Token */

/** Other spellings.
 * @type {Object<string, string>} */
const spellings = { "→": "->", "↦": "->", "∈": "in", "×": "x", "−": "-", "%": "mod", "//": "/", floordiv: "/", floorDiv: "/", ceilDiv: "ceildiv" };
const reserved = new Set(["floordiv", "floorDiv", "ceildiv", "ceilDiv", "mod", "min", "max", "in", "inf", "domain", "not", "hlo", "KNOWN", "EMPTY", "UNDEFINED"]);
const signs = /^(?:->|\/\/|<<|>>|\.\.\.|[()[\]{},:;+\-*/.<>&^|%=→↦∈×−])/;
/** Larger expressions have no text and no values in the page. */
const largestPrinted = 20000n;
const prefixes = ["d", "s", "rt", "p"];

/** d_0 and d_{0} are d0.
 * @param {string} name */
function normalizedName(name) {
  return name.replace(/^(d|s|rt|p)_\{?(\d+)\}?$/, "$1$2");
}

class MapReader {
  /** @param {Arena} arena @param {string} text */
  constructor(arena, text) {
    this.arena = arena;
    this.text = text;
    this.position = 0;
    this.previousEnd = 0;
    this.map = new ArenaMap(arena);
    /** @type {Map<string, number>} */
    this.names = new Map();
    /** @type {Set<number>} */
    this.clamped = new Set();
    this.token = this.next();
  }

  // Tokens.

  /** @returns {Token} */
  next() {
    const skipped = /^(?:\s|#[^\n]*|[$`•])*/.exec(this.text.slice(this.position))?.[0] ?? "";
    this.position += skipped.length;
    const startsLine = skipped.includes("\n") || this.position === skipped.length, at = this.position, rest = this.text.slice(at);
    /** @param {Token["kind"]} kind @param {string} found @returns {Token} */
    const make = (kind, found) => ({ kind, text: spellings[found] ?? found, at, end: (this.position = at + found.length), startsLine });
    if (!rest) return make("end", "");
    const word = /^[A-Za-z_]\w*(?:(?<=_)\{\d+\})?/.exec(rest);
    if (word) return make("word", word[0]);
    const integer = /^(?:0[xX][0-9a-fA-F]+|\d+)/.exec(rest);
    if (integer) return make("integer", integer[0]);
    return make("sign", signs.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0));
  }
  advance() {
    const { token } = this;
    this.previousEnd = token.end;
    this.token = this.next();
    return token;
  }
  /** The token behind the current one. */
  peek() {
    const { position } = this, token = this.next();
    this.position = position;
    return token;
  }
  /** @param {string} text */
  is(text) {
    return this.token.text === text && this.token.kind !== "end";
  }
  /** @param {string} text */
  eat(text) {
    return this.is(text) && this.advance() !== null;
  }
  /** @param {number} at @param {number} end @param {string} message @param {string} [help] @returns {never} */
  failAt(at, end, message, help = "") {
    throw { at, end, message, help };
  }
  /** @param {string} expected @param {string} [help] @returns {never} */
  fail(expected, help = "") {
    const { kind, at, end } = this.token;
    if (this.is("...")) help = "this text was cut off where it was printed";
    this.failAt(at, end, `expected ${expected}, got ${kind === "end" ? "the end of the text" : `'${this.text.slice(at, end)}'`}`, help);
  }
  /** @param {string} text @param {string} [what] */
  expect(text, what = `'${text}'`) {
    if (!this.eat(text)) this.fail(what);
  }

  // Expressions.

  /** @param {boolean} negative */
  integer(negative) {
    if (this.token.kind !== "integer") this.fail("an integer");
    const value = BigInt(this.token.text) * (negative ? -1n : 1n);
    if (!fits(value)) this.fail("an integer of 64 bits");
    this.advance();
    return value;
  }
  /** @param {number} e */
  checked(e) {
    return this.arena.node(e).height <= deepest ? e : this.failAt(this.previousEnd - 1, this.previousEnd, `expected at most ${deepest} nested operations`, "the command reads deeper ones");
  }
  name() {
    const name = normalizedName(this.token.text), known = this.names.get(name);
    if (known === undefined) {
      const near = [...this.names.keys()].sort().find((n) => n[0] === name[0]);
      this.fail("a variable of the map", near ? `did you mean '${near}'?` : this.names.size ? "" : `declare it before the arrow, as in '(${name}) -> ...'`);
    }
    this.advance();
    return known;
  }
  /** @param {number} depth @returns {number} */
  extremum(depth) {
    const kind = /** @type {"min"|"max"} */ (this.advance().text);
    this.expect("(");
    let e = this.expression(depth + 1);
    if (!this.is(",")) this.fail("',' and a second operand");
    while (this.eat(",")) e = this.checked(this.arena.extremum(kind, e, this.expression(depth + 1)));
    this.expect(")");
    return e;
  }
  /** @param {number} depth @returns {number} */
  factor(depth) {
    const { arena } = this;
    if (depth > deepest) this.fail(`at most ${deepest} nested parentheses`, "the command reads deeper ones");
    let negative = false;
    while (this.eat("-")) negative = !negative;
    const { token } = this;
    if (token.kind === "integer") {
      const constant = arena.constant(this.integer(negative)), next = this.token;
      const multiplies = next.kind === "word" && !next.startsLine && !reserved.has(next.text) && next.text !== "/" && next.text !== "mod" &&
        (this.names.has(normalizedName(next.text)) || next.at === this.previousEnd);
      return multiplies ? arena.mul(constant, this.name()) : constant;
    }
    let e = 0;
    if (this.eat("(")) {
      e = this.expression(depth + 1);
      this.expect(")");
    } else if (token.kind === "word" && (token.text === "min" || token.text === "max")) e = this.extremum(depth);
    else if (token.kind === "word" && token.text !== "/" && !reserved.has(token.text)) e = this.name();
    else this.fail("an expression");
    return negative ? arena.neg(e) : e;
  }
  /** @param {number} depth @returns {number} */
  term(depth) {
    const { arena } = this;
    // A minus sign before parentheses negates the whole term.
    const negative = this.is("-") && this.peek().text === "(" && this.eat("-");
    let left = this.factor(depth);
    for (const { token } = this; ["*", "/", "ceildiv", "mod"].includes(this.token.text) && token;) {
      const operator = this.advance().text, begin = this.token.at, right = this.factor(depth);
      if (operator !== "*" && arena.isNumber(right, 0n)) this.failAt(begin, this.previousEnd, "expected a divisor other than zero");
      left = this.checked(operator === "*" ? arena.mul(left, right) : operator === "mod" ? arena.mod(left, right) : operator === "/" ? arena.floorDiv(left, right) : arena.ceilDiv(left, right));
    }
    return negative ? arena.neg(left) : left;
  }
  /** @param {number} depth @returns {number} */
  sum(depth) {
    /** @type {import("./arena.js").Term[]} */
    const terms = [];
    let k = 1n;
    do {
      terms.push({ e: this.term(depth), k });
      k = this.is("-") ? -1n : 1n;
    } while (this.eat("+") || this.eat("-"));
    return this.checked(terms.length === 1 ? terms[0].e : this.arena.sum(terms, 0n));
  }
  /** @param {number} depth @returns {number} */
  shift(depth) {
    const { arena } = this;
    let left = this.sum(depth);
    while (this.is("<<") || this.is(">>")) {
      const isLeft = this.advance().text === "<<", begin = this.token.at, right = this.sum(depth);
      const bits = arena.isConstant(right) ? arena.value(right) : -1n;
      if (bits < 0n || bits > 62n) this.failAt(begin, this.previousEnd, "expected a number of bits from 0 to 62");
      left = this.checked(isLeft ? arena.scale(left, 1n << bits) : arena.floorBy(left, 1n << bits));
    }
    return left;
  }
  /** Operands joined by `&`, `^` and `|`, which binds least.
   * @param {number} depth @param {string} [operator] @returns {number} */
  expression(depth, operator = "|") {
    const { arena } = this;
    const operand = () => (operator === "&" ? this.shift(depth) : this.expression(depth, operator === "|" ? "^" : "&"));
    const begin = this.token.at;
    let left = operand();
    while (this.eat(operator)) {
      let right = operand();
      if (arena.isConstant(left) && !arena.isConstant(right)) [left, right] = [right, left];
      if (!arena.isConstant(right)) this.failAt(begin, this.previousEnd, `expected a constant on one side of '${operator}'`, "the command reads other operands, too");
      const mask = arena.value(right);
      if (magnitude(mask) >= 1n << 61n) this.failAt(begin, this.previousEnd, "expected constants of at most 61 bits");
      left = this.checked(this.masked(operator, left, mask));
    }
    return left;
  }
  /** x & mask, x ^ mask or x | mask, by the runs of ones of the mask.
   * @param {string} operator @param {number} x @param {bigint} mask */
  masked(operator, x, mask) {
    const { arena } = this;
    /** @type {import("./arena.js").Term[]} */
    const terms = operator === "&" ? [] : [{ e: x, k: 1n }];
    let constant = 0n;
    for (let rest = BigInt.asUintN(64, mask); rest !== 0n;) {
      let low = 0n, high;
      while (!((rest >> low) & 1n)) ++low;
      for (high = low; (rest >> high) & 1n; ++high);
      const isEndless = high >= 64n, unit = 1n << low, ones = isEndless ? -1n : (1n << (high - low)) - 1n;
      let digits = isEndless ? x : arena.modBy(x, 1n << high);
      digits = arena.floorBy(digits, unit);
      if (operator === "&") terms.push({ e: digits, k: unit });
      else {
        terms.push({ e: digits, k: operator === "^" ? -2n * unit : -unit });
        constant += unit * ones;
      }
      rest = isEndless ? 0n : (rest >> high) << high;
    }
    return arena.sum(terms, constant);
  }

  // Maps.

  bound() {
    const negative = this.eat("-");
    if (this.eat("inf")) return negative ? leastInteger : greatestInteger;
    return this.integer(negative);
  }
  /** [0, 9], [0, 10), 0..9
   * @returns {Interval} */
  interval() {
    const isShort = this.token.kind === "integer" ? this.peek().text === "." : this.is("-");
    if (isShort) {
      const low = this.bound();
      this.expect(".", "'..'");
      this.expect(".", "'..'");
      const i = new Interval(low, this.bound());
      return i.isEmpty ? Interval.empty : i;
    }
    this.expect("[", "an interval such as '[0, 9]'");
    if (this.eat("]")) return Interval.empty;
    const low = this.bound();
    this.expect(",");
    let high = this.bound();
    if (this.eat(")")) {
      if (high === leastInteger) return Interval.empty;
      if (high !== greatestInteger) --high;
    } else this.expect("]");
    const i = new Interval(low, high);
    return i.isEmpty ? Interval.empty : i;
  }
  /** @param {number} list 0: dimensions, 1: ranges, 2: runtime variables, 3: parameters @param {string} close */
  variables(list, close) {
    this.advance();
    const kind = Math.min(list, 2), own = this.map.domain.lists[kind];
    for (let i = 0; !this.is(close); ++i) {
      if (this.token.kind !== "word" || reserved.has(this.token.text) || this.token.text === "/") this.fail(i ? "the name of a variable" : `the name of a variable or '${close}'`);
      const name = normalizedName(this.token.text);
      if (this.names.has(name)) this.fail("a name that is not taken");
      const usual = list < 3 && name === `${prefixes[list]}${i}`;
      this.names.set(name, this.arena.variable({ kind, index: own.length }));
      own.push({ bounds: Interval.everything, name: usual ? "" : name, isParameter: list === 3 });
      this.advance();
      if (!this.eat(",") && !this.is(close)) this.fail(`',' or '${close}'`);
    }
    this.advance();
  }
  emptyMap() {
    if (!this.is("KNOWN") || this.peek().text !== "EMPTY") return false;
    this.advance();
    this.advance();
    this.map.domain.knownEmpty = true;
    return true;
  }
  read() {
    const { map } = this, { domain } = map;
    if (!this.emptyMap()) {
      const isAffine = this.is("affine_map") && this.peek().text === "<";
      if (isAffine) {
        this.advance();
        this.advance();
      }
      if (!this.is("(")) this.fail("a map", "a map looks like '(d0) -> (d0), domain: d0 in [0, 9]'");
      this.variables(0, ")");
      if (this.is("[")) this.variables(isAffine ? 3 : 1, "]");
      if (this.is("{")) this.variables(2, "}");
      if (this.is("<")) this.variables(3, ">");
      this.expect("->");
      if (!this.emptyMap()) this.results();
      if (isAffine) this.expect(">");
    }
    this.tail();
    if (this.token.kind !== "end") this.fail("the end of the map", this.token.kind === "word" ? "the domain is written ', domain: d0 in [0, 9]'" : "");
    domain.knownEmpty ||= domain.vars.some((v) => domain.of(v).bounds.isEmpty) || domain.constraints.some((c) => c.bounds.isEmpty);
    if (domain.knownEmpty) {
      domain.constraints = [];
      for (const v of domain.vars) domain.of(v).bounds = Interval.empty;
    }
    return map;
  }
  results() {
    this.expect("(");
    while (!this.is(")")) {
      this.map.results.push(this.expression(0));
      if (!this.eat(",") && !this.is(")")) this.fail("',' or ')'");
    }
    this.advance();
  }
  tail() {
    let inDomain = false;
    for (;;) {
      const continues = this.is(",");
      while (this.eat(","));
      if (this.emptyMap()) continue;
      if (this.is("domain") && this.peek().text === ":") {
        this.advance();
        this.advance();
        inDomain = true;
        this.emptyMap();
      } else if (this.is("is_simplified") && this.peek().text === ":") {
        this.advance();
        this.advance();
        if (!this.eat("true") && !this.eat("false")) this.fail("'true' or 'false'");
      } else if (continues && !inDomain && this.token.kind === "word" && (this.names.has(normalizedName(this.token.text)) || this.is("not"))) inDomain = true;
      else if (inDomain && this.eat("and")) continue;
      else if (!inDomain || this.token.kind === "end" || this.is("[") || (this.token.kind === "word" && this.peek().text === ":")) return;
      else this.entry();
    }
  }
  /** `not (a in [l, u], b in ...)`: at least one of the entries is false. */
  complement() {
    const { arena } = this;
    this.advance();
    this.expect("(");
    let most = -1;
    /** @param {number} excess */
    const add = (excess) => (most = most < 0 ? excess : arena.extremum("max", most, excess));
    do {
      const e = this.expression(0);
      this.expect("in", "'in' and an interval");
      let i = this.interval();
      if (i.isEmpty) i = new Interval(1n, 0n);
      if (i.hasLow) add(arena.addNumber(arena.sub(arena.constant(i.low), e), -1n));
      if (i.hasHigh) {
        const above = arena.addNumber(e, -1n);
        add(arena.sub(above, arena.constant(i.high)));
      }
    } while (this.eat(","));
    if (most < 0) this.map.domain.knownEmpty = true;
    else this.map.domain.constrain(this.checked(most), new Interval(0n, greatestInteger));
    this.expect(")");
  }
  entry() {
    const { arena, token } = this, { domain } = this.map;
    if (this.is("not") && this.peek().text === "(") return this.complement();
    const group = token.kind === "word" && !this.names.has(normalizedName(token.text)) ? /^([ds])(?:_?[ij])?$/.exec(token.text) : null;
    if (group && this.peek().text === "in") return this.groupEntry(domain.lists[group[1] === "d" ? 0 : 1], token.text.length === 1);
    const subject = this.expression(0);
    this.expect("in", "'in' and an interval");
    const interval = this.interval();
    if (arena.kind(subject) !== "variable") return domain.constrain(subject, interval);
    const variable = domain.of(arena.var(subject));
    // The first entry of a runtime variable is what its value is clamped to.
    if (arena.rhs(subject) === 2 && !variable.isParameter && this.clamped.has(subject)) return domain.constrain(subject, interval);
    this.clamped.add(subject);
    variable.bounds = variable.bounds.intersect(interval);
  }
  /** `d in [0, 6] x [0, 14]`, or `d_i in [0, 9]` for all.
   * @param {import("./arena.js").ArenaVariable[]} list @param {boolean} each */
  groupEntry(list, each) {
    this.advance();
    this.advance();
    const begin = this.token.at, box = [this.interval()];
    while ((this.is("x") || this.is("*")) && this.peek().text === "[") {
      this.advance();
      box.push(this.interval());
    }
    const wanted = each ? list.length : 1;
    if (box.length !== wanted) this.failAt(begin, this.previousEnd, `expected ${wanted} ${each ? "intervals, one per variable" : "interval for all variables"}, got ${box.length}`);
    list.forEach((v, i) => (v.bounds = v.bounds.intersect(box[each ? i : 0])));
  }
}

/** The map of a text, in an arena of its own.
 * @param {string} text @returns {{map: ArenaMap}|{error: NotationError}} */
export function readMap(text) {
  try {
    return { map: new MapReader(new Arena(), text).read() };
  } catch (error) {
    if (error instanceof Error) throw error;
    return { error: /** @type {NotationError} */ (error) };
  }
}

// The printer.

/** The order of terms, as in XLA. */
const printedOrder = ["sum", "product", "quotient", "ceildiv", "remainder", "max", "min", "wide", "variable", "constant"];

/** Prints expressions, with the names of a domain. */
export class Printer {
  /** @param {Arena} arena @param {import("./arena.js").ArenaDomain} domain */
  constructor(arena, domain) {
    this.arena = arena;
    const taken = new Set();
    const list = domain.lists[2], numRead = list.filter((v) => !v.isParameter).length;
    const isPrintable = (/** @type {string} */ name) => name !== "" && !reserved.has(name) && normalizedName(name) === name;
    /** @type {string[][]} */
    this.names = domain.lists.map((vars) => vars.map((v) => (isPrintable(v.name) && !taken.has(v.name) && taken.add(v.name) ? v.name : "")));
    this.names.forEach((names, kind) => names.forEach((name, index) => {
      if (name) return;
      const usual = kind === 2 && index >= numRead ? `p${index - numRead}` : `${prefixes[kind]}${index}`;
      let own = usual;
      for (let n = 1; taken.has(own); ++n) own = `${usual}_v${n}`;
      taken.add(own);
      names[index] = own;
    }));
    /** @type {Map<number, import("./arena.js").Term[]>} */
    this.sorted = new Map();
  }
  /** @param {import("./arena.js").Var} v */
  nameOf(v) {
    return this.names[v.kind][v.index] ?? `${prefixes[v.kind]}${v.index}`;
  }
  /** A total order by structure alone.
   * @param {number} a @param {number} b @returns {number} */
  compare(a, b) {
    const { arena } = this;
    /** @param {bigint|number} x @param {bigint|number} y */
    const numbers = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
    while (a !== b) {
      const kind = arena.kind(a), by = numbers(printedOrder.indexOf(kind), printedOrder.indexOf(arena.kind(b)));
      if (by) return by;
      if (kind === "constant") return numbers(arena.value(a), arena.value(b));
      if (kind === "variable") return numbers(arena.rhs(a), arena.rhs(b)) || numbers(arena.lhs(a), arena.lhs(b));
      const x = this.terms(a), y = this.terms(b);
      let i = 0;
      while (i < x.length && i < y.length && x[i].e === y[i].e && x[i].k === y[i].k) ++i;
      if (i === x.length || i === y.length) return numbers(x.length, y.length) || numbers(arena.value(a), arena.value(b));
      if (x[i].e === y[i].e) return numbers(x[i].k, y[i].k);
      [a, b] = [x[i].e, y[i].e];
    }
    return 0;
  }
  /** The terms, factors or operands in the order in which they are printed.
   * @param {number} e @returns {import("./arena.js").Term[]} */
  terms(e) {
    const known = this.sorted.get(e);
    if (known) return known;
    const { arena } = this, n = arena.node(e), kind = arena.kind(e), isList = kind === "sum" || kind === "product";
    const terms = isList ? [...n.terms] : [{ e: n.a, k: 1n }, { e: n.b, k: 1n }];
    /** @param {import("./arena.js").Term} t */
    const isScaled = (t) => kind === "sum" && ((t.k !== 1n && t.k !== -1n) || arena.kind(t.e) === "product");
    if (!["quotient", "remainder", "ceildiv"].includes(kind)) terms.sort((a, b) => Number(isScaled(b)) - Number(isScaled(a)) || this.compare(a.e, b.e));
    this.sorted.set(e, terms);
    return terms;
  }
  /** @param {number} e */
  form(e) {
    const { arena } = this, kind = arena.kind(e), n = arena.node(e);
    if (kind === "sum") return n.terms.length > 1 || n.value !== 0n ? "sum" : n.terms[0].k === -1n ? "negation" : "product";
    if (kind === "wide") return n.value === 0n ? "sum" : "product";
    return ["constant", "variable", "min", "max"].includes(kind) ? "atom" : kind;
  }
  /** @param {number} e @param {"alone"|"term"|"left"|"right"} [place] @param {string} [parent] @returns {string} */
  text(e, place = "alone", parent = "sum") {
    const { arena } = this, form = this.form(e), kind = arena.kind(e);
    if (arena.sizeOfExpression(e) > largestPrinted) return "...";
    const text = this.bare(e);
    if (place === "alone" || form === "atom") return text;
    const isWrapped = kind === "wide" || (place === "term" ? form === "sum" : place === "left" ? form !== parent : true);
    return isWrapped ? `(${text})` : text;
  }
  /** @param {number} e @returns {string} */
  bare(e) {
    const { arena } = this, n = arena.node(e), kind = arena.kind(e);
    if (kind === "constant") return String(n.value);
    if (kind === "variable") return this.nameOf(arena.var(e));
    const terms = this.terms(e);
    if (kind === "sum") return this.sumText(terms, n.value);
    if (kind === "product") return terms.flatMap((t) => Array(Number(t.k)).fill(this.text(t.e, "left", "product"))).join(" * ");
    const [a, b] = terms.map((t) => t.e);
    if (kind === "min" || kind === "max") return `${kind}(${this.text(a)}, ${this.text(b)})`;
    if (kind === "wide") return `${this.text(a, "right")} ${n.value === 0n ? "+" : "*"} ${this.text(b, "right")}`;
    const sign = kind === "quotient" ? "/" : kind === "remainder" ? "mod" : "ceildiv";
    return `${this.text(a, "left", kind)} ${sign} ${this.text(b, "right")}`;
  }
  /** @param {import("./arena.js").Term[]} terms @param {bigint} constant */
  sumText(terms, constant) {
    let text = "";
    /** @param {bigint} k */
    const isMinus = (k) => k < 0n && k !== leastInteger;
    for (const { e, k } of terms) {
      if (!text && k === -1n) {
        text = `-${this.text(e, "right")}`;
        continue;
      }
      const c = text && isMinus(k) ? -k : k;
      const sign = text ? (isMinus(k) ? " - " : " + ") : "";
      text += sign + (c === 1n ? this.text(e, "term") : `${this.text(e, "left", "product")} * ${c}`);
    }
    return constant === 0n ? text : `${text} ${isMinus(constant) ? "-" : "+"} ${isMinus(constant) ? -constant : constant}`;
  }
}

/** The map in the notation.
 * @param {ArenaMap} map */
export function textOfMap(map) {
  const { arena, domain } = map;
  const printer = new Printer(arena, domain), [dims, ranges, runtimes] = printer.names;
  const isParameter = (/** @type {unknown} */ _, /** @type {number} */ i) => domain.lists[2][i].isParameter === true;
  const read = runtimes.filter((n, i) => !isParameter(n, i)), parameters = runtimes.filter(isParameter);
  const bracketed = [ranges.length ? `[${ranges.join(", ")}]` : "", read.length ? `{${read.join(", ")}}` : "", parameters.length ? `<${parameters.join(", ")}>` : ""];
  const entries = domain.vars.flatMap((v) => {
    const { bounds, isParameter: isOwn } = domain.of(v);
    // The first entry of a runtime variable is read as its bounds.
    const isFirst = v.kind === 2 && !isOwn && domain.constraints.some((c) => c.e === arena.variable(v));
    return isFirst || !bounds.equals(Interval.everything) ? [`${printer.nameOf(v)} in ${bounds}`] : [];
  });
  entries.push(...domain.constraints.map((c) => `${printer.text(c.e)} in ${c.bounds}`).sort());
  const signature = `(${dims.join(", ")})${bracketed.join("")} -> (${map.results.map((e) => printer.text(e)).join(", ")})`;
  if (domain.knownEmpty) return `${signature}, KNOWN EMPTY`;
  return `${signature}${entries.length ? `, domain: ${entries.join(", ")}` : ""}`;
}

/** The map as `structure` of schemas/mercator.map-1.json.
 * @param {ArenaMap} map @returns {Structure} */
export function structureOfMap(map) {
  const { arena, domain } = map, printer = new Printer(arena, domain);
  /** @param {Interval} i @returns {[number|null, number|null]} */
  const pair = (i) => [i.hasLow ? Number(i.low) : null, i.hasHigh ? Number(i.high) : null];
  /** @param {number} e @returns {Tree} */
  const tree = (e) => {
    if (arena.sizeOfExpression(e) > largestPrinted) return { text: "..." };
    const n = arena.node(e), kind = arena.kind(e);
    if (kind === "constant") return Number(n.value);
    if (kind === "variable") return printer.nameOf(arena.var(e));
    const terms = printer.terms(e);
    if (kind === "sum") {
      const parts = terms.map((t) => (t.k === 1n ? tree(t.e) : { mul: [tree(t.e), Number(t.k)] }));
      if (n.value !== 0n) parts.push(Number(n.value));
      return parts.length === 1 ? parts[0] : { add: parts };
    }
    if (kind === "product") return { mul: terms.flatMap((t) => Array(Number(t.k)).fill(tree(t.e))) };
    const name = kind === "wide" ? (n.value === 0n ? "add" : "mul") : { quotient: "floordiv", remainder: "mod", ceildiv: "ceildiv", min: "min", max: "max" }[kind];
    return { [name]: terms.map((t) => tree(t.e)) };
  };
  const kinds = ["dimension", "range", "runtime"];
  return {
    variables: domain.vars.map((v) => ({ name: printer.nameOf(v), kind: domain.of(v).isParameter ? "parameter" : kinds[v.kind], interval: pair(domain.of(v).bounds), source: domain.of(v).source })),
    results: map.results.map(tree),
    constraints: domain.constraints.map((c) => ({ value: tree(c.e), interval: pair(c.bounds) })),
    ...(domain.knownEmpty ? { empty: true } : {}),
  };
}

/** @param {string} text @returns {{map: Structure}|{error: NotationError}} */
export function parseNotation(text) {
  const read = readMap(text);
  return "error" in read ? read : { map: structureOfMap(read.map) };
}
