/** The objects directories of a repository: its own, then its alternates (`objects/info/alternates`), and theirs. */
import type { FileSystem } from "@workspace/vfs";
import { decode } from "../text/bytes.ts";

/** git's limit of nested alternates. */
const DEPTH = 5;
const MAX = 100;

export async function readAlternates(fs: FileSystem, objects: string, input: readonly string[]): Promise<string[]> {
  const found = [objects];
  let level = [...input, ...(await alternatesOf(fs, objects))];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    const fresh = level.filter((directory, i) => !found.includes(directory) && level.indexOf(directory) === i);
    found.push(...fresh.slice(0, MAX - found.length));
    level = (await Promise.all(fresh.map((directory) => alternatesOf(fs, directory)))).flat();
  }
  return found;
}

async function alternatesOf(fs: FileSystem, objects: string): Promise<string[]> {
  const [bytes] = await fs.readMany([`${objects}/info/alternates`]);
  if (bytes == null) return [];
  return decode(bytes)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => (line.startsWith("/") ? line : resolve(objects, line)));
}

function resolve(from: string, relative: string): string {
  const parts = from.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
