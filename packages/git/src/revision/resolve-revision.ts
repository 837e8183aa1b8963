/** As `findRevision`, but throws git's error if nothing is found. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import type { Repository } from "../repository.ts";
import { colonOutsideBraces, type FindOptions, findRevision, inRepository } from "./find-revision.ts";
import { peelTo } from "./peel.ts";

export interface ResolveOptions extends FindOptions {
  /** The required type, following tags and commits. */
  readonly type?: ObjectType;
  /** The message if there is none; default git's "ambiguous argument". */
  readonly missing?: (text: string) => string;
}

export async function resolveRevision(repo: Repository, text: string, options: ResolveOptions = {}): Promise<Oid> {
  const wanted =
    options.wanted ?? (options.type === "commit" ? "committish" : options.type === "tree" ? "treeish" : "any");
  const found = await findRevision(repo, text, { ...options, wanted });
  if (!found) {
    if (options.missing) throw new GitError("ENOTFOUND", options.missing(text));
    throw await diagnoseRevision(repo, text);
  }
  if (!options.type) return found.oid;
  const oid = await peelTo(repo, found.oid, options.type);
  if (oid) return oid;
  throw new GitError("ENOTFOUND", options.missing?.(text) ?? `bad revision '${text}'`);
}

/** Null: not found, or not a commit. */
export async function findCommit(repo: Repository, text: string): Promise<Oid | null> {
  const found = await findRevision(repo, text, { wanted: "committish" });
  return found && peelTo(repo, found.oid, "commit");
}

/** git's error for a word that is neither a revision nor a file. */
export function ambiguousArgument(text: string, what = "unknown revision or path not in the working tree."): GitError {
  return new GitError(
    "ENOTFOUND",
    `ambiguous argument '${text}': ${what}\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}

/** The most helpful message for a name that was not found: which half of `rev:path` is wrong, and where the path is. */
export async function diagnoseRevision(repo: Repository, text: string): Promise<GitError> {
  if (text.startsWith(":") && !text.startsWith(":/") && !/^:[^0-9A-Za-z]/.test(text))
    return misspeltInIndex(repo, text);
  const colon = colonOutsideBraces(text);
  if (colon <= 0) {
    // git looks up the name once more before it fails, and repeats its warnings.
    await findRevision(repo, text, { quiet: true });
    return ambiguousArgument(text);
  }
  const revision = text.slice(0, colon);
  const found = await findRevision(repo, revision, { wanted: "treeish" });
  const tree = found && (await peelTo(repo, found.oid, "tree"));
  if (!tree) return new GitError("ENOTFOUND", `invalid object name '${revision}'.`);
  const typed = text.slice(colon + 1);
  const path = inRepository(repo, typed);
  const onDisk = await isOnDisk(repo, path);
  if (onDisk) return new GitError("ENOTFOUND", `path '${path}' exists on disk, but not in '${revision}'`);
  const below = `${repo.prefix}${typed}`;
  if (repo.prefix !== "" && path === typed && (await findRevision(repo, `${revision}:${below}`))) {
    return new GitError(
      "ENOTFOUND",
      `path '${below}' exists, but not '${typed}'\nhint: Did you mean '${revision}:${below}' aka '${revision}:./${typed}'?`,
    );
  }
  return new GitError("ENOTFOUND", `path '${path}' does not exist in '${revision}'`);
}

async function misspeltInIndex(repo: Repository, text: string): Promise<GitError> {
  const [, stage = "0", typed = ""] = /^:(?:([0-3]):)?(.*)$/s.exec(text) ?? [];
  const path = inRepository(repo, typed);
  const entries = (await repo.readIndexEntries?.(path)) ?? [];
  const other = entries[0];
  if (other) {
    return new GitError(
      "ENOTFOUND",
      `path '${path}' is in the index, but not at stage ${stage}\nhint: Did you mean ':${other.stage}:${path}'?`,
    );
  }
  const below = `${repo.prefix}${typed}`;
  const nested = repo.prefix === "" ? undefined : (await repo.readIndexEntries?.(below))?.[0];
  if (nested) {
    return new GitError(
      "ENOTFOUND",
      `path '${below}' is in the index, but not '${typed}'\nhint: Did you mean ':${nested.stage}:${below}' aka ':${nested.stage}:./${typed}'?`,
    );
  }
  if (await isOnDisk(repo, path))
    return new GitError("ENOTFOUND", `path '${path}' exists on disk, but not in the index`);
  return new GitError("ENOTFOUND", `path '${path}' does not exist (neither on disk nor in the index)`);
}

async function isOnDisk({ fs, workTree }: Repository, path: string): Promise<boolean> {
  if (workTree === null) return false;
  return fs.lstat(`${workTree}/${path}`).then(
    () => true,
    () => false,
  );
}
