/**
 * What survives the object's memory: the secret, which container it was, and up to where in the log that container has everything.
 * A container with another instance is a fresh one and knows nothing.
 */
import { readSyncState, type Volume, writeSyncState } from "@workspace/vfs";

interface SavedState {
  secret: string;
  instance: string | null;
  cursor: string | null;
  /** The rules that it was pushed by; absent in what an older version wrote. */
  policy?: string;
  ports: number[];
  /** Paths that this container alone has. */
  only?: string[];
  /** Paths that a lost container alone had, until a result has said so. */
  lost?: string[];
}

/** Names that are kept of what a container alone has: enough to say what to make again. */
const MAX_NAMES = 100;

export class SyncState {
  readonly #volume: Volume;
  readonly #makeSecret: () => string;
  #saved: SavedState | null = null;
  /** Made in this incarnation: a container may know it although a rollback took it out of the database. */
  #newSecret: string | undefined;

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
    const retained = this.#read();
    return retained.instance === instance ? retained.cursor : null;
  }

  /** The rules by which that container was given what it has; null when it has nothing, or is another. */
  policyOf(instance: string): string | null {
    const kept = this.#read();
    return kept.instance === instance ? (kept.policy ?? null) : null;
  }

  advance(instance: string, cursor: string | null, policy: string): void {
    const kept = this.#read();
    if (kept.instance === instance && kept.cursor === cursor && kept.policy === policy) return;
    this.#write({ instance, cursor, policy });
  }

  /** What that container alone has, at its last scan. */
  setOnly(instance: string, paths: readonly string[]): void {
    const kept = this.#read();
    const only = paths.slice(0, MAX_NAMES);
    if (kept.instance !== instance || sameList(kept.only ?? [], only)) return;
    this.#write({ only });
  }

  /** The container is this one: when it was another, that one is lost, with what it alone had. */
  noteInstance(instance: string): void {
    const kept = this.#read();
    if (kept.instance === null || kept.instance === instance || (kept.only ?? []).length === 0) return;
    const lost = [...new Set([...(kept.lost ?? []), ...(kept.only ?? [])])].slice(0, MAX_NAMES);
    this.#write({ instance: null, cursor: null, only: [], lost });
  }

  get lost(): readonly string[] {
    return this.#read().lost ?? [];
  }

  forgetLost(): void {
    if (this.lost.length > 0) this.#write({ lost: [] });
  }

  #read(): SavedState {
    if (this.#saved !== null) return this.#saved;
    const stored = readSyncState(this.#volume) as SavedState | null;
    if (stored !== null) return (this.#saved = stored);
    this.#newSecret ??= this.#makeSecret();
    return this.#store({ secret: this.#newSecret, instance: null, cursor: null, ports: [] });
  }

  #write(changed: Partial<SavedState>): void {
    this.#store({ ...this.#read(), ...changed });
  }

  #store(next: SavedState): SavedState {
    writeSyncState(this.#volume, next);
    this.#volume.db.onRollback(() => (this.#saved = null));
    return (this.#saved = next);
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
