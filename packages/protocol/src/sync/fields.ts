/** Reads fields of an untrusted message: each is validated, and an invalid one throws a FrameError. */
import { FrameError } from "../frames.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

export type Fields = Record<string, unknown>;

export function parseFields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(what);
  return value as Fields;
}

export function parseText(fields: Fields, name: string, max: number): string {
  const value = fields[name];
  if (typeof value !== "string" || value.length > max || !value.isWellFormed()) throw wrong(name);
  return value;
}

export function optionalText(fields: Fields, name: string, max: number): string | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : parseText(fields, name, max);
}

/** A whole number from 0 on. */
export function parseCount(fields: Fields, name: string, max: number = Number.MAX_SAFE_INTEGER): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > max) throw wrong(name);
  return value as number;
}

export function optionalCount(fields: Fields, name: string, max?: number): number | undefined {
  return fields[name] === undefined ? undefined : parseCount(fields, name, max);
}

export function flagOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (value !== undefined && typeof value !== "boolean") throw wrong(name);
  return value === true;
}

export function parseOneOf<T extends string>(fields: Fields, name: string, allowed: readonly T[]): T {
  const value = fields[name];
  if (typeof value !== "string" || !(allowed as readonly string[]).includes(value)) throw wrong(name);
  return value as T;
}

export function parseList<T>(fields: Fields, name: string, max: number, read: (item: unknown) => T): T[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length > max) throw wrong(name);
  return value.map(read);
}

const encoder = new TextEncoder();

/** A path below the root: complete names only, so that it cannot escape. */
export function parsePath(value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > SYNC_LIMITS.pathBytes || !value.isWellFormed())
    throw wrong("path");
  if (value.includes("\0") || encoder.encode(value).length > SYNC_LIMITS.pathBytes) throw wrong("path");
  const names = value.split("/");
  if (names.length > SYNC_LIMITS.depth) throw wrong("path");
  for (const name of names) {
    if (name === "" || name === "." || name === "..") throw wrong("path");
    if (name.length * 3 > SYNC_LIMITS.nameBytes && encoder.encode(name).length > SYNC_LIMITS.nameBytes)
      throw wrong("path");
  }
  return value;
}

export function parseTarget(fields: Fields): string {
  const target = parseText(fields, "target", SYNC_LIMITS.pathBytes);
  if (target === "" || target.includes("\0") || encoder.encode(target).length > SYNC_LIMITS.pathBytes)
    throw wrong("target");
  return target;
}

function wrong(what: string): FrameError {
  return new FrameError(`a message's "${what}" is missing, too large or not what it should be`);
}
