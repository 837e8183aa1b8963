/** Holds both sides to `differences.ts`: each entry has a check for ours and one for Node, and neither may be missing. */
import { describe, expect } from "vitest";
import { type DifferenceName, differences } from "./differences.ts";
import { type Check, fails, type Make, names, shape, testsOn, text, utf8 } from "./subject.ts";

export function differencesContract(make: Make, side: "ours" | "node"): void {
  const it = testsOn(make);
  describe("differences", () => {
    for (const [name, sides] of Object.entries(checks) as [DifferenceName, Record<"ours" | "node", Check>][]) {
      it(`${differences[name].name}: ${differences[name][side]}`, sides[side]);
    }
  });
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error as Error & { code?: string },
  );
const codeOf = async (promise: Promise<unknown>) => (await failure(promise))?.code;

async function* halfAStream() {
  yield utf8("half of it");
  throw new Error("the stream's own");
}

const checks: Record<DifferenceName, Record<"ours" | "node", Check>> = {
  "nul-in-path": {
    async ours({ fs, root }) {
      const path = `${root}/a\0b`;
      await fails(fs.stat(path), { code: "EINVAL", syscall: "stat", path });
      await fails(fs.writeFile(path, ""), { code: "EINVAL", syscall: "open", path });
      await fails(fs.mkdir(`${path}/c`, { recursive: true }), { code: "EINVAL", syscall: "mkdir" });
      await fails(fs.rm(path, { force: true, recursive: true }), { code: "EINVAL" });
      await fails(fs.rename(root, path), { code: "EINVAL", syscall: "rename" });
      await fails(fs.symlink("a\0b", `${root}/l`), { code: "EINVAL", syscall: "symlink" });
      await fails(
        fs.writeMany([
          { path: `${root}/good`, content: "" },
          { path, content: "" },
        ]),
        { code: "EINVAL" },
      );
      expect(await names(fs, root)).toEqual([]);
    },
    async node({ fs, root }) {
      const error = await failure(fs.stat(`${root}/a\0b`));
      expect([error instanceof TypeError, error?.code]).toEqual([true, "ERR_INVALID_ARG_VALUE"]);
    },
  },
  "relative-path": {
    async ours({ fs, root }) {
      for (const path of ["a", "./a", "../a", ".", "~/a", "file:///a", "C:\\a"]) {
        await fails(fs.stat(path), { code: "EINVAL", syscall: "stat", path });
        await fails(fs.writeFile(path, ""), { code: "EINVAL", syscall: "open", path });
        await fails(fs.rename(root, path), { code: "EINVAL", syscall: "rename" });
      }
    },
    async node({ fs }) {
      expect((await fs.stat(".")).isDirectory()).toBe(true);
    },
  },
  "lone-surrogate-in-path": {
    async ours({ fs, root }) {
      for (const name of ["\uD800", "a\uDC00b", "\uDC00\uD800"]) {
        await fails(fs.writeFile(`${root}/${name}`, ""), { code: "EINVAL", syscall: "open" });
        await fails(fs.stat(`${root}/${name}`), { code: "EINVAL", syscall: "stat" });
        await fails(fs.symlink(name, `${root}/l`), { code: "EINVAL", syscall: "symlink" });
      }
      expect(await names(fs, root)).toEqual([]);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/\uD800`, "first");
      await fs.writeFile(`${root}/\uDC00`, "second");
      expect(await shape(fs, root)).toEqual(["\uFFFD = second"]);
    },
  },
  "bad-argument": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      const calls = [
        fs.readFile(`${root}/f`, "klingon" as "utf8"),
        fs.writeFile(`${root}/f`, "x", "klingon" as "utf8"),
        fs.writeFile(`${root}/f`, "x", { flag: "zz" }),
        fs.open(`${root}/f`, "zz"),
        fs.truncate(`${root}/f`, 1.5),
        fs.chmod(`${root}/f`, -1),
        fs.writeFile(`${root}/g`, "x", { mode: -1 }),
        fs.mkdir(`${root}/d`, { mode: 1.5 }),
      ];
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "EINVAL"));
      expect(await shape(fs, root)).toEqual(["f = abc"]);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      expect(await codeOf(fs.readFile(`${root}/f`, "klingon" as "utf8"))).toBe("ERR_INVALID_ARG_VALUE");
      expect(await codeOf(fs.open(`${root}/f`, "zz"))).toBe("ERR_INVALID_ARG_VALUE");
      expect(await codeOf(fs.truncate(`${root}/f`, 1.5))).toBe("ERR_OUT_OF_RANGE");
      expect(await codeOf(fs.chmod(`${root}/f`, -1))).toBe("ERR_OUT_OF_RANGE");
    },
  },
  "time-as-text": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      await fs.utimes(`${root}/f`, "2020-01-01", "2020-01-01T00:00:01Z");
      expect((await fs.stat(`${root}/f`)).mtimeMs).toBe(Date.UTC(2020, 0, 1, 0, 0, 1));
      await fails(fs.utimes(`${root}/f`, 1, "yesterday"), { code: "EINVAL" });
      await fails(fs.utimes(`${root}/f`, 1, new Date(Number.NaN)), { code: "EINVAL" });
      expect((await fs.stat(`${root}/f`)).mtimeMs).toBe(Date.UTC(2020, 0, 1, 0, 0, 1));
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      expect(await codeOf(fs.utimes(`${root}/f`, "2020-01-01", "2020-01-01"))).toBe("ERR_INVALID_ARG_TYPE");
    },
  },
  "access-time": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.utimes(`${root}/f`, 1000, 2000);
      const stat = await fs.stat(`${root}/f`);
      expect([stat.atimeMs, stat.mtimeMs, stat.atime.getTime()]).toEqual([2_000_000, 2_000_000, 2_000_000]);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.utimes(`${root}/f`, 1000, 2000);
      const stat = await fs.stat(`${root}/f`);
      expect([stat.atimeMs, stat.mtimeMs]).toEqual([1_000_000, 2_000_000]);
    },
  },
  "handle-visibility": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "old");
      await using file = await fs.open(`${root}/f`, "r+");
      await file.write(utf8("NEW!"), 0, 4, 0);
      await file.truncate(2);
      expect([await text(fs, `${root}/f`), (await fs.stat(`${root}/f`)).size]).toEqual(["old", 3]);
      const own = new Uint8Array(9);
      expect([(await file.read(own, 0, 9, 0)).bytesRead, (await file.stat()).size]).toEqual([2, 2]);
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("NE");
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "old");
      await using file = await fs.open(`${root}/f`, "r+");
      await file.write(utf8("NEW!"), 0, 4, 0);
      expect(await text(fs, `${root}/f`)).toBe("NEW!");
    },
  },
  "stream-that-fails": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "old");
      for (const flag of ["w", "a", "r+"]) {
        await expect(fs.writeFile(`${root}/f`, halfAStream(), { flag })).rejects.toThrow("the stream's own");
      }
      await expect(fs.writeFile(`${root}/new`, halfAStream())).rejects.toThrow("the stream's own");
      expect(await shape(fs, root)).toEqual(["f = old"]);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "old");
      await expect(fs.writeFile(`${root}/f`, halfAStream())).rejects.toThrow("the stream's own");
      expect(await text(fs, `${root}/f`)).toBe("half of it");
    },
  },
  "cp-that-fails": {
    async ours(subject) {
      expect(await afterFailedCp(subject)).toEqual(["dst/", "dst/z/"]);
    },
    async node(subject) {
      // Which of the others come before the clash is for the file system's order to say: with this many, some do.
      expect((await afterFailedCp(subject)).length).toBeGreaterThan(2);
    },
  },
  "copy-file-that-fails": {
    async ours({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "kept");
      await fails(fs.copyFile(`${root}/d`, `${root}/f`), { code: "EISDIR", syscall: "copyfile" });
      expect(await shape(fs, root)).toEqual(["d/", "f = kept"]);
    },
    async node({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "kept");
      await fails(fs.copyFile(`${root}/d`, `${root}/f`), { code: "EISDIR", syscall: "copyfile" });
      expect(await shape(fs, root)).toEqual(["d/"]);
    },
  },
  "cp-exclusive": {
    async ours({ fs, root }) {
      await fs.writeMany([
        { path: `${root}/src/a`, content: "new" },
        { path: `${root}/src/b`, content: "new" },
        { path: `${root}/dst/b`, content: "old" },
      ]);
      await fails(fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, mode: 1 }), { code: "EEXIST" });
      await fails(fs.cp(`${root}/src/b`, `${root}/dst/b`, { mode: 3 }), { code: "EEXIST" });
      expect(await shape(fs, `${root}/dst`)).toEqual(["b = old"]);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, mode: 1, force: false });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = new", "b = old"]);
    },
    async node({ fs, root }) {
      await fs.writeMany([
        { path: `${root}/a`, content: "new" },
        { path: `${root}/b`, content: "old" },
      ]);
      await fs.cp(`${root}/a`, `${root}/b`, { mode: 1 });
      expect(await text(fs, `${root}/b`)).toBe("new");
    },
  },
  "copy-of-nothing": {
    async ours(subject) {
      expect(await ageOfEmptyCopies(subject)).toEqual(["now", "now"]);
    },
    async node(subject) {
      expect(await ageOfEmptyCopies(subject)).toEqual(["the source's", "the source's"]);
    },
  },
  "mkdir-that-fails": {
    async ours({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      expect(await codeOf(fs.mkdir(`${root}/new/../f`, { recursive: true }))).toBe("EEXIST");
      expect(await names(fs, root)).toEqual(["f"]);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/f`, "");
      expect(await codeOf(fs.mkdir(`${root}/new/../f`, { recursive: true }))).toBe("EEXIST");
      expect(await names(fs, root)).toEqual(["f", "new"]);
    },
  },
  "rm-dot-dot": {
    async ours({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.rm(`${root}/d/e/..`, { recursive: true });
      expect(await shape(fs, root)).toEqual([]);
    },
    async node({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.rm(`${root}/d/e/..`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["d/"]);
    },
  },
  "rm-link-slash": {
    async ours({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.symlink("d", `${root}/l`);
      await fails(fs.rm(`${root}/l/`, { recursive: true }), { code: "ENOTDIR" });
      expect(await shape(fs, root)).toEqual(["d/", "d/e/", "l -> d"]);
    },
    async node({ fs, root }) {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.symlink("d", `${root}/l`);
      expect(await fs.rm(`${root}/l/`, { recursive: true })).toBeUndefined();
      expect(await names(fs, root)).toEqual(["d", "l"]);
    },
  },
  "readdir-recursive-links": {
    async ours({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("..", `${root}/d/up`);
      expect((await fs.readdir(root, { recursive: true })).sort()).toEqual(["d", "d/up"]);
    },
    async node({ fs, root }) {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("..", `${root}/d/up`);
      expect((await fs.readdir(root, { recursive: true })).length).toBeGreaterThan(40);
    },
  },
  "readdir-order": {
    async ours({ fs, root }) {
      const inOrder = ["B", "a", "a.b", "a0", "ab", "é", "\uFF5E", "😀"];
      for (const name of [...inOrder].reverse()) await fs.writeFile(`${root}/${name}`, "");
      expect(await fs.readdir(root)).toEqual(inOrder);
      expect(await fs.glob("*", { cwd: root })).toEqual(inOrder);
      const listed: string[] = [];
      for await (const { name } of await fs.opendir(root)) listed.push(name);
      expect(listed).toEqual(inOrder);
    },
    async node({ fs, root }) {
      await fs.writeFile(`${root}/a`, "");
      expect(await fs.readdir(root)).toEqual(["a"]);
    },
  },
  "closed-dir": {
    async ours({ fs, root }) {
      const dir = await fs.opendir(root);
      await dir.close();
      expect([await codeOf(dir.read()), await codeOf(dir.close())]).toEqual(["EBADF", "EBADF"]);
    },
    async node({ fs, root }) {
      const dir = await fs.opendir(root);
      await dir.close();
      expect([await codeOf(dir.read()), await codeOf(dir.close())]).toEqual(["ERR_DIR_CLOSED", "ERR_DIR_CLOSED"]);
    },
  },
};

async function ageOfEmptyCopies({ fs, root }: Parameters<Check>[0]): Promise<string[]> {
  await fs.writeFile(`${root}/f`, "");
  await fs.utimes(`${root}/f`, 1000, 1000);
  await fs.copyFile(`${root}/f`, `${root}/g`);
  await fs.cp(`${root}/f`, `${root}/h`);
  const times = await Promise.all(["g", "h"].map(async (name) => (await fs.stat(`${root}/${name}`)).mtimeMs));
  return times.map((time) =>
    time === 1_000_000 ? "the source's" : Math.abs(time - Date.now()) < 60_000 ? "now" : `${time}`,
  );
}

/** A tree of forty files and one that clashes with a directory at the target. */
async function afterFailedCp({ fs, root }: Parameters<Check>[0]): Promise<string[]> {
  const files = Array.from({ length: 40 }, (_, i) => ({ path: `${root}/src/f${i}`, content: "" }));
  await fs.writeMany([...files, { path: `${root}/src/z`, content: "" }, { path: `${root}/dst/z`, type: "dir" }]);
  await fails(fs.cp(`${root}/src`, `${root}/dst`, { recursive: true }), { code: "ERR_FS_CP_NON_DIR_TO_DIR" });
  await fs.rm(`${root}/src`, { recursive: true });
  return shape(fs, root);
}
