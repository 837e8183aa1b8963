/** Versions: what moves them, and `ifVersion` on every mutation. */
import type { FileSystem, Version, VersionGuard } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { head, type MakeOurs, ourTestsOn } from "./extension-subject.ts";
import { fails, names, shape, text, utf8 } from "./subject.ts";

export function versionsContract(make: MakeOurs): void {
  const it = ourTestsOn(make);

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
    const onExisting: Record<string, (fs: FileSystem, root: string, options: VersionGuard) => Promise<unknown>> = {
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

    /** Every mutation that makes a path. */
    const onNothing: Record<string, (fs: FileSystem, root: string, options: VersionGuard) => Promise<unknown>> = {
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
}

async function* parts(...texts: string[]) {
  for (const part of texts) yield utf8(part);
}
