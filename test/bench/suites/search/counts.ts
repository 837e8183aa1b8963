/** What writes cost in a tree that is searched: no more than in one that is not. And what a search itself costs. */
import type { FsSubject } from "../../contender.ts";
import type { CountRow } from "../../suite.ts";
import { makeText } from "../../worker/corpus.ts";
import { type Load, SMALL } from "./load.ts";
import { fill, grepRare } from "./rows.ts";

const DEEP = "/workspace/count/a/b";

/** Searched, and as ready for the next search as it gets. */
export async function beforeCounts(fs: FsSubject, { small }: Load): Promise<void> {
  await fill(fs, small);
  await fs.makeDirectories(DEEP);
  await grepRare(fs, small, 0);
  await fs.settle?.(small.root);
}

export const counts: CountRow<Load>[] = [
  {
    id: "create",
    label: "create a 3 KB file in a searched tree",
    budget: { statements: 4, rowsWritten: 5 },
    prepare: async (fs) => {
      await fs.writeText(`${DEEP}/sibling.ts`, "export {};\n");
      await fs.list(DEEP);
    },
    run: (fs) => fs.writeText(`${DEEP}/file.ts`, makeText(3000, 1).text),
  },
  {
    id: "overwrite",
    label: "overwrite it",
    budget: { statements: 3, rowsWritten: 3 },
    run: (fs) => fs.writeText(`${DEEP}/file.ts`, makeText(3000, 2).text),
  },
  {
    id: "grep-warm",
    label: "rare literal, 2 000 files, warm",
    budget: { statements: 60 },
    prepare: (fs, { small }) => grepRare(fs, small, 1),
    run: (fs, { small }) => grepRare(fs, small, 2),
  },
  {
    id: "rename",
    label: "rename the searched tree",
    budget: { statements: 4, rowsWritten: 6 },
    run: (fs) => fs.rename(SMALL, `${SMALL}-moved`),
  },
  {
    id: "grep-moved",
    label: "rare literal in the moved tree",
    budget: { statements: 60 },
    run: (fs, { small }) => grepRare(fs, { ...small, root: `${SMALL}-moved` }, 3),
  },
];
