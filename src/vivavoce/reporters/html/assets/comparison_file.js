// The comparison as a file: its own data, no server.
import { openComparison } from "./comparison_page.js";

const places = new Map([...document.querySelectorAll("script.row")].map((block) => [block.dataset.place, block]));

const told = [...document.querySelectorAll("script.change")].map((block) => JSON.parse(block.textContent));

openComparison(
  {
    changes: told,
    ...JSON.parse(document.getElementById("comparison").textContent),
    rowText: async (side, position) => places.get(`${side}-${position}`).textContent,
  },
  document.getElementById("viva"),
);
