/** `git apply` of patches without git's header, in a subdirectory: how many directories names lose, and what they are relative to. */
import type { Scenario, Step } from "../scenario.ts";

const change = (from: string, to: string) => `--- ${from}\n+++ ${to}\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n`;
const gitChange = (path: string) => `diff --git a/${path} b/${path}\n${change(`a/${path}`, `b/${path}`)}`;

const PATCHES: Readonly<Record<string, string>> = {
  plain: change("f", "f"),
  fromTop: change("a/sub/f", "b/sub/f"),
  fromTopBare: change("sub/f", "sub/f"),
  deeper: change("a/sub/sub2/f", "b/sub/sub2/f"),
  below: change("a/sub2/f", "b/sub2/f"),
  orig: change("a/f.orig", "b/f"),
  origAfter: change("f", "f.orig"),
  elsewhere: change("x/y/sub/f", "x/y/sub/f"),
  uneven: change("sub/f", "b/f"),
  git: gitChange("sub/f"),
  plainThenGit: change("f", "f") + gitChange("sub/f"),
  gitThenPlain: gitChange("sub/f") + change("f", "f"),
  two: change("a/sub/f", "b/sub/f") + change("a/sub/sub2/f", "b/sub/sub2/f"),
  quoted: change('"a/sub/f"', '"b/sub/f"'),
  added: "--- /dev/null\n+++ sub/n\n@@ -0,0 +1 @@\n+n\n",
  addedFromTop: "--- /dev/null\n+++ b/sub/n\n@@ -0,0 +1 @@\n+n\n",
  deleted: "--- sub/f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n",
};

const FLAGS = [
  "--directory=sub plain",
  "--directory=sub2 plain",
  "--directory=sub2 fromTop",
  "--directory=sub/sub2 orig",
  "-p0 fromTopBare",
  "-p1 fromTop",
  "-p2 fromTop",
  "--include=sub/* fromTop",
  "--exclude=sub/* fromTop",
  "--index fromTop",
  "--cached deeper",
  "--stat --summary --numstat fromTop",
  "--check fromTop",
];

const files: Step[] = [
  "git init -q -b main",
  { write: Object.fromEntries(["f", "sub/f", "sub/sub2/f", "a/f", "a/sub/f"].map((path) => [path, "1\n2\n3\n"])) },
  "git add .",
  "git commit -q -m one",
  { write: Object.fromEntries(Object.entries(PATCHES).map(([name, text]) => [`.git/p/${name}`, text])) },
];

const applied = (cwd: string, ...argv: string[]): Step[] => [
  { git: ["apply", ...argv], cwd },
  { git: ["status", "--short"], cwd },
  "git reset -q --hard",
  "git clean -f -d -q",
];

const inDirectory = (cwd: string): Scenario => ({
  name: `traditional patches applied in ${cwd === "" ? "the top" : cwd}`,
  steps: [
    ...files,
    ...Object.keys(PATCHES).flatMap((name) => applied(cwd, `<root>/.git/p/${name}`)),
    ...FLAGS.flatMap((line) => {
      const [name, ...flags] = line.split(" ").reverse();
      return applied(cwd, ...flags.reverse(), `<root>/.git/p/${name}`);
    }),
    ...applied(cwd, "<root>/.git/p/plain", "<root>/.git/p/git"),
    ...applied(cwd, "<root>/.git/p/fromTop", "<root>/.git/p/deeper"),
  ],
});

export const traditionalPatches: Scenario[] = [
  ...["", "sub", "sub/sub2", "a/sub"].map(inDirectory),
  {
    name: "attributes of the directory count for a traditional patch",
    steps: [
      ...files,
      {
        write: {
          "sub/.gitattributes": "f whitespace=tab-in-indent\n",
          ".git/tab": change("f", "f").replace("two", "\ttwo"),
        },
      },
      { git: ["apply", "--whitespace=error", "../.git/tab"], cwd: "sub" },
      { git: ["apply", "--whitespace=fix", "../.git/tab"], cwd: "sub" },
      "git diff",
      { write: { ".gitattributes": "f whitespace=tab-in-indent\n" } },
      "git apply -p0 --whitespace=error .git/tab",
    ],
  },
];
