// What agents write, shown as it is: inert, isolated, with invisible characters made visible and endless text clipped.
import { button, el } from "./dom.js";
import { download } from "./download.js";
import { size } from "./format.js";

// Controls, direction marks, zero-width and tag characters, lone surrogates: all that could hide or reorder text.
const UNSEEN_RANGES = [
  ...["\\u0000-\\u0008", "\\u000b-\\u001f", "\\u007f-\\u009f", "\\u061c", "\\u200b", "\\u200e", "\\u200f"],
  ...["\\u2028-\\u202e", "\\u2060-\\u2069", "\\ufeff", "\\ufff9-\\ufffb", "\\u{e0000}-\\u{e007f}", "\\p{Cs}"],
];
const UNSEEN = new RegExp(`([${UNSEEN_RANGES.join("")}])\\1*`, "gu");
const CLIPPED_OVER = 6_000;
const SHOWN_FIRST = 4_000;
const SHOWN_MORE = 1_000_000;
const PIECE = 50_000;

/** Nodes for a text, its unseen characters as labelled marks. */
export function withMarks(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found[0] === "\r" && text[found.index + 1] === "\n") continue;
    if (found.index > from) nodes.push(text.slice(from, found.index));
    nodes.push(unseenMark(found[1], found[0].length / found[1].length));
    from = found.index + found[0].length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

function unseenMark(character, times) {
  const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  const label = times > 1 ? `U+${code} ×${times}` : `U+${code}`;
  return el("span", { class: "unseen", title: `invisible character ${label}` }, label);
}

/** A short text inside a line, kept from turning its surroundings around. */
export function inline(text, attributes = {}) {
  const shown = text.length > CLIPPED_OVER ? `${cut(text, SHOWN_FIRST)}…` : text;
  return el("bdi", attributes, withMarks(shown));
}

/** A text of any length; `render` turns a piece of it into nodes. */
export function textBlock(text, { render = withMarks, ...attributes } = {}) {
  const block = el("div", { dir: "auto", ...attributes });
  block.classList.add("text");
  if (text.length <= CLIPPED_OVER) {
    block.append(...render(text));
    return block;
  }
  let shown = cut(text, SHOWN_FIRST).length;
  block.append(...render(text.slice(0, shown)));
  const more = el("div", { class: "clipped" });
  const offer = () => {
    const rest = text.length - shown;
    const label = rest <= SHOWN_MORE ? "Show all" : `Show ${size(SHOWN_MORE)} more`;
    more.replaceChildren(
      el("span", {}, rest ? `${size(rest)} more of ${size(text.length)}` : size(text.length)),
      rest ? button({ on: { click: showMore } }, label) : "",
      button({ on: { click: () => download("text.txt", "text/plain", [text]) } }, "Download"),
    );
  };
  const showMore = () => {
    const until = shown + cut(text.slice(shown), SHOWN_MORE).length;
    for (const piece of pieces(text.slice(shown, until))) more.before(el("div", { class: "piece" }, ...render(piece)));
    shown = until;
    offer();
  };
  offer();
  block.append(more);
  return block;
}

/** The beginning of a text, no longer than `length` and never ending inside a character. */
function cut(text, length) {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Pieces that a browser can lay out one by one, broken at line ends where there are any. */
function* pieces(text) {
  for (let rest = text; rest;) {
    let piece = cut(rest, PIECE);
    const lineEnd = piece.lastIndexOf("\n");
    if (piece.length < rest.length && lineEnd > 0) piece = rest.slice(0, lineEnd + 1);
    yield piece.replace(/\n$/, "");
    rest = rest.slice(piece.length);
  }
}
