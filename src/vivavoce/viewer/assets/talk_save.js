// "Save as test": the case as it would be written, its checks to choose from, and the click that writes it.
import { button, el } from "./dom.js";
import { copy } from "./download.js";
import { post } from "./http.js";
import { icon } from "./icons.js";
import { inline } from "./visible_text.js";

const TYPED_MS = 250;

/** The dialog; `open(talkId)` shows it. */
export function saveDialog() {
  let talkId = "";
  let draft = null;
  let asked = 0;
  let typing = null;
  let fileChosen = false;

  const name = el("input", { type: "text", id: "case-name", maxlength: 200, on: { input: soon } });
  const file = el("input", { type: "text", id: "case-file", spellcheck: "false", on: { input: onFile } });
  const checks = el("fieldset", { class: "talk-checks" });
  const text = el("pre", { class: "talk-yaml", tabindex: "0", "aria-label": "The case file" });
  const note = el("p", { class: "talk-note", role: "status" });
  const writeButton = button({ class: "primary", disabled: true, on: { click: write } }, "Write the file");
  const closeButton = button({ class: "quiet", on: { click: () => node.close() } }, "Cancel");
  const foot = el("div", { class: "talk-save-foot" }, note, closeButton, writeButton);
  const node = el(
    "dialog",
    { class: "talk-save", "aria-labelledby": "save-title" },
    el("h2", { id: "save-title", tabindex: "-1" }, "Save as test"),
    el(
      "p",
      { class: "facts" },
      "A new file in your project: what was said, and the checks you choose. Nothing is written before you say so.",
    ),
    el(
      "div",
      { class: "talk-fields" },
      el("label", { for: "case-name" }, "Name"),
      name,
      el("label", { for: "case-file" }, "File"),
      file,
    ),
    el("div", { class: "talk-columns" }, checks, text),
    foot,
  );

  function open(id) {
    talkId = id;
    draft = null;
    fileChosen = false;
    name.value = "A conversation";
    file.value = "";
    checks.replaceChildren();
    text.textContent = "";
    closeButton.textContent = "Cancel";
    writeButton.hidden = false;
    node.showModal();
    name.focus();
    name.select();
    refresh();
  }

  function soon() {
    clearTimeout(typing);
    writeButton.disabled = true;
    typing = setTimeout(refresh, TYPED_MS);
  }

  function onFile() {
    fileChosen = file.value.trim() !== "";
    soon();
  }

  function wish() {
    const boxes = [...checks.querySelectorAll("input")];
    const chosen = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    return { name: name.value, file: fileChosen ? file.value : "", ...(boxes.length ? { chosen } : {}) };
  }

  async function refresh() {
    const mine = ++asked;
    writeButton.disabled = true;
    try {
      const made = await post(`talks/${talkId}/draft`, wish());
      if (mine !== asked) return;
      draft = made;
      show();
    } catch (problem) {
      if (mine !== asked) return;
      note.replaceChildren(icon("error"), inline(problem.message));
      note.className = "talk-note is-bad";
    }
  }

  function show() {
    if (!fileChosen) file.value = draft.file;
    if (!checks.firstChild) showChecks();
    text.textContent = draft.text;
    const fine = draft.problem === "";
    note.className = fine ? "talk-note" : "talk-note is-bad";
    note.replaceChildren(
      ...(fine ? [anyChosen() ? "This conversation passes it." : "Without a check, it only tests that the agent answers."] : [icon("error"), "This conversation does not pass it: ", inline(draft.problem)]),
      draft.files.length ? ` With ${draft.files.join(", ")}.` : "",
    );
    writeButton.disabled = false;
  }

  function anyChosen() {
    return checks.querySelector("input:checked") !== null;
  }

  function showChecks() {
    const lastTurn = Math.max(0, ...draft.suggestions.map(({ turn }) => turn));
    checks.replaceChildren(el("legend", {}, "Checks"));
    if (!draft.suggestions.length) checks.append(el("p", { class: "nothing" }, "Nothing to check was found."));
    for (let turn = 1; turn <= lastTurn; turn += 1) {
      const here = draft.suggestions.filter((one) => one.turn === turn);
      if (here.length) checks.append(el("h3", {}, `Turn ${turn}`), ...here.map(checkBox));
    }
  }

  function checkBox({ id, words, notices, wanted }) {
    const box = el("input", { type: "checkbox", value: id, on: { change: refresh } });
    box.checked = wanted;
    return el(
      "label",
      { class: "talk-check" },
      box,
      el("span", {}, el("code", {}, inline(words)), notices && el("small", {}, "notices when ", inline(notices))),
    );
  }

  async function write() {
    writeButton.disabled = true;
    try {
      const saved = await post(`talks/${talkId}/save`, { ...wish(), file: draft.file, shown: draft.digest });
      note.className = "talk-note is-good";
      note.replaceChildren("Written. Run it with ", el("code", {}, saved.command), " ");
      note.append(button({ class: "round", "aria-label": "Copy the command", on: { click: () => copy(saved.command, "Command") } }, icon("copy")));
      writeButton.hidden = true;
      closeButton.textContent = "Close";
      closeButton.focus();
    } catch (problem) {
      note.className = "talk-note is-bad";
      note.replaceChildren(icon("error"), inline(problem.message));
      writeButton.disabled = false;
    }
  }

  return { node, open };
}
