/** A file's bytes with its version, and how to put others in their place without losing what somebody else wrote. */

import { inUrl, workspaceUrl } from "./path.ts";
import { send } from "./request.ts";

export interface FileBytes {
  bytes: Uint8Array<ArrayBuffer>;
  version: string;
}

export interface WriteOptions {
  /** The version that must be there; null: there must be nothing. Absent: whatever is there is replaced. */
  ifVersion?: string | null;
  callId?: string;
  signal?: AbortSignal;
}

export async function readFile(workspace: string, path: string, signal?: AbortSignal): Promise<FileBytes> {
  const response = await send(fileUrl(workspace, path), { signal });
  return { bytes: new Uint8Array(await response.arrayBuffer()), version: etagVersion(response) };
}

/** Answers the new version. */
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

/** A folder with all that is in it. */
export async function removeEntry(workspace: string, path: string, callId: string): Promise<void> {
  const headers = { "X-Workspace-Call": callId };
  await send(fileUrl(workspace, path), { method: "DELETE", query: { recursive: 1 }, headers });
}

export function fileUrl(workspace: string, path: string): string {
  return workspaceUrl(workspace, `files/${inUrl(path)}`);
}

function etagVersion(response: Response): string {
  return (response.headers.get("ETag") ?? "").replace(/^"|"$/g, "");
}
