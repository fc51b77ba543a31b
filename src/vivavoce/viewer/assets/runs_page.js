// The list of runs: what was kept, what is going on, two of them to compare.
import { button, el } from "./dom.js";
import { ask, listen } from "./http.js";
import { runFilters } from "./run_filters.js";
import { runRow, showRunChanges } from "./run_row.js";
import { siteNav } from "./site_nav.js";
import { themeButton } from "./theme.js";
import { toast } from "./toast.js";
import { trendCharts } from "./trend.js";
import { inline } from "./visible_text.js";

const root = document.getElementById("viva");
const ROWS_AT_ONCE = 60;
const chosen = [];
const made = new Map();
let runs = [];
let numbers = {};
let numbersOf = "";
let shownRows = ROWS_AT_ONCE;

const filters = runFilters(() => show(runs));
const trend = el("div", { class: "trends" });
const rows = el("ul", { class: "runs", "aria-label": "Runs" });
const older = button({ class: "quiet older-runs", on: { click: showOlder } }, "Show older runs");
const command = el("code", {}, "viva test");
const nothing = el("p", { class: "nothing-found" }, "No run is kept yet. ", command, " keeps each one.");
const comparing = el("div", { class: "comparing", role: "status" });

root.replaceChildren(
  el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Runs"), themeButton()),
  el(
    "main",
    {},
    el("div", { class: "runs-heading" }, el("h1", {}, "Runs"), el("div", { class: "run-filters", role: "search", "aria-label": "Runs" }, filters.nodes)),
    trend,
    el("div", { class: "runs-frame" }, rows, nothing),
    older,
  ),
  el("footer", { class: "page-footer" }, keys()),
  comparing,
);
document.addEventListener("keydown", onKey);

try {
  show((await ask("runs")).runs);
  listen("events", {}, { runs: (now) => show(now.runs) });
} catch (problem) {
  nothing.replaceChildren("The runs cannot be read: ", inline(problem.message));
}

function show(now) {
  runs = now;
  filters.refresh(runs);
  const listed = runs.filter(filters.fits);
  const focused = document.activeElement?.closest?.("li")?.dataset.run;
  const place = document.activeElement?.type === "checkbox" ? "input" : "a";
  trend.replaceChildren(trendCharts(listed, numbers) ?? "");
  showRows(listed.slice(0, shownRows));
  older.hidden = listed.length <= shownRows;
  nothing.hidden = listed.length > 0;
  nothing.replaceChildren(
    ...(runs.length ? ["No run matches these filters."] : ["No run is kept yet. ", command, " keeps each one."]),
  );
  if (focused !== undefined) rowOf(focused)?.querySelector(place)?.focus({ preventScroll: true });
  showComparing();
  askNumbers();
}

/** Asks again when a run has ended or a new one is there. */
async function askNumbers() {
  const state = runs.map((run) => `${run.id} ${run.state}`).join("\n");
  if (state === numbersOf) return;
  numbersOf = state;
  await readNumbers(0);
}

async function readNumbers(skip) {
  try {
    Object.assign(numbers, (await ask("numbers", { skip })).numbers);
  } catch {
    // The list says enough without them.
    return;
  }
  show(runs);
}

function showOlder() {
  shownRows += ROWS_AT_ONCE;
  show(runs);
  readNumbers(shownRows - ROWS_AT_ONCE);
}

/** Rows that say what they said before stay: whoever is about to click on one must not lose it. */
function showRows(listed) {
  const wanted = listed.map((run) => {
    const said = JSON.stringify(run);
    const before = made.get(run.id);
    const row = before?.said === said ? before.row : runRow(run, { picked: chosen.includes(run.id), onPick: pick });
    if (row !== before?.row || before.numbers !== numbers[run.id]) showRunChanges(row, numbers[run.id]);
    made.set(run.id, { said, row, numbers: numbers[run.id] });
    return row;
  });
  for (const row of [...rows.children]) if (!wanted.includes(row)) row.remove();
  wanted.forEach((row, at) => rows.children[at] !== row && rows.insertBefore(row, rows.children[at] ?? null));
}

function rowOf(id) {
  return [...rows.children].find((row) => row.dataset.run === id);
}

/** Two at most: a third choice takes the place of the first. */
function pick(id) {
  if (chosen.includes(id)) chosen.splice(chosen.indexOf(id), 1);
  else chosen.push(id);
  if (chosen.length > 2) chosen.shift();
  for (const box of rows.querySelectorAll("input")) box.checked = chosen.includes(box.closest("li").dataset.run);
  showComparing();
}

function showComparing() {
  const known = chosen.filter((id) => runs.some((run) => run.id === id));
  comparing.hidden = known.length === 0;
  comparing.replaceChildren(
    known.length < 2 ? "Choose another run to compare with." : "Two runs chosen.",
    known.length === 2 ? button({ class: "primary", on: { click: compare } }, "Compare them") : "",
  );
}

/** The earlier one is what the later one is measured against. */
function compare() {
  const [after, before] = runs.filter((run) => chosen.includes(run.id));
  if (!before) return toast("Choose two runs first.");
  location.href = `compare?${new URLSearchParams({ before: before.id, after: after.id })}`;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("select")) return;
  const row = document.activeElement?.closest?.("li[data-run]");
  if (event.key === "c") compare();
  else if (event.key === "x" && row) pick(row.dataset.run);
  else if (event.key === "j" || event.key === "k") move(row, event.key === "j" ? 1 : -1);
}

function move(row, by) {
  const all = [...rows.children];
  const next = row ? all[all.indexOf(row) + by] : all[0];
  next?.querySelector("a").focus();
}

function keys() {
  const meanings = [
    ["j k", "move"],
    ["Enter", "open"],
    ["x", "choose"],
    ["c", "compare"],
  ];
  return el("p", { class: "keys" }, meanings.map(([key, meaning]) => [el("kbd", {}, key), ` ${meaning} `]));
}
