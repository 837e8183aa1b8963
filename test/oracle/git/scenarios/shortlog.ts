/** `git shortlog`. */
import type { Scenario, Step } from "../scenario.ts";

const other = { GIT_AUTHOR_NAME: "Bea Busy", GIT_AUTHOR_EMAIL: "bea@example.com" };
const long = "a subject that is long enough to be wrapped when it is asked for, which is not what happens without -w";

const people: Step[] = [
  "git init -q",
  "git commit -q --allow-empty -m 'first one'",
  { git: ["commit", "-q", "--allow-empty", "-m", "[PATCH 1/2] bea one"], env: other },
  { git: ["commit", "-q", "--allow-empty", "-m", `${long}\n\nReviewed-by: Rita <rita@example.com>\n`], env: other },
  { git: ["commit", "-q", "--allow-empty", "--allow-empty-message", "-m", ""], env: other },
  "git commit -q --allow-empty -m 'last one'",
];

const written =
  "commit 1\nAuthor: One <one@x>\nDate:   now\n\n    subject one\n\n    body\n\ncommit 2\nAuthor: Two <two@x>\n\n    [PATCH] two\ncommit 3\nauthor One <one@x> 1 +0000\n\n    three\n";

export const shortlog: Scenario[] = [
  {
    name: "shortlog of commits",
    steps: [
      ...people,
      "git shortlog HEAD",
      "git shortlog -s HEAD",
      "git shortlog -sn HEAD",
      "git shortlog -sne HEAD",
      "git shortlog -e HEAD",
      "git shortlog -c HEAD",
      "git shortlog --group=author HEAD",
      "git shortlog --group=committer -s HEAD",
      "git shortlog --group=author --group=committer -s HEAD",
      "git shortlog --group=trailer:reviewed-by HEAD",
      "git shortlog --group=trailer:reviewed-by -se HEAD",
      "git shortlog --group=format:%as -s HEAD",
      "git shortlog --group=%cn -s HEAD",
      "git shortlog --group=what HEAD",
      "git shortlog --format='%h %s' HEAD",
      "git shortlog -w HEAD",
      "git shortlog -w40 HEAD",
      "git shortlog -w40,2,4 HEAD",
      "git shortlog -w0 HEAD",
      "git shortlog HEAD~2",
      "git shortlog HEAD~2..",
      "git shortlog --author=Bea HEAD",
      "git shortlog --since=1700000130 HEAD",
      "git shortlog --max-count=1 HEAD",
      "git shortlog --all -s",
      "git shortlog --foo",
      "git shortlog nosuch",
      "git shortlog -sn --no-merges HEAD",
      { write: { ".mailmap": "Beatrice Busy <busy@example.com> <bea@example.com>\n" } },
      "git shortlog -se HEAD",
    ],
  },
  {
    name: "shortlog of a log",
    repositories: [],
    steps: [
      { git: ["shortlog"], stdin: written },
      { git: ["shortlog", "-sn"], stdin: written },
      { git: ["shortlog", "-se"], stdin: written },
      { git: ["shortlog", "-c"], stdin: written },
      { git: ["shortlog"], stdin: "" },
      { git: ["shortlog", "--group=trailer:x"], stdin: written },
      { git: ["shortlog", "-c", "--group=author"], stdin: written },
    ],
  },
];
