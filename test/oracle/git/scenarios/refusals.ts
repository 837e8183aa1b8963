/** What is refused, and changes nothing: guards that no scenario about something else happens to meet. */
import type { Scenario, Step } from "../scenario.ts";

const start: Step[] = [
  "git init -q -b main",
  { write: { a: "one\n", "d/b": "b\n" } },
  "git add .",
  "git commit -q -m one",
  "git branch other",
  { write: { a: "two\n", new: "new\n" } },
  "git add .",
  "git commit -q -m two",
];

/** git tells a file of its own from the top of the work tree, we tell its path in full. */
const pathInFull = { ignore: ["stderr"] as const };

/** Of "hi\n". */
const BLOB = "45b983be36b73c0788dc9cbcb76cbb80fc7bb057";

type TreeEntry = readonly [mode: string, name: string];

/** A tree as it lies in the database, whatever its names are. */
function treeOf(entries: readonly TreeEntry[]): Uint8Array {
  return bytesOf(...entries.flatMap(([mode, name]) => [`${mode} ${name}\0`, fromHex(BLOB)]));
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function bytesOf(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]),
  );
}

const hostileTrees: readonly { readonly oid: string; readonly entries: readonly TreeEntry[] }[] = [
  { oid: "b029c74687eae65c9a7e506c263bb1224758ec32", entries: [["100644", ".git"]] },
  { oid: "c20905fc2fc124ad804de1bd2cdca3a96409fc1b", entries: [["100644", ".GIT"]] },
  { oid: "f3743e5dbffd1a1c3c4ad8eff253630aa0f6f374", entries: [["100644", ".."]] },
  { oid: "7b4187b61a98d5f3dfb9ba2a733b77897a69147c", entries: [["100644", "."]] },
  { oid: "3e9674630ce8e116ca24ef4cc5c60a6ebd07d090", entries: [["100644", "git~1"]] },
  { oid: "ecba4046118ed2e64c0b64b7d43878bddf564a65", entries: [["100644", ".git "]] },
  { oid: "7e01ef38bda73802e43fe322d236960bf5ba1ad5", entries: [["120000", ".gitmodules"]] },
  { oid: "ec12e1b29c82aa2a35d07bec7edd5e28c4e387c2", entries: [["100644", "a\\.git"]] },
  { oid: "58f11d15df4f7579d9ff1b32020280e9b9e066e1", entries: [["100644", ".git\u200c"]] },
];

/** `a` is in the work tree, but is not staged; `without` has no such file. */
const unstaged: Step[] = [
  ...start,
  "git checkout -q -b without",
  "git rm -q a",
  "git commit -q -m without",
  "git checkout -q main",
  "git rm -q --cached a",
  { write: { a: "mine\n" } },
];

export const refusals: Scenario[] = [
  {
    name: "a file that is not staged any more is not taken away",
    steps: [
      ...unstaged,
      "git checkout without",
      "git switch without",
      "git merge without",
      "git reset --keep without",
      "git read-tree -m -u HEAD without",
      "git read-tree -m HEAD without",
      "git read-tree HEAD",
      "git rm -q --cached a",
      { write: { ".git/info/exclude": "a\n" } },
      "git checkout --no-overwrite-ignore without",
      "git checkout without",
    ],
  },
  {
    name: "what both trees have stays as it is, staged or not",
    steps: [
      ...start,
      "git rm -q --cached d/b",
      { write: { "d/b": "mine\n" } },
      "git read-tree -m -u HEAD other",
      "git status --short",
      "git read-tree -m -u other HEAD",
      "git checkout other",
      "git status --short",
    ],
  },
  {
    name: "read-tree under a prefix covers nothing",
    steps: [
      ...start,
      { write: { "p/a": "mine\n", "q/d": "mine\n", "r/a/x": "mine\n" } },
      "git read-tree --prefix=p/ -u HEAD",
      "git read-tree --prefix=q -u HEAD",
      "git read-tree --prefix=r -u HEAD",
      "git ls-files",
      "git read-tree --prefix=p/ -i HEAD",
      "git read-tree --prefix=s -u HEAD",
      "git ls-files",
    ],
  },
  {
    name: "checkout --orphan refuses an existing branch",
    steps: [
      ...start,
      "git checkout --orphan other",
      "git switch --orphan other",
      "git checkout --orphan main",
      "git checkout -b other HEAD~1",
      "git switch -c other HEAD~1",
      "git checkout --orphan fresh nosuch",
      "git status --short --branch",
    ],
  },
  {
    name: "git files that lead nowhere",
    repositories: [],
    steps: [
      { write: { "x/.git": "nonsense\n" } },
      { git: ["status"], cwd: "x" },
      { write: { "x/.git": "gitdir: \n" } },
      { git: ["status"], cwd: "x" },
      { write: { "x/.git": "gitdir: /nowhere\n" } },
      { git: ["status"], cwd: "x" },
      "git init -q y",
      { git: ["config", "core.worktree", "/nowhere"], cwd: "y" },
      { git: ["config", "core.bare", "true"], cwd: "y" },
      { git: ["status"], cwd: "y" },
      "git init -q z",
      { git: ["config", "core.repositoryformatversion", "7"], cwd: "z" },
      { git: ["status"], cwd: "z" },
    ],
  },
  {
    name: "aliases that lead nowhere",
    steps: [
      ...start,
      "git config alias.x y",
      "git config alias.y x",
      "git x",
      "git config alias.self self",
      "git self",
      "git config alias.none ''",
      "git none",
      'git config alias.open "log \'--oneline"',
      "git open",
      "git config alias.back 'log \\'",
      "git back",
    ],
  },
  {
    name: "refs that are broken",
    repositories: [],
    steps: [
      ...start,
      "git pack-refs --all",
      { write: { ".git/packed-refs": "^1234567890123456789012345678901234567890\n" } },
      { git: ["for-each-ref"], ...pathInFull },
      { git: ["branch", "x", "HEAD~1"], ...pathInFull },
      { write: { ".git/packed-refs": "nonsense\n" } },
      { git: ["for-each-ref"], ...pathInFull },
      { write: { ".git/packed-refs": `${BLOB} refs/heads/cut` } },
      { git: ["for-each-ref"], ...pathInFull },
      { git: ["branch", "x"], ...pathInFull },
      { write: { ".git/packed-refs": "" } },
      "git symbolic-ref refs/heads/l1 refs/heads/l2",
      "git symbolic-ref refs/heads/l2 refs/heads/l1",
      "git update-ref refs/heads/l1 HEAD",
      "git branch -m l1 l3",
    ],
  },
  {
    name: "refs renamed onto others, and changed twice at once",
    steps: [
      ...start,
      "git symbolic-ref refs/heads/link refs/heads/other",
      "git branch -m link new",
      "git branch -c link new",
      "git branch -m nosuch new",
      "git branch -m other main/below",
      "git branch -m other other/below",
      "git branch -m other/below other",
      { git: ["update-ref", "--stdin"], stdin: "update HEAD HEAD~1\nupdate refs/heads/main HEAD~1\n" },
      { git: ["update-ref", "--stdin"], stdin: "update refs/heads/link HEAD\nupdate refs/heads/other HEAD\n" },
      { git: ["update-ref", "--stdin"], stdin: "update refs/heads/x HEAD\ncreate refs/heads/x HEAD\n" },
      { git: ["update-ref", "--stdin"], stdin: "delete refs/heads/main\nupdate HEAD HEAD~1\n" },
      "git for-each-ref",
      "git symbolic-ref HEAD",
      "git update-ref --stdin -d refs/heads/other",
      "git update-ref --stdin -d",
      "git update-ref -z refs/heads/other HEAD",
      "git pack-refs",
      "git pack-refs --no-prune",
      "git for-each-ref",
    ],
  },
  {
    name: "trees with names that no work tree can have",
    steps: [
      ...start,
      // Ours protects in any case.
      "git config core.protectHFS true",
      { git: ["hash-object", "-w", "--stdin"], stdin: "hi\n" },
      ...hostileTrees.flatMap(({ oid, entries }): Step[] => [
        { git: ["hash-object", "-t", "tree", "-w", "--stdin"], stdin: treeOf(entries) },
        { git: ["read-tree", oid] },
        { git: ["read-tree", "--prefix=p", oid] },
        { git: ["read-tree", "-m", "-u", "HEAD", oid] },
        { git: ["reset", "-q", "--hard", "HEAD"] },
        { git: ["ls-tree", oid] },
      ]),
    ],
  },
  {
    name: "objects that are no objects",
    steps: [
      ...start,
      ...["1006 x\0", "100644 x", "100644 \0", "x\0", "10064a x\0", "12345678 x\0"].map(
        (head): Step => ({
          git: ["hash-object", "-t", "tree", "-w", "--stdin"],
          stdin: bytesOf(head, fromHex(BLOB)),
        }),
      ),
      { git: ["hash-object", "-t", "tree", "-w", "--stdin"], stdin: bytesOf("100644 x\0", fromHex(BLOB.slice(2))) },
      { git: ["hash-object", "-t", "commit", "-w", "--stdin"], stdin: "tree 1\n\nx" },
      { git: ["hash-object", "-t", "tag", "-w", "--stdin"], stdin: `object 1\ntype commit\ntag x\n\nx` },
      { git: ["hash-object", "-t", "tag", "-w", "--stdin"], stdin: `object ${BLOB}\ntype odd\ntag x\n\nx` },
      { git: ["hash-object", "-t", "tag", "-w", "--stdin"], stdin: `object ${BLOB}\ntype blob\nname x\n\nx` },
    ],
  },
  {
    name: "merges into nothing, and without a word",
    steps: [
      ...start,
      "git merge",
      "git config merge.defaultToUpstream false",
      "git merge",
      "git config --unset merge.defaultToUpstream",
      "git checkout -q --detach",
      "git merge",
      "git checkout -q -b third other",
      "git commit -q --allow-empty -m third",
      "git checkout -q --orphan empty",
      "git rm -r -q --cached .",
      "git merge --squash main",
      "git merge --no-ff main",
      "git merge main other",
      "git merge main third",
      "git merge nosuch",
      "git status --short",
    ],
  },
  {
    name: "pulls of several branches",
    steps: [
      ...start,
      "git branch third other",
      "git pull --rebase . other third",
      "git pull --ff-only . other third",
      "git checkout -q --orphan empty",
      "git rm -r -q --cached .",
      "git pull . other third",
      "git status --short",
      "git fetch --all .",
      "git fetch --all . other",
      "git fetch . tag",
      "git fetch --depth=0 .",
      "git fetch --deepen=-1 .",
    ],
  },
  {
    name: "pushes of nothing",
    repositories: ["work", "up.git"],
    steps: [
      "git init -q --bare -b main up.git",
      "git init -q -b main work",
      { git: ["commit", "-q", "--allow-empty", "-m", "one"], cwd: "work" },
      { git: ["remote", "add", "origin", "../up.git"], cwd: "work" },
      { git: ["push", "origin", "tag"], cwd: "work" },
      { git: ["-c", "push.default=nothing", "push"], cwd: "work" },
      { git: ["checkout", "-q", "--detach"], cwd: "work" },
      { git: ["push"], cwd: "work" },
      { git: ["push", "origin", "a*:b"], cwd: "work" },
      { git: ["push", "origin", "a*c*:b*"], cwd: "work" },
      { git: ["push", "origin", "main:bad..name"], cwd: "work" },
      { git: ["push", "origin", "^main:x"], cwd: "work" },
      { git: ["fetch", "origin", "a*:b"], cwd: "work" },
      { git: ["fetch", "origin", "a*c*:b*"], cwd: "work" },
      { git: ["fetch", "origin", "main:bad..name"], cwd: "work" },
    ],
  },
  {
    name: "an index that is in the way",
    steps: [
      ...start,
      "git read-tree -u -i -m HEAD",
      "git update-index --cacheinfo 100644,78981922613b2afb6025042ff6bd878ac1994e85,.git/x",
      "git update-index --cacheinfo 100644,78981922613b2afb6025042ff6bd878ac1994e85,../x",
      "git update-index --add --cacheinfo 120000,78981922613b2afb6025042ff6bd878ac1994e85,.gitmodules",
      { git: ["update-index", "--index-info"], stdin: "nonsense\n" },
      { git: ["update-index", "--index-info"], stdin: `100644 ${BLOB} 7\tx\n` },
      { git: ["update-index", "--index-info"], stdin: `100644 ${BLOB} 0\t"x\n` },
      { git: ["update-index", "--index-info"], stdin: `100644 ${BLOB} 0\t.git/x\n` },
      { git: ["update-index", "--index-info"], stdin: `100644 12 0\tx\n` },
      "git update-index --chmod=+x nosuch",
      { symlink: ["link", "a"] },
      "git add link",
      "git update-index --chmod=+x link",
      { git: ["update-index", "--index-info"], stdin: `0 ${"0".repeat(40)}\ta\n100644 ${BLOB} 1\ta\n` },
      "git read-tree -m HEAD",
      "git read-tree -m -u HEAD HEAD~1",
      "git ls-files -s",
      { write: { ".git/index": "short" } },
      { git: ["ls-files"], ...pathInFull },
      { write: { ".git/index": "x".repeat(64) } },
      "git status",
      { write: { ".git/index": `DIRC\0\0\0\t\0\0\0\0${"x".repeat(20)}` } },
      "git add a",
      { remove: ".git/index" },
      "git reset -q --hard",
    ],
  },
  {
    name: "patches where there is no repository",
    repositories: [],
    steps: [
      { write: { f: "a\n" } },
      ...["--3way", "--index", "--cached", ""].map(
        (flag): Step => ({
          git: ["apply", ...(flag === "" ? [] : [flag])],
          stdin: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
          env: { GIT_CEILING_DIRECTORIES: "<root>" },
        }),
      ),
    ],
  },
];
