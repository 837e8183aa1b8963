/** `readResource` for a caller over RPC: the contents as JSON, passed on unchanged, or the error. Never rejects. */
import type { FileSystem } from "@cloudflare/workspace";
import { asRpcError } from "./as-rpc-error.ts";
import { readResource } from "./read-resource.ts";

export type ResourceAnswer = { contents: string } | { refused: { code: number; message: string; data: string } };

export async function answerResource(fs: FileSystem, workspace: string, uri: string): Promise<ResourceAnswer> {
  try {
    return { contents: JSON.stringify(await readResource(fs, workspace, uri)) };
  } catch (error) {
    const { code, message, data = null } = asRpcError(error);
    return { refused: { code, message, data: JSON.stringify(data) } };
  }
}
