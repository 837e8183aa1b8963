/** What is timed, and how much faster than each peer it must be. */
import type { FsSubject, TextFile } from "../../contender.ts";
import type { Goal, Row } from "../../suite.ts";
import { type Load, RENAMES, TREE } from "./load.ts";
import { makeParents, writeAll } from "./write-all.ts";

const MOVED = `${TREE}-moved`;
const LARGE = "/workspace/large.bin";
const PATTERN = "**/*.ts";
const TIMES = 5;

const faster = { shell: { above: 1 }, agentfs: { above: 1 } } satisfies Record<string, Goal>;
const timesComputer = (factor: number) => ({ ...faster, computer: { atLeast: factor } });

export const rows: Row<Load>[] = [
  {
    id: "write",
    label: "write all, one by one",
    group: "small",
    goals: timesComputer(3),
    run: async (fs, { directories, files }) => {
      await makeParents(fs, directories);
      for (const file of files) await fs.writeText(file.path, file.text);
    },
    verify: (fs, { files }) => verifySamples(fs, files),
  },
  {
    id: "read",
    label: "read all",
    group: "small",
    goals: timesComputer(3),
    run: async (fs, { files, characters }) => {
      let read = 0;
      for (const file of files) read += (await fs.readText(file.path)).length;
      mustEqual(read, characters, "characters read");
    },
  },
  {
    id: "stat",
    label: `stat all, ${TIMES} times`,
    group: "small",
    goals: timesComputer(10),
    run: async (fs, { files, bytes }) => {
      let seen = 0;
      for (let lap = 0; lap < TIMES; lap++) for (const file of files) seen += await fs.stat(file.path);
      mustEqual(seen, bytes * TIMES, "bytes by stat");
    },
  },
  {
    id: "list",
    label: `list all directories, ${TIMES} times`,
    group: "small",
    goals: faster,
    run: async (fs, { directories, entries }) => {
      let seen = 0;
      for (let lap = 0; lap < TIMES; lap++) for (const directory of directories) seen += await fs.list(directory);
      mustEqual(seen, entries * TIMES, "entries listed");
    },
  },
  {
    id: "find",
    label: `find ${PATTERN}, ${TIMES} times`,
    group: "small",
    goals: timesComputer(5),
    run: async (fs, { found }) => {
      for (let lap = 0; lap < TIMES; lap++) mustEqual(await fs.find?.(TREE, PATTERN), found, "files found");
    },
  },
  {
    id: "rename",
    label: `rename ${RENAMES} directories, then the whole tree`,
    group: "small",
    goals: faster,
    run: async (fs, { renamed }) => {
      for (const directory of renamed) await fs.rename(directory, `${directory}-moved`);
      await fs.rename(TREE, MOVED);
    },
    verify: (fs, { files, renamed }) =>
      verifySamples(
        fs,
        files.map((file) => ({ ...file, path: pathAfterRename(file.path, renamed) })),
      ),
  },
  {
    id: "remove",
    label: "rm -r the tree",
    group: "small",
    goals: timesComputer(10),
    run: (fs) => fs.removeTree(MOVED),
    verify: (fs) => mustBeGone(fs, MOVED),
  },
  {
    id: "collect",
    label: "free what rm -r left for later",
    group: "small",
    goals: {},
    run: async (fs) => fs.collect?.(),
  },
  {
    id: "bulk",
    label: "bulk write of the same files",
    group: "bulk",
    goals: timesComputer(10),
    run: (fs, { directories, files }) => writeAll(fs, directories, files),
    verify: (fs, { files }) => verifySamples(fs, files),
  },
  {
    id: "large-write",
    label: "write one large file as a stream",
    group: "large",
    goals: faster,
    prepare: (fs) => fs.makeDirectories("/workspace"),
    run: async (fs, { large }) => fs.writeStream?.(LARGE, large.stream()),
    verify: async (fs, { large }) => mustEqual(await fs.stat(LARGE), large.bytes, "size of the large file"),
  },
  {
    id: "large-read",
    label: "read it back as a stream",
    group: "large",
    goals: faster,
    run: async (fs, { large }) => {
      const { bytes, wrong } = await large.check((await fs.readStream?.(LARGE)) ?? nothing());
      mustEqual(bytes, large.bytes, "bytes streamed");
      mustEqual(wrong, 0, "wrong bytes");
    },
  },
];

async function verifySamples(fs: FsSubject, files: readonly TextFile[]): Promise<void> {
  for (const index of [0, files.length >> 1, files.length - 1]) {
    const file = files[index] as TextFile;
    if ((await fs.readText(file.path)) !== file.text) throw new Error(`wrong content in ${file.path}`);
  }
}

/** Each renamed directory changed one component in place; the tree itself moved last. */
function pathAfterRename(path: string, renamed: readonly string[]): string {
  let at = path;
  for (const directory of renamed) {
    if (at.startsWith(`${directory}/`)) at = `${directory}-moved${at.slice(directory.length)}`;
  }
  return MOVED + at.slice(TREE.length);
}

async function mustBeGone(fs: FsSubject, path: string): Promise<void> {
  const size = await fs.stat(path).catch(() => null);
  if (size !== null) throw new Error(`${path} is still there`);
}

function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual}, not ${expected}`);
}

async function* nothing(): AsyncIterable<Uint8Array> {}
