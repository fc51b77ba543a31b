// The open case, over the list.
import { runsOf } from "./case_rows.js";
import { caseBody, caseHeading } from "./case_view.js";
import { button, el } from "./dom.js";
import { copy } from "./download.js";
import { icon } from "./icons.js";
import { holdsTestCase, testCaseOf } from "./test_case.js";
import { showTurn } from "./turn_view.js";

/** The dialog; `historyHref(row)` leads to the case over time, where a server knows it. `onClose`, `onStep(±1)` and `onRun(number)` hear what the reader wants. */
export function caseDialog({ onClose, onStep, onRun, historyHref = null }) {
  const bar = el("div", { class: "case-bar" });
  const content = el("div", { class: "case-content" });
  const node = el("dialog", { class: "case", "aria-label": "Case" }, bar, content);
  node.addEventListener("cancel", (event) => {
    event.preventDefault();
    onClose();
  });
  node.addEventListener("click", (event) => event.target === node && onClose());

  function show(row, { openRun, openTurn = null, place, total }) {
    const heading = caseHeading(row);
    const run = runsOf(row).find((one) => one.run === openRun) ?? decisiveRun(row);
    const round = (name, label, click, attributes = {}) =>
      button({ class: "round", "aria-label": label, title: label, ...attributes, on: { click } }, icon(name));
    bar.replaceChildren(
      round("up", "Previous case", () => onStep(-1), { disabled: place <= 0, "aria-keyshortcuts": "k" }),
      round("down", "Next case", () => onStep(1), {
        disabled: place < 0 || place >= total - 1,
        "aria-keyshortcuts": "j",
      }),
      el("span", { class: "place-in-list" }, place < 0 ? "not in the list" : `${place + 1} of ${total}`),
      el("span", { class: "spring" }),
      historyHref ? el("a", { class: "quiet", href: historyHref(row) }, "Over time") : "",
      holdsTestCase(row, run)
        ? button(
            { class: "quiet", on: { click: () => copy(JSON.stringify(testCaseOf(row, run)), "Test case") } },
            icon("copy"),
            "Copy as test case",
          )
        : "",
      round("link", "Copy link", () => copy(location.href, "Link")),
      round("close", "Close", onClose, { "aria-keyshortcuts": "Escape" }),
    );
    content.replaceChildren(heading, caseBody(row, { openRun, onRun }));
    node.classList.toggle("wide", runsOf(row).length > 1);
    if (!node.open) node.showModal();
    content.scrollTop = 0;
    heading.querySelector("h2").focus({ preventScroll: true });
    if (openTurn) showTurn(content, openTurn);
  }

  return {
    node,
    show,
    close: () => node.close(),
    isOpen: () => node.open,
  };
}

/** The run that explains the case's status. */
function decisiveRun(row) {
  const runs = runsOf(row);
  return runs.find((run) => run.status === row.status) ?? runs[0];
}
