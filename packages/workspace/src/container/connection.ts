/**
 * The one WebSocket to the daemon: questions with answers, and what processes print. Everything that arrives is foreign: what cannot
 * be read ends the connection with EPROTO, and everything that waited on it fails. A cut connection is never mended here; whoever
 * needs one asks the link for the next.
 */
import {
  countOf,
  decodeMessage,
  encodeMessage,
  fieldsOf,
  type HelloAnswer,
  type Message,
  optionalText,
  SYNC_LIMITS,
  textOf,
} from "@workspace/protocol";
import { ContainerError } from "./container-error.ts";

export type EventListener = (header: Record<string, unknown>, body: Uint8Array) => void;

/** What one question waits for at most: a scan of a very large tree takes seconds. */
const ANSWER_MS = 120_000;

export class Connection {
  readonly hello: HelloAnswer;
  readonly #wire: Wire;

  constructor(wire: Wire, hello: HelloAnswer) {
    this.#wire = wire;
    this.hello = hello;
  }

  get isOpen(): boolean {
    return this.#wire.failure === null;
  }

  /** Settles when the connection is over. */
  get closed(): Promise<ContainerError> {
    return this.#wire.closed;
  }

  ask(verb: string, header: object = {}, body?: Uint8Array | readonly Uint8Array[]): Promise<Message> {
    return this.#wire.ask(verb, header, body);
  }

  /** For what needs no answer; what it does can be done twice. */
  tell(verb: string, header: object): void {
    this.#wire.ask(verb, header).catch(() => {});
  }

  /** What the process prints from now on. Returns the way to stop. */
  listen(process: string, listener: EventListener): () => void {
    const { listeners } = this.#wire;
    const listening = listeners.get(process) ?? new Set<EventListener>();
    listeners.set(process, listening.add(listener));
    return () => {
      listening.delete(listener);
      if (listening.size === 0 && listeners.get(process) === listening) listeners.delete(process);
    };
  }

  close(): void {
    this.#wire.fail(new ContainerError("EUNREACHABLE", "the connection was closed"));
  }

  /** The daemon broke its word. */
  accuse(cause: unknown): ContainerError {
    return this.#wire.accuse(cause);
  }
}

export async function openConnection(
  sandbox: { fetch(request: Request): Promise<Response> },
  secret: string,
): Promise<Connection> {
  let response: Response;
  try {
    response = await sandbox.fetch(new Request("http://sandbox/connect", { headers: { upgrade: "websocket" } }));
  } catch (cause) {
    throw new ContainerError("EUNREACHABLE", "the container cannot be reached", { cause });
  }
  const socket = response.webSocket;
  if (!socket) {
    await response.body?.cancel();
    throw new ContainerError("EUNREACHABLE", `the container answered ${response.status} instead of a WebSocket`);
  }
  const wire = new Wire(socket);
  const { header } = await wire.ask("hello", { secret, protocol: SYNC_LIMITS.protocol });
  try {
    return new Connection(wire, helloOf(header));
  } catch (cause) {
    throw wire.accuse(cause);
  }
}

function helloOf(header: Record<string, unknown>): HelloAnswer {
  const protocol = countOf(header, "protocol");
  if (protocol !== SYNC_LIMITS.protocol) throw new Error(`it speaks version ${protocol} of the protocol`);
  return {
    protocol,
    instance: textOf(header, "instance", 100),
    root: textOf(header, "root", SYNC_LIMITS.pathBytes),
    isolated: header.isolated === true,
    moved: optionalText(header, "moved", SYNC_LIMITS.pathBytes),
  };
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: ContainerError): void;
  timer: ReturnType<typeof setTimeout>;
}

class Wire {
  readonly listeners = new Map<string, Set<EventListener>>();
  failure: ContainerError | null = null;
  readonly closed: Promise<ContainerError>;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #settleClosed: (error: ContainerError) => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    socket.addEventListener("close", ({ code }) => this.fail(closedBy(code)));
    socket.addEventListener("error", () => this.fail(new ContainerError("EUNREACHABLE", "the connection broke")));
    socket.accept();
  }

  ask(verb: string, header: object, body?: Uint8Array | readonly Uint8Array[]): Promise<Message> {
    if (this.failure !== null) return Promise.reject(this.failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(new ContainerError("EUNREACHABLE", "no answer came")), ANSWER_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      try {
        this.#socket.send(encodeMessage({ ...header, id, verb }, body));
      } catch (cause) {
        this.fail(new ContainerError("EUNREACHABLE", "the connection broke", { cause }));
      }
    });
  }

  accuse(cause: unknown): ContainerError {
    const error = new ContainerError("EPROTO", `the container broke the protocol: ${(cause as Error).message}`, {
      cause,
    });
    this.fail(error);
    return error;
  }

  fail(error: ContainerError): void {
    if (this.failure !== null) return;
    this.failure = error;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    this.#settleClosed(error);
    try {
      this.#socket.close(1000);
    } catch {
      // It is closed already.
    }
  }

  #receive(data: unknown): void {
    if (this.failure !== null) return;
    try {
      if (!(data instanceof ArrayBuffer)) throw new Error("a message that is not binary");
      const { header, body } = decodeMessage(new Uint8Array(data));
      if (header.event !== undefined) {
        const listening = this.listeners.get(textOf(header, "process", SYNC_LIMITS.idLength));
        for (const listener of listening ?? []) listener(header, body);
        return;
      }
      this.#answer(countOf(header, "re"), header, body);
    } catch (cause) {
      this.accuse(cause);
    }
  }

  /** An answer to nothing is one that came twice. */
  #answer(id: number, header: Record<string, unknown>, body: Uint8Array): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (header.fault === undefined) return waiting.resolve({ header, body });
    const fault = fieldsOf(header.fault, "fault");
    const remote = textOf(fault, "code", 64);
    waiting.reject(new ContainerError("EREMOTE", textOf(fault, "message", 2000), { remote }));
  }
}

function closedBy(code: number): ContainerError {
  if (code === 4401) return new ContainerError("EAUTH", "the container does not accept this workspace's secret");
  return new ContainerError("EUNREACHABLE", `the connection was closed (${code})`);
}
