/**
 * `watch` over RPC is a question with a cursor: what happened after it? The answer waits a while for the first event. Nothing is
 * kept here between two questions, so an eviction, a reset or a lost answer costs nothing: the client asks again from the last
 * cursor it has. A stream or a held stub would keep the object in memory, and a cancelled stream is noticed late or never.
 */
import { RPC_LIMITS, type WireWatched, type WireWatchPage, type WorkspaceAnswer } from "@workspace/protocol";
import { type FileSystem, FsError, type Volume, type WatchEvent, watchEvent } from "@workspace/vfs";
import type { Session } from "./session.ts";

export interface WatchQuestion {
  recursive?: boolean;
  /** Absent: nothing is waited for, and the answer is where "now" is. */
  since?: string;
  /** From the first answer. */
  watched?: WireWatched;
  waitMs?: number;
  /** Names this question, for `cancelWatch`. */
  id?: string;
}

export async function watch(
  { workspace, fs }: Session,
  path: string,
  question: WatchQuestion = {},
): Promise<WorkspaceAnswer> {
  const { volume } = workspace;
  // Before any await: what its client does after asking comes after this cursor.
  const since = question.since ?? headCursor(volume);
  const waitMs = question.since === undefined ? 0 : Math.min(question.waitMs ?? 0, RPC_LIMITS.watchWaitMs);
  using wait = new Wait(volume, path, question.id ?? crypto.randomUUID(), waitMs);
  const watched = question.watched ?? (await resolveWatched(fs, path));

  let cursor = since;
  for (;;) {
    // What is not committed may still be taken back.
    const page = volume.db.inTransaction ? null : await fs.changes({ since: cursor, path: watched.path });
    const events = (page?.changes ?? [])
      .map((change) => watchEvent(change, watched, question.recursive))
      .filter((event) => event !== null);
    cursor = page?.cursor ?? cursor;
    if (events.length > 0 || (page?.more !== true && !(await wait.forCommit()))) {
      return { value: { events, cursor, watched } satisfies WireWatchPage<WatchEvent> };
    }
  }
}

/** Ends a question's wait. Unknown ids are no error: the answer may have left already. */
export async function cancelWatch({ workspace }: Session, id: string): Promise<WorkspaceAnswer> {
  waitingAt(workspace.volume).get(id)?.[Symbol.dispose]();
  return {};
}

/** How many questions are open now. */
export function openQuestions(volume: Volume): number {
  return waitingAt(volume).size;
}

async function resolveWatched(fs: FileSystem, given: string): Promise<WireWatched> {
  try {
    const path = await fs.realpath(given);
    return { path, directory: (await fs.stat(path)).isDirectory() };
  } catch (error) {
    throw error instanceof FsError ? new FsError(error.code, { syscall: "watch", path: given, cause: error }) : error;
  }
}

function headCursor(volume: Volume): string {
  volume.open();
  return volume.versionOf(volume.headRev);
}

const waiting = new WeakMap<Volume, Map<string, Wait>>();

function waitingAt(volume: Volume): Map<string, Wait> {
  const questions = waiting.get(volume.unrestricted) ?? new Map<string, Wait>();
  waiting.set(volume.unrestricted, questions);
  return questions;
}

/** One question's patience: ends with the time it was given, with a cancel, or with its answer. */
class Wait implements Disposable {
  readonly #questions: Map<string, Wait>;
  readonly #id: string;
  readonly #silence: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #over = false;
  #rung = false;
  #wake: () => void = () => {};

  constructor(volume: Volume, path: string, id: string, ms: number) {
    this.#questions = waitingAt(volume);
    if (this.#questions.size >= RPC_LIMITS.watchers) throw new FsError("EMFILE", { syscall: "watch", path });
    if (this.#questions.has(id))
      throw new FsError("EINVAL", { syscall: "watch", path, reason: "this id is waiting already" });
    this.#id = id;
    this.#questions.set(id, this);
    this.#silence = volume.listen(() => {
      this.#rung = true;
      this.#wake();
    });
    this.#timer = setTimeout(() => this[Symbol.dispose](), ms);
    if (ms === 0) this.#over = true;
  }

  /** True when something was committed since the last time; false when the wait is over. */
  async forCommit(): Promise<boolean> {
    if (!this.#rung && !this.#over) await new Promise<void>((resolve) => (this.#wake = resolve));
    const rung = this.#rung;
    this.#rung = false;
    return rung && !this.#over;
  }

  [Symbol.dispose](): void {
    this.#over = true;
    this.#wake();
    this.#silence();
    clearTimeout(this.#timer);
    this.#questions.delete(this.#id);
  }
}
