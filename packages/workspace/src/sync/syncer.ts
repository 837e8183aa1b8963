/**
 * Keeps a workspace and its container in sync: one sync at a time, a push before a command, a pull after it, and both repeatedly
 * while any process runs. A report includes the background syncs in between.
 */
import { SYNC_LIMITS } from "@workspace/protocol";
import { createFileSystem, type WriteView } from "@workspace/vfs";
import type { DaemonConnection } from "../container/daemon-connection.ts";
import { BufferedBytes } from "./buffered-bytes.ts";
import { type Policy, readPolicy, type SyncOptions } from "./policy.ts";
import type { Pulled } from "./pull.ts";
import { SyncReportBuilder } from "./sync-report-builder.ts";
import type { SyncState } from "./sync-state.ts";
import { SyncTree } from "./sync-tree.ts";

export interface SyncerHost {
  volume: WriteView;
  state: SyncState;
  options: SyncOptions;
  connect(): Promise<DaemonConnection>;
  /** Keeps the connection open until the result is disposed. */
  hold(): Disposable;
}

/** A running command: changes pulled from the container meanwhile carry its name. */
export interface RunningCommand {
  /** The process id. */
  id: string;
  callId: string;
  actor?: string;
  report: SyncReportBuilder;
  /** Its activity before the last scan, all of which was pulled; null: unknown. */
  activity?: string | null;
}

const LOST = "only the container had it, and that container is gone: it has to be made again";

const PULL_EVERY_MS = 1000;
const PUSH_AFTER_MS = 30;
/** A slow scan runs less often. */
const SHARE_OF_TIME = 10;
/** Pulls for files that are being written while they are read. */
const SETTLING_PULLS = 3;

export class Syncer {
  readonly #host: SyncerHost;
  readonly #live = new Set<RunningCommand>();
  readonly #settled = new Map<string, string>();
  /** Peak bytes of contents in memory in one sync. */
  peakBufferedBytes = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #flowing = false;
  #lastPullMs = 0;
  /** Whether a process was running in the container at the last pull. */
  #busy = true;

  constructor(host: SyncerHost) {
    this.#host = host;
  }

  /** Afterwards the container has everything that the workspace had at the call. */
  push(report: SyncReportBuilder): Promise<void> {
    return this.#enqueue(report, async () => {
      // Loaded with the first sync: a Worker without a container starts without it.
      const { push } = await import("./push.ts");
      await push(await this.#context(await this.#host.connect(), report));
    });
  }

  /** Afterwards the workspace has everything that the container had at the call. */
  pull(report: SyncReportBuilder): Promise<Pulled> {
    return this.#enqueue(report, async () => {
      let pulled: Pulled;
      for (let rounds = 1; ; rounds++) {
        const round = new SyncReportBuilder();
        const policy = await this.#policy();
        pulled = await this.#pullOnce(round);
        // A command may have changed the rules themselves: they apply to all its changes.
        const isSettled = !pulled.moving && (await this.#policy()).id === policy.id;
        if (isSettled || rounds === SETTLING_PULLS) {
          report.add(round);
          break;
        }
        report.addDone(round);
      }
      if (pulled.moving)
        report.skip(this.#host.volume.root, "some files are still being written; the next sync takes them");
      return pulled;
    });
  }

  /** Reports the paths that only a lost container had. `isLast`: they need not be reported again. */
  reportLost(report: SyncReportBuilder, present: DaemonConnection | null, { isLast }: { isLast: boolean }): void {
    const { state } = this.#host;
    if (present !== null) state.noteInstance(present.hello.instance);
    for (const path of state.lost) report.skip(path, LOST);
    if (isLast) state.forgetLost();
  }

  /** A command is about to start: changes so far belong to the running ones only. */
  async pullBeforeStart(report: SyncReportBuilder): Promise<void> {
    if (this.#live.size > 0) await this.#enqueue(report, () => this.#pullOnce(report, true));
  }

  /** Whether the container is up and has the workspace's current revision; opens and sends nothing. */
  isCurrent(connection: DaemonConnection | null): boolean {
    const { volume, state } = this.#host;
    if (connection === null) return false;
    return state.cursorOf(connection.hello.instance) === volume.ensureOpen().revisions.format(volume.revisions.head);
  }

  /** From now on until `end`, changes are synced both ways. */
  begin(command: RunningCommand): void {
    this.#live.add(command);
    this.#busy = true;
    if (this.#flowing) return;
    this.#flowing = true;
    void this.#flow().finally(() => (this.#flowing = false));
  }

  end(command: RunningCommand): void {
    this.#live.delete(command);
  }

  /** `isWatched`: the next pull has to know what each command did since. A single command need not be watched at first. */
  async #pullOnce(report: SyncReportBuilder, isWatched = this.#live.size > 1): Promise<Pulled> {
    const { pull } = await import("./pull.ts");
    const { volume } = this.#host;
    const started = Date.now();
    const context = await this.#context(await this.#host.connect(), report);
    const commands = [...this.#live];
    const watched = commands.filter(({ activity }) => isWatched || activity !== undefined);
    let fs = createFileSystem(volume, syncIdentity(commands));
    let before: readonly (string | null)[] = [];
    const pulling = pull({
      ...context,
      get fs() {
        return fs;
      },
      commands: watched.map(({ id }) => id),
      onScan({ activity }) {
        const idle = watched.filter((command, i) => command.activity && command.activity === activity?.after[i]);
        const active = commands.filter((command) => !idle.includes(command));
        if (active.length > 0) fs = createFileSystem(volume, syncIdentity(active));
        before = activity?.before ?? [];
      },
      root: volume.root,
      reconnect: () => this.#host.connect(),
    });
    try {
      const pulled = await pulling;
      // The author of what was not pulled is unknown once it is.
      if (pulled.moving) before = [];
      this.#lastPullMs = Date.now() - started;
      this.#busy = pulled.busy;
      return pulled;
    } catch (error) {
      before = [];
      throw error;
    } finally {
      for (const command of commands) command.activity = before[watched.indexOf(command)] ?? null;
    }
  }

  async #context(connection: DaemonConnection, report: SyncReportBuilder) {
    const { volume, state, options } = this.#host;
    const view = new SyncTree(createFileSystem(volume, {}), volume.ensureOpen().root);
    const held = new BufferedBytes((peak) => {
      this.peakBufferedBytes = Math.max(this.peakBufferedBytes, peak);
    });
    const policy = await this.#policy();
    const { entries = SYNC_LIMITS.treeEntries, bytes = SYNC_LIMITS.treeBytes } = options.budget ?? {};
    return {
      volume,
      view,
      state,
      connection,
      policy,
      report,
      budget: { entries, bytes },
      settled: this.#settled,
      held,
    };
  }

  #policy(): Promise<Policy> {
    const { volume, options } = this.#host;
    return readPolicy(createFileSystem(volume, {}), volume.root, options);
  }

  /** Runs while a process lives in the container; a failure ends it, and the next command restarts it. */
  async #flow(): Promise<void> {
    using _held = this.#host.hold();
    let wake = () => {};
    let written = false;
    using stack = new DisposableStack();
    stack.defer(
      this.#host.volume.onCommit(() => {
        written = true;
        wake();
      }),
    );
    let nextPull = Date.now() + PULL_EVERY_MS;
    try {
      for (;;) {
        const wait = written ? PUSH_AFTER_MS : Math.max(1, nextPull - Date.now());
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, wait);
          if (!written)
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
        });
        wake = () => {};
        if (written) {
          written = false;
          await this.#share((report) => this.push(report));
        }
        // The pull after the last command has seen everything, and no process is left to change more.
        if (this.#live.size === 0 && !this.#busy) return;
        if (Date.now() < nextPull) continue;
        const { busy } = await this.#share((report) => this.pull(report));
        written = false;
        nextPull = Date.now() + Math.max(PULL_EVERY_MS, SHARE_OF_TIME * this.#lastPullMs);
        if (this.#live.size === 0 && !busy) return;
      }
    } catch {
      // The caller that waits for a command notices a lost connection itself.
    }
  }

  /** All commands that ran meanwhile have it in their reports. */
  async #share<T>(sync: (report: SyncReportBuilder) => Promise<T>): Promise<T> {
    const report = new SyncReportBuilder();
    const commands = [...this.#live];
    try {
      return await sync(report);
    } finally {
      for (const command of commands) command.report.add(report);
    }
  }

  #enqueue<T>(report: SyncReportBuilder, body: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(async () => {
      using _held = this.#host.hold();
      const started = Date.now();
      try {
        return await body();
      } finally {
        report.durationMs += Date.now() - started;
      }
    });
    this.#tail = run.catch(() => {});
    return run;
  }
}

/**
 * A pull that overlaps several commands is one group that names them all, except those that did nothing meanwhile; without running
 * commands it belongs to the background.
 */
function syncIdentity(commands: readonly RunningCommand[]): { actor?: string; callId: string } {
  const actors = new Set(commands.map(({ actor }) => actor));
  const [actor] = actors;
  const callIds = new Set(commands.map(({ callId }) => callId));
  const callId = [...callIds].sort().join(",") || "background";
  return { callId, ...(actors.size === 1 && actor !== undefined ? { actor } : {}) };
}
