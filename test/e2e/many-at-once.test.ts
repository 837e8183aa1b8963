/**
 * Hundreds of requests at once, each on a connection of its own, against workerd as it is deployed: every one is answered. (`wrangler
 * dev` in between does lose some: its proxy sends requests on connections that workerd has just closed after five idle seconds, which
 * happens when a machine is so busy that a round takes longer than that. Those are "Network connection lost", and the gate of `npm
 * start` says 503 instead.)
 */
import { Agent, request as send } from "node:http";
import { expect, it } from "vitest";
import { startWorker } from "../bench/harness/start-worker.ts";
import { root } from "../support/root.ts";

const TOKEN = "many-at-once-0123456789-0123456789";
const AT_ONCE = 400;
const FILES = 205;

it(`${AT_ONCE} MCP resource reads, file reads and writes at once are all answered, round after round`, {
  timeout: 120_000,
}, async () => {
  await using worker = await startWorker(root, {
    entry: "packages/worker/src/index.ts",
    objects: { WORKSPACE: "WorkspaceObject", REGISTRY: "RegistryObject" },
    text: { WORKSPACE_TOKEN: TOKEN, WORKSPACE_RATE: "100000" },
  });
  // Each request has a connection of its own: workerd closes idle ones after five seconds, and a busy machine may use one just then.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const ask = (method: string, path: string, body?: string) => answer(`${worker.origin}${path}`, agent, method, body);
  const file = (i: number) => `/api/w/many/files/f${i % FILES}.txt`;
  const read = (i: number) => ({
    jsonrpc: "2.0",
    id: i,
    method: "resources/read",
    params: { uri: `workspace://many/f${i % FILES}.txt` },
  });
  for (let i = 0; i < FILES; i++) expect((await ask("PUT", file(i), `text ${i}`)).status).toBe(201);
  for (let round = 0; round < 3; round++) {
    const many = Array.from({ length: AT_ONCE }, (_, i) => i);
    const resources = await Promise.all(many.map((i) => ask("POST", "/mcp/many", JSON.stringify(read(i)))));
    const reported = resources.map(({ status, text }) => [status, JSON.parse(text).result?.contents[0].text]);
    expect(reported).toEqual(many.map((i) => [200, `text ${i % FILES}`]));
    const reads = await Promise.all(many.map((i) => ask("GET", file(i))));
    expect(reads).toEqual(many.map((i) => ({ status: 200, text: `text ${i % FILES}` })));
    const writes = await Promise.all(many.map((i) => ask("PUT", file(i), `text ${i % FILES}`)));
    expect(writes.map(({ status }) => status)).toEqual(many.map(() => 204));
  }
  agent.destroy();
});

function answer(url: string, agent: Agent, method: string, body?: string): Promise<{ status: number; text: string }> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    ...(body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
