/** Breaks each invariant on purpose: fsck reports it, and repairs what it can. */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { fsck } from "../index.ts";

async function furnish({ fs }: Inside): Promise<void> {
  await fs.mkdir("/workspace/d/sub", { recursive: true });
  await fs.writeFile("/workspace/f", "bytes");
  await fs.writeFile("/workspace/f", "other bytes");
  await fs.link("/workspace/f", "/workspace/d/g");
  await fs.writeFile("/workspace/big", new Uint8Array(3_000_000));
  await fs.copyFile("/workspace/big", "/workspace/copy");
  await fs.writeFile("/workspace/gone", "gone");
  await fs.rm("/workspace/gone");
}

const ino = (path: string) => `(SELECT ino FROM ws_dirent WHERE name = '${path}' LIMIT 1)`;

const DAMAGE: [check: string, sql: string, mended: boolean][] = [
  ["the root is a directory", "DELETE FROM ws_inode WHERE ino = 1", false],
  ["a name points at an inode", "INSERT INTO ws_dirent VALUES (1, 'stray', 999999, 1)", true],
  ["a name is in a directory", `INSERT INTO ws_dirent VALUES (${ino("f")}, 'stray', ${ino("big")}, 1)`, false],
  ["a name knows its type", "UPDATE ws_dirent SET type = 3 WHERE name = 'f'", true],
  ["a directory knows where it is", `UPDATE ws_inode SET parent = 1 WHERE ino = ${ino("sub")}`, true],
  [
    "a directory has one name, or none when removed",
    `INSERT INTO ws_dirent VALUES (1, 'twice', ${ino("sub")}, 2)`,
    false,
  ],
  ["a directory counts its sub-directories", `UPDATE ws_inode SET nlink = 7 WHERE ino = ${ino("d")}`, true],
  ["a file counts its names", `UPDATE ws_inode SET nlink = 7 WHERE ino = ${ino("big")}`, true],
  ["a file with several names has them listed", "DELETE FROM ws_hardlink WHERE name = 'g'", true],
  ["a listed name is one of several", `INSERT INTO ws_hardlink VALUES (${ino("big")}, 2, 'big')`, true],
  [
    "an inode without a name is in the log or waits to be collected",
    "UPDATE ws_log SET ino = 1 WHERE op = 'remove'",
    true,
  ],
  ["an empty file has no content, any other has", `UPDATE ws_inode SET content = 0 WHERE ino = ${ino("f")}`, false],
  ["a content has the bytes its owner claims", `UPDATE ws_inode SET size = size + 1 WHERE ino = ${ino("f")}`, false],
  ["a tree that something refers to exists", "DELETE FROM ws_node", false],
  [
    "a tree has an owner, or connects three others",
    "INSERT INTO ws_node (id, level, entries, origin) VALUES (777, 0, '[]', 0)",
    true,
  ],
  ["a tree was made from one that exists", "UPDATE ws_node SET origin = 999 WHERE origin = 0", false],
  ["a node is part of a tree", "INSERT INTO ws_node (id, level, entries) VALUES (777, 0, '[]')", false],
  ["revisions follow one another", "DELETE FROM ws_log WHERE rev = 4", false],
  ["an entry's links point back", "UPDATE ws_log SET prev = rev + 5 WHERE rev = 5", false],
  ["an inode's revisions are in the past", `UPDATE ws_inode SET rev = 99999 WHERE ino = ${ino("f")}`, false],
  ["a directory can be reached or was removed", `UPDATE ws_dirent SET parent = ${ino("sub")} WHERE name = 'd'`, false],
  ["a tree's rows hold its bytes", `UPDATE ws_content SET bytes = x'00' WHERE length(bytes) = 131072`, false],
  ["a content row has an owner", "INSERT INTO ws_content VALUES (4242, x'00')", false],
  ["a content has as many owners as are counted", "DELETE FROM ws_content_ref", false],
];

describe("fsck", () => {
  it("finds nothing wrong in a sound workspace", async () => {
    await inObject(async (inside) => {
      await furnish(inside);
      expect(await fsck(inside.volume)).toEqual({ ok: true, problems: [], truncated: false });
    });
  });

  it.each(DAMAGE)("fsck sees that «%s» does not hold", async (check, sql, mended) => {
    await inObject(async (inside) => {
      await furnish(inside);
      inside.storage.sql.exec(sql);
      inside.volume.invalidateCaches();
      const { ok, problems } = await fsck(inside.volume);
      expect(ok).toBe(false);
      expect(problems.map((problem) => problem.check)).toContain(check);
      if (!mended) return;
      await fsck(inside.volume, { repair: true });
      const after = await fsck(inside.volume);
      expect(after.problems.map((problem) => problem.check)).not.toContain(check);
    });
  });

  it("fsck sees that memory does not agree with the database", async () => {
    await inObject(async (inside) => {
      await furnish(inside);
      await inside.fs.stat("/workspace/f");
      inside.storage.sql.exec(`UPDATE ws_inode SET mode = mode - 1 WHERE ino = ${ino("f")}`);
      const { problems } = await fsck(inside.volume);
      expect(problems.map((problem) => problem.check)).toEqual(["memory agrees with the database"]);
    });
  });
});
