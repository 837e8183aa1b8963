import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../gateway/app.ts";
import { call, refusal, TOKEN } from "../testing/api-client.ts";
import { signClaims } from "./signed-claims.ts";

const HOST = "https://workspace.example";
const ATTACKER = "192.0.2.1";
const OWNER = "198.51.100.7";

/** A deployment of its own, so that its counts start at zero. */
function deployment() {
  const app = createApp();
  const bindings = {
    WORKSPACE: env.HTTP_WORKSPACE,
    REGISTRY: env.REGISTRY,
    WORKSPACE_TOKEN: TOKEN,
  };
  const send = (request: Request) => app.fetch(request, bindings, createExecutionContext());
  return {
    bearer: (token: string, address: string, method = "GET") =>
      send(
        new Request(`${HOST}/api`, {
          method,
          headers: { Authorization: `Bearer ${token}`, "CF-Connecting-IP": address },
        }),
      ),
    anonymous: (address: string) => send(new Request(`${HOST}/api`, { headers: { "CF-Connecting-IP": address } })),
    signIn: (token: string, address: string, arrived = Promise.resolve()) =>
      send(
        new Request(`${HOST}/api/session`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Origin: HOST,
            "X-Workspace-Request": "1",
            "CF-Connecting-IP": address,
          },
          body: new ReadableStream({
            async start(controller) {
              await arrived;
              controller.enqueue(new TextEncoder().encode(JSON.stringify({ token })));
              controller.close();
            },
          }),
        }),
      ),
  };
}

/** Counts the responses by status. */
async function counted(
  times: number,
  ask: (i: number) => Promise<Response> | Response,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < times; i++) {
    const response = await ask(i);
    await response.arrayBuffer();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }
  return counts;
}

describe("failed attempts", () => {
  it("bearer guesses of one address are refused unread, and do not concern another address", async () => {
    const { bearer, signIn } = deployment();
    const counts = await counted(300, (i) => bearer(`guess-${i}`, ATTACKER));
    expect(counts[401]).toBeLessThan(100);
    expect(counts[429]).toBeGreaterThan(200);
    const refused = await bearer(TOKEN, ATTACKER);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await refusal(refused)).toBe("429 TOO_MANY_REQUESTS");
    expect((await bearer(TOKEN, OWNER)).status).toBe(200);
    expect((await signIn(TOKEN, OWNER)).status).toBe(200);
  });

  it("wrong sign-ins of one address do not lock the owner out", async () => {
    const { signIn, bearer } = deployment();
    const counts = await counted(300, (i) => signIn(`guess-${i}`, ATTACKER));
    expect(counts[429]).toBeGreaterThan(200);
    expect((await signIn(TOKEN, OWNER)).status).toBe(200);
    // Both kinds of guesses count together.
    expect((await bearer("guess", ATTACKER)).status).toBe(429);
  });

  it("guesses that are sent in parallel count as they do one after another", async () => {
    const { signIn, bearer } = deployment();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const guesses = Array.from({ length: 300 }, (_, i) => signIn(`guess-${i}`, ATTACKER, arrived));
    arrive();
    const counts = await counted(300, (i) => guesses[i] as Response);
    expect(counts[401]).toBeLessThan(100);
    expect(counts[429]).toBeGreaterThan(200);
    expect((await signIn(TOKEN, OWNER)).status).toBe(200);
    // The first requests of a page come together, and a refused sign-in without a token does not count.
    const page = deployment();
    const together = Array.from({ length: 300 }, () => page.bearer(TOKEN, ATTACKER));
    expect(await counted(300, (i) => together[i] as Promise<Response>)).toEqual({ 200: 300 });
    expect((await bearer(TOKEN, OWNER)).status).toBe(200);
  });

  it("a client that came in before goes on, whatever else comes from its address", async () => {
    const { bearer } = deployment();
    const token = await signClaims(TOKEN, "token", { id: "running" });
    expect((await bearer(token, ATTACKER)).status).toBe(200);
    await counted(300, (i) => bearer(`guess-${i}`, ATTACKER));
    expect((await bearer(token, ATTACKER)).status).toBe(200);
  });

  it("right credentials and requests without any do not count", async () => {
    const { anonymous, bearer, signIn } = deployment();
    expect(await counted(300, () => anonymous(ATTACKER))).toEqual({ 401: 300 });
    expect(await counted(300, () => signIn(TOKEN, ATTACKER))).toEqual({ 200: 300 });
    expect((await bearer(TOKEN, ATTACKER)).status).toBe(200);
  });

  it.each(["2001:db8:1:2::%", "2001:DB8:1:2:0:0:0:%", "2001:0db8:0001:0002::%:1"])(
    "addresses of one IPv6 network count together: %s",
    async (network) => {
      const { bearer } = deployment();
      const counts = await counted(300, (i) => bearer("guess", network.replace("%", (i + 1).toString(16))));
      expect(counts[429]).toBeGreaterThan(200);
      expect((await bearer("guess", "2001:db8:1:2:ffff::1")).status).toBe(429);
      expect((await bearer("guess", "2001:db8:1:3::1")).status).toBe(401);
    },
  );
});

describe("WORKSPACE_TOKEN", () => {
  it.each(["short", "x".repeat(31), ` ${"x".repeat(30)}`])("is refused when it is too short: %j", async (secret) => {
    const request = (headers: Record<string, string>) => new Request(`${HOST}/api/session`, { headers });
    const vars = { WORKSPACE_TOKEN: secret, PREVIEW_HOST: "preview.example" };
    const refused = await call(request({ Authorization: `Bearer ${secret}` }), vars);
    expect(await refused.clone().text()).toContain("at least 32 characters");
    expect(await refusal(refused)).toBe("503 NOT_CONFIGURED");
    const forged = await signClaims(secret, "token", { id: "x" });
    expect((await call(request({ Authorization: `Bearer ${forged}` }), vars)).status).toBe(503);
    const preview = new Request("https://h/", { headers: { Host: `p3000-${"a".repeat(20)}.preview.example` } });
    expect((await call(preview, vars)).status).toBe(503);
  });

  it("may have 32 characters", async () => {
    const secret = "x".repeat(32);
    const request = new Request(`${HOST}/api`, { headers: { Authorization: `Bearer ${secret}` } });
    expect((await call(request, { WORKSPACE_TOKEN: secret })).status).toBe(200);
  });
});
