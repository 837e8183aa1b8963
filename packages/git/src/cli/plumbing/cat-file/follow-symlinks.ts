/** Resolves `rev:path` through symbolic links in the tree, as `cat-file --follow-symlinks` does. */
import { MODE_SYMLINK } from "../../../object/file-mode.ts";
import type { Oid } from "../../../object/oid.ts";
import { peel, readTree } from "../../../odb/read-object.ts";
import type { Repository } from "../../../repository.ts";
import { colonOutsideBraces, findRevision } from "../../../revision/find-revision.ts";
import { decode } from "../../../text/bytes.ts";

const MAX_LINKS = 40;

export type Followed =
  | { readonly kind: "found"; readonly oid: Oid }
  | { readonly kind: "missing" | "dangling" | "loop" | "notdir" }
  /** It leads out of the tree: the absolute target of the link, or the remaining path from ".." on. */
  | { readonly kind: "symlink"; readonly path: string };

/** Null: not of the form `rev:path`. */
export async function followSymlinks(repo: Repository, name: string): Promise<Followed | null> {
  const colon = colonOutsideBraces(name);
  if (colon <= 0) return null;
  const start = await findRevision(repo, name.slice(0, colon), { quiet: true });
  const root = start === null ? null : await peel(repo.odb, start.oid, "tree");
  if (root === null) return { kind: "missing" };
  const trees: Oid[] = [root];
  let rest = name.slice(colon + 1).split("/");
  let links = 0;
  while (rest.length > 0) {
    const part = rest.shift() as string;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (trees.length === 1) return { kind: "symlink", path: ["..", ...rest].join("/") };
      trees.pop();
      continue;
    }
    const entry = (await readTree(repo.odb, trees.at(-1) as Oid)).find((one) => one.name === part);
    if (entry === undefined) return { kind: links > 0 ? "dangling" : "missing" };
    if (entry.mode === MODE_SYMLINK) {
      if (++links > MAX_LINKS) return { kind: "loop" };
      const target = decode((await repo.odb.need(entry.oid, "blob")).body);
      if (target.startsWith("/")) return { kind: "symlink", path: target };
      rest = [...target.split("/"), ...rest];
    } else if (rest.every((further) => further === "")) return { kind: "found", oid: entry.oid };
    else if ((await repo.odb.header(entry.oid))?.type === "tree") trees.push(entry.oid);
    else return { kind: "notdir" };
  }
  return { kind: "found", oid: trees.at(-1) as Oid };
}
