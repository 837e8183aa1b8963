/** What the shell suite works on: some directories of source-like text. */
import type { FsSubject, TextFile } from "../../contender.ts";
import type { Params } from "../../suite.ts";
import { makeText } from "../../worker/corpus.ts";

export const TREE = "/workspace/shell";
const FILES = 200;
const PER_DIRECTORY = 20;

export interface Load {
  readonly directories: readonly string[];
  readonly files: readonly TextFile[];
  /** Line feeds in all files, and lines with what stands after the last. */
  readonly feeds: number;
  readonly lines: number;
}

export function load({ seed, size }: Params): Load {
  const files = Array.from({ length: FILES }, (_, i) => ({
    ...makeText(size, seed + i),
    path: `${TREE}/d${Math.floor(i / PER_DIRECTORY)}/f${i}.ts`,
  }));
  const directories = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  const feeds = files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  return { directories, files, feeds, lines: feeds + files.filter(({ text }) => !text.endsWith("\n")).length };
}

export async function plant(subject: FsSubject, { directories, files }: Load): Promise<void> {
  for (const directory of directories) await subject.makeDirectories(directory);
  for (const { path, text } of files) await subject.writeText(path, text);
}
