/**
 * A workspace under pi's own tools: `createReadTool(cwd, { operations: asPiOperations(workspace).read })` and so on. There is no
 * `grep` among them: pi's grep tool always starts a local ripgrep; `bash` has `rg` and `grep`.
 */
import type { Shell } from "@workspace/shell";
import type { FileSystem } from "@workspace/vfs";
import { mediaType } from "./media-type.ts";

export interface PiSource {
  readonly fs: FileSystem;
  readonly shell: Shell;
}

// biome-ignore lint/suspicious/noExplicitAny: a Buffer, which a project without Node's types cannot name
type PiBuffer = any;

export interface PiOperations {
  read: {
    readFile(path: string): Promise<PiBuffer>;
    access(path: string): Promise<void>;
    detectImageMimeType(path: string): Promise<string | null>;
    createReadStream(path: string, options?: { signal?: AbortSignal }): AsyncIterable<Uint8Array>;
  };
  write: {
    writeFile(path: string, content: string): Promise<void>;
    mkdir(directory: string): Promise<void>;
  };
  edit: {
    readFile(path: string): Promise<PiBuffer>;
    writeFile(path: string, content: string): Promise<void>;
    access(path: string): Promise<void>;
  };
  bash: {
    exec(
      command: string,
      cwd: string,
      options: {
        onData(data: PiBuffer): void;
        signal?: AbortSignal;
        /** Seconds. */
        timeout?: number;
        /** Ignored: it is the environment of the machine that pi runs on. */
        env?: Record<string, string | undefined>;
      },
    ): Promise<{ exitCode: number | null }>;
  };
  find: {
    exists(path: string): Promise<boolean>;
    glob(pattern: string, cwd: string, options: { ignore: string[]; limit: number }): Promise<string[]>;
  };
  ls: {
    exists(path: string): Promise<boolean>;
    stat(path: string): Promise<{ isDirectory(): boolean }>;
    readdir(path: string): Promise<string[]>;
  };
}

export function asPiOperations({ fs, shell }: PiSource): PiOperations {
  const readFile = async (path: string) => asBuffer(await fs.readFile(path));
  const writeFile = async (path: string, content: string) => void (await fs.writeFile(path, content));
  const access = (path: string) => fs.access(path);
  return {
    read: {
      readFile,
      access,
      detectImageMimeType: async (path) => (mediaType(path)?.startsWith("image/") ? mediaType(path) : null),
      async *createReadStream(path, { signal } = {}) {
        for await (const chunk of await fs.readStream(path)) {
          signal?.throwIfAborted();
          yield chunk;
        }
      },
    },
    write: { writeFile, mkdir: async (directory) => void (await fs.mkdir(directory, { recursive: true })) },
    edit: { readFile, writeFile, access },
    bash: {
      async exec(command, cwd, { onData, signal, timeout = 0 }) {
        const handle = await shell.exec(command, { cwd, timeoutMs: timeout * 1000, signal });
        for await (const event of handle) if (event.name !== "exit") onData(asBuffer(event.value));
        const { exitCode, state } = await handle.result();
        // pi distinguishes these two from a failed command by their messages.
        if (signal?.aborted) throw new Error("aborted");
        if (state === "timedout") throw new Error(`timeout:${timeout}`);
        return { exitCode };
      },
    },
    find: {
      exists: (path) => fs.exists(path),
      async glob(pattern, cwd, { ignore, limit }) {
        const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
        const found = await fs.glob(anywhere, { cwd, exclude: ignore, dirs: false, ignore: true });
        return found.slice(0, limit).map((path) => (path.startsWith("/") ? path : `${cwd}/${path}`));
      },
    },
    ls: {
      exists: (path) => fs.exists(path),
      stat: (path) => fs.stat(path),
      readdir: (path) => fs.readdir(path),
    },
  };
}

/** pi calls Buffer's methods; every runtime that runs pi has it. */
function asBuffer(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(bytes: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}
