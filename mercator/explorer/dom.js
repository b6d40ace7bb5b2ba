// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elements of the page, numbers as text, and painters: the same drawing on a canvas
// and as SVG.

/** @typedef {Node|string|number|null|undefined|false} Child */

/** @param {string} tag @param {Object<string, any>} [props] @param {...(Child|Child[])} children @returns {HTMLElement} */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("aria-") && value !== undefined) {
      element.setAttribute(key, String(value));
      continue;
    }
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "style") element.style.cssText = value;
    else if (key === "value" || key === "checked" || key === "disabled" || key === "min" || key === "max" || key === "step") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Node} element @param {any[]} children */
export function append(element, children) {
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

/** @param {HTMLElement} element @param {...any} children */
export function replace(element, ...children) {
  element.textContent = "";
  append(element, children);
}

/** 12,345.
 * @param {number} n */
export function grouped(n) {
  return Number.isFinite(n) ? Math.round(n).toLocaleString("en-US") : String(n);
}

/** 1.50 MiB.
 * @param {number|undefined|null} n */
export function bytesText(n) {
  if (n === undefined || n === null) return "?";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let k = 0;
  while (n >= 1024 && k + 1 < units.length) {
    n /= 1024;
    ++k;
  }
  return `${k === 0 || n >= 100 ? Math.round(n) : n.toPrecision(3)} ${units[k]}`;
}

/** 1.50 us.
 * @param {number|undefined|null} ns */
export function timeText(ns) {
  if (ns === undefined || ns === null) return "?";
  if (ns === 0) return "0";
  const units = ["ns", "us", "ms", "s"];
  let k = 0;
  while (ns >= 1000 && k + 1 < units.length) {
    ns /= 1000;
    ++k;
  }
  return `${ns >= 100 ? Math.round(ns) : ns.toPrecision(3)} ${units[k]}`;
}

/** 1.50 M.
 * @param {number|undefined|null} n */
export function shortText(n) {
  if (n === undefined || n === null) return "?";
  for (const [limit, unit] of /** @type {[number, string][]} */ ([[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])) if (n >= limit) return `${(n / limit * (limit === 1e4 ? 10 : 1)).toPrecision(3)} ${unit}`;
  return grouped(n);
}

/** "1 read", "2 reads".
 * @param {number} n @param {string} word */
export function plural(n, word) {
  return `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** A word for a shell.
 * @param {string} word */
export function shellWord(word) {
  return /^[\w./=:,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.appendChild(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** What is read out to users of screen readers.
 * @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live && live.textContent !== text) live.textContent = text;
}

/** The value of a color of the style sheet.
 * @param {string} name */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** @param {string} text */
export function emptyState(title = "", text = "") {
  return h("div", { class: "empty" }, h("h3", {}, title), h("p", {}, text));
}

/** A code line with a button that copies it.
 * @param {string} text */
export function commandLine(text) {
  const button = h("button", { class: "small", title: "Copy as command line", onclick: () => copyText(text) }, "Copy");
  return h("div", { class: "command" }, h("code", {}, text), button);
}

/** @param {string} text */
export function copyText(text) {
  const done = () => announce(`Copied: ${text}`);
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => copyOld(text));
  else copyOld(text);
  const toast = document.getElementById("toast");
  if (!toast) return;
  toast.textContent = "Copied";
  toast.classList.add("shown");
  setTimeout(() => toast.classList.remove("shown"), 1200);
}

/** @param {string} text */
function copyOld(text) {
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { style: "position:fixed;opacity:0" }));
  area.value = text;
  document.body.appendChild(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Painters.

/** @typedef {{rect: (x: number, y: number, w: number, h: number, fill: string|null, stroke?: string|null, width?: number, dash?: number[], radius?: number) => void, line: (points: number[], stroke: string, width?: number) => void, text: (text: string, x: number, y: number, fill: string, size?: number, align?: string, mono?: boolean) => void, hatch: (x: number, y: number, w: number, h: number, stroke: string) => void, curve: (x1: number, y1: number, x2: number, y2: number, stroke: string, width?: number) => void}} Painter */

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const monospace = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";

/** @param {CanvasRenderingContext2D} g @returns {Painter} */
export function canvasPainter(g) {
  return {
    rect(x, y, w, h, fill, stroke, width = 1, dash = [], radius = 0) {
      g.beginPath();
      if (radius) /** @type {any} */ (g).roundRect(x, y, w, h, radius);
      else g.rect(x, y, w, h);
      if (fill) {
        g.fillStyle = fill;
        g.fill();
      }
      if (!stroke) return;
      g.setLineDash(dash);
      g.strokeStyle = stroke;
      g.lineWidth = width;
      g.stroke();
      g.setLineDash([]);
    },
    line(points, stroke, width = 1) {
      g.beginPath();
      for (let i = 0; i < points.length; i += 2) i ? g.lineTo(points[i], points[i + 1]) : g.moveTo(points[i], points[i + 1]);
      g.strokeStyle = stroke;
      g.lineWidth = width;
      g.stroke();
    },
    curve(x1, y1, x2, y2, stroke, width = 1) {
      const my = (y1 + y2) / 2;
      g.beginPath();
      g.moveTo(x1, y1);
      g.bezierCurveTo(x1, my, x2, my, x2, y2);
      g.strokeStyle = stroke;
      g.lineWidth = width;
      g.stroke();
    },
    text(text, x, y, fill, size = 12, align = "left", mono = false) {
      g.font = `${size}px ${mono ? monospace : sans}`;
      g.fillStyle = fill;
      g.textAlign = /** @type {CanvasTextAlign} */ (align);
      g.textBaseline = "middle";
      g.fillText(text, x, y);
    },
    hatch(x, y, w, h, stroke) {
      g.save();
      g.beginPath();
      g.rect(x, y, w, h);
      g.clip();
      g.beginPath();
      for (let k = Math.floor((x - y - h) / 5) * 5; k < x + w - y; k += 5) {
        g.moveTo(y + k, y);
        g.lineTo(y + h + k, y + h);
      }
      g.strokeStyle = stroke;
      g.lineWidth = 1;
      g.stroke();
      g.restore();
    },
  };
}

/** @param {string} text */
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** @param {number} width @param {number} height @returns {Painter & {finish: () => string}} */
export function svgPainter(width, height) {
  /** @type {string[]} */
  const parts = [];
  let clips = 0;
  const n = (/** @type {number} */ x) => Number(x.toFixed(2));
  return {
    rect(x, y, w, h, fill, stroke, wide = 1, dash = [], radius = 0) {
      parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${radius}" fill="${fill ?? "none"}"${stroke ? ` stroke="${stroke}" stroke-width="${wide}"` : ""}${dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`);
    },
    line(points, stroke, wide = 1) {
      parts.push(`<polyline points="${points.map(n).join(" ")}" fill="none" stroke="${stroke}" stroke-width="${wide}"/>`);
    },
    curve(x1, y1, x2, y2, stroke, wide = 1) {
      const my = n((y1 + y2) / 2);
      parts.push(`<path d="M${n(x1)} ${n(y1)}C${n(x1)} ${my} ${n(x2)} ${my} ${n(x2)} ${n(y2)}" fill="none" stroke="${stroke}" stroke-width="${wide}"/>`);
    },
    text(text, x, y, fill, size = 12, align = "left", mono = false) {
      const anchor = align === "center" ? "middle" : align === "right" ? "end" : "start";
      parts.push(`<text x="${n(x)}" y="${n(y)}" fill="${fill}" font-size="${size}" font-family="${mono ? "monospace" : "sans-serif"}" text-anchor="${anchor}" dominant-baseline="central">${escapeXml(text)}</text>`);
    },
    hatch(x, y, w, h, stroke) {
      const id = `c${++clips}`;
      let d = "";
      for (let k = Math.floor((x - y - h) / 5) * 5; k < x + w - y; k += 5) d += `M${n(y + k)} ${n(y)}L${n(y + h + k)} ${n(y + h)}`;
      parts.push(`<clipPath id="${id}"><rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}"/></clipPath><path clip-path="url(#${id})" d="${d}" stroke="${stroke}" fill="none"/>`);
    },
    finish: () => `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}">${parts.join("\n")}</svg>\n`,
  };
}

/** A canvas that is sharp, and can be drawn as SVG. `draw` gets the size in pixels.
 * @param {number} width @param {number} height @param {(p: Painter, w: number, h: number) => void} draw */
export function drawing(width, height, draw, props = {}) {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "drawing", ...props }));
  resizeCanvas(canvas, width, height);
  /** @type {any} */ (canvas).redraw = () => {
    const g = canvas.getContext("2d");
    if (!g) return;
    const ratio = canvas.width / (parseFloat(canvas.style.width) || 1);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, parseFloat(canvas.style.width), parseFloat(canvas.style.height));
    draw(canvasPainter(g), parseFloat(canvas.style.width), parseFloat(canvas.style.height));
  };
  /** @type {any} */ (canvas).toSvg = () => {
    const w = parseFloat(canvas.style.width), height2 = parseFloat(canvas.style.height);
    const p = svgPainter(w, height2);
    p.rect(0, 0, w, height2, color("surface"));
    draw(p, w, height2);
    return p.finish();
  };
  /** @type {any} */ (canvas).redraw();
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function resizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
