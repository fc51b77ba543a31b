// The page of one run: overview, list, open case. What is shown lives in the address.
import { selectCases } from "./case_list.js";
import { caseDialog } from "./case_dialog.js";
import { readRow } from "./case_rows.js";
import { casesTable } from "./cases_table.js";
import { el } from "./dom.js";
import { exportCsv, exportJson } from "./exports.js";
import { listenToKeys } from "./keyboard.js";
import { charts, incompleteBanner, runHeading, runTiles, runWarnings } from "./overview.js";
import { printSheet } from "./print_sheet.js";
import { themeButton } from "./theme.js";
import { toast } from "./toast.js";
import { toolbar } from "./toolbar.js";
import { readHash, writeHash } from "./view_state.js";
import { inline } from "./visible_text.js";

/** `nav` is put into the header; `banner` says what the reader must know before all else. */
export function openRunPage(source, root, { nav = null, banner = incompleteBanner, historyHref = null } = {}) {
  const { heads, start } = source;
  let state = readHash(location.hash);
  let listed = [];
  let lastOpened = -1;

  const bar = toolbar(heads, filter, {
    "JSON, listed cases": () => exportJson(source, listed),
    "CSV, listed cases": () => exportCsv(source, listed),
  });
  const top = el("div", { class: "run-top" });
  const table = casesTable(source, { onSort: sort, onOpen: (at) => open(heads[at].key) });
  const dialog = caseDialog({
    onClose: () => open(null),
    onStep: step,
    historyHref,
    onRun: (openRun) => go({ ...state, openRun, openTurn: null }, "pushState"),
  });
  const sheet = printSheet(source, {
    listed: () => listed,
    opened: openedAt,
    onPrint: (printing) => table.holdEverything(printing),
  });

  root.replaceChildren(
    el(
      "a",
      {
        class: "skip-link",
        href: "#cases",
        on: {
          click: (event) => {
            event.preventDefault();
            table.focus(0);
          },
        },
      },
      "Skip to the cases",
    ),
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), nav, themeButton()),
    el("main", {}, top, el("section", { class: "case-list", "aria-label": "Cases" }, bar.node, table.node), sheet),
    el("footer", { class: "page-footer" }, keysHint(), el("p", {}, `viva ${start.version} · run ${start.run_id}`)),
    dialog.node,
  );
  listenToKeys({ search: bar.search, table, dialog, onStep: step, onClear: () => filter({ q: "" }) });
  addEventListener("hashchange", () => {
    state = readHash(location.hash);
    show();
  });
  showTop();
  show();
  source.follow?.(() => {
    showTop();
    bar.refresh();
    showList();
  });

  function showTop() {
    top.replaceChildren(
      runHeading(source),
      banner(source) ?? "",
      ...runWarnings(source),
      el("section", { class: "overview", "aria-label": "Summary" }, runTiles(source), charts(source, filter)),
    );
  }

  function filter(changed) {
    go({ ...state, filters: { ...state.filters, ...changed } }, "replaceState");
  }

  /** A column once: upwards (numbers: downwards); again: the other way; a third time: failures first. */
  function sort(by) {
    const first = by !== "id" && by !== "name" && by !== "status";
    const { by: before, descending } = state.sort;
    const next =
      before !== by
        ? { by, descending: first }
        : descending === first
          ? { by, descending: !first }
          : { by: "", descending: false };
    go({ ...state, sort: next }, "replaceState");
  }

  function open(openCase) {
    go({ ...state, openCase, openRun: null, openTurn: null }, "pushState");
  }

  function step(by) {
    const at = listed[listed.indexOf(openedAt()) + by];
    if (at !== undefined) go({ ...state, openCase: heads[at].key, openRun: null, openTurn: null }, "replaceState");
  }

  function openedAt() {
    if (state.openCase === null) return -1;
    const exact = heads.findIndex((head) => head.key === state.openCase);
    if (exact >= 0) return exact;
    return heads.findIndex((head) => head.id === state.openCase || `${head.file}::${head.id}` === state.openCase);
  }

  function go(next, method) {
    const listChanged = next.filters !== state.filters || next.sort !== state.sort;
    state = next;
    history[method](null, "", writeHash(state));
    show({ listChanged });
  }

  function show({ listChanged = true } = {}) {
    if (listChanged) showList();
    showCase();
  }

  async function showList() {
    const { filters, sort } = state;
    // Only a source that looks elsewhere is waited for.
    const found = source.find && filters.q ? await source.find(filters.q) : null;
    if (filters !== state.filters || sort !== state.sort) return;
    listed = selectCases(source, filters, sort, found);
    bar.show(filters, listed.length);
    table.show(listed, sort);
  }

  async function showCase() {
    const at = openedAt();
    if (at < 0) {
      if (state.openCase !== null) toast(["There is no case ", inline(state.openCase), " in this report."]);
      if (dialog.isOpen()) close();
      return;
    }
    const asked = state;
    const row = readRow(await source.rowText(at));
    if (state !== asked) return;
    lastOpened = at;
    dialog.show(row, { openRun: state.openRun, openTurn: state.openTurn, place: listed.indexOf(at), total: listed.length });
  }

  function close() {
    dialog.close();
    table.focus(listed.indexOf(lastOpened));
  }
}

function keysHint() {
  const keys = [
    ["/", "search"],
    ["j k", "move"],
    ["Enter", "open"],
    ["Esc", "close"],
  ];
  return el(
    "p",
    { class: "keys" },
    keys.map(([key, meaning]) => [el("kbd", {}, key), ` ${meaning} `]),
  );
}
