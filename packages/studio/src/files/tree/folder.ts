/** The entries of one folder: subfolders first, then the rest, each in the server's order. */
import type { EntryTypeName } from "@workspace/worker/api";

export class Folder {
  readonly folders: string[] = [];
  readonly files: string[] = [];
  readonly #types = new Map<string, EntryTypeName>();
  state: "loading" | "ready" | "failed" = "loading";
  error: Error | undefined;
  /** Settles when it is fully loaded or has failed. */
  ready: Promise<void> = Promise.resolve();

  get count(): number {
    return this.#types.size;
  }

  typeOf(name: string): EntryTypeName {
    return this.#types.get(name) ?? "file";
  }

  /** Adds a page of a listing, in its order. */
  add(entries: readonly { name: string; type: EntryTypeName }[]): void {
    for (const { name, type } of entries) {
      if (this.#types.has(name)) continue;
      this.#types.set(name, type);
      const list = this.#list(type);
      // Almost always at the end, unless the live feed was faster than the listing.
      if (list.length === 0 || (list.at(-1) as string) < name) list.push(name);
      else list.splice(insertionIndex(list, name), 0, name);
    }
  }

  put(name: string, type: EntryTypeName): void {
    const before = this.#types.get(name);
    if (before === type) return;
    if (before !== undefined) this.remove(name);
    this.#types.set(name, type);
    const list = this.#list(type);
    list.splice(insertionIndex(list, name), 0, name);
  }

  remove(name: string): void {
    const type = this.#types.get(name);
    if (type === undefined) return;
    this.#types.delete(name);
    const list = this.#list(type);
    const at = list.indexOf(name);
    if (at >= 0) list.splice(at, 1);
  }

  /** The text shown in place of entries, if any. */
  note(): string | undefined {
    if (this.state === "failed") return `could not be read: ${this.error?.message ?? ""}`;
    if (this.count > 0) return undefined;
    return this.state === "loading" ? "loading…" : "empty";
  }

  #list(type: EntryTypeName): string[] {
    return type === "directory" ? this.folders : this.files;
  }
}

function insertionIndex(list: readonly string[], name: string): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
