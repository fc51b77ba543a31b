// Cases from the page itself. Any other source of cases offers the same:
//
//   start, summary     the run's first and last row
//   heads              what the list shows of each case, with a `key` of its own
//   rowText(at)        a promise of the whole row as JSON text
//   searchable(at)     every word of the case in lower case
import { everyWordOf, readRow, withKeys } from "./case_rows.js";

export function embeddedSource(page) {
  const { start, summary } = JSON.parse(page.getElementById("run").textContent);
  const blocks = [...page.querySelectorAll("script.case")];
  const heads = withKeys(blocks.map((block) => JSON.parse(headText(block))));
  const words = new Array(heads.length);
  const rowText = (at) => blocks[at].textContent.slice(headText(blocks[at]).length + 1);
  const searchable = (at) => (words[at] ??= everyWordOf(heads[at], readRow(rowText(at))));
  readAhead(heads.length, searchable);
  return { start, summary, heads, rowText: async (at) => rowText(at), searchable };
}

function headText(block) {
  const text = block.textContent;
  return text.slice(0, text.indexOf("\n"));
}

/** Reads the cases while nobody waits, so that the first search is as quick as the next. */
function readAhead(total, read) {
  let at = 0;
  const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 30));
  const work = (deadline) => {
    while (at < total && deadline.timeRemaining() > 2) {
      read(at);
      at += 1;
    }
    if (at < total) idle(work);
  };
  idle(work);
}
