// Cases × agents; each cell is a button that opens its conversation.
import { button, el } from "./dom.js";
import { count, duration, money } from "./format.js";
import { statusMark, STATUS_WORDS } from "./icons.js";
import { inline } from "./visible_text.js";

const ROWS_AT_ONCE = 200;

/** `show` takes what to show; `positions` are those of all results shown, in reading order. */
export function contestMatrix(source, { onOpen }) {
  let shown = [];
  let rows = [];
  const body = el("tbody", {});
  const none = el("p", { class: "nothing-found" }, "No case matches.");
  const more = button({ class: "quiet", on: { click: () => add() } }, "Show more");
  const node = el(
    "section",
    { class: "contest-matrix", "aria-label": "Cases" },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Case"),
          source.contenders.map((one) => el("th", { scope: "col" }, inline(one.label))),
        ),
      ),
      body,
    ),
    none,
    more,
  );

  function show({ differentOnly, words }) {
    rows = source.matrix.filter(
      (row) => (!differentOnly || row.differs) && `${row.id}\n${row.name ?? ""}`.toLowerCase().includes(words),
    );
    shown = [];
    body.replaceChildren();
    none.hidden = rows.length > 0;
    add();
  }

  function add() {
    const next = rows.slice(shown.length, shown.length + ROWS_AT_ONCE);
    shown.push(...next);
    body.append(...next.map(matrixRow));
    more.hidden = shown.length >= rows.length;
    more.textContent = `Show more (${count(rows.length - shown.length)} left)`;
  }

  function matrixRow(row) {
    return el(
      "tr",
      { class: row.differs ? "differs" : "" },
      el(
        "th",
        { scope: "row" },
        el("code", {}, inline(row.id)),
        row.name && el("span", { class: "contest-name" }, inline(row.name)),
      ),
      row.cells.map((cell, at) => el("td", {}, cell && matrixCell(row, cell, source.contenders[at].label))),
    );
  }

  function matrixCell(row, cell, label) {
    const runs = cell.runs > 1 ? ` ${cell.passed}/${cell.runs}` : "";
    const word = STATUS_WORDS[cell.status] ?? cell.status;
    const spent = cellSpent(cell);
    return button(
      {
        class: `contest-cell is-${cell.status}`,
        "aria-label": [`${row.id}, ${label}: ${word}${runs}`, ...spent].join(", "),
        title: cell.error ?? word,
        on: { click: () => onOpen(cell.position) },
      },
      statusMark(cell.status, { silent: true }),
      el("span", {}, runs.trim() || word),
      spent.length > 0 && el("span", { class: "contest-spent" }, spent.join(" · ")),
    );
  }

  /** How long it took and what it cost, each where it is known. */
  function cellSpent({ duration_ms: ms, cost }) {
    const known = (value) => value !== null && value !== undefined;
    return [known(ms) && duration(ms), known(cost) && money(cost)].filter(Boolean);
  }

  const positions = () => rows.flatMap((row) => row.cells.filter(Boolean).map((cell) => cell.position));

  return { node, show, positions };
}
