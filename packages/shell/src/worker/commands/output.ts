/** The result of our commands for just-bash: bytes and an exit code. */

import type { ExecResult } from "../../../vendor/just-bash.js";
import { concatBytes } from "../../bytes.ts";
import { toBinaryString } from "../byte-string.ts";

export class CommandOutput {
  readonly #stdout: Uint8Array[] = [];
  readonly #stderr: Uint8Array[] = [];

  /** Copies the bytes, which their owner may reuse; the `slice` of a `Buffer` would be a view. */
  readonly stdout = (bytes: Uint8Array): void => {
    this.#stdout.push(new Uint8Array(bytes));
  };

  readonly stderr = (bytes: Uint8Array): void => {
    this.#stderr.push(new Uint8Array(bytes));
  };

  get stdoutBytes(): number {
    return this.#stdout.reduce((sum, { length }) => sum + length, 0);
  }

  result(exitCode: number): ExecResult {
    return bytesResult(concatBytes(this.#stdout), concatBytes(this.#stderr), exitCode);
  }
}

export function bytesResult(stdout: Uint8Array, stderr: Uint8Array, exitCode: number): ExecResult {
  return { stdout: toBinaryString(stdout), stdoutKind: "bytes", stderr: new TextDecoder().decode(stderr), exitCode };
}

export function textResult(stdout: string, stderr: string, exitCode: number): ExecResult {
  return { stdout, stderr, exitCode };
}
