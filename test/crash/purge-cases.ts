/** Ways in which a content becomes a thing of the past: each writes a marker, and makes it one. */
import type { FileSystem } from "@cloudflare/workspace";

export interface PurgeCall {
  do: "write" | "purge" | "fsck";
  name: PurgeCase;
}

export type MakePast = (fs: FileSystem, marker: string) => Promise<void>;

export const P = "/workspace/p";
const FILE = `${P}/file`;
/** Pages that growing rows gave up are taken by other tables while it goes on, which write over a part of them only. */
export const FRAGMENTED = "hundreds of appends";
const MiB = 1024 * 1024;

/** The marker again and again, so that each part of the bytes has it. */
function bytesOf(marker: string, size: number): Uint8Array {
  return new TextEncoder().encode(`${marker} `.repeat(Math.ceil(size / (marker.length + 1)))).subarray(0, size);
}

async function overwrite(fs: FileSystem, marker: string, size: number): Promise<void> {
  await fs.writeFile(FILE, bytesOf(marker, size));
  await fs.writeFile(FILE, "now");
}

async function append(fs: FileSystem, marker: string, times: number, size: number): Promise<void> {
  await fs.writeFile(FILE, "first ");
  for (let i = 0; i < times; i++) await fs.appendFile(FILE, bytesOf(marker, size));
  await fs.writeFile(FILE, "now");
}

async function truncate(fs: FileSystem, marker: string, size: number, length: number): Promise<void> {
  await fs.writeFile(FILE, new Uint8Array(length));
  await fs.appendFile(FILE, bytesOf(marker, size));
  await fs.truncate(FILE, length);
}

async function patch(fs: FileSystem, marker: string, size: number): Promise<void> {
  await fs.writeFile(FILE, new Uint8Array(size).fill(1));
  for (const part of [bytesOf(marker, 50_000), new Uint8Array(50_000).fill(2)]) {
    await using file = await fs.open(FILE, "r+");
    await file.write(part, 0, part.length, 100_000);
  }
}

/** What comes before many others: when the first page of a table stops being a leaf, SQLite leaves in it what it held. */
async function beforeOthers(fs: FileSystem, write: () => Promise<unknown>): Promise<void> {
  await write();
  for (const i of Array(60).keys()) await fs.writeFile(`/workspace/later-${i}`, "x".repeat(500));
}

export const cases = {
  "first, small": async (fs, marker) => {
    await beforeOthers(fs, () => fs.writeFile(FILE, bytesOf(marker, 100)));
    await fs.writeFile(FILE, "now");
  },
  "first, almost a page": async (fs, marker) => {
    await beforeOthers(fs, () => fs.writeFile(FILE, bytesOf(marker, 3000)));
    await fs.rm(FILE);
  },
  "first, a link": async (fs, marker) => {
    await beforeOthers(fs, () => fs.symlink(marker.padEnd(3000, "x"), FILE));
    await fs.rm(FILE);
  },
  "a small file": (fs, marker) => overwrite(fs, marker, 100),
  "a file of a page": (fs, marker) => overwrite(fs, marker, 5000),
  "a file of a row": (fs, marker) => overwrite(fs, marker, MiB),
  "a large file": (fs, marker) => overwrite(fs, marker, 3 * MiB),
  "a very large file": (fs, marker) => overwrite(fs, marker, 20 * MiB),
  "many small files": async (fs, marker) => {
    for (let i = 0; i < 300; i++) await fs.writeFile(`${P}/${i}`, `${marker} ${i}`.repeat(1 + (i % 40)));
    await fs.rm(P, { recursive: true });
  },
  "a removed tree": async (fs, marker) => {
    await fs.mkdir(`${P}/a/b`, { recursive: true });
    for (const size of [10, 10_000, 2 * MiB]) await fs.writeFile(`${P}/a/b/${size}`, bytesOf(marker, size));
    await fs.rm(`${P}/a`, { recursive: true });
  },
  "small appends": (fs, marker) => append(fs, marker, 20, 60),
  "appends of a page": (fs, marker) => append(fs, marker, 10, 5000),
  [FRAGMENTED]: (fs, marker) => append(fs, marker, 200, 500),
  "large appends": (fs, marker) => append(fs, marker, 30, 90_000),
  "a small file cut": (fs, marker) => truncate(fs, marker, 3000, 10),
  "a file of a row cut": (fs, marker) => truncate(fs, marker, 500_000, 300_000),
  "a large file cut": (fs, marker) => truncate(fs, marker, 3 * MiB, 2_500_001),
  "a file cut to nothing": (fs, marker) => truncate(fs, marker, 2 * MiB, 0),
  "a small file patched": (fs, marker) => patch(fs, marker, 160_000),
  "a large file patched": (fs, marker) => patch(fs, marker, 4 * MiB),
  "an aborted stream": async (fs, marker) => {
    let parts = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (parts++ < 50) controller.enqueue(bytesOf(marker, 100_000));
        else controller.error(new Error("aborted"));
      },
    });
    await fs.writeFile(FILE, stream).catch(() => {});
  },
  "an abandoned handle": async (fs, marker) => {
    const file = (await fs.open(FILE, "w")) as Awaited<ReturnType<FileSystem["open"]>> & Disposable;
    for (let i = 0; i < 50; i++) await file.write(bytesOf(marker, 100_000));
    file[Symbol.dispose]();
  },
  "targets of links": async (fs, marker) => {
    for (const [i, length] of [30, 500, 3000, 4000].entries()) {
      await fs.symlink(`${marker}-${i}`.padEnd(length, "x"), `${P}/link${i}`);
      await fs.chmod(`${P}`, 0o700 + i);
      await fs.rm(`${P}/link${i}`);
    }
  },
  "two states that share a content": async (fs, marker) => {
    await fs.writeFile(FILE, bytesOf(marker, 50_000));
    await fs.copyFile(FILE, `${P}/copy`);
    await fs.writeFile(`${P}/copy`, "now");
    await fs.writeFile(FILE, "now");
  },
} satisfies Record<string, MakePast>;

export type PurgeCase = keyof typeof cases;
/** Those that need a database without neighbors. */
export const isFirst = (name: PurgeCase) => name.startsWith("first");
export const purgeCases = Object.keys(cases) as PurgeCase[];
export const markerOf = (name: PurgeCase) => `SECRET-${name.replaceAll(" ", "_").toUpperCase()}`;
