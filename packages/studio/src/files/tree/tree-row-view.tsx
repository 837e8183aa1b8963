/** One entry of the tree. */
import { Icon } from "../../ui/icon.tsx";
import type { TreeRow } from "./tree-model.ts";

interface TreeRowViewProps {
  row: TreeRow;
  /** This file is open. */
  current: boolean;
  /** This row has the keyboard cursor. */
  active: boolean;
  /** The drop target. */
  target: boolean;
  onChoose: (row: TreeRow) => void;
  onMenu: (row: TreeRow, at: { x: number; y: number }) => void;
}

export function TreeRowView({ row, current, active, target, onChoose, onMenu }: TreeRowViewProps) {
  const style = { paddingLeft: `${8 + (row.level - 1) * 14}px` };
  if (row.note !== undefined)
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus.
      <div class="tree-row tree-note" role="treeitem" aria-level={row.level} aria-disabled="true" style={style}>
        <span class="tree-twist" />
        {row.note}
      </div>
    );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and names the active row.
    <div
      id={rowId(row.path)}
      data-path={row.path}
      class={`tree-row ${current ? "current" : ""} ${active ? "active" : ""} ${target ? "target" : ""}`}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={current}
      aria-expanded={row.expanded}
      aria-label={row.name}
      style={style}
      onClick={() => onChoose(row)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      <span class="tree-twist">
        {row.type === "directory" && <Icon name={row.expanded ? "down" : "right"} size={12} />}
      </span>
      <span class={`tree-icon ${row.type}`}>
        <Icon name={row.type === "directory" ? "folder" : row.type === "symlink" ? "link" : "file"} size={15} />
      </span>
      <span class="cut">{row.name}</span>
      <button
        type="button"
        class="tree-more"
        tabIndex={-1}
        aria-label={`Actions for ${row.name}`}
        onClick={(event) => {
          event.stopPropagation();
          const box = event.currentTarget.getBoundingClientRect();
          onMenu(row, { x: box.left, y: box.bottom });
        }}
      >
        <Icon name="more" size={14} />
      </button>
    </div>
  );
}

export function rowId(path: string): string {
  return `row-${path}`;
}
