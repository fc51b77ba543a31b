// Every result of a case as a table, the newest first.
import { button, el } from "./dom.js";
import { count, duration, money, moment } from "./format.js";
import { commitWords, placeInRun } from "./heat.js";
import { STATUS_WORDS, statusMark } from "./icons.js";
import { inline } from "./visible_text.js";

const AT_ONCE = 50;
const COLUMNS_OF_RESULTS = [
  ["When", () => true],
  ["Result", () => true],
  ["Duration", (one) => one.ms !== null],
  ["Tokens", (one) => one.tokens !== null],
  ["Cost", (one) => one.cost !== null],
  ["Commit", (one) => one.revision !== null],
  ["Title", (one) => one.title !== null],
];

export function resultsTable(story, results) {
  const newest = results.toReversed();
  const shown = COLUMNS_OF_RESULTS.filter(([, has]) => newest.some(has)).map(([name]) => name);
  const body = el("tbody", {});
  const more = button({ class: "quiet", on: { click: () => add() } });
  const add = () => {
    const from = body.children.length;
    body.append(...newest.slice(from, from + AT_ONCE).map((one) => resultRow(story, one, shown)));
    more.hidden = body.children.length >= newest.length;
    more.textContent = `Show more (${count(newest.length - body.children.length)} left)`;
  };
  add();
  return el(
    "section",
    { class: "card case-results", "aria-label": "Results" },
    el("h3", {}, "Results"),
    el(
      "div",
      { class: "table-frame", tabindex: "0", role: "group", "aria-label": "Results, the newest first" },
      el("table", {}, el("thead", {}, el("tr", {}, shown.map((name) => el("th", { scope: "col" }, name)))), body),
    ),
    more,
  );
}

function resultRow(story, one, shown) {
  const href = placeInRun(one, story.key);
  const when = moment(one.started_at);
  const cells = {
    When: () => (href ? el("a", { href }, when) : when),
    Result: () => [
      statusMark(one.status, { silent: true }),
      " ",
      one.runs > 1 ? `${one.passed} of ${one.runs} passed` : (STATUS_WORDS[one.status] ?? one.status),
      one.faults.length > 0 && el("span", { class: "why" }, inline(`fault: ${one.faults.join(", ")}`)),
    ],
    Duration: () => (one.ms === null ? "" : duration(one.ms)),
    Tokens: () => (one.tokens === null ? "" : count(one.tokens)),
    Cost: () => (one.cost === null ? "" : money(one.cost)),
    Commit: () => inline(commitWords(one)),
    Title: () => inline(one.title ?? ""),
  };
  return el("tr", {}, shown.map((name) => el("td", { class: `of-${name.toLowerCase()}` }, cells[name]())));
}
