/**
 * Keeps a workspace and its container alike: one sync at a time, a push before a command, a pull after it, and both again and again
 * while any process lives. Who asks for a report gets what happened in between as well.
 */
import { SYNC_LIMITS } from "@workspace/protocol";
import { createFileSystem, type Volume } from "@workspace/vfs";
import type { Connection } from "../container/connection.ts";
import { HeldBytes } from "./held-bytes.ts";
import { readPolicy, type SyncOptions } from "./policy.ts";
import { type Pulled, pull } from "./pull.ts";
import { push } from "./push.ts";
import { Report } from "./report.ts";
import type { SyncState } from "./sync-state.ts";
import { TreeView } from "./tree-view.ts";

export interface SyncerHost {
  volume: Volume;
  state: SyncState;
  options: SyncOptions;
  connect(): Promise<Connection>;
  /** Keeps the connection until the result is disposed. */
  hold(): Disposable;
}

/** A command that runs: its name is on what the container changes meanwhile. */
export interface LiveCommand {
  callId: string;
  actor?: string;
  report: Report;
}

const PULL_EVERY_MS = 1000;
const PUSH_AFTER_MS = 30;
/** A scan that takes long is made less often. */
const SHARE_OF_TIME = 10;
/** Pulls for files that are being written while they are read. */
const SETTLING_PULLS = 3;

export class Syncer {
  readonly #host: SyncerHost;
  readonly #live = new Set<LiveCommand>();
  readonly #settled = new Map<string, string>();
  /** Of contents that one sync had in memory at a time. */
  mostHeld = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #flowing = false;
  #lastPullMs = 0;
  /** Whether something lived in the container at the last pull. */
  #busy = true;

  constructor(host: SyncerHost) {
    this.#host = host;
  }

  /** The container has everything that the workspace had when this was called. */
  push(report: Report): Promise<void> {
    return this.#timed(report, async () => {
      const context = await this.#context(await this.#host.connect(), report);
      await push(context);
    });
  }

  /** The workspace has everything that the container had when this was called. */
  pull(report: Report): Promise<Pulled> {
    return this.#timed(report, async () => {
      let pulled: Pulled;
      let rounds = 0;
      do pulled = await this.#pullOnce(report);
      while (pulled.moving && ++rounds < SETTLING_PULLS);
      if (pulled.moving)
        report.skip(this.#host.volume.root, "some files are still being written; the next sync takes them");
      return pulled;
    });
  }

  /** The container is up and has the workspace's present revision; nothing is opened or sent to find out. */
  isCurrent(connection: Connection | null): boolean {
    const { volume, state } = this.#host;
    if (connection === null) return false;
    return state.cursorOf(connection.hello.instance) === volume.open().versionOf(volume.headRev);
  }

  /** From now on until `end`, changes flow both ways. */
  begin(command: LiveCommand): void {
    this.#live.add(command);
    this.#busy = true;
    if (this.#flowing) return;
    this.#flowing = true;
    void this.#flow().finally(() => (this.#flowing = false));
  }

  end(command: LiveCommand): void {
    this.#live.delete(command);
  }

  async #pullOnce(report: Report): Promise<Pulled> {
    const { volume } = this.#host;
    const started = Date.now();
    const context = await this.#context(await this.#host.connect(), report);
    const pulled = await pull({
      ...context,
      fs: createFileSystem(volume, this.#identity()),
      root: volume.root,
      reconnect: () => this.#host.connect(),
    });
    this.#lastPullMs = Date.now() - started;
    this.#busy = pulled.busy;
    return pulled;
  }

  /** A pull that overlaps several commands is one group that names them all; with none running it is the background's. */
  #identity(): { actor?: string; callId: string } {
    const commands = [...this.#live];
    const actors = new Set(commands.map(({ actor }) => actor));
    const [actor] = actors;
    const callId =
      commands
        .map((command) => command.callId)
        .sort()
        .join(",") || "background";
    return { callId, ...(actors.size === 1 && actor !== undefined ? { actor } : {}) };
  }

  async #context(connection: Connection, report: Report) {
    const { volume, state, options } = this.#host;
    const view = new TreeView(createFileSystem(volume, {}), volume.open().root);
    const held = new HeldBytes((peak) => {
      this.mostHeld = Math.max(this.mostHeld, peak);
    });
    const policy = await readPolicy(view.fs, volume.root, options);
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

  /** While something lives in the container; failures end it, and the next command begins it again. */
  async #flow(): Promise<void> {
    using _held = this.#host.hold();
    let wake = () => {};
    let written = false;
    using stack = new DisposableStack();
    stack.defer(
      this.#host.volume.listen(() => {
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
        // The pull after the last command has seen everything, and that nobody is left to change more.
        if (this.#live.size === 0 && !this.#busy) return;
        if (Date.now() < nextPull) continue;
        const { busy } = await this.#share((report) => this.pull(report));
        written = false;
        nextPull = Date.now() + Math.max(PULL_EVERY_MS, SHARE_OF_TIME * this.#lastPullMs);
        if (this.#live.size === 0 && !busy) return;
      }
    } catch {
      // Whoever waits for a command learns of a lost connection by itself.
    }
  }

  /** Everybody whose command ran meanwhile has it in the report. */
  async #share<T>(sync: (report: Report) => Promise<T>): Promise<T> {
    const report = new Report();
    const commands = [...this.#live];
    try {
      return await sync(report);
    } finally {
      for (const command of commands) command.report.add(report);
    }
  }

  #timed<T>(report: Report, body: () => Promise<T>): Promise<T> {
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
