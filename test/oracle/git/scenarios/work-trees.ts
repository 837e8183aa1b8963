/**
 * Repositories with linked work trees: what one of them has checked out, staged or in its reflog belongs to all that drop objects, or move
 * or delete branches. `git worktree` is not there yet, so the files that it writes are written here.
 */
import type { Scenario, Step } from "../scenario.ts";

/** A linked work tree beside the repository `r`, with nothing staged yet. */
function linked(name: string, head: string): Step[] {
  return [
    {
      write: {
        [`r/.git/worktrees/${name}/HEAD`]: `${head}\n`,
        [`r/.git/worktrees/${name}/commondir`]: "../..\n",
        [`r/.git/worktrees/${name}/gitdir`]: `<root>/${name}/.git\n`,
        [`${name}/.git`]: `gitdir: <root>/r/.git/worktrees/${name}\n`,
      },
    },
    { git: ["reset", "-q", "--hard"], cwd: name },
  ];
}

const inRepository = (line: string, cwd = "r"): Step => ({ git: line.split(" ").slice(1), cwd });
const all = (lines: readonly string[], cwd = "r"): Step[] => lines.map((line) => inRepository(line, cwd));

const start: Step[] = [
  "git init -q -b main r",
  { write: { "r/a": "a\n" } },
  ...all([
    "git config gc.reflogExpire never",
    "git config gc.reflogExpireUnreachable never",
    "git add .",
    "git commit -q -m one",
    "git branch held",
    "git branch spare",
  ]),
  ...linked("wt", "ref: refs/heads/held"),
];
const repositories = ["r", "wt"];

export const workTrees: Scenario[] = [
  {
    name: "branches of another work tree are not deleted, moved or fetched into",
    repositories,
    steps: [
      ...start,
      ...all([
        "git branch -d held",
        "git branch -D held",
        "git branch -D held spare",
        "git branch spare",
        "git branch -f held main",
        "git branch -M spare held",
        "git branch -C spare held",
        "git fetch . main:held",
        "git fetch . +main:held",
        "git fetch . main:main",
        "git fetch -u . main:held",
        "git push . main:held",
        "git push . main~0:refs/heads/held",
        "git push . :held",
        "git branch",
        "git branch -v",
        "git branch -vv",
        "git branch --color=always",
        "git for-each-ref --format=%(refname)|%(worktreepath)",
      ]),
      ...all(["git branch -D main", "git branch -f main held", "git fetch ../r main:main", "git branch"], "wt"),
    ],
  },
  {
    name: "a branch of another work tree is not checked out a second time",
    repositories,
    steps: [
      ...start,
      ...all([
        "git checkout held",
        "git switch held",
        "git rebase main held",
        "git checkout --detach held",
        "git switch -q main",
        "git checkout --ignore-other-worktrees held",
        "git checkout main",
        "git switch --ignore-other-worktrees held",
        "git switch held",
        "git switch main",
        "git checkout -b other held",
        "git checkout -B held main",
        "git switch main",
        "git switch -",
        "git status -sb",
      ]),
      ...all(["git checkout main", "git switch main", "git checkout -b mine", "git checkout held"], "wt"),
    ],
  },
  {
    name: "a renamed branch has its new name in every work tree",
    repositories,
    steps: [
      ...start,
      ...all(["git branch -m held renamed", "git branch -c renamed copied", "git branch -m main trunk"]),
      ...all(["git status -sb", "git branch -m trunk main", "git branch -m mine", "git reflog"], "wt"),
      ...all(["git status -sb", "git reflog", "git branch"]),
    ],
  },
  {
    name: "a branch that another work tree rebases or bisects is its own",
    repositories: ["r"],
    steps: [
      ...start,
      inRepository("git checkout -q --detach", "wt"),
      {
        write: {
          "r/.git/worktrees/wt/rebase-merge/head-name": "refs/heads/held\n",
          "r/.git/worktrees/wt/rebase-merge/interactive": "",
        },
      },
      ...all([
        "git branch -D held",
        "git branch -f held main",
        "git checkout held",
        "git branch -m held x",
        "git branch -c held y",
        "git fetch . main:held",
      ]),
      { remove: "r/.git/worktrees/wt/rebase-merge" },
      { write: { "r/.git/worktrees/wt/BISECT_START": "spare\n", "r/.git/worktrees/wt/BISECT_LOG": "" } },
      ...all(["git branch -D spare", "git switch spare", "git branch -m spare x", "git branch -D held"]),
    ],
  },
  {
    name: "prune keeps objects that only another work tree uses",
    repositories,
    steps: [
      ...start,
      // In its reflog, on its detached HEAD, in its index and in a ref of its own.
      ...all(["git checkout -q --detach", "git commit -q --allow-empty -m logged", "git reset -q --hard HEAD~1"], "wt"),
      { write: { "wt/new": "detached\n" } },
      ...all(["git add new", "git commit -q -m detached"], "wt"),
      { write: { "wt/staged": "staged only\n" } },
      ...all(["git add staged", "git update-ref refs/worktree/own HEAD"], "wt"),
      ...all([
        "git prune -n",
        "git prune",
        "git fsck --no-dangling",
        "git log --all --oneline",
        "git rev-list --all --reflog --count",
        "git repack -adq",
        "git gc -q --prune=now",
        "git fsck --no-dangling",
        "git rev-parse worktrees/wt/HEAD",
        "git prune",
      ]),
      ...all(
        [
          "git rev-parse main-worktree/HEAD",
          "git prune -n",
          "git gc -q --prune=now",
          "git status -s",
          "git log -g --oneline",
          "git cat-file -p :staged",
        ],
        "wt",
      ),
      ...all(["git reflog expire --all --expire=now", "git gc -q --prune=now"]),
      ...all(["git reflog", "git fsck --no-dangling"], "wt"),
    ],
  },
];
