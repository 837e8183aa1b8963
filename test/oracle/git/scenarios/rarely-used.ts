/** Rarely used forms of everyday commands: reflogs by time, configuration without includes, marks, work trees named by the environment. */
import type { Scenario, Step } from "../scenario.ts";

const three: Step[] = [
  "git init -q -b main",
  { write: { a: "1\n", "d/f": "f\n" } },
  "git add .",
  "git commit -q -m one",
  { write: { a: "2\n" } },
  "git commit -q -a -m two",
  { write: { a: "3\n" } },
  "git commit -q -a -m three",
];

const at = (cwd: string, git: string[], env: Record<string, string> = {}): Step => ({ git, cwd, env });
const WHERE = ["rev-parse", "--is-inside-work-tree", "--is-inside-git-dir", "--is-bare-repository", "--show-prefix"];
const HFS = [".g\u200cit/config", ".G\u200dIT", ".git\u200d", "a/\ufeff.git/x", ".g\u0130t", ".gi\u200ct\u200e"];

export const rarelyUsed: Scenario[] = [
  {
    name: "reflog delete by number and by time",
    steps: [
      ...three,
      // The commits are at 1700000180, 1700000300 and 1700000420.
      ...["main@{1700000300}", "main@{2.minutes.ago}", "HEAD@{3.minutes.ago}", "HEAD@{yesterday}"].flatMap((entry) => [
        `git reflog delete --verbose ${entry}`,
        "git reflog show main",
        "git reflog show HEAD",
      ]),
      "git reflog delete HEAD@{now}",
      "git reflog delete --rewrite --updateref main@{0}",
      "git reflog delete --verbose main@{99}",
      "git reflog delete nosuch@{1}",
      "git reflog delete main",
      "git reflog delete -n --verbose main@{bogus}",
      "git reflog show main",
    ],
  },
  {
    name: "config --no-includes reads every file and no included one",
    steps: [
      ...three,
      "git config include.path inc",
      "git config a.b 1",
      "git config --global g.h 1",
      "git config --global include.path global-inc",
      "git config extensions.worktreeConfig true",
      {
        write: {
          ".git/inc": "[a]\n\tc = 2\n",
          ".git/inc2": "[a]\n\td = 3\n",
          ".git/config.worktree": "[include]\n\tpath = inc2\n",
        },
      },
      ...["--list", "--get-all a.b", "--get a.c", "--get a.d", "--get-regexp a.*", "--bool a.b"].flatMap(
        (requested) => [`git config --no-includes ${requested}`, `git config --includes ${requested}`],
      ),
      "git config --no-includes --show-origin --show-scope --list",
      "git -c include.path=<root>/.git/inc config --no-includes --list",
      "git config --local --includes --list",
      "git config --local --list",
      "git config --no-includes a.z 5",
    ],
  },
  {
    name: "marks of branches where a branch is checked out or deleted",
    steps: [
      ...three,
      "git branch up HEAD~1",
      "git branch -q -u up",
      ...["@{u}", "main@{upstream}", "@{push}"].flatMap((mark) => [`git checkout ${mark}`, "git checkout -q main"]),
      "git switch @{u}",
      "git switch -q main",
      "git update-ref refs/remotes/origin/main HEAD",
      "git config remote.origin.url <root>/nowhere",
      "git config remote.origin.fetch +refs/heads/*:refs/remotes/origin/*",
      "git branch -q -u origin/main",
      "git checkout @{u}",
      "git checkout -q main",
      "git switch @{u}",
      "git branch -r -D @{-1}",
      "git branch -r -D @{-9}",
      "git branch -r -D nosuch@{u}",
      "git branch -r -D @{u}",
      "git branch -D @{-1}",
      "git branch -a",
    ],
  },
  {
    name: "rev-parse says where it is, with a work tree that is named",
    steps: [
      ...three,
      ...["", "d", ".git", ".git/refs"].flatMap((cwd) => [
        at(cwd, WHERE),
        at(cwd, WHERE, { GIT_WORK_TREE: "<root>" }),
        ...(cwd === ".git" ? [] : [at(cwd, WHERE, { GIT_WORK_TREE: "<root>/d" })]),
        ...(cwd === "" ? [] : [at(cwd, WHERE, { GIT_WORK_TREE: ".." })]),
        at(cwd, WHERE, { GIT_DIR: "<root>/.git" }),
        at(cwd, WHERE, { GIT_DIR: "<root>/.git", GIT_WORK_TREE: "<root>/d" }),
        at(cwd, ["--work-tree=<root>", ...WHERE]),
      ]),
    ],
  },
  {
    name: "clone.rejectShallow and --reject-shallow",
    repositories: ["src"],
    steps: [
      "git init -q -b main src",
      ...["one", "two"].map((message) => at("src", ["commit", "-q", "--allow-empty", "-m", message])),
      "git clone -q --depth 1 file://<root>/src shallow",
      "git -c clone.rejectShallow=true clone -q shallow c1",
      "git clone -q --reject-shallow file://<root>/shallow c2",
      "git -c clone.rejectShallow=true clone -q --no-reject-shallow shallow c3",
      "git -c clone.rejectShallow=true clone -q src c4",
      "git -c clone.rejectShallow=true clone -q --depth 1 file://<root>/src c5",
      "git -c clone.rejectShallow=bogus clone -q src c6",
    ],
  },
  {
    name: "safe.bareRepository of the user, not of the repository",
    repositories: ["src"],
    steps: [
      "git init -q -b main src",
      at("src", ["commit", "-q", "--allow-empty", "-m", "one"]),
      "git clone -q --bare src b.git",
      ...["explicit", "all", "bogus"].map((value) =>
        at("b.git", ["-c", `safe.bareRepository=${value}`, "rev-parse", "--git-dir"]),
      ),
      at("b.git", ["-c", "safe.bareRepository=explicit", "--git-dir=.", "log", "--format=%s"]),
      at("b.git", ["-c", "safe.bareRepository=explicit", "log"], { GIT_DIR: "." }),
      at("b.git", ["config", "safe.bareRepository", "explicit"]),
      at("b.git", ["log", "--format=%s"]),
      "git config --global safe.bareRepository explicit",
      at("b.git", ["log", "--format=%s"]),
      at("b.git/refs", ["log", "--format=%s"]),
      at("b.git", ["config", "a.b", "c"]),
      at("src/.git", ["log", "--format=%s"]),
      at("src", ["log", "--format=%s"]),
      "git clone -q b.git c",
    ],
  },
  {
    name: "names that are .git on HFS+ are refused with core.protectHFS",
    steps: [
      "git init -q -b main",
      "git config core.protectHFS true",
      { git: ["hash-object", "-w", "--stdin"], stdin: "x\n" },
      ...HFS.map((path) =>
        at("", ["update-index", "--add", "--cacheinfo", `100644,587be6b4c3f93f93c489c0111bba5596147a26cb,${path}`]),
      ),
      "git update-index --add --cacheinfo 120000,587be6b4c3f93f93c489c0111bba5596147a26cb,.gitm\u200dodules",
      "git update-index --add --cacheinfo 100644,587be6b4c3f93f93c489c0111bba5596147a26cb,.gitm\u200dodules",
      "git ls-files",
    ],
  },
];
