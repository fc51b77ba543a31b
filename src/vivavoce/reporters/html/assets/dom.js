// Building the page. Strings become text nodes: nothing here, and nothing built on it, ever parses markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** An element; `on` holds listeners, and children that are null or false are left out. */
export function el(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

export function svgEl(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function furnished(node, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(attributes, ...children) {
  return el("button", { type: "button", ...attributes }, ...children);
}

/** Something to unfold; its body is built the first time it is seen. */
export function fold(summary, buildBody, { open = false, ...attributes } = {}) {
  const node = el("details", attributes, el("summary", {}, summary));
  let built = false;
  const build = () => {
    if (built) return;
    built = true;
    node.append(el("div", { class: "fold-body" }, buildBody()));
  };
  node.addEventListener("toggle", () => node.open && build());
  if (open) {
    build();
    node.open = true;
  }
  return node;
}
