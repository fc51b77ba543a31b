// What the checks found.
import { diffView, differenceList } from "./diff_view.js";
import { el, fold } from "./dom.js";
import { statusMark, icon } from "./icons.js";
import { jsonBlock, valueBlock } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

const FOUND = new Set([
  "passed",
  "outcome",
  "reason",
  "expected",
  "actual",
  "negatable",
  "score",
  "details",
  "compiled",
  "spec",
]);
const MARKS = { passed: "passed", failed: "failed", broken: "error", skipped: "skipped" };

/** The assertion as its author wrote it, without what was found. */
export function assertionOf(verdict) {
  if (verdict.spec) return writtenSpec(verdict.spec);
  return Object.fromEntries(Object.entries(verdict).filter(([name]) => !FOUND.has(name)));
}

export function writtenSpec({ type, fields = {}, negate, message, path, written }) {
  if (written?.type) return written;
  return { type, ...fields, ...(negate && { negate }), ...(message && { message }), ...(path && { path }) };
}

export function verdictList(title, verdicts = []) {
  if (!verdicts.length) return null;
  const bad = verdicts.filter((verdict) => !verdict.passed && verdict.outcome !== "skipped").length;
  const tally = bad ? `${bad} of ${verdicts.length} did not hold` : `${verdicts.filter((v) => v.passed).length} held`;
  return el(
    "section",
    { class: "verdicts", "aria-label": title },
    el("h4", {}, title, el("span", { class: bad ? "tally is-bad" : "tally" }, tally)),
    verdicts.map(verdictView),
  );
}

function verdictView(verdict) {
  const outcome = verdict.outcome ?? (verdict.passed ? "passed" : "failed");
  const assertion = assertionOf(verdict);
  const summary = [
    statusMark(MARKS[outcome] ?? "error"),
    el(
      "span",
      { class: "verdict-title" },
      el("code", {}, assertion.negate && "not ", inline(assertion.type ?? "check")),
      " ",
      inline(inShort(assertion), { class: "verdict-wanted" }),
    ),
  ];
  const node = fold(summary, () => verdictBody(verdict, assertion), { class: "verdict", open: !verdict.passed });
  node.dataset.outcome = outcome;
  return node;
}

/** The heart of an assertion in a few words. */
function inShort({ type: _type, negate: _negate, message: _message, ...fields }) {
  const values = Object.values(fields).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const text = values.join(" · ");
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function verdictBody(verdict, assertion) {
  const has = (name) => Object.hasOwn(verdict, name);
  const differences = verdict.details?.diff?.length > 0 && verdict.details.diff;
  const suggestions = verdict.passed ? [] : [verdict.details?.suggestions ?? []].flat().map(String);
  return [
    verdict.reason && reasonText(verdict.reason, { class: "reason" }),
    verdict.details?.wrong_call && wrongCall(verdict.details.wrong_call),
    differences ? differenceList(differences) : !verdict.details?.wrong_call && has("expected") && has("actual") && diffView(verdict.expected, verdict.actual),
    has("expected") !== has("actual") && loneValue(verdict),
    has("score") && el("p", { class: "facts" }, `score ${Math.round(100 * verdict.score) / 100}`),
    suggestions.length > 0 && el("p", { class: "facts" }, `Suggestion: ${suggestions.join("; ")}`),
    fold("The check as written", () => jsonBlock(assertion), { class: "more" }),
    verdict.details && fold("Details", () => jsonBlock(verdict.details), { class: "more" }),
  ];
}

/** The call that a check is about, where it should not have been made. */
function wrongCall({ name, args }) {
  return el(
    "dl",
    { class: "pair" },
    el("dt", { class: "is-found" }, "the call"),
    el("dd", { class: "is-found" }, el("code", {}, inline(name)), " ", args !== undefined && valueBlock(args)),
  );
}

/** A reason; lines that are set in below its first one are a list. */
export function reasonText(reason, attributes = {}) {
  const [head, ...lines] = reason.split("\n  ");
  if (!lines.length || lines.some((line) => line.includes("\n"))) return textBlock(reason, attributes);
  return el("div", attributes, textBlock(head), el("ul", { class: "violations" }, lines.map((line) => el("li", {}, textBlock(line)))));
}

function loneValue(verdict) {
  const name = Object.hasOwn(verdict, "expected") ? "expected" : "actual";
  const kind = name === "expected" ? "wanted" : "found";
  const look = verdict.passed ? {} : { class: `is-${kind}` };
  return el("dl", { class: "pair" }, el("dt", look, kind), el("dd", look, valueBlock(verdict[name])));
}

export function checkpointList(checkpoints = []) {
  if (!checkpoints.length) return null;
  const reached = checkpoints.filter((checkpoint) => checkpoint.passed).length;
  const allNeeded = checkpoints.every((checkpoint) => checkpoint.passed || !checkpoint.required);
  return el(
    "section",
    { class: "verdicts", "aria-label": "Checkpoints" },
    el(
      "h4",
      {},
      "Checkpoints",
      el("span", { class: allNeeded ? "tally" : "tally is-bad" }, `${reached} of ${checkpoints.length} reached`),
    ),
    checkpoints.map(checkpointView),
  );
}

function checkpointView(checkpoint) {
  const missed = checkpoint.required ? "failed" : "skipped";
  const where = checkpoint.passed
    ? `reached at turn ${checkpoint.reached_at_turn}`
    : checkpoint.required
      ? "never reached"
      : "not reached (optional)";
  const summary = [
    checkpoint.passed ? icon("flag", "reached") : statusMark(missed),
    el("span", { class: "verdict-title" }, el("code", {}, inline(checkpoint.id)), " ", where, checkpoint.description && [" — ", inline(checkpoint.description)]),
  ];
  const body = () => [
    checkpoint.nearest_miss && [
      el("p", { class: "facts" }, "What came closest:"),
      textBlock(checkpoint.nearest_miss, { class: "reason" }),
    ],
    (checkpoint.assertions ?? []).map(verdictView),
  ];
  const node = fold(summary, body, { class: "verdict", open: !checkpoint.passed && checkpoint.required });
  node.dataset.outcome = checkpoint.passed ? "passed" : missed;
  return node;
}
