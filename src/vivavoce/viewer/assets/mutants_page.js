// Would the tests notice if the agent had done something else? The changes that no check noticed, and what would.
import { diffView } from "./diff_view.js";
import { button, el, fold } from "./dom.js";
import { copy } from "./download.js";
import { count, percent } from "./format.js";
import { icon } from "./icons.js";
import { openMeasured } from "./measured.js";
import { tileList } from "./tiles.js";
import { inline, textBlock } from "./visible_text.js";

openMeasured("mutants", "Would the tests notice?", (found, links) => {
  const weak = found.cases.filter((one) => one.survivors.length).sort((left, right) => (left.score ?? 101) - (right.score ?? 101));
  return [
    tileList([
      ["Mutation score", found.score === null ? "–" : percent(found.score), `${count(found.noticed)} of ${count(found.noticed + found.survived)} noticed`],
      ["Survived", count(found.survived), found.survived ? "no check noticed them" : "every change was noticed"],
      ["Not limited", count(found.unlimited), "no rule speaks of these; they do not count"],
      ["Cases", count(found.cases.length), found.left_out.length ? `${count(found.left_out.length)} left out` : "all were changed"],
    ]),
    weak.length
      ? el("h2", { class: "mutants-title" }, "What survived")
      : el("p", { class: "nothing-found" }, "Nothing survived: every change that counts was noticed."),
    ...weak.map((one) => caseOfMutants(one, links)),
    kindTable(found.kinds),
    found.left_out.length > 0 &&
      fold(`Left out (${found.left_out.length})`, () =>
        el("ul", { class: "violations" }, found.left_out.map(({ key, why }) => el("li", {}, inline(`${key}: ${why}`)))), { class: "more" }),
  ];
});

function kindTable(kinds) {
  const counted = Object.entries(kinds).filter(([, one]) => one.noticed + one.survived);
  return el(
    "section",
    { class: "card coverage-group", "aria-label": "Kinds of changes" },
    el("h3", {}, "Kinds of changes"),
    el(
      "div",
      { class: "table-frame", tabindex: "0", role: "group", "aria-label": "Kinds of changes" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ["Kind", "Score", "Noticed"].map((name) => el("th", { scope: "col" }, name)))),
        el(
          "tbody",
          {},
          counted.map(([kind, one]) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, el("code", {}, kind)),
              el("td", { class: one.survived ? "is-bad" : null }, one.score === null ? "–" : percent(one.score)),
              el("td", {}, `${count(one.noticed)} of ${count(one.noticed + one.survived)}`),
            ),
          ),
        ),
      ),
    ),
  );
}

function caseOfMutants(one, links) {
  return el(
    "section",
    { class: "card mutants-case", "aria-label": one.id },
    el(
      "h3",
      {},
      el("a", { href: links.conversation(`${one.file}::${one.id}`) }, inline(one.id)),
      el("span", {}, ` ${one.score === null ? "" : percent(one.score)}, ${count(one.survived)} survived`),
    ),
    one.survivors.map(mutantView),
  );
}

function mutantView({ kind, turn, change, before, after, suggestion }) {
  const check = suggestion && JSON.stringify(suggestion);
  return el(
    "div",
    { class: "mutant" },
    el("p", {}, el("code", {}, kind), ` in turn ${turn}: `, inline(change)),
    typeof before === "string" && typeof after === "string" ? diffView(before, after) : null,
    check && [
      el("p", { class: "facts" }, "This check would notice:"),
      el(
        "div",
        { class: "suggested" },
        textBlock(check, { class: "logs" }),
        button({ class: "quiet", on: { click: () => copy(check, "Check") } }, icon("copy"), "Copy"),
      ),
    ],
  );
}
