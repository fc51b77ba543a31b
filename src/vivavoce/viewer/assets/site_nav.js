// The bar that stands on every page of the viewer.
import { el } from "./dom.js";

const PAGES = [
  ["Runs", ""],
  ["Cases", "cases"],
  ["Talk", "talk"],
  ["Review", "review"],
];

/** Links to all pages; `current` is the name of this one, `up` leads from its address to the root. */
export function siteNav(current, up = "./") {
  return el(
    "nav",
    { class: "site-nav", "aria-label": "Pages" },
    PAGES.map(([name, path]) =>
      el("a", { href: `${up}${path}`, "aria-current": name === current ? "page" : null }, name),
    ),
  );
}
