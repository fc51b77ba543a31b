// The click that confirms what changes a file or costs something.
import { button, el } from "./dom.js";

/** Asks before something is done; answers whether the person said yes. */
export function confirmed(title, body, { yes }) {
  return new Promise((answer) => {
    let said = false;
    const close = (value) => {
      said = value;
      node.close();
    };
    const node = el(
      "dialog",
      {
        class: "confirming",
        "aria-label": title,
        on: {
          close: () => {
            node.remove();
            answer(said);
          },
        },
      },
      el("h2", {}, title),
      el("div", { class: "confirming-body" }, body),
      el(
        "div",
        { class: "confirming-foot" },
        button({ class: "quiet", on: { click: () => close(false) } }, "Cancel"),
        button({ class: "primary", on: { click: () => close(true) } }, yes),
      ),
    );
    document.body.append(node);
    node.showModal();
    node.querySelector(".primary").focus();
  });
}
