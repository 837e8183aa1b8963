/** What is synced in directories that tools fill (`node_modules`, `target`, …), and what stays in the container. */

import { containerOn, DaemonFixture, run, treeOf } from "@workspace/testing/daemon-fixture";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import type { WorkspaceContainer } from "../container/container.ts";
import type { SyncOptions } from "./policy.ts";
import { SyncState } from "./sync-state.ts";

interface Pair extends Inside {
  lab: DaemonFixture;
  container: WorkspaceContainer;
}

const pair = (body: (pair: Pair) => Promise<void>, options: SyncOptions = {}) =>
  inObject(async (inside) => {
    await using lab = await DaemonFixture.start();
    const container = containerOn(inside.volume, lab, options);
    await body({ ...inside, lab, container });
    container.link.close();
  });

const REASON = "container-only by policy";
const GIT = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
const text = (content: string) => `file 644 ${btoa(content)}`;
const files = (tree: Record<string, string>) =>
  Object.keys(tree).filter((path) => !/(^|\/)\.git(\/|$)/.test(path) && !tree[path]?.startsWith("dir"));

async function sh({ container }: Pair, command: string) {
  const ran = await run(container, command);
  expect({ ...ran.exit, stderr: ran.stderr }).toMatchObject({ state: "exited", exitCode: 0 });
  return { ...ran, sync: ran.exit.sync! };
}

describe("a directory that a default rule names", () => {
  it.each(["target", "src/target", "node_modules", "a/b/venv/lib", ".venv", "__pycache__", ".yarn/cache"])(
    "reaches the container with the files that the workspace has in %s",
    (directory) =>
      pair(async (p) => {
        await p.fs.writeMany([{ path: `/workspace/${directory}/index.ts`, content: "one" }]);
        const { stdout } = await sh(p, `cat ${directory}/index.ts; echo two > ${directory}/index.ts`);
        expect(stdout).toBe("one");
        expect(await p.fs.readFile(`/workspace/${directory}/index.ts`, "utf8")).toBe("two\n");
        await p.fs.writeFile(`/workspace/${directory}/index.ts`, "three");
        await p.fs.writeFile(`/workspace/${directory}/more.ts`, "more");
        expect((await sh(p, `cat ${directory}/*.ts`)).stdout).toBe("threemore");
        await sh(p, `rm ${directory}/index.ts`);
        expect(await p.fs.exists(`/workspace/${directory}/index.ts`)).toBe(false);
        await p.fs.rm(`/workspace/${directory}`, { recursive: true });
        expect((await sh(p, `test -e ${directory} && echo there || echo gone`)).stdout).toBe("gone\n");
      }),
  );

  it("keeps a file that a command moved there while the workspace removed the directory above", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await fs.writeMany([
        { path: "/workspace/src/one.ts", content: "one" },
        { path: "/workspace/d/two.ts", content: "two" },
      ]);
      await container.sync();
      await lab.do(
        { do: "write", path: "d/node_modules/cache", bytes: btoa("cache") },
        { do: "rename", path: "src", to: "d/node_modules/src" },
      );
      await fs.rm("/workspace/d", { recursive: true });
      await container.sync();
      await container.sync();
      const here = Object.values(await treeOf(fs));
      expect(here).toContain(text("one"));
      expect(here).not.toContain(text("two"));
      expect(Object.keys(await lab.tree())).not.toContain("d/node_modules/cache");
    }));

  it("keeps what commands create there, and the result says so", () =>
    pair(async (p) => {
      const { fs } = p;
      await fs.writeMany([
        { path: "/workspace/target/held", content: "held" },
        { path: "/workspace/target/deep/held", content: "held" },
      ]);
      const { sync } = await sh(
        p,
        "mkdir -p node_modules/m target/made && touch node_modules/m/i.js target/made/x target/y target/deep/z && rm target/held",
      );
      expect(Object.keys(await treeOf(fs)).sort()).toEqual(["target", "target/deep", "target/deep/held"]);
      expect(sync.skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: "/workspace/node_modules", reason: REASON },
        { path: "/workspace/target", reason: `${REASON}: 2 names in it that commands created` },
        { path: "/workspace/target/deep", reason: `${REASON}: 1 names in it that commands created` },
      ]);
    }));

  it("brings files that a command moves out of it, and files that it moves into it", () =>
    pair(async (p) => {
      const { fs } = p;
      await fs.writeMany([
        { path: "/workspace/target/held", content: "held" },
        { path: "/workspace/src/a/deep.ts", content: "deep" },
        { path: "/workspace/src/link", type: "symlink", target: "a/deep.ts" },
        { path: "/workspace/one.ts", content: "one" },
        { path: "/workspace/lib/two.ts", content: "two" },
      ]);
      await sh(p, "echo made > target/made && mkdir node_modules && touch node_modules/x");
      await sh(p, "mv target src2");
      expect(await fs.readFile("/workspace/src2/made", "utf8")).toBe("made\n");
      expect(await fs.readFile("/workspace/src2/held", "utf8")).toBe("held");
      expect(await fs.exists("/workspace/target")).toBe(false);
      await sh(p, "mv src target && mv one.ts node_modules && mkdir -p venv/lib && mv lib/two.ts venv/lib/");
      const tree = await treeOf(fs);
      expect(tree).toMatchObject({
        "target/a/deep.ts": text("deep"),
        "target/link": "symlink a/deep.ts",
        "node_modules/one.ts": text("one"),
        "venv/lib/two.ts": text("two"),
      });
      expect(files(tree)).not.toContain("node_modules/x");
      expect(files(tree)).not.toContain("src/a/deep.ts");
      await sh(p, "mv node_modules/one.ts target/two.ts && echo new > node_modules/one.ts");
      expect(await treeOf(fs)).toMatchObject({ "node_modules/one.ts": text("new\n"), "target/two.ts": text("one") });
      // They are the workspace's from now on.
      await sh(p, "echo more >> target/a/deep.ts");
      expect(await fs.readFile("/workspace/target/a/deep.ts", "utf8")).toBe("deepmore\n");
    }));

  it("brings what git tracks in it: checked out, added by force, in a subdirectory's repository, in a submodule", () =>
    pair(async (p) => {
      const { fs } = p;
      await sh(
        p,
        `${GIT} init -q && echo node_modules > .gitignore && mkdir -p src/target && echo 1 > src/target/index.ts && ${GIT} add -A && ${GIT} commit -qm one`,
      );
      expect(await fs.readFile("/workspace/src/target/index.ts", "utf8")).toBe("1\n");
      await sh(p, `mkdir -p node_modules/p && echo x > node_modules/p/x && echo y > node_modules/y`);
      expect(await fs.exists("/workspace/node_modules")).toBe(false);
      await sh(p, `${GIT} add -f node_modules/p/x && ${GIT} commit -qm forced`);
      expect(files(await treeOf(fs)).sort()).toEqual([".gitignore", "node_modules/p/x", "src/target/index.ts"]);
      await sh(p, `${GIT} checkout -q HEAD~1`);
      expect(files(await treeOf(fs)).sort()).toEqual([".gitignore", "src/target/index.ts"]);
      await sh(p, `${GIT} checkout -q main && rm src/target/index.ts && ${GIT} checkout src/target/index.ts`);
      expect(files(await treeOf(fs)).sort()).toEqual([".gitignore", "node_modules/p/x", "src/target/index.ts"]);
      // Another repository, in a directory; and it is a submodule of the first under such a name.
      await sh(
        p,
        `mkdir sub && cd sub && ${GIT} init -q && mkdir venv && echo v > venv/v && ${GIT} add . && ${GIT} commit -qm v`,
      );
      expect(await fs.readFile("/workspace/sub/venv/v", "utf8")).toBe("v\n");
      await sh(
        p,
        `${GIT} -c protocol.file.allow=always submodule add -q ./sub vendor/target && echo new > vendor/target/new`,
      );
      const tree = await treeOf(fs);
      expect(files(tree)).toContain("vendor/target/venv/v");
      expect(files(tree)).toContain("vendor/target/new");
      expect(tree["vendor/target/.git"]).toMatch(/^file/);
      const { stdout } = await sh(p, "git status --porcelain");
      expect(stdout).not.toContain(" D");
    }));

  it("is none in git's own directories, nor in a repository that the workspace has under such a name", () =>
    pair(async (p) => {
      const { fs } = p;
      await sh(
        p,
        `${GIT} init -q && ${GIT} commit -q --allow-empty -m one && git branch target/feature && git branch venv/x`,
      );
      expect(await fs.exists("/workspace/.git/refs/heads/target/feature")).toBe(true);
      await sh(p, `${GIT} init -q --bare origin.git && git push -q origin.git main:target/main`);
      expect(await fs.exists("/workspace/origin.git/refs/heads/target/main")).toBe(true);
      await sh(p, `git clone -q . app && mkdir app/node_modules && touch app/node_modules/x`);
      await fs.rename("/workspace/app", "/workspace/target");
      await sh(
        p,
        `cd target && echo n > new && mkdir -p node_modules && touch node_modules/x && ${GIT} commit -q --allow-empty -m two`,
      );
      expect(await fs.readFile("/workspace/target/new", "utf8")).toBe("n\n");
      expect(await fs.exists("/workspace/target/node_modules")).toBe(false);
      expect((await sh(p, "git -C target fsck 2>&1")).stdout).toBe("");
      const there = (await sh(p, "cd target/.git && find . -type f | sort")).stdout.trim().split("\n");
      for (const path of there) expect(await fs.exists(`/workspace/target/.git/${path}`), path).toBe(true);
    }));

  it("keeps both where the workspace writes what a command had created there", () =>
    pair(async (p) => {
      const { fs, lab } = p;
      await sh(
        p,
        "mkdir -p node_modules/d target venv && echo theirs | tee node_modules/x node_modules/d/y target/z > venv/w",
      );
      await fs.writeMany([
        { path: "/workspace/node_modules/x", content: "mine" },
        { path: "/workspace/node_modules/d/y/deep", content: "mine" },
        { path: "/workspace/target", content: "a file" },
      ]);
      await sh(p, "true");
      const { sync } = await sh(p, "true");
      const tree = await treeOf(fs);
      expect(tree["node_modules/x"]).toBe(text("mine"));
      const retained = Object.keys(tree).filter((path) => /\/[xy]\.conflict-\w+$/.test(path));
      expect(retained.map((path) => tree[path])).toEqual([text("theirs\n"), text("theirs\n")]);
      const there = await lab.tree();
      for (const path of ["node_modules/x", "node_modules/d/y/deep", ...retained]) expect(there[path]).toBe(tree[path]);
      // A whole directory of the container's stays where it is, and the result says so.
      expect(tree.target).toBe(text("a file"));
      expect(there["target/z"]).toBe(text("theirs\n"));
      expect(sync.skipped).toContainEqual({
        path: "/workspace/target",
        reason: `${REASON}, and in the way of the workspace's`,
      });
    }));

  it("keeps a command's directory where the workspace writes a file of that name, and the result names it until it is gone", () =>
    pair(async (p) => {
      const { fs, lab } = p;
      await fs.writeMany([{ path: "/workspace/target/held", content: "held" }]);
      await sh(p, "mkdir -p target/a && echo made > target/a/made");
      await fs.writeFile("/workspace/target/a", "ours");
      const blocked = { path: "/workspace/target/a", reason: `${REASON}, and in the way of the workspace's` };
      for (let round = 0; round < 3; round++) expect((await sh(p, "true")).sync.skipped).toContainEqual(blocked);
      expect(await lab.tree()).toMatchObject({ "target/a/made": text("made\n") });
      expect(await fs.readFile("/workspace/target/a", "utf8")).toBe("ours");
      await sh(p, "rm -r target/a");
      expect((await sh(p, "cat target/a")).stdout).toBe("ours");
    }));

  it("follows the user's rules, which hold for every path", () =>
    pair(
      async (p) => {
        const { fs, lab } = p;
        await fs.writeFile("/workspace/.workspaceignore", "/venv/\n*.log\n!/kept/node_modules/\n");
        await fs.writeMany([
          { path: "/workspace/venv/held", content: "" },
          { path: "/workspace/target/a.log", content: "" },
          { path: "/workspace/target/a", content: "" },
          { path: "/workspace/big/b", content: "" },
        ]);
        const { sync } = await sh(
          p,
          "mkdir -p venv kept/node_modules && touch venv/made target/b.log kept/node_modules/m",
        );
        expect(Object.keys(await lab.tree()).filter((path) => /held|a\.log|big/.test(path))).toEqual([]);
        expect(await fs.exists("/workspace/kept/node_modules/m")).toBe(true);
        for (const path of ["venv/made", "target/b.log"]) expect(await fs.exists(`/workspace/${path}`)).toBe(false);
        expect(sync.skipped).toContainEqual({ path: "/workspace/venv", reason: REASON });
      },
      { policy: [{ glob: "/big/", keep: "container-only" }] },
    ));
});

describe("rules that change", () => {
  it("push what they had held back, and pull what had stayed there", () =>
    pair(async (p) => {
      const { fs } = p;
      await fs.writeFile("/workspace/.workspaceignore", "*.tmp\n/data/\n");
      await fs.writeMany([
        { path: "/workspace/a.tmp", content: "a" },
        { path: "/workspace/data/deep/b", content: "b" },
        { path: "/workspace/c", content: "c" },
      ]);
      await sh(p, "echo there > there.tmp; test ! -e a.tmp && test ! -e data");
      await fs.writeFile("/workspace/.workspaceignore", "/data/\n");
      expect((await sh(p, "cat a.tmp; test ! -e data")).stdout).toBe("a");
      expect(await fs.readFile("/workspace/there.tmp", "utf8")).toBe("there\n");
      await fs.rm("/workspace/.workspaceignore");
      expect((await sh(p, "cat data/deep/b")).stdout).toBe("b");
      // A command's own change of the rules holds for what it made.
      const { sync } = await sh(
        p,
        "echo '!node_modules/' > .workspaceignore; mkdir node_modules; touch node_modules/m",
      );
      expect(await fs.exists("/workspace/node_modules/m")).toBe(true);
      expect(sync.skipped).toEqual([]);
    }));
});

describe("a container that is lost", () => {
  const LOST = "only the container had it, and that container is gone: it has to be made again";
  const lostIn = (skipped: readonly { path: string; reason: string }[]) =>
    skipped.filter(({ reason }) => reason === LOST).map(({ path }) => path);

  it("is named in the next result with what it alone had, once, also after the object was reloaded", () =>
    pair(async (p) => {
      const { fs, lab, volume } = p;
      await fs.writeMany([{ path: "/workspace/target/held", content: "held" }]);
      await sh(p, "mkdir -p node_modules app/.venv && touch node_modules/m app/.venv/x target/made");
      await lab.restart();
      // Neither a push nor a container that is made ready is a result.
      await p.container.ready();
      const state = new SyncState(volume, () => "unused");
      expect(state.lost).toHaveLength(3);
      const { sync } = await sh(p, "test -e target/held && test ! -e node_modules");
      expect(lostIn(sync.skipped)).toEqual(["/workspace/app/.venv", "/workspace/node_modules", "/workspace/target"]);
      expect(lostIn((await sh(p, "true")).sync.skipped)).toEqual([]);
    }));

  it("is named in the result of the command that ran in it, and in the next", () =>
    pair(async (p) => {
      await sh(p, "mkdir node_modules && touch node_modules/m");
      const running = run(p.container, "sleep 60");
      while (!(await p.lab.processes()).includes("sleep 60")) await new Promise((resolve) => setTimeout(resolve, 10));
      await p.lab.restart();
      const { exit } = await running;
      expect(exit.state).toBe("lost");
      expect(lostIn(exit.sync?.skipped ?? [])).toEqual(["/workspace/node_modules"]);
      expect(lostIn((await sh(p, "true")).sync.skipped)).toEqual(["/workspace/node_modules"]);
      expect(lostIn((await sh(p, "true")).sync.skipped)).toEqual([]);
    }));

  it("is not named when it had nothing of its own, and its names are bounded", () =>
    pair(async (p) => {
      await sh(p, "echo made > made");
      await p.lab.restart();
      expect(lostIn((await sh(p, "true")).sync.skipped)).toEqual([]);
      await sh(p, "for i in $(seq 150); do mkdir -p p$i/node_modules; done");
      await p.lab.restart();
      expect(lostIn((await sh(p, "true")).sync.skipped)).toHaveLength(100);
    }));
});
