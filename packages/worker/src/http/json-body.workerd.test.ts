import { describe, expect, it } from "vitest";
import { call, refusal, TOKEN } from "../testing/api-client.ts";
import { jsonBody } from "./json-body.ts";

const DEEP = 100_000;
const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const post = (path: string, body: string) =>
  call(
    new Request(`https://h${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Accept: "application/json" },
      body,
    }),
  );

describe("jsonBody", () => {
  it.each([
    ["lists", `{"path":${lists(DEEP)}}`],
    ["objects", objects(DEEP)],
    ["an open end", "[".repeat(DEEP)],
    ["lists after a string with an escaped quote", `{"a":"\\"]]]]","b":${lists(DEEP)}}`],
  ])("refuses %s nested 100 000 deep, on every route that takes JSON", async (_what, body) => {
    for (const path of ["/api/w/deep/tools/read", "/api/w/deep/exec", "/api/w/deep/search/grep", "/api/tokens"])
      expect([path, await refusal(await post(path, body))]).toEqual([path, "400 EINVAL"]);
    expect((await post("/mcp/deep", body)).status).toBe(400);
  });

  it("reads what is within the limit, brackets in strings included", async () => {
    const text = JSON.stringify({ a: `${"[".repeat(1000)}"\\`, b: JSON.parse(lists(120)) });
    const request = new Request("https://h", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: text,
    });
    expect(JSON.stringify(await jsonBody(request))).toBe(text);
  });
});
