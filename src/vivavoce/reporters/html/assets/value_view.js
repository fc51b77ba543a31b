// JSON values and message contents.
import { readRow } from "./case_rows.js";
import { el } from "./dom.js";
import { size } from "./format.js";
import { inline, textBlock, withMarks } from "./visible_text.js";

const COLOURED_UP_TO = 30_000;
const ONE_LINE_UP_TO = 64;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
const NAMED = /^viva-attachment:([\w.+/-]+);bytes=(\d+);sha256=([0-9a-f]{64})$/;
const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*)\n\s*```\s*$/;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

/** JSON over several lines; numbers as people read them (0.1 + 0.2 is 0.3), unless every digit counts. */
export function pretty(value, { exact = false } = {}) {
  return JSON.stringify(value, exact ? null : asRead, 2) ?? "nothing";
}

/** The same on one line. */
export function shortJson(value) {
  return JSON.stringify(value, asRead);
}

/** Whether two different values would read the same. */
export function readAlike(one, other) {
  return shortJson(one) === shortJson(other);
}

function asRead(_key, value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;
}

/** A value as people read it: text as text, everything else as JSON. */
export function valueBlock(value, { exact = false, ...attributes } = {}) {
  return typeof value === "string" ? textBlock(value, attributes) : jsonBlock(value, { exact, ...attributes });
}

/** What an agent said: JSON as JSON, everything else as text. */
export function saidBlock(text) {
  const value = jsonIn(text);
  return value === undefined ? textBlock(text) : jsonBlock(value);
}

/** The object or array that a text is, alone or in one fence; nothing for every other text. */
function jsonIn(text) {
  const inner = FENCED.exec(text)?.[1] ?? text;
  if (!/^\s*[[{]/.test(inner) || text.length > COLOURED_UP_TO) return undefined;
  try {
    return readRow(inner);
  } catch {
    return undefined;
  }
}

export function jsonBlock(value, { exact = false, ...attributes } = {}) {
  const text = onOneLine(value, exact) ?? pretty(value, { exact });
  const block = textBlock(text, {
    dir: "ltr",
    ...attributes,
    render: text.length > COLOURED_UP_TO ? withMarks : coloured,
  });
  block.classList.add("json");
  return block;
}

/** A small value, which reads better on one line; null for any other. */
function onOneLine(value, exact) {
  const text = exact ? JSON.stringify(value) : shortJson(value);
  if (text === undefined || text.length > ONE_LINE_UP_TO) return null;
  return pretty(value, { exact }).replace(/\n\s*/g, " ");
}

function coloured(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(TOKEN)) {
    if (found.index > from) nodes.push(text.slice(from, found.index));
    const [token, string, colon] = found;
    const kind = string === undefined ? "json-literal" : colon === undefined ? "json-string" : "json-key";
    nodes.push(el("span", { class: kind }, withMarks(token)));
    from = found.index + token.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

/** A message's content: its text, and each other part by what it is. */
export function contentNodes(content) {
  if (content === undefined || content === "") return [el("p", { class: "nothing" }, "(nothing)")];
  if (!Array.isArray(content)) return [valueBlock(content)];
  return content.map(partNode);
}

function partNode(part) {
  if (part.type === "text") return textBlock(String(part.text ?? ""));
  const written = part.image_url?.url ?? part.image_url ?? part.file?.url ?? part.input_audio?.data;
  const named = typeof written === "string" && NAMED.exec(written);
  const address = named ? keptPicture(named[3]) : written;
  if (named && !address) {
    const name = part.file?.filename ? `${part.file.filename}, ` : "";
    return el("p", { class: "attachment" }, inline(`${name}${named[1]}, ${size(Number(named[2]))}`));
  }
  if (part.image_url === undefined || typeof address !== "string") return jsonBlock(part);
  // Only pictures that are in the file already: a report never fetches anything.
  if (PICTURE.test(address)) return el("img", { class: "picture", src: address, alt: "picture sent with the message" });
  return el("p", { class: "attachment" }, `picture, ${size(address.length)}: `, inline(address.slice(0, 200)));
}

/** The address of a picture that the page keeps once for all its cases. */
function keptPicture(digest) {
  const kept = document.querySelector(`script.picture[data-digest="${digest}"]`);
  return kept ? JSON.parse(kept.textContent).address : undefined;
}
