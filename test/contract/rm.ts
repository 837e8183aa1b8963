/** rm, recursive and force. */
import { describe, expect } from "vitest";
import { fails, type Make, names, shape, testsOn, text } from "./subject.ts";

export function rmContract(make: Make): void {
  const it = testsOn(make);

  describe("rm", () => {
    it("rm removes a file and a link, not what the link names", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/d/x`, "x");
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      await fs.symlink("nowhere", `${root}/dangling`);
      for (const name of ["f", "ld", "dangling"]) await fs.rm(`${root}/${name}`);
      expect(await shape(fs, root)).toEqual(["d/", "d/x = x"]);
    });

    it("rm recursive does not go through links", async ({ fs, root }) => {
      await fs.mkdir(`${root}/kept`);
      await fs.writeFile(`${root}/kept/f`, "kept");
      await fs.mkdir(`${root}/d`);
      await fs.symlink("../kept", `${root}/d/l`);
      await fs.symlink("kept", `${root}/l`);
      await fs.rm(`${root}/d`, { recursive: true });
      await fs.rm(`${root}/l`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["kept/", "kept/f = kept"]);
    });

    it("rm on a directory without recursive fails with ERR_FS_EISDIR", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("d", `${root}/ld`);
      for (const options of [undefined, {}, { force: true }, { recursive: false }]) {
        for (const path of [`${root}/d`, `${root}/d/`, `${root}/ld/`]) {
          await fails(fs.rm(path, options), { code: "ERR_FS_EISDIR", syscall: "rm", path });
        }
      }
      expect(await names(fs, root)).toEqual(["d", "ld"]);
    });

    it("rm recursive removes everything below and the name can be used again", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/a/b/c`, { recursive: true });
      await fs.writeFile(`${root}/d/a/f`, "f");
      await fs.writeFile(`${root}/d/a/b/g`, "g");
      await fs.writeFile(`${root}/f`, "");
      await fs.rm(`${root}/f`, { recursive: true });
      await fs.rm(`${root}/d`, { recursive: true });
      expect(await names(fs, root)).toEqual([]);
      await fails(fs.stat(`${root}/d/a/f`), { code: "ENOENT", syscall: "stat", path: `${root}/d/a/f` });
      await fs.mkdir(`${root}/d/a`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["d/", "d/a/"]);
    });

    it("rm fails on nothing, unless forced", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "kept");
      for (const options of [undefined, { recursive: true }]) {
        await fails(fs.rm(`${root}/none`, options), { code: "ENOENT", syscall: "lstat", path: `${root}/none` });
        await fails(fs.rm(`${root}/none/x`, options), { code: "ENOENT", syscall: "lstat", path: `${root}/none/x` });
      }
      for (const options of [{ force: true }, { force: true, recursive: true }]) {
        expect(await fs.rm(`${root}/none`, options)).toBeUndefined();
        expect(await fs.rm(`${root}/none/x`, options)).toBeUndefined();
        await fails(fs.rm(`${root}/f/x`, options), { code: "ENOTDIR", syscall: "lstat", path: `${root}/f/x` });
        await fails(fs.rm(`${root}/f/`, options), { code: "ENOTDIR", syscall: "lstat", path: `${root}/f/` });
      }
      expect(await text(fs, `${root}/f`)).toBe("kept");
    });

    it("rm recursive on . fails with EINVAL and removes nothing", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fails(fs.rm(`${root}/d/.`, { recursive: true }), { code: "EINVAL", syscall: "rmdir", path: `${root}/d/.` });
      expect(await shape(fs, root)).toEqual(["d/", "d/e/"]);
    });

    it("rm recursive removes hundreds of files and what is beside them stays", async ({ fs, root }) => {
      const entries = Array.from({ length: 600 }, (_, i) => ({
        path: `${root}/d/${i % 10}/${i % 20}/${i}`,
        content: `${i}`,
      }));
      await fs.writeMany([...entries, { path: `${root}/dd`, content: "beside" }]);
      await fs.rm(`${root}/d`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["dd = beside"]);
      for (const { path } of entries.slice(0, 5)) expect(await fs.exists(path)).toBe(false);
    });

    it("rm recursive and writes into the same directory end in one of the two orders", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      const outcomes = await Promise.allSettled([
        fs.rm(`${root}/d`, { recursive: true, force: true }),
        fs.writeFile(`${root}/d/f`, "f"),
        fs.mkdir(`${root}/d/e`, { recursive: true }),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(["ENOENT", "ENOTEMPTY", "ENOTDIR"]).toContain(outcome.reason.code);
      }
      for (const line of await shape(fs, root)) expect(["d/", "d/e/", "d/f = f", "d/f = "]).toContain(line);
    });
  });
}
