import { describe, expect, it } from "vitest";
import { call, TOKEN } from "../testing/api-client.ts";

/** A build that responds to every path with a script. */
const ASSETS = { fetch: async () => new Response("<script></script>", { headers: { "Content-Type": "text/html" } }) };

async function scriptSources(url: string): Promise<string[]> {
  const request = new Request(url, { headers: { Accept: "text/html" } });
  const response = await call(request, { WORKSPACE_TOKEN: TOKEN, ASSETS: ASSETS as never });
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; /);
  const [, ...sources] = (policy.split("; ").find((one) => one.startsWith("script-src ")) ?? "").split(" ");
  return sources;
}

describe("page", () => {
  it("runs scripts of its own build alone: no file of a workspace can be one", async () => {
    expect(await scriptSources("https://workspace.example/")).toEqual(["https://workspace.example/assets/"]);
    expect(await scriptSources("http://127.0.0.1:8787/index.html")).toEqual(["http://127.0.0.1:8787/assets/"]);
  });

  it("answers nothing of a workspace below /assets/, in any spelling", async () => {
    const path = "api/w/page/files/evil.js";
    const headers = { Authorization: `Bearer ${TOKEN}` };
    await call(new Request(`https://h/${path}`, { method: "PUT", headers, body: "alert(1)" }));
    for (const spelling of ["..%2f", "%2e%2e%2f", "..%5c", "..;/", "%2e%2e;/"]) {
      const response = await call(new Request(`https://h/assets/${spelling}${path}`, { headers }));
      expect([spelling, response.status]).toEqual([spelling, 404]);
      expect(await response.text()).not.toContain("alert(1)");
    }
  });
});
