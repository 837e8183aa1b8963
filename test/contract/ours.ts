/**
 * What `FileSystem` promises beyond `node:fs`: versions, `ifVersion` on every mutation, the log with actor and call, bulk writes
 * that are all or nothing, streams that are a snapshot, and the exact form of `tree`, `find` and `du`. Runs on SQLite and over RPC.
 */
import type { Change, FileSystem, IfVersion, Version } from "@workspace/vfs";
import { describe, expect, it as vitestIt } from "vitest";
import { expectBytes, fails, names, pattern, type Subject, shape, text, tick, utf8 } from "./subject.ts";

export interface OurSubject extends Subject {
  /** The same file system in somebody's name. */
  as(identity: { actor?: string; callId?: string }): FileSystem;
}

export function oursContract(make: () => Promise<OurSubject>): void {
  const it = (title: string, check: (subject: OurSubject) => Promise<void>) =>
    vitestIt(title, async () => {
      const subject = await make();
      const body = async () => {
        await check(subject);
        await subject.after?.();
      };
      await (subject.inside ? subject.inside(body) : body());
    });

  describe("version", () => {
    it("version changes with content and metadata, contentVersion with content only", async ({ fs, root }) => {
      const path = `${root}/f`;
      await fs.writeFile(path, "abc");
      const moves = async (operation: () => Promise<unknown>, at = path) => {
        const before = await fs.stat(path);
        await operation();
        const after = await fs.stat(at);
        return [before.version !== after.version, before.contentVersion !== after.contentVersion];
      };
      expect(await moves(() => fs.writeFile(path, "abcd"))).toEqual([true, true]);
      expect(await moves(() => fs.appendFile(path, "e"))).toEqual([true, true]);
      expect(await moves(() => fs.truncate(path, 2))).toEqual([true, true]);
      expect(await moves(() => fs.truncate(path, 20))).toEqual([true, true]);
      expect(await moves(() => fs.writeMany([{ path, content: "bulk" }]))).toEqual([true, true]);
      expect(await moves(() => fs.chmod(path, 0o600))).toEqual([true, false]);
      expect(await moves(() => fs.utimes(path, 1, 1))).toEqual([true, false]);
      expect(await moves(() => fs.link(path, `${root}/h`))).toEqual([true, false]);
      expect(await moves(() => fs.unlink(`${root}/h`))).toEqual([true, false]);
      expect(await moves(() => fs.readFile(path))).toEqual([false, false]);
      expect(await moves(() => fs.writeFile(`${root}/other`, ""))).toEqual([false, false]);
      expect(await moves(() => fs.writeFile(path, "", { flag: "wx" }).catch(() => {}))).toEqual([false, false]);
      expect((await moves(() => fs.rename(path, `${root}/g`), `${root}/g`))[1]).toBe(false);
    });

    it("version from writeFile, appendFile, read, scan, find and writeMany is stat's", async ({ fs, root }) => {
      const path = `${root}/f`;
      const versions = [(await fs.writeFile(path, "abc")).version, (await fs.stat(path)).version];
      versions.push((await fs.read(path)).version, (await fs.read(path)).stat.version);
      versions.push((await fs.scan(root))[0]!.stat.version, (await fs.find(path))[0]!.version);
      expect(new Set(versions).size).toBe(1);
      expect((await fs.appendFile(path, "d")).version).toBe((await fs.stat(path)).version);
      const { versions: bulk } = await fs.writeMany([
        { path, content: "x" },
        { path: `${root}/d`, type: "dir" },
        { path: `${root}/none`, type: "remove" },
      ]);
      expect(bulk).toEqual([(await fs.stat(path)).version, (await fs.stat(`${root}/d`)).version, null]);
    });

    it("version of a handle's file moves once, at sync", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const { version } = await fs.stat(`${root}/f`);
      await using file = await fs.open(`${root}/f`, "r+");
      await file.write(utf8("x"));
      await file.write(utf8("y"));
      expect((await fs.stat(`${root}/f`)).version).toBe(version);
      await file.sync();
      const synced = (await fs.stat(`${root}/f`)).version;
      expect(synced).not.toBe(version);
      await file.close();
      expect((await fs.stat(`${root}/f`)).version).toBe(synced);
    });
  });

  describe("ifVersion", () => {
    /** Every mutation of one path that exists. */
    const onExisting: Record<string, (fs: FileSystem, root: string, options: IfVersion) => Promise<unknown>> = {
      writeFile: (fs, root, options) => fs.writeFile(`${root}/f`, "new", options),
      "writeFile of a stream": (fs, root, options) => fs.writeFile(`${root}/f`, parts("new"), options),
      appendFile: (fs, root, options) => fs.appendFile(`${root}/f`, "new", options),
      truncate: (fs, root, options) => fs.truncate(`${root}/f`, 1, options),
      chmod: (fs, root, options) => fs.chmod(`${root}/f`, 0o600, options),
      utimes: (fs, root, options) => fs.utimes(`${root}/f`, 1, 1, options),
      lutimes: (fs, root, options) => fs.lutimes(`${root}/f`, 1, 1, options),
      unlink: (fs, root, options) => fs.unlink(`${root}/f`, options),
      rm: (fs, root, options) => fs.rm(`${root}/f`, options),
      "rename's source": (fs, root, options) => fs.rename(`${root}/f`, `${root}/new`, options),
      "link's source": (fs, root, options) => fs.link(`${root}/f`, `${root}/new`, options),
      "copyFile's source": (fs, root, options) => fs.copyFile(`${root}/f`, `${root}/new`, options),
      "open's file": async (fs, root, options) => {
        await using file = await fs.open(`${root}/f`, "r+", undefined, options);
        await file.write(utf8("new"));
      },
      "cp's source": (fs, root, options) => fs.cp(`${root}/f`, `${root}/new`, options),
      "cp's target": (fs, root, { ifVersion }) => fs.cp(`${root}/g`, `${root}/f`, { ifTargetVersion: ifVersion }),
      "rename's target": (fs, root, { ifVersion }) =>
        fs.rename(`${root}/g`, `${root}/f`, { ifTargetVersion: ifVersion }),
      "copyFile's target": (fs, root, { ifVersion }) =>
        fs.copyFile(`${root}/g`, `${root}/f`, { ifTargetVersion: ifVersion }),
      "writeMany's file": (fs, root, options) => fs.writeMany([{ path: `${root}/f`, content: "new", ...options }]),
      "writeMany's removal": (fs, root, options) => fs.writeMany([{ path: `${root}/f`, type: "remove", ...options }]),
    };
    for (const [name, mutate] of Object.entries(onExisting)) {
      it(`ifVersion on ${name} lets the present version pass and fails on any other with ESTALE`, async ({
        fs,
        root,
      }) => {
        await fs.writeFile(`${root}/f`, "older");
        const older = (await fs.stat(`${root}/f`)).version;
        await fs.writeFile(`${root}/f`, "abc");
        await fs.writeFile(`${root}/g`, "g");
        const other = (await fs.stat(`${root}/g`)).version;
        const [before, present, cursor] = [await shape(fs, root), (await fs.stat(`${root}/f`)).version, await head(fs)];
        for (const ifVersion of [older, other, null] as (Version | null)[])
          await fails(mutate(fs, root, { ifVersion }), { code: "ESTALE" });
        expect([await shape(fs, root), (await fs.stat(`${root}/f`)).version, await head(fs)]).toEqual([
          before,
          present,
          cursor,
        ]);
        await mutate(fs, root, { ifVersion: present });
        expect(await head(fs)).not.toBe(cursor);
      });
    }

    it("ifVersion at open guards every commit of the handle", async ({ fs, root }) => {
      const { version } = await fs.writeFile(`${root}/f`, "abc");
      const file = await fs.open(`${root}/f`, "r+", undefined, { ifVersion: version });
      await file.write(utf8("x"), 0, 1, 0);
      await file.sync();
      await file.write(utf8("y"), 0, 1, 1);
      await fs.writeFile(`${root}/f`, "theirs");
      await fails(file.close(), { code: "ESTALE" });
      expect(await text(fs, `${root}/f`)).toBe("theirs");
    });

    it("glob takes absolute patterns, and answers them with absolute paths", async ({ fs, root }) => {
      await fs.writeMany(["a/x.ts", "a/y.js", "z.ts"].map((name) => ({ path: `${root}/${name}`, content: "" })));
      expect(await fs.glob(`${root}/**/*.ts`)).toEqual([`${root}/a/x.ts`, `${root}/z.ts`]);
      expect(await fs.glob([`${root}/z.ts`, "a/*.js"], { cwd: root })).toEqual([`${root}/z.ts`, "a/y.js"]);
    });

    it("scan gives pages in byte order", async ({ fs, root }) => {
      await fs.writeMany(["b", "a", "é", "😀", "c"].map((name) => ({ path: `${root}/${name}`, content: name })));
      const first = await fs.scan(root, { limit: 2 });
      const rest = await fs.scan(root, { after: "b" });
      expect([first.map(({ name }) => name), rest.map(({ name }) => name)]).toEqual([
        ["a", "b"],
        ["c", "é", "😀"],
      ]);
      expect(await fs.scan(root, { after: "😀", limit: 5 })).toEqual([]);
      await fails(fs.scan(root, { limit: 0 }), { code: "EINVAL" });
    });

    /** Every mutation that makes a path. */
    const onNothing: Record<string, (fs: FileSystem, root: string, options: IfVersion) => Promise<unknown>> = {
      writeFile: (fs, root, options) => fs.writeFile(`${root}/new`, "new", options),
      appendFile: (fs, root, options) => fs.appendFile(`${root}/new`, "new", options),
      mkdir: (fs, root, options) => fs.mkdir(`${root}/new`, options),
      symlink: (fs, root, options) => fs.symlink("x", `${root}/new`, options),
      "rename's target": (fs, root, { ifVersion }) =>
        fs.rename(`${root}/g`, `${root}/new`, { ifTargetVersion: ifVersion }),
      "link's target": (fs, root, { ifVersion }) => fs.link(`${root}/g`, `${root}/new`, { ifTargetVersion: ifVersion }),
      "copyFile's target": (fs, root, { ifVersion }) =>
        fs.copyFile(`${root}/g`, `${root}/new`, { ifTargetVersion: ifVersion }),
      "writeMany's file": (fs, root, options) => fs.writeMany([{ path: `${root}/new`, content: "new", ...options }]),
      "writeMany's directory": (fs, root, options) => fs.writeMany([{ path: `${root}/new`, type: "dir", ...options }]),
      "writeMany's link": (fs, root, options) =>
        fs.writeMany([{ path: `${root}/new`, type: "symlink", target: "x", ...options }]),
    };
    for (const [name, mutate] of Object.entries(onNothing)) {
      it(`ifVersion null on ${name} passes where nothing is, and a version does not`, async ({ fs, root }) => {
        await fs.writeFile(`${root}/g`, "g");
        const { version } = await fs.stat(`${root}/g`);
        await fails(mutate(fs, root, { ifVersion: version }), { code: "ESTALE" });
        expect(await names(fs, root)).toEqual(["g"]);
        await mutate(fs, root, { ifVersion: null });
        expect((await fs.lstat(`${root}/new`)).version).toBeTypeOf("string");
      });
    }

    it("ifVersion on rmdir and rm of a directory is the directory's own", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      const { version } = await fs.stat(`${root}/d`);
      await fs.chmod(`${root}/d`, 0o700);
      await fails(fs.rmdir(`${root}/d`, { ifVersion: version }), { code: "ESTALE" });
      await fails(fs.rm(`${root}/d`, { recursive: true, ifVersion: version }), { code: "ESTALE" });
      await fs.rmdir(`${root}/d`, { ifVersion: (await fs.stat(`${root}/d`)).version });
      expect(await names(fs, root)).toEqual([]);
    });

    it("ifVersion is checked when the stream has ended, not when it began", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const { version } = await fs.stat(`${root}/f`);
      async function* slow() {
        yield utf8("new");
        await fs.writeFile(`${root}/f`, "meanwhile");
      }
      await fails(fs.writeFile(`${root}/f`, slow(), { ifVersion: version }), { code: "ESTALE" });
      expect(await text(fs, `${root}/f`)).toBe("meanwhile");
    });

    it("ifVersion lets one of two writers through", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const { version } = await fs.stat(`${root}/f`);
      const outcomes = await Promise.allSettled(
        ["one", "two", "three"].map((content) => fs.writeFile(`${root}/f`, content, { ifVersion: version })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
    });

    it("ifVersion that is no version at all fails and changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const error = await fs.writeFile(`${root}/f`, "new", { ifVersion: "nonsense" }).catch((reason) => reason);
      expect(["ESTALE", "EINVAL"]).toContain(error.code);
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });
  });

  describe("changes", () => {
    it("changes tells each mutation once, in order, with type and paths", async ({ fs, root }) => {
      const since = await head(fs);
      await fs.writeFile(`${root}/f`, "abc");
      await fs.writeFile(`${root}/f`, "abcd");
      await fs.chmod(`${root}/f`, 0o600);
      await fs.mkdir(`${root}/d`);
      await fs.rename(`${root}/f`, `${root}/d/g`);
      await fs.symlink("g", `${root}/d/l`);
      await fs.link(`${root}/d/g`, `${root}/h`);
      await fs.rm(`${root}/d`, { recursive: true });
      const { changes } = await fs.changes({ since });
      expect(changes.map((change) => told(change, root))).toEqual([
        "create file f",
        "write file f",
        "attr file f",
        "create dir d",
        "rename file d/g from f",
        "create symlink d/l",
        "link file h",
        "remove dir d",
      ]);
      expect(changes.every(({ timeMs }) => Math.abs(timeMs - Date.now()) < 60_000)).toBe(true);
    });

    it("changes says nothing of what failed and of what changed nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const since = await head(fs);
      await fs.writeFile(`${root}/f`, "", { flag: "wx" }).catch(() => {});
      await fs.rm(`${root}/none`, { force: true });
      await fs.mkdir(root, { recursive: true });
      await fs.rename(`${root}/f`, `${root}/f`);
      await fs.readFile(`${root}/f`);
      await fs.writeMany([]);
      expect((await fs.changes({ since })).changes).toEqual([]);
      expect(await head(fs)).toBe(since);
    });

    it("changes goes on from any cursor, page by page", async ({ fs, root }) => {
      const since = await head(fs);
      for (let i = 0; i < 25; i++) await fs.writeFile(`${root}/${i}`, "");
      const whole = await fs.changes({ since });
      expect([whole.changes.length, whole.more]).toEqual([25, false]);
      const paged: Change[] = [];
      let cursor = since;
      for (let more = true; more; ) {
        const page = await fs.changes({ since: cursor, limit: 7 });
        expect(page.changes.length).toBeLessThanOrEqual(7);
        paged.push(...page.changes);
        ({ cursor, more } = page);
      }
      expect(paged).toEqual(whole.changes);
      const middle = whole.changes[11]!;
      expect((await fs.changes({ since: middle.cursor })).changes).toEqual(whole.changes.slice(12));
      expect((await fs.changes({ since: cursor })).changes).toEqual([]);
    });

    it("changes from the beginning tells all there is", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      const { changes, more } = await fs.changes();
      expect([changes.at(-1)?.path, more]).toEqual([`${root}/f`, false]);
      expect(changes.some(({ path, op }) => path === root && op === "create")).toBe(true);
    });

    it("changes under a path leaves out the rest, and keeps renames in and out", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      const since = await head(fs);
      await fs.writeFile(`${root}/d/x`, "");
      await fs.writeFile(`${root}/dd`, "");
      await fs.rename(`${root}/f`, `${root}/d/f`);
      await fs.rename(`${root}/d/x`, `${root}/x`);
      await fs.writeFile(`${root}/x`, "outside");
      const { changes } = await fs.changes({ since, path: `${root}/d` });
      expect(changes.map((change) => told(change, root))).toEqual([
        "create file d/x",
        "rename file d/f from f",
        "rename file x from d/x",
      ]);
    });

    it("changes of one call share a group, and of two calls do not", async ({ fs, root }) => {
      const since = await head(fs);
      await fs.writeMany([
        { path: `${root}/a/b/f`, content: "" },
        { path: `${root}/g`, content: "" },
      ]);
      await fs.mkdir(`${root}/x/y/z`, { recursive: true });
      const { changes } = await fs.changes({ since });
      expect(changes.map((change) => told(change, root))).toEqual([
        ...["create dir a", "create dir a/b", "create file a/b/f", "create file g"],
        ...["create dir x", "create dir x/y", "create dir x/y/z"],
      ]);
      const groups = changes.map(({ group }) => group);
      expect([new Set(groups.slice(0, 4)).size, new Set(groups.slice(4)).size, new Set(groups).size]).toEqual([
        1, 1, 2,
      ]);
    });

    it("changes names who did it and by which call", async ({ fs, root, as }) => {
      const since = await head(fs);
      const agent = as({ actor: "agent", callId: "call-7" });
      await agent.writeFile(`${root}/f`, "by the agent");
      await agent.rename(`${root}/f`, `${root}/g`);
      await using file = await agent.open(`${root}/g`, "a");
      await file.write(utf8("more"));
      await file.close();
      await fs.chmod(`${root}/g`, 0o600);
      const { changes } = await fs.changes({ since });
      expect(changes.map(({ op, actor, callId }) => [op, actor, callId])).toEqual([
        ["create", "agent", "call-7"],
        ["rename", "agent", "call-7"],
        ["write", "agent", "call-7"],
        ["attr", undefined, undefined],
      ]);
    });

    it("changes since what this workspace never had is EGONE, and since no cursor at all EINVAL", async ({
      fs,
      root,
    }) => {
      await fs.writeFile(`${root}/f`, "");
      const cursor = await head(fs);
      const foreign = cursor.replace(/^./, (first) => (first === "0" ? "1" : "0"));
      await fails(fs.changes({ since: foreign }), { code: "EGONE" });
      await fails(fs.changes({ since: `${cursor}zz` }), { code: "EGONE" });
      await fails(fs.changes({ since: "nonsense" }), { code: "EINVAL" });
      await fails(fs.changes({ limit: 0 }), { code: "EINVAL" });
    });
  });

  describe("writeMany", () => {
    it("writeMany with one bad entry changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "kept");
      await fs.mkdir(`${root}/d`);
      const since = await head(fs);
      const good = [
        { path: `${root}/new`, content: "new" },
        { path: `${root}/f`, content: "changed" },
        { path: `${root}/d`, type: "remove" as const },
      ];
      const bad = [
        { path: `${root}/f/x`, content: "", code: "ENOTDIR" },
        { path: `${root}/${"n".repeat(256)}`, content: "", code: "ENAMETOOLONG" },
        { path: "relative", content: "", code: "EINVAL" },
        { path: "", content: "", code: "ENOENT" },
        { path: root, content: "", code: "EISDIR" },
        { path: `${root}/f`, content: "", ifVersion: null, code: "ESTALE" },
        { path: `${root}/l`, type: "symlink" as const, target: "", code: "ENOENT" },
      ];
      for (const { code, ...entry } of bad) {
        await fails(fs.writeMany([...good, entry]), { code });
        await fails(fs.writeMany([entry, ...good]), { code });
      }
      expect([await shape(fs, root), await head(fs)]).toEqual([["d/", "f = kept"], since]);
    });

    it("writeMany applies entries in order, the last word on a path winning", async ({ fs, root }) => {
      await fs.writeMany([
        { path: `${root}/a`, content: "first" },
        { path: `${root}/a`, content: "second" },
        { path: `${root}/b/c`, content: "gone" },
        { path: `${root}/b`, type: "remove" },
        { path: `${root}/b`, content: "a file now" },
        { path: `${root}/l`, type: "symlink", target: "a" },
        { path: `${root}/l`, type: "symlink", target: "b" },
      ]);
      expect(await shape(fs, root)).toEqual(["a = second", "b = a file now", "l -> b"]);
    });

    it("writeMany writes a thousand files, large ones among them", async ({ fs, root }) => {
      const entries = Array.from({ length: 1000 }, (_, i) => ({
        path: `${root}/${i % 13}/${i}`,
        content: pattern(i % 100 === 0 ? 1_200_000 : i, i),
      }));
      await fs.writeMany(entries);
      for (const i of [0, 1, 99, 100, 500, 999]) expectBytes(await fs.readFile(entries[i]!.path), entries[i]!.content);
      expect((await fs.du(root)).files).toBe(1000);
    });
  });

  describe("snapshots", () => {
    it("readStream gives the file as it was when it was opened", async ({ fs, root }) => {
      const size = 3_000_000;
      for (const change of [
        () => fs.writeFile(`${root}/f`, "replaced"),
        () => fs.truncate(`${root}/f`, 10),
        () => fs.appendFile(`${root}/f`, pattern(100_000, 9)),
        () => fs.writeFile(`${root}/f`, pattern(size, 5), { flag: "r+" }),
        () => fs.rm(`${root}/f`),
      ]) {
        await fs.writeFile(`${root}/f`, pattern(size));
        const reader = (await fs.readStream(`${root}/f`)).getReader();
        const first = await reader.read();
        await change();
        const whole = new Uint8Array(size);
        let at = 0;
        for (let part = first; !part.done; part = await reader.read()) {
          whole.set(part.value, at);
          at += part.value.length;
        }
        expect(at).toBe(size);
        expectBytes(whole, pattern(size));
      }
    });

    it("opendir lists what was there throughout, whatever comes and goes meanwhile", async ({ fs, root }) => {
      const kept = Array.from({ length: 1500 }, (_, i) => `k${String(i).padStart(4, "0")}`);
      await fs.writeMany(kept.map((name) => ({ path: `${root}/d/${name}`, content: "" })));
      await fs.writeFile(`${root}/d/a-going`, "");
      const seen: string[] = [];
      for await (const { name } of await fs.opendir(`${root}/d`)) {
        seen.push(name);
        if (seen.length === 3) {
          await fs.rm(`${root}/d/a-going`);
          await fs.writeFile(`${root}/d/b-coming`, "");
        }
      }
      expect(seen.filter((name) => name.startsWith("k"))).toEqual(kept);
    });
  });

  describe("cp", () => {
    it("cp into a directory above copies the tree as it was before", async ({ fs, root }) => {
      await fs.writeMany([
        { path: `${root}/b/a/a/g`, content: "deep" },
        { path: `${root}/b/a/g`, content: "shallow" },
      ]);
      await fs.cp(`${root}/b/a`, `${root}/b`, { recursive: true });
      expect(await shape(fs, root)).toEqual([
        "b/",
        "b/a/",
        "b/a/a/",
        "b/a/a/g = deep",
        "b/a/g = deep",
        "b/g = shallow",
      ]);
    });
  });

  describe("tree, find, du", () => {
    const furnish = (fs: FileSystem, root: string) =>
      fs.writeMany([
        { path: `${root}/a.txt`, content: "12345", mtime: 1000 },
        { path: `${root}/d/b.txt`, content: "", mtime: 2000 },
        { path: `${root}/d/e/c.txt`, content: "x", mtime: 3000 },
        { path: `${root}/d/e/deep/f`, content: "x", mtime: 4000 },
        { path: `${root}/l`, type: "symlink", target: "d/e" },
      ]);

    it("tree indents, sorts, shows sizes and targets, and stops at the depth", async ({ fs, root }) => {
      await furnish(fs, root);
      expect(await fs.tree(root)).toEqual({
        text: [`${root}/`, "  a.txt (5)", "  d/", "    b.txt (0)", "    e/", "  l -> d/e", ""].join("\n"),
        files: 3,
        directories: 2,
        truncated: false,
      });
      expect((await fs.tree(root, { depth: 1 })).text).toBe(
        [`${root}/`, "  a.txt (5)", "  d/", "  l -> d/e", ""].join("\n"),
      );
    });

    it("tree says when it was cut", async ({ fs, root }) => {
      await furnish(fs, root);
      const { text: cut, truncated } = await fs.tree(root, { depth: 9, limit: 3 });
      expect([truncated, cut.trimEnd().split("\n").length]).toEqual([true, 4]);
    });

    it("tree fails on a file and on nothing", async ({ fs, root }) => {
      await furnish(fs, root);
      await fails(fs.tree(`${root}/a.txt`), { code: "ENOTDIR" });
      await fails(fs.tree(`${root}/none`), { code: "ENOENT" });
    });

    it("find is sorted as a walk goes, the start first, and does not follow links", async ({ fs, root }) => {
      await furnish(fs, root);
      const found = (await fs.find(root)).map(({ path }) => path.slice(root.length));
      expect(found).toEqual(["", "/a.txt", "/d", "/d/b.txt", "/d/e", "/d/e/c.txt", "/d/e/deep", "/d/e/deep/f", "/l"]);
    });

    it("find tells by time and depth, and fails rather than cut", async ({ fs, root }) => {
      await furnish(fs, root);
      const paths = async (options: Parameters<FileSystem["find"]>[1]) =>
        (await fs.find(root, options)).map(({ path }) => path.slice(root.length + 1));
      expect(await paths({ type: "file", newer: 2000 })).toEqual(["d/e/c.txt", "d/e/deep/f"]);
      expect(await paths({ type: "file", older: new Date(2_000_000) })).toEqual(["a.txt"]);
      expect(await paths({ minDepth: 2, maxDepth: 2 })).toEqual(["d/b.txt", "d/e"]);
      expect(await paths({ maxDepth: 0 })).toEqual([""]);
      await fails(fs.find(root, { limit: 3 }), { code: "EFBIG", syscall: "find" });
    });

    it("du counts a file of two names once, and the start too", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.link(`${root}/a.txt`, `${root}/d/again`);
      expect(await fs.du(root)).toEqual({ bytes: 7, files: 4, directories: 4, symlinks: 1 });
      expect(await fs.du(`${root}/a.txt`)).toEqual({ bytes: 5, files: 1, directories: 0, symlinks: 0 });
    });
  });

  describe("watch", () => {
    it("watch from a cursor tells what happened since, then what happens", async ({ fs, root }) => {
      const since = await head(fs);
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/d/before`, "");
      const seen: string[] = [];
      const watching = (async () => {
        for await (const { eventType, filename, change } of fs.watch(root, { recursive: true, since })) {
          seen.push(`${eventType} ${filename} ${change.op}`);
          if (filename === "d/after" && eventType === "change") break;
        }
      })();
      await tick(30);
      await fs.writeFile(`${root}/d/after`, "");
      await fs.writeFile(`${root}/d/after`, "again");
      await watching;
      expect(seen).toEqual([
        "rename d create",
        "rename d/before create",
        "rename d/after create",
        "change d/after write",
      ]);
    });
  });

  describe("depth", () => {
    it("rm recursive removes ten thousand levels, built by moving trees under one another", async ({ fs, root }) => {
      const block = "a/".repeat(199);
      await fs.mkdir(`${root}/0/${block}`, { recursive: true });
      for (let i = 1; i < 50; i++) {
        await fs.mkdir(`${root}/${i}/${block}`, { recursive: true });
        await fs.rename(`${root}/${i - 1}`, `${root}/${i}/${block}in`);
      }
      const { directories } = await fs.du(`${root}/49`);
      expect(directories).toBe(10_000);
      await fs.rm(`${root}/49`, { recursive: true });
      expect(await names(fs, root)).toEqual([]);
    });
  });

  describe("the root", () => {
    it("the root cannot be removed or moved", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "kept");
      await fails(fs.rm("/", { recursive: true, force: true }), { code: "EBUSY" });
      await fails(fs.rm("/workspace", { recursive: true, force: true }), { code: "EBUSY" });
      await fails(fs.rmdir("/workspace"), { code: "EBUSY" });
      await fails(fs.rename("/workspace", `${root}/w`), { code: "EBUSY" });
      await fails(fs.rename("/", `${root}/w`), { code: "EBUSY", syscall: "rename", path: "/", dest: `${root}/w` });
      await fails(fs.rename(root, "/"), { code: "EBUSY", syscall: "rename", path: root, dest: "/" });
      await fails(fs.writeMany([{ path: "/", type: "remove" }]), { code: "EBUSY" });
      expect(await text(fs, `${root}/f`)).toBe("kept");
      expect(await names(fs, "/workspace")).toEqual([]);
    });
  });
}

async function* parts(...texts: string[]) {
  for (const part of texts) yield utf8(part);
}

/** The cursor of the last change. */
async function head(fs: FileSystem): Promise<Version> {
  let page = await fs.changes();
  while (page.more) page = await fs.changes({ since: page.cursor });
  return page.cursor;
}

function told({ op, type, path, from }: Change, root: string): string {
  const below = (at: string) => at.slice(root.length + 1);
  return `${op} ${type} ${below(path)}${from === undefined ? "" : ` from ${below(from)}`}`;
}
