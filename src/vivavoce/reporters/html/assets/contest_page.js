// Several agents with the same cases: the table, the differences, and the matrix whose cells open conversations.
// A source offers what the JSON report has under `contest`, the texts of the table, and rowText(position).
import { caseDialog } from "./case_dialog.js";
import { readRow } from "./case_rows.js";
import { contestMatrix } from "./contest_matrix.js";
import { button, el } from "./dom.js";
import { count, duration, moment } from "./format.js";
import { icon } from "./icons.js";
import { searchField } from "./search_field.js";
import { themeButton } from "./theme.js";
import { inline } from "./visible_text.js";

const RESULT_IN_HASH = /^#result-(\d+)(?:-run-(\d+))?$/;

/** `nav` is put into the header. */
export function openContest(source, root, { nav = null, historyHref = null } = {}) {
  const { start, summary } = source;
  const filters = { differentOnly: false, words: "" };
  const matrix = contestMatrix(source, { onOpen: open });
  const dialog = caseDialog({
    historyHref,
    onClose: () => open(null),
    onStep: (by) => open(matrix.positions()[matrix.positions().indexOf(opened().position) + by]),
    onRun: (run) => go(opened().position, run),
  });
  const search = searchField("Search by id or name", (text) => filter({ words: text.toLowerCase() }));
  const different = source.matrix.filter((row) => row.differs).length;
  const onlyDifferent = button(
    {
      class: "chip is-failed",
      "aria-pressed": "false",
      on: { click: () => filter({ differentOnly: !filters.differentOnly }) },
    },
    "Different only",
    el("b", {}, count(different)),
  );

  root.replaceChildren(
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), nav, themeButton()),
    el(
      "main",
      {},
      el(
        "div",
        { class: "run-heading" },
        el("h1", {}, inline(start.title || start.agent_id)),
        el(
          "p",
          { class: "facts" },
          [
            moment(start.timestamp),
            `${count(source.matrix.length, "case")} × ${count(source.contenders.length, "agent")}`,
            duration(summary.duration_ms),
          ].join(" · "),
        ),
      ),
      summary.interrupted && earlyEnd(summary),
      ...(summary.warnings ?? []).map((text) => el("p", { class: "contest-warning" }, icon("warning"), inline(text))),
      standingsTable(source.table),
      contestDifferences(source.words),
      el(
        "div",
        { class: "toolbar", role: "search", "aria-label": "Cases" },
        el(
          "div",
          { class: "toolbar-row" },
          search.node,
          el("div", { class: "chips" }, onlyDifferent),
        ),
      ),
      matrix.node,
    ),
    el("footer", { class: "page-footer" }, el("p", {}, `viva ${start.version} · run ${start.run_id}`)),
    dialog.node,
  );
  addEventListener("hashchange", showOpened);
  document.addEventListener("keydown", (event) => contestKey(event, search.input));
  filter({});
  showOpened();

  function filter(changed) {
    Object.assign(filters, changed);
    onlyDifferent.setAttribute("aria-pressed", String(filters.differentOnly));
    matrix.show(filters);
  }

  function open(position) {
    if (position !== undefined) go(position, null);
  }

  function go(position, run) {
    const hash = position === null ? "" : `#result-${position}${run ? `-run-${run}` : ""}`;
    history.pushState(null, "", hash || location.pathname + location.search);
    showOpened();
  }

  function opened() {
    const found = RESULT_IN_HASH.exec(location.hash);
    return { position: found ? Number(found[1]) : -1, run: found?.[2] ? Number(found[2]) : null };
  }

  async function showOpened() {
    const { position, run } = opened();
    if (position < 0) {
      if (dialog.isOpen()) dialog.close();
      return;
    }
    const row = readRow(await source.rowText(position));
    const all = matrix.positions();
    dialog.show(row, { openRun: run, place: all.indexOf(position), total: all.length });
  }
}

function earlyEnd({ interrupted, not_run: left }) {
  return el(
    "div",
    { class: "banner", role: "alert" },
    icon("warning"),
    el("p", {}, el("strong", {}, `The run ended early (${interrupted}). `), `${count(left, "result")} missing.`),
  );
}

function standingsTable({ heads, rows }) {
  return el(
    "div",
    { class: "card contest-standings" },
    el(
      "table",
      {},
      el("caption", {}, "Agents"),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el(
        "tbody",
        {},
        rows.map(([label, ...cells]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, inline(label)),
            cells.map((cell) => el("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}

function contestDifferences(words) {
  return el(
    "section",
    { class: "card contest-differences", "aria-label": "Differences" },
    el("h2", {}, "Differences"),
    el("ul", {}, words.map(({ text, real }) => el("li", { class: real ? "is-real" : "" }, inline(text)))),
  );
}

function contestKey(event, search) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === search) {
    if (event.key === "Escape") search.blur();
  } else if (event.key === "/" && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    search.focus();
  }
}
