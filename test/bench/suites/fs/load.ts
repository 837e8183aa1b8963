/** What the file-system suite works on: a tree of small files, one large file, and what is to be expected of them. */
import type { Params } from "../../suite.ts";
import { type Corpus, makeCorpus } from "../../worker/corpus.ts";
import { LargeFile } from "../../worker/large-file.ts";

export const TREE = "/workspace/tree";
export const MANY = "/workspace/many";
export const MANY_FILES = 500;
export const RENAMES = 20;

export interface Load extends Corpus {
  large: LargeFile;
  /** Deepest first, so that each still has its name when its turn comes. */
  renamed: string[];
  many: Corpus;
  found: number;
  /** Entries of all directories together, subdirectories included. */
  entries: number;
  characters: number;
  bytes: number;
}

export function load(params: Params): Load {
  const { directories, files } = makeCorpus(TREE, params);
  const step = Math.max(1, Math.floor((directories.length - 1) / RENAMES));
  return {
    directories,
    files,
    large: new LargeFile(params.largeBytes, params.seed + 1),
    renamed: directories
      .slice(1)
      .reverse()
      .filter((_, index) => index % step === 0),
    many: makeCorpus(MANY, { ...params, seed: params.seed + 2, files: MANY_FILES }),
    found: files.filter((file) => file.path.endsWith(".ts")).length,
    entries: files.length + directories.length - 1,
    characters: files.reduce((sum, file) => sum + file.text.length, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  };
}
