// A run in the list: when, who, how it went.
import { el } from "./dom.js";
import { count, duration, money, moment, percent } from "./format.js";
import { commitWords } from "./heat.js";
import { statusMark } from "./icons.js";
import { modelsOf } from "./run_filters.js";
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
  const name = start.title || start.agent_id || "agent";
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
      el("a", { href: `runs/${encodeURIComponent(run.id)}` }, inline(name)),
      el("p", { class: "why" }, el("time", { datetime: start.timestamp }, moment(start.timestamp)), runFacts(run)),
      el("p", { class: "why run-changes" }),
      inFlight(run),
    ),
    el("div", { class: "run-outcome" }, outcomeBar(summary), el("p", { class: "why" }, outcomeWords(run, bad))),
    el("strong", { class: "run-rate" }, live ? "…" : judged(summary) ? percent(rateOf(summary)) : "–"),
    el(
      "span",
      { class: "run-time" },
      duration(summary.duration_ms),
      summary.usage?.cost ? el("span", { class: "why" }, money(summary.usage.cost)) : null,
    ),
  );
}

function rateOf(summary) {
  return (100 * summary.passed) / judged(summary);
}

function runFacts(run) {
  const { start } = run;
  const facts = [start.title && start.agent_id, modelsOf(run).join(", "), commitWords(start), inputWords(start.inputs)];
  return facts.filter(Boolean).map((fact) => [" · ", inline(fact)]);
}

function inputWords(inputs) {
  return inputs.length > 2 ? `${inputs[0]} and ${inputs.length - 1} more` : inputs.join(", ");
}

/** Writes into a row what is not as it was when the cases ran before. */
export function showRunChanges(row, numbers) {
  const place = row.querySelector(".run-changes");
  place.hidden = !numbers;
  if (!numbers) return;
  const { broken, mended, added, first_broken: named } = numbers;
  const parts = [
    broken > 0 &&
      el(
        "span",
        { class: "is-bad" },
        `${count(broken, "new failure")}: `,
        inline(named.join(", ")),
        broken > named.length && ", …",
      ),
    mended > 0 && el("span", { class: "is-mended" }, `${count(mended)} fixed`),
    added > 0 && el("span", {}, count(added, "new case")),
  ].filter(Boolean);
  place.hidden = !parts.length;
  place.replaceChildren(...parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
}

/** The cases that a live run is at work on. */
function inFlight({ state, in_flight: keys = [] }) {
  if (state !== "running" || !keys.length) return null;
  const named = keys.map((key) => key.slice(key.lastIndexOf("::") + 2));
  return el("p", { class: "why run-in-flight" }, "in flight: ", inline(named.join(", ")));
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
