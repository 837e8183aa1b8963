/** Words of a command line and the paths they mean. */
import type { FileSystem } from "@workspace/vfs";

/** A word on a command line to a path. Dots in it are the file system's to follow, links and all. */
export function absolutePath(cwd: string, word: string): string {
  return word.startsWith("/") ? word : `${cwd === "/" ? "" : cwd}/${word}`;
}

export function lastPart(path: string): string {
  return (
    path
      .replace(/(?<!\/)\/+$/, () => "")
      .split("/")
      .at(-1) ?? ""
  );
}

/** `/tmp` is made when something is first put there; only the workspace's root is there by itself. */
export const TEMPORARY = "/tmp";

export async function ensureTmpDirectory(files: Pick<FileSystem, "mkdir">, path: string): Promise<void> {
  if (path === TEMPORARY || path.startsWith(`${TEMPORARY}/`)) await files.mkdir(TEMPORARY, { recursive: true });
}
