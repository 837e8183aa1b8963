/** Repositories in several states, as steps that create them, for suites that try commands in each. */
import type { Step } from "../oracle/git/scenario.ts";

const text = (from: number, to: number, change = "") =>
  Array.from(
    { length: to - from },
    (_, i) => `${(from + i) % 7 === 3 ? "\t" : ""}line ${from + i}${change && (from + i) % 5 === 0 ? change : ""}\n`,
  ).join("");
const code = (name: string) =>
  `int ${name}(int a)\n{\n  return a + 1;\n}\n\nstatic void second_${name}(void)\n{\n  int x = 1;\n  ${name}(x);\n}\n`;

const HISTORY: readonly Step[] = [
  "git init -q -b main",
  // Reflogs expire by the real clock, which is not the scenario's.
  "git config gc.reflogExpire never",
  "git config gc.reflogExpireUnreachable never",
  {
    write: {
      "a.txt": text(0, 40),
      "src/main.c": code("main"),
      "src/util.c": code("util"),
      "docs/read me.md": "# Title\n\nwords and more words\n",
    },
  },
  {
    write: {
      ".gitignore": "*.o\nbuild/\n!keep.o\n",
      ".gitattributes": "*.bin binary\n*.c diff=cpp\n",
      ".mailmap": "New Name <new@example.com> <author@example.com>\n",
    },
  },
  "git add -A",
  "git commit -q -m 'first: the beginning' -m 'A body with words.\n\nSigned-off-by: Some One <one@example.com>'",
  "git tag v0.1",
  { write: { "a.txt": text(0, 40, " changed"), "data.bin": new Uint8Array([0, 1, 2, 3, 255, 254]) } },
  { symlink: ["link", "a.txt"] },
  "git add -A",
  {
    git: ["commit", "-q", "-m", "second: change and add"],
    env: { GIT_AUTHOR_NAME: "Zoë Ünal", GIT_AUTHOR_EMAIL: "zoe@example.com" },
  },
  "git tag -a -m 'release one\n\nwith a body' v1.0",
  "git switch -q -c topic",
  { write: { "src/new.c": code("fresh"), "a.txt": text(0, 40, " changed").replace("line 12", "line twelve") } },
  "git add -A",
  "git commit -q -m 'topic: new file'",
  "git mv src/util.c src/helper.c",
  { append: { "src/helper.c": "/* the end */\n" } },
  { chmod: ["docs/read me.md", 0o755] },
  "git commit -q -a -m 'topic: rename and chmod'",
  "git switch -q main",
  {
    write: {
      "a.txt": text(0, 44, " changed"),
      "src/main.c": code("main").replace("a + 1", "a + 2"),
      "ü/ö.txt": "umlaut\r\nCRLF\r\n",
    },
  },
  "git add -A",
  {
    git: ["commit", "-q", "-m", "main: lines and CRLF"],
    env: { GIT_AUTHOR_NAME: "B Coder", GIT_AUTHOR_EMAIL: "b@example.com" },
  },
  "git merge -q --no-edit topic",
  "git branch side HEAD~1",
  { write: { "a.txt": text(2, 44, " changed"), empty: "" } },
  "git add -A",
  "git commit -q -m 'main: drop two\n\nFixes: 12'",
  "git rm -q data.bin",
  "git commit -q --allow-empty -m 'remove data'",
  "git revert --no-edit HEAD",
  "git tag -a -m two v2.0 HEAD~1",
  "git branch --track follow main",
  "git update-ref refs/remotes/origin/main HEAD~2",
  "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
  "git config remote.origin.url https://example.com/x.git",
  "git config remote.origin.fetch +refs/heads/*:refs/remotes/origin/*",
  "git branch -u origin/main main",
];
const DIRTY: readonly Step[] = [
  { append: { "a.txt": "work in progress\n" } },
  "git stash -q",
  {
    write: {
      "src/main.c": code("main").replace("int x = 1", "int x = 7"),
      "new file.txt": "untracked\n",
      "build/x.o": "o",
      "staged.txt": "staged\n",
    },
  },
  "git add staged.txt",
  { append: { "staged.txt": "and more\n" } },
  { write: { "soon.txt": "later\n" } },
  "git add -N soon.txt",
  { remove: "empty" },
  "git mv src/new.c src/newer.c",
];
const CONFLICT: readonly Step[] = [
  "git switch -q -c left",
  { write: { "a.txt": text(2, 44, " left"), "only-left": "l\n" } },
  "git add -A",
  "git rm -q src/helper.c",
  "git commit -q -m left",
  "git switch -q -c right main",
  { write: { "a.txt": text(2, 44, " right"), "src/helper.c": code("helper") } },
  "git add -A",
  "git commit -q -m right",
  "git merge left",
  { write: { "loose.txt": "x\n" } },
];
/** Untracked and ignored files wherever another commit has a file or a directory. */
const OBSTRUCTED: readonly Step[] = [
  "git checkout -q -b old v0.1",
  {
    write: {
      "src/new.c": "mine\n",
      "src/helper.c/inside": "mine\n",
      "data.bin": "mine\n",
      ü: "a file where a directory comes\n",
      "empty/inside": "mine\n",
      "build/x.o": "ignored\n",
    },
  },
  { append: { "src/main.c": "/* edited */\n" } },
];
/** A linked work tree on the branch topic, with a commit and a staged file that nothing else leads to. */
const LINKED: readonly Step[] = [
  {
    write: {
      ".git/worktrees/wt/HEAD": "ref: refs/heads/topic\n",
      ".git/worktrees/wt/commondir": "../..\n",
      ".git/worktrees/wt/gitdir": "<root>/build/wt/.git\n",
      // Relative: states are copied.
      "build/wt/.git": "gitdir: ../../.git/worktrees/wt\n",
    },
  },
  { git: ["reset", "-q", "--hard"], cwd: "build/wt" },
  { git: ["checkout", "-q", "--detach"], cwd: "build/wt" },
  { git: ["commit", "-q", "--allow-empty", "-m", "detached"], cwd: "build/wt" },
  { git: ["update-ref", "refs/worktree/own", "HEAD"], cwd: "build/wt" },
  { git: ["checkout", "-q", "topic"], cwd: "build/wt" },
  { write: { "build/wt/staged": "staged there\n" } },
  { git: ["add", "staged"], cwd: "build/wt" },
];
export const STATES: Readonly<Record<string, readonly Step[]>> = {
  clean: HISTORY,
  dirty: [...HISTORY, ...DIRTY],
  conflict: [...HISTORY, ...CONFLICT],
  detached: [...HISTORY, "git checkout -q v1.0"],
  obstructed: [...HISTORY, ...OBSTRUCTED],
  linked: [...HISTORY, ...LINKED],
  unborn: ["git init -q", { write: { a: "a\n", "b/c": "c\n" } }, "git add a"],
};
