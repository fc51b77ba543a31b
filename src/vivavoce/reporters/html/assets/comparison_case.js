// One case in both runs, turn by turn, its replies with their differences marked.
import { answerOf, readRow, runsOf, turnsOf } from "./case_rows.js";
import { newSide, oldSide } from "./diff_view.js";
import { el } from "./dom.js";
import { duration } from "./format.js";
import { FAILING, statusMark, STATUS_WORDS } from "./icons.js";
import { changes } from "./line_diff.js";
import { toolCard } from "./tool_card.js";
import { contentNodes, pretty } from "./value_view.js";
import { verdictList } from "./verdict_view.js";
import { inline, textBlock } from "./visible_text.js";

const BY_WORDS_UP_TO = 20_000;
const BY_LINES_UP_TO = 200_000;

/** Filled once both rows are there. */
export function comparedCase(change, rowText) {
  const node = el("div", { class: "compared" }, el("p", { class: "nothing" }, "Reading …"));
  const read = async (side) => (change[side] ? decisive(readRow(await rowText(side, change[side].position))) : null);
  Promise.all([read("before"), read("after")]).then(
    (runs) => node.replaceChildren(...columnsOf(...runs)),
    (problem) => node.replaceChildren(el("p", { class: "is-bad" }, "It cannot be read: ", inline(problem.message))),
  );
  return node;
}

/** The run that explains the case's status. */
function decisive(row) {
  const all = runsOf(row);
  return all.find((run) => run.status === row.status) ?? all[0];
}

function columnsOf(before, after) {
  const sides = [before, after].filter(Boolean);
  const grid = el("div", { class: sides.length > 1 ? "columns is-pair" : "columns" });
  const line = (nodes) => {
    if (nodes.length > 1) nodes[1].classList.add("is-after");
    if (nodes.some((node) => node.childNodes.length)) grid.append(...nodes);
  };
  line(sides.map((run) => headOf(run, sides.length > 1 ? (run === before ? "Before" : "After") : "")));
  const turns = sides.map((run) => turnsOf(run).filter((turn) => turn.skip_reason === undefined));
  for (let at = 0; at < Math.max(...turns.map((one) => one.length)); at += 1) {
    const pair = turns.map((one) => one[at]);
    line(lines(pair));
    line(pair.map((turn) => cell(turn && (turn.tool_calls ?? []).map((call) => toolCard(call, turn)))));
    line(replies(pair));
  }
  line(sides.map((run) => cell(verdictList("Checks that did not hold", unsuccessful(run)))));
  return [grid];
}

function cell(...children) {
  return el("div", { class: "cell" }, ...children);
}

function headOf(run, label) {
  const bad = FAILING.includes(run.status);
  return cell(
    el(
      "p",
      { class: `side-head is-${run.status}` },
      label && el("b", {}, label),
      statusMark(run.status, { silent: true }),
      `${STATUS_WORDS[run.status] ?? run.status} · ${duration(run.duration_ms ?? 0)}`,
    ),
    bad && run.error && textBlock(run.error, { class: "is-bad" }),
  );
}

function said(turn) {
  const head = el("p", { class: "who" }, `Turn ${turn.turn}`);
  return el("div", { class: "bubble from-user" }, head, contentNodes(turn.input));
}

/** What was said to the agent; once, when it was the same. */
function lines(pair) {
  const [first, second] = pair;
  if (!first || !second || JSON.stringify(first.input) !== JSON.stringify(second.input))
    return pair.map((turn) => cell(turn && said(turn)));
  const both = cell(said(first));
  both.classList.add("of-both");
  return [both];
}

/** Both replies of a turn; where there are two, what differs is marked. */
function replies(pair) {
  const texts = pair.map((turn) => turn && replyText(turn));
  const present = texts.filter((text) => text !== undefined);
  if (pair.length < 2 || present.length < 2 || texts[0] === texts[1])
    return texts.map((text) => cell(text !== undefined && comparedReply(textBlock(text))));
  return marked(...texts).map((node) => cell(comparedReply(node)));
}

function comparedReply(body) {
  return el("div", { class: "bubble from-agent" }, body);
}

function replyText(turn) {
  const { texts, data } = answerOf(turn);
  const parts = data === undefined ? texts : [...texts, pretty(data)];
  return parts.join("\n\n") || "(said nothing)";
}

function marked(before, after) {
  const length = before.length + after.length;
  if (length > BY_LINES_UP_TO) return [textBlock(before), textBlock(after)];
  const cut = length > BY_WORDS_UP_TO ? /(\n)/ : /(\s+)/;
  const steps = joined(changes(before.split(cut).filter(Boolean), after.split(cut).filter(Boolean)));
  return [oldSide(steps), newSide(steps)];
}

/** Steps with the spaces between changed words changed too: whole phrases are easier to read than their words. */
function joined(steps) {
  const changed = (at) => steps[at] !== undefined && steps[at][0] !== "same";
  return steps.flatMap((step, at) => {
    const between = step[0] === "same" && !step[1].trim() && changed(at - 1) && changed(at + 1);
    return between ? [["gone", step[1]], ["new", step[1]]] : [step];
  });
}

function unsuccessful(run) {
  const ofTurns = turnsOf(run).flatMap((turn) => turn.assertions ?? []);
  const all = [...ofTurns, ...(run.assertions ?? []), ...(run.final_assertions ?? [])];
  return all.filter((verdict) => !verdict.passed && verdict.outcome !== "skipped");
}
