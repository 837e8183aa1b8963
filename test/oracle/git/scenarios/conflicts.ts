/** Merges that cannot be finished: every kind of conflict, its markers, stages and messages, and the ways out. */
import type { Scenario, Step } from "../scenario.ts";

interface Change {
  readonly write?: Record<string, string | Uint8Array>;
  readonly steps?: readonly Step[];
}

/** The base on main, then one commit on `topic` and one on `main`. */
function histories(start: Record<string, string | Uint8Array>, ours: Change, theirs: Change): Step[] {
  const commit = ({ write, steps = [] }: Change, name: string): Step[] => [
    ...(write ? [{ write }] : []),
    ...steps,
    "git add -A",
    `git commit -q -m ${name}`,
  ];
  return [
    "git init -q -b main",
    ...commit({ write: start }, "base"),
    "git switch -q -c topic",
    ...commit(theirs, "theirs"),
    "git switch -q main",
    ...commit(ours, "ours"),
  ];
}

const lines = (...words: string[]) => words.map((word) => `${word}\n`).join("");
const ten = Array.from({ length: 10 }, (_, i) => `line ${i}`);
const with5 = (word: string) => lines(...ten.slice(0, 5), word, ...ten.slice(6));
const both = histories(
  { "f.txt": lines(...ten), "g.txt": "g\n" },
  { write: { "f.txt": with5("ours") } },
  { write: { "f.txt": with5("theirs"), "g.txt": "G\n" } },
);

export const conflicts: Scenario[] = [
  {
    name: "conflict: content, and the ways out",
    steps: [
      ...both,
      "git merge topic",
      "git status",
      "git ls-files -s",
      "git diff",
      "git merge topic",
      "git commit -m x",
      "git merge --continue",
      "git merge --abort",
      "git status",
      "git merge topic",
      { write: { "f.txt": with5("both") } },
      "git merge topic",
      "git add f.txt",
      "git merge topic",
      "git status",
      { git: ["merge", "--continue"], env: { GIT_EDITOR: ":" } },
      "git log -n 1 --format=%B%p",
      "git status",
    ],
  },
  {
    name: "conflict: commit with the message that was prepared",
    steps: [
      ...both,
      "git merge --no-ff -m 'my message' topic",
      { write: { "f.txt": "resolved\n" } },
      "git commit -q -a --no-edit",
      "git log -n 1 --format=%B%p",
      "git reflog -n 2",
    ],
  },
  {
    name: "conflict: what is only edited survives --abort and reset --merge",
    steps: [
      ...both,
      { write: { "other.txt": "other\n" } },
      "git add other.txt",
      "git commit -q -m other",
      { write: { "other.txt": "edited\n", untracked: "untracked\n" } },
      "git merge topic",
      "git status --short",
      "git merge --abort",
      "git status --short",
      "git merge topic",
      "git reset --merge",
      "git status --short",
    ],
  },
  {
    name: "conflict: styles and sides",
    steps: [
      ...both,
      "git -c merge.conflictStyle=diff3 merge topic",
      "git diff",
      "git merge --abort",
      "git -c merge.conflictStyle=zdiff3 merge topic",
      "git diff",
      "git merge --quit",
      "git status",
      "git reset -q --hard",
      "git merge -X ours topic",
      "git show --format=%s HEAD:f.txt",
      "git reset -q --hard HEAD~1",
      "git merge -X theirs -q topic",
      "git show HEAD:f.txt",
      "git reset -q --hard HEAD~1",
      "git merge --squash topic",
      "git status",
    ],
  },
  {
    name: "conflict: attributes: binary, union, marker size",
    steps: [
      ...histories(
        {
          "f.txt": with5("x"),
          "u.txt": with5("x"),
          "m.txt": with5("x"),
          "b.bin": new Uint8Array([0, 1, 2, 3]),
          ".gitattributes": "f.txt -merge\nu.txt merge=union\nm.txt conflict-marker-size=12\n",
        },
        {
          write: {
            "f.txt": with5("o"),
            "u.txt": with5("o"),
            "m.txt": with5("o"),
            "b.bin": new Uint8Array([0, 1, 2, 4]),
          },
        },
        {
          write: {
            "f.txt": with5("t"),
            "u.txt": with5("t"),
            "m.txt": with5("t"),
            "b.bin": new Uint8Array([0, 1, 2, 5]),
          },
        },
      ),
      "git merge topic",
      "git status --short",
      "git merge --abort",
      "git merge -X theirs topic",
    ],
  },
  {
    name: "conflict: add/add, modify/delete both ways",
    steps: [
      ...histories(
        { "a.txt": lines(...ten), "b.txt": lines(...ten) },
        { write: { "a.txt": with5("ours"), "new.txt": "ours\n" }, steps: ["git rm -q b.txt"] },
        { write: { "b.txt": with5("theirs"), "new.txt": "theirs\n" }, steps: ["git rm -q a.txt"] },
      ),
      "git merge topic",
      "git status",
      "git ls-files -s",
      "git merge --abort",
    ],
  },
  {
    name: "conflict: renames",
    steps: [
      ...histories(
        {
          "a.txt": lines(...ten),
          "b.txt": lines("b", ...ten),
          "c.txt": lines("c", ...ten),
          "d.txt": lines("d", ...ten, "d"),
        },
        {
          write: { "d.txt": lines("d", ...ten, "dd") },
          steps: ["git mv a.txt a1.txt", "git mv b.txt b1.txt", "git rm -q c.txt"],
        },
        {
          steps: [
            "git mv a.txt a2.txt",
            "git mv c.txt c2.txt",
            "git mv d.txt d2.txt",
            { append: { "b.txt": "more\n" } },
          ],
        },
      ),
      "git merge topic",
      "git status",
      "git ls-files -s",
    ],
  },
  {
    name: "conflict: renamed onto an added file, and two into one",
    steps: [
      ...histories(
        { "a.txt": lines("a", ...ten), "b.txt": lines(...ten, "b"), "c.txt": lines("c", ...ten, "c") },
        { write: { "added.txt": "ours\n" }, steps: ["git mv a.txt one.txt"] },
        { steps: ["git mv b.txt one.txt", "git mv c.txt added.txt"] },
      ),
      "git merge topic",
      "git status --short",
    ],
  },
  {
    name: "conflict: a directory that moved",
    steps: [
      ...histories(
        { "old/a.txt": lines("a", ...ten), "old/b.txt": lines("b", ...ten), "old/sub/c.txt": lines("c", ...ten) },
        { steps: ["git mv old new"] },
        { write: { "old/d.txt": "d\n", "old/sub/e.txt": "e\n" } },
      ),
      "git merge topic",
      "git status --short",
      "git merge --abort",
      "git -c merge.directoryRenames=true merge topic",
      "git reset -q --hard HEAD~1",
      "git -c merge.directoryRenames=false merge topic",
      "git ls-files",
    ],
  },
  {
    name: "conflict: file and directory, file and link, modes",
    steps: [
      ...histories(
        { x: "x\n", "run.sh": "#!/bin/sh\n", "t.txt": "t\n", same: "same\n" },
        {
          write: { path: "a file\n", "t.txt": "T\n" },
          steps: ["git rm -q same", { chmod: ["run.sh", 0o755] }, { symlink: ["link", "x"] }],
        },
        {
          write: { "path/in": "a directory\n", "same/deep": "deep\n", link: "a file\n", "run.sh": "#!/bin/sh\necho\n" },
          steps: ["git rm -q --cached t.txt", { remove: "t.txt" }, { symlink: ["t.txt", "x"] }],
        },
      ).filter((step) => !(typeof step === "object" && "write" in step && "same/deep" in step.write)),
      "git merge topic",
      "git status --short",
      "git ls-files -s",
    ],
  },
  {
    name: "conflict: links that lead elsewhere, and modes on both sides",
    steps: [
      ...histories(
        { x: "x\n", l: "placeholder\n" },
        { steps: [{ remove: "l" }, { symlink: ["l", "ours"] }] },
        { steps: [{ remove: "l" }, { symlink: ["l", "theirs"] }] },
      ),
      "git merge topic",
      "git status --short",
      "git ls-files -s",
    ],
  },
  {
    name: "conflict: line endings",
    steps: [
      ...histories(
        { "f.txt": "a\r\nb\r\nc\r\n" },
        { write: { "f.txt": "a\r\nours\r\nc\r\n" } },
        { write: { "f.txt": "a\r\ntheirs\r\nc\r\n" } },
      ),
      "git merge topic",
      "git diff",
      "git merge --abort",
      "git merge -X ignore-space-change topic",
    ],
  },
  {
    name: "conflict: criss-cross, with several bases",
    steps: [
      ...histories(
        { "f.txt": lines(...ten), "g.txt": "g\n" },
        { write: { "f.txt": with5("ours") } },
        { write: { "f.txt": with5("theirs") } },
      ),
      "git branch old-topic topic",
      "git merge topic",
      { write: { "f.txt": with5("main merged") } },
      "git commit -q -a -m 'main merges'",
      "git switch -q topic",
      "git merge main~1",
      { write: { "f.txt": with5("topic merged") } },
      "git commit -q -a -m 'topic merges'",
      "git -c merge.conflictStyle=diff3 merge main",
      "git diff",
      "git merge --abort",
      "git merge main",
    ],
  },
];
