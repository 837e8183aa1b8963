import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { FsError, getWorkspace } from "../index.ts";

describe("grep over RPC", () => {
  it("grep answers as it does inside, and grepStream goes on from page to page", async () => {
    using ws = getWorkspace(env.WORKSPACE, "grep");
    const text = (i: number) =>
      Array.from({ length: 30 }, (_, line) => `line ${line} of ${i}${line % 3 === 0 ? " needle" : ""}`).join("\n");
    await ws.fs.writeMany(
      Array.from({ length: 150 }, (_, i) => ({ path: `/workspace/d${i % 7}/f${i}.txt`, content: text(i) })),
    );
    const answer = await ws.fs.grep("needle", "/workspace", { maxHits: 5, context: 1 });
    expect(answer).toMatchObject({ engine: "local", truncated: true, truncatedBy: "hits" });
    expect(answer.hits).toHaveLength(5);
    expect(answer.hits[0]).toMatchObject({
      path: "/workspace/d0/f0.txt",
      line: 1,
      text: "line 0 of 0 needle",
      column: 13,
    });
    const seen = new Set<string>();
    for await (const { path, line } of ws.fs.grepStream("needle", "/workspace")) seen.add(`${path}:${line}`);
    expect(seen.size).toBe(1500);
    const few: string[] = [];
    for await (const hit of ws.fs.grepStream("ne+dle$", "/workspace", { regex: true, maxHits: 3 })) few.push(hit.path);
    expect(few).toHaveLength(3);
  });

  it("grep refuses what it cannot do with a clear error", async () => {
    using ws = getWorkspace(env.WORKSPACE, "grep-refused");
    await expect(ws.fs.grep("(?=a)", "/workspace", { regex: true })).rejects.toBeInstanceOf(FsError);
    await expect(ws.fs.grep("a", "/workspace/none")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(ws.fs.grep("a", "/workspace", { mode: "nonsense" as never })).rejects.toMatchObject({
      code: "EINVAL",
    });
    await expect(ws.fs.grep("a", "/workspace", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
