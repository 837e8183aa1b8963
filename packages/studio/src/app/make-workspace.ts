/** Makes a workspace and fills it; one that could not be filled is not left behind, and neither is one that was there already touched. */
import { uploadArchive } from "../api/archive.ts";
import { createWorkspace, deleteWorkspace } from "../api/workspaces.ts";

export type WorkspaceSource =
  | { kind: "empty" }
  | { kind: "git"; url: string }
  | { kind: "archive"; file: File; format: "tar" | "zip" };

export async function makeWorkspace(name: string, source: WorkspaceSource): Promise<void> {
  // Its name first: an archive on a name that is taken would land among somebody's files.
  await createWorkspace({ name, from: source.kind === "git" ? { git: source.url } : {} });
  if (source.kind !== "archive") return;
  try {
    await uploadArchive(name, "", source.format, source.file);
  } catch (refused) {
    // An archive is unpacked whole or not at all: what is deleted here is empty. Why it was refused is what counts.
    await deleteWorkspace(name).catch(() => {});
    throw refused;
  }
}

export const ARCHIVES = ".zip,.tar,.tar.gz,.tgz";

/** By the end of its name; null for what cannot be unpacked here. */
export function archiveFormat(fileName: string): "tar" | "zip" | null {
  if (/\.zip$/i.test(fileName)) return "zip";
  return /\.(tar|tar\.gz|tgz)$/i.test(fileName) ? "tar" : null;
}
