/** Validates the options of `exec` before anything is started, with a message for each. */

import { ShellError } from "../errors.ts";
import type { BackendName } from "../exec-backend.ts";
import type { ShellLimits } from "../limits.ts";
import type { Command, ExecEncoding, ExecOptions } from "../shell.ts";

const BACKENDS: readonly BackendName[] = ["worker", "container"];

export function checkCommand(command: unknown, limits: ShellLimits): Command {
  if (typeof command === "string") {
    if (command.trim() === "") return refuse("the command is empty");
    return checkText("the command", command, limits.commandLength);
  }
  if (!Array.isArray(command)) return refuse("a command is a string, which a shell reads, or an array of words");
  if (command.length === 0 || command[0] === "") return refuse("the first word of a command is empty");
  if (command.length > limits.argvItems) return refuse(`a command has at most ${limits.argvItems} words`);
  for (const word of command) checkText("a word of a command", word, limits.commandLength);
  return [...command];
}

export function checkId(id: unknown): string {
  if (typeof id === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) return id;
  return refuse("an id is 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or digit");
}

export function checkEncoding(encoding: unknown): ExecEncoding {
  if (encoding === undefined) return "bytes";
  return encoding === "utf8" || encoding === "bytes" ? encoding : refuse('encoding is "utf8" or "bytes"');
}

export function checkTimeout(timeoutMs: unknown, limits: ShellLimits): number {
  if (timeoutMs === undefined) return 0;
  const fits = typeof timeoutMs === "number" && timeoutMs >= 0 && timeoutMs <= limits.timeoutMs;
  return fits ? Math.ceil(timeoutMs) : refuse(`timeoutMs is a number from 0 to ${limits.timeoutMs}`);
}

export function checkEnvironment(env: unknown, limits: ShellLimits): Record<string, string> {
  if (env === undefined) return {};
  if (typeof env !== "object" || env === null || Array.isArray(env)) return refuse("env is an object of strings");
  const entries = Object.entries(env);
  if (entries.length > limits.environmentItems) return refuse(`env has at most ${limits.environmentItems} variables`);
  for (const [name, value] of entries) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refuse(`env: ${JSON.stringify(name)} is no name of a variable`);
    checkText(`env.${name}`, value, limits.commandLength);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

export function checkDirectory(cwd: unknown, root: string): string {
  if (cwd === undefined) return root;
  const path = checkText("cwd", cwd, 4096);
  if (path === "") return refuse("cwd is empty");
  return path.startsWith("/") ? path : `${root === "/" ? "" : root}/${path}`;
}

export function checkBackend(backend: unknown): BackendName | undefined {
  if (backend === undefined) return undefined;
  return BACKENDS.find((name) => name === backend) ?? refuse('backend is "worker" or "container"');
}

export function checkStdin(stdin: ExecOptions["stdin"]): Uint8Array | ReadableStream<Uint8Array> | null {
  if (stdin === undefined || stdin === null) return null;
  if (typeof stdin === "string") return new TextEncoder().encode(stdin);
  if (stdin instanceof Uint8Array || stdin instanceof ReadableStream) return stdin;
  return refuse("stdin is text, bytes or a stream of bytes");
}

function checkText(name: string, value: unknown, limit: number): string {
  if (typeof value !== "string") return refuse(`${name} must be text`);
  if (value.includes("\0")) return refuse(`${name} holds a NUL character`);
  if (value.length > limit) return refuse(`${name} is longer than ${limit} characters`);
  return value;
}

function refuse(reason: string): never {
  throw new ShellError("EINVAL", reason);
}
