/** What a pull works with, and how it reads what the container says. */
import type { Message, ScanAnswer } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { DaemonConnection } from "../container/daemon-connection.ts";
import type { PushContext } from "./push.ts";

export interface PullContext extends PushContext {
  /** In whose name the changes are logged; known after the scan. */
  readonly fs: FileSystem;
  /** Commands whose activity the scan tells. */
  commands: readonly string[];
  onScan(scan: ScanAnswer): void;
  root: string;
  /** After a cut. */
  reconnect(): Promise<DaemonConnection>;
}

/** An answer with contents, counted as long as it is held. */
export interface BufferedReply {
  message: Message;
  letGo(): void;
}

/** Asks, and counts what comes. */
export function askHeld(
  context: PullContext,
  connection: DaemonConnection,
  verb: string,
  header: object,
): Promise<BufferedReply> {
  const requested = connection.ask(verb, header).then((message) => ({
    message,
    letGo: context.held.hold(message.body.length + (message.packedBytes ?? 0)),
  }));
  requested.catch(() => {});
  return requested;
}

/** Reads what the daemon says; what cannot be read ends the connection. */
export function parseReply<T>(connection: DaemonConnection, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw connection.protocolError(cause);
  }
}
