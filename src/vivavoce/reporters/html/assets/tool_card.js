// A tool call: what was asked, what came back, and when within its turn.
import { el, fold, svgEl } from "./dom.js";
import { duration } from "./format.js";
import { icon } from "./icons.js";
import { shortJson, valueBlock } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

const SHORT_ARGUMENTS = 90;

/** `differences` are what a check wanted otherwise, by the name of the argument. */
export function toolCard(call, turn, { open = false, differences = new Map() } = {}) {
  const failed = call.error !== undefined && call.error !== null;
  const answered = Object.hasOwn(call, "result");
  const took = call.start_ts && call.timestamp ? duration(call.timestamp - call.start_ts) : null;
  const state = failed ? "failed" : answered ? "" : "no result seen";
  const summary = [
    icon("tool"),
    el("code", { class: "tool-name" }, inline(call.name)),
    el("span", { class: "tool-args" }, inline(argumentWords(call.args))),
    differences.size > 0 && el("span", { class: "tool-state is-bad" }, "not as wanted"),
    call.frontend && el("span", { class: "tag", title: "A tool of the front end; viva answered it" }, "front end"),
    state && el("span", { class: failed ? "tool-state is-bad" : "tool-state" }, state),
    el("span", { class: "tool-time" }, took),
    timingBar(call, turn),
  ];
  const body = () => [
    part("Arguments", argumentsView(call.args, differences)),
    failed && part("Error", textBlock(call.error, { class: "is-bad" })),
    answered && part("Result", valueBlock(call.result)),
    differences.has("result") && wantedNote(differences.get("result")),
    !answered && !failed && part("Result", el("p", { class: "nothing" }, "No result was seen.")),
    call.id && el("p", { class: "facts" }, "id ", inline(call.id)),
  ];
  return fold(summary, body, { class: failed ? "tool is-failed" : "tool", open });
}

/** `order: 17, amount: 12.5`, cut where it gets long. */
function argumentWords(args) {
  if (args === null || typeof args !== "object") return args === undefined ? "" : String(args);
  const words = Object.entries(args).map(([name, value]) => `${name}: ${shortJson(value)}`).join(", ");
  return words.length > SHORT_ARGUMENTS ? `${words.slice(0, SHORT_ARGUMENTS)}…` : words;
}

/** The arguments as they are; where a check wanted others, one a line, with what it wanted. */
function argumentsView(args, differences) {
  const names = args !== null && typeof args === "object" && !Array.isArray(args) ? Object.keys(args) : [];
  const concerned = [...differences.keys()].filter((name) => name !== "result" && name !== "error");
  if (!concerned.length) return valueBlock(args);
  return el(
    "dl",
    { class: "arguments" },
    [...new Set([...names, ...concerned])].map((name) => {
      const difference = differences.get(name);
      return [
        el("dt", { class: difference ? "differs" : null }, el("code", {}, inline(name || "value"))),
        el(
          "dd",
          { class: difference ? "differs" : null },
          Object.hasOwn(args ?? {}, name) ? valueBlock(args[name]) : el("p", { class: "nothing" }, "missing"),
          difference && wantedNote(difference),
        ),
      ];
    }),
  );
}

function wantedNote(difference) {
  const without = Object.hasOwn(difference, "not_expected");
  const value = without ? difference.not_expected : difference.expected;
  const place = /[.[]/.test(difference.path ?? "") ? ` at ${difference.path}` : "";
  return el("div", { class: "wanted" }, el("b", {}, `${without ? "not wanted" : "wanted"}${place}`), " ", valueBlock(value ?? null));
}

function part(title, value) {
  return el("div", { class: "tool-part" }, el("h5", {}, title), value);
}

/** When the call ran, measured against its turn. */
function timingBar(call, turn) {
  const length = (turn.turn_end_ts ?? 0) - (turn.turn_start_ts ?? 0);
  const ended = call.timestamp ?? call.start_ts;
  if (length <= 0 || !ended) return null;
  const share = (ts) => Math.min(100, Math.max(0, (100 * (ts - turn.turn_start_ts)) / length));
  const from = share(call.start_ts ?? ended);
  const width = Math.max(share(ended) - from, 1);
  const within = (ts) => duration(ts - turn.turn_start_ts);
  const meaning = `from ${within(call.start_ts ?? ended)} to ${within(ended)} of a turn of ${duration(length)}`;
  return svgEl(
    "svg",
    { class: "timing", viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": meaning },
    svgEl("title", {}, meaning),
    svgEl("rect", { class: "track", width: 100, height: 6 }),
    svgEl("rect", { class: "span", x: Math.min(from, 99), width, height: 6 }),
  );
}
