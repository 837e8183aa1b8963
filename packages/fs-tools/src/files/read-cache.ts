/**
 * Caches the last contents read through a toolset, for the diff in a STALE error; bounded, and only a convenience. A workspace with
 * a history needs no cache: the history has every content.
 */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FILE = 512 * 1024;

export class ReadCache {
  readonly #texts = new Map<string, { version: string; bytes: Uint8Array }>();
  readonly #maxBytes: number;
  #held = 0;

  constructor(hasHistory = false) {
    this.#maxBytes = hasHistory ? 0 : MAX_BYTES;
  }

  put(actor: string, path: string, version: string, bytes: Uint8Array): void {
    if (this.#maxBytes === 0) return;
    const key = `${actor}\0${path}`;
    this.#drop(key);
    if (bytes.length > MAX_FILE) return;
    this.#texts.set(key, { version, bytes });
    this.#held += bytes.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#held <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  get(actor: string, path: string, version: string): Uint8Array | undefined {
    const found = this.#texts.get(`${actor}\0${path}`);
    return found?.version === version ? found.bytes : undefined;
  }

  #drop(key: string): void {
    this.#held -= this.#texts.get(key)?.bytes.length ?? 0;
    this.#texts.delete(key);
  }
}
