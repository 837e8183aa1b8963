/**
 * Cache of parsed files, within a command and across commands: a hit is valid only while the file's fingerprint is the same. Values
 * are shared and immutable. Bounded per isolate by the size of the files; cache eviction removes the least recently used.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** Owners of entries, in order of use. */
const retained = new Map<ParsedFileCache<unknown>, number>();

export class ParsedFileCache<Value> {
  #path = "";
  #fingerprint = "";
  #value: Value | null = null;

  /** Null: another file was read last, it has changed since, or it was evicted. */
  get(path: string, fingerprint: string): Value | null {
    if (this.#path !== path || this.#fingerprint !== fingerprint) return null;
    if (this.#value !== null) this.#use(retained.get(this) as number);
    return this.#value;
  }

  set(path: string, fingerprint: string, value: Value, bytes: number): void {
    this.#forget();
    if (bytes > MAX_BYTES) return;
    this.#path = path;
    this.#fingerprint = fingerprint;
    this.#value = value;
    this.#use(bytes);
    let all = 0;
    for (const one of retained.values()) all += one;
    for (const [oldest, size] of retained) {
      if (all <= MAX_BYTES) return;
      all -= size;
      oldest.#forget();
    }
  }

  #use(bytes: number): void {
    retained.delete(this);
    retained.set(this, bytes);
  }

  #forget(): void {
    retained.delete(this);
    this.#value = null;
  }
}
