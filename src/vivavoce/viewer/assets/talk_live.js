// The answer as it comes: what was said, what is seen of the reply by now, and for how long it is waited for.
import { el } from "./dom.js";
import { toolCard } from "./tool_card.js";
import { contentNodes, jsonBlock } from "./value_view.js";
import { textBlock } from "./visible_text.js";

let began = null;

/** The turn that goes on; `place` is where it stands, so that the clock stops when it is gone. */
export function liveTurn({ input, resume, so_far: soFar, timeout_s: limit }, place) {
  if (!place.firstChild) began = performance.now();
  const clock = el("span", { class: "talk-clock" });
  const waiting = el(
    "p",
    { class: "talk-waiting" },
    el("i", { class: "pulse", "aria-hidden": "true" }),
    "Answering … ",
    clock,
  );
  tick(clock, limit);
  return el(
    "section",
    { class: "turn is-live", "aria-label": "Going on", "aria-busy": "true" },
    el(
      "div",
      { class: "bubble from-person" },
      el("p", { class: "who" }, "Person"),
      resume?.length ? jsonBlock(resume) : contentNodes(input),
    ),
    (soFar?.tool_calls ?? []).length > 0 &&
      el("div", { class: "calls" }, soFar.tool_calls.map((call) => toolCard(call, {}, { open: true }))),
    (soFar?.texts ?? []).map((text) =>
      el("div", { class: "bubble from-agent" }, el("p", { class: "who" }, "Agent"), textBlock(text)),
    ),
    waiting,
  );
}

function tick(clock, limit) {
  const since = began;
  const show = () => {
    if (since !== began || (clock.isConnected === false && clock.textContent)) return;
    const seconds = Math.floor((performance.now() - since) / 1000);
    const late = limit && seconds > limit + 5 ? ". The agent seems to hang: End stops it" : "";
    clock.textContent = `${seconds} s${late}`;
    setTimeout(show, 1000);
  };
  show();
}
