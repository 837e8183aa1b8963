/** Validates ref names by the rules of `git check-ref-format`, and resolves short forms. */

interface RefNameOptions {
  /** "main" alone is allowed. */
  oneLevel?: boolean;
  /** One `*` is allowed, as in a refspec. */
  pattern?: boolean;
}

export function isRefName(name: string, { oneLevel = false, pattern = false }: RefNameOptions = {}): boolean {
  if (name === "@") return false;
  if (/[\x00-\x20\x7f~^:?[\\]|\.\.|@\{/.test(name) || name.endsWith(".")) return false;
  const stars = name.split("*").length - 1;
  if (stars > (pattern ? 1 : 0)) return false;
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part.startsWith(".") || part.endsWith(".lock"))) return false;
  return oneLevel || parts.length > 1;
}

/** A branch is typed short and stored under refs/heads/; HEAD and names that look like an option are invalid. */
export function isBranchName(name: string): boolean {
  return !name.startsWith("-") && name !== "HEAD" && isRefName(`refs/heads/${name}`);
}

/** Refs outside refs/: HEAD, FETCH_HEAD, MERGE_HEAD, and names of that shape. */
function isPseudoRef(name: string): boolean {
  return /^[A-Z_]+$/.test(name);
}

/** A name that may be read or written below the git directory: it cannot escape it. */
export function isSafeRefPath(name: string): boolean {
  if (name.startsWith("refs/")) {
    let depth = 0;
    for (const part of name.slice(5).split("/")) {
      if (part === "..") depth--;
      else if (part !== "." && part !== "") depth++;
      if (depth < 0) return false;
    }
    return depth > 0;
  }
  return /^[A-Z_]+$/.test(name);
}

/**
 * A name that may be written: below refs/, or of the shape of HEAD, here or in another work tree. Anything else would be another
 * file of the git directory: `config`, `index`, `hooks/pre-commit`, `logs/HEAD`.
 */
export function isWritableRef(name: string): boolean {
  const own = name.replace(/^(?:main-worktree|worktrees\/[^/]+)\//, () => "");
  return isRefName(name, { oneLevel: true }) && (own.startsWith("refs/") || isPseudoRef(own));
}

/** Lookup order of a short name; the first that exists is used. */
export const REF_RULES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `refs/${name}`,
  (name) => `refs/tags/${name}`,
  (name) => `refs/heads/${name}`,
  (name) => `refs/remotes/${name}`,
  (name) => `refs/remotes/${name}/HEAD`,
];

/** Display name: without refs/heads/, refs/tags/, refs/remotes/. */
export function prettyRefName(name: string): string {
  for (const start of ["refs/heads/", "refs/tags/", "refs/remotes/"]) {
    if (name.startsWith(start)) return name.slice(start.length);
  }
  return name;
}
