/**
 * One command: runs in its own process group as the workspace's user, with a log of unread output and a timeout. It ends when its
 * first process exits. A child that keeps the pipes open continues, and its later output is discarded.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { ExecExit } from "@workspace/protocol";
import type { Owner } from "../jail/owner.ts";
import { activityOf } from "./activity.ts";
import { OutputLog } from "./output-log.ts";
import { isAlive, MARK, signalTree } from "./process-tree.ts";

export interface CommandRequest {
  id: string;
  argv: readonly string[];
  /** Working directory, as a path that stays valid until the process has started. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: boolean;
  timeoutMs: number;
  owner: Owner | null;
}

/** How long the pipes may stay silent after the process exits before they are attributed to a child. */
const QUIET_MS = 30;
/** Delay between a timeout's SIGTERM and SIGKILL. */
const GRACE_MS = 500;

export class CommandProcess {
  readonly id: string;
  readonly output = new OutputLog();
  readonly startedAt = Date.now();
  readonly #child: ChildProcess;
  #exit: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  #timedOut = false;
  #quiet: NodeJS.Timeout | undefined;
  #lastLook: NodeJS.Immediate | undefined;
  #open = 2;
  #stdinAt = 0;
  readonly #timers: NodeJS.Timeout[] = [];

  private constructor(id: string, child: ChildProcess, timeoutMs: number) {
    this.id = id;
    this.#child = child;
    for (const name of ["stdout", "stderr"] as const) {
      const pipe = child[name];
      if (pipe === null) continue;
      pipe.on("data", (bytes: Buffer) => this.#took(name, bytes));
      pipe.on("error", () => {});
      pipe.on("close", () => this.#closed());
    }
    child.stdin?.on("error", () => {});
    this.output.onRoom = () => this.#resume();
    child.on("exit", (code, signal) => this.#exited(code, signal));
    if (timeoutMs > 0) this.#timers.push(setTimeout(() => this.#timeOut(), timeoutMs));
  }

  /** Rejects if the process cannot start: no such program, no such directory. */
  static start({ id, argv, cwd, env, stdin, timeoutMs, owner }: CommandRequest): Promise<CommandProcess> {
    return new Promise((resolve, reject) => {
      const child = spawn(argv[0] as string, argv.slice(1), {
        cwd,
        env: { ...env, [MARK]: id },
        stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
        detached: true,
        ...(owner ?? {}),
      });
      child.once("error", reject);
      child.once("spawn", () => {
        child.off("error", reject);
        child.on("error", () => {});
        resolve(new CommandProcess(id, child, timeoutMs));
      });
    });
  }

  get ended(): boolean {
    return this.output.ended;
  }

  /** True while any of its processes is alive, including a child left behind. */
  get alive(): boolean {
    return !this.ended || isAlive(this.#child.pid as number);
  }

  get activity(): string | null {
    return activityOf(this.#child.pid as number, this.id);
  }

  kill(signal: NodeJS.Signals): void {
    signalTree(this.#child.pid as number, this.id, signal);
  }

  /** `at`: number of bytes sent before, so that a repeated chunk is written once. */
  async write(at: number, bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    if (stdin === null || stdin.destroyed || stdin.writableEnded) throw brokenPipe();
    if (at !== this.#stdinAt) {
      if (at + bytes.length <= this.#stdinAt) return;
      throw Object.assign(new Error("EINVAL: input is missing before this"), { code: "EINVAL" });
    }
    this.#stdinAt += bytes.length;
    await new Promise<void>((resolve, reject) =>
      stdin.write(bytes, (error) => (error ? reject(brokenPipe()) : resolve())),
    );
  }

  closeStdin(): void {
    this.#child.stdin?.end();
  }

  #took(name: "stdout" | "stderr", bytes: Buffer): void {
    if (this.output.ended) return;
    this.output.write(name, bytes);
    if (this.#exit !== null) this.#awaitQuiet();
    if (!this.output.isFull) return;
    this.#child.stdout?.pause();
    this.#child.stderr?.pause();
    this.#stopWaiting();
  }

  #resume(): void {
    this.#child.stdout?.resume();
    this.#child.stderr?.resume();
    if (this.#exit !== null) this.#awaitQuiet();
  }

  #closed(): void {
    this.#open--;
    if (this.#exit !== null && this.#open === 0) this.#finish();
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.#exit = { code, signal };
    for (const timer of this.#timers) clearTimeout(timer);
    if (this.#open === 0) this.#finish();
    else if (!this.output.isFull) this.#awaitQuiet();
  }

  /** If this process was busy, the timer fires before the pipes are read: read them once more before ending. */
  #awaitQuiet(): void {
    this.#stopWaiting();
    this.#quiet = setTimeout(() => {
      this.#lastLook = setImmediate(() => this.#finish());
    }, QUIET_MS);
  }

  #stopWaiting(): void {
    clearTimeout(this.#quiet);
    clearImmediate(this.#lastLook);
  }

  #finish(): void {
    if (this.output.ended || this.#exit === null) return;
    this.#stopWaiting();
    this.output.end(exitOf(this.#exit, this.#timedOut));
    // A timeout also kills children left behind.
    if (this.#timedOut) this.kill("SIGKILL");
    this.#child.stdout?.resume();
    this.#child.stderr?.resume();
  }

  #timeOut(): void {
    this.#timedOut = true;
    this.kill("SIGTERM");
    this.#timers.push(setTimeout(() => this.kill("SIGKILL"), GRACE_MS));
  }
}

function exitOf({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }, timedOut: boolean): ExecExit {
  if (timedOut) return { state: "timedout", exitCode: 124, ...(signal === null ? {} : { signal }) };
  if (signal !== null) return { state: "killed", exitCode: 128 + (constants.signals[signal] ?? 0), signal };
  return { state: "exited", exitCode: code };
}

function brokenPipe(): Error {
  return Object.assign(new Error("EPIPE: the process takes no more input"), { code: "EPIPE" });
}
