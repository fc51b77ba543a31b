// Review: snapshots that changed, and conversations to label, of one run.
import { button, el } from "./dom.js";
import { moment } from "./format.js";
import { ask } from "./http.js";
import { labelReview } from "./review_labels.js";
import { snapshotReview } from "./review_snapshots.js";
import { siteNav } from "./site_nav.js";
import { themeButton } from "./theme.js";
import { inline } from "./visible_text.js";

const MOST_OFFERED = 50;
const TASKS = [
  ["snapshots", "Snapshots", snapshotReview],
  ["labels", "Labels", labelReview],
];

const root = document.getElementById("viva");
const query = new URLSearchParams(location.search);
let task = TASKS.some(([id]) => id === query.get("task")) ? query.get("task") : "snapshots";

const runs = el("select", { "aria-label": "Run", on: { change: show } });
const tabs = TASKS.map(([id, name]) =>
  button({ role: "tab", id: `tab-${id}`, "aria-controls": "review", on: { click: () => choose(id) } }, name),
);
const tabList = el("div", { class: "review-tabs", role: "tablist", "aria-label": "What to review" }, tabs);
const place = el("div", { id: "review", class: "review", role: "tabpanel" });
tabList.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const at = (TASKS.findIndex(([id]) => id === task) + by + TASKS.length) % TASKS.length;
  choose(TASKS[at][0]);
  tabs[at].focus();
});

root.replaceChildren(
  el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Review"), themeButton()),
  el("main", { class: "talk" }, el("div", { class: "runs-heading" }, el("h1", {}, "Review"), runs), tabList, place),
);

try {
  const known = (await ask("runs")).runs.slice(0, MOST_OFFERED);
  runs.replaceChildren(...known.map(offeredRun));
  const wanted = query.get("run");
  if (wanted && known.some(({ id }) => id === wanted)) runs.value = wanted;
  runs.hidden = known.length === 0;
  if (known.length) show();
  else place.replaceChildren(el("p", { class: "nothing-found" }, "No run is kept yet. ", el("code", {}, "viva test"), " keeps each one."));
} catch (problem) {
  place.replaceChildren(el("p", { class: "nothing-found" }, "The runs cannot be read: ", inline(problem.message)));
}

function offeredRun({ id, start }) {
  return el("option", { value: id }, `${start.title || start.agent_id || "agent"} · ${moment(start.timestamp)}`);
}

function choose(id) {
  task = id;
  show();
}

async function show() {
  const [, name, view] = TASKS.find(([id]) => id === task);
  tabs.forEach((tab, at) => {
    const chosen = TASKS[at][0] === task;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  });
  place.setAttribute("aria-labelledby", `tab-${task}`);
  if (!runs.value) return; // a tab was chosen before the runs are known
  history.replaceState(null, "", `?${new URLSearchParams({ run: runs.value, task })}`);
  const asked = `${runs.value} ${task}`;
  place.dataset.shows = asked;
  place.replaceChildren(el("p", { class: "nothing-found" }, "Reading …"));
  try {
    const node = await view(runs.value);
    if (place.dataset.shows === asked) place.replaceChildren(node);
  } catch (problem) {
    if (place.dataset.shows !== asked) return;
    place.replaceChildren(el("p", { class: "nothing-found is-bad", role: "alert" }, `${name} cannot be read: `, inline(problem.message)));
  }
}
