/** Reads a file's bytes with its version, and writes them without overwriting concurrent changes. */

import { inUrl, workspaceUrl } from "./path.ts";
import { send } from "./request.ts";

export interface FileBytes {
  bytes: Uint8Array<ArrayBuffer>;
  version: string;
}

export interface WriteOptions {
  /** The required version; null: the file must not exist. Absent: any content is replaced. */
  ifVersion?: string | null;
  callId?: string;
  signal?: AbortSignal;
}

export async function readFile(workspace: string, path: string, signal?: AbortSignal): Promise<FileBytes> {
  const response = await send(fileUrl(workspace, path), { signal });
  return { bytes: new Uint8Array(await response.arrayBuffer()), version: etagVersion(response) };
}

/** Resolves to the new version. */
export async function writeFile(
  workspace: string,
  path: string,
  body: Blob | string | Uint8Array<ArrayBuffer>,
  { ifVersion, callId, signal }: WriteOptions = {},
): Promise<string> {
  const headers: Record<string, string> = { "Content-Type": "application/octet-stream" };
  if (ifVersion === null) headers["If-None-Match"] = "*";
  else if (ifVersion !== undefined) headers["If-Match"] = `"${ifVersion}"`;
  if (callId !== undefined) headers["X-Workspace-Call"] = callId;
  const response = await send(fileUrl(workspace, path), { method: "PUT", body, headers, signal });
  return etagVersion(response);
}

/** Removes a folder with its contents. */
export async function removeEntry(workspace: string, path: string, callId: string): Promise<void> {
  const headers = { "X-Workspace-Call": callId };
  await send(fileUrl(workspace, path), { method: "DELETE", query: { recursive: 1 }, headers });
}

function fileUrl(workspace: string, path: string): string {
  return workspaceUrl(workspace, `files/${inUrl(path)}`);
}

function etagVersion(response: Response): string {
  return (response.headers.get("ETag") ?? "").replace(/^"|"$/g, "");
}
