// Small charts: each a picture with its meaning in words.
import { button, el, svgEl } from "./dom.js";
import { count, duration } from "./format.js";
import { FAILING } from "./icons.js";

const BINS = 24;
const RING = 2 * Math.PI * 40;

/** Shares of a whole as a ring, with a number in its middle. */
export function donut(parts, centre, caption) {
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  let turned = 0;
  const arcs = parts.map((part) => {
    const length = (RING * part.value) / total;
    const arc = svgEl("circle", {
      class: `arc fill-${part.kind}`,
      r: 40,
      cx: 50,
      cy: 50,
      "stroke-dasharray": `${Math.max(length - (parts.length > 1 ? 1.2 : 0), 0.6)} ${RING}`,
      "stroke-dashoffset": -turned,
    });
    turned += length;
    return arc;
  });
  const meaning = parts.map((part) => `${part.value} ${part.label}`).join(", ");
  return svgEl(
    "svg",
    { class: "donut", viewBox: "0 0 100 100", role: "img", "aria-label": `Outcomes: ${meaning}` },
    svgEl("circle", { class: "track", r: 40, cx: 50, cy: 50 }),
    svgEl("g", { transform: "rotate(-90 50 50)" }, arcs),
    svgEl("text", { class: "donut-value", x: 50, y: 51 }, centre),
    svgEl("text", { class: "donut-caption", x: 50, y: 64 }, caption),
  );
}

/** How long the cases took, from the quickest to the slowest; those that did not pass stand on top. */
export function histogram(heads) {
  const timed = heads.filter((head) => head.status !== "skipped" && head.duration_ms > 0);
  if (!timed.length) return el("p", { class: "nothing" }, "Nothing was timed.");
  const sorted = timed.map((head) => head.duration_ms).sort((left, right) => left - right);
  const scale = scaleOf(sorted[0], sorted.at(-1));
  const bins = Array.from({ length: BINS }, () => ({ good: 0, bad: 0 }));
  for (const head of timed) bins[binOf(scale, head.duration_ms)][FAILING.includes(head.status) ? "bad" : "good"] += 1;
  const highest = Math.max(...bins.map((bin) => bin.good + bin.bad));
  const [median, slow] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
  const longest = duration(sorted.at(-1));
  const quantiles = `median ${duration(median)}, 95 % within ${duration(slow)}, longest ${longest}`;
  const meaning = `Durations of ${count(timed.length, "case")}: ${quantiles}`;
  return el(
    "div",
    { class: "histogram" },
    svgEl(
      "svg",
      { viewBox: `0 0 ${BINS * 10} 80`, preserveAspectRatio: "none", role: "img", "aria-label": meaning },
      bins.flatMap((bin, at) => bars(bin, at, 76 / highest)),
      svgEl("rect", { class: "axis", x: 0, y: 78.5, width: BINS * 10, height: 1.5 }),
    ),
    el("p", { class: "axis-labels" }, el("span", {}, duration(sorted[0])), el("span", {}, longest)),
    el(
      "p",
      { class: "chart-note" },
      "median ",
      el("b", {}, duration(median)),
      " · 95 % within ",
      el("b", {}, duration(slow)),
    ),
  );
}

function bars(bin, at, unit) {
  const rect = (kind, from, cases) =>
    cases &&
    svgEl("rect", {
      class: `fill-${kind}`,
      x: at * 10 + 1,
      width: 8,
      y: 77 - (from + cases) * unit,
      height: Math.max(cases * unit, 0.8),
    });
  return [rect("passed", 0, bin.good), rect("failed", bin.good, bin.bad)].filter(Boolean);
}

/** Even steps, or where the slowest takes many times as long as the quickest, even factors. */
function scaleOf(low, high) {
  const read = high > 20 * low ? Math.log : (ms) => ms;
  return { read, low: read(low), width: read(high) - read(low) || 1 };
}

function binOf(scale, ms) {
  return Math.min(BINS - 1, Math.floor((BINS * (scale.read(ms) - scale.low)) / scale.width));
}

/** The value below which this share of them lies. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

/** One bar a line: label, length, number. A value that is part of another (`of`) is measured against that. */
export function barList(items) {
  const highest = Math.max(...items.map((item) => item.value), 1);
  return el(
    "ul",
    { class: "bars" },
    items.map(({ label, value, of = null, kind, onClick }) => {
      const line = [
        el("span", { class: "bar-label" }, label),
        svgEl(
          "svg",
          { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
          svgEl("rect", { class: "track", width: 100, height: 8 }),
          svgEl("rect", { class: `fill-${kind}`, width: (100 * value) / (of ?? highest), height: 8 }),
        ),
        el("b", {}, of === null ? count(value) : `${count(value)}/${count(of)}`),
      ];
      return el("li", {}, onClick ? button({ on: { click: onClick } }, line) : el("div", {}, line));
    }),
  );
}
