// How the runs went over time, the newest on the right, each chart on a scale that shows a change.
import { el } from "./dom.js";
import { count, duration, moment, money, percent } from "./format.js";
import { timeChart } from "./time_chart.js";

const MOST_POINTS_OF_TREND = 60;

/** Charts of pass rate, durations, tokens and cost; `runs` come newest first, `numbers` are by run id. */
export function trendCharts(runs, numbers) {
  const shown = runs.filter((run) => run.state !== "running" && judged(run.summary)).slice(0, MOST_POINTS_OF_TREND).reverse();
  if (shown.length < 2) return null;
  const points = shown.map((run) => ({
    label: inWords(run),
    href: `runs/${encodeURIComponent(run.id)}`,
  }));
  const ends = [shown[0], shown.at(-1)].map((run) => moment(run.start.timestamp));
  const usage = (name) => shown.map(({ summary }) => summary.usage?.[name] ?? null);
  const tokensOf = shown.map(({ summary: { usage: used } }) =>
    used ? (used.input_tokens ?? 0) + (used.output_tokens ?? 0) : null,
  );
  const ofRun = (name) => shown.map((run) => numbers[run.id]?.[name] ?? null);
  const cards = [
    chartOf("Pass rate", points, ends, percent, {
      lines: [["pass rate", "is-main", shown.map(({ summary }) => (100 * summary.passed) / judged(summary))]],
      band: shown.map((run) => run.interval),
      most: 100,
      note: "The band is the 95 % interval.",
    }),
    chartOf("Duration of a case", points, ends, duration, {
      lines: [
        ["p50", "is-main", ofRun("p50_ms")],
        ["p95", "is-second", ofRun("p95_ms")],
      ],
    }),
    chartOf("Tokens", points, ends, (value) => count(value), { lines: [["tokens", "is-main", tokensOf]] }),
    chartOf("Cost", points, ends, money, { lines: [["cost", "is-main", usage("cost")]] }),
  ].filter(Boolean);
  return el("section", { class: "charts", "aria-label": "Trend" }, cards);
}

/** Nothing where fewer than two runs have a value. */
function chartOf(title, points, ends, format, { lines, ...more }) {
  const known = lines
    .map(([name, kind, values]) => ({ name, kind, values }))
    .filter((line) => line.values.filter((value) => value !== null).length > 1);
  return known.length > 0 && timeChart(title, points, { lines: known, format, ends, ...more });
}

export function judged(summary) {
  return summary.total - summary.skipped - summary.not_run;
}

function inWords({ start, summary }) {
  const named = [moment(start.timestamp), start.title].filter(Boolean).join(", ");
  return `${named}: ${summary.passed} of ${judged(summary)} passed in ${duration(summary.duration_ms)}`;
}
