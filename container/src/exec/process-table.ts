/**
 * The table of commands, by the id that the workspace assigned. It refuses an id that it knows, so a repeated request does not run
 * a command twice. A failed start frees its id. When the table is full (`endedProcesses`), it forgets the oldest ended command.
 */
import { SYNC_LIMITS } from "@workspace/protocol";
import type { Owner } from "../jail/owner.ts";
import { CommandProcess, type CommandRequest } from "./command-process.ts";
import { processesOf } from "./process-tree.ts";

export class ProcessTable {
  readonly #processes = new Map<string, CommandProcess | "starting">();
  /** Commands that may have live processes. */
  readonly #watched = new Set<CommandProcess>();
  readonly #owner: Owner | null;

  /** `owner`: the user that commands run as, if not the daemon's own. */
  constructor(owner: Owner | null) {
    this.#owner = owner;
  }

  async start(request: CommandRequest): Promise<CommandProcess> {
    if (this.#processes.has(request.id)) throw daemonError("EEXIST", `a command named "${request.id}" has run already`);
    if (this.live.length >= SYNC_LIMITS.liveProcesses) throw daemonError("EAGAIN", "too many commands are running");
    this.#forgetOldest();
    this.#processes.set(request.id, "starting");
    try {
      const process = await CommandProcess.start(request);
      this.#processes.set(request.id, process);
      this.#watched.add(process);
      return process;
    } catch (error) {
      this.#processes.delete(request.id);
      throw error;
    }
  }

  get(id: string): CommandProcess | null {
    const process = this.#processes.get(id);
    return process === undefined || process === "starting" ? null : process;
  }

  get live(): CommandProcess[] {
    return [...this.#processes.values()].filter((process) => process !== "starting").filter(({ ended }) => !ended);
  }

  /** True while a command runs or an ended one has left a child behind. */
  get isBusy(): boolean {
    for (const process of this.#watched) {
      if (process.alive) return true;
      this.#watched.delete(process);
    }
    return this.#owner !== null && processesOf(this.#owner.uid).length > 0;
  }

  killAll(): void {
    for (const process of this.#processes.values())
      if (process !== "starting" && process.alive) process.kill("SIGKILL");
  }

  #forgetOldest(): void {
    if (this.#processes.size < SYNC_LIMITS.endedProcesses) return;
    for (const [id, process] of this.#processes) {
      if (process === "starting" || process.alive) continue;
      this.#processes.delete(id);
      return;
    }
  }
}

export function daemonError(code: string, message: string): Error & { code: string } {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
