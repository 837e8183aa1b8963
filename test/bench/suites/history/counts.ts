/** What history costs, exactly: the budgets of its issue. */
import type { FsSubject } from "../../contender.ts";
import type { CountRow } from "../../suite.ts";
import { type Load, ROOT } from "./load.ts";
import { fill, has } from "./rows.ts";

const UNDONE = 100;
let moment = "";

export async function beforeCounts(fs: FsSubject, { files }: Load): Promise<void> {
  await fill(fs, files);
}

export const counts: CountRow<Load>[] = [
  {
    id: "snapshot",
    label: "snapshot",
    budget: { statements: 2, rowsWritten: 2 },
    run: async (fs) => {
      moment = await has(fs).take(ROOT);
    },
  },
  {
    id: "undo-one",
    label: "undo one edit",
    budget: { statements: 1 / 5 + 10 },
    prepare: (fs, { edited }) => has(fs).edit(edited.path, edited.text),
    run: (fs, { edited }) => has(fs).undo(moment, edited.path),
  },
  {
    id: "undo-many",
    label: `undo a call that changed ${UNDONE} files`,
    budget: { statements: UNDONE / 5 + 10 },
    prepare: (fs, { changed }) => fill(fs, changed.slice(0, UNDONE)),
    run: (fs) => has(fs).undo(moment, ROOT),
  },
  {
    id: "create",
    label: "create a 3 KB file with history on",
    budget: { statements: 4, rowsWritten: 5 },
    prepare: async (fs) => void (await fs.list(`${ROOT}/d0`)),
    run: (fs) => fs.writeText(`${ROOT}/d0/new.ts`, "x".repeat(3000)),
  },
];
