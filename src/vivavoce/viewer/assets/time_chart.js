// One or two lines over time, on a scale that shows a change; each point leads to its run.
import { el, svgEl } from "./dom.js";

const HEIGHT = 100;
const WIDTH = 600;
const ROOM = 0.12;

/**
 * `lines` are {name, values, kind} with one value (or null) for each of `points` ({label, href, bad}); `band` has
 * [low, high] for each point. `format` writes a value, `least` and `most` bound the scale, `note` stands below.
 */
export function timeChart(title, points, { lines, band = [], format, least = 0, most = Infinity, note = null, ends }) {
  const scale = scaleFor([...lines.flatMap((line) => line.values), ...band.flat()], least, most);
  const meaning = [title, ...lines.map((line) => lineInWords(line, format))].join("; ");
  return el(
    "section",
    { class: "card chart-card", "aria-label": title },
    el("h3", {}, title, lines.length > 1 && lines.map((line) => el("span", { class: `key ${line.kind}` }, line.name))),
    el(
      "div",
      { class: "time-chart" },
      el(
        "p",
        { class: "scale", "aria-hidden": "true" },
        el("span", {}, format(scale.high)),
        el("span", {}, format(scale.low)),
      ),
      el(
        "div",
        { class: "plot", role: "img", "aria-label": meaning },
        svgEl(
          "svg",
          { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
          bandShape(band, scale),
          lines.map((line) => linePath(line, scale)),
        ),
        lines.flatMap((line) => dots(line, points, scale, format)),
      ),
      ends && el("p", { class: "axis-labels", "aria-hidden": "true" }, el("span", {}, ends[0]), el("span", {}, ends[1])),
    ),
    note && el("p", { class: "chart-note" }, note),
  );
}

/** From a little below the smallest value to a little above the greatest, never beyond the bounds. */
function scaleFor(values, least, most) {
  const known = values.filter((value) => value !== null && value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = (high - low || Math.abs(high) || 1) * ROOM;
  const bounds = { low: Math.max(least, low - room), high: Math.min(most, high + room) };
  if (bounds.low === bounds.high) bounds.low = Math.max(least, bounds.high - room);
  const height = bounds.high - bounds.low || 1;
  return { ...bounds, y: (value) => HEIGHT * (1 - (value - bounds.low) / height) };
}

function xOf(at, total) {
  return total < 2 ? WIDTH / 2 : (WIDTH * at) / (total - 1);
}

function linePath({ values, kind }, scale) {
  let drawing = false;
  const steps = values.map((value, at) => {
    if (value === null || value === undefined) {
      drawing = false;
      return "";
    }
    const step = `${drawing ? "L" : "M"}${xOf(at, values.length).toFixed(1)} ${scale.y(value).toFixed(2)}`;
    drawing = true;
    return step;
  });
  return svgEl("path", { class: `line ${kind}`, d: steps.join("") });
}

function bandShape(band, scale) {
  if (band.length < 2) return null;
  const edge = (side) => band.map((pair, at) => `${xOf(at, band.length).toFixed(1)} ${scale.y(pair[side]).toFixed(2)}`);
  return svgEl("path", { class: "band", d: `M${[...edge(1), ...edge(0).reverse()].join("L")}Z` });
}

/** Links for the mouse; for keys and ears the same runs stand in a list below. */
function dots({ name, values, kind }, points, scale, format) {
  return points.map(({ label, href, bad }, at) => {
    if (values[at] === null || values[at] === undefined) return null;
    const dot = el(href ? "a" : "i", {
      class: `point ${kind}${bad ? " is-bad" : ""}`,
      href,
      tabindex: href ? "-1" : null,
      "aria-hidden": "true",
      title: `${label}: ${name} ${format(values[at])}`,
    });
    dot.style.left = `${(100 * xOf(at, values.length)) / WIDTH}%`;
    dot.style.top = `${scale.y(values[at])}%`;
    return dot;
  });
}

function lineInWords({ name, values }, format) {
  const known = values.filter((value) => value !== null && value !== undefined);
  const range = `${format(Math.min(...known))} to ${format(Math.max(...known))}`;
  return `${name}: ${format(known.at(-1))} now, ${range}`;
}
