// Cases × runs. Only the rows around what is seen are there, and as many runs as fit, the newest on the right.
import { el } from "./dom.js";
import { duration, percent } from "./format.js";
import { heatCell, placeInRun, runWords, STATUS_OF_LETTER } from "./heat.js";
import { STATUS_WORDS } from "./icons.js";
import { inline } from "./visible_text.js";

const SPARE = 12;

/** `show(cases, runs)` fills it; `manyAgents` names the agent of each case too. */
export function heatMap({ onPoint }) {
  const body = el("div", { class: "heat-rows", role: "rowgroup" });
  const header = el("div", { class: "heat-head", role: "row" });
  const node = el("div", { class: "heat-map", role: "grid", "aria-label": "Cases and runs" }, header, body);
  let cases = [];
  let runs = [];
  let first = 0;
  let columns = 0;
  let manyAgents = false;
  let held = [-1, -1];

  const size = (name) => Number.parseFloat(getComputedStyle(node).getPropertyValue(name));

  function fit() {
    const wanted = Math.max(1, Math.min(runs.length, Math.floor(cellRoom() / size("--cell"))));
    first = runs.length - wanted;
    if (wanted === columns) return;
    columns = wanted;
    held = [-1, -1];
  }

  function cellRoom() {
    const probe = header.querySelector(".heat-cells");
    return probe ? probe.clientWidth : node.clientWidth;
  }

  function hold() {
    const height = size("--row-height");
    const above = -body.getBoundingClientRect().top / height;
    const from = Math.max(0, Math.floor(above) - SPARE);
    const until = Math.min(cases.length, Math.ceil(above + innerHeight / height) + SPARE);
    if (from >= held[0] && until <= held[1] && held[1] > 0) return;
    held = [Math.max(0, from - SPARE), Math.min(cases.length, until + SPARE)];
    const focused = placeOf(document.activeElement);
    body.replaceChildren(...cases.slice(...held).map((one, at) => row(one, held[0] + at)));
    body.style.paddingTop = `${held[0] * height}px`;
    body.style.paddingBottom = `${(cases.length - held[1]) * height}px`;
    if (focused) focusAt(focused.row, focused.column);
  }

  function row(one, place) {
    const href = `case?${new URLSearchParams({ key: one.key, agent: one.agent })}`;
    return el(
      "div",
      { class: "heat-row", role: "row", "data-row": place, "aria-rowindex": place + 2 },
      el(
        "div",
        { class: "heat-name", role: "rowheader" },
        el("a", { href, "data-column": -1 }, inline(one.id)),
        el("span", { class: "why" }, inline(manyAgents ? `${one.agent} · ${one.file}` : one.file)),
      ),
      el("div", { class: "heat-cells", role: "presentation" }, runs.slice(first).map((run, at) => cell(one, run, first + at))),
      el("span", { class: "heat-rate", role: "gridcell", title: `${one.passed} of ${one.attempts} runs passed` }, one.rate === null ? "–" : percent(100 * one.rate)),
      el("span", { class: "heat-flips", role: "gridcell" }, one.flips ? String(one.flips) : "–"),
      el("span", { class: "heat-ms", role: "gridcell" }, one.ms === null ? "–" : duration(one.ms)),
    );
  }

  function cell(one, run, at) {
    const status = STATUS_OF_LETTER[one.cells[at]];
    const words = `${one.id}: ${status ? STATUS_WORDS[status] : "did not run"}, ${runWords(run)}`;
    const href = status ? placeInRun(run, one.key) : null;
    return el("span", { role: "gridcell" }, heatCell(status, words, href, { "data-column": at }));
  }

  function showHead() {
    const shares = runs.map((_, at) => failingShare(cases, at));
    const highest = Math.max(...shares.slice(first), 0.02);
    header.replaceChildren(
      el("span", { class: "heat-name", role: "columnheader" }, "Case"),
      el(
        "div",
        { class: "heat-cells", role: "presentation" },
        runs.slice(first).map((run, at) => runHead(run, shares[first + at], highest)),
      ),
      el("span", { class: "heat-rate", role: "columnheader" }, "Runs passed"),
      el("span", { class: "heat-flips", role: "columnheader", title: "How often passing and failing took turns" }, "Changes"),
      el("span", { class: "heat-ms", role: "columnheader" }, "Typical"),
    );
  }

  function runHead(run, share, highest) {
    const words = `${runWords(run)}: ${percent(100 * share)} of the listed cases failed`;
    const bar = el("i", {});
    bar.style.height = `${Math.max(share > 0 ? 12 : 0, (100 * share) / highest)}%`;
    const look = { class: "heat-run", "aria-label": words, title: words, tabindex: "-1" };
    return el(
      "span",
      { role: "columnheader" },
      run.kept ? el("a", { ...look, href: `runs/${encodeURIComponent(run.id)}` }, bar) : el("span", { ...look, role: "img" }, bar),
    );
  }

  function placeOf(target) {
    const line = body.contains(target) ? target.closest("[data-row]") : null;
    return line && { row: Number(line.dataset.row), column: Number(target.closest("[data-column]")?.dataset.column ?? -1) };
  }

  function focusAt(place, column) {
    const line = body.querySelector(`[data-row="${place}"]`);
    line?.querySelector(`[data-column="${column}"]`)?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: "nearest" });
  }

  node.addEventListener("keydown", (event) => {
    const at = placeOf(event.target);
    const move = MOVES[event.key];
    if (!at || !move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [down, right] = move;
    const place = Math.max(0, Math.min(cases.length - 1, at.row + down));
    const steps = [-1, ...runs.keys()].filter((column) => column < 0 || column >= first);
    const column = steps[Math.max(0, Math.min(steps.length - 1, steps.indexOf(at.column) + right))];
    focusAt(place, column);
  });
  for (const kind of ["mouseover", "focusin"])
    node.addEventListener(kind, (event) => onPoint(event.target.closest("[title]")?.title ?? ""));
  addEventListener("scroll", hold, { passive: true });
  addEventListener("resize", refresh);

  function refresh() {
    if (!runs.length) return;
    fit();
    showHead();
    hold();
  }

  return {
    node,
    show(nextCases, nextRuns, { agents }) {
      [cases, runs, manyAgents] = [nextCases, nextRuns, agents > 1];
      node.style.setProperty("--runs", String(runs.length));
      node.setAttribute("aria-rowcount", String(cases.length + 1));
      [columns, first, held] = [0, 0, [-1, -1]];
      body.replaceChildren();
      showHead();
      refresh();
    },
    focusFirst: () => focusAt(held[0], -1),
  };
}

const MOVES = { ArrowDown: [1, 0], j: [1, 0], ArrowUp: [-1, 0], k: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

function failingShare(cases, at) {
  let [ran, bad] = [0, 0];
  for (const one of cases) {
    ran += one.cells[at] in STATUS_OF_LETTER;
    bad += one.cells[at] in STATUS_OF_LETTER && one.cells[at] !== "P";
  }
  return ran ? bad / ran : 0;
}
