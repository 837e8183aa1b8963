/** Handles `resources/*` of MCP: the workspace's files as resources. */

import { ROOT } from "../http/workspace-path.ts";
import { MCP_LIMITS } from "./limits.ts";
import { type ListedFile, listFiles } from "./list-files.ts";
import type { McpContext } from "./mcp-context.ts";
import { optionalTextParam, textParam } from "./params.ts";
import { type Params, RPC_ERRORS, RpcError } from "./protocol.ts";
import { readResource, textType } from "./read-resource.ts";
import { resourceTemplate, resourceUri } from "./resource-uri.ts";

export async function listResources({ workspace, name }: McpContext, params: Params): Promise<Record<string, unknown>> {
  const cursor = optionalTextParam(params, "cursor", MCP_LIMITS.uriLength);
  const { files, after } = await listFiles(workspace.fs, cursor === undefined ? null : decodeCursor(cursor));
  const resources = files.map((file) => resourceOf(name, file));
  return { resources, ...(after === null ? {} : { nextCursor: encodeCursor(after) }) };
}

export function listTemplates({ name }: McpContext): Record<string, unknown> {
  const files = {
    uriTemplate: resourceTemplate(name),
    name: "file",
    title: "A file or directory of the workspace",
    description: "path is relative to the workspace's root. A directory's entries come as JSON.",
  };
  return { resourceTemplates: [files] };
}

export async function read({ object, workspace, name }: McpContext, params: Params): Promise<Record<string, unknown>> {
  const uri = textParam(params, "uri", MCP_LIMITS.uriLength);
  const contents = await object.measure(
    { kind: "readFile" },
    () => readResource(workspace.fs, name, uri),
    () => false,
  );
  return { contents };
}

function resourceOf(workspace: string, { path, stat }: ListedFile): Record<string, unknown> {
  return {
    uri: resourceUri(workspace, path),
    name: path.slice(ROOT.length + 1),
    mimeType: textType(path),
    size: stat.size,
    annotations: { lastModified: new Date(stat.mtimeMs).toISOString() },
  };
}

/** An opaque cursor. */
function encodeCursor(path: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(path)));
}

function decodeCursor(cursor: string): string {
  try {
    const path = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(atob(cursor), (c) => c.charCodeAt(0)),
    );
    const names = path.slice(ROOT.length + 1).split("/");
    const isPath =
      path.startsWith(`${ROOT}/`) && names.every((name) => !["", ".", ".."].includes(name) && !name.includes("\0"));
    if (isPath) return path;
  } catch {
    // Reported below.
  }
  throw new RpcError(RPC_ERRORS.invalidParams, "that is not a cursor of resources/list");
}
