/** chmod, utimes, lutimes, and which operation moves which time. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { bitsOf, fails, type Make, testsOn, tick } from "./subject.ts";

const OLD = 1_000_000;

export function attributesContract(make: Make): void {
  const it = testsOn(make);

  describe("chmod", () => {
    it("chmod sets all twelve bits, without a umask", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.mkdir(`${root}/d`);
      for (const mode of [0o777, 0o000, 0o640, 0o7777, 0o1777, 0o4711]) {
        await fs.chmod(`${root}/f`, mode);
        await fs.chmod(`${root}/d`, mode);
        const [f, d] = [await fs.stat(`${root}/f`), await fs.stat(`${root}/d`)];
        expect([f.mode, d.mode]).toEqual([0o100000 | mode, 0o40000 | mode]);
      }
    });

    it("chmod keeps the type whatever type bits it is given", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.chmod(`${root}/f`, 0o40700);
      expect((await fs.stat(`${root}/f`)).mode).toBe(0o100700);
    });

    it("chmod follows links", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("f", `${root}/l`);
      await fs.chmod(`${root}/l`, 0o600);
      expect(bitsOf((await fs.stat(`${root}/f`)).mode)).toBe(0o600);
      expect((await fs.lstat(`${root}/l`)).mode).toBe(0o120777);
    });
  });

  describe("utimes and lutimes", () => {
    it("utimes takes seconds, a Date and a numeric string", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      const mtime = async () => (await fs.stat(`${root}/f`)).mtimeMs;
      await fs.utimes(`${root}/f`, 1, 1_700_000_000);
      expect(await mtime()).toBe(1_700_000_000_000);
      await fs.utimes(`${root}/f`, 1, 1_700_000_000.25);
      expect(await mtime()).toBe(1_700_000_000_250);
      await fs.utimes(`${root}/f`, 1, new Date("2020-01-02T03:04:05.678Z"));
      expect(await mtime()).toBe(Date.UTC(2020, 0, 2, 3, 4, 5, 678));
      await fs.utimes(`${root}/f`, "1", "1500000000");
      expect(await mtime()).toBe(1_500_000_000_000);
      await fs.utimes(`${root}/f`, 0, 0);
      expect(await mtime()).toBe(0);
      expect((await fs.stat(`${root}/f`)).mtime.getTime()).toBe(0);
    });

    it("utimes takes times before 1970 and far ahead", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.utimes(`${root}/f`, new Date(-5000), new Date(-5000));
      expect((await fs.stat(`${root}/f`)).mtimeMs).toBe(-5000);
      await fs.utimes(`${root}/f`, "-1", "-1");
      expect((await fs.stat(`${root}/f`)).mtimeMs).toBe(-1000);
      await fs.utimes(`${root}/f`, 4_000_000_000, 4_000_000_000);
      expect((await fs.stat(`${root}/f`)).mtimeMs).toBe(4_000_000_000_000);
    });

    it("utimes takes a negative number as now", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.utimes(`${root}/f`, OLD, OLD);
      await fs.utimes(`${root}/f`, -1, -1);
      expect(Math.abs((await fs.stat(`${root}/f`)).mtimeMs - Date.now())).toBeLessThan(60_000);
    });

    it("utimes keeps microseconds", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.utimes(`${root}/f`, 1, 1_700_000_000.123456);
      expect(Math.abs((await fs.stat(`${root}/f`)).mtimeMs - 1_700_000_000_123.456)).toBeLessThan(0.002);
    });

    it("utimes works on directories and follows links; lutimes sets the link's own", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("d", `${root}/l`);
      await fs.utimes(`${root}/l`, OLD, OLD);
      await fs.lutimes(`${root}/l`, 5, 7);
      expect((await fs.stat(`${root}/d`)).mtimeMs).toBe(OLD * 1000);
      expect((await fs.lstat(`${root}/l`)).mtimeMs).toBe(7000);
      await fs.lutimes(`${root}/d`, 8, 9);
      expect((await fs.stat(`${root}/d`)).mtimeMs).toBe(9000);
    });

    it("utimes moves ctime to now", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      const before = (await fs.stat(`${root}/f`)).ctimeMs;
      await tick();
      await fs.utimes(`${root}/f`, OLD, OLD);
      expect((await fs.stat(`${root}/f`)).ctimeMs).toBeGreaterThan(before);
    });

    it("utimes and lutimes fail on nothing", async ({ fs, root }) => {
      await fs.symlink("nowhere", `${root}/l`);
      await fails(fs.utimes(`${root}/none`, 1, 1), { code: "ENOENT", syscall: "utime", path: `${root}/none` });
      await fails(fs.utimes(`${root}/l`, 1, 1), { code: "ENOENT", syscall: "utime", path: `${root}/l` });
      await fails(fs.lutimes(`${root}/none`, 1, 1), { code: "ENOENT", syscall: "lutime", path: `${root}/none` });
      await fs.lutimes(`${root}/l`, 1, 1);
      expect((await fs.lstat(`${root}/l`)).mtimeMs).toBe(1000);
    });
  });

  describe("times", () => {
    /** What each operation moves, of the directory it works in and of the entry itself. */
    const parentMoves: Record<string, (fs: FileSystem, d: string) => Promise<unknown>> = {
      "writeFile of a new file": (fs, d) => fs.writeFile(`${d}/new`, ""),
      "open with w of a new file": async (fs, d) => (await fs.open(`${d}/new`, "w")).close(),
      "appendFile of a new file": (fs, d) => fs.appendFile(`${d}/new`, ""),
      mkdir: (fs, d) => fs.mkdir(`${d}/new`),
      "mkdir recursive": (fs, d) => fs.mkdir(`${d}/new/deep`, { recursive: true }),
      mkdtemp: (fs, d) => fs.mkdtemp(`${d}/new`),
      symlink: (fs, d) => fs.symlink("x", `${d}/new`),
      link: (fs, d) => fs.link(`${d}/f`, `${d}/new`),
      copyFile: (fs, d) => fs.copyFile(`${d}/f`, `${d}/new`),
      "cp of a file": (fs, d) => fs.cp(`${d}/f`, `${d}/new`),
      unlink: (fs, d) => fs.unlink(`${d}/f`),
      rm: (fs, d) => fs.rm(`${d}/f`),
      "rm recursive": (fs, d) => fs.rm(`${d}/sub`, { recursive: true }),
      rmdir: (fs, d) => fs.rmdir(`${d}/sub/empty`).then(() => fs.rmdir(`${d}/sub`)),
      "rename inside": (fs, d) => fs.rename(`${d}/f`, `${d}/g`),
      "rename out": (fs, d) => fs.rename(`${d}/f`, `${d}/../g`),
      "rename in": (fs, d) => fs.rename(`${d}/../outside`, `${d}/g`),
    };
    const parentStays: Record<string, (fs: FileSystem, d: string) => Promise<unknown>> = {
      "writeFile over a file": (fs, d) => fs.writeFile(`${d}/f`, "again"),
      appendFile: (fs, d) => fs.appendFile(`${d}/f`, "more"),
      truncate: (fs, d) => fs.truncate(`${d}/f`, 0),
      chmod: (fs, d) => fs.chmod(`${d}/f`, 0o600),
      utimes: (fs, d) => fs.utimes(`${d}/f`, 1, 1),
      readFile: (fs, d) => fs.readFile(`${d}/f`),
      readdir: (fs, d) => fs.readdir(d),
      "copyFile over a file": (fs, d) => fs.copyFile(`${d}/f`, `${d}/f2`),
      "mkdir recursive of what is there": (fs, d) => fs.mkdir(`${d}/sub/empty`, { recursive: true }),
      "rm force of nothing": (fs, d) => fs.rm(`${d}/none`, { force: true }),
      "a failed rmdir": (fs, d) => fs.rmdir(`${d}/sub`).catch(() => {}),
      "a failed writeFile": (fs, d) => fs.writeFile(`${d}/f`, "", { flag: "wx" }).catch(() => {}),
      "a change in a directory below": (fs, d) => fs.writeFile(`${d}/sub/new`, ""),
    };

    const furnish = async (fs: FileSystem, root: string) => {
      const d = `${root}/d`;
      await fs.mkdir(`${d}/sub/empty`, { recursive: true });
      await fs.writeFile(`${d}/f`, "abc");
      await fs.writeFile(`${d}/f2`, "abc");
      await fs.writeFile(`${root}/outside`, "abc");
      await fs.utimes(d, OLD, OLD);
      const { ctimeMs } = await fs.stat(d);
      await tick();
      return { d, ctimeMs };
    };

    for (const [name, operation] of Object.entries(parentMoves)) {
      it(`mtime and ctime of the directory move at ${name}`, async ({ fs, root }) => {
        const { d, ctimeMs } = await furnish(fs, root);
        await operation(fs, d);
        const after = await fs.stat(d);
        expect(Math.abs(after.mtimeMs - Date.now())).toBeLessThan(60_000);
        expect(after.ctimeMs).toBeGreaterThan(ctimeMs);
      });
    }

    for (const [name, operation] of Object.entries(parentStays)) {
      it(`mtime and ctime of the directory stay at ${name}`, async ({ fs, root }) => {
        const { d, ctimeMs } = await furnish(fs, root);
        await operation(fs, d);
        const after = await fs.stat(d);
        expect([after.mtimeMs, after.ctimeMs]).toEqual([OLD * 1000, ctimeMs]);
      });
    }

    it("mtime and ctime move with content; ctime alone with mode, links and name", async ({ fs, root }) => {
      const path = `${root}/f`;
      await fs.writeFile(path, "abc");
      const moves = async (operation: () => Promise<unknown>, at = path) => {
        await fs.utimes(path, OLD, OLD);
        const before = await fs.stat(path);
        await tick();
        await operation();
        const after = await fs.stat(at);
        return [after.mtimeMs !== before.mtimeMs && "mtime", after.ctimeMs > before.ctimeMs && "ctime"]
          .filter(Boolean)
          .join("+");
      };
      expect(await moves(() => fs.writeFile(path, "abcd"))).toBe("mtime+ctime");
      expect(await moves(() => fs.writeFile(path, "abcd"))).toBe("mtime+ctime");
      expect(await moves(() => fs.appendFile(path, "e"))).toBe("mtime+ctime");
      expect(await moves(() => fs.truncate(path, 1))).toBe("mtime+ctime");
      expect(await moves(() => fs.chmod(path, 0o600))).toBe("ctime");
      expect(await moves(() => fs.link(path, `${root}/h`))).toBe("ctime");
      expect(await moves(() => fs.unlink(`${root}/h`))).toBe("ctime");
      expect(await moves(() => fs.readFile(path))).toBe("");
      expect(await moves(() => fs.stat(path))).toBe("");
      expect(await moves(() => fs.copyFile(path, `${root}/copy`))).toBe("");
      expect(await moves(() => fs.rename(path, `${root}/g`), `${root}/g`)).toBe("ctime");
    });

    it("birthtime stays when the file is written again", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const { birthtimeMs } = await fs.stat(`${root}/f`);
      await tick();
      await fs.writeFile(`${root}/f`, "abcd");
      await fs.chmod(`${root}/f`, 0o600);
      expect((await fs.stat(`${root}/f`)).birthtimeMs).toBe(birthtimeMs);
    });
  });
}
