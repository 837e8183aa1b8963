/** Rarely used forms of commands that change files: white space at the end of a patched file, words by expressions, roots, repositories. */
import type { Scenario, Step } from "../scenario.ts";

const REGEXES = [
  "[[:alpha:]]+",
  "[[:alnum:]_]+",
  "[a-z]+|[0-9]+",
  ".",
  "[^[:space:]]",
  "\\w+",
  "(ba)+|[a-z]",
  "[[:digit:]]{1,2}|[[:punct:]]",
  "^[a-z]+",
  "[a-z]+$",
  "\\<[a-z]+\\>",
  "b*",
  "[]a]+",
  "a||b",
  "a{,2}",
  "[[:alpha:]_][[:alnum:]_]*|[-+]?[0-9]+|[^[:space:]]",
  // What is no expression.
  "[",
  "(",
  "x{2,1}",
  "*a",
  "a|*b",
  "^*",
  "$+",
  "a{1",
  "a{x}",
  "{1}",
  "[[:foo:]]",
  "[z-a]",
];

const body = (path: string, lines: string) => `--- a/${path}\n+++ b/${path}\n${lines}`;
const END_PATCHES: Readonly<Record<string, string>> = {
  added: body("a", "@@ -1,3 +1,6 @@\n 1\n 2\n 3\n+4 \n+\n+\n"),
  oneMore: body("blank", "@@ -1,4 +1,5 @@\n 1\n 2\n \n \n+\n"),
  beforeBlank: body("blank", "@@ -1,3 +1,4 @@\n 1\n+new \n 2\n \n"),
  inBlank: body("blank", "@@ -2,2 +2,4 @@\n 2\n \n+x\n+\n"),
  tail: body("blank", "@@ -2,3 +2,4 @@\n 2\n \n \n+tail \n"),
  noNewline: body("none", "@@ -1,3 +1,4 @@\n 1\n 2\n-3\n\\ No newline at end of file\n+3 \n+\n"),
  fresh: "--- /dev/null\n+++ b/new\n@@ -0,0 +1,4 @@\n+a \n+b\n+\n+\n",
  onlyBlank: "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+\n+\n",
};

const again: Step[] = ["git reset -q --hard", "git clean -f -d -q"];

const unrelated: Step[] = [
  "git init -q -b main",
  { write: { a: "1\n" } },
  "git add .",
  "git commit -q -m one",
  { write: { a: "2\n" } },
  "git commit -q -a -m two",
  "git checkout -q --orphan other",
  "git rm -r -f -q .",
  { write: { o: "o\n" } },
  "git add .",
  "git commit -q -m root2",
  { write: { o: "oo\n" } },
  "git commit -q -a -m root2b",
  "git checkout -q main",
  "git merge -q --allow-unrelated-histories -m merge other",
  { write: { a: "3\n" } },
  "git commit -q -a -m three",
  "git branch keep",
  "git checkout -q -b top HEAD~2",
  { write: { t: "t\n" } },
  "git add .",
  "git commit -q -m t",
  "git checkout -q main",
];

const rebased = (argv: string): Step[] => [
  `git rebase ${argv}`,
  "git log --graph --format=%s",
  "git status",
  "git reset -q --hard keep",
];

export const rarelyUsedChanges: Scenario[] = [
  {
    name: "words by any expression, and what is no expression",
    steps: [
      "git init -q -b main",
      { write: { a: "foo bar_baz qux\nint x=1;\n" } },
      "git add .",
      "git commit -q -m one",
      { write: { a: "foo bar_bax qux2\nint y=12; // c\n" } },
      ...REGEXES.flatMap((regex): Step[] => [
        { git: ["diff", `--word-diff-regex=${regex}`] },
        { git: ["-c", `diff.wordRegex=${regex}`, "diff", "--word-diff=porcelain"] },
        // The C library has two words for a bracket that is open.
        ...(regex === "[" ? [] : [{ git: ["grep", "-E", "-e", regex] }]),
      ]),
    ],
  },
  {
    name: "apply --whitespace=fix at the end of a file",
    steps: [
      "git init -q -b main",
      { write: { a: "1\n2\n3\n", none: "1\n2\n3", blank: "1\n2\n\n\n" } },
      "git add .",
      "git commit -q -m one",
      { write: Object.fromEntries(Object.entries(END_PATCHES).map(([name, text]) => [`.git/p/${name}`, text])) },
      ...Object.keys(END_PATCHES).flatMap((name): Step[] =>
        ["fix", "warn", "error"].flatMap((action) => [
          `git apply --whitespace=${action} .git/p/${name}`,
          "git diff",
          "git status --short",
          ...again,
        ]),
      ),
      // Of blank lines there may be fewer, or more, than the patch knows.
      ...["1\n2\n", "1\n2\n\n", "1\n2\n\n\n\n\n", "1\n2 \n\n"].flatMap((blank): Step[] =>
        ["tail", "oneMore"].flatMap((name): Step[] => [
          { write: { blank } },
          `git apply --whitespace=fix .git/p/${name}`,
          "git diff",
          ...again,
        ]),
      ),
      "git apply --whitespace=fix .git/p/added .git/p/oneMore",
      "git diff",
      "git apply -R --whitespace=fix .git/p/added",
      "git diff",
      ...again,
      "git apply --whitespace=fix --reject .git/p/inBlank .git/p/oneMore",
      "git diff",
    ],
  },
  {
    name: "rebase -r of a branch that begins at nothing",
    steps: [
      ...unrelated,
      ...rebased("-r HEAD~2"),
      ...rebased("-r --root"),
      ...rebased("-r top"),
      ...rebased("-r --onto top HEAD~2"),
      ...rebased("-r --force-rebase HEAD~2"),
    ],
  },
  {
    name: "a file that became a repository",
    steps: [
      "git init -q -b main",
      { write: { a: "1\n", b: "b\n" } },
      "git add .",
      "git commit -q -m one",
      { remove: "a" },
      { mkdir: "a" },
      // Nothing is committed in it yet.
      { git: ["init", "-q", "-b", "main"], cwd: "a" },
      "git add -u",
      "git ls-files -s",
      "git reset -q",
      { git: ["commit", "-q", "--allow-empty", "-m", "inner"], cwd: "a" },
      "git status --porcelain",
      "git diff",
      "git add -u",
      "git ls-files -s",
      "git status --short",
      "git diff --cached",
      "git reset -q",
      "git add -A",
      "git ls-files -s",
      "git reset -q",
      "git commit -q -a -m two",
      "git status --short",
      "git ls-files -s",
    ],
  },
];
