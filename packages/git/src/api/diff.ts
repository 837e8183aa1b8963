/** `git.diff()`: which files differ and by how much, and the patch. */
import { type CallOptions, type Engine, flag, option, paths, records } from "./engine.ts";
import { refuseOption } from "./log.ts";

export interface DiffOptions extends CallOptions {
  /** A revision: alone compared with the work tree, with `to` compared with that. Default the index. */
  readonly from?: string;
  readonly to?: string;
  /** Compare the index with `from`, by default HEAD. */
  readonly cached?: boolean;
  readonly paths?: readonly string[];
  readonly context?: number;
  readonly ignoreSpace?: boolean;
  /** Omit the patch. */
  readonly noPatch?: boolean;
}

export interface GitDiffFile {
  readonly path: string;
  readonly from?: string;
  /** "A", "M", "D", "R", "C", "T", "U". */
  readonly status: string;
  /** Null: binary. */
  readonly added: number | null;
  readonly deleted: number | null;
}

export interface GitDiff {
  readonly files: readonly GitDiffFile[];
  /** As `git diff` writes it; bytes that are not UTF-8 are lost. */
  readonly patch: string;
}

export async function diff(engine: Engine, options: DiffOptions = {}): Promise<GitDiff> {
  const { from, to } = options;
  for (const revision of [from, to]) if (revision !== undefined) refuseOption(revision);
  const words = [
    flag("--cached", options.cached),
    option("--unified", options.context),
    flag("-w", options.ignoreSpace),
    from,
    to,
    ...(options.paths ? paths(options.paths) : ["--"]),
  ];
  const statuses = records(
    (await engine.run(["diff", "--name-status", "-z", ...words.filter((one) => !one?.startsWith("--unified"))])).text,
  );
  const numbers = numbersIn(
    records(
      (await engine.run(["diff", "--numstat", "-z", ...words.filter((one) => !one?.startsWith("--unified"))])).text,
    ),
  );
  const files: GitDiffFile[] = [];
  for (let at = 0; at < statuses.length; ) {
    const letter = (statuses[at++] as string)[0] as string;
    const moved = letter === "R" || letter === "C";
    const before = moved ? statuses[at++] : undefined;
    const path = statuses[at++] as string;
    const counted = numbers.get(path) ?? { added: null, deleted: null };
    files.push({ path, ...(before === undefined ? {} : { from: before }), status: letter, ...counted });
  }
  const patch = options.noPatch ? "" : (await engine.run(["diff", ...words])).text;
  return { files, patch };
}

/** "1\t2\tpath", or "1\t2\t", "old", "new" for a rename. */
function numbersIn(lines: readonly string[]): Map<string, { added: number | null; deleted: number | null }> {
  const found = new Map<string, { added: number | null; deleted: number | null }>();
  for (let at = 0; at < lines.length; at++) {
    const [added = "-", deleted = "-", path = ""] = (lines[at] as string).split("\t");
    const name = path === "" ? (lines[(at += 2)] as string) : path;
    found.set(name, { added: added === "-" ? null : Number(added), deleted: deleted === "-" ? null : Number(deleted) });
  }
  return found;
}
