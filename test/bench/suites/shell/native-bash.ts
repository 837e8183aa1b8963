/** The machine's own bash, as a contender that lives in Node: one process per command, its start and output included. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FsSubject } from "../../contender.ts";
import { nativeShell } from "../native-shell.ts";

/** The part of `FsSubject` that the suite needs. Paths are taken under `folder`, which the caller removes. */
export function nativeBash(folder: string): FsSubject {
  const cannot = async () => {
    throw new Error("bash runs commands, and nothing else");
  };
  return {
    makesParents: false,
    makeDirectories: async (path) => void mkdirSync(join(folder, path), { recursive: true }),
    writeText: async (path, text) => writeFileSync(join(folder, path), text),
    readText: async (path) => readFileSync(join(folder, path), "utf8"),
    stat: cannot,
    list: cannot,
    rename: cannot,
    removeTree: async (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    exec: async (script, cwd) => (await nativeShell().run(join(folder, cwd), ["bash", "-c", script])).text,
  };
}
