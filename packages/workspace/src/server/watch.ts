/**
 * `watch` over RPC is a poll with a cursor: it returns the events after it, and waits a while for the first. Nothing is stored here
 * between two polls, so an eviction, a reset or a lost answer costs nothing: the client polls again from its last cursor. A stream
 * or a held stub would keep the object in memory, and a canceled stream is noticed late or never.
 */
import {
  internals,
  type OptionsOf,
  type OptionTable,
  RPC_LIMITS,
  VERB_OPTIONS,
  type WireWatched,
  type WireWatchPage,
  type WorkspaceAnswer,
} from "@workspace/protocol";
import { type FileSystem, FsError, type ReadView, type WatchEvent, watchEvent } from "@workspace/vfs";
import type { CallContext } from "./call-context.ts";

/** Over RPC a watch is a series of polls, which have options of their own. */
export const watchPoll = {
  ...VERB_OPTIONS.watch,
  /** `path` and `directory`, from the first answer. */
  watched: { path: "path", directory: "flag" },
  waitMs: "count",
  /** Identifies this poll, for `cancelWatch`. */
  id: "text",
} as const satisfies OptionTable;

export async function watch(
  { workspace, fs }: CallContext,
  path: string,
  question: OptionsOf<typeof watchPoll> = {},
): Promise<WorkspaceAnswer> {
  const { core, volume } = workspace[internals];
  const { id = crypto.randomUUID() } = question;
  if (id.length > RPC_LIMITS.callIdLength)
    throw new FsError("EINVAL", {
      syscall: "watch",
      path,
      reason: `id has at most ${RPC_LIMITS.callIdLength} characters`,
    });
  // Before any await: the client's changes after this call come after this cursor.
  const since = question.since ?? headCursor(volume);
  const waitMs = question.since === undefined ? 0 : Math.min(question.waitMs ?? 0, RPC_LIMITS.watchWaitMs);
  using wait = new PendingPoll(core.polls, volume, path, id, waitMs);
  const watched = isWatched(question.watched) ? question.watched : await resolveWatched(fs, path);

  let cursor = since;
  for (;;) {
    // An uncommitted change may still be rolled back.
    const page = volume.store.db.inTransaction ? null : await fs.changes({ since: cursor, path: watched.path });
    const events = (page?.changes ?? [])
      .map((change) => watchEvent(change, watched, question.recursive))
      .filter((event) => event !== null);
    cursor = page?.cursor ?? cursor;
    if (events.length > 0 || (page?.more !== true && !(await wait.forCommit()))) {
      return { value: { events, cursor, watched } satisfies WireWatchPage<WatchEvent> };
    }
  }
}

/** Ends a poll's wait. Unknown ids are no error: the answer may have been sent already. */
export async function cancelWatch({ workspace }: CallContext, id: string): Promise<WorkspaceAnswer> {
  workspace[internals].core.polls.get(id)?.[Symbol.dispose]();
  return {};
}

function isWatched(given: Partial<WireWatched> | undefined): given is WireWatched {
  return given?.path !== undefined && given.directory !== undefined;
}

async function resolveWatched(fs: FileSystem, given: string): Promise<WireWatched> {
  try {
    const path = await fs.realpath(given);
    return { path, directory: (await fs.stat(path)).isDirectory() };
  } catch (error) {
    throw error instanceof FsError ? new FsError(error.code, { syscall: "watch", path: given, cause: error }) : error;
  }
}

function headCursor(volume: ReadView): string {
  volume.ensureOpen();
  return volume.revisions.format(volume.revisions.head);
}

/** One pending poll: ends with its timeout, with a cancel, or with its answer. */
class PendingPoll implements Disposable {
  readonly #polls: Map<string, Disposable>;
  readonly #id: string;
  readonly #silence: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #done = false;
  #dirty = false;
  #wake: () => void = () => {};

  constructor(polls: Map<string, Disposable>, volume: ReadView, path: string, id: string, ms: number) {
    this.#polls = polls;
    if (this.#polls.size >= RPC_LIMITS.watchers) throw new FsError("EMFILE", { syscall: "watch", path });
    if (this.#polls.has(id))
      throw new FsError("EINVAL", { syscall: "watch", path, reason: "this id is waiting already" });
    this.#id = id;
    this.#polls.set(id, this);
    this.#silence = volume.onCommit(() => {
      this.#dirty = true;
      this.#wake();
    });
    this.#timer = setTimeout(() => this[Symbol.dispose](), ms);
    if (ms === 0) this.#done = true;
  }

  /** True when something was committed since the last call; false when the wait is over. */
  async forCommit(): Promise<boolean> {
    if (!this.#dirty && !this.#done) await new Promise<void>((resolve) => (this.#wake = resolve));
    const dirty = this.#dirty;
    this.#dirty = false;
    return dirty && !this.#done;
  }

  [Symbol.dispose](): void {
    this.#done = true;
    this.#wake();
    this.#silence();
    clearTimeout(this.#timer);
    this.#polls.delete(this.#id);
  }
}
