// How the runs went over time, a column each, the newest on the right.
import { el } from "./dom.js";
import { count, duration, moment, percent } from "./format.js";

const MOST_COLUMNS = 40;

/** Charts of pass rate and duration; `runs` come newest first. */
export function trendCharts(runs) {
  const shown = runs.filter((run) => run.state !== "running" && judged(run.summary)).slice(0, MOST_COLUMNS).reverse();
  if (shown.length < 2) return null;
  const rates = shown.map(({ summary }) => summary.overall_pass_rate);
  const times = shown.map(({ summary }) => summary.duration_ms);
  return el(
    "section",
    { class: "charts", "aria-label": "Trend" },
    trendCard("Pass rate", shown, outcomeColumn, [
      `${percent(rates.at(-1))} now`,
      `${percent(Math.min(...rates))} – ${percent(Math.max(...rates))} over ${count(shown.length, "run")}`,
    ]),
    trendCard("Duration", shown, (run) => [column("is-time", run.summary.duration_ms / Math.max(...times, 1))], [
      `${duration(times.at(-1))} now`,
      `${duration(Math.min(...times))} – ${duration(Math.max(...times))}`,
    ]),
  );
}

function trendCard(title, runs, columnsOf, [now, range]) {
  return el(
    "section",
    { class: "card trend-card", "aria-label": title },
    el("h3", {}, title),
    el(
      "div",
      { class: "trend", role: "img", "aria-label": `${title}: ${now}, ${range}` },
      runs.map((run) =>
        el(
          "a",
          { href: `runs/${encodeURIComponent(run.id)}`, tabindex: "-1", title: inWords(run) },
          columnsOf(run),
        ),
      ),
    ),
    el("p", { class: "chart-note" }, el("b", {}, now), ` · ${range}`),
  );
}

function outcomeColumn({ summary }) {
  const total = judged(summary);
  return [column("is-failed", 1 - summary.passed / total), column("is-passed", summary.passed / total)];
}

function column(kind, share) {
  const part = el("i", { class: kind });
  part.style.height = `${Math.max(100 * share, share > 0 ? 3 : 0)}%`;
  return part;
}

export function judged(summary) {
  return summary.total - summary.skipped - summary.not_run;
}

function inWords({ start, summary }) {
  const outcome = `${summary.passed} of ${judged(summary)} passed`;
  return `${moment(start.timestamp)}: ${outcome} in ${duration(summary.duration_ms)}`;
}
