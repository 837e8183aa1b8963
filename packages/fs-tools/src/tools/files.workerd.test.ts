import { describe, expect, it } from "vitest";
import { fileStoreContract } from "../../test/file-store-contract.ts";
import { type Answer, codeOf, inWorkspace } from "../../test/in-workspace.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";

describe("WorkspaceFileStore", () =>
  fileStoreContract((body) => inWorkspace(({ workspace }) => body(new WorkspaceFileStore(workspace), "/workspace"))));

describe("read", () => {
  it("read gives a window of lines, and following it gives the whole", () =>
    inWorkspace(
      async ({ call, refused }) => {
        const first = await call("read", { path: "a.txt", limit: 2 });
        expect(first).toMatchObject({
          path: "/workspace/a.txt",
          content: "1\n2\n",
          startLine: 1,
          endLine: 2,
          nextOffset: 3,
          truncated: true,
        });
        const rest = await call("read", { path: "/workspace/a.txt", offset: first.nextOffset });
        expect(rest).toMatchObject({ content: "3\n4", startLine: 3, endLine: 4, totalLines: 4, truncated: false });
        expect(await call("read", { path: "a.txt", offset: 0 })).toMatchObject({ startLine: 1, totalLines: 4 });
        expect(await refused("read", { path: "a.txt", offset: 5 })).toBe("OUT_OF_RANGE");
        expect(await call("read", { path: "empty" })).toMatchObject({
          content: "",
          startLine: 1,
          endLine: 0,
          totalLines: 0,
        });
        expect(await refused("read", { path: "none" })).toBe("ENOENT");
        expect(await refused("read", { path: "." })).toBe("EISDIR");
      },
      {},
      { "a.txt": "1\n2\n3\n4", empty: "" },
    ));

  it("read numbers lines on request, and prints text", () =>
    inWorkspace(
      async ({ call, toolset }) => {
        expect((await call("read", { path: "a", lineNumbers: true })).content).toBe("     1\tx\n     2\ty\n");
        expect((await toolset.handle("read", { path: "a", limit: 1, format: "text" })).content).toBe(
          "x\n[more: read on with offset 2]",
        );
      },
      {},
      { a: "x\ny\n" },
    ));

  it("read hands on images as files, and names what else is binary", () =>
    inWorkspace(async ({ fs, toolset, refused }) => {
      const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0);
      await fs.writeFile("/workspace/i.png", png);
      await fs.writeFile("/workspace/a.zip", Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0));
      await fs.writeFile("/workspace/latin", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20));
      await fs.writeFile("/workspace/nul.ts", Uint8Array.of(0x61, 0, 0x62));
      const image = await toolset.handle("read", { path: "i.png" });
      expect(image.files).toEqual([
        { mediaType: "image/png", filename: "i.png", data: btoa(String.fromCharCode(...png)) },
      ]);
      const zip = await toolset.handle("read", { path: "a.zip" });
      expect(zip.content).toContain("a ZIP archive");
      expect(await refused("read", { path: "latin" })).toBe("BINARY_FILE");
      expect(await refused("read", { path: "nul.ts" })).toBe("BINARY_FILE");
    }));
});

describe("write and edit", () => {
  it("write makes parents, keeps the mode, appends, and shows what it replaced", () =>
    inWorkspace(async ({ fs, call, refused }) => {
      expect(await call("write", { path: "a/b.sh", content: "one\n" })).toMatchObject({
        ok: true,
        written: true,
        path: "/workspace/a/b.sh",
        size: 4,
      });
      await fs.chmod("/workspace/a/b.sh", 0o755);
      const second = await call("write", { path: "a/b.sh", content: "two\n" });
      expect(second.diff).toContain("-one\n+two\n");
      expect((await fs.stat("/workspace/a/b.sh")).mode & 0o777).toBe(0o755);
      expect(await call("write", { path: "a/b.sh", content: "three\n", append: true })).toMatchObject({ size: 10 });
      expect(await fs.readFile("/workspace/a/b.sh", "utf8")).toBe("two\nthree\n");
      expect(second.version).not.toBe((await fs.stat("/workspace/a/b.sh")).version);
      expect(await refused("write", { path: "a", content: "x" })).toBe("EISDIR");
      expect(await refused("write", { path: "x/", content: "x" })).toBe("EISDIR");
      expect(await refused("write", { path: "x", content: "\ud800" })).toBe("INVALID_INPUT");
    }));

  it("edit keeps mark, endings and mode, says which strategy matched, and gives the diff", () =>
    inWorkspace(async ({ fs, call, refused }) => {
      await fs.writeFile("/workspace/a.ts", "\uFEFFone\r\ntwo\r\n", { mode: 0o700 });
      const done = await call("edit", { path: "a.ts", edits: [{ oldText: "one\ntwo\n", newText: "one\n2\n" }] });
      expect(done).toMatchObject({ ok: true, edits: [{ rung: "line-endings", line: 1 }], replaced: 1 });
      expect(done.diff).toContain("-two\r\n+2\r\n");
      expect(
        new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await fs.readFile("/workspace/a.ts")),
      ).toBe("\uFEFFone\r\n2\r\n");
      expect((await fs.stat("/workspace/a.ts")).mode & 0o777).toBe(0o700);
      expect(await call("edit", { path: "a.ts", oldString: "o", newString: "$&" })).toMatchObject({ replaced: 1 });
      expect(await refused("edit", { path: "a.ts", oldString: "\r\n", newString: "" })).toBe("AMBIGUOUS_MATCH");
      expect(await call("edit", { path: "a.ts", oldString: "\r\n", newString: "\n", replaceAll: true })).toMatchObject({
        replaced: 2,
      });
      expect(await refused("edit", { path: "none.ts", edits: [{ oldText: "a", newText: "b" }] })).toBe("ENOENT");
      await fs.writeFile("/workspace/latin1.txt", Uint8Array.of(0x61, 0xe9, 0x62));
      expect(await refused("edit", { path: "latin1.txt", oldString: "a", newString: "b" })).toBe("ENCODING");
      expect([...(await fs.readFile("/workspace/latin1.txt"))]).toEqual([0x61, 0xe9, 0x62]);
    }));

  it("refuses a file that another actor changed since it was read, with the diff", () =>
    inWorkspace(
      async ({ workspace, call, toolset, refused }) => {
        await call("read", { path: "a.txt" });
        await workspace.as({ actor: "mallory" }).fs.writeFile("/workspace/a.txt", "one\nTWO\nthree\n");
        const write = await toolset.handle("write", { path: "a.txt", content: "mine\n" });
        expect(codeOf(write)).toBe("STALE");
        expect(write.content).toContain("changed by mallory since you read it");
        expect(write.content).toContain("-two\n+TWO");
        expect(await refused("edit", { path: "a.txt", oldString: "one", newString: "1" })).toBe("STALE");
        expect(await refused("delete", { path: "a.txt" })).toBe("STALE");
        await call("read", { path: "a.txt" });
        await call("edit", { path: "a.txt", oldString: "one", newString: "1" });
        // The model's own edits and commands never make a file stale.
        await call("edit", { path: "a.txt", oldString: "1\n", newString: "uno\n" });
        await workspace
          .as({ actor: "agent", callId: "command" })
          .fs.writeFile("/workspace/a.txt", "by my own command\n");
        await call("write", { path: "a.txt", content: "again\n" });
        await workspace.fs.unlink("/workspace/a.txt");
        expect(await refused("write", { path: "a.txt", content: "back\n" })).toBe("STALE");
        expect(await refused("read", { path: "a.txt" })).toBe("ENOENT");
        await call("write", { path: "a.txt", content: "new\n" });
        // Never read: overwritten, as in the AI SDK family.
        await workspace.fs.writeFile("/workspace/b.txt", "b");
        await call("write", { path: "b.txt", content: "c" });
      },
      {},
      { "a.txt": "one\ntwo\nthree\n" },
    ));
});

describe("directories", () => {
  const FILES = { "src/a.ts": "aaa", "src/b.ts": "b", "src/deep/c.ts": "cc", "README.md": "# hi", ".env": "SECRET=1" };

  it("list, tree, exists, info and stats say what is there", () =>
    inWorkspace(
      async ({ fs, call, toolset, refused }) => {
        await fs.symlink("src/a.ts", "/workspace/link");
        const listed = await call("list", {});
        expect(listed.entries.map(({ name, type, size }: Answer) => [name, type, size])).toEqual([
          [".env", "file", 8],
          ["README.md", "file", 4],
          ["link", "symlink", 8],
          ["src", "directory", 0],
        ]);
        expect(listed.entries[0].modified).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
        const all = await call("list", { path: "src", recursive: true, pattern: "*.ts" });
        expect(all.entries.map(({ name }: Answer) => name)).toEqual(["a.ts", "b.ts", "deep/c.ts"]);
        const tree = await toolset.handle("tree", { format: "text" });
        expect(tree.content).toBe(".env (8 B)\nREADME.md (4 B)\nlink@\nsrc/\n  a.ts (3 B)\n  b.ts (1 B)\n  deep/");
        expect((await call("tree", { depth: 99 })).depth).toBe(5);
        expect((await call("tree", { depth: -3 })).depth).toBe(1);
        expect(await call("exists", { path: "src" })).toEqual({
          path: "/workspace/src",
          exists: true,
          type: "directory",
        });
        expect(await call("exists", { path: "nope" })).toEqual({ path: "/workspace/nope", exists: false });
        expect(await refused("exists", { path: "../etc" })).toBe("OUTSIDE_ROOT");
        expect(await call("info", { path: "link" })).toMatchObject({
          name: "link",
          type: "symlink",
          target: "src/a.ts",
          permissions: "lrwxrwxrwx",
        });
        expect(await call("info", { path: "README.md" })).toMatchObject({
          permissions: "-rw-r--r--",
          octal: "0644",
          size: 4,
        });
        expect(await call("stats", {})).toMatchObject({ files: 5, directories: 2, symlinks: 1, bytes: 18 });
        expect(await refused("list", { path: "README.md" })).toBe("ENOTDIR");
      },
      {},
      FILES,
    ));

  it("glob, find and grep find, sorted and with absolute paths", () =>
    inWorkspace(
      async ({ call, toolset, refused }) => {
        expect(await call("glob", { pattern: "**/*.ts" })).toEqual({
          files: ["/workspace/src/a.ts", "/workspace/src/b.ts", "/workspace/src/deep/c.ts"],
          truncated: false,
        });
        expect((await call("glob", { pattern: "*.ts", cwd: "src" })).files).toEqual([
          "/workspace/src/a.ts",
          "/workspace/src/b.ts",
        ]);
        expect((await call("glob", { pattern: "*", dirs: true })).files).toContain("/workspace/src");
        expect(await refused("glob", { pattern: "/etc/*" })).toBe("OUTSIDE_ROOT");
        expect(await refused("glob", { pattern: "../*" })).toBe("OUTSIDE_ROOT");
        expect((await call("find", { name: "*.ts", larger: 1 })).entries.map(({ path }: Answer) => path)).toEqual([
          "/workspace/src/a.ts",
          "/workspace/src/deep/c.ts",
        ]);
        expect(await call("grep", { pattern: "a" })).toMatchObject({
          hits: [{ path: "/workspace/src/a.ts", line: 1, text: "aaa" }],
          truncated: false,
          engine: "local",
        });
        expect((await toolset.handle("grep", { pattern: "^c+$", regex: true, format: "text" })).content).toBe(
          "/workspace/src/deep/c.ts:1:cc",
        );
        expect(await refused("grep", { pattern: "(", regex: true })).toBe("INVALID_INPUT");
        expect(await refused("grep", { pattern: "x", path: "gone" })).toBe("ENOENT");
      },
      {},
      FILES,
    ));

  it("grep prints context as grep does", () =>
    inWorkspace(
      async ({ toolset }) => {
        const result = await toolset.handle("grep", { pattern: "hit", contextLines: 1, format: "text" });
        expect(result.content).toBe(
          [
            "/workspace/a-1-one",
            "/workspace/a:2:hit",
            "/workspace/a-3-three",
            "--",
            "/workspace/a-5-five",
            "/workspace/a:6:hit",
          ].join("\n"),
        );
      },
      {},
      { a: "one\nhit\nthree\nfour\nfive\nhit\n" },
    ));

  it("changes tells what happened since a cursor", () =>
    inWorkspace(async ({ workspace, call }) => {
      const { cursor } = await call("changes", {});
      await workspace.as({ actor: "bob" }).fs.writeFile("/workspace/new.txt", "x");
      const { changes } = await call("changes", { since: cursor });
      expect(changes).toMatchObject([{ op: "create", type: "file", path: "/workspace/new.txt", actor: "bob" }]);
    }));

  it("move, copy and delete do not overwrite by accident", () =>
    inWorkspace(
      async ({ fs, call, refused }) => {
        await call("move", { from: "src/a.ts", to: "lib/a.ts" });
        expect(await fs.exists("/workspace/src/a.ts")).toBe(false);
        expect(await refused("copy", { from: "src/b.ts", to: "lib/a.ts" })).toBe("EEXIST");
        expect(await call("copy", { from: "src/b.ts", to: "lib/a.ts", overwrite: true })).toMatchObject({
          overwritten: true,
        });
        await call("copy", { from: "src", to: "src2" });
        expect(await fs.readFile("/workspace/src2/deep/c.ts", "utf8")).toBe("cc");
        expect(await refused("delete", { path: "src2" })).toBe("EISDIR");
        await call("delete", { path: "src2", recursive: true });
        await call("delete", { path: "README.md" });
        expect(await fs.exists("/workspace/README.md")).toBe(false);
        expect(await refused("delete", { path: ".", recursive: true })).toBe("EBUSY");
        expect(await refused("move", { from: "src", to: "src/deep/x" })).toBe("EINVAL");
      },
      {},
      FILES,
    ));
});
