/** The messages of `rg --json`, as objects: text where bytes are UTF-8, base64 where they are not. */
import type { GrepMessage } from "@workspace/protocol";
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";
import { hasTooMany, reportedRanges } from "../searcher/ranges.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class JsonMessages implements MatchSink {
  readonly #take: (message: GrepMessage) => void;
  readonly #shown: (path: string) => string;
  #path: Data = { text: "" };

  constructor(take: (message: GrepMessage) => void, shown: (path: string) => string = (path) => path) {
    this.#take = take;
    this.#shown = shown;
  }

  begin(path: string): void {
    this.#path = { text: this.#shown(path) };
    this.#take({ type: "begin", data: { path: this.#path } });
  }

  matched(line: MatchedLine): true {
    this.#take({ type: "match", data: this.#line(line) });
    return true;
  }

  context(line: MatchedLine): void {
    this.#take({ type: "context", data: this.#line(line) });
  }

  gap(): void {}

  end({ binaryOffset }: FileEnd): boolean {
    this.#take({ type: "end", data: { path: this.#path, binary_offset: binaryOffset, stats: null } });
    return true;
  }

  #line({ number, offset, bytes, ranges }: MatchedLine): Record<string, unknown> {
    const submatches: unknown[] = [];
    for (let i = 0; i < reportedRanges(ranges); i += 2) {
      const [start, end] = [ranges[i] as number, ranges[i + 1] as number];
      submatches.push({ match: dataOf(bytes.subarray(start, end)), start, end });
    }
    const line = { path: this.#path, lines: dataOf(bytes), line_number: number, absolute_offset: offset, submatches };
    // Not ripgrep's, which has no limit.
    return hasTooMany(ranges) ? { ...line, submatches_cut: true } : line;
  }
}

export type Data = { text: string } | { bytes: string };

function dataOf(bytes: Uint8Array): Data {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { bytes: btoa(binary) };
  }
}
