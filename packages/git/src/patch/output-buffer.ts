/** Collects text and bytes and emits them in large pieces: a diff consists of thousands of short lines. */
import { encode } from "../text/bytes.ts";

const PIECE = 64 * 1024;

export type Write = (data: Uint8Array) => void;

export class OutputBuffer {
  #buffer = new Uint8Array(PIECE);
  #length = 0;
  /** Something was written. */
  wrote = false;

  constructor(
    readonly write: Write,
    /** Before every line. */
    readonly linePrefix = "",
  ) {}

  text(text: string): void {
    if (text === "") return;
    if (text.length < 256) {
      this.#room(text.length * 3);
      let at = this.#length;
      let plain = true;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) {
          plain = false;
          break;
        }
        this.#buffer[at++] = code;
      }
      if (plain) {
        this.#length = at;
        this.wrote = true;
        return;
      }
    }
    this.bytes(encode(text));
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.wrote = true;
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  flush(): void {
    if (this.#length === 0) return;
    this.write(this.#buffer.slice(0, this.#length));
    this.#length = 0;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    this.flush();
    if (bytes > this.#buffer.length) this.#buffer = new Uint8Array(bytes);
  }
}
