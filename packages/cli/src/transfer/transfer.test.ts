import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { progressLine } from "../format/progress-bar.ts";
import { sizeText } from "../format/sizes.ts";
import { localTree, staysInside } from "./local-tree.ts";
import { tarSize, tarStream } from "./tar-stream.ts";
import { parseTransferPath } from "./transfer-path.ts";

const folder = mkdtempSync(join(tmpdir(), "wsx-transfer-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("tarStream", () => {
  it("tarStream writes a tree that tar unpacks unchanged: long names, links, modes, times", async () => {
    const tree = join(folder, "tree");
    const long = `${"directory-name/".repeat(12)}ä-${"x".repeat(120)}.txt`;
    mkdirSync(join(tree, long, ".."), { recursive: true });
    writeFileSync(join(tree, long), "long");
    writeFileSync(join(tree, "run"), "x".repeat(1000));
    chmodSync(join(tree, "run"), 0o755);
    utimesSync(join(tree, "run"), 1_000_000, 1_000_000);
    symlinkSync("y".repeat(150), join(tree, "link"));
    const entries = (await localTree(tree)).map((entry) => ({ ...entry, as: entry.name || "." }));
    const parts: Uint8Array[] = [];
    let moved = 0;
    for await (const part of tarStream(entries, (bytes) => (moved += bytes))) parts.push(part);
    expect(moved).toBe(1004);
    const tar = Buffer.concat(parts);
    expect(tar.length).toBeLessThanOrEqual(entries.reduce((sum, entry) => sum + tarSize(entry), 0) + 1024);
    mkdirSync(join(folder, "out"));
    execFileSync("tar", ["-xf", "-", "-C", join(folder, "out")], { input: tar });
    const shown = (entry: { name: string; type: string; size: number; mode: number; target?: string }) => [
      entry.name,
      entry.type,
      entry.size,
      entry.type === "symlink" ? 0 : entry.mode,
      entry.target,
    ];
    const unpacked = await localTree(join(folder, "out"));
    expect(unpacked.map(shown)).toEqual((await localTree(tree)).map(shown));
    expect(unpacked.find(({ name }) => name === "run")?.mtimeMs).toBe(1_000_000_000);
  });

  // macOS does not allow such names.
  it.skipIf(process.platform === "darwin")("tarStream refuses a name that is not UTF-8", async () => {
    const odd = join(folder, "odd");
    mkdirSync(odd);
    writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), Buffer.from([0xff, 0x2e, 0x74])]), "x");
    await expect(localTree(odd)).rejects.toMatchObject({
      code: "EILSEQ",
      message: `${odd} holds a name that is not UTF-8: "\ufffd.t"`,
    });
  });

  it("tarStream fails when a file's length changed", async () => {
    writeFileSync(join(folder, "shrinks"), "12345");
    const [entry] = await localTree(join(folder, "shrinks"));
    for (const size of [4, 6]) {
      const read = async () => {
        for await (const _ of tarStream([{ ...entry!, as: "a", size }], () => {}));
      };
      await expect(read()).rejects.toMatchObject({ code: "ESTALE" });
    }
  });
});

describe("parseTransferPath", () => {
  it.each([
    [":src", { side: "remote", workspace: null, path: "/workspace/src", endsInSlash: false }],
    ["demo:", { side: "remote", workspace: "demo", path: "/workspace", endsInSlash: true }],
    ["./a:b", { side: "local", path: "./a:b" }],
    ["/tmp/x", { side: "local", path: "/tmp/x" }],
  ])("parseTransferPath(%j)", (text, place) => expect(parseTransferPath(text)).toEqual(place));
});

describe("staysInside", () => {
  it.each([
    ["a/link", "../b", true],
    ["a/link", "../../b", false],
    ["link", "/etc/passwd", false],
    ["link", "a/../../b", false],
    ["link", "a/..", true],
    ["link", "up/..", false],
    ["link", "a/up/../..", false],
    ["link", "./a//up/../x", false],
    ["a/link", "../up/x", true],
    ["a/link", "link/..", false],
  ])("a link %j to %j, where up, a/up and a/link are links: %j", (name, target, inside) => {
    const links = new Set(["up", "a/up", "a/link"]);
    expect(staysInside({ name, target }, (path) => links.has(path))).toBe(inside);
  });
});

describe("progressLine", () => {
  it("progressLine shows bytes, total, speed and remaining time within the terminal's width", () => {
    const state = {
      total: { files: 4, bytes: 4 * 1024 * 1024 },
      bytes: 1024 * 1024,
      files: 1,
      elapsedMs: 1000,
      columns: 100,
    };
    expect(progressLine(state)).toBe(
      "[########----------------------]  25%  1.0 MiB of 4.0 MiB  1/4 files  1.0 MiB/s  0:03",
    );
    expect(progressLine({ ...state, columns: 40 }).length).toBeLessThan(40);
    expect(progressLine({ ...state, total: { files: 0, bytes: 0 }, bytes: 0, files: 0 })).toContain("100%");
    expect(sizeText(1023)).toBe("1023 B");
    expect(sizeText(1024 ** 3 * 150)).toBe("150 GiB");
  });
});
