/** An index file that is empty (as `mktemp` makes it), missing or no index, and the version of a new one. */
import type { Scenario, Step } from "../scenario.ts";

const start: Step[] = [
  "git init -q -b main",
  { write: { a: "a\n", b: "b\n" } },
  "git add .",
  "git commit -q -m one",
  { write: { a: "changed\n" } },
  "git commit -q -a -m two",
];

const elsewhere = { GIT_INDEX_FILE: "<root>/.git/other" };
const READERS = ["status --short", "ls-files -s", "write-tree", "diff --cached --stat", "diff-index HEAD", "add a"];
const CHANGERS = ["reset -q", "rm --cached a", "commit -q -m no", "read-tree -m HEAD", "read-tree --reset HEAD"];
const OTHERS = ["log --stat --format=%s", "show --format=%s", "diff --stat HEAD~1 HEAD", "grep a HEAD", "branch other"];

const words = (line: string, cwd?: string) => ({ git: line.split(" "), env: elsewhere, ...(cwd ? { cwd } : {}) });

/** Byte 7 of the file is the version: the lines of version 4 are shorter. */
const versions = (step: Step, env: Record<string, string> = {}): Step[] => [
  { remove: ".git/index" },
  typeof step === "string" ? { git: step.split(" ").slice(1), env } : step,
  // A binary file, so the patch says how large it is.
  "git diff --no-index --stat .git/HEAD .git/index",
];

export const damagedIndex: Scenario[] = [
  {
    name: "an empty index file is an error for readers, and read-tree replaces it",
    steps: [
      ...start,
      { write: { ".git/other": "" } },
      ...[...READERS, ...CHANGERS, ...OTHERS].map((line) => words(line)),
      words("read-tree HEAD"),
      words("ls-files -s"),
      words("status --short"),
      { write: { ".git/other": "" } },
      words("read-tree HEAD HEAD~1"),
      words("ls-files -s"),
      { write: { ".git/other": "no index at all, but as long as one has to be" } },
      words("ls-files"),
      words("read-tree HEAD"),
      words("ls-files -s"),
      { write: { ".git/other": "" } },
      words("read-tree --empty"),
      words("ls-files -s"),
    ],
  },
  {
    name: "a missing index file is an empty index",
    steps: [
      ...start,
      words("status --short"),
      words("ls-files -s"),
      words("write-tree"),
      words("diff --cached --stat"),
      words("add a"),
      words("ls-files -s"),
    ],
  },
  {
    name: "messages name the index as git found it",
    steps: [
      ...start,
      { mkdir: "sub" },
      { write: { ".git/index": "" } },
      "git status",
      { git: ["status"], cwd: "sub" },
      "git --git-dir=.git status",
      { git: ["--git-dir=<root>/.git", "--work-tree=<root>", "status"], cwd: "sub" },
      { git: ["status"], env: { GIT_INDEX_FILE: ".git/index" } },
      "git log --stat --format=%s",
      "git read-tree HEAD",
      "git status --short",
    ],
  },
  {
    name: "index.version and GIT_INDEX_VERSION are those of a new index",
    steps: [
      "git init -q -b main",
      { write: { "directory/file-with-a-name-1": "a\n", "directory/file-with-a-name-2": "b\n" } },
      "git add .",
      "git commit -q -m one",
      ...["2", "3", "4", "5", "0"].flatMap((version) => versions(`git -c index.version=${version} add .`)),
      ...["2", "4", "5", "x", "4x"].flatMap((version) => versions("git add .", { GIT_INDEX_VERSION: version })),
      "git -c index.version=4 read-tree HEAD",
      "git diff --no-index --stat .git/HEAD .git/index",
      "git -c index.version=2 reset -q --hard",
      "git diff --no-index --stat .git/HEAD .git/index",
      { remove: ".git/index" },
      "git -c index.version=4 reset -q --hard",
      "git diff --no-index --stat .git/HEAD .git/index",
      { remove: ".git/index" },
      "git -c index.version=4 checkout -q -f main",
      "git diff --no-index --stat .git/HEAD .git/index",
    ],
  },
];
