/** A clone writes file contents while the pack arrives: what the checkout uses of them, and that nothing else stays. */
import { createGit } from "@cloudflare/workspace/git";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { createFileSystem, type DetachedContents, type DetachedEntry, fsck, gc } from "@workspace/vfs";
import { describe, expect, it } from "vitest";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const NOTHING = { retention: { entries: 0 } };
const who = { name: "A", email: "a@example.com" };

function count({ storage }: Inside, table: string): number {
  return storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;
}

/** An engine whose file system tells what was staged, and which files took theirs. */
function spied({ volume }: Inside) {
  const fs = createFileSystem(volume);
  const staged: number[] = [];
  const taken: string[] = [];
  /** A verb that fails for what is in the copy. */
  const broken: { verb: "rename" | "writeMany" | null } = { verb: null };
  const spy = {
    ...fs,
    rename: async (from: string, to: string) => {
      if (broken.verb === "rename" && to.endsWith(".pack")) throw new Error("broken");
      return fs.rename(from, to);
    },
    stage: async (contents: readonly Uint8Array[]): Promise<DetachedContents> => {
      staged.push(contents.length);
      return fs.stage(contents);
    },
    writeMany: async (entries: Parameters<typeof fs.writeMany>[0]) => {
      const early = entries.filter((entry): entry is DetachedEntry => entry.type === "staged");
      if (broken.verb === "writeMany" && early.length > 0) throw new Error("broken");
      taken.push(...early.map(({ path }) => path.replace("/workspace/copy/", () => "")));
      return fs.writeMany(entries);
    },
  };
  let seconds = 1_700_000_000;
  const engine = createGit({ fs: spy, now: () => 1000 * seconds++, identity: who, cwd: "/workspace" });
  const git = async (cwd: string, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await engine.cli({ argv, cwd });
    return { exitCode, stdout: text(stdout), stderr: text(stderr) };
  };
  return { fs, git, staged, taken, broken };
}

async function commit({ fs, git }: ReturnType<typeof spied>, files: Record<string, string>, message: string) {
  for (const [path, content] of Object.entries(files)) {
    const full = `/workspace/origin/${path}`;
    await fs.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await fs.writeFile(full, content);
  }
  await git("/workspace/origin", "add", "-A");
  expect(await git("/workspace/origin", "commit", "-q", "-m", message)).toMatchObject({ exitCode: 0 });
}

async function withOrigin(body: (inside: Inside, subject: ReturnType<typeof spied>) => Promise<void>) {
  await inObject(async (inside) => {
    const subject = spied(inside);
    await subject.git("/workspace", "init", "-q", "-b", "main", "origin");
    await body(inside, subject);
    expect((await fsck(inside.volume)).problems).toEqual([]);
    expect(count(inside, "ws_spool")).toBe(0);
  });
}

describe("clone", () => {
  it("reads no file again that came in the pack", async () => {
    await withOrigin(async (_, subject) => {
      const { fs, git, staged, taken } = subject;
      await fs.symlink("a.txt", "/workspace/origin/link");
      await fs.writeFile("/workspace/origin/run", "#!/bin/sh\n");
      await fs.chmod("/workspace/origin/run", 0o755);
      const files = { "a.txt": "a\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", "d/same.txt": "a\n", empty: "" };
      await commit(subject, files, "first");
      await commit(subject, { "d/b.txt": "b again\n" }, "second");
      expect(await git("/workspace", "clone", "-q", "origin", "copy")).toMatchObject({ exitCode: 0, stderr: "" });
      expect(staged).toEqual([4]);
      // Of two files with one content one is given it; an empty file and a link have none.
      expect(taken.sort()).toEqual(["a.txt", "d/b.txt", "d/e/c.txt", "run"]);
      expect(await git("/workspace/copy", "status", "--porcelain")).toMatchObject({ stdout: "" });
      expect(await git("/workspace/copy", "fsck")).toMatchObject({ exitCode: 0 });
      for (const [path, content] of Object.entries({ ...files, "d/b.txt": "b again\n" }))
        expect(await fs.readFile(`/workspace/copy/${path}`, "utf8")).toBe(content);
      expect(await fs.readlink("/workspace/copy/link")).toBe("a.txt");
      expect((await fs.stat("/workspace/copy/run")).mode & 0o777).toBe(0o755);
    });
  });

  it("takes what a newer branch shares with the one that is checked out, and frees the rest", async () => {
    await withOrigin(async (inside, subject) => {
      const { fs, git, staged, taken } = subject;
      await commit(subject, { one: "1\n", two: "2\n" }, "first");
      await git("/workspace/origin", "switch", "-q", "-c", "newer");
      await commit(subject, { two: "two\n", three: "3\n" }, "second");
      await git("/workspace/origin", "switch", "-q", "main");
      await git("/workspace", "clone", "-q", "origin", "copy");
      expect(staged).toEqual([4]);
      expect(taken.sort()).toEqual(["one", "two"]);
      expect(await fs.readFile("/workspace/copy/two", "utf8")).toBe("2\n");
      await fs.rm("/workspace/origin", { recursive: true });
      await fs.rm("/workspace/copy/.git", { recursive: true });
      await gc(inside.volume, NOTHING);
      expect(count(inside, "ws_content")).toBe(2);
    });
  });

  it("converts line endings as attributes say, and leaves them where they say nothing of a checkout", async () => {
    await withOrigin(async (_, subject) => {
      const { fs, git, taken } = subject;
      await commit(
        subject,
        { ".gitattributes": "* text=auto\n*.bat eol=crlf\n", "a.bat": "x\n", "a.txt": "y\n" },
        "all",
      );
      await git("/workspace", "clone", "-q", "origin", "copy");
      expect(await fs.readFile("/workspace/copy/a.bat", "utf8")).toBe("x\r\n");
      expect(taken.sort()).toEqual([".gitattributes", "a.txt"]);
      await git("/workspace", "-c", "core.autocrlf=true", "clone", "-q", "origin", "other");
      expect(await fs.readFile("/workspace/other/a.txt", "utf8")).toBe("y\r\n");
    });
  });

  it("stages nothing without a checkout", async () => {
    await withOrigin(async (_, subject) => {
      await commit(subject, { one: "1\n" }, "first");
      await subject.git("/workspace", "clone", "-q", "--no-checkout", "origin", "copy");
      await subject.git("/workspace", "clone", "-q", "--bare", "origin", "bare");
      expect(subject.staged).toEqual([]);
    });
  });

  it("leaves nothing of a pack that could not be kept, or of a checkout that failed", async () => {
    await withOrigin(async (inside, subject) => {
      const { fs, git, staged, broken } = subject;
      await commit(subject, { one: "1\n", two: "2\n" }, "first");
      await gc(inside.volume, NOTHING);
      const before = count(inside, "ws_content");
      for (const verb of ["rename", "writeMany"] as const) {
        staged.length = 0;
        broken.verb = verb;
        expect((await git("/workspace", "clone", "-q", "origin", "copy")).exitCode).not.toBe(0);
        broken.verb = null;
        expect(staged).toEqual([2]);
        expect(await fs.exists("/workspace/copy")).toBe(false);
        await gc(inside.volume, NOTHING);
        expect([verb, count(inside, "ws_content"), count(inside, "ws_spool")]).toEqual([verb, before, 0]);
      }
    });
  });
});
