// What the tests of a run exercised of the agent, and what they checked.
import { el } from "./dom.js";
import { count, percent } from "./format.js";
import { openMeasured } from "./measured.js";
import { tileList } from "./tiles.js";
import { inline } from "./visible_text.js";

const GROUPS = {
  tool: "Tools",
  parameter: "Parameters",
  interrupt: "Interrupts",
  checkpoint: "Checkpoints",
  pair: "Tool pairs",
  finish_reason: "Finish reasons",
  hand_off: "Hand-offs",
};
const STATE_MEANINGS = {
  checked: "it happened, and a check would fail without it",
  unchecked: "it happened, and no check would notice if it did not",
  never: "it happened in no conversation",
};
const STATE_TONES = { checked: "passed", unchecked: "error", never: "failed" };

openMeasured("coverage", "What the tests cover", (found, links) => [
  tileList([
    ["Exercised", percent(found.exercised.percent), `${count(found.exercised.count)} of ${count(found.exercised.of)}`],
    ["Checked", percent(found.checked.percent), `${count(found.checked.count)} of ${count(found.checked.of)}`],
    ["From", count(found.cases, "case"), count(found.conversations, "conversation")],
  ]),
  el(
    "ul",
    { class: "card coverage-legend", "aria-label": "What the words mean" },
    Object.entries(STATE_MEANINGS).map(([state, words]) => el("li", {}, stateTag(state, state), " ", words)),
    found.notes.map((note) => el("li", {}, inline(note))),
  ),
  ...[...new Set(found.items.map((item) => item.group))].map((group) =>
    groupTable(GROUPS[group] ?? group, found.items.filter((item) => item.group === group), links),
  ),
]);

function groupTable(title, items, links) {
  const columns = [...new Set(items.map(columnOf))];
  const names = [...new Set(items.map((item) => item.name))];
  const seen = items.filter((item) => item.state !== "never").length;
  const checked = items.filter((item) => item.state === "checked").length;
  return el(
    "section",
    { class: "card coverage-group", "aria-label": title },
    el("h3", {}, title, el("span", {}, ` ${seen} of ${items.length} exercised, ${checked} checked`)),
    el(
      "div",
      { class: "table-frame", tabindex: "0", role: "group", "aria-label": title },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Name"), columns.map((column) => el("th", { scope: "col" }, column)))),
        el(
          "tbody",
          {},
          names.map((name) => {
            const own = items.filter((item) => item.name === name);
            return el(
              "tr",
              {},
              el("th", { scope: "row" }, el("code", {}, inline(name))),
              columns.map((column) => el("td", {}, own.filter((item) => columnOf(item) === column).map((item) => itemTag(item, links)))),
            );
          }),
        ),
      ),
    ),
  );
}

function columnOf({ aspect }) {
  return aspect.startsWith("=") ? "values" : aspect;
}

function itemTag(item, links) {
  const words = item.aspect.startsWith("=") ? `${item.aspect.slice(2)} ${item.state}` : item.state;
  const place = item.checked_by ?? item.example;
  if (!place) return stateTag(item.state, words);
  const meaning = item.checked_by ? `checked by ${place}` : `happens in ${place}`;
  return el("a", { href: links.conversation(place), title: meaning }, stateTag(item.state, words));
}

function stateTag(state, words) {
  return el("span", { class: `state-tag is-${STATE_TONES[state] ?? "skipped"}` }, inline(words));
}
