/** The file tree pane: the tree, its toolbar and dialogs, and uploads by drag and drop. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { registerCommands } from "../state/commands.ts";
import { listen } from "../state/feed.ts";
import { workspace } from "../state/route.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Failure, Message } from "../ui/message.tsx";
import { droppedFiles } from "./dropped-files.ts";
import { createFile, createFolder, download, remove, rename } from "./entry-actions.ts";
import { entryMenu } from "./entry-menu.ts";
import { NameDialog } from "./name-dialog.tsx";
import { sendFiles } from "./send-files.ts";
import { TreeModel, type TreeRow } from "./tree/tree-model.ts";
import { TreeView } from "./tree/tree-view.tsx";
import { UploadLine } from "./upload-line.tsx";
import { useFileChooser } from "./use-file-chooser.ts";

interface NamePrompt {
  title: string;
  action: string;
  start: string;
  submit: (path: string) => Promise<void>;
}

export function FolderPane() {
  const name = workspace.value as string;
  const model = useTree(name);
  const [asking, setAsking] = useState<NamePrompt | null>(null);
  const [menu, setMenu] = useState<{ row: TreeRow; at: { x: number; y: number } } | null>(null);
  const closeMenu = useRef(() => setMenu(null)).current;
  const chooser = useFileChooser();
  const newFile = (folder = "") =>
    setAsking({
      title: "New file",
      action: "Create",
      start: folder === "" ? "" : `${folder}/`,
      submit: (path) => createFile(name, path),
    });
  const newFolder = (folder = "") =>
    setAsking({
      title: "New folder",
      action: "Create",
      start: folder === "" ? "" : `${folder}/`,
      submit: (path) => createFolder(name, path),
    });
  const act = (row: TreeRow, what: "rename" | "remove") => {
    if (!mayWrite() || row.note !== undefined) return;
    if (what === "remove") remove(name, row.path);
    else
      setAsking({
        title: `Rename ${row.name}`,
        action: "Rename",
        start: row.path,
        submit: (path) => rename(name, row.path, path),
      });
  };
  const uploadTo = (folder: string) => chooser((files) => sendFiles(name, folder, files));
  useEffect(
    () =>
      registerCommands([
        { id: "new-file", label: "New file…", group: "Files", run: () => newFile() },
        { id: "new-folder", label: "New folder…", group: "Files", run: () => newFolder() },
        { id: "upload", label: "Upload files…", group: "Files", run: () => uploadTo("") },
        { id: "download-all", label: "Download the workspace", group: "Files", run: () => download(name, "", true) },
      ]),
    [name],
  );
  const empty = model.root.value === "ready" && model.rows.value.length === 0;
  return (
    <section class="folder-pane" aria-label="Files">
      <header class="pane-head">
        <h2>Files</h2>
        {mayWrite() && (
          <>
            <Button kind="quiet" icon="plus" label="New file" onClick={() => newFile()} />
            <Button kind="quiet" icon="folder" label="New folder" onClick={() => newFolder()} />
            <Button kind="quiet" icon="upload" label="Upload files" onClick={() => uploadTo("")} />
          </>
        )}
        <Button kind="quiet" icon="download" label="Download everything" onClick={() => download(name, "", true)} />
      </header>
      {model.root.value === "failed" && (
        <Failure what="The tree" error={model.rootError} retry={() => model.expand("")} small />
      )}
      {empty && (
        <Message icon="upload" title="No files yet" small>
          Drop files here, create one with +, or run a command that creates files.
        </Message>
      )}
      <TreeView
        model={model}
        onMenu={(row, at) => setMenu({ row, at })}
        onAct={act}
        onDrop={async (folder, data) => mayWrite() && sendFiles(name, folder, await droppedFiles(data))}
      />
      <UploadLine />
      {menu !== null && (
        <Menu
          label={`Actions for ${menu.row.name}`}
          at={menu.at}
          onClose={closeMenu}
          items={entryMenu(name, menu.row, { newFile, newFolder, uploadTo, act })}
        />
      )}
      {asking !== null && <NameDialog {...asking} onClose={() => setAsking(null)} />}
    </section>
  );
}

function useTree(name: string): TreeModel {
  const model = useMemo(() => new TreeModel(name), [name]);
  useEffect(() => {
    const stop = listen({ onChanges: (changes) => model.apply(changes), onLost: () => model.reload() });
    return () => {
      stop();
      model.dispose();
    };
  }, [model]);
  return model;
}
