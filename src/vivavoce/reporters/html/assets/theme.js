// Light or dark: what the system says, until the reader says otherwise.
import { button } from "./dom.js";
import { icon } from "./icons.js";

const REMEMBERED_AS = "viva-theme";

export function themeButton() {
  const root = document.documentElement;
  const chosen = remembered();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const toggle = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
  };
  return button(
    { class: "round", "aria-label": "Switch between light and dark", title: "Light or dark", on: { click: toggle } },
    icon("theme"),
  );
}

// A page from a file may not be allowed to keep anything; then the choice lasts until it is closed.
function remembered() {
  try {
    return localStorage.getItem(REMEMBERED_AS);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(REMEMBERED_AS, theme);
  } catch {
    return;
  }
}
