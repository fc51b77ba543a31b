// Snapshots that a run saw otherwise: accepted, or kept as they are approved.
import { confirmed } from "./confirming.js";
import { diffView } from "./diff_view.js";
import { button, el, fold } from "./dom.js";
import { count } from "./format.js";
import { ask, post } from "./http.js";
import { icon } from "./icons.js";
import { toast } from "./toast.js";
import { valueBlock } from "./value_view.js";
import { inline, textBlock } from "./visible_text.js";

export async function snapshotReview(run) {
  const { pending, left_out: leftOut } = await ask("review/snapshots", { run });
  return el(
    "div",
    { class: "review-list" },
    pending.length
      ? el("p", { class: "facts" }, `${count(pending.length, "snapshot")} not as approved. Accepting writes the new value to its file.`)
      : el("p", { class: "nothing-found" }, icon("passed"), " No snapshot of this run differs from the approved one."),
    pending.map((one) => snapshotCard(run, one)),
    leftOut.length > 0 &&
      fold(`${count(leftOut.length, "difference")} cannot be accepted`, () => leftOut.map((why) => textBlock(why)), {
        class: "more",
      }),
  );
}

function snapshotCard(run, { case: key, title, name, file, seen }) {
  const state = el("p", { class: "review-state", role: "status" });
  const values = seen.map((one, at) => seenValue(one, seen.length > 1 ? `Value ${at + 1} of ${seen.length}` : null));
  const card = el(
    "section",
    { class: "card review-card", "aria-label": `${title}: ${name}` },
    el("h2", {}, inline(title)),
    el("p", { class: "facts" }, el("code", {}, inline(key)), " · ", inline(name)),
    values,
    state,
  );

  function seenValue(one, heading) {
    return el(
      "div",
      { class: "review-value" },
      heading && el("h3", {}, heading),
      Object.hasOwn(one.verdict, "expected")
        ? diffView(one.verdict.expected, one.verdict.actual ?? one.value)
        : [el("p", { class: "facts" }, "Nothing is approved yet. This was seen:"), valueBlock(one.value)],
      one.notes.map((note) => el("p", { class: "review-note" }, icon("warning"), inline(note))),
      el(
        "div",
        { class: "review-actions" },
        button({ class: "primary", on: { click: () => accept(one) } }, "Accept …"),
        button({ class: "quiet", on: { click: () => decide("Kept: the approved value stays, the agent is to be changed.") } }, "Keep"),
      ),
    );
  }

  async function accept(one) {
    const body = ["The new value of ", el("b", {}, inline(name)), " is written to ", el("code", {}, inline(file)), "."];
    if (!(await confirmed("Accept this value?", el("p", {}, body), { yes: "Accept it" }))) return;
    try {
      const written = await post("review/accept", { run, case: key, name, seen: one.digest });
      decide(["Accepted: written to ", el("code", {}, inline(written.file)), "."], "is-good");
    } catch (problem) {
      toast(["Not accepted: ", inline(problem.message)]);
    }
  }

  function decide(words, kind = "") {
    for (const value of values) value.remove();
    card.classList.add("is-decided");
    state.className = `review-state ${kind}`;
    state.replaceChildren(...[words].flat());
    const next = card.nextElementSibling?.querySelector(".review-actions button");
    next?.focus();
  }

  return card;
}
