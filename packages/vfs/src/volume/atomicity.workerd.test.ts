/**
 * Every verb, with the database failing at each of its statements in turn: afterwards the tree is unchanged, memory and database
 * agree, and the same call then succeeds.
 */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createFileSystem, createHistory, createSnapshots, type FileSystem, fsck, type VolumeStore } from "../index.ts";

const big = new Uint8Array(2_500_000).fill(7);

const VERBS: Record<string, (fs: FileSystem, volume: VolumeStore) => Promise<unknown>> = {
  "writeFile (create)": (fs) => fs.writeFile("/workspace/new", "new"),
  "writeFile (replace)": (fs) => fs.writeFile("/workspace/a/one", "replaced"),
  "writeFile (large)": (fs) => fs.writeFile("/workspace/large", big),
  "writeFile (stream)": (fs) => fs.writeFile("/workspace/streamed", new Blob([big]).stream()),
  appendFile: (fs) => fs.appendFile("/workspace/a/one", "more"),
  "appendFile (large)": (fs) => fs.appendFile("/workspace/big", "more"),
  "FileHandle.close": async (fs) => {
    const handle = await fs.open("/workspace/big", "r+");
    await handle.write(new Uint8Array(2_000_000).fill(1), 0, 2_000_000, 100_000);
    await handle.truncate(2_200_000);
    await handle.close();
  },
  mkdir: (fs) => fs.mkdir("/workspace/x/y/z", { recursive: true }),
  unlink: (fs) => fs.unlink("/workspace/a/one"),
  "unlink (hard link)": (fs) => fs.unlink("/workspace/hard"),
  rmdir: (fs) => fs.rmdir("/workspace/empty"),
  rm: (fs) => fs.rm("/workspace/a", { recursive: true }),
  rename: (fs) => fs.rename("/workspace/a", "/workspace/b"),
  "rename (over)": (fs) => fs.rename("/workspace/a/one", "/workspace/big"),
  "rename (hard link)": (fs) => fs.rename("/workspace/hard", "/workspace/a/hard"),
  link: (fs) => fs.link("/workspace/big", "/workspace/a/big"),
  symlink: (fs) => fs.symlink("a", "/workspace/to-a"),
  copyFile: (fs) => fs.copyFile("/workspace/big", "/workspace/copy"),
  "copyFile (over)": (fs) => fs.copyFile("/workspace/big", "/workspace/a/one"),
  cp: (fs) => fs.cp("/workspace/a", "/workspace/c", { recursive: true }),
  chmod: (fs) => fs.chmod("/workspace/a/one", 0o600),
  utimes: (fs) => fs.utimes("/workspace/a/one", 1, 2),
  "truncate (shorter)": (fs) => fs.truncate("/workspace/big", 10),
  "truncate (longer)": (fs) => fs.truncate("/workspace/a/one", 5_000_000),
  writeMany: (fs) =>
    fs.writeMany([
      { path: "/workspace/m/one", content: "1" },
      { path: "/workspace/m/two", content: "2", mode: 0o755 },
      { path: "/workspace/m/link", type: "symlink", target: "one" },
      { path: "/workspace/a", type: "remove" },
    ]),
  "history.undo": (_, volume) => createHistory(volume).undo({ callId: "undone" }),
  "snapshots.restore": (_, volume) => createSnapshots(volume).restore(moment),
  "snapshots.restore (paths)": (_, volume) =>
    createSnapshots(volume).restore(moment, { paths: ["/workspace/past/tree", "/workspace/past/edited"] }),
};

/** Where `furnishPast` began. */
let moment = "";

/** Something of every kind to take back: written, moved, removed with all in it, linked, made. */
async function furnishPast({ volume }: Inside): Promise<void> {
  const fs = createFileSystem(volume, { callId: "undone" });
  const before = createFileSystem(volume);
  await before.writeMany([
    { path: "/workspace/past/edited", content: "1" },
    { path: "/workspace/past/moved", content: "m" },
    { path: "/workspace/past/tree/deep/file", content: "f" },
  ]);
  await before.link("/workspace/past/moved", "/workspace/past/linked");
  moment = (await createSnapshots(volume).create()).version;
  await fs.writeFile("/workspace/past/edited", "2");
  await fs.rename("/workspace/past/moved", "/workspace/past/elsewhere");
  await fs.unlink("/workspace/past/linked");
  await fs.rm("/workspace/past/tree", { recursive: true });
  await fs.writeFile("/workspace/past/made", "made");
  await fs.chmod("/workspace/past/made", 0o600);
}

async function furnish({ fs }: Inside): Promise<void> {
  await fs.mkdir("/workspace/a/sub", { recursive: true });
  await fs.mkdir("/workspace/empty");
  await fs.writeFile("/workspace/a/one", "one");
  await fs.writeFile("/workspace/a/sub/two", "two");
  await fs.writeFile("/workspace/big", big);
  await fs.link("/workspace/a/sub/two", "/workspace/hard");
  await fs.symlink("one", "/workspace/a/link");
}

/** Everything a user could see. */
async function picture(fs: FileSystem): Promise<unknown> {
  const entries = [];
  for (const { path, type, size, version } of await fs.find("/workspace")) {
    const stat = await fs.lstat(path);
    entries.push([path, type, size, version, stat.mode, stat.nlink, stat.mtimeMs]);
  }
  return { entries, head: (await fs.changes()).cursor };
}

/** Lets `allowed` more statements through, then fails each until the result is called. */
function failAfter(storage: DurableObjectStorage, allowed: number): { restore(): void; failed(): boolean } {
  const { sql } = storage;
  const exec = sql.exec;
  let left = allowed;
  let failed = false;
  Object.defineProperty(sql, "exec", {
    configurable: true,
    value: (text: string, ...values: SqlStorageValue[]) => {
      if (left-- <= 0) {
        failed = true;
        throw new Error("injected: database or disk is full");
      }
      return exec.call(sql, text, ...values);
    },
  });
  return {
    restore: () => Object.defineProperty(sql, "exec", { configurable: true, value: exec }),
    failed: () => failed,
  };
}

describe("a verb whose database fails", () => {
  it.each(Object.keys(VERBS))("%s changes nothing, wherever it fails, and works afterwards", async (name) => {
    await inObject(async (inside) => {
      await furnish(inside);
      await furnishPast(inside);
      const { fs, storage, volume } = inside;
      const before = await picture(fs);
      let failures = 0;
      for (let allowed = 0; ; allowed++) {
        const fault = failAfter(storage, allowed);
        const outcome = await VERBS[name]?.(fs, volume).then(
          () => "done",
          (error: Error) => error.message,
        );
        fault.restore();
        if (!fault.failed()) {
          expect(outcome).toBe("done");
          break;
        }
        failures++;
        expect(outcome).not.toBe("done");
        if (name !== "FileHandle.close") expect(await picture(fs)).toEqual(before);
        expect((await fsck(volume)).problems).toEqual([]);
      }
      expect(failures).toBeGreaterThan(1);
      expect((await fsck(volume)).problems).toEqual([]);
      if (name !== "FileHandle.close") expect(await picture(fs)).not.toEqual(before);
    });
  });
});
