/**
 * The small files: a tree of source-like text whose names, depths, sizes and content come from the seed, so that no design can
 * be tuned to them. Ten files to a directory on average, sizes spread evenly around the mean, some files not ASCII.
 */

import { Random } from "../../support/random.ts";
import type { TextFile } from "../contender.ts";
import type { Params } from "../suite.ts";

export interface Corpus {
  /** Absolute, parents before children. */
  directories: string[];
  files: TextFile[];
}

const EXTENSIONS = ["ts", "ts", "ts", "tsx", "md", "json", "css", "py"];
const MAX_DEPTH = 5;
const FILES_PER_DIRECTORY = 10;

export function makeCorpus(
  root: string,
  { seed, files: count, size }: Pick<Params, "seed" | "files" | "size">,
): Corpus {
  const random = new Random(seed);
  const directories = makeDirectories(root, Math.max(1, Math.round(count / FILES_PER_DIRECTORY)), random);
  const lines = Array.from({ length: 4000 }, () => makeLine(random));
  const files = Array.from({ length: count }, (_, index) => {
    // The first lap gives every directory a file; the rest fall where they may.
    const directory = directories[index] ?? random.pick(directories);
    const path = `${directory}/${makeWord(random)}-${index}.${random.pick(EXTENSIONS)}`;
    return makeFile(path, size * (0.2 + 1.6 * random.next()), lines, random);
  });
  return { directories, files };
}

/** Text of about so many bytes, for single files. */
export function makeText(bytes: number, seed: number): TextFile {
  const random = new Random(seed);
  const lines = Array.from({ length: 500 }, () => makeLine(random));
  return makeFile("", bytes, lines, random);
}

function makeDirectories(root: string, count: number, random: Random): string[] {
  const created = [{ path: root, depth: 0 }];
  while (created.length < count) {
    const parent = random.pick(created);
    if (parent.depth === MAX_DEPTH) continue;
    created.push({ path: `${parent.path}/${makeWord(random)}-${created.length}`, depth: parent.depth + 1 });
  }
  return created.map((directory) => directory.path);
}

function makeFile(path: string, bytes: number, lines: readonly string[], random: Random): TextFile {
  const parts = [`// ${path} ${random.next()}\n`];
  if (random.next() < 0.05) parts.push("// naïve – “quoted” – 作業場 🗂\n");
  let length = parts.join("").length;
  while (length < bytes) {
    const line = random.pick(lines);
    parts.push(line);
    length += line.length;
  }
  // Through bytes and back: a flat string, so that flattening a rope is not timed.
  const encoded = new TextEncoder().encode(parts.join("").slice(0, Math.max(1, Math.round(bytes))));
  return { path, text: new TextDecoder().decode(encoded), bytes: encoded.byteLength };
}

function makeLine(random: Random): string {
  const words = Array.from({ length: random.between(2, 12) }, () => makeWord(random));
  return `${"  ".repeat(random.between(0, 4))}${words.join(random.pick([" ", ".", ", ", " = ", "("]))};\n`;
}

function makeWord(random: Random): string {
  let word = "";
  for (let left = random.between(2, 9); left > 0; left--) word += String.fromCharCode(random.between(97, 122));
  return word;
}
