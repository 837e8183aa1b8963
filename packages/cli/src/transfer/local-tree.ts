/** Lists a local path as flat entries with relative names: directories before their contents, names in byte order. */
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";

export interface LocalEntry {
  /** Relative to the start, with slashes; "" is the start itself. */
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory" | "symlink";
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  /** Of a link: its target as stored. */
  readonly target?: string;
}

/**
 * Whether a link of the tree stays in it. `isLink` tells whether a name of the tree is a link: `..` after such a name would not
 * lead to its parent, so two links that each stay inside could lead out together.
 */
export function staysInside(
  { name, target = "" }: Pick<LocalEntry, "name" | "target">,
  isLink: (name: string) => boolean,
): boolean {
  if (target === "" || target.startsWith("/")) return false;
  const open = name.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === ".." && (open.length === 0 || isLink(open.join("/")))) return false;
    if (part === "..") open.pop();
    else if (part !== "" && part !== ".") open.push(part);
  }
  return true;
}

/** Refuses sockets, pipes and devices, which a workspace cannot store, before anything is sent. */
export async function localTree(start: string): Promise<LocalEntry[]> {
  const found: LocalEntry[] = [];
  const visit = async (path: string, name: string): Promise<void> => {
    const stat = await lstat(path);
    const type = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : null;
    if (type === null) throw new CliError("EINVAL", `${path} is neither a file, a directory nor a link`);
    const target = type === "symlink" ? { target: await readlink(path) } : {};
    found.push({
      name,
      path,
      type,
      size: type === "file" ? stat.size : 0,
      mode: stat.mode & 0o777,
      mtimeMs: stat.mtimeMs,
      ...target,
    });
    if (type !== "directory") return;
    const names = (await readdir(path, { encoding: "buffer" })).sort(Buffer.compare);
    for (const child of names.map((bytes) => decodeFileName(bytes, path)))
      await visit(join(path, child), name === "" ? child : `${name}/${child}`);
  };
  await visit(start, "");
  return found;
}

function decodeFileName(bytes: Buffer, directory: string): string {
  const name = bytes.toString();
  if (Buffer.from(name).equals(bytes)) return name;
  const hint = "Names in a workspace are UTF-8. Rename it, or copy what is beside it.";
  throw new CliError("EILSEQ", `${directory} holds a name that is not UTF-8: ${JSON.stringify(name)}`, hint);
}
