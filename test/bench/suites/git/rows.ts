/** What is timed: what people and agents do with git all day, in a clone that the suite itself makes. */
import type { FsSubject } from "../../contender.ts";
import type { Goal, Row } from "../../suite.ts";
import type { Load } from "./load.ts";

const REPOSITORY = "/workspace/repo";
const WIDE = "/workspace/wide";
const PACKS = "/workspace/packs";

const within = (times: number): Goal => ({ atLeast: 1 / times });
const goals = (native: number, computer: number): Record<string, Goal> => ({
  git: within(native),
  computer: { atLeast: computer },
});

export const rows: Row<Load>[] = [
  {
    id: "clone",
    label: "clone, 40 000 objects, 35 MB",
    group: "history",
    goals: goals(1.3, 2.5),
    run: async (fs, { origin, history }) => {
      await git(fs, "/workspace", "clone", "--no-single-branch", `${origin}/${history}.git`, REPOSITORY);
    },
    verify: async (fs) => mustBeClean(await git(fs, REPOSITORY, "status", "--porcelain")),
  },
  {
    id: "status-clean",
    label: "status, clean tree, 2 000 files, warm",
    group: "history",
    goals: goals(2, 20),
    prepare: async (fs) => void (await git(fs, REPOSITORY, "status", "--porcelain")),
    run: async (fs) => mustBeClean(await git(fs, REPOSITORY, "status", "--porcelain")),
  },
  {
    id: "status-edit",
    label: "status after one edit",
    group: "history",
    goals: goals(3, 20),
    prepare: (fs) => edit(fs, REPOSITORY, "status"),
    run: async (fs) => mustHaveOne(await git(fs, REPOSITORY, "status", "--porcelain")),
  },
  {
    id: "commit",
    label: "commit of one changed file",
    group: "history",
    goals: goals(5, 5),
    prepare: async (fs) => {
      await edit(fs, REPOSITORY, "commit");
      await git(fs, REPOSITORY, "add", await someFile(fs, REPOSITORY));
    },
    run: async (fs) => void (await git(fs, REPOSITORY, "commit", "-m", "one file")),
    verify: async (fs) => mustBeClean(await git(fs, REPOSITORY, "status", "--porcelain")),
  },
  {
    id: "log",
    label: "log -n 100",
    group: "history",
    goals: goals(5, 10),
    run: async (fs) => {
      const commits = (await git(fs, REPOSITORY, "log", "-n", "100")).split(/^commit /m).length - 1;
      if (commits < 30) throw new Error(`log listed ${commits} commits`);
    },
  },
  {
    id: "diff",
    label: "diff HEAD~1",
    group: "history",
    goals: goals(5, 10),
    run: async (fs) => {
      if (!(await git(fs, REPOSITORY, "diff", "HEAD~1")).includes("bench was here: commit")) {
        throw new Error("diff does not show the last commit");
      }
    },
  },
  {
    id: "switch",
    label: "switch to a branch 500 files away",
    group: "history",
    goals: goals(3, 5),
    run: async (fs) => void (await git(fs, REPOSITORY, "checkout", "far")),
    verify: async (fs) => mustBeClean(await git(fs, REPOSITORY, "status", "--porcelain")),
  },
  {
    id: "wide-clone",
    label: "clone, 20 000 files",
    group: "wide",
    goals: goals(1.3, 2.5),
    run: async (fs, { origin, wide }) => void (await git(fs, "/workspace", "clone", `${origin}/${wide}.git`, WIDE)),
    verify: async (fs) => mustBeClean(await git(fs, WIDE, "status", "--porcelain")),
  },
  {
    id: "wide-status-clean",
    label: "status, clean tree, 20 000 files, warm",
    group: "wide",
    goals: goals(2, 20),
    prepare: async (fs) => void (await git(fs, WIDE, "status", "--porcelain")),
    run: async (fs) => mustBeClean(await git(fs, WIDE, "status", "--porcelain")),
  },
  {
    id: "wide-status-edit",
    label: "status after one edit, 20 000 files",
    group: "wide",
    goals: goals(3, 20),
    prepare: (fs) => edit(fs, WIDE, "status"),
    run: async (fs) => mustHaveOne(await git(fs, WIDE, "status", "--porcelain")),
  },
  {
    id: "index-pack",
    label: "index a pack, 40 000 objects, 35 MB",
    group: "pack",
    goals: { isomorphic: { atLeast: 3 } },
    prepare: downloadPack,
    run: async (fs) => void (await git(fs, PACKS, "index-pack", "bench.pack")),
    verify: async (fs) => {
      // A pack says in its header how many objects it has, an index in the last entry of its fan-out table.
      const [packed, indexed] = await Promise.all([
        numberAt(fs, "bench.pack", 8),
        numberAt(fs, "bench.idx", 8 + 255 * 4),
      ]);
      if (packed === 0 || packed !== indexed) throw new Error(`the index has ${indexed} of ${packed} objects`);
    },
  },
];

async function downloadPack(fs: FsSubject, { origin, history }: Load): Promise<void> {
  const objects = `${origin}/${history}.git/objects`;
  const packs = await (await fetch(`${objects}/info/packs`)).text();
  const name = /pack-[0-9a-f]+\.pack/.exec(packs)?.[0];
  if (name === undefined) throw new Error("the repository has no pack");
  const { body } = await fetch(`${objects}/pack/${name}`);
  await fs.makeDirectories(PACKS);
  await fs.writeStream?.(`${PACKS}/bench.pack`, body as ReadableStream<Uint8Array>);
}

/** Four bytes, the most significant first. */
async function numberAt(fs: FsSubject, name: string, offset: number): Promise<number> {
  const head = new Uint8Array(offset + 4);
  let length = 0;
  for await (const chunk of (await fs.readStream?.(`${PACKS}/${name}`)) ?? []) {
    head.set(chunk.subarray(0, head.length - length), length);
    length = Math.min(head.length, length + chunk.length);
    if (length === head.length) break;
  }
  return new DataView(head.buffer).getUint32(offset);
}

async function git(fs: FsSubject, cwd: string, ...argv: string[]): Promise<string> {
  if (fs.git === undefined) throw new Error("it has no git");
  return fs.git(argv, cwd);
}

/** Some file that is there in every clone, the same for all contenders. */
async function someFile(fs: FsSubject, repository: string): Promise<string> {
  return (await git(fs, repository, "ls-files")).split("\n")[0] as string;
}

async function edit(fs: FsSubject, repository: string, what: string): Promise<void> {
  const path = `${repository}/${await someFile(fs, repository)}`;
  await fs.writeText(path, `bench was here: ${what}\n${await fs.readText(path)}`);
}

function mustBeClean(status: string): void {
  if (status.trim() !== "") throw new Error(`the tree is not clean: ${status.slice(0, 200)}`);
}

function mustHaveOne(status: string): void {
  if (status.trim().split("\n").length !== 1 || status.trim() === "") {
    throw new Error(`one file was edited, but: ${status.slice(0, 200)}`);
  }
}
