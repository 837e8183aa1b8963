/** The context of a pull, and how it parses the container's answers. */
import type { Message, ScanAnswer } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { DaemonConnection } from "../container/daemon-connection.ts";
import type { PushContext } from "./push.ts";

export interface PullContext extends PushContext {
  /** The identity for the log; known after the scan. */
  readonly fs: FileSystem;
  /** Commands whose activity the scan reports. */
  commands: readonly string[];
  onScan(scan: ScanAnswer): void;
  root: string;
  /** After a cut. */
  reconnect(): Promise<DaemonConnection>;
}

/** An answer with contents, counted as long as it is in memory. */
export interface BufferedReply {
  message: Message;
  letGo(): void;
}

/** Sends a request, and counts the answer's bytes. */
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

/** Parses a daemon's answer; an unreadable one ends the connection. */
export function parseReply<T>(connection: DaemonConnection, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw connection.protocolError(cause);
  }
}
