// Keys: / searches, j and k (or the arrows) move, Enter opens, Escape closes.

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

export function listenToKeys({ search, table, dialog, onStep, onClear }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.closest?.("input, select, textarea");
    if (event.key === "Escape" && typing === search) {
      onClear();
      search.blur();
    } else if (event.key === "ArrowDown" && typing === search) {
      event.preventDefault();
      table.focus(0);
    } else if (typing) {
      return;
    } else if (event.key === "/" && !dialog.isOpen()) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key in STEPS) {
      step(event, STEPS[event.key]);
    }
  });

  function step(event, by) {
    // In an open case the arrows scroll, as everywhere.
    if (dialog.isOpen()) {
      if (!event.key.startsWith("Arrow")) onStep(by);
      return;
    }
    const from = table.focusedPlace();
    if (from < 0 && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    table.focus(from < 0 ? 0 : from + by);
  }
}
