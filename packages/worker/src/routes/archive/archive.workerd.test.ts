import { ArchiveBudget, type ArchiveEntry, readTar, writeTar, writeZip } from "@workspace/archive";
import { createWorkBudget } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../limits.ts";
import { ApiClient, call, refusal, TOKEN } from "../../testing/api-client.ts";

const encoder = new TextEncoder();
const LONG = `${"ä".repeat(70)}/${"b".repeat(120)}.txt`;

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: ArrayBufferView[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const file = (name: string, text = name): ArchiveEntry => {
  const content = encoder.encode(text);
  return { name, type: "file", mode: 0o644, mtimeMs: 1_700_000_000_000, size: content.length, content };
};
const link = (name: string, target: string): ArchiveEntry => ({
  ...file(name, ""),
  type: "symlink",
  target,
  content: undefined,
});
const dir = (name: string): ArchiveEntry => ({ ...file(name, ""), type: "dir", mode: 0o755, content: undefined });

const TREE = [
  dir("d"),
  file("d/empty", ""),
  { ...file("d/run.sh", "#!/bin/sh\n".repeat(40)), mode: 0o755 },
  link("d/link", "run.sh"),
  file(LONG),
];

const archive = (name: string, query: string, body?: Uint8Array<ArrayBuffer>) =>
  call(
    new Request(`https://h/api/w/${name}/archive?${query}`, {
      method: body === undefined ? "GET" : "PUT",
      headers: { Authorization: `Bearer ${TOKEN}` },
      body,
    }),
  );

async function listed(response: Response): Promise<string[]> {
  const lines: string[] = [];
  const body = response.body as unknown as AsyncIterable<Uint8Array>;
  for await (const entry of readTar(body, new ArchiveBudget(LIMITS, createWorkBudget()))) {
    const text =
      entry.type === "file" ? new TextDecoder().decode(await bytesOf(entry.content as AsyncIterable<Uint8Array>)) : "";
    lines.push(
      [entry.name, entry.type, entry.mode.toString(8), entry.mtimeMs, text, "target" in entry ? entry.target : ""].join(
        "|",
      ),
    );
  }
  return lines.filter((line) => !line.includes("|dir|")).sort();
}

describe("archive", () => {
  it("archive takes and gives tar, gzipped tar and zip, with modes, times, links and any name", async () => {
    const tar = await bytesOf(writeTar(each(TREE)));
    const sent = await archive("packed", "path=x/y", tar);
    expect(await sent.json()).toEqual({
      path: "/workspace/x/y",
      files: 3,
      directories: 1,
      symlinks: 1,
      bytes: 400 + 265,
    });
    const first = await archive("packed", "path=x/y");
    expect(first.headers.get("Content-Disposition")).toContain('attachment; filename="y.tar"');
    expect(first.headers.get("Content-Security-Policy")).toContain("sandbox");
    const expected = await listed(first);
    expect(expected).toContain(`${LONG}|file|644|1700000000000|${LONG}|`);
    expect(expected).toContain("d/link|symlink|777|1700000000000||run.sh");
    for (const [down, up] of [
      ["format=tar&gzip=1", "format=tar"],
      ["format=zip", "format=zip"],
    ]) {
      const packed = new Uint8Array(await (await archive("packed", `path=x/y&${down}`)).arrayBuffer());
      const name = `unpacked-${down?.slice(7, 10)}`;
      expect((await archive(name, `${up}`, packed)).status).toBe(200);
      expect(await listed(await archive(name, "format=tar"))).toEqual(expected);
    }
  });

  it.each<[string, ArchiveEntry[]]>([
    ["an absolute name", [file("/etc/passwd")]],
    ["a name with ..", [file("a/../../x")]],
    ["a name with a backslash", [file("..\\x")]],
    ["a link to an absolute path", [link("l", "/etc")]],
    ["a link that climbs out", [link("a/l", "../../x")]],
    ["a file through a link of the archive", [link("l", "."), file("l/x")]],
    ["a file over a link of the archive", [link("l", "y"), file("l")]],
    ["a file through a link that was there", [file("there/x")]],
    ["a file below a file", [file("f"), file("f/x")]],
    ["a file where a directory is", [file("dir")]],
  ])("archive refuses %s, and unpacks nothing", async (what, hostile) => {
    const ws = new ApiClient("hostile");
    await ws.put("/dir/keep", "x");
    await ws.fs.symlink("/", "/workspace/there").catch(() => {});
    const before = await ws.state();
    for (const [format, write] of [
      ["tar", writeTar],
      ["zip", writeZip],
    ] as const) {
      const body = await bytesOf(write(each([file("innocent"), ...hostile])));
      const response = await archive("hostile", `format=${format}`, body);
      expect([what, response.status >= 400 && response.status < 500]).toEqual([what, true]);
      await refusal(response);
    }
    expect(await ws.state()).toBe(before);
  });

  it("archive refuses what is cut, damaged, lying or no archive at all", async () => {
    const ws = new ApiClient("damaged");
    await ws.put("/a", "x");
    const before = await ws.state();
    const tar = await bytesOf(writeTar(each(TREE)));
    const zip = await bytesOf(writeZip(each(TREE)));
    const flipped = (bytes: Uint8Array<ArrayBuffer>, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 0x55);
    for (const [format, body] of [
      ["tar", tar.slice(0, 700)],
      ["tar", flipped(tar, 10)],
      ["tar", encoder.encode("no tar".repeat(200))],
      ["tar", zip],
      ["zip", tar],
      ["zip", zip.slice(0, -30)],
      ["zip", new Uint8Array()],
      ["zip", flipped(zip, 200)],
      ["zip", flipped(zip, zip.length - 4)],
    ] as [string, Uint8Array<ArrayBuffer>][]) {
      expect(await refusal(await archive("damaged", `format=${format}`, body))).toBe("400 EINVAL");
    }
    expect(await refusal(await archive("damaged", "format=rar", tar))).toBe("400 EINVAL");
    expect(await refusal(await archive("damaged", "path=a", tar))).toBe("409 ENOTDIR");
    expect(await ws.state()).toBe(before);
  });
});
