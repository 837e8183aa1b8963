/**
 * The durable state of the sync: the secret, the container's instance, and the position in the log up to which that container has
 * everything. A container with another instance is a new one without state.
 */
import { readSyncState, type WriteView, writeSyncState } from "@workspace/vfs";

interface SavedState {
  secret: string;
  instance: string | null;
  cursor: string | null;
  /** The rules of its last push; absent in the state of an older version. */
  policy?: string;
  ports: number[];
  /** Paths that only this container has. */
  only?: string[];
  /** Paths that only a lost container had, until a result has reported them. */
  lost?: string[];
}

/** Maximum number of recorded paths that only a container has: enough to tell what to recreate. */
const MAX_NAMES = 100;

export class SyncState {
  readonly #volume: WriteView;
  readonly #makeSecret: () => string;
  #saved: SavedState | null = null;
  /** Created in this incarnation: a container may have it although a rollback removed it from the database. */
  #newSecret: string | undefined;

  constructor(volume: WriteView, makeSecret: () => string) {
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

  /** The cursor of that container; null when it has nothing, or is another. */
  cursorOf(instance: string): string | null {
    const retained = this.#read();
    return retained.instance === instance ? retained.cursor : null;
  }

  /** The rules of that container's last push; null when it has nothing, or is another. */
  policyOf(instance: string): string | null {
    const kept = this.#read();
    return kept.instance === instance ? (kept.policy ?? null) : null;
  }

  advance(instance: string, cursor: string | null, policy: string): void {
    const kept = this.#read();
    if (kept.instance === instance && kept.cursor === cursor && kept.policy === policy) return;
    this.#write({ instance, cursor, policy });
  }

  /** The paths that only that container has, at its last scan. */
  setOnly(instance: string, paths: readonly string[]): void {
    const kept = this.#read();
    const only = paths.slice(0, MAX_NAMES);
    if (kept.instance !== instance || sameList(kept.only ?? [], only)) return;
    this.#write({ only });
  }

  /** Records the current container: a different previous one is lost, with the paths that only it had. */
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
    this.#volume.store.db.onRollback(() => (this.#saved = null));
    return (this.#saved = next);
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
