/** Ways to change the tree without approval, or to get more approved than was reviewed, while proposals wait. */
import { describe, expect, it } from "vitest";
import { codeOf, type Inside, inWorkspace, unwrap } from "../../test/in-workspace.ts";

const FILES = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  "run.sh": "#!/bin/sh\n",
  "dir/c.txt": "three\n",
  "secret.env": "KEY\n",
};

const patch = (body: string) => ({ patch: body });
const shell = (command: string) => ["exec", { command }] as const;
const git = (...argv: string[]) => ["git", { argv }] as const;

/** Calls that propose, fail, or only read; none changes the tree. */
const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ["write", { path: "a.txt", content: "1\n" }],
  ["write", { path: "new/deep/x", content: "x" }],
  ["write", { path: "a.txt/under", content: "x" }],
  ["write", { path: "link", content: "through a link\n" }],
  ["write", { path: "linkdir/x", content: "x" }],
  ["write", { path: "out/x", content: "x" }],
  ["write", { path: "dangling", content: "x" }],
  ["write", { path: "../escape", content: "x" }],
  ["write", { path: "secret.env", content: "x" }],
  ["write", { path: "b.txt", content: "more\n", append: true }],
  ["write", { path: ".git/config", content: "[core]\n" }],
  ["edit", { path: "a.txt", oldString: "one", newString: "ONE" }],
  ["edit", { path: "link", oldString: "one", newString: "ONE" }],
  ["edit", { path: "secret.env", oldString: "KEY", newString: "x" }],
  ["delete", { path: "b.txt" }],
  ["delete", { path: "link" }],
  ["delete", { path: "dangling" }],
  ["delete", { path: "dir", recursive: true }],
  ["delete", { path: "new", recursive: true }],
  ["delete", { path: "." }],
  ["move", { from: "a.txt", to: "moved.txt" }],
  ["move", { from: "moved.txt", to: "a.txt", overwrite: true }],
  ["move", { from: "dir", to: "dir2" }],
  ["move", { from: "link", to: "link2" }],
  ["move", { from: "run.sh", to: "secret.env", overwrite: true }],
  ["copy", { from: "run.sh", to: "run2.sh" }],
  ["copy", { from: "dir", to: "dir3" }],
  ["copy", { from: "secret.env", to: "plain.txt" }],
  ["copy", { from: "link", to: "linkcopy" }],
  ["apply_patch", patch("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n")],
  ["apply_patch", patch("*** Begin Patch\n*** Add File: p.txt\n+p\n*** Delete File: b.txt\n*** End Patch")],
  [
    "apply_patch",
    patch("*** Begin Patch\n*** Update File: run.sh\n*** Move to: r.sh\n@@\n-#!/bin/sh\n+x\n*** End Patch"),
  ],
  [
    "apply_patch",
    patch("diff --git a/s b/s\nnew file mode 120000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+/etc/passwd\n"),
  ],
  ["apply_patch", patch("diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 104755\n")],
  ["apply_patch", patch("diff --git a/a.txt b/r.txt\nrename from a.txt\nrename to r.txt\n")],
  ["memory", { command: "create", path: "/memories/m", file_text: "m" }],
  ["memory", { command: "delete", path: "/memories" }],
  ["str_replace_based_edit_tool", { command: "create", path: "/workspace/t", file_text: "t" }],
  ["str_replace_based_edit_tool", { command: "insert", path: "/workspace/a.txt", insert_line: 0, insert_text: "0\n" }],
  ["undo", { callId: "seed" }],
  ["undo", {}],
  shell("echo x > a.txt"),
  shell("rm -rf dir"),
  shell("mv a.txt z.txt; ln -s a.txt y; mkdir q; touch t; chmod 777 run.sh"),
  shell("tee b.txt < a.txt; sed -i s/two/2/ b.txt; cp a.txt n.txt"),
  shell("find . -delete; tar xf a.txt; dd if=a.txt of=b.txt; truncate -s 0 a.txt"),
  shell("git init; git add -A; git commit -m x --allow-empty"),
  shell("cat *; ls -la; env"),
  git("init"),
  git("init", "--separate-git-dir=/workspace/g", "."),
  git("config", "--file", "a.txt", "x.y", "z"),
  git("clone", ".", "other"),
  git("worktree", "add", "wt"),
  git("apply", "a.txt"),
  git("hash-object", "-w", "a.txt"),
  ["exec_output", { id: "none" }],
  ["read", { path: "a.txt" }],
  ["list", { recursive: true }],
  ["tree", {}],
  ["grep", { pattern: "o" }],
  ["find", {}],
  ["stats", {}],
];

const ACTORS = ["alice", "bob"] as const;

describe.each([
  ["no rules", {}],
  ["denied files", { deny: ["*.env"] }],
  ["a narrowed root", { root: "/workspace/dir" }],
  ["few writable files", { writable: ["**/*.txt"] }],
])("propose, with %s", (_name, rules) => {
  it.each([1, -1, 37])("no call of two actors changes the tree, in steps of %i through the calls", (step) =>
    inWorkspace(
      async (inside) => {
        await plantLinks(inside);
        const before = await treeOf(inside);
        const toolsets = await Promise.all(ACTORS.map((actor) => inside.more({ actor, ...rules })));
        for (let i = 0; i < 2 * CALLS.length; i++) {
          const [name, input] = CALLS.at((i * step) % CALLS.length)!;
          await toolsets[(i >> 1) % 2]!.handle(name, input);
          expect([name, input, await treeOf(inside)]).toEqual([name, input, before]);
        }
        const [alice, bob] = toolsets as [Inside["toolset"], Inside["toolset"]];
        const proposed = [...(await alice.proposals.list()), ...(await bob.proposals.list())];
        expect(proposed.length).toBeGreaterThan(0);
        for (const { path } of proposed) {
          expect(path).toMatch(/^\/workspace\//);
          if ("deny" in rules) expect(path).not.toContain(".env");
          if ("root" in rules) expect(path).toContain("/workspace/dir/");
          if ("writable" in rules) expect(path).toMatch(/\.txt(\/|$)/);
        }
        // What one actor dropped is not the other's.
        const count = (await bob.proposals.list()).length;
        await alice.proposals.drop();
        expect((await bob.proposals.list()).length).toBe(count);
        await bob.proposals.drop();
        expect(await treeOf(inside)).toEqual(before);
      },
      { mode: "propose", role: "full" },
      FILES,
    ),
  );
});

describe("apply", () => {
  it("with what was reviewed, applies nothing that a call replaced, added to it or removed since", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        await call("write", { path: "a.txt", content: "harmless\n" });
        await call("write", { path: "n.txt", content: "new\n" });
        const reviewed = await toolset.proposals.list();
        await call("write", { path: "a.txt", content: "harmful\n" });
        await call("write", { path: "later.txt", content: "unseen\n" });
        const stale = { code: "STALE", details: { paths: ["/workspace/a.txt"] } };
        await expect(toolset.proposals.apply({ reviewed })).rejects.toMatchObject(stale);
        expect([await fs.exists("/workspace/n.txt"), await fs.readFile("/workspace/a.txt", "utf8")]).toEqual([
          false,
          "one\n",
        ]);
        const again = (await toolset.proposals.list()).filter(({ path }) => !path.endsWith("later.txt"));
        expect((await toolset.proposals.apply({ reviewed: again })).paths).toEqual([
          "/workspace/a.txt",
          "/workspace/n.txt",
        ]);
        expect((await toolset.proposals.list()).map(({ path }) => path)).toEqual(["/workspace/later.txt"]);
        await expect(toolset.proposals.apply({ reviewed: again })).rejects.toMatchObject({ code: "STALE" });
        expect(await fs.exists("/workspace/later.txt")).toBe(false);
        expect((await toolset.proposals.apply({ reviewed: [] })).paths).toEqual([]);
      },
      { mode: "propose" },
      FILES,
    ));

  it("shows and compares permissions, and a deletion is not the review of a write", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        await call("write", { path: "a.txt", content: "same\n" });
        const written = await toolset.proposals.list();
        const body = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n";
        unwrap(await toolset.handle("apply_patch", { patch: body }));
        expect(await toolset.proposals.list()).toMatchObject([{ content: "same\n", mode: 0o755 }]);
        await expect(toolset.proposals.apply({ reviewed: written })).rejects.toMatchObject({ code: "STALE" });
        await call("delete", { path: "a.txt" });
        await expect(toolset.proposals.apply({ reviewed: written })).rejects.toMatchObject({ code: "STALE" });
        expect(await fs.readFile("/workspace/a.txt", "utf8")).toBe("one\n");
      },
      { mode: "propose" },
      FILES,
    ));

  it("keeps a proposal that a call made meanwhile, and applies each change once", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        await call("write", { path: "a.txt", content: "first\n" });
        const write = toolset.handle("write", { path: "a.txt", content: "second\n" });
        const results = await Promise.allSettled([toolset.proposals.apply(), toolset.proposals.apply(), write]);
        expect(results.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(1);
        const content = await fs.readFile("/workspace/a.txt", "utf8");
        const left = await toolset.proposals.list();
        expect(["first\n", "second\n"]).toContain(content);
        if (content === "first\n" && (await write).isError) expect(left).toEqual([]);
        else if (content === "first\n") expect(left).toMatchObject([{ content: "second\n" }]);
      },
      { mode: "propose" },
      FILES,
    ));

  it.each([
    ["changed", async ({ fs }: Inside) => fs.writeFile("/workspace/a.txt", "another\n")],
    ["removed", async ({ fs }: Inside) => fs.rm("/workspace/a.txt")],
    [
      "replaced by a directory",
      async ({ fs }: Inside) => {
        await fs.rm("/workspace/a.txt");
        await fs.mkdir("/workspace/a.txt");
      },
    ],
    [
      "replaced by a link that leads out",
      async ({ fs }: Inside) => {
        await fs.rm("/workspace/a.txt");
        await fs.writeFile("/out.txt", "outside\n");
        await fs.symlink("/out.txt", "/workspace/a.txt");
      },
    ],
    [
      "removed and written again",
      async ({ fs }: Inside) => {
        await fs.rm("/workspace/a.txt");
        await fs.writeFile("/workspace/a.txt", "other\n");
      },
    ],
  ] as const)("refuses all proposals when a file was %s", (_name, change) =>
    inWorkspace(
      async (inside) => {
        const { toolset, call, fs } = inside;
        await call("edit", { path: "a.txt", oldString: "one", newString: "1" });
        await call("write", { path: "n.txt", content: "new\n" });
        await change(inside);
        const before = await treeOf(inside);
        await expect(toolset.proposals.apply()).rejects.toMatchObject({ code: expect.any(String) });
        expect(await treeOf(inside)).toEqual(before);
        for (const { diff } of await toolset.proposals.list()) expect(diff).not.toContain("-outside");
        if (await fs.exists("/out.txt")) expect(await fs.readFile("/out.txt", "utf8")).toBe("outside\n");
        expect(await toolset.proposals.list()).toHaveLength(2);
      },
      { mode: "propose" },
      FILES,
    ),
  );

  it("holds to rules that the host tightened after the proposal", () =>
    inWorkspace(
      async ({ fs, call, more }) => {
        await call("write", { path: "secret.env", content: "stolen\n" });
        await call("write", { path: "run.sh", content: "x\n" });
        for (const rules of [{ deny: ["*.env"] }, { writable: ["**/*.txt"] }, { root: "/workspace/dir" }]) {
          const tight = await more(rules);
          const outcome = await tight.proposals.apply().then(
            ({ paths }) => paths,
            () => [],
          );
          expect([rules, outcome.filter((path) => path.endsWith(".env"))]).toEqual([rules, []]);
        }
        expect(await fs.readFile("/workspace/secret.env", "utf8")).toBe("KEY\n");
      },
      { mode: "propose" },
      FILES,
    ));
});

describe("the limits of the queue", () => {
  it("count proposals of one actor: n are queued, n + 1 are not", () =>
    inWorkspace(
      async ({ more }) => {
        const limited = await more({ limits: { proposals: 3 } });
        const many = await Promise.all(
          Array.from({ length: 6 }, (_, i) => limited.handle("write", { path: `f${i}`, content: "x" })),
        );
        expect(many.filter(({ isError }) => !isError)).toHaveLength(3);
        expect(many.filter(({ isError }) => isError).map(codeOf)).toEqual(["QUOTA", "QUOTA", "QUOTA"]);
        const another = await more({ limits: { proposals: 3 }, actor: "another" });
        unwrap(await another.handle("write", { path: "f9", content: "x" }));
      },
      { mode: "propose", actor: "one" },
    ));

  it("count bytes: every call loads the queue, and 1000 large proposals would not fit into memory", () =>
    inWorkspace(
      async ({ more, toolset }) => {
        const limited = await more({ limits: { proposalBytes: 100 } });
        const write = (path: string, size: number) => limited.handle("write", { path, content: "x".repeat(size) });
        unwrap(await write("a", 60));
        unwrap(await write("b", 40));
        expect(codeOf(await write("c", 1))).toBe("QUOTA");
        expect(codeOf(await write("a", 61))).toBe("QUOTA");
        expect(codeOf(await limited.handle("copy", { from: "b", to: "d" }))).toBe("QUOTA");
        expect(codeOf(await limited.handle("write", { path: "b", content: "y", append: true }))).toBe("QUOTA");
        unwrap(await write("a", 59));
        unwrap(await write("c", 1));
        unwrap(await limited.handle("delete", { path: "b" }));
        expect((await toolset.proposals.list()).map(({ path }) => path)).toEqual(["/workspace/a", "/workspace/c"]);
        for (let i = 0; i < 8; i++) await toolset.handle("write", { path: `big${i}`, content: "x".repeat(2 ** 21) });
        expect((await toolset.proposals.list()).length).toBe(9);
      },
      { mode: "propose" },
    ));
});

async function plantLinks({ fs }: Inside): Promise<void> {
  await fs.mkdir("/outside", { recursive: true });
  await fs.symlink("a.txt", "/workspace/link");
  await fs.symlink("dir", "/workspace/linkdir");
  await fs.symlink("/outside", "/workspace/out");
  await fs.symlink("nowhere", "/workspace/dangling");
}

/** Every entry outside the private directories: its path, type, mode, and content or target. */
async function treeOf({ fs }: Inside): Promise<string[]> {
  const shown: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    for (const name of (await fs.readdir(directory)).sort()) {
      const path = `${directory === "/" ? "" : directory}/${name}`;
      if (path === "/workspace/.workspace" || (directory === "/" && !/^\/(workspace|out.*|escape)$/.test(path)))
        continue;
      const { type, mode } = await fs.lstat(path);
      const content =
        type === "symlink" ? await fs.readlink(path) : type === "dir" ? "" : await fs.readFile(path, "utf8");
      shown.push(`${path} ${type} ${mode.toString(8)} ${content}`);
      if (type === "dir") await walk(path);
    }
  };
  await walk("/");
  return shown;
}
