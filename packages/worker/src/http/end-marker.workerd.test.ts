import { describe, expect, it } from "vitest";
import { ApiClient, call, consumed, refusal, streamOf, TOKEN } from "../testing/api-client.ts";
import { createEndMarker, withEndMarker, withoutEndMarker } from "./end-marker.ts";

/** The bytes in chunks of a size. */
function chunked(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

function brokenAfter(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return chunked(bytes, bytes.length).pipeThrough(
    new TransformStream({ flush: (controller) => controller.error(new Error("the client went away")) }),
  );
}

const bytesOf = async (body: ReadableStream) => new Uint8Array(await new Response(body).arrayBuffer());

describe("the end marker", () => {
  it("withoutEndMarker returns the bytes before it, however they are divided", async () => {
    const marker = createEndMarker();
    for (const length of [0, 1, 15, 16, 17, 31, 32, 33, 100]) {
      const sent = Uint8Array.from({ length }, (_, at) => at);
      const marked = await bytesOf(withEndMarker(chunked(sent, 7), marker));
      expect(marked.length).toBe(length + 16);
      for (const size of [1, 2, 15, 16, 17, 200])
        expect(await bytesOf(withoutEndMarker(chunked(marked, size), marker))).toEqual(sent);
    }
  });

  it("withoutEndMarker fails at the end of a body without it, or with another or a part of it", async () => {
    const marker = createEndMarker();
    const marked = await bytesOf(withEndMarker(chunked(new Uint8Array(40), 8), marker));
    for (const cut of [0, 1, 8, 16, 39, 40, 41, 55])
      await expect(bytesOf(withoutEndMarker(chunked(marked.slice(0, cut), 8), marker))).rejects.toThrow("broke off");
    await expect(bytesOf(withoutEndMarker(chunked(marked, 8), createEndMarker()))).rejects.toThrow("broke off");
  });
});

describe("a body of unknown length", () => {
  const send = (name: string, method: string, path: string, body: BodyInit) =>
    call(
      new Request(`https://workspace.example/api/w/${name}/${path}`, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
        body,
      }),
    );

  it("that breaks off changes nothing: of a file, an archive, an input", async () => {
    const ws = new ApiClient("unknown-length");
    await ws.put("/a.txt", "before");
    const started = await call(
      new Request("https://workspace.example/api/w/unknown-length/exec", {
        method: "POST",
        headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
        body: JSON.stringify({ command: "cat", stdin: true }),
      }),
    );
    const { id } = (await started.json()) as { id: string };
    const state = await ws.state();
    for (const [path, body] of [
      ["files/a.txt", streamOf(200_000, "broken")],
      ["files/new/b.txt", streamOf(1, "broken")],
      // A whole tar, and then no end of the body.
      ["archive", brokenAfter(new Uint8Array(1024))],
      ["archive?format=zip", streamOf(200_000, "broken")],
    ] as const)
      expect([path, await refusal(await send("unknown-length", "PUT", path, body))]).toEqual([path, "400 ABORT_ERR"]);
    expect(await refusal(await send("unknown-length", "POST", `exec/${id}/stdin?end=1`, streamOf(9, "broken")))).toBe(
      "400 ABORT_ERR",
    );
    expect(await ws.state()).toBe(state);
    expect(await ws.text("/a.txt")).toBe("before");
    expect((await consumed(send("unknown-length", "POST", `exec/${id}/kill`, "{}"))).status).toBeLessThan(500);
  });

  it("that is whole is written", async () => {
    const ws = new ApiClient("unknown-length-2");
    for (const size of [0, 1, 16, 70_000, 1_000_000]) {
      expect((await ws.put(`/${size}`, streamOf(size))).status).toBe(201);
      expect((await ws.text(`/${size}`)).length).toBe(size);
    }
  });
});
