/** `rebase --exec`: commands between commits, run by the host. Ours and real git with the same shell; without one it is refused. */
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { expect, it } from "vitest";
import { compareRecordings } from "./compare.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { makePlaces, playRealGit, runInShell } from "./real-git.ts";
import type { Scenario, Step } from "./scenario.ts";

const fs = createNodeFileSystem();
const env = { GIT_EDITOR: ":", PATH: process.env.PATH ?? "" };

const history: Step[] = [
  "git init -q -b main",
  { write: { a: "1\n", b: "1\n" } },
  "git add .",
  "git commit -qm base",
  "git checkout -q -b topic",
  { write: { a: "2\n" } },
  "git commit -qam one",
  { write: { a: "3\n" } },
  "git commit -qam two",
  { write: { b: "2\n" } },
  "git commit -qam 'fixup! one'",
  "git checkout -q main",
  { write: { c: "c\n" } },
  "git add .",
  "git commit -qm main",
  "git checkout -q topic",
];
const interactive = { GIT_SEQUENCE_EDITOR: ":" };

const scenarios: Scenario[] = [
  {
    name: "commands that do well",
    steps: [
      ...history,
      "git rebase --exec 'echo hello; echo aside >&2' main",
      "git log --oneline --all",
      "git rebase -x 'echo one' --exec 'echo two' HEAD~2",
      "git rebase -q -x 'echo quiet' HEAD~1",
      "git rebase -v -x 'echo loud' HEAD~1",
      "git rebase -x 'echo none' HEAD",
      { git: ["rebase", "-i", "--autosquash", "-x", "git log -1 --format=%s", "main"], env: interactive },
      "git log --format=%s%n%b",
      "git rebase -x '' HEAD~1",
      "git rebase -f -x 'cat a' main",
    ],
  },
  {
    name: "commands that fail",
    steps: [
      ...history,
      "git rebase -x 'echo x; false' main",
      "git status",
      "git rebase --continue",
      "git rebase --continue",
      "git rebase --continue",
      "git status",
      "git rebase -x 'exit 3' HEAD~1",
      "git rebase --abort",
      "git rebase --reschedule-failed-exec -x false HEAD~2",
      "git status",
      "git rebase --continue",
      "git rebase --abort",
    ],
  },
  {
    name: "commands that change something",
    steps: [
      ...history,
      "git rebase -x 'echo more >>a' main",
      "git rebase --continue",
      "git checkout a",
      "git rebase --abort",
      "git rebase -x 'echo more >>a; git add a; false' main",
      "git status",
      "git rebase --continue",
      "git rebase --abort",
      "git rebase -x 'echo new >n; git add n; git commit -qm made' HEAD~1",
      "git log --oneline -3",
      {
        git: [
          "rebase",
          "-x",
          "echo drop >>.git/rebase-merge/git-rebase-todo; echo exec echo added >>.git/rebase-merge/git-rebase-todo; sed -i /^drop/d .git/rebase-merge/git-rebase-todo",
          "HEAD~1",
        ],
      },
    ],
  },
];

const driven: Step[] = [
  "git init -q -b main",
  { write: { ".gitattributes": "a merge=x\n", a: "1\n", b: "1\n" } },
  "git add .",
  "git commit -qm base",
  "git branch side",
  { write: { a: "main\n", b: "main\n" } },
  "git commit -qam main",
  "git switch -q side",
  { write: { a: "side\n", c: "side\n" } },
  "git add .",
  "git commit -qam side",
];

for (const driver of ["rm -f %A", "rm -f %A; false", "cat %B >%A", "exit 1", "exit 129"]) {
  scenarios.push({
    name: `a merge driver: ${driver}`,
    steps: [
      ...driven,
      { git: ["config", "merge.x.driver", driver] },
      "git merge main",
      "git status",
      "git ls-files -s",
      "git reset -q --hard",
      "git cherry-pick main",
      "git status",
    ],
  });
}

const withShell: RunOurs = (host, call) =>
  runCli(
    {
      ...host,
      run: ({ command, cwd, env: variables }) => runInShell({ argv: ["sh", "-c", command], cwd, env: variables }),
    },
    call,
  );

it.each(scenarios)("$name", async (input) => {
  const scenario = { ...input, env };
  const positions = makePlaces("ours");
  try {
    const outputs = await playOurGit(scenario, { ...positions, fs }, withShell);
    const ours = { outputs, state: await inspectRepository(scenario, positions) };
    const reported = compareRecordings(scenario, await playRealGit(scenario), ours);
    if (reported !== null) expect.fail(reported);
  } finally {
    positions.remove();
  }
});

it("rebase --exec without a shell is refused before it starts, and an exec line of another git stays", async () => {
  const positions = makePlaces("ours");
  try {
    const steps: Step[] = [...history, "git rebase --exec 'echo x' main", "git status -sb"];
    const outputs = await playOurGit({ name: "none", env, steps }, { ...positions, fs });
    expect(outputs.at(-2)).toMatchObject({
      exitCode: 128,
      stderr:
        "fatal: commands are not run here: leave out --exec, and run them on each commit yourself ('break' in a todo list)\n",
    });
    expect(outputs.at(-1)?.stdout).toBe("## topic\n");
  } finally {
    positions.remove();
  }
});
