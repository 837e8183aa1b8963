/** The machine's own git, as a contender that lives in Node: one process per command, its start and output included. */
import { createReadStream, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FsSubject } from "../../contender.ts";
import { gitEnvironment } from "../../harness/git/run-git.ts";
import { nativeShell } from "../native-shell.ts";

/** The part of `FsSubject` that the suite needs. Paths are taken under `folder`, which the caller removes. */
export function nativeGit(folder: string): FsSubject {
  const cannot = async () => {
    throw new Error("git does git, and nothing else");
  };
  mkdirSync(join(folder, "workspace"), { recursive: true });
  return {
    makesParents: false,
    makeDirectories: async (path) => void mkdirSync(join(folder, path), { recursive: true }),
    writeText: async (path, text) => writeFileSync(join(folder, path), text),
    readText: async (path) => readFileSync(join(folder, path), "utf8"),
    stat: cannot,
    list: cannot,
    rename: cannot,
    writeStream: (path, content) => writeFile(join(folder, path), content as unknown as AsyncIterable<Uint8Array>),
    readStream: async (path) => createReadStream(join(folder, path)),
    removeTree: async (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    git: async (argv, cwd) => {
      const here = argv.map((argument) => (argument.startsWith("/workspace") ? join(folder, argument) : argument));
      const { text, status } = await nativeShell().run(join(folder, cwd), ["git", ...here], gitEnvironment);
      if (status !== 0) throw new Error(`git ${argv.join(" ")} exited with ${status}`);
      return text;
    },
  };
}
