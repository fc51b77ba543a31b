// The changes by kind, and each as a line.
import { el } from "./dom.js";
import { duration } from "./format.js";
import { statusMark } from "./icons.js";
import { inline } from "./visible_text.js";

const KINDS = [
  ["new_failure", "New failures", "is-failed"],
  ["less_steady", "Less steady", "is-failed"],
  ["within_chance", "Passed this time, within chance", "is-timeout"],
  ["fixed", "Fixed", "is-passed"],
  ["steadier", "Steadier", "is-passed"],
  ["still_failing", "Still failing", "is-error"],
  ["no_longer_judged", "No longer judged", "is-skipped"],
  ["added", "Added", "is-skipped"],
  ["removed", "Removed", "is-skipped"],
];

/** Groups that have cases. `own` are those that stand in no other group. */
export function changeGroups(changes) {
  const groups = KINDS.map(([name, title, tone]) => {
    const cases = changes.filter((change) => change.change === name);
    return { name, title, tone, cases, own: cases };
  });
  const same = changes.filter((change) => change.change === "same");
  const slower = changes.filter((change) => change.slower);
  const talking = changes.filter((change) => change.replies_differ);
  return [
    ...groups,
    { name: "slower", title: "Slower", tone: "is-timeout", cases: slower, own: same.filter((change) => change.slower) },
    {
      name: "replies",
      title: "Other replies",
      tone: "is-skipped",
      cases: talking,
      own: same.filter((change) => change.replies_differ && !change.slower),
    },
  ].filter((group) => group.cases.length);
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
  ];
}

function factsOf({ before, after, slower, chance, replies_differ }) {
  const facts = [];
  if (chance !== null && chance !== undefined) {
    const odds = chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`;
    facts.push(`${before.passed}/${before.runs} → ${after.passed}/${after.runs} runs, by chance ${odds}`);
  }
  if (slower) facts.push(`${duration(before.duration_ms)} → ${duration(after.duration_ms)}`);
  if (replies_differ) facts.push("other replies");
  return facts;
}
