/** Chooses how a set of tools follows links: through the workspace, or through the store. Null: the store has no links. */
import { internals } from "@workspace/protocol";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import type { FileStore } from "../store/file-store.ts";
import type { LinkReader } from "./path-resolver.ts";

export function linksOf(workspace: ToolWorkspace | undefined, store: FileStore | undefined): LinkReader | null {
  if (store !== undefined) return store.realpath === undefined ? null : { realpath: (path) => store.realpath!(path) };
  if (workspace === undefined) return null;
  const looks = workspace[internals]?.lookupPath !== undefined;
  return {
    ...(looks ? { lookup: (path: string) => workspace[internals]?.lookupPath?.(path) ?? null } : {}),
    realpath: (path) => workspace.fs.realpath(path),
    readlink: (path) => workspace.fs.readlink(path),
  };
}
