// People say of conversations whether they are good; judges are measured against it.
import { button, el } from "./dom.js";
import { count } from "./format.js";
import { ask, post } from "./http.js";
import { icon, statusMark } from "./icons.js";
import { toast } from "./toast.js";
import { turnView } from "./turn_view.js";
import { inline } from "./visible_text.js";

export async function labelReview(run, criteria = false) {
  const { questions, more } = await ask("review/conversations", { run, criteria: criteria ? "yes" : "no" });
  const list = el("ol", { class: "review-questions", "aria-label": "Conversations" });
  const shown = el("div", { class: "review-shown" });
  const told = el("p", { class: "facts", role: "status" });
  const box = el("input", { type: "checkbox", on: { change: () => again(box.checked) } });
  box.checked = criteria;
  const node = el(
    "div",
    { class: "review-labels" },
    el(
      "div",
      { class: "review-head" },
      told,
      el("label", {}, box, " each criterion of the judges by itself"),
    ),
    questions.length ? el("div", { class: "review-columns" }, list, shown) : null,
  );
  let open = Math.max(0, questions.findIndex(({ label }) => !label));
  let asked = 0;
  showList();
  if (questions.length) showQuestion();
  return node;

  async function again(wanted) {
    node.replaceWith(await labelReview(run, wanted));
  }

  function showList() {
    const left = questions.filter(({ label }) => !label).length;
    told.textContent = questions.length
      ? `${left} of ${count(questions.length, criteria ? "question" : "conversation")}${more ? " (the first ones of this run)" : ""} without a label.`
      : criteria
        ? "No judge was asked in this run."
        : "Nothing was said in this run.";
    list.replaceChildren(...questions.map(item));
  }

  function item(question, at) {
    const mark = question.label ? statusMark(question.label === "pass" ? "passed" : "failed") : el("span", { class: "review-open" }, "open");
    const words = [inline(question.title), question.criterion && el("small", {}, inline(question.criterion))];
    return el(
      "li",
      {},
      button({ "aria-current": at === open ? "true" : null, on: { click: () => go(at) } }, mark, el("span", {}, words)),
    );
  }

  function go(at) {
    open = at;
    showList();
    return showQuestion();
  }

  async function showQuestion() {
    const mine = ++asked;
    const question = questions[open];
    const { case: key, conversation } = question;
    const { turns } = await ask("review/conversation", { run, case: key, conversation });
    if (mine !== asked) return;
    shown.replaceChildren(
      el("h2", { tabindex: "-1" }, inline(question.title)),
      el("p", { class: "facts" }, el("code", {}, inline(key))),
      el("div", { class: "talk-turns" }, turns.map((turn) => turnView(turn))),
      labelForm(question),
    );
  }

  function labelForm(question) {
    const choices = ["pass", "fail"].map((label) => {
      const radio = el("input", { type: "radio", name: "label", value: label, on: { change: () => (save.disabled = false) } });
      radio.checked = question.label === label;
      return el("label", { class: "review-choice" }, radio, statusMark(label === "pass" ? "passed" : "failed", { silent: true }), label === "pass" ? "Good" : "Bad");
    });
    const note = el("input", { type: "text", maxlength: 500, placeholder: "Why (optional)", "aria-label": "Why" });
    note.value = question.note;
    const save = button({ class: "primary", disabled: !question.label, on: { click: write } }, "Save the label");
    const form = el(
      "fieldset",
      { class: "review-form" },
      el("legend", {}, question.criterion ? ["Is this met? ", inline(question.criterion)] : "Is this conversation good?"),
      el("div", { class: "review-choices" }, choices),
      note,
      el("div", { class: "review-actions" }, save, button({ class: "quiet", on: { click: () => next() } }, "Skip")),
    );
    return form;

    async function write() {
      const label = form.querySelector("input[type=radio]:checked")?.value;
      if (!label) return;
      save.disabled = true;
      try {
        const { case: key, conversation, criterion } = question;
        const { file } = await post("review/label", { run, case: key, conversation, criterion, label, note: note.value });
        question.label = label;
        question.note = note.value;
        toast([icon("passed"), " Written to ", inline(file)]);
        await next();
      } catch (problem) {
        save.disabled = false;
        toast(["Not saved: ", inline(problem.message)]);
      }
    }
  }

  /** The next one without a label; the one after this where all have one. */
  async function next() {
    const later = questions.findIndex(({ label }, at) => !label && at > open);
    const any = later >= 0 ? later : questions.findIndex(({ label }) => !label);
    await go(any >= 0 ? any : Math.min(open + 1, questions.length - 1));
    shown.querySelector("h2").focus({ preventScroll: true });
    shown.scrollIntoView({ block: "nearest" });
  }
}
