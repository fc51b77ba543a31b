// Which agent is talked to, and the beginning and end of a conversation.
import { button, el } from "./dom.js";

/** `onStart(agent)`, `onEnd()` and `onSave()` hear what the person wants. */
export function talkControls({ onStart, onEnd, onSave }) {
  // Nobody can be chosen before the agents are known.
  const agent = el("select", { "aria-label": "Agent to talk to", disabled: true });
  const startButton = button({ class: "primary", disabled: true, on: { click: () => onStart(agent.value) } }, "Start");
  const endButton = button({ class: "quiet", on: { click: onEnd } }, "End");
  const saveButton = button({ class: "quiet", on: { click: onSave } }, "Save as test …");
  const node = el("div", { class: "talk-controls" }, agent, startButton, endButton, saveButton);

  function offer({ agents, default: chosen }) {
    agent.replaceChildren(...agents.map(({ name, kind }) => el("option", { value: name }, `${name} (${kind})`)));
    if (chosen && agents.some(({ name }) => name === chosen)) agent.value = chosen;
    agent.disabled = startButton.disabled = agents.length === 0;
  }

  /** `now` is null where no conversation was begun. */
  function show({ now, turns }) {
    const open = now !== null && now.state !== "ended";
    startButton.textContent = now ? "Start again" : "Start";
    startButton.className = open ? "quiet" : "primary";
    endButton.hidden = !open;
    saveButton.hidden = !now || turns === 0;
    saveButton.disabled = now?.state === "answering";
  }

  /** Another agent may be chosen for the next conversation while this one goes on. */
  function choose(name) {
    agent.value = name;
  }

  return { node, offer, choose, show };
}
