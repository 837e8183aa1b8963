/** What prune, repack and gc must not drop: whatever a broken ref, a stash, an index or a young object may still lead to. */
import type { Scenario, Step } from "../scenario.ts";

const settled: Step[] = [
  "git init -q -b main",
  { write: { a: "a\n" } },
  "git config gc.reflogExpire never",
  "git config gc.reflogExpireUnreachable never",
  "git add .",
  "git commit -q -m one",
];
/** The commit two, which nothing but a test's own ref leads to; without a reflog. */
const TWO = "d8ffcd1e18990b5aaa9ac45901c2b1db7e75c28e";
const lost: Step[] = [
  ...settled,
  "git checkout -q --detach",
  { write: { b: "b\n" } },
  "git add .",
  "git commit -q -m two",
  `git cat-file -t ${TWO}`,
  "git checkout -q main",
  { remove: ".git/logs" },
];
const DROPPING = [
  "git prune -n",
  "git prune",
  "git repack -adq",
  "git repack -Adq",
  "git gc -q --prune=now",
  "git gc -q",
];
const BROKEN = [
  ["a name that is none", ".git/refs/heads/bad..name", `${TWO}\n`],
  ["no object id", ".git/refs/heads/junk", "junk\n"],
  ["an object id that is too short", ".git/refs/tags/short", `${TWO.slice(0, 39)}\n`],
  ["an empty file", ".git/refs/heads/empty", ""],
  ["a null id", ".git/refs/heads/null", `${"0".repeat(40)}\n`],
  ["a missing object", ".git/refs/heads/missing", `${"1".repeat(40)}\n`],
] as const;

export const preservedObjects: Scenario[] = [
  ...BROKEN.map(
    ([what, path, content]): Scenario => ({
      name: `nothing is dropped beside a ref with ${what}`,
      steps: [
        ...lost,
        { write: { [path]: content } },
        ...DROPPING,
        "git log --all --oneline",
        "git log --branches --oneline",
        "git fsck --no-dangling",
        { remove: path },
        `git cat-file -t ${TWO}`,
      ],
    }),
  ),
  {
    name: "a dangling symbolic ref keeps nothing",
    steps: [
      ...lost,
      { write: { ".git/refs/heads/link": "ref: refs/heads/nowhere\n" } },
      ...DROPPING,
      `git cat-file -t ${TWO}`,
    ],
  },
  {
    name: "a reflog without its ref keeps what it names",
    steps: [
      ...lost,
      {
        write: {
          ".git/logs/refs/heads/gone": `${"0".repeat(40)} ${TWO} A U Thor <author@example.com> 1700000000 +0000\tcommit: two\n`,
        },
      },
      "git prune",
      `git cat-file -t ${TWO}`,
      "git rev-list --all --reflog --count",
    ],
  },
  {
    name: "the reflog of a broken ref does not expire",
    repositories: [],
    steps: [
      ...settled,
      ...["junk", "empty", "circle", "whole"].map((name) => `git branch ${name}`),
      { write: { ".git/refs/heads/junk": "junk\n" } },
      { write: { ".git/refs/heads/empty": "" } },
      { write: { ".git/refs/heads/circle": "ref: refs/heads/circle\n" } },
      "git reflog expire --expire=now --all",
      { remove: ".git/refs/heads/junk" },
      { remove: ".git/refs/heads/empty" },
      { remove: ".git/refs/heads/circle" },
      "git rev-list --reflog --no-walk",
      ...["junk", "empty", "circle", "whole"].map((name) => `git update-ref refs/heads/${name} HEAD`),
      ...["junk", "empty", "circle", "whole"].map((name) => `git reflog show ${name}`),
    ],
  },
  {
    name: "no reflog expires beside packed refs that cannot be read",
    repositories: [],
    steps: [
      ...settled,
      "git tag one",
      "git pack-refs --all",
      { append: { ".git/packed-refs": "junk\n" } },
      { git: ["reflog", "expire", "--expire=now", "--all"], ignore: ["stderr"] }, // The path of the file is relative in git.
      { remove: ".git/packed-refs" },
      "git update-ref refs/heads/main 62fc4e4",
      "git reflog show HEAD",
    ],
  },
  {
    name: "the reflog of a locked ref does not expire",
    repositories: [],
    steps: [
      ...settled,
      "git branch taken",
      { write: { ".git/refs/heads/taken.lock": "" } },
      "git reflog expire --expire=now --all",
      "git reflog expire --expire=now taken",
      "git reflog show taken",
      { remove: ".git/refs/heads/taken.lock" },
      "git reflog expire --expire=now taken",
      "git reflog show taken",
    ],
  },
  {
    name: "precious objects are never deleted",
    steps: [
      ...lost,
      "git config core.repositoryFormatVersion 1",
      "git config extensions.preciousObjects true",
      ...DROPPING,
      "git repack -d",
      "git repack -q",
      "git repack -a",
      "git prune-packed",
      "git gc",
      `git cat-file -t ${TWO}`,
      "git config extensions.preciousObjects false",
      "git prune",
      `git cat-file -t ${TWO}`,
    ],
  },
  {
    name: "stashes do not expire with other reflogs",
    steps: [
      ...settled,
      { write: { a: "first\n" } },
      "git stash -q",
      { write: { a: "second\n" } },
      "git stash -q",
      "git -c gc.reflogExpire=now -c gc.reflogExpireUnreachable=now gc -q --prune=now",
      "git stash list",
      "git -c gc.reflogExpire=now -c gc.reflogExpireUnreachable=now reflog expire --all",
      "git stash list",
      "git reflog",
      "git -c gc.refs/stash.reflogExpire=never -c gc.refs/stash.reflogExpireUnreachable=never gc -q --prune=now",
      "git stash list",
      "git -c gc.refs/stash.reflogExpire=now reflog expire --all",
      "git stash list",
    ],
  },
  {
    name: "prune keeps a tree that only the index names",
    steps: [
      ...settled,
      { write: { "d/c": "c\n" } },
      "git add .",
      "git write-tree",
      "git prune -n",
      "git prune",
      "git fsck",
      "git commit -q -m two",
      "git fsck",
    ],
  },
];
