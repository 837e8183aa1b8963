/** Resolves words of a command line to paths. */
import type { FileSystem } from "@workspace/vfs";

/** Makes a word absolute. The file system resolves its dots, following links. */
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

/** `/tmp` is created on first use; only the workspace's root always exists. */
export const TEMPORARY = "/tmp";

export async function ensureTmpDirectory(files: Pick<FileSystem, "mkdir">, path: string): Promise<void> {
  if (path === TEMPORARY || path.startsWith(`${TEMPORARY}/`)) await files.mkdir(TEMPORARY, { recursive: true });
}
