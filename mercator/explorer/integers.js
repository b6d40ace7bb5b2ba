// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 64 bits, intervals and residues, as in mercator/indexing/expr.
//
// A BigInt is exact, so an operation that leaves 64 bits is seen: `fits` is false, and
// the caller does what the library does on overflow.

export const leastInteger = -(2n ** 63n), greatestInteger = 2n ** 63n - 1n;

/** @param {bigint} x */
export function fits(x) {
  return x >= leastInteger && x <= greatestInteger;
}

/** @param {bigint} x */
export function magnitude(x) {
  return x < 0n ? -x : x;
}

/** @param {bigint} a @param {bigint} b */
export function greatestDivisor(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return magnitude(a);
}

/** a mod b, for b > 0.
 * @param {bigint} a @param {bigint} b */
export function modPositive(a, b) {
  const r = a % b;
  return r < 0n ? r + b : r;
}

/** a / b rounded down, for b > 0.
 * @param {bigint} a @param {bigint} b */
export function floorPositive(a, b) {
  return (a - modPositive(a, b)) / b;
}

/** a / b rounded up, for b > 0.
 * @param {bigint} a @param {bigint} b */
export function ceilPositive(a, b) {
  return -floorPositive(-a, b);
}

/** @param {bigint[]} list */
function leastOf(list) {
  return list.reduce((a, b) => (a < b ? a : b));
}

/** @param {bigint[]} list */
function greatestOf(list) {
  return list.reduce((a, b) => (a > b ? a : b));
}

/** @param {bigint} x */
function isInfinite(x) {
  return x === leastInteger || x === greatestInteger;
}

/** @param {bigint} x @param {bigint} y */
function saturatedProduct(x, y) {
  if (x === 0n || y === 0n) return 0n;
  const r = x * y;
  if (!isInfinite(x) && !isInfinite(y) && fits(r)) return r;
  return x < 0n !== y < 0n ? leastInteger : greatestInteger;
}

/** @param {bigint} x @param {bigint} y */
function saturatedQuotient(x, y) {
  if (isInfinite(x)) return x < 0n !== y < 0n ? leastInteger : greatestInteger;
  if (isInfinite(y)) return x !== 0n && x < 0n !== y < 0n ? -1n : 0n;
  return y < 0n ? floorPositive(-x, -y) : floorPositive(x, y);
}

/** The integers from `low` to `high`; the extreme values stand for missing bounds. */
export class Interval {
  /** @param {bigint} low @param {bigint} high */
  constructor(low, high) {
    this.low = low;
    this.high = high;
  }
  static everything = new Interval(leastInteger, greatestInteger);
  static empty = new Interval(0n, -1n);
  /** @param {bigint} x */
  static point(x) {
    return new Interval(x, x);
  }
  get isEmpty() {
    return this.low > this.high;
  }
  get hasLow() {
    return this.low !== leastInteger;
  }
  get hasHigh() {
    return this.high !== greatestInteger;
  }
  get isBounded() {
    return this.hasLow && this.hasHigh;
  }
  get isPoint() {
    return this.low === this.high && this.isBounded;
  }
  /** @param {Interval} o */
  equals(o) {
    return this.low === o.low && this.high === o.high;
  }
  /** @param {bigint} x */
  contains(x) {
    return this.low <= x && x <= this.high;
  }
  /** @param {Interval} o */
  covers(o) {
    return o.isEmpty || (this.low <= o.low && o.high <= this.high);
  }
  /** The number of elements; null if it is not known.
   * @returns {bigint|null} */
  get size() {
    if (this.isEmpty) return 0n;
    const n = this.high - this.low + 1n;
    return this.isBounded && fits(n) ? n : null;
  }
  /** @param {Interval} o */
  intersect(o) {
    const r = new Interval(greatestOf([this.low, o.low]), leastOf([this.high, o.high]));
    return r.isEmpty ? Interval.empty : r;
  }
  negated() {
    if (this.isEmpty) return Interval.empty;
    const low = this.high === leastInteger ? greatestInteger : -this.high;
    return new Interval(this.hasHigh ? low : leastInteger, this.hasLow ? -this.low : greatestInteger);
  }
  /** @param {Interval} o */
  plus(o) {
    if (this.isEmpty || o.isEmpty) return Interval.empty;
    const low = this.low + o.low, high = this.high + o.high;
    return new Interval(this.hasLow && o.hasLow && fits(low) ? low : leastInteger, this.hasHigh && o.hasHigh && fits(high) ? high : greatestInteger);
  }
  /** @param {Interval} o */
  minus(o) {
    return this.plus(o.negated());
  }
  /** @param {bigint} x */
  shifted(x) {
    return this.plus(Interval.point(x));
  }
  /** @param {bigint} k */
  times(k) {
    if (this.isEmpty) return Interval.empty;
    if (k === 0n) return Interval.point(0n);
    const [low, high] = k > 0n ? [this.low, this.high] : [this.high, this.low];
    return new Interval(isInfinite(low) || !fits(low * k) ? leastInteger : low * k, isInfinite(high) || !fits(high * k) ? greatestInteger : high * k);
  }
  /** @param {Interval} o @param {(x: bigint, y: bigint) => bigint} f */
  corners(o, f) {
    const list = [f(this.low, o.low), f(this.low, o.high), f(this.high, o.low), f(this.high, o.high)];
    return new Interval(leastOf(list), greatestOf(list));
  }
  get isExtreme() {
    return this.low === greatestInteger || this.high === leastInteger;
  }
  /** @param {Interval} o */
  product(o) {
    if (this.isEmpty || o.isEmpty) return Interval.empty;
    return this.isExtreme || o.isExtreme ? Interval.everything : this.corners(o, saturatedProduct);
  }
  /** @param {bigint} exponent */
  power(exponent) {
    /** @type {Interval} */
    let r = Interval.point(1n);
    /** @type {Interval} */
    let b = this;
    for (let n = exponent; n > 0n; n >>= 1n) {
      if (n & 1n) r = r.product(b);
      b = b.product(b);
    }
    return exponent % 2n === 0n && !r.isEmpty ? new Interval(greatestOf([r.low, 0n]), r.high) : r;
  }
  /** @param {bigint} d a positive divisor */
  floorDiv(d) {
    if (this.isEmpty) return Interval.empty;
    return new Interval(this.hasLow ? floorPositive(this.low, d) : leastInteger, this.hasHigh ? floorPositive(this.high, d) : greatestInteger);
  }
  /** @param {Interval} o */
  quotient(o) {
    if (this.isEmpty || o.isEmpty) return Interval.empty;
    return o.contains(0n) || this.isExtreme || o.isExtreme ? Interval.everything : this.corners(o, saturatedQuotient);
  }
  /** @param {Interval} o */
  min(o) {
    if (this.isEmpty || o.isEmpty) return Interval.empty;
    return new Interval(leastOf([this.low, o.low]), leastOf([this.high, o.high]));
  }
  /** @param {Interval} o */
  max(o) {
    if (this.isEmpty || o.isEmpty) return Interval.empty;
    return new Interval(greatestOf([this.low, o.low]), greatestOf([this.high, o.high]));
  }
  /** The x with k * x in this interval, for k > 0.
   * @param {bigint} k */
  inward(k) {
    return new Interval(this.hasLow ? ceilPositive(this.low, k) : leastInteger, this.hasHigh ? floorPositive(this.high, k) : greatestInteger);
  }
  toString() {
    return `[${this.hasLow ? this.low : "-inf"}, ${this.hasHigh ? this.high : "inf"}]`;
  }
}

/** The x with a * x = 1 modulo m.
 * @param {bigint} a @param {bigint} m */
function inverseModulo(a, m) {
  let [r0, r1, t0, t1] = [m, modPositive(a, m), 0n, 1n];
  while (r1 !== 0n) {
    const q = r0 / r1;
    [r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1];
  }
  return t0 < 0n ? t0 + m : t0;
}

/** The integers that are `remainder` modulo `modulus`; with modulus 0, `remainder` alone. */
export class Residue {
  /** @param {bigint} modulus @param {bigint} remainder */
  constructor(modulus, remainder) {
    this.modulus = modulus;
    this.remainder = remainder;
  }
  static everything = new Residue(1n, 0n);
  /** @param {bigint} x */
  static constant(x) {
    return new Residue(0n, x);
  }
  /** @param {bigint} m @param {bigint} r */
  static of(m, r) {
    return new Residue(m, modPositive(r, m));
  }
  get isEverything() {
    return this.modulus === 1n;
  }
  /** @param {bigint} x */
  contains(x) {
    return this.modulus === 0n ? x === this.remainder : modPositive(x, this.modulus) === this.remainder;
  }
  /** The remainder modulo m, if it is the same for all elements.
   * @param {bigint} m @returns {bigint|null} */
  modulo(m) {
    return this.modulus === 0n || this.modulus % m === 0n ? modPositive(this.remainder, m) : null;
  }
  /** @param {Residue} o */
  plus(o) {
    const m = greatestDivisor(this.modulus, o.modulus), sum = this.remainder + o.remainder;
    if (m === 1n) return Residue.everything;
    if (m !== 0n) return Residue.of(m, sum);
    return fits(sum) ? Residue.constant(sum) : Residue.everything;
  }
  /** @param {bigint} k */
  times(k) {
    if (k === 0n) return Residue.constant(0n);
    const m = this.modulus * k, r = this.remainder * k;
    if (k === leastInteger || !fits(m) || !fits(r) || m === leastInteger) return Residue.everything;
    return m === 0n ? Residue.constant(r) : Residue.of(magnitude(m), r);
  }
  /** The elements of both; null if there are none.
   * @param {Residue} o @returns {Residue|null} */
  intersect(o) {
    if (this.modulus === 0n) return o.contains(this.remainder) ? this : null;
    if (o.modulus === 0n) return this.contains(o.remainder) ? o : null;
    const g = greatestDivisor(this.modulus, o.modulus);
    if ((this.remainder - o.remainder) % g !== 0n) return null;
    const n = o.modulus / g;
    const t = modPositive(((o.remainder - this.remainder) / g) * inverseModulo(this.modulus / g, n), n);
    const both = this.modulus * n;
    if (both > greatestInteger) return this.modulus >= o.modulus ? this : o;
    return new Residue(both, this.remainder + this.modulus * t);
  }
  /** The interval with its ends moved inwards to elements of this residue.
   * @param {Interval} i @returns {Interval} */
  clip(i) {
    if (i.isEmpty) return Interval.empty;
    if (this.modulus === 0n) return i.contains(this.remainder) ? Interval.point(this.remainder) : Interval.empty;
    if (this.modulus === 1n) return i;
    const low = i.low + modPositive(this.remainder - i.low, this.modulus);
    const high = i.high - modPositive(i.high - this.remainder, this.modulus);
    const r = new Interval(i.hasLow ? (fits(low) ? low : greatestInteger) : i.low, i.hasHigh ? (fits(high) ? high : leastInteger) : i.high);
    return r.isEmpty ? Interval.empty : r;
  }
}

/** The x with a * x = r modulo m; null if there are none.
 * @param {bigint} a @param {bigint} r @param {bigint} m @returns {Residue|null} */
export function solveCongruence(a, r, m) {
  a = modPositive(a, m);
  r = modPositive(r, m);
  const g = greatestDivisor(a, m);
  if (r % g !== 0n) return null;
  const n = m / g;
  return Residue.of(n, (r / g) * inverseModulo(a / g, n));
}
