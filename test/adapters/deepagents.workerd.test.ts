/** deepagents' own agent, with a model that plays a script, works on a workspace. */
import { asDeepAgentsBackend, type DeepAgentsBackend } from "@cloudflare/workspace/adapters/deepagents";
import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "deepagents/browser";
import { isSandboxBackend } from "deepagents/browser";
import { AIMessage, fakeModel, ToolMessage } from "langchain/browser";
import { describe, expect, it } from "vitest";
import { ask } from "./examples/deepagents.ts";
import { inWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

describe.each(PLACES)("deepagents on a workspace %s", (place) => {
  it("createDeepAgent's tools write, edit, read, search and execute (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      const model = fakeModel();
      const calls: [string, Record<string, unknown>][] = [
        ["write_file", { file_path: "/workspace/src/a.ts", content: "const a = 1;\nconst b = 2;\n" }],
        ["edit_file", { file_path: "/workspace/src/a.ts", old_string: "a = 1", new_string: "a = $&" }],
        ["read_file", { file_path: "/workspace/src/a.ts" }],
        ["ls", { path: "/workspace" }],
        ["glob", { pattern: "**/*.ts", path: "/workspace" }],
        ["grep", { pattern: "const b", path: "/workspace" }],
        ["execute", { command: "cat src/a.ts | wc -l; exit 2" }],
        ["read_file", { file_path: "/workspace/none" }],
      ];
      for (const [at, [name, args]] of calls.entries()) model.respondWithTools([{ name, args, id: `call-${at}` }]);
      model.respond(new AIMessage("finished"));
      expect(await ask(workspace, model, "work")).toBe("finished");
      expect(await workspace.fs.readFile("/workspace/src/a.ts", "utf8")).toBe("const a = $&;\nconst b = 2;\n");
      const answers = (model.calls.at(-1)?.messages ?? [])
        .filter((message) => ToolMessage.isInstance(message))
        .map(({ text }) => text);
      const [written, edited, read, listed, globbed, grepped, executed, missing] = answers;
      expect(written).toContain("/workspace/src/a.ts");
      expect(edited).toContain("1");
      expect(read).toContain("const b = 2;");
      expect(listed).toContain("/workspace/src/");
      expect(globbed).toContain("/workspace/src/a.ts");
      expect(grepped).toContain("/workspace/src/a.ts");
      expect(executed).toMatch(/2[\s\S]*exit code 2/i);
      expect(missing).toContain("ENOENT");
    }));

  it("asDeepAgentsBackend pages text, gives bytes as bytes, and answers errors", () =>
    withWorkspace(place, async (workspace) => {
      const backend: DeepAgentsBackend & BackendProtocolV2 = asDeepAgentsBackend(workspace);
      await backend.write("/workspace/lines.txt", "1\n2\n3\n4\n");
      expect(await backend.read("lines.txt", 1, 2)).toEqual({
        ...{ content: "2\n3", mimeType: "text/plain", totalLines: 4, startLine: 2, endLine: 3, nextOffset: 3 },
      });
      expect(await backend.read("lines.txt", 9)).toMatchObject({ error: expect.stringContaining("exceeds") });
      const uploaded = await backend.uploadFiles([
        ["/workspace/p.png", new Uint8Array([0x89, 0])],
        ["/workspace/lines.txt/below", new Uint8Array([1])],
      ]);
      expect(uploaded.map(({ error }) => error)).toEqual([null, "invalid_path"]);
      expect(await backend.read("/workspace/p.png")).toEqual({
        content: new Uint8Array([0x89, 0]),
        mimeType: "image/png",
      });
      expect(await backend.downloadFiles(["/workspace/p.png", "/workspace/none"])).toEqual([
        { path: "/workspace/p.png", content: new Uint8Array([0x89, 0]), error: null },
        { path: "/workspace/none", content: null, error: "file_not_found" },
      ]);
      await backend.write("/workspace/twice.txt", "x x");
      expect(await backend.edit("/workspace/twice.txt", "x", "y")).toMatchObject({
        error: expect.stringContaining("2 times"),
      });
      expect(await backend.edit("/workspace/twice.txt", "z", "y")).toMatchObject({
        error: expect.stringContaining("not found"),
      });
      expect(await backend.edit("/workspace/twice.txt", "x", "y", true)).toMatchObject({ occurrences: 2 });
      expect(await backend.grep("y", "/workspace", "*.txt", 1)).toEqual({
        matches: [{ path: "/workspace/twice.txt", line: 1, text: "y y" }],
        truncated: false,
      });
      expect(await backend.delete("/workspace/none")).toMatchObject({ error: expect.stringContaining("ENOENT") });
      expect(await backend.delete("/workspace/twice.txt")).toEqual({ path: "/workspace/twice.txt" });
    }));
});

it("asDeepAgentsBackend is a sandbox with a shell and a plain backend without one", () =>
  inWorkspace(async (workspace) => {
    const sandbox: SandboxBackendProtocolV2 = asDeepAgentsBackend(workspace, { id: "mine" });
    expect([isSandboxBackend(sandbox), sandbox.id]).toEqual([true, "mine"]);
    expect(isSandboxBackend(asDeepAgentsBackend({ fs: workspace.fs }))).toBe(false);
  }));
