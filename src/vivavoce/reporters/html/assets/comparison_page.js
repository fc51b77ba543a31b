// What changed between two runs. A source offers what `viva diff --json` prints, and rowText(side, position).
import { comparedCase } from "./comparison_case.js";
import { changeGroups, changeLine } from "./comparison_groups.js";
import { button, el, fold } from "./dom.js";
import { count, duration, moment, money, percent } from "./format.js";
import { icon, statusMark } from "./icons.js";
import { searchField } from "./search_field.js";
import { themeButton } from "./theme.js";
import { inline } from "./visible_text.js";

const SHOWN_AT_ONCE = 100;

export function openComparison(source, root, { nav = null } = {}) {
  let wanted = "";
  let words = "";
  const list = el("div", { class: "change-list" });
  const search = searchField("Search by id or name", (text) => {
    words = text.toLowerCase();
    show();
  });
  const chips = changeGroups([...source.changes]).map((group) => {
    const chip = button(
      {
        class: `chip ${group.tone}`,
        "aria-pressed": "false",
        on: {
          click: () => {
            wanted = wanted === group.name ? "" : group.name;
            for (const [name, one] of chips) one.setAttribute("aria-pressed", String(name === wanted));
            show();
          },
        },
      },
      group.title,
      el("b", {}, count(group.cases.length)),
    );
    return [group.name, chip];
  });

  root.replaceChildren(
    el("header", { class: "page-header" }, el("p", { class: "brand" }, "viva"), nav, themeButton()),
    el(
      "main",
      {},
      el("div", { class: "run-heading" }, el("h1", {}, "What changed"), verdictLine(source)),
      source.unfinished > 0 && unfinishedBanner(source),
      el("div", { class: "sides" }, side("Before", source.before, source), side("After", source.after, source)),
      usageLine(source),
      el(
        "div",
        { class: "toolbar", role: "search", "aria-label": "Changes" },
        el("div", { class: "toolbar-row" }, search.node),
        el(
          "div",
          { class: "toolbar-row" },
          el("div", { class: "chips", role: "group", "aria-label": "Kind of change" }, chips.map(([, chip]) => chip)),
        ),
      ),
      list,
    ),
    el("footer", { class: "page-footer" }, el("p", {}, `viva ${source.after.start.version}`)),
  );
  document.addEventListener("keydown", (event) => listenTo(event, search.input, list));
  show();

  function show() {
    const found = source.changes.filter((change) => `${change.id}\n${change.name ?? ""}`.toLowerCase().includes(words));
    const groups = changeGroups(found).filter((group) => !wanted || group.name === wanted);
    // A case that is slower stands in the group of what became of it, unless slower ones are asked for.
    const sections = groups.map((group) => section(group, wanted ? group.cases : group.own)).filter(Boolean);
    list.replaceChildren(...sections);
    const none = source.changes.length ? "No change matches." : "Nothing changed.";
    if (!sections.length) list.append(el("p", { class: "nothing-found" }, none));
  }

  function section(group, cases) {
    if (!cases.length) return null;
    const body = el("div", { class: "changes" });
    const more = button({ class: "quiet", on: { click: () => add() } }, "Show more");
    let shown = 0;
    const add = () => {
      for (const change of cases.slice(shown, shown + SHOWN_AT_ONCE)) body.append(changeFold(change));
      shown += SHOWN_AT_ONCE;
      more.hidden = shown >= cases.length;
    };
    add();
    return el(
      "section",
      { class: `change-group ${group.tone}`, "aria-label": group.title },
      el("h2", {}, group.title, el("span", {}, count(cases.length))),
      body,
      more,
    );
  }

  function changeFold(change) {
    return fold(changeLine(change), () => comparedCase(change, source.rowText), { class: "change" });
  }
}

function verdictLine({ counts, regressions, unfinished, lost }) {
  const bad = regressions > 0 || unfinished > 0 || lost > 0;
  const words = regressions
    ? `${count(regressions, "regression")}`
    : unfinished
      ? "no regression among the cases that finished"
      : lost
        ? `no regression, but ${count(lost, "case")} no longer judged`
        : counts.fixed
          ? `no regression, ${count(counts.fixed)} fixed`
          : "no regression";
  return el(
    "p",
    { class: `verdict-line ${bad ? "is-failed" : "is-passed"}` },
    statusMark(bad ? "failed" : "passed", { silent: true }),
    words,
  );
}

/** Tokens and cost of the cases that both runs have, one run of each. */
function usageLine({ usage = {} }) {
  const parts = [
    usage.tokens && `${count(Math.round(usage.tokens.before))} → ${count(Math.round(usage.tokens.after))} tokens`,
    usage.cost && `${money(usage.cost.before)} → ${money(usage.cost.after)}`,
  ].filter(Boolean);
  return parts.length > 0 && el("p", { class: "facts" }, parts.join(" · "));
}

function unfinishedBanner({ unfinished }) {
  return el(
    "div",
    { class: "banner", role: "alert" },
    icon("warning"),
    el("p", {}, el("strong", {}, "The later run is incomplete. "), `${count(unfinished, "case")} never finished.`),
  );
}

function side(label, run, { runHref }) {
  const { start, summary } = run;
  const ran = summary.total - summary.skipped - summary.not_run;
  const rate = percent(summary.overall_pass_rate);
  const title = inline(start.agent_id || "agent");
  return el(
    "section",
    { class: "card side", "aria-label": label },
    el("h3", {}, label),
    el("p", { class: "side-title" }, runHref ? el("a", { href: runHref(run) }, title) : title),
    el("p", {}, [`${count(summary.passed)} of ${count(ran)} passed`, rate, duration(summary.duration_ms)].join(" · ")),
    el(
      "p",
      { class: "facts" },
      moment(start.timestamp),
      [start.run_id, run.revision?.slice(0, 8)].filter(Boolean).map((name) => [" · ", el("code", {}, inline(name))]),
    ),
  );
}

function listenTo(event, search, list) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === search) {
    if (event.key === "Escape") search.blur();
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (event.key === "j" || event.key === "k") {
    const all = [...list.querySelectorAll(".change > summary")];
    const at = all.indexOf(document.activeElement?.closest?.(".change")?.firstElementChild);
    all[at < 0 ? 0 : at + (event.key === "j" ? 1 : -1)]?.focus();
  }
}
