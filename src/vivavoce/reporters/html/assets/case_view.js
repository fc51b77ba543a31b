// A whole case: its heading, how steady it was, and its runs.
import { runsOf } from "./case_rows.js";
import { button, el, fold } from "./dom.js";
import { count, duration, percent } from "./format.js";
import { icon, statusMark, STATUS_WORDS } from "./icons.js";
import { runView } from "./run_view.js";
import { scriptTest } from "./script_test.js";
import { tileList } from "./tiles.js";
import { jsonBlock } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

export function caseHeading(row) {
  const place = row.file && `${row.file}${row.line ? `:${row.line}` : ""}`;
  const turns = row.total_turns ?? 0;
  const facts = [
    !row.run_details && turns > 0 && !scriptTest(row) && count(turns, "turn"),
    row.run_details
      ? `${count(runsOf(row).length, "run")} in ${duration(row.duration_ms ?? 0)}`
      : duration(row.duration_ms ?? 0),
    row.replayed && "replayed from a recording",
  ];
  return el(
    "div",
    { class: "case-heading" },
    el(
      "p",
      { class: `status-word is-${row.status}` },
      statusMark(row.status, { silent: true }),
      STATUS_WORDS[row.status] ?? row.status,
    ),
    el("h2", { tabindex: "-1" }, inline(row.name || row.id)),
    el(
      "p",
      { class: "facts" },
      row.name && [el("code", {}, inline(row.id)), " · "],
      facts.filter(Boolean).join(" · "),
      row.case?.agent && [" · ", inline(row.case.agent)],
      place && [" · ", inline(place, { class: "place" })],
      (row.tags ?? []).map((tag) => [" ", el("span", { class: "tag" }, inline(tag))]),
    ),
    row.quarantine &&
      el(
        "p",
        { class: "banner" },
        icon("warning"),
        el("span", {}, `In quarantine until ${row.quarantine.until}, does not decide: `, inline(row.quarantine.why)),
      ),
    row.description && textBlock(row.description, { class: "description" }),
  );
}

/** The runs, side by side or the one that `openRun` names; `onRun` hears which one is wanted. */
export function caseBody(row, { openRun = null, onRun = () => {}, detailed = false } = {}) {
  const runs = runsOf(row);
  const repeated = Boolean(row.run_details);
  const chosen = runs.find((run) => run.run === openRun);
  const shown = chosen ? [chosen] : runs;
  const expected =
    Object.hasOwn(row, "expected") && fold("Expected output", () => jsonBlock(row.expected), { class: "more" });
  const metadata = row.metadata && fold("Metadata", () => jsonBlock(row.metadata), { class: "more" });
  return el(
    "div",
    { class: "case-body" },
    repeated && stabilityView(row),
    repeated && runs.length > 1 && runPicker(runs, chosen, onRun),
    el(
      "div",
      {
        class: shown.length > 1 ? "runs side-by-side" : "runs",
        tabindex: shown.length > 1 ? "0" : null,
        role: "group",
        "aria-label": shown.length > 1 ? "Runs side by side" : "Run",
      },
      shown.map((run) => runView(run, row, { titled: repeated, detailed })),
    ),
    (expected || metadata) && el("div", { class: "asides" }, expected, metadata),
  );
}

function stabilityView(row) {
  if (row.pass_rate === undefined) return null;
  const facts = [
    ["Passed", `${row.passed} of ${row.runs}`],
    ["Runs passed", percent(row.pass_rate), row.ci && `95 % CI ${Math.round(row.ci[0])}–${Math.round(row.ci[1])} %`],
    [
      "Stability",
      row.passed === 0 ? "always fails" : row.stability_class.replaceAll("_", " "),
      row.pass_hat_k !== undefined && `all ${row.runs} again: ${percent(100 * row.pass_hat_k)}`,
    ],
    [
      "Consistency",
      percent(100 * row.consistency),
      row.similar_consistency === undefined
        ? "of outputs are the same"
        : `of outputs are the same, ${percent(100 * row.similar_consistency)} the same or nearly so`,
    ],
    [
      "Duration",
      duration(row.avg_duration_ms),
      `${duration(row.min_duration_ms)} – ${duration(row.max_duration_ms)}, σ ${duration(row.std_deviation_ms)}`,
    ],
  ];
  return tileList(facts, "stability");
}

function runPicker(runs, chosen, onRun) {
  const choice = (label, run, attributes = {}) =>
    button(
      {
        class: "run-choice",
        "aria-pressed": String(chosen === run),
        ...attributes,
        on: { click: () => onRun(run?.run ?? null) },
      },
      label,
    );
  return el(
    "div",
    { class: "run-picker", role: "group", "aria-label": "Which runs" },
    choice("All side by side", undefined),
    runs.map((run) =>
      choice([statusMark(run.status, { silent: true }), String(run.run)], run, {
        "aria-label": `Run ${run.run}, ${STATUS_WORDS[run.status] ?? run.status}`,
      }),
    ),
  );
}
