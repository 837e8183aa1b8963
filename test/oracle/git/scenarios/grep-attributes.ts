/** `git grep` and attributes: `-diff`, `binary` and drivers decide what is binary, in the work tree, the index and commits. */
import type { Scenario, Step } from "../scenario.ts";

const files: Step[] = [
  "git init -q -b main",
  {
    write: {
      ".gitattributes": "*.bin -diff\n*.dat binary\nnul.txt diff\n/sub/b -diff\n",
      "sub/.gitattributes": "c.x -diff\n",
      "a.bin": "hello\n",
      "b.txt": "hello\n",
      "d.dat": "hello\nhello\n",
      "nul.txt": "he\0llo\nhello\n",
      nul: "he\0llo\nhello\n",
      "sub/a.bin": "hello\n",
      "sub/b": "hello\n",
      "sub/c.x": "hello\n",
    },
  },
  "git add .",
  "git commit -q -m one",
];

export const grepAttributes: Scenario[] = [
  {
    name: "attributes say which files are binary for grep",
    steps: [
      ...files,
      ...["", "-a", "-I", "-c", "-l", "-L", "-n -o", "--cached", "-v", "--untracked", "--no-index", "-q"].map(
        (flag) => `git grep ${flag} hello`,
      ),
      ...["HEAD", "HEAD:a.bin", "HEAD:sub", "HEAD:sub/b", ":a.bin", "HEAD^{tree}"].map(
        (revision) => `git grep hello ${revision}`,
      ),
      { git: ["grep", "hello"], cwd: "sub" },
      { git: ["grep", "--no-index", "hello"], cwd: "sub" },
      { git: ["grep", "--no-index", "hello", ".."], cwd: "sub" },
      { git: ["grep", "hello", "HEAD"], cwd: "sub" },
      { git: ["grep", "hello", "HEAD:a.bin"], cwd: "sub" },
      { git: ["grep", "--full-name", "hello", "HEAD:./a.bin"], cwd: "sub" },
    ],
  },
  {
    name: "a driver's configuration says which files are binary for grep",
    steps: [
      ...files,
      { write: { ".gitattributes": "*.txt diff=foo\n" } },
      ...["true", "false", "auto"].flatMap((value) => [
        `git -c diff.foo.binary=${value} grep hello`,
        `git -c diff.foo.binary=${value} grep -I hello`,
        `git -c diff.default.binary=${value} grep hello`,
      ]),
    ],
  },
  {
    name: "attributes that are only staged count for commands that use the index",
    steps: [
      ...files,
      { write: { "a.bin": "more\n" } },
      "git commit -q -a -m two",
      { remove: ".gitattributes" },
      "git log -p -1 --format=%s",
      "git log --stat --format=%s",
      "git show --format=%s",
      "git diff HEAD~1 HEAD",
      "git diff HEAD~1",
      "git diff --cached HEAD~1",
      "git diff-tree -p HEAD",
      "git grep more",
      "git grep more HEAD",
      "git grep --cached more",
      "git check-attr diff a.bin",
    ],
  },
];
