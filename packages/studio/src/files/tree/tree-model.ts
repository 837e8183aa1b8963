/**
 * The displayed tree: open folders, their entries, and the resulting rows. Folders are read when opened, page by page, and then
 * updated from the live feed without further requests. Rows are a flat list, so that a view draws only the visible ones, however
 * many there are.
 */
import { signal } from "@preact/signals";
import type { ApiChange, EntryTypeName } from "@workspace/worker/api";
import { asApiError } from "../../api/api-error.ts";
import { basename, dirname, join, relative } from "../../api/path.ts";
import { listPage } from "../../api/tree.ts";
import { Folder } from "./folder.ts";

export interface TreeRow {
  path: string;
  name: string;
  type: EntryTypeName;
  level: number;
  /** Position among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
  expanded?: boolean;
  /** Instead of an entry: a message about the folder above. */
  note?: string;
}

export class TreeModel {
  readonly rows = signal<readonly TreeRow[]>([]);
  readonly root = signal<"loading" | "ready" | "failed">("loading");
  readonly #folders = new Map<string, Folder>();
  readonly #expanded = new Set<string>([""]);
  #frame: number | null = null;
  #disposed = false;

  constructor(readonly workspace: string) {
    this.#read("");
  }

  dispose(): void {
    this.#disposed = true;
  }

  get rootError(): unknown {
    return this.#folders.get("")?.error;
  }

  isExpanded(path: string): boolean {
    return this.#expanded.has(path);
  }

  expand(path: string): Promise<void> {
    this.#expanded.add(path);
    this.#changed();
    const known = this.#folders.get(path);
    return known === undefined || known.state === "failed" ? this.#read(path) : known.ready;
  }

  collapse(path: string): void {
    this.#expanded.delete(path);
    this.#changed();
  }

  /** Opens all parents of a path. */
  async reveal(path: string): Promise<void> {
    const names = path.split("/").slice(0, -1);
    let folder = "";
    for (const name of names) {
      folder = join(folder, name);
      await this.expand(folder);
    }
    this.#draw();
  }

  reload(): void {
    for (const path of [...this.#folders.keys()]) {
      if (this.#expanded.has(path)) this.#read(path);
      else this.#folders.delete(path);
    }
  }

  apply(changes: readonly ApiChange[]): void {
    for (const change of changes) {
      const path = relative(change.path);
      if (change.op === "rename" && change.from !== undefined) this.#move(relative(change.from), path, change.type);
      else if (path === null || path === "") continue;
      else if (change.op === "remove") this.#forget(path);
      else this.#folders.get(dirname(path))?.put(basename(path), change.type);
    }
    this.#changed();
  }

  #move(from: string | null, to: string | null, type: EntryTypeName): void {
    if (to !== null && to !== "") this.#forget(to);
    const retained =
      from === null ? [] : [...this.#folders].filter(([path]) => path === from || path.startsWith(`${from}/`));
    const open = [...this.#expanded];
    if (from !== null) this.#forget(from);
    if (to === null || to === "") return;
    this.#folders.get(dirname(to))?.put(basename(to), type);
    if (from === null) return;
    // Open folders stay open under the new name, and need not be read again.
    for (const [path, folder] of retained) this.#folders.set(to + path.slice(from.length), folder);
    for (const path of open)
      if (path === from || path.startsWith(`${from}/`)) this.#expanded.add(to + path.slice(from.length));
  }

  #forget(path: string): void {
    this.#folders.get(dirname(path))?.remove(basename(path));
    for (const known of [...this.#folders.keys()])
      if (known === path || known.startsWith(`${path}/`)) {
        this.#folders.delete(known);
        this.#expanded.delete(known);
      }
  }

  async #read(path: string): Promise<void> {
    const folder = new Folder();
    const before = this.#folders.get(path);
    // The old rows stay while it is reloaded.
    if (before === undefined || before.state === "failed") this.#folders.set(path, folder);
    folder.ready = this.#readPages(path, folder);
    await folder.ready;
    if (this.#folders.has(path)) this.#folders.set(path, folder);
    if (path === "") this.root.value = folder.state;
    this.#changed();
  }

  async #readPages(path: string, folder: Folder): Promise<void> {
    try {
      let cursor: string | undefined;
      do {
        const page = await listPage(this.workspace, path, cursor);
        if (this.#disposed) return;
        folder.add(page.entries);
        cursor = page.cursor;
        if (path === "") this.root.value = "ready";
        this.#changed();
      } while (cursor !== undefined);
      folder.state = "ready";
    } catch (failure) {
      folder.error = asApiError(failure);
      folder.state = "failed";
    }
  }

  #changed(): void {
    if (this.#disposed) return;
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    const rows: TreeRow[] = [];
    this.#rowsOf("", 1, rows);
    this.rows.value = rows;
  }

  #rowsOf(path: string, level: number, rows: TreeRow[]): void {
    const folder = this.#folders.get(path);
    if (folder === undefined) return;
    const siblings = folder.count;
    let position = 0;
    for (const name of folder.folders) {
      const child = join(path, name);
      const expanded = this.#expanded.has(child);
      rows.push({ path: child, name, type: "directory", level, position: ++position, siblings, expanded });
      if (expanded) this.#rowsOf(child, level + 1, rows);
    }
    for (const name of folder.files)
      rows.push({ path: join(path, name), name, type: folder.typeOf(name), level, position: ++position, siblings });
    const note = folder.note();
    if (note !== undefined && path !== "")
      rows.push({ path: `${path}/`, name: "", type: "file", level, position: 1, siblings: 1, note });
  }
}
