// On paper: the list in full, and what went wrong unfolded.
import { readRow } from "./case_rows.js";
import { caseBody, caseHeading } from "./case_view.js";
import { el } from "./dom.js";
import { count } from "./format.js";
import { FAILING } from "./icons.js";

const MOST_CASES = 200;

/** A part of the page that is filled when it is printed: with the open case, else with every listed failure. */
export function printSheet(source, { listed, opened, onPrint }) {
  const sheet = el("section", { class: "print-sheet", "aria-label": "Failures in full" });
  let printing = false;
  const prepare = async (wanted) => {
    if (wanted === printing) return;
    printing = wanted;
    const single = opened() >= 0;
    document.body.classList.toggle("prints-one-case", printing && single);
    onPrint(printing);
    sheet.replaceChildren();
    if (!printing) return;
    const nodes = await printedCases(source, single ? [opened()] : failuresAmong(listed()));
    if (printing) sheet.replaceChildren(...nodes);
  };
  const failuresAmong = (positions) => positions.filter((at) => FAILING.includes(source.heads[at].status));
  // What promises already kept build is there before the paper is laid out.
  addEventListener("beforeprint", () => prepare(true));
  addEventListener("afterprint", () => prepare(false));
  matchMedia("print").addEventListener("change", (medium) => prepare(medium.matches));
  return sheet;
}

async function printedCases(source, positions) {
  const nodes = [];
  for (const at of positions.slice(0, MOST_CASES)) {
    const row = readRow(await source.rowText(at));
    nodes.push(el("article", { class: "printed-case" }, caseHeading(row), caseBody(row, { detailed: true })));
  }
  const left = positions.length - MOST_CASES;
  if (left > 0) {
    nodes.push(el("p", { class: "nothing" }, `${count(left, "more failure")}: filter the list to print them.`));
  }
  return nodes;
}
