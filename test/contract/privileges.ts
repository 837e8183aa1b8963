/**
 * Mode bits are recorded and not enforced, as for root on Linux: only X_OK on a file without an x bit can fail. On `node:fs`
 * this holds for root alone, so the runner there leaves it out, and says so, for anybody else.
 */
import { describe, expect } from "vitest";
import { fails, type Make, testsOn } from "./subject.ts";

export function privilegesContract(make: Make): void {
  const it = testsOn(make);

  describe("mode bits", () => {
    it("access passes for reading and writing whatever the mode", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "", { mode: 0o000 });
      await fs.mkdir(`${root}/d`, { mode: 0o000 });
      for (const path of [`${root}/f`, `${root}/d`]) expect(await fs.access(path, 4 | 2)).toBeUndefined();
    });

    it("access with X_OK needs one x bit on a file and none on a directory", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.mkdir(`${root}/d`, { mode: 0o600 });
      await fails(fs.access(`${root}/f`, 1), { code: "EACCES", syscall: "access", path: `${root}/f` });
      for (const bit of [0o100, 0o010, 0o001]) {
        await fs.chmod(`${root}/f`, 0o600 | bit);
        expect(await fs.access(`${root}/f`, 1)).toBeUndefined();
      }
      expect(await fs.access(`${root}/d`, 1)).toBeUndefined();
    });

    it("chmod does not stop reading, writing or listing", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/d/f`, "abc");
      await fs.chmod(`${root}/d/f`, 0o000);
      await fs.chmod(`${root}/d`, 0o000);
      await fs.appendFile(`${root}/d/f`, "d");
      expect([await fs.readFile(`${root}/d/f`, "utf8"), await fs.readdir(`${root}/d`)]).toEqual(["abcd", ["f"]]);
    });
  });
}
