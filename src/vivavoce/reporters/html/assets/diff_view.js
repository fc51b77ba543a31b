// What was found (red, `del`) against what was wanted (green, `ins`): word by word for a line of text, line by line
// for longer text and JSON.
import { el, fold } from "./dom.js";
import { changes } from "./line_diff.js";
import { pretty, readAlike, valueBlock } from "./value_view.js";
import { withMarks } from "./visible_text.js";

const COMPARED_UP_TO = 200_000;
const KEPT_AROUND = 3;

/** `names` are what the two sides are called: one reply against another is neither wanted nor found. */
export function diffView(expected, actual, names = ["wanted", "found"]) {
  if (isNever(expected)) return pair(["not ", valueBlock(expected.never)], valueBlock(actual), names);
  const exact = readAlike(expected, actual);
  const comparable = typeof expected === typeof actual && Array.isArray(expected) === Array.isArray(actual);
  if (comparable && expected !== null && actual !== null) {
    if (typeof expected === "object") return lineDiff(sortedJson(expected, exact), sortedJson(actual, exact), names);
    if (typeof expected === "string" && (expected.includes("\n") || actual.includes("\n"))) {
      return lineDiff(expected, actual, names);
    }
    if (typeof expected === "string") return wordDiff(expected, actual, names);
  }
  return pair(valueBlock(expected, { exact }), valueBlock(actual, { exact }), names);
}

/** What a check wants not to be there. */
function isNever(expected) {
  return expected !== null && typeof expected === "object" && Object.keys(expected).join() === "never";
}

function pair(expected, actual, [wanted, found]) {
  return el(
    "dl",
    { class: "pair" },
    el("dt", { class: "is-wanted" }, wanted),
    el("dd", { class: "is-wanted" }, expected),
    el("dt", { class: "is-found" }, found),
    el("dd", { class: "is-found" }, actual),
  );
}

/** The arguments or results of the nearest call that differ, one pair each. */
export function differenceList(differences) {
  return differences.map((part) => {
    const path = part.path || "value";
    const wanted = Object.hasOwn(part, "not_expected") ? { not: part.not_expected } : part.expected;
    const wantsNothing = wanted === undefined;
    const exact = readAlike(part.expected ?? part.not_expected, part.actual);
    return el(
      "dl",
      { class: "pair" },
      el("dt", { class: "is-wanted" }, `${path} wanted`),
      el("dd", { class: "is-wanted" }, wantsNothing ? "(nothing)" : valueBlock(wanted, { exact })),
      el("dt", { class: "is-found" }, `${path} found`),
      el("dd", { class: "is-found" }, Object.hasOwn(part, "actual") ? valueBlock(part.actual, { exact }) : "(missing)"),
    );
  });
}

function wordDiff(expected, actual, names) {
  const steps = expected.length + actual.length > COMPARED_UP_TO ? [] : changes(wordsOf(actual), wordsOf(expected));
  const kept = steps.filter(([kind, word]) => kind === "same" && word.trim()).length;
  // Two texts with next to nothing in common are easier to read unmarked.
  if (kept * 3 < wordsOf(expected).filter((word) => word.trim()).length)
    return pair(valueBlock(expected), valueBlock(actual), names);
  return pair(newSide(steps), oldSide(steps), names);
}

/** The text before the steps of `changes`, with what went away marked. */
export function oldSide(steps) {
  return markedSide(steps, "gone", "del");
}

/** The text after them, with what is new marked. */
export function newSide(steps) {
  return markedSide(steps, "new", "ins");
}

function markedSide(steps, changed, tag) {
  const own = steps.filter(([kind]) => kind === "same" || kind === changed);
  const nodes = own.map(([kind, words]) => (kind === "same" ? withMarks(words) : el(tag, {}, withMarks(words))));
  return el("div", { class: "text", dir: "auto" }, nodes);
}

function wordsOf(text) {
  return text.split(/(\s+)/).filter(Boolean);
}

function lineDiff(expected, actual, names) {
  if (expected.length + actual.length > COMPARED_UP_TO) return pair(valueBlock(expected), valueBlock(actual), names);
  const steps = changes(actual.split("\n"), expected.split("\n"));
  return el(
    "div",
    { class: "diff" },
    el("p", { class: "diff-key" }, el("del", {}, `− ${names[1]}`), " ", el("ins", {}, `+ ${names[0]}`)),
    el(
      "div",
      { class: "diff-lines", role: "group", "aria-label": `difference between ${names[1]} and ${names[0]}`, tabindex: "0" },
      grouped(steps).map(diffGroup),
    ),
  );
}

/** Runs of equal steps, so that long unchanged stretches can be folded. */
function grouped(steps) {
  const groups = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && last[0][0] === step[0]) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

function diffGroup(steps, at, groups) {
  if (steps[0][0] !== "same" || steps.length <= 3 * KEPT_AROUND) return steps.map(diffLine);
  const head = at === 0 ? [] : steps.slice(0, KEPT_AROUND);
  const tail = at === groups.length - 1 ? [] : steps.slice(-KEPT_AROUND);
  const middle = steps.slice(head.length, steps.length - tail.length);
  return [
    head.map(diffLine),
    fold(`${middle.length} unchanged lines`, () => middle.map(diffLine), { class: "unchanged" }),
    tail.map(diffLine),
  ];
}

function diffLine([kind, line]) {
  const tag = { same: "div", gone: "del", new: "ins" }[kind];
  const sign = { same: " ", gone: "−", new: "+" }[kind];
  return el(tag, { class: "diff-line" }, el("span", { class: "sign" }, sign), el("bdi", {}, withMarks(line)));
}

function sortedJson(value, exact) {
  return pretty(withSortedKeys(value), { exact });
}

function withSortedKeys(value) {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== "object" || isExactNumber(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, withSortedKeys(value[key])]),
  );
}

/** A number too long for JavaScript, kept as it was written. */
function isExactNumber(value) {
  return JSON.isRawJSON?.(value) ?? false;
}
