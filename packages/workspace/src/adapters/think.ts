/**
 * A workspace for a Think agent: `override workspace = asThinkWorkspace(this.files)`. Think reads and writes through the file
 * system of `@cloudflare/computer`; this adapter has that shape, so Think's changes are in `history` and can be undone. With a
 * shell Think gets its `exec` tool too.
 */
import { compileExclude } from "@workspace/glob";
import type { ExecHandle, Shell } from "@workspace/shell";
import type { Content, FileStat, GrepHit, SearchableFileSystem } from "@workspace/vfs";

export interface ThinkSource {
  readonly fs: SearchableFileSystem;
  /** Without it Think has no `exec` tool. */
  readonly shell?: Shell;
}

export interface ThinkStat {
  name: string;
  inode: number;
  mode: number;
  /** Milliseconds. */
  mtime: number;
  size: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

export interface ThinkDirent {
  name: string;
  parentPath: string;
  size: number;
  mtime: number;
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
}

export interface ThinkGrepMatch {
  path: string;
  line: number;
  text: string;
  context?: { line: number; text: string; isMatch: boolean }[];
}

interface Page {
  limit?: number;
  offset?: number;
}

interface ByteWindow {
  byteOffset?: number;
  byteLength?: number;
}

export interface ThinkFilesystem {
  readFile(path: string): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readFile(path: string, options: ByteWindow & { encoding?: undefined }): Promise<ReadableStream<Uint8Array>>;
  readFile(path: string, options: ByteWindow & { encoding: "utf8" }): Promise<string>;
  readFile(path: string, options: ByteWindow & { encoding?: "utf8" }): Promise<string | ReadableStream<Uint8Array>>;
  writeFile(path: string, content: Content, options?: { mode?: number; exclusive?: boolean }): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean; mode?: number }): Promise<void>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  stat(path: string): Promise<ThinkStat>;
  readdir(path: string, options?: Page): Promise<ThinkDirent[]>;
  find(
    directory: string,
    pattern?: string,
    options?: Page & { exclude?: string[] },
  ): Promise<{ path: string; type: "file" | "dir" }[]>;
  grep(
    pattern: string,
    path: string,
    options?: Page & {
      ignoreCase?: boolean;
      regex?: boolean;
      context?: number;
      include?: string;
      exclude?: string[];
    },
  ): Promise<ThinkGrepMatch[]>;
}

export type ThinkExecEvent = { name: "stdout" | "stderr"; value: string } | { name: "exit"; code: number };

export interface ThinkRuntime {
  exec(
    command: string,
    options: { cwd?: string; encoding: "utf8"; backend?: string; env?: Record<string, string> },
  ): Promise<
    AsyncIterable<ThinkExecEvent> & {
      result(): Promise<{ exitCode: number; stdout: string; stderr: string }>;
      kill(): Promise<void>;
    }
  >;
  backends(): { id: string; protocol: "command"; callable: false; description: string }[];
}

export interface ThinkWorkspace {
  readonly fs: ThinkFilesystem;
  readonly runtime?: ThinkRuntime;
}

export function asThinkWorkspace(workspace: ThinkSource): ThinkWorkspace {
  const fs = thinkFilesystem(workspace.fs);
  // A workspace creates its shell on first access: not before a command.
  return "shell" in workspace ? { fs, runtime: thinkRuntime(() => workspace.shell!) } : { fs };
}

function thinkFilesystem(fs: SearchableFileSystem): ThinkFilesystem {
  const readFile = async (path: string, given: "utf8" | (ByteWindow & { encoding?: "utf8" }) = {}) => {
    const { encoding, byteOffset: start = 0, byteLength } = given === "utf8" ? { encoding: given } : given;
    const end = byteLength === undefined ? undefined : start + byteLength - 1;
    const stream = byteLength === 0 ? new Blob([]).stream() : await fs.readStream(path, { start, end });
    return encoding === "utf8" ? new Response(stream).text() : stream;
  };
  return {
    readFile: readFile as ThinkFilesystem["readFile"],
    writeFile: async (path, content, { mode, exclusive } = {}) =>
      void (await fs.writeFile(path, content, { mode, flag: exclusive ? "wx" : "w" })),
    mkdir: async (path, options) => void (await fs.mkdir(path, options)),
    rm: (path, options) => fs.rm(path, options),
    stat: async (path) => ({ name: path.slice(path.lastIndexOf("/") + 1), ...described(await fs.stat(path)) }),
    async readdir(path, page) {
      const entries = await fs.scan(path);
      return pageOf(entries, page).map(({ name, stat }) => ({ name, parentPath: path, ...described(stat) }));
    },
    async find(directory, pattern = "**", { exclude = [], ...page } = {}) {
      const found = await fs.find(directory, { path: pattern, minDepth: 1 });
      const excluded = exclude.map(compileExclude);
      const start = directory.endsWith("/") ? directory.length : directory.length + 1;
      const isExcluded = (path: string) =>
        prefixesOf(path).some((prefix) => excluded.some((glob) => glob.match(prefix, prefix !== path)));
      const retained = found.filter(({ path }) => !isExcluded(path.slice(start)));
      return pageOf(retained, page).map(({ path, type }) => ({ path, type: type === "dir" ? "dir" : "file" }));
    },
    async grep(pattern, path, { limit, offset, ...options } = {}) {
      // Think's search has no ignore files.
      const { hits } = await fs.grep(pattern, path, {
        ...options,
        ignore: false,
        hidden: true,
        maxHits: limit,
        offset,
      });
      return hits.map((hit) => grepMatch(hit, options.context ?? 0));
    },
  };
}

function thinkRuntime(shell: () => Shell): ThinkRuntime {
  return {
    async exec(command, { cwd, env }) {
      const handle = await shell().exec(command, { cwd, env, encoding: "utf8" });
      return {
        [Symbol.asyncIterator]: () => thinkEvents(handle),
        kill: () => handle.kill(),
        async result() {
          const { exitCode, stdout, stderr, reason } = await handle.result();
          return { exitCode: known(exitCode, reason), stdout, stderr };
        },
      };
    },
    backends: () => [
      { id: "workspace", protocol: "command", callable: false, description: "bash, with git, rg and coreutils" },
    ],
  };
}

async function* thinkEvents(handle: ExecHandle<"utf8">): AsyncGenerator<ThinkExecEvent> {
  for await (const { name, value } of handle as AsyncIterable<
    { name: "stdout" | "stderr"; value: string } | { name: "exit"; value: { exitCode: number | null; reason?: string } }
  >) {
    if (name === "exit") yield { name, code: known(value.exitCode, value.reason) };
    else yield { name, value };
  }
}

/** A command whose end was not observed has no exit code, and none is invented. */
function known(exitCode: number | null, reason = "the command was lost"): number {
  if (exitCode === null) throw new Error(reason);
  return exitCode;
}

function described(stat: FileStat): Omit<ThinkStat, "name"> {
  return {
    inode: stat.ino,
    mode: stat.mode,
    mtime: Math.floor(stat.mtimeMs),
    size: stat.size,
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
    isSymbolicLink: stat.isSymbolicLink(),
  };
}

function grepMatch({ path, line, text, before, after }: GrepHit, context: number): ThinkGrepMatch {
  if (context === 0) return { path, line, text };
  const around = (lines: GrepHit["before"]) => lines.map((one) => ({ line: one.line, text: one.text, isMatch: false }));
  return { path, line, text, context: [...around(before), { line, text, isMatch: true }, ...around(after)] };
}

function pageOf<T>(all: readonly T[], { limit, offset = 0 }: Page = {}): T[] {
  return all.slice(offset, limit === undefined ? undefined : offset + limit);
}

/** "a", "a/b", "a/b/c". */
function prefixesOf(path: string): string[] {
  return path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
}
