/** Files: the tree on the left, the open files on the right. On a phone one at a time: the tree, until a file is open. */
import { route } from "../state/route.ts";
import { Split } from "../ui/split.tsx";
import { FilePane } from "./file-pane.tsx";
import { FolderPane } from "./folder-pane.tsx";
import "./files-view.css";

export function FilesView() {
  const open = route.value.path !== "";
  return (
    <Split class={`files ${open ? "files-open" : ""}`} side={<FolderPane />} label="Width of the tree">
      <FilePane />
    </Split>
  );
}
