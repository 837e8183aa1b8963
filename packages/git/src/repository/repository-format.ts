/** `core.repositoryformatversion` and extensions: a repository with unknown ones is refused. */
import { needBool, parseNumber } from "../config/config-value.ts";
import type { ConfigEntry, GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";

const ALWAYS_KNOWN = new Set(["noop", "preciousobjects", "partialclone", "worktreeconfig"]);
const KNOWN_IN_V1 = new Set(["noop-v1", "objectformat"]);

export function checkRepositoryFormat(entries: readonly ConfigEntry[]): void {
  const local = entries.filter(({ scope }) => scope === "local");
  const version = parseNumber(local.findLast(({ key }) => key === "core.repositoryformatversion")?.value ?? "0");
  if (typeof version === "number" && version > 1) {
    throw new GitError("ENOREPO", `Expected git repo version <= 1, found ${version}`);
  }
  const extensions = local.filter(({ key }) => key.startsWith("extensions.") && key.split(".").length === 2);
  const names = extensions.map(({ key }) => key.slice("extensions.".length));
  const list = (found: readonly string[]) => found.map((name) => `\n\t${name}`).join("");
  if (version === 1) {
    const unknown = names.filter((name) => !ALWAYS_KNOWN.has(name) && !KNOWN_IN_V1.has(name));
    if (unknown.length > 0) {
      const noun = unknown.length === 1 ? "extension" : "extensions";
      throw new GitError("ENOREPO", `unknown repository ${noun} found:${list(unknown)}`);
    }
    const format = extensions.find(({ key }) => key === "extensions.objectformat")?.value;
    if (format !== undefined && format !== "sha1") {
      throw new GitError("EUNSUPPORTED", `invalid value for 'extensions.objectformat': '${format}'`, {
        prefix: "error",
      });
    }
    return;
  }
  const early = names.filter((name) => KNOWN_IN_V1.has(name));
  if (early.length === 0) return;
  const noun = early.length === 1 ? "extension" : "extensions";
  throw new GitError("ENOREPO", `repo version is 0, but v1-only ${noun} found:${list(early)}`);
}

/** `extensions.preciousObjects`: another repository may borrow objects that are unreachable here, so none is ever deleted. */
export function isPrecious({ config }: { config: Pick<GitConfig, "getBool"> }): boolean {
  return config.getBool("extensions.preciousobjects") ?? false;
}

/** `core.bare` and `core.worktree` from the repository's own files; null: not set. */
export function localLayout(entries: readonly ConfigEntry[]): { bare: boolean | null; workTree: string | null } {
  let bare: boolean | null = null;
  let workTree: string | null = null;
  for (const { key, value, scope } of entries) {
    if (scope === "system" || scope === "global") continue;
    if (key === "core.bare") bare = needBool(key, value);
    if (key === "core.worktree") workTree = value;
  }
  return { bare, workTree };
}
