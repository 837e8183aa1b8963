/** What is timed: taking a moment down, going back to it, taking back one edit, and looking at a file as it was. */
import type { FsSubject, TextFile } from "../../contender.ts";
import type { Row } from "../../suite.ts";
import { type Load, ROOT } from "./load.ts";

const AT_ONCE = 2000;

/** The moment that the rows of a round go back to; rows of one group follow one another on one object. */
const moments = new WeakMap<FsSubject, string>();

export const rows: Row<Load>[] = [
  {
    id: "snapshot",
    label: "snapshot of 20 000 files",
    group: "history",
    goals: {},
    prepare: (fs, { files }) => fill(fs, files),
    run: async (fs) => void moments.set(fs, await has(fs).take(ROOT)),
  },
  {
    id: "read-past",
    label: "read a file as it was, after 1 000 changed",
    group: "history",
    goals: {},
    prepare: (fs, { changed }) => fill(fs, changed),
    run: async (fs, { files, changed }) => {
      const path = changed[0]?.path as string;
      const text = await has(fs).read(momentOf(fs), path);
      if (text !== files.find((file) => file.path === path)?.text) throw new Error("not what it was");
    },
  },
  {
    id: "restore",
    label: "restore 1 000 changed files of 20 000",
    group: "history",
    goals: {},
    run: (fs) => has(fs).restore(momentOf(fs), ROOT),
    verify: async (fs, { files, changed }) => {
      for (const { path } of [changed[0], changed.at(-1)] as TextFile[]) {
        if ((await fs.readText(path)) !== files.find((file) => file.path === path)?.text)
          throw new Error(`${path} was not restored`);
      }
    },
  },
  {
    id: "undo",
    label: "undo one edit",
    group: "history",
    goals: {},
    prepare: (fs, { edited }) => has(fs).edit(edited.path, edited.text),
    run: (fs, { edited }) => has(fs).undo(momentOf(fs), edited.path),
    verify: async (fs, { files, edited }) => {
      if ((await fs.readText(edited.path)) !== files.find(({ path }) => path === edited.path)?.text)
        throw new Error("the edit is still there");
    },
  },
];

export async function fill(fs: FsSubject, files: readonly TextFile[]): Promise<void> {
  if (fs.writeMany === undefined) throw new Error("it cannot write many");
  for (let at = 0; at < files.length; at += AT_ONCE) await fs.writeMany(files.slice(at, at + AT_ONCE));
}

export function has(fs: FsSubject): NonNullable<FsSubject["past"]> {
  if (fs.past === undefined) throw new Error("it has no past");
  return fs.past;
}

function momentOf(fs: FsSubject): string {
  const moment = moments.get(fs);
  if (moment === undefined) throw new Error("no snapshot was taken");
  return moment;
}
