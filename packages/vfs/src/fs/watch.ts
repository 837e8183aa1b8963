/**
 * `watch`: `changes` plus a wake-up, so that nothing is missed between two reads and a watcher can resume from a cursor. Events are
 * delivered only after the outermost transaction has committed.
 */

import { throwIfAborted } from "../api/errors.ts";
import type { Version, WatchEvent, WatchOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isDirectory } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import { changesSince } from "./changes.ts";
import { watchEvent } from "./watch-event.ts";
import { watchFilter } from "./watch-filter.ts";

export async function* watch(ctx: ReadContext, given: string, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
  const { recursive = false, signal, since, ignore } = optionsOf<WatchOptions>("watch", options, given);
  const isIgnored = watchFilter(ignore, given);
  const volume = ctx.volume.ensureOpen();
  const start = resolveExisting(volume.cache, parsePath(given, "watch"), "watch", "follow");
  const base = start.path;
  const directory = isDirectory(start.inode);
  const now = () => volume.ensureOpen().revisions.format(volume.revisions.head);
  let cursor: Version | null = since ?? now();
  // A revision that is rolled back cannot be read from later: the watch then starts with the state after the rollback.
  if (since === undefined) volume.store.db.onRollback(() => (cursor = null));
  const bell = new Wakeup();
  const unsubscribe = volume.onCommit(() => {
    cursor ??= now();
    bell.notify();
  });
  const abort = () => bell.notify();
  signal?.addEventListener("abort", abort);
  try {
    for (;;) {
      throwIfAborted(signal, "watch", given);
      if (!volume.store.db.inTransaction) {
        const page = changesSince(volume.ensureOpen(), { since: cursor });
        cursor = page.cursor;
        for (const change of page.changes) {
          const event = watchEvent(change, { path: base, directory }, recursive);
          if (event !== null && !isIgnored(event.filename)) yield event;
        }
        if (page.more) continue;
      }
      await bell.wait();
    }
  } finally {
    unsubscribe();
    signal?.removeEventListener("abort", abort);
  }
}

/** A notification before `wait` resolves the next wait at once: no wake-up is lost. */
class Wakeup {
  #rung = false;
  #resolve: (() => void) | null = null;

  notify(): void {
    this.#rung = true;
    this.#resolve?.();
    this.#resolve = null;
  }

  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#resolve = resolve));
    this.#rung = false;
  }
}
