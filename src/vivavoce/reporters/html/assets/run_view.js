// One run of a case: why it ended as it did, what the checks found, the conversation.
import { nearestCalls, reasonsOf, restOfError } from "./failure_reasons.js";
import { scriptChecks, scriptTest } from "./script_test.js";
import { turnsOf } from "./case_rows.js";
import { el, fold } from "./dom.js";
import { count, duration, tokens } from "./format.js";
import { FAILING, icon, statusMark, STATUS_WORDS } from "./icons.js";
import { jsonBlock } from "./value_view.js";
import { checkpointList, reasonText, verdictList } from "./verdict_view.js";
import { historyView, showTurn, turnView } from "./turn_view.js";
import { textBlock } from "./visible_text.js";
import { workspaceView } from "./workspace_view.js";

/** `titled` puts the run's number and status on top: for runs that stand side by side. */
export function runView(run, row, { titled = false, detailed = false } = {}) {
  const turns = turnsOf(run);
  const script = scriptTest(run);
  const nearest = nearestCalls(run);
  const checks = [
    checkpointList(run.checkpoints),
    verdictList("Checks", script ? scriptChecks(run) : run.assertions),
    verdictList("Final checks", run.final_assertions),
    workspaceView(run.workspace),
    asidesOfRun(run),
  ].filter(Boolean);
  return el(
    "article",
    { class: `run is-${run.status}${script ? " is-script" : ""}`, "aria-label": titled ? `Run ${run.run}` : "Run" },
    titled && runTitle(run),
    whyView(run, turns),
    el("div", { class: "findings" }, checks),
    script && script.logs?.length > 0 && el("section", { "aria-label": "Log" }, textBlock(script.logs.join("\n"), { class: "logs" })),
    !script && el(
      "section",
      { class: "conversation", "aria-label": "Conversation" },
      historyView(run.history_sent ?? row.history),
      turns.map((turn) => turnView(turn, { detailed, nearest })),
      !turns.length && el("p", { class: "nothing" }, "No turn was taken."),
      endingView(run.ending),
      !titled && unsaidTurns(row, turns.length),
    ),
  );
}

function runTitle(run) {
  return el(
    "h4",
    { class: "run-title" },
    statusMark(run.status, { silent: true }),
    `Run ${run.run}`,
    el("span", {}, `${STATUS_WORDS[run.status] ?? run.status} · ${duration(run.duration_ms ?? 0)}`),
  );
}

function whyView(run, turns) {
  const why = run.error ?? run.skip_reason;
  if (!why) return null;
  const bad = FAILING.includes(run.status);
  const reasons = bad ? reasonsOf(run) : [];
  const rest = restOfError(why, reasons);
  return el(
    "div",
    { class: bad ? "callout is-bad" : "callout" },
    icon(bad ? "failed" : "skipped"),
    el("div", {}, rest && textBlock(rest), reasonList(reasons, turns), run.fault && el("p", { class: "facts" }, `fault: ${run.fault}`)),
  );
}

/** One line for each check that did not hold; its turn is a click away where there are several. */
function reasonList(reasons, turns) {
  if (!reasons.length) return null;
  return el(
    "ul",
    { class: "reasons" },
    reasons.map(({ turn, reason }) =>
      el("li", {}, turn !== null && turns.length > 1 && turnLink(turn), reasonText(reason)),
    ),
  );
}

function turnLink(turn) {
  const follow = (event) => {
    event.preventDefault();
    showTurn(event.target.closest("article"), turn);
    const fields = new URLSearchParams(location.hash.slice(1));
    if (!fields.has("case")) return;
    fields.set("turn", turn);
    history.replaceState(null, "", `#${fields}`);
  };
  return el("a", { class: "turn-link", href: `#turn-${turn}`, on: { click: follow } }, `Turn ${turn}`);
}

function endingView(ending) {
  if (!ending) return null;
  const reason = ending.reason.replaceAll("_", " ");
  const more = ending.detail && ending.detail !== ending.reason;
  return el("div", { class: "ending" }, el("span", {}, `ended: ${reason}`), more && textBlock(ending.detail));
}

/** The turns of the script that were never said. The row counts them for one run only, so others do not show them. */
function unsaidTurns(row, said) {
  const unsaid = row.case?.not_reached?.turns;
  if (!unsaid || !said) return null;
  const words = unsaid === 1 ? `Turn ${said + 1} was` : `Turns ${said + 1}–${said + unsaid} were`;
  return el("div", { class: "ending" }, el("span", {}, `${words} not reached`));
}

function asidesOfRun(run) {
  const { warnings = [], retries = [], logs, usage, overhead } = run;
  const nodes = [
    warnings.length > 0 &&
      fold(`Warnings (${warnings.length})`, () => warnings.map((warning) => textBlock(warning, { class: "warning" })), {
        class: "more",
        open: true,
      }),
    retries.length > 0 &&
      fold(`${count(retries.length, "retry", "retries")}`, () => jsonBlock(retries), { class: "more" }),
    logs && fold("Logs", () => textBlock(logs, { class: "logs" }), { class: "more" }),
    usage && el("p", { class: "facts" }, "Agent: ", tokens(usage)),
    overhead && el("p", { class: "facts" }, "Judges and simulators: ", tokens(overhead)),
  ].filter(Boolean);
  return nodes.length ? el("section", { class: "asides", "aria-label": "Notes" }, nodes) : null;
}
