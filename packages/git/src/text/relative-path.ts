/** Converts paths of the work tree to and from paths relative to a directory in it, without file system access. */

/** `prefix` is "" or "dir/sub/". A path that is the prefix itself becomes "./". */
export function relativePath(path: string, prefix: string): string {
  if (prefix === "") return path;
  if (path.startsWith(prefix)) return path.slice(prefix.length) || "./";
  let common = 0;
  for (let i = 0; i < prefix.length && i < path.length && prefix[i] === path[i]; i++)
    if (prefix[i] === "/") common = i + 1;
  // "dir" seen from "dir/sub/".
  const whole = prefix.startsWith(`${path}/`) ? path.length + 1 : common;
  const ups = prefix.slice(whole).split("/").length - 1;
  return "../".repeat(ups) + path.slice(whole) || "./";
}

/** Joins and normalizes "." and ".."; null: it escapes the top. No slash at either end, but one at the end of `path` stays. */
export function joinPrefix(prefix: string, path: string): string | null {
  const names: string[] = [];
  for (const name of (prefix + path).split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  const folded = names.join("/");
  const isDirectory = /(^|\/)\.{0,2}$/.test(path) && path !== "";
  return isDirectory && folded !== "" ? `${folded}/` : folded;
}

/** Path from the top of the work tree, for one relative to `prefix` or absolute; null: it is outside. */
export function pathInTree(
  { prefix, workTree }: { prefix: string; workTree: string | null },
  path: string,
): string | null {
  if (!path.startsWith("/")) return joinPrefix(prefix, path);
  const folded = joinPrefix("", path);
  const top = workTree === null || workTree === "/" ? "" : workTree.slice(1);
  if (folded === null || folded === top || folded === `${top}/`) return folded && "";
  if (top === "") return folded;
  return folded.startsWith(`${top}/`) ? folded.slice(top.length + 1) : null;
}
