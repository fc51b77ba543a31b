// Which cases the heat map lists, and in which order. Pure.
import { STATUS_OF_LETTER } from "./heat.js";

const BY_NAME = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export const CASE_ORDERS = {
  worst: ["Worst first", (one) => [one.rate ?? 2, -one.flips]],
  flips: ["Most changes first", (one) => [-one.flips, one.rate ?? 2]],
  slow: ["Slowest first", (one) => [-(one.ms ?? 0)]],
  name: ["By file and id", () => []],
};

export const CASE_KINDS = {
  all: ["All cases", () => true],
  failing: ["Failing now", (one) => one.last !== null && one.last !== "P"],
  changing: ["Not always the same", (one) => one.flips > 0],
  never: ["Never passed", (one) => one.rate === 0],
};

/** A case of the server's answer with what its cells say. Its rate counts repeated runs each, as the page of the case does. */
export function withFigures(one) {
  const ran = [...one.cells].filter((letter) => letter in STATUS_OF_LETTER);
  let flips = 0;
  for (let at = 1; at < ran.length; at += 1) flips += (ran[at] === "P") !== (ran[at - 1] === "P");
  const file = one.key.slice(0, -one.id.length - 2);
  const rate = one.attempts ? one.passed / one.attempts : null;
  return { ...one, file, ran: ran.length, flips, rate, last: ran.at(-1) ?? null };
}

export function selectedCases(cases, { words, kind, order }) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cases.filter((one) => CASE_KINDS[kind][1](one) && holds(`${one.key} ${one.agent}`.toLowerCase(), wanted));
  const rank = CASE_ORDERS[order][1];
  const ranks = new Map(found.map((one) => [one, rank(one)]));
  return found.sort((left, right) => compareRanks(ranks.get(left), ranks.get(right)) || BY_NAME.compare(left.key, right.key));
}

function holds(text, words) {
  return words.every((word) => (/^-./.test(word) ? !text.includes(word.slice(1)) : text.includes(word)));
}

function compareRanks(left, right) {
  const at = left.findIndex((value, place) => value !== right[place]);
  return at < 0 ? 0 : left[at] - right[at];
}
