// Talk: a conversation with one of the project's agents.
import { el, fold } from "./dom.js";
import { ask, listen, post } from "./http.js";
import { icon } from "./icons.js";
import { siteNav } from "./site_nav.js";
import { answerPanel } from "./talk_answers.js";
import { talkComposer } from "./talk_composer.js";
import { talkControls } from "./talk_controls.js";
import { liveTurn } from "./talk_live.js";
import { saveDialog } from "./talk_save.js";
import { themeButton } from "./theme.js";
import { toast } from "./toast.js";
import { turnView } from "./turn_view.js";
import { inline, textBlock } from "./visible_text.js";

const NEARLY_AT_THE_END = 120;
const root = document.getElementById("viva");
let talk = null;

const controls = talkControls({ onStart: start, onEnd: end, onSave: () => saving.open(talk.id) });
const turns = el("div", { class: "talk-turns", role: "log", "aria-label": "Conversation" });
const current = el("div", { class: "talk-current" });
const welcome = el(
  "div",
  { class: "talk-welcome" },
  icon("talk"),
  el("p", {}, el("strong", {}, "Choose an agent and start.")),
  el("p", {}, "See every tool call, answer its questions, and keep a good conversation as a test."),
  el("p", { class: "why" }, "This calls the real agent, as a run does: it may cost something."),
);
const status = el("p", { class: "talk-status", role: "status" });
const answers = answerPanel({ onAnswer: (given) => say({ answers: given }) });
const composer = talkComposer({ onSay: (content) => say({ content }) });
const saving = saveDialog();

root.replaceChildren(
  el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Talk"), themeButton()),
  el(
    "main",
    { class: "talk" },
    el("div", { class: "runs-heading" }, el("h1", {}, "Talk"), controls.node),
    el("div", { class: "talk-frame" }, welcome, turns, current, status),
    el("div", { class: "talk-foot" }, answers.node, composer.node),
    keysOfTalk(),
  ),
  saving.node,
);
showIdle();

try {
  const known = await ask("agents");
  controls.offer(known);
  if (!known.agents.length) {
    status.replaceChildren("There is no agent in this project yet. Add one under ", el("code", {}, "agents:"), " in viva.yaml.");
  }
  if (talkInAddress()) follow(talkInAddress());
  // The conversations before this one are a step back: they can still be read and saved.
  addEventListener("popstate", async () => {
    if (talkInAddress() === (talk?.id ?? null)) return;
    await leave();
    if (talkInAddress()) follow(talkInAddress());
    else showIdle();
  });
} catch (problem) {
  status.replaceChildren("No agent can be talked to here: ", inline(problem.message));
}

function talkInAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("talk");
}

async function start(agent) {
  await leave();
  try {
    const { id } = await post("talks", { agent });
    history.pushState(null, "", `#${new URLSearchParams({ talk: id })}`);
    composer.focusSoon();
    follow(id);
  } catch (problem) {
    showIdle();
    status.replaceChildren(callout("It cannot be started: ", problem.message));
  }
}

/** A conversation that another one takes the place of is ended: its agent may cost something. */
async function leave() {
  const before = talk;
  talk = null;
  turns.replaceChildren();
  current.replaceChildren();
  status.textContent = "";
  // Nobody hears a line that is said between two conversations.
  composer.show({ ready: false, waiting: false, over: before === null });
  answers.show([]);
  if (!before) return;
  before.events.close();
  if (before.now?.state !== "ended") await post(`talks/${before.id}/end`, {}).catch(() => null);
}

function follow(id) {
  welcome.hidden = true;
  const mine = { id, now: null, turns: 0, failed: null, events: null };
  talk = mine;
  const heard = (handle) => (news) => mine === talk && handle(news);
  mine.events = listen(`talks/${id}/events`, {}, { turn: heard(addTurn), now: heard(show) });
  mine.events.addEventListener("error", () => {
    if (mine !== talk || mine.events.readyState !== EventSource.CLOSED || mine.now?.state === "ended") return;
    talk = null;
    showIdle();
    welcome.hidden = true;
    status.textContent = "That conversation is not kept any more. Start a new one.";
  });
}

function addTurn({ row, failed }) {
  current.replaceChildren();
  const view = turnView(row, { detailed: true });
  if (failed) {
    view.classList.add("is-unanswered");
    view.append(el("p", { class: "why" }, "No answer: this line is not part of the conversation. It can be said again."));
    composer.restore(row.input);
  } else {
    talk.turns += 1;
  }
  talk.last = failed ? talk.last : row;
  turns.append(view);
}

function show(now) {
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - NEARLY_AT_THE_END;
  const begins = talk.now?.state !== now.state;
  if (talk.now === null) controls.choose(now.agent);
  talk.now = now;
  const ready = now.state === "ready";
  const asked = ready ? (talk.last?.interrupts ?? []) : [];
  controls.show({ now, turns: talk.turns });
  answers.show(asked);
  composer.show({ ready, waiting: asked.length > 0, over: now.state === "ended" });
  if (now.state === "answering") current.replaceChildren(liveTurn(now, current));
  else current.replaceChildren();
  if (now.state === "ended") showEnd(now);
  else sayStatus(now, asked);
  // Whoever scrolled up to read something stays there while the answer comes.
  if (begins || atEnd) scrollTo({ top: document.documentElement.scrollHeight });
}

function sayStatus(now, asked) {
  const words = {
    opening: `Starting ${now.agent} …`,
    answering: "",
    ready: asked.length ? "The agent waits for your decision." : talk.turns ? "" : `${now.agent} is ready. Say something.`,
  };
  if (status.textContent !== words[now.state]) status.textContent = words[now.state];
}

function showEnd({ problem, printed }) {
  talk.events.close();
  status.replaceChildren(
    problem ? callout("The conversation broke off: ", problem) : "The conversation has ended.",
    printed.trim() ? fold("What the agent printed", () => textBlock(printed, { class: "logs" }), { class: "more" }) : "",
  );
}

function showIdle() {
  welcome.hidden = false;
  controls.show({ now: null, turns: 0 });
  composer.show({ ready: false, waiting: false, over: true });
  answers.show([]);
}

async function say(said) {
  try {
    await post(`talks/${talk.id}/say`, said);
    return true;
  } catch (problem) {
    toast(["Not sent: ", inline(problem.message)]);
    return false;
  }
}

async function end() {
  await post(`talks/${talk.id}/end`, {}).catch((problem) => toast(inline(problem.message)));
}

function callout(...words) {
  return el("div", { class: "callout is-bad", role: "alert" }, icon("error"), textBlock(words.join("")));
}

function keysOfTalk() {
  const meanings = [
    ["Enter", "say it"],
    ["Shift Enter", "new line"],
  ];
  return el("p", { class: "keys talk-keys" }, meanings.map(([key, meaning]) => [el("kbd", {}, key), ` ${meaning} `]));
}
