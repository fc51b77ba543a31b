// The run at a glance: who was examined, how it went, in tiles and charts.
import { barList, donut, histogram } from "./charts.js";
import { valuesOf } from "./case_list.js";
import { button, el } from "./dom.js";
import { count, duration, moment, money, percent } from "./format.js";
import { FAILING, icon, statusMark, STATUSES, STATUS_WORDS } from "./icons.js";
import { tileList } from "./tiles.js";
import { inline } from "./visible_text.js";

const STABILITY_WORDS = {
  stable: "stable",
  mostly_stable: "mostly stable",
  unstable: "unstable",
  highly_unstable: "highly unstable",
  always_fails: "always fails",
};

function judgedCases(summary) {
  return summary.total - summary.skipped - summary.not_run;
}

/** The share of cases that passed; that of runs stands beside it where cases ran more than once. */
function passRate(summary) {
  return percent((100 * summary.passed) / (judgedCases(summary) || 1));
}

/** What the verdict is not about. */
function leftOut(summary) {
  return [
    summary.skipped && `${count(summary.skipped)} skipped`,
    summary.not_run && `${count(summary.not_run)} not run`,
  ].filter(Boolean);
}

export function runHeading({ start, summary }) {
  const unsuccessful = summary.failed + summary.errors + summary.timeouts;
  const judged = judgedCases(summary);
  const decides = unsuccessful > (summary.quarantined ?? 0) || !summary.passed;
  const [tone, verdict] = unsuccessful && !decides
    ? ["skipped", `${count(summary.quarantined)} of ${count(judged, "case")} did not pass, in quarantine: the others passed`]
    : unsuccessful
    ? ["failed", [`${count(unsuccessful)} of ${count(judged, "case")} did not pass`, ...leftOut(summary)].join(", ")]
    : !judged
      ? ["skipped", "no case was judged"]
      : isIncomplete(summary)
        ? ["skipped", `the ${count(judged, "case")} that finished passed`]
        : ["passed", `all ${count(judged, "case")} passed`];
  const facts = [
    start.title && start.agent_id,
    start.connector,
    commitOf(start),
    start.inputs.join(", "),
    start.runs_per_case > 1 && `${start.runs_per_case} runs a case`,
  ];
  return el(
    "div",
    { class: "run-heading" },
    el("h1", {}, inline(start.title || start.agent_id || "agent")),
    el("p", { class: `verdict-line is-${tone}` }, statusMark(tone, { silent: true }), verdict),
    el(
      "p",
      { class: "facts" },
      el("time", { datetime: start.timestamp }, moment(start.timestamp)),
      facts.filter(Boolean).map((fact) => [" · ", inline(fact)]),
    ),
  );
}

/** `3f2a90c* on main`; a star stands for files that were changed and not committed. */
function commitOf({ revision, branch, dirty }) {
  return [revision && revision.slice(0, 7) + (dirty ? "*" : ""), branch].filter(Boolean).join(" on ");
}

function isIncomplete(summary) {
  return Boolean(summary.interrupted || summary.not_run);
}

/** Why the run did not finish, or nothing. */
export function incompleteBanner({ summary }) {
  if (!isIncomplete(summary)) return null;
  const lost = summary.not_run ? ` ${count(summary.not_run, "selected case")} never finished.` : "";
  return el(
    "div",
    { class: "banner", role: "alert" },
    icon("warning"),
    el(
      "p",
      {},
      el("strong", {}, "Incomplete run."),
      " It ended early",
      summary.interrupted ? [": ", inline(summary.interrupted)] : "",
      ".",
      lost,
      " What did finish is below.",
    ),
  );
}

export function runWarnings({ summary }) {
  return summary.warnings.map((warning) =>
    el("div", { class: "banner", role: "note" }, icon("warning"), el("p", {}, inline(warning))),
  );
}

export function runTiles({ summary }) {
  const judged = judgedCases(summary);
  const turns = count(summary.total_turns, "turn");
  const repeated = summary.stable_cases + summary.unstable_cases;
  const facts = [
    ["Pass rate", passRate(summary), `${count(summary.passed)} of ${count(judged)} judged`],
    ["Cases", count(summary.total), leftOut(summary).join(", ") || "all of them ran"],
    ["Duration", duration(summary.duration_ms), turns],
  ];
  if (repeated) {
    facts.push([
      "Stable",
      `${count(summary.stable_cases)} of ${count(repeated)}`,
      `${count(summary.passed_runs)} of ${count(summary.total_runs, "run")} passed`,
    ]);
  }
  if (summary.usage) {
    const { input_tokens = 0, output_tokens = 0, cost = null } = summary.usage;
    const note = cost === null ? `${count(output_tokens)} written` : money(cost);
    facts.push(["Tokens", count(input_tokens + output_tokens), note]);
  }
  return tileList(facts);
}

/** The charts; clicking a part of one filters the list. */
export function charts({ heads, summary }, onFilter) {
  const cards = [card("Outcomes", outcomes(heads, summary, onFilter)), card("Duration", histogram(heads))];
  const repeated = heads.filter((head) => head.stability_class);
  if (repeated.length) cards.push(card("Stability", stability(repeated)));
  const faults = valuesOf(heads, (head) => (head.fault ? [head.fault] : []));
  if (faults.length) {
    cards.push(
      card(
        "Faults by kind",
        barList(
          faults.map(([fault, cases]) => ({
            label: fault,
            value: cases,
            kind: "fault",
            onClick: () => onFilter({ fault }),
          })),
        ),
      ),
    );
  }
  for (const [title, groups, filterBy] of [
    ["Pass rate by file", passRates(heads, (head) => (head.file ? [head.file] : [])), null],
    ["Pass rate by tag", passRates(heads, (head) => head.tags ?? []), "tag"],
  ])
    if (groups.length > 1) cards.push(card(title, rateList(groups, filterBy, onFilter)));
  return el("div", { class: "charts" }, cards);
}

const MOST_GROUPS = 6;

/** What share of the judged cases passed, per value; the worst first. */
function passRates(heads, read) {
  const judged = heads.filter((head) => head.status === "passed" || FAILING.includes(head.status));
  const passed = new Map(
    valuesOf(
      judged.filter((head) => head.status === "passed"),
      read,
    ),
  );
  return valuesOf(judged, read)
    .map(([value, cases]) => ({ value, cases, passed: passed.get(value) ?? 0 }))
    .sort((left, right) => left.passed / left.cases - right.passed / right.cases);
}

function rateList(groups, filterBy, onFilter) {
  const more = groups.length - MOST_GROUPS;
  const shared = sharedFolder(groups.map(({ value }) => value));
  return [
    barList(
      groups.slice(0, MOST_GROUPS).map(({ value, cases, passed }) => ({
        label: inline(shortened(value, shared)),
        value: passed,
        of: cases,
        kind: passed === cases ? "passed" : "failed",
        onClick: filterBy && (() => onFilter({ [filterBy]: value })),
      })),
    ),
    more > 0 && el("p", { class: "chart-note" }, `and ${count(more)} more that passed as often or more`),
  ];
}

/** The folder that all paths begin with, with its slash. */
function sharedFolder(paths) {
  const [first = ""] = paths;
  let end = first.length;
  for (const path of paths) while (end && !path.startsWith(first.slice(0, end))) end -= 1;
  return first.slice(0, first.slice(0, end).lastIndexOf("/") + 1);
}

function shortened(path, folder) {
  return path.slice(folder.length);
}

function card(title, body) {
  return el("section", { class: "card", "aria-label": title }, el("h3", {}, title), body);
}

function outcomes(heads, summary, onFilter) {
  const counted = new Map(valuesOf(heads, (head) => [head.status]));
  const present = STATUSES.toReversed().filter((status) => counted.get(status));
  return el(
    "div",
    { class: "outcomes" },
    donut(
      present.map((status) => ({ kind: status, label: STATUS_WORDS[status], value: counted.get(status) })),
      passRate(summary),
      "passed",
    ),
    el(
      "ul",
      { class: "legend" },
      present.map((status) =>
        el(
          "li",
          {},
          button(
            { on: { click: () => onFilter({ status: [status] }) } },
            statusMark(status, { silent: true }),
            el("span", {}, STATUS_WORDS[status]),
            el("b", {}, count(counted.get(status))),
          ),
        ),
      ),
    ),
  );
}

function stability(heads) {
  const counted = new Map(valuesOf(heads, (head) => [head.pass_rate === 0 ? "always_fails" : head.stability_class]));
  return barList(
    Object.entries(STABILITY_WORDS).map(([name, label]) => ({ label, value: counted.get(name) ?? 0, kind: name })),
  );
}
