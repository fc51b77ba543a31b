// Cells of a heat map: what became of a case in a run.
import { el } from "./dom.js";
import { moment } from "./format.js";
import { STATUS_WORDS } from "./icons.js";

export const STATUS_OF_LETTER = { P: "passed", F: "failed", E: "error", T: "timeout" };

/** `3f2a90c* on main`; a star stands for files that were changed and not committed. */
export function commitWords({ revision, branch, dirty }) {
  return [revision && revision.slice(0, 7) + (dirty ? "*" : ""), branch].filter(Boolean).join(" on ");
}

/** `17 Dec 2024, 10:00, nightly, 3f2a90c on main` */
export function runWords(run) {
  return [moment(run.started), run.title, commitWords(run)].filter(Boolean).join(", ");
}

/** Where a case's conversation of a run is shown; nothing when the run is no longer kept. */
export function placeInRun(run, key, up = "") {
  return run.kept ? `${up}runs/${encodeURIComponent(run.id)}#${new URLSearchParams({ case: key })}` : null;
}

/** A square; a link where the conversation is still there. */
export function heatCell(status, words, href, attributes = {}) {
  return el(href ? "a" : "span", {
    class: `heat-cell is-${status ?? "absent"}`,
    href,
    tabindex: "-1",
    role: href ? null : "img",
    "aria-label": words,
    title: words,
    ...attributes,
  });
}

export function heatLegend() {
  return el(
    "p",
    { class: "heat-legend" },
    Object.values(STATUS_OF_LETTER).map((status) =>
      el("span", {}, el("i", { class: `heat-cell is-${status}`, "aria-hidden": "true" }), STATUS_WORDS[status]),
    ),
    el("span", {}, el("i", { class: "heat-cell is-absent", "aria-hidden": "true" }), "did not run"),
  );
}
