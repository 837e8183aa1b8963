import { expect, it } from "vitest";
import type { ExecList } from "../../api/exec.ts";
import { call, TOKEN } from "../../testing/api-client.ts";

const bearer = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
const send = (method: string, path: string, body?: unknown) =>
  call(
    new Request(`https://workspace.example/api/w/exec-secrets/${path}`, {
      method,
      headers: bearer,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

it("GET exec and GET exec/:id show commands without their secrets", async () => {
  for (const body of [
    { command: "TOKEN=HUNTER2 true; : --password HUNTER2 https://me:HUNTER2@host/x" },
    { argv: ["echo", "-u", "me:HUNTER2", "--token", "HUNTER2"] },
  ]) {
    const started = (await (await send("POST", "exec", body)).json()) as { id: string };
    const [list, one] = await Promise.all([send("GET", "exec"), send("GET", `exec/${started.id}`)]);
    const { executions } = (await list.json()) as ExecList;
    const shown = [
      executions.find(({ id }) => id === started.id)?.command,
      ((await one.json()) as { command: unknown }).command,
    ];
    expect(shown).toEqual([expectedOf(body), expectedOf(body)]);
  }
});

function expectedOf(body: object): unknown {
  return "argv" in body
    ? ["echo", "-u", "me:[redacted]", "--token", "[redacted]"]
    : "TOKEN=[redacted] true; : --password [redacted] https://[redacted]@host/x";
}
