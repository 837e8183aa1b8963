/** The commit that a submodule has checked out. Submodules are read-only: only its HEAD is read. */

import { type Oid, parseOid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";

type Files = Repository["fs"];

/** The git directory of a submodule: its .git, or the target of a .git file. Null: not a repository. */
export async function nestedGitDirectory(fs: Files, directory: string): Promise<string | null> {
  const path = `${directory}/.git`;
  const stat = await fs.lstat(path).catch(() => null);
  if (stat === null) return null;
  if (stat.type === "dir") return (await isGitDirectory(fs, path)) ? path : null;
  const text = await fs.readFile(path, "utf8").catch(() => "");
  const [, target] = /^gitdir: (.+)$/.exec(text.trimEnd()) ?? [];
  if (target === undefined) return null;
  const gitDir = target.startsWith("/") ? target : `${directory}/${target}`;
  return (await isGitDirectory(fs, gitDir)) ? gitDir : null;
}

async function isGitDirectory(fs: Files, path: string): Promise<boolean> {
  const head = await fs.lstat(`${path}/HEAD`).catch(() => null);
  if (head === null) return false;
  // In git's first years HEAD was a symbolic link; otherwise its content must be valid.
  if (head.type !== "symlink") {
    const text = await fs.readFile(`${path}/HEAD`, "utf8").catch(() => "");
    if (!/^(?:ref:\s*refs\/|[0-9a-f]{40}\s)/i.test(text)) return false;
  }
  return (
    (await fs.exists(`${path}/commondir`)) ||
    ((await fs.exists(`${path}/objects`)) && (await fs.exists(`${path}/refs`)))
  );
}

/** Null: not a repository, or no commit yet. */
export async function readGitlinkHead(fs: Files, directory: string): Promise<Oid | null> {
  const gitDir = await nestedGitDirectory(fs, directory);
  if (gitDir === null) return null;
  let name = "HEAD";
  for (let depth = 0; depth < 5; depth++) {
    const text = (await fs.readFile(`${gitDir}/${name}`, "utf8").catch(() => "")).trim();
    const oid = parseOid(text);
    if (oid !== null) return oid;
    const [, target] = /^ref: (refs\/.+)$/.exec(text) ?? [];
    if (target === undefined) return packedRef(fs, gitDir, name);
    name = target;
  }
  return null;
}

async function packedRef(fs: Files, gitDir: string, name: string): Promise<Oid | null> {
  const packed = await fs.readFile(`${gitDir}/packed-refs`).catch(() => null);
  if (packed === null) return null;
  const line = decode(packed)
    .split("\n")
    .find((text) => text.endsWith(` ${name}`));
  return line === undefined ? null : parseOid(line.slice(0, 40));
}
