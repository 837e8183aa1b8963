import { describe, expect, it } from "vitest";
import { followExecution } from "../exec/follow-execution.ts";
import { Api } from "./api.ts";
import { readLines } from "./lines.ts";
import { filesRoute, remotePath } from "./remote-path.ts";
import { readServerSentEvents } from "./server-events.ts";

const encoder = new TextEncoder();

/** In pieces of every size, so that pieces end inside lines and characters. */
async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe("readLines and readServerSentEvents", () => {
  it.each([1, 2, 3, 7, 100])("read what comes in pieces of %i bytes", async (size) => {
    expect(await all(readLines(pieces("ä\r\nb\n\nlast", size)))).toEqual(["ä", "b", "", "last"]);
    const text = ": hello\n\nid: 1\nevent: stdout\ndata: ä\ndata:b\n\ndata: {}\n\ndata: cut off";
    expect(await all(readServerSentEvents(pieces(text, size)))).toEqual([
      { event: "stdout", data: "ä\nb", id: "1" },
      { event: "message", data: "{}", id: "1" },
    ]);
  });
});

describe("remotePath", () => {
  it.each([
    ["a//b/./c/", "/workspace/a/b/c"],
    [".", "/workspace"],
    ["", "/workspace"],
    ["/workspace/a/../b", "/workspace/b"],
    ["workspace", "/workspace/workspace"],
  ])("remotePath(%j) is %j", (text, path) => expect(remotePath(text)).toBe(path));

  it.each(["..", "a/../..", "/etc", "/workspaces", "a\0b"])("remotePath refuses %j", (text) => {
    expect(() => remotePath(text)).toThrow();
  });

  it("filesRoute encodes each name once", () => {
    expect(filesRoute("/workspace/a b/50%/ä#?.txt")).toBe("files/a%20b/50%25/%C3%A4%23%3F.txt");
    expect(() => filesRoute("/workspace/a\\b")).toThrow("backslash");
  });
});

describe("follow", () => {
  const settings = { url: "http://127.0.0.1:1", workspace: "w", token: null };
  const event = (seq: number, name: string, value: unknown) =>
    `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify({ seq, name, value })}\n\n`;

  /** A server whose connections break: each sends the events after `after`, up to its own end. */
  function breaking(answers: (string | Error)[]): { api: Api; asked: string[] } {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      asked.push(new URL(String(url)).search);
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("too many requests");
      return new Response(answer);
    };
    return { api: new Api({ fetch: fetch as typeof globalThis.fetch }, settings), asked };
  }

  it("follow continues after the last seq over lost connections and repeated events", async () => {
    const { api, asked } = breaking([
      event(1, "stdout", "a"),
      new TypeError("fetch failed"),
      event(1, "stdout", "a") + event(2, "stderr", "b"),
      event(3, "exit", { state: "exited", exitCode: 7 }),
    ]);
    const seen = await all(followExecution(api, "x", { pausesMs: [1, 1] }));
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(asked).toEqual(["?after=0", "?after=1", "?after=1", "?after=2"]);
  });

  it("follow stops retrying after the timeout, and at once on a client error", async () => {
    const silent = breaking(["", "", "", ""]);
    await expect(all(followExecution(silent.api, "x", { pausesMs: [1, 1] }))).rejects.toMatchObject({
      code: "EUNREACHABLE",
    });
    expect(silent.asked).toHaveLength(3);
    const refused = new Api(
      { fetch: async () => Response.json({ error: { code: "ENOENT", message: "none" } }, { status: 404 }) },
      settings,
    );
    await expect(all(followExecution(refused, "x"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
