/** Without `--` a word is a revision or a file; throws git's error if it is neither. */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { diagnoseRevision } from "./resolve-revision.ts";

/** A word that is not a revision must be a file, or look like a pathspec. `diagnose`: explain why it is not a revision. */
export async function verifyFile(repo: Repository, word: string, diagnose: boolean): Promise<void> {
  if (word.startsWith("-")) {
    throw new GitError("EINVAL", `option '${word}' must come before non-option arguments`);
  }
  if (looksLikePathspec(word) || (await isFile(repo, word))) return;
  if (diagnose) throw await diagnoseRevision(repo, word);
  throw new GitError(
    "ENOTFOUND",
    `${word}: no such path in the working tree.\nUse 'git <command> -- <path>...' to specify paths that do not exist locally.`,
  );
}

function looksLikePathspec(word: string): boolean {
  // An escaped character is not part of a pattern, and neither is the backslash.
  return /[*?[]/.test(word.replace(/\\[*?[\\]/g, () => "")) || word.startsWith(":(");
}

async function isFile({ fs, workTree, prefix }: Repository, word: string): Promise<boolean> {
  if (workTree === null) return false;
  const magic = /^:[/!^]/.exec(word)?.[0];
  const name = magic ? word.slice(2) : word;
  if (magic && name === "") return true;
  const path = name.startsWith("/") ? name : `${workTree}/${magic === ":/" ? "" : prefix}${name}`;
  return fs.lstat(path).then(
    () => true,
    () => false,
  );
}
