/** The menu of an entry: a folder also offers new entries; items that change something need write access. */
import { absolute, dirname } from "../api/path.ts";
import { notify } from "../state/notices.ts";
import { go } from "../state/route.ts";
import { mayWrite } from "../state/session.ts";
import { openFile } from "../state/tabs.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { download } from "./entry-actions.ts";
import type { TreeRow } from "./tree/tree-model.ts";

interface EntryActions {
  newFile: (folder: string) => void;
  newFolder: (folder: string) => void;
  uploadTo: (folder: string) => void;
  act: (row: TreeRow, what: "rename" | "remove") => void;
}

export function entryMenu(workspace: string, row: TreeRow, acts: EntryActions): MenuItem[] {
  const isFolder = row.type === "directory";
  const folder = isFolder ? row.path : dirname(row.path);
  const items: MenuItem[] = [];
  if (!isFolder) items.push({ label: "Open", icon: "file", run: () => openFile(row.path) });
  if (mayWrite() && isFolder)
    items.push(
      { label: "New file here…", icon: "plus", run: () => acts.newFile(folder) },
      { label: "New folder here…", icon: "folder", run: () => acts.newFolder(folder) },
      { label: "Upload here…", icon: "upload", run: () => acts.uploadTo(folder) },
    );
  items.push(
    {
      label: isFolder ? "Download as zip" : "Download",
      icon: "download",
      run: () => download(workspace, row.path, isFolder),
    },
    { label: "Copy path", icon: "link", run: () => copy(absolute(row.path)) },
    { label: "History", icon: "activity", run: () => go({ view: "activity", path: row.path }) },
  );
  if (mayWrite())
    items.push(
      { label: "Rename…", icon: "pencil", run: () => acts.act(row, "rename") },
      { label: "Remove", icon: "trash", danger: true, run: () => acts.act(row, "remove") },
    );
  return items;
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  notify({ kind: "good", text: `Copied ${text}` });
}
