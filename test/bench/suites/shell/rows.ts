/** What is timed: commands as agents give them. Every result is checked. */
import type { FsSubject } from "../../contender.ts";
import type { Row } from "../../suite.ts";
import { type Load, plant, TREE } from "./load.ts";

async function must(subject: FsSubject, script: string, expected: string): Promise<void> {
  const found = await subject.exec!(script, TREE);
  if (found !== expected) throw new Error(`${script}: ${JSON.stringify(found.slice(0, 200))}`);
}

export const rows: Row<Load>[] = [
  {
    id: "echo",
    label: "echo, 20 commands one after the other",
    group: "shell",
    goals: {},
    prepare: async (subject, load) => {
      await plant(subject, load);
      await must(subject, "echo warm", "warm\n");
    },
    run: async (subject) => {
      for (let i = 0; i < 20; i++) await must(subject, `echo ${i}`, `${i}\n`);
    },
  },
  {
    id: "loop",
    label: "a loop of 2 000 turns with arithmetic",
    group: "shell",
    goals: {},
    run: (subject) => must(subject, "s=0; for i in $(seq 1 2000); do s=$((s + i)); done; echo $s", "2001000\n"),
  },
  {
    id: "pipe",
    label: "seq, sort and uniq over 20 000 lines",
    group: "shell",
    goals: {},
    run: (subject) => must(subject, "seq 1 20000 | sed 's/.*\\(.\\)$/\\1/' | sort | uniq -c | wc -l", "10\n"),
  },
  {
    id: "read",
    label: "cat of 200 files into wc",
    group: "shell",
    goals: {},
    run: (subject, { feeds }) => must(subject, "cat d*/*.ts | wc -l", `${feeds}\n`),
  },
  {
    id: "grep",
    label: "grep -rc over 200 files",
    group: "shell",
    goals: {},
    run: (subject, { lines }) => must(subject, "grep -rc '' . | awk -F: '{s += $2} END {print s}'", `${lines}\n`),
  },
  {
    id: "edit",
    label: "sed -i on 200 files",
    group: "shell",
    goals: {},
    run: (subject) =>
      must(subject, "for f in d*/*.ts; do sed -i '1s/^/x/' $f; done; grep -l ^x d*/*.ts | wc -l", "200\n"),
  },
];
