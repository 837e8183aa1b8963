/**
 * Decides how to apply the container's changes to the workspace, before anything is written. A path that is still the base of the
 * container's version takes it. A path that has changed stays, and the container's version is stored beside it. Delivering the same
 * version twice changes nothing.
 */
import type { PullEntry } from "@workspace/protocol";
import type { BulkEntry, FileStat } from "@workspace/vfs";
import { conflictName } from "./conflict-name.ts";
import { sameContent } from "./same-content.ts";
import { dirname, type SyncTree } from "./sync-tree.ts";

/** Bytes that came along, or a way to fetch them; their hash, if the entry has none. */
export type TakenContent = Uint8Array | { stream(): AsyncIterable<Uint8Array>; hash(): Promise<string> };

export type Action =
  /** `isOneChange`: the resulting version is also that of the content, with no change of mode after it. */
  | { kind: "write"; entries: BulkEntry[]; path: string; conflictPath?: string; isOneChange?: true }
  | { kind: "adopt"; stat: FileStat | null; behind: boolean; conflictPath?: string }
  | { kind: "attr"; path: string; stat: FileStat; mode: number | null; mtime: number | null; behind: boolean }
  /** Not taken, with a reason. */
  | { kind: "stay"; reason: string };

const ONE = { isOneChange: true } as const;

export class PullPlan {
  readonly #view: SyncTree;
  readonly #instance: string;
  /** Directories of the container that are elsewhere in the workspace, because something else has their name. */
  readonly #moved: Map<string, string>;
  /** The planned state of paths: later entries are decided on it. */
  readonly #planned = new Map<string, "absent" | "file" | "dir" | "symlink">();

  constructor(view: SyncTree, instance: string, moved: Map<string, string>) {
    this.#view = view;
    this.#instance = instance;
    this.#moved = moved;
  }

  async decide(taken: PullEntry, content: TakenContent | undefined): Promise<Action> {
    const path = await this.#place(taken);
    switch (taken.op) {
      case "remove":
        return this.#remove(taken, path);
      case "attr":
        return this.#attributes(taken, path);
      case "put":
        return taken.type === "dir" ? this.#directory(taken, path) : this.#leaf(taken, path, content);
      default:
        return taken.op satisfies never;
    }
  }

  /** The target of the entry: below a directory that was moved aside, it moves along. */
  async #place({ path, op }: PullEntry): Promise<string> {
    const names = path.split("/");
    let at = "";
    for (const [i, name] of names.entries()) {
      const next = at === "" ? name : `${at}/${name}`;
      if (i === names.length - 1) return next;
      at = this.#moved.get(next) ?? next;
      if (op === "remove" || at !== next) continue;
      const type = await this.#typeAt(at);
      if (type === null || type === "dir") continue;
      const aside = await this.#aside(at);
      this.#moved.set(at, aside);
      at = aside;
    }
    return path;
  }

  async #typeAt(path: string): Promise<"file" | "dir" | "symlink" | null> {
    const planned = this.#planned.get(path);
    if (planned !== undefined) return planned === "absent" ? null : planned;
    return (await this.#lookup(path))?.type ?? null;
  }

  async #lookup(path: string): Promise<FileStat | null> {
    const parent = this.#planned.get(dirname(path));
    return parent === "absent" ? null : this.#view.lookup(path);
  }

  async #leaf(taken: PullEntry, path: string, content: TakenContent | undefined): Promise<Action> {
    const planned = this.#planned.get(path);
    const found = planned === undefined ? await this.#lookup(path) : null;
    const elsewhere = taken.path !== path;
    const isFree =
      planned === "absent" || (planned === undefined && found === null && (elsewhere || taken.base === null));
    if (isFree) return this.#write(taken, path, content, null);
    if (found !== null && found.type === taken.type) {
      if (!elsewhere && found.version === taken.base) return this.#write(taken, path, content, found);
      if (await sameContent(this.#view, path, found, taken, content))
        return { kind: "adopt", stat: found, behind: elsewhere, ...(elsewhere ? { conflictPath: path } : {}) };
    }
    return this.#keepBeside(taken, path, content);
  }

  async #keepBeside(taken: PullEntry, path: string, content: TakenContent | undefined): Promise<Action> {
    const hash = await contentHash(taken, content);
    for (let copy = 1; ; copy++) {
      const conflictPath = conflictName(path, hash, copy);
      // Planned in this very group, for these bytes, because the name is derived from them.
      if (this.#planned.has(conflictPath)) return { kind: "adopt", stat: null, behind: true, conflictPath };
      const found = await this.#lookup(conflictPath);
      if (found === null) return { ...this.#write(taken, conflictPath, content, null), conflictPath } as Action;
      // Stored already, unless another writer has changed it since.
      if (found.type === taken.type && (await sameContent(this.#view, conflictPath, found, taken, content)))
        return { kind: "adopt", stat: null, behind: true, conflictPath };
    }
  }

  #write(taken: PullEntry, path: string, content: TakenContent | undefined, found: FileStat | null): Action {
    const planned = this.#planned.get(path);
    this.#planned.set(path, taken.type);
    const to = this.#view.absolute(path);
    const retained = path === taken.path ? {} : { conflictPath: path };
    const guard = planned !== undefined ? {} : { ifVersion: found?.version ?? null };
    const mtime = taken.mtime / 1e6;
    if (taken.type === "symlink")
      return {
        kind: "write",
        path,
        ...retained,
        entries: [{ path: to, type: "symlink", target: taken.target as string, mtime, ...guard }],
      };
    const bytes = content instanceof Uint8Array ? content : (content?.stream() as unknown as Uint8Array);
    const entry: BulkEntry = { path: to, content: bytes, mode: taken.mode, mtime };
    // In the container the other names of this file are separate files.
    if (found !== null && found.nlink > 1)
      return { kind: "write", path, ...retained, entries: [{ path: to, type: "remove", ...guard }, entry] };
    const isOneChange = planned !== undefined || (found !== null && (found.mode & 0o7777) !== taken.mode) ? {} : ONE;
    return { kind: "write", path, ...retained, ...isOneChange, entries: [{ ...entry, ...guard }] };
  }

  async #directory(taken: PullEntry, path: string): Promise<Action> {
    const type = await this.#typeAt(path);
    if (type === "dir") return { kind: "adopt", stat: null, behind: false };
    const to = type === null ? path : (this.#moved.get(path) ?? (await this.#aside(path)));
    if (type !== null) this.#moved.set(path, to);
    if (to !== path && (await this.#typeAt(to)) === "dir")
      return { kind: "adopt", stat: null, behind: true, conflictPath: to };
    this.#planned.set(to, "dir");
    const entries: BulkEntry[] = [{ path: this.#view.absolute(to), type: "dir", mode: taken.mode }];
    return { kind: "write", path: to, entries, ...(to === path ? {} : { conflictPath: to }) };
  }

  async #attributes(taken: PullEntry, path: string): Promise<Action> {
    const found = this.#planned.has(path) ? null : await this.#lookup(path);
    if (found === null || found.type !== taken.type) return { kind: "adopt", stat: null, behind: true };
    const mode = taken.modeChanged ? taken.mode : null;
    if (taken.type === "dir") return { kind: "attr", path, stat: found, mode, mtime: null, behind: false };
    // A mode set there is applied to the content written here: neither is lost.
    const isBase = found.version === taken.base;
    return { kind: "attr", path, stat: found, mode, mtime: isBase ? taken.mtime : null, behind: !isBase };
  }

  async #remove(taken: PullEntry, path: string): Promise<Action> {
    const found = await this.#lookup(path);
    if (found === null || this.#planned.get(path) === "absent") {
      this.#planned.set(path, "absent");
      return { kind: "adopt", stat: null, behind: false };
    }
    if (found.type !== taken.type || (taken.type !== "dir" && found.version !== taken.base))
      return { kind: "stay", reason: "removed in the container, but changed in the workspace: it stays" };
    if (taken.type === "dir" && !(await this.#isEmpty(path)))
      return { kind: "stay", reason: "removed in the container, but not empty in the workspace: it stays" };
    this.#planned.set(path, "absent");
    const guard = taken.type === "dir" ? {} : { ifVersion: found.version };
    return { kind: "write", path, entries: [{ path: this.#view.absolute(path), type: "remove", ...guard }] };
  }

  async #isEmpty(path: string): Promise<boolean> {
    for await (const [below] of this.#view.walk(path, () => true))
      if (this.#planned.get(below) !== "absent") return false;
    return true;
  }

  /**
   * The new place of a directory whose name is taken: beside it, where only directories are. It has no bytes to derive a name from.
   */
  async #aside(path: string): Promise<string> {
    const hash = await digest(`${this.#instance}\0${path}`);
    for (let copy = 1; ; copy++) {
      const aside = conflictName(path, hash, copy);
      const type = await this.#typeAt(aside);
      if (type === null || type === "dir") return aside;
    }
  }
}

async function contentHash(taken: PullEntry, content: TakenContent | undefined): Promise<string> {
  if (taken.hash !== undefined) return taken.hash;
  return content === undefined || content instanceof Uint8Array ? digest(taken.target ?? "") : content.hash();
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
