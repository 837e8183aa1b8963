/**
 * What survives the object's memory: the secret, which container it was, and up to where in the log that container has everything.
 * A container with another instance is a fresh one and knows nothing.
 */
import { readSyncState, type Volume, writeSyncState } from "@workspace/vfs";

interface Kept {
  secret: string;
  instance: string | null;
  cursor: string | null;
  ports: number[];
}

export class SyncState {
  readonly #volume: Volume;
  readonly #makeSecret: () => string;
  #kept: Kept | null = null;

  constructor(volume: Volume, makeSecret: () => string) {
    this.#volume = volume;
    this.#makeSecret = makeSecret;
  }

  get secret(): string {
    return this.#read().secret;
  }

  get ports(): readonly number[] {
    return this.#read().ports;
  }

  set ports(ports: readonly number[]) {
    this.#write({ ports: [...ports] });
  }

  /** Where that container stands; null when it has nothing, or is another. */
  cursorOf(instance: string): string | null {
    const kept = this.#read();
    return kept.instance === instance ? kept.cursor : null;
  }

  advance(instance: string, cursor: string | null): void {
    const kept = this.#read();
    if (kept.instance === instance && kept.cursor === cursor) return;
    this.#write({ instance, cursor });
  }

  #read(): Kept {
    if (this.#kept !== null) return this.#kept;
    const stored = readSyncState(this.#volume) as Kept | null;
    if (stored !== null) return (this.#kept = stored);
    this.#write({ secret: this.#makeSecret(), instance: null, cursor: null, ports: [] });
    return this.#kept as unknown as Kept;
  }

  #write(changed: Partial<Kept>): void {
    const next = { ...(this.#kept ?? {}), ...changed } as Kept;
    writeSyncState(this.#volume, next);
    this.#kept = next;
  }
}
