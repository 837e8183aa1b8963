/** The native ripgrep, as a contender that lives in Node: the same files on a disk, one process per search, start and output included. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import type { FsSubject, TextFile } from "../../contender.ts";
import { nativeShell } from "../native-shell.ts";

const ALWAYS = ["--no-config", "--color=never"];

/** The part of `FsSubject` that search needs. Paths are taken under `folder`, which the caller removes. */
export function nativeRg(folder: string): FsSubject {
  const cannot = async () => {
    throw new Error("ripgrep searches, and does nothing else");
  };
  const written = new Set<string>();
  const rg = async (directory: string, ...flags: string[]) => {
    const { text, status } = await nativeShell().run(join(folder, directory), [rgPath, ...ALWAYS, ...flags, "./"]);
    if (status > 1) throw new Error(`rg exited with ${status}`);
    return text === "" ? [] : text.slice(0, -1).split("\n");
  };
  return {
    makesParents: true,
    makeDirectories: cannot,
    writeText: cannot,
    readText: cannot,
    stat: cannot,
    list: cannot,
    rename: cannot,
    removeTree: async (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    writeMany: async (files) => {
      // It only reads, so what one round wrote serves the next.
      const key = `${files[0]?.path} ${files.length}`;
      if (!written.has(key)) writeAll(folder, files);
      written.add(key);
    },
    grep: async (directory, { pattern, regex, count }) => {
      const query = [...(regex ? [] : ["--fixed-strings"]), "-e", pattern];
      if (!count) return (await rg(directory, "--line-number", ...query)).length;
      const counts = await rg(directory, "--count", "--no-filename", ...query);
      return counts.reduce((sum, line) => sum + Number(line), 0);
    },
    settle: async (directory) => void (await rg(directory, "--count", "-e", "x")),
    find: async (directory, pattern) => (await rg(directory, "--files", "-g", pattern)).length,
  };
}

function writeAll(folder: string, files: readonly TextFile[]): void {
  for (const directory of new Set(files.map(({ path }) => dirname(join(folder, path))))) {
    mkdirSync(directory, { recursive: true });
  }
  for (const { path, text } of files) writeFileSync(join(folder, path), text);
}
