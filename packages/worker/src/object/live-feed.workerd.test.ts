import { expect, it } from "vitest";
import { signClaims } from "../auth/signed-claims.ts";
import { LIMITS } from "../limits.ts";
import { call, TOKEN } from "../testing/api-client.ts";

async function watch(workspace: string, token: string): Promise<number> {
  const response = await call(
    new Request(`https://workspace.example/api/w/${workspace}/changes/live`, {
      headers: { Authorization: `Bearer ${token}`, Upgrade: "websocket" },
    }),
  );
  response.webSocket?.accept();
  if (response.webSocket === null) await response.arrayBuffer();
  return response.status;
}

const reader = (id: string, root?: string) =>
  signClaims(TOKEN, "token", { id, root, workspace: "live-room", readOnly: true });

it("one token, with those that derive from it, does not take the room of others", async () => {
  const [own, derived, other] = [await reader("one"), await reader("two", "one"), await reader("three")];
  for (let i = 0; i < LIMITS.liveSocketsOfToken; i++)
    expect(await watch("live-room", i % 2 === 0 ? own : derived)).toBe(101);
  expect(await watch("live-room", own)).toBe(429);
  expect(await watch("live-room", derived)).toBe(429);
  expect(await watch("live-room", other)).toBe(101);
  expect(await watch("live-room", TOKEN)).toBe(101);
});
