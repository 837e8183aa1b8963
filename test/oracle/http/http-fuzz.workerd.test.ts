/**
 * Random requests to every route there is: no fault of the server, no hang, one shape of refusals, and nothing changed by a refused
 * request. The routes come from the app's own list, so a new one is fuzzed without a word here.
 */
import { ApiClient, call, refusal, routes, TOKEN } from "@workspace/worker/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { generateRequest } from "./generate-request.ts";

const SEED = 20261117;
const PER_ROUTE = 60;
/** Shorter than the timeout of a test, which would not name the request. */
const TIMEOUT_MS = 100_000;
const BASE = "https://workspace.example";
/** What says "not now" or "not here" without being a fault: a remote that is not there, a thing this deployment lacks, a full disk. */
const HONEST = new Set([501, 502, 507]);

const ws = new ApiClient("fuzz");

beforeAll(async () => {
  await ws.put("/a.txt", "hello\nworld\n");
  await ws.put("/dir/b.txt", "b");
  await ws.fs.symlink("a.txt", "/workspace/link");
});

async function judge(request: Request): Promise<void> {
  const what =
    `${request.method} ${request.url} ${JSON.stringify([...request.headers])} ${await sample(request)}`.slice(0, 1500);
  const before = await ws.state();
  const response = await Promise.race([
    call(request),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`no answer: ${what}`)), TIMEOUT_MS)),
  ]);
  if (response.status >= 500 && !HONEST.has(response.status))
    throw new Error(`${response.status} ${await response.text()}: ${what}`);
  if (response.status >= 400 && request.method !== "HEAD") {
    await refusal(response).catch((error) => {
      throw new Error(`${error}: ${what}`);
    });
    expect(await ws.state(), what).toBe(before);
    return;
  }
  response.webSocket?.accept();
  response.webSocket?.close();
  await tidy(request, response);
}

/** Commands are ended; streams that may never end are left. */
async function tidy(request: Request, response: Response): Promise<void> {
  if (response.status !== 201 || !request.url.endsWith("/exec")) return void (await response.body?.cancel());
  const { id } = (await response.json()) as { id: string };
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ signal: "SIGKILL" });
  await call(new Request(`${BASE}/api/w/fuzz/exec/${id}/kill`, { method: "POST", headers, body }));
}

async function sample(request: Request): Promise<string> {
  if (request.body === null) return "";
  return (await request.clone().text()).slice(0, 600);
}

describe("random requests", () => {
  it.each(routes.map((one, i) => [`${one.method} ${one.path}`, one, i] as const))("%s", async (_, endpoint, i) => {
    const random = new Random(SEED + i);
    for (let n = 0; n < PER_ROUTE; n++) {
      await judge(generateRequest(endpoint, random, BASE, { Authorization: `Bearer ${TOKEN}` }));
    }
  });
});
