/** Attributes for `:(attr:…)`: all that the tracked paths have, read before any path is matched, since matching cannot wait. */
import { openAttributes } from "../attributes/attributes.ts";
import { stagedContent } from "../diff/staged-files.ts";
import { readColumnarIndex } from "../index/read-index.ts";
import type { Repository } from "../repository.ts";

/** Most commands name no attribute, and nothing is read. */
export async function withPathAttributes(repo: Repository, words: readonly string[]): Promise<Repository> {
  if (!words.some((word) => /^:\((?:[^)]*,)?attr:/.test(word))) return repo;
  const attributes = await openAttributes(repo, { staged: (path) => stagedContent(repo, path) });
  await attributes.prepare((await readColumnarIndex(repo)).table.paths);
  return { ...repo, attributeOf: (path, name) => attributes.get(path, name) };
}
