/**
 * The socket to the daemon: numbered messages, their answers, process events, and bodies that are compressed when the link is slow.
 * All input is untrusted: an unreadable message ends the connection with EPROTO, and all pending requests fail.
 */
import {
  BandwidthEstimator,
  decodeMessage,
  encodeMessage,
  joinBody,
  type Message,
  packedLength,
  parseCount,
  parseFields,
  parseText,
  SYNC_LIMITS,
} from "@workspace/protocol";
import { compressBody, unpackBody } from "./compressed-body.ts";
import { ContainerError } from "./container-error.ts";

export type EventListener = (header: Record<string, unknown>, body: Uint8Array) => void;

/** Timeout of one request: a scan of a very large tree takes seconds. */
const ANSWER_MS = 120_000;

interface Waiting {
  resolve(message: Message): void;
  reject(error: ContainerError): void;
  timer: ReturnType<typeof setTimeout>;
}

export class DaemonSocket {
  readonly listeners = new Map<string, Set<EventListener>>();
  failure: ContainerError | null = null;
  readonly closed: Promise<ContainerError>;
  /** Both sides support compressed bodies. */
  packs = false;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gauge = new BandwidthEstimator();
  /** Unanswered requests with contents. */
  #contents = 0;
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
    const answer = new Promise<Message>((resolve, reject) => {
      const late = () => this.fail(new ContainerError("EUNREACHABLE", `no answer came to "${verb}"`));
      const timer = setTimeout(late, ANSWER_MS);
      this.#waiting.set(id, { resolve, reject, timer });
    });
    if (!this.packs || body === undefined) this.#send({ ...header, id, verb }, body);
    else void this.#sendContents(id, { ...header, id, verb }, body, answer);
    return answer;
  }

  #send(header: object, body?: Uint8Array | readonly Uint8Array[]): void {
    if (this.failure !== null) return;
    try {
      this.#socket.send(encodeMessage(header, body));
    } catch (cause) {
      this.fail(new ContainerError("EUNREACHABLE", "the connection broke", { cause }));
    }
  }

  /** Compressed on a slow link. A request that has the link to itself measures its bandwidth. */
  async #sendContents(
    id: number,
    header: object,
    body: Uint8Array | readonly Uint8Array[],
    answer: Promise<unknown>,
  ): Promise<void> {
    const isAlone = this.#contents++ === 0;
    const done = () => void this.#contents--;
    answer.then(done, done);
    const length = body instanceof Uint8Array ? body.length : body.reduce((sum, part) => sum + part.length, 0);
    let packed: Uint8Array | null = null;
    try {
      if (this.#gauge.shouldCompress(length, Date.now(), isAlone)) packed = await compressBody(joinBody(body));
    } catch (cause) {
      return this.fail(new ContainerError("EUNREACHABLE", "a message could not be packed", { cause }));
    }
    const gauge = isAlone && this.#gauge.begin(id, packed?.length ?? length, Date.now());
    const flags = { ...(packed === null ? {} : { packed: length }), ...(gauge ? { gauge } : {}) };
    this.#send({ ...header, ...flags }, packed ?? body);
  }

  protocolError(cause: unknown): ContainerError {
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
      if (header.got !== undefined) return this.#gauge.end(parseCount(header, "got"), Date.now());
      if (header.gauge === true && this.packs)
        this.#send({ id: this.#nextId++, verb: "got", of: parseCount(header, "re") });
      const length = packedLength(header, body);
      if (length !== null) return void this.#unpack(header, body, length);
      if (header.event !== undefined) {
        const listening = this.listeners.get(parseText(header, "process", SYNC_LIMITS.idLength));
        for (const listener of listening ?? []) listener(header, body);
        return;
      }
      this.#answer(parseCount(header, "re"), header, body);
    } catch (cause) {
      this.protocolError(cause);
    }
  }

  async #unpack(header: Record<string, unknown>, packed: Uint8Array, length: number): Promise<void> {
    try {
      if (!this.packs) throw new Error("a packed body, which was not agreed on");
      const id = parseCount(header, "re");
      const body = await unpackBody(packed, length);
      if (this.failure === null) this.#answer(id, header, body, packed.length);
    } catch (cause) {
      this.protocolError(cause);
    }
  }

  /** An answer without a request is a duplicate. */
  #answer(id: number, header: Record<string, unknown>, body: Uint8Array, packedBytes = 0): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (header.fault === undefined) return waiting.resolve({ header, body, packedBytes });
    const fault = parseFields(header.fault, "fault");
    const remote = parseText(fault, "code", 64);
    waiting.reject(new ContainerError("EREMOTE", parseText(fault, "message", 2000), { remote }));
  }
}

function closedBy(code: number): ContainerError {
  if (code === 4401) return new ContainerError("EAUTH", "the container does not accept this workspace's secret");
  return new ContainerError("EUNREACHABLE", `the connection was closed (${code})`);
}
