// Which cases are listed, and in which order. Pure.
import { FAILING, STATUSES } from "./icons.js";

const NATURAL = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const RANK = Object.fromEntries(STATUSES.map((status, at) => [status, at]));

export const COLUMNS = {
  status: { title: "Status", of: (head) => RANK[head.status] ?? -1 },
  id: { title: "Id", of: (head) => head.id },
  name: { title: "Name", of: (head) => head.name ?? "" },
  duration: { title: "Duration", of: (head) => head.duration_ms ?? 0 },
  turns: { title: "Turns", of: (head) => head.turns ?? 0 },
  rate: { title: "Pass rate", of: (head) => head.pass_rate ?? (head.status === "passed" ? 100 : 0) },
};

/**
 * Positions of the cases that pass every filter, in the wanted order; without a column, those that did not pass first.
 * `found` are those that have the wanted words, where the source has looked for them. A word after a minus sign is
 * one that a case must not have.
 */
export function selectCases(source, filters, sort, found = null) {
  const positions = [];
  const wanted = queryWords(filters.q);
  source.heads.forEach((head, at) => {
    if (!passesChoices(head, filters)) return;
    if (wanted.length && !(found ? found.has(at) : holdsAll(source.searchable(at), wanted))) return;
    positions.push(at);
  });
  return sort.by ? inOrder(positions, source.heads, sort) : failuresFirst(positions, source.heads);
}

function passesChoices(head, { status, tag, tool, fault }) {
  return (
    (!status.length || status.includes(head.status)) &&
    isChosen(tag, head.tags ?? []) &&
    isChosen(tool, head.tools ?? []) &&
    isChosen(fault, head.fault ? [head.fault] : [])
  );
}

export const NOT = "!";

/** Whether a case with these values is wanted; a choice that begins with `!` is what it must not have. */
function isChosen(choice, values) {
  if (!choice) return true;
  return choice.startsWith(NOT) ? !values.includes(choice.slice(NOT.length)) : values.includes(choice);
}

/** `refund -paid` → that it has "refund" and not "paid". */
function queryWords(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => (/^-./.test(word) ? { word: word.slice(1), has: false } : { word, has: true }));
}

function holdsAll(text, words) {
  return words.every(({ word, has }) => text.includes(word) === has);
}

function failuresFirst(positions, heads) {
  const failing = (at) => FAILING.includes(heads[at].status);
  return [...positions.filter(failing), ...positions.filter((at) => !failing(at))];
}

function inOrder(positions, heads, { by, descending }) {
  const { of } = COLUMNS[by];
  const keys = new Map(positions.map((at) => [at, of(heads[at])]));
  const direction = descending ? -1 : 1;
  return positions.sort((left, right) => direction * compare(keys.get(left), keys.get(right)) || left - right);
}

function compare(left, right) {
  return typeof left === "string" ? NATURAL.compare(left, right) : left - right;
}

/** The values a filter offers, each with how many cases have it, most frequent first. */
export function valuesOf(heads, read) {
  const counts = new Map();
  for (const head of heads) for (const value of read(head)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1] || NATURAL.compare(left[0], right[0]));
}
