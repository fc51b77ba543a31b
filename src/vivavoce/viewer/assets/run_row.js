// A run in the list: when, who, how it went.
import { el } from "./dom.js";
import { count, duration, moment, percent } from "./format.js";
import { statusMark } from "./icons.js";
import { judged } from "./trend.js";
import { inline } from "./visible_text.js";

const PARTS = [
  ["passed", "passed"],
  ["failed", "failed"],
  ["errors", "error"],
  ["timeouts", "timeout"],
  ["skipped", "skipped"],
];

export function runRow(run, { picked, onPick }) {
  const { start, summary, state } = run;
  const bad = summary.failed + summary.errors + summary.timeouts;
  const live = state === "running";
  const incomplete = Boolean(summary.interrupted || summary.not_run);
  const verdict = bad ? "failed" : incomplete ? "not_run" : judged(summary) ? "passed" : "skipped";
  const box = el("input", {
    type: "checkbox",
    "aria-label": `Choose ${start.run_id} to compare`,
    on: { change: () => onPick(run.id) },
  });
  box.checked = picked;
  return el(
    "li",
    { class: `run-row is-${live ? "running" : verdict}`, "data-run": run.id },
    el("label", { class: "run-pick" }, box),
    el("span", { class: "run-mark" }, live ? el("i", { class: "pulse" }) : statusMark(verdict)),
    el(
      "div",
      { class: "run-what" },
      el("a", { href: `runs/${encodeURIComponent(run.id)}` }, inline(start.agent_id || "agent")),
      el(
        "p",
        { class: "why" },
        el("time", { datetime: start.timestamp }, moment(start.timestamp)),
        " · ",
        inline(start.inputs.join(", ")),
        run.revision && [" · ", el("code", {}, run.revision.slice(0, 8))],
      ),
    ),
    el("div", { class: "run-outcome" }, outcomeBar(summary), el("p", { class: "why" }, outcomeWords(run, bad))),
    el("strong", { class: "run-rate" }, live ? "…" : judged(summary) ? percent(summary.overall_pass_rate) : "–"),
    el("span", { class: "run-time" }, duration(summary.duration_ms)),
  );
}

function outcomeWords({ summary, state }, bad) {
  const words = [
    `${count(summary.passed)} of ${count(judged(summary))} passed`,
    bad && `${count(bad)} did not`,
    summary.skipped && `${count(summary.skipped)} skipped`,
    summary.not_run && `${count(summary.not_run)} ${state === "running" ? "to go" : "never ran"}`,
    state === "killed" && "killed",
    state === "finished" && summary.interrupted && "ended early",
  ];
  return words.filter(Boolean).join(" · ");
}

function outcomeBar(summary) {
  const bar = el("div", { class: "outcome-bar", "aria-hidden": "true" });
  for (const [name, kind] of PARTS) {
    if (!summary[name]) continue;
    const part = el("i", { class: `is-${kind}` });
    part.style.flexGrow = String(summary[name]);
    bar.append(part);
  }
  const rest = el("i", {});
  rest.style.flexGrow = String(summary.not_run);
  bar.append(rest);
  return bar;
}
