/** Inputs of an impatient or hostile caller that no result has contained: invalid cursors, places and hints. */
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("cursors that no answer has given", () => {
  const files = { "proj/a.txt": "x", "proj/d/b.txt": "x", "other/secret.txt": "x", "z.txt": "x" };

  it.each([
    ["list", { recursive: true, cursor: "../a" }],
    ["list", { recursive: true, cursor: "d/../../other/a" }],
    ["list", { cursor: "/workspace/proj/a.txt" }],
    ["list", { cursor: "" }],
    ["tree", { cursor: "../a" }],
    ["tree", { depth: 5, cursor: "d/./b" }],
    ["glob", { pattern: "**/*", cursor: "a.txt" }],
    ["glob", { pattern: "**/*", cursor: "/workspace/other" }],
    ["find", { cursor: "/workspace/proj/../other" }],
    ["find", { cursor: "garbage" }],
  ])("%s %j is refused, and shows nothing outside the root", (name, input) =>
    inWorkspace(
      async ({ toolset }) => {
        const result = await toolset.handle(name, input);
        expect([codeOf(result), result.structured.error]).toMatchObject(["INVALID_INPUT", { field: "cursor" }]);
      },
      { root: "/workspace/proj" },
      files,
    ),
  );

  it("one of an entry that is gone goes on behind it", () =>
    inWorkspace(
      async ({ call }) => {
        const names = async (input: Record<string, unknown>) =>
          (await call("list", { recursive: true, ...input })).entries.map(({ name }: Answer) => name);
        expect(await names({ cursor: "d/a-gone" })).toEqual(["d/b.txt"]);
        expect((await call("find", { cursor: "/workspace/proj/b" })).entries).toHaveLength(2);
        expect((await call("glob", { pattern: "**/*", cursor: "/workspace/proj/b" })).files).toHaveLength(1);
      },
      { root: "/workspace/proj" },
      files,
    ));
});

it("glob names the directory itself as every other path", () =>
  inWorkspace(
    async ({ call }) => {
      expect((await call("glob", { pattern: "**", dirs: true })).files).toEqual(["/workspace", "/workspace/a"]);
    },
    {},
    { a: "" },
  ));

it("a file that another actor changed and changed back is not stale", () =>
  inWorkspace(
    async ({ fs, call, refused }) => {
      await call("read", { path: "f" });
      await fs.writeFile("/workspace/f", "other\n");
      expect(await refused("edit", { path: "f", oldString: "one", newString: "1" })).toBe("STALE");
      await fs.writeFile("/workspace/f", "one\n");
      await call("edit", { path: "f", oldString: "one", newString: "1" });
      expect(await fs.readFile("/workspace/f", "utf8")).toBe("1\n");
      // A removed file is stale, however small it was.
      await call("read", { path: "empty" });
      await fs.rm("/workspace/empty");
      expect(await refused("write", { path: "empty", content: "x" })).toBe("STALE");
    },
    {},
    { f: "one\n", empty: "" },
  ));

it.each(["move", "copy"])("%s to a place under a file says what is in the way", (name) =>
  inWorkspace(
    async ({ toolset, fs }) => {
      const result = await toolset.handle(name, { from: "a", to: "b/c/d" });
      expect(result.content).toBe("ENOTDIR: A part of the way to /workspace/b/c is a file; nothing was changed.");
      expect((await fs.readdir("/workspace")).sort()).toEqual(["a", "b"]);
    },
    {},
    { a: "x", b: "x" },
  ),
);

it("what the Worker's shell lacks is said without a field that exec has not", () =>
  inWorkspace(async ({ toolset }) => {
    for (const command of ["npm test 2>&1", "umask 077", "grep -P x a", "(", "find . -delete -quit"]) {
      const result = await toolset.handle("exec", { command });
      expect([command, result.content.includes("backend")]).toEqual([command, false]);
    }
    const answer = unwrap(await toolset.handle("exec", { command: "npm test 2>&1 || true" }));
    expect(answer.stdout).toContain("the Worker's shell does not have it; it needs a container");
  }));

it("a directory that only proposals make is one to every tool that looks", () =>
  inWorkspace(
    async ({ call }) => {
      await call("write", { path: "new/x.txt", content: "hello\n" });
      expect(await call("write", { path: "new/x.txt", content: "more\n", append: true })).toMatchObject({
        size: 11,
        proposed: true,
      });
      const path = "/workspace/new/x.txt";
      expect((await call("grep", { pattern: "more", path: "new" })).hits).toMatchObject([{ path, line: 2 }]);
      expect((await call("glob", { pattern: "*", cwd: "new" })).files).toEqual([path]);
      expect((await call("find", { path: "new" })).entries).toMatchObject([{ path, size: 11 }]);
      expect((await call("list", { path: "new", recursive: true })).entries).toMatchObject([{ name: "x.txt" }]);
      expect((await call("tree", { path: "new" })).tree).toBe("x.txt (11 B)");
      expect(await call("stats", { path: "new" })).toMatchObject({ files: 1, bytes: 11 });
      expect(await call("info", { path: "new" })).toMatchObject({ type: "directory", permissions: "drwxr-xr-x" });
    },
    { mode: "propose" },
  ));

it("a proposal keeps its mode over the binding", async () => {
  using workspace = getWorkspace(env.WORKSPACE.getByName("a mode over the binding"));
  await workspace.fs.writeFile("/workspace/run.sh", "#!/bin/sh\n", { mode: 0o755 });
  const toolset = await createToolset({ workspace, mode: "propose" });
  unwrap(await toolset.handle("copy", { from: "run.sh", to: "again.sh" }));
  await toolset.proposals.apply();
  expect((await workspace.fs.stat("/workspace/again.sh")).mode & 0o777).toBe(0o755);
});

it.each(["move", "copy"])("%s replaces nothing that came between the look and the change", async (verb) => {
  using workspace = getWorkspace(env.WORKSPACE.getByName(`between: ${verb}`));
  await workspace.fs.writeFile("/workspace/a", "mine\n");
  const between = async () => workspace.fs.writeFile("/workspace/b", "theirs\n");
  const fs = new Proxy(workspace.fs, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== "rename" && name !== "cp") return value;
      return async (...args: unknown[]) => {
        await between();
        return (value as (...args: unknown[]) => unknown)(...args);
      };
    },
  });
  const raced = new Proxy(workspace, {
    get: (target, name) => (name === "fs" ? fs : name === "as" ? () => raced : Reflect.get(target, name)),
  });
  const toolset = await createToolset({ workspace: raced });
  expect(codeOf(await toolset.handle(verb, { from: "a", to: "b" }))).toBe("STALE");
  expect(await workspace.fs.readFile("/workspace/a", "utf8")).toBe("mine\n");
  expect(await workspace.fs.readFile("/workspace/b", "utf8")).toBe("theirs\n");
});

describe("text that is not as the file is", () => {
  const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00);

  it.each([
    ["UTF-8 behind Latin-1", latin1, "é\n", "ENCODING"],
    ["ASCII behind Latin-1", latin1, "e\n", null],
    ["anything behind UTF-16", utf16, "a\n", "ENCODING"],
    ["UTF-8 behind UTF-8", new TextEncoder().encode("café\n"), "é\n", null],
  ])("%s: append keeps the file readable, or refuses", (_, before, content, code) =>
    inWorkspace(
      async ({ fs, toolset }) => {
        await fs.writeFile("/workspace/f", before);
        const result = await toolset.handle("write", { path: "f", content, append: true });
        expect(result.isError ? codeOf(result) : null).toBe(code);
        const added = code === null ? new TextEncoder().encode(content) : [];
        expect(await fs.readFile("/workspace/f")).toEqual(Uint8Array.from([...before, ...added]));
      },
      {},
      {},
    ),
  );

  it.each([
    ["a\r\nb\r\n", "1\n2", "a\r\n1\r\n2\r\n"],
    ["a\r\nb\r\n", "1\r\n2", "a\r\n1\r\n2\r\n"],
    ["a\nb\r\n", "1\n2", "a\n1\n2\r\n"],
    ["a\nb\n", "1\n2", "a\n1\n2\n"],
  ])("in %j newString %j takes the file's line endings", (before, newString, after) =>
    inWorkspace(
      async ({ fs, call }) => {
        await call("edit", { path: "f", oldString: "b", newString });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe(after);
      },
      {},
      { f: before },
    ),
  );
});

it("an edit may name the byte-order mark, which stays", () =>
  inWorkspace(
    async ({ call, fs }) => {
      await call("edit", { path: "bom.txt", oldString: "\ufeffone", newString: "eins" });
      expect(await fs.readFile("/workspace/bom.txt", "utf8")).toBe("\ufeffeins\ntwo\n");
      await call("edit", { path: "bom.txt", edits: [{ oldText: "\ufeffeins", newText: "\ufeffuno" }] });
      expect(await fs.readFile("/workspace/bom.txt", "utf8")).toBe("\ufeffuno\ntwo\n");
    },
    {},
    { "bom.txt": "\ufeffone\ntwo\n" },
  ));

it("an error says what to send instead", () =>
  inWorkspace(async ({ toolset }) => {
    const reported = async (name: string, input: unknown) => (await toolset.handle(name, input)).content;
    expect(await reported("read", { file_path: "a" })).toBe(
      "INVALID_INPUT: Wrong arguments for read: path: Invalid input: expected string, received undefined; there is no field file_path; the fields are path, offset, limit, byteOffset, maxBytes, lineNumbers, format.",
    );
    expect(await reported("exists", { path: "a", old: 1 })).toBe(
      "INVALID_INPUT: Wrong arguments for exists: there is no field old; the fields are path, format.",
    );
    for (const name of ["exec_output", "exec_kill"])
      expect(await reported(name, { id: "none" })).toBe(
        'ENOENT: There is no command "none". Use the id that exec answered with.',
      );
    expect(await reported("undo", { callId: "none" })).toContain("Use changes to see which calls there are.");
  }));

it("a walk goes on behind what it can see at once, whatever is hidden or left out there", () =>
  inWorkspace(async ({ fs, more }) => {
    const many = Array.from({ length: 10_100 }, (_, i) => ({ path: `/workspace/a/f${i}`, content: "" }));
    await fs.writeMany([
      ...many,
      ...["b/shown.txt", "c.txt"].map((path) => ({ path: `/workspace/${path}`, content: "" })),
    ]);
    for (const [options, input] of [
      [{ deny: ["a/"] }, {}],
      [{ deny: ["a/f*"] }, { pattern: "*.txt" }],
      [{}, { pattern: "*.txt" }],
    ] as const) {
      const { entries } = unwrap(await (await more(options)).handle("list", { recursive: true, ...input }));
      const files = entries.filter(({ type }: Record<string, unknown>) => type === "file");
      expect(files.map(({ name }: Record<string, unknown>) => name)).toEqual(["b/shown.txt", "c.txt"]);
    }
  }));
