// Small line icons, and what each status looks like in words, shape and colour.
import { svgEl } from "./dom.js";

const SHAPES = {
  passed: "M3.5 8.5l3 3 6-7",
  failed: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  error: "M8 3.5v5.5M8 12v.5",
  timeout: "M8 4.5V8l2.5 2M8 1.8a6.2 6.2 0 1 0 .01 0",
  skipped: "M4 8h8",
  search: "M7 2.5a4.5 4.5 0 1 0 .01 0M10.5 10.5l3.5 3.5",
  close: "M4 4l8 8M12 4l-8 8",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  theme: "M8 2a6 6 0 1 0 .01 0M8 2v12M8 5.2h5M8 8h6M8 10.8h5",
  tool: "M9.8 2.6a3.6 3.6 0 0 0-3.9 4.9L2.4 11a1.8 1.8 0 0 0 2.6 2.6l3.5-3.5a3.6 3.6 0 0 0 4.9-3.9L11.2 8.4 9 7.8 8.4 5.6z",
  download: "M8 2.5v7.5M4.8 7l3.2 3.2L11.2 7M3 13.5h10",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  link: "M6.5 9.5l3-3M7.5 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5L7 13a2.8 2.8 0 0 1-4-4l1.5-1.5",
  waiting: "M3 8h.1M8 8h.1M13 8h.1",
  flag: "M4 14V2.5h7.5L9.5 5.5l2 3H4",
  talk: "M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z",
  attach: "M12.5 7.5l-4.6 4.6a3 3 0 0 1-4.3-4.3l5.2-5.2a2 2 0 0 1 2.9 2.9l-5.1 5a1 1 0 0 1-1.4-1.4l4.3-4.2",
  warning: "M8 2.5L14 13.5H2zM8 6.5v3M8 11.5v.3",
};

export const STATUSES = ["failed", "error", "timeout", "not_run", "skipped", "passed"];
export const FAILING = ["failed", "error", "timeout"];

export const STATUS_WORDS = {
  passed: "passed",
  failed: "failed",
  error: "error",
  timeout: "timed out",
  skipped: "skipped",
  not_run: "not run",
};

export function icon(name, label) {
  const meaning = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svgEl(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 16 16", ...meaning },
    svgEl("path", { d: SHAPES[name] ?? SHAPES.error }),
  );
}

/** The status as a round mark; said aloud unless words stand beside it. */
export function statusMark(status, { silent = false } = {}) {
  const mark = icon(status, silent ? null : (STATUS_WORDS[status] ?? status));
  mark.classList.add("mark", `is-${status}`);
  return mark;
}
