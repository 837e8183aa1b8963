/**
 * The files as one tool call sees and changes them, over any `FileStore`. Queued proposals take precedence over the store, and a
 * write never overwrites a concurrent change. It records what this actor reads and writes, and snapshots replaced contents so that
 * the call can be undone.
 */
import { internals } from "@workspace/protocol";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import type { ToolLimits } from "../limits.ts";
import { dirname } from "../paths/path-resolver.ts";
import type { Proposal, ReadVersion, ToolState } from "../state/tool-state.ts";
import { contentHash } from "../store/content-hash.ts";
import type { FileStat, FileStore, FileWritten } from "../store/file-store.ts";
import { snapshotFiles } from "../store/snapshots.ts";
import { fileStatOf } from "../store/workspace-file-store.ts";
import { commitWrites, type PendingWrite } from "./commit-writes.ts";
import { describeStaleChange } from "./describe-stale-change.ts";
import { latestProposalTime, queueProposals } from "./queue-proposals.ts";
import type { ReadCache } from "./read-cache.ts";

export interface ToolFilesOptions {
  store: FileStore;
  state: ToolState;
  recent: ReadCache;
  limits: ToolLimits;
  actor: string;
  callId: string;
  mode: "direct" | "propose";
  now: () => number;
  workspace?: ToolWorkspace | undefined;
  /** Queued by this actor, by path; empty in direct mode. */
  queued: ReadonlyMap<string, Proposal>;
}

export class ToolFiles {
  readonly #options: ToolFilesOptions;
  #queued: ReadonlyMap<string, Proposal>;

  constructor(options: ToolFilesOptions) {
    this.#options = options;
    this.#queued = options.queued;
  }

  /** Includes this call's own proposals. */
  get queued(): ReadonlyMap<string, Proposal> {
    return this.#queued;
  }

  get proposing(): boolean {
    return this.#options.mode === "propose";
  }

  /** Synchronous in a workspace of the same object, if nothing is queued. */
  stat(path: string): FileStat | null | Promise<FileStat | null> {
    const found = this.#queued.size === 0 ? this.#options.workspace?.[internals]?.lookupPath?.(path) : null;
    if (!found) return this.#statSlowly(path);
    return found.stat === null ? null : fileStatOf(found.stat);
  }

  async #statSlowly(path: string): Promise<FileStat | null> {
    const proposal = this.queued.get(path);
    const stat = await this.#options.store.stat(path);
    if (proposal === undefined) {
      if (stat !== null || this.queued.size === 0) return stat;
      const mtime = latestProposalTime(this.queued, path);
      return mtime === null ? null : { size: 0, mode: 0o755, mtime, type: "dir" };
    }
    if (proposal.content === null) return null;
    const version = await contentHash(proposal.content);
    return {
      size: proposal.content.length,
      mode: proposal.mode ?? stat?.mode ?? 0o644,
      mtime: proposal.timeMs ?? stat?.mtime ?? 0,
      type: "file",
      version,
      contentVersion: version,
    };
  }

  read(path: string): Promise<Uint8Array | null> {
    const proposal = this.queued.get(path);
    return proposal === undefined ? this.#options.store.read(path) : Promise.resolve(proposal.content);
  }

  /** From `start` to `end` (exclusive), whether or not the store supports ranges. */
  async *chunks(path: string, start = 0, end?: number): AsyncGenerator<Uint8Array> {
    const proposal = this.queued.get(path);
    if (proposal?.content) {
      yield proposal.content.subarray(start, end);
      return;
    }
    const { store } = this.#options;
    if (store.ranged) {
      yield* store.readChunks(path, end === undefined ? { start } : { start, end });
      return;
    }
    let at = 0;
    for await (const chunk of store.readChunks(path)) {
      const from = Math.max(start - at, 0);
      const to = end === undefined ? chunk.length : Math.min(end - at, chunk.length);
      if (from < to) yield chunk.subarray(from, to);
      at += chunk.length;
      if (end !== undefined && at >= end) return;
    }
  }

  /**
   * The versions of the entry. If the store has none, it hashes the content; if the file is too large to read, it uses size and
   * time.
   */
  versionsOf(path: string, stat: FileStat, bytes?: Uint8Array): ReadVersion | Promise<ReadVersion> {
    const { version, contentVersion = version } = stat;
    if (version === undefined || contentVersion === undefined) return this.#hashOf(path, stat, bytes);
    return { version, contentVersion };
  }

  async #hashOf(path: string, stat: FileStat, bytes?: Uint8Array): Promise<ReadVersion> {
    if (stat.size > this.#options.limits.editBytes) {
      const version = `size.${stat.size}.${stat.mtime}`;
      return { version, contentVersion: version };
    }
    const content = bytes ?? (await this.read(path));
    const version = content === null ? "gone" : await contentHash(content);
    return { version, contentVersion: version };
  }

  /** Records that this actor knows the current content. */
  recordRead(path: string, seen: ReadVersion, bytes?: Uint8Array): void | Promise<void> {
    const { state, actor, recent } = this.#options;
    if (bytes !== undefined) recent.put(actor, path, seen.contentVersion, bytes);
    return state.recordRead(actor, path, seen);
  }

  async forgetRead(path: string): Promise<void> {
    const { state, actor } = this.#options;
    if ((await state.seen(actor, path)) !== undefined) await state.recordRead(actor, path, null);
  }

  /** Throws if another actor changed a file that this actor has read; a file it never read may be written. */
  async requireNotStale(path: string, stat: FileStat | null, bytes?: Uint8Array): Promise<void> {
    const { state, actor, workspace, recent, limits } = this.#options;
    if (this.queued.has(path)) return;
    const seen = await state.seen(actor, path);
    if (seen === undefined) return;
    const now = stat === null ? null : await this.versionsOf(path, stat, bytes);
    if (now?.contentVersion === seen.contentVersion) return;
    const question = { path, actor, seen, workspace, recent, maxBytes: limits.diffBytes, isThere: stat !== null };
    const change = await describeStaleChange(question, () =>
      stat === null ? Promise.resolve(null) : bytes ? Promise.resolve(bytes) : this.read(path),
    );
    if (change === "own") return;
    const what = stat === null ? "deleted" : "changed";
    const diff = change.diff === undefined ? "" : `\nWhat changed since you read it:\n${change.diff}`;
    const next = stat === null ? "List the directory before you go on." : "Read it again and make your change anew.";
    throw new ToolError(
      "STALE",
      `${path} was ${what}${change.by} since you read it; nothing was written. ${next}${diff}`,
      {
        path,
        ...(change.diff === undefined ? {} : { diff: change.diff }),
      },
    );
  }

  /** Writes or deletes all files or none; in propose mode, queues them. `bases`: the stats that the new contents are based on. */
  commit(
    puts: readonly PendingWrite[],
    bases: ReadonlyMap<string, FileStat | null>,
  ): Promise<Map<string, ReadVersion | null>> {
    return this.proposing ? this.#queue(puts, bases) : this.#write(puts, bases);
  }

  /** Appends atomically if the store can. */
  async append(path: string, bytes: Uint8Array, stat: FileStat | null): Promise<ReadVersion | null> {
    const { store } = this.#options;
    if (this.proposing || store.append === undefined || !this.#hasHistory) {
      const before = (await this.read(path)) ?? new Uint8Array(0);
      const whole = new Uint8Array(before.length + bytes.length);
      whole.set(before);
      whole.set(bytes, before.length);
      const put = { path, bytes: whole, ...(stat === null ? {} : { mode: stat.mode }) };
      return (await this.commit([put], new Map([[path, stat]]))).get(path) ?? null;
    }
    // An append is not a read: earlier changes by others remain unseen.
    const known = stat === null || (await this.#knows(path, stat));
    const written = await store.append(path, bytes, {}).catch((error: unknown) => {
      throw (error as { code?: unknown }).code === "ENOTDIR" ? underFile(path) : error;
    });
    return known ? this.#written(path, written) : versionsIn(written);
  }

  async #knows(path: string, stat: FileStat): Promise<boolean> {
    const { state, actor } = this.#options;
    return (await state.seen(actor, path))?.contentVersion === (stat.contentVersion ?? stat.version);
  }

  get #hasHistory(): boolean {
    return this.#options.workspace !== undefined;
  }

  async #write(
    puts: readonly PendingWrite[],
    bases: ReadonlyMap<string, FileStat | null>,
  ): Promise<Map<string, ReadVersion | null>> {
    const { store, state, callId } = this.#options;
    if (!this.#hasHistory) {
      const writes = puts.map(({ path, bytes }) => ({ path, delete: bytes === null }));
      await state.keepSnapshots(callId, await snapshotFiles(store, writes));
    }
    let written: unknown;
    try {
      written = await commitWrites(store, puts, bases);
    } catch (error) {
      const { code } = error as { code?: unknown };
      const paths = puts.map(({ path }) => path).join(", ");
      if (code === "ENOTDIR") throw underFile(paths);
      if (code !== "ESTALE") throw error;
      throw new ToolError(
        "STALE",
        `Another actor changed ${paths} during this call; nothing was written. Read it again.`,
      );
    }
    const versions = new Map<string, ReadVersion | null>();
    for (const { path, bytes } of puts)
      if (bytes === null) {
        await this.forgetRead(path);
        versions.set(path, null);
      } else versions.set(path, await this.#written(path, written, bytes));
    return versions;
  }

  async #queue(
    puts: readonly PendingWrite[],
    bases: ReadonlyMap<string, FileStat | null>,
  ): Promise<Map<string, ReadVersion | null>> {
    const { state, actor, limits, now } = this.#options;
    for (const { path, bytes } of puts) if (bytes !== null) await this.#requireDirectories(path);
    const baseOf = async (path: string) => {
      const stat = bases.get(path) ?? null;
      return stat === null ? null : { version: (await this.versionsOf(path, stat)).version, mode: stat.mode };
    };
    const { proposals: max, proposalBytes: maxBytes } = limits;
    const queue = { state, actor, max, maxBytes, now, seen: this.queued, baseOf };
    this.#queued = await queueProposals(queue, puts);
    const versions = new Map<string, ReadVersion | null>();
    for (const { path, bytes } of puts) {
      const version = bytes === null ? null : await contentHash(bytes);
      versions.set(path, version === null ? null : { version, contentVersion: version });
    }
    return versions;
  }

  /** Refuses a proposal that could never be applied. */
  async #requireDirectories(path: string): Promise<void> {
    for (let at = dirname(path); at !== "/"; at = dirname(at)) {
      const stat = await this.stat(at);
      if (stat?.type === "file") throw underFile(path);
      if (stat !== null) return;
    }
  }

  /** `reported`: the store's result; if it has versions, no further stat is needed. */
  async #written(path: string, reported: unknown, bytes?: Uint8Array): Promise<ReadVersion | null> {
    const seen = versionsIn(reported) ?? (await this.#askVersions(path, bytes));
    if (seen !== null) await this.recordRead(path, seen, bytes);
    return seen;
  }

  async #askVersions(path: string, bytes?: Uint8Array): Promise<ReadVersion | null> {
    const stat = await this.#options.store.stat(path);
    return stat === null ? null : this.versionsOf(path, stat, bytes);
  }
}

function underFile(path: string): ToolError {
  return new ToolError("ENOTDIR", `A part of the way to ${path} is a file, not a directory; nothing was written.`);
}

function versionsIn(reported: unknown): ReadVersion | null {
  const { version, contentVersion } = (reported ?? {}) as FileWritten;
  return version === undefined ? null : { version, contentVersion: contentVersion ?? version };
}
