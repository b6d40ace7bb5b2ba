// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The page: views, their state in the address, keys, and what every view has.

import { copyText, download, emptyState, h, replace } from "./dom.js";
import { parseData, Program } from "./data.js";
import { renderProgram, programCommand } from "./program.js";
import { renderElements, elementsCommand } from "./elements.js";
import { renderWarp, warpCommand, warpQuestion, warpTotals } from "./warp.js";
import { renderBoundaries, boundariesCommand } from "./boundaries.js";
import { renderSchedule, scheduleCommand } from "./schedule.js";
import { renderShards, shardsCommand } from "./shards.js";
import { renderTimeline, timelineCommand } from "./timeline.js";
import { compareMaps, renderProof, renderSimplifier, proofCommand, simplifierCommand, simplifyText } from "./bench.js";
import { changesCommand, renderChanges } from "./changes.js";
import { compileStructure, evaluateAt } from "./expr.js";
import { parseNotation } from "./notation.js";
import { forEachElement, readsOf, regionOfBox } from "./regions.js";
import { walkFrom } from "./walk.js";

const views = [
  { id: "program", title: "Program", render: renderProgram, command: programCommand },
  { id: "elements", title: "Element and tile", render: renderElements, command: elementsCommand },
  { id: "warp", title: "Warp and cache", render: renderWarp, command: warpCommand },
  { id: "boundaries", title: "Why apart", render: renderBoundaries, command: boundariesCommand },
  { id: "schedule", title: "Schedule", render: renderSchedule, command: scheduleCommand },
  { id: "shards", title: "Shards", render: renderShards, command: shardsCommand },
  { id: "timeline", title: "Timeline", render: renderTimeline, command: timelineCommand },
  { id: "simplifier", title: "Simplifier", render: renderSimplifier, command: simplifierCommand },
  { id: "proof", title: "Proof", render: renderProof, command: proofCommand },
  { id: "diff", title: "Diff", render: renderChanges, command: changesCommand },
];

/** Keys of the state that belong to one instruction.
 * @param {string} key */
function isOfInstruction(key) {
  return ["tile", "record", "operand", "map", "load", "layout", "along"].includes(key) || /^v\d+\./.test(key);
}

class App {
  /** @param {Program} program */
  constructor(program) {
    this.program = program;
    /** @type {Map<string, string>} */
    this.state = new Map();
    /** @type {HTMLElement|null} */
    this.grids = null;
    this.readHash();
  }

  readHash() {
    this.state = new Map(new URLSearchParams(location.hash.slice(1)));
  }

  /** The chosen instruction. */
  at() {
    const path = this.state.get("at");
    const found = path === undefined ? undefined : this.program.find(path);
    return found ?? this.program.start();
  }

  view() {
    return views.find((v) => v.id === this.state.get("view")) ?? views[0];
  }

  /** Changes the state, and the address. `isSmall`: the Back key does not return to the state before.
   * @param {Object<string, string|null>} patch @param {boolean} [isSmall] */
  set(patch, isSmall = false) {
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) this.state.delete(key);
      else this.state.set(key, value);
    }
    const hash = `#${new URLSearchParams([...this.state])}`;
    try {
      if (isSmall) history.replaceState(null, "", hash);
      else history.pushState(null, "", hash);
    } catch {
      // A page in a frame of a notebook has no address.
    }
    this.render();
  }

  /** Chooses an instruction, without what was set for another one.
   * @param {number} i */
  select(i) {
    this.go(i, null, this.view().id);
  }

  /** @param {number} i @param {string|null} tile @param {string} [view] */
  go(i, tile, view = "elements") {
    for (const key of [...this.state.keys()]) if (isOfInstruction(key)) this.state.delete(key);
    this.set({ at: this.program.path(i), tile, view, level: null });
  }

  render() {
    const view = this.view();
    const scroll = document.activeElement?.tagName === "CANVAS" ? [...document.querySelectorAll("canvas")].indexOf(/** @type {any} */ (document.activeElement)) : -1;
    const label = /** @type {HTMLElement} */ (document.activeElement)?.getAttribute?.("aria-label");
    for (const tab of document.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", String(tab.id === `tab-${view.id}`));
    const root = /** @type {HTMLElement} */ (document.getElementById("view"));
    if (root.dataset.view !== view.id) replace(root);
    root.dataset.view = view.id;
    root.setAttribute("aria-labelledby", `tab-${view.id}`);
    this.grids = null;
    view.render(this, root);
    document.title = `${view.title}: ${this.program.data.module}`;
    // What had the focus has it again.
    if (scroll >= 0) /** @type {HTMLElement} */ (document.querySelectorAll("canvas")[scroll])?.focus({ preventScroll: true });
    else if (label && !document.activeElement?.getAttribute("aria-label")) /** @type {HTMLElement|null} */ (root.querySelector(`[aria-label="${CSS.escape(label)}"]`))?.focus({ preventScroll: true });
  }
}

/** @param {string} key @param {string|undefined} value */
function remember(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser may refuse this for local files.
  }
}

/** @param {string} key */
function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {App} app */
function header(app) {
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "views", onkeydown: (/** @type {KeyboardEvent} */ e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const next = views[(views.indexOf(app.view()) + step + views.length) % views.length];
    app.set({ view: next.id });
    document.getElementById(`tab-${next.id}`)?.focus();
  } }, views.map((v) => h("button", { role: "tab", id: `tab-${v.id}`, "aria-controls": "view", onclick: () => app.set({ view: v.id }) }, v.title)));
  const search = /** @type {HTMLInputElement} */ (h("input", { type: "search", id: "search", placeholder: "Search  /", "aria-label": "search instructions", value: app.state.get("find") ?? "", oninput: () => {
    clearTimeout(/** @type {any} */ (app).searching);
    /** @type {any} */ (app).searching = setTimeout(() => app.set({ find: search.value || null, view: "program" }, true), 150);
  }, onkeydown: (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== "Enter") return;
    const word = search.value.toLowerCase();
    const count = app.program.instructions.length, from = app.at() + 1;
    for (let k = 0; k < count; ++k) {
      const i = (from + k) % count;
      if (`${app.program.path(i)} ${app.program.instructions[i].operation ?? ""}`.toLowerCase().includes(word)) return app.go(i, null, "program");
    }
  } }));
  const dark = () => document.documentElement.dataset.theme === "dark";
  const toggle = (/** @type {string} */ key, /** @type {string} */ on, /** @type {string} */ title, /** @type {string} */ text) => {
    const button = h("button", { class: "icon", title, "aria-label": title, "aria-pressed": document.documentElement.dataset[key] === on, onclick: () => {
      const isOn = document.documentElement.dataset[key] === on;
      if (isOn) document.documentElement.dataset[key] = key === "theme" ? "light" : "";
      else document.documentElement.dataset[key] = on;
      remember(`mercator-${key}`, document.documentElement.dataset[key]);
      button.setAttribute("aria-pressed", String(!isOn));
      app.render();
    } }, text);
    return button;
  };
  return h("header", { class: "top" },
    h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), h("strong", {}, app.program.data.module), h("span", { class: "muted file" }, app.program.data.file.split("/").at(-1))),
    tabs, search,
    h("div", { class: "tools" },
      h("button", { class: "icon", title: "Copy as command line", "aria-label": "copy as command line", onclick: () => copyText(app.view().command(app)) }, "$_"),
      h("button", { class: "icon", title: "Copy a link to this view", "aria-label": "copy link", onclick: () => copyText(location.href) }, "#"),
      h("button", { class: "icon", title: "Save the drawings as SVG", "aria-label": "save as SVG", onclick: () => saveSvg(app) }, "SVG"),
      toggle("palette", "safe", "Colors for color-blind readers", "◐"),
      toggle("theme", "dark", "Dark", dark() ? "☾" : "☾")));
}

/** The drawings of the view, one below the other. */
export function svgOfView() {
  const drawings = [...document.querySelectorAll("#view canvas.drawing")].map((c) => ({ svg: /** @type {any} */ (c).toSvg(), w: parseFloat(/** @type {any} */ (c).style.width), h: parseFloat(/** @type {any} */ (c).style.height), label: c.getAttribute("aria-label") ?? "" }));
  if (!drawings.length) return "";
  const width = Math.max(...drawings.map((d) => d.w));
  let y = 0;
  const parts = drawings.map((d) => {
    const part = d.svg.replace("<svg ", `<svg y="${y}" role="img" aria-label="${d.label.replace(/[<&"]/g, " ")}" `).replace(/id="c(\d+)"/g, `id="y${y}c$1"`).replace(/url\(#c(\d+)\)/g, `url(#y${y}c$1)`);
    y += Math.ceil(d.h) + 12;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}">\n${parts.join("\n")}</svg>\n`;
}

/** @param {App} app */
function saveSvg(app) {
  const svg = svgOfView();
  const toast = document.getElementById("toast");
  if (svg) download(`${app.program.data.module}-${app.view().id}.svg`, "image/svg+xml", svg);
  else if (toast) {
    toast.textContent = "This view has no drawing";
    toast.classList.add("shown");
    setTimeout(() => toast.classList.remove("shown"), 1500);
  }
}

/** Questions of tests, and of notebooks: the page's own answers.
 * @param {App} app */
function makeApi(app) {
  return {
    app, parseNotation, compareMaps, simplifyText, svgOfView,
    /** @param {any} structure @param {number[]} point */
    evaluate: (structure, point) => evaluateAt(compileStructure(structure), point),
    /** @param {any} structure @param {[number, number][]} box */
    reads: (structure, box) => {
      const region = readsOf(structure, regionOfBox(box));
      if (!region || typeof region === "string") return region;
      /** @type {number[][]} */
      const elements = [];
      forEachElement(region, (e) => void elements.push(e));
      return elements;
    },
    /** Elements of the parameters.
     * @param {string} path @param {[number, number][]} box @param {boolean} up */
    walk: (path, box, up) => {
      const i = /** @type {number} */ (app.program.find(path));
      const walk = walkFrom(app.program, { instruction: i, result: 0 }, regionOfBox(box), up, new Map());
      let step = walk.next();
      while (!step.done) step = walk.next();
      return step.value.map((r) => {
        /** @type {Set<string>} */
        const elements = new Set();
        for (const region of r.regions) forEachElement(region, (e) => elements.add(e.join()) && elements.size < 20000);
        return { name: app.program.instructions[r.instruction].name, instruction: r.instruction, elements: [...elements], isBox: r.regions.some((x) => x.box), over: r.over };
      });
    },
    /** @param {number} most */
    warp: (most = 1e7) => {
      const q = warpQuestion(/** @type {any} */ (app));
      if (typeof q === "string") return q;
      const count = warpTotals(q, most);
      let next = count.next();
      while (!next.done) next = count.next();
      const { totals, block } = next.value;
      const plain = (/** @type {any} */ t) => t && { loads: t.loads, sectors: [...t.sectors].sort((a, b) => a[0] - b[0]), lines: [...t.lines].sort((a, b) => a[0] - b[0]), used_bytes: t.used, fetched_bytes: t.fetched, needed_sectors: t.needed, sampled: t.sampled };
      return { ...plain(totals), block: plain(block) };
    },
  };
}

function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const theme = remembered("mercator-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.palette = remembered("mercator-palette") ?? "";
  const data = parseData(document.getElementById("data")?.textContent ?? "");
  if (typeof data === "string") {
    replace(root, h("div", { class: "fatal", role: "alert" }, emptyState("This page is damaged", `${data}. Write it again: mercator explore FILE -o page.html`)));
    return;
  }
  const program = new Program(data);
  if (program.instructions.length === 0) {
    replace(root, h("div", { class: "fatal" }, emptyState("An empty program", "There is no instruction to show.")));
    return;
  }
  const app = new App(program);
  replace(root, header(app), h("main", { id: "view", role: "tabpanel", tabindex: "-1" }));
  addEventListener("popstate", () => {
    app.readHash();
    app.render();
  });
  addEventListener("hashchange", () => {
    app.readHash();
    app.render();
  });
  let resizing = 0;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = window.setTimeout(() => app.render(), 120);
  });
  addEventListener("keydown", (e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
      if (e.key === "Escape") target.blur();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "/") {
      e.preventDefault();
      document.getElementById("search")?.focus();
    } else if (/^[1-9]$/.test(e.key) && views[Number(e.key) - 1]) app.set({ view: views[Number(e.key) - 1].id });
    else if (e.key === "c") copyText(app.view().command(/** @type {any} */ (app)));
  });
  /** @type {any} */ (window).mercator = makeApi(app);
  app.render();
  document.documentElement.dataset.ready = "true";
}

start();
