/** revert: one commit, several, merges, conflicts. */
import type { Scenario } from "../scenario.ts";
import { start } from "./cherry-pick.ts";

export const revert: Scenario[] = [
  {
    name: "revert: one, several, none",
    steps: [
      ...start,
      "git revert HEAD",
      "git log -n 1 --format=fuller",
      "git revert --no-edit HEAD",
      "git log -n 1 --format=%B",
      "git switch -q topic",
      "git revert --no-edit HEAD~2 HEAD~1",
      "git log --format=%s",
      "git reset -q --hard HEAD~2",
      "git revert -n HEAD~1 HEAD",
      "git status",
      "git reset -q --hard",
      "git revert --no-edit HEAD~2..HEAD",
      "git log --format=%s",
      "git reflog -n 3",
      "git revert nothing",
      "git revert --abort",
      "git revert",
    ],
  },
  {
    name: "revert: a merge",
    steps: [
      ...start,
      "git merge -q topic",
      "git revert HEAD",
      "git revert -m 1 HEAD",
      "git log -n 1 --format=%B",
      "git status --short",
    ],
  },
  {
    name: "revert: a conflict, and the ways out",
    steps: [
      ...start,
      "git switch -q topic",
      { write: { "a.txt": "ONE\n2\n3\n4\n5\n6\n7\n8\nnine\n" } },
      "git commit -q -a -m more",
      "git revert HEAD~1",
      "git status",
      "git diff",
      "git revert --abort",
      "git revert HEAD~1",
      { write: { "a.txt": "resolved\n" } },
      "git add a.txt",
      "git revert --continue",
      "git log -n 1 --format=%B",
      "git reset -q --hard HEAD~1",
      "git revert HEAD~1 HEAD~2",
      "git revert --skip",
      "git log --format=%s",
    ],
  },
];
