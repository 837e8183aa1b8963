/**
 * pkt-lines: four hexadecimal digits of length, then the content; 0000, 0001 and 0002 are marks. A server's stream is untrusted:
 * lengths are checked, and a stream that ends inside a packet is an error, never an end.
 */

import { GitError } from "../errors.ts";
import { decode, encode } from "../text/bytes.ts";

type Packet = { readonly kind: "data"; readonly data: Uint8Array } | { readonly kind: "flush" | "delim" | "end" };

export const FLUSH = encode("0000");
export const DELIM = encode("0001");

/** The protocol's largest packet, length included. */
const LARGE_PACKET_MAX = 65520;

export function pktLine(content: string | Uint8Array): Uint8Array {
  const body = typeof content === "string" ? encode(content) : content;
  const packet = new Uint8Array(body.length + 4);
  packet.set(encode((body.length + 4).toString(16).padStart(4, "0")));
  packet.set(body, 4);
  return packet;
}

/** A packet's text without the usual trailing line feed. */
export function packetText(data: Uint8Array): string {
  const text = decode(data);
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

export class PacketReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Buffer to join a packet that arrived in parts. */
  #joined = new Uint8Array(0);
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Null at a clean end of the stream. Data is valid until the next call. */
  async next(): Promise<Packet | null> {
    if (!(await this.#have(4))) {
      if (this.#at === this.#buffer.length) return null;
      throw cutShort();
    }
    const length = this.#length();
    if (length < 4) {
      this.#at += 4;
      if (length === 3) throw protocolError("bad line length 3");
      return { kind: length === 0 ? "flush" : length === 1 ? "delim" : "end" };
    }
    if (!(await this.#have(length))) throw cutShort();
    const data = this.#buffer.subarray(this.#at + 4, this.#at + length);
    this.#at += length;
    return { kind: "data", data };
  }

  /**
   * The next packet's text, or null at a mark. Lists end with a mark: a stream that ends instead was truncated, and the list is
   * incomplete.
   */
  async line(): Promise<string | null> {
    const packet = await this.next();
    if (packet === null) throw cutShort();
    return packet.kind === "data" ? packetText(packet.data) : null;
  }

  /** Ends the stream early and closes the connection. */
  async cancel(): Promise<void> {
    if (!this.#ended) await this.#source.return?.();
    this.#ended = true;
  }

  #length(): number {
    let length = 0;
    for (let i = 0; i < 4; i++) {
      const digit = digitOf(this.#buffer[this.#at + i] as number);
      if (digit < 0)
        throw protocolError(`bad line length character: ${decode(this.#buffer.subarray(this.#at, this.#at + 4))}`);
      length = length * 16 + digit;
    }
    if (length > LARGE_PACKET_MAX) throw protocolError(`bad line length ${length}`);
    return length;
  }

  async #have(bytes: number): Promise<boolean> {
    while (this.#buffer.length - this.#at < bytes) {
      if (this.#ended) return false;
      // The source may reuse its buffer, so the rest is copied before more is requested.
      const rest = this.#keepRest();
      const { value, done } = await this.#source.next();
      if (done) {
        this.#ended = true;
        return false;
      }
      this.#buffer = rest === 0 ? value : this.#join(rest, value);
      this.#at = 0;
    }
    return true;
  }

  #keepRest(): number {
    const rest = this.#buffer.subarray(this.#at);
    this.#widen(rest.length);
    this.#joined.set(rest);
    this.#buffer = this.#joined.subarray(0, rest.length);
    this.#at = 0;
    return rest.length;
  }

  #join(rest: number, value: Uint8Array): Uint8Array {
    this.#widen(rest + value.length);
    this.#joined.set(value, rest);
    return this.#joined.subarray(0, rest + value.length);
  }

  #widen(length: number): void {
    if (this.#joined.length >= length) return;
    const wider = new Uint8Array(Math.max(length, 2 * this.#joined.length));
    wider.set(this.#joined);
    this.#joined = wider;
  }
}

function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

export function protocolError(message: string): GitError {
  return new GitError("ENETWORK", `protocol error: ${message}`);
}

export function cutShort(): GitError {
  return new GitError("ENETWORK", "the remote end hung up unexpectedly");
}
