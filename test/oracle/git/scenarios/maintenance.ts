/** Looking after a repository: fsck, gc, repack, prune and the commands that make and read packs. */
import type { Scenario, Step } from "../scenario.ts";

const start: Step[] = [
  "git init -b main",
  { write: { a: "hi\n", "d/b": "x\n" } },
  "git add -A",
  "git commit -m one",
  { append: { a: "there\n" } },
  "git commit -a -m two",
  { git: ["hash-object", "-w", "--stdin"], stdin: "dangling\n" },
];
/** The blob of d/b. */
const BLOB = ".git/objects/58/7be6b4c3f93f93c489c0111bba5596147a26cb";
const TREE = ".git/objects/2b/4c1d0c6f3c005f72eb2ecd2eb2a25edecf9a50";

/** The blob "hello\\n" as git writes it, and where; an object of a type that there is not. */
const HELLO_PATH = ".git/objects/ce/013625030ba8dba906f756967f9e9ca394464a";
const HELLO = [120, 1, 75, 202, 201, 79, 82, 48, 99, 200, 72, 205, 201, 201, 231, 2, 0, 29, 197, 4, 20];
const GARBAGE = [120, 1, 75, 79, 44, 74, 74, 76, 79, 85, 48, 100, 168, 0, 0, 23, 233, 3, 147];

export const maintenance: Scenario[] = [
  {
    name: "fsck of a repository that is well",
    steps: [
      "git init -b main",
      "git fsck",
      ...start.slice(1),
      "git fsck",
      "git fsck --full --strict",
      "git fsck --unreachable",
      "git fsck --no-dangling",
      "git fsck --dangling",
      "git fsck --root",
      "git fsck --connectivity-only",
      "git fsck --no-reflogs",
      "git fsck --cache",
      "git fsck --name-objects",
      "git fsck --no-progress",
      "git fsck --lost-found",
      "git tag -a v1 -m x",
      "git fsck --tags",
      "git reset --hard HEAD~1",
      "git fsck",
      "git fsck HEAD",
      "git fsck nosuch",
      "git fsck --foo",
    ],
  },
  {
    name: "fsck misses a blob",
    steps: [
      ...start,
      { remove: BLOB },
      "git fsck",
      "git fsck --connectivity-only",
      { write: { "d/b": "x\n" } },
      "git hash-object -w d/b",
      "git fsck",
    ],
  },
  {
    name: "fsck finds refs that lead astray",
    steps: [
      ...start,
      { write: { ".git/refs/heads/tree": `${TREE.replace(/^.*objects|[/]/g, () => "")}\n` } },
      "git fsck",
      { remove: ".git/refs/heads/tree" },
      { write: { ".git/HEAD": `${"0".repeat(40)}\n` } },
      "git fsck",
      { write: { ".git/HEAD": "ref: refs/funny/place\n" } },
      "git fsck",
      { write: { ".git/HEAD": "ref: refs/heads/master\n" } },
    ],
  },
  {
    name: "fsck misses a tree",
    steps: [...start, { remove: TREE }, "git fsck", "git write-tree", "git fsck"],
    repositories: [],
  },
  {
    name: "fsck finds broken objects",
    steps: [
      ...start,
      { remove: BLOB },
      { write: { [BLOB]: "broken" } },
      "git fsck",
      { remove: BLOB },
      "git hash-object -w d/b",
      { write: { ".git/refs/heads/bad": `${"1".repeat(40)}\n` } },
      "git fsck",
      { remove: ".git/refs/heads/bad" },
      {
        git: ["hash-object", "-w", "-t", "tree", "--stdin", "--literally"],
        stdin: new TextEncoder().encode(`100644 b\0${"a".repeat(20)}040000 ..\0${"b".repeat(20)}`),
      },
      "git fsck",
      "git fsck --strict",
      {
        git: ["hash-object", "-w", "-t", "commit", "--stdin", "--literally"],
        stdin: "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor x\n\nfoo",
      },
      "git fsck",
    ],
    repositories: [],
  },
  {
    name: "gc packs what is reachable",
    steps: [
      ...start,
      // Reflogs expire by the real clock, which is not the scenario's.
      "git config gc.reflogExpire never",
      "git config gc.reflogExpireUnreachable never",
      "git tag -a v1 -m x",
      "git gc",
      "git fsck",
      "git cat-file --batch-all-objects --batch-check",
      "git log --oneline",
      "git gc --quiet",
      "git gc --auto",
      "git gc --prune=now",
      "git cat-file --batch-all-objects --batch-check",
      "git fsck",
      "git gc --aggressive --no-prune",
      "git gc foo",
      "git gc --prune=garbage",
      "git gc --nosuch",
      "git status",
    ],
  },
  {
    name: "repack and prune",
    steps: [
      ...start,
      "git repack -q",
      "git repack",
      "git prune-packed -n",
      "git repack -a -d -q",
      "git prune-packed",
      "git prune -n",
      "git prune -v",
      "git prune",
      "git repack -adf -q",
      "git repack -Ad -q",
      "git fsck",
      "git prune --expire=nosuchdate",
      "git repack foo",
      "git repack --nosuch",
      "git prune nosuch",
      "git update-server-info",
    ],
  },
  {
    name: "verify-pack refuses",
    steps: [
      ...start,
      "git verify-pack",
      "git verify-pack nosuch",
      "git verify-pack -v nosuch.idx",
      "git index-pack",
      "git unpack-objects foo",
    ],
  },
  {
    name: "gc in an empty repository and outside of one",
    repositories: [],
    steps: ["git gc", "git fsck", "git init -b main", "git gc", "git repack -ad", "git prune", "git count-objects"],
  },
  {
    name: "fsck of loose objects that are not what they say",
    repositories: [],
    steps: [
      "git init -q -b main",
      { write: { f: "hello\n" } },
      "git add f",
      "git commit -q -m 1",
      ...[
        [...HELLO, 1, 2, 3],
        HELLO.slice(0, 12),
        HELLO.map((byte, i) => (i === HELLO.length - 2 ? byte ^ 1 : byte)),
        [98, 114, 111, 107, 101, 110],
        [],
        GARBAGE,
        HELLO,
      ].flatMap((bytes): Step[] => [
        { remove: HELLO_PATH },
        { write: { [HELLO_PATH]: Uint8Array.from(bytes) } },
        "git fsck",
        "git fsck --connectivity-only --no-dangling",
      ]),
      "git repack -q",
      { remove: HELLO_PATH },
      { write: { [HELLO_PATH]: "broken" } },
      "git fsck",
      { write: { ".git/objects/fd/b299086e873de938b0f782848dcfe5266d548f": Uint8Array.from(GARBAGE) } },
      "git fsck",
    ],
  },
  {
    name: "fsck by configuration, and names of tags",
    steps: [
      "git init -q -b main",
      "git commit -q --allow-empty -m 1",
      {
        git: ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        stdin:
          "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1 +0000\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n",
      },
      {
        git: ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        stdin:
          "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A\0 <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n",
      },
      {
        git: ["hash-object", "-t", "tag", "-w", "--literally", "--stdin"],
        stdin: "object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype tree\ntag not a name\n\nx\n",
      },
      "git fsck",
      "git -c fsck.multipleAuthors=ignore fsck --no-dangling",
      "git -c fsck.multipleAuthors=warn -c fsck.badTagName=error fsck --no-dangling",
      { write: { list: "# known\nbd4cf038a73b2105f870d4f95570e0b75644c5b1\n" } },
      "git -c fsck.skipList=list fsck --no-dangling",
      "git -c fsck.skipList=none fsck",
    ],
  },
];
