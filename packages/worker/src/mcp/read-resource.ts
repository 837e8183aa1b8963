/**
 * Reads one resource, inside the object: text if the bytes are UTF-8 without NULs, base64 otherwise; for a directory, its entries.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import { HttpError } from "../errors/http-error.ts";
import { contentTypeOf } from "../http/content-type.ts";
import { type ResolvedPath, resolveExisting } from "../routes/files/resolve-path.ts";
import { MCP_LIMITS } from "./limits.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";
import { notFound, parseResourceUri, resourceUri } from "./resource-uri.ts";

export async function readResource(fs: FileSystem, workspace: string, uri: string): Promise<Record<string, unknown>[]> {
  const requested = parseResourceUri(workspace, uri);
  const found = await existing(fs, requested, uri);
  if (found.stat.type === "dir") return directory(fs, { workspace, requested, found, uri });
  if (found.stat.size > MCP_LIMITS.resourceBytes) {
    const message = `the file has ${found.stat.size} bytes, and a resource at most ${MCP_LIMITS.resourceBytes}; the tool "read" reads it by parts`;
    throw new RpcError(RPC_ERRORS.invalidParams, message, { uri, code: "EFBIG", size: found.stat.size });
  }
  const bytes = await fs.readFile(found.path);
  const text = decodeText(bytes);
  const mimeType = text === null ? contentTypeOf(requested) : textType(requested);
  return [text === null ? { uri, mimeType, blob: base64(bytes) } : { uri, mimeType, text }];
}

/** The media type of a text file by its name; `text/plain` for an unknown name. */
export function textType(path: string): string {
  const type = contentTypeOf(path.slice(path.lastIndexOf("/") + 1));
  return type === "application/octet-stream" ? "text/plain" : (type.split(";", 1)[0] as string);
}

async function existing(fs: FileSystem, requested: string, uri: string): Promise<ResolvedPath> {
  try {
    return await resolveExisting(fs, requested);
  } catch (error) {
    const gone =
      (error instanceof FsError || error instanceof HttpError) &&
      ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(error.code);
    if (gone) throw notFound(uri);
    throw error;
  }
}

interface Directory {
  workspace: string;
  requested: string;
  found: ResolvedPath;
  uri: string;
}

async function directory(
  fs: FileSystem,
  { workspace, requested, found, uri }: Directory,
): Promise<Record<string, unknown>[]> {
  const page = await fs.scan(found.path, { limit: MCP_LIMITS.directoryEntries + 1 });
  const entries = page.slice(0, MCP_LIMITS.directoryEntries).map(({ name, stat }) => ({
    uri: resourceUri(workspace, `${requested}/${name}`),
    name,
    type: stat.type === "dir" ? "directory" : stat.type,
    size: stat.size,
  }));
  const truncated = page.length > entries.length;
  return [{ uri, mimeType: "application/json", text: JSON.stringify({ entries, truncated }) }];
}

function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
