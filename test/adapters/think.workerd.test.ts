/** A Think agent on a workspace: its own tools, in its own turns, and what they did is undone. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ThinkWorkspace } from "@cloudflare/think";
import { asThinkWorkspace, type ThinkWorkspace as Ours } from "@cloudflare/workspace/adapters/think";
import { getAgentByName } from "agents";
import { describe, expect, it } from "vitest";
import type { ScriptedCoder } from "./scripted-coder.ts";
import { inWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

it("a Think agent reads, writes, edits, searches and runs commands, and its changes are undone", async () => {
  const stub = await getAgentByName(env.CODER as never, "agent");
  await runInDurableObject(stub as never, async (agent: ScriptedCoder) => {
    const { fs } = agent.files;
    await fs.writeFile("/workspace/kept.txt", "before\n");
    const [, , , listed, found, grepped, executed, removed] = (await agent.play("work", [
      { tool: "write", input: { path: "/workspace/src/a.ts", content: "const a = 1;\n" } },
      { tool: "edit", input: { path: "/workspace/kept.txt", edits: [{ oldText: "before", newText: "after" }] } },
      { tool: "read", input: { path: "/workspace/kept.txt" } },
      { tool: "ls", input: { path: "/workspace" } },
      { tool: "find", input: { path: "/workspace", pattern: "**/*.ts" } },
      { tool: "grep", input: { path: "/workspace", query: "const" } },
      { tool: "exec", input: { command: "wc -l < src/a.ts; echo more >> kept.txt" } },
      { tool: "delete", input: { path: "/workspace/src/a.ts" } },
    ])) as Record<string, unknown>[];
    expect(listed).toMatchObject({ count: 2, entries: [{ name: "kept.txt" }, { name: "src", isDirectory: true }] });
    expect(found).toMatchObject({ entries: [{ path: "/workspace/src/a.ts", type: "file" }] });
    expect(grepped).toMatchObject({ matches: [{ path: "/workspace/src/a.ts", line: 1, text: "const a = 1;" }] });
    expect(executed).toMatchObject({ exitCode: 0, stdout: "1\n" });
    expect(removed).not.toHaveProperty("error");
    expect(await fs.readFile("/workspace/kept.txt", "utf8")).toBe("after\nmore\n");
    expect(await fs.exists("/workspace/src/a.ts")).toBe(false);

    const { entries } = await agent.files.history.log({ actor: "think" });
    expect(entries.length).toBeGreaterThan(3);
    await agent.undo();
    expect(await fs.readFile("/workspace/kept.txt", "utf8")).toBe("before\n");
    expect(await fs.readdir("/workspace")).toEqual(["kept.txt"]);
  });
});

describe.each(PLACES)("asThinkWorkspace of a workspace %s", (place) => {
  const files = <T>(body: (fs: Ours["fs"]) => Promise<T>) =>
    withWorkspace(place, async (workspace) => body(asThinkWorkspace(workspace).fs));
  const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

  it("reads whole files and windows of them, as streams and as text", () =>
    files(async (fs) => {
      await fs.writeFile("/workspace/a.txt", "0123456789");
      expect(await text(await fs.readFile("/workspace/a.txt"))).toBe("0123456789");
      expect(await fs.readFile("/workspace/a.txt", "utf8")).toBe("0123456789");
      expect(await text(await fs.readFile("/workspace/a.txt", { byteOffset: 3, byteLength: 4 }))).toBe("3456");
      expect(await text(await fs.readFile("/workspace/a.txt", { byteOffset: 3, byteLength: 0 }))).toBe("");
      expect(await fs.readFile("/workspace/a.txt", { byteOffset: 8, byteLength: 100, encoding: "utf8" })).toBe("89");
      await expect(fs.readFile("/workspace/none")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(fs.writeFile("/workspace/a.txt", "x", { exclusive: true })).rejects.toMatchObject({
        code: "EEXIST",
      });
    }));

  it("pages lists, finds and hits, and prunes what is excluded", () =>
    files(async (fs) => {
      for (const name of ["a.ts", "b.ts", "skip/c.ts", "keep/d.ts"]) {
        await fs.mkdir(`/workspace/${name.slice(0, name.lastIndexOf("/") + 1)}`, { recursive: true });
        await fs.writeFile(`/workspace/${name}`, `${name}\nhit\nend\n`);
      }
      const found = async (options?: object) =>
        (await fs.find("/workspace", "**/*.ts", options)).map(({ path }) => path.slice("/workspace/".length));
      expect(await found()).toEqual(["a.ts", "b.ts", "keep/d.ts", "skip/c.ts"]);
      expect(await found({ exclude: ["skip"] })).toEqual(["a.ts", "b.ts", "keep/d.ts"]);
      expect(await found({ limit: 2, offset: 1 })).toEqual(["b.ts", "keep/d.ts"]);
      expect((await fs.readdir("/workspace", { limit: 1, offset: 1 })).map(({ name }) => name)).toEqual(["b.ts"]);
      const hits = await fs.grep("hit", "/workspace", { context: 1, limit: 1, offset: 1, exclude: ["skip"] });
      expect(hits).toEqual([
        {
          path: "/workspace/b.ts",
          line: 2,
          text: "hit",
          context: [
            { line: 1, text: "b.ts", isMatch: false },
            { line: 2, text: "hit", isMatch: true },
            { line: 3, text: "end", isMatch: false },
          ],
        },
      ]);
    }));
});

it("asThinkWorkspace gives no exec tool without a shell", () =>
  inWorkspace(async ({ fs }) => {
    const ours: ThinkWorkspace = asThinkWorkspace({ fs });
    expect(ours.runtime).toBeUndefined();
  }));
