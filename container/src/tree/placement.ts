/**
 * Decides how the entries of a directory are synced. A default rule (`node_modules/`) does not apply inside a repository that the
 * workspace has, nor inside git's own directories, where it would match branches (`refs/heads/target/`).
 */
import { splitPath, type Tree } from "./tree.ts";

/** `container-only`: only what the workspace has and what git tracks is synced. `git`: below `.git`, where no default rule applies. */
export type Placement = "synced" | "container-only" | "git";

/** Placement of a directory whose parent has the placement `parent`. */
export function placementIn(tree: Tree, directory: string, parent: Placement): Placement {
  if (parent === "git") return "git";
  if (isGitDirectory(directory))
    return parent === "container-only" && !tree.manifest.has(directory) ? "container-only" : "git";
  const isNamed = parent === "container-only" || tree.policy.names(directory);
  return isNamed && !tree.manifest.has(`${directory}/.git`) ? "container-only" : "synced";
}

export function placementOf(tree: Tree, directory: string): Placement {
  if (directory === "") return "synced";
  return placementIn(tree, directory, placementOf(tree, splitPath(directory)[0]));
}

/** `.git`, or a bare repository by its usual name. */
function isGitDirectory(path: string): boolean {
  return path.endsWith(".git");
}
