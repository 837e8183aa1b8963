/**
 * Decides what is synced, and how much of it. The rules are the defaults, the root's `.workspaceignore`, then the caller's own
 * globs; the last match decides. The defaults apply only to what commands create in the container (`CONTAINER_ONLY`), the user's
 * rules to every path.
 */
import { IgnoreStack, parseIgnore } from "@workspace/glob";
import { CONTAINER_ONLY, IGNORE_FILE, PRIVATE_DIRECTORY, SYNC_LIMITS } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";

export interface SyncOptions {
  /** In order: each glob, as in an ignore file, and where its matches live. */
  policy?: readonly { glob: string; keep: "durable" | "container-only" }[];
  /** Limit of the whole synced tree; default 200 000 entries and 2 GiB. */
  budget?: { entries?: number; bytes?: number };
}

export interface Policy {
  readonly text: string;
  /** How many of its first lines are the defaults, which apply only to what commands create. */
  readonly defaults: number;
  /** Differs for each text. */
  readonly id: string;
  /** The user's rules exclude this path from the sync, in both directions. */
  isContainerOnly(path: string, isDirectory: boolean): boolean;
  /** A command may have created this file only in the container. */
  mayBeOnlyThere(path: string): boolean;
}

let last: Policy | null = null;

export async function readPolicy(fs: FileSystem, root: string, options: SyncOptions): Promise<Policy> {
  const [file] = await fs.readMany([`${root === "/" ? "" : root}/${IGNORE_FILE}`]);
  const own = file && file.length <= SYNC_LIMITS.policyBytes / 2 ? new TextDecoder().decode(file) : "";
  const reported = (options.policy ?? []).map(({ glob, keep }) => (keep === "durable" ? `!${glob}` : glob));
  const explicit = [own, ...reported].join("\n");
  const text = [...CONTAINER_ONLY, explicit].join("\n");
  if (last?.text === text) return last;
  const isPrivate = (path: string) => path === PRIVATE_DIRECTORY || path.startsWith(`${PRIVATE_DIRECTORY}/`);
  const [users, all] = [explicit, text].map((rules) =>
    new IgnoreStack().add("", "ignore", parseIgnore(rules, "policy")),
  ) as [IgnoreStack, IgnoreStack];
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  last = {
    text,
    defaults: CONTAINER_ONLY.length,
    id: Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(""),
    isContainerOnly: (path, isDirectory) => isPrivate(path) || users.ignored(path, isDirectory).ignored,
    mayBeOnlyThere: (path) => isPrivate(path) || all.ignored(path, false).ignored,
  };
  return last;
}
