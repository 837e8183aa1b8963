/** What the records of a command cost: one row when it begins, one for its output, one when it ends. */
import type { FsSubject } from "../../contender.ts";
import type { CountRow } from "../../suite.ts";
import { type Load, plant, TREE } from "./load.ts";

export async function beforeCounts(subject: FsSubject, load: Load): Promise<void> {
  await plant(subject, load);
  await subject.exec!("true", TREE);
}

export const counts: CountRow<Load>[] = [
  {
    id: "exec",
    label: "run `echo hello`",
    budget: { statements: 3, rowsRead: 1, rowsWritten: 3 },
    run: (subject) => subject.exec!("echo hello", TREE),
  },
];
