import { expect, it } from "vitest";
import type { BashFileSystem } from "./bash-file-system.ts";
import { withDescriptorFiles } from "./descriptor-files.ts";

/** Records which of its verbs were called. */
function recording(): { below: BashFileSystem; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const verb =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      return "below";
    };
  const verbs = ["readFile", "writeFile", "cp", "mv", "rm", "stat", "symlink", "mkdir"];
  const below = Object.fromEntries(verbs.map((name) => [name, verb(name)]));
  return { below: below as unknown as BashFileSystem, calls };
}

it("withDescriptorFiles keeps the files of live descriptors in memory, byte for byte", async () => {
  const { below, calls } = recording();
  const fs = withDescriptorFiles(below, (path) => path === "/dev/fd/63");
  await fs.writeFile("/dev/fd/63", "\xff\0a", "binary");
  expect(await fs.readFile("/dev/fd/63", "binary")).toBe("\xff\0a");
  expect((await fs.stat("/dev/fd/63")).size).toBe(3);
  await fs.rm("/dev/fd/63");
  await expect(fs.readFile("/dev/fd/63")).rejects.toThrow("ENOENT");
  expect(calls).toEqual([]);
});

it("withDescriptorFiles passes every other path on, also content that looks like a descriptor", async () => {
  const { below, calls } = recording();
  const fs = withDescriptorFiles(below, () => true);
  await fs.writeFile("/a", "/dev/fd/63");
  await fs.readFile("/a");
  expect(calls).toEqual([
    ["writeFile", "/a", "/dev/fd/63"],
    ["readFile", "/a"],
  ]);
});

it("withDescriptorFiles refuses what would change a descriptor that is not live, and any other change", async () => {
  const { below, calls } = recording();
  const fs = withDescriptorFiles(below, () => false);
  await expect(fs.writeFile("/dev/fd/9", "x")).rejects.toThrow("EROFS");
  await expect(fs.mv("/a", "/dev/fd/9")).rejects.toThrow("EROFS");
  await expect(fs.symlink("/a", "/dev/fd/9")).rejects.toThrow("EROFS");
  await expect(fs.mkdir("/dev/fd/9")).rejects.toThrow("EROFS");
  expect(calls).toEqual([]);
});

it("withDescriptorFiles copies a descriptor's file to another path", async () => {
  const { below, calls } = recording();
  const fs = withDescriptorFiles(below, () => true);
  await fs.writeFile("/dev/fd/63", "text");
  await fs.cp("/dev/fd/63", "/a");
  expect(calls).toEqual([["writeFile", "/a", new TextEncoder().encode("text")]]);
});
