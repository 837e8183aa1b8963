/** Ingests a server's pack, and reports progress in git's words. Only a verified pack becomes visible. */
import { ingestPack, type ReceivedPack } from "../odb/ingest-pack.ts";
import type { IndexPackProgress } from "../pack/index-pack.ts";
import type { PackObserver } from "../pack/pack-observer.ts";
import type { Repository } from "../repository.ts";
import { humanBytes } from "./human-bytes.ts";
import { ProgressLine } from "./progress-line.ts";

interface StorePackOptions {
  /** Packs with fewer objects are unpacked to loose ones; 0: packs are always kept. */
  readonly unpackLimit?: number;
  /** Receives text for stderr, as it happens. */
  readonly progress?: (text: string) => void;
  readonly watch?: PackObserver | undefined;
}

export async function storePack(
  repo: Pick<Repository, "odb">,
  stream: AsyncIterable<Uint8Array>,
  { progress, unpackLimit, watch }: StorePackOptions = {},
): Promise<ReceivedPack> {
  const meter = progress === undefined ? null : new ProgressText(progress);
  const received = await ingestPack(repo.odb, stream, {
    watch,
    ...(unpackLimit === undefined ? {} : { unpackLimit }),
    ...(meter === null ? {} : { progress: (state) => meter.print(state) }),
  });
  meter?.end();
  return received;
}

/** Receiving first, then deltas: one line each. */
class ProgressText {
  readonly #receiving: ProgressLine;
  readonly #resolving: ProgressLine;
  #receivedAll = false;
  #state: IndexPackProgress = { objects: 0, received: 0, deltas: 0, resolved: 0, bytes: 0 };

  constructor(out: (text: string) => void) {
    this.#receiving = new ProgressLine("Receiving objects", out);
    this.#resolving = new ProgressLine("Resolving deltas", out);
  }

  print(state: IndexPackProgress): void {
    this.#state = { ...state };
    const { objects, received, deltas, resolved } = state;
    if (objects === 0) return;
    this.#receiving.print(received, objects);
    if (received < objects) return;
    this.#endReceiving();
    if (deltas > 0) this.#resolving.print(resolved, deltas);
  }

  end(): void {
    this.#endReceiving();
    if (this.#state.deltas > 0) this.#resolving.end(this.#state.deltas);
  }

  #endReceiving(): void {
    if (this.#receivedAll) return;
    this.#receivedAll = true;
    this.#receiving.end(this.#state.objects, `, ${humanBytes(this.#state.bytes)}`);
  }
}
