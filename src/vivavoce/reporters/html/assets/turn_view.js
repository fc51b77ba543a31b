// One turn as a chat: what was said to the agent, what it did, what it answered.
import { answerOf } from "./case_rows.js";
import { differencesIn, reasonsOf, restOfError } from "./failure_reasons.js";
import { el, fold } from "./dom.js";
import { duration, tokens } from "./format.js";
import { icon } from "./icons.js";
import { toolCard } from "./tool_card.js";
import { contentNodes, jsonBlock, saidBlock } from "./value_view.js";
import { verdictList } from "./verdict_view.js";
import { inline, textBlock } from "./visible_text.js";

const SPEAKERS = {
  static: ["user", "User"],
  simulator: ["simulator", "Simulated user"],
  interactive: ["person", "Person"],
};
const ROLES = { user: "user", assistant: "agent" };

/** `detailed` also unfolds the tool calls: for paper. */
export function turnView(turn, { detailed = false, nearest = [] } = {}) {
  if (turn.skip_reason !== undefined) {
    return el(
      "section",
      { class: "turn not-taken", "aria-label": `Turn ${turn.turn}` },
      turnHead(turn),
      textBlock(`Never taken: ${turn.skip_reason}`, { class: "nothing" }),
    );
  }
  const { texts, data } = answerOf(turn);
  const calls = turn.tool_calls ?? [];
  const stopped = turn.interrupts ?? [];
  // What the checks below say is not said twice.
  const unexplained = turn.error && restOfError(turn.error, reasonsOf({ turns: [{ ...turn, error: undefined }] }));
  const silent = !texts.length && data === undefined && !turn.error && !turn.exchange_error && !stopped.length;
  return el(
    "section",
    { class: "turn", "aria-label": `Turn ${turn.turn}`, "data-turn": turn.turn, tabindex: "-1" },
    turnHead(turn),
    userBubble(turn),
    calls.length > 0 &&
      el(
        "div",
        { class: "calls" },
        calls.map((call) => {
          const differences = differencesIn(call, turn.turn, nearest);
          return toolCard(call, turn, { differences, open: detailed || Boolean(call.error) || differences.size > 0 });
        }),
      ),
    (texts.length > 0 || data !== undefined) &&
      agentBubble([texts.map(saidBlock), data !== undefined && jsonBlock(data)]),
    silent && agentBubble(el("p", { class: "nothing" }, "(said nothing)")),
    stopped.map((one) => agentBubble(interruptNode(one))),
    unexplained && el("div", { class: "callout is-bad" }, icon("error"), textBlock(unexplained)),
    turn.exchange_error &&
      !turn.error?.endsWith(turn.exchange_error) &&
      el("div", { class: "callout is-bad" }, icon("error"), textBlock(turn.exchange_error)),
    flags(turn),
    asides(turn),
    verdictList(`Checks of turn ${turn.turn}`, turn.assertions),
  );
}

function turnHead(turn) {
  const facts = [turn.skip_reason === undefined && duration(turn.duration_ms ?? 0), turn.usage && tokens(turn.usage)];
  return el(
    "p",
    { class: "turn-head" },
    el("b", {}, `Turn ${turn.turn}`),
    facts.filter(Boolean).map((fact) => ` · ${fact}`),
  );
}

function userBubble(turn) {
  const [kind, role] = SPEAKERS[turn.input_source ?? "static"] ?? SPEAKERS.static;
  const label = turn.speaker ? `${role}, ${turn.speaker}` : role;
  if (turn.resume?.length && !turn.input?.length)
    return bubble(
      kind,
      label,
      fold("Answers an interrupt", () => jsonBlock(turn.resume), { open: true, class: "more" }),
    );
  return bubble(
    kind,
    label,
    contentNodes(turn.input),
    turn.goal_achieved && el("p", { class: "flag" }, icon("flag"), "says its goal is reached"),
    turn.note && fold("Why it said so", () => textBlock(turn.note), { class: "more" }),
    turn.resume?.length > 0 && fold("Answers an interrupt", () => jsonBlock(turn.resume), { class: "more" }),
  );
}

function agentBubble(body) {
  return bubble("agent", "Agent", body);
}

/** What the agent stopped for; all of it is folded away below the turn. */
function interruptNode({ message, reason, tool_name: tool }) {
  const about = message ?? reason ?? "waits for an answer";
  return el(
    "p",
    { class: "stopped" },
    icon("waiting"),
    el("span", {}, "Stopped: ", inline(about), tool && [" (", el("code", {}, inline(tool)), ")"]),
  );
}

function bubble(kind, label, ...body) {
  return el("div", { class: `bubble from-${kind}` }, el("p", { class: "who" }, inline(label)), body);
}

function flags(turn) {
  const reached = turn.checkpoints_reached ?? [];
  const finish = turn.finish_reason && !["stop", "end_turn"].includes(turn.finish_reason);
  if (!turn.awaiting_input && !reached.length && !finish) return null;
  return el(
    "p",
    { class: "flags" },
    turn.awaiting_input &&
      el(
        "span",
        { class: "flag", title: `how viva knows: ${turn.awaiting_reason}` },
        icon("waiting"),
        "awaiting input",
        turn.input_hint && [": ", inline(turn.input_hint)],
      ),
    reached.map((id) => el("span", { class: "flag is-good" }, icon("flag"), inline(id))),
    finish && el("span", { class: "flag" }, "finished: ", inline(turn.finish_reason)),
  );
}

/** What else is known of the turn, folded away. */
function asides(turn) {
  const listed = [
    ["Interrupts", turn.interrupts],
    ["Results of earlier calls", turn.late_results],
    ["Not read from the answer", turn.unread],
    ["Warnings", turn.warnings],
    ["Trace", turn.trace],
  ];
  return [
    turn.violations?.length > 0 &&
      fold(`Protocol violations (${turn.violations.length})`, () => violationList(turn.violations), { class: "more" }),
    listed
      .filter(([, values]) => values?.length)
      .map(([title, values]) => fold(`${title} (${values.length})`, () => jsonBlock(values), { class: "more" })),
    turn.state !== undefined && fold("State", () => jsonBlock(turn.state), { class: "more" }),
    turn.logs && fold("Logs", () => textBlock(turn.logs, { class: "logs" }), { class: "more" }),
  ];
}

function violationList(violations) {
  return el("ul", { class: "violations" }, violations.map((text) => el("li", {}, textBlock(text))));
}

/** Scrolls to a turn of a run and puts the cursor there. */
export function showTurn(within, number) {
  const found = within?.querySelector(`.turn[data-turn="${number}"]`);
  if (!found) return;
  found.scrollIntoView({ block: "start" });
  found.focus({ preventScroll: true });
}

/** What was said before the first turn. */
export function historyView(messages = []) {
  if (!messages.length) return null;
  return fold(
    `${messages.length} earlier ${messages.length === 1 ? "message" : "messages"}`,
    () =>
      messages.map((message) =>
        bubble(
          ROLES[message.role] ?? "other",
          message.role,
          contentNodes(message.content),
          message.tool_calls && jsonBlock(message.tool_calls),
        ),
      ),
    { class: "history more" },
  );
}
