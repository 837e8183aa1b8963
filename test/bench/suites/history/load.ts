/** A workspace of many small files, and which of them a call changes: ten times the run's number of files, a twentieth of them changed. */
import type { TextFile } from "../../contender.ts";
import type { Params } from "../../suite.ts";
import { makeText } from "../../worker/corpus.ts";

export const ROOT = "/workspace/tree";

export interface Load {
  readonly files: readonly TextFile[];
  readonly changed: readonly TextFile[];
  readonly edited: TextFile;
}

const PER_DIRECTORY = 50;

export function load({ seed, files: count }: Params): Load {
  const files = Array.from({ length: count * 10 }, (_, i) => fileAt(i, seed + i));
  const step = 20;
  const changed = files.filter((_, i) => i % step === 0).map((_, i) => fileAt(i * step, seed + i + files.length));
  return { files, changed, edited: fileAt(7, seed - 1) };
}

function fileAt(i: number, seed: number): TextFile {
  const { text, bytes } = makeText(1000, seed);
  return { path: `${ROOT}/d${Math.floor(i / PER_DIRECTORY)}/f${i}.ts`, text, bytes };
}
