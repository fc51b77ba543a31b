// A word that comes and goes.
import { el } from "./dom.js";

const SEEN_MS = 3_000;

export function toast(message) {
  // An open dialog covers the page: the word must stand inside it.
  const host = document.querySelector("dialog[open]") ?? document.body;
  for (const earlier of document.querySelectorAll(".toast")) earlier.remove();
  const note = el("div", { class: "toast", role: "status" }, message);
  host.append(note);
  setTimeout(() => note.remove(), SEEN_MS);
}
