/** WORKSPACE_DENY applies to resources, completions and subscriptions as it does to the tools of the same session. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { expect, it } from "vitest";
import { call, TOKEN } from "../testing/api-client.ts";

const SECRET = "SECRET=denied42";
const DENY = { WORKSPACE_DENY: ".env *.pem config/prod.json" };
const NAME = "mcp-denied";

let session: string | null = null;

async function send(method: string, params: Record<string, unknown> = {}): Promise<string> {
  const request = new Request(`https://workspace.example/mcp/${NAME}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      ...(session === null ? {} : { "Mcp-Session-Id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const response = await call(request, { WORKSPACE_TOKEN: TOKEN, ...DENY });
  session ??= response.headers.get("Mcp-Session-Id");
  return response.text();
}

it("resources, completions, subscriptions and tools show no denied file", async () => {
  const all = getWorkspace(env.HTTP_WORKSPACE, NAME);
  const paths = [".env", "a.pem", "config/prod.json", "deep/.env", ".git/config"];
  await all.fs.writeMany([
    ...paths.map((path) => ({ path: `/workspace/${path}`, content: SECRET })),
    { path: "/workspace/a.txt", content: "plain" },
    { path: "/workspace/config/app.json", content: "{}" },
    { path: "/workspace/link", type: "symlink", target: ".env" },
  ]);
  // The object reads its environment in the constructor: this simulates a deployment with it.
  await runInDurableObject(env.HTTP_WORKSPACE.getByName(NAME), (object) => {
    Object.assign(object, { env: { ...(object as unknown as { env: object }).env, ...DENY } });
  });
  await send("initialize", { protocolVersion: "2025-11-25" });
  const uri = (path: string) => `workspace://${NAME}/${path}`;
  for (const path of [...paths, "link"]) {
    const read = await send("resources/read", { uri: uri(path) });
    expect([path, read.includes("denied42"), read.includes("no such resource")]).toEqual([path, false, true]);
  }
  for (const path of paths)
    expect(await send("resources/subscribe", { uri: uri(path) })).toContain("there is no such resource");
  expect(await send("resources/read", { uri: uri("a.txt") })).toContain("plain");
  const listed = await send("resources/list");
  expect(listed).toContain("a.txt");
  expect(listed).toContain("config/app.json");
  const directory = await send("resources/read", { uri: uri("") });
  const ref = { type: "ref/resource", uri: `workspace://${NAME}/{+path}` };
  const completed = await send("completion/complete", { ref, argument: { name: "path", value: "" } });
  const inConfig = await send("completion/complete", { ref, argument: { name: "path", value: "config/" } });
  expect(inConfig).toContain("config/app.json");
  for (const text of [listed, directory, completed, inConfig]) expect(text).not.toMatch(/\.env|\.pem|prod\.json|\.git/);
});
