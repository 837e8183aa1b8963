/**
 * Limits the work of one request. Work is counted instead of timed, because a Worker's clock stands still between I/O: a step is a
 * loop iteration or a call, and copied bytes count as steps too. Every loop over a caller's input spends from it.
 * Async code calls `await budget.checkpoint()` in its loop, so that timers and other requests run. Sync code calls `budget.spend()`
 * alone, and fails when it has run for too long.
 */
export interface WorkBudget {
  /** Counts work. Throws `WorkError` if the signal is aborted or a limit is reached. */
  spend(steps: number, bytes?: number): void;
  /** Whether async code should pause because enough was spent since the last pause. */
  readonly isDue: boolean;
  /** Returns a promise if a pause is due. */
  checkpoint(): Promise<void> | undefined;
  /** Lets timers and other requests run, then checks the signal. */
  pause(): Promise<void>;
  /** Counts memory until the result is disposed. Throws `WorkError` if the request holds too much. */
  hold(bytes: number): Disposable;
  readonly used: WorkUsed;
}

export interface WorkUsed {
  steps: number;
  bytes: number;
  pauses: number;
  heldBytes: number;
  /** The most steps between two pauses. */
  longestStretch: number;
}

export interface WorkLimits {
  /** Steps in all. */
  steps: number;
  /** Steps that synchronous code may take without a pause. */
  stretchSteps: number;
  /** Steps after which a pause is due. */
  pauseSteps: number;
  /** Bytes held at once. */
  heldBytes: number;
}

/** A step takes 5 to 30 ns of CPU time: a stretch stays below 250 ms, and other requests wait about 10 ms. */
export const defaultWorkLimits: WorkLimits = {
  steps: 1_000_000_000,
  stretchSteps: 8_000_000,
  pauseSteps: 200_000,
  heldBytes: 64 * 1024 * 1024,
};

/** Bytes that are copied or scanned in the time of one step. */
const BYTES_PER_STEP = 16;

export type WorkErrorCode = "ABORTED" | "STEPS" | "STRETCH" | "MEMORY";

export class WorkError extends Error {
  override readonly name = "WorkError";
  readonly code: WorkErrorCode;

  constructor(code: WorkErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export function createWorkBudget(limits: Partial<WorkLimits> = {}, signal?: AbortSignal): WorkBudget {
  return new CountedBudget({ ...defaultWorkLimits, ...limits }, signal);
}

class CountedBudget implements WorkBudget {
  readonly used: WorkUsed = { steps: 0, bytes: 0, pauses: 0, heldBytes: 0, longestStretch: 0 };
  readonly #limits: WorkLimits;
  readonly #signal: AbortSignal | undefined;
  #stretch = 0;

  constructor(limits: WorkLimits, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#signal = signal;
  }

  get isDue(): boolean {
    return this.#stretch >= this.#limits.pauseSteps;
  }

  spend(steps: number, bytes = 0): void {
    const { used } = this;
    const cost = steps + Math.ceil(bytes / BYTES_PER_STEP);
    // Native work is counted before it starts. Work that no stretch has room for never runs, and belongs to none.
    if (cost > this.#limits.stretchSteps) {
      this.#checkSignal();
      throw this.#stretchError();
    }
    used.steps += cost;
    used.bytes += bytes;
    this.#stretch += cost;
    if (this.#stretch > used.longestStretch) used.longestStretch = this.#stretch;
    this.#checkSignal();
    if (used.steps > this.#limits.steps) throw new WorkError("STEPS", `more than ${this.#limits.steps} steps of work`);
    if (this.#stretch > this.#limits.stretchSteps) throw this.#stretchError();
  }

  #stretchError(): WorkError {
    return new WorkError("STRETCH", `more than ${this.#limits.stretchSteps} steps of work at once`);
  }

  checkpoint(): Promise<void> | undefined {
    return this.isDue ? this.pause() : undefined;
  }

  /** Only a timer lets other requests run: other promises resolve before them. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#stretch = 0;
    this.used.pauses++;
    this.#checkSignal();
  }

  hold(bytes: number): Disposable {
    const { used } = this;
    if (used.heldBytes + bytes > this.#limits.heldBytes)
      throw new WorkError("MEMORY", `more than ${this.#limits.heldBytes} bytes of memory`);
    used.heldBytes += bytes;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) used.heldBytes -= bytes;
        held = false;
      },
    };
  }

  #checkSignal(): void {
    if (this.#signal?.aborted) throw new WorkError("ABORTED", "aborted", this.#signal.reason);
  }
}
