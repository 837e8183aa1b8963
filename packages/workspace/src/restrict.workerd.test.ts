/** `workspace.restrict`: one policy for files, git, shell, history and the past, in the object and over RPC. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, type PathPolicy, Workspace, type WorkspaceOptions } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const SECRET = "TOPSECRET42";
const W = "/workspace";
let count = 0;

function inWorkspace<T>(
  body: (ws: Workspace, requests: string[]) => Promise<T>,
  options: Partial<WorkspaceOptions> = {},
): Promise<T> {
  const requests: string[] = [];
  const reach = (async (input: RequestInfo | URL) => {
    requests.push(String(input instanceof Request ? input.url : input));
    return new Response("", { status: 404 });
  }) as typeof fetch;
  return runInDurableObject(env.BARE.getByName(`restrict ${count++}`), async (_, { storage }) => {
    const ws = new Workspace({ storage, gitSettings: { fetch: reach }, ...options });
    await plant(ws);
    return body(ws, requests);
  });
}

async function plant({ fs, git }: Pick<Workspace, "fs" | "git">): Promise<void> {
  await fs.writeMany([
    { path: `${W}/.env`, content: `${SECRET}\n` },
    { path: `${W}/a.txt`, content: "one\n" },
    { path: `${W}/inner/b.txt`, content: "two\n" },
    { path: `${W}/src/c.ts`, content: "three\n" },
  ]);
  for (const argv of [
    ["init", "-b", "main"],
    ["add", "."],
    ["commit", "-m", "first"],
  ]) {
    const { exitCode } = await git.cli({ argv, cwd: W });
    expect(exitCode).toBe(0);
  }
}

async function cli(ws: Pick<Workspace, "git">, ...argv: string[]) {
  const { exitCode, stdout, stderr } = await ws.git.cli({ argv, cwd: W });
  const decoder = new TextDecoder();
  return { exitCode, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function sh(ws: Pick<Workspace, "shell">, command: string): Promise<string> {
  await using run = await ws.shell.exec(command, { encoding: "utf8" });
  const { stdout, stderr, exitCode } = await run.result();
  return `${stdout}${stderr}[${exitCode}]`;
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

describe("Workspace.restrict", () => {
  it("has no git where files are denied, in the shell neither, and says why", () =>
    inWorkspace(async (all) => {
      const ws = all.restrict({ deny: [".env"] });
      const before = all[internals].volume.revisions.head;
      expect(ws.features.git).toBe(false);
      expect(await code(ws.git.cli({ argv: ["status"], cwd: W }))).toBe("EACCES");
      expect(await code(ws.git.log())).toBe("EACCES");
      expect(await code(ws.at("now").git.log())).toBe("EACCES");
      await expect(ws.git.cli({ argv: ["show", "HEAD:.env"] })).rejects.toThrow("not available where files are denied");
      expect(await sh(ws, "git show HEAD:.env")).toMatch(/not available where files are denied.*\n?.*\[[^0]/);
      expect(all[internals].volume.revisions.head).toBe(before);
      expect(await cli(all, "show", "HEAD:.env")).toMatchObject({ text: `${SECRET}\n` });
    }));

  it("runs commands in the Worker, on the view", () =>
    inWorkspace(async (all) => {
      const ws = all.restrict({ deny: [".env"], writable: ["src/"] });
      expect(
        await sh(ws, `cat .env; ls -a; grep -r TOP . ; rg -uu TOP; cat < .env; cp .env x; find / -name .env`),
      ).not.toContain(SECRET);
      for (const command of [
        "echo x > a.txt",
        "echo y > .env",
        "rm a.txt",
        "mv a.txt src/",
        "cp src/c.ts .env",
        "touch n",
      ])
        expect([command, await sh(ws, command)]).toEqual([command, expect.stringMatching(/\[[1-9]\d*\]$/)]);
      expect(await sh(ws, "rm -rf src && mkdir -p src && echo z > src/c.ts")).toBe("[0]");
      expect(await all.fs.readFile(`${W}/a.txt`, "utf8")).toBe("one\n");
      expect(await all.fs.readFile(`${W}/.env`, "utf8")).toBe(`${SECRET}\n`);
      expect(await all.fs.readFile(`${W}/src/c.ts`, "utf8")).toBe("z\n");
      expect(await code(ws.shell.exec("true", { backend: "container" }))).not.toBe("done");
    }));

  it("git writes only what the policy allows, whatever its flags say", () =>
    inWorkspace(async (all) => {
      const before = all[internals].volume.revisions.head;
      const readOnly = all.restrict({ readOnly: true });
      const writes = [
        ["config", "-f", "new.ini", "a.b", "EVIL"],
        ["config", "user.name", "EVIL"],
        ["diff", "--no-index", "--output=a.txt", "a.txt", "inner/b.txt"],
        ["log", "-p", "--output", "a.txt"],
        ["tag", "v1"],
        ["commit", "--allow-empty", "-m", "x"],
        ["checkout", "--detach"],
        ["rm", "-f", "a.txt"],
        ["gc"],
      ];
      for (const argv of writes) await cli(readOnly, ...argv).catch(() => {});
      expect(all[internals].volume.revisions.head).toBe(before);
      expect((await cli(readOnly, "log", "--oneline")).exitCode).toBe(0);
      expect((await cli(readOnly, "status", "--porcelain")).text).toBe("");
      const some = all.restrict({ writable: ["src/"] });
      for (const argv of writes) await cli(some, ...argv).catch(() => {});
      expect(all[internals].volume.revisions.head).toBe(before);
    }));

  it("git reaches no host, runs no command, and no repository outside the root", () =>
    inWorkspace(async (all, requests) => {
      const ws = all.restrict({});
      for (const verb of ["push", "fetch", "ls-remote"]) {
        const { exitCode, text } = await cli(
          ws,
          verb,
          "http://127.0.0.1:9/x.git",
          ...(verb === "push" ? ["main"] : []),
        );
        expect([verb, exitCode !== 0, text]).toEqual([verb, true, expect.stringContaining("may not reach")]);
      }
      expect(requests).toEqual([]);
      await cli(ws, "rebase", "-x", "touch pwned", "--root");
      await cli(ws, "rebase", "--abort");
      expect(await all.fs.exists(`${W}/pwned`)).toBe(false);
      const inner = all.restrict({ root: `${W}/inner` });
      for (const argv of [["status"], ["-C", "..", "log"], ["--git-dir", `${W}/.git`, "show", "HEAD:.env"]]) {
        const { exitCode, text } = await cli({ git: inner.git }, ...argv);
        expect(exitCode).not.toBe(0);
        expect(text).not.toContain(SECRET);
      }
    }));

  it("git reaches the hosts that shellSettings.network allows", () =>
    inWorkspace(
      async (all, requests) => {
        await cli(all.restrict({}), "ls-remote", "https://git.example.com/x.git");
        await cli(all.restrict({}), "ls-remote", "https://other.example.com/x.git");
        expect(requests.map((url) => new URL(url).hostname)).toEqual(["git.example.com"]);
      },
      { shellSettings: { network: { allow: ["git.example.com"] } } },
    ));

  it("keeps actor, state and upkeep apart from the policy", () =>
    inWorkspace(async (all) => {
      const ws = all.restrict({ deny: [".env"] }).as({ actor: "model", callId: "c1" });
      await ws.fs.writeFile(`${W}/a.txt`, "new");
      expect((await ws.history.log({ limit: 1 })).entries[0]).toMatchObject({ actor: "model", callId: "c1" });
      await ws[internals].toolState.recordRead("model", `${W}/a.txt`, { version: "1", contentVersion: "2" });
      expect(await all[internals].toolState.seen("model", `${W}/a.txt`)).toEqual({ version: "1", contentVersion: "2" });
      expect(ws.root).toBe(W);
      expect(await code(ws.gc())).toBe("EACCES");
      expect(await code(ws.fsck())).toBe("EACCES");
      expect(() => all.restrict({ denied: [] } as PathPolicy)).toThrow(/^EINVAL/);
      expect(() => all.restrict({ allowContainer: 1 } as never)).toThrow(/^EINVAL/);
    }));
});

describe("getWorkspace().restrict", () => {
  it("holds every call of the view to its policies", async () => {
    const all = getWorkspace(env.WORKSPACE, "restricted");
    await plant(all);
    const ws = all.restrict({ deny: [".env"] });
    expect(await code(ws.fs.readFile(`${W}/.env`))).toBe("ENOENT");
    const error = await ws.fs.writeFile(`${W}/.env`, "x").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "EACCES", refusal: "DENIED", path: `${W}/.env` });
    expect(await code(ws.git.log())).toBe("EACCES");
    expect((await ws.fs.glob("**/*")).includes("inner/b.txt")).toBe(true);
    const inner = ws.as({ actor: "model" }).restrict({ root: `${W}/inner`, readOnly: true });
    expect(await inner.fs.readdir(W)).toEqual(["inner"]);
    expect(await code(inner.fs.writeFile(`${W}/inner/b.txt`, "x"))).toBe("EACCES");
    expect(await sh(ws, "cat .env")).not.toContain(SECRET);
    expect(JSON.stringify(await ws.history.log())).not.toContain(".env");
    const { cursor } = await all.fs.changes();
    expect(await code(ws.at(cursor).fs.readFile(`${W}/.env`))).toBe("ENOENT");
    expect(await code(ws.gc())).toBe("EACCES");
  });

  it("refuses what is no policy", async () => {
    const stub = env.WORKSPACE.getByName("hostile policy");
    const wrong = [
      {},
      "x",
      [1],
      ["x"],
      [null],
      [{ deny: 1 }],
      [{ rooot: "/" }],
      [{ root: "x" }],
      Array(17).fill({}),
      [() => {}],
    ];
    for (const policies of wrong) {
      const reply = await stub.workspaceRpc({ verb: "readdir", args: ["/"], policies: policies as never });
      expect(reply, JSON.stringify(policies)).toMatchObject({ error: { code: "EINVAL" } });
    }
  });
});
