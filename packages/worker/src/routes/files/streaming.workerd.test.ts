import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../env.ts";
import { createApp } from "../../gateway/app.ts";
import { TOKEN } from "../../testing/api-client.ts";

const MiB = 1024 * 1024;
/** The maximum number of bytes in flight. */
const WINDOW = 4 * MiB;
const SIZE = 24 * MiB;

interface Meter {
  meter(): Promise<{ taken: number; given: number }>;
}

/** The app on a slow object that counts the bytes it takes and gives. */
const namespace = (env as unknown as { METERED: Env["WORKSPACE"] }).METERED;
const meterOf = (name: string) => (namespace.get(namespace.idFromName(name)) as Meter).meter();

function send(name: string, init: RequestInit): Promise<Response> {
  const request = new Request(`https://h/api/w/${name}/files/big`, {
    ...init,
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  return Promise.resolve(
    createApp().fetch(
      request,
      { WORKSPACE: namespace, REGISTRY: env.REGISTRY, WORKSPACE_TOKEN: TOKEN },
      createExecutionContext(),
    ),
  );
}

describe("bodies", () => {
  it("PUT takes a body no faster than the object does, and GET gives one no faster than the client", async () => {
    let sent = 0;
    let ahead = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          ahead = Math.max(ahead, sent - (await meterOf("slow")).taken);
          if (sent === SIZE) return controller.close();
          controller.enqueue(new Uint8Array(MiB / 4));
          sent += MiB / 4;
        },
      },
      { highWaterMark: 0 },
    );
    expect((await send("slow", { method: "PUT", body })).status).toBe(201);
    expect([sent, ahead < WINDOW]).toEqual([SIZE, true]);

    const { given: before } = await meterOf("slow");
    let got = 0;
    let retained = 0;
    for await (const chunk of (await send("slow", {})).body as ReadableStream<Uint8Array>) {
      const mark = Math.floor(got / MiB);
      got += chunk.byteLength;
      if (Math.floor(got / MiB) === mark) continue;
      retained = Math.max(retained, (await meterOf("slow")).given - before - got);
    }
    expect([got, retained < WINDOW]).toEqual([SIZE, true]);
  });
});
