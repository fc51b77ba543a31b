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
  const prepare = async (printing) => {
    onPrint(printing);
    sheet.replaceChildren();
    document.body.classList.toggle("prints-one-case", printing && opened() >= 0);
    if (printing) sheet.replaceChildren(...(await printedCases(source, opened() >= 0 ? [opened()] : listed())));
  };
  // What promises already kept build is there before the paper is laid out.
  addEventListener("beforeprint", () => prepare(true));
  addEventListener("afterprint", () => prepare(false));
  matchMedia("print").addEventListener("change", (medium) => prepare(medium.matches));
  return sheet;
}

async function printedCases(source, positions) {
  const wanted =
    positions.length === 1 ? positions : positions.filter((at) => FAILING.includes(source.heads[at].status));
  const nodes = [];
  for (const at of wanted.slice(0, MOST_CASES)) {
    const row = readRow(await source.rowText(at));
    nodes.push(el("article", { class: "printed-case" }, caseHeading(row), caseBody(row, { detailed: true })));
  }
  if (wanted.length > MOST_CASES)
    nodes.push(
      el(
        "p",
        { class: "nothing" },
        `${count(wanted.length - MOST_CASES, "more failure")}: filter the list to print them.`,
      ),
    );
  return nodes;
}
