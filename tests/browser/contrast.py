"""WCAG contrast, measured on the page itself."""

TEXT_WITH_LITTLE_CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour, under) => {
    for (const fill of [`rgb(${under})`, colour]) {
      canvas.fillStyle = fill;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const groundOf = (node) => {
    const under = node.parentElement ? groundOf(node.parentElement) : [255, 255, 255];
    return rgb(getComputedStyle(node).backgroundColor, under);
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const lightOf = (colour) => {
    const [red, green, blue] = colour.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    const node = texts.currentNode.parentElement;
    if (!text || !node.checkVisibility({ visibilityProperty: true })) continue;
    if (node.closest("[disabled], script, svg, option, noscript")) continue;
    const ground = groundOf(node);
    const lights = [lightOf(rgb(getComputedStyle(node).color, ground)), lightOf(ground)].sort((a, b) => a - b);
    const ratio = (lights[1] + 0.05) / (lights[0] + 0.05);
    if (ratio < 4.5) found.add(`${node.tagName}.${node.className} ${ratio.toFixed(2)} ${text.slice(0, 20)}`);
  }
  return [...found];
}"""
