// The changes by kind, and each as a line.
import { el } from "./dom.js";
import { duration, money } from "./format.js";
import { statusMark } from "./icons.js";
import { pretty } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

const KINDS = [
  ["new_failure", "New failures", "is-failed"],
  ["less_steady", "Less steady", "is-failed"],
  ["within_chance", "Passed this time, within chance", "is-timeout"],
  ["fixed", "Fixed", "is-passed"],
  ["steadier", "Steadier", "is-passed"],
  ["still_failing", "Still failing", "is-error"],
  ["no_longer_judged", "No longer judged", "is-skipped"],
  ["added", "Added", "is-skipped"],
  ["removed", "Not in the later run", "is-skipped"],
];

/** Groups that have cases. `own` are those that stand in no other group. */
export function changeGroups(changes) {
  const groups = KINDS.map(([name, title, tone]) => {
    const cases = changes.filter((change) => change.change === name);
    return { name, title, tone, cases, own: cases };
  });
  const same = changes.filter((change) => change.change === "same");
  const slower = changes.filter((change) => change.slower);
  const calling = changes.filter((change) => change.calls_differ);
  const dearer = changes.filter((change) => change.dearer);
  const talking = changes.filter((change) => change.replies_differ);
  const kinds = [
    ["calls", "Other tool calls", "is-timeout", calling],
    ["slower", "Slower", "is-timeout", slower],
    ["dearer", "Dearer", "is-timeout", dearer],
    ["replies", "Other replies", "is-skipped", talking],
  ];
  // A case judged as before stands in the first of these groups that it belongs to.
  const placed = new Set();
  const conduct = kinds.map(([name, title, tone, cases]) => {
    const own = same.filter((change) => cases.includes(change) && !placed.has(change));
    for (const change of own) placed.add(change);
    return { name, title, tone, cases, own };
  });
  return [...groups, ...conduct].filter((group) => group.cases.length);
}

export function changeLine(change) {
  const { before, after } = change;
  return [
    el(
      "span",
      { class: "change-marks" },
      before ? statusMark(before.status) : el("span", { class: "no-mark" }, "–"),
      el("span", { "aria-label": "then" }, "→"),
      after ? statusMark(after.status) : el("span", { class: "no-mark" }, "–"),
    ),
    el("code", { class: "change-id" }, inline(change.id)),
    el("span", { class: "change-name" }, inline(change.name ?? "")),
    el("span", { class: "change-facts" }, factsOf(change).map((fact) => el("span", { class: "tag" }, fact))),
    el("span", { class: "change-why" }, whyNodes(change)),
  ];
}

const CALL_SIGNS = { added: "+", dropped: "−", changed: "~", moved: "→" };
const CALLS_SHOWN = 8;

/** Why it does not pass, and which tool calls are not as they were: readable without opening anything. */
function whyNodes({ reason, calls = [] }) {
  return [
    reason && textBlock(reason.slice(0, 500), { class: "is-bad" }),
    ...calls.slice(0, CALLS_SHOWN).map((call) => el("code", { class: `call-change is-${call.kind}` }, callWords(call))),
    calls.length > CALLS_SHOWN && el("span", {}, `… ${calls.length - CALLS_SHOWN} more calls`),
  ].filter(Boolean);
}

function callWords({ kind, before, after }) {
  const call = after ?? before;
  const turns = before && after && before.turn !== after.turn ? `, turn ${before.turn} → turn ${after.turn}` : "";
  const args = kind === "changed" ? `${shortArgs(before)} → ${shortArgs(after)}` : shortArgs(call);
  return inline(`${CALL_SIGNS[kind]} ${kind}: ${call.name}(${args})${turns}`);
}

function shortArgs(call) {
  const text = call.args === undefined || call.args === null ? "" : pretty(call.args).replace(/\s+/g, " ");
  const failed = call.failed ? ", failed" : "";
  return (text.length > 160 ? `${text.slice(0, 160)}…` : text) + failed;
}

function factsOf({ before, after, slower, dearer, chance, replies_differ, calls_differ }) {
  const facts = [];
  if (chance !== null && chance !== undefined) {
    const odds = chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`;
    facts.push(`${before.passed}/${before.runs} → ${after.passed}/${after.runs} runs, by chance ${odds}`);
  }
  if (slower) facts.push(`${duration(before.duration_ms)} → ${duration(after.duration_ms)}`);
  if (dearer) facts.push(spent(before, after));
  if (calls_differ) facts.push("other tool calls");
  if (replies_differ) facts.push("other replies");
  return facts;
}

function spent(before, after) {
  const known = before.cost !== null && after.cost !== null && before.cost !== undefined && after.cost !== undefined;
  if (known) return `${money(before.cost)} → ${money(after.cost)}`;
  return `${Math.round(before.tokens)} → ${Math.round(after.tokens)} tokens`;
}
