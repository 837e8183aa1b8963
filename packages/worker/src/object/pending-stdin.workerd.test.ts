import { expect, it } from "vitest";
import { call, consumed, refusal, TOKEN } from "../testing/api-client.ts";

const send = (method: string, path: string, body?: string) =>
  call(
    new Request(`https://workspace.example/api/w/pending-stdin/${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      body,
    }),
  );

it("PendingStdin refuses the id of a command that waits for input, whose input stays its own", async () => {
  const start = () => send("POST", "exec", JSON.stringify({ id: "mine", command: "cat > out.txt", stdin: true }));
  expect((await consumed(start())).status).toBe(201);
  expect(await refusal(await start())).toBe("409 EEXIST");
  expect((await consumed(send("POST", "exec/mine/stdin?end=1", "first"))).status).toBe(204);
  await expect.poll(async () => (await send("GET", "files/out.txt")).text()).toBe("first");
  expect(await refusal(await start())).toBe("409 EEXIST");
});
