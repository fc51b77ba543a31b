// Search, filters and exports above the list.
import { NOT, valuesOf } from "./case_list.js";
import { button, el, fold } from "./dom.js";
import { count } from "./format.js";
import { icon, statusMark, STATUSES, STATUS_WORDS } from "./icons.js";
import { searchField } from "./search_field.js";
import { isFiltered, NO_FILTERS } from "./view_state.js";

const CHOICES = {
  tag: { title: "Tag", every: "All tags", of: (head) => head.tags ?? [] },
  tool: { title: "Tool", every: "All tools", of: (head) => head.tools ?? [] },
  fault: { title: "Fault", every: "All faults", of: (head) => (head.fault ? [head.fault] : []) },
};

/** The controls; `show(filters, listed)` brings them up to date, `onFilter` hears what changes. */
export function toolbar(heads, onFilter, exports) {
  const search = searchField("Search in everything said and done; -word leaves out", (q) => onFilter({ q }));
  const chips = statusChips(heads, onFilter);
  const selects = Object.entries(CHOICES).map(([name, choice]) => choiceField(name, choice, heads, onFilter));
  const parts = [chips, ...selects];
  const clear = button({ class: "quiet", on: { click: () => onFilter(NO_FILTERS) } }, "Clear filters");
  const listed = el("p", { class: "listed", role: "status" });
  const node = el(
    "div",
    { class: "toolbar", role: "search", "aria-label": "Cases" },
    el(
      "div",
      { class: "toolbar-row" },
      search.node,
      selects.map((select) => select.node),
      exportMenu(exports),
    ),
    el("div", { class: "toolbar-row" }, chips.node, clear, listed),
  );
  return {
    node,
    search: search.input,
    /** Counts again: there are more cases now. */
    refresh() {
      for (const part of parts) if (!part.node.contains(document.activeElement)) part.refresh();
    },
    show(filters, shown) {
      if (search.input.value !== filters.q) search.input.value = filters.q;
      chips.show(filters.status);
      for (const select of selects) select.show(filters);
      clear.hidden = !isFiltered(filters);
      listed.textContent =
        shown === heads.length ? count(shown, "case") : `${count(shown)} of ${count(heads.length, "case")}`;
    },
  };
}

function statusChips(heads, onFilter) {
  const node = el("div", { class: "chips", role: "group", "aria-label": "Status" });
  let chosen = [];
  let chips = [];
  const refresh = () => {
    const counted = new Map(valuesOf(heads, (head) => [head.status]));
    chips = STATUSES.filter((status) => counted.has(status)).map((status) => [status, chip(status, counted)]);
    node.replaceChildren(...chips.map(([, made]) => made));
    show(chosen);
  };
  const chip = (status, counted) =>
    button(
      { class: `chip is-${status}`, on: { click: () => toggle(status) } },
      statusMark(status, { silent: true }),
      STATUS_WORDS[status],
      el("b", {}, count(counted.get(status))),
    );
  const toggle = (status) =>
    onFilter({ status: chosen.includes(status) ? chosen.filter((other) => other !== status) : [...chosen, status] });
  const show = (statuses) => {
    chosen = statuses;
    for (const [status, made] of chips) made.setAttribute("aria-pressed", String(statuses.includes(status)));
  };
  refresh();
  return { node, show, refresh };
}

function choiceField(name, { title, every, of }, heads, onFilter) {
  const node = el("select", { "aria-label": title, on: { change: () => onFilter({ [name]: node.value }) } });
  const refresh = () => {
    const values = valuesOf(heads, of);
    const chosen = node.value;
    node.replaceChildren(
      el("option", { value: "" }, every),
      ...values.map(([value, cases]) => el("option", { value }, `${value} (${count(cases)})`)),
      ...values.map(([value, cases]) =>
        el("option", { value: NOT + value }, `not ${value} (${count(heads.length - cases)})`),
      ),
    );
    node.value = chosen;
    node.hidden = !values.length;
  };
  const show = (filters) => {
    node.value = filters[name];
  };
  refresh();
  return { node, show, refresh };
}

function exportMenu(exports) {
  const menu = fold(
    [icon("download"), "Export"],
    () =>
      Object.entries(exports).map(([label, save]) =>
        button(
          {
            on: {
              click: () => {
                menu.open = false;
                save();
              },
            },
          },
          label,
        ),
      ),
    { class: "menu" },
  );
  return menu;
}
