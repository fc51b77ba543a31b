// The frame of a page about one run that viva measures while the reader waits.
import { el } from "./dom.js";
import { ask } from "./http.js";
import { siteNav } from "./site_nav.js";
import { themeButton } from "./theme.js";
import { inline } from "./visible_text.js";

/** Asks for `what` of the run in this address and shows what `build(found, links)` makes of it. */
export async function openMeasured(what, title, build) {
  const root = document.getElementById("viva");
  const runId = decodeURIComponent(location.pathname.split("/").at(-2));
  const body = el("main", { class: "measured" }, el("p", { class: "loading", role: "status" }, "Measuring; nothing is called, only judged again …"));
  root.replaceChildren(
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), siteNav("Runs", "../../"), themeButton()),
    body,
  );
  const links = {
    run: `../${encodeURIComponent(runId)}`,
    conversation: (key) => `../${encodeURIComponent(runId)}#${new URLSearchParams({ case: key })}`,
  };
  const heading = el(
    "div",
    { class: "run-heading" },
    el("h1", {}, title),
    el("p", { class: "facts" }, "of run ", el("a", { href: links.run }, inline(runId))),
  );
  try {
    body.replaceChildren(heading, ...build(await ask(`runs/${encodeURIComponent(runId)}/${what}`), links).filter(Boolean));
  } catch (problem) {
    body.replaceChildren(heading, el("p", { class: "loading", role: "alert" }, "It cannot be measured: ", inline(problem.message)));
  }
}
