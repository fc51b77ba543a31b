// Two runs of the history side by side.
import { openComparison } from "./comparison_page.js";
import { el } from "./dom.js";
import { ask, askText } from "./http.js";
import { siteNav } from "./site_nav.js";
import { inline } from "./visible_text.js";

const root = document.getElementById("viva");
const query = new URLSearchParams(location.search);
const ids = { before: query.get("before") ?? "", after: query.get("after") ?? "" };
const nav = siteNav("Runs");

try {
  const found = await ask("compare", ids);
  document.title = `${found.before.id} → ${found.after.id} · viva`;
  const rowText = (side, position) => askText(`runs/${encodeURIComponent(ids[side])}/rows/${position}`);
  const runHref = (run) => `runs/${encodeURIComponent(run.id)}`;
  openComparison({ ...found, rowText, runHref }, root, { nav });
} catch (problem) {
  root.replaceChildren(
    el("p", { class: "loading", role: "alert" }, "These runs cannot be compared: ", inline(problem.message)),
    el("p", { class: "loading" }, el("a", { href: "./" }, "All runs")),
  );
}
