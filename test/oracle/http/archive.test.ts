/** Our tar and zip beside the machine's own: what we write they unpack to the same files, and what they write we read to the same. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveBudget, type ArchiveEntry, readTar, readZip, writeTar, writeZip } from "@workspace/archive";
import { createWorkBudget } from "@workspace/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "workspace-archive-"));
const source = join(folder, "source");
const LARGE = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) >> 5));

beforeAll(() => {
  mkdirSync(join(source, "dir/deeper"), { recursive: true });
  writeFileSync(join(source, "a.txt"), "hello\n".repeat(1000));
  writeFileSync(join(source, "dir/empty"), "");
  writeFileSync(join(source, "dir/deeper/large.bin"), LARGE);
  writeFileSync(join(source, `${"é".repeat(100)}.txt`), "long name");
  writeFileSync(join(source, "dir", `${"n".repeat(180)}.txt`), "longer name");
  writeFileSync(join(source, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(source, "run.sh"), 0o755);
  symlinkSync("../a.txt", join(source, "dir/link"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every file as one line: name, type, mode, content or target. */
function linesOf(root: string, below = ""): string[] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .flatMap((entry) => {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      const path = join(root, name);
      if (entry.isDirectory()) return linesOf(root, name);
      if (entry.isSymbolicLink()) return [`${name} link ${readlinkSync(path)}`];
      return [`${name} ${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, "base64")}`];
    })
    .sort();
}

const budget = () => new ArchiveBudget({ unpackedBytes: 2 ** 30, archiveEntries: 10_000 }, createWorkBudget());

type Read = ReturnType<typeof readTar> | ReturnType<typeof readZip>;

async function linesIn(entries: Read): Promise<string[]> {
  const lines: string[] = [];
  for await (const entry of entries) {
    if (entry.type === "symlink") lines.push(`${entry.name} link ${entry.target}`);
    if (entry.type !== "file") continue;
    const parts: Uint8Array[] = [];
    for await (const part of entry.content as AsyncIterable<Uint8Array>) parts.push(part);
    lines.push(`${entry.name} ${entry.mode.toString(8)} ${Buffer.concat(parts).toString("base64")}`);
  }
  return lines.sort();
}

async function* ourEntries(below = ""): AsyncGenerator<ArchiveEntry> {
  for (const entry of readdirSync(join(source, below), { withFileTypes: true })) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    const { mode, mtimeMs, size } = lstatSync(join(source, name));
    const common = { name, mode: mode & 0o777, mtimeMs };
    if (entry.isDirectory()) {
      yield { ...common, type: "dir", size: 0 };
      yield* ourEntries(name);
    } else if (entry.isSymbolicLink()) {
      yield { ...common, type: "symlink", size: 0, target: readlinkSync(join(source, name)) };
    } else {
      const bytes = new Uint8Array(readFileSync(join(source, name)));
      // Large ones come as streams, as from a workspace.
      yield { ...common, type: "file", size, content: size > 1_000_000 ? chunksOf(bytes) : bytes };
    }
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521);
}

async function keep(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

function emptyFolder(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

describe("archives", () => {
  it("tar(1) unpacks what writeTar writes", async () => {
    const path = await keep("ours.tar", writeTar(ourEntries()));
    const target = emptyFolder("from-our-tar");
    execFileSync("tar", ["xpf", path, "-C", target]);
    expect(linesOf(target)).toEqual(linesOf(source));
  });

  it.each(["gnu", "ustar", "pax"])("readTar reads what tar(1) writes as %s, plain and gzipped", async (format) => {
    const skipLong = format === "ustar" ? ["--exclude=*éé*", "--exclude=*nnn*"] : [];
    for (const gzip of [[], ["-z"]]) {
      const path = join(folder, `theirs-${format}${gzip.length}.tar`);
      execFileSync("tar", [...gzip, `--format=${format}`, ...skipLong, "-cf", path, "-C", source, "."]);
      const expected = linesOf(source).filter((line) => skipLong.length === 0 || !/éé|nnn/.test(line));
      expect(await linesIn(readTar(chunksOf(new Uint8Array(readFileSync(path))), budget()))).toEqual(expected);
    }
  });

  it("unzip(1) unpacks what writeZip writes, and readZip reads what zip(1) writes", async () => {
    const ours = await keep("ours.zip", writeZip(ourEntries()));
    const target = emptyFolder("from-our-zip");
    execFileSync("unzip", ["-q", ours, "-d", target]);
    expect(linesOf(target)).toEqual(linesOf(source));
    const path = join(folder, "theirs.zip");
    execFileSync("zip", ["-qry", path, "."], { cwd: source });
    for (const file of [ours, path]) {
      const bytes = new Uint8Array(readFileSync(file));
      const zip = {
        size: bytes.length,
        read: async (start: number, length: number) => bytes.subarray(start, start + length),
      };
      expect(await linesIn(readZip(zip, budget()))).toEqual(linesOf(source));
    }
  });
});
