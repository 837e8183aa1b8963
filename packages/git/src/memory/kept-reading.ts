/**
 * What was made of a file's bytes, from one reading to the next, in the same command or a later one: given out again only while the
 * file's fingerprint is the same. Values are shared and never changed. For all of the isolate together there is a bound, by the
 * size of the files; the one used longest ago goes first.
 */
const MOST_BYTES = 4 * 1024 * 1024;
/** Who has something, in the order of use. */
const held = new Map<KeptReading<unknown>, number>();

export class KeptReading<Value> {
  #path = "";
  #fingerprint = "";
  #value: Value | null = null;

  /** Null: another file was read last, it has changed since, or there was no room. */
  get(path: string, fingerprint: string): Value | null {
    if (this.#path !== path || this.#fingerprint !== fingerprint) return null;
    if (this.#value !== null) this.#use(held.get(this) as number);
    return this.#value;
  }

  set(path: string, fingerprint: string, value: Value, bytes: number): void {
    this.#forget();
    if (bytes > MOST_BYTES) return;
    this.#path = path;
    this.#fingerprint = fingerprint;
    this.#value = value;
    this.#use(bytes);
    let all = 0;
    for (const one of held.values()) all += one;
    for (const [oldest, size] of held) {
      if (all <= MOST_BYTES) return;
      all -= size;
      oldest.#forget();
    }
  }

  #use(bytes: number): void {
    held.delete(this);
    held.set(this, bytes);
  }

  #forget(): void {
    held.delete(this);
    this.#value = null;
  }
}
