/** The AI SDK drives a workspace as its sandbox: `generateText`, and `HarnessAgent` with create, stop and resume. */
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace } from "@cloudflare/workspace";
import { asSandboxSession, createSandboxProvider } from "@cloudflare/workspace/adapters/ai-sdk-sandbox";
import { DaemonFixture } from "@workspace/testing/daemon-fixture";
import { inObject } from "@workspace/testing/in-object";
import type { Experimental_SandboxSession } from "ai";
import { describe, expect, it } from "vitest";
import { commandHarness } from "./command-harness.ts";
import { createHarnessAgent } from "./examples/ai-sdk-harness.ts";
import { work } from "./examples/ai-sdk-sandbox.ts";
import { scriptedModel } from "./scripted-model.ts";
import { PLACES, withWorkspace } from "./with-workspace.ts";

const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe.each(PLACES)("the AI SDK on a workspace %s", (place) => {
  it("generateText gives its tools the sandbox (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      const model = scriptedModel([
        { tool: "run", input: { command: "mkdir -p src && echo 'hello' > src/a.txt && wc -c < src/a.txt" } },
        { tool: "run", input: { command: "exit 3" } },
        { text: "done" },
      ]);
      expect(await work(workspace, model, "write a file")).toBe("done");
      expect(await workspace.fs.readFile("/workspace/src/a.txt", "utf8")).toBe("hello\n");
      const results = model.doGenerateCalls
        .at(-1)
        ?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
      expect(results?.map((result) => "output" in result && result.output)).toEqual([
        { type: "json", value: { exitCode: 0, stdout: "6\n", stderr: "" } },
        { type: "json", value: { exitCode: 3, stdout: "", stderr: "" } },
      ]);
    }));

  it("a session reads, writes, lists and deletes files as the interface says", () =>
    withWorkspace(place, async (workspace) => {
      const session: Experimental_SandboxSession = asSandboxSession(workspace);
      await session.writeTextFile({ path: "deep/er/a.txt", content: "1\r\n2\r\n3\r\n" });
      await session.writeBinaryFile({ path: "b.bin", content: new Uint8Array([0, 255]) });
      await session.writeFile({ path: "/workspace/c.txt", content: new Blob(["stream"]).stream() });
      expect(await session.readTextFile({ path: "deep/er/a.txt", startLine: 2, endLine: 2 })).toBe("2");
      expect(await session.readTextFile({ path: "deep/er/a.txt", startLine: 3, endLine: 99 })).toBe("3\r\n");
      expect(await session.readBinaryFile({ path: "b.bin" })).toEqual(new Uint8Array([0, 255]));
      expect(await text((await session.readFile({ path: "c.txt" }))!)).toBe("stream");
      for (const read of [
        session.readFile,
        session.readBinaryFile,
        session.readTextFile,
        session.stat,
        session.listDirectory,
      ])
        expect(await read({ path: "none" })).toBe(null);
      expect(await session.stat({ path: "deep" })).toMatchObject({ type: "directory" });
      expect(await session.stat({ path: "b.bin" })).toEqual({ type: "file", size: 2 });
      await workspace.fs.symlink("b.bin", "/workspace/link");
      expect((await session.listDirectory({ path: "." }))?.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: "b.bin", type: "file" },
        { name: "c.txt", type: "file" },
        { name: "deep", type: "directory" },
        { name: "link", type: "symlink" },
      ]);
      expect(await session.deleteFile({ path: "link" })).toBe(true);
      expect(await session.deleteFile({ path: "link" })).toBe(false);
      await expect(session.deleteFile({ path: "deep" })).rejects.toThrow(/EISDIR|EPERM/);
      await expect(session.writeTextFile({ path: "deep", content: "x" })).rejects.toMatchObject({ code: "EISDIR" });
      await expect(session.listDirectory({ path: "b.bin" })).rejects.toMatchObject({ code: "ENOTDIR" });
      await expect(session.readTextFile({ path: "b.bin", encoding: "klingon" })).rejects.toMatchObject({
        code: "EINVAL",
      });
    }));

  it("spawn streams both outputs, takes standard input, and can be killed", () =>
    withWorkspace(place, async (workspace) => {
      const session = asSandboxSession(workspace);
      const process = await session.spawn({
        command: "echo out; echo err >&2; echo $GREETING; pwd; exit 4",
        env: { GREETING: "hi" },
        workingDirectory: "/",
      });
      const [out, err, end] = await Promise.all([text(process.stdout), text(process.stderr), process.wait()]);
      expect([out, err, end]).toEqual(["out\nhi\n/\n", "err\n", { exitCode: 4 }]);
      const cat = await session.spawn({ command: "cat > in.txt", stdin: true });
      const writer = cat.stdin.getWriter();
      await writer.write(new TextEncoder().encode("typed"));
      await writer.close();
      expect(await cat.wait()).toEqual({ exitCode: 0 });
      expect(await session.readTextFile({ path: "in.txt" })).toBe("typed");
      const waiting = await session.spawn({ command: "cat", stdin: true });
      await waiting.kill();
      await waiting.kill();
      expect(await waiting.wait()).toEqual({ exitCode: 143 });
      const sleep = await session.spawn({ command: "sleep 600" });
      await sleep.kill();
      expect((await sleep.wait()).exitCode).not.toBe(0);
      await expect(session.run({ command: "true", abortSignal: AbortSignal.abort() })).rejects.toThrow();
    }));
});

describe("createSandboxProvider", () => {
  const provider = (destroyed: string[] = []) =>
    createSandboxProvider({
      open: (sessionId) => getWorkspace(env.WORKSPACE, `sandbox-${sessionId}`),
      destroy: async (sessionId) => void destroyed.push(sessionId),
    });

  it("HarnessAgent creates a session, works in it, stops it, and resumes it with its files (the guide's example)", async () => {
    const agent = () => createHarnessAgent(env, commandHarness());
    const first = await agent().createSession({ sessionId: "one" });
    expect((await agent().generate({ session: first, prompt: "echo kept > a.txt; pwd" })).text).toContain(
      "/workspace/",
    );
    const state = await first.stop();
    const again = await agent().createSession({ sessionId: "one", resumeFrom: state });
    expect((await agent().generate({ session: again, prompt: "cat a.txt" })).text).toBe("kept\n");
    await again.destroy();
  });

  it("runs onFirstCreate once per identity, and resumes only what was created", async () => {
    const calls: string[] = [];
    const onFirstCreate = async (session: Experimental_SandboxSession) => {
      calls.push((await session.run({ command: "pwd" })).stdout);
    };
    const create = () =>
      provider().createSession({ sessionId: "two", identity: "recipe/1", onFirstCreate: onFirstCreate as never });
    await create();
    await create();
    expect(calls).toEqual(["/workspace\n"]);
    await expect(provider().resumeSession({ sessionId: "never" })).rejects.toMatchObject({ code: "ENOENT" });
    expect((await provider().resumeSession({ sessionId: "two" })).id).toBe("two");
  });

  it("stop ends commands and keeps files; destroy calls the owner; a restricted view has neither", async () => {
    const destroyed: string[] = [];
    const session = await provider(destroyed).createSession({ sessionId: "three" });
    await session.writeTextFile({ path: "a.txt", content: "a" });
    const sleep = await session.spawn({ command: "sleep 600" });
    await session.stop();
    await session.stop();
    expect((await sleep.wait()).exitCode).not.toBe(0);
    expect(await session.readTextFile({ path: "a.txt" })).toBe("a");
    const restricted = session.restricted();
    for (const key of ["stop", "destroy", "setPorts", "getPortUrl", "ports", "id"])
      expect(key in restricted).toBe(false);
    expect(await restricted.readTextFile({ path: "a.txt" })).toBe("a");
    await session.destroy();
    expect(destroyed).toEqual(["three"]);
  });

  it("serves a port of a container, and stop ends its server", () =>
    inObject(async ({ storage }) => {
      await using daemon = await DaemonFixture.start();
      const previewUrl = async (port: number) => `https://preview.example/${port}`;
      const workspace = new Workspace({ storage, sandbox: daemon.sandbox, sandboxSettings: { previewUrl } });
      const session = await createSandboxProvider({ open: () => workspace }).createSession();
      await session.writeTextFile({
        path: "server.cjs",
        content: `const s = require("http").createServer((_, r) => r.end("served"));
          s.listen(0, "127.0.0.1", () => console.log(s.address().port));`,
      });
      const server = await session.spawn({ command: "node server.cjs" });
      const { value } = await server.stdout.getReader().read();
      const port = Number(new TextDecoder().decode(value));
      await session.setPorts([port]);
      expect(session.ports).toEqual([port]);
      expect(await session.getPortEndpoint({ port })).toEqual({ url: `https://preview.example/${port}` });
      expect((await session.getPortEndpoint({ port, protocol: "ws" })).url).toBe(`wss://preview.example/${port}`);
      const served = () => workspace.container!.proxyPort(new Request("https://preview.example/"), port);
      expect(await (await served()).text()).toBe("served");
      await session.setPorts([]);
      expect([session.ports, (await served()).status]).toEqual([[], 404]);
      await session.stop();
      expect((await server.wait()).exitCode).toBe(143);
      const { stdout } = await session.run({ command: "uname; cat", workingDirectory: "." });
      expect(stdout).toBe("Linux\n");
    }));

  it("says that ports need a container", async () => {
    const session = await provider().createSession();
    expect(session.ports).toEqual([]);
    await expect(session.getPortEndpoint({ port: 3000 })).rejects.toMatchObject({ code: "ENOSYS" });
    await expect(session.setPorts([3000])).rejects.toMatchObject({ code: "ENOSYS" });
  });
});
