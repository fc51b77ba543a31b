// "Judge again": a run's conversations by today's cases, and what changed.
import { confirmed } from "./confirming.js";
import { button, el } from "./dom.js";
import { count } from "./format.js";
import { post } from "./http.js";
import { icon, statusMark } from "./icons.js";
import { inline } from "./visible_text.js";

/** The button for a finished run; what it found stands in `place`. */
export function rejudgeButton(runId, place) {
  const node = button({ class: "link-like", on: { click: judge } }, "Judge again with today's cases");
  return node;

  async function judge() {
    const judges = el("input", { type: "checkbox" });
    const body = [
      el("p", {}, "The recorded conversations are judged by the case files as they read now. No agent is called; your scripts run again."),
      el("label", { class: "talk-check" }, judges, el("span", {}, "Ask judges again where they would be asked something else (may cost something)")),
    ];
    if (!(await confirmed("Judge this run again?", body, { yes: "Judge again" }))) return;
    node.disabled = true;
    place.replaceChildren(
      el("div", { class: "banner is-live", role: "status" }, el("i", { class: "pulse", "aria-hidden": "true" }), "Judging …"),
    );
    try {
      show(await post(`runs/${encodeURIComponent(runId)}/rejudge`, { judges: judges.checked }));
    } catch (problem) {
      show(null, problem.message);
    }
    node.disabled = false;
  }

  function show(found, problem = "") {
    const close = button({ class: "round", "aria-label": "Close", on: { click: () => place.replaceChildren() } }, icon("close"));
    const panel = el(
      "section",
      { class: "card rejudged", "aria-label": "Judged again", tabindex: "-1" },
      close,
      problem ? el("p", { class: "is-bad", role: "alert" }, "It cannot be judged again: ", inline(problem)) : outcome(found),
    );
    place.replaceChildren(panel);
    panel.focus();
  }
}

function outcome({ changed, judged, stale, not_recorded: notRecorded, gone, unreadable, changes }) {
  const notes = [
    unreadable && `${count(unreadable, "line")} of the recording cannot be read: what was in it is not judged.`,
    stale && `${count(stale, "conversation")} not judged: the case says other lines now. Run viva test for them.`,
    notRecorded && `${count(notRecorded, "case")} of today not in this run.`,
    gone.length && `${count(gone.length, "recorded case")} not in the files any more: ${gone.slice(0, 5).join(", ")}`,
  ];
  return [
    el("h2", {}, changed ? `${count(changed, "verdict")} changed` : "No verdict changed"),
    el("p", { class: "facts" }, `${count(judged, "conversation")} judged by today's cases. The run itself stays as it is.`),
    changes.length > 0 && el("ul", { class: "rejudged-list" }, changes.map(changeRow)),
    changed > changes.length && el("p", { class: "facts" }, `… and ${count(changed - changes.length)} more`),
    notes.filter(Boolean).map((note) => el("p", { class: "facts" }, inline(note))),
  ];
}

function changeRow({ key, run, was, now, why }) {
  return el(
    "li",
    {},
    el("span", { class: "rejudged-marks" }, statusMark(was), el("span", { "aria-hidden": "true" }, "→"), statusMark(now)),
    el("div", {}, el("code", {}, inline(key)), run > 1 && ` run ${run}`, why && el("p", { class: "facts" }, inline(why))),
  );
}
