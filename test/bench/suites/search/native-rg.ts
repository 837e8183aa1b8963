/**
 * The native ripgrep, as a contender that lives in Node: the same files on a disk, one process per search, its start and its
 * output included. A shell starts it, as it would for a person: to fork Node with its heap would cost more than the search.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { rgPath } from "@vscode/ripgrep";
import type { FsSubject, TextFile } from "../../contender.ts";

const ALWAYS = ["--no-config", "--color=never"];

/** The part of `FsSubject` that search needs. Paths are taken under `folder`, which the caller removes. */
export function nativeRg(folder: string): FsSubject {
  const cannot = async () => {
    throw new Error("ripgrep searches, and does nothing else");
  };
  const written = new Set<string>();
  const rg = (directory: string, ...flags: string[]) => shell().lines(join(folder, directory), [...ALWAYS, ...flags]);
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

let started: Shell | undefined;

function shell(): Shell {
  started ??= new Shell();
  return started;
}

/** One shell for all searches; it ends with the process that it reads its commands from. */
class Shell {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor() {
    this.#child = spawn("/bin/sh", { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.unref();
    for (const pipe of this.#pipes()) pipe.unref();
  }

  /** What ripgrep prints, as lines of text: whoever asked has them all in hand at the end. */
  async lines(cwd: string, argv: readonly string[]): Promise<string[]> {
    for (const pipe of this.#pipes()) pipe.ref();
    const command = [rgPath, ...argv, "./"].map(quoted).join(" ");
    this.#child.stdin.write(`cd ${quoted(cwd)} && ${command} </dev/null; printf '\\0%d\\n' $?\n`);
    const [text, status] = await this.#answer();
    for (const pipe of this.#pipes()) pipe.unref();
    if (status > 1) throw new Error(`rg exited with ${status}`);
    return text === "" ? [] : text.slice(0, -1).split("\n");
  }

  /** Until a NUL, a status and a line feed: no text of ours holds a NUL. */
  #answer(): Promise<[text: string, status: number]> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const take = (data: Buffer) => {
        parts.push(data);
        if (data.at(-1) !== 0x0a || !parts.slice(-2).some((part) => part.includes(0))) return;
        const all = Buffer.concat(parts);
        const end = all.lastIndexOf(0);
        this.#child.stdout.off("data", take);
        this.#child.off("exit", reject);
        resolve([all.subarray(0, end).toString("utf8"), Number(all.subarray(end + 1).toString("utf8"))]);
      };
      this.#child.stdout.on("data", take);
      this.#child.once("exit", reject);
    });
  }

  /** Pipes of a child are sockets: they can be kept from holding the process. */
  #pipes(): Socket[] {
    return [this.#child.stdin, this.#child.stdout] as unknown as Socket[];
  }
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", () => "'\\''")}'`;
}
