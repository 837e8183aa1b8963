/** What is synced and how much of it: the defaults, the root's `.workspaceignore`, then the caller's own globs; the last that matches decides. */
import { IgnoreStack, parseIgnore } from "@workspace/glob";
import { CONTAINER_ONLY, IGNORE_FILE, PRIVATE_DIRECTORY, SYNC_LIMITS } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";

export interface SyncOptions {
  /** In order: each glob, as in an ignore file, and where what matches it lives. */
  policy?: readonly { glob: string; keep: "durable" | "container-only" }[];
  /** The whole synced tree at most; default 200 000 entries and 2 GiB. */
  budget?: { entries?: number; bytes?: number };
}

export interface Policy {
  readonly text: string;
  staysThere(path: string, isDirectory: boolean): boolean;
}

let last: Policy | null = null;

export async function readPolicy(fs: FileSystem, root: string, options: SyncOptions): Promise<Policy> {
  const [file] = await fs.readMany([`${root === "/" ? "" : root}/${IGNORE_FILE}`]);
  const own = file && file.length <= SYNC_LIMITS.policyBytes / 2 ? new TextDecoder().decode(file) : "";
  const said = (options.policy ?? []).map(({ glob, keep }) => (keep === "durable" ? `!${glob}` : glob));
  const text = [...CONTAINER_ONLY, own, ...said].join("\n");
  if (last?.text === text) return last;
  const rules = new IgnoreStack().add("", "ignore", parseIgnore(text, "policy"));
  last = {
    text,
    staysThere: (path, isDirectory) =>
      path === PRIVATE_DIRECTORY ||
      path.startsWith(`${PRIVATE_DIRECTORY}/`) ||
      rules.ignored(path, isDirectory).ignored,
  };
  return last;
}
