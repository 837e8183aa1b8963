import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";

const api = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;
const call = (path: string, init: RequestInit = {}) =>
  api.fetch(new Request(`http://example.com${path}`, { ...init, headers: { Authorization: "Bearer test-token" } }));
const tool = (name: string, input: unknown) =>
  call(`/me/tools/${name}`, { method: "POST", body: JSON.stringify(input) });

it("writes, edits, searches and undoes", async () => {
  await (await tool("write", { path: "a.ts", content: "const one = 1;\n" })).json();
  const edited = await tool("edit", { path: "a.ts", edits: [{ oldText: "one", newText: "two" }] });
  expect(await (await tool("read", { path: "a.ts" })).json()).toMatchObject({ content: "const two = 1;\n" });
  const undone = await call(`/me/undo/${edited.headers.get("Call-Id")}`, { method: "POST" });
  expect(await undone.json()).toEqual({ changed: 1 });
  expect(await (await tool("read", { path: "a.ts" })).json()).toMatchObject({ content: "const one = 1;\n" });
});

it("refuses a request without the token", async () => {
  expect((await api.fetch(new Request("http://example.com/me/tools"))).status).toBe(401);
});
