/**
 * Starts, finds, lists and deletes executions. A record is written before the start, so nothing runs unrecorded. For a `running`
 * record without a follower, the backend is queried: it knows the process, or the execution is lost.
 */

import { ShellError } from "../errors.ts";
import type { ExecBackend } from "../exec-backend.ts";
import type { ShellHost } from "../host.ts";
import { type ShellLimits, shellLimits } from "../limits.ts";
import type { Command, ExecHandle, ExecOptions, ExecRecord, GetOptions, ListOptions } from "../shell.ts";
import { ExecStore, type OutputPage, type StoredExec } from "../store/exec-store.ts";
import { createHandle } from "./exec-handle.ts";
import {
  checkBackend,
  checkCommand,
  checkDirectory,
  checkEncoding,
  checkEnvironment,
  checkId,
  checkStdin,
  checkTimeout,
} from "./exec-options.ts";
import { Execution } from "./execution.ts";
import { killOnAbort } from "./kill-on-abort.ts";
import { lostProcess, NO_BACKEND } from "./lost-process.ts";
import { OutputLog } from "./output-log.ts";
import { RunningExecutions } from "./running-executions.ts";
import { Spool } from "./spool.ts";

/** Number of executions between two cleanups. */
const TIDY_EVERY = 100;

export class ExecService {
  readonly #host: ShellHost;
  readonly #store: ExecStore;
  readonly #limits: ShellLimits;
  readonly #backends: readonly ExecBackend[];
  readonly #executions: RunningExecutions;

  /** The first backend is the default. */
  constructor(host: ShellHost, backends: readonly ExecBackend[]) {
    this.#backends = backends;
    this.#executions = host.shared.running ??= new RunningExecutions();
    this.#host = host;
    this.#store = new ExecStore(host.db);
    this.#limits = { ...shellLimits, ...host.limits };
  }

  async exec(requested: Command, options: ExecOptions = {}): Promise<ExecHandle> {
    const { identity, root, changes, now, view } = this.#host;
    const executions = this.#executions;
    const limits = this.#limits;
    const command = checkCommand(requested, limits);
    const encoding = checkEncoding(options.encoding);
    const id = options.id === undefined ? newId(now()) : checkId(options.id);
    const request = {
      id,
      command,
      cwd: checkDirectory(options.cwd, root),
      env: checkEnvironment(options.env, limits),
      stdin: checkStdin(options.stdin),
      timeoutMs: checkTimeout(options.timeoutMs, limits),
      ...(identity.actor !== undefined && { actor: identity.actor }),
      callId: identity.callId ?? `exec-${id}`,
    };
    const backend = this.#backendFor(checkBackend(options.backend));
    options.signal?.throwIfAborted();
    // A generated id is new: only a caller's own id is looked up.
    if (executions.get(id) !== undefined || (options.id !== undefined && this.#store.find(id) !== null))
      throw new ShellError("EEXIST", `there is an execution "${id}" already`);
    if (executions.count >= limits.running)
      throw new ShellError("EAGAIN", `${limits.running} commands run already; wait for one of them`);

    const execution = this.#execution(backend, {
      id,
      command,
      cwd: request.cwd,
      state: "running",
      exitCode: null,
      ranOn: backend.name,
      ...(identity.actor !== undefined && { actor: identity.actor }),
      callId: request.callId,
      startedMs: now(),
      endedMs: null,
      stdoutBytes: 0,
      stderrBytes: 0,
      output: null,
      cursor: changes.now(),
      root,
      ...(view !== undefined && { policies: view.policies }),
    });
    this.#store.insert(execution.record);
    executions.add(id, execution);
    try {
      execution.consume(await backend.start(request));
    } catch (error) {
      executions.remove(id);
      this.#store.remove(id);
      throw error;
    }
    if (options.signal !== undefined) killOnAbort(execution, options.signal, limits.graceMs);
    await this.#tidy(execution);
    return createHandle(execution, encoding, 0, limits);
  }

  async get(asked: string, options: GetOptions = {}): Promise<ExecHandle> {
    const id = checkId(asked);
    const encoding = checkEncoding(options.encoding);
    const { resume = "full" } = options;
    const isSeq = typeof resume === "number" && Number.isSafeInteger(resume) && resume >= 0;
    if (!isSeq && resume !== "full" && resume !== "tail")
      throw new ShellError("EINVAL", 'resume is "tail", "full" or the seq of an event');
    const execution = await this.#require(id);
    const after = resume === "full" ? 0 : resume === "tail" ? execution.log.lastSeq : resume;
    return createHandle(execution, encoding, after as number, this.#limits);
  }

  async list(options: ListOptions = {}): Promise<ExecRecord[]> {
    const { state, limit = this.#limits.records } = options;
    const { view } = this.#host;
    if (!Number.isSafeInteger(limit) || limit < 0) throw new ShellError("EINVAL", "limit is a whole number");
    // Finds executions from before an eviction first, so that the list says `running` only of what runs.
    for (const { id } of this.#store.list("running", this.#limits.running)) await this.#find(id).catch(() => null);
    const found = this.#store.list(
      state,
      view === undefined ? Math.min(limit, this.#limits.records) : this.#limits.records,
    );
    const included = view === undefined ? found : found.filter((record) => view.includes(record)).slice(0, limit);
    return included.map((record) => this.#toRecord(record));
  }

  async remove(asked: string): Promise<void> {
    const id = checkId(asked);
    const execution = await this.#require(id);
    if (execution.record.state === "running") throw new ShellError("EBUSY", `execution "${id}" still runs`);
    await this.#forget(execution.record);
  }

  /** An execution of this view. One of another principal is as unknown as one that does not exist. */
  async #require(id: string): Promise<Execution> {
    const { view } = this.#host;
    const execution = await this.#find(id);
    if (execution === null || view?.includes(execution.record) === false)
      throw new ShellError("ENOENT", `there is no execution "${id}"`);
    return execution;
  }

  /** Followed here, found at the backend and followed from now on, finished, or unknown (null). */
  #find(id: string): Promise<Execution | null> {
    return this.#executions.find(id, async () => {
      const record = this.#store.find(id);
      if (record === null) return null;
      const pages = this.#store.pages(id);
      const backend = this.#backends.find(({ name }) => name === record.ranOn) ?? NO_BACKEND;
      const execution = this.#execution(backend, record, pages);
      if (record.state !== "running") return execution;
      const process = await backend.attach(record, execution.log.lastSeq);
      execution.consume(process ?? lostProcess(execution.log.lastSeq + 1));
      if (process === null) await execution.done;
      else this.#executions.add(id, execution);
      return execution;
    });
  }

  #execution(backend: ExecBackend, record: StoredExec, pages: OutputPage[] = []): Execution {
    const { changes, now } = this.#host;
    const spool = this.#spoolOf(record, spooledBytes(pages));
    const log = new OutputLog(record.id, this.#store, spool, this.#limits, pages);
    const { path: outputPath } = spool;
    return new Execution({ record, log, store: this.#store, backend, changes, limits: this.#limits, now, outputPath });
  }

  #backendFor(name: ExecBackend["name"] | undefined): ExecBackend {
    const backends = this.#backends;
    const found = name === undefined ? backends[0] : backends.find((backend) => backend.name === name);
    if (found !== undefined) return found;
    throw new ShellError(
      "ENOSYS",
      name === undefined ? "there is nowhere to run commands" : `this workspace has no ${name} to run commands in`,
    );
  }

  /** Occasionally deletes the oldest records, and the oldest output over the limit. A failure waits for the next cleanup. */
  async #tidy(execution: Execution): Promise<void> {
    const { records, allSpoolBytes } = this.#limits;
    if (this.#executions.started % TIDY_EVERY === 0)
      for (const record of this.#store.beyond(records)) await this.#forget(record).catch(() => {});
    execution.done.then(async () => {
      if (execution.record.output === null) return;
      let left = allSpoolBytes;
      for (const record of this.#store.list(undefined, records)) {
        const { id, output } = record;
        left -= output?.bytes ?? 0;
        if (left < 0 && output !== null && id !== execution.record.id) await this.#forget(record).catch(() => {});
      }
    });
  }

  async #forget(record: StoredExec): Promise<void> {
    await this.#spoolOf(record, 0).remove();
    this.#store.remove(record.id);
  }

  #spoolOf({ id, root = this.#host.root }: StoredExec, size: number): Spool {
    return new Spool(this.#host.fs, root, id, size);
  }

  /** The current state of a running execution, without fields that only results need. */
  #toRecord(stored: StoredExec): ExecRecord {
    const {
      lastSeq: _last,
      sync: _sync,
      changed: _changed,
      cursor: _cursor,
      root: _root,
      policies: _policies,
      ...record
    } = stored;
    const running = this.#executions.get(record.id);
    if (!(running instanceof Execution)) return record;
    const { stdout, stderr } = running.log.bytes;
    return { ...record, stdoutBytes: stdout, stderrBytes: stderr };
  }
}

/** The end of the spool, by its last page. */
function spooledBytes(pages: readonly OutputPage[]): number {
  const last = pages.findLast(({ at }) => at !== null);
  return last === undefined ? 0 : (last.at as number) + last.lengths.reduce((sum, length) => sum + (length >>> 1), 0);
}

/** Sorts by time, and is unguessable. */
function newId(now: number): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `x${now.toString(36)}-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
