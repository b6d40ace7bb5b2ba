// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The data of the page: `mercator.explore/1`, with indices that questions need.

import { compileStructure } from "./expr.js";

/** @typedef {{text: string, sizes?: (number|null)[], element?: string, bits?: number, minor_to_major?: number[], tiled?: boolean}} Type */
/** @typedef {{map: string, exact: boolean, reason?: string, gives_pairs?: number, reads_pairs_at_least?: number, across_devices?: boolean, runtime_variables: {name: string, interval: [number, number], source: string, map: string}[], structure: import("./expr.js").Structure, compiled?: import("./expr.js").CompiledMap}} ProgramMap */
/** @typedef {{number: number, element?: number, type?: number, maps?: number[], access?: number}} End */
/** @typedef {{from: End, to: End[]}} MapRecord */
/** @typedef {{name: string, computation: number, operation?: string, line?: number, origin?: string, types?: number[], operands?: [number, number][], reads?: number, reaches?: number, calls?: number[], dispatch?: number, bytes?: number, inside?: boolean}} Instruction */
/** @typedef {{name: string, entry?: boolean, caller?: number, results?: [number, number][]}} Computation */
/** @typedef {Object<string, any>} Device */
/** @typedef {{instruction: number, emitter: string, choice?: string, grid: number, block: number, us: number, accesses: {reads?: number, writes?: number, by: string, map: number, vector: number, loads: number, sectors: number}[]}} Kernel */
/** @typedef {{schema: string, module: string, file: string, text: string, devices: Device[], sources: {name: string, text: string}[], types: Type[], maps: ProgramMap[], accesses: any[], computations: Computation[], instructions: Instruction[], records: MapRecord[][], dispatches: {nanoseconds?: number, start?: number, memory?: number, arithmetic?: number}[], kernels?: Kernel[], explain?: any, no_dispatches?: string, simplified: any[], trace?: any, second?: {name: string, text: string}, diff?: any}} Data */

const listsOfData = ["devices", "sources", "types", "maps", "accesses", "computations", "instructions", "records", "dispatches", "simplified"];

/** The data, or a sentence that says what is wrong.
 * @param {string} text @returns {Data|string} */
export function parseData(text) {
  /** @type {any} */
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return `expected JSON in this file: ${error instanceof Error ? error.message : error}`;
  }
  if (data?.schema !== "mercator.explore/1") return `expected the schema mercator.explore/1, got ${data?.schema ?? "none"}`;
  for (const name of listsOfData) if (!Array.isArray(data[name])) return `expected a list '${name}' in the data`;
  if (typeof data.text !== "string") return "expected the text of the program in the data";
  /** @param {any} i @param {any[]} list */
  const isIndex = (i, list) => Number.isInteger(i) && i >= 0 && i < list.length;
  for (const [n, it] of data.instructions.entries()) {
    const wrong =
      !isIndex(it.computation, data.computations) ||
      (it.operands ?? []).some((/** @type {any} */ o) => !isIndex(o?.[0], data.instructions)) ||
      (it.types ?? []).some((/** @type {any} */ t) => !isIndex(t, data.types)) ||
      (it.reads !== undefined && !isIndex(it.reads, data.records)) ||
      (it.reaches !== undefined && !isIndex(it.reaches, data.records));
    if (wrong) return `instruction ${n} refers to something that is not in the data`;
  }
  for (const records of data.records)
    for (const record of records)
      for (const end of [record.from, ...record.to])
        if ((end.maps ?? []).some((/** @type {any} */ m) => !isIndex(m, data.maps))) return "a record refers to a map that is not in the data";
  for (const kernel of data.kernels ?? [])
    if (!isIndex(kernel?.instruction, data.instructions) || (kernel.accesses ?? []).some((/** @type {any} */ a) => !isIndex(a?.map, data.maps))) return "a kernel refers to something that is not in the data";
  return data;
}

/** A program, and the answers that the page looks up in it. */
export class Program {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.instructions = data.instructions;
    this.lines = data.text.split("\n");
    /** @type {Map<number, number[]>} */
    this.ofLine = new Map();
    /** @type {number[][]} */
    this.inComputation = data.computations.map(() => []);
    /** @type {number[][]|null} */
    this.userLists = null;
    /** @type {Map<number, Kernel>} */
    this.kernels = new Map((data.kernels ?? []).map((k) => [k.instruction, k]));
    data.instructions.forEach((it, i) => {
      this.inComputation[it.computation].push(i);
      if (it.line !== undefined) {
        const there = this.ofLine.get(it.line);
        if (there) there.push(i);
        else this.ofLine.set(it.line, [i]);
      }
    });
  }

  /** The users of an instruction.
   * @param {number} i */
  usersOf(i) {
    if (!this.userLists) {
      const lists = (this.userLists = this.instructions.map(() => /** @type {number[]} */ ([])));
      this.instructions.forEach((it, user) => {
        for (const [operand] of it.operands ?? []) if (operand !== user && lists[operand].at(-1) !== user) lists[operand].push(user);
      });
    }
    return this.userLists[i];
  }

  /** @param {number} i */
  map(i) {
    const map = this.data.maps[i];
    if (!map.compiled) {
      map.compiled = compileStructure(map.structure);
      // The last dimension and the last result are the device: any of them.
      if (map.across_devices) map.compiled.results.pop();
    }
    return /** @type {ProgramMap & {compiled: import("./expr.js").CompiledMap}} */ (map);
  }

  /** What XLA launches for an instruction.
   * @param {number} i @returns {Kernel|undefined} */
  kernelOf(i) {
    return this.kernels.get(i);
  }

  /** From a result to the operands.
   * @param {number} i @returns {MapRecord[]} */
  reads(i) {
    const list = this.instructions[i].reads;
    return list === undefined ? [] : this.data.records[list];
  }

  /** From an operand to the results.
   * @param {number} i @returns {MapRecord[]} */
  reaches(i) {
    const list = this.instructions[i].reaches;
    return list === undefined ? [] : this.data.records[list];
  }

  /** @param {number} i @param {number} [result] @returns {Type|undefined} */
  type(i, result = 0) {
    const type = this.instructions[i].types?.[result];
    return type === undefined ? undefined : this.data.types[type];
  }

  /** The extents; unknown ones as `unknownExtent`.
   * @param {Type|undefined} type */
  sizes(type) {
    return (type?.sizes ?? []).map((size) => size ?? unknownExtent);
  }

  /** `name` or `computation/name` of an instruction; undefined if there is none.
   * @param {string} name */
  find(name) {
    if (!this.byName) {
      /** @type {Map<string, number>} */
      this.byName = new Map();
      for (let i = this.instructions.length - 1; i >= 0; --i) this.byName.set(this.path(i), i);
    }
    return this.byName.get(name);
  }

  /** @param {number} i */
  path(i) {
    const it = this.instructions[i];
    return `${this.data.computations[it.computation].name}/${it.name}`;
  }

  /** The number of maps that are not exact.
   * @param {number} i */
  inexact(i) {
    let count = 0;
    for (const record of this.reads(i)) for (const end of record.to) for (const m of end.maps ?? []) if (!this.data.maps[m].exact) ++count;
    return count;
  }

  /** The entry: its first result, or its last instruction. */
  start() {
    const entry = Math.max(0, this.data.computations.findIndex((c) => c.entry));
    const result = this.data.computations[entry]?.results?.[0]?.[0];
    return result ?? this.inComputation[entry]?.at(-1) ?? 0;
  }
}

/** What an unknown extent is shown as. */
export const unknownExtent = 16;

/** `stablehlo.add` without its dialect.
 * @param {string} [operation] */
export function shortOperation(operation) {
  return operation ? operation.slice(operation.indexOf(".") + 1) : "parameter";
}
