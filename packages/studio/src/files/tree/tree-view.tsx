/** Renders the file tree: rows, keyboard control, the context menu, and files dropped on a folder. */
import { useEffect, useState } from "preact/hooks";
import { dirname } from "../../api/path.ts";
import { route } from "../../state/route.ts";
import { openFile } from "../../state/tabs.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import type { TreeModel, TreeRow } from "./tree-model.ts";
import { rowId, TreeRowView } from "./tree-row-view.tsx";
import "./tree.css";

interface TreeViewProps {
  model: TreeModel;
  onMenu: (row: TreeRow, at: { x: number; y: number }) => void;
  onAct: (row: TreeRow, act: "rename" | "remove") => void;
  onDrop: (folder: string, data: DataTransfer) => void;
}

export function TreeView({ model, onMenu, onAct, onDrop }: TreeViewProps) {
  const rows = model.rows.value;
  const [at, setAt] = useState("");
  const [over, setOver] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  // Counts keys: a key that leads to the current row still scrolls it into view.
  const [turn, setTurn] = useState(0);
  const { path: open, view } = route.value;
  useEffect(() => {
    if (open !== "" && view === "files") model.reveal(open).then(() => setAt(open));
  }, [open, view, model]);
  const index = rows.findIndex((row) => row.path === at);
  const choose = (row: TreeRow) => {
    setAt(row.path);
    if (row.type !== "directory") return row.note === undefined && openFile(row.path);
    if (row.expanded) model.collapse(row.path);
    else model.expand(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[index];
    const next = keyTarget(event.key, rows, index);
    setTurn(turn + 1);
    if (next !== undefined) setAt(rows[Math.max(0, Math.min(rows.length - 1, next))]?.path ?? "");
    else if (row === undefined) return;
    else if (event.key === "Enter" || event.key === " ") choose(row);
    else if (event.key === "ArrowRight" && row.type === "directory") model.expand(row.path);
    else if (event.key === "ArrowLeft" && row.expanded) model.collapse(row.path);
    else if (event.key === "ArrowLeft") setAt(dirname(row.path));
    else if (event.key === "F2") onAct(row, "rename");
    else if (event.key === "Delete") onAct(row, "remove");
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) onMenu(row, placeOfRow(at));
    else return;
    event.preventDefault();
  };
  const dropFolder = (event: DragEvent) => {
    const row = rows.find(
      ({ path }) => path === (event.target as HTMLElement).closest<HTMLElement>("[data-path]")?.dataset.path,
    );
    if (row === undefined) return "";
    return row.type === "directory" ? row.path : dirname(row.path);
  };
  return (
    <VirtualList
      count={rows.length}
      shown={index}
      turn={turn}
      row={(i) => {
        const row = rows[i] as TreeRow;
        return (
          <TreeRowView
            key={row.path}
            row={row}
            current={row.path === open}
            active={focused && row.path === at}
            target={over !== null && over !== "" && (row.path === over || row.path.startsWith(`${over}/`))}
            onChoose={choose}
            onMenu={onMenu}
          />
        );
      }}
      attributes={{
        class: `tree ${over === "" ? "tree-target" : ""}`,
        role: "tree",
        tabIndex: 0,
        "aria-label": "Files of the workspace",
        "aria-activedescendant": index >= 0 ? rowId(at) : undefined,
        onKeyDown,
        onFocus: () => {
          setFocused(true);
          if (index < 0) setAt(rows[0]?.path ?? "");
        },
        onBlur: () => setFocused(false),
        onDragOver: (event: DragEvent) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          setOver(dropFolder(event));
        },
        onDragLeave: () => setOver(null),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          setOver(null);
          if (event.dataTransfer) onDrop(dropFolder(event), event.dataTransfer);
        },
      }}
    />
  );
}

/** The row that a key leads to; undefined if the key does not move. */
function keyTarget(key: string, rows: readonly TreeRow[], index: number): number | undefined {
  const jumps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: rows.length - 1,
    PageDown: index + 20,
    PageUp: index - 20,
  };
  if (key in jumps) return jumps[key];
  if (key === "ArrowRight" && rows[index]?.expanded) return index + 1;
  if (!/^[\w.-]$/.test(key)) return undefined;
  const starts = (row: TreeRow) => row.name.toLowerCase().startsWith(key.toLowerCase());
  const after = rows.findIndex((row, i) => i > index && starts(row));
  const found = after >= 0 ? after : rows.findIndex(starts);
  return found >= 0 ? found : index;
}

function placeOfRow(path: string): { x: number; y: number } {
  const box = document.getElementById(rowId(path))?.getBoundingClientRect();
  return { x: (box?.left ?? 0) + 40, y: box?.bottom ?? 0 };
}
