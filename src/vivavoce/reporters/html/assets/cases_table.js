// The list of cases: a sortable table that only ever holds the rows around what is seen.
import { COLUMNS } from "./case_list.js";
import { quantile } from "./charts.js";
import { button, el, svgEl } from "./dom.js";
import { duration, percent } from "./format.js";
import { FAILING, icon, statusMark } from "./icons.js";
import { writeHash } from "./view_state.js";
import { inline } from "./visible_text.js";

const HELD_ROWS = 100;
const SPARE_ROWS = 20;

/** The table; `show(positions, sort)` lists cases, `onSort` and `onOpen` hear what is clicked. */
export function casesTable({ heads, start }, { onSort, onOpen }) {
  const repeated = start.runs_per_case > 1 || heads.some((head) => head.runs);
  let fullBar = 1;
  const columns = Object.keys(COLUMNS).filter((name) => name !== "rate" || repeated);
  const headers = columns.map((name) => headerCell(name, onSort));
  const body = el("tbody", { role: "rowgroup" });
  const nothing = el("p", { class: "nothing-found" }, "No case matches these filters.");
  const table = el(
    "table",
    { class: repeated ? "cases with-rate" : "cases", role: "table", "aria-label": "Cases" },
    el(
      "thead",
      { role: "rowgroup" },
      el(
        "tr",
        { role: "row" },
        headers.map(([, cell]) => cell),
      ),
    ),
    body,
  );
  let listed = [];
  let held = [0, 0];
  let filled = { from: 0, rows: [] };
  let everything = false;

  const rowHeight = () => Number.parseFloat(getComputedStyle(table).getPropertyValue("--row-height"));

  function seenRows() {
    const above = -body.getBoundingClientRect().top / rowHeight();
    return [Math.max(0, Math.floor(above)), Math.min(listed.length, Math.ceil(above + innerHeight / rowHeight()))];
  }

  function hold(first) {
    const start = Math.max(0, Math.min(first, listed.length - HELD_ROWS));
    held = everything ? [0, listed.length] : [start, Math.min(listed.length, start + HELD_ROWS)];
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.place : undefined;
    fill(listed.slice(...held), held[0]);
    body.style.paddingTop = `${held[0] * rowHeight()}px`;
    body.style.paddingBottom = `${(listed.length - held[1]) * rowHeight()}px`;
    if (focused !== undefined) linkAt(Number(focused))?.focus({ preventScroll: true });
  }

  /** Rows that are there already stay: whoever is about to click on one must not lose it. */
  function fill(wanted, from) {
    let same = 0;
    while (from === filled.from && same < wanted.length && wanted[same] === filled.rows[same]) same += 1;
    while (body.children.length > same) body.lastElementChild.remove();
    body.append(...wanted.slice(same).map((at, offset) => caseRow(heads[at], from + same + offset, columns, fullBar)));
    filled = { from, rows: wanted };
  }

  function follow() {
    const [first, last] = seenRows();
    const near =
      first >= held[0] + (held[0] && SPARE_ROWS) && last <= held[1] - (held[1] < listed.length ? SPARE_ROWS : 0);
    if (!near && !everything) hold(Math.floor((first + last - HELD_ROWS) / 2));
  }

  function linkAt(place) {
    return body.querySelector(`a[data-place="${place}"]`);
  }

  body.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || getSelection()?.toString()) return;
    const link = event.target.closest("tr")?.querySelector("a[data-place]");
    if (!link) return;
    event.preventDefault();
    onOpen(listed[Number(link.dataset.place)]);
  });
  addEventListener("scroll", follow, { passive: true });
  addEventListener("resize", () => hold(held[0]));

  return {
    node: el("div", { class: "cases-frame" }, table, nothing),
    show(positions, sort) {
      listed = positions;
      // Measured against what nearly all cases stay below: one very slow case must not flatten the other bars.
      fullBar = quantile(Float64Array.from(heads, (head) => head.duration_ms ?? 0).sort(), 0.95) || 1;
      nothing.hidden = positions.length > 0;
      table.setAttribute("aria-rowcount", String(positions.length + 1));
      for (const [name, cell] of headers)
        cell.setAttribute("aria-sort", sort.by !== name ? "none" : sort.descending ? "descending" : "ascending");
      hold(0);
      follow();
    },
    /** Puts the cursor on a case of the list, scrolling to it. */
    focus(place) {
      if (place < 0 || place >= listed.length) return;
      if (place < held[0] || place >= held[1]) hold(place - HELD_ROWS / 2);
      const link = linkAt(place);
      link.closest("tr").scrollIntoView({ block: "nearest" });
      link.focus({ preventScroll: true });
    },
    focusedPlace() {
      return body.contains(document.activeElement) ? Number(document.activeElement.dataset.place) : -1;
    },
    /** Holds all rows while the page is printed. */
    holdEverything(wanted) {
      everything = wanted;
      hold(0);
      if (!wanted) follow();
    },
  };
}

function headerCell(name, onSort) {
  const sort = button({ on: { click: () => onSort(name) } }, COLUMNS[name].title, icon("down"));
  return [name, el("th", { role: "columnheader", scope: "col", class: `col-${name}`, "aria-sort": "none" }, sort)];
}

function caseRow(head, place, columns, fullBar) {
  const cells = {
    status: () => [statusMark(head.status)],
    id: () => [
      el("a", { href: writeHash({ ...JUST_THE_CASE, openCase: head.key }), "data-place": place }, inline(head.id)),
    ],
    name: () => [el("span", { class: "case-name" }, inline(head.name ?? "")), subtitle(head)],
    duration: () => [el("span", {}, duration(head.duration_ms ?? 0)), durationBar(head, fullBar)],
    turns: () => [String(head.turns ?? 0)],
    rate: () => rate(head),
  };
  return el(
    "tr",
    { role: "row", "aria-rowindex": place + 2 },
    columns.map((name) => el("td", { role: "cell", class: `col-${name}` }, cells[name]())),
  );
}

const JUST_THE_CASE = { filters: { q: "", status: [] }, sort: {}, openRun: null };

function subtitle(head) {
  if (head.quarantine)
    return el("span", { class: "why" }, "in quarantine · ", inline(head.error ?? head.quarantine.why));
  if (head.error)
    return el("span", { class: FAILING.includes(head.status) ? "why is-bad" : "why" }, inline(head.error));
  return el("span", { class: "why" }, inline((head.tags ?? []).join(" · ")));
}

function durationBar(head, fullBar) {
  const width = Math.min(100, (100 * (head.duration_ms ?? 0)) / fullBar);
  return svgEl(
    "svg",
    { class: "duration-bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
    svgEl("rect", { width, height: 4, x: 100 - width }),
  );
}

function rate(head) {
  if (!head.runs) return [];
  const dots = head.runs.slice(0, 12).map((status) => el("i", { class: `dot is-${status}` }));
  return [
    el("span", {}, percent(head.pass_rate)),
    el("span", { class: "dots", "aria-hidden": "true" }, dots, head.runs.length > 12 && "…"),
  ];
}
