/** `@cloudflare/workspace/adapters/ai-sdk-sandbox` with a real container: sessions, commands and ports. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, proxyPort } from "@cloudflare/workspace";
import { createSandboxProvider } from "@cloudflare/workspace/adapters/ai-sdk-sandbox";
import { afterAll, describe, expect, it } from "vitest";

const { PREVIEWING, PREVIEWING_BOX } = env as unknown as Record<
  "PREVIEWING" | "PREVIEWING_BOX",
  DurableObjectNamespace
>;
const NAME = `harness-${Date.now()}`;
const provider = createSandboxProvider({ open: () => getWorkspace(PREVIEWING as never, NAME) });

const SERVER = `
  const server = require("http").createServer((request, response) => response.end("served " + request.url));
  server.listen(3000, () => console.log("listening"));`;

describe("createSandboxProvider with a container", () => {
  afterAll(() =>
    runInDurableObject(PREVIEWING_BOX.getByName("ports"), (object) =>
      (object as unknown as { destroy(): Promise<void> }).destroy(),
    ),
  );

  it("gives a port an address that serves it, until setPorts removes it; stop ends the server", async () => {
    const session = await provider.createSession({ sessionId: "one" });
    await session.writeTextFile({ path: "server.cjs", content: SERVER });
    const server = await session.spawn({ command: "node server.cjs" });
    const reader = server.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("listening\n");

    await session.setPorts([3000]);
    expect(session.ports).toEqual([3000]);
    expect(await session.getPortEndpoint({ port: 3000 })).toEqual({ url: "https://p3000.preview.example/" });
    expect((await session.getPortEndpoint({ port: 3000, protocol: "ws" })).url).toBe("wss://p3000.preview.example/");
    // What a Worker does with a request to that address.
    const page = () =>
      proxyPort(PREVIEWING.getByName(NAME) as never, new Request("https://p3000.preview.example/page"), 3000);
    expect(await (await page()).text()).toBe("served /page");

    await session.setPorts([]);
    expect([session.ports, (await page()).status]).toEqual([[], 404]);
    await session.stop();
    expect((await server.wait()).exitCode).toBe(143);
  });

  it("resumeSession finds the files that a stopped session's commands wrote", async () => {
    const resumed = await provider.resumeSession({ sessionId: "one" });
    const { exitCode, stdout } = await resumed.run({ command: "uname -s; ls; echo kept > later.txt" });
    expect([exitCode, stdout]).toEqual([0, "Linux\nserver.cjs\n"]);
    expect(await resumed.readTextFile({ path: "later.txt" })).toBe("kept\n");
    expect("setPorts" in resumed.restricted()).toBe(false);
  });
});
