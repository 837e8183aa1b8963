/** Writes many files in a contender's own way: its bulk call if it has one, else its loop. */
import type { FsSubject, TextFile } from "../../contender.ts";

export async function writeAll(
  fs: FsSubject,
  directories: readonly string[],
  files: readonly TextFile[],
): Promise<void> {
  if (fs.writeMany) return fs.writeMany(files);
  await makeParents(fs, directories);
  for (const file of files) await fs.writeText(file.path, file.text);
}

/** For those whose `writeText` does not. */
export async function makeParents(fs: FsSubject, directories: Iterable<string>): Promise<void> {
  if (fs.makesParents) return;
  for (const directory of directories) await fs.makeDirectories(directory);
}
