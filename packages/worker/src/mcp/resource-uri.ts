/**
 * Files as resources: `workspace://demo/src/a.ts` is `/workspace/src/a.ts` of "demo". Not `file:`: a client must not take it for a
 * local file. Each segment is percent-decoded once and must then be one name.
 */
import { ROOT } from "../http/workspace-path.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";

export function resourceUri(workspace: string, path: string): string {
  const names = path.slice(ROOT.length + 1).split("/");
  return `workspace://${workspace}/${names.map(encodeURIComponent).join("/")}`;
}

export function resourceTemplate(workspace: string): string {
  return `workspace://${workspace}/{+path}`;
}

/** The path that the URI names. A trailing slash marks a directory and is dropped. */
export function parseResourceUri(workspace: string, uri: string): string {
  const base = `workspace://${workspace}/`;
  if (!uri.startsWith(base) || /[?#]/.test(uri)) throw notFound(uri);
  const segments = uri.slice(base.length).replace(/\/$/, "").split("/");
  if (segments.length === 1 && segments[0] === "") return ROOT;
  return [ROOT, ...segments.map((segment) => nameIn(segment, uri))].join("/");
}

export function notFound(uri: string): RpcError {
  return new RpcError(RPC_ERRORS.resourceNotFound, "there is no such resource", { uri });
}

function nameIn(segment: string, uri: string): string {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw notFound(uri);
  }
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) throw notFound(uri);
  return name;
}
