/**
 * `git` on ordinary directories: what `bin/wsgit.mjs` runs. Output goes straight to the descriptors, in order; a closed reader ends
 * the process as SIGPIPE would.
 */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { getSystemErrorMap } from "node:util";
import { runCli } from "../src/cli/run-cli.ts";
import type { CredentialSource, RunCommandLine } from "../src/host.ts";
import { decode, encode } from "../src/text/bytes.ts";
import { createNodeFileSystem } from "./node-file-system.ts";

const SIGPIPE = 128 + 13;
const BUFFER_BYTES = 64 * 1024;
/** Half of a Durable Object's budget: Node's own fetch holds as much again during a clone. */
const MEMORY = 24 * 1024 * 1024;

export async function main(input: readonly string[]): Promise<number> {
  const argv = process.platform === "linux" && input.some(isReplaced) ? exactly("cmdline").slice(-input.length) : input;
  const env = exactEnvironment(definedOnly(process.env));
  const stdout = bufferedOutput();
  const { exitCode } = await runCli(
    {
      fs: createNodeFileSystem(),
      // The variable is git's own, for its tests.
      now: () => (env.GIT_TEST_DATE_NOW === undefined ? Date.now() : Number(env.GIT_TEST_DATE_NOW) * 1000),
      timezone: (seconds) => -new Date(seconds * 1000).getTimezoneOffset(),
      fetch: globalThis.fetch,
      run: runInShell,
      credentials: askPass(env.GIT_ASKPASS || env.SSH_ASKPASS),
      limits: { memory: MEMORY },
    },
    {
      argv,
      cwd: process.cwd(),
      env,
      ...(isatty(0) ? {} : { stdin: readStdin(stdout.flush) }),
      onStdout: stdout.write,
      onStderr(data) {
        stdout.flush();
        writeOut(2, data);
      },
    },
  );
  stdout.flush();
  if (stdout.failure === null) return exitCode;
  const { errno = 0, code } = stdout.failure;
  const reason = code === "ENOSPC" ? "No space left on device" : (getSystemErrorMap().get(errno)?.[1] ?? String(code));
  writeOut(2, encode(`fatal: write failure on standard output: ${reason}\n`));
  return 128;
}

/** Node replaces arguments and variables that are not UTF-8 with U+FFFD; Linux still has the bytes. */
function isReplaced(text: string): boolean {
  return text.includes("\ufffd");
}

function exactly(file: "cmdline" | "environ"): string[] {
  return decode(readFileSync(`/proc/self/${file}`))
    .split("\0")
    .slice(0, -1);
}

function exactEnvironment(env: Record<string, string>): Record<string, string> {
  if (process.platform !== "linux" || !Object.values(env).some(isReplaced)) return env;
  const entries = exactly("environ").map((line): [string, string] => [
    line.slice(0, line.indexOf("=")),
    line.slice(line.indexOf("=") + 1),
  ]);
  return { ...env, ...Object.fromEntries(entries) };
}

/**
 * The askpass program of the environment, called as git does; never one that a repository names. Called once: a rejection is an
 * error.
 */
function askPass(program: string | undefined): CredentialSource {
  const ask = (prompt: string) => execFileSync(program as string, [prompt], { encoding: "utf8" }).replace(/\r?\n$/, "");
  return ({ origin, username: input, rejected }) => {
    if (program === undefined || rejected) return null;
    const username = input ?? ask(`Username for '${origin}': `);
    const address = origin.replace("//", () => `//${encodeURIComponent(username)}@`);
    return { username, password: ask(`Password for '${address}': `) };
  };
}

/**
 * Runs through `sh` and collects the output: git's own children write to the same descriptors, and so does this output in the end.
 */
const runInShell: RunCommandLine = ({ command, cwd, env }) =>
  new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []];
    child.stdout.on("data", (data: Uint8Array) => out.push(data));
    child.stderr.on("data", (data: Uint8Array) => err.push(data));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ exitCode: code ?? 1, stdout: Buffer.concat(out), stderr: Buffer.concat(err) }),
    );
  });

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Buffers small writes: a system call per line is slow. After a failed write the command still completes, so that no lock stays
 * behind; its output is dropped.
 */
function bufferedOutput() {
  let parts: Uint8Array[] = [];
  let size = 0;
  let failure: NodeJS.ErrnoException | null = null;
  const flush = () => {
    if (size > 0) failure ??= writeOut(1, Buffer.concat(parts));
    parts = [];
    size = 0;
  };
  return {
    flush,
    get failure() {
      return failure;
    },
    write(data: Uint8Array) {
      // A copy: the engine may reuse its buffer.
      parts.push(data.slice());
      size += data.length;
      if (size >= BUFFER_BYTES) flush();
    },
  };
}

/** Null: everything was written. */
function writeOut(descriptor: number, data: Uint8Array): NodeJS.ErrnoException | null {
  let written = 0;
  while (written < data.length) {
    try {
      written += writeSync(descriptor, data, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(SIGPIPE);
      // A full nonblocking pipe: wait for its reader.
      if (code !== "EAGAIN") return error as NodeJS.ErrnoException;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return null;
}

/** The writer of the next line may wait for the response to the last one, so output is flushed before every read. */
async function* readStdin(flush: () => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    flush();
    const buffer = new Uint8Array(BUFFER_BYTES);
    const read = readSome(buffer);
    if (read === 0) return;
    yield buffer.subarray(0, read);
  }
}

function readSome(buffer: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, buffer);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
