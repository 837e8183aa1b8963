/** Attributes for `:(attr:…)`. Matching is synchronous, so the attributes of all tracked paths are read before it. */
import { openAttributes } from "../attributes/attributes.ts";
import { stagedContent } from "../diff/staged-files.ts";
import { readColumnarIndex } from "../index/read-index.ts";
import type { Repository } from "../repository.ts";

/** Reads nothing unless a pathspec names an attribute; most commands have none. */
export async function withPathAttributes(repo: Repository, words: readonly string[]): Promise<Repository> {
  if (!words.some((word) => /^:\((?:[^)]*,)?attr:/.test(word))) return repo;
  const attributes = await openAttributes(repo, { staged: (path) => stagedContent(repo, path) });
  await attributes.prepare((await readColumnarIndex(repo)).table.paths);
  return { ...repo, attributeOf: (path, name) => attributes.get(path, name) };
}
