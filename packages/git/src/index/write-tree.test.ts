/** Trees from the index and back, compared with real git's write-tree and read-tree. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import type { Oid } from "../object/oid.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";
import { IndexEditor } from "./index-editor.ts";
import { readIndex } from "./read-index.ts";
import { indexFromTree } from "./read-tree.ts";
import { writeIndex } from "./write-index.ts";
import { writeTree } from "./write-tree.ts";

const files = {
  "a.txt": "a\n",
  "dir/b.txt": "b\n",
  "dir/sub/c.txt": "c\n",
  "dir-x": "x\n",
  "dir.y": "y\n",
  "other/d": "d\n",
};

describe("writeTree", () => {
  it("writes the trees that git writes, and a cached tree git takes", async () => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    const opened = await repo.open();
    const index = await readIndex(opened);
    const { oid, tree } = await writeTree(opened.odb, index);
    await writeIndex(opened, { ...index, tree });
    expect(repo.git("write-tree").trim()).toBe(oid);
    expect(repo.git("fsck", "--strict")).toBe("");
    expect((await readIndex(await repo.open())).tree).toEqual(tree);
  });

  it("writes only the trees above a change", async () => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    repo.git("commit", "-qm", "one");
    const opened = await repo.open();
    const editor = new IndexEditor(await readIndex(opened));
    const before = editor.get("dir/sub/c.txt")!;
    editor.set({ ...before, oid: editor.get("a.txt")!.oid });
    const written: string[] = [];
    const odb: Pick<ObjectDatabase, "missing" | "writeMany"> = {
      missing: (oids) => opened.odb.missing(oids),
      writeMany(objects) {
        written.push(...objects.map(({ type }) => type));
        return opened.odb.writeMany(objects);
      },
    };
    const { oid } = await writeTree(odb as ObjectDatabase, editor.finish());
    expect(written).toEqual(["tree", "tree", "tree"]);
    repo.git("update-index", "--cacheinfo", `100644,${editor.get("a.txt")!.oid},dir/sub/c.txt`);
    expect(repo.git("write-tree").trim()).toBe(oid);
  });

  it("leaves out what is only intended, and does not call such a tree known", async () => {
    using repo = scratchRepository();
    repo.write({ ...files, "new/only": "n", "dir/new": "n" });
    repo.git("add", ...Object.keys(files));
    repo.git("add", "-N", "new/only", "dir/new");
    const opened = await repo.open();
    const { oid, tree } = await writeTree(opened.odb, await readIndex(opened));
    expect(repo.git("write-tree").trim()).toBe(oid);
    expect(tree.entries).toBe(-1);
    expect(tree.children.get("other")?.entries).toBe(1);
  });

  it("names what is unmerged", async () => {
    using repo = scratchRepository();
    repo.gitBytes(["update-index", "--index-info"], "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 1\ta\n");
    const opened = await repo.open();
    await expect(writeTree(opened.odb, await readIndex(opened))).rejects.toThrow(
      "a: unmerged (e69de29bb2d1d6434b8b29ae775ad8c2e48c5391)\nfatal: git-write-tree: error building trees",
    );
  });

  it("refuses a blob that is not there, as git does", async () => {
    using repo = scratchRepository();
    const missing = "1".repeat(40);
    repo.gitBytes(["update-index", "--index-info"], `100644 ${missing} 0\ta\n`);
    const opened = await repo.open();
    await expect(writeTree(opened.odb, await readIndex(opened))).rejects.toThrow(
      `invalid object 100644 ${missing} for 'a'\nfatal: git-write-tree: error building trees`,
    );
  });
});

describe("indexFromTree", () => {
  it("gives the index that git read-tree makes, cached tree included", async () => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    repo.git("commit", "-qm", "one");
    const tree = repo.git("rev-parse", "HEAD^{tree}").trim() as Oid;
    const opened = await repo.open();
    const ours = await indexFromTree(opened.odb, tree);
    repo.git("read-tree", "HEAD");
    const theirs = await readIndex(await repo.open());
    expect(ours.entries).toEqual(theirs.entries);
    expect(ours.tree).toEqual(theirs.tree);
  });

  it("refuses a tree that would write into .git", async () => {
    using repo = scratchRepository();
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: repo.path, input: "x", stdio: "pipe" })
      .toString()
      .trim();
    const tree = repo.gitBytes(["mktree"], `100644 blob ${blob}\t.GIT\n`).toString().trim() as Oid;
    const opened = await repo.open();
    await expect(indexFromTree(opened.odb, tree)).rejects.toThrow("invalid path '.GIT'");
  });
});

describe("IndexEditor", () => {
  it("replaces a file by a directory and back, keeps order and stages", async () => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    const editor = new IndexEditor(await readIndex(await repo.open()));
    const entry = editor.get("a.txt")!;
    editor.set({ ...entry, path: "dir" });
    expect(editor.finish().entries.map(({ path }) => path)).toEqual(["a.txt", "dir", "dir-x", "dir.y", "other/d"]);
    editor.set({ ...entry, path: "dir/z/y" });
    editor.set({ ...entry, path: "a.txt", stage: 2 });
    editor.set({ ...entry, path: "a.txt", stage: 1 });
    expect(editor.finish().entries.map(({ path, stage }) => `${path} ${stage}`)).toEqual([
      "a.txt 1",
      "a.txt 2",
      "dir-x 0",
      "dir.y 0",
      "dir/z/y 0",
      "other/d 0",
    ]);
    editor.set(entry);
    editor.removeUnder("dir");
    expect(editor.finish().entries.map(({ path, stage }) => `${path} ${stage}`)).toEqual([
      "a.txt 0",
      "dir-x 0",
      "dir.y 0",
      "other/d 0",
    ]);
  });
});
