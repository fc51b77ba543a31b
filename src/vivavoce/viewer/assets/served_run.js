// The page of one run of the history, live while it goes on.
import { openContest } from "./contest_page.js";
import { el } from "./dom.js";
import { count } from "./format.js";
import { ask, askText } from "./http.js";
import { httpSource } from "./http_source.js";
import { incompleteBanner } from "./overview.js";
import { rejudgeButton } from "./rejudge_panel.js";
import { openRunPage } from "./run_page.js";
import { siteNav } from "./site_nav.js";
import { inline } from "./visible_text.js";

const root = document.getElementById("viva");
const runId = decodeURIComponent(location.pathname.split("/").at(-1));

try {
  const progress = (known, total) => {
    root.firstElementChild.textContent = `Reading ${count(known)} of ${count(total, "case")} …`;
  };
  const run = await ask(`runs/${encodeURIComponent(runId)}`);
  if (run.start.contenders?.length && run.state !== "running") await openMatrix();
  else await openRun(progress);
} catch (problem) {
  root.replaceChildren(
    el("p", { class: "loading", role: "alert" }, "This run cannot be shown: ", inline(problem.message)),
    el("p", { class: "loading" }, el("a", { href: "../" }, "All runs")),
  );
}

/** The agents of `viva compare` side by side; each cell opens its conversation. */
async function openMatrix() {
  const path = `runs/${encodeURIComponent(runId)}`;
  const found = await ask(`${path}/contest`);
  document.title = `${found.start.title ?? found.start.agent_id} · viva`;
  openContest({ ...found, rowText: (at) => askText(`${path}/rows/${at}`) }, root, { nav: siteNav("Runs", "../"), historyHref: caseOverTime });
}

function caseOverTime(row) {
  return `../case?${new URLSearchParams({ key: `${row.file ?? ""}::${row.id}` })}`;
}

async function openRun(progress) {
  const source = await httpSource(runId, progress);
  document.title = `${source.start.agent_id} · ${source.start.run_id} · viva`;
  const links = el("nav", { class: "page-nav", "aria-label": "This run" });
  const nav = el("div", { class: "header-navs" }, siteNav("Runs", "../"), links);
  openRunPage(source, root, {
    nav,
    historyHref: caseOverTime,
    banner: (now) => (now.live ? liveBanner(now) : incompleteBanner(now)),
  });
  addReviewing(links);
  const here = encodeURIComponent(runId);
  const measures = [["coverage", "Coverage"], ["mutants", "Mutants"]];
  if (!source.live) links.append(...measures.map(([what, name]) => el("a", { href: `${here}/${what}` }, name)));
  await linkToEarlier(links, source.start);
}

/** What can be done with the conversations of a run: judge them again, accept snapshots, label them. */
function addReviewing(nav) {
  const judgedAgain = el("div", { class: "rejudged-place" });
  root.querySelector("main").prepend(judgedAgain);
  nav.append(
    el("a", { href: `../review?${new URLSearchParams({ run: runId })}` }, "Review it"),
    rejudgeButton(runId, judgedAgain),
  );
}

function liveBanner({ summary, inFlight = [] }) {
  const done = summary.total - summary.not_run;
  const named = inFlight.map((key) => key.slice(key.lastIndexOf("::") + 2)).join(", ");
  return el(
    "div",
    { class: "banner is-live", role: "status" },
    el("i", { class: "pulse", "aria-hidden": "true" }),
    el("p", {}, el("strong", {}, "Running. "), `${count(done)} of ${count(summary.total, "case")} finished.`),
    named && el("p", { class: "run-in-flight" }, "In flight: ", inline(named)),
    el("progress", { value: done, max: Math.max(summary.total, 1), "aria-label": "Cases finished" }),
  );
}

/** The run of the same agent just before this one, if it is kept. */
async function linkToEarlier(nav, start) {
  const { runs } = await ask("runs");
  const at = runs.findIndex((run) => run.id === start.run_id);
  const earlier = runs.slice(at + 1).find((run) => run.start.agent_id === start.agent_id);
  if (at < 0 || !earlier) return;
  const query = new URLSearchParams({ before: earlier.id, after: start.run_id });
  nav.append(el("a", { href: `../compare?${query}` }, "Compare with the run before"));
}
