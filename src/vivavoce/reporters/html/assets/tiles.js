// Facts worth a tile each.
import { el } from "./dom.js";

/** Tiles from [label, value, note]; a fact without a note has none. */
export function tileList(facts, extraClass = "") {
  return el(
    "dl",
    { class: `tiles ${extraClass}` },
    facts.map(([label, value, note]) =>
      el(
        "div",
        { class: "tile" },
        el("dt", {}, label),
        el("dd", {}, el("strong", {}, value), note && el("span", {}, note)),
      ),
    ),
  );
}
