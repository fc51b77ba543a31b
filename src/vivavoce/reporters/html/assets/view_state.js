// What is shown, as part of the address: filters, order, the open case. Pure.
import { COLUMNS } from "./case_list.js";
import { STATUSES } from "./icons.js";

export const NO_FILTERS = { q: "", status: [], tag: "", tool: "", fault: "" };

/** `#case=T003&status=failed,error&q=refund&sort=-duration` → what to show; unknown parts are passed over. */
export function readHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name) => fields.get(name) ?? "";
  const order = text("sort");
  const by = order.replace(/^-/, "");
  return {
    filters: {
      q: text("q"),
      status: text("status")
        .split(",")
        .filter((status) => STATUSES.includes(status)),
      tag: text("tag"),
      tool: text("tool"),
      fault: text("fault"),
    },
    sort: { by: Object.hasOwn(COLUMNS, by) ? by : "", descending: order.startsWith("-") },
    openCase: fields.get("case"),
    openTurn: Number.parseInt(text("turn"), 10) || null,
    openRun: Number.parseInt(text("run"), 10) || null,
  };
}

export function writeHash({ filters, sort, openCase, openRun, openTurn = null }) {
  const fields = new URLSearchParams();
  if (openCase !== null) fields.set("case", openCase);
  if (openCase !== null && openRun) fields.set("run", openRun);
  if (openCase !== null && openTurn) fields.set("turn", openTurn);
  if (filters.q) fields.set("q", filters.q);
  if (filters.status.length) fields.set("status", filters.status.join(","));
  for (const name of ["tag", "tool", "fault"]) if (filters[name]) fields.set(name, filters[name]);
  if (sort.by) fields.set("sort", (sort.descending ? "-" : "") + sort.by);
  return `#${fields}`;
}

export function isFiltered(filters) {
  return Boolean(filters.q || filters.status.length || filters.tag || filters.tool || filters.fault);
}
