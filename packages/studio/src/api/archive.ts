/** Downloads and uploads a folder as one file. */
import type { ArchiveFormat, ArchiveResponse } from "@workspace/worker/api";
import { absolute, workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export async function downloadArchive(workspace: string, path: string, format: ArchiveFormat): Promise<Blob> {
  const query = { path: absolute(path), format };
  return (await send(workspaceUrl(workspace, "archive"), { query })).blob();
}

export function uploadArchive(workspace: string, path: string, format: ArchiveFormat, body: Blob) {
  const query = { path: absolute(path), format };
  return sendForJson<ArchiveResponse>(workspaceUrl(workspace, "archive"), { method: "PUT", query, body });
}
