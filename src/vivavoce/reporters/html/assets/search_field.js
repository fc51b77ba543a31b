// The search field of every page; "/" leads to it.
import { el } from "./dom.js";
import { icon } from "./icons.js";

/** `node` goes into the page; `onSearch` is called with the text whenever it changes. */
export function searchField(placeholder, onSearch) {
  const input = el("input", {
    type: "search",
    placeholder,
    "aria-label": "Search",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
    on: { input: () => onSearch(input.value) },
  });
  return {
    input,
    node: el("label", { class: "search" }, icon("search"), input, el("kbd", { "aria-hidden": "true" }, "/")),
  };
}
