/** The three bands of a response: data, progress for users, and the fatal error. */

import { GitError } from "../errors.ts";
import { decode } from "../text/bytes.ts";
import { cutShort, type PacketReader, protocolError } from "./pkt-line.ts";

export interface SidebandSink {
  /** Text for the user, as it arrives; may be part of a line. */
  progress?(text: string): void;
  /** Its maximum length. */
  readonly limit: number;
}

/** Yields band 1 until the flush packet. */
export async function* sideband(reader: PacketReader, sink: SidebandSink): AsyncGenerator<Uint8Array> {
  let reported = 0;
  for (;;) {
    const packet = await reader.next();
    if (packet === null) throw cutShort();
    if (packet.kind !== "data") return;
    const { data } = packet;
    if (data.length === 0) continue;
    const content = data.subarray(1);
    switch (data[0]) {
      case 1:
        yield content;
        break;
      case 2:
        reported += content.length;
        if (reported <= sink.limit) sink.progress?.(decode(content));
        break;
      case 3:
        throw new GitError("ENETWORK", `remote error: ${decode(content).trimEnd()}`);
      default:
        throw protocolError(`bad band #${data[0]}`);
    }
  }
}

/**
 * Progress as git prints it: "remote: " before each line, and the rest of a line overwritten after a carriage return is
 * blanked out.
 */
export class RemoteMessagePrinter {
  #partial = "";
  readonly #err: (text: string) => void;

  constructor(err: (text: string) => void) {
    this.#err = err;
  }

  add(text: string): void {
    this.#partial += text;
    for (;;) {
      const end = this.#partial.search(/[\r\n]/);
      if (end < 0) return;
      this.#print(this.#partial.slice(0, end), this.#partial[end] as string);
      this.#partial = this.#partial.slice(end + 1);
    }
  }

  end(): void {
    if (this.#partial !== "") this.#print(this.#partial, "\n");
    this.#partial = "";
  }

  /** Without a terminal, git clears to the end of the line with eight blanks. */
  #print(line: string, end: string): void {
    this.#err(`remote: ${line}${line === "" ? "" : "        "}${end}`);
  }
}
