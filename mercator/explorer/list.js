// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Long lists: only the rows in sight are elements.

import { h, replace } from "./dom.js";

/** @typedef {{element: HTMLElement, show: (i: number) => void, refresh: () => void}} LongList */

/** @param {{count: () => number, row: (i: number) => HTMLElement, height?: number, class?: string, label: string, head?: HTMLElement, onmove?: (step: number) => void, onopen?: () => void}} options @returns {LongList} */
export function longList(options) {
  const height = options.height ?? 22;
  const inner = h("div", { class: "rows" });
  const space = h("div", { class: "space" }, inner);
  const element = h("div", { class: `long-list ${options.class ?? ""}`, tabindex: "0", role: "listbox", "aria-label": options.label }, options.head, space);
  const refresh = () => {
    const count = options.count();
    space.style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 8);
    const last = Math.min(count, first + Math.ceil((element.clientHeight || 600) / height) + 16);
    inner.style.transform = `translateY(${first * height}px)`;
    const rows = [];
    for (let i = first; i < last; ++i) rows.push(options.row(i));
    replace(inner, rows);
  };
  element.addEventListener("scroll", () => requestAnimationFrame(refresh), { passive: true });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step && options.onmove) options.onmove(step);
    else if (event.key === "Enter" && options.onopen) options.onopen();
    else return;
    event.preventDefault();
  });
  const show = (/** @type {number} */ i) => {
    // A list that was not drawn has no height to scroll in.
    space.style.height = `${options.count() * height}px`;
    const top = i * height, view = element.clientHeight || 600;
    if (top < element.scrollTop + height || top > element.scrollTop + view - 3 * height) element.scrollTop = Math.max(0, top - view / 3);
    refresh();
  };
  new ResizeObserver(() => refresh()).observe(element);
  return { element, show, refresh };
}
