/** Creates a workspace and fills it. If filling fails, the new workspace is removed; an existing one is never touched. */
import { uploadArchive } from "../api/archive.ts";
import { createWorkspace, deleteWorkspace } from "../api/workspaces.ts";

export type WorkspaceSource =
  | { kind: "empty" }
  | { kind: "git"; url: string }
  | { kind: "archive"; file: File; format: "tar" | "zip" };

export async function makeWorkspace(name: string, source: WorkspaceSource): Promise<void> {
  // Creates the name first: an archive on a taken name would be unpacked among existing files.
  await createWorkspace({ name, from: source.kind === "git" ? { git: source.url } : {} });
  if (source.kind !== "archive") return;
  try {
    await uploadArchive(name, "", source.format, source.file);
  } catch (refused) {
    // An archive is unpacked all or nothing, so the deleted workspace is empty. The original error is the one to report.
    await deleteWorkspace(name).catch(() => {});
    throw refused;
  }
}

export const ARCHIVES = ".zip,.tar,.tar.gz,.tgz";

/** The archive format by file extension; null if it is not supported. */
export function archiveFormat(fileName: string): "tar" | "zip" | null {
  if (/\.zip$/i.test(fileName)) return "zip";
  return /\.(tar|tar\.gz|tgz)$/i.test(fileName) ? "tar" : null;
}
