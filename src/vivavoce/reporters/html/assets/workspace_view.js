// What an agent left in its workspace: the files afterwards, and what changed.
import { el, fold } from "./dom.js";
import { count } from "./format.js";
import { inline, textBlock } from "./visible_text.js";

export function workspaceView(after) {
  if (!after) return null;
  const { files = [], changes = [], more_files = 0, more_changes = 0, kept_at } = after;
  const tree = [...files, more_files > 0 && `… and ${more_files} more`].filter(Boolean).join("\n");
  return el(
    "section",
    { class: "asides", "aria-label": "Workspace" },
    fold(
      ["Workspace ", inline(after.source), `: ${count(changes.length + more_changes, "change")}`],
      () => [
        changes.map(changeView),
        more_changes > 0 && el("p", { class: "facts" }, `… and ${more_changes} more`),
        tree && [el("p", { class: "facts" }, "Files afterwards"), textBlock(tree, { class: "logs" })],
        kept_at && el("p", { class: "facts" }, "Kept at ", inline(kept_at)),
      ],
      { class: "more" },
    ),
  );
}

function changeView(change) {
  const sizes = [change.size_before, change.size].filter((size) => size !== undefined);
  const mode = { true: "executable now", false: "no longer executable" }[change.executable];
  const facts = [sizes.length > 0 && `${sizes.join(" → ")} bytes`, mode].filter(Boolean).join(", ");
  return [
    el("p", { class: "facts" }, `${change.change} `, inline(change.path), facts && ` (${facts})`),
    change.diff && textBlock(change.diff, { class: "logs" }),
  ];
}
