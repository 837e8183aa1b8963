/** The log: which changes `changes` and `watch` report, with actor and call. */
import type { Change } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { head, type MakeOurs, ourTestsOn } from "./extension-subject.ts";
import { fails, tick, utf8 } from "./subject.ts";

export function changesContract(make: MakeOurs): void {
  const it = ourTestsOn(make);

  describe("changes", () => {
    it("changes lists each mutation once, in order, with type and paths", async ({ fs, root }) => {
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
      expect(changes.map((change) => toText(change, root))).toEqual([
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

    it("changes omits failed operations and those without effect", async ({ fs, root }) => {
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

    it("changes continues from any cursor, page by page", async ({ fs, root }) => {
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

    it("changes from the beginning lists all changes", async ({ fs, root }) => {
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
      expect(changes.map((change) => toText(change, root))).toEqual([
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
      expect(changes.map((change) => toText(change, root))).toEqual([
        ...["create dir a", "create dir a/b", "create file a/b/f", "create file g"],
        ...["create dir x", "create dir x/y", "create dir x/y/z"],
      ]);
      const groups = changes.map(({ group }) => group);
      expect([new Set(groups.slice(0, 4)).size, new Set(groups.slice(4)).size, new Set(groups).size]).toEqual([
        1, 1, 2,
      ]);
    });

    it("changes names the actor and the call", async ({ fs, root, as }) => {
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

    it("changes since a cursor of another workspace is EGONE, since an invalid one EINVAL", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      const cursor = await head(fs);
      const foreign = cursor.replace(/^./, (first) => (first === "0" ? "1" : "0"));
      await fails(fs.changes({ since: foreign }), { code: "EGONE" });
      await fails(fs.changes({ since: `${cursor}zz` }), { code: "EGONE" });
      await fails(fs.changes({ since: "nonsense" }), { code: "EINVAL" });
      await fails(fs.changes({ limit: 0 }), { code: "EINVAL" });
    });
  });

  describe("watch", () => {
    it("watch from a cursor reports past changes, then new ones", async ({ fs, root }) => {
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
}

function toText({ op, type, path, from }: Change, root: string): string {
  const below = (at: string) => at.slice(root.length + 1);
  return `${op} ${type} ${below(path)}${from === undefined ? "" : ` from ${below(from)}`}`;
}
