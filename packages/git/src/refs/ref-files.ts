/**
 * Reads refs from disk: a loose file takes precedence over packed-refs. Per-work-tree refs (HEAD and its like, refs/bisect,
 * refs/worktree, refs/rewritten) are in the work tree's own git directory, all others in the common one.
 */
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { parseOid } from "../object/oid.ts";
import { decode } from "../text/bytes.ts";
import { NO_PACKED_REFS, type PackedRefs, parsePackedRefs } from "./packed-refs.ts";
import type { RefValue } from "./ref-store.ts";

export interface RefFiles {
  readonly fs: GitHost["fs"];
  readonly gitDir: string;
  readonly commonDir: string;
  path(name: string): string;
  logPath(name: string): string;
  /** Parsed again only if the file changed. */
  packed(): Promise<PackedRefs>;
  /** Null: no such loose file. */
  loose(name: string): Promise<RefValue | "broken" | null>;
  forgetPacked(): void;
}

export function openRefFiles(fs: GitHost["fs"], gitDir: string, commonDir: string): RefFiles {
  const located = (name: string) => locateRef(name, gitDir, commonDir);
  const packedPath = `${commonDir}/packed-refs`;
  let known: { version: string; refs: PackedRefs } | null = null;
  return {
    fs,
    gitDir,
    commonDir,
    path: (name) => located(name).join("/"),
    logPath: (name) => located(name).join("/logs/"),
    async packed() {
      const version = await packedVersion(fs, packedPath);
      if (version === null) return NO_PACKED_REFS;
      if (known?.version !== version) {
        const [bytes] = await fs.readMany([packedPath]);
        known = { version, refs: bytes ? parsePackedRefs(decode(bytes), packedPath) : NO_PACKED_REFS };
      }
      return known.refs;
    },
    async loose(name) {
      const [bytes] = await fs.readMany([located(name).join("/")]);
      return bytes ? parseLooseRef(decode(bytes)) : null;
    },
    forgetPacked() {
      known = null;
    },
  };
}

async function packedVersion(fs: GitHost["fs"], path: string): Promise<string | null> {
  if (fs.fingerprints !== undefined) return (await fs.fingerprints([path]))[0] ?? null;
  try {
    const stat = await fs.stat(path);
    return `${stat.version} ${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw new GitError("ECORRUPT", `unable to read ${path}`, { cause: error });
  }
}

export function parseLooseRef(text: string): RefValue | "broken" {
  if (text.startsWith("ref:")) return { kind: "symbolic", target: text.slice(4).trim() };
  const oid = parseOid(text.slice(0, 40));
  if (!oid || (text.length > 40 && !/\s/.test(text[40] as string))) return "broken";
  return { kind: "oid", oid };
}

/**
 * The git directory that contains a ref, and its name there. `main-worktree/HEAD` and `worktrees/<id>/HEAD` are those of other work
 * trees.
 */
function locateRef(name: string, gitDir: string, commonDir: string): [directory: string, name: string] {
  const [, directory, rest] = /^(main-worktree|worktrees\/[^/]+)\/(.+)$/.exec(name) ?? [];
  if (directory === undefined || rest === undefined) return [isPerWorktree(name) ? gitDir : commonDir, name];
  return [directory === "main-worktree" ? commonDir : `${commonDir}/${directory}`, rest];
}

export function isPerWorktree(name: string): boolean {
  if (!name.startsWith("refs/")) return true;
  return name.startsWith("refs/bisect/") || name.startsWith("refs/worktree/") || name.startsWith("refs/rewritten/");
}
