/**
 * Names in an archive are hostile: one that would land anywhere but below the target is refused, and the whole archive with it. So
 * are links that lead out, and entries that would be written through a link of the same archive.
 */
import { HttpError } from "../errors/http-error.ts";

/** The name with its dots and doubled slashes folded; "" for the archive's own root. */
export function entryName(raw: string): string {
  if (raw.startsWith("/")) throw escapes(raw);
  if (/[\0\\]/.test(raw)) throw notAnArchive(`the name ${quoted(raw)} holds a backslash or a NUL`);
  const names = raw.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw escapes(raw);
  return names.join("/");
}

/** A link's target must stay below the target directory, whatever else is there. */
export function checkLink(name: string, target: string): void {
  if (target === "" || target.startsWith("/") || target.includes("\0")) throw escapes(target);
  let depth = name.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) throw escapes(target);
  }
}

export class LinkGuard {
  readonly #links = new Set<string>();

  /** Paths, relative to the target, that are links already. */
  constructor(existing: Iterable<string>) {
    for (const name of existing) this.#links.add(name);
  }

  check(name: string, type: "file" | "dir" | "symlink"): void {
    for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
      if (this.#links.has(name.slice(0, at))) throw through(name);
    }
    if (type !== "symlink" && this.#links.has(name)) throw through(name);
    if (type === "symlink") this.#links.add(name);
  }
}

export function notAnArchive(why: string, cause?: unknown): HttpError {
  return new HttpError("EINVAL", `the archive is refused: ${why}`, { hint: "Nothing was unpacked.", cause });
}

function escapes(name: string): HttpError {
  return notAnArchive(`${quoted(name)} leads out of it`);
}

function through(name: string): HttpError {
  return notAnArchive(`${quoted(name)} would be written through a link`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
