// Which runs are listed. Each choice is offered where it can tell runs apart.
import { el } from "./dom.js";

const RUN_CHOICES = {
  agent: { title: "Agent", every: "All agents", of: ({ start }) => [start.agent_id] },
  title: { title: "Title", every: "All titles", of: ({ start }) => (start.title ? [start.title] : []) },
  branch: { title: "Branch", every: "All branches", of: ({ start }) => (start.branch ? [start.branch] : []) },
  model: { title: "Model", every: "All models", of: modelsOf },
  tag: { title: "Tag", every: "All tags", of: ({ start }) => start.tags ?? [] },
};

/** The models of a run's agents, each once. */
export function modelsOf({ start }) {
  const named = Object.values(start.agents ?? {}).map((agent) => agent.model);
  const found = [...new Set(named.filter(Boolean))];
  return found.length ? found : start.connector ? [start.connector] : [];
}

/** The selects; `refresh(runs)` offers what these runs have, `fits(run)` says whether a run is wanted. */
export function runFilters(onChange) {
  const fields = Object.entries(RUN_CHOICES).map(([name, choice]) => ({
    ...choice,
    node: el("select", { "aria-label": choice.title, "data-choice": name, hidden: true, on: { change: onChange } }),
  }));
  return {
    nodes: fields.map((field) => field.node),
    refresh(runs) {
      for (const field of fields) if (document.activeElement !== field.node) offer(field, runs);
    },
    fits: (run) => fields.every(({ node, of }) => !node.value || of(run).includes(node.value)),
    isUsed: () => fields.some(({ node }) => node.value),
  };
}

function offer({ node, every, of }, runs) {
  const values = [...new Set(runs.flatMap(of))].sort();
  const chosen = values.includes(node.value) ? node.value : "";
  node.replaceChildren(el("option", { value: "" }, every), ...values.map((value) => el("option", { value }, value)));
  node.value = chosen;
  // A choice that every run has says nothing.
  node.hidden = !values.length || (values.length === 1 && runs.every((run) => of(run).length));
}
