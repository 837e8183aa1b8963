/**
 * What a contract runs on: a file system and an empty directory of the test's own. A contract is written once and run on
 * `node:fs`, on our SQLite and over Workers RPC, so it may use nothing but the `FileSystem` it is given.
 */
import type { FileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";

export interface Subject {
  fs: FileSystem;
  /** Absolute, without links, empty, without a trailing slash. */
  root: string;
  /** Runs a test's body where the file system may be used: a Durable Object's storage works only inside that object. */
  inside?<T>(body: () => Promise<T>): Promise<T>;
  /** What must hold after every test; runs inside. */
  after?(): Promise<void>;
}

export type Make = () => Promise<Subject>;
export type Check = (subject: { fs: FileSystem; root: string }) => Promise<void>;

/** `it`, with a fresh subject for each test. */
export function testsOn(make: Make): (title: string, check: Check) => void {
  return (title, check) => it(title, () => runOn(make, check));
}

export async function runOn(make: Make, check: Check): Promise<void> {
  const subject = await make();
  const body = async () => {
    await check(subject);
    await subject.after?.();
  };
  await (subject.inside ? subject.inside(body) : body());
}

export interface ExpectedError {
  code: string;
  syscall?: string;
  path?: string;
  dest?: string;
}

/** Awaits a rejection and compares the fields given: those that Node sets too. */
export async function fails(promise: Promise<unknown>, expected: ExpectedError): Promise<void> {
  const outcome = await promise.then(
    (value) => ({ resolved: value }),
    (error) => fieldsOf(error, expected),
  );
  expect(outcome).toEqual(expected);
}

function fieldsOf(error: unknown, wanted: ExpectedError): Record<string, unknown> {
  if (!(error instanceof Error)) return { rejectedWith: error };
  const fields = error as unknown as Record<string, unknown>;
  if (typeof fields.code !== "string") return { message: error.message, stack: error.stack };
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, fields[key]]));
}

export const text = (fs: FileSystem, path: string): Promise<string> => fs.readFile(path, "utf8");

export const names = async (fs: FileSystem, path: string): Promise<string[]> => (await fs.readdir(path)).sort();

/** Every path under a directory with what it is, sorted: the shape of a tree in one value. */
export async function shape(fs: FileSystem, directory: string): Promise<string[]> {
  const lines: string[] = [];
  const walk = async (path: string, below: string) => {
    for (const entry of await fs.readdir(path, { withFileTypes: true })) {
      const full = `${path}/${entry.name}`;
      const shown = `${below}${entry.name}`;
      if (entry.isDirectory()) {
        lines.push(`${shown}/`);
        await walk(full, `${shown}/`);
      } else if (entry.isSymbolicLink()) lines.push(`${shown} -> ${await fs.readlink(full)}`);
      else lines.push(`${shown} = ${await text(fs, full)}`);
    }
  };
  await walk(directory, "");
  return lines.sort();
}

/** Bytes that differ at every chunk and row boundary, and from seed to seed. */
export function pattern(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = (seed * 2654435761) >>> 0;
  for (let i = 0; i < length; i++) {
    if (i % 251 === 0) state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = (state >>> (i % 24)) & 0xff;
  }
  return bytes;
}

/** `toEqual` on megabytes is slow and its difference unreadable: says where the first difference is. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual).toBeInstanceOf(Uint8Array);
  expect(actual.length).toBe(expected.length);
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  expect(at === expected.length ? "equal" : `byte ${at} is ${actual[at]}, not ${expected[at]}`).toBe("equal");
}

export const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const bitsOf = (mode: number): number => mode & 0o7777;

/** Lets the clock move: in workerd it stands still between I/O, and times are compared across it. */
export const tick = (milliseconds = 15): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
