/**
 * Undo of calls that ran git, ours in the Worker and the real one in a container, with other calls after them. Whatever an undo
 * does, real git finds the repositories sound afterwards: every object that something refers to is there. What refuses changes
 * nothing; what is undone is the tree before the call, objects apart; and the undo itself can be undone.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { DaemonFixture, run, treeOf } from "@workspace/testing/daemon-fixture";
import { describe, expect, it } from "vitest";
import { treeIn } from "./planted-tree.ts";
import { toJson } from "./scenario-json.ts";

interface Scenario {
  readonly title: string;
  readonly setup: string;
  readonly call: string;
  readonly later: string;
  /** With `dir`, where the repositories are; default the workspace's root. */
  readonly repositories?: readonly string[];
  /** A path that the undo is refused for; absent: it is done. */
  readonly conflict?: string;
  /** Commands whose output says that the call is undone, and what they then print. */
  readonly shows?: readonly [command: string, output: string];
  /** Files that a sound repository has beside objects of the call: not compared. */
  readonly unlike?: RegExp;
  /** The call itself breaks the repository: it is broken again when the undo is undone. */
  readonly breaks?: true;
  /** Not a command of the Worker's git; or a move, which a container's files show as a removal. */
  readonly only?: "worker" | "container";
}

const IDENTITY =
  "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'\n";
const START = "git init -q -b main && git config gc.auto 0 && echo one > f && git add f && git commit -qm first";
const COMMIT = "echo two >> f && git add -A && git commit -qm second";
/** A second repository beside, to fetch from. */
const REMOTE = `mkdir up && cd up && ${START.replace("first", () => "theirs")} && cd ..`;

const SCENARIOS: readonly Scenario[] = [
  {
    title: "a commit, and then a tag of it",
    setup: START,
    call: COMMIT,
    later: "git tag v1",
    shows: ["git log --format=%s", "first\n"],
  },
  {
    title: "a commit, and then a branch of it",
    setup: START,
    call: COMMIT,
    later: "git branch other",
    shows: ["git log --format=%s other", "second\nfirst\n"],
  },
  {
    title: "a commit, and then another ref to it",
    setup: START,
    call: COMMIT,
    later: "git update-ref refs/notes/commits HEAD",
    shows: ["git log --format=%s -1 main", "first\n"],
  },
  {
    title: "a commit, and then a commit on it",
    setup: START,
    call: COMMIT,
    later: "echo 3 >> f && git commit -qam third",
    conflict: "/workspace/f",
  },
  {
    title: "a commit, and then a linked work tree of it",
    setup: START,
    call: COMMIT,
    later: "git worktree add -q -b wt wt HEAD",
    only: "container",
    shows: ["git log --format=%s -1", "first\n"],
  },
  {
    title: "a stash, and then another file in the index",
    setup: `${START} && echo new > g && git add g`,
    call: "git stash -q",
    later: "echo other > h && git add h",
    conflict: "/workspace/.git/index",
  },
  {
    title: "a commit, and then a packed repository",
    setup: START,
    call: COMMIT,
    later: "git tag v1 && git gc -q",
    conflict: "/workspace/.git/refs/heads/main",
  },
  {
    title: "a new branch, and then packed refs",
    setup: START,
    call: "git branch feature",
    later: "git pack-refs --all",
    conflict: "/workspace/.git/refs/heads/feature",
  },
  {
    title: "a new branch, and then its deletion",
    setup: START,
    call: "git branch feature",
    later: "git branch -q -D feature",
    shows: ["git branch --format='%(refname:short)'", "main\n"],
  },
  {
    title: "the deletion of a branch, and then gc --prune=now",
    setup: `${START} && git switch -qc feature && ${COMMIT} && git switch -q main && git reflog expire --expire=now --all`,
    call: "git branch -q -D feature",
    later: "git prune --expire=now && git tag v1",
    shows: ["git log --format=%s feature", "second\nfirst\n"],
  },
  {
    title: "gc, and then a commit",
    setup: `${START} && ${COMMIT}`,
    call: "git gc -q --prune=now",
    later: "echo 3 >> f && git commit -qam third",
    conflict: "/workspace/.git/refs/heads/main",
  },
  {
    title: "repack -ad, and then a commit",
    setup: `${START} && ${COMMIT} && git repack -q -d && echo 3 >> f && git commit -qam third`,
    call: "git repack -q -a -d && git prune-packed",
    later: "echo 4 >> f && git commit -qam fourth",
    shows: ["git log --format=%s", "fourth\nthird\nsecond\nfirst\n"],
  },
  {
    title: "prune of what nothing reaches, and then a tag",
    setup: `${START} && git hash-object -w f && echo lost | git hash-object -w --stdin`,
    call: "git prune --expire=now",
    later: "git tag v1",
    shows: ["echo lost | git hash-object --stdin | xargs git cat-file -p", "lost\n"],
  },
  {
    title: "a stash, and then a tag of it",
    setup: `${START} && echo mine >> f`,
    call: "git stash -q",
    later: "git tag kept stash@{0}",
    shows: ["cat f", "one\nmine\n"],
  },
  {
    title: "a rebase, and then a branch",
    setup: `${START} && git switch -qc feature && ${COMMIT} && git switch -q main && echo g > g && git add g && git commit -qm base && git switch -q feature`,
    call: "git rebase -q main",
    later: "git branch rebased",
    shows: ["git log --format=%s feature", "second\nfirst\n"],
  },
  {
    title: "a merge, and then a tag",
    setup: `${START} && git switch -qc feature && ${COMMIT} && git switch -q main && echo g > g && git add g && git commit -qm base`,
    call: "git merge -q --no-edit feature",
    later: "git tag merged",
    shows: ["git log --format=%s", "base\nfirst\n"],
  },
  {
    title: "a fetch, and then a branch of what it brought",
    setup: `${START} && ${REMOTE} && git remote add up ./up`,
    call: "git fetch -q up",
    later: "git branch theirs up/main",
    shows: ["git branch -r", ""],
    repositories: [".", "up"],
  },
  {
    title: "a shallow fetch, and then a branch of what it brought",
    setup: `${START} && ${REMOTE} && cd up && ${COMMIT} && cd .. && git remote add up ./up`,
    call: "git fetch -q --depth=1 up",
    later: "git branch theirs up/main",
    shows: ["git log --format=%s theirs", "second\n"],
    repositories: [".", "up"],
    unlike: /^\.git\/shallow$/,
  },
  {
    title: "a clone, and then a tag in it",
    setup: REMOTE,
    call: "git clone -q ./up down",
    later: "cd down && git tag v1",
    conflict: "/workspace/down/.git/refs/tags/v1",
    repositories: ["up", "down"],
  },
  {
    title: "a clone, and then a file beside it",
    setup: REMOTE,
    call: "git clone -q ./up down",
    later: "echo x > beside",
    shows: ["ls", "beside\nup\n"],
    repositories: ["up"],
  },
  {
    title: "a push to a bare repository, and then a tag there",
    setup: `${START} && git init -q --bare b.git && git remote add b ./b.git`,
    call: "git push -q b main",
    later: "git --git-dir=b.git tag v1 main",
    shows: ["git --git-dir=b.git tag", "v1\n"],
    repositories: [".", "b.git"],
  },
  {
    title: "an alternate, and then a branch of what it holds",
    setup: `${START} && ${REMOTE}`,
    call: "mkdir -p .git/objects/info && echo ../../up/.git/objects > .git/objects/info/alternates",
    later: "git fetch -q ./up main:theirs",
    shows: ["git log --format=%s theirs", "theirs\n"],
    repositories: [".", "up"],
  },
  {
    title: "objects that were overwritten, and then a file beside",
    setup: `${START} && ${COMMIT}`,
    call: "for o in .git/objects/??/*; do chmod u+w $o; echo junk > $o; done",
    later: "echo x > beside",
    shows: ["git log --format=%s", "second\nfirst\n"],
    breaks: true,
  },
  {
    title: "the removal of all objects, and then a file beside",
    setup: `${START} && ${COMMIT}`,
    call: "rm -rf .git/objects/*",
    later: "mkdir -p .git/objects/00 .git/objects/pack && echo x > beside",
    shows: ["git log --format=%s", "second\nfirst\n"],
    breaks: true,
  },
  {
    title: "a commit in a repository that is moved and tagged",
    setup: `mkdir r && cd r && ${START}`,
    call: `cd r && ${COMMIT}`,
    later: "mv r s && cd s && git tag v1",
    shows: ["cd s && git log --format=%s main", "first\n"],
    repositories: ["s"],
    unlike: /^[rs](\/|$)/,
    only: "worker",
  },
];

let created = 0;

/** Runs command lines under a call id. */
type Play = (callId: string, script: string) => Promise<string>;

async function played(scenario: Scenario, ws: Workspace, play: Play): Promise<void> {
  const { setup, call, later, conflict, shows, repositories = ["."], unlike, breaks = false } = scenario;
  await play("setup", setup);
  const before = await shapeOf(ws, unlike);
  await play("call", call);
  await play("later", later);
  const done = await ws.history.undo({ callId: "call" }).catch((error) => error);
  if (conflict !== undefined) {
    expect(done).toMatchObject({ code: "ECONFLICT" });
    expect(done.conflicts.map(({ path }: { path: string }) => path)).toContain(conflict);
    await expectSound(ws, repositories);
    // With force, later changes are reverted too; nothing dangles.
    await ws.history.undo({ callId: "call", force: true });
    await expectSound(
      ws,
      repositories.filter((name) => name !== "down"),
    );
    return;
  }
  expect(done).toMatchObject({ conflicts: [] });
  await expectSound(ws, repositories);
  if (shows !== undefined) expect(await play("look", shows[0])).toBe(shows[1]);
  const after = await shapeOf(ws, unlike);
  // Nothing of it was left.
  if (done.group === null) return;
  const again = await ws.history.undo({ group: done.group });
  if (!breaks) await expectSound(ws, repositories);
  await ws.history.undo({ group: again.group as number });
  expect(await shapeOf(ws, unlike)).toEqual(after);
  await expectSound(ws, repositories);
  // What the later call made is there, and what it left alone is as before the call.
  const ours = await ws.history.log({ callId: "later", limit: 1000 });
  const touched = new Set(ours.entries.flatMap(({ path, from }) => [path, from ?? path]));
  const untouched = Object.entries(before).filter(([path]) => !touched.has(`/workspace/${path}`));
  expect(after).toMatchObject(Object.fromEntries(untouched));
}

/** Every path but objects, which stay, and directories' modes. */
async function shapeOf(ws: Workspace, unlike?: RegExp): Promise<Record<string, unknown>> {
  const tree = Object.entries(await treeOf(ws.fs));
  return Object.fromEntries(
    tree.filter(([path]) => !/(^|\/)objects(\/|$)/.test(path) && !/(^|\/)index$/.test(path) && !unlike?.test(path)),
  );
}

/** By the real git, on a disk. */
async function expectSound(ws: Workspace, repositories: readonly string[]): Promise<void> {
  const tree = await treeIn(ws.fs, "/workspace");
  const scenario = { name: "", steps: [], repositories };
  const body = toJson({ scenario, tree, root: "/workspace" });
  const response = await env.REAL_GIT.fetch("http://git/", { method: "PUT", body });
  if (!response.ok) throw new Error(await response.text());
  const state = await response.json<Record<string, string>>();
  for (const name of repositories) {
    const at = (topic: string) => (name === "." ? topic : `${topic} of ${name}`);
    expect([name, state[at("fsck")]]).toEqual([
      name,
      expect.stringMatching(/^((dangling|notice:) [^\n]*|exit 0|\n)*$/),
    ]);
    for (const topic of ["log", "refs", ...(name.endsWith(".git") ? [] : ["status"])])
      expect(state[at(topic)]).toMatch(/exit 0\n?$/);
  }
}

function inObject<T>(body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(`undo of git ${created++}`), (_, { storage }) => body(storage));
}

describe("undo after git in the Worker", () => {
  it.each(SCENARIOS.filter((scenario) => scenario.only !== "container"))("$title", (scenario) =>
    inObject(async (storage) => {
      const ws = new Workspace({ storage });
      await played(scenario, ws, async (callId, script) => {
        const handle = await ws.as({ callId }).shell.exec(`${IDENTITY}set -e\n${script}`);
        const { stdout, stderr, exitCode } = await handle.result();
        const reported = new TextDecoder().decode(stderr);
        expect([script, reported, exitCode]).toEqual([script, expect.any(String), 0]);
        return new TextDecoder().decode(stdout);
      });
    }),
  );
});

describe("undo after git in a container", () => {
  it.each(SCENARIOS.filter((scenario) => scenario.only !== "worker"))("$title", (scenario) =>
    inObject(async (storage) => {
      await using daemon = await DaemonFixture.start();
      const ws = new Workspace({ storage, sandbox: daemon.sandbox });
      const { container } = ws;
      if (container === null) throw new Error("no container");
      await played(scenario, ws, async (callId, script) => {
        const { stdout, stderr, exit } = await run(container, `${IDENTITY}set -e\n${script}`, { id: callId });
        expect([script, stderr, exit.exitCode]).toEqual([script, expect.any(String), 0]);
        return stdout;
      });
    }),
  );
});

describe("restore of a path in a repository", () => {
  it.each([".git/refs", ".git/objects", ".git/refs/heads/feature", ".git/HEAD", ".git"])("%s leaves it sound", (path) =>
    inObject(async (storage) => {
      const ws = new Workspace({ storage });
      const sh = async (script: string) => {
        const { exitCode } = await (await ws.shell.exec(`${IDENTITY}set -e\n${script}`)).result();
        expect([script, exitCode]).toEqual([script, 0]);
      };
      await sh(`${START} && git switch -qc feature && ${COMMIT} && git switch -q main`);
      const { id } = await ws.snapshots.create();
      await sh("git branch -q -D feature && git reflog expire --expire=now --all && git gc -q --prune=now");
      await sh("echo 3 >> f && git commit -qam third && git tag v1");
      await ws.snapshots.restore(id, { paths: [`/workspace/${path}`] });
      await expectSound(ws, ["."]);
      if (path.includes("refs") || path === ".git") await sh("git log feature");
    }),
  );
});
