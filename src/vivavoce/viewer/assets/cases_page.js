// All cases over the newest runs, as a heat map.
import { CASE_KINDS, CASE_ORDERS, selectedCases, withFigures } from "./case_selection.js";
import { button, el } from "./dom.js";
import { count } from "./format.js";
import { heatLegend } from "./heat.js";
import { heatMap } from "./heat_map.js";
import { ask } from "./http.js";
import { searchField } from "./search_field.js";
import { siteNav } from "./site_nav.js";
import { themeButton } from "./theme.js";
import { inline } from "./visible_text.js";

const root = document.getElementById("viva");
const wanted = { words: "", kind: "all", order: "worst" };
let answer = { agents: [], runs: [], cases: [], older: false };
let skip = 0;

const pointed = el("p", { class: "heat-pointed", "aria-live": "off" });
const map = heatMap({ onPoint: (words) => words && pointed.replaceChildren(inline(words)) });
const search = searchField("Search by file or id; -word leaves out", (words) => choose({ words }));
const kinds = choiceOf("Which cases", CASE_KINDS, (kind) => choose({ kind }));
const orders = choiceOf("Order", CASE_ORDERS, (order) => choose({ order }));
orders.value = wanted.order;
const agents = el("select", { "aria-label": "Agent", hidden: true, on: { change: () => load(0) } });
const listed = el("p", { class: "listed", role: "status" });
const older = button({ class: "quiet", on: { click: () => load(skip + answer.runs.length) } }, "Older runs");
const newer = button({ class: "quiet", on: { click: () => load(0) } }, "Newest runs");
const nothing = el("p", { class: "nothing-found" }, "Reading …");

root.replaceChildren(
  el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Cases"), themeButton()),
  el(
    "main",
    { class: "cases-page" },
    el("div", { class: "runs-heading" }, el("h1", {}, "Cases"), heatLegend()),
    el(
      "div",
      { class: "toolbar", role: "search", "aria-label": "Cases" },
      el(
        "div",
        { class: "toolbar-row" },
        search.node,
        kinds,
        orders,
        agents,
      ),
      el("div", { class: "toolbar-row" }, older, newer, pointed, listed),
    ),
    el("div", { class: "runs-frame" }, map.node, nothing),
  ),
  el("footer", { class: "page-footer" }, heatKeys()),
);
document.addEventListener("keydown", onHeatKey);
await load(0);

async function load(from) {
  try {
    answer = await ask("cases", { skip: from, agent: agents.value });
    skip = from;
    answer.cases = answer.cases.map(withFigures);
    offerAgents();
    showCases();
  } catch (problem) {
    nothing.replaceChildren("The cases cannot be read: ", inline(problem.message));
    nothing.hidden = false;
  }
}

function offerAgents() {
  if (agents.options.length) return;
  const offered = answer.agents.map((name) => el("option", { value: name }, name));
  agents.replaceChildren(el("option", { value: "" }, "All agents"), ...offered);
  agents.hidden = answer.agents.length < 2;
}

function choose(changed) {
  Object.assign(wanted, changed);
  showCases();
}

function showCases() {
  const found = selectedCases(answer.cases, wanted);
  older.hidden = !answer.older;
  newer.hidden = skip === 0;
  nothing.hidden = found.length > 0;
  nothing.replaceChildren(
    ...(answer.cases.length
      ? ["No case matches."]
      : ["No result is remembered yet. ", el("code", {}, "viva test"), " keeps what each case did."]),
  );
  map.node.hidden = found.length === 0;
  map.show(found, answer.runs, { agents: agents.value ? 1 : answer.agents.length });
  const total = answer.cases.length;
  listed.textContent =
    (found.length === total ? count(total, "case") : `${count(found.length)} of ${count(total, "case")}`) +
    ` over ${count(answer.runs.length, "run")}`;
}

function choiceOf(label, choices, onChoose) {
  const node = el(
    "select",
    { "aria-label": label, on: { change: () => onChoose(node.value) } },
    Object.entries(choices).map(([value, [words]]) => el("option", { value }, words)),
  );
  return node;
}

function onHeatKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === search.input) {
    if (event.key === "Escape") search.input.blur();
    else if (event.key === "ArrowDown") map.focusFirst();
    else return;
    event.preventDefault();
  } else if (event.target.closest?.("select, .heat-rows")) return;
  else if (event.key === "/") {
    event.preventDefault();
    search.input.focus();
  } else if (event.key === "j") map.focusFirst();
}

function heatKeys() {
  const meanings = [
    ["/", "search"],
    ["j k", "move"],
    ["← →", "runs"],
    ["Enter", "open"],
  ];
  return el("p", { class: "keys" }, meanings.map(([key, meaning]) => [el("kbd", {}, key), ` ${meaning} `]));
}
