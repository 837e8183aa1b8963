/**
 * The output of a process in the container, in order and without gaps, across cut connections. Events are ordered by number. After
 * a cut, a new connection resumes after the last one seen. If the container no longer has the process, it ends as `lost`.
 */
import { type ExecExit, optionalText, parseFields, parseOneOf, SYNC_LIMITS } from "@workspace/protocol";
import type { SignalName } from "@workspace/shell";
import type { DaemonConnection } from "./daemon-connection.ts";

export type ProcessEvent =
  | { seq: number; name: "stdout" | "stderr"; value: Uint8Array }
  | { seq: number; name: "exit"; value: ExecExit & { signal?: SignalName } };

export interface ProcessEventSource {
  id: string;
  /** The connection that the process was started or found on. */
  connection: DaemonConnection;
  instance: string;
  reconnect(): Promise<DaemonConnection>;
}

/** Retries after a cut, with a pause between: a restarting container takes a second or two. */
const RECONNECTS = 5;
const RECONNECT_MS = 200;
const MAX_AHEAD = 4096;
const SIGNALS = ["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

/** `firstListener` was set before the process was requested, so that no output is missed. */
export async function* processEvents(
  source: ProcessEventSource,
  inbox: EventBuffer,
  afterSeq: number,
): AsyncGenerator<ProcessEvent> {
  let { connection } = source;
  let seq = afterSeq;
  let confirmed = afterSeq;
  let unconfirmed = 0;
  try {
    for (;;) {
      const news = await inbox.take(seq + 1, connection);
      if (news === "cut") {
        const next = await resume(source, inbox, seq);
        if (next === null) {
          const reason = "the container was lost while the command ran; how it ended is unknown";
          yield { seq: seq + 1, name: "exit", value: { state: "lost", exitCode: null, reason } };
          return;
        }
        connection = next;
        continue;
      }
      seq = news.seq;
      yield news;
      if (news.name === "exit") return;
      unconfirmed += news.value.length;
      if (unconfirmed < CONFIRM_BYTES && !inbox.isEmpty) continue;
      connection.notify("confirm", { process: source.id, seq });
      confirmed = seq;
      unconfirmed = 0;
    }
  } finally {
    if (confirmed < seq) connection.notify("confirm", { process: source.id, seq });
    inbox.close();
    connection.notify("leave", { process: source.id });
  }
}

const CONFIRM_BYTES = 256 * 1024;

/** Null when the process no longer exists. */
async function resume(
  source: ProcessEventSource,
  inbox: EventBuffer,
  afterSeq: number,
): Promise<DaemonConnection | null> {
  for (let tries = 0; tries < RECONNECTS; tries++) {
    try {
      const connection = await source.reconnect();
      if (connection.hello.instance !== source.instance) return null;
      inbox.listen(connection, source.id);
      const { header } = await connection.ask("attach", { process: source.id, afterSeq });
      return header.found === true ? connection : null;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS * 2 ** tries));
    }
  }
  return null;
}

/** Buffers arriving events until they are read by number. */
export class EventBuffer {
  readonly #waiting = new Map<number, ProcessEvent>();
  #wake: () => void = () => {};
  #stop: () => void = () => {};
  #after = 0;

  constructor(afterSeq: number) {
    this.#after = afterSeq;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  listen(connection: DaemonConnection, id: string): void {
    this.#stop();
    this.#stop = connection.listen(id, (header, body) => {
      const news = newsOf(header, body);
      // Seen already, or too far ahead to come from our daemon.
      if (news.seq <= this.#after) return;
      if (this.#waiting.size >= MAX_AHEAD) throw new Error("events far ahead of what was read");
      this.#waiting.set(news.seq, news);
      this.#wake();
    });
  }

  async take(seq: number, connection: DaemonConnection): Promise<ProcessEvent | "cut"> {
    this.#after = seq - 1;
    for (;;) {
      const news = this.#waiting.get(seq);
      if (news !== undefined) {
        this.#waiting.delete(seq);
        return news;
      }
      if (!connection.isOpen) return "cut";
      await Promise.race([new Promise<void>((resolve) => (this.#wake = resolve)), connection.closed]);
    }
  }

  close(): void {
    this.#stop();
  }
}

function newsOf(header: Record<string, unknown>, body: Uint8Array): ProcessEvent {
  const { seq } = header;
  if (!Number.isSafeInteger(seq) || (seq as number) < 1) throw new Error("an event without a number");
  const name = parseOneOf(header, "name", ["stdout", "stderr", "exit"]);
  if (name !== "exit") {
    if (body.length > SYNC_LIMITS.outputChunk) throw new Error("an event that is too large");
    return { seq: seq as number, name, value: body.slice() };
  }
  const exit = parseFields(header.exit, "exit");
  const state = parseOneOf(exit, "state", ["exited", "killed", "timedout", "lost"]);
  const { exitCode } = exit;
  const isCode = Number.isInteger(exitCode) && (exitCode as number) >= 0 && (exitCode as number) <= 255;
  if (state === "lost" ? exitCode !== null : !isCode) throw new Error("an exit code that is none");
  const signal = SIGNALS.find((known) => known === exit.signal);
  const reason = optionalText(exit, "reason", 1000);
  return {
    seq: seq as number,
    name,
    value: {
      state,
      exitCode: exitCode as number | null,
      ...(signal === undefined ? {} : { signal }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}
