// One case over all its runs.
import { caseReplies } from "./case_replies.js";
import { resultsTable } from "./case_results.js";
import { el } from "./dom.js";
import { count, duration, moment, percent } from "./format.js";
import { commitWords, heatCell, heatLegend, placeInRun } from "./heat.js";
import { ask } from "./http.js";
import { icon, STATUS_WORDS, statusMark } from "./icons.js";
import { siteNav } from "./site_nav.js";
import { themeButton } from "./theme.js";
import { tileList } from "./tiles.js";
import { timeChart } from "./time_chart.js";
import { inline } from "./visible_text.js";

const root = document.getElementById("viva");
const query = new URLSearchParams(location.search);
const key = query.get("key") ?? "";
const CHANGED_WORDS = { case: "the case was edited", configuration: "the agent's configuration changed", code: "the agent's code changed" };
const MOST_POINTS = 120;
const MOST_CHANGES = 12;

try {
  show(await ask("case", { key, agent: query.get("agent") ?? "" }));
} catch (problem) {
  root.replaceChildren(
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Cases"), themeButton()),
    el("p", { class: "loading", role: "alert" }, "This case cannot be shown: ", inline(problem.message)),
  );
}

function show(story) {
  document.title = `${story.id} · viva`;
  const results = story.results.map((one) => ({ ...one, id: one.run, started_at: new Date(one.started).toISOString() }));
  root.replaceChildren(
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Cases"), themeButton()),
    el(
      "main",
      { class: "case-page" },
      heading(story, results.at(-1)),
      tileList(facts(story, results)),
      strip(story, results),
      charts(results),
      changeList(story),
      caseReplies(story),
      resultsTable(story, results),
    ),
  );
}

function heading(story, last) {
  const file = story.key.slice(0, -story.id.length - 2);
  const agents = el(
    "select",
    { "aria-label": "Agent", hidden: story.agents.length < 2, on: { change: () => go(agents.value) } },
    story.agents.map((name) => el("option", { value: name, selected: name === story.agent }, name)),
  );
  const words = last.status === "passed" ? "passed in the last run" : `${STATUS_WORDS[last.status] ?? last.status} in the last run`;
  return el(
    "div",
    { class: "run-heading case-title" },
    el("div", {}, el("h1", {}, inline(story.id)), agents),
    el("p", { class: `verdict-line is-${last.status}` }, statusMark(last.status, { silent: true }), words),
    el("p", { class: "facts" }, inline(file), story.agents.length < 2 && [" · ", inline(story.agent)], " · ", moment(last.started_at)),
  );
}

function go(agent) {
  location.search = String(new URLSearchParams({ key, agent }));
}

function facts(story, results) {
  const [low, high] = story.interval.map(Math.round);
  const since = moment(results[0].started_at);
  const flaky = story.flaky;
  const steady = flaky
    ? ["Flaky", `${count(flaky.flips, "change")}`, "although nothing was changed"]
    : ["Steadiness", story.changes.length ? count(story.changes.length, "change") : "steady", flakyNote(story)];
  return [
    ["Runs passed", percent((100 * story.passed) / story.runs), `${story.passed} of ${story.runs}, 95 % CI ${low}–${high} %`],
    ["Runs", count(results.length), `since ${since}`],
    steady,
    story.p50_ms !== null && ["Duration", duration(story.p50_ms), `95 % within ${duration(story.p95_ms)}`],
    ["Replies", count(story.replies.length), story.replies.length === 1 ? "always the same" : "different last replies"],
  ].filter(Boolean);
}

function flakyNote(story) {
  return story.changes.length ? "not called flaky" : `always ${STATUS_WORDS[story.results.at(-1).status]}`;
}

/** All results in their order; arrows move among them. */
function strip(story, results) {
  const cells = results.map((one, at) => {
    const times = one.runs > 1 ? ` (${one.passed} of ${one.runs} passed)` : "";
    const words = [moment(one.started_at), one.title, commitWords(one)].filter(Boolean).join(", ");
    const said = `${STATUS_WORDS[one.status] ?? one.status}${times}, ${words}`;
    return heatCell(one.status, said, placeInRun(one, story.key), { tabindex: at === results.length - 1 ? "0" : "-1" });
  });
  const node = el("div", { class: "heat-strip", role: "group", "aria-label": "Results, oldest first" }, cells);
  node.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = by && cells[cells.indexOf(document.activeElement) + by];
    if (!next) return;
    event.preventDefault();
    document.activeElement.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  return el("section", { class: "card", "aria-label": "All results" }, el("h3", {}, "All results, the newest last"), node, heatLegend());
}

function charts(results) {
  const shown = results.slice(-MOST_POINTS);
  if (shown.length < 2) return null;
  const points = shown.map((one) => ({
    label: moment(one.started_at),
    href: placeInRun(one, key),
    bad: one.status !== "passed",
  }));
  const ends = [points[0].label, points.at(-1).label];
  const chart = (title, values, format) =>
    values.filter((value) => value !== null).length > 1 &&
    timeChart(title, points, { lines: [{ name: title.toLowerCase(), kind: "is-main", values }], format, ends });
  return el(
    "div",
    { class: "charts" },
    chart("Duration", shown.map((one) => (one.replayed ? null : one.ms)), duration),
    chart("Tokens", shown.map((one) => one.tokens), (value) => count(value)),
  );
}

function changeList(story) {
  if (!story.changes.length) return null;
  const more = story.changes.length - MOST_CHANGES;
  return el(
    "section",
    { class: "card", "aria-label": "Where it changed" },
    el("h3", {}, "Where it changed"),
    el("ul", { class: "turning-points" }, story.changes.slice(0, MOST_CHANGES).map((change) => turningPoint(story, change))),
    more > 0 && el("p", { class: "chart-note" }, `and ${count(more, "earlier change")}`),
    story.flaky && el("p", { class: "chart-note is-flaky" }, icon("warning"), flakyWords(story.flaky)),
  );
}

function turningPoint({ results, key: of }, { before, after, started, changed, known }) {
  const run = results.find((one) => one.run === after.run);
  const href = run?.kept ? placeInRun({ ...run, id: run.run }, of) : null;
  const status = (side) => el("b", { class: `is-${side.status}` }, STATUS_WORDS[side.status] ?? side.status);
  const when = moment(new Date(started).toISOString());
  return el(
    "li",
    {},
    statusMark(after.status, { silent: true }),
    el(
      "div",
      {},
      el("p", {}, status(before), " → ", status(after), " ", commits(before, after)),
      el("p", { class: "why" }, href ? el("a", { href }, when) : when, " · ", whyWords(changed, known)),
    ),
  );
}

function commits(before, after) {
  if (!after.revision) return null;
  const short = (revision) => el("code", {}, revision.slice(0, 7));
  return before.revision === after.revision || !before.revision
    ? ["at ", short(after.revision)]
    : ["between ", short(before.revision), " and ", short(after.revision)];
}

function whyWords(changed, known) {
  if (changed.length) return changed.map((name) => CHANGED_WORDS[name]).join(", ");
  return known ? "case and agent were the same" : "case and configuration were the same; viva does not see this agent's code";
}

function flakyWords({ passed, runs, since, revision, blamed }) {
  const faults = Object.entries(blamed).map(([fault, times]) => `${fault} ${times}`);
  const when = moment(new Date(since).toISOString());
  const at = revision ? ` (${revision.slice(0, 7)})` : "";
  return `Flaky since ${when}${at}: ${passed} of ${runs} passed with nothing changed. Faults: ${faults.join(", ")}.`;
}
