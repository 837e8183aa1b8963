/**
 * `watch` on the client: one poll after the other, each from the cursor of the last answer. The first is sent at once, so that it
 * covers this client's next changes. A lost poll is repeated from the same cursor: no event is lost or duplicated.
 */
import type { WireWatched, WireWatchPage } from "@workspace/protocol";
import { FsError, optionsOf, type WatchEvent, type WatchOptions, watchFilter } from "@workspace/vfs";
import type { RpcClient } from "./rpc-client.ts";
import { disposedError, WorkspaceRpcError } from "./rpc-error.ts";

export interface PollOptions {
  /** How long one poll may wait at the object. */
  waitMs: number;
  /** Consecutive failures before the iterator throws the last one, and the pause after the first; it doubles. */
  attempts: number;
  pauseMs: number;
}

export const defaultWatchPolicy: PollOptions = { waitMs: 20_000, attempts: 6, pauseMs: 50 };

type WatchPage = WireWatchPage<WatchEvent>;

export function remoteWatch(
  connection: RpcClient,
  policy: PollOptions,
  path: string,
  options: WatchOptions = {},
): AsyncIterableIterator<WatchEvent> {
  // A bad option is reported as in Node: at the first event.
  let settings: Partial<WatchOptions> = {};
  let isIgnored = (_filename: string) => false;
  let refusal: unknown;
  try {
    settings = optionsOf<WatchOptions>("watch", options, path);
    isIgnored = watchFilter(settings.ignore, path);
  } catch (error) {
    refusal = error;
  }
  const { recursive, since, signal } = settings;
  const stop = new AbortController();
  const watcher: Disposable = { [Symbol.dispose]: () => stop.abort(disposedError("watch")) };
  const abort = () => stop.abort(new FsError("ABORT_ERR", { syscall: "watch", path, cause: signal?.reason }));
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  connection.keep(watcher);

  const question = new WatchPoll(connection, policy, path, recursive, stop.signal);
  const first = refusal === undefined ? question.ask(since) : Promise.reject(refusal);
  first.catch(() => {});

  async function* events(): AsyncGenerator<WatchEvent> {
    try {
      for (let page = await first; ; page = await question.ask(page.cursor, page.watched))
        yield* page.events.filter(({ filename }) => !isIgnored(filename));
    } catch (error) {
      if (error !== LEFT) throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
      connection.drop(watcher);
      stop.abort(LEFT);
    }
  }
  const generator = events();
  return {
    next: () => generator.next(),
    // A generator would make a pending `next` wait for the object's answer first.
    return: () => {
      stop.abort(LEFT);
      return generator.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The reason of a stop by the reader. */
const LEFT = Symbol("left");

class WatchPoll {
  constructor(
    readonly connection: RpcClient,
    readonly policy: PollOptions,
    readonly path: string,
    readonly recursive: boolean | undefined,
    readonly stopped: AbortSignal,
  ) {}

  /** Sends one poll and retries it after transport errors, with exponential backoff, at most `attempts` times. */
  async ask(since: string | undefined, watched?: WireWatched): Promise<WatchPage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(since, watched);
      } catch (error) {
        const lost = error instanceof WorkspaceRpcError && error.code === "ERR_WORKSPACE_TRANSPORT";
        if (!lost || this.stopped.aborted || attempt >= this.policy.attempts) throw error;
        await pause(this.policy.pauseMs * 2 ** (attempt - 1), this.stopped);
      }
    }
  }

  async #once(since: string | undefined, watched: WireWatched | undefined): Promise<WatchPage> {
    this.stopped.throwIfAborted();
    const id = crypto.randomUUID();
    const { recursive, policy, path, connection } = this;
    let cancel = () => {};
    const stopped = new Promise<never>((_, reject) => {
      cancel = () => {
        reject(this.stopped.reason);
        connection.call("cancelWatch", [id]).catch(() => {});
      };
    });
    this.stopped.addEventListener("abort", cancel);
    try {
      const answer = connection.call("watch", [path, { recursive, since, watched, waitMs: policy.waitMs, id }]);
      return (await Promise.race([answer, stopped])).value as WatchPage;
    } finally {
      this.stopped.removeEventListener("abort", cancel);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
