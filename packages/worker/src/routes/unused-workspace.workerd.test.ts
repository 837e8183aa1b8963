/** Reading an unused name over HTTP creates nothing. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call, TOKEN } from "../testing/api-client.ts";
import { routes } from "./all-routes.ts";

const reading = routes.filter(({ method, path }) => method === "GET" && path.includes("/:name"));
const asked: [method: string, path: string, body?: string][] = [
  ...reading.map(({ path }) => ["GET", path] as [string, string]),
  ["GET", "/api/w/:name/files/"],
  ["GET", "/api/w/:name/stat?path=/workspace"],
  ["GET", "/api/w/:name/search/glob?pattern=**"],
  ["HEAD", "/api/w/:name/files/a"],
  ["POST", "/api/w/:name/search/grep", JSON.stringify({ pattern: "x" })],
  ["GET", "/w/:name"],
];

it.each(asked)("%s %s of an unused name writes nothing", async (method, path, body) => {
  const name = `unused-${asked.findIndex((each) => each[0] === method && each[1] === path)}`;
  const stub = env.HTTP_WORKSPACE.getByName(name);
  const look = () =>
    runInDurableObject(stub, async (_, { storage }) => ({
      bytes: storage.sql.databaseSize,
      tables: storage.sql.exec("SELECT name FROM sqlite_master").toArray(),
      alarm: await storage.getAlarm(),
    }));
  const before = await look();
  const url = `https://workspace.example${path.replace(":name", name).replace(/:[a-z]+({[^}]*})?/g, "1")}`;
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  const response = await call(new Request(url, { method, headers, body }));
  await response.arrayBuffer();
  expect(response.status).toBeLessThan(500);
  expect(await look()).toEqual(before);
  expect(before.tables).toEqual([]);
});
