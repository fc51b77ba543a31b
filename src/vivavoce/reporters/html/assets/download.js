// Handing things to the user: files and the clipboard.
import { button, el } from "./dom.js";
import { toast } from "./toast.js";

/** Saves text parts as a file, without leaving the page. */
export function download(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copies a text and says so; where the browser forbids it, shows the text ready to be copied by hand. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    offerToCopy(text, what);
  }
}

function offerToCopy(text, what) {
  const area = el("textarea", { readonly: true, rows: 12, "aria-label": what, spellcheck: "false" });
  area.value = text;
  const dialog = el(
    "dialog",
    { class: "copy-by-hand", "aria-label": `Copy ${what}`, on: { close: () => dialog.remove() } },
    el("p", {}, "This browser does not let pages copy. The text is selected: copy it with the keyboard."),
    area,
    button({ class: "quiet", on: { click: () => dialog.close() } }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}
