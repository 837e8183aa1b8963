/** Takes in what a server sends, and tells how far it is in git's words. Only a pack that proved whole becomes visible. */
import { type ReceivedPack, receivePack } from "../odb/receive-pack.ts";
import type { IndexPackProgress } from "../pack/index-pack.ts";
import type { Repository } from "../repository.ts";

export interface StorePackOptions {
  /** Fewer objects than this become loose; 0: the pack is kept whatever its size. */
  readonly unpackLimit?: number;
  /** Text for stderr, as it happens. */
  readonly progress?: (text: string) => void;
}

export async function storePack(
  repo: Pick<Repository, "odb">,
  stream: AsyncIterable<Uint8Array>,
  { progress, unpackLimit }: StorePackOptions = {},
): Promise<ReceivedPack> {
  const meter = progress === undefined ? null : new ProgressText(progress);
  const received = await receivePack(repo.odb, stream, {
    ...(unpackLimit === undefined ? {} : { unpackLimit }),
    ...(meter === null ? {} : { progress: (state) => meter.tell(state) }),
  });
  meter?.end();
  return received;
}

/** "Receiving objects:  42% (21/50)", one line that is overwritten, and "done." at the end of each. */
class ProgressText {
  readonly #out: (text: string) => void;
  #received = -1;
  #resolved = -1;
  #deltas = 0;
  #receivedAll = false;
  #objects = 0;
  #bytes = 0;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  tell({ objects, received, deltas, resolved, bytes }: IndexPackProgress): void {
    this.#objects = objects;
    this.#bytes = bytes;
    if (objects === 0) return;
    const percent = Math.floor((100 * received) / objects);
    if (percent !== this.#received) {
      this.#received = percent;
      if (received < objects)
        this.#out(`Receiving objects: ${String(percent).padStart(3)}% (${received}/${objects})\r`);
    }
    if (received === objects && !this.#receivedAll) this.#endReceiving(objects, bytes);
    this.#deltas = deltas;
    if (deltas === 0 || received < objects) return;
    const done = Math.floor((100 * resolved) / deltas);
    if (done === this.#resolved || resolved === deltas) return;
    this.#resolved = done;
    this.#out(`Resolving deltas: ${String(done).padStart(3)}% (${resolved}/${deltas})\r`);
  }

  end(): void {
    if (!this.#receivedAll) this.#endReceiving(this.#objects, this.#bytes);
    if (this.#deltas > 0) this.#out(`Resolving deltas: 100% (${this.#deltas}/${this.#deltas}), done.\n`);
  }

  #endReceiving(objects: number, bytes: number): void {
    this.#receivedAll = true;
    this.#out(`Receiving objects: 100% (${objects}/${objects}), ${humanBytes(bytes)}, done.\n`);
  }
}

export function humanBytes(bytes: number): string {
  const two = (value: number) => value.toFixed(2);
  if (bytes >= 1024 ** 3) return `${two(bytes / 1024 ** 3)} GiB`;
  if (bytes >= 1024 ** 2) return `${two(bytes / 1024 ** 2)} MiB`;
  if (bytes >= 1024) return `${two(bytes / 1024)} KiB`;
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}
