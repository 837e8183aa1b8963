/** The root that confines a set of tools, and the base of its relative paths. */

import { isInside } from "@workspace/glob";
import { ToolError } from "../errors.ts";
import { findRoot } from "../paths/find-root.ts";
import { normalizePath } from "../paths/path-resolver.ts";
import type { ToolsetOptions } from "./toolset.ts";

const DEFAULT_ROOT = "/workspace";

export async function resolveRoot({
  root,
  cwd,
  workspace,
  store,
  rootMarkers,
}: ToolsetOptions): Promise<{ root: string; cwd: string }> {
  const top = workspace?.root ?? DEFAULT_ROOT;
  const start = cwd === undefined ? undefined : normalizePath(cwd.startsWith("/") ? cwd : `${top}/${cwd}`);
  if (root !== "auto") {
    const place = root === undefined ? (workspace === undefined ? "/" : top) : normalizePath(root);
    if (root !== undefined && !root.startsWith("/"))
      throw new ToolError("INVALID_INPUT", "root must be an absolute path.");
    if (start !== undefined && !isInside(start, place))
      throw new ToolError("INVALID_INPUT", `cwd must be inside ${place}.`);
    return { root: place, cwd: start ?? place };
  }
  const exists = async (path: string) =>
    store === undefined ? (workspace?.fs.exists(path) ?? false) : (await store.stat(path)) !== null;
  const from = start ?? top;
  const found = await findRoot(exists, from, isInside(from, top) ? top : from, rootMarkers);
  return { root: found, cwd: from };
}
