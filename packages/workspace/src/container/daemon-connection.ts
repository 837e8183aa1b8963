/**
 * The one WebSocket to the daemon: requests with answers, and process output. A cut connection is never repaired here; a caller
 * that needs one requests the next from the `ContainerClient`.
 */
import {
  type HelloAnswer,
  type Message,
  optionalText,
  PACKING_PROTOCOL,
  parseCount,
  parseText,
  SYNC_LIMITS,
} from "@workspace/protocol";
import { ContainerError } from "./container-error.ts";
import { DaemonSocket, type EventListener } from "./daemon-socket.ts";

export class DaemonConnection {
  readonly hello: HelloAnswer;
  readonly #wire: DaemonSocket;

  constructor(wire: DaemonSocket, hello: HelloAnswer) {
    this.#wire = wire;
    this.hello = hello;
  }

  get isOpen(): boolean {
    return this.#wire.failure === null;
  }

  /** Settles when the connection is closed. */
  get closed(): Promise<ContainerError> {
    return this.#wire.closed;
  }

  ask(verb: string, header: object = {}, body?: Uint8Array | readonly Uint8Array[]): Promise<Message> {
    return this.#wire.ask(verb, header, body);
  }

  /** For messages without an answer; they must be idempotent. */
  notify(verb: string, header: object): void {
    this.#wire.ask(verb, header).catch(() => {});
  }

  /** Subscribes to a process's output from now on. Returns the function that unsubscribes. */
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

  /** The daemon violated the protocol. */
  protocolError(cause: unknown): ContainerError {
    return this.#wire.protocolError(cause);
  }
}

export async function openConnection(
  sandbox: { fetch(request: Request): Promise<Response> },
  secret: string,
): Promise<DaemonConnection> {
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
  const wire = new DaemonSocket(socket);
  const { header } = await wire.ask("hello", { secret, protocol: SYNC_LIMITS.protocol });
  try {
    const hello = helloOf(header);
    wire.packs = hello.protocol >= PACKING_PROTOCOL;
    return new DaemonConnection(wire, hello);
  } catch (cause) {
    throw wire.protocolError(cause);
  }
}

function helloOf(header: Record<string, unknown>): HelloAnswer {
  const protocol = parseCount(header, "protocol");
  if (protocol < 1 || protocol > SYNC_LIMITS.protocol) throw new Error(`it speaks version ${protocol} of the protocol`);
  return {
    protocol,
    instance: parseText(header, "instance", 100),
    root: parseText(header, "root", SYNC_LIMITS.pathBytes),
    isolated: header.isolated === true,
    moved: optionalText(header, "moved", SYNC_LIMITS.pathBytes),
  };
}
