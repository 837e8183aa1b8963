/**
 * `watch`: `changes` plus a wake-up, so that nothing is missed between two reads and a watcher can go on from a cursor. Events
 * are told only when the outermost transaction has committed.
 */
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { WatchEvent, WatchOptions } from "../filesystem.ts";
import { isDirectory } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import { changesSince } from "./changes.ts";
import { watchEvent } from "./watch-event.ts";

export async function* watch(ctx: FsContext, given: string, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
  const { recursive = false, signal, since } = options ?? {};
  const volume = ctx.volume.open();
  const start = resolveExisting(volume.cache, parsePath(given, "watch"), "watch", "follow");
  const base = start.path;
  const directory = isDirectory(start.inode);
  let cursor = since ?? volume.versionOf(volume.headRev);
  const bell = new Bell();
  const silence = volume.listen(() => bell.ring());
  const abort = () => bell.ring();
  signal?.addEventListener("abort", abort);
  try {
    for (;;) {
      if (signal?.aborted) throw new FsError("ABORT_ERR", { syscall: "watch", path: given, cause: signal.reason });
      if (!volume.db.inTransaction) {
        const page = changesSince(volume.open(), { since: cursor });
        cursor = page.cursor;
        for (const change of page.changes) {
          const event = watchEvent(change, { path: base, directory }, recursive);
          if (event !== null) yield event;
        }
        if (page.more) continue;
      }
      await bell.heard();
    }
  } finally {
    silence();
    signal?.removeEventListener("abort", abort);
  }
}

/** Rung before it is listened to, it is heard at once: no wake-up is lost. */
class Bell {
  #rung = false;
  #resolve: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#resolve?.();
    this.#resolve = null;
  }

  async heard(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#resolve = resolve));
    this.#rung = false;
  }
}
