import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { ArchiveBudget, type ArchiveEntry, readTar, readZip, writeTar, writeZip } from "@workspace/archive";
import { createWorkBudget } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { call, refusal, TOKEN } from "../../testing/api-client.ts";
import { unpack } from "./unpack.ts";

const encoder = new TextEncoder();
const MiB = 1024 * 1024;

/** The bytes of a tar entry of any kind, with a body of any length. */
function tarEntry(name: string, kind: string, { body = zeros(0), target = "" } = {}) {
  const block = new Uint8Array(512);
  const put = (at: number, text: string) => block.set(encoder.encode(text), at);
  put(0, name);
  put(100, "0000644\0");
  put(124, `${body.length.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(156, kind);
  put(157, target);
  put(257, "ustar\x0000");
  put(148, "        ");
  put(
    148,
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
  );
  return [block, body, new Uint8Array((512 - (body.length % 512)) % 512)];
}

const joined = async (parts: readonly Uint8Array<ArrayBufferLike>[]) =>
  new Uint8Array(await new Blob([...parts]).arrayBuffer());
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const zeros = (size: number) => new Uint8Array(size);

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const file = (name: string, content: Uint8Array): ArchiveEntry => ({
  name,
  type: "file",
  mode: 0o644,
  mtimeMs: 0,
  size: content.length,
  content,
});
const link = (name: string, target: string): ArchiveEntry => ({
  ...file(name, zeros(0)),
  type: "symlink",
  target,
  content: undefined,
});

/** The result of unpacking with these limits: the counts, or the error code. */
async function outcome(
  format: "tar" | "zip",
  body: Uint8Array<ArrayBuffer>,
  limits: { bytes?: number; entries?: number },
) {
  const { fs } = getWorkspace(env.HTTP_WORKSPACE, `archive-${crypto.randomUUID()}`);
  const work = createWorkBudget();
  const budget = new ArchiveBudget(
    { unpackedBytes: limits.bytes ?? 64 * MiB, archiveEntries: limits.entries ?? 10_000 },
    work,
  );
  const random = {
    size: body.length,
    read: async (start: number, length: number) => body.subarray(start, start + length),
  };
  try {
    const entries = format === "tar" ? readTar(each([body]), budget) : readZip(random, budget);
    return { ...(await unpack(fs, "/workspace", entries, budget)), turns: work.used.pauses };
  } catch (error) {
    expect(await fs.readdir("/workspace")).toEqual([]);
    return { refused: (error as { code?: string }).code, message: (error as Error).message, turns: work.used.pauses };
  }
}

/** A pax record of 60 KiB. */
const longComment = Uint8Array.from(encoder.encode(`61440 comment=${"x".repeat(61440 - 15)}\n`));
const end = [zeros(1024)];
const big = tarEntry("big", "0", { body: zeros(MiB) });

describe("ArchiveBudget", () => {
  it.each<[string, () => Promise<Uint8Array<ArrayBuffer>>, { bytes?: number; entries?: number }]>([
    [
      "the size of a directory entry, which is skipped",
      async () => gzip(await joined([...tarEntry("d", "5", { body: zeros(8 * MiB) }), ...end])),
      { bytes: 4 * MiB },
    ],
    [
      "the size of a link entry, which is skipped",
      async () => gzip(await joined([...tarEntry("l", "2", { target: "x", body: zeros(8 * MiB) }), ...end])),
      { bytes: 4 * MiB },
    ],
    [
      "the size of a hard link, which is skipped",
      async () =>
        gzip(
          await joined([...tarEntry("a", "0"), ...tarEntry("l", "1", { target: "a", body: zeros(8 * MiB) }), ...end]),
        ),
      { bytes: 4 * MiB },
    ],
    [
      "the bytes of g headers",
      async () => gzip(await joined([...times(100, () => tarEntry("g", "g", { body: longComment })).flat(), ...end])),
      { bytes: 4 * MiB },
    ],
    [
      "the bytes of x headers",
      async () =>
        gzip(await joined([...times(100, () => tarEntry("x", "L", { body: zeros(60 * 1024) })).flat(), ...end])),
      { bytes: 4 * MiB },
    ],
    [
      "headers that become no file",
      async () => joined([...times(700, () => tarEntry("g", "g")).flat(), ...end]),
      { entries: 600 },
    ],
    ["entries", async () => joined([...times(700, (i) => tarEntry(`f${i}`, "0")).flat(), ...end]), { entries: 600 }],
    [
      "the copies of hard links",
      async () => joined([...big, ...times(20, (i) => tarEntry(`c${i}`, "1", { target: "big" })).flat(), ...end]),
      { bytes: 8 * MiB },
    ],
    [
      "copies of copies",
      async () =>
        joined([
          ...big,
          ...times(20, (i) => tarEntry(`c${i + 1}`, "1", { target: i === 0 ? "big" : `c${i}` })).flat(),
          ...end,
        ]),
      { bytes: 8 * MiB },
    ],
    [
      "a file's bytes",
      async () => gzip(await joined([...tarEntry("a", "0", { body: zeros(8 * MiB) }), ...end])),
      { bytes: 4 * MiB },
    ],
  ])("tar: counts %s", async (_what, make, limits) => {
    const result = await outcome("tar", await make(), limits);
    expect(result).toMatchObject({ refused: "EFBIG" });
  });

  it("zip: counts inflated bytes, and entries before it reads them", async () => {
    const zip = async (entries: readonly ArchiveEntry[]) => {
      const parts: Uint8Array[] = [];
      for await (const part of writeZip(each(entries))) parts.push(part);
      return joined(parts);
    };
    expect(await outcome("zip", await zip([file("a", zeros(8 * MiB))]), { bytes: 4 * MiB })).toMatchObject({
      refused: "EFBIG",
    });
    expect(
      await outcome("zip", await zip(times(9, (i) => file(`f${i}`, zeros(MiB)))), { bytes: 8 * MiB }),
    ).toMatchObject({ refused: "EFBIG" });
    expect(await outcome("zip", await zip(times(300, (i) => file(`f${i}`, zeros(0)))), { entries: 200 })).toMatchObject(
      { refused: "EFBIG", turns: 0 },
    );
  });

  it("lets other requests run during long work, and counts copies in the answer", async () => {
    const tar = await joined([...big, ...times(5, (i) => tarEntry(`c${i}`, "1", { target: "big" })).flat(), ...end]);
    const result = await outcome("tar", tar, {});
    expect(result).toMatchObject({ files: 6, bytes: 6 * MiB });
    expect(result.turns).toBeGreaterThanOrEqual(1);
    const many = await outcome("tar", await joined([...times(2000, (i) => tarEntry(`f${i}`, "0")).flat(), ...end]), {});
    expect(many.turns).toBeGreaterThanOrEqual(7);
  });
});

describe("EntryGuard", () => {
  const tar = async (entries: readonly ArchiveEntry[]) => {
    const parts: Uint8Array[] = [];
    for await (const part of writeTar(each(entries))) parts.push(part);
    return joined(parts);
  };

  it.each<[string, ArchiveEntry[]]>([
    ["targets that go down and up", times(200, (i) => link(`l${i}`, `${"a/".repeat(800)}${"../".repeat(799)}x`))],
    ["deep names", [link("l", "x"), ...times(100, (i) => file(`${"a/".repeat(1500)}d${i}/f`, zeros(0)))]],
  ])("counts the work of looking at %s", async (_what, entries) => {
    const result = await outcome("tar", await tar(entries), { bytes: 48 * MiB });
    expect(result).toMatchObject({ refused: "EFBIG" });
    expect(result.turns).toBeGreaterThan(10);
  });

  it("holds names and targets of links up to a limit", async () => {
    const entries = times(4000, (i) => link(`l${i}`, "x".repeat(3000)));
    expect(await outcome("tar", await tar(entries), {})).toMatchObject({ refused: "EFBIG" });
  });

  it("costs next to nothing for a tree of files and few links", async () => {
    const entries = times(2000, (i) => file(`packages/p${i % 20}/src/deep/er/f${i}.ts`, zeros(10)));
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const body = await tar([link("l", "packages/../packages"), ...sorted]);
    expect(await outcome("tar", body, { bytes: body.length + 64 * 1024 })).toMatchObject({ files: 2000, symlinks: 1 });
  });
});

describe("links of an archive", () => {
  const archive = async (write: typeof writeTar, entries: readonly ArchiveEntry[], format: string) => {
    const parts: Uint8Array[] = [];
    for await (const part of write(each(entries))) parts.push(part);
    return call(
      new Request(`https://h/api/w/links-${crypto.randomUUID().slice(0, 8)}/archive?format=${format}`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: await joined(parts),
      }),
    );
  };
  const FORMATS = [
    ["tar", writeTar],
    ["zip", writeZip],
  ] as const;

  it.each<[string, ArchiveEntry[]]>([
    ["two links", [link("a/b/c", "../.."), link("l", "a/b/c/..")]],
    ["two links, the second first", [link("l", "a/b/c/.."), link("a/b/c", "../..")]],
    ["a link deep in the target", [link("a/b/c", "../.."), link("l", "./a//b/c/x/../..")]],
    ["three links", [link("a/b", ".."), link("c", "a/b"), link("d", "c/../..")]],
    ["a link to itself", [link("a/b", "b/../..")]],
    ["a link to its directory", [link("a/l", "."), link("m", "a/l/../..")]],
    ["a climb at the front", [link("a/l", "../../x")]],
    ["an absolute target", [link("l", "/etc")]],
    ["an empty target", [link("l", "")]],
    ["a link that replaces a directory", [link("x/y", "d/.."), file("x/d/f", zeros(1)), link("x/d", "..")]],
  ])("lead nowhere else together: %s", async (_what, entries) => {
    for (const [format, write] of FORMATS) expect(await refusal(await archive(write, entries, format))).toMatch(/^4/);
  });

  it.each<[string, ArchiveEntry[]]>([
    ["to a sibling", [file("a/x", zeros(1)), link("a/l", "x")]],
    ["upwards and down again", [file("b/x", zeros(1)), link("a/l", "../b/x")]],
    ["through a directory and back", [file("b/x", zeros(1)), link("a/l", "../b/../b/x")]],
    ["through another link", [link("b", "a"), file("a/x", zeros(1)), link("l", "b/x")]],
    ["to nothing", [link("l", "not/there")]],
  ])("stay as they are when they lead inside: %s", async (_what, entries) => {
    for (const [format, write] of FORMATS) {
      const response = await archive(write, entries, format);
      expect([response.status, ((await response.json()) as { symlinks: number }).symlinks > 0]).toEqual([200, true]);
    }
  });

  it("a name longer than a path may be is refused before its parts are looked at", async () => {
    const long = `${"a/".repeat(20_000)}x`;
    expect(await refusal(await archive(writeTar, [file(long, zeros(1))], "tar"))).toBe("400 EINVAL");
  });
});

describe("entries of one name", () => {
  const small = (name: string, kind = "0", target = "") => tarEntry(name, kind, { target });
  /** Larger than what is held in memory: the archive is staged. */
  const staged = tarEntry("large", "0", { body: zeros(2 * MiB) });

  it.each<[string, Uint8Array<ArrayBufferLike>[][]]>([
    ["a file, then a directory", [small("a"), small("a/", "5")]],
    ["a file, then a file below it", [small("a"), small("a/b")]],
    ["a directory, then a file", [small("a/", "5"), small("a")]],
    ["a directory that a file implies, then a file", [small("a/b"), small("a")]],
    ["a directory, then a link", [small("a/b"), small("a", "2", "x")]],
    ["a file, then a link", [small("a"), small("a", "2", "b")]],
    ["a link, then a directory", [small("a", "2", "x"), small("a/", "5")]],
    ["a link, then a file through it", [small("x/", "5"), small("a", "2", "x"), small("a/b")]],
    ["a link, then a hard link through it", [small("x/f"), small("a", "2", "x"), small("h", "1", "a/f")]],
    ["a hard link to a link", [small("x"), small("a", "2", "x"), small("h", "1", "a")]],
    ["a hard link to a directory", [small("d/", "5"), small("h", "1", "d")]],
    ["a hard link to itself", [small("h", "1", "h")]],
    ["a hard link to what comes later", [small("h", "1", "a"), small("a")]],
    ["a hard link to a file that became a link", [small("a"), small("a", "2", "h"), small("h", "1", "a")]],
  ])("unpack refuses %s, in memory and staged", async (_what, entries) => {
    for (const all of [entries, [staged, ...entries], [...entries.slice(0, -1), staged, ...entries.slice(-1)]])
      expect(await outcome("tar", await joined([...all.flat(), ...end]), {})).toMatchObject({
        refused: expect.stringMatching(/^(EINVAL|ENOTDIR|EISDIR|EEXIST)$/),
      });
  });

  it.each<[string, Uint8Array<ArrayBufferLike>[][]]>([
    ["a file twice", [small("a"), small("a")]],
    ["a directory twice", [small("d/", "5"), small("d/", "5")]],
    ["a link twice", [small("l", "2", "a"), small("l", "2", "b")]],
    ["names that differ in case", [small("a"), small("A", "2", "x"), small("A2/f")]],
  ])("unpack takes the last of %s, in memory and staged", async (_what, entries) => {
    for (const all of [entries, [staged, ...entries], [...entries.slice(0, -1), staged, ...entries.slice(-1)]]) {
      const result = await outcome("tar", await joined([...all.flat(), ...end]), {});
      expect(result).not.toHaveProperty("refused");
    }
  });
});

describe("directories that names imply", () => {
  it("count as entries, each once", async () => {
    const hostile = await joined([...times(20, pathEntry).flat(), ...end]);
    expect(await outcome("tar", hostile, { entries: 10_000 })).toMatchObject({ refused: "EFBIG" });
    const shared = times(2000, (i) => tarEntry(`a/b/c/d/e/${i % 2 === 0 ? "f" : "g"}/${i}`, "0"));
    expect(await outcome("tar", await joined([...shared.flat(), ...end]), { entries: 2010 })).toMatchObject({
      files: 2000,
    });
  });

  /** A file below a thousand directories of its own, in 4 KB. */
  function pathEntry(i: number) {
    const path = `${i}/${"d/".repeat(1000)}f`;
    const tail = ` path=${path}\n`;
    return [
      ...tarEntry("x", "x", { body: Uint8Array.from(encoder.encode(`${tail.length + 4}${tail}`)) }),
      ...tarEntry("f", "0"),
    ];
  }
});
