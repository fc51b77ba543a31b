// What the agent stopped for, and the person's decision about each.
import { button, el } from "./dom.js";
import { icon } from "./icons.js";
import { jsonBlock } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

const DECISIONS = [
  ["approve", "Approve"],
  ["decline", "Decline"],
  ["cancel", "Cancel it"],
];

/** `onAnswer(answers)` hears the decisions about all open interrupts at once. */
export function answerPanel({ onAnswer }) {
  const node = el("section", { class: "talk-answers", "aria-label": "The agent waits for your decision" });
  let shown = "";

  function show(interrupts) {
    const said = JSON.stringify(interrupts);
    if (said === shown) return;
    shown = said;
    node.hidden = interrupts.length === 0;
    const decided = new Map();
    const decide = (id, kind) => {
      decided.set(id, kind);
      if (decided.size === interrupts.length)
        onAnswer(interrupts.map((one) => ({ id: one.id, kind: decided.get(one.id) })));
    };
    node.replaceChildren(...interrupts.map((one) => question(one, decide)));
  }

  show([]);
  return { node, show };
}

function question(interrupt, decide) {
  const group = el(
    "div",
    { class: "talk-question", role: "group", "aria-label": interrupt.message ?? interrupt.reason ?? "A question" },
    el(
      "div",
      { class: "talk-asked" },
      icon("waiting"),
      el("div", {}, textBlock(interrupt.message ?? interrupt.reason ?? "The agent wants an answer."), facts(interrupt)),
    ),
    interrupt.payload !== undefined && interrupt.payload !== null && jsonBlock(interrupt.payload),
  );
  const buttons = DECISIONS.map(([kind, label]) =>
    button({ class: kind === "approve" ? "primary" : "quiet", on: { click: () => chosen(kind) } }, label),
  );
  const chosen = (kind) => {
    buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(DECISIONS[at][0] === kind)));
    decide(interrupt.id, kind);
  };
  group.append(el("div", { class: "talk-decisions" }, buttons));
  return group;
}

function facts({ reason, message, tool_name: tool }) {
  const known = [tool && ["tool ", el("code", {}, inline(tool))], message && reason && ["reason ", inline(reason)]];
  const told = known.filter(Boolean);
  return told.length ? el("p", { class: "facts" }, told.map((one, at) => [at ? " · " : "", one])) : null;
}
