/** The actions on an entry of the tree. Every change shows a notice and can be undone. */
import { downloadArchive } from "../api/archive.ts";
import { readFile, removeEntry, writeFile } from "../api/files.ts";
import { undo } from "../api/history.ts";
import { basename, dirname } from "../api/path.ts";
import { makeFolder, renameEntry } from "../api/tree.ts";
import { notify, notifyError } from "../state/notices.ts";
import { closeTab, moveTab, openFile, tabs } from "../state/tabs.ts";
import { saveBlob } from "./save-blob.ts";

export async function createFile(workspace: string, path: string): Promise<void> {
  await writeFile(workspace, path, "", { ifVersion: null });
  openFile(path);
}

export async function createFolder(workspace: string, path: string): Promise<void> {
  await makeFolder(workspace, path);
}

export async function rename(workspace: string, from: string, to: string): Promise<void> {
  if (from === to) return;
  if (dirname(to) !== dirname(from) && dirname(to) !== "") await makeFolder(workspace, dirname(to));
  await renameEntry(workspace, from, to);
  moveTab(from, to);
}

export async function remove(workspace: string, path: string): Promise<void> {
  const callId = `remove-${crypto.randomUUID()}`;
  try {
    await removeEntry(workspace, path, callId);
  } catch (error) {
    return notifyError(`${path} was not removed`, error);
  }
  for (const tab of tabs.value)
    if ((tab.path === path || tab.path.startsWith(`${path}/`)) && !tab.dirty.value) closeTab(tab.path);
  const rollback = () =>
    undo(workspace, { callId }).then(
      () => notify({ kind: "good", text: `Restored ${path}.` }),
      (error) => notifyError(`${path} could not be brought back`, error),
    );
  notify({ kind: "plain", text: `${path} was removed.`, action: { label: "Undo", run: rollback } });
}

export async function download(workspace: string, path: string, folder: boolean): Promise<void> {
  try {
    if (folder) saveBlob(await downloadArchive(workspace, path, "zip"), `${basename(path) || workspace}.zip`);
    else saveBlob(new Blob([(await readFile(workspace, path)).bytes]), basename(path));
  } catch (error) {
    notifyError(`${path || "The workspace"} could not be downloaded`, error);
  }
}
