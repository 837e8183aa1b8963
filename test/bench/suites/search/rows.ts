/** What is timed, and how it must compare: with the peers how many times faster, with ripgrep how many times slower at most. */
import type { FsSubject } from "../../contender.ts";
import type { Goal, Row } from "../../suite.ts";
import { writeAll } from "../fs/write-all.ts";
import { HARD, type Load, MANY_HITS, NAMES, type SearchTree } from "./load.ts";

const notSlower = { atLeast: 1 } satisfies Goal;
const within = (times: number): Goal => ({ atLeast: 1 / times });
const faster = { shell: { above: 1 } } satisfies Record<string, Goal>;

/** Files per bulk write: contenders limit it. */
const FILES_AT_ONCE = 2000;

export const rows: Row<Load>[] = [
  {
    id: "grep-first",
    label: "rare literal, 12 MB, first search",
    group: "small",
    goals: { ...faster, computer: { atLeast: 15 } },
    prepare: (fs, { small }) => fill(fs, small),
    run: (fs, { small }) => grepRare(fs, small, 0),
  },
  {
    id: "grep-many",
    label: "regex with many hits, 12 MB",
    group: "small",
    goals: { ...faster, computer: { atLeast: 10 }, rg: within(4) },
    prepare: async (fs, { small }) => fs.settle?.(small.root),
    run: (fs, { small }) => grepMany(fs, small),
  },
  {
    id: "grep-hard",
    label: "a pattern that needs the linear-time engine, counted",
    group: "small",
    goals: { rg: within(10) },
    run: async (fs, { small }) => {
      const found = await fs.grep?.(small.root, { pattern: HARD, regex: true, count: true });
      mustEqual(found, small.hardLines, "lines of the hard pattern");
    },
  },
  {
    id: "grep-large-warm",
    label: "rare literal, 100 MB, warm",
    group: "large",
    goals: { ...faster, computer: { atLeast: 200 }, rg: notSlower },
    prepare: async (fs, { large }) => {
      await fill(fs, large);
      await fs.settle?.(large.root);
    },
    run: (fs, { large }) => grepRare(fs, large, 0),
  },
  {
    id: "grep-large-many",
    label: "regex with many hits, 100 MB, warm",
    group: "large",
    goals: { ...faster, computer: { atLeast: 10 }, rg: within(4) },
    run: (fs, { large }) => grepMany(fs, large),
  },
  {
    id: "glob-large",
    label: `glob ${NAMES}, 20 000 files, warm`,
    group: "large",
    goals: { ...faster, computer: { atLeast: 10 }, rg: notSlower },
    prepare: (fs, { large }) => glob(fs, large),
    run: (fs, { large }) => glob(fs, large),
  },
];

export async function fill(fs: FsSubject, { directories, files }: SearchTree): Promise<void> {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    await writeAll(fs, at === 0 ? directories : [], files.slice(at, at + FILES_AT_ONCE));
  }
}

/** Each call has another `at`, so that no contender answers from a cache. */
export async function grepRare(fs: FsSubject, { root, rare, rareLines }: SearchTree, at: number): Promise<void> {
  mustEqual(
    await fs.grep?.(root, { pattern: rare[at] as string, regex: false }),
    rareLines,
    "lines of the rare literal",
  );
}

async function grepMany(fs: FsSubject, { root, manyLines }: SearchTree): Promise<void> {
  mustEqual(await fs.grep?.(root, { pattern: MANY_HITS, regex: true }), manyLines, "lines of many");
}

async function glob(fs: FsSubject, { root, named }: SearchTree): Promise<void> {
  const names = fs.glob ?? fs.find;
  mustEqual(await names?.call(fs, root, NAMES), named, "files by name");
}

function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual}, not ${expected}`);
}
