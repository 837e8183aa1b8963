/** What single operations may cost ours: the table of the issue, "What it must cost". */
import type { FsSubject } from "../../contender.ts";
import type { CountRow } from "../../suite.ts";
import { makeText } from "../../worker/corpus.ts";
import { type Load, MANY, MANY_FILES } from "./load.ts";
import { writeAll } from "./write-all.ts";

/** Four directories above a file in it. */
const DEEP = "/workspace/count/a/b";

/** A workspace of a few thousand files, so that nothing is cheap only because it is empty. */
export async function beforeCounts(fs: FsSubject, { directories, files }: Load): Promise<void> {
  await writeAll(fs, directories, files);
  await fs.makeDirectories(DEEP);
}

export const counts: CountRow<Load>[] = [
  {
    id: "create",
    label: "create a 3 KB file, depth 4",
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
    id: "read",
    label: "read it",
    budget: { statements: 1, rowsRead: 2 },
    run: (fs) => fs.readText(`${DEEP}/file.ts`),
  },
  {
    id: "stat",
    label: "stat it again",
    budget: { statements: 0 },
    run: (fs) => fs.stat(`${DEEP}/file.ts`),
  },
  {
    id: "list",
    label: "readdir of a warm directory",
    budget: { statements: 0 },
    prepare: async (fs) => void (await fs.list(DEEP)),
    run: (fs) => fs.list(DEEP),
  },
  {
    id: "mkdir",
    label: "mkdir -p, 4 levels",
    budget: { statements: 4, rowsWritten: 14 },
    run: (fs) => fs.makeDirectories(`${DEEP}/m1/m2/m3/m4`),
  },
  {
    id: "create-1mb",
    label: "create a 1 MB file",
    budget: { statements: 4, rowsWritten: 6 },
    run: (fs) => fs.writeText(`${DEEP}/megabyte.ts`, makeText(1_000_000, 3).text),
  },
  {
    id: "write-many",
    label: `writeMany of ${MANY_FILES} files`,
    budget: { statements: MANY_FILES / 10 + 10 },
    run: (fs, { many }) => writeAll(fs, many.directories, many.files),
  },
  {
    id: "rename",
    label: `rename a directory of ${MANY_FILES} files`,
    budget: { statements: 4, rowsWritten: 6 },
    run: (fs) => fs.rename(MANY, `${MANY}-moved`),
  },
  {
    id: "remove",
    label: "rm -r it",
    budget: { statements: 4, rowsWritten: 4 },
    run: (fs) => fs.removeTree(`${MANY}-moved`),
  },
  {
    id: "stat-cold",
    label: "stat of a cold path, depth 4",
    budget: { statements: 1, rowsRead: 10 },
    cold: true,
    run: (fs) => fs.stat(`${DEEP}/file.ts`),
  },
];
