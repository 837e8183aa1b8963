/**
 * What one does on a disk without history, as contenders that live in Node: git's stash and checkout, or a copy of everything. The
 * processes' start is in the time, as it is for every user of them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FsSubject, PastSubject, TextFile } from "../../contender.ts";
import { gitEnvironment } from "../../harness/git/run-git.ts";
import { nativeShell } from "../native-shell.ts";
import { ROOT } from "./load.ts";

/** `git stash create` names the state of tracked files as a commit and leaves the tree alone; `git add` is what makes them tracked. */
export function nativeStash(folder: string): FsSubject {
  const git = async (...argv: string[]) => {
    const { text, status } = await nativeShell().run(join(folder, ROOT), ["git", ...argv], gitEnvironment);
    if (status !== 0) throw new Error(`git ${argv.join(" ")} exited with ${status}: ${text}`);
    return text;
  };
  const inRepository = (path: string) => path.slice(ROOT.length + 1);
  return onDisk(folder, {
    take: async () => {
      await git("init", "-q");
      await git("commit", "-q", "--allow-empty", "-m", "empty");
      await git("add", "-A");
      return (await git("stash", "create")).trim();
    },
    restore: async (moment) => void (await git("checkout", "-q", moment, "--", ".")),
    edit: async (path, text) => writeFileSync(join(folder, path), text),
    undo: async (moment, path) => void (await git("checkout", "-q", moment, "--", inRepository(path))),
    read: (moment, path) => git("show", `${moment}:${inRepository(path)}`),
  });
}

export function nativeCopy(folder: string): FsSubject {
  const run = async (...argv: string[]) => {
    const { status } = await nativeShell().run(folder, argv);
    if (status !== 0) throw new Error(`${argv.join(" ")} exited with ${status}`);
  };
  const copy = join(folder, "copy");
  const inCopy = (path: string) => join(copy, path.slice(ROOT.length));
  return onDisk(folder, {
    take: async () => {
      await run("cp", "-a", join(folder, ROOT), copy);
      return copy;
    },
    restore: async () => {
      await run("rm", "-rf", join(folder, ROOT));
      await run("cp", "-a", copy, join(folder, ROOT));
    },
    edit: async (path, text) => writeFileSync(join(folder, path), text),
    undo: (_moment, path) => run("cp", "-a", inCopy(path), join(folder, path)),
    read: async (_moment, path) => readFileSync(inCopy(path), "utf8"),
  });
}

/** The part of `FsSubject` that the suite needs. Paths are taken under `folder`, which the caller removes. */
function onDisk(folder: string, past: PastSubject): FsSubject {
  const cannot = async () => {
    throw new Error("the suite needs no more of it");
  };
  return {
    makesParents: true,
    makeDirectories: cannot,
    writeText: async (path, text) => writeFileSync(join(folder, path), text),
    readText: async (path) => readFileSync(join(folder, path), "utf8"),
    stat: cannot,
    list: cannot,
    rename: cannot,
    removeTree: async (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    writeMany: async (files: readonly TextFile[]) => {
      const created = new Set<string>();
      for (const { path, text } of files) {
        const at = join(folder, path);
        if (!created.has(dirname(at))) mkdirSync(dirname(at), { recursive: true });
        created.add(dirname(at));
        writeFileSync(at, text);
      }
    },
    past,
  };
}
