import { describe, expect, it } from "vitest";
import { encodeContent } from "./encode-content.ts";

const options = { path: "/workspace/a" };
const MB = 1024 * 1024;

async function drain(body: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
  }
}

const text = async (body: ReadableStream<Uint8Array>) =>
  new TextDecoder().decode(await new Response(body).arrayBuffer());

describe("outgoing", () => {
  it("outgoing keeps small text and bytes inside the message", () => {
    expect(encodeContent("hi", options)).toEqual({ sent: "hi" });
    expect(encodeContent(Uint8Array.of(1, 2), options)).toEqual({ sent: Uint8Array.of(1, 2) });
    expect(encodeContent(Uint8Array.of(1, 2).buffer, options)).toEqual({ sent: Uint8Array.of(1, 2) });
  });

  it("outgoing copies a view, so that the buffer behind it does not travel", () => {
    const { sent } = encodeContent(new Uint8Array(new ArrayBuffer(1000), 10, 5), options);
    expect((sent as Uint8Array).buffer.byteLength).toBe(5);
  });

  it("outgoing streams large bytes in chunks of at most a megabyte", async () => {
    const { body, sent } = encodeContent(new Uint8Array(2.5 * MB), options);
    expect(sent).toBeUndefined();
    expect((await drain(body!)).map((chunk) => chunk.length)).toEqual([MB, MB, MB / 2]);
  });

  it("outgoing streams long text as UTF-8, pairs of surrogates whole", async () => {
    const long = "x".repeat(1_048_575) + "😀".repeat(2_000_000);
    expect(await text(encodeContent(long, options).body!)).toBe(long);
  });

  it("outgoing turns an async iterable of text and bytes into bytes", async () => {
    async function* source() {
      yield "añ";
      yield new TextEncoder().encode("o");
    }
    expect(await text(encodeContent(source(), options).body!)).toBe("año");
  });

  it("outgoing reads from its source only what the reader requests", async () => {
    let created = 0;
    async function* source() {
      for (; ; created++) yield new Uint8Array(1000);
    }
    const reader = encodeContent(source(), options).body!.getReader();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(created).toBe(0);
    await reader.read();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(created).toBe(1);
  });

  it("outgoing tells why its source broke", async () => {
    const cause = new RangeError("source broke");
    async function* source() {
      yield "a";
      throw cause;
    }
    const { body, broken } = encodeContent(source(), options);
    expect(broken!()).toBeUndefined();
    await expect(drain(body!)).rejects.toBe(cause);
    expect(broken!()).toEqual({ error: cause });
  });

  it("outgoing refuses a chunk that is neither text nor bytes", async () => {
    await expect(drain(encodeContent([1] as never, options).body!)).rejects.toMatchObject({
      code: "EINVAL",
      path: "/workspace/a",
    });
  });

  it("outgoing breaks off at once when the signal fires, though its source never answers", async () => {
    const controller = new AbortController();
    const source = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const { body, broken } = encodeContent(source, { ...options, signal: controller.signal });
    const read = body!.getReader().read();
    controller.abort("enough");
    await expect(read).rejects.toMatchObject({ code: "ABORT_ERR", cause: "enough" });
    expect(broken!()?.error).toMatchObject({ code: "ABORT_ERR" });
  });

  it("outgoing cancels its source when the object takes no more", async () => {
    let cancelled = false;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        cancelled = true;
      },
    });
    const { body } = encodeContent(source, options);
    const reader = body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(cancelled).toBe(true);
  });

  it("outgoing leaves what is no content to the object", () => {
    expect(encodeContent(5 as never, options)).toEqual({ sent: 5 });
    expect(encodeContent(null as never, options)).toEqual({ sent: null });
  });
});
