// Where the person writes: words, and files that go along.
import { button, el } from "./dom.js";
import { size } from "./format.js";
import { icon } from "./icons.js";
import { toast } from "./toast.js";
import { inline } from "./visible_text.js";

const LARGEST = 10 * 1024 * 1024;
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const SOUNDS = { "audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3" };

/** `onSay(content)` sends a line; it answers whether that worked. */
export function talkComposer({ onSay }) {
  let attached = [];
  let ready = false;
  let wanted = false;
  const words = el("textarea", { rows: 1, "aria-label": "Your message", on: { keydown: onKeyDown, input: grow } });
  const picker = el("input", { type: "file", multiple: true, hidden: true, on: { change: () => attach(picker.files) } });
  const chips = el("ul", { class: "talk-chips", "aria-label": "Attachments" });
  const attachButton = button(
    { class: "round", "aria-label": "Attach files", title: "Attach files", on: { click: () => picker.click() } },
    icon("attach"),
  );
  const sendButton = button({ class: "primary", on: { click: send } }, "Send");
  const node = el(
    "div",
    { class: "talk-composer", role: "group", "aria-label": "Say something" },
    chips,
    el("div", { class: "talk-line" }, attachButton, picker, words, sendButton),
  );
  node.addEventListener("dragover", (event) => event.preventDefault());
  node.addEventListener("drop", (event) => {
    event.preventDefault();
    attach(event.dataTransfer.files);
  });
  showChips();

  function onKeyDown(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  }

  async function send() {
    const text = words.value.trim();
    if (!ready || (!text && !attached.length)) return;
    const before = attached;
    const parts = attached.map(({ part }) => part);
    // Cleared at once: the answer may come before the server has said that the line was sent.
    clear();
    if (await onSay(parts.length ? [...(text ? [{ type: "text", text }] : []), ...parts] : text)) return;
    attached = before;
    showChips();
    restore(text);
  }

  async function attach(files) {
    for (const file of files) {
      if (file.size > LARGEST) toast([inline(file.name), ` is larger than ${size(LARGEST)}.`]);
      else attached.push({ name: file.name, bytes: file.size, part: partOf(file, await asDataUrl(file)) });
    }
    picker.value = "";
    showChips();
  }

  function showChips() {
    chips.hidden = attached.length === 0;
    chips.replaceChildren(...attached.map((one) => chip(one)));
  }

  function chip(one) {
    const remove = () => {
      attached = attached.filter((other) => other !== one);
      showChips();
      words.focus();
    };
    return el(
      "li",
      {},
      el("span", {}, inline(one.name), ` · ${size(one.bytes)}`),
      button({ class: "round", "aria-label": `Remove ${one.name}`, on: { click: remove } }, icon("close")),
    );
  }

  function grow() {
    words.style.height = "auto";
    words.style.height = `${words.scrollHeight}px`;
  }

  /** `waiting`: the agent asked something that the words will answer. */
  function show({ ready: now, waiting, over }) {
    const becameReady = now && !ready;
    ready = now;
    node.hidden = over;
    sendButton.disabled = !now;
    attachButton.disabled = waiting;
    words.placeholder = waiting ? "Answer in words, or as JSON" : "Say something to the agent";
    const free = document.activeElement === document.body || node.contains(document.activeElement);
    if (becameReady && (free || wanted)) {
      words.focus();
      wanted = false;
    }
  }

  function clear() {
    words.value = "";
    attached = [];
    showChips();
    grow();
  }

  /** Puts a line back that got no answer, unless something else was begun. */
  function restore(content) {
    if (!words.value && typeof content === "string") words.value = content;
    grow();
  }

  /** Takes the cursor as soon as something can be said. */
  function focusSoon() {
    wanted = true;
  }

  return { node, show, restore, focusSoon };
}

function partOf(file, url) {
  const sound = SOUNDS[file.type];
  if (PICTURES.includes(file.type)) return { type: "image_url", image_url: { url, detail: "auto" } };
  if (sound) return { type: "input_audio", input_audio: { data: url.slice(url.indexOf(",") + 1), format: sound } };
  return { type: "file", file: { url, filename: file.name } };
}

function asDataUrl(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}
