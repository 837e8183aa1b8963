/**
 * Paths, parsed once. Doubled slashes and `.` are removed here; `..` stays, because a kernel resolves it after the symlinks before
 * it. A trailing slash or dot means "must be a directory".
 */
import { FsError } from "../api/errors.ts";

export const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4096;

/** A validated path. Most are resolved by directory and name, so the parts are split only on demand. */
export class WorkspacePath {
  /** As the caller wrote it, for errors. */
  readonly given: string;
  /** A trailing slash or dot: it must be a directory. */
  readonly mustBeDirectory: boolean;
  /** It ends in `.`: some verbs refuse to act on a name they were not given. */
  readonly endsInDot: boolean;
  /** The parts before and after the last slash. */
  readonly directory: string;
  readonly name: string;
  readonly #text: string;
  #parts: readonly string[] | undefined;
  #hasLongName = false;

  constructor(text: string, given = text) {
    this.#text = text;
    this.given = given;
    const slash = text.lastIndexOf("/");
    this.directory = text.slice(0, Math.max(0, slash));
    this.name = text.slice(slash + 1);
    this.endsInDot = this.name === ".";
    this.mustBeDirectory = this.endsInDot || this.name === "" || this.name === "..";
  }

  get parts(): readonly string[] {
    return this.#parts ?? this.#split();
  }

  /** Some part is too long; the walk throws when it gets there, as a kernel does. */
  get hasLongName(): boolean {
    if (this.#parts === undefined) this.#split();
    return this.#hasLongName;
  }

  #split(): readonly string[] {
    const parts: string[] = [];
    for (const part of this.#text.split("/")) {
      if (part === "" || part === ".") continue;
      if (part.length * 3 > MAX_NAME_BYTES) this.#hasLongName ||= utf8Length(part) > MAX_NAME_BYTES;
      parts.push(part);
    }
    return (this.#parts = parts);
  }
}

export function parsePath(given: unknown, syscall: string): WorkspacePath {
  if (typeof given !== "string") {
    throw new FsError("EINVAL", { syscall, path: String(given), reason: "the path must be a string" });
  }
  if (given === "") throw new FsError("ENOENT", { syscall, path: given });
  if (given.charCodeAt(0) !== 47) {
    throw new FsError("EINVAL", { syscall, path: given, reason: "the path must be absolute" });
  }
  checkText(given, syscall);
  return new WorkspacePath(given);
}

/** The first `length` parts of a path, as a path that errors report by the whole. */
export function pathPrefix(path: WorkspacePath, length: number): WorkspacePath {
  return new WorkspacePath(`/${path.parts.slice(0, length).join("/")}`, path.given);
}

/** A symlink's target: as a path, but it may be relative. */
export function parseTarget(target: string, link: string): { absolute: boolean; path: WorkspacePath } {
  return { absolute: target.startsWith("/"), path: new WorkspacePath(target, link) };
}

/** Validates a symlink's target. Linux accepts any non-empty bytes below a path's length. */
export function checkTarget(target: unknown, path: string): asserts target is string {
  if (typeof target !== "string")
    throw new FsError("EINVAL", { syscall: "symlink", path, reason: "the target must be a string" });
  if (target === "") throw new FsError("ENOENT", { syscall: "symlink", path: target, dest: path });
  checkText(target, "symlink");
}

export function joinPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** Byte order of UTF-8, in which SQLite sorts names; UTF-16 order differs above U+FFFF. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates encode code points above all others.
    if (x >= 0xd800 && x <= 0xdfff) x += 0x10000;
    if (y >= 0xd800 && y <= 0xdfff) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
}

function checkText(text: string, syscall: string): void {
  if (text.includes("\0")) throw new FsError("EINVAL", { syscall, path: text, reason: "the path holds a NUL" });
  if (!text.isWellFormed())
    throw new FsError("EINVAL", { syscall, path: text.toWellFormed(), reason: "the path is not valid Unicode" });
  // Linux counts the terminating NUL.
  if (text.length * 3 >= MAX_PATH_BYTES && utf8Length(text) >= MAX_PATH_BYTES)
    throw new FsError("ENAMETOOLONG", { syscall, path: text });
}
