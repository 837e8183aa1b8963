/**
 * Names in an archive are hostile. The whole archive is refused if a name would land outside the target, a link leads out of it, or
 * an entry would be written through a link of the same archive.
 */
import { HttpError } from "../errors/http-error.ts";
import type { ArchiveBudget } from "./archive-budget.ts";

/** Of a name or a link target, in UTF-16 units: longer ones are not workspace paths. */
const MAX_LENGTH = 4096;

/** The name with dots and doubled slashes folded; "" for the archive's own root. */
export function entryName(raw: string): string {
  if (raw.length > MAX_LENGTH) throw archiveError(`the name ${quoted(raw)}… is too long`);
  if (raw.startsWith("/")) throw escapes(raw);
  if (/[\0\\]/.test(raw)) throw archiveError(`the name ${quoted(raw)} holds a backslash or a NUL`);
  const names = raw.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw escapes(raw);
  return names.join("/");
}

/** A link's target must stay below the target directory, judged by the two names. */
export function checkLink(name: string, target: string): void {
  if (target.length > MAX_LENGTH) throw archiveError(`the link ${quoted(name)} is too long`);
  if (target === "" || target.startsWith("/") || target.includes("\0")) throw escapes(target);
  let depth = name.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) throw escapes(target);
  }
}

/**
 * Checks the links of an archive together. No entry is written through a link. A name in a link's target may itself be a link, so
 * that a following `..` would not lead to its parent: such a target is refused. All other targets lead where `checkLink` expects.
 */
export class LinkGuard {
  readonly #links = new Set<string>();
  /** Links whose target may have a name before a `..`. */
  readonly #climbing: { name: string; target: string }[] = [];

  readonly #budget: ArchiveBudget;
  /** The last directory found free of links; most entries share their predecessor's directory. */
  #checked = "";

  /** `existing`: paths, relative to the target, that are already links. */
  constructor(existing: Iterable<string>, budget: ArchiveBudget) {
    for (const name of existing) this.#links.add(name);
    this.#budget = budget;
  }

  async check({ name, type, target = "" }: { name: string; type: string; target?: string }): Promise<void> {
    const parent = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    if (this.#links.size > 0 && parent !== this.#checked) {
      for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
        await this.#budget.spendBytes(at);
        if (this.#links.has(name.slice(0, at))) throw through(name);
      }
      this.#checked = parent;
    }
    if (type !== "symlink" && this.#links.has(name)) throw through(name);
    if (type !== "symlink") return;
    this.#budget.holdLink(name.length + target.length);
    this.#links.add(name);
    this.#checked = "";
    if (target.includes("..")) this.#climbing.push({ name, target });
  }

  /** Call when all entries are known. */
  async finish(): Promise<void> {
    for (const { name, target } of this.#climbing) {
      let at = name.slice(0, Math.max(0, name.lastIndexOf("/")));
      for (const part of target.split("/")) {
        if (part === "" || part === ".") continue;
        if (part !== "..") at = at === "" ? part : `${at}/${part}`;
        else {
          await this.#budget.spendBytes(at.length);
          if (this.#links.has(at)) throw escapes(target);
          at = at.slice(0, Math.max(0, at.lastIndexOf("/")));
        }
      }
    }
  }
}

export function archiveError(why: string, cause?: unknown): HttpError {
  return new HttpError("EINVAL", `the archive is refused: ${why}`, { hint: "Nothing was unpacked.", cause });
}

function escapes(name: string): HttpError {
  return archiveError(`${quoted(name)} leads out of it`);
}

function through(name: string): HttpError {
  return archiveError(`${quoted(name)} would be written through a link`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
