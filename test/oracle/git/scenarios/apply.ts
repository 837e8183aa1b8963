/** `apply` and `merge-file`: every target, offsets, rejects, renames, modes, links, binary, white space, and what is refused. */
import type { Scenario, Step } from "../scenario.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("");

const start: Step[] = [
  "git init -q -b main",
  { write: { f: numbers(1, 20), "dir/g": "a\nb\nc\n", run: "x\n", "no-newline": "one" } },
  "git add -A",
  "git commit -q -m one",
];

const change = `diff --git a/f b/f
--- a/f
+++ b/f
@@ -3,5 +3,5 @@
 line 3
 line 4
-line 5
+line five
 line 6
 line 7
`;
const two = `${change}@@ -15,3 +15,4 @@ line 14
 line 15
+between
 line 16
 line 17
`;
const creates = `diff --git a/new/file b/new/file
new file mode 100755
index 0000000..e965047
--- /dev/null
+++ b/new/file
@@ -0,0 +1 @@
+Hello
`;
const deletes = `diff --git a/dir/g b/dir/g
deleted file mode 100644
index de98044..0000000
--- a/dir/g
+++ /dev/null
@@ -1,3 +0,0 @@
-a
-b
-c
`;
const renames = `diff --git a/dir/g b/other/h
similarity index 66%
rename from dir/g
rename to other/h
index de98044..0fb3e4d 100644
--- a/dir/g
+++ b/other/h
@@ -1,3 +1,3 @@
 a
-b
+B
 c
`;
const modes = `diff --git a/run b/run
old mode 100644
new mode 100755
`;
const copies = `diff --git a/run b/run2
similarity index 100%
copy from run
copy to run2
`;
const plain = `--- f.orig\t2024-01-01 00:00:00.000000000 +0000
+++ f\t2024-01-02 00:00:00.000000000 +0000
@@ -1,3 +1,3 @@
-line 1
+LINE 1
 line 2
 line 3
`;
const noNewline = `--- a/no-newline
+++ b/no-newline
@@ -1 +1,2 @@
-one
\\ No newline at end of file
+one
+two
\\ No newline at end of file
`;
const trailing = `--- a/run
+++ b/run
@@ -1 +1,3 @@
 x
+y \t
+ \tz
`;
const off = change.replace("-3,5 +3,5", () => "-8,5 +8,5");
const wrong = change.replace("line 6", () => "line six");

const run = (patch: string, ...options: string[]): Step => ({ git: ["apply", ...options], stdin: patch });

const patch = (path: string, old: string, fresh: string) =>
  `diff --git a/${path} b/${path}\nindex 01e79c3..0000000 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n 1\n-${old}\n+${fresh}\n 3\n`;
const toLink =
  "diff --git a/d b/d\nnew file mode 120000\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+w\n\\ No newline at end of file\n";

export const apply: Scenario[] = [
  {
    name: "apply to the work tree",
    steps: [
      ...start,
      run(change),
      "git diff",
      run(change, "-R"),
      "git diff",
      run(two),
      run(two, "--reverse"),
      run(creates),
      run(creates),
      run(creates, "-R"),
      run(deletes),
      run(deletes, "-R"),
      run(renames),
      run(renames, "-R"),
      run(modes),
      run(modes, "-R"),
      run(copies),
      run(plain),
      run(noNewline),
      "git status --short",
      "git diff",
    ],
  },
  {
    name: "look without applying",
    steps: [
      ...start,
      run(two + creates + renames + modes + copies, "--stat"),
      run(two + creates + renames + modes + copies, "--numstat"),
      run(two + creates + renames + modes + copies, "--numstat", "-z"),
      run(two + creates + renames + modes + copies, "--summary"),
      run(two + deletes, "--stat", "--summary"),
      run(two, "--check"),
      run(wrong, "--check"),
      run(change, "--stat", "--apply"),
      run(change, "--check"),
      run(change, "--check", "-R"),
      run(deletes, "--summary", "-R"),
      "git status --short",
    ],
  },
  {
    name: "apply to the index",
    steps: [
      ...start,
      run(change, "--cached"),
      "git diff --cached",
      "git diff",
      run(change, "--index"),
      "git checkout f",
      "git reset -q --hard",
      run(two + creates + renames + modes, "--index"),
      "git status --short",
      "git diff --cached -M",
      run(two + creates + renames + modes, "--index", "-R"),
      "git status --short",
      { append: { f: "dirty\n" } },
      run(change, "--index"),
      run(change, "--cached"),
      run(deletes, "--index"),
      run(creates, "--cached"),
      run(creates, "--cached"),
      run(creates, "--index"),
      "git ls-files -s",
    ],
  },
  {
    name: "offsets, context and rejects",
    steps: [
      ...start,
      run(off),
      "git diff",
      "git checkout -q f",
      run(off, "-v"),
      "git checkout -q f",
      run(wrong),
      run(wrong, "-v"),
      run(wrong, "-C1"),
      "git diff",
      "git checkout -q f",
      run(wrong, "--reject"),
      run(
        two.replace("line 6", () => "line six"),
        "--reject",
      ),
      "git diff",
      "git checkout -q f",
      run(
        two.replace("line 6", () => "line six"),
        "--reject",
        "-q",
      ),
      run(
        change
          .replaceAll(" line 3\n line 4\n", () => "")
          .replace(" line 6\n line 7\n", () => "")
          .replace("-3,5 +3,5", () => "-5 +5"),
      ),
      run(
        change
          .replaceAll(" line 3\n line 4\n", () => "")
          .replace(" line 6\n line 7\n", () => "")
          .replace("-3,5 +3,5", () => "-5 +5"),
        "--unidiff-zero",
      ),
      run(
        change.replace("-3,5 +3,5", () => "-3,9 +3,2"),
        "--recount",
      ),
      run(change.replace("-3,5 +3,5", () => "-3,9 +3,2")),
      run(
        change.replace("line 5", () => "line  5"),
        "--ignore-space-change",
      ),
      run(
        change.replaceAll("line", () => "line "),
        "--ignore-whitespace",
      ),
      "git diff",
    ],
  },
  {
    name: "names",
    steps: [
      ...start,
      run(
        change.replaceAll("a/f", () => "x/y/f").replaceAll("b/f", () => "x/y/f"),
        "-p2",
      ),
      "git checkout -q f",
      run("--- f\n+++ f\n@@ -1,2 +1,2 @@\n-line 1\n+one\n line 2\n", "-p0"),
      "git checkout -q f",
      run("--- f\n+++ f\n@@ -1,2 +1,2 @@\n-line 1\n+one\n line 2\n"),
      "git checkout -q f",
      run("--- a/g\n+++ b/g\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "--directory=dir"),
      "git checkout -q dir",
      { git: ["apply"], cwd: "dir", stdin: "--- a/g\n+++ b/g\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n" },
      "git checkout -q dir",
      { git: ["apply"], cwd: "dir", stdin: change },
      { git: ["apply", "--include=dir/*"], stdin: two + deletes },
      { git: ["apply", "--exclude=f"], stdin: two + creates },
      { git: ["apply", "--exclude=f", "-v"], stdin: two },
      "git status --short",
      run('--- "a/quo\\"te"\n+++ "b/quo\\"te"\n@@ -0,0 +1 @@\n+x\n'),
      run(
        'diff --git "a/t\\303\\244b\\t" "b/t\\303\\244b\\t"\nnew file mode 100644\n--- /dev/null\n+++ "b/t\\303\\244b\\t"\n@@ -0,0 +1 @@\n+x\n',
      ),
      run("diff --git a/sp ace b/sp ace\nnew file mode 100644\n--- /dev/null\n+++ b/sp ace\t\n@@ -0,0 +1 @@\n+x\n"),
      "git status --short",
      run("diff --git a/../evil b/../evil\nnew file mode 100644\n--- /dev/null\n+++ b/../evil\n@@ -0,0 +1 @@\n+x\n"),
      run(
        "diff --git a/.git/evil b/.git/evil\nnew file mode 100644\n--- /dev/null\n+++ b/.git/evil\n@@ -0,0 +1 @@\n+x\n",
      ),
    ],
  },
  {
    name: "refused",
    steps: [
      ...start,
      run(""),
      run("", "--allow-empty"),
      run("nothing here\n"),
      run(change.slice(0, -8)),
      run("@@ -1 +1 @@\n-a\n+b\n"),
      run("diff --git a/f b/f\n"),
      run("diff --git a/f b/f\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/f\n"),
      run(change.replace("+++ b/f", () => "+++ b/other")),
      run(change.replaceAll("/f", () => "/missing")),
      run(creates.replace("+Hello", () => " Hello").replace("-0,0", () => "-1")),
      run("diff --git a/f b/f\nold mode 1x\nnew mode 100755\n"),
      "git apply missing.patch",
      { write: { "p.patch": two } },
      "git apply p.patch",
      "git apply p.patch",
      "git apply --whitespace=nonsense p.patch",
      "git apply -px p.patch",
      "git apply --nonsense",
      "git apply --reject --3way p.patch",
    ],
  },
  {
    name: "white space",
    steps: [
      ...start,
      run(trailing),
      "git checkout -q run",
      run(trailing, "--whitespace=nowarn"),
      "git checkout -q run",
      run(trailing, "--whitespace=error"),
      "git diff",
      run(trailing, "--whitespace=fix"),
      "git diff",
      "git checkout -q run",
      run(trailing, "--whitespace=error-all"),
      run(trailing, "--check"),
      "git -c apply.whitespace=nowarn apply --check --stat p",
      run(trailing.replace("+ \tz\n", () => "+1 \n+2 \n+3 \n+4 \n+5 \n+6 \n+7 \n").replace("+1,3", () => "+1,9")),
      "git diff --stat",
    ],
  },
  {
    name: "three ways keep edits, rejects follow no link, and kinds of change exclude each other",
    steps: [
      "git init -q -b main",
      { write: { a: "1\n2\n3\n", gone: "g\n" } },
      "git add .",
      "git commit -q -m one",
      { write: { "a.diff": patch("a", "2", "theirs"), four: "mine\n" } },
      "git add four",
      {
        write: {
          "four.diff": "diff --git a/four b/four\nnew file mode 100644\n--- /dev/null\n+++ b/four\n@@ -0,0 +1 @@\n+x\n",
        },
      },
      { append: { four: "edited\n" } },
      "git apply --index --3way four.diff",
      { write: { a: "1\nours\n3\n" } },
      "git add a four",
      "git -c merge.conflictStyle=diff3 apply -3 a.diff",
      "git reset -q --hard",
      { write: { a: "other\n" } },
      { symlink: ["a.rej", "victim"] },
      "git apply --reject a.diff",
      ...["copy", "rename"].flatMap((how): Step[] =>
        ["new", "deleted"].map((kind) => ({
          git: ["apply", "--check"],
          stdin: `diff --git a/a b/b\n${kind} file mode 100644\n${how} from a\n${how} to b\n`,
        })),
      ),
      "git reset -q --hard",
      { write: { n: "1\n2\n" } },
      "git add -N n",
      {
        git: ["apply", "--index"],
        stdin: "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
      },
      {
        git: ["apply", "--cached"],
        stdin: "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
      },
      "git rm -q --cached n",
      "git add -N n",
      { remove: "n" },
      "git diff",
    ],
  },
  {
    name: "a directory becomes a link, a link a directory, and white space is mended in the context too",
    steps: [
      "git init -q -b main",
      { write: { "d/f": "x\n", w: "a \nb\nc\n" } },
      "git add .",
      "git commit -q -m one",
      {
        git: ["apply", "--index"],
        stdin: `${toLink}diff --git a/d/f b/d/f\ndeleted file mode 100644\n--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`,
      },
      "git status -s",
      "git commit -q -m two",
      {
        git: ["apply", "-R", "--index"],
        stdin: `${toLink}diff --git a/d/f b/d/f\ndeleted file mode 100644\n--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`,
      },
      "git status -s",
      ...["a\nb\nc\n", "a  \nb\nc \n", "a\nother\nc\n"].flatMap((w): Step[] => [
        { write: { w } },
        { git: ["apply", "--whitespace=fix"], stdin: "--- a/w\n+++ b/w\n@@ -1,3 +1,3 @@\n a \n-b\n+B \n c\n" },
      ]),
      { write: { crlf: "a\r\n", ".gitattributes": "crlf text=auto\n" } },
      { git: ["apply"], stdin: "--- a/crlf\n+++ b/crlf\n@@ -1 +1,2 @@\n a\r\n+b\r\n" },
      ...["warn", "fix", "error", "nowarn"].flatMap((how): Step[] => [
        { write: { w: "a\nb\n" } },
        {
          git: ["apply", `--whitespace=${how}`],
          stdin: "--- a/w\n+++ b/w\n@@ -1,2 +1,4 @@\n a\n-b\n+B\n+\n+\n",
        },
        { git: ["apply", `--whitespace=${how}`], stdin: "--- a/w\n+++ b/w\n@@ -1 +1,2 @@\n a\n+x \n" },
      ]),
      { write: { w: "a \nb\nc \n" } },
      { git: ["apply", "--whitespace=fix"], stdin: "--- a/w\n+++ b/w\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n" },
    ],
  },
  {
    name: "three ways",
    steps: [
      ...start,
      { write: { f: numbers(1, 20).replace("line 5", () => "theirs 5") } },
      "git diff --full-index --output=p.patch",
      "git checkout -q f",
      { write: { f: numbers(0, 20) } },
      "git add f",
      "git commit -q -m moved",
      "git apply -3 p.patch",
      "git diff --cached",
      "git reset -q --hard",
      { write: { f: numbers(1, 20).replace("line 5", () => "ours 5") } },
      "git commit -q -a -m ours",
      "git apply p.patch",
      "git apply -3 p.patch",
      "git status --short",
      "git diff",
      "git ls-files -s",
      "git reset -q --hard",
      run(
        change.replace("--- a/f", () => "index 1234567..7654321 100644\n--- a/f"),
        "--3way",
      ),
      run(creates, "--3way"),
      { write: { "new/file": "mine\n" } },
      "git add -A",
      run(creates, "--3way"),
      "git status --short",
    ],
  },
  {
    name: "links, types and binary",
    steps: [
      ...start,
      { symlink: ["link", "f"] },
      { write: { bin: new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) } },
      "git add -A",
      "git commit -q -m two",
      { remove: "link" },
      { symlink: ["link", "run"] },
      { remove: "run" },
      { symlink: ["run", "f"] },
      { write: { bin: new Uint8Array([0, 1, 2, 3, 9, 9, 9]), more: new Uint8Array(500).fill(0) } },
      "git add -N more",
      "git diff --binary --output=p.patch",
      "git diff --output=announced.patch",
      "git checkout -q .",
      "git rm -q --cached more",
      { remove: "more" },
      "git apply announced.patch",
      "git apply --stat announced.patch",
      "git apply p.patch",
      "git diff",
      "git apply -R p.patch",
      "git diff",
      "git apply --index p.patch",
      "git diff --cached --stat",
      "git apply p.patch",
    ],
  },
  {
    name: "apply --cached moves and removes a submodule",
    steps: [
      `git update-index --add --cacheinfo 160000,${"1".repeat(40)},sub`,
      "git commit -qm sub",
      ...[
        `-Subproject commit ${"1".repeat(40)}\n+Subproject commit ${"2".repeat(40)}\n`,
        `-Subproject commit ${"3".repeat(40)}\n+Subproject commit ${"4".repeat(40)}\n`,
      ].map((change, i) => ({
        git: ["apply", "--cached"],
        stdin: `diff --git a/sub b/sub\nindex ${`${2 * i + 1}`.repeat(7)}..${`${2 * i + 2}`.repeat(7)} 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n${change}`,
      })),
      "git ls-files -s sub",
      {
        git: ["apply", "--cached"],
        stdin: `diff --git a/sub b/sub\ndeleted file mode 160000\nindex ${"2".repeat(7)}..0000000\n--- a/sub\n+++ /dev/null\n@@ -1 +0,0 @@\n-Subproject commit ${"2".repeat(40)}\n`,
      },
      "git ls-files -s sub",
    ],
  },
];

const merge = (name: string, ...options: string[]): Step[] => [
  `git merge-file -p ${options.join(" ")} ours ${name} theirs`,
];

export const mergeFile: Scenario[] = [
  {
    name: "merge-file",
    repositories: [],
    steps: [
      {
        write: {
          base: numbers(1, 9),
          ours: numbers(1, 9)
            .replace("line 2", () => "ours 2")
            .replace("line 5", () => "ours 5"),
          theirs: numbers(1, 9)
            .replace("line 5", () => "theirs 5")
            .replace("line 8", () => "theirs 8"),
          bin: new Uint8Array([0, 1]),
        },
      },
      ...merge("base"),
      ...merge("base", "--diff3"),
      ...merge("base", "--zdiff3"),
      ...merge("base", "--ours"),
      ...merge("base", "--theirs"),
      ...merge("base", "--union"),
      ...merge("base", "--marker-size=10"),
      ...merge("base", "-L", "one", "-L", "two", "-L", "three", "--diff3"),
      ...merge("bin"),
      ...merge("missing"),
      "git merge-file ours base",
      "git merge-file -L a -L b -L c -L d ours base theirs",
      "git merge-file -q ours base theirs",
      "git merge-file --nonsense",
    ],
  },
];
